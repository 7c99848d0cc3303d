//! Converts errors of minijinja to ours, with their range in the template.

use std::ops::Range;

use minijinja::ErrorKind;

use super::advice::{Advice, advice, tags};
use crate::budget::Exceeded;
use crate::error::{Error, Kind};
use crate::habit;
use crate::limits::Limits;

/// Our error for one of minijinja's, with its range in the template.
pub(super) fn explain(fault: &minijinja::Error, source: &str) -> Error {
    let range = fault.range();
    let snippet = range.clone().and_then(|range| source.get(range)).unwrap_or_default();
    let snippet = match fault.kind() {
        ErrorKind::UndefinedError => filtered(source, &range).unwrap_or(snippet),
        _ => snippet,
    };
    let snippet = crate::tree::brief_code(snippet);
    let detail = fault.detail().unwrap_or_default();
    let error = match fault.kind() {
        ErrorKind::SyntaxError => return explain_syntax(detail, range, source),
        ErrorKind::UndefinedError => {
            let help = match habits_of(snippet.trim_matches('`')) {
                "" => {
                    let is_list = range.as_ref().is_some_and(|at| is_loop_over(source, at.start));
                    absent(snippet.trim_matches('`'), is_list)
                }
                help => help.into(),
            };
            Error::new(Kind::TemplateUndefined, format!("{snippet} is undefined")).with_help(help)
        }
        ErrorKind::OutOfFuel => too_long(Exceeded::Steps),
        ErrorKind::UnknownFilter
        | ErrorKind::UnknownTest
        | ErrorKind::UnknownFunction
        | ErrorKind::UnknownMethod => {
            let name =
                detail.trim_end_matches(" is unknown").rsplit(' ').next().unwrap_or_default();
            Error::new(Kind::TemplateFailed, detail).with_help(habit::call(name))
        }
        _ if detail.starts_with("tried to use + operator") => {
            Error::new(Kind::TemplateFailed, format!("`+` does not work on these types: {snippet}"))
                .with_help("concatenate strings with `~`")
        }
        kind if detail.is_empty() => Error::new(Kind::TemplateFailed, format!("{kind}: {snippet}")),
        _ => Error::new(Kind::TemplateFailed, format!("{detail}: {snippet}")),
    };
    // The place where the fuel ran out says nothing about the cause.
    with_range(error, range.filter(|_| fault.kind() != ErrorKind::OutOfFuel))
}

/// Whether a loop goes over what is at this offset.
fn is_loop_over(source: &str, at: usize) -> bool {
    let code = source[..at].rsplit_once("{%").map_or("", |(_, code)| code);
    let head = code.trim_start_matches(['-', '+', ' ']).strip_prefix("for ");
    let list = head.and_then(|head| head.split_once(" in ")).map(|(_, list)| list);
    list.is_some_and(|before| before.trim_start_matches([' ', '(']).is_empty())
}

/// The help for a value that may be absent, and for the list of a loop.
fn absent(path: &str, is_list: bool) -> String {
    let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '[' | ']');
    let begins = path.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let path = if begins && path.chars().all(is_path) { path } else { "…" };
    if is_list {
        return format!(
            "pass a value in the data, or loop over `{path} | default([])`; in a tree, `when: {path}` belongs on \
             the parent, because `when` next to `for` tests each item"
        );
    }
    format!(
        "pass a value in the data, write `{path} | default(\"…\")`, or guard it with \
         `{{% if {path} %}}` (in a tree: `when: {path}`)"
    )
}

/// The help for a name or a member that users expect to be there.
fn habits_of(path: &str) -> &'static str {
    match path.rsplit_once('.') {
        Some((_, member)) => habit::member(member),
        None => habit::variable(path),
    }
}

/// The input of a filter, given the range of the filter's name.
fn filtered<'s>(source: &'s str, range: &Option<Range<usize>>) -> Option<&'s str> {
    let before = source.get(..range.as_ref()?.start)?.trim_end().strip_suffix('|')?.trim_end();
    let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '[' | ']' | '"' | '\'');
    let start = before.rfind(|c| !is_path(c)).map_or(0, |at| at + 1);
    Some(&before[start..]).filter(|path| !path.is_empty())
}

fn explain_syntax(detail: &str, range: Option<Range<usize>>, source: &str) -> Error {
    let at = range.unwrap_or(0..1);
    match advice(source, detail, &at) {
        Some(Advice { message, help, range }) => {
            with_range(Error::new(Kind::TemplateSyntax, message).with_help(help), Some(range))
        }
        None => with_range(Error::new(Kind::TemplateSyntax, detail), Some(at)),
    }
}

/// The error for a template that exceeds its budget.
pub(super) fn exhausted(exceeded: Exceeded, limits: &Limits) -> Error {
    match exceeded {
        Exceeded::Bytes => {
            let most = limits.output_bytes;
            Error::new(Kind::OutputBytes, format!("the template output exceeds {most} bytes"))
        }
        exceeded => too_long(exceeded),
    }
}

/// The error for a template that exceeds the budget of parsing.
pub(super) fn too_large(exceeded: Exceeded) -> Error {
    Error::new(Kind::TemplateFuel, format!("reading the template {exceeded}"))
        .with_help("make the template smaller, or loop over data instead of repeating parts")
}

fn too_long(exceeded: Exceeded) -> Error {
    Error::new(Kind::TemplateFuel, format!("the template {exceeded}"))
        .with_help("look for nested loops over long lists")
}

/// Where a bracket is missing in a template: at the end of what precedes the bracket that does not
/// match, or at the end of the template. The branches of a condition count one after the other.
pub(super) fn missing_bracket(source: &str) -> Option<Range<usize>> {
    let (mut open, mut in_string, mut is_escaped) = (Vec::new(), false, false);
    let mut tags = tags(source).peekable();
    let before = |at: usize| {
        let end = source[..at].trim_end().len();
        source[..end].char_indices().next_back().map(|(start, _)| start..end)
    };
    for (at, c) in source.char_indices() {
        while tags.next_if(|tag| tag.range.end <= at).is_some() {}
        if tags.peek().is_some_and(|tag| tag.range.contains(&at)) {
            continue;
        }
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = in_string,
            '"' => in_string = !in_string,
            _ if in_string => {}
            '{' => open.push('}'),
            '[' => open.push(']'),
            '}' | ']' if open.pop() != Some(c) => return before(at),
            _ => {}
        }
    }
    open.pop().and_then(|_| before(source.len()))
}

/// Adds a range of the template to an error, for [`range_of`]. The widget converts it to a position in its
/// file.
pub(super) fn with_range(error: Error, range: Option<Range<usize>>) -> Error {
    match range {
        Some(range) => error.with_cause(At(range)),
        None => error,
    }
}

/// The range of the template that an error is about.
pub fn range_of(error: &Error) -> Option<Range<usize>> {
    std::error::Error::source(error)?.downcast_ref::<At>().map(|at| at.0.clone())
}

#[derive(Debug)]
struct At(Range<usize>);

impl std::fmt::Display for At {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "bytes {} to {} of the template", self.0.start, self.0.end)
    }
}

impl std::error::Error for At {}
