//! Filters, functions and methods of Jinja2 on Python that minijinja lacks, or implements differently.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use minijinja::value::{Kwargs, Object, Rest, StringInput, Tuple, ValueKind};
use minijinja::{Environment, Error, ErrorKind, State, Value};

use super::meter::{bounded, grow, spend_value};
use super::print::print;

/// Adds filters, tests and functions to an environment.
pub(super) fn register(env: &mut Environment<'static>) {
    env.add_filter("int", int);
    env.add_filter("float", |value: &Value, default: Option<Value>| {
        number(value).map_or_else(|| default.unwrap_or_else(|| Value::from(0.0)), Value::from)
    });
    env.add_filter("round", round);
    // What an inline `if` without `else` leaves out is empty.
    for name in ["length", "count"] {
        env.add_filter(name, |state: &State, value: Value| match value.is_undefined() {
            true => text_of(state, &value).map(|_| 0),
            false => minijinja::filters::length(&value),
        });
    }
    env.add_filter("truncate", truncate);
    env.add_filter("center", |value: String, width: Option<usize>| {
        let (before, after) = center_gaps(&value, width.unwrap_or(80));
        pad(&value, before, after, ' ')
    });
    env.add_filter("wordcount", |value: String| {
        let words = value.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.filter(|word| !word.is_empty()).count()
    });
    env.add_filter("wordwrap", wordwrap);
    env.add_filter("indent", indent);
    env.add_filter("dictsort", dictsort);
    env.add_filter("striptags", |state: &State, value: &Value| {
        Ok::<_, Error>(minijinja_contrib::filters::striptags(text_of(state, value)?.into_owned()))
    });
    env.add_filter("filesizeformat", file_size);
    for name in ["escape", "e", "forceescape"] {
        env.add_filter(name, escape);
    }
    env.add_filter("sort", sort);
    env.add_filter("unique", |state: &State, value: Value, args: Rest<Value>, named: Kwargs| {
        minijinja::filters::unique(state, value, compared_by(args, named)?)
    });
    env.add_filter("min", |state: &State, value: Value, args: Rest<Value>, named: Kwargs| {
        minijinja::filters::min(state, value, compared_by(args, named)?)
    });
    env.add_filter("max", |state: &State, value: Value, args: Rest<Value>, named: Kwargs| {
        minijinja::filters::max(state, value, compared_by(args, named)?)
    });
    env.add_test("iterable", |value: &Value| value.try_iter().is_ok() && !value.is_none());
    // In Python, a text and a map have a length and items too.
    env.add_test("sequence", |value: &Value| {
        matches!(value.kind(), ValueKind::String | ValueKind::Seq | ValueKind::Map)
    });
    env.add_test("lower", |value: &Value| Ok::<_, Error>(cases(value)? == (true, false)));
    env.add_test("upper", |value: &Value| Ok::<_, Error>(cases(value)? == (false, true)));
    env.add_filter("pluralize", minijinja_contrib::filters::pluralize);
    env.add_function("joiner", minijinja_contrib::globals::joiner);
    env.add_function("cycler", |items: Rest<Value>| match items.is_empty() {
        true => Err(Error::new(ErrorKind::MissingArgument, "a cycler needs a value")),
        false => Ok(Value::from_object(Cycler { items: items.to_vec(), at: AtomicUsize::new(0) })),
    });
}

/// `of[start:stop:step]`. minijinja's own panics for an empty list and a negative step.
pub(super) fn slice(
    of: &Value,
    start: Option<i64>,
    stop: Option<i64>,
    step: Option<i64>,
) -> Result<Value, Error> {
    let step = step.unwrap_or(1);
    let fail = |message: String| Error::new(ErrorKind::InvalidOperation, message);
    if step == 0 {
        return Err(fail("a step cannot be 0".into()));
    }
    let places = |length: usize| {
        let length = i64::try_from(length).unwrap_or(i64::MAX);
        let (first, last) = if step > 0 { (0, length) } else { (-1, length - 1) };
        let bound = |bound: Option<i64>, default: i64| match bound {
            Some(at) if at < 0 => at.saturating_add(length).clamp(first, last),
            Some(at) => at.clamp(first, last),
            None => default,
        };
        let start = bound(start, if step > 0 { first } else { last });
        let stop = bound(stop, if step > 0 { last } else { first });
        std::iter::successors(Some(start), move |at| at.checked_add(step))
            .take_while(move |at| if step > 0 { *at < stop } else { *at > stop })
            .filter_map(|at| usize::try_from(at).ok())
    };
    if let Some(text) = of.as_str() {
        grow(text.len())?;
        let chars: Vec<char> = text.chars().collect();
        return Ok(Value::from(places(chars.len()).map(|at| chars[at]).collect::<String>()));
    }
    match of.kind() {
        ValueKind::Undefined | ValueKind::None => Ok(Value::from(Vec::<Value>::new())),
        ValueKind::Seq | ValueKind::Iterable => {
            let items: Vec<Value> = bounded(of.clone())?.try_iter()?.collect();
            grow(items.len().saturating_mul(16))?;
            let kept = places(items.len()).map(|at| items[at].clone());
            Ok(match of.is_tuple() {
                true => Value::from(Tuple::from(kept.collect::<Vec<_>>())),
                false => kept.collect(),
            })
        }
        kind => Err(fail(format!("a {kind} cannot be sliced"))),
    }
}

/// Methods of strings, lists, maps and numbers; `None` for any other method.
pub(super) fn method(value: &Value, name: &str, args: &[Value]) -> Option<Result<Value, Error>> {
    match value.as_str() {
        Some(text) => text_method(text, name, args),
        None => other_method(value, name, args),
    }
}

fn text_method(text: &str, name: &str, args: &[Value]) -> Option<Result<Value, Error>> {
    let of = |text: String| spend_value(Value::from(text));
    let none_found =
        || Err(Error::new(ErrorKind::InvalidOperation, "the string does not contain it"));
    let place = |at: Option<usize>| at.map(|at| text[..at].chars().count());
    let first = args.first();
    let needle = first.and_then(Value::as_str);
    Some(match (name, args) {
        ("swapcase", []) => of(text.chars().flat_map(swapped).collect()),
        ("casefold", []) => of(text.to_lowercase().replace('ß', "ss")),
        ("title", []) => of(title(text)),
        ("isdecimal", []) => {
            Ok(Value::from(!text.is_empty() && text.chars().all(|c| c.is_ascii_digit())))
        }
        ("istitle", []) => Ok(Value::from(
            text.chars().any(|c| c.is_uppercase() || c.is_lowercase()) && text == title(text),
        )),
        ("removeprefix", [_]) => of(text.strip_prefix(needle?).unwrap_or(text).into()),
        ("removesuffix", [_]) => of(text.strip_suffix(needle?).unwrap_or(text).into()),
        ("partition" | "rpartition", [_]) if needle != Some("") => {
            let sep = needle?;
            let found =
                if name == "partition" { text.split_once(sep) } else { text.rsplit_once(sep) };
            let parts = match found {
                Some((before, after)) => [before, sep, after],
                None if name == "partition" => [text, "", ""],
                None => ["", "", text],
            };
            grow(text.len()).map(|()| Value::from(Tuple::from(parts.map(Value::from))))
        }
        ("rsplit", _) => rsplit(text, args),
        ("index", [_]) => place(text.find(needle?)).map_or_else(none_found, |at| Ok(at.into())),
        ("rindex", [_]) => place(text.rfind(needle?)).map_or_else(none_found, |at| Ok(at.into())),
        ("zfill" | "rjust" | "ljust" | "center", [width, ..]) => {
            let width = usize::try_from(width.clone()).unwrap_or(0);
            let gap = width.saturating_sub(text.chars().count());
            let (before, after) = center_gaps(text, width);
            let fill = args.get(1).and_then(|fill| fill.as_str()?.chars().next()).unwrap_or(' ');
            match name {
                "zfill" => {
                    let signed = text.len() - text.trim_start_matches(['+', '-']).len();
                    let (sign, digits) = text.split_at(signed.min(1));
                    pad(digits, gap, 0, '0').map(|padded| Value::from(format!("{sign}{padded}")))
                }
                "rjust" => pad(text, gap, 0, fill),
                "ljust" => pad(text, 0, gap, fill),
                _ => pad(text, before, after, fill),
            }
        }
        _ => return None,
    })
}

fn other_method(value: &Value, name: &str, args: &[Value]) -> Option<Result<Value, Error>> {
    Some(match (value.kind(), name, args) {
        (ValueKind::Seq, "index", [wanted]) => {
            let found = value.try_iter().ok()?.position(|item| item == *wanted);
            let missing =
                || Error::new(ErrorKind::InvalidOperation, "the list does not contain it");
            found.map(Value::from).ok_or_else(missing)
        }
        (ValueKind::Seq | ValueKind::Map, "copy", []) => spend_value(value.clone()),
        (ValueKind::Number, "is_integer", []) => {
            Ok(Value::from(f64::try_from(value.clone()).is_ok_and(|number| number.fract() == 0.0)))
        }
        _ => return None,
    })
}

fn swapped(c: char) -> Box<dyn Iterator<Item = char>> {
    if c.is_uppercase() { Box::new(c.to_lowercase()) } else { Box::new(c.to_uppercase()) }
}

/// Like Python's method: a letter after any other character starts a word.
fn title(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_word = false;
    for c in text.chars() {
        if in_word {
            out.extend(c.to_lowercase());
        } else {
            // Of a letter with two capitals, such as `ß`, only the first is capitalized here.
            let mut upper = c.to_uppercase();
            out.extend(upper.next());
            out.extend(upper.flat_map(char::to_lowercase));
        }
        in_word = c.is_alphabetic();
    }
    out
}

fn rsplit(text: &str, args: &[Value]) -> Result<Value, Error> {
    let sep = args.first().and_then(Value::as_str);
    let most = args.get(1).and_then(|most| usize::try_from(most.clone()).ok());
    let count = most.map_or(usize::MAX, |most| most.saturating_add(1));
    let mut parts: Vec<&str> = Vec::new();
    match sep {
        Some("") => return Err(Error::new(ErrorKind::InvalidOperation, "the separator is empty")),
        Some(sep) => parts.extend(text.rsplitn(count, sep)),
        None => {
            let mut rest = text.trim_end();
            while !rest.is_empty() {
                let cut = match rest.rfind(char::is_whitespace) {
                    Some(cut) if parts.len() + 1 < count => cut,
                    _ => {
                        parts.push(rest);
                        break;
                    }
                };
                parts.push(rest[cut..].trim_start());
                rest = rest[..cut].trim_end();
            }
        }
    }
    spend_value(parts.into_iter().rev().map(Value::from).collect())
}

/// The padding of `center`: as in Python, the odd space comes first if the width is odd.
fn center_gaps(text: &str, width: usize) -> (usize, usize) {
    let gap = width.saturating_sub(text.chars().count());
    let before = gap / 2 + (gap & width & 1);
    (before, gap - before)
}

fn pad(text: &str, before: usize, after: usize, fill: char) -> Result<Value, Error> {
    grow(
        text.len().saturating_add((before.saturating_add(after)).saturating_mul(fill.len_utf8())),
    )?;
    let run = |length: usize| std::iter::repeat_n(fill, length);
    Ok(Value::from(run(before).chain(text.chars()).chain(run(after)).collect::<String>()))
}

/// The arguments of a filter, by position or by name.
struct Args {
    given: Rest<Value>,
    named: Kwargs,
}

impl Args {
    /// The argument at this position, or of this name.
    fn get(&self, index: usize, name: &str) -> Result<Option<Value>, Error> {
        match self.given.get(index) {
            Some(value) => Ok(Some(value.clone())),
            None => self.named.get(name),
        }
    }

    fn size(&self, index: usize, name: &str, default: usize) -> Result<usize, Error> {
        self.get(index, name)?.map_or(Ok(default), usize::try_from)
    }

    fn flag(&self, index: usize, name: &str, default: bool) -> Result<bool, Error> {
        Ok(self.get(index, name)?.map_or(default, |value| value.is_true()))
    }

    fn text(&self, index: usize, name: &str, default: &str) -> Result<String, Error> {
        Ok(self.get(index, name)?.map_or_else(|| default.to_owned(), |value| value.to_string()))
    }

    /// Fails for names that no one has asked for.
    fn end(self) -> Result<(), Error> {
        self.named.assert_all_used()
    }
}

/// Whether the text of a value has letters in lower case, and in upper case. Python writes `True` and `None`.
fn cases(value: &Value) -> Result<(bool, bool), Error> {
    if matches!(value.kind(), ValueKind::Bool | ValueKind::None) {
        return Ok((true, true));
    }
    let text = print(value)?;
    Ok((text.chars().any(char::is_lowercase), text.chars().any(char::is_uppercase)))
}

/// The text of a value; an undefined one is an error.
fn text_of<'v>(state: &State, value: &'v Value) -> Result<Cow<'v, str>, Error> {
    StringInput::new(state, value)?;
    print(value)
}

fn truncate(
    state: &State,
    value: &Value,
    args: Rest<Value>,
    named: Kwargs,
) -> Result<Value, Error> {
    let args = Args { given: args, named };
    let length = args.size(0, "length", 255)?;
    let kill = args.flag(1, "killwords", false)?;
    let end = args.text(2, "end", "...")?;
    let leeway = args.size(3, "leeway", 5)?;
    args.end()?;
    let most = length.saturating_add(leeway);
    // A list has a length too.
    if value.as_str().is_none() && value.len().is_some_and(|items| items <= most) {
        return Ok(value.clone());
    }
    let text = text_of(state, value)?;
    if text.chars().count() <= most {
        return Ok(Value::from(text.into_owned()));
    }
    let kept: String = text.chars().take(length.saturating_sub(end.chars().count())).collect();
    let kept = match kept.rfind(' ') {
        Some(space) if !kill => &kept[..space],
        _ => &kept,
    };
    Ok(Value::from(format!("{kept}{end}")))
}

/// Returns its values in turn; minijinja's has neither `current` nor `reset`.
#[derive(Debug)]
struct Cycler {
    items: Vec<Value>,
    at: AtomicUsize,
}

impl Object for Cycler {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let at = self.at.load(Ordering::Relaxed);
        (key.as_str() == Some("current")).then(|| self.items[at].clone())
    }

    fn call_method(
        self: &Arc<Self>,
        _: &mut State<'_, '_>,
        method: &str,
        _: &[Value],
    ) -> Result<Value, Error> {
        let at = self.at.load(Ordering::Relaxed);
        match method {
            "next" => {
                self.at.store((at + 1) % self.items.len(), Ordering::Relaxed);
                Ok(self.items[at].clone())
            }
            "reset" => {
                self.at.store(0, Ordering::Relaxed);
                Ok(Value::from(()))
            }
            _ => Err(ErrorKind::UnknownMethod.into()),
        }
    }
}

fn indent(state: &State, value: &Value, args: Rest<Value>, named: Kwargs) -> Result<Value, Error> {
    let value = text_of(state, value)?;
    let args = Args { given: args, named };
    let by = match args.get(0, "width")? {
        Some(by) if by.as_str().is_some() => by.to_string(),
        Some(width) => {
            let width = usize::try_from(width)?;
            grow(width)?;
            " ".repeat(width)
        }
        None => " ".repeat(4),
    };
    let first = args.flag(1, "first", false)?;
    let blank = args.flag(2, "blank", false)?;
    args.end()?;
    grow(value.len().saturating_add(value.lines().count().saturating_mul(by.len())))?;
    let mut out = String::new();
    for (index, line) in value.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let is_first = index == 0;
        if if is_first { first } else { blank || !line.is_empty() } {
            out.push_str(&by);
        }
        out.push_str(line);
    }
    Ok(Value::from(out))
}

/// The pairs of a map, sorted by key or by value.
fn dictsort(value: &Value, args: Rest<Value>, named: Kwargs) -> Result<Value, Error> {
    let args = Args { given: args, named };
    let by = args.text(1, "by", "key")?;
    let options = Kwargs::from_iter([
        ("case_sensitive", Value::from(args.flag(0, "case_sensitive", false)?)),
        ("by", Value::from(by)),
        ("reverse", Value::from(args.flag(2, "reverse", false)?)),
    ]);
    args.end()?;
    minijinja::filters::dictsort(value, options)
}

/// How `unique`, `min` and `max` compare, which may be given by position.
fn compared_by(args: Rest<Value>, named: Kwargs) -> Result<Kwargs, Error> {
    let args = Args { given: args, named };
    let is_case_sensitive = args.flag(0, "case_sensitive", false)?;
    let mut options = vec![("case_sensitive", Value::from(is_case_sensitive))];
    options.extend(args.get(1, "attribute")?.map(|attribute| ("attribute", attribute)));
    args.end()?;
    Ok(options.into_iter().collect())
}

/// A sorted list; the arguments of Jinja2 may be positional.
fn sort(state: &State, value: Value, args: Rest<Value>, named: Kwargs) -> Result<Value, Error> {
    let args = Args { given: args, named };
    let mut options = vec![
        ("reverse", Value::from(args.flag(0, "reverse", false)?)),
        ("case_sensitive", Value::from(args.flag(1, "case_sensitive", false)?)),
    ];
    options.extend(args.get(2, "attribute")?.map(|attribute| ("attribute", attribute)));
    args.end()?;
    minijinja::filters::sort(state, value, options.into_iter().collect())
}

/// Escapes HTML like MarkupSafe. Safe values stay unchanged.
fn escape(state: &State, value: &Value) -> Result<Value, Error> {
    if value.is_safe() {
        return Ok(value.clone());
    }
    let text = text_of(state, value)?;
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&#34;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    grow(out.len())?;
    Ok(Value::from_safe_string(out))
}

fn file_size(value: &Value, binary: Option<bool>) -> Result<String, Error> {
    let size = match number(value) {
        Some(size) => size,
        None => return Err(Error::new(ErrorKind::InvalidOperation, "a size is a number")),
    };
    let (base, units) = match binary {
        Some(true) => (1024.0, ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"]),
        _ => (1000.0, ["kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"]),
    };
    if size < base {
        let unit = if size == 1.0 { "Byte" } else { "Bytes" };
        // Not a negative zero.
        return Ok(format!("{:.0} {unit}", size.trunc() + 0.0));
    }
    let mut scaled = size / base;
    for unit in &units[..units.len() - 1] {
        if scaled < base {
            return Ok(format!("{scaled:.1} {unit}"));
        }
        scaled /= base;
    }
    Ok(format!("{scaled:.1} {}", units[units.len() - 1]))
}

/// Breaks each line of a text at spaces, and breaks words longer than the width.
fn wordwrap(
    state: &State,
    value: &Value,
    args: Rest<Value>,
    named: Kwargs,
) -> Result<Value, Error> {
    let value = text_of(state, value)?;
    let args = Args { given: args, named };
    let width = args.size(0, "width", 79)?.max(1);
    let break_words = args.flag(1, "break_long_words", true)?;
    let glue = args.text(2, "wrapstring", "\n")?;
    let break_hyphens = args.flag(3, "break_on_hyphens", true)?;
    args.end()?;
    grow(value.len().saturating_add(value.chars().count().saturating_mul(glue.len())))?;
    let lines: Vec<String> = value
        .lines()
        .map(|line| wrapped(line, width, break_words, break_hyphens).join(&glue))
        .collect();
    Ok(Value::from(lines.join(&glue)))
}

/// Wraps one line. Spaces are kept, except at a break.
fn wrapped(line: &str, width: usize, break_words: bool, break_hyphens: bool) -> Vec<String> {
    let length = |text: &str| text.chars().count();
    let mut lines = Vec::new();
    let mut current = String::new();
    let mut chunks: std::collections::VecDeque<String> = chunks(line, break_hyphens).into();
    while let Some(chunk) = chunks.pop_front() {
        if current.is_empty() && !lines.is_empty() && chunk.trim().is_empty() {
            continue;
        }
        let room = width.saturating_sub(length(&current));
        if length(&chunk) <= room {
            current.push_str(&chunk);
            continue;
        }
        if length(&chunk) > width {
            let taken = if break_words {
                room.max(usize::from(current.is_empty()))
            } else if current.trim().is_empty() {
                current.clear();
                length(&chunk)
            } else {
                0
            };
            let cut = chunk.char_indices().nth(taken).map_or(chunk.len(), |(at, _)| at);
            current.push_str(&chunk[..cut]);
            if cut < chunk.len() {
                chunks.push_front(chunk[cut..].to_owned());
            }
            if cut == 0 && break_words {
                // Python keeps the space before a long word that does not fit.
                lines.push(std::mem::take(&mut current));
                continue;
            }
        } else {
            chunks.push_front(chunk);
        }
        lines.push(std::mem::take(&mut current).trim_end().to_owned());
    }
    if !current.trim_end().is_empty() {
        lines.push(current.trim_end().to_owned());
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// Words and the spaces between them; words with hyphens may be split after each.
fn chunks(line: &str, break_hyphens: bool) -> Vec<String> {
    let mut chunks: Vec<String> = Vec::new();
    let mut was_space = None;
    let mut chars = line.chars().peekable();
    let mut before = None;
    while let Some(c) = chars.next() {
        let is_space = c.is_whitespace();
        match chunks.last_mut() {
            Some(chunk) if was_space == Some(is_space) => chunk.push(c),
            _ => chunks.push(c.to_string()),
        }
        was_space = Some(is_space);
        let ends_part = break_hyphens
            && c == '-'
            && before.is_some_and(char::is_alphanumeric)
            && chars.peek().is_some_and(|next| next.is_alphabetic());
        if ends_part {
            was_space = None;
        }
        before = Some(c);
    }
    chunks
}

fn number(value: &Value) -> Option<f64> {
    match value.as_str() {
        Some(text) => text.trim().parse().ok(),
        None => f64::try_from(value.clone()).ok(),
    }
    .filter(|number: &f64| number.is_finite())
}

fn int(value: &Value, args: Rest<Value>, named: Kwargs) -> Result<Value, Error> {
    let args = Args { given: args, named };
    let default = args.get(0, "default")?.unwrap_or_else(|| Value::from(0));
    let base = args.size(1, "base", 10)?;
    args.end()?;
    if value.is_integer() {
        return Ok(value.clone());
    }
    let digits = value.as_str().and_then(|text| integer(text, u32::try_from(base).ok()?));
    let whole = || number(value).map(|number| number.trunc() as i128);
    Ok(digits.or_else(whole).map_or(default, Value::from))
}

/// Parses a text like Python's `int`: with a sign, a prefix for the base, and `_` between digits.
fn integer(text: &str, base: u32) -> Option<i128> {
    let text = text.trim();
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let prefix = match base {
        2 => "0b",
        8 => "0o",
        16 => "0x",
        _ => "",
    };
    let has_prefix = digits.get(..2).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
    let digits = if has_prefix { &digits[2..] } else { digits };
    if !(2..=36).contains(&base) || !digits.starts_with(|c: char| c.is_digit(base)) {
        return None;
    }
    let whole = i128::from_str_radix(&digits.replace('_', ""), base).ok()?;
    Some(if is_negative { -whole } else { whole })
}

/// Rounds to even, as Python does: `2.5` is 2.
fn round(value: &Value, args: Rest<Value>, named: Kwargs) -> Result<Value, Error> {
    let args = Args { given: args, named };
    let precision: i32 = args.get(0, "precision")?.map_or(Ok(0), i32::try_from)?;
    let how = args.text(1, "method", "common")?;
    args.end()?;
    let number = match value.as_str() {
        None => f64::try_from(value.clone())?,
        Some(_) => {
            let message = "only a number can be rounded; write `… | float | round`";
            return Err(Error::new(ErrorKind::InvalidOperation, message));
        }
    };
    if value.is_integer() && precision >= 0 && how == "common" {
        return Ok(value.clone());
    }
    let scale = 10f64.powi(precision);
    let rounded = match how.as_str() {
        "ceil" => (number * scale).ceil() / scale,
        "floor" => (number * scale).floor() / scale,
        "common" => match usize::try_from(precision) {
            // Beyond this, all digits of a float are printed.
            Ok(digits) => format!("{number:.*}", digits.min(330)).parse().unwrap_or(number),
            Err(_) => (number * scale).round_ties_even() / scale,
        },
        _ => {
            let message = "the method is `common`, `ceil` or `floor`";
            return Err(Error::new(ErrorKind::InvalidOperation, message));
        }
    };
    Ok(Value::from(rounded))
}
