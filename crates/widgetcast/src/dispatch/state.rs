//! The state of views: what a person has typed or chosen in one, for hosts that keep nothing.
//!
//! It is a tool, because that is all that every host passes on; views alone may call it, and it is
//! listed only for clients that show views. Every result has a key of its own for it, which nobody
//! can guess.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};
use widgetcast_core::Id;
use widgetcast_core::surface::mcp_apps;

use super::Peer;
use crate::app::Inner;
use crate::handler::Ended;
use crate::outcome::{Outcome, ToolError};

/// The tool's name; the page knows it too.
pub(super) const NAME: &str = "widgetcast_state";
/// The most that one view may keep, as JSON text.
const MOST: usize = 64 << 10;

/// Whether a client that asks for the list is told of it.
pub(super) fn is_for(peer: &Peer<'_>) -> bool {
    let extensions = peer.capabilities.and_then(|capabilities| capabilities.get("extensions"));
    extensions.is_some_and(|extensions| extensions.get(mcp_apps::EXTENSION).is_some())
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
                "view": { "type": "string", "description": "The key that came with the view" },
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

/// Keeps a state, or gives it back.
pub(super) async fn run(app: Arc<Inner>, arguments: Value) -> Ended {
    let Question { view, state } = serde_json::from_value(arguments)
        .map_err(|error| ToolError::new(format!("the arguments do not fit {NAME}: {error}")))?;
    // Only what we have given out, which is of this length.
    if view.len() != Id::LENGTH {
        return Err(ToolError::new("this is not the key of a view"));
    }
    let state = match state {
        None => {
            let kept = app.store.state(&view).await;
            kept.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
        }
        Some(state) => {
            let text = state.to_string();
            if text.len() > MOST {
                let words = format!("the state has {} bytes; a view may keep {MOST}", text.len());
                return Err(ToolError::new(words));
            }
            app.store.put_state(&view, &text);
            state
        }
    };
    Ok(Outcome::new().text("Kept.").data(json!({ "state": state })))
}

/// A new key: what a person does in one showing of a view is not for another who is shown the same.
pub(super) fn key() -> Id {
    Id::of(&rand::random())
}
