//! Values of the fast path, which borrow from the data.

use std::borrow::Cow;
use std::cmp::Ordering;

use minijinja::machinery::ast::BinOpKind;

use crate::budget;
use crate::json::{JsonRef, number_text, write_string};

/// A value during rendering.
#[derive(Debug, Clone)]
pub(in crate::template) enum Val<'a> {
    Undefined,
    /// The result of an inline `if` without `else` whose condition is false: undefined, but it may be
    /// printed, as nothing.
    Nothing,
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(Cow<'a, str>),
    /// A list or an object of the data.
    Json(&'a JsonRef<'a>),
}

impl<'a> Val<'a> {
    pub(in crate::template) fn of(data: &'a JsonRef<'a>) -> Option<Val<'a>> {
        Some(match data {
            JsonRef::Null => Val::Null,
            JsonRef::Bool(flag) => Val::Bool(*flag),
            JsonRef::Number(number) => match number.as_i64() {
                Some(int) => Val::Int(int),
                // Beyond i64, the general engine is used.
                None if number.is_u64() => return None,
                None => Val::float(number.as_f64()?),
            },
            JsonRef::Text(text) => Val::Str(Cow::Borrowed(text)),
            list_or_object => Val::Json(list_or_object),
        })
    }

    /// A copy; text that the template has built counts again.
    pub(super) fn copied(&self) -> Option<Val<'a>> {
        if let Val::Str(Cow::Owned(text)) = self {
            budget::bytes(text.len()).ok()?;
        }
        Some(self.clone())
    }

    /// The same value, borrowing the text of a constant.
    pub(super) fn borrowed(&'a self) -> Val<'a> {
        match self {
            Val::Str(text) => Val::Str(Cow::Borrowed(text)),
            other => other.clone(),
        }
    }

    pub(super) fn float(float: f64) -> Val<'static> {
        if float.fract() == 0.0 && float.abs() < 9e15 {
            Val::Int(float as i64)
        } else {
            Val::Float(float)
        }
    }

    pub(super) fn is_true(&self) -> bool {
        match self {
            Val::Undefined | Val::Nothing | Val::Null => false,
            Val::Bool(flag) => *flag,
            Val::Int(int) => *int != 0,
            Val::Float(float) => *float != 0.0,
            Val::Str(text) => !text.is_empty(),
            Val::Json(JsonRef::List(items)) => !items.is_empty(),
            Val::Json(JsonRef::Object(members)) => !members.is_empty(),
            Val::Json(_) => true,
        }
    }

    /// The text it prints as.
    pub(in crate::template) fn text(self) -> Option<Cow<'a, str>> {
        Some(match self {
            Val::Nothing => Cow::Borrowed(""),
            Val::Null => Cow::Borrowed("null"),
            Val::Bool(true) => Cow::Borrowed("true"),
            Val::Bool(false) => Cow::Borrowed("false"),
            Val::Int(int) => Cow::Owned(int.to_string()),
            Val::Float(float) if float.is_finite() => {
                Cow::Owned(ryu_js::Buffer::new().format(float).to_owned())
            }
            Val::Str(text) => text,
            Val::Undefined | Val::Float(_) | Val::Json(_) => return None,
        })
    }

    pub(super) fn compare(&self, other: &Val<'_>) -> Option<Ordering> {
        match (self, other) {
            (Val::Int(a), Val::Int(b)) => Some(a.cmp(b)),
            (Val::Str(a), Val::Str(b)) => Some(a.cmp(b)),
            (Val::Int(a), Val::Float(b)) => (*a as f64).partial_cmp(b),
            (Val::Float(a), Val::Int(b)) => a.partial_cmp(&(*b as f64)),
            (Val::Float(a), Val::Float(b)) => a.partial_cmp(b),
            _ => None,
        }
    }

    pub(super) fn equals(&self, other: &Val<'_>) -> Option<bool> {
        match (self, other) {
            (Val::Json(_), _) | (_, Val::Json(_)) => None,
            // An absent value equals none.
            (
                Val::Undefined | Val::Nothing | Val::Null,
                Val::Undefined | Val::Nothing | Val::Null,
            ) => Some(true),
            // `true == 1` in Jinja; the general engine decides.
            (Val::Bool(a), Val::Bool(b)) => Some(a == b),
            (Val::Bool(_), Val::Int(_) | Val::Float(_)) => None,
            (Val::Int(_) | Val::Float(_), Val::Bool(_)) => None,
            _ => Some(self.compare(other) == Some(Ordering::Equal)),
        }
    }
}

/// Arithmetic; `None` if the general engine must decide.
pub(super) fn math(op: BinOpKind, left: &Val<'_>, right: &Val<'_>) -> Option<Val<'static>> {
    if let (Val::Str(left), Val::Str(right), BinOpKind::Add) = (left, right, op) {
        budget::bytes(left.len() + right.len()).ok()?;
        return Some(Val::Str(Cow::Owned(format!("{left}{right}"))));
    }
    if let (Val::Int(left), Val::Int(right)) = (left, right) {
        match op {
            BinOpKind::Add => return left.checked_add(*right).map(Val::Int),
            BinOpKind::Sub => return left.checked_sub(*right).map(Val::Int),
            BinOpKind::Mul => return left.checked_mul(*right).map(Val::Int),
            _ => {}
        }
    }
    let float = |value: &Val<'_>| match value {
        Val::Int(int) if int.unsigned_abs() < (1 << 53) => Some(*int as f64),
        Val::Float(float) => Some(*float),
        _ => None,
    };
    let (left, right) = (float(left)?, float(right)?);
    let result = match op {
        BinOpKind::Add => left + right,
        BinOpKind::Sub => left - right,
        BinOpKind::Mul => left * right,
        BinOpKind::Div if right != 0.0 => left / right,
        _ => return None,
    };
    Some(Val::float(result))
}

/// Writes a value as JSON, with nulls or, like ChatKit's own server, without.
pub(in crate::template) fn write_json(data: &JsonRef<'_>, with_nulls: bool, out: &mut String) {
    let is_kept = |value: &JsonRef<'_>| with_nulls || *value != JsonRef::Null;
    match data {
        JsonRef::Null => out.push_str("null"),
        JsonRef::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        JsonRef::Number(number) => out.push_str(&number_text(number)),
        JsonRef::Text(text) => write_string(text, out),
        JsonRef::List(items) => {
            out.push('[');
            let start = out.len();
            for item in items.iter().filter(|item| is_kept(item)) {
                if out.len() > start {
                    out.push(',');
                }
                write_json(item, with_nulls, out);
            }
            out.push(']');
        }
        JsonRef::Object(members) => {
            out.push('{');
            let start = out.len();
            for (key, member) in members.iter().filter(|(_, member)| is_kept(member)) {
                if out.len() > start {
                    out.push(',');
                }
                write_string(key, out);
                out.push(':');
                write_json(member, with_nulls, out);
            }
            out.push('}');
        }
    }
}
