//! Verifies that a list or object has a comma between every two items, for every way through it; and
//! finds the commas to add or to leave out where that is not so.

use std::ops::Range;

use super::node::{Item, Round, SkeletonNode};
use crate::json::locate;
use crate::template::edit::Edit;

/// A missing or extra comma.
#[derive(Debug)]
pub(in crate::template) struct WrongComma {
    pub is_missing: bool,
    /// Whether it belongs to the items of a loop.
    pub in_loop: bool,
    /// Whether it is written even if nothing is next to it: a condition that does not hold, an empty loop.
    pub is_left_over: bool,
    /// The comma, or the place after which it is missing.
    pub range: Range<usize>,
    pub edits: Vec<Edit>,
}

/// What may precede a point in a list, as a bit set.
type States = u8;
const EMPTY: States = 1;
const AFTER_ITEM: States = 2;
const AFTER_COMMA: States = 4;

/// Whether the commas of a list or object are right, whatever the data.
pub(super) fn are_right(items: &[Item<'_, '_>]) -> bool {
    flow(items, EMPTY, false).is_some_and(|end| end & AFTER_COMMA == 0)
}

/// The states after some items, given all possible states before them. `None` if a comma can be missing or
/// duplicate. `lead`: whether a comma may come first, as inside Studio's `set _c` block.
fn flow(items: &[Item<'_, '_>], mut states: States, lead: bool) -> Option<States> {
    for item in items {
        states = match item {
            Item::Set(..) => states,
            Item::One { .. } => (states & AFTER_ITEM == 0).then_some(AFTER_ITEM)?,
            Item::Comma(_) => {
                let fine = AFTER_ITEM | if lead { EMPTY } else { 0 };
                (states & !fine == 0).then_some(AFTER_COMMA)?
            }
            Item::If(_, yes, no) => flow(yes, states, lead)? | flow(no, states, lead)?,
            Item::Strip(body) => {
                let inside = flow(body, EMPTY, true)?;
                match states {
                    _ if inside & AFTER_COMMA != 0 => return None,
                    EMPTY => inside,
                    AFTER_COMMA if inside == AFTER_ITEM => AFTER_ITEM,
                    _ => return None,
                }
            }
            Item::For(_, body) => states | each(body, states, lead)?,
            Item::CommaUnless(..) => return None,
        };
    }
    Some(states)
}

/// The states after one or more iterations of a loop.
fn each(body: &[Item<'_, '_>], states: States, lead: bool) -> Option<States> {
    let first = body.iter().position(|item| !matches!(item, Item::Set(..)));
    if let Some(Item::CommaUnless(Round::Last, _)) = body.last() {
        let body = &body[..body.len() - 1];
        let once = flow(body, states, lead)?;
        return (once == AFTER_ITEM && flow(body, AFTER_COMMA, lead)? == AFTER_ITEM)
            .then_some(once);
    }
    if let Some(first) = first.filter(|&at| matches!(body[at], Item::CommaUnless(Round::First, _)))
    {
        let body = &body[first + 1..];
        let once = flow(body, states, lead)?;
        return (once == AFTER_ITEM && flow(body, AFTER_COMMA, lead)? == AFTER_ITEM)
            .then_some(once);
    }
    let mut all = states;
    loop {
        let next = all | flow(body, all, lead)?;
        if next == all {
            return Some(all);
        }
        all = next;
    }
}

/// Maximum commas of one list that are repaired.
const MAX_WRONG: usize = 100;
const UNLESS_LAST: &str = "{% if not loop.last %},{% endif %}";

/// Repairs the commas of a list or object, if the repair is unique. `members`: of an object.
pub(super) fn repair(
    items: &mut Vec<Item<'_, '_>>,
    source: &str,
    members: bool,
) -> Option<Vec<WrongComma>> {
    let mut wrong = Vec::new();
    drop_commas(items, &mut wrong);
    add_commas(items, source, &mut wrong)?;
    if !are_right(items) {
        mend_conditions(items, source, &mut wrong);
    }
    if !are_right(items) && !members {
        mend_loop(items, source, &mut wrong)?;
    }
    are_right(items).then_some(wrong)
}

fn edit(range: Range<usize>, text: &str) -> Edit {
    Edit { range, text: text.into() }
}

/// Removes leading, trailing and duplicate commas.
fn drop_commas(items: &mut Vec<Item<'_, '_>>, wrong: &mut Vec<WrongComma>) {
    let mut drop = |at: usize| {
        let range = at..at + 1;
        let edits = vec![edit(range.clone(), "")];
        wrong.push(WrongComma {
            is_missing: false,
            in_loop: false,
            is_left_over: false,
            range,
            edits,
        });
    };
    let mut after_comma = true;
    items.retain(|item| {
        let is_comma = matches!(item, Item::Comma(_));
        if let (true, Item::Comma(at)) = (after_comma, item) {
            drop(*at);
            return false;
        }
        after_comma = is_comma || after_comma && matches!(item, Item::Set(..));
        true
    });
    if let Some(Item::Comma(at)) = items.last() {
        drop(*at);
        items.pop();
    }
}

/// Adds commas between neighbours. None if the end of one of them is not known, or if that many are
/// missing that something else is wrong.
fn add_commas(
    items: &mut Vec<Item<'_, '_>>,
    source: &str,
    wrong: &mut Vec<WrongComma>,
) -> Option<()> {
    let mut all = Vec::with_capacity(items.len());
    for item in std::mem::take(items) {
        if let (Item::One { .. }, Some(last @ Item::One { .. })) = (&item, all.last()) {
            let end = end_of(last, source)?;
            let edits = vec![edit(end..end, ",")];
            let range = end - 1..end;
            wrong.push(WrongComma {
                is_missing: true,
                in_loop: false,
                is_left_over: false,
                range,
                edits,
            });
            all.push(Item::Comma(end));
        }
        all.push(item);
    }
    *items = all;
    (wrong.len() <= MAX_WRONG).then_some(())
}

/// Moves the comma before an optional item into its condition, or the comma after it if it is the first.
fn mend_conditions(items: &mut Vec<Item<'_, '_>>, source: &str, wrong: &mut Vec<WrongComma>) {
    let mut at = 0;
    while at < items.len() && wrong.len() <= MAX_WRONG {
        let is_first = items[..at].iter().all(|item| matches!(item, Item::Set(..)));
        let beside = if is_first { Some(at + 1) } else { at.checked_sub(1) };
        let comma = beside.and_then(|beside| match items.get(beside) {
            Some(Item::Comma(offset)) => Some((beside, *offset)),
            _ => None,
        });
        if let (Some((beside, offset)), Item::If(_, yes, no)) = (comma, &mut items[at])
            && no.is_empty()
            && let Some(inside) = place_is_left_over(yes, source, is_first)
        {
            let index = if is_first { yes.len() } else { 0 };
            yes.insert(index, Item::Comma(inside));
            let range = offset..offset + 1;
            let edits = vec![edit(range.clone(), ""), edit(inside..inside, ",")];
            let (is_missing, in_loop) = (false, false);
            wrong.push(WrongComma { is_missing, in_loop, is_left_over: true, range, edits });
            items.remove(beside);
            at = at.max(beside);
        } else {
            at += 1;
        }
    }
}

/// The position of the comma of some items: after the last of them, or before the first.
fn place_is_left_over(items: &[Item<'_, '_>], source: &str, after: bool) -> Option<usize> {
    let (first, last) = (items.first()?, items.last()?);
    let (Item::One { key, value }, Item::One { .. }) = (first, last) else { return None };
    match key {
        _ if after => end_of(last, source),
        Some(_) => locate::json_key(source, value.range.start).map(|key| key.start),
        None => Some(value.range.start),
    }
}

/// The end of an item's text.
fn end_of(item: &Item<'_, '_>, source: &str) -> Option<usize> {
    let Item::One { value, .. } = item else { return None };
    match value.node {
        SkeletonNode::If(..) => None,
        SkeletonNode::Slot { .. } if !source[..value.range.end].ends_with("}}") => {
            source[value.range.end..].find("}}").map(|close| value.range.end + close + 2)
        }
        _ => Some(value.range.end),
    }
}

/// Repairs the commas of the only loop of a list. Each iteration must write one item.
fn mend_loop(
    items: &mut Vec<Item<'_, '_>>,
    source: &str,
    wrong: &mut Vec<WrongComma>,
) -> Option<()> {
    let is_plain = |item: &Item<'_, '_>| {
        matches!(item, Item::One { .. } | Item::Comma(_) | Item::Set(..) | Item::For(..))
    };
    let is_loop = |item: &Item<'_, '_>| matches!(item, Item::For(..));
    let at = items.iter().position(is_loop)?;
    if !items.iter().all(is_plain) || items[at + 1..].iter().any(is_loop) {
        return None;
    }
    let has_one = |items: &[Item<'_, '_>]| items.iter().any(|i| matches!(i, Item::One { .. }));
    let (before, after) = (has_one(&items[..at]), has_one(&items[at + 1..]));
    let comma_before = match items[..at].iter().rev().find(|item| !matches!(item, Item::Set(..))) {
        Some(Item::Comma(offset)) => Some(*offset),
        _ => None,
    };
    let comma_after = match items.get(at + 1) {
        Some(Item::Comma(offset)) => Some(*offset),
        _ => None,
    };
    let Item::For(_, body) = &mut items[at] else { return None };
    let separator = take_separator(body, source);
    let has_separator = separator.is_some();
    let comma_in_body = match body.last() {
        Some(Item::Comma(offset)) => Some(*offset),
        _ => None,
    };
    if comma_in_body.is_some() {
        body.pop();
    }
    let ones = body.iter().filter(|item| !matches!(item, Item::Set(..))).count();
    let (Some(Item::One { value, .. }), 1) = (body.last(), ones) else { return None };
    let start = value.range.start;
    let end = end_of(body.last()?, source)?;
    let drop = separator.clone().or(comma_in_body.map(|at| at..at + 1)).map(|at| edit(at, ""));
    let mut edits: Vec<Edit> = Vec::new();
    // A comma next to the loop that goes into it.
    let mut left_over = None;
    match (before, after) {
        // Alone: a comma after each item but the last.
        (false, false) => {
            let range = comma_in_body.map_or(end..end, |at| at..at + 1);
            edits.push(edit(range, UNLESS_LAST));
            edits.extend(separator.map(|at| edit(at, "")));
            body.push(Item::CommaUnless(Round::Last, end));
        }
        // A comma before each item, and none before the loop.
        (true, _) if comma_before.is_none() || !after => {
            edits.extend(drop);
            edits.push(edit(start..start, ","));
            body.insert(body.len() - 1, Item::Comma(start));
            left_over = comma_before;
        }
        // A comma after each item, and none after the loop.
        _ => {
            if comma_in_body.is_none() {
                edits.push(edit(end..end, ","));
                edits.extend(drop);
            }
            body.push(Item::Comma(end));
            left_over = comma_after;
        }
    }
    if let Some(offset) = left_over {
        edits.push(edit(offset..offset + 1, ""));
        items.retain(|item| !matches!(item, Item::Comma(at) if *at == offset));
    }
    let has_separator = comma_in_body.is_some() || has_separator;
    let range = match (left_over, comma_in_body) {
        (Some(at), _) if has_separator => at..at + 1,
        (_, Some(at)) => at..at + 1,
        _ => end - 1..end,
    };
    let is_missing = !has_separator;
    let is_left_over = left_over.is_some() && has_separator;
    wrong.push(WrongComma { is_missing, in_loop: true, is_left_over, range, edits });
    Some(())
}

/// Removes the comma that a loop writes in all iterations but one, and returns the range of its code.
fn take_separator(body: &mut Vec<Item<'_, '_>>, source: &str) -> Option<Range<usize>> {
    let index = body.iter().position(|item| matches!(item, Item::CommaUnless(..)))?;
    let Item::CommaUnless(_, comma) = body.remove(index) else { return None };
    let before = &source[..comma];
    let start = before.rfind("{%").max(before.rfind("{{"))?;
    let close = if source[start..].starts_with("{%") { "%}" } else { "}}" };
    let end = comma + source[comma..].find(close)? + close.len();
    Some(start..end)
}
