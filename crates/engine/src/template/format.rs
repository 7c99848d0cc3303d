//! Python's formatting: the operator `%`, the filter `format`, and the method `format`.

use std::borrow::Cow;

use minijinja::formatting::{self, FormatStyle};
use minijinja::value::{Kwargs, StringInput, Tuple, ValueKind};
use minijinja::{Error as Fault, ErrorKind, State, Value};

use super::meter::{format_guard, grow, longest_text};
use super::print::print;

/// `pattern % operand`: a tuple has a value for each placeholder, a map one for each name.
pub(super) fn percent(state: &State, pattern: &str, operand: &Value) -> Result<Value, Fault> {
    let args: Vec<Value> = match operand.is_tuple() {
        true => operand.try_iter()?.collect(),
        false => vec![operand.clone()],
    };
    format_guard(pattern, &mut args.iter().map(longest_text))?;
    // Strings are formatted here, because minijinja pads by bytes; numbers are left to it.
    let (mut out, mut numbers, mut rest) = (String::new(), Vec::new(), pattern);
    let mut args = args.into_iter();
    while let Some(at) = rest.find('%') {
        let (before, field) = rest.split_at(at);
        out.push_str(before);
        let (name, spec) = match field[1..].strip_prefix('(').and_then(|name| name.split_once(')'))
        {
            Some((name, spec)) => (Some(name), spec),
            None => (None, &field[1..]),
        };
        let end = spec.find(|c: char| !"-+ #0123456789.".contains(c)).unwrap_or(spec.len());
        let (spec, after) = spec.split_at(end);
        let kind = after.chars().next();
        rest = &after[kind.map_or(0, char::len_utf8)..];
        if kind == Some('%') {
            out.push_str("%%");
            continue;
        }
        let value = match name {
            Some(name) => operand.get_item(&Value::from(name)).ok().filter(|_| !operand.is_tuple()),
            None => args.next(),
        };
        let missing = || {
            let place = &field[..field.len() - rest.len()];
            Fault::new(ErrorKind::InvalidOperation, format!("`{place}` is undefined"))
        };
        let value = printable(state, &value.ok_or_else(missing)?)?;
        if kind == Some('s') {
            let align = if spec.contains('-') { '<' } else { '>' };
            let spec = spec.trim_start_matches(['-', '+', ' ', '#', '0']);
            out.push_str(&fit(' ', align, spec, &print(&value)?).replace('%', "%%"));
        } else {
            out.push('%');
            out.push_str(spec);
            out.extend(kind);
            numbers.push(value);
        }
    }
    out.push_str(rest);
    built(formatting::format(FormatStyle::Printf, &out, &numbers)?)
}

/// `pattern | format(…)`: named values are for `%(name)s`.
pub(super) fn filter(
    state: &State,
    pattern: &str,
    args: &[Value],
    named: &Kwargs,
) -> Result<Value, Fault> {
    if !args.is_empty() {
        return percent(state, pattern, &Value::from(Tuple::from(args.to_vec())));
    }
    let pairs = named.args().map(|name| Ok((name.to_owned(), named.get::<Value>(name)?)));
    let pairs = pairs.collect::<Result<Vec<_>, Fault>>()?;
    percent(state, pattern, &Value::from_pairs(pairs))
}

/// `pattern.format(…)`.
pub(super) fn method(state: &State, pattern: &str, args: &[Value]) -> Result<Value, Fault> {
    format_guard(pattern, &mut args.iter().map(longest_text))?;
    let args = args.iter().map(|arg| match arg.kind() {
        // Named values, of which an inline `if` without `else` may leave some out.
        ValueKind::Map if arg.is_kwargs() => named(state, arg),
        // One whose members are placeholders.
        ValueKind::Map => Ok(arg.clone()),
        _ => printable(state, arg),
    });
    let args = args.collect::<Result<Vec<_>, Fault>>()?;
    let pattern = written_out(pattern, &args)?;
    built(formatting::format(FormatStyle::StrFormat, &pattern, &args)?)
}

fn built(text: String) -> Result<Value, Fault> {
    grow(text.len())?;
    Ok(Value::from(text))
}

/// Named values, with an empty text for undefined ones.
fn named(state: &State, args: &Value) -> Result<Value, Fault> {
    let one = |name: Value| {
        let value = args.get_item(&name)?;
        let value = if value.is_undefined() { printable(state, &value)? } else { value };
        Ok((name.to_string(), value))
    };
    let all = args.try_iter()?.map(one).collect::<Result<Vec<_>, Fault>>()?;
    Ok(Value::from(Kwargs::from_iter(all)))
}

/// A value that formats as it prints: only numbers and strings have other formats.
fn printable(state: &State, value: &Value) -> Result<Value, Fault> {
    match value.kind() {
        ValueKind::Number | ValueKind::Bool | ValueKind::String => Ok(value.clone()),
        ValueKind::Undefined => StringInput::new(state, value).map(|_| Value::from("")),
        _ => Ok(Value::from(print(value)?.into_owned())),
    }
}

/// The pattern, after formatting percentages (`{:.1%}`), which minijinja lacks, and strings, which minijinja
/// pads by bytes.
fn written_out<'p>(pattern: &'p str, args: &[Value]) -> Result<Cow<'p, str>, Fault> {
    if !pattern.contains(':') {
        return Ok(pattern.into());
    }
    let named = args.last().filter(|last| last.is_kwargs()).cloned().map(Kwargs::try_from);
    let named = named.transpose()?;
    let (mut out, mut rest, mut next) = (String::new(), pattern, 0usize);
    while let Some(at) = rest.find('{') {
        let (before, field) = rest.split_at(at);
        out.push_str(before);
        if let Some(after) = field.strip_prefix("{{") {
            out.push_str("{{");
            rest = after;
            continue;
        }
        let Some(end) = field.find('}') else {
            rest = field;
            break;
        };
        let (name, spec) = field[1..end].split_once(':').unwrap_or((&field[1..end], ""));
        // Numbers the placeholders, because those already formatted are no longer counted.
        let name = if name.is_empty() {
            next += 1;
            (next - 1).to_string()
        } else {
            name.to_owned()
        };
        let value = match (name.parse::<usize>(), &named) {
            (Ok(index), _) => args.get(index).cloned(),
            (_, Some(named)) => named.get(&name).ok(),
            _ => None,
        };
        let number = || value.clone().and_then(|value| f64::try_from(value).ok());
        let text = value.as_ref().and_then(Value::as_str);
        let written = match (spec.strip_suffix('%'), text) {
            (Some(spec), _) => {
                let missing = || {
                    let message = format!("`{}` needs a number", &field[..=end]);
                    Fault::new(ErrorKind::InvalidOperation, message)
                };
                Some(percentage(spec, number().ok_or_else(missing)?)?)
            }
            (None, Some(text)) => {
                let (fill, align, spec) = alignment(spec, '<');
                let spec = spec.strip_suffix('s').unwrap_or(spec);
                let is_size = spec.chars().all(|c| c.is_ascii_digit() || c == '.');
                is_size.then(|| fit(fill, align, spec, text))
            }
            // As Python, which makes a float of an integer here.
            (None, None) if spec.ends_with(['e', 'E', 'f', 'F', 'g', 'G']) => match number() {
                Some(number) => {
                    let pattern = format!("{{:{spec}}}");
                    let number = [Value::from(number)];
                    Some(formatting::format(FormatStyle::StrFormat, &pattern, &number)?)
                }
                None => None,
            },
            (None, None) => None,
        };
        match written {
            Some(text) => out.push_str(&text.replace('{', "{{").replace('}', "}}")),
            None if spec.is_empty() => out.push_str(&format!("{{{name}}}")),
            None => out.push_str(&format!("{{{name}:{spec}}}")),
        }
        rest = &field[end + 1..];
    }
    out.push_str(rest);
    Ok(out.into())
}

/// The fill and the alignment at the start of a format, and the rest.
fn alignment(spec: &str, default: char) -> (char, char, &str) {
    let is_align = |c: &char| "<>^=".contains(*c);
    let mut chars = spec.chars();
    let (first, second) = (chars.next(), chars.next());
    match (first, second.filter(is_align), first.filter(is_align)) {
        (Some(fill), Some(align), _) => (fill, align, &spec[fill.len_utf8() + 1..]),
        (_, None, Some(align)) => (' ', align, &spec[1..]),
        _ => (' ', default, spec),
    }
}

/// A string in a placeholder of this size: `width.precision`.
fn fit(fill: char, align: char, size: &str, text: &str) -> String {
    let (width, precision) = size.split_once('.').unwrap_or((size, ""));
    let most = precision.parse().unwrap_or(usize::MAX);
    let text: String = text.chars().take(most).collect();
    let gap = width.parse::<usize>().unwrap_or(0).saturating_sub(text.chars().count());
    let run = |length: usize| std::iter::repeat_n(fill, length).collect::<String>();
    match align {
        '<' => text + &run(gap),
        '^' => run(gap / 2) + &text + &run(gap - gap / 2),
        '=' => {
            let signed = text.len() - text.trim_start_matches(['+', '-', ' ']).len();
            format!("{}{}{}", &text[..signed], run(gap), &text[signed..])
        }
        _ => run(gap) + &text,
    }
}

/// A number as a percentage: fill, alignment, sign, width, grouping and precision as for `f`.
fn percentage(spec: &str, number: f64) -> Result<String, Fault> {
    let (mut fill, mut align, rest) = alignment(spec, '>');
    let sign_end = rest.find(|c| !"+- ".contains(c)).unwrap_or(rest.len());
    let (sign, mut rest) = rest.split_at(sign_end);
    if let Some(after) = rest.strip_prefix('0') {
        (fill, align, rest) = ('0', '=', after);
    }
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (width, rest) = rest.split_at(digits);
    let pattern = format!("{{:{sign}{rest}f}}");
    let body =
        formatting::format(FormatStyle::StrFormat, &pattern, &[Value::from(number * 100.0)])?;
    Ok(fit(fill, align, width, &format!("{body}%")))
}
