//! Expressions of the fast path: the small part of Jinja that Studio exports use, evaluated on
//! borrowed data.
//!
//! Where Jinja would raise an error, or do something rare, evaluation gives up (`None`) and the
//! general engine runs instead: it has the right answer or the right words. So what stands here
//! must agree with [`super::jinja`] or give up; a test renders the whole corpus both ways.

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::json::number_text;
use crate::json::write_string;
use crate::json::{JsonRef, Members};
use minijinja::machinery::ast::{BinOpKind, CallArg, CompareOpKind, Expr, UnaryOpKind};
use minijinja::value::ValueKind;

/// A compiled expression.
#[derive(Debug)]
pub(super) enum Ex {
    Const(Val<'static>),
    /// A member of the data.
    Data(Box<str>),
    /// A loop variable or one that was set.
    Local(usize),
    /// Something about the innermost loop.
    Loop(LoopField),
    Attr(Box<Ex>, Box<str>),
    Item(Box<Ex>, Box<Ex>),
    Concat(Vec<Ex>),
    Not(Box<Ex>),
    And(Box<Ex>, Box<Ex>),
    Or(Box<Ex>, Box<Ex>),
    Compare(CompareOpKind, Box<Ex>, Box<Ex>),
    Math(BinOpKind, Box<Ex>, Box<Ex>),
    If(Box<Ex>, Box<Ex>, Option<Box<Ex>>),
    Text(Box<Ex>),
    Length(Box<Ex>),
    Default(Box<Ex>, Box<Ex>, bool),
    IsDefined(Box<Ex>),
    IsNone(Box<Ex>),
    IsBlank(Box<Ex>),
}

#[derive(Debug, Clone, Copy)]
pub(super) enum LoopField {
    Index,
    Index0,
    First,
    Last,
    Length,
}

/// A value while rendering.
#[derive(Debug, Clone)]
pub(super) enum Val<'a> {
    Undefined,
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(Cow<'a, str>),
    /// A list or an object of the data.
    Json(&'a JsonRef<'a>),
}

impl<'a> Val<'a> {
    pub(super) fn of(data: &'a JsonRef<'a>) -> Option<Val<'a>> {
        Some(match data {
            JsonRef::Null => Val::Null,
            JsonRef::Bool(flag) => Val::Bool(*flag),
            JsonRef::Number(number) => match number.as_i64() {
                Some(int) => Val::Int(int),
                // Beyond i64 the general engine takes over.
                None if number.is_u64() => return None,
                None => Val::float(number.as_f64()?),
            },
            JsonRef::Text(text) => Val::Str(Cow::Borrowed(text)),
            list_or_object => Val::Json(list_or_object),
        })
    }

    fn float(float: f64) -> Val<'static> {
        if float.fract() == 0.0 && float.abs() < 9e15 {
            Val::Int(float as i64)
        } else {
            Val::Float(float)
        }
    }

    fn is_true(&self) -> bool {
        match self {
            Val::Undefined | Val::Null => false,
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
    pub(super) fn text(self) -> Option<Cow<'a, str>> {
        Some(match self {
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

    fn compare(&self, other: &Val<'_>) -> Option<Ordering> {
        match (self, other) {
            (Val::Int(a), Val::Int(b)) => Some(a.cmp(b)),
            (Val::Str(a), Val::Str(b)) => Some(a.cmp(b)),
            (Val::Int(a), Val::Float(b)) => (*a as f64).partial_cmp(b),
            (Val::Float(a), Val::Int(b)) => a.partial_cmp(&(*b as f64)),
            (Val::Float(a), Val::Float(b)) => a.partial_cmp(b),
            _ => None,
        }
    }

    fn equals(&self, other: &Val<'_>) -> Option<bool> {
        match (self, other) {
            (Val::Undefined | Val::Json(_), _) | (_, Val::Undefined | Val::Json(_)) => None,
            // true == 1 in Jinja: leave that to it.
            (Val::Bool(a), Val::Bool(b)) => Some(a == b),
            (Val::Bool(_), Val::Int(_) | Val::Float(_)) => None,
            (Val::Int(_) | Val::Float(_), Val::Bool(_)) => None,
            (Val::Null, Val::Null) => Some(true),
            _ => Some(self.compare(other) == Some(Ordering::Equal)),
        }
    }
}

/// The variables of one rendering.
pub(super) struct Vars<'a> {
    pub data: &'a Members<'a>,
    pub locals: Vec<Val<'a>>,
    /// Index and length of each loop that is running, innermost last.
    pub loops: Vec<(usize, usize)>,
}

impl<'a> Vars<'a> {
    /// Those at the start, if the data is an object.
    pub(super) fn new(data: &'a JsonRef<'a>, locals: usize) -> Option<Self> {
        let locals = vec![Val::Undefined; locals];
        Some(Self { data: data.as_object()?, locals, loops: Vec::new() })
    }
}

impl Ex {
    /// The value, or none where the general engine must decide.
    pub(super) fn eval<'a>(&'a self, vars: &Vars<'a>) -> Option<Val<'a>> {
        if let Some(value) = self.member(vars) {
            return Val::of(value);
        }
        Some(match self {
            Ex::Const(value) => value.clone(),
            Ex::Data(name) => match vars.data.get(name) {
                Some(value) => Val::of(value)?,
                None => Val::Undefined,
            },
            Ex::Local(slot) => vars.locals.get(*slot)?.clone(),
            Ex::Loop(field) => {
                let (index, length) = *vars.loops.last()?;
                match field {
                    LoopField::Index => Val::Int(index as i64 + 1),
                    LoopField::Index0 => Val::Int(index as i64),
                    LoopField::First => Val::Bool(index == 0),
                    LoopField::Last => Val::Bool(index + 1 == length),
                    LoopField::Length => Val::Int(length as i64),
                }
            }
            Ex::Attr(of, name) => match of.eval(vars)? {
                Val::Undefined => return None,
                Val::Json(JsonRef::Object(members)) => match members.get(name) {
                    Some(value) => Val::of(value)?,
                    None => Val::Undefined,
                },
                _ => Val::Undefined,
            },
            Ex::Item(of, key) => match (of.eval(vars)?, key.eval(vars)?) {
                (Val::Json(JsonRef::List(items)), Val::Int(index)) => {
                    let index = if index < 0 { index + items.len() as i64 } else { index };
                    match usize::try_from(index).ok().and_then(|index| items.get(index)) {
                        Some(value) => Val::of(value)?,
                        None => Val::Undefined,
                    }
                }
                (Val::Json(JsonRef::Object(members)), Val::Str(name)) => match members.get(&name) {
                    Some(value) => Val::of(value)?,
                    None => Val::Undefined,
                },
                _ => return None,
            },
            Ex::Concat(parts) => {
                let mut out = String::new();
                for part in parts {
                    out.push_str(&part.eval(vars)?.text()?);
                }
                Val::Str(Cow::Owned(out))
            }
            Ex::Not(of) => Val::Bool(!of.eval(vars)?.is_true()),
            Ex::And(left, right) => match left.eval(vars)? {
                left if left.is_true() => right.eval(vars)?,
                left => left,
            },
            Ex::Or(left, right) => match left.eval(vars)? {
                left if left.is_true() => left,
                _ => right.eval(vars)?,
            },
            Ex::Compare(op, left, right) => {
                let (left, right) = (left.eval(vars)?, right.eval(vars)?);
                Val::Bool(match op {
                    CompareOpKind::Eq => left.equals(&right)?,
                    CompareOpKind::Ne => !left.equals(&right)?,
                    CompareOpKind::Lt => left.compare(&right)? == Ordering::Less,
                    CompareOpKind::Lte => left.compare(&right)? != Ordering::Greater,
                    CompareOpKind::Gt => left.compare(&right)? == Ordering::Greater,
                    CompareOpKind::Gte => left.compare(&right)? != Ordering::Less,
                    CompareOpKind::In | CompareOpKind::NotIn => return None,
                })
            }
            Ex::Math(op, left, right) => math(*op, &left.eval(vars)?, &right.eval(vars)?)?,
            Ex::If(test, yes, no) => match (test.eval(vars)?.is_true(), no) {
                (true, _) => yes.eval(vars)?,
                (false, Some(no)) => no.eval(vars)?,
                (false, None) => Val::Undefined,
            },
            Ex::Text(of) => Val::Str(of.eval(vars)?.text()?),
            Ex::Length(of) => Val::Int(match of.eval(vars)? {
                Val::Str(text) => text.chars().count() as i64,
                Val::Json(JsonRef::List(items)) => items.len() as i64,
                Val::Json(JsonRef::Object(members)) => members.len() as i64,
                _ => return None,
            }),
            Ex::Default(of, other, falsy) => match of.eval(vars)? {
                Val::Undefined => other.eval(vars)?,
                value if *falsy && !value.is_true() => other.eval(vars)?,
                value => value,
            },
            Ex::IsDefined(of) => Val::Bool(!matches!(of.eval(vars)?, Val::Undefined)),
            Ex::IsNone(of) => Val::Bool(matches!(of.eval(vars)?, Val::Null)),
            Ex::IsBlank(of) => Val::Bool(match of.eval(vars)? {
                Val::Str(text) => text.trim().is_empty(),
                Val::Int(_) | Val::Float(_) => false,
                value => !value.is_true(),
            }),
        })
    }

    /// What a path into the data leads to, if it is one and that is there: nearly all are.
    fn member<'a>(&'a self, vars: &Vars<'a>) -> Option<&'a JsonRef<'a>> {
        match self {
            Ex::Data(name) => vars.data.get(name),
            Ex::Attr(of, name) => of.member(vars)?.get(name),
            Ex::Local(slot) => match vars.locals.get(*slot)? {
                Val::Json(value) => Some(value),
                _ => None,
            },
            _ => None,
        }
    }

    /// What a loop goes through.
    pub(super) fn items<'a>(&'a self, vars: &Vars<'a>) -> Option<&'a [JsonRef<'a>]> {
        match self.eval(vars)? {
            Val::Json(JsonRef::List(items)) => Some(items),
            Val::Null => Some(&[]),
            _ => None,
        }
    }

    pub(super) fn test(&self, vars: &Vars<'_>) -> Option<bool> {
        // Re-borrowed for the shorter life of a condition.
        self.eval(vars).map(|value| value.is_true())
    }
}

fn math(op: BinOpKind, left: &Val<'_>, right: &Val<'_>) -> Option<Val<'static>> {
    if let (Val::Str(left), Val::Str(right), BinOpKind::Add) = (left, right, op) {
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

/// Names that are not members of the data, innermost last.
pub(super) type Scope<'s> = Vec<(&'s str, usize)>;

/// Compiles an expression, or gives up on it.
pub(super) fn compile<'s>(expr: &Expr<'s>, scope: &Scope<'s>, in_loop: bool) -> Option<Ex> {
    let one = |expr: &Expr<'s>| compile(expr, scope, in_loop).map(Box::new);
    Some(match expr {
        Expr::Const(constant) => Ex::Const(constant_value(&constant.value)?),
        Expr::Var(var) => match scope.iter().rev().find(|(name, _)| *name == var.id) {
            Some((_, slot)) => Ex::Local(*slot),
            None if var.id == "loop" => return None,
            None => Ex::Data(var.id.into()),
        },
        Expr::GetAttr(attr) => match &attr.expr {
            Expr::Var(var) if var.id == "loop" && in_loop => Ex::Loop(match attr.name {
                "index" => LoopField::Index,
                "index0" => LoopField::Index0,
                "first" => LoopField::First,
                "last" => LoopField::Last,
                "length" => LoopField::Length,
                _ => return None,
            }),
            of => Ex::Attr(one(of)?, attr.name.into()),
        },
        Expr::GetItem(item) => Ex::Item(one(&item.expr)?, one(&item.subscript_expr)?),
        Expr::UnaryOp(unary) => match unary.op {
            UnaryOpKind::Not => Ex::Not(one(&unary.expr)?),
            UnaryOpKind::Neg => return None,
        },
        Expr::BinOp(binary) => {
            let (left, right) = (one(&binary.left)?, one(&binary.right)?);
            match binary.op {
                BinOpKind::ScAnd => Ex::And(left, right),
                BinOpKind::ScOr => Ex::Or(left, right),
                BinOpKind::Concat => {
                    let mut parts = match *left {
                        Ex::Concat(parts) => parts,
                        other => vec![other],
                    };
                    parts.push(*right);
                    Ex::Concat(parts)
                }
                BinOpKind::Eq => Ex::Compare(CompareOpKind::Eq, left, right),
                BinOpKind::Ne => Ex::Compare(CompareOpKind::Ne, left, right),
                BinOpKind::Lt => Ex::Compare(CompareOpKind::Lt, left, right),
                BinOpKind::Lte => Ex::Compare(CompareOpKind::Lte, left, right),
                BinOpKind::Gt => Ex::Compare(CompareOpKind::Gt, left, right),
                BinOpKind::Gte => Ex::Compare(CompareOpKind::Gte, left, right),
                BinOpKind::Add | BinOpKind::Sub | BinOpKind::Mul | BinOpKind::Div => {
                    Ex::Math(binary.op, left, right)
                }
                BinOpKind::FloorDiv | BinOpKind::Rem | BinOpKind::Pow | BinOpKind::In => {
                    return None;
                }
            }
        }
        Expr::Compare(compare) => match compare.ops.as_slice() {
            [op] => Ex::Compare(op.op, one(&compare.expr)?, one(&op.expr)?),
            _ => return None,
        },
        Expr::IfExpr(choice) => {
            let no = match &choice.false_expr {
                Some(expr) => Some(one(expr)?),
                None => None,
            };
            Ex::If(one(&choice.test_expr)?, one(&choice.true_expr)?, no)
        }
        Expr::Filter(filter) => {
            let of = one(filter.expr.as_ref()?)?;
            match (filter.name, filter.args.as_slice()) {
                ("string", []) => Ex::Text(of),
                ("length" | "count", []) => Ex::Length(of),
                ("default" | "d", [CallArg::Pos(other)]) => Ex::Default(of, one(other)?, false),
                ("default" | "d", [CallArg::Pos(other), CallArg::Pos(Expr::Const(falsy))]) => {
                    Ex::Default(of, one(other)?, falsy.value.is_true())
                }
                _ => return None,
            }
        }
        Expr::Test(test) => {
            let of = one(&test.expr)?;
            match (test.name, test.args.is_empty()) {
                ("defined", true) => Ex::IsDefined(of),
                ("undefined", true) => Ex::Not(Box::new(Ex::IsDefined(of))),
                ("none", true) => Ex::IsNone(of),
                ("blank", true) => Ex::IsBlank(of),
                _ => return None,
            }
        }
        Expr::Slice(_) | Expr::Call(_) | Expr::List(_) | Expr::Tuple(_) | Expr::Map(_) => {
            return None;
        }
    })
}

fn constant_value(value: &minijinja::Value) -> Option<Val<'static>> {
    Some(match value.kind() {
        ValueKind::None => Val::Null,
        ValueKind::Bool => Val::Bool(value.is_true()),
        ValueKind::Number if value.is_integer() => Val::Int(i64::try_from(value.clone()).ok()?),
        ValueKind::Number => Val::float(f64::try_from(value.clone()).ok()?),
        ValueKind::String => Val::Str(Cow::Owned(value.as_str()?.to_owned())),
        _ => return None,
    })
}

/// Writes a value as JSON, nulls left out as ChatKit's own server does.
pub(super) fn write_json(data: &JsonRef<'_>, out: &mut String) {
    match data {
        JsonRef::Null => out.push_str("null"),
        JsonRef::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        JsonRef::Number(number) => out.push_str(&number_text(number)),
        JsonRef::Text(text) => write_string(text, out),
        JsonRef::List(items) => {
            out.push('[');
            let start = out.len();
            for item in items.iter().filter(|item| **item != JsonRef::Null) {
                if out.len() > start {
                    out.push(',');
                }
                write_json(item, out);
            }
            out.push(']');
        }
        JsonRef::Object(members) => {
            out.push('{');
            let start = out.len();
            for (key, member) in members.iter().filter(|(_, member)| **member != JsonRef::Null) {
                if out.len() > start {
                    out.push(',');
                }
                write_string(key, out);
                out.push(':');
                write_json(member, out);
            }
            out.push('}');
        }
    }
}

/// Whether an expression certainly yields a number, whatever the data.
pub(super) fn is_number(expr: &Expr<'_>) -> bool {
    match expr {
        Expr::Const(constant) => constant.value.kind() == ValueKind::Number,
        Expr::BinOp(ast) => {
            let left = is_number(&ast.left) || is_number(&ast.right);
            match ast.op {
                BinOpKind::Add => left,
                BinOpKind::Sub | BinOpKind::Div | BinOpKind::FloorDiv | BinOpKind::Pow => true,
                _ => false,
            }
        }
        Expr::Filter(filter) => {
            matches!(filter.name, "length" | "count" | "int" | "float" | "round")
        }
        Expr::GetAttr(attr) => {
            matches!(&attr.expr, Expr::Var(var) if var.id == "loop")
                && matches!(attr.name, "index" | "index0" | "length" | "revindex" | "revindex0")
        }
        _ => false,
    }
}
