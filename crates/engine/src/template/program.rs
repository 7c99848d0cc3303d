//! The fast path: a short program that writes checked JSON directly. Constant parts are prepared text. A hole
//! is checked against the type of its prop while it is written. If anything is unusual (a value of another
//! type, an undefined variable, a limit), the program gives up and the general engine renders from the start,
//! so only one engine explains faults.

use std::sync::OnceLock;

use super::expr::{Ex, Val, Vars, write_json};
use super::fold_events::{FoldEvent, FoldWriter};
use super::marked::DATA;
use crate::budget;
use crate::json::{JsonRef, write_escaped, write_string};
use crate::limits::Limits;
use crate::outline::Roles;
use crate::tree::Key;
use crate::tree::component::{Component, Want};
use crate::tree::{accepts, accepts_child};

#[derive(Debug)]
pub(crate) struct Program {
    pub(super) ops: Vec<Op>,
    pub(super) locals: usize,
    /// The approximate size of its output.
    pub(super) output_size: usize,
    /// The approximate number of values that the fold reads; `None` if the fold must parse the JSON.
    pub(super) fold_size: Option<usize>,
    /// Whether it writes text for users.
    pub(super) is_prose: bool,
}

/// A program, compiled on first use; `None` if the template does not suit the fast path.
#[derive(Debug, Default)]
pub(super) struct LazyProgram(OnceLock<Option<Program>>);

impl LazyProgram {
    pub(super) fn get(
        &self,
        limits: &Limits,
        compile: impl FnOnce() -> Option<Program>,
    ) -> Option<&Program> {
        match self.0.get() {
            Some(program) => program.as_ref(),
            None => self.compile(limits, compile),
        }
    }

    /// Compiles the program, as a part of the work that needs it. No one waits for another who does the
    /// same, and a thread of the runtime leaves it to a worker.
    #[cold]
    fn compile(
        &self,
        limits: &Limits,
        compile: impl FnOnce() -> Option<Program>,
    ) -> Option<&Program> {
        budget::blocking().ok()?;
        let compiled = budget::at_most(limits.steps / 4, compile);
        // What is too large for the fast path is rendered by the general engine, but work that was
        // interrupted says nothing about the template.
        let program = match compiled {
            Err(_) if budget::exceeded().is_some() => return None,
            compiled => compiled.ok().flatten(),
        };
        self.0.get_or_init(|| program).as_ref()
    }
}

#[derive(Debug)]
pub(super) enum Op {
    /// Prepared text, and its events for the fold.
    Raw(String, Vec<FoldEvent>),
    /// A comma, unless nothing precedes it in the list.
    Comma,
    /// A printed value.
    Value(Box<Hole>),
    /// A value printed into a text.
    Print(Ex, PrintAs),
    /// The output of these, without a leading comma.
    Strip(Vec<Op>),
    Set(usize, Ex),
    If(Box<(Ex, Vec<Op>, Vec<Op>)>),
    For(Box<Loop>),
}

/// The conversion of a value printed into a text.
#[derive(Debug, Clone, Copy)]
pub(super) enum PrintAs {
    /// Verbatim.
    Plain,
    /// Inside a JSON string, and whether the fold reads that string.
    Quoted { is_folded: bool },
    /// Inside a JSON string, and marked as data.
    Marked,
    /// As JSON, of which a text may be marked as data.
    Json { is_marked: bool },
}

#[derive(Debug)]
pub(super) struct Hole {
    pub(super) expr: Ex,
    pub(super) want: HoleWant,
    /// Printed with `tojson`; without it, a string would be raw JSON, which the program cannot check.
    pub(super) json: bool,
    /// Text before the value: possibly a comma, and the key. Nothing is written if the value is null.
    pub(super) comma: Sep,
    pub(super) key: Box<str>,
    /// The key by which the fold reads it, if any.
    pub(super) fold_key: Option<Key>,
    /// Whether null is a fault, which the general engine reports.
    pub(super) required: bool,
}

#[derive(Debug)]
pub(super) enum HoleWant {
    Prop(Want),
    Child(&'static Component),
}

#[derive(Debug)]
pub(super) struct Loop {
    pub(super) list: Ex,
    pub(super) slot: usize,
    /// The number of components per iteration.
    pub(super) nodes: usize,
    pub(super) body: Vec<Op>,
    /// What runs if the list is empty.
    pub(super) otherwise: Vec<Op>,
}

/// Whether the list is empty at a point in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sep {
    Empty,
    Some,
    Unknown,
}

impl Sep {
    /// After one of two blocks with these states.
    pub(super) fn of([yes, no]: [Self; 2]) -> Self {
        if yes == no { yes } else { Self::Unknown }
    }
}

impl Program {
    /// A program of these operations, with this many variables; `can_fold` is whether its events contain
    /// everything that the fold reads.
    pub(super) fn new(mut ops: Vec<Op>, locals: usize, can_fold: bool) -> Self {
        let (output_size, values) = size(&ops);
        trim(&mut ops, can_fold);
        // A loop counts as four iterations, so nested loops are overestimated.
        let fold_size = can_fold.then_some(values.min(1 << 12));
        Self { ops, locals, output_size, fold_size, is_prose: false }
    }

    /// Renders, or gives up.
    pub(crate) fn run(&self, data: &JsonRef<'_>, limits: &Limits) -> Option<String> {
        self.start(data, limits, None)?.output()
    }

    /// Renders, or gives up; with the folded text, if the program has events for all of it.
    pub(crate) fn run_with_text(
        &self,
        data: &JsonRef<'_>,
        limits: &Limits,
        roles: &Roles,
    ) -> Option<(String, Option<String>)> {
        let fold = self.fold_size.map(FoldWriter::with_capacity);
        let mut run = self.start(data, limits, fold)?;
        let fold = run.fold.take();
        Some((run.output()?, fold.map(|fold| fold.into_text(roles))))
    }

    fn start<'a>(
        &'a self,
        data: &'a JsonRef<'a>,
        limits: &'a Limits,
        fold: Option<FoldWriter<'a>>,
    ) -> Option<Run<'a>> {
        let vars = Vars::new(data, self.locals, self.is_prose)?;
        // Includes room for the reply around it.
        let out = String::with_capacity(self.output_size + self.output_size / 4 + 1024);
        let mut run = Run { vars, out, nodes: 0, limits, fold };
        run.ops(&self.ops)?;
        Some(run)
    }
}

/// Frees the memory that building left unused, and events that no one reads.
fn trim(ops: &mut Vec<Op>, can_fold: bool) {
    ops.shrink_to_fit();
    for op in ops {
        match op {
            Op::Raw(text, events) => {
                text.shrink_to_fit();
                events.truncate(if can_fold { events.len() } else { 0 });
                events.shrink_to_fit();
            }
            Op::If(parts) => {
                trim(&mut parts.1, can_fold);
                trim(&mut parts.2, can_fold);
            }
            Op::For(each) => {
                trim(&mut each.body, can_fold);
                trim(&mut each.otherwise, can_fold);
            }
            Op::Strip(body) => trim(body, can_fold),
            Op::Comma | Op::Value(_) | Op::Print(..) | Op::Set(..) => {}
        }
    }
}

/// The approximate size of the output, and number of values that the fold reads.
fn size(ops: &[Op]) -> (usize, usize) {
    let each = ops.iter().map(|op| match op {
        Op::Raw(text, events) => (text.len(), events.len()),
        Op::If(parts) => {
            let (yes, no) = (size(&parts.1), size(&parts.2));
            (yes.0.max(no.0), yes.1.max(no.1))
        }
        Op::For(each) => {
            let (bytes, values) = size(&each.body);
            (bytes * 4, values * 4)
        }
        Op::Strip(body) => size(body),
        _ => (24, 1),
    });
    each.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
}

struct Run<'a> {
    vars: Vars<'a>,
    out: String,
    nodes: usize,
    limits: &'a Limits,
    /// Set to `None` by a value without an event.
    fold: Option<FoldWriter<'a>>,
}

impl<'a> Run<'a> {
    fn output(self) -> Option<String> {
        budget::bytes(self.out.len()).ok()?;
        (self.out.len() <= self.limits.output_bytes).then_some(self.out)
    }

    fn ops(&mut self, ops: &'a [Op]) -> Option<()> {
        for op in ops {
            match op {
                Op::Raw(text, events) => {
                    self.out.push_str(text);
                    if let Some(fold) = &mut self.fold {
                        fold.events(events);
                    }
                }
                Op::Comma => self.comma(),
                Op::Value(hole) => self.value(hole)?,
                Op::Print(expr, how) => self.print(expr.eval(&self.vars)?, *how)?,
                Op::Strip(body) => {
                    let start = self.out.len();
                    self.ops(body)?;
                    if self.out[start..].starts_with(',') {
                        self.out.remove(start);
                    }
                }
                Op::Set(slot, expr) => self.vars.locals[*slot] = expr.eval(&self.vars)?,
                Op::If(branch) => {
                    let (test, yes, no) = &**branch;
                    self.ops(if test.test(&self.vars)? { yes } else { no })?;
                }
                Op::For(each) => self.each(each)?,
            }
        }
        Some(())
    }

    /// Output that ends in an opening bracket has an empty list or object; a string ends in a quote.
    fn comma(&mut self) {
        if !self.out.ends_with(['[', '{']) {
            self.out.push(',');
        }
    }

    fn print(&mut self, value: Val<'a>, how: PrintAs) -> Option<()> {
        match (how, value) {
            (PrintAs::Json { is_marked: false }, Val::Str(text)) => {
                write_string(&text, &mut self.out);
            }
            (PrintAs::Json { is_marked: true }, Val::Str(text)) => {
                self.out.push('"');
                self.print(Val::Str(text), PrintAs::Marked)?;
                self.out.push('"');
            }
            (PrintAs::Json { is_marked: false }, Val::Json(value)) => {
                write_json(value, true, &mut self.out);
            }
            (PrintAs::Json { .. }, Val::Undefined | Val::Nothing) => self.out.push_str("null"),
            (PrintAs::Json { .. }, value) => self.out.push_str(&value.text()?),
            (PrintAs::Plain, value) => self.out.push_str(&self.vars.text(value)?),
            (PrintAs::Quoted { is_folded }, value) => {
                let text = self.vars.text(value)?;
                write_escaped(&text, &mut self.out);
                if let (Some(fold), true) = (&mut self.fold, is_folded) {
                    fold.text_part(&text);
                }
            }
            (PrintAs::Marked, value) => {
                let text = self.vars.text(value)?;
                self.out.push(DATA[0]);
                write_escaped(&text, &mut self.out);
                self.out.push(DATA[1]);
            }
        }
        Some(())
    }

    fn each(&mut self, each: &'a Loop) -> Option<()> {
        let items = each.list.items(&self.vars)?;
        if items.is_empty() {
            return self.ops(&each.otherwise);
        }
        self.vars.loops.push((0, items.len()));
        let steps = each.body.len() as u64 + 1;
        for (index, item) in items.iter().enumerate() {
            budget::steps(steps).ok()?;
            self.nodes += each.nodes;
            if self.nodes > self.limits.nodes || self.out.len() > self.limits.output_bytes {
                return None;
            }
            *self.vars.loops.last_mut()? = (index, items.len());
            self.vars.locals[each.slot] = Val::of(item)?;
            self.ops(&each.body)?;
        }
        self.vars.loops.pop();
        Some(())
    }

    fn value(&mut self, hole: &'a Hole) -> Option<()> {
        let value = hole.expr.eval(&self.vars)?;
        match &value {
            Val::Undefined | Val::Nothing if !hole.json => return None,
            Val::Undefined | Val::Nothing | Val::Null if hole.required => return None,
            Val::Undefined | Val::Nothing | Val::Null => return Some(()),
            Val::Str(_) if !hole.json => return None,
            _ => {}
        }
        match hole.comma {
            Sep::Empty => {}
            Sep::Some => self.out.push(','),
            Sep::Unknown => self.comma(),
        }
        self.out.push_str(&hole.key);
        let want = match &hole.want {
            HoleWant::Prop(want) => want,
            HoleWant::Child(parent) => {
                let Val::Json(child) = value else { return None };
                if !accepts_child(child, parent, self.limits) {
                    return None;
                }
                write_json(child, false, &mut self.out);
                return Some(());
            }
        };
        match &value {
            Val::Str(text) => {
                if !want.takes_text(text) {
                    return None;
                }
                write_string(text, &mut self.out);
            }
            Val::Bool(flag) => {
                if !want.any(&|w| matches!(w, Want::Bool) || w.is_free()) {
                    return None;
                }
                self.out.push_str(if *flag { "true" } else { "false" });
            }
            number @ (Val::Int(_) | Val::Float(_)) => {
                let text = number.clone().text()?;
                if want.takes_number() {
                    self.out.push_str(&text);
                } else if want.any(&|w| matches!(w, Want::Str)) {
                    self.out.push('"');
                    self.out.push_str(&text);
                    self.out.push('"');
                } else {
                    return None;
                }
            }
            Val::Json(value) => {
                if !accepts(value, want, self.limits) {
                    return None;
                }
                write_json(value, false, &mut self.out);
            }
            Val::Undefined | Val::Nothing | Val::Null => return None,
        }
        if let (Some(fold), Some(key)) = (&mut self.fold, hole.fold_key)
            && fold.value(key, value, want).is_none()
        {
            self.fold = None;
        }
        Some(())
    }
}
