//! Evaluates compiled expressions.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Range;

use minijinja::machinery::ast::{BinOpKind, CompareOpKind};

use super::value::{Val, math};
use crate::budget;
use crate::json::{JsonRef, MemberName, Members};
use crate::template::meter::replaced_size;

/// A compiled expression.
#[derive(Debug)]
pub(in crate::template) enum Ex {
    Const(Val<'static>),
    /// A member of the data.
    Data(MemberName),
    /// A loop variable or one that was set.
    Local(usize),
    /// A member of `loop`, for the innermost loop.
    Loop(LoopField),
    Attr(Box<Ex>, MemberName),
    Item(Box<Ex>, Box<Ex>),
    /// Some characters of a text, or some items of a list.
    Slice(Box<Ex>, Option<Box<Ex>>, Option<Box<Ex>>),
    /// A member of a map of constants.
    Lookup(Vec<(Box<str>, Val<'static>)>, Box<Ex>),
    Concat(Vec<Ex>),
    Not(Box<Ex>),
    And(Box<Ex>, Box<Ex>),
    Or(Box<Ex>, Box<Ex>),
    Compare(CompareOpKind, Box<Ex>, Box<Ex>),
    /// Whether a value is one of several constants.
    In(Box<Ex>, Vec<Val<'static>>),
    Math(BinOpKind, Box<Ex>, Box<Ex>),
    If(Box<Ex>, Box<Ex>, Option<Box<Ex>>),
    /// A filter or a test applied to a value.
    Filter(Filter, Box<Ex>),
}

#[derive(Debug, Clone, Copy)]
pub(in crate::template) enum LoopField {
    Index,
    Index0,
    First,
    Last,
    Length,
}

/// A filter or a test.
#[derive(Debug)]
pub(in crate::template) enum Filter {
    String,
    Length,
    /// The default, and whether it also replaces falsy values.
    Default(Box<Ex>, bool),
    IsDefined,
    IsNone,
    IsBlank,
    Join(Option<Box<Ex>>),
    Replace(Box<Ex>, Box<Ex>),
    Lower,
    Upper,
    Trim,
}

/// The variables of one rendering.
pub(in crate::template) struct Vars<'a> {
    pub(in crate::template) data: &'a Members<'a>,
    pub(in crate::template) locals: Vec<Val<'a>>,
    /// Index and length of each running loop, innermost last.
    pub(in crate::template) loops: Vec<(usize, usize)>,
    /// Whether absent values and null print as nothing.
    pub(in crate::template) is_prose: bool,
}

impl<'a> Vars<'a> {
    /// The variables at the start, if the data is an object.
    pub(in crate::template) fn new(
        data: &'a JsonRef<'a>,
        locals: usize,
        is_prose: bool,
    ) -> Option<Self> {
        let locals = vec![Val::Undefined; locals];
        Some(Self { data: data.as_object()?, locals, loops: Vec::new(), is_prose })
    }

    /// The text that a value prints as.
    pub(in crate::template) fn text(&self, value: Val<'a>) -> Option<Cow<'a, str>> {
        match value {
            Val::Undefined | Val::Null if self.is_prose => Some(Cow::Borrowed("")),
            value => value.text(),
        }
    }
}

/// Names that are defined without data.
pub(in crate::template) const GLOBALS: [&str; 6] =
    ["cycler", "debug", "dict", "joiner", "namespace", "range"];

impl Ex {
    /// The value, or `None` if the general engine must decide.
    pub(in crate::template) fn eval<'a>(&'a self, vars: &Vars<'a>) -> Option<Val<'a>> {
        match self {
            Ex::Const(value) => Some(value.borrowed()),
            Ex::Data(_) => found(self.member(vars)?),
            Ex::Local(slot) => vars.locals.get(*slot)?.copied(),
            Ex::Loop(field) => loop_field(*field, vars),
            Ex::Attr(of, name) => match self.member(vars) {
                Some(member) => found(member),
                None => attribute(&of.eval(vars)?, name),
            },
            Ex::Item(of, key) => item(&of.eval(vars)?, &key.eval(vars)?),
            Ex::Slice(of, start, stop) => {
                slice(of.eval(vars)?, bound(start, vars)?, bound(stop, vars)?)
            }
            Ex::Lookup(entries, key) => {
                let Val::Str(key) = key.eval(vars)? else { return None };
                let found = entries.iter().rev().find(|(known, _)| **known == *key);
                Some(found.map_or(Val::Undefined, |(_, value)| value.borrowed()))
            }
            Ex::Concat(parts) => concat(parts, vars),
            Ex::Filter(filter, of) => filter.apply(of.eval(vars)?, vars),
            Ex::Math(op, left, right) => math(*op, &left.eval(vars)?, &right.eval(vars)?),
            _ => self.logic(vars),
        }
    }

    /// Operators with lazy operands: `not`, `and`, `or`, comparisons and `a if b else c`.
    fn logic<'a>(&'a self, vars: &Vars<'a>) -> Option<Val<'a>> {
        match self {
            Ex::Not(of) => Some(Val::Bool(!of.eval(vars)?.is_true())),
            Ex::And(left, right) => match left.eval(vars)? {
                left if left.is_true() => right.eval(vars),
                left => Some(left),
            },
            Ex::Or(left, right) => match left.eval(vars)? {
                left if left.is_true() => Some(left),
                _ => right.eval(vars),
            },
            Ex::Compare(op, left, right) => compare(*op, &left.eval(vars)?, &right.eval(vars)?),
            Ex::In(left, items) => {
                let left = left.eval(vars)?;
                for item in items {
                    if left.equals(item)? {
                        return Some(Val::Bool(true));
                    }
                }
                Some(Val::Bool(false))
            }
            Ex::If(test, yes, no) => match (test.eval(vars)?.is_true(), no) {
                (true, _) => yes.eval(vars),
                (false, Some(no)) => no.eval(vars),
                (false, None) => Some(Val::Nothing),
            },
            _ => None,
        }
    }

    /// The value of a path into the data, if it is one: a member, or undefined if an object lacks it. The
    /// name of a global is not a path.
    fn member<'a>(&'a self, vars: &Vars<'a>) -> Option<Option<&'a JsonRef<'a>>> {
        match self {
            Ex::Data(name) => {
                let found = vars.data.find(name);
                (found.is_some() || !GLOBALS.contains(&&**name)).then_some(found)
            }
            Ex::Attr(of, name) => Some(of.member(vars)??.as_object()?.find(name)),
            Ex::Local(slot) => match vars.locals.get(*slot)? {
                Val::Json(value) => Some(Some(value)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The items of a loop.
    pub(in crate::template) fn items<'a>(&'a self, vars: &Vars<'a>) -> Option<&'a [JsonRef<'a>]> {
        if let Ex::Slice(of, start, stop) = self {
            let items = of.items(vars)?;
            return items.get(places(items.len(), bound(start, vars)?, bound(stop, vars)?));
        }
        match self.eval(vars)? {
            Val::Json(JsonRef::List(items)) => Some(items),
            Val::Null => Some(&[]),
            Val::Undefined | Val::Nothing if vars.is_prose => Some(&[]),
            _ => None,
        }
    }

    /// Whether the value is truthy.
    pub(in crate::template) fn test(&self, vars: &Vars<'_>) -> Option<bool> {
        self.eval(vars).map(|value| value.is_true())
    }
}

impl Filter {
    fn apply<'a>(&'a self, value: Val<'a>, vars: &Vars<'a>) -> Option<Val<'a>> {
        Some(match self {
            Filter::String => Val::Str(vars.text(value)?),
            Filter::Length => Val::Int(match value {
                Val::Str(text) => text.chars().count() as i64,
                Val::Json(JsonRef::List(items)) => items.len() as i64,
                Val::Json(JsonRef::Object(members)) => members.len() as i64,
                _ => return None,
            }),
            Filter::Default(other, falsy) => match value {
                Val::Undefined | Val::Nothing => other.eval(vars)?,
                value if *falsy && !value.is_true() => other.eval(vars)?,
                value => value,
            },
            Filter::IsDefined => Val::Bool(!matches!(value, Val::Undefined | Val::Nothing)),
            Filter::IsNone => Val::Bool(matches!(value, Val::Null | Val::Undefined | Val::Nothing)),
            Filter::IsBlank => Val::Bool(match value {
                Val::Str(text) => text.trim().is_empty(),
                Val::Int(_) | Val::Float(_) => false,
                value => !value.is_true(),
            }),
            Filter::Join(glue) => {
                let Val::Json(JsonRef::List(items)) = value else { return None };
                let glue = match glue {
                    Some(glue) => glue.eval(vars)?,
                    None => Val::Str("".into()),
                };
                let Val::Str(glue) = glue else { return None };
                let texts = items.iter().map(|item| vars.text(Val::of(item)?));
                let texts = texts.collect::<Option<Vec<_>>>()?;
                let size: usize = texts.iter().map(|text| text.len() + glue.len()).sum();
                budget::bytes(size).ok()?;
                Val::Str(texts.join(&*glue).into())
            }
            Filter::Replace(from, to) => {
                let [text, from, to] = [value, from.eval(vars)?, to.eval(vars)?];
                let [text, from, to] = [vars.text(text)?, vars.text(from)?, vars.text(to)?];
                budget::bytes(replaced_size(&text, &from, &to)).ok()?;
                Val::Str(text.replace(&*from, &to).into())
            }
            Filter::Lower | Filter::Upper | Filter::Trim => {
                let Val::Str(text) = value else { return None };
                budget::bytes(text.len()).ok()?;
                Val::Str(Cow::Owned(match self {
                    Filter::Lower => text.to_lowercase(),
                    Filter::Upper => text.to_uppercase(),
                    _ => text.trim().to_owned(),
                }))
            }
        })
    }
}

fn found<'a>(value: Option<&'a JsonRef<'a>>) -> Option<Val<'a>> {
    value.map_or(Some(Val::Undefined), Val::of)
}

fn loop_field(field: LoopField, vars: &Vars<'_>) -> Option<Val<'static>> {
    let (index, length) = *vars.loops.last()?;
    Some(match field {
        LoopField::Index => Val::Int(index as i64 + 1),
        LoopField::Index0 => Val::Int(index as i64),
        LoopField::First => Val::Bool(index == 0),
        LoopField::Last => Val::Bool(index + 1 == length),
        LoopField::Length => Val::Int(length as i64),
    })
}

fn attribute<'a>(of: &Val<'a>, name: &str) -> Option<Val<'a>> {
    match *of {
        Val::Undefined | Val::Nothing => None,
        Val::Json(JsonRef::Object(members)) => found(members.get(name)),
        _ => Some(Val::Undefined),
    }
}

fn item<'a>(of: &Val<'a>, key: &Val<'_>) -> Option<Val<'a>> {
    match (of, key) {
        (Val::Json(JsonRef::List(items)), Val::Int(index)) => {
            let index = if *index < 0 { index + items.len() as i64 } else { *index };
            found(usize::try_from(index).ok().and_then(|index| items.get(index)))
        }
        (Val::Json(JsonRef::Object(members)), Val::Str(name)) => found(members.get(name)),
        _ => None,
    }
}

/// A bound of a slice, if given.
fn bound<'a>(at: &'a Option<Box<Ex>>, vars: &Vars<'a>) -> Option<Option<i64>> {
    match at.as_ref().map_or(Some(Val::Null), |at| at.eval(vars))? {
        Val::Int(at) => Some(Some(at)),
        Val::Null => Some(None),
        _ => None,
    }
}

/// The indexes between two bounds; negative ones count from the end.
fn places(length: usize, start: Option<i64>, stop: Option<i64>) -> Range<usize> {
    let place = |at: i64| match usize::try_from(at) {
        Ok(at) => at.min(length),
        Err(_) => length.saturating_sub(usize::try_from(at.unsigned_abs()).unwrap_or(usize::MAX)),
    };
    let (start, stop) = (start.map_or(0, place), stop.map_or(length, place));
    start..stop.max(start)
}

fn slice<'a>(of: Val<'a>, start: Option<i64>, stop: Option<i64>) -> Option<Val<'a>> {
    let Val::Str(text) = of else { return None };
    budget::bytes(text.len()).ok()?;
    let places = places(text.chars().count(), start, stop);
    let at = |place: usize| text.char_indices().nth(place).map_or(text.len(), |(at, _)| at);
    let range = at(places.start)..at(places.end);
    Some(Val::Str(match text {
        Cow::Borrowed(text) => Cow::Borrowed(&text[range]),
        Cow::Owned(text) => Cow::Owned(text[range].to_owned()),
    }))
}

fn concat<'a>(parts: &'a [Ex], vars: &Vars<'a>) -> Option<Val<'a>> {
    let mut out = String::with_capacity(64);
    for part in parts {
        let text = vars.text(part.eval(vars)?)?;
        budget::bytes(text.len()).ok()?;
        out.push_str(&text);
    }
    Some(Val::Str(Cow::Owned(out)))
}

fn compare(op: CompareOpKind, left: &Val<'_>, right: &Val<'_>) -> Option<Val<'static>> {
    Some(Val::Bool(match op {
        CompareOpKind::Eq => left.equals(right)?,
        CompareOpKind::Ne => !left.equals(right)?,
        CompareOpKind::Lt => left.compare(right)? == Ordering::Less,
        CompareOpKind::Lte => left.compare(right)? != Ordering::Greater,
        CompareOpKind::Gt => left.compare(right)? == Ordering::Greater,
        CompareOpKind::Gte => left.compare(right)? != Ordering::Less,
        CompareOpKind::In | CompareOpKind::NotIn => return None,
    }))
}
