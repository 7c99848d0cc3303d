//! Slack: a view as Block Kit blocks and as a Work Object, and a validator of both.
//!
//! Slack drops a whole payload for one broken rule, and silently. So the compiler keeps every
//! limit by construction (it splits and falls back before it clamps, and reports what it clamps),
//! and [`validate`] checks the result by rules of its own, as it does with blocks that an author wrote.
//!
//! Interaction follows the Slackbot MCP client: a button's `action_id` is `tool:<action type>` and
//! its `value` the payload as a JSON string; a field's is `input:<name>`. An id may stand once in a
//! block, so the second button of a tool in a block is `tool:<action type>#2`, and so on: Slack calls
//! what is behind `tool:`, and [`called_tool`] takes the number away again.

mod action;
mod button;
mod card;
mod compiler;
mod component;
mod data;
mod date;
mod draft;
mod fact;
mod field;
mod forecast;
mod glyph;
mod grid;
mod group;
mod image;
mod label;
mod limit;
mod list;
mod markdown;
mod menu;
mod message;
mod mrkdwn;
mod object;
mod unseen;
mod validate;
pub(super) mod work_object;

#[cfg(test)]
mod tests;

pub(crate) use data::escape_data;
pub use validate::{Fault, validate, validate_work_object};
pub use work_object::{WorkObject, work_object};

use serde_json::{Value, json};
use widgetcast_engine::json::Json;

use super::descriptor::{Instances, Preview, Surface, describe_nothing, pretty};
use super::loss::Loss;
use super::presentation::{AuthorTemplate, Presentation};
use crate::reply::Reply;

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
    named_blocks(tree, None)
}

/// The same, with the name of the widget: it heads a form that has no title of its own.
fn named_blocks(tree: &Value, name: Option<&str>) -> (Vec<Value>, Vec<Loss>) {
    if limit::is_too_deep(tree) {
        return (Vec::new(), vec![Loss::new("", "dropped: the tree is nested too deep")]);
    }
    let mut draft = compiler::compile(tree, false, name);
    if draft.count() > limit::BLOCKS {
        // Compile again with captions and fields as lines: fewer and longer blocks, the same text.
        draft = compiler::compile(tree, true, name);
    }
    let (blocks, mut losses) = draft.finish();
    losses.extend(unseen::losses(tree));
    if !blocks.is_empty() {
        return (blocks, losses);
    }
    let text = markdown::to_mrkdwn(&widgetcast_engine::tree::fold(tree));
    let sections = mrkdwn::split(&text, limit::SECTION).into_iter().take(limit::BLOCKS);
    let blocks: Vec<Value> = sections.map(|text| object::section(&text)).collect();
    if blocks.is_empty() && losses.is_empty() {
        losses.push(Loss::new("", "there is nothing to show"));
    }
    (blocks, losses)
}

/// The tool that a button of a Slack message calls, for a name with the number of the button behind it:
/// `rsvp` for `rsvp#2`.
///
/// ```
/// use widgetcast_core::slack::called_tool;
/// assert_eq!(called_tool("rsvp#2"), Some("rsvp"));
/// assert_eq!(called_tool("rsvp"), None);
/// assert_eq!(called_tool("c#"), None);
/// ```
pub fn called_tool(name: &str) -> Option<&str> {
    let (tool, number) = name.rsplit_once('#')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    Some(tool).filter(|tool| is_number && !tool.is_empty())
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

/// Block Kit: in `_meta` for the Slackbot client, and as a resource for servers that post it.
pub const BLOCKS_SURFACE: Surface = Surface {
    name: "slack-blocks",
    extension: "json",
    wants: |client| client.extension(EXTENSION).is_some(),
    describe: |tool, meta| {
        if tool.has_widget {
            meta.insert(META.into(), json!({ "supportsBlockKit": true }));
        }
    },
    describe_page: |_, _| {},
    present: present_blocks,
    render: render_blocks,
    preview: |presentation| Preview::json(render_blocks(presentation)),
    is_in_every_result: false,
    instances: Some(Instances {
        uri: "slack://blocks/{name}/{instance_id}",
        description: "A drawn widget, as Slack blocks",
        mime: BLOCKS_MIME,
        suffix: " Block Kit",
        template: Some(AuthorTemplate::SlackBlocks),
    }),
    page_mime: None,
    challenge: None,
};

/// A Work Object, as a resource; only where a template or the caller says what the object is.
pub const WORK_OBJECT_SURFACE: Surface = Surface {
    name: "slack-work-object",
    extension: "json",
    wants: |client| client.takes(WORK_OBJECT_MIME),
    describe: describe_nothing,
    describe_page: |_, _| {},
    present: present_work_object,
    render: render_work_object,
    preview: |presentation| Preview::json(render_work_object(presentation)),
    is_in_every_result: false,
    instances: Some(Instances {
        uri: "slack://work-objects/{name}/{instance_id}",
        description: "A drawn widget, as a Slack Work Object",
        mime: WORK_OBJECT_MIME,
        suffix: " Work Object",
        template: Some(AuthorTemplate::SlackWorkObject),
    }),
    page_mime: None,
    challenge: None,
};

/// The extension by which Slack's client declares that it supports Block Kit.
pub const EXTENSION: &str = "io.slack/block-kit";
/// The member of `_meta` that Slack's client reads.
pub const META: &str = "slack";
/// The scheme of the resources for Slack.
pub const SCHEME: &str = "slack://";
/// The MIME type of Block Kit blocks.
pub const BLOCKS_MIME: &str = "application/vnd.slack.blocks+json";
/// The start of the address of a Block Kit resource.
pub const BLOCKS_URI: &str = "slack://blocks/";
/// The MIME type of a Work Object.
pub const WORK_OBJECT_MIME: &str = "application/vnd.slack.work-object+json";
/// The start of the address of a Work Object.
pub const WORK_OBJECT_URI: &str = "slack://work-objects/";

/// The author's blocks if they would be accepted, else blocks compiled from the tree.
fn own_blocks(presentation: &Presentation<'_>) -> (Vec<Value>, Vec<Loss>) {
    let compile = || named_blocks(presentation.tree(), Some(&glyph::words(presentation.tool)));
    let own = presentation.author_template(AuthorTemplate::SlackBlocks);
    let Some(own) = own.as_ref().and_then(Value::as_array) else {
        return compile();
    };
    let faults = validate(own);
    if faults.is_empty() {
        return (own.clone(), Vec::new());
    }
    let (compiled, mut losses) = compile();
    let refused = faults
        .iter()
        .map(|fault| Loss::new("", format!("the author's blocks are not used: {fault}")));
    losses.extend(refused);
    (compiled, losses)
}

fn render_blocks(presentation: &Presentation<'_>) -> String {
    pretty(&json!({ "blocks": own_blocks(presentation).0 }))
}

fn present_blocks(presentation: &Presentation<'_>, reply: &mut Reply) -> Vec<Loss> {
    let (blocks, losses) = own_blocks(presentation);
    if blocks.is_empty() {
        return losses;
    }
    let uri = format!("{BLOCKS_URI}{}/{}", presentation.tool, presentation.id);
    let blocks = Json::from(json!({ "blocks": blocks }));
    reply.push_resource(&uri, BLOCKS_MIME, blocks.as_str());
    reply.set_meta(META, blocks);
    losses
}

/// The author's Work Object if it would be accepted, else one made from the tree, if it is known
/// what the tree stands for.
fn own_work_object(presentation: &Presentation<'_>) -> (Option<Value>, Vec<Loss>) {
    let own = presentation.author_template(AuthorTemplate::SlackWorkObject);
    let faults = own.as_ref().map(validate_work_object).unwrap_or_default();
    if let Some(own) = own.filter(|_| faults.is_empty()) {
        return (Some(own), Vec::new());
    }
    let (object, mut losses) = match presentation.work_object {
        Some(about) => {
            let (object, losses) = work_object(presentation.tree(), about);
            (Some(object), losses)
        }
        None => (None, Vec::new()),
    };
    let refused = faults
        .iter()
        .map(|fault| Loss::new("", format!("the author's Work Object is not used: {fault}")));
    losses.extend(refused);
    (object, losses)
}

fn render_work_object(presentation: &Presentation<'_>) -> String {
    own_work_object(presentation).0.map(|object| pretty(&object)).unwrap_or_default()
}

fn present_work_object(presentation: &Presentation<'_>, reply: &mut Reply) -> Vec<Loss> {
    let (object, losses) = own_work_object(presentation);
    if let Some(object) = object {
        let uri = format!("{WORK_OBJECT_URI}{}/{}", presentation.tool, presentation.id);
        reply.push_resource(&uri, WORK_OBJECT_MIME, object.to_string());
    }
    losses
}
