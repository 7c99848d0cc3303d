//! Solves conditions: the requirements under which they are met.

use minijinja::machinery::ast::{
    BinOpKind, CallArg, CompareOpKind, Expr, IfExpr, Test, UnaryOpKind,
};
use serde_json::Value;

use super::{Case, Collector, Demand, MAX_WAYS, Op, Want};
use crate::template::usage::Step;

/// An unknown condition: one solution without requirements.
fn unknown() -> Vec<Case> {
    vec![Case::new()]
}

/// Combines the requirements of one solution of each.
fn both(left: &[Case], right: &[Case]) -> Vec<Case> {
    let pairs =
        left.iter().flat_map(|left| right.iter().map(move |right| [&left[..], right].concat()));
    pairs.take(MAX_WAYS).collect()
}

/// The solutions of either, alternating, so that both are among the first.
fn either(left: Vec<Case>, right: Vec<Case>) -> Vec<Case> {
    let (mut left, mut right) = (left.into_iter(), right.into_iter());
    let mut ways = Vec::new();
    loop {
        let before = ways.len();
        ways.extend(left.next());
        ways.extend(right.next());
        if ways.len() == before || ways.len() >= MAX_WAYS {
            return ways;
        }
    }
}

impl<'t, 's> Collector<'t, 's> {
    /// The solutions for which a condition holds, or does not. `None` if it never can.
    pub(super) fn ways(&self, test: &'t Expr<'s>, holds: bool) -> Vec<Case> {
        match test {
            Expr::Const(constant) => {
                if constant.value.is_true() == holds {
                    unknown()
                } else {
                    Vec::new()
                }
            }
            Expr::UnaryOp(s) if matches!(s.op, UnaryOpKind::Not) => self.ways(&s.expr, !holds),
            Expr::BinOp(s) => {
                let op = match s.op {
                    BinOpKind::ScAnd | BinOpKind::ScOr => {
                        let (left, right) = (self.ways(&s.left, holds), self.ways(&s.right, holds));
                        let needs_both = matches!(s.op, BinOpKind::ScAnd) == holds;
                        return if needs_both { both(&left, &right) } else { either(left, right) };
                    }
                    BinOpKind::Eq => CompareOpKind::Eq,
                    BinOpKind::Ne => CompareOpKind::Ne,
                    BinOpKind::Lt => CompareOpKind::Lt,
                    BinOpKind::Lte => CompareOpKind::Lte,
                    BinOpKind::Gt => CompareOpKind::Gt,
                    BinOpKind::Gte => CompareOpKind::Gte,
                    BinOpKind::In => CompareOpKind::In,
                    _ => return self.truth(test, holds),
                };
                self.relation(&s.left, op, &s.right, holds)
            }
            Expr::Compare(s) => {
                let mut left = &s.expr;
                let mut all: Option<Vec<Case>> = None;
                for op in &s.ops {
                    let ways = self.relation(left, op.op, &op.expr, holds);
                    all = Some(match all {
                        None => ways,
                        Some(before) if holds => both(&before, &ways),
                        Some(before) => either(before, ways),
                    });
                    left = &op.expr;
                }
                all.unwrap_or_else(unknown)
            }
            Expr::Test(s) => self.test(s, holds),
            _ => self.truth(test, holds),
        }
    }

    /// The solutions for which two expressions compare this way, or do not.
    fn relation(
        &self,
        left: &'t Expr<'s>,
        op: CompareOpKind,
        right: &'t Expr<'s>,
        holds: bool,
    ) -> Vec<Case> {
        let op = match op {
            CompareOpKind::In => return self.membership(left, right, holds),
            CompareOpKind::NotIn => return self.membership(left, right, !holds),
            CompareOpKind::Eq => Op::Eq,
            CompareOpKind::Ne => Op::Ne,
            CompareOpKind::Lt => Op::Lt,
            CompareOpKind::Lte => Op::Le,
            CompareOpKind::Gt => Op::Gt,
            CompareOpKind::Gte => Op::Ge,
        };
        let op = if holds { op } else { op.negated() };
        if let Some(constant) = self.constant(right) {
            return self.compared(left, op, &constant);
        }
        if let Some(constant) = self.constant(left) {
            return self.compared(right, op.mirrored(), &constant);
        }
        match (self.path(left), self.path(right)) {
            (Some(path), Some(other)) => vec![vec![Demand { path, want: Want::Beside(op, other) }]],
            _ => unknown(),
        }
    }

    fn membership(&self, item: &'t Expr<'s>, list: &'t Expr<'s>, holds: bool) -> Vec<Case> {
        match (self.constant(item), self.constant(list)) {
            (None, Some(list)) => {
                let members: Vec<Value> = match list {
                    Value::Array(items) => items,
                    Value::Object(map) => map.keys().map(|key| Value::from(key.as_str())).collect(),
                    text => vec![text],
                };
                let members = members.iter().take(MAX_WAYS);
                if holds {
                    return members
                        .flat_map(|member| self.compared(item, Op::Eq, member))
                        .collect();
                }
                let others = members.map(|member| self.compared(item, Op::Ne, member));
                others.reduce(|all, ways| both(&all, &ways)).unwrap_or_else(unknown)
            }
            (Some(constant), None) => match self.path(list) {
                Some(path) => vec![vec![Demand { path, want: Want::Holds(constant, holds) }]],
                None => unknown(),
            },
            (None, None) => match (self.path(item), self.path(list)) {
                (Some(path), Some(mut other)) => {
                    other.push(Step::Each);
                    let op = if holds { Op::Eq } else { Op::Ne };
                    vec![vec![Demand { path, want: Want::Beside(op, other) }]]
                }
                _ => unknown(),
            },
            _ => unknown(),
        }
    }

    fn test(&self, test: &'t Test<'s>, holds: bool) -> Vec<Case> {
        let argument = test.args.first().and_then(|arg| match arg {
            CallArg::Pos(expr) => Some(expr),
            _ => None,
        });
        let at = |want: Want| match self.path(&test.expr) {
            Some(path) => vec![vec![Demand { path, want }]],
            None => unknown(),
        };
        let compare = |op: CompareOpKind| match argument {
            Some(argument) => self.relation(&test.expr, op, argument, holds),
            None => unknown(),
        };
        let equals = |value: i64| self.compared(&test.expr, Op::Eq, &Value::from(value));
        match test.name {
            "defined" => at(Want::Present(holds)),
            "undefined" => at(Want::Present(!holds)),
            "none" | "null" => either(
                self.compared(&test.expr, if holds { Op::Eq } else { Op::Ne }, &Value::Null),
                at(Want::Present(!holds)),
            ),
            "blank" => at(Want::Truth(!holds)),
            "true" | "false" => at(Want::Truth((test.name == "true") == holds)),
            "eq" | "equalto" | "==" => compare(CompareOpKind::Eq),
            "ne" | "!=" => compare(CompareOpKind::Ne),
            "lt" | "lessthan" | "<" => compare(CompareOpKind::Lt),
            "le" | "<=" => compare(CompareOpKind::Lte),
            "gt" | "greaterthan" | ">" => compare(CompareOpKind::Gt),
            "ge" | ">=" => compare(CompareOpKind::Gte),
            "in" => compare(CompareOpKind::In),
            "even" => equals(if holds { 2 } else { 1 }),
            "odd" => equals(if holds { 1 } else { 2 }),
            "divisibleby" => match argument.and_then(|by| self.constant(by)?.as_i64()) {
                Some(by) => equals(if holds { by } else { by + 1 }),
                None => unknown(),
            },
            "startingwith" | "endingwith" => match argument.and_then(|part| self.constant(part)) {
                Some(part) => at(Want::Holds(part, holds)),
                None => unknown(),
            },
            _ => unknown(),
        }
    }

    /// The solutions for which the value of an expression is truthy, or not.
    fn truth(&self, expr: &'t Expr<'s>, holds: bool) -> Vec<Case> {
        if let Some((path, part)) = self.text_method(expr) {
            return vec![vec![Demand { path, want: Want::Holds(part, holds) }]];
        }
        if let Some(ways) = self.loop_flag(expr, holds) {
            return ways;
        }
        match expr {
            Expr::Var(_) | Expr::GetAttr(_) | Expr::GetItem(_) | Expr::Slice(_) => {
                match self.path(expr) {
                    Some(path) => vec![vec![Demand { path, want: Want::Truth(holds) }]],
                    None => self
                        .follow(expr, |bound| Some(self.ways(bound, holds)))
                        .unwrap_or_else(unknown),
                }
            }
            Expr::Filter(s) if matches!(s.name, "default" | "d") => {
                let Some(inner) = &s.expr else { return unknown() };
                let ways = self.truth(inner, holds);
                let is_met = self.default_of(&s.args).is_some_and(|value| is_true(&value) == holds);
                let Some(path) = self.path(inner).filter(|_| is_met) else { return ways };
                either(ways, vec![vec![Demand { path, want: Want::Present(false) }]])
            }
            Expr::Filter(s) => match (s.name, &s.expr) {
                ("length" | "count", Some(_)) => {
                    self.compared(expr, if holds { Op::Gt } else { Op::Eq }, &Value::from(0))
                }
                (_, Some(inner)) => self.truth(inner, holds),
                (_, None) => unknown(),
            },
            Expr::BinOp(_) => {
                self.compared(expr, if holds { Op::Ne } else { Op::Eq }, &Value::from(0))
            }
            Expr::IfExpr(s) => {
                let yes = both(&self.ways(&s.test_expr, true), &self.ways(&s.true_expr, holds));
                let no = match &s.false_expr {
                    Some(expr) => self.ways(expr, holds),
                    None if holds => Vec::new(),
                    None => unknown(),
                };
                either(yes, both(&self.ways(&s.test_expr, false), &no))
            }
            _ => unknown(),
        }
    }

    /// The solutions for which a conditional expression compares this way with a constant.
    pub(super) fn compared_choice(
        &self,
        choice: &'t IfExpr<'s>,
        op: Op,
        constant: &Value,
    ) -> Vec<Case> {
        let yes = self.compared(&choice.true_expr, op, constant);
        let no = choice.false_expr.as_ref().map(|no| self.compared(no, op, constant));
        either(
            both(&self.ways(&choice.test_expr, true), &yes),
            both(&self.ways(&choice.test_expr, false), &no.unwrap_or_default()),
        )
    }
}

fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(map) => !map.is_empty(),
    }
}
