//! Components and props under the names of other frameworks: `Paragraph` for `Text`, `text` for `value`,
//! `onClick` for `onClickAction`. A prop is renamed only if the component lacks the intended one, and its
//! value fits.

use std::collections::HashSet;
use std::ops::Range;

use minijinja::machinery::ast::Expr;

use super::{Repair, kind_of};
use crate::error::{Kind, Severity};
use crate::habit;
use crate::template::skeleton::{Item, Skeleton, SkeletonNode, constant, counts, visit};
use crate::tree::component::{Component, Want};

pub(in crate::template) fn habits(source: &str, root: &Skeleton<'_, '_>) -> Vec<Repair> {
    let mut repairs = Vec::new();
    // Set by the template itself.
    let own =
        source.split("set ").skip(1).filter_map(|code| code.split([' ', '=', '%', '.']).next());
    component(&Source { text: source, own: own.collect() }, root, &mut repairs);
    repairs
}

/// Maximum members of a component that are checked.
const MAX_MEMBERS: usize = 200;

struct Source<'s> {
    text: &'s str,
    /// The names of variables that the template sets.
    own: HashSet<&'s str>,
}

/// A component and those in its children. Other objects have a `type` too, such as actions, and it may
/// be any word.
fn component(source: &Source<'_>, skeleton: &Skeleton<'_, '_>, repairs: &mut Vec<Repair>) {
    let items = match &skeleton.node {
        SkeletonNode::Object(items) => items,
        SkeletonNode::If(_, yes, no) => {
            component(source, yes, repairs);
            return component(source, no, repairs);
        }
        _ => return,
    };
    let Some(kind) = kind_of(items) else { return };
    let known = Component::find(&kind);
    let meant = known
        .or_else(|| Component::find_like(&kind))
        .or_else(|| habit::meant_component(&kind).and_then(Component::find));
    // Of two types, the intended one is unknown.
    let mut members = 0;
    visit(items, None, &mut |_, _| members += 1);
    let is_clear = members <= MAX_MEMBERS && counts(items).get("type") == Some(&1);
    if let Some(meant) = meant.filter(|_| is_clear) {
        if known.is_none() {
            repairs.extend(renamed_type(source.text, &kind, meant, items));
        }
        repairs.extend(renamed_props(source.text, meant, items, &skeleton.range));
        repairs.extend(bare_texts(source, meant, items));
    }
    // What is in a component that there is not is named after that, as `li` in `ul`.
    if meant.is_none() {
        return;
    }
    visit(items, None, &mut |key, value| match (key, &value.node) {
        (Some("children"), SkeletonNode::Array(list)) => {
            visit(list, None, &mut |_, child| component(source, child, repairs));
        }
        (Some("children"), _) => component(source, value, repairs),
        _ => {}
    });
}

fn renamed_type(
    source: &str,
    kind: &str,
    meant: &Component,
    items: &[Item<'_, '_>],
) -> Option<Repair> {
    let mut range = None;
    visit(items, None, &mut |key, value| {
        if key == Some("type") {
            range = Some(value.range.clone());
        }
    });
    let range = range.filter(|range| source[range.clone()] == format!("\"{kind}\""))?;
    let message = format!("unknown component \"{kind}\"; treated as {}", meant.name);
    let repair = Repair::new(Kind::TreeType, Severity::Warning, message, range.clone());
    Some(repair.with(range, format!("\"{}\"", meant.name)))
}

fn renamed_props(
    source: &str,
    component: &Component,
    items: &[Item<'_, '_>],
    range: &Range<usize>,
) -> Vec<Repair> {
    let mut repairs: Vec<Repair> = Vec::new();
    let mut taken: Vec<&str> = Vec::new();
    let counts = counts(items);
    visit(items, None, &mut |key, value| {
        let Some(key) = key else { return };
        // Empty children of a leaf are removed, not renamed.
        let is_words = key != "children" || matches!(value.node, SkeletonNode::Text(_));
        if component.prop(key).is_some() || !is_words {
            return;
        }
        let Some(prop) = habit::meant_prop(component.name, key).and_then(|n| component.prop(n))
        else {
            return;
        };
        let is_free = !counts.contains_key(prop.name)
            && counts.get(key) == Some(&1)
            && !taken.contains(&prop.name);
        let Some(name) = key_range(source, key, value, range) else { return };
        if !is_free || !fits(&value.node, &prop.want) {
            return;
        }
        taken.push(prop.name);
        let message = format!("{} has no prop \"{key}\"; treated as {}", component.name, prop.name);
        let repair = Repair::new(Kind::UnknownProp, Severity::Warning, message, name.clone());
        repairs.push(repair.with(name, format!("\"{}\"", prop.name)));
    });
    repairs
}

/// Data that is the whole value of a text prop, printed without `tojson`: a string would lack its quotes, and
/// a number is the same either way.
fn bare_texts(source: &Source<'_>, component: &Component, items: &[Item<'_, '_>]) -> Vec<Repair> {
    let mut repairs = Vec::new();
    visit(items, None, &mut |key, value| {
        let Some(prop) = key.and_then(|key| component.prop(key)) else { return };
        let SkeletonNode::Slot { expr, json: false } = &value.node else { return };
        let is_text = matches!(prop.want, Want::Str | Want::Choice(_) | Want::Icon);
        let Some(name) = path_root(expr).filter(|_| is_text) else { return };
        let end = expr.span().end_offset as usize;
        let is_whole = source.text[end..].trim_start_matches([' ', '-', '+']).starts_with("}}");
        // Variables that the template sets may contain JSON already.
        if source.own.contains(name) || name == "loop" || !is_whole {
            return;
        }
        let message = "this value is printed into the JSON without `tojson`";
        let mut repair =
            Repair::new(Kind::Unescaped, Severity::Warning, message, value.range.clone());
        repair.help =
            "write `{{ … | tojson }}`; otherwise a string is printed without quotes".into();
        repairs.push(repair.with(end..end, " | tojson"));
    });
    repairs
}

/// The first name of a path such as `item.name`; `None` for any other expression.
fn path_root<'s>(expr: &Expr<'s>) -> Option<&'s str> {
    match expr {
        Expr::Var(var) => Some(var.id),
        Expr::GetAttr(attr) => path_root(&attr.expr),
        _ => None,
    }
}

/// The range of the key before a value.
fn key_range(
    source: &str,
    key: &str,
    value: &Skeleton<'_, '_>,
    component: &Range<usize>,
) -> Option<Range<usize>> {
    let before = source.get(component.start..value.range.start)?;
    let name = before.trim_end().strip_suffix(':')?.trim_end();
    let start = name.strip_suffix(&format!("\"{key}\""))?.len();
    Some(component.start + start..component.start + name.len())
}

/// Whether a value always has the type of a prop, judging by the template.
fn fits(node: &SkeletonNode<'_, '_>, want: &Want) -> bool {
    match node {
        SkeletonNode::Slot { json, .. } => *json,
        SkeletonNode::Text(parts) => match constant(parts) {
            Some(text) => want.takes_text(text) && want.doubt(text).is_none(),
            None => matches!(want, Want::Str),
        },
        SkeletonNode::Const(value) => match value {
            serde_json::Value::Bool(_) => want.any(&|want| matches!(want, Want::Bool)),
            serde_json::Value::Number(_) => want.takes_number(),
            _ => false,
        },
        SkeletonNode::Object(items) => want.shape().is_some_and(|shape| {
            let required = shape.props.iter().filter(|prop| prop.required);
            let counts = counts(items);
            !matches!(want, Want::List(_))
                && required.clone().all(|p| counts.get(p.name) == Some(&1))
        }),
        SkeletonNode::Array(_) => want.any(&|want| matches!(want, Want::List(_))),
        SkeletonNode::If(_, yes, no) => fits(&yes.node, want) && fits(&no.node, want),
    }
}
