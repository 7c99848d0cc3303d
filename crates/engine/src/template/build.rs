//! Compiles a skeleton to a program: constants become prepared text, with events for the fold, and everything
//! that depends on data becomes a hole that knows the type of its prop.

use minijinja::machinery::ast::Expr;
use serde_json::Value;

use super::expr::{self, Ex, Scope};
use super::fold_events::{Constant, FoldEvent, fold_key};
use super::program::{Hole, HoleWant, Loop, Op, PrintAs, Program, Sep};
use super::rule::{Rule, component_of, has_sure_members};
use super::skeleton::{Item, Part, Skeleton, SkeletonNode, constant};
use crate::json::{write_escaped, write_string};
use crate::tree::compact::{ComponentEnd, Key};
use crate::tree::component::{Children, Component, THEMED_COLOR, Want};

/// Compiles a skeleton whose witnesses have no findings.
pub(super) fn build(root: &Skeleton<'_, '_>) -> Option<Program> {
    let mut builder = Builder { can_fold: true, ..Builder::default() };
    builder.component(root, Some(Key::Other))?;
    Some(Program::new(builder.block.ops, builder.locals, builder.can_fold))
}

#[derive(Default)]
pub(super) struct Builder<'s> {
    /// The current block.
    pub(super) block: Block,
    /// The current component.
    component: ComponentFrame,
    scope: Scope<'s>,
    /// The number of variables in the program.
    pub(super) locals: usize,
    /// Whether there is an event for everything that the fold reads.
    can_fold: bool,
}

/// The whole template, a branch or the body of a loop.
#[derive(Default)]
pub(super) struct Block {
    pub(super) ops: Vec<Op>,
    /// The number of components that it writes, per iteration.
    nodes: usize,
    /// Whether it is the body of a loop, or inside one.
    in_loop: bool,
}

/// The state of a component while its members are compiled.
#[derive(Default)]
struct ComponentFrame {
    /// The members that the compact tree keeps.
    keys: u64,
}

/// The position of a value.
#[derive(Clone, Copy)]
struct Position<'k> {
    /// The preceding text in its list or object.
    sep: Sep,
    /// Its key as JSON with a colon; empty in a list.
    prefix: &'k str,
    /// The key by which the fold reads it, if any.
    fold_key: Option<Key>,
    /// Whether it is a required member of an object in a prop.
    required: bool,
}

impl<'s> Builder<'s> {
    pub(super) fn raw(&mut self, text: &str) {
        if let Some(Op::Raw(last, _)) = self.block.ops.last_mut() {
            last.push_str(text);
        } else if !text.is_empty() {
            self.block.ops.push(Op::Raw(text.into(), Vec::new()));
        }
    }

    /// Adds an event to the last prepared text, if the fold reads the value.
    fn event(&mut self, key: Option<Key>, event: impl FnOnce(Key) -> FoldEvent) {
        if let (Some(key), Some(Op::Raw(_, events))) = (key, self.block.ops.last_mut()) {
            events.push(event(key));
        }
    }

    pub(super) fn expr(&self, expr: &Expr<'s>) -> Option<Ex> {
        expr::compile(expr, &self.scope, self.block.in_loop)
    }

    pub(super) fn local(&mut self, name: &'s str) -> usize {
        self.scope.push((name, self.locals));
        self.locals += 1;
        self.locals - 1
    }

    /// Compiles a block with `f`. Names that are set in it end with it.
    pub(super) fn in_block<T>(
        &mut self,
        is_loop: bool,
        f: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<(Block, T)> {
        let in_loop = is_loop || self.block.in_loop;
        let outer = std::mem::replace(&mut self.block, Block { in_loop, ..Block::default() });
        let names = self.scope.len();
        let result = f(self)?;
        self.scope.truncate(names);
        let block = std::mem::replace(&mut self.block, outer);
        self.block.nodes += block.nodes;
        Some((block, result))
    }

    /// Compiles one of two blocks; returns the results of both.
    pub(super) fn choice<N: ?Sized, T>(
        &mut self,
        test: &Expr<'s>,
        [yes, no]: [&N; 2],
        build: impl Fn(&mut Self, &N) -> Option<T>,
    ) -> Option<[T; 2]> {
        let test = self.expr(test)?;
        let (yes, first) = self.in_block(false, |b| build(b, yes))?;
        let (no, second) = self.in_block(false, |b| build(b, no))?;
        self.block.ops.push(Op::If(Box::new((test, yes.ops, no.ops))));
        Some([first, second])
    }

    fn component(&mut self, skeleton: &Skeleton<'_, 's>, key: Option<Key>) -> Option<()> {
        let items = match &skeleton.node {
            SkeletonNode::Object(items) => items,
            SkeletonNode::If(test, yes, no) => {
                return self
                    .choice(test, [yes, no], |b, skeleton| b.component(skeleton, key))
                    .map(drop);
            }
            _ => return None,
        };
        let component = component_of(items)?;
        self.block.nodes += 1;
        let outer = std::mem::take(&mut self.component);
        self.object(items, Rule::Component(component), key)?;
        let frame = std::mem::replace(&mut self.component, outer);
        let end = ComponentEnd::new(component.kind, frame.keys);
        self.event(key, |_| FoldEvent::EndComponent(end));
        Some(())
    }

    /// An object; the caller ends a component, which has its own event.
    fn object(&mut self, items: &[Item<'_, 's>], rule: Rule, key: Option<Key>) -> Option<()> {
        if !has_sure_members(items, rule) {
            return None;
        }
        self.raw("{");
        self.event(key, FoldEvent::BeginObject);
        self.items(items, rule, Sep::Empty, key.is_some())?;
        self.raw("}");
        if !matches!(rule, Rule::Component(_)) {
            self.event(key, |_| FoldEvent::End);
        }
        Some(())
    }

    fn list(&mut self, items: &[Item<'_, 's>], rule: Rule, key: Option<Key>) -> Option<()> {
        self.raw("[");
        self.event(key, FoldEvent::BeginList);
        self.items(items, rule, Sep::Empty, key.is_some())?;
        self.raw("]");
        self.event(key, |_| FoldEvent::End);
        Some(())
    }

    /// List items or object members; whether the fold reads them.
    fn items(
        &mut self,
        items: &[Item<'_, 's>],
        rule: Rule,
        mut sep: Sep,
        is_folded: bool,
    ) -> Option<Sep> {
        for item in items {
            match item {
                // The skeleton has verified the commas; the program writes its own.
                Item::Comma(_) | Item::CommaUnless(..) => {}
                Item::One { key, value } => {
                    sep = self.item(key.as_deref(), value, rule, sep, is_folded)?;
                }
                Item::Strip(body) => sep = self.items(body, rule, sep, is_folded)?,
                Item::Set(name, expr) => {
                    let value = self.expr(expr)?;
                    let slot = self.local(name);
                    self.block.ops.push(Op::Set(slot, value));
                }
                Item::If(test, yes, no) => {
                    // A name set in only one branch would be visible after it.
                    if yes.iter().chain(no).any(|item| matches!(item, Item::Set(..))) {
                        return None;
                    }
                    let build = |b: &mut Self, items: &Vec<_>| b.items(items, rule, sep, is_folded);
                    sep = Sep::of(self.choice(test, [yes, no], build)?);
                }
                Item::For(each, body) => {
                    let Expr::Var(target) = &each.target else { return None };
                    // The general engine handles these.
                    if each.filter_expr.is_some() || each.recursive {
                        return None;
                    }
                    let list = self.expr(&each.iter)?;
                    let inside = if sep == Sep::Some { Sep::Some } else { Sep::Unknown };
                    let (body, slot) = self.in_block(true, |builder| {
                        let slot = builder.local(target.id);
                        builder.items(body, rule, inside, is_folded).map(|_| slot)
                    })?;
                    let nodes = body.nodes;
                    self.block.ops.push(Op::For(Box::new(Loop {
                        list,
                        slot,
                        nodes,
                        body: body.ops,
                        otherwise: Vec::new(),
                    })));
                    sep = inside;
                }
            }
        }
        Some(sep)
    }

    fn item(
        &mut self,
        key: Option<&str>,
        value: &Skeleton<'_, 's>,
        rule: Rule,
        sep: Sep,
        is_folded: bool,
    ) -> Option<Sep> {
        let mut prefix = String::new();
        if let Some(key) = key {
            write_string(key, &mut prefix);
            prefix.push(':');
        }
        let is_component = matches!(rule, Rule::Component(_));
        let fold_key = match key {
            _ if !is_folded => None,
            None => Some(Key::Other),
            Some(name) => fold_key(name, is_component),
        };
        if let (true, Some(key)) = (is_component, fold_key) {
            self.component.keys |= key.bit();
            // The rows of a chart have arbitrary keys, for which there are no events.
            self.can_fold &= key != Key::Data;
        }
        let required = rule.is_required(key);
        let position = Position { sep, prefix: &prefix, fold_key, required };
        match (rule, key) {
            (Rule::Component(component), Some("children")) => {
                self.children(component, value, position)
            }
            (Rule::Children(parent), _) => self.child(parent, value, position),
            _ => self.value(value, rule.want(key), position),
        }
    }

    fn children(
        &mut self,
        component: &'static Component,
        value: &Skeleton<'_, 's>,
        position: Position<'_>,
    ) -> Option<Sep> {
        match (component.children, &value.node) {
            // Old exports write empty children for leaves.
            (Children::None, SkeletonNode::Array(items)) if items.is_empty() => Some(position.sep),
            (Children::Many { .. } | Children::Only(_), SkeletonNode::Array(items)) => {
                self.begin(position);
                self.list(items, Rule::Children(component), position.fold_key)?;
                Some(Sep::Some)
            }
            (Children::One, SkeletonNode::Object(_) | SkeletonNode::If(..)) => {
                self.begin(position);
                self.component(value, position.fold_key)?;
                Some(Sep::Some)
            }
            _ => None,
        }
    }

    fn child(
        &mut self,
        parent: &'static Component,
        value: &Skeleton<'_, 's>,
        position: Position<'_>,
    ) -> Option<Sep> {
        if let SkeletonNode::Slot { expr, json: true } = &value.node {
            // A component from data can only be folded from its JSON.
            self.can_fold = false;
            return self.hole(expr, HoleWant::Child(parent), true, position);
        }
        self.begin(position);
        self.component(value, position.fold_key)?;
        Some(Sep::Some)
    }

    /// Writes the text before a value.
    fn begin(&mut self, position: Position<'_>) {
        match position.sep {
            Sep::Empty => {}
            Sep::Some => self.raw(","),
            Sep::Unknown => self.block.ops.push(Op::Comma),
        }
        self.raw(position.prefix);
    }

    fn hole(
        &mut self,
        expr: &Expr<'s>,
        want: HoleWant,
        json: bool,
        position: Position<'_>,
    ) -> Option<Sep> {
        let Position { sep, prefix, fold_key, required } = position;
        let expr = self.expr(expr)?;
        let hole = Hole { expr, want, json, comma: sep, key: prefix.into(), fold_key, required };
        self.block.ops.push(Op::Value(Box::new(hole)));
        Some(if sep == Sep::Some { Sep::Some } else { Sep::Unknown })
    }

    /// A member or item other than a component.
    fn value(
        &mut self,
        skeleton: &Skeleton<'_, 's>,
        want: Want,
        position: Position<'_>,
    ) -> Option<Sep> {
        match &skeleton.node {
            SkeletonNode::Slot { expr, json } => {
                self.hole(expr, HoleWant::Prop(want), *json, position)
            }
            SkeletonNode::If(test, yes, no) => {
                let build = |b: &mut Self, skeleton: &Box<_>| b.value(skeleton, want, position);
                self.choice(test, [yes, no], build).map(Sep::of)
            }
            SkeletonNode::Const(Value::Null) => (!position.required).then_some(position.sep),
            SkeletonNode::Const(value) => {
                let mut json = String::new();
                expr::write_json(&value.into(), false, &mut json);
                if value.is_number() && want.any(&|w| matches!(w, Want::Str)) {
                    json = format!("\"{json}\"");
                }
                Some(self.constant(&json, position))
            }
            SkeletonNode::Text(parts) => self.text(parts, want, position),
            SkeletonNode::Object(items) => {
                let mut rule = Rule::Any;
                want.each(&mut |w| match w {
                    Want::Shape(shape) => rule = Rule::Shape(shape),
                    Want::Color => rule = Rule::Shape(&THEMED_COLOR),
                    _ => {}
                });
                self.begin(position);
                self.object(items, rule, position.fold_key)?;
                Some(Sep::Some)
            }
            SkeletonNode::Array(items) => {
                let mut rule = Rule::Any;
                want.each(&mut |w| {
                    if let Want::List(of) = w {
                        rule = Rule::Items(**of);
                    }
                });
                self.begin(position);
                self.list(items, rule, position.fold_key)?;
                Some(Sep::Some)
            }
        }
    }

    /// A constant scalar.
    fn constant(&mut self, json: &str, position: Position<'_>) -> Sep {
        self.begin(position);
        self.raw(json);
        match Constant::read(json) {
            Some(constant) => {
                self.event(position.fold_key, |key| FoldEvent::Constant(key, constant));
            }
            None => self.can_fold = false,
        }
        Sep::Some
    }

    fn text(&mut self, parts: &[Part<'_, 's>], want: Want, position: Position<'_>) -> Option<Sep> {
        if let Some(text) = constant(parts) {
            let mut json = String::new();
            write_string(text, &mut json);
            return Some(self.constant(&json, position));
        }
        // The printed text is unknown, so the prop must accept any.
        if !want.takes_text("\0any text") {
            return None;
        }
        self.begin(position);
        self.raw("\"");
        self.parts(parts, position.fold_key)?;
        self.raw("\"");
        self.event(position.fold_key, FoldEvent::EndText);
        Some(Sep::Some)
    }

    fn parts(&mut self, parts: &[Part<'_, 's>], key: Option<Key>) -> Option<()> {
        for part in parts {
            match part {
                Part::Const(text) => {
                    let mut escaped = String::new();
                    write_escaped(text, &mut escaped);
                    self.raw(&escaped);
                    self.event(key, |_| FoldEvent::TextPart(text.as_ref().into()));
                }
                Part::Print(expr) => {
                    let expr = self.expr(expr)?;
                    let how = PrintAs::Quoted { is_folded: key.is_some() };
                    self.block.ops.push(Op::Print(expr, how));
                }
                Part::If(test, yes, no) => {
                    self.choice(test, [yes, no], |b, parts| b.parts(parts, key))?;
                }
                Part::Other => return None,
            }
        }
        Some(())
    }
}
