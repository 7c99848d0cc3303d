//! The outline: what a template says, written as the fold reads it, without JSON between the two.
//!
//! Every result carries its text, and reading the JSON that was just written cost more than writing
//! it. So a program is compiled once more: what the fold asks for stands here by its name, with the
//! constant texts decoded; the rest is gone. Where something is out of the ordinary there is no
//! outline, and the JSON is read.

use std::borrow::Cow;
use std::sync::Arc;

use super::expr::{Ex, Val, Vars};
use super::program::{Hole, HoleWant, Op, Program};
use crate::given::Given;
use crate::tree::fold::{Key, Kind, Tree, What, fold_tree};

#[derive(Debug)]
pub(crate) struct Outline {
    steps: Vec<Step>,
    locals: usize,
    /// About how many values it writes.
    size: usize,
}

#[derive(Debug)]
enum Step {
    Leaf(Key, Leaf),
    /// A text with places in it.
    Text(Key, Vec<Part>),
    Hole(Key, Arc<Hole>),
    List(Key, Vec<Step>),
    Object(Key, Vec<Step>),
    Component(Key, Kind, Vec<Step>),
    Set(usize, Arc<Ex>),
    If(Arc<Ex>, Vec<Step>, Vec<Step>),
    For(Arc<Ex>, usize, Vec<Step>),
}

/// A constant.
#[derive(Debug)]
enum Leaf {
    Bool(bool),
    Number(Box<str>),
    Text(Box<str>),
    /// A text that is not printed as it is, or has line breaks.
    Lines(Box<str>),
}

#[derive(Debug)]
enum Part {
    Const(Box<str>),
    Print(Arc<Ex>),
    If(Arc<Ex>, Vec<Part>, Vec<Part>),
}

impl Leaf {
    fn text(text: Box<str>) -> Self {
        match text.contains(char::is_control) {
            true => Self::Lines(text),
            false => Self::Text(text),
        }
    }
}

impl Outline {
    pub(super) fn of(program: &Program) -> Option<Self> {
        let mut cursor = Cursor::new(&program.ops);
        let root = cursor.value(Key::Other, Place::Component)?;
        let steps = vec![root];
        matches!(cursor.next(), Next::End).then(|| Self {
            size: size(&steps),
            steps,
            locals: program.locals,
        })
    }

    /// The text of what the program writes for this data, if the program could.
    pub(crate) fn text(&self, data: &Given<'_>) -> Option<String> {
        let vars = Vars::new(data, self.locals)?;
        let mut run = Run { vars, tree: Tree::with_capacity(self.size) };
        run.steps(&self.steps)?;
        Some(fold_tree(&run.tree))
    }
}

fn size(steps: &[Step]) -> usize {
    let each = steps.iter().map(|step| match step {
        Step::List(_, inner) | Step::Object(_, inner) | Step::Component(_, _, inner) => {
            1 + size(inner)
        }
        Step::If(_, yes, no) => size(yes).max(size(no)),
        Step::For(_, _, body) => size(body) * 4,
        Step::Leaf(..) | Step::Text(..) | Step::Hole(..) => 1,
        Step::Set(..) => 0,
    });
    each.sum()
}

/// Where a value stands, which says how much of it is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Component,
    Prop,
}

/// Reads the operations of a program as the JSON that they write.
struct Cursor<'o> {
    ops: &'o [Op],
    /// What is left of the text that was begun.
    text: &'o str,
}

enum Next<'o> {
    Byte(u8),
    Op(&'o Op),
    End,
}

/// The members of a component or an object.
#[derive(Default)]
struct Body {
    kind: Option<Kind>,
    steps: Vec<Step>,
}

impl<'o> Cursor<'o> {
    fn new(ops: &'o [Op]) -> Self {
        Self { ops, text: "" }
    }

    /// What comes next; commas say nothing.
    fn next(&mut self) -> Next<'o> {
        loop {
            match self.text.as_bytes().first() {
                Some(b',') => self.text = &self.text[1..],
                Some(byte) => return Next::Byte(*byte),
                None => match self.ops.split_first() {
                    None => return Next::End,
                    Some((op, rest)) => match op {
                        Op::Raw(text) => (self.text, self.ops) = (text, rest),
                        Op::Comma => self.ops = rest,
                        op => return Next::Op(op),
                    },
                },
            }
        }
    }

    /// Goes behind the operation that came next.
    fn pass(&mut self) {
        self.ops = &self.ops[1..];
    }

    fn value(&mut self, key: Key, place: Place) -> Option<Step> {
        match self.next() {
            Next::Byte(b'{') => {
                self.text = &self.text[1..];
                let body = self.members(place)?;
                match (place, body.kind) {
                    (Place::Component, kind) => Some(Step::Component(key, kind?, body.steps)),
                    (Place::Prop, _) => Some(Step::Object(key, body.steps)),
                }
            }
            Next::Byte(b'[') => {
                self.text = &self.text[1..];
                Some(Step::List(key, self.items(place)?))
            }
            Next::Byte(b'"') => {
                self.text = &self.text[1..];
                let mut parts = self.parts()?;
                Some(match parts.as_mut_slice() {
                    [] => Step::Leaf(key, Leaf::Text(Box::default())),
                    [Part::Const(text)] => Step::Leaf(key, Leaf::text(std::mem::take(text))),
                    _ => Step::Text(key, parts),
                })
            }
            Next::Byte(_) => {
                let end = self.text.find([',', '}', ']']).unwrap_or(self.text.len());
                let (word, rest) = self.text.split_at(end);
                self.text = rest;
                Some(Step::Leaf(
                    key,
                    match word {
                        "true" => Leaf::Bool(true),
                        "false" => Leaf::Bool(false),
                        word => What::number(word).map(|_| Leaf::Number(word.into()))?,
                    },
                ))
            }
            Next::Op(Op::If(branch)) => {
                self.pass();
                let one = |ops| {
                    let mut cursor = Cursor::new(ops);
                    let value = cursor.value(key, place)?;
                    matches!(cursor.next(), Next::End).then(|| vec![value])
                };
                Some(Step::If(Arc::clone(&branch.0), one(&branch.1)?, one(&branch.2)?))
            }
            Next::Op(_) | Next::End => None,
        }
    }

    /// The items of a list, up to its end or that of a block.
    fn items(&mut self, place: Place) -> Option<Vec<Step>> {
        let mut steps = Vec::new();
        let block = |ops: &[Op]| Cursor::new(ops).items(place);
        loop {
            let op = match self.next() {
                Next::End => return Some(steps),
                Next::Byte(b']') => {
                    self.text = &self.text[1..];
                    return Some(steps);
                }
                Next::Byte(_) => {
                    steps.push(self.value(Key::Other, place)?);
                    continue;
                }
                Next::Op(op) => op,
            };
            self.pass();
            steps.push(match op {
                // A child that is data has to be read.
                Op::Value(_) if place == Place::Component => return None,
                Op::Value(hole) => Step::Hole(Key::Other, Arc::clone(hole)),
                op => control(op, block)?,
            });
        }
    }

    /// The members of an object, up to its end or that of a block.
    fn members(&mut self, of: Place) -> Option<Body> {
        let mut body = Body::default();
        // A type that depends on something is not worth knowing about.
        let block = |ops: &[Op]| {
            let inner = Cursor::new(ops).members(of)?;
            inner.kind.is_none().then_some(inner.steps)
        };
        loop {
            let op = match self.next() {
                Next::End => return Some(body),
                Next::Byte(b'}') => {
                    self.text = &self.text[1..];
                    return Some(body);
                }
                Next::Byte(_) => {
                    let (name, rest) = self.text.strip_prefix('"')?.split_once("\":")?;
                    // A quote in it may be escaped, so that it goes on.
                    if name.contains('\\') {
                        return None;
                    }
                    self.text = rest;
                    self.member(name, of, &mut body)?;
                    continue;
                }
                Next::Op(op) => op,
            };
            self.pass();
            body.steps.push(match op {
                Op::Value(hole) => {
                    let name = hole.key.strip_prefix('"')?.strip_suffix("\":")?;
                    match Key::of(name) {
                        key if !is_wanted(key, of) => continue,
                        Key::Type | Key::Children => return None,
                        key => Step::Hole(key, Arc::clone(hole)),
                    }
                }
                op => control(op, block)?,
            });
        }
    }

    fn member(&mut self, name: &str, of: Place, body: &mut Body) -> Option<()> {
        let key = Key::of(name);
        if !is_wanted(key, of) {
            // What is set in there would be missed later.
            let step = self.value(key, Place::Prop)?;
            return (!sets(std::slice::from_ref(&step))).then_some(());
        }
        match key {
            Key::Type => {
                let Step::Leaf(_, Leaf::Text(kind)) = self.value(key, Place::Prop)? else {
                    return None;
                };
                body.kind = Some(Kind::of(&kind));
            }
            Key::Children => body.steps.push(self.value(key, Place::Component)?),
            // The rows of a chart have members of any name.
            Key::Data => return None,
            _ => body.steps.push(self.value(key, Place::Prop)?),
        }
        Some(())
    }

    /// The parts of a text, up to its quote or the end of a block.
    fn parts(&mut self) -> Option<Vec<Part>> {
        let mut parts = Vec::new();
        loop {
            let end = string_end(self.text);
            let (text, rest) = self.text.split_at(end.unwrap_or(self.text.len()));
            if !text.is_empty() {
                let text: String = serde_json::from_str(&format!("\"{text}\"")).ok()?;
                parts.push(Part::Const(text.into()));
            }
            if end.is_some() {
                self.text = &rest[1..];
                return Some(parts);
            }
            self.text = "";
            let Some((op, rest)) = self.ops.split_first() else { return Some(parts) };
            self.ops = rest;
            let block = |ops| Cursor::new(ops).parts();
            match op {
                Op::Raw(text) => self.text = text,
                Op::Print(expr) => parts.push(Part::Print(Arc::clone(expr))),
                Op::If(branch) => {
                    let (yes, no) = (block(&branch.1)?, block(&branch.2)?);
                    parts.push(Part::If(Arc::clone(&branch.0), yes, no));
                }
                _ => return None,
            }
        }
    }
}

/// Whether the fold asks for a member: of an object in a prop it knows fewer.
fn is_wanted(key: Key, of: Place) -> bool {
    match key {
        Key::Other => false,
        Key::Type | Key::Children | Key::Data => of == Place::Component,
        _ => true,
    }
}

/// An operation that writes nothing itself.
fn control(op: &Op, block: impl Fn(&[Op]) -> Option<Vec<Step>>) -> Option<Step> {
    Some(match op {
        Op::Set(slot, expr) => Step::Set(*slot, Arc::clone(expr)),
        Op::If(branch) => Step::If(Arc::clone(&branch.0), block(&branch.1)?, block(&branch.2)?),
        Op::For(each) => Step::For(Arc::clone(&each.list), each.slot, block(&each.body)?),
        Op::Value(_) | Op::Raw(_) | Op::Comma | Op::Print(_) => return None,
    })
}

/// Whether something is set in one of the steps.
fn sets(steps: &[Step]) -> bool {
    steps.iter().any(|step| match step {
        Step::Set(..) => true,
        Step::List(_, inner) | Step::Object(_, inner) | Step::Component(_, _, inner) => sets(inner),
        Step::If(_, yes, no) => sets(yes) || sets(no),
        Step::For(_, _, body) => sets(body),
        Step::Leaf(..) | Step::Text(..) | Step::Hole(..) => false,
    })
}

/// Where the quote is that ends a text.
fn string_end(text: &str) -> Option<usize> {
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'"' => return Some(at),
            b'\\' => _ = bytes.next(),
            _ => {}
        }
    }
    None
}

struct Run<'a> {
    vars: Vars<'a>,
    tree: Tree<'a>,
}

impl<'a> Run<'a> {
    fn steps(&mut self, steps: &'a [Step]) -> Option<()> {
        for step in steps {
            match step {
                Step::Leaf(key, leaf) => {
                    let what = match leaf {
                        Leaf::Bool(flag) => What::Bool(*flag),
                        Leaf::Number(word) => What::number(word)?,
                        Leaf::Text(text) => What::Text(Cow::Borrowed(text)),
                        Leaf::Lines(text) => What::text(Cow::Borrowed(text)),
                    };
                    self.tree.push(*key, what);
                }
                Step::Text(key, parts) => {
                    let mut text = String::new();
                    self.parts(parts, &mut text)?;
                    self.tree.push(*key, What::text(text.into()));
                }
                Step::Hole(key, hole) => self.hole(*key, hole)?,
                Step::List(key, items) => {
                    let at = self.tree.push(*key, What::List);
                    self.steps(items)?;
                    self.tree.close(at);
                }
                Step::Object(key, members) => {
                    let at = self.tree.push(*key, What::Object);
                    self.steps(members)?;
                    self.tree.close(at);
                }
                Step::Component(key, kind, members) => {
                    let at = self.tree.push(*key, What::Object);
                    self.steps(members)?;
                    self.tree.close_component(at, *kind);
                }
                Step::Set(slot, expr) => self.vars.locals[*slot] = expr.eval(&self.vars)?,
                Step::If(test, yes, no) => {
                    self.steps(if test.test(&self.vars)? { yes } else { no })?;
                }
                Step::For(list, slot, body) => self.each(list, *slot, body)?,
            }
        }
        Some(())
    }

    fn each(&mut self, list: &'a Ex, slot: usize, body: &'a [Step]) -> Option<()> {
        let items = list.items(&self.vars)?;
        self.vars.loops.push((0, items.len()));
        for (index, item) in items.iter().enumerate() {
            *self.vars.loops.last_mut()? = (index, items.len());
            self.vars.locals[slot] = Val::of(item)?;
            self.steps(body)?;
        }
        self.vars.loops.pop();
        Some(())
    }

    fn hole(&mut self, key: Key, hole: &'a Hole) -> Option<()> {
        let HoleWant::Prop(want) = &hole.want else { return None };
        let what = match hole.expr.eval(&self.vars)? {
            Val::Undefined | Val::Null => return Some(()),
            Val::Bool(flag) => What::Bool(flag),
            Val::Str(text) => What::text(text),
            number @ (Val::Int(_) | Val::Float(_)) => {
                let text = number.text()?;
                let is_whole = matches!(What::number(&text), Some(What::Whole(_)));
                match want.takes_number() {
                    true if is_whole => What::Whole(text),
                    true => What::Number(text.into()),
                    false => What::Text(text),
                }
            }
            // It is read from the JSON that it becomes.
            Val::Json(_) => return None,
        };
        self.tree.push(key, what);
        Some(())
    }

    fn parts(&self, parts: &'a [Part], out: &mut String) -> Option<()> {
        for part in parts {
            match part {
                Part::Const(text) => out.push_str(text),
                Part::Print(expr) => out.push_str(&expr.eval(&self.vars)?.text()?),
                Part::If(test, yes, no) => {
                    self.parts(if test.test(&self.vars)? { yes } else { no }, out)?;
                }
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::widget::Widget;

    fn widget(template: &str) -> Widget {
        Widget::parse(&json!({"version": "1.0", "name": "w", "template": template}).to_string())
            .unwrap()
    }

    #[test]
    fn what_the_fold_asks_for_is_told() {
        let widget = widget(
            r#"{"type":"Card","size":"sm","status":{"text":"{{ a }} of\n{{ b }}"},"children":[
            {"type":"Title","value":{{ title | tojson }},"color":{{ color | tojson }}}
            {%- for x in rows -%}
              ,{"type":"Row","children":[{"type":"Text","value":{{ (x.name ~ "") | tojson }}},
                {"type":"Spacer"},{"type":"Text","value":"{% if x.n > 1 %}{{ x.n }} times{% else %}once{% endif %}"}]}
            {%- endfor -%}],
            "confirm":{"label":"Pay \u0026 go","action":{"type":"pay","payload":{"n":{{ n | tojson }}}}}}"#,
        );
        let data = json!({
            "a": 1, "b": "2", "title": "Order\nseven", "color": null, "n": 7,
            "rows": [{"name": "Tea", "n": 1}, {"name": "Cup\u{7f}", "n": 2}],
        });
        assert!(widget.is_fast());
        let view = widget.draw(&(&data).into()).unwrap();
        assert_eq!(view.folded, Some(crate::tree::fold_text(&view.json)));
        assert_eq!(view.text(), "_1 of 2_\n\n## Order seven\nTea: once\nCup: 2 times\n[Pay & go]",);
    }

    #[test]
    fn what_is_set_anywhere_is_known_later() {
        let widget = widget(
            r#"{"type":"Card","padding":{ {%- set t = title -%} "x":2},"children":[
            {"type":"Text","value":{{ t | tojson }}}]}"#,
        );
        assert_eq!(widget.draw(&(&json!({"title": "Tea"})).into()).unwrap().text(), "Tea");
    }

    #[test]
    fn a_large_number_is_the_same_number() {
        let widget = widget(
            r#"{"type":"Card","children":[{"type":"Table","children":[{"type":"Table.Row","children":[
            {"type":"Table.Cell","colSpan":{{ n | tojson }},"children":[{"type":"Text","value":"a"}]}]}]}]}"#,
        );
        for n in [json!(2), json!(1e16), json!(1e300), json!(-0.0), json!(1.5)] {
            let data = json!({"n": n});
            let view = widget.draw(&(&data).into()).unwrap();
            assert_eq!(view.text(), crate::tree::fold_text(&view.json), "{n}");
        }
    }

    #[test]
    fn keys_with_quotes_in_them_are_read() {
        let widget = widget(
            r#"{"type":"Card","children":[{"type":"Button","label":"Go {{ a }}","onClickAction":
            {"type":"go","payload":{"x\":[":"y","url":"https://a.example"}}}]}"#,
        );
        assert!(widget.is_fast());
        let view = widget.draw(&(&json!({"a": "1"})).into()).unwrap();
        assert_eq!(view.folded, None);
        assert_eq!(view.text(), "[Go 1](https://a.example)");
    }

    #[test]
    fn data_that_becomes_a_part_of_the_tree_is_read() {
        let widget = widget(
            r#"{"type":"Card","children":[{"type":"Select","name":"a","options":{{ all | tojson }}}]}"#,
        );
        let data = json!({"all": [{"label": "One", "value": "1"}]});
        let view = widget.draw(&(&data).into()).unwrap();
        assert_eq!(view.folded, None);
        assert!(view.text().contains("One"));
    }
}
