//! Rewrites the syntax tree before minijinja runs it.
//!
//! In the copy, everything that could grow without bound, or that minijinja prints in another way
//! than JSON does, goes through one of our functions (see [`super::filters`]): `a ~ b`, `+`, `*`, `%` and slices, list and
//! map literals, values printed inside a JSON string, values that are compared, and constant text inside
//! loops and captures, which then counts against the byte limit. Rewriting the tree keeps every span, so errors point
//! at the author's text; rewriting the source would not.

use minijinja::Value;
use minijinja::machinery::Span;
use minijinja::machinery::ast::*;

/// Names of our functions and filters. No template can call them, because `$` is not part of a name.
pub(super) const CONCAT: &str = "$concat";
pub(super) const ADD: &str = "$add";
pub(super) const MULTIPLY: &str = "$multiply";
pub(super) const REMAINDER: &str = "$remainder";
pub(super) const SLICE: &str = "$slice";
pub(super) const BOUNDED: &str = "$bounded";
pub(super) const QUOTED: &str = "$quoted";
pub(super) const DEFINED: &str = "$defined";
pub(super) const OR_NONE: &str = "$or_none";
pub(super) const METERED: &str = "$metered";
pub(super) const TICK: &str = "$tick";
pub(super) const ITERATED: &str = "$iterated";
pub(super) const HELD: &str = "$held";

/// The position in the JSON being written, as far as the constant parts show it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum JsonContext {
    /// Outside a string.
    Value,
    /// Inside a string.
    String,
    /// Inside a string, right after a backslash.
    Escape,
    /// Not known, because two branches end differently; values are escaped, to be safe.
    Unknown,
    /// Not in JSON: the template writes plain text.
    Prose,
}

impl JsonContext {
    /// The state after a piece of constant text.
    pub(super) fn after(self, raw: &str) -> JsonContext {
        raw.bytes().fold(self, |state, byte| match (state, byte) {
            (JsonContext::Value, b'"') => JsonContext::String,
            (JsonContext::String, b'"') => JsonContext::Value,
            (JsonContext::String, b'\\') => JsonContext::Escape,
            (JsonContext::Escape, _) => JsonContext::String,
            (state, _) => state,
        })
    }

    /// The state at the start of text that is kept for later.
    pub(super) fn of_capture(self) -> JsonContext {
        if self == JsonContext::Prose { self } else { JsonContext::Value }
    }

    /// Whether the printed value is inside a JSON string.
    pub(super) fn is_quoted(self) -> bool {
        matches!(self, JsonContext::String | JsonContext::Unknown)
    }

    pub(super) fn join(self, other: JsonContext) -> JsonContext {
        if self == other { self } else { JsonContext::Unknown }
    }
}

/// Copies the tree with the replacements above. `start` is [`JsonContext::Value`] for a template that
/// writes JSON, and [`JsonContext::Prose`] for one that writes plain text.
pub(super) fn rewrite<'s>(template: &Stmt<'s>, start: JsonContext) -> Stmt<'s> {
    Rewriter { context: start, metered: false }.stmt(template)
}

struct Rewriter {
    context: JsonContext,
    /// Inside a loop or a capture, where constant text must be counted.
    metered: bool,
}

impl Rewriter {
    fn body<'s>(&mut self, stmts: &[Stmt<'s>]) -> Vec<Stmt<'s>> {
        stmts.iter().map(|stmt| self.stmt(stmt)).collect()
    }

    fn metered<'s>(&mut self, start: JsonContext, stmts: &[Stmt<'s>]) -> Vec<Stmt<'s>> {
        let before = std::mem::replace(&mut self.metered, true);
        self.context = start;
        let body = self.body(stmts);
        self.metered = before;
        body
    }

    /// A body that runs many times. Every time checks the deadline, because a few slow steps use little
    /// fuel.
    fn round<'s>(&mut self, start: JsonContext, stmts: &[Stmt<'s>], span: Span) -> Vec<Stmt<'s>> {
        let mut body = self.metered(start, stmts);
        let tick = call(TICK, Vec::new(), span);
        body.insert(0, Stmt::EmitExpr(Spanned::new(EmitExpr { expr: tick }, span)));
        body
    }

    fn macro_decl<'s>(&mut self, source: &Macro<'s>, span: Span) -> Macro<'s> {
        let outside = self.context;
        let body = self.round(outside.of_capture(), &source.body, span);
        self.context = outside;
        Macro {
            name: source.name,
            args: source.args.iter().map(target).collect(),
            defaults: source.defaults.iter().map(copy).collect(),
            body,
        }
    }

    fn stmt<'s>(&mut self, stmt: &Stmt<'s>) -> Stmt<'s> {
        match stmt {
            Stmt::Template(s) => Stmt::Template(Spanned::new(
                Template { children: self.body(&s.children) },
                s.span(),
            )),
            Stmt::EmitExpr(s) => {
                let expr = copy(&s.expr);
                let expr = if self.context.is_quoted() { filter(QUOTED, expr) } else { expr };
                Stmt::EmitExpr(Spanned::new(EmitExpr { expr }, s.span()))
            }
            Stmt::EmitRaw(s) => {
                self.context = self.context.after(s.raw);
                if self.metered {
                    let expr = Expr::Const(Spanned::new(
                        Const { value: Value::from_safe_string(s.raw.to_owned()) },
                        s.span(),
                    ));
                    return Stmt::EmitExpr(Spanned::new(EmitExpr { expr }, s.span()));
                }
                Stmt::EmitRaw(Spanned::new(EmitRaw { raw: s.raw }, s.span()))
            }
            Stmt::ForLoop(s) => {
                let start = self.context;
                let body = self.round(start, &s.body, s.span());
                let end = self.context;
                let else_body = self.metered(start, &s.else_body);
                self.context = self.context.join(end).join(start);
                let node = ForLoop {
                    target: target(&s.target),
                    iter: filter(ITERATED, copy(&s.iter)),
                    filter_expr: s.filter_expr.as_ref().map(copy),
                    recursive: s.recursive,
                    body,
                    else_body,
                };
                Stmt::ForLoop(Spanned::new(node, s.span()))
            }
            Stmt::IfCond(s) => {
                let start = self.context;
                let true_body = self.body(&s.true_body);
                let end = std::mem::replace(&mut self.context, start);
                let false_body = self.body(&s.false_body);
                self.context = self.context.join(end);
                Stmt::IfCond(Spanned::new(
                    IfCond { expr: copy(&s.expr), true_body, false_body },
                    s.span(),
                ))
            }
            Stmt::WithBlock(s) => {
                let assignments = s.assignments.iter().map(|(t, e)| (target(t), copy(e))).collect();
                let body = self.body(&s.body);
                Stmt::WithBlock(Spanned::new(WithBlock { assignments, body }, s.span()))
            }
            Stmt::Set(s) => {
                // Only an attribute can make a value part of itself.
                let mut expr = copy(&s.expr);
                if let Expr::GetAttr(_) = &s.target {
                    expr = filter(HELD, expr);
                }
                let node = Set { target: target(&s.target), expr };
                Stmt::Set(Spanned::new(node, s.span()))
            }
            Stmt::SetBlock(s) => {
                let outside = self.context;
                let body = self.metered(outside.of_capture(), &s.body);
                self.context = outside;
                let filter = s.filter.as_ref().map(copy);
                Stmt::SetBlock(Spanned::new(
                    SetBlock { target: target(&s.target), filter, body },
                    s.span(),
                ))
            }
            Stmt::AutoEscape(s) => {
                let body = self.body(&s.body);
                Stmt::AutoEscape(Spanned::new(
                    AutoEscape { enabled: copy(&s.enabled), body },
                    s.span(),
                ))
            }
            Stmt::FilterBlock(s) => {
                let outside = self.context;
                // What is printed in it goes into the string around it.
                let body = self.metered(outside, &s.body);
                self.context = outside;
                Stmt::FilterBlock(Spanned::new(
                    FilterBlock { filter: copy(&s.filter), body },
                    s.span(),
                ))
            }
            // The parser refuses them.
            Stmt::Block(_)
            | Stmt::Import(_)
            | Stmt::FromImport(_)
            | Stmt::Extends(_)
            | Stmt::Include(_) => Stmt::EmitRaw(Spanned::new(EmitRaw { raw: "" }, Span::default())),
            Stmt::Macro(s) => Stmt::Macro(Spanned::new(self.macro_decl(s, s.span()), s.span())),
            Stmt::CallBlock(s) => {
                let call = Spanned::new(copy_call(&s.call), s.call.span());
                let decl = self.macro_decl(&s.macro_decl, s.span());
                let macro_decl = Spanned::new(decl, s.macro_decl.span());
                let block = Stmt::CallBlock(Spanned::new(CallBlock { call, macro_decl }, s.span()));
                if !self.context.is_quoted() {
                    return block;
                }
                let node = Filter { name: QUOTED, expr: None, args: Vec::new() };
                let filter = Expr::Filter(Spanned::new(node, s.span()));
                Stmt::FilterBlock(Spanned::new(FilterBlock { filter, body: vec![block] }, s.span()))
            }
            Stmt::Continue(s) => Stmt::Continue(Spanned::new(Continue, s.span())),
            Stmt::Break(s) => Stmt::Break(Spanned::new(Break, s.span())),
            Stmt::Do(s) => {
                let call = Spanned::new(copy_call(&s.call), s.call.span());
                Stmt::Do(Spanned::new(Do { call }, s.span()))
            }
        }
    }
}

/// The left side of an assignment, which must keep its form.
fn target<'s>(expr: &Expr<'s>) -> Expr<'s> {
    let all = |items: &[Expr<'s>]| items.iter().map(target).collect();
    match expr {
        Expr::List(s) => Expr::List(Spanned::new(List { items: all(&s.items) }, s.span())),
        Expr::Tuple(s) => Expr::Tuple(Spanned::new(Tuple { items: all(&s.items) }, s.span())),
        other => copy(other),
    }
}

fn copy<'s>(expr: &Expr<'s>) -> Expr<'s> {
    match expr {
        Expr::Var(s) => Expr::Var(Spanned::new(Var { id: s.id }, s.span())),
        Expr::Const(s) => Expr::Const(Spanned::new(Const { value: s.value.clone() }, s.span())),
        Expr::Slice(s) => {
            let bound = |bound: &Option<Expr<'s>>| match bound {
                Some(expr) => copy(expr),
                None => Expr::Const(Spanned::new(Const { value: Value::from(()) }, s.span())),
            };
            let operands = vec![copy(&s.expr), bound(&s.start), bound(&s.stop), bound(&s.step)];
            call(SLICE, operands, s.span())
        }
        Expr::UnaryOp(s) => {
            // The kind cannot be copied.
            #[allow(clippy::needless_match)]
            let op = match s.op {
                UnaryOpKind::Not => UnaryOpKind::Not,
                UnaryOpKind::Neg => UnaryOpKind::Neg,
            };
            Expr::UnaryOp(Spanned::new(UnaryOp { op, expr: copy(&s.expr) }, s.span()))
        }
        Expr::BinOp(s) => {
            let function = match s.op {
                BinOpKind::Concat => Some(CONCAT),
                BinOpKind::Add => Some(ADD),
                BinOpKind::Mul => Some(MULTIPLY),
                BinOpKind::Rem => Some(REMAINDER),
                _ => None,
            };
            let (mut left, mut right) = (copy(&s.left), copy(&s.right));
            match s.op {
                // Each operand is checked on its own, so that the error names the undefined one.
                BinOpKind::Concat => (left, right) = (defined(left), defined(right)),
                BinOpKind::Eq | BinOpKind::Ne => (left, right) = (or_none(left), or_none(right)),
                BinOpKind::In => left = or_none(left),
                _ => {}
            }
            match function {
                Some(name) => call(name, vec![left, right], s.span()),
                None => Expr::BinOp(Spanned::new(BinOp { op: s.op, left, right }, s.span())),
            }
        }
        Expr::Compare(s) => {
            let is_equality =
                |op: &CompareOp<'s>| matches!(op.op, CompareOpKind::Eq | CompareOpKind::Ne);
            let is_order = |op: &CompareOp<'s>| {
                !is_equality(op) && !matches!(op.op, CompareOpKind::In | CompareOpKind::NotIn)
            };
            let mut expr = copy(&s.expr);
            if s.ops.first().is_some_and(|op| !is_order(op)) {
                expr = or_none(expr);
            }
            let with = |op: &CompareOp<'s>| {
                let right = copy(&op.expr);
                CompareOp { op: op.op, expr: if is_equality(op) { or_none(right) } else { right } }
            };
            let ops = s.ops.iter().map(with).collect();
            Expr::Compare(Spanned::new(Compare { expr, ops }, s.span()))
        }
        Expr::IfExpr(s) => {
            let node = IfExpr {
                test_expr: copy(&s.test_expr),
                true_expr: copy(&s.true_expr),
                false_expr: s.false_expr.as_ref().map(copy),
            };
            Expr::IfExpr(Spanned::new(node, s.span()))
        }
        Expr::Filter(s) => {
            let node =
                Filter { name: s.name, expr: s.expr.as_ref().map(copy), args: args(&s.args) };
            let copied = Expr::Filter(Spanned::new(node, s.span()));
            // A filter block has no operand. These filters count their result themselves, or build
            // nothing.
            match s.name {
                "tojson" | "json" | "string" | "length" | "default" | "join" | "replace" => copied,
                _ if s.expr.is_none() => copied,
                _ => filter(METERED, copied),
            }
        }
        Expr::Test(s) => {
            let node = Test { name: s.name, expr: copy(&s.expr), args: args(&s.args) };
            Expr::Test(Spanned::new(node, s.span()))
        }
        Expr::GetAttr(s) => {
            Expr::GetAttr(Spanned::new(GetAttr { expr: copy(&s.expr), name: s.name }, s.span()))
        }
        Expr::GetItem(s) => {
            let node = GetItem { expr: copy(&s.expr), subscript_expr: copy(&s.subscript_expr) };
            Expr::GetItem(Spanned::new(node, s.span()))
        }
        Expr::Call(s) => filter(METERED, Expr::Call(Spanned::new(copy_call(s), s.span()))),
        Expr::List(s) => {
            let items = s.items.iter().map(copy).collect();
            filter(BOUNDED, Expr::List(Spanned::new(List { items }, s.span())))
        }
        Expr::Tuple(s) => {
            let items = s.items.iter().map(copy).collect();
            filter(BOUNDED, Expr::Tuple(Spanned::new(Tuple { items }, s.span())))
        }
        Expr::Map(s) => {
            let node = Map {
                keys: s.keys.iter().map(copy).collect(),
                values: s.values.iter().map(copy).collect(),
            };
            filter(BOUNDED, Expr::Map(Spanned::new(node, s.span())))
        }
    }
}

fn copy_call<'s>(source: &Call<'s>) -> Call<'s> {
    Call { expr: copy(&source.expr), args: args(&source.args) }
}

fn args<'s>(source: &[CallArg<'s>]) -> Vec<CallArg<'s>> {
    source
        .iter()
        .map(|arg| match arg {
            CallArg::Pos(e) => CallArg::Pos(copy(e)),
            CallArg::Kwarg(name, e) => CallArg::Kwarg(name, copy(e)),
            CallArg::PosSplat(e) => CallArg::PosSplat(copy(e)),
            CallArg::KwargSplat(e) => CallArg::KwargSplat(copy(e)),
        })
        .collect()
}

fn call<'s>(name: &'static str, operands: Vec<Expr<'s>>, span: Span) -> Expr<'s> {
    let expr = Expr::Var(Spanned::new(Var { id: name }, span));
    let args = operands.into_iter().map(CallArg::Pos).collect();
    Expr::Call(Spanned::new(Call { expr, args }, span))
}

fn defined(expr: Expr<'_>) -> Expr<'_> {
    match expr {
        Expr::Var(_) | Expr::GetAttr(_) | Expr::GetItem(_) => filter(DEFINED, expr),
        other => other,
    }
}

/// A comparison: an absent value equals none, as in Python, where absent optionals are None.
fn or_none(expr: Expr<'_>) -> Expr<'_> {
    match expr {
        Expr::Const(_) => expr,
        other => filter(OR_NONE, other),
    }
}

fn filter<'s>(name: &'static str, expr: Expr<'s>) -> Expr<'s> {
    let span = expr.span();
    Expr::Filter(Spanned::new(Filter { name, expr: Some(expr), args: Vec::new() }, span))
}
