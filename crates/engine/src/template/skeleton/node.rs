//! The values of a skeleton.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use minijinja::machinery::ast::{Expr, ForLoop};
use serde_json::Value;

/// A value that a template writes, and its range of the template.
#[derive(Debug)]
pub(in crate::template) struct Skeleton<'t, 's> {
    pub node: SkeletonNode<'t, 's>,
    pub range: Range<usize>,
}

#[derive(Debug)]
pub(in crate::template) enum SkeletonNode<'t, 's> {
    Object(Vec<Item<'t, 's>>),
    Array(Vec<Item<'t, 's>>),
    /// A string, with values printed into it.
    Text(Vec<Part<'t, 's>>),
    /// A number, a boolean or null.
    Const(Value),
    /// A printed value: with `tojson`, or bare.
    Slot {
        expr: &'t Expr<'s>,
        json: bool,
    },
    /// One value or another.
    If(&'t Expr<'s>, Box<Skeleton<'t, 's>>, Box<Skeleton<'t, 's>>),
}

#[derive(Debug)]
pub(in crate::template) enum Part<'t, 's> {
    Const(Cow<'s, str>),
    Print(&'t Expr<'s>),
    If(&'t Expr<'s>, Vec<Part<'t, 's>>, Vec<Part<'t, 's>>),
    /// A loop or an assignment, which the general engine runs.
    Other,
}

/// An item of a list or a member of an object, or a statement that writes some.
#[derive(Debug)]
pub(in crate::template) enum Item<'t, 's> {
    One {
        key: Option<Cow<'s, str>>,
        value: Skeleton<'t, 's>,
    },
    If(&'t Expr<'s>, Vec<Item<'t, 's>>, Vec<Item<'t, 's>>),
    For(&'t ForLoop<'s>, Vec<Item<'t, 's>>),
    Set(&'s str, &'t Expr<'s>),
    /// Studio's `set _c` block: every item begins with a comma, and the first comma is cut off.
    Strip(Vec<Item<'t, 's>>),
    /// A comma, and its offset in the template.
    Comma(usize),
    /// A comma in each round of a loop but one, and the offset of the comma or of the code that prints it.
    CommaUnless(Round, usize),
}

/// The round of a loop that has no comma.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::template) enum Round {
    First,
    Last,
}

/// The text, if no value is printed into it.
pub(in crate::template) fn constant<'p>(parts: &'p [Part<'_, '_>]) -> Option<&'p str> {
    match parts {
        [] => Some(""),
        [Part::Const(text)] => Some(text),
        _ => None,
    }
}

/// Calls `f` with each item. Of a branch, with the items that `choice` selects, or with all.
pub(in crate::template) fn visit<'i, 't, 's>(
    items: &'i [Item<'t, 's>],
    choice: Option<bool>,
    f: &mut dyn FnMut(Option<&'i str>, &'i Skeleton<'t, 's>),
) {
    for item in items {
        match item {
            Item::One { key, value } => f(key.as_deref(), value),
            Item::If(_, yes, no) => {
                if choice != Some(false) {
                    visit(yes, choice, f);
                }
                if choice != Some(true) {
                    visit(no, choice, f);
                }
            }
            Item::For(_, body) | Item::Strip(body) => visit(body, choice, f),
            Item::Set(..) | Item::Comma(_) | Item::CommaUnless(..) => {}
        }
    }
}

/// Whether a member is written whatever the data.
pub(in crate::template) fn is_always_written(items: &[Item<'_, '_>], name: &str) -> bool {
    items.iter().any(|item| match item {
        Item::One { key, .. } => key.as_deref() == Some(name),
        Item::If(_, yes, no) => is_always_written(yes, name) && is_always_written(no, name),
        Item::Strip(body) => is_always_written(body, name),
        _ => false,
    })
}

/// How often each member may be written at most; a loop counts as two rounds.
pub(in crate::template) fn counts<'i>(items: &'i [Item<'_, '_>]) -> HashMap<&'i str, usize> {
    let mut all: HashMap<&'i str, usize> = HashMap::new();
    for item in items {
        let (inner, rounds) = match item {
            Item::One { key, .. } => {
                key.iter().for_each(|key| *all.entry(key).or_default() += 1);
                continue;
            }
            Item::If(_, yes, no) => {
                let mut either = counts(yes);
                for (key, count) in counts(no) {
                    let most = either.entry(key).or_default();
                    *most = count.max(*most);
                }
                (either, 1)
            }
            Item::For(_, body) => (counts(body), 2),
            Item::Strip(body) => (counts(body), 1),
            Item::Set(..) | Item::Comma(_) | Item::CommaUnless(..) => {
                continue;
            }
        };
        for (key, count) in inner {
            *all.entry(key).or_default() += count * rounds;
        }
    }
    all
}
