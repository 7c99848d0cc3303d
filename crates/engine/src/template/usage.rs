//! The data that a template uses, from which schemas are inferred, and undeclared and unused variables are
//! found.

use std::ops::Range;

use minijinja::machinery::Span;
use minijinja::machinery::ast::{Call, CallArg, Expr, Macro, Stmt};

/// One use of the data.
#[derive(Debug, Clone)]
pub struct Use {
    /// The path from the root of the data.
    pub path: Vec<Step>,
    /// The range in the template.
    pub range: Range<usize>,
    /// The loops around it, outermost first, each as the offset at which the expression of its list
    /// ends.
    pub loops: Vec<usize>,
    /// Whether a condition around it tests the same path.
    pub guarded: bool,
}

/// One step into the data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A member of an object.
    Key(String),
    /// Any item of a list.
    Each,
}

/// Everything a template uses, and the names of the functions, filters and tests it calls.
#[derive(Debug, Default)]
pub struct Usage {
    /// The uses of the data.
    pub uses: Vec<Use>,
    /// Functions that the template does not define, and where they are called.
    pub functions: Vec<(String, Range<usize>)>,
    /// Methods, and where they are called.
    pub methods: Vec<(String, Range<usize>)>,
    /// Filters, and where they are called.
    pub filters: Vec<(String, Range<usize>)>,
    /// Tests, and where they are called.
    pub tests: Vec<(String, Range<usize>)>,
    /// Variables that are set in a loop and read after it, where they have lost their value. Where they are
    /// set.
    pub lost: Vec<(String, Range<usize>)>,
    /// Maximum nesting of blocks and expressions.
    pub depth: usize,
}

/// Reads a parsed template.
pub(super) fn usage(template: &Stmt<'_>) -> Usage {
    walk(template, true)
}

/// Like the above, but without the uses of the data, which are the most expensive part.
pub(super) fn calls(template: &Stmt<'_>) -> Usage {
    walk(template, false)
}

fn walk(template: &Stmt<'_>, paths: bool) -> Usage {
    let mut walk = Walk {
        paths,
        found: Usage::default(),
        scope: Vec::new(),
        loops: Vec::new(),
        guards: Vec::new(),
        reads: Vec::new(),
        sums: Vec::new(),
        depth: 0,
    };
    walk.stmt(template);
    walk.found
}

fn span_of(span: Span) -> Range<usize> {
    span.start_offset as usize..span.end_offset as usize
}

/// A variable that a loop updates, and its place.
struct Sum<'s> {
    name: &'s str,
    range: Range<usize>,
    /// Whether the loop has ended.
    is_over: bool,
}

struct Walk<'s> {
    found: Usage,
    /// Whether uses of the data are collected.
    paths: bool,
    /// Names that the template defines, with the path of the data that they stand for.
    scope: Vec<(&'s str, Option<Vec<Step>>)>,
    loops: Vec<usize>,
    /// Paths tested by the enclosing conditions.
    guards: Vec<Vec<Step>>,
    /// The variables that are read, in order.
    reads: Vec<&'s str>,
    sums: Vec<Sum<'s>>,
    depth: usize,
}

impl<'s> Walk<'s> {
    fn body(&mut self, stmts: &[Stmt<'s>]) {
        stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn scoped(&mut self, f: impl FnOnce(&mut Self)) {
        let names = self.scope.len();
        f(self);
        self.scope.truncate(names);
    }

    fn stmt(&mut self, stmt: &Stmt<'s>) {
        self.depth += 1;
        self.found.depth = self.found.depth.max(self.depth);
        match stmt {
            Stmt::Template(s) => self.body(&s.children),
            Stmt::EmitExpr(s) => self.expr(&s.expr),
            Stmt::EmitRaw(_) | Stmt::Continue(_) | Stmt::Break(_) => {}
            // The parser refuses them.
            Stmt::Block(_)
            | Stmt::Import(_)
            | Stmt::FromImport(_)
            | Stmt::Extends(_)
            | Stmt::Include(_) => {}
            Stmt::ForLoop(s) => {
                self.expr(&s.iter);
                let list = self.resolve(&s.iter).map(|mut path| {
                    path.push(Step::Each);
                    path
                });
                let head = s.iter.span().end_offset as usize;
                self.scoped(|walk| {
                    walk.scope.push(("loop", None));
                    walk.bind(&s.target, list.as_ref());
                    walk.loops.push(head);
                    s.filter_expr.iter().for_each(|expr| walk.expr(expr));
                    let sums = walk.sums.len();
                    walk.body(&s.body);
                    walk.loops.pop();
                    // An iteration sees its own assignments; only after it are they lost.
                    walk.sums[sums..].iter_mut().for_each(|sum| sum.is_over = true);
                });
                self.body(&s.else_body);
            }
            Stmt::IfCond(s) => self.guarded(&s.expr, |walk| {
                walk.body(&s.true_body);
                walk.body(&s.false_body);
            }),
            Stmt::WithBlock(s) => self.scoped(|walk| {
                for (target, expr) in &s.assignments {
                    walk.expr(expr);
                    let path = walk.resolve(expr);
                    walk.bind(target, path.as_ref());
                }
                walk.body(&s.body);
            }),
            Stmt::Set(s) => {
                let before = self.reads.len();
                self.expr(&s.expr);
                if let Expr::Var(var) = &s.target {
                    self.set(var.id, before, span_of(s.span()));
                }
                let path = self.resolve(&s.expr);
                self.bind(&s.target, path.as_ref());
            }
            Stmt::SetBlock(s) => {
                self.scoped(|walk| walk.body(&s.body));
                self.bind(&s.target, None);
            }
            Stmt::AutoEscape(s) => self.body(&s.body),
            Stmt::FilterBlock(s) => {
                self.expr(&s.filter);
                self.body(&s.body);
            }
            Stmt::Do(s) => {
                self.expr(&s.call.expr);
                self.args(&s.call.args);
            }
            Stmt::Macro(s) => {
                // Before its body, which may call it.
                self.scope.push((s.name, None));
                self.macro_body(s);
            }
            Stmt::CallBlock(s) => {
                self.call(&s.call, span_of(s.call.span()));
                self.macro_body(&s.macro_decl);
            }
        }
        self.depth -= 1;
    }

    fn macro_body(&mut self, decl: &Macro<'s>) {
        decl.defaults.iter().for_each(|expr| self.expr(expr));
        self.scoped(|walk| {
            walk.scope.push(("caller", None));
            decl.args.iter().for_each(|arg| walk.bind(arg, None));
            walk.body(&decl.body);
        });
    }

    /// Records an assignment; `before` is the number of reads before the new value.
    fn set(&mut self, name: &'s str, before: usize, range: Range<usize>) {
        if self.loops.is_empty() {
            // The value from the loop is overwritten intentionally.
            self.sums.retain(|sum| sum.name != name);
        } else if self.reads[before..].contains(&name) {
            self.sums.push(Sum { name, range, is_over: false });
        }
    }

    /// Walks a condition, then its branches.
    fn guarded(&mut self, test: &Expr<'s>, f: impl FnOnce(&mut Self)) {
        let before = self.found.uses.len();
        self.expr(test);
        let guards = self.guards.len();
        self.guards.extend(self.found.uses[before..].iter().map(|found| found.path.clone()));
        f(self);
        self.guards.truncate(guards);
    }

    fn bind(&mut self, target: &Expr<'s>, path: Option<&Vec<Step>>) {
        match target {
            Expr::Var(var) => self.scope.push((var.id, path.cloned())),
            Expr::Tuple(list) => list.items.iter().for_each(|item| self.bind(item, None)),
            Expr::List(list) => list.items.iter().for_each(|item| self.bind(item, None)),
            _ => {}
        }
    }

    /// The path of the data that an expression refers to.
    fn resolve(&self, expr: &Expr<'s>) -> Option<Vec<Step>> {
        if !self.paths {
            return None;
        }
        match expr {
            Expr::Var(var) => match self.scope.iter().rev().find(|(name, _)| *name == var.id) {
                Some((_, path)) => path.clone(),
                None => Some(vec![Step::Key(var.id.to_owned())]),
            },
            Expr::GetAttr(attr) => {
                let mut path = self.resolve(&attr.expr)?;
                path.push(Step::Key(attr.name.to_owned()));
                Some(path)
            }
            Expr::GetItem(item) => {
                let mut path = self.resolve(&item.expr)?;
                match &item.subscript_expr {
                    Expr::Const(key) => path.push(match key.value.as_str() {
                        Some(key) => Step::Key(key.to_owned()),
                        None => Step::Each,
                    }),
                    _ => return None,
                }
                Some(path)
            }
            Expr::Slice(slice) => self.resolve(&slice.expr),
            _ => None,
        }
    }

    fn expr(&mut self, expr: &Expr<'s>) {
        self.depth += 1;
        self.found.depth = self.found.depth.max(self.depth);
        self.visit(expr);
        self.depth -= 1;
    }

    fn visit(&mut self, expr: &Expr<'s>) {
        let range = span_of(expr.span());
        if let Expr::Var(var) = expr {
            self.reads.push(var.id);
            let is_lost = |sum: &Sum<'_>| sum.is_over && sum.name == var.id;
            if let Some(at) = self.sums.iter().position(is_lost) {
                self.found.lost.push((var.id.to_owned(), self.sums.remove(at).range));
            }
        }
        if let Expr::Var(_) | Expr::GetAttr(_) | Expr::GetItem(_) = expr
            && let Some(path) = self.resolve(expr)
        {
            let guarded = self.guards.contains(&path);
            let loops = self.loops.clone();
            self.found.uses.push(Use { path, range: range.clone(), loops, guarded });
        }
        match expr {
            Expr::Var(_) | Expr::Const(_) => {}
            Expr::GetAttr(attr) if self.resolve(expr).is_none() => self.expr(&attr.expr),
            Expr::GetAttr(_) => {}
            Expr::GetItem(item) => {
                if self.resolve(expr).is_none() {
                    self.expr(&item.expr);
                }
                self.expr(&item.subscript_expr);
            }
            Expr::Slice(slice) => {
                self.expr(&slice.expr);
                for part in [&slice.start, &slice.stop, &slice.step].into_iter().flatten() {
                    self.expr(part);
                }
            }
            Expr::UnaryOp(unary) => self.expr(&unary.expr),
            Expr::BinOp(binary) => self.guarded(&binary.left, |walk| walk.expr(&binary.right)),
            Expr::Compare(compare) => {
                self.expr(&compare.expr);
                compare.ops.iter().for_each(|op| self.expr(&op.expr));
            }
            Expr::IfExpr(choice) => self.guarded(&choice.test_expr, |walk| {
                walk.expr(&choice.true_expr);
                choice.false_expr.iter().for_each(|expr| walk.expr(expr));
            }),
            Expr::Filter(filter) => {
                self.found.filters.push((filter.name.to_owned(), range));
                filter.expr.iter().for_each(|expr| self.expr(expr));
                self.args(&filter.args);
            }
            Expr::Test(test) => {
                self.found.tests.push((test.name.to_owned(), range));
                self.expr(&test.expr);
                self.args(&test.args);
            }
            Expr::Call(call) => self.call(call, range),
            Expr::List(list) => list.items.iter().for_each(|item| self.expr(item)),
            Expr::Tuple(list) => list.items.iter().for_each(|item| self.expr(item)),
            Expr::Map(map) => map.keys.iter().chain(&map.values).for_each(|item| self.expr(item)),
        }
    }

    fn call(&mut self, call: &Call<'s>, range: Range<usize>) {
        match &call.expr {
            // A function, not a value of the data.
            Expr::Var(var) => {
                if !self.scope.iter().any(|(name, _)| *name == var.id) {
                    self.found.functions.push((var.id.to_owned(), range));
                }
            }
            Expr::GetAttr(method) => {
                self.found.methods.push((method.name.to_owned(), range));
                self.expr(&method.expr);
            }
            other => self.expr(other),
        }
        self.args(&call.args);
    }

    fn args(&mut self, args: &[CallArg<'s>]) {
        for arg in args {
            match arg {
                CallArg::Pos(expr) | CallArg::Kwarg(_, expr) => self.expr(expr),
                CallArg::PosSplat(expr) | CallArg::KwargSplat(expr) => self.expr(expr),
            }
        }
    }
}
