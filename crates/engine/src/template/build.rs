//! From a skeleton to a program: what is constant is prepared as text, with marks for the fold, and
//! what depends on data becomes a hole that knows what its prop wants.

use minijinja::machinery::ast::Expr;
use serde_json::Value;

use super::expr::{self, Ex, Scope};
use super::outline::{self, Leaf, Mark};
use super::program::{Hole, HoleWant, Loop, Op, Program, Sep};
use super::skeleton::{Item, Node, Part, Spot};
use super::witness::{constant, visit};
use crate::json::{write_escaped, write_string};
use crate::tree::component::{Children, Component, Prop, Shape, Want};
use crate::tree::fold::{Ending, Key, Kind};
use crate::tree::{THEMED, needs_children};

/// Compiles a skeleton whose witnesses had no fault.
pub(super) fn build(root: &Spot<'_, '_>) -> Option<Program> {
    let mut build = Build {
        ops: Vec::new(),
        scope: Vec::new(),
        locals: 0,
        nodes: 0,
        loops: 0,
        required: false,
        told: Some(Key::Other),
        keys: 0,
        filled: 0,
        is_fixed: true,
        tells: true,
    };
    build.component(root)?;
    let (constant, values) = size(&build.ops);
    trim(&mut build.ops, build.tells);
    // Loops in loops are counted generously.
    let told = build.tells.then_some(values.min(1 << 12));
    Some(Program { ops: build.ops, locals: build.locals, constant, told })
}

/// Gives back the room that building left, and marks that nobody reads.
fn trim(ops: &mut Vec<Op>, tells: bool) {
    ops.shrink_to_fit();
    for op in ops {
        match op {
            Op::Raw(text, marks) => {
                text.shrink_to_fit();
                marks.truncate(if tells { marks.len() } else { 0 });
                marks.shrink_to_fit();
            }
            Op::If(parts) => {
                trim(&mut parts.1, tells);
                trim(&mut parts.2, tells);
            }
            Op::For(each) => trim(&mut each.body, tells),
            Op::Comma | Op::Value(_) | Op::Print(..) | Op::Set(..) => {}
        }
    }
}

/// About how many bytes are written, and how many values the fold is told of.
fn size(ops: &[Op]) -> (usize, usize) {
    let each = ops.iter().map(|op| match op {
        Op::Raw(text, marks) => (text.len(), marks.len()),
        Op::If(parts) => {
            let (yes, no) = (size(&parts.1), size(&parts.2));
            (yes.0.max(no.0), yes.1.max(no.1))
        }
        Op::For(each) => {
            let (bytes, values) = size(&each.body);
            (bytes * 4, values * 4)
        }
        _ => (24, 1),
    });
    each.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
}

/// Whether a member is written whatever the data. The witnesses do not show all that may be missing:
/// they go the same way at all choices, and round each loop once.
fn is_sure(items: &[Item<'_, '_>], name: &str) -> bool {
    items.iter().any(|item| match item {
        Item::One { key, .. } => key.as_deref() == Some(name),
        Item::If(_, yes, no) => is_sure(yes, name) && is_sure(no, name),
        Item::Strip(body) => is_sure(body, name),
        _ => false,
    })
}

/// How often a member may be written; many times are two.
fn times(items: &[Item<'_, '_>], name: &str) -> usize {
    let each = items.iter().map(|item| match item {
        Item::One { key, .. } => usize::from(key.as_deref() == Some(name)),
        Item::If(_, yes, no) => times(yes, name).max(times(no, name)),
        Item::For(_, body) => times(body, name) * 2,
        Item::Strip(body) => times(body, name),
        Item::Set(..) | Item::Comma | Item::CommaUnlessLast | Item::CommaUnlessFirst => 0,
    });
    each.sum()
}

struct Build<'s> {
    ops: Vec<Op>,
    scope: Scope<'s>,
    locals: usize,
    nodes: usize,
    loops: usize,
    /// Whether the member being written is one that a nested object cannot do without.
    required: bool,
    /// What the value being written is for the fold, if it asks for it.
    told: Option<Key>,
    /// The members of the component being written that the fold asks for.
    keys: u64,
    /// Those of them whose value depends on data.
    filled: u64,
    /// Whether the component being written has the same shape every time.
    is_fixed: bool,
    /// Whether the fold can be told of all that it asks for.
    tells: bool,
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
        if let Some(Op::Raw(last, _)) = self.ops.last_mut() {
            last.push_str(text);
        } else if !text.is_empty() {
            self.ops.push(Op::Raw(text.into(), Vec::new()));
        }
    }

    /// Tells the fold of the value being written, if it asks for it: a part of the text that was
    /// prepared last.
    fn mark(&mut self, mark: impl FnOnce(Key) -> Mark) {
        if let (Some(key), Some(Op::Raw(_, marks))) = (self.told, self.ops.last_mut()) {
            marks.push(mark(key));
        }
    }

    fn expr(&self, expr: &Expr<'s>) -> Option<Ex> {
        expr::compile(expr, &self.scope, self.loops > 0)
    }

    /// Runs `f` and takes the operations it added.
    fn block<T>(&mut self, f: impl FnOnce(&mut Self) -> Option<T>) -> Option<(Vec<Op>, T)> {
        let outer = std::mem::take(&mut self.ops);
        let names = self.scope.len();
        let done = f(self);
        self.scope.truncate(names);
        let ops = std::mem::replace(&mut self.ops, outer);
        self.is_fixed = false;
        done.map(|end| (ops, end))
    }

    /// One of two blocks; tells what building each of them gave.
    fn choice<N: ?Sized, T>(
        &mut self,
        test: &Expr<'s>,
        [yes, no]: [&N; 2],
        build: impl Fn(&mut Self, &N) -> Option<T>,
    ) -> Option<[T; 2]> {
        let test = self.expr(test)?;
        let (yes, first) = self.block(|b| build(b, yes))?;
        let (no, second) = self.block(|b| build(b, no))?;
        self.ops.push(Op::If(Box::new((test, yes, no))));
        Some([first, second])
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
                let required = component.all_props().filter(|prop| prop.required);
                let children = needs_children(component).then_some("children");
                if !required.map(|prop| prop.name).chain(children).all(|key| is_sure(items, key)) {
                    return None;
                }
                self.nodes += 1;
                let outer = (self.keys, self.filled, self.is_fixed);
                (self.keys, self.filled, self.is_fixed) = (0, 0, true);
                self.enclosed("{", items, Rule::Component(component), "}")?;
                let kind = Kind::of(kind);
                let is_fixed = self.is_fixed && !Ending::depends(kind, self.filled);
                let ending = Ending::new(kind, self.keys, is_fixed);
                self.mark(|_| Mark::Component(ending));
                (self.keys, self.filled, self.is_fixed) = (outer.0, outer.1, outer.2 && is_fixed);
                Some(())
            }
            Node::If(test, yes, no) => {
                self.choice(test, [yes, no], |b, n| b.component(n)).map(drop)
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
        let (is_list, mut is_once) = (open == "[", true);
        visit(items, None, &mut |key, _| {
            is_once &= key.is_none_or(|key| times(items, key) == 1);
        });
        // Of several members of one name only the last one counts, and the witnesses show just that.
        if !is_once {
            return None;
        }
        if let Rule::Shape(shape) = rule
            && !shape.props.iter().all(|prop| !prop.required || is_sure(items, prop.name))
        {
            return None;
        }
        self.raw(open);
        self.mark(if is_list { Mark::List } else { Mark::Object });
        let outer = std::mem::replace(&mut self.required, false);
        self.items(items, rule, Sep::Empty)?;
        self.required = outer;
        self.raw(close);
        // A component has an end of its own.
        if !matches!(rule, Rule::Component(_)) {
            self.mark(|_| Mark::End);
        }
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
                    let value = self.expr(expr)?;
                    let slot = self.local(name);
                    self.ops.push(Op::Set(slot, value));
                }
                Item::If(test, yes, no) => {
                    // A name set in one branch only would be seen after it.
                    if yes.iter().chain(no).any(|item| matches!(item, Item::Set(..))) {
                        return None;
                    }
                    sep = Sep::of(self.choice(test, [yes, no], |b, i| b.items(i, rule, sep))?);
                }
                Item::For(each, body) => {
                    let Expr::Var(target) = &each.target else { return None };
                    let list = self.expr(&each.iter)?;
                    let inside = if sep == Sep::Some { Sep::Some } else { Sep::Unknown };
                    let before = std::mem::take(&mut self.nodes);
                    self.loops += 1;
                    let body = self.block(|build| {
                        let slot = build.local(target.id);
                        build.items(body, rule, inside).map(|_| slot)
                    });
                    self.loops -= 1;
                    let nodes = self.nodes;
                    self.nodes += before;
                    let (body, slot) = body?;
                    self.ops.push(Op::For(Box::new(Loop { list, slot, nodes, body })));
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
        let outer = self.told;
        self.told = self.told.and_then(|_| match key {
            None => Some(Key::Other),
            Some(name) => outline::key_of(name, matches!(rule, Rule::Component(_))),
        });
        let end = self.told_item(key, value, rule, sep, &prefix);
        self.told = outer;
        end
    }

    fn told_item(
        &mut self,
        key: Option<&str>,
        value: &Spot<'_, 's>,
        rule: Rule,
        sep: Sep,
        prefix: &str,
    ) -> Option<Sep> {
        if let (Rule::Component(_), Some(told)) = (rule, self.told) {
            self.keys |= told.bit();
            // The rows of a chart have members of any name.
            self.tells &= told != Key::Data;
        }
        let prop = |found: Option<&'static Prop>| found.map_or(Want::Any, |prop| prop.want);
        let required = match (rule, key) {
            (Rule::Shape(shape), Some(key)) => {
                shape.props.iter().any(|p| p.required && p.name == key)
            }
            _ => false,
        };
        let want = match (rule, key) {
            (Rule::Component(component), Some("children")) => {
                return self.children(component, value, prefix, sep);
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
        let end = self.value(value, want, sep, prefix);
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
        // A child that is data has to be read.
        self.tells &= !matches!(want, HoleWant::Child(_));
        self.filled |= self.told.map_or(0, Key::bit);
        self.ops.push(Op::Value(Box::new(Hole {
            expr,
            want,
            json,
            comma,
            key: key.into(),
            told: self.told,
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
                let ends =
                    self.choice(test, [yes, no], |b, spot| b.value(spot, want, sep, prefix))?;
                Some(Sep::of(ends))
            }
            Node::Const(Value::Null) => (!self.required).then_some(sep),
            Node::Const(value) => {
                let mut json = String::new();
                expr::write_json(&value.into(), &mut json);
                if value.is_number() && want.any(&|w| matches!(w, Want::Str)) {
                    json = format!("\"{json}\"");
                }
                Some(self.constant(&json, sep, prefix))
            }
            Node::Text(parts) => {
                if let Some(text) = constant(parts) {
                    let mut json = String::new();
                    write_string(text, &mut json);
                    return Some(self.constant(&json, sep, prefix));
                }
                if !want.takes_text("\0any text") {
                    return None;
                }
                self.separate(sep, prefix);
                self.raw("\"");
                self.parts(parts)?;
                self.raw("\"");
                self.mark(Mark::Text);
                self.filled |= self.told.map_or(0, Key::bit);
                Some(Sep::Some)
            }
            Node::Object(items) => {
                let mut rule = Rule::Free;
                want.each(&mut |w| match w {
                    Want::Shape(shape) => rule = Rule::Shape(shape),
                    Want::Color => rule = Rule::Shape(&THEMED),
                    _ => {}
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

    /// A value that is the same every time.
    fn constant(&mut self, json: &str, sep: Sep, prefix: &str) -> Sep {
        self.separate(sep, prefix);
        self.raw(json);
        match Leaf::of(json) {
            Some(leaf) => self.mark(|key| Mark::Leaf(key, leaf)),
            None => self.tells = false,
        }
        Sep::Some
    }

    fn parts(&mut self, parts: &[Part<'_, 's>]) -> Option<()> {
        for part in parts {
            match part {
                Part::Const(text) => {
                    let mut escaped = String::new();
                    write_escaped(text, &mut escaped);
                    self.raw(&escaped);
                    self.mark(|_| Mark::Words(text.as_ref().into()));
                }
                Part::Print(expr) => {
                    let expr = self.expr(expr)?;
                    self.ops.push(Op::Print(expr, self.told.is_some()));
                }
                Part::If(test, yes, no) => {
                    self.choice(test, [yes, no], |b, parts| b.parts(parts))?;
                }
            }
        }
        Some(())
    }
}
