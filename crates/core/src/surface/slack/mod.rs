//! Slack: a view as Block Kit blocks, Work Objects of authors, and a validator of both.
//!
//! Slack drops a whole payload for one broken rule, and silently. So the printer keeps every
//! limit by construction (it splits and falls back before it clamps, and reports what it clamps),
//! and [`validate`] checks the result by rules of its own, as it does with blocks that an author wrote.
//!
//! Interaction follows the Slackbot MCP client: a button's `action_id` is `tool:<action type>` and
//! its `value` the payload as a JSON string; a field's is `input:<name>`. An id may stand once in a
//! block, so the second button of a tool in a block is `tool:<action type>#2`, and so on: Slack calls
//! what is behind `tool:`, and [`called_tool`] takes the number away again.

mod action;
mod chart;
mod data;
mod field;
mod item;
mod limit;
mod line;
mod markdown;
mod markdown_text;
mod mrkdwn;
mod piece;
mod print;
mod table;
#[cfg(test)]
mod tests;
mod validate;
mod writer;

use data::escape_data;
pub use validate::{validate, validate_work_object};

use serde_json::{Value, json};
use widgetcast_engine::json::Json;
use widgetcast_engine::outline::Outline;
use widgetcast_engine::tree::CompactTree;
use widgetcast_engine::words::Words;

use super::descriptor::{Instances, Preview, Surface, pretty, pretty_text};
use super::host_template::HostTemplate;
use super::loss::Loss;
use super::presentation::Presentation;
use crate::reply::Reply;

/// Renders a checked tree as Block Kit blocks, and returns what Slack cannot show.
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
    let json = tree.to_string();
    let tree = CompactTree::read(&json);
    let outline = Outline::of(&tree, &Default::default());
    let (blocks, losses) = printed(&outline, Words::default());
    (serde_json::from_str(&blocks).unwrap_or_default(), losses)
}

/// The blocks as JSON, and the losses.
fn printed(outline: &Outline<'_>, words: Words) -> (String, Vec<Loss>) {
    let (blocks, lost) = print::print(outline, words);
    let mut losses = Loss::all(outline, &print::LACK, lost);
    if blocks == "[]" && losses.is_empty() {
        losses.push(Loss::new("", "there is nothing to show"));
    }
    (blocks, losses)
}

/// The tool that a button of a Slack message calls, without the number of the button: `rsvp` for `rsvp#2`.
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
    aliases: &["slack"],
    file_extension: "json",
    wants: |client| client.extension(EXTENSION).is_some(),
    describe: |tool, meta| {
        if tool.has_widget {
            meta.insert(META.into(), json!({ "supportsBlockKit": true }));
        }
    },
    present: present_blocks,
    losses,
    render: render_blocks,
    preview: |presentation| Preview::json(render_blocks(presentation)),
    instances: Some(Instances {
        uri: "slack://blocks/{name}/{instance_id}",
        description: "A rendered widget, as Slack blocks",
        mime: BLOCKS_MIME,
        suffix: " Block Kit",
        needs_template: true,
    }),
    template: Some(&BLOCKS_TEMPLATE),
    called_tool,
    client: || ("slack", json!({ "extensions": { EXTENSION: {} } })),
    extension: || Some((EXTENSION, json!({ "mimeTypes": [BLOCKS_MIME] }))),
    ..Surface::PLAIN
};

/// A Work Object, as a resource; only if a template defines it.
pub const WORK_OBJECT_SURFACE: Surface = Surface {
    name: "slack-work-object",
    file_extension: "json",
    wants: |client| client.takes(WORK_OBJECT_MIME),
    present: present_work_object,
    losses: work_object_losses,
    render: render_work_object,
    preview: |presentation| Preview::json(render_work_object(presentation)),
    instances: Some(Instances {
        uri: "slack://work-objects/{name}/{instance_id}",
        description: "A rendered widget, as a Slack Work Object",
        mime: WORK_OBJECT_MIME,
        suffix: " Work Object",
        needs_template: true,
    }),
    template: Some(&WORK_OBJECT_TEMPLATE),
    client: || {
        ("slack", json!({ "extensions": { EXTENSION: { "mimeTypes": [WORK_OBJECT_MIME] } } }))
    },
    ..Surface::PLAIN
};

/// The extension with which Slack's client declares support for Block Kit.
pub const EXTENSION: &str = "io.slack/block-kit";
/// The member of `_meta` that Slack's client reads.
pub const META: &str = "slack";
/// The scheme of the resources for Slack.
pub const SCHEME: &str = "slack://";
/// The MIME type of Block Kit blocks.
pub const BLOCKS_MIME: &str = "application/vnd.slack.blocks+json";
/// The prefix of the URI of a Block Kit resource.
pub const BLOCKS_URI: &str = "slack://blocks/";
/// The MIME type of a Work Object.
pub const WORK_OBJECT_MIME: &str = "application/vnd.slack.work-object+json";
/// The prefix of the URI of a Work Object.
pub const WORK_OBJECT_URI: &str = "slack://work-objects/";

static BLOCKS_TEMPLATE: HostTemplate = HostTemplate {
    suffix: ".blocks",
    key: "blocks",
    gives: "these blocks",
    read: |rendered| template_blocks(&unmarked(rendered)).map(Value::Array),
    validate: |blocks| validate(blocks.as_array().map_or(&[], Vec::as_slice)),
};

static WORK_OBJECT_TEMPLATE: HostTemplate = HostTemplate {
    suffix: ".work-object",
    key: "entity",
    gives: "this Work Object",
    read: |rendered| Ok(unmarked(rendered)),
    validate: validate_work_object,
};

/// The JSON of a template, with data escaped where Slack reads markup.
fn unmarked(mut rendered: Value) -> Value {
    escape_data(&mut rendered);
    rendered
}

/// The blocks as JSON: the author's, else those printed from the outline.
fn blocks_json(presentation: &Presentation<'_>) -> String {
    match presentation.own(&BLOCKS_TEMPLATE) {
        Some(Ok(own)) => own.to_string(),
        _ => presentation.outline(|outline| print::print(outline, presentation.words).0),
    }
}

fn losses(presentation: &Presentation<'_>) -> Vec<Loss> {
    let faults = match presentation.own(&BLOCKS_TEMPLATE) {
        Some(Ok(_)) => return Vec::new(),
        Some(Err(faults)) => faults,
        None => Vec::new(),
    };
    let mut losses = presentation.outline(|outline| printed(outline, presentation.words).1);
    losses.extend(Loss::refused("blocks", faults));
    losses
}

fn render_blocks(presentation: &Presentation<'_>) -> String {
    pretty_text(&format!("{{\"blocks\":{}}}", blocks_json(presentation)))
}

fn present_blocks(presentation: &Presentation<'_>, reply: &mut Reply) {
    let blocks = blocks_json(presentation);
    if blocks == "[]" {
        return;
    }
    let uri = format!("{BLOCKS_URI}{}/{}", presentation.tool, presentation.id);
    let blocks = format!("{{\"blocks\":{blocks}}}");
    reply.push_resource(&uri, BLOCKS_MIME, blocks.as_str());
    reply.set_meta(META, Json::laid_out(blocks));
}

/// The author's Work Object, if it would be accepted.
fn own_work_object(presentation: &Presentation<'_>) -> Option<Value> {
    presentation.own(&WORK_OBJECT_TEMPLATE)?.ok()
}

fn work_object_losses(presentation: &Presentation<'_>) -> Vec<Loss> {
    match presentation.own(&WORK_OBJECT_TEMPLATE) {
        Some(Err(faults)) => Loss::refused("Work Object", faults).collect(),
        _ => Vec::new(),
    }
}

fn render_work_object(presentation: &Presentation<'_>) -> String {
    own_work_object(presentation).map(|object| pretty(&object)).unwrap_or_default()
}

fn present_work_object(presentation: &Presentation<'_>, reply: &mut Reply) {
    if let Some(object) = own_work_object(presentation) {
        let uri = format!("{WORK_OBJECT_URI}{}/{}", presentation.tool, presentation.id);
        reply.push_resource(&uri, WORK_OBJECT_MIME, object.to_string());
    }
}
