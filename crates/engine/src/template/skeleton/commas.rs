//! Proves that a list or object has a comma between every two items, for every way through it.

use super::node::Item;

/// What may have come before a point in a list, as a set of bits.
type States = u8;
const EMPTY: States = 1;
const AFTER_ITEM: States = 2;
const AFTER_COMMA: States = 4;

/// Whether a list or object has its commas right, whatever the data.
pub(super) fn are_right(items: &[Item<'_, '_>]) -> bool {
    flow(items, EMPTY, false).is_some_and(|end| end & AFTER_COMMA == 0)
}

/// The states after some items, from all states that are possible before them. None if a comma can be
/// missing or doubled. `lead`: whether a comma may come first, as inside Studio's `set _c` block.
fn flow(items: &[Item<'_, '_>], mut states: States, lead: bool) -> Option<States> {
    for item in items {
        states = match item {
            Item::Set(..) => states,
            Item::One { .. } => (states & AFTER_ITEM == 0).then_some(AFTER_ITEM)?,
            Item::Comma => {
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
            Item::CommaUnlessLast | Item::CommaUnlessFirst => return None,
        };
    }
    Some(states)
}

/// The states after one or more rounds of a loop.
fn each(body: &[Item<'_, '_>], states: States, lead: bool) -> Option<States> {
    let first = body.iter().position(|item| !matches!(item, Item::Set(..)));
    if let Some(Item::CommaUnlessLast) = body.last() {
        let body = &body[..body.len() - 1];
        let once = flow(body, states, lead)?;
        return (once == AFTER_ITEM && flow(body, AFTER_COMMA, lead)? == AFTER_ITEM)
            .then_some(once);
    }
    if let Some(first) = first.filter(|&at| matches!(body[at], Item::CommaUnlessFirst)) {
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
