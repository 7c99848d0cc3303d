//! The state of views: what a person has typed or chosen in one, for hosts that keep nothing.
//!
//! It is a tool, because that is all that every host passes on; views alone may call it, and it is
//! listed only for clients that show views. Whoever knows a view's address has been given it.

use std::sync::Arc;

use futures_util::FutureExt as _;
use serde::Deserialize;
use serde_json::{Value, json};
use widgetcast_core::Reply;
use widgetcast_core::surface::mcp_apps;

use super::{Answer, Arguments, Peer, tools};
use crate::app::Inner;

/// The tool's name; the page knows it too.
pub(super) const NAME: &str = "widgetcast_state";
/// The most that one view may keep, as JSON text.
const MOST: usize = 64 << 10;

/// Whether a client that asks for the list is told of it.
pub(super) fn is_for(peer: &Peer<'_>) -> bool {
    peer.capabilities.is_some_and(|text| text.contains(mcp_apps::EXTENSION))
}

/// The tool as the list shows it.
pub(super) fn describe() -> Value {
    json!({
        "name": NAME,
        "title": "State of a view",
        "description": "Keeps what a person typed or chose in a view. Views call it by themselves.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "view": { "type": "string", "description": "The view's address" },
                "state": { "description": "What to keep; without it, what is kept is given back" },
            },
            "required": ["view"],
            "additionalProperties": false,
        },
        "annotations": {
            "readOnlyHint": false, "destructiveHint": false, "idempotentHint": true,
            "openWorldHint": false,
        },
        "_meta": {
            "ui": { "visibility": ["app"] },
            "openai/visibility": "private",
            "openai/widgetAccessible": true,
        },
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    view: String,
    /// Null is a state too.
    #[serde(default, deserialize_with = "present")]
    state: Option<Value>,
}

fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

pub(super) fn call(app: &Arc<Inner>, arguments: Arguments<'_>, modern: bool) -> Answer {
    let fail = |words: &str| {
        let mut reply = Reply { is_error: true, ..Reply::default() };
        reply.push_text(words);
        Answer::Now(Ok(tools::write(app, &mut reply, modern)))
    };
    let Question { view, state } = match serde_json::from_value(arguments.value) {
        Ok(question) => question,
        Err(error) => return fail(&format!("the arguments do not fit {NAME}: {error}")),
    };
    let id = view.rsplit('/').next().unwrap_or_default();
    let Some(state) = state else {
        let (app, id) = (Arc::clone(app), id.to_owned());
        return Answer::Later(
            async move {
                let kept = app.store.get(&id).await.and_then(|instance| instance.state);
                let kept: Value =
                    kept.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
                Ok(said(&app, &kept, modern))
            }
            .boxed(),
        );
    };
    let text = state.to_string();
    if text.len() > MOST {
        return fail(&format!("the state has {} bytes; a view may keep {MOST}", text.len()));
    }
    if !app.store.set_state(id, &text) {
        return fail("this view is no longer kept here, so its state is not either");
    }
    Answer::Now(Ok(said(app, &state, modern)))
}

fn said(app: &Inner, state: &Value, modern: bool) -> String {
    let mut reply =
        Reply { structured: Some(json!({ "state": state }).into()), ..Reply::default() };
    reply.push_text("Kept.");
    tools::write(app, &mut reply, modern)
}
