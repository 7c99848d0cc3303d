//! The filters, tests and functions of templates, in addition to minijinja's own. Most replace one of
//! minijinja's: they count what they build against the byte limit, and print values like JSON. Those whose
//! name starts with `$` are called by the syntax tree after [`super::rewrite`] has replaced operators and
//! literals.

// minijinja passes the arguments of a filter by value.
#![allow(clippy::needless_pass_by_value)]

use minijinja::value::{Kwargs, Rest, StringInput, ValueKind, ValueOrKwargs};
use minijinja::{Environment, Error as Fault, ErrorKind, State, UndefinedBehavior, Value};

use super::format;
use super::meter::{
    bounded, grow, holds_namespace, longest_text, replaced_size, round, spend_value, too_large,
};
use super::mutable_list::MutableList;
use super::print::{print, write_json};
use super::python;
use super::rewrite::{
    ADD, BOUNDED, CONCAT, DEFINED, HELD, ITERATED, METERED, MULTIPLY, OR_NONE, QUOTED, REMAINDER,
    SLICE, TICK,
};
use crate::json::write_escaped;
use crate::limits::Limits;

/// The filters that are suggested for a misspelt one.
pub(super) const SUGGESTED: &str = "tojson default length string join upper lower title capitalize trim replace round int \
    float first last sort reverse unique map select selectattr format truncate abs sum min \
    max items list";

/// Adds all of them to an environment.
pub(super) fn register(env: &mut Environment<'static>) {
    env.set_formatter(|out, state, value| {
        if value.is_none() && is_prose(state) {
            return Ok(());
        }
        Ok(out.write_str(&print(value)?)?)
    });
    env.set_unknown_method_callback(method);

    env.add_filter("tojson", to_json);
    env.add_filter("json", to_json);
    env.add_filter("string", string);
    env.add_filter("format", |state: &State, pattern: &str, args: Rest<Value>, named: Kwargs| {
        format::filter(state, pattern, &args, &named)
    });
    env.add_filter("replace", replace);
    env.add_filter("join", join);
    env.add_filter("map", map);
    env.add_filter("slice", slice);
    env.add_filter("batch", batch);
    python::register(env);
    env.add_test("blank", is_blank);
    env.add_test("none", |value: &Value| value.is_none() || value.is_undefined());

    env.add_function(CONCAT, concat);
    env.add_function(ADD, add);
    env.add_function(MULTIPLY, multiply);
    env.add_function(REMAINDER, remainder);
    env.add_function(SLICE, python::slice);
    env.add_function(TICK, tick);
    env.add_filter(BOUNDED, |value: Value| bounded(value).and_then(MutableList::wrap));
    env.add_filter(METERED, metered);
    env.add_filter(HELD, held);
    env.add_filter(ITERATED, iterated);
    env.add_filter(DEFINED, defined);
    env.add_filter(
        OR_NONE,
        |value: Value| if value.is_undefined() { Value::from(()) } else { value },
    );
    env.add_filter(QUOTED, quoted);
}

fn method(state: &mut State, value: &Value, name: &str, args: &[Value]) -> Result<Value, Fault> {
    if let ("format", Some(pattern)) = (name, value.as_str()) {
        return format::method(state, pattern, args);
    }
    if let Some(result) = python::method(value, name, args) {
        return result;
    }
    method_guard(value, name, args)?;
    let callback = minijinja_contrib::pycompat::unknown_method_callback;
    spend_value(callback(state, value, name, args)?)
}

/// Jinja2's indentation argument is ignored.
fn to_json(value: &Value, _: Option<Value>, _: Kwargs) -> Result<Value, Fault> {
    let mut out = String::new();
    write_json(value, &mut out, 0)?;
    Ok(Value::from_safe_string(out))
}

fn string(state: &State, value: &Value) -> Result<Value, Fault> {
    text(state, value).map(Value::from)
}

fn replace(
    state: &State,
    value: &Value,
    from: &Value,
    to: &Value,
    count: Option<usize>,
) -> Result<Value, Fault> {
    let (hay, needle, with) = (text(state, value)?, text(state, from)?, text(state, to)?);
    grow(replaced_size(&hay, &needle, &with))?;
    Ok(Value::from(hay.replacen(&needle, &with, count.unwrap_or(usize::MAX))))
}

fn map(state: &mut State, value: Value, args: Rest<ValueOrKwargs>) -> Result<Vec<Value>, Fault> {
    // It builds all results before any of them can be counted.
    let items = value.try_iter().into_iter().flatten();
    grow(items.map(|item| longest_text(&item)).sum::<usize>().saturating_mul(2))?;
    minijinja::filters::map(state, value, args)
}

fn slice(
    state: &mut State,
    value: Value,
    count: usize,
    fill: Option<Value>,
) -> Result<Value, Fault> {
    grow(count.saturating_mul(16))?;
    minijinja::filters::slice(state, value, count, fill)
}

fn batch(
    state: &mut State,
    value: Value,
    count: usize,
    fill: Option<Value>,
) -> Result<Value, Fault> {
    grow(count.saturating_mul(16))?;
    minijinja::filters::batch(state, value, count, fill)
}

fn concat(state: &State, left: &Value, right: &Value) -> Result<Value, Fault> {
    let mut out = text(state, left)?;
    out.push_str(&text(state, right)?);
    grow(out.len())?;
    Ok(Value::from(out))
}

/// Every iteration calls this: a few slow steps use little fuel.
fn tick() -> Result<Value, Fault> {
    round().map(|()| Value::from(""))
}

fn metered(value: Value) -> Result<Value, Fault> {
    match value.kind() {
        // Some values can be iterated over only once.
        ValueKind::Iterable => spend_value(value),
        _ => spend_value(bounded(value)?),
    }
}

/// The items of a loop, with a length, which `loop.last` needs.
fn iterated(value: Value) -> Result<Value, Fault> {
    if let Some(text) = value.as_str() {
        grow(text.len().saturating_mul(16))?;
        return Ok(text.chars().map(|c| Value::from(c.to_string())).collect());
    }
    match value.kind() {
        ValueKind::Iterable if value.len().is_none() => {
            let mut items = Vec::new();
            for item in value.try_iter()? {
                grow(16)?;
                items.push(item);
            }
            Ok(Value::from(items))
        }
        _ => Ok(value),
    }
}

fn held(value: Value) -> Result<Value, Fault> {
    // Bounded first: searching an unbounded value might not end.
    let value = bounded(value)?;
    if holds_namespace(&value, 0) {
        let message = "a namespace cannot hold a namespace";
        return Err(Fault::new(ErrorKind::InvalidOperation, message));
    }
    Ok(value)
}

fn defined(state: &State, value: Value) -> Result<Value, Fault> {
    printable(state, &value)?;
    Ok(value)
}

fn quoted(state: &State, value: &Value) -> Result<Value, Fault> {
    let mut out = String::new();
    write_escaped(&text(state, value)?, &mut out);
    Ok(Value::from_safe_string(out))
}

/// Rejects an undefined value, unless it comes from an inline `if` without `else`: minijinja distinguishes
/// the two only through this conversion.
fn printable(state: &State, value: &Value) -> Result<(), Fault> {
    match value.is_undefined() {
        true => StringInput::new(state, value).map(drop),
        false => Ok(()),
    }
}

/// A value as text; an undefined one is an error, as when it is printed.
pub(super) fn text(state: &State, value: &Value) -> Result<String, Fault> {
    printable(state, value)?;
    if value.is_none() && is_prose(state) {
        return Ok(String::new());
    }
    print(value).map(std::borrow::Cow::into_owned)
}

fn is_prose(state: &State) -> bool {
    state.undefined_behavior() == UndefinedBehavior::Lenient
}

fn join(state: &State, value: &Value, glue: Option<String>) -> Result<Value, Fault> {
    let glue = glue.unwrap_or_default();
    printable(state, value)?;
    let mut out = String::new();
    for (index, item) in value.try_iter()?.enumerate() {
        if index > 0 {
            grow(glue.len())?;
            out.push_str(&glue);
        }
        out.push_str(&text(state, &item)?);
    }
    Ok(Value::from(out))
}

fn add(left: &Value, right: &Value) -> Result<Value, Fault> {
    if let (Some(left), Some(right)) = (left.as_str(), right.as_str()) {
        grow(left.len() + right.len())?;
        return Ok(Value::from(format!("{left}{right}")));
    }
    arithmetic("a + b", left, right).and_then(bounded)
}

fn multiply(left: &Value, right: &Value) -> Result<Value, Fault> {
    let length = |value: &Value| value.as_str().map(str::len).or_else(|| value.len());
    let times = |value: &Value| usize::try_from(value.clone()).unwrap_or(0);
    if let Some(size) = length(left).or_else(|| length(right)) {
        let size = size.saturating_mul(times(left).max(times(right)));
        grow(size)?;
        if size > Limits::VALUES && left.as_str().or_else(|| right.as_str()).is_none() {
            return Err(too_large());
        }
    }
    arithmetic("a * b", left, right)
}

/// The remainder of numbers, with the sign of the divisor as in Python; for a string, formatting.
fn remainder(state: &State, left: &Value, right: &Value) -> Result<Value, Fault> {
    if let Some(pattern) = left.as_str() {
        return format::percent(state, pattern, right);
    }
    let result = arithmetic("a % b", left, right)?;
    let is_negative = |value: &Value| *value < Value::from(0);
    match is_negative(right) && !is_negative(&result) && result != Value::from(0) {
        true => arithmetic("a + b", &result, right),
        false => Ok(result),
    }
}

/// Integers are added and multiplied here; minijinja's own operator handles everything else.
fn arithmetic(op: &'static str, left: &Value, right: &Value) -> Result<Value, Fault> {
    thread_local! {
        static PLAIN: Environment<'static> = {
            let mut env = Environment::empty();
            env.set_undefined_behavior(UndefinedBehavior::SemiStrict);
            env
        };
    }
    if left.is_integer()
        && right.is_integer()
        && let (Ok(left), Ok(right)) = (i64::try_from(left.clone()), i64::try_from(right.clone()))
        && let Some(result) = match op {
            "a + b" => left.checked_add(right),
            "a * b" => left.checked_mul(right),
            _ => None,
        }
    {
        return Ok(Value::from(result));
    }
    PLAIN.with(|env| {
        let operands = Value::from_pairs([("a", left.clone()), ("b", right.clone())]);
        // The error's own range is one of `op`, not of the template.
        let result = env.compile_expression(op).and_then(|expr| expr.eval(operands));
        result.map_err(|fault| {
            Fault::new(fault.kind(), fault.detail().unwrap_or_default().to_owned())
        })
    })
}

/// Counts what a string method will build.
fn method_guard(value: &Value, method: &str, args: &[Value]) -> Result<(), Fault> {
    let Some(hay) = value.as_str() else { return Ok(()) };
    match (method, args) {
        ("replace", [from, to, ..]) => {
            let [from, to] = [from, to].map(|part| part.as_str().unwrap_or_default());
            grow(replaced_size(hay, from, to))
        }
        ("join", [list, ..]) => match list.len() {
            Some(len) => grow(len.saturating_mul(hay.len())),
            None => Ok(()),
        },
        _ => Ok(()),
    }
}

/// Blank values: none, undefined, false, whitespace, an empty list or map.
fn is_blank(value: &Value) -> bool {
    match value.kind() {
        ValueKind::Undefined | ValueKind::None => true,
        ValueKind::Bool => !value.is_true(),
        ValueKind::String => value.as_str().is_some_and(|text| text.trim().is_empty()),
        ValueKind::Seq | ValueKind::Map => value.len() == Some(0),
        _ => false,
    }
}
