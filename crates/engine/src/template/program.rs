//! The fast path: a short program that writes checked JSON directly.
//!
//! Constant parts are written as prepared text. A hole is checked against what its prop wants
//! while it is written. Whenever something is out of the ordinary (a value of another type, an
//! undefined variable, a limit), the program gives up and the general engine renders from the
//! start, so there is one place that explains faults.

use super::expr::{self, Ex, Val, Vars};
use super::outline::{Mark, Teller};
use crate::json::JsonRef;
use crate::json::{write_escaped, write_string};
use crate::limits::Limits;
use crate::tree::component::{Component, Want};
use crate::tree::fold::Key;
use crate::tree::{accepts, accepts_child};

#[derive(Debug)]
pub(crate) struct Program {
    pub(super) ops: Vec<Op>,
    pub(super) locals: usize,
    /// How much text the constant parts come to; a first guess at the size of the output.
    pub(super) constant: usize,
    /// About how many values the fold is told of, if it can be told of all.
    pub(super) told: Option<usize>,
}

#[derive(Debug)]
pub(super) enum Op {
    /// Prepared text, and what the fold is told of it.
    Raw(String, Vec<Mark>),
    /// A comma, unless nothing stands before it in the list.
    Comma,
    /// A printed value.
    Value(Box<Hole>),
    /// A value printed inside a string, and whether the fold asks for that string.
    Print(Ex, bool),
    Set(usize, Ex),
    If(Box<(Ex, Vec<Op>, Vec<Op>)>),
    For(Box<Loop>),
}

#[derive(Debug)]
pub(super) struct Hole {
    pub(super) expr: Ex,
    pub(super) want: HoleWant,
    /// Printed with `tojson`; a bare text would be raw JSON, which the program cannot judge.
    pub(super) json: bool,
    /// Text before the value: a comma or not, and the key. Nothing is written if the value is null.
    pub(super) comma: Sep,
    pub(super) key: Box<str>,
    /// What it is for the fold, if it asks for it.
    pub(super) told: Option<Key>,
    /// A null must not simply be left out.
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
    /// Components that one round writes.
    pub(super) nodes: usize,
    pub(super) body: Vec<Op>,
}

/// What is known about the list at a point in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sep {
    Empty,
    Some,
    Unknown,
}

impl Sep {
    /// After one of two blocks that end so.
    pub(super) fn of([yes, no]: [Self; 2]) -> Self {
        if yes == no { yes } else { Self::Unknown }
    }
}

impl Program {
    /// Renders, or gives up.
    pub(crate) fn run(&self, data: &JsonRef<'_>, limits: &Limits) -> Option<String> {
        self.start(data, limits, None)?.end()
    }

    /// The same, and the text of what is rendered, if that can be told.
    pub(crate) fn run_telling(
        &self,
        data: &JsonRef<'_>,
        limits: &Limits,
    ) -> Option<(String, Option<String>)> {
        let mut run = self.start(data, limits, self.told.map(Teller::new))?;
        let teller = run.teller.take();
        Some((run.end()?, teller.as_ref().map(Teller::text)))
    }

    fn start<'a>(
        &'a self,
        data: &'a JsonRef<'a>,
        limits: &'a Limits,
        teller: Option<Teller<'a>>,
    ) -> Option<Run<'a>> {
        let vars = Vars::new(data, self.locals)?;
        // With room for the reply that is written around it.
        let out = String::with_capacity(self.constant + self.constant / 4 + 1024);
        let mut run = Run { vars, out, nodes: 0, limits, teller };
        run.ops(&self.ops)?;
        Some(run)
    }
}

struct Run<'a> {
    vars: Vars<'a>,
    out: String,
    nodes: usize,
    limits: &'a Limits,
    /// Tells the fold what is written, as long as it can be told.
    teller: Option<Teller<'a>>,
}

impl<'a> Run<'a> {
    fn end(self) -> Option<String> {
        (self.out.len() <= self.limits.output_bytes).then_some(self.out)
    }

    fn ops(&mut self, ops: &'a [Op]) -> Option<()> {
        for op in ops {
            match op {
                Op::Raw(text, marks) => {
                    self.out.push_str(text);
                    if let Some(teller) = &mut self.teller {
                        teller.marks(marks);
                    }
                }
                Op::Comma => self.comma(),
                Op::Value(hole) => self.value(hole)?,
                Op::Print(expr, is_told) => {
                    let text = expr.eval(&self.vars)?.text()?;
                    write_escaped(&text, &mut self.out);
                    if let (Some(teller), true) = (&mut self.teller, is_told) {
                        teller.words(&text);
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

    /// A list that has just been opened ends in its bracket; a string never does.
    fn comma(&mut self) {
        if !self.out.ends_with(['[', '{']) {
            self.out.push(',');
        }
    }

    fn each(&mut self, each: &'a Loop) -> Option<()> {
        let items = each.list.items(&self.vars)?;
        self.vars.loops.push((0, items.len()));
        for (index, item) in items.iter().enumerate() {
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
            Val::Undefined if !hole.json => return None,
            Val::Undefined | Val::Null if hole.required => return None,
            Val::Undefined | Val::Null => return Some(()),
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
                expr::write_json(child, &mut self.out);
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
                if !want.any(&|w| matches!(w, Want::Bool | Want::Any)) {
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
                expr::write_json(value, &mut self.out);
            }
            Val::Undefined | Val::Null => return None,
        }
        if let (Some(teller), Some(key)) = (&mut self.teller, hole.told)
            && teller.value(key, value, want).is_none()
        {
            self.teller = None;
        }
        Some(())
    }
}
