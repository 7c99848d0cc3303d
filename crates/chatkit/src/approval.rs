//! Calls that a person decides about: what is asked, and what is kept of it.
//!
//! A call is known by a hash of its id, its server, its tool and its arguments, and each step of it is an
//! item whose id has that hash: the question (`apr_`), the decision (`dec_`) and the start (`run_`). The
//! last two are kept only if they are not there yet, so that a call is decided once and started once,
//! whatever comes at the same time, in this process or another.

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use widgetcast_agent::{Approval, Tool, ToolCall};

use crate::fault::TurnError;
use crate::id;
use crate::protocol::{Action, Event, Item, ItemKind};
use crate::store::StoreFailure;
use crate::tools;
use crate::turn::Turn;

/// What the buttons of a question do.
pub(crate) const DECIDE: &str = "widgetcast.decide";
const ASKED: &str = "apr_";
const DECIDED: &str = "dec_";
const STARTED: &str = "run_";

/// What a call is known by.
fn key(call: &ToolCall, tool: &Tool, arguments: &Map<String, Value>) -> String {
    let bound = json!([call.id, tool.server, tool.name_there, arguments]).to_string();
    Sha256::digest(bound)[..16].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What is kept of a step, and not shown. No two are alike, so that one of them is the first.
fn step(turn: &Turn, id: String, mut content: Value) -> Item {
    content["step"] = id::new("").into();
    Item { id, ..turn.item("hcx", ItemKind::HiddenContextItem { content }) }
}

/// What a person has said about a call; asks, if that was not done yet.
pub(crate) async fn of_call(
    turn: &Turn,
    call: &ToolCall,
    tool: &Tool,
    arguments: &Map<String, Value>,
) -> Result<Approval, TurnError> {
    let key = key(call, tool, arguments);
    let Some(decision) = find(turn, &format!("{DECIDED}{key}")).await? else {
        ask(turn, tool, arguments, format!("{ASKED}{key}")).await?;
        return Ok(Approval::Pending);
    };
    let ItemKind::HiddenContextItem { content } = &decision.kind else {
        return Ok(Approval::Pending);
    };
    if content["approve"] != true {
        return Ok(Approval::Reject("the person refused".into()));
    }
    let started = json!({ "role": "started", "server": tool.server, "tool": tool.name_there });
    let started = step(turn, format!("{STARTED}{key}"), started);
    Ok(match turn.claim(started, None).await? {
        true => Approval::Approve,
        false => Approval::Reject(
            "it was begun before, and its result was lost; it may have done its work".into(),
        ),
    })
}

async fn find(turn: &Turn, id: &str) -> Result<Option<Item>, TurnError> {
    match turn.storage().item(&turn.person().owner, &turn.thread_id(), id).await {
        Ok(item) => Ok(Some(item)),
        Err(StoreFailure::NotFound) => Ok(None),
        Err(failure) => Err(failure.into()),
    }
}

async fn ask(
    turn: &Turn,
    tool: &Tool,
    arguments: &Map<String, Value>,
    id: String,
) -> Result<(), TurnError> {
    if find(turn, &id).await?.is_some() {
        return Ok(());
    }
    let kind = ItemKind::Widget {
        widget: question(tool, arguments),
        copy_text: Some(format!("May {} of {} run?", tools::title(tool), tool.server)),
    };
    turn.emit(Event::ItemDone { item: Item { id, ..turn.item("apr", kind) } }).await
}

/// A widget that asks whether a call may run.
fn question(tool: &Tool, arguments: &Map<String, Value>) -> Value {
    let decide = |approve: bool| json!({ "type": DECIDE, "payload": { "approve": approve } });
    let text = serde_json::to_string_pretty(arguments).unwrap_or_default();
    let place = format!("Tool {} of the server {}", tool.name_there, tool.server);
    json!({
        "type": "Card",
        "children": [
            { "type": "Title", "value": format!("May {} run?", tools::title(tool)), "size": "sm" },
            { "type": "Caption", "value": place },
            { "type": "Markdown", "value": format!("```json\n{}\n```", text.replace("```", "` ` `")) },
        ],
        "confirm": { "label": "Approve", "action": decide(true) },
        "cancel": { "label": "Refuse", "action": decide(false) },
    })
}

/// Keeps what a person decides, and shows it in the question. Fails if it was decided before. Whether the
/// answer goes on: not if the person has written something since, because the model knows then that the call
/// was not run.
pub(crate) async fn decide(
    turn: &Turn,
    action: &Action,
    sender: Option<&Item>,
) -> Result<bool, TurnError> {
    let wrong = || TurnError::Custom { message: "This was decided.".into(), allow_retry: false };
    let sender = sender.ok_or_else(wrong)?;
    let ItemKind::Widget { widget, copy_text } = &sender.kind else { return Err(wrong()) };
    let key = sender.id.strip_prefix(ASKED).ok_or_else(wrong)?;
    if widget["confirm"].is_null() {
        return Err(wrong());
    }
    if turn.has_message_after(&sender.id).await? {
        let widget = answered(widget.clone(), "Not run: the conversation went on", "secondary");
        let kind = ItemKind::Widget { widget, copy_text: copy_text.clone() };
        turn.emit(Event::ItemReplaced { item: Item { kind, ..sender.clone() } }).await?;
        return Ok(false);
    }
    let is_approved = action.payload["approve"] == true;
    let content =
        json!({ "role": "approval", "approve": is_approved, "asked": widget["children"] });
    let decision = step(turn, format!("{DECIDED}{key}"), content);
    let (label, color) = if is_approved { ("Approved", "success") } else { ("Refused", "danger") };
    let kind = ItemKind::Widget {
        widget: answered(widget.clone(), label, color),
        copy_text: copy_text.clone(),
    };
    match turn.claim(decision, Some(Item { kind, ..sender.clone() })).await? {
        true => Ok(true),
        false => Err(wrong()),
    }
}

/// The question without its buttons, and what came of it.
fn answered(mut question: Value, label: &str, color: &str) -> Value {
    if let Some(members) = question.as_object_mut() {
        members.remove("confirm");
        members.remove("cancel");
    }
    if let Some(children) = question["children"].as_array_mut() {
        children.push(json!({ "type": "Badge", "label": label, "color": color }));
    }
    question
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_approval_is_of_one_call_with_its_server_tool_and_arguments() {
        let tool = |server: &str, name: &str| -> Tool {
            let tool = json!({ "name": "t", "server": server, "name_there": name, "description": "",
                "input_schema": {}, "read_only": false, "visible_to_model": true });
            serde_json::from_value(tool).unwrap()
        };
        let of = |id: &str, server: &str, name: &str, number: i64| {
            let call = ToolCall { id: id.into(), name: "t".into(), arguments: String::new() };
            key(&call, &tool(server, name), &Map::from_iter([("n".into(), number.into())]))
        };
        let all = [
            of("c", "s", "t", 1),
            of("d", "s", "t", 1),
            of("c", "r", "t", 1),
            of("c", "s", "u", 1),
            of("c", "s", "t", 2),
        ];
        for (number, key) in all.iter().enumerate() {
            assert_eq!(key.len(), 32);
            assert!(!all[..number].contains(key), "{number}");
        }
        assert_eq!(of("c", "s", "t", 1), all[0]);
    }
}
