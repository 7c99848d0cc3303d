//! Prints values of a template as JSON does.

use std::borrow::Cow;
use std::fmt::Write as _;

use minijinja::value::ValueKind;
use minijinja::{Error as Fault, ErrorKind, Value};

use super::meter::grow;
use crate::json::write_string;

/// A value as it prints outside a string.
pub(super) fn print(value: &Value) -> Result<Cow<'_, str>, Fault> {
    if let Some(text) = value.as_str() {
        grow(text.len())?;
        return Ok(text.into());
    }
    let mut out = String::new();
    if value.kind() != ValueKind::Undefined {
        write_json(value, &mut out, 0)?;
    }
    Ok(out.into())
}

/// Writes a value as JSON.
pub(super) fn write_json(value: &Value, out: &mut String, depth: usize) -> Result<(), Fault> {
    if depth > 128 {
        return Err(Fault::new(ErrorKind::InvalidOperation, "nested too deeply"));
    }
    let before = out.len();
    match value.kind() {
        ValueKind::Undefined | ValueKind::None => out.push_str("null"),
        ValueKind::Bool => out.push_str(if value.is_true() { "true" } else { "false" }),
        ValueKind::Number if value.is_integer() => {
            let _ = write!(out, "{value}");
        }
        ValueKind::Number => {
            let float = f64::try_from(value.clone()).unwrap_or(f64::NAN);
            if float.is_finite() {
                out.push_str(ryu_js::Buffer::new().format(float));
            } else {
                out.push_str("null");
            }
        }
        ValueKind::Map => {
            out.push('{');
            for (index, key) in value.try_iter()?.enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_string(&key.as_str().map_or_else(|| key.to_string(), str::to_owned), out);
                out.push(':');
                write_json(&value.get_item(&key)?, out, depth + 1)?;
            }
            out.push('}');
        }
        ValueKind::Seq | ValueKind::Iterable => {
            out.push('[');
            for (index, item) in value.try_iter()?.enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_json(&item, out, depth + 1)?;
            }
            out.push(']');
        }
        _ => match value.as_str() {
            Some(text) => write_string(text, out),
            None => write_string(&value.to_string(), out),
        },
    }
    grow(out.len() - before)
}
