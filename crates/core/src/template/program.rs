//! The fast path: a skeleton compiled to a short program that writes checked JSON directly.
//!
//! Constant parts are written as prepared text. A hole is checked against what its prop wants
//! while it is written. Whenever something is out of the ordinary (a value of another type, an
//! undefined variable, a limit), the program gives up and the general engine renders from the
//! start, so there is one place that explains faults.

use std::sync::Arc;

use minijinja::machinery::ast::Expr;
use serde_json::Value;

use super::expr::{self, Ex, Scope, Val, Vars};
use super::skeleton::{Item, Node, Part, Spot};
use super::witness::constant;
use crate::given::Given;
use crate::limits::Limits;
use crate::reply::{write_escaped, write_string};
use crate::tree::component::{Children, Component, Prop, Shape, Want};
use crate::tree::{accepts, accepts_child};

#[derive(Debug)]
pub(crate) struct Program {
    pub(super) ops: Vec<Op>,
    pub(super) locals: usize,
    /// How much text the constant parts come to; a first guess at the size of the output.
    constant: usize,
}

#[derive(Debug)]
pub(super) enum Op {
    /// Prepared text.
    Raw(String),
    /// A comma, unless nothing stands before it in the list.
    Comma,
    /// A printed value.
    Value(Arc<Hole>),
    /// A value printed inside a string.
    Print(Arc<Ex>),
    Set(usize, Arc<Ex>),
    If(Box<(Arc<Ex>, Vec<Op>, Vec<Op>)>),
    For(Box<Loop>),
}

#[derive(Debug)]
pub(super) struct Hole {
    pub expr: Ex,
    pub want: HoleWant,
    /// Printed with `tojson`; a bare text would be raw JSON, which the program cannot judge.
    json: bool,
    /// Text before the value: a comma or not, and the key. Nothing is written if the value is null.
    comma: Sep,
    pub key: Box<str>,
    /// A null must not simply be left out.
    required: bool,
}

#[derive(Debug)]
pub(super) enum HoleWant {
    Prop(Want),
    Child(&'static Component),
}

#[derive(Debug)]
pub(super) struct Loop {
    pub list: Arc<Ex>,
    pub slot: usize,
    /// Components that one round writes.
    nodes: usize,
    pub body: Vec<Op>,
}

/// What is known about the list at a point in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sep {
    Empty,
    Some,
    Unknown,
}

/// Compiles a skeleton whose witnesses had no fault.
pub(super) fn compile(root: &Spot<'_, '_>) -> Option<Program> {
    let mut build = Build {
        ops: Vec::new(),
        scope: Vec::new(),
        locals: 0,
        nodes: 0,
        loops: 0,
        required: false,
    };
    build.component(root)?;
    let constant = size(&build.ops);
    trim(&mut build.ops);
    Some(Program { ops: build.ops, locals: build.locals, constant })
}

/// Gives back the room that building left.
fn trim(ops: &mut Vec<Op>) {
    ops.shrink_to_fit();
    for op in ops {
        match op {
            Op::Raw(text) => text.shrink_to_fit(),
            Op::If(parts) => {
                trim(&mut parts.1);
                trim(&mut parts.2);
            }
            Op::For(each) => trim(&mut each.body),
            Op::Comma | Op::Value(_) | Op::Print(_) | Op::Set(..) => {}
        }
    }
}

fn size(ops: &[Op]) -> usize {
    ops.iter()
        .map(|op| match op {
            Op::Raw(text) => text.len(),
            Op::If(parts) => size(&parts.1).max(size(&parts.2)),
            Op::For(each) => size(&each.body) * 4,
            _ => 24,
        })
        .sum()
}

struct Build<'s> {
    ops: Vec<Op>,
    scope: Scope<'s>,
    locals: usize,
    nodes: usize,
    loops: usize,
    /// Whether the member being written is one that a nested object cannot do without.
    required: bool,
}

/// What the members of an object, or the items of a list, are checked against.
#[derive(Clone, Copy)]
enum Rule {
    Component(&'static Component),
    Shape(&'static Shape),
    Children(&'static Component),
    Items(Want),
    Free,
}

impl<'s> Build<'s> {
    fn raw(&mut self, text: &str) {
        if let Some(Op::Raw(last)) = self.ops.last_mut() {
            last.push_str(text);
        } else if !text.is_empty() {
            self.ops.push(Op::Raw(text.into()));
        }
    }

    fn expr(&self, expr: &Expr<'s>) -> Option<Ex> {
        expr::compile(expr, &self.scope, self.loops > 0)
    }

    /// Runs `f` and takes the operations it added.
    fn block(&mut self, f: impl FnOnce(&mut Self) -> Option<()>) -> Option<Vec<Op>> {
        let outer = std::mem::take(&mut self.ops);
        let names = self.scope.len();
        let done = f(self);
        self.scope.truncate(names);
        let ops = std::mem::replace(&mut self.ops, outer);
        done.map(|()| ops)
    }

    fn component(&mut self, spot: &Spot<'_, 's>) -> Option<()> {
        match &spot.node {
            Node::Object(items) => {
                let kind = items.iter().find_map(|item| match item {
                    Item::One { key: Some(key), value } if key == "type" => match &value.node {
                        Node::Text(parts) => constant(parts),
                        _ => None,
                    },
                    _ => None,
                })?;
                let component = Component::find(kind)?;
                self.nodes += 1;
                self.enclosed("{", items, Rule::Component(component), "}")
            }
            Node::If(test, yes, no) => {
                let test = Arc::new(self.expr(test)?);
                let yes = self.block(|build| build.component(yes))?;
                let no = self.block(|build| build.component(no))?;
                self.ops.push(Op::If(Box::new((test, yes, no))));
                Some(())
            }
            _ => None,
        }
    }

    fn enclosed(
        &mut self,
        open: &str,
        items: &[Item<'_, 's>],
        rule: Rule,
        close: &str,
    ) -> Option<()> {
        self.raw(open);
        let outer = std::mem::replace(&mut self.required, false);
        self.items(items, rule, Sep::Empty)?;
        self.required = outer;
        self.raw(close);
        Some(())
    }

    fn items(&mut self, items: &[Item<'_, 's>], rule: Rule, mut sep: Sep) -> Option<Sep> {
        for item in items {
            match item {
                // Proved right already; the program writes its own.
                Item::Comma | Item::CommaUnlessLast | Item::CommaUnlessFirst => {}
                Item::One { key, value } => sep = self.item(key.as_deref(), value, rule, sep)?,
                Item::Strip(body) => sep = self.items(body, rule, sep)?,
                Item::Set(name, expr) => {
                    let value = Arc::new(self.expr(expr)?);
                    let slot = self.local(name);
                    self.ops.push(Op::Set(slot, value));
                }
                Item::If(test, yes, no) => {
                    // A name set in one branch only would be seen after it.
                    if yes.iter().chain(no).any(|item| matches!(item, Item::Set(..))) {
                        return None;
                    }
                    let test = Arc::new(self.expr(test)?);
                    let mut ends = [sep, sep];
                    let yes = self.block(|b| b.items(yes, rule, sep).map(|end| ends[0] = end))?;
                    let no = self.block(|b| b.items(no, rule, sep).map(|end| ends[1] = end))?;
                    sep = if ends[0] == ends[1] { ends[0] } else { Sep::Unknown };
                    self.ops.push(Op::If(Box::new((test, yes, no))));
                }
                Item::For(each, body) => {
                    let Expr::Var(target) = &each.target else { return None };
                    let list = Arc::new(self.expr(&each.iter)?);
                    let inside = if sep == Sep::Some { Sep::Some } else { Sep::Unknown };
                    let before = std::mem::take(&mut self.nodes);
                    let mut slot = 0;
                    self.loops += 1;
                    let body = self.block(|build| {
                        slot = build.local(target.id);
                        build.items(body, rule, inside).map(drop)
                    });
                    self.loops -= 1;
                    let nodes = self.nodes;
                    self.nodes += before;
                    self.ops.push(Op::For(Box::new(Loop { list, slot, nodes, body: body? })));
                    sep = inside;
                }
            }
        }
        Some(sep)
    }

    fn local(&mut self, name: &'s str) -> usize {
        self.scope.push((name, self.locals));
        self.locals += 1;
        self.locals - 1
    }

    fn item(
        &mut self,
        key: Option<&str>,
        value: &Spot<'_, 's>,
        rule: Rule,
        sep: Sep,
    ) -> Option<Sep> {
        let prefix = key.map_or(String::new(), |key| {
            let mut text = String::new();
            write_string(key, &mut text);
            text + ":"
        });
        let prop = |found: Option<&'static Prop>| found.map_or(Want::Any, |prop| prop.want);
        let required = match (rule, key) {
            (Rule::Shape(shape), Some(key)) => {
                shape.props.iter().any(|p| p.required && p.name == key)
            }
            _ => false,
        };
        let want = match (rule, key) {
            (Rule::Component(component), Some("children")) => {
                return self.children(component, value, &prefix, sep);
            }
            (Rule::Component(_), Some("type")) => Want::Any,
            (Rule::Component(component), Some(key)) => prop(component.prop(key)),
            (Rule::Shape(shape), Some(key)) => prop(shape.props.iter().find(|p| p.name == key)),
            (Rule::Children(parent), _) => {
                if let Node::Slot { expr, json: true } = &value.node {
                    let expr = self.expr(expr)?;
                    return Some(self.hole(expr, HoleWant::Child(parent), true, sep, ""));
                }
                self.separate(sep, "");
                self.component(value)?;
                return Some(Sep::Some);
            }
            (Rule::Items(want), _) => want,
            _ => Want::Any,
        };
        let outer = std::mem::replace(&mut self.required, required);
        let end = self.value(value, want, sep, &prefix);
        self.required = outer;
        end
    }

    fn children(
        &mut self,
        component: &'static Component,
        value: &Spot<'_, 's>,
        prefix: &str,
        sep: Sep,
    ) -> Option<Sep> {
        match (component.children, &value.node) {
            // Old exports write empty children on leaves.
            (Children::None, Node::Array(items)) if items.is_empty() => Some(sep),
            (Children::Many { .. } | Children::Only(_), Node::Array(items)) => {
                self.separate(sep, prefix);
                self.enclosed("[", items, Rule::Children(component), "]")?;
                Some(Sep::Some)
            }
            (Children::One, Node::Object(_) | Node::If(..)) => {
                self.separate(sep, prefix);
                self.component(value)?;
                Some(Sep::Some)
            }
            _ => None,
        }
    }

    fn separate(&mut self, sep: Sep, prefix: &str) {
        match sep {
            Sep::Empty => {}
            Sep::Some => self.raw(","),
            Sep::Unknown => self.ops.push(Op::Comma),
        }
        self.raw(prefix);
    }

    fn hole(&mut self, expr: Ex, want: HoleWant, json: bool, comma: Sep, key: &str) -> Sep {
        self.ops.push(Op::Value(Arc::new(Hole {
            expr,
            want,
            json,
            comma,
            key: key.into(),
            required: self.required,
        })));
        if comma == Sep::Some { Sep::Some } else { Sep::Unknown }
    }

    /// A member or item that is not a component.
    fn value(&mut self, spot: &Spot<'_, 's>, want: Want, sep: Sep, prefix: &str) -> Option<Sep> {
        match &spot.node {
            Node::Slot { expr, json } => {
                let expr = self.expr(expr)?;
                Some(self.hole(expr, HoleWant::Prop(want), *json, sep, prefix))
            }
            Node::If(test, yes, no) => {
                let test = Arc::new(self.expr(test)?);
                let mut ends = [sep, sep];
                let yes =
                    self.block(|b| b.value(yes, want, sep, prefix).map(|end| ends[0] = end))?;
                let no = self.block(|b| b.value(no, want, sep, prefix).map(|end| ends[1] = end))?;
                self.ops.push(Op::If(Box::new((test, yes, no))));
                Some(if ends[0] == ends[1] { ends[0] } else { Sep::Unknown })
            }
            Node::Const(Value::Null) => (!self.required).then_some(sep),
            Node::Const(value) => {
                self.separate(sep, prefix);
                let mut text = String::new();
                match value {
                    Value::Number(_) if want.any(&|w| matches!(w, Want::Str)) => {
                        expr::write_json(&value.into(), &mut text);
                        text = format!("\"{text}\"");
                    }
                    _ => expr::write_json(&value.into(), &mut text),
                }
                self.raw(&text);
                Some(Sep::Some)
            }
            Node::Text(parts) => {
                if constant(parts).is_none() && !want.takes_text("\0any text") {
                    return None;
                }
                self.separate(sep, prefix);
                self.raw("\"");
                self.parts(parts)?;
                self.raw("\"");
                Some(Sep::Some)
            }
            Node::Object(items) => {
                let mut rule = Rule::Free;
                want.each(&mut |w| {
                    if let Want::Shape(shape) = w {
                        rule = Rule::Shape(shape);
                    }
                });
                self.separate(sep, prefix);
                self.enclosed("{", items, rule, "}")?;
                Some(Sep::Some)
            }
            Node::Array(items) => {
                let mut rule = Rule::Free;
                want.each(&mut |w| {
                    if let Want::List(of) = w {
                        rule = Rule::Items(**of);
                    }
                });
                self.separate(sep, prefix);
                self.enclosed("[", items, rule, "]")?;
                Some(Sep::Some)
            }
        }
    }

    fn parts(&mut self, parts: &[Part<'_, 's>]) -> Option<()> {
        for part in parts {
            match part {
                Part::Const(text) => {
                    let mut escaped = String::new();
                    write_escaped(text, &mut escaped);
                    self.raw(&escaped);
                }
                Part::Print(expr) => {
                    let expr = self.expr(expr)?;
                    self.ops.push(Op::Print(Arc::new(expr)));
                }
                Part::If(test, yes, no) => {
                    let test = Arc::new(self.expr(test)?);
                    let yes = self.block(|build| build.parts(yes))?;
                    let no = self.block(|build| build.parts(no))?;
                    self.ops.push(Op::If(Box::new((test, yes, no))));
                }
            }
        }
        Some(())
    }
}

impl Program {
    /// Renders, or gives up.
    pub(crate) fn run(&self, data: &Given<'_>, limits: &Limits) -> Option<String> {
        let vars = Vars::new(data, self.locals)?;
        let out = String::with_capacity(self.constant + self.constant / 4);
        let mut run = Run { vars, out, nodes: 0, limits };
        run.ops(&self.ops)?;
        (run.out.len() <= limits.output_bytes).then_some(run.out)
    }
}

struct Run<'a> {
    vars: Vars<'a>,
    out: String,
    nodes: usize,
    limits: &'a Limits,
}

impl<'a> Run<'a> {
    fn ops(&mut self, ops: &'a [Op]) -> Option<()> {
        for op in ops {
            match op {
                Op::Raw(text) => self.out.push_str(text),
                Op::Comma => self.comma(),
                Op::Value(hole) => self.value(hole)?,
                Op::Print(expr) => {
                    let text = expr.eval(&self.vars)?.text()?;
                    write_escaped(&text, &mut self.out);
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
        match value {
            Val::Str(text) => {
                if !want.takes_text(&text) {
                    return None;
                }
                write_string(&text, &mut self.out);
            }
            Val::Bool(flag) => {
                if !want.any(&|w| matches!(w, Want::Bool | Want::Any)) {
                    return None;
                }
                self.out.push_str(if flag { "true" } else { "false" });
            }
            number @ (Val::Int(_) | Val::Float(_)) => {
                let text = number.text()?;
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
        Some(())
    }
}
