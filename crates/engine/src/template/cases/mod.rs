//! The cases that a template distinguishes in the data: for each branch, what its conditions require. A
//! checker generates inputs from them, to render every branch. This is best effort: an unknown condition
//! requires nothing, and the checker validates its inputs.

mod condition;
mod operand;

use std::cell::Cell;

use minijinja::machinery::ast::{BinOpKind, CallArg, Expr, Stmt};
use serde_json::Value;

use super::usage::Step;

/// Maximum cases of one template.
const MAX_CASES: usize = 300;
/// Maximum solutions of one condition.
const MAX_WAYS: usize = 12;
/// Maximum solutions of a branch for which its inner branches are walked.
const MAX_WALKED: usize = 3;
/// Maximum requirements of a case that may still have several solutions.
const FEW_DEMANDS: usize = 4;
/// Maximum aliases that are resolved in a row, and in total: aliases may refer to each other.
const MAX_FOLLOWING: usize = 8;
const MAX_FOLLOWED: usize = 20_000;

/// The requirements on the data for one branch; all of them must be met.
pub type Case = Vec<Demand>;

/// A requirement on one path of the data.
#[derive(Debug, Clone, PartialEq)]
pub struct Demand {
    /// The path from the root of the data; in a list, it refers to every item.
    pub path: Vec<Step>,
    /// The requirement.
    pub want: Want,
}

/// What a template requires of a value.
#[derive(Debug, Clone, PartialEq)]
pub enum Want {
    /// It compares this way with a constant.
    Value(Op, Value),
    /// Its length compares this way with a number.
    Length(Op, i64),
    /// It compares this way with another path of the data.
    Beside(Op, Vec<Step>),
    /// It contains this item or text, or does not.
    Holds(Value, bool),
    /// It is truthy, or not: empty, zero and absent values are falsy.
    Truth(bool),
    /// It exists, or does not.
    Present(bool),
    /// It is used in the branch; any value may cause an error there.
    Used,
}

/// A comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

impl Op {
    /// Whether the comparison holds for two values; values of different types are only unequal.
    pub fn holds(self, left: &Value, right: &Value) -> bool {
        let order = match (left, right) {
            (Value::Number(a), Value::Number(b)) => a.as_f64().partial_cmp(&b.as_f64()),
            (Value::String(a), Value::String(b)) => Some(a.cmp(b)),
            _ => None,
        };
        match (self, order) {
            (Op::Eq, Some(order)) => order.is_eq(),
            (Op::Ne, Some(order)) => order.is_ne(),
            (Op::Lt, Some(order)) => order.is_lt(),
            (Op::Le, Some(order)) => order.is_le(),
            (Op::Gt, Some(order)) => order.is_gt(),
            (Op::Ge, Some(order)) => order.is_ge(),
            (Op::Eq, None) => left == right,
            (Op::Ne, None) => left != right,
            _ => false,
        }
    }

    /// The negated comparison.
    fn negated(self) -> Self {
        match self {
            Op::Eq => Op::Ne,
            Op::Ne => Op::Eq,
            Op::Lt => Op::Ge,
            Op::Le => Op::Gt,
            Op::Gt => Op::Le,
            Op::Ge => Op::Lt,
        }
    }

    /// The comparison with swapped sides.
    fn mirrored(self) -> Self {
        match self {
            Op::Lt => Op::Gt,
            Op::Le => Op::Ge,
            Op::Gt => Op::Lt,
            Op::Ge => Op::Le,
            same => same,
        }
    }
}

/// The cases of a parsed template, in its order.
pub(super) fn cases(template: &Stmt<'_>) -> Vec<Case> {
    let mut collector = Collector::default();
    collector.branch(&[], |collector| collector.stmt(template));
    collector.cases
}

/// The definition of a template's own name.
#[derive(Clone)]
enum Bound<'t, 's> {
    /// A path of the data.
    Path(Vec<Step>),
    /// The value of an expression.
    Expr(&'t Expr<'s>),
    /// Something else.
    Unknown,
}

/// Walks a template, and collects the cases of its branches.
#[derive(Default)]
struct Collector<'t, 's> {
    cases: Vec<Case>,
    /// The requirements of the current branch.
    demands: Case,
    /// The uses in the current branch, without inner branches.
    used: Vec<Vec<Step>>,
    scope: Vec<(&'s str, Bound<'t, 's>)>,
    /// The lists of the enclosing loops, if they are data.
    loops: Vec<Option<Vec<Step>>>,
    in_condition: bool,
    /// The number of aliases being resolved.
    following: Cell<usize>,
    /// The number of resolved aliases.
    followed: Cell<usize>,
}

impl<'t, 's> Collector<'t, 's> {
    /// Adds a case: the requirements so far, and further ones.
    fn add(&mut self, more: &[Demand]) {
        let case: Case = self.demands.iter().chain(more).cloned().collect();
        if self.cases.len() < MAX_CASES && !case.is_empty() && !self.cases.contains(&case) {
            self.cases.push(case);
        }
    }

    /// Walks a branch under these requirements.
    fn branch(&mut self, demands: &[Demand], walk: impl FnOnce(&mut Self)) {
        let (outer, names) = (self.demands.len(), self.scope.len());
        let used = std::mem::take(&mut self.used);
        self.demands.extend(demands.iter().cloned());
        walk(self);
        let here = std::mem::replace(&mut self.used, used);
        let here: Case = here.into_iter().map(|path| Demand { path, want: Want::Used }).collect();
        self.add(&here);
        self.demands.truncate(outer);
        self.scope.truncate(names);
    }

    /// Walks the branch for which a condition holds, or does not.
    fn either(&mut self, test: &'t Expr<'s>, holds: bool, walk: &mut dyn FnMut(&mut Self)) {
        let ways = self.ways(test, holds);
        let most = if self.demands.len() < FEW_DEMANDS { MAX_WALKED } else { 1 };
        for (index, way) in ways.iter().enumerate() {
            if index < most && self.cases.len() < MAX_CASES {
                self.branch(way, &mut *walk);
            } else {
                self.add(way);
            }
        }
        // A branch that appears unreachable is walked as well.
        if ways.is_empty() {
            self.branch(&[], walk);
        }
    }

    fn body(&mut self, stmts: &'t [Stmt<'s>]) {
        stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &'t Stmt<'s>) {
        match stmt {
            Stmt::Template(s) => self.body(&s.children),
            Stmt::EmitExpr(s) => self.expr(&s.expr),
            Stmt::ForLoop(s) => {
                self.expr(&s.iter);
                let list = self.path(&s.iter);
                let demand = |want: Want| -> Case {
                    list.iter()
                        .map(|path| Demand { path: path.clone(), want: want.clone() })
                        .collect()
                };
                let (some, none) = (demand(Want::Truth(true)), demand(Want::Truth(false)));
                self.add(&demand(Want::Length(Op::Eq, 1)));
                self.add(&demand(Want::Length(Op::Eq, 2)));
                self.loops.push(list.clone());
                self.branch(&some, |walk| {
                    let each = list.clone().map(|mut path| {
                        path.push(Step::Each);
                        path
                    });
                    walk.bind(&s.target, each.map_or(Bound::Unknown, Bound::Path));
                    match &s.filter_expr {
                        Some(test) => {
                            walk.condition(test);
                            walk.either(test, true, &mut |walk| walk.body(&s.body));
                        }
                        None => walk.body(&s.body),
                    }
                });
                self.loops.pop();
                self.branch(&none, |walk| walk.body(&s.else_body));
            }
            Stmt::IfCond(s) => {
                self.condition(&s.expr);
                self.either(&s.expr, true, &mut |walk| walk.body(&s.true_body));
                self.either(&s.expr, false, &mut |walk| walk.body(&s.false_body));
            }
            Stmt::WithBlock(s) => {
                let names = self.scope.len();
                for (target, expr) in &s.assignments {
                    self.expr(expr);
                    self.bind(target, Bound::Expr(expr));
                }
                self.body(&s.body);
                self.scope.truncate(names);
            }
            Stmt::Set(s) => {
                self.expr(&s.expr);
                self.bind(&s.target, Bound::Expr(&s.expr));
            }
            Stmt::SetBlock(s) => {
                self.body(&s.body);
                self.bind(&s.target, Bound::Unknown);
            }
            Stmt::AutoEscape(s) => self.body(&s.body),
            Stmt::FilterBlock(s) => self.body(&s.body),
            Stmt::Do(s) => self.args(&s.call.args),
            _ => {}
        }
    }

    fn bind(&mut self, target: &Expr<'s>, bound: Bound<'t, 's>) {
        match target {
            Expr::Var(var) => self.scope.push((var.id, bound)),
            Expr::Tuple(list) => list.items.iter().for_each(|item| self.bind(item, Bound::Unknown)),
            Expr::List(list) => list.items.iter().for_each(|item| self.bind(item, Bound::Unknown)),
            _ => {}
        }
    }

    /// Adds the cases of an expression.
    fn expr(&mut self, expr: &'t Expr<'s>) {
        if let Expr::Var(_) | Expr::GetAttr(_) | Expr::GetItem(_) = expr
            && let Some(path) = self.path(expr)
            && !self.used.contains(&path)
        {
            self.used.push(path);
        }
        match expr {
            Expr::Var(_) | Expr::Const(_) => {}
            Expr::GetAttr(s) => self.expr(&s.expr),
            Expr::GetItem(s) => {
                self.expr(&s.expr);
                self.expr(&s.subscript_expr);
                self.indexed(&s.expr, &s.subscript_expr);
            }
            Expr::Slice(s) => self.expr(&s.expr),
            Expr::UnaryOp(s) => self.expr(&s.expr),
            Expr::BinOp(s) => match s.op {
                BinOpKind::ScAnd | BinOpKind::ScOr => {
                    self.expr(&s.left);
                    let holds = matches!(s.op, BinOpKind::ScAnd);
                    let is_plain =
                        matches!(s.right, Expr::Compare(_) | Expr::Test(_) | Expr::Var(_));
                    match self.in_condition && is_plain {
                        true => self.expr(&s.right),
                        false => self.either(&s.left, holds, &mut |walk| walk.expr(&s.right)),
                    }
                    self.tested(expr);
                }
                op => {
                    self.expr(&s.left);
                    self.expr(&s.right);
                    if let BinOpKind::Div | BinOpKind::FloorDiv | BinOpKind::Rem = op {
                        let zero = self.compared(&s.right, Op::Eq, &Value::from(0));
                        zero.iter().for_each(|way| self.add(way));
                    }
                    self.tested(expr);
                }
            },
            Expr::Compare(s) => {
                self.expr(&s.expr);
                s.ops.iter().for_each(|op| self.expr(&op.expr));
                self.tested(expr);
            }
            Expr::IfExpr(s) => {
                self.condition(&s.test_expr);
                self.either(&s.test_expr, true, &mut |walk| walk.expr(&s.true_expr));
                self.either(&s.test_expr, false, &mut |walk| {
                    s.false_expr.iter().for_each(|expr| walk.expr(expr));
                });
            }
            Expr::Filter(s) => {
                let Some(inner) = &s.expr else { return };
                self.expr(inner);
                self.args(&s.args);
                let Some(path) = self.path(inner) else { return };
                match s.name {
                    "default" | "d" => self.add(&[Demand { path, want: Want::Present(false) }]),
                    "first" | "last" | "min" | "max" | "random" => {
                        self.add(&[Demand { path, want: Want::Truth(false) }]);
                    }
                    _ => {}
                }
            }
            Expr::Test(s) => {
                self.expr(&s.expr);
                self.args(&s.args);
                self.tested(expr);
            }
            Expr::Call(s) => {
                match &s.expr {
                    Expr::GetAttr(method) => self.expr(&method.expr),
                    Expr::Var(_) => {}
                    other => self.expr(other),
                }
                self.args(&s.args);
                self.tested(expr);
            }
            Expr::List(s) => s.items.iter().for_each(|item| self.expr(item)),
            Expr::Tuple(s) => s.items.iter().for_each(|item| self.expr(item)),
            Expr::Map(s) => s.keys.iter().chain(&s.values).for_each(|item| self.expr(item)),
        }
    }

    fn args(&mut self, args: &'t [CallArg<'s>]) {
        for arg in args {
            match arg {
                CallArg::Pos(expr) | CallArg::Kwarg(_, expr) => self.expr(expr),
                CallArg::PosSplat(expr) | CallArg::KwargSplat(expr) => self.expr(expr),
            }
        }
    }

    /// Adds the cases of the subexpressions of a condition. Those of the condition itself are its branches.
    fn condition(&mut self, test: &'t Expr<'s>) {
        let outer = std::mem::replace(&mut self.in_condition, true);
        self.expr(test);
        self.in_condition = outer;
    }

    /// Adds a case in which a comparison or test holds, and one in which it does not.
    fn tested(&mut self, expr: &'t Expr<'s>) {
        if self.in_condition {
            return;
        }
        for holds in [true, false] {
            for way in self.ways(expr, holds) {
                self.add(&way);
            }
        }
    }

    /// Adds the cases of a lookup: an index inside and outside the list, each key of a literal map, and a
    /// missing key.
    fn indexed(&mut self, list: &'t Expr<'s>, index: &'t Expr<'s>) {
        if let Some(map) = self.constant(list).and_then(|map| map.as_object().cloned()) {
            let key = |op, key: &String| self.compared(index, op, &Value::from(key.as_str()));
            let keys: Vec<Case> = map.keys().take(MAX_WAYS).flat_map(|k| key(Op::Eq, k)).collect();
            let other: Case = map.keys().flat_map(|k| key(Op::Ne, k)).flatten().collect();
            keys.iter().for_each(|way| self.add(way));
            self.add(&other);
            return;
        }
        let Some(path) = self.path(list) else { return };
        let lengths = match self.constant(index).and_then(|index| index.as_i64()) {
            Some(index) if index >= 0 => [index, index + 1],
            Some(index) => [-index - 1, -index],
            None => [0, 1],
        };
        for length in lengths {
            self.add(&[Demand { path: path.clone(), want: Want::Length(Op::Eq, length) }]);
        }
        if let Some(index) = self.path(index) {
            for number in [0, 1, 1_000] {
                let want = Want::Value(Op::Eq, Value::from(number));
                self.add(&[Demand { path: index.clone(), want }]);
            }
        }
    }
}
