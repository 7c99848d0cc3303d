//! Slack: a view as Block Kit blocks and as a Work Object, and a strict check of both.
//!
//! Slack drops a whole payload for one broken rule, and silently. So the compiler keeps every
//! limit by construction (it splits and falls back before it clamps, and reports what it clamps),
//! and [`validate`] knows the rules by itself: it also judges blocks that an author wrote by hand.
//!
//! Interaction follows the Slackbot MCP client: a button's `action_id` is `tool:<action type>` and
//! its `value` the payload as a JSON string; a field's is `input:<name>`.

mod action;
mod draft;
mod element;
mod field;
mod glyph;
mod grid;
mod group;
mod limit;
mod mrkdwn;
mod validate;
mod walk;
mod work;

#[cfg(test)]
mod tests;

pub use validate::{Fault, validate};
pub use work::{WorkObject, validate_work_object, work_object};

use serde_json::{Value, json};

use super::Loss;

/// Compiles a checked tree to Block Kit blocks, and says what Slack cannot show.
///
/// ```
/// use serde_json::json;
/// use widgetcast_core::slack;
/// let tree = json!({"type": "Card", "children": [
///     {"type": "Title", "value": "Order 7"},
///     {"type": "Button", "label": "Pay", "onClickAction": {"type": "pay", "payload": {"id": 7}}}]});
/// let (blocks, losses) = slack::blocks(&tree);
/// assert_eq!(blocks[0]["text"]["text"], "Order 7");
/// assert_eq!(blocks[1]["elements"][0]["action_id"], "tool:pay");
/// assert_eq!(blocks[1]["elements"][0]["value"], r#"{"id":7}"#);
/// assert!(losses.is_empty() && slack::validate(&blocks).is_empty());
/// ```
pub fn blocks(tree: &Value) -> (Vec<Value>, Vec<Loss>) {
    if is_too_deep(tree) {
        return (Vec::new(), vec![Loss::new("", "dropped: the tree is nested too deep")]);
    }
    let mut draft = walk::compile(tree, false);
    if draft.count() > limit::BLOCKS {
        // Once more, with captions and fields as lines: fewer and longer blocks, same words.
        draft = walk::compile(tree, true);
    }
    let (blocks, mut losses) = draft.finish();
    if !blocks.is_empty() {
        return (blocks, losses);
    }
    let text = mrkdwn::convert(&crate::tree::fold(tree));
    let sections = mrkdwn::split(&text, limit::SECTION).into_iter().take(limit::BLOCKS);
    let blocks: Vec<Value> = sections.map(|text| draft::section(&text)).collect();
    if blocks.is_empty() && losses.is_empty() {
        losses.push(Loss::new("", "there is nothing to show"));
    }
    (blocks, losses)
}

/// The blocks of an author's rendered template: `{"blocks": […]}` or a bare list.
pub fn template_blocks(rendered: &Value) -> Result<Vec<Value>, String> {
    let list = match rendered {
        Value::Object(members) => {
            members.get("blocks").ok_or("a Block Kit template needs `blocks`")?
        }
        bare => bare,
    };
    match list {
        Value::Array(blocks) => Ok(blocks.clone()),
        _ => Err("`blocks` must be a list".to_owned()),
    }
}

/// Whether recursion over the value could exhaust the stack; checked without recursion.
fn is_too_deep(value: &Value) -> bool {
    let mut level: Vec<&Value> = vec![value];
    for _ in 0..limit::DEPTH {
        level = level
            .into_iter()
            .flat_map(|value| match value {
                Value::Array(items) => items.iter().collect(),
                Value::Object(members) => members.values().collect(),
                _ => Vec::new(),
            })
            .collect();
        if level.is_empty() {
            return false;
        }
    }
    true
}

fn plain(text: &str) -> Value {
    json!({"type": "plain_text", "text": text})
}

fn marked(text: &str) -> Value {
    json!({"type": "mrkdwn", "text": text})
}
