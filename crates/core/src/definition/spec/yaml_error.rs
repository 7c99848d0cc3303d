//! Explains YAML syntax errors to authors.

use std::ops::Range;

use widgetcast_engine::error::{Error, Kind};
use widgetcast_engine::json::locate;

/// Messages of the parser, and the help for them.
const HELP: &[(&str, &str)] = &[
    ("expected string scalar", "quote a string that starts with a brace, as in '{{ title }}'"),
    ("duplicate mapping key", "remove one of the two"),
    (
        "mapping values are not allowed",
        "quote a string that contains a colon and a space; otherwise check the indentation, and that every \
         key has a space after its colon",
    ),
    (
        "did not find expected key",
        "check the indentation: the keys of an object start in the same column, and the lines of a block \
         after `|` are indented more than its key",
    ),
    (
        "simple key expected",
        "write `key: value` with a space after the colon, or `- item`; the lines of a block after `|` are \
         indented more than its key",
    ),
    ("trailing content after single-quoted", "double a quote inside single quotes: 'it''s'"),
    (
        "trailing content after double-quoted",
        "escape a quote inside double quotes as \\\"; or use `|` and write the text below it",
    ),
    ("unclosed quote", "close it at the end of the string"),
    ("multiline quoted scalar", "the quote that was opened before this line is not closed"),
    ("unexpected character", "quote a string that starts with this character"),
    ("unknown anchor", "quote a string that starts with `*`"),
    ("block sequence entries", "start a list on the line after its key"),
    ("illegal placement of ':'", "a bracket or a brace before this is not closed"),
    ("did not find expected ','", "a bracket or a brace before this is not closed"),
    ("expected comment or line break", "start the text on the line after `|` or `>`"),
    ("unknown escape", "double a backslash inside double quotes; after `|` nothing is escaped"),
    ("multiple YAML documents", "remove the line `---` and what follows it"),
];

/// Parser messages about its own settings, and their replacements.
const REPLACED: &[(&str, &str)] = &[
    ("multiple YAML documents", "a second document starts here"),
    ("non-finite float", "JSON cannot represent this number"),
    ("recursive references", "an alias refers to its own parent"),
    ("expected string scalar", "a key must be a string"),
];

/// The error for a text that the parser rejects, with this message at this line and column.
pub(super) fn not_yaml(text: &str, words: &str, position: Option<(usize, usize)>) -> Error {
    let words = words.split(" at line ").next().unwrap_or_default();
    let words = words.strip_prefix("error: ").unwrap_or(words);
    let of = |table: &[(&str, &'static str)]| {
        table.iter().find(|(part, _)| words.contains(part)).map(|(_, text)| *text)
    };
    let mut at = position.map(|(line, column)| locate::offset(text, line, column));
    let mut help = of(HELP).unwrap_or_default();
    if words.split(' ').any(|word| matches!(word, "tab" | "tabs")) {
        at = at.map(|at| tab_after(text, at).unwrap_or(at));
        help = "indent with spaces; YAML does not allow tabs";
    }
    let mut range = at.map(|at| at..at + 1);
    let is_quoted = ["trailing content after", "quoted scalar"].iter().any(|p| words.contains(p));
    let open = at.filter(|_| is_quoted).and_then(|at| open_quote(text, at));
    if open.is_some() {
        range.clone_from(&open);
        help = "close it at the end of the string";
    }
    let placeholder = at.and_then(|at| placeholder_at(text, at));
    if placeholder.is_some() {
        range = placeholder.clone();
        help = "put the text with {{ }} in quotes, as in \"Hello {{ name }}\"";
    }
    let plain = at.filter(|_| placeholder.is_none()).and_then(|at| plain_text_at(text, at));
    let quote;
    if let Some((key, value)) = &plain {
        quote = format!("put the value of `{key}` in quotes");
        help = &quote;
        range = Some(value.clone());
    }
    let statement = at.and_then(|at| statement_at(text, at));
    if statement.is_some() {
        range.clone_from(&statement);
        help = "repeat an item with `for: item in items` next to its `type`, and make it conditional with \
                `when: name`";
    }
    let place = range.map(|range| locate::place(text, &range)).unwrap_or_default();
    let braces = placeholder.map(|_| "an unquoted string contains braces");
    let bracket = plain.map(|_| "a bracket ends an unquoted string");
    let said = statement
        .map(|_| "a loop or a condition cannot be placed between the items of a tree")
        .or(braces)
        .or(bracket)
        .or(open.map(|_| "this quote is not closed"))
        .or_else(|| of(REPLACED))
        .unwrap_or_else(|| words.split(", set ").next().unwrap_or(words));
    Error::new(Kind::FileSyntax, format!("this is neither valid JSON nor YAML: {said}"))
        .with_help(help)
        .with_place(place)
}

/// The unclosed quote of an earlier line: the string then ends at the next quote, and the parser reports what
/// follows that.
fn open_quote(text: &str, at: usize) -> Option<Range<usize>> {
    let line = text[..at].rfind('\n')?;
    // The closest preceding line with a quote.
    let mut end = line;
    loop {
        let start = text[..end].rfind('\n').map_or(0, |start| start + 1);
        let quotes = quotes(&text[start..end]);
        match quotes.last() {
            Some(last) if quotes.len() % 2 == 1 => {
                return Some(start + last..start + last + 1);
            }
            Some(_) => return None,
            None if start == 0 => return None,
            None => end = start - 1,
        }
    }
}

/// The positions of quotes of the kind that the line has first, without escaped ones and apostrophes.
fn quotes(line: &str) -> Vec<usize> {
    let begins =
        |at: usize| line[..at].trim_end().is_empty() || line[..at].ends_with([' ', '[', '{', ',']);
    let first = line.match_indices(['"', '\'']).find(|(at, _)| begins(*at));
    let Some((from, quote)) = first else { return Vec::new() };
    let found = line[from..].match_indices(quote).map(|(at, _)| from + at);
    found.filter(|at| !line[..*at].ends_with('\\')).collect()
}

/// The placeholder at an offset in an unquoted string, whose braces end that string.
fn placeholder_at(text: &str, at: usize) -> Option<Range<usize>> {
    let start = if text[..at].ends_with('{') { at - 1 } else { at };
    let line = text[..start].rsplit('\n').next().unwrap_or_default();
    let is_inside = line.trim_end().ends_with(|c: char| !matches!(c, ':' | ',' | '{' | '[' | '-'));
    if !text[start..].starts_with("{{") || !is_inside {
        return None;
    }
    let close = text[start..].find("}}").map_or(2, |close| close + 2);
    Some(start..start + close)
}

/// The key of an unquoted string in braces, and its range up to the bracket or brace at this offset, which
/// ends it.
fn plain_text_at(text: &str, at: usize) -> Option<(&str, Range<usize>)> {
    let sign = text[at..].chars().next().filter(|c| matches!(c, '[' | ']' | '{' | '}'))?;
    let start = text[..at].rfind(['{', ',', '\n'])? + 1;
    let (key, value) = text[start..at].split_once(": ")?;
    let value_at = at - value.trim_start().len();
    let is_plain = text[value_at..at].starts_with(|c: char| !matches!(c, '"' | '\'' | '['));
    is_plain.then(|| (key.trim(), value_at..at + sign.len_utf8()))
}

/// The statement that stands alone on the line at this offset, or on one next to it: the parser stops at
/// or after it.
fn statement_at(text: &str, at: usize) -> Option<Range<usize>> {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let before = text[..line.saturating_sub(1)].rfind('\n').map_or(0, |end| end + 1);
    [before, line].into_iter().find_map(|start| {
        let line = text[start..].lines().next().unwrap_or_default();
        let code = line.trim_start().trim_start_matches("- ").trim_start();
        let from = start + line.len() - code.len();
        code.starts_with("{%").then(|| from..from + code.trim_end().len())
    })
}

/// The first tab in the indentation of the line at this offset, or of one after it. The parser reports the
/// start of the previous value.
fn tab_after(text: &str, at: usize) -> Option<usize> {
    let mut start = text[..at].rfind('\n').map_or(0, |at| at + 1);
    for line in text[start..].split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        if let Some(tab) = line[..indent].find('\t') {
            return Some(start + tab);
        }
        start += line.len();
    }
    None
}
