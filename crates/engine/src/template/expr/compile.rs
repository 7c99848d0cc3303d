//! Compiles parsed Jinja expressions.

use std::borrow::Cow;

use minijinja::machinery::ast::{
    BinOp, BinOpKind, CallArg, CompareOpKind, Expr, Filter as FilterCall, GetAttr, Test,
    UnaryOpKind,
};
use minijinja::value::ValueKind;

use super::eval::{Ex, Filter, LoopField};
use super::value::Val;

/// Names other than data, innermost last, each with the index of its variable.
pub(in crate::template) type Scope<'s> = Vec<(&'s str, usize)>;

/// The variable of Studio's idiom for commas, which programs do not set.
pub(in crate::template) const COMMA_CAPTURE: &str = "_c";

/// Compiles an expression, or returns `None`.
pub(in crate::template) fn compile<'s>(
    expr: &Expr<'s>,
    scope: &Scope<'s>,
    in_loop: bool,
) -> Option<Ex> {
    Compiler { scope, in_loop }.expr(expr)
}

struct Compiler<'c, 's> {
    scope: &'c Scope<'s>,
    in_loop: bool,
}

impl<'s> Compiler<'_, 's> {
    fn boxed(&self, expr: &Expr<'s>) -> Option<Box<Ex>> {
        self.expr(expr).map(Box::new)
    }

    fn optional(&self, expr: &Option<Expr<'s>>) -> Option<Option<Box<Ex>>> {
        expr.as_ref().map_or(Some(None), |expr| self.boxed(expr).map(Some))
    }

    fn expr(&self, expr: &Expr<'s>) -> Option<Ex> {
        Some(match expr {
            Expr::Const(_) => Ex::Const(constant(expr)?),
            Expr::Var(var) => self.variable(var.id)?,
            Expr::GetAttr(attr) => self.attribute(attr)?,
            Expr::GetItem(item) => match &item.expr {
                Expr::Map(map) => {
                    let entries = map.keys.iter().zip(&map.values).map(|(key, value)| {
                        let Val::Str(key) = constant(key)? else { return None };
                        Some((key.into(), constant(value)?))
                    });
                    Ex::Lookup(entries.collect::<Option<_>>()?, self.boxed(&item.subscript_expr)?)
                }
                of => Ex::Item(self.boxed(of)?, self.boxed(&item.subscript_expr)?),
            },
            Expr::Slice(slice) if slice.step.is_none() => Ex::Slice(
                self.boxed(&slice.expr)?,
                self.optional(&slice.start)?,
                self.optional(&slice.stop)?,
            ),
            Expr::UnaryOp(unary) => match unary.op {
                UnaryOpKind::Not => Ex::Not(self.boxed(&unary.expr)?),
                UnaryOpKind::Neg => {
                    let zero = Box::new(Ex::Const(Val::Int(0)));
                    Ex::Math(BinOpKind::Sub, zero, self.boxed(&unary.expr)?)
                }
            },
            Expr::BinOp(binary) => self.operator(binary)?,
            Expr::Compare(compare) => match compare.ops.as_slice() {
                [op] => Ex::Compare(op.op, self.boxed(&compare.expr)?, self.boxed(&op.expr)?),
                _ => return None,
            },
            Expr::IfExpr(choice) => Ex::If(
                self.boxed(&choice.test_expr)?,
                self.boxed(&choice.true_expr)?,
                self.optional(&choice.false_expr)?,
            ),
            Expr::Filter(filter) => self.filter(filter)?,
            Expr::Test(test) => self.test(test)?,
            Expr::Slice(_) | Expr::Call(_) | Expr::List(_) | Expr::Tuple(_) | Expr::Map(_) => {
                return None;
            }
        })
    }

    fn variable(&self, name: &str) -> Option<Ex> {
        match self.scope.iter().rev().find(|(known, _)| *known == name) {
            _ if matches!(name, "loop" | COMMA_CAPTURE) => None,
            Some((_, slot)) => Some(Ex::Local(*slot)),
            None => Some(Ex::Data(name.into())),
        }
    }

    fn attribute(&self, attr: &GetAttr<'s>) -> Option<Ex> {
        match &attr.expr {
            Expr::Var(var) if var.id == "loop" && self.in_loop => Some(Ex::Loop(match attr.name {
                "index" => LoopField::Index,
                "index0" => LoopField::Index0,
                "first" => LoopField::First,
                "last" => LoopField::Last,
                "length" => LoopField::Length,
                _ => return None,
            })),
            of => Some(Ex::Attr(self.boxed(of)?, attr.name.into())),
        }
    }

    fn operator(&self, binary: &BinOp<'s>) -> Option<Ex> {
        if let (BinOpKind::In, Expr::List(list)) = (binary.op, &binary.right)
            && !list.items.is_empty()
        {
            let items = list.items.iter().map(constant).collect::<Option<_>>()?;
            return Some(Ex::In(self.boxed(&binary.left)?, items));
        }
        let (left, right) = (self.boxed(&binary.left)?, self.boxed(&binary.right)?);
        Some(match binary.op {
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
            BinOpKind::FloorDiv | BinOpKind::Rem | BinOpKind::Pow | BinOpKind::In => return None,
        })
    }

    fn filter(&self, call: &FilterCall<'s>) -> Option<Ex> {
        let of = self.boxed(call.expr.as_ref()?)?;
        let filter = match (call.name, call.args.as_slice()) {
            ("string", []) => Filter::String,
            ("length" | "count", []) => Filter::Length,
            ("join", []) => Filter::Join(None),
            ("join", [CallArg::Pos(glue)]) => Filter::Join(Some(self.boxed(glue)?)),
            ("replace", [CallArg::Pos(from), CallArg::Pos(to)]) => {
                Filter::Replace(self.boxed(from)?, self.boxed(to)?)
            }
            ("lower", []) => Filter::Lower,
            ("upper", []) => Filter::Upper,
            ("trim", []) => Filter::Trim,
            ("default" | "d", [CallArg::Pos(other)]) => Filter::Default(self.boxed(other)?, false),
            ("default" | "d", [CallArg::Pos(other), CallArg::Pos(Expr::Const(falsy))]) => {
                Filter::Default(self.boxed(other)?, falsy.value.is_true())
            }
            _ => return None,
        };
        Some(Ex::Filter(filter, of))
    }

    fn test(&self, test: &Test<'s>) -> Option<Ex> {
        if !test.args.is_empty() {
            return None;
        }
        let of = self.boxed(&test.expr)?;
        Some(match test.name {
            "defined" => Ex::Filter(Filter::IsDefined, of),
            "undefined" => Ex::Not(Box::new(Ex::Filter(Filter::IsDefined, of))),
            "none" => Ex::Filter(Filter::IsNone, of),
            "blank" => Ex::Filter(Filter::IsBlank, of),
            _ => return None,
        })
    }
}

fn constant(expr: &Expr<'_>) -> Option<Val<'static>> {
    let Expr::Const(constant) = expr else { return None };
    let value = &constant.value;
    Some(match value.kind() {
        ValueKind::None => Val::Null,
        ValueKind::Bool => Val::Bool(value.is_true()),
        ValueKind::Number if value.is_integer() => Val::Int(i64::try_from(value.clone()).ok()?),
        ValueKind::Number => Val::float(f64::try_from(value.clone()).ok()?),
        ValueKind::String => Val::Str(Cow::Owned(value.as_str()?.to_owned())),
        _ => return None,
    })
}

/// Whether an expression always yields a number.
pub(in crate::template) fn is_number(expr: &Expr<'_>) -> bool {
    match expr {
        Expr::Const(constant) => constant.value.kind() == ValueKind::Number,
        Expr::BinOp(binary) => match binary.op {
            BinOpKind::Add => {
                let is_text = |expr: &Expr<'_>| matches!(expr, Expr::Const(constant) if constant.value.as_str().is_some());
                (is_number(&binary.left) || is_number(&binary.right))
                    && !is_text(&binary.left)
                    && !is_text(&binary.right)
            }
            BinOpKind::Sub | BinOpKind::Div | BinOpKind::FloorDiv | BinOpKind::Pow => true,
            _ => false,
        },
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
