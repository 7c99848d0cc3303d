//! Explains syntax errors of templates where the parser's message does not: a sign or a statement of
//! another language, or a block that is not closed.

use std::ops::Range;

use crate::habit;

/// A message, the help for it, and the place.
pub(super) struct Advice {
    pub message: String,
    pub help: String,
    pub range: Range<usize>,
}

/// A better message for the parser's error at this range, if there is one.
pub(super) fn advice(source: &str, detail: &str, at: &Range<usize>) -> Option<Advice> {
    let is_end = detail.starts_with("unexpected end of input");
    if (is_end || detail.starts_with("unknown statement"))
        && let Some(found) = open_block(source)
    {
        return Some(found);
    }
    if let Some(name) = detail.strip_prefix("unknown statement ") {
        let help = habit::statement(name);
        let message = format!("unknown statement `{name}`");
        return Some(Advice { message, help: help.into(), range: at.clone() });
    }
    let tag = tags(source).find(|tag| tag.range.start <= at.start && at.start <= tag.range.end)?;
    let code = source[tag.inside.clone()].trim_matches(['-', '+', ' ', '\n', '\t']);
    if !tag.is_statement && code.starts_with(['#', '/']) {
        let message = format!("`{{{{{}` is not Jinja", &code[..1]);
        let help = "write `{% for item in items %} … {% endfor %}` or `{% if … %} … {% endif %}`";
        return Some(Advice { message, help: help.into(), range: tag.range });
    }
    if let Some((range, sign, help)) = signs(source, &tag.inside).into_iter().next() {
        let message = format!("`{sign}` is not Jinja");
        return Some(Advice { message, help: help.into(), range });
    }
    if !tag.is_closed {
        let open = &source[tag.range.start..tag.range.start + 2];
        let close = if open == "{%" { "%}" } else { "}}" };
        let message = format!("`{open}` is not closed");
        let range = tag.range.start..tag.range.start + 2;
        return Some(Advice { message, help: format!("close it with `{close}`"), range });
    }
    let help = match detail {
        _ if source.get(..at.start).is_some_and(|before| before.ends_with('f'))
            && detail.starts_with("unexpected string") =>
        {
            "Jinja has no f-strings; concatenate with `~`, as in `\"Hello \" ~ name`"
        }
        detail if detail.starts_with("unexpected `=`") && code.starts_with("if") => {
            "compare with `==`"
        }
        detail if detail.ends_with("expected in") => "write `{% for item in items %}`",
        "unexpected `:`, expected end of block" => "remove the colon",
        _ if code.starts_with("else if") => "write `{% elif … %}`",
        detail if detail.contains("expected end of variable block") => {
            "concatenate strings with `~`, and write a filter as `… | name`"
        }
        _ => return None,
    };
    let message = detail.replace("expected in", "expected `in`");
    Some(Advice { message, help: help.into(), range: at.clone() })
}

/// Statements that open a block; `set` does so only without a value.
const BLOCKS: &[&str] = &["for", "if", "with", "filter", "set", "autoescape", "macro", "call"];

/// The first block that is not closed, or that the end of another block closes.
fn open_block(source: &str) -> Option<Advice> {
    let mut open: Vec<(&str, Range<usize>)> = Vec::new();
    for tag in tags(source).filter(|tag| tag.is_statement && tag.is_closed) {
        let code = source[tag.inside.clone()].trim_matches(['-', '+']).trim();
        let word =
            code.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        let begins = match word {
            "set" => !code.contains('='),
            word => BLOCKS.contains(&word),
        };
        if begins {
            open.push((word, tag.range));
            continue;
        }
        let known = |ended: &&str| BLOCKS.contains(ended);
        let Some(ended) = word.strip_prefix("end").filter(known) else { continue };
        match open.last() {
            Some((name, _)) if *name == ended => drop(open.pop()),
            Some((name, _)) if open.iter().any(|(other, _)| *other == ended) => {
                let message = format!("this `{name}` is not closed before `{{% {word} %}}`");
                let help = format!("add `{{% end{name} %}}`");
                let (_, range) = open.pop()?;
                return Some(Advice { message, help, range });
            }
            _ => {
                let message = format!("`{{% {word} %}}` has no matching `{ended}`");
                return Some(Advice { message, help: String::new(), range: tag.range });
            }
        }
    }
    let (name, range) = open.pop()?;
    let message = format!("this `{name}` has no `{{% end{name} %}}`");
    let help = format!("add `{{% end{name} %}}` where it ends");
    Some(Advice { message, help, range })
}

/// A `{{ … }}` or a `{% … %}`.
pub(super) struct Tag {
    pub range: Range<usize>,
    /// Without the braces.
    pub inside: Range<usize>,
    pub is_statement: bool,
    pub is_closed: bool,
}

/// The tags of a template, which may be invalid. Skips comments and raw blocks.
pub(super) fn tags(source: &str) -> impl Iterator<Item = Tag> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + source.get(at..)?.find('{')?;
            let rest = &source[start..];
            if rest.starts_with("{#") {
                at = start + rest.find("#}").map_or(rest.len(), |end| end + 2);
                continue;
            }
            let close = match rest.get(..2) {
                Some("{{") => "}}",
                Some("{%") => "%}",
                _ => {
                    at = start + 1;
                    continue;
                }
            };
            let inside = start + 2..start + 2 + end_of_code(&rest[2..], close);
            let is_closed = source[inside.end..].starts_with(close);
            at = inside.end + if is_closed { 2 } else { 0 };
            let word = source[inside.clone()].trim_matches(['-', '+', ' ']);
            if close == "%}" && word == "raw" {
                let ends = ["{% endraw", "{%- endraw", "{%-endraw", "{%endraw"];
                let end = ends.iter().filter_map(|end| source[at..].find(end)).min();
                at += end.unwrap_or(source.len() - at);
            }
            return Some(Tag { range: start..at, inside, is_statement: close == "%}", is_closed });
        }
    })
}

/// The end of code: at the closing braces outside strings, or else before the next tag.
fn end_of_code(code: &str, close: &str) -> usize {
    let mut quote = None;
    let mut depth = 0usize;
    let mut skip = false;
    for (at, c) in code.char_indices() {
        match (quote, c) {
            _ if skip => skip = false,
            (Some(_), '\\') => skip = true,
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            _ if depth == 0 && code[at..].starts_with(close) => return at,
            _ if code[at..].starts_with("{%") || code[at..].starts_with("{{") && depth == 0 => {
                return at;
            }
            (None, '{') => depth += 1,
            (None, '}') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    // An unclosed quote hides the end.
    code.find(close).unwrap_or(code.len())
}

/// An operator of another language: its range, itself, and its replacement.
type Sign = (Range<usize>, &'static str, &'static str);

/// The operators of other languages in a range of code, outside strings.
pub(super) fn signs(source: &str, inside: &Range<usize>) -> Vec<Sign> {
    let mut found: Vec<Sign> = Vec::new();
    let mut quote = None;
    let mut next = inside.start;
    for (at, c) in source[inside.clone()].char_indices() {
        let at = inside.start + at;
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if matches!(c, '"' | '\'') => quote = Some(c),
            None if at < next => {}
            None => {
                let code = &source[at..inside.end];
                if !code.starts_with("!=")
                    && let Some((sign, help)) = habit::sign(code)
                {
                    next = at + sign.len();
                    found.push((at..next, sign, help));
                }
            }
        }
    }
    found
}
