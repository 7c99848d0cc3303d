//! Text templates: copy text, and the templates of hosts, compiled to the same kind of program as those
//! of trees. What they write is not checked, so the program is built from the statements themselves.

use std::sync::Arc;

use minijinja::machinery::ast::{Expr, Stmt};
use serde_json::Value;

use super::build::Builder;
use super::engine::Engine;
use super::expr::COMMA_CAPTURE;
use super::jinja::{self, Jinja, Writes};
use super::marked::has_marks;
use super::program::{LazyProgram, Loop, Op, PrintAs, Program};
use super::rewrite::JsonContext;
use super::skeleton::{is_strip, json_operand};
use crate::error::Result;
use crate::json::JsonRef;
use crate::limits::Limits;

/// A template whose output is not checked.
#[derive(Debug)]
pub struct TextTemplate {
    writes: Writes,
    program: LazyProgram,
    jinja: Jinja,
}

impl TextTemplate {
    /// Parses a template; the range of an error refers to its text.
    pub fn read(source: &Arc<str>, writes: Writes) -> Result<Self> {
        jinja::parse(source)?;
        let jinja = Jinja::new(Arc::clone(source), writes);
        Ok(Self { writes, program: LazyProgram::default(), jinja })
    }

    /// The output for this data.
    pub fn render(&self, engine: &Engine, data: &JsonRef<'_>) -> Result<String> {
        engine.run(|| {
            let is_clean = self.writes != Writes::Marked || !has_marks(data);
            let program = self.program(&engine.limits).filter(|_| is_clean);
            match program.and_then(|program| program.run(data, &engine.limits)) {
                Some(text) => Ok(text),
                None => self.jinja.render_rest(engine, data),
            }
        })
    }

    /// Renders like [`TextTemplate::render`], by the general engine alone.
    pub fn render_slowly(&self, engine: &Engine, data: &Value) -> Result<String> {
        self.jinja.render(engine, data)
    }

    /// Whether the fast path can render it.
    pub fn is_fast(&self, limits: &Limits) -> bool {
        self.program(limits).is_some()
    }

    fn program(&self, limits: &Limits) -> Option<&Program> {
        self.program.get(limits, || {
            let Stmt::Template(template) = jinja::parse(&self.jinja.source).ok()? else {
                return None;
            };
            let mut builder = Builder::default();
            builder.statements(&template.children, self.writes, self.writes.start())?;
            let program = Program::new(builder.block.ops, builder.locals, false);
            Some(Program { is_prose: self.writes == Writes::Prose, ..program })
        })
    }
}

impl<'s> Builder<'s> {
    /// Compiles statements at a position in the JSON; returns the position after them.
    fn statements(
        &mut self,
        stmts: &[Stmt<'s>],
        writes: Writes,
        mut context: JsonContext,
    ) -> Option<JsonContext> {
        let mut stmts = stmts.iter();
        while let Some(stmt) = stmts.next() {
            match stmt {
                Stmt::EmitRaw(s) => {
                    context = context.after(s.raw);
                    self.raw(s.raw);
                }
                Stmt::EmitExpr(s) => self.print(&s.expr, writes, context)?,
                Stmt::IfCond(s) => {
                    let branches = [&s.true_body, &s.false_body];
                    let build = |b: &mut Self, body: &Vec<_>| b.inner(body, writes, context);
                    let [yes, no] = self.choice(&s.expr, branches, build)?;
                    context = yes.join(no);
                }
                Stmt::ForLoop(s) => {
                    let Expr::Var(target) = &s.target else { return None };
                    // The general engine runs those.
                    if s.filter_expr.is_some() || s.recursive {
                        return None;
                    }
                    let list = self.expr(&s.iter)?;
                    let (body, (slot, end)) = self.in_block(true, |b| {
                        Some((b.local(target.id), b.statements(&s.body, writes, context)?))
                    })?;
                    let (otherwise, other) =
                        self.in_block(false, |b| b.inner(&s.else_body, writes, context))?;
                    let (body, otherwise) = (body.ops, otherwise.ops);
                    let each = Loop { list, slot, nodes: 0, body, otherwise };
                    self.block.ops.push(Op::For(Box::new(each)));
                    context = context.join(end).join(other);
                }
                Stmt::Set(s) => {
                    let Expr::Var(var) = &s.target else { return None };
                    let value = self.expr(&s.expr)?;
                    let slot = self.local(var.id);
                    self.block.ops.push(Op::Set(slot, value));
                }
                Stmt::SetBlock(s) if s.filter.is_none() && !context.is_quoted() => {
                    let Expr::Var(var) = &s.target else { return None };
                    let Some(Stmt::EmitExpr(emit)) = stmts.next() else { return None };
                    if var.id != COMMA_CAPTURE || !is_strip(&emit.expr, var.id) {
                        return None;
                    }
                    let start = context.of_capture();
                    let (body, _) = self.in_block(false, |b| b.inner(&s.body, writes, start))?;
                    self.block.ops.push(Op::Strip(body.ops));
                }
                _ => return None,
            }
        }
        Some(context)
    }

    /// Compiles a branch or a capture: a name that is set there would be seen after it.
    fn inner(
        &mut self,
        stmts: &[Stmt<'s>],
        writes: Writes,
        context: JsonContext,
    ) -> Option<JsonContext> {
        let sets = stmts.iter().any(|stmt| matches!(stmt, Stmt::Set(_)));
        if sets { None } else { self.statements(stmts, writes, context) }
    }

    fn print(&mut self, expr: &Expr<'s>, writes: Writes, context: JsonContext) -> Option<()> {
        let is_marked = writes == Writes::Marked;
        let (expr, how) = match (json_operand(expr), context.is_quoted()) {
            (None, true) if is_marked => (expr, PrintAs::Marked),
            (None, true) => (expr, PrintAs::Quoted { is_folded: false }),
            (None, false) => (expr, PrintAs::Plain),
            (Some(of), false) => (of, PrintAs::Json { is_marked }),
            (Some(_), true) => return None,
        };
        let expr = self.expr(expr)?;
        self.block.ops.push(Op::Print(expr, how));
        Some(())
    }
}
