//! Filters and methods of Jinja2 on Python that minijinja lacks and hand-written templates use.

use minijinja::value::{Kwargs, Rest, ValueKind};
use minijinja::{Environment, Error, ErrorKind, Value};

use super::meter::grow;
use super::print::print;

/// Adds filters to an environment.
pub(super) fn add_filters(env: &mut Environment<'static>) {
    env.add_filter("int", |value: &Value, default: Option<Value>| {
        number(value).map_or_else(|| default.unwrap_or_else(|| Value::from(0)), whole)
    });
    env.add_filter("float", |value: &Value, default: Option<Value>| {
        number(value).map_or_else(|| default.unwrap_or_else(|| Value::from(0.0)), Value::from)
    });
    env.add_filter("truncate", truncate);
    env.add_filter("center", |value: String, width: Option<usize>| {
        let width = width.unwrap_or(80);
        let gap = width.saturating_sub(value.chars().count());
        pad(&value, gap / 2, gap - gap / 2, ' ')
    });
    env.add_filter("wordcount", |value: String| value.split_whitespace().count());
    env.add_filter("filesizeformat", minijinja_contrib::filters::filesizeformat);
    env.add_filter("pluralize", minijinja_contrib::filters::pluralize);
}

/// Methods of texts and lists; none if this module has no such method.
pub(super) fn method(value: &Value, name: &str, args: &[Value]) -> Option<Result<Value, Error>> {
    if let Some(text) = value.as_str() {
        let width = usize::try_from(args.first()?.clone()).ok();
        let gap = || width.unwrap_or(0).saturating_sub(text.chars().count());
        let fill = args.get(1).and_then(|fill| fill.as_str()?.chars().next()).unwrap_or(' ');
        return match name {
            "zfill" => Some(pad(text, gap(), 0, '0')),
            "rjust" => Some(pad(text, gap(), 0, fill)),
            "ljust" => Some(pad(text, 0, gap(), fill)),
            "center" => Some(pad(text, gap() / 2, gap() - gap() / 2, fill)),
            _ => None,
        };
    }
    if let (ValueKind::Seq, "index", [wanted]) = (value.kind(), name, args) {
        let found = value.try_iter().ok()?.position(|item| item == *wanted);
        let missing = || Error::new(ErrorKind::InvalidOperation, "the list has no such item");
        return Some(found.map(Value::from).ok_or_else(missing));
    }
    None
}

fn pad(text: &str, before: usize, after: usize, fill: char) -> Result<Value, Error> {
    grow(
        text.len().saturating_add((before.saturating_add(after)).saturating_mul(fill.len_utf8())),
    )?;
    let run = |length: usize| std::iter::repeat_n(fill, length);
    Ok(Value::from(run(before).chain(text.chars()).chain(run(after)).collect::<String>()))
}

/// Takes positional and named arguments.
#[allow(clippy::needless_pass_by_value)] // minijinja passes arguments by value.
fn truncate(value: &Value, args: Rest<Value>, named: Kwargs) -> Result<Value, Error> {
    let length =
        args.first().map_or_else(|| named.get("length"), |v| v.clone().try_into().map(Some))?;
    let kill = args.get(1).map_or_else(|| named.get("killwords"), |v| Ok(Some(v.is_true())))?;
    let end: Option<String> = match args.get(2) {
        Some(end) => Some(end.to_string()),
        None => named.get("end")?,
    };
    let leeway = match args.get(3) {
        Some(leeway) => Some(leeway.clone().try_into()?),
        None => named.get("leeway")?,
    };
    named.assert_all_used()?;
    let text = print(value)?;
    let (length, end) = (length.unwrap_or(255usize), end.unwrap_or_else(|| "...".to_owned()));
    let leeway = leeway.unwrap_or(5usize);
    if text.chars().count() <= length.saturating_add(leeway) {
        return Ok(Value::from(text.into_owned()));
    }
    let kept: String = text.chars().take(length.saturating_sub(end.chars().count())).collect();
    let kept = match kept.rfind(' ') {
        Some(space) if kill != Some(true) => &kept[..space],
        _ => &kept,
    };
    Ok(Value::from(format!("{kept}{end}")))
}

fn number(value: &Value) -> Option<f64> {
    match value.as_str() {
        Some(text) => text.trim().parse().ok(),
        None => f64::try_from(value.clone()).ok(),
    }
    .filter(|number| number.is_finite())
}

fn whole(number: f64) -> Value {
    Value::from(number.trunc() as i128)
}
