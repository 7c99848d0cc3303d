//! Explains JSON syntax errors to authors; and finds duplicate keys.

use std::collections::HashMap;
use std::ops::Range;

use widgetcast_engine::error::{Error, Kind};
use widgetcast_engine::json::locate;

/// The error for a text that serde_json refuses.
pub(super) fn not_json(text: &str, error: &serde_json::Error) -> Error {
    let fault = match read(text).map(|twice| twice.into_iter().next()) {
        Err(fault) => fault,
        Ok(Some(twice)) => return twice,
        // Only the parser knows the details: an invalid escape or number.
        Ok(None) => {
            let at = locate::json_fault(text, error);
            let words = error.to_string();
            Fault::new(at..at + 1, words.split(" at line ").next().unwrap_or_default(), "")
        }
    };
    Error::new(Kind::FileSyntax, format!("this is not JSON: {}", fault.message))
        .with_help(fault.help)
        .with_place(locate::place(text, &fault.range))
}

/// Keys that are in one object twice, of a text that is JSON.
pub(super) fn twice(text: &str) -> Vec<Error> {
    read(text).unwrap_or_default()
}

/// The most keys given twice that are listed: each takes time to place.
const MAX_TWICE: usize = 20;

/// A fault, what to do about it, and where it is.
#[derive(Debug)]
struct Fault {
    range: Range<usize>,
    message: String,
    help: String,
}

impl Fault {
    fn new(range: Range<usize>, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { range, message: message.into(), help: help.into() }
    }
}

/// Reads a text as JSON: its first fault, or the keys that it gives twice.
fn read(text: &str) -> Result<Vec<Error>, Fault> {
    let mut reader = Reader { text, at: 0, open: Vec::new(), twice: Vec::new() };
    reader.value()?;
    while !reader.open.is_empty() {
        reader.member()?;
    }
    match reader.next()? {
        None => Ok(reader.twice),
        Some(_) => {
            let at = reader.at;
            Err(Fault::new(
                at..at + 1,
                "there is extra content after its end",
                "look for an extra `}` or `]`",
            ))
        }
    }
}

/// An object or a list that is not closed yet.
struct Open<'t> {
    at: usize,
    close: char,
    /// The keys of an object so far, and where they stand.
    keys: HashMap<&'t str, usize>,
    /// The comma after the last member; none if there is no member yet, or no comma after it.
    comma: Option<usize>,
    is_empty: bool,
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    open: Vec<Open<'t>>,
    twice: Vec<Error>,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn line_of(&self, at: usize) -> usize {
        self.text[..at].matches('\n').count() + 1
    }

    /// The next character that is not white space.
    fn next(&mut self) -> Result<Option<char>, Fault> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
        let rest = self.rest();
        if rest.starts_with("//") || rest.starts_with("/*") || rest.starts_with('#') {
            let end = rest.find('\n').unwrap_or(rest.len());
            return Err(Fault::new(
                self.at..self.at + end,
                "JSON has no comments",
                "remove it, or write the file as YAML, where a comment starts with `#`",
            ));
        }
        Ok(rest.chars().next())
    }

    /// One member of the innermost object or list, with the comma after it; or its end.
    fn member(&mut self) -> Result<(), Fault> {
        let Some(c) = self.next()? else { return Err(self.cut_off()) };
        let at = self.at;
        let Some(open) = self.open.last() else { return Ok(()) };
        let (close, comma, is_empty, start) = (open.close, open.comma, open.is_empty, open.at);
        match (c, comma) {
            (_, Some(comma)) if c == close => {
                let message = format!("there is a trailing comma before `{close}`");
                return Err(Fault::new(comma..comma + 1, message, "remove it"));
            }
            (_, _) if c == close => {
                self.at += 1;
                self.open.pop();
                return Ok(());
            }
            ('}' | ']', _) => {
                let line = self.line_of(start);
                let message = format!("expected `{close}`, found `{c}`");
                let open = &self.text[start..start + 1];
                let help = format!("the `{open}` on line {line} is not closed");
                return Err(Fault::new(at..at + 1, message, help));
            }
            (',', _) if comma.is_some() || is_empty => {
                return Err(Fault::new(at..at + 1, "there is an extra comma", "remove it"));
            }
            (',', _) => {
                self.at += 1;
                self.set_comma(Some(at));
                return Ok(());
            }
            (_, None) if !is_empty => {
                let end = self.text[..at].trim_end().len();
                return Err(Fault::new(
                    end.saturating_sub(1)..end,
                    "a comma is missing after this",
                    "separate members with a comma",
                ));
            }
            _ => {}
        }
        self.set_comma(None);
        if let Some(open) = self.open.last_mut() {
            open.is_empty = false;
        }
        if close == '}' { self.key_and_value(c) } else { self.value() }
    }

    fn set_comma(&mut self, comma: Option<usize>) {
        if let Some(open) = self.open.last_mut() {
            open.comma = comma;
        }
    }

    fn key_and_value(&mut self, c: char) -> Result<(), Fault> {
        let at = self.at;
        match c {
            '"' | '\'' => self.string(c)?,
            _ => {
                let length = word(self.rest()).len();
                if length == 0 {
                    return Err(Fault::new(at..at + 1, "expected a key in double quotes", ""));
                }
                let name = &self.text[at..at + length];
                let message = "keys need double quotes";
                return Err(Fault::new(at..at + length, message, format!("write \"{name}\"")));
            }
        }
        let key = &self.text[at..self.at];
        self.note_key(key, at);
        if self.next()? != Some(':') {
            return Err(match self.rest() {
                "" => self.cut_off(),
                _ => {
                    let message = "a colon is missing after this key";
                    Fault::new(at..at + key.len(), message, format!("write {key}: …"))
                }
            });
        }
        self.at += 1;
        self.value()
    }

    fn note_key(&mut self, key: &'t str, at: usize) {
        let Some(first) = self.open.last_mut().and_then(|open| open.keys.insert(key, at)) else {
            return;
        };
        if self.twice.len() == MAX_TWICE {
            return;
        }
        let help = format!("remove one of them; the first is on line {}", self.line_of(first));
        let error = Error::new(Kind::FileSyntax, format!("duplicate key {key}"))
            .with_help(help)
            .with_place(locate::place(self.text, &(at..at + key.len())));
        self.twice.push(error);
    }

    /// A value, or the beginning of one that has members.
    fn value(&mut self) -> Result<(), Fault> {
        let Some(c) = self.next()? else { return Err(self.cut_off()) };
        let at = self.at;
        match c {
            '{' | '[' => {
                let close = if c == '{' { '}' } else { ']' };
                let keys = HashMap::new();
                self.open.push(Open { at, close, keys, comma: None, is_empty: true });
                self.at += 1;
                Ok(())
            }
            '"' | '\'' => self.string(c),
            '}' | ']' | ',' | ':' => {
                Err(Fault::new(at..at + 1, format!("expected a value, found `{c}`"), ""))
            }
            _ => self.bare_word(),
        }
    }

    fn bare_word(&mut self) -> Result<(), Fault> {
        let at = self.at;
        let word = word(self.rest());
        let length = word.len().max(self.rest().chars().next().map_or(1, char::len_utf8));
        let means = match word {
            "true" | "false" | "null" => "",
            _ if word.parse::<f64>().is_ok() && !word.starts_with(char::is_alphabetic) => "",
            "None" | "undefined" | "nil" | "NULL" | "NaN" | "Infinity" => "null",
            "True" | "TRUE" => "true",
            "False" | "FALSE" => "false",
            _ => "a string in double quotes",
        };
        self.at += length;
        if means.is_empty() {
            return Ok(());
        }
        let message = format!("`{}` is not a JSON value", &self.text[at..at + length]);
        let help = match means {
            "a string in double quotes" => "strings need double quotes".to_owned(),
            means => format!("write {means}"),
        };
        Err(Fault::new(at..at + length, message, help))
    }

    /// A text in quotes.
    fn string(&mut self, quote: char) -> Result<(), Fault> {
        let start = self.at;
        let mut letters = self.rest().char_indices().skip(1);
        while let Some((at, c)) = letters.next() {
            match c {
                '\\' => drop(letters.next()),
                '\n' => {
                    return Err(Fault::new(
                        start..start + at,
                        "a line ends inside a string",
                        "write a line break as \\n, or add the missing quote at the end",
                    ));
                }
                c if c == quote => {
                    self.at = start + at + 1;
                    let whole = &self.text[start..self.at];
                    return match quote {
                        '"' => Ok(()),
                        _ => Err(Fault::new(
                            start..self.at,
                            "strings and keys need double quotes",
                            format!("write \"{}\"", whole[1..whole.len() - 1].replace('"', "\\\"")),
                        )),
                    };
                }
                _ => {}
            }
        }
        let message = "the file ends inside this string";
        Err(Fault::new(start..self.text.len(), message, "is the file truncated?"))
    }

    /// The fault of a text that ends before it is complete.
    fn cut_off(&self) -> Fault {
        match self.open.last() {
            Some(open) => {
                let sign = &self.text[open.at..open.at + 1];
                let line = self.line_of(open.at);
                let message =
                    format!("the file ends, but the `{sign}` on line {line} is not closed");
                let help = format!("add the missing `{}`; is the file truncated?", open.close);
                Fault::new(open.at..open.at + 1, message, help)
            }
            None => Fault::new(0..1, "the file ends before a value", ""),
        }
    }
}

/// The word or number that a text begins with.
fn word(text: &str) -> &str {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | '-' | '+');
    let length = text.find(|c| !is_part(c)).unwrap_or(text.len());
    &text[..length]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_fault_is_shown_where_it_is() {
        for (text, marked, message, help) in [
            ("{\"a\": [1, 2,]}", ",", "trailing comma before `]`", "remove it"),
            ("{\"a\": {\"b\": 1,}}", ",", "trailing comma before `}`", "remove it"),
            ("{\"a\": 1,, \"b\": 2}", ",", "an extra comma", "remove it"),
            ("{\"a\": 1\n\"b\": 2}", "1", "a comma is missing after this", "with a comma"),
            ("{\"a\": 1 // one\n}", "// one", "no comments", "YAML"),
            ("{/* one */\"a\": 1}", "/* one */\"a\": 1}", "no comments", "YAML"),
            ("{\"a\": 'x'}", "'x'", "double quotes", "write \"x\""),
            ("{'a': 1}", "'a'", "double quotes", "write \"a\""),
            ("{a: 1}", "a", "keys need double quotes", "write \"a\""),
            ("{\"a\": undefined}", "undefined", "`undefined` is not a JSON value", "write null"),
            ("{\"a\": NaN}", "NaN", "`NaN` is not a JSON value", "write null"),
            ("{\"a\": True}", "True", "`True` is not a JSON value", "write true"),
            ("{\"a\": Hello}", "Hello", "`Hello` is not a JSON value", "double quotes"),
            ("{\"a\": \"x\ny\"}", "\"x", "a line ends", "\\n"),
            ("{\"a\": \"x", "\"x", "ends inside", "truncated"),
            ("{\n\"a\": [1,", "[", "the `[` on line 2 is not closed", "`]`"),
            ("{\"a\": ", "{", "the `{` on line 1 is not closed", "`}`"),
            ("{\"a\"", "{", "the `{` on line 1 is not closed", "`}`"),
            ("{\"a\" 1}", "\"a\"", "a colon is missing", "write \"a\":"),
            ("{\"a\": [{]}", "]", "expected `}`, found `]`", "the `{` on line 1"),
            ("{\"a\": }", "}", "expected a value", ""),
            ("{} x", "x", "content after its end", "an extra"),
            (
                "{\"a\": 1, \"b\": {\"a\": 1},\n\"a\": 2}",
                "\"a\"",
                "duplicate key \"a\"",
                "on line 1",
            ),
            ("{\"a\": \"\\q\"}", "q", "invalid escape", ""),
            ("", "", "", ""),
        ] {
            let Err(error) = serde_json::from_str::<Strict>(text) else { panic!("{text}") };
            let error = not_json(text, &error);
            let excerpt = error.place().excerpt.clone().expect("a place");
            let shown: String =
                excerpt.text.chars().skip(excerpt.start).take(excerpt.len).collect();
            assert_eq!(shown, marked, "{text}: {error}");
            assert!(error.message().contains(message), "{text}: {error}");
            assert!(error.help().contains(help), "{text}: {error:#}");
        }
    }

    /// As the fields of a definition are read: a key may stand there once.
    #[derive(Debug, serde::Deserialize)]
    struct Strict {
        #[serde(rename = "a")]
        _a: Option<serde_json::Value>,
    }

    #[test]
    fn what_is_json_has_no_fault() {
        let good = r#"{"a": [1, -2.5e+3, true, null, "\"\\é", {}], "b": {"a": [[]]}, "c": ""}"#;
        assert!(serde_json::from_str::<serde_json::Value>(good).is_ok());
        assert!(read(good).is_ok_and(|twice| twice.is_empty()));
        let nested = "[".repeat(100_000);
        assert!(read(&nested).is_err());
    }
}
