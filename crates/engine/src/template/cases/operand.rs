//! Maps an expression to the path of the data that it depends on, and the required value.

use minijinja::machinery::ast::{BinOp, BinOpKind, CallArg, Expr, UnaryOpKind};
use serde_json::{Number, Value};

use super::{Bound, Case, Collector, Demand, MAX_FOLLOWED, MAX_FOLLOWING, Op, Want};
use crate::template::usage::Step;

/// Filters that return a list or a text with the same members, or some of them.
const SAME: [&str; 12] = [
    "list",
    "sort",
    "reverse",
    "unique",
    "trim",
    "string",
    "lower",
    "upper",
    "title",
    "capitalize",
    "dictsort",
    "items",
];

fn number(value: f64) -> Option<Value> {
    const WHOLE: f64 = 9e15;
    if value.fract() == 0.0 && value.abs() < WHOLE {
        return Some(Value::from(value as i64));
    }
    Number::from_f64(value).map(Value::Number)
}

impl<'t, 's> Collector<'t, 's> {
    /// The constant value of an expression.
    pub(super) fn constant(&self, expr: &Expr<'s>) -> Option<Value> {
        let value = match expr {
            Expr::Var(_) => return self.follow(expr, |bound| self.constant(bound)),
            other => other.as_const()?,
        };
        serde_json::to_value(value).ok()
    }

    /// Resolves an alias to its expression.
    pub(super) fn follow<T>(
        &self,
        expr: &Expr<'s>,
        look: impl FnOnce(&'t Expr<'s>) -> Option<T>,
    ) -> Option<T> {
        let Expr::Var(var) = expr else { return None };
        let (_, Bound::Expr(bound)) = self.scope.iter().rev().find(|(name, _)| *name == var.id)?
        else {
            return None;
        };
        let depth = self.following.get();
        if depth >= MAX_FOLLOWING || self.followed.get() >= MAX_FOLLOWED {
            return None;
        }
        self.followed.set(self.followed.get() + 1);
        self.following.set(depth + 1);
        let found = look(bound);
        self.following.set(depth);
        found
    }

    /// The path of the data that an expression refers to, or depends on.
    pub(super) fn path(&self, expr: &Expr<'s>) -> Option<Vec<Step>> {
        match expr {
            Expr::Var(var) => match self.scope.iter().rev().find(|(name, _)| *name == var.id) {
                Some((_, Bound::Path(path))) => Some(path.clone()),
                Some(_) => self.follow(expr, |bound| self.path(bound)),
                None if var.id == "loop" => None,
                None => Some(vec![Step::Key(var.id.to_owned())]),
            },
            Expr::GetAttr(attr) => {
                let mut path = self.path(&attr.expr)?;
                path.push(Step::Key(attr.name.to_owned()));
                Some(path)
            }
            Expr::GetItem(item) => {
                if self.constant(&item.expr).is_some() {
                    return None;
                }
                let mut path = self.path(&item.expr)?;
                path.push(match self.constant(&item.subscript_expr) {
                    Some(Value::String(key)) => Step::Key(key),
                    _ => Step::Each,
                });
                Some(path)
            }
            Expr::Slice(slice) => self.path(&slice.expr),
            Expr::Filter(filter) => {
                let mut path = self.path(filter.expr.as_ref()?)?;
                match filter.name {
                    "default" | "d" => {}
                    "first" | "last" | "min" | "max" | "sum" | "map" | "selectattr"
                    | "rejectattr" | "select" | "reject" => {
                        let attribute = filter.args.iter().find_map(|arg| match arg {
                            CallArg::Pos(expr) if filter.name.ends_with("attr") => {
                                self.constant(expr)
                            }
                            CallArg::Kwarg("attribute", expr) => self.constant(expr),
                            _ => None,
                        });
                        // The result is still the list.
                        if !matches!(filter.name, "select" | "reject" | "selectattr" | "rejectattr")
                        {
                            path.push(Step::Each);
                            if let Some(Value::String(name)) = attribute {
                                path.extend(name.split('.').map(|key| Step::Key(key.to_owned())));
                            }
                        }
                    }
                    name if SAME.contains(&name) => {}
                    _ => return None,
                }
                Some(path)
            }
            Expr::Call(call) => {
                let Expr::GetAttr(method) = &call.expr else { return None };
                let mut path = self.path(&method.expr)?;
                match (method.name, call.args.first()) {
                    ("get", Some(CallArg::Pos(key))) => {
                        path.push(Step::Key(self.constant(key)?.as_str()?.to_owned()));
                    }
                    ("items" | "values", None) => {}
                    ("lower" | "upper" | "strip" | "title" | "capitalize", None) => {}
                    _ => return None,
                }
                Some(path)
            }
            _ => None,
        }
    }

    /// The solutions for which an expression compares this way with a constant. `None` if it never can.
    pub(super) fn compared(&self, expr: &'t Expr<'s>, op: Op, constant: &Value) -> Vec<Case> {
        let unknown = || vec![Case::new()];
        let at = |want: Want| match self.path(expr) {
            Some(path) => vec![vec![Demand { path, want }]],
            None => unknown(),
        };
        if let Some(value) = self.constant(expr) {
            return if op.holds(&value, constant) { unknown() } else { Vec::new() };
        }
        if let Some((path, index)) = self.loop_number(expr, constant) {
            // All iterations up to this one run.
            let op = if matches!(op, Op::Eq) { Op::Ge } else { op };
            return vec![vec![Demand { path, want: Want::Length(op, index) }]];
        }
        match expr {
            Expr::Var(_) => self
                .follow(expr, |bound| Some(self.compared(bound, op, constant)))
                .unwrap_or_else(|| at(Want::Value(op, constant.clone()))),
            Expr::UnaryOp(s) if matches!(s.op, UnaryOpKind::Neg) => match constant.as_f64() {
                Some(value) => match number(-value) {
                    Some(value) => self.compared(&s.expr, op.mirrored(), &value),
                    None => unknown(),
                },
                None => unknown(),
            },
            Expr::BinOp(s) => self.computed(s, op, constant).unwrap_or_else(unknown),
            Expr::IfExpr(s) => self.compared_choice(s, op, constant),
            Expr::GetItem(s) => match self.constant(&s.expr) {
                Some(Value::Object(map)) => {
                    let keys = map.iter().filter(|(_, value)| op.holds(value, constant));
                    let key = |(key, _): (&String, _)| {
                        self.compared(&s.subscript_expr, Op::Eq, &Value::from(key.as_str()))
                    };
                    keys.flat_map(key).collect()
                }
                _ => at(Want::Value(op, constant.clone())),
            },
            Expr::Filter(s) => {
                let Some(inner) = &s.expr else { return unknown() };
                match s.name {
                    "length" | "count" => match (self.path(inner), constant.as_f64()) {
                        (Some(path), Some(length)) => {
                            let want = Want::Length(op, length.floor() as i64);
                            vec![vec![Demand { path, want }]]
                        }
                        _ => unknown(),
                    },
                    "default" | "d" => {
                        let mut ways = self.compared(inner, op, constant);
                        let default = self.default_of(&s.args);
                        if default.is_some_and(|value| op.holds(&value, constant))
                            && let Some(path) = self.path(inner)
                        {
                            ways.push(vec![Demand { path, want: Want::Present(false) }]);
                        }
                        ways
                    }
                    "int" | "float" | "round" | "abs" | "string" | "number" => {
                        let mut ways = self.compared(inner, op, constant);
                        ways.extend(
                            converted(constant).iter().flat_map(|c| self.compared(inner, op, c)),
                        );
                        ways
                    }
                    _ => match self.path(expr) {
                        Some(_) => at(Want::Value(op, constant.clone())),
                        None => self.compared(inner, op, constant),
                    },
                }
            }
            _ => at(Want::Value(op, constant.clone())),
        }
    }

    /// Solves arithmetic with one unknown operand.
    fn computed(&self, s: &'t BinOp<'s>, op: Op, constant: &Value) -> Option<Vec<Case>> {
        let target = constant.as_f64()?;
        let (left, right) = (self.constant(&s.left), self.constant(&s.right));
        let (left, right) = (left.and_then(|v| v.as_f64()), right.and_then(|v| v.as_f64()));
        let solve = |expr, op: Op, value: f64| Some(self.compared(expr, op, &number(value)?));
        let turned = |by: f64| if by < 0.0 { op.mirrored() } else { op };
        match (s.op, left, right) {
            (BinOpKind::Add, None, Some(by)) => solve(&s.left, op, target - by),
            (BinOpKind::Add, Some(by), None) => solve(&s.right, op, target - by),
            (BinOpKind::Sub, None, Some(by)) => solve(&s.left, op, target + by),
            (BinOpKind::Sub, Some(from), None) => solve(&s.right, op.mirrored(), from - target),
            (BinOpKind::Mul, None, Some(by)) if by != 0.0 => {
                solve(&s.left, turned(by), target / by)
            }
            (BinOpKind::Mul, Some(by), None) if by != 0.0 => {
                solve(&s.right, turned(by), target / by)
            }
            (BinOpKind::Div | BinOpKind::FloorDiv, None, Some(by)) => {
                solve(&s.left, turned(by), target * by)
            }
            (BinOpKind::Rem, None, Some(by)) => {
                let rests = (0..by.abs().min(20.0) as i64)
                    .filter(|rest| op.holds(&Value::from(*rest), constant));
                let values = rests.flat_map(|rest| [rest, rest + by as i64]);
                Some(
                    values
                        .flat_map(|value| self.compared(&s.left, Op::Eq, &Value::from(value)))
                        .collect(),
                )
            }
            (BinOpKind::Sub, None, None) if target == 0.0 => {
                let (path, other) = (self.path(&s.left)?, self.path(&s.right)?);
                Some(vec![vec![Demand { path, want: Want::Beside(op, other) }]])
            }
            (BinOpKind::Add | BinOpKind::Sub | BinOpKind::Mul, None, None) => {
                Some(self.compared(&s.left, op, constant))
            }
            _ => None,
        }
    }

    /// The result of `default` for an absent value.
    pub(super) fn default_of(&self, args: &[CallArg<'s>]) -> Option<Value> {
        match args.first() {
            Some(CallArg::Pos(expr)) => self.constant(expr),
            None => Some(Value::from("")),
            _ => None,
        }
    }

    /// `text.startswith("…")` and similar methods: the text, and the argument.
    pub(super) fn text_method(&self, expr: &Expr<'s>) -> Option<(Vec<Step>, Value)> {
        let Expr::Call(call) = expr else { return None };
        let Expr::GetAttr(method) = &call.expr else { return None };
        let Some(CallArg::Pos(part)) = call.args.first() else { return None };
        let asks = ["startswith", "endswith", "find", "count"].contains(&method.name);
        Some((self.path(&method.expr)?, self.constant(part)?)).filter(|_| asks)
    }

    /// The list of the innermost loop, and its length in the iteration in which a number of `loop` has this
    /// value.
    fn loop_number(&self, expr: &Expr<'s>, constant: &Value) -> Option<(Vec<Step>, i64)> {
        let (list, name) = self.loop_member(expr)?;
        let value = constant.as_i64()?;
        match name {
            "index" | "revindex" | "length" => Some((list, value)),
            "index0" | "revindex0" => Some((list, value + 1)),
            _ => None,
        }
    }

    /// The solutions for which `loop.first` or `loop.last` has this value in some iteration.
    pub(super) fn loop_flag(&self, expr: &Expr<'s>, holds: bool) -> Option<Vec<Case>> {
        let (path, name) = self.loop_member(expr)?;
        let least = if holds { 1 } else { 2 };
        ["first", "last"]
            .contains(&name)
            .then(|| vec![vec![Demand { path, want: Want::Length(Op::Ge, least) }]])
    }

    fn loop_member(&self, expr: &Expr<'s>) -> Option<(Vec<Step>, &'s str)> {
        let Expr::GetAttr(attr) = expr else { return None };
        let Expr::Var(var) = &attr.expr else { return None };
        let list = self.loops.last()?.clone()?;
        (var.id == "loop").then_some((list, attr.name))
    }
}

/// A number as text, or a text that is one as a number.
fn converted(constant: &Value) -> Option<Value> {
    match constant {
        Value::Number(number) => Some(Value::from(number.to_string())),
        Value::String(text) => number(text.parse().ok()?),
        _ => None,
    }
}
