//! The state of views: what a user has typed or chosen in a view, for hosts that do not store it.
//!
//! It is stored with a tool, because tool calls are the only requests that every host allows a view to send.
//! The tool is listed only for clients that show views, so no other model sees it. Every result has an
//! unguessable key for its state, so users who see the same data do not share their input.

use std::hash::Hasher as _;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};
use siphasher::sip::SipHasher24;
use widgetcast_core::Id;

use super::super::jsonrpc::present;
use crate::metrics::{Metrics, StoreErrors};
use crate::sdk::caller::owned;
use crate::sdk::context::Ctx;
use crate::sdk::handler::ToolResult;
use crate::sdk::outcome::Outcome;
use crate::sdk::owner::Owner;
use crate::sdk::store::{Entry, EntryKind, Store};
use crate::sdk::store_error::StoreError;
use crate::sdk::tool::{Tool, Visibility};
use crate::sdk::tool_error::ToolError;

/// The name of the tool, which the view page calls.
pub(crate) const NAME: &str = widgetcast_core::STATE_TOOL;
/// Maximum size of a state, as JSON text.
const MAX_BYTES: usize = 64 << 10;

/// The length of the random part of a key; the rest authenticates it.
const RANDOM_BYTES: usize = 8;

/// A new key: random bytes with their keyed hash, so that nothing is stored for it.
pub(super) fn new_key(secret: &[u8; 16]) -> Id {
    key_of(secret, rand::random())
}

fn key_of(secret: &[u8; 16], random: [u8; RANDOM_BYTES]) -> Id {
    let mut hash = SipHasher24::new_with_key(secret);
    hash.write(NAME.as_bytes());
    hash.write(&random);
    let mut bits = [0; Id::LENGTH / 2];
    let (start, tag) = bits.split_at_mut(RANDOM_BYTES);
    start.copy_from_slice(&random);
    tag.copy_from_slice(&hash.finish().to_le_bytes()[..tag.len()]);
    Id::of(&bits)
}

/// Whether a key was created with this secret.
fn is_key(secret: &[u8; 16], key: &str) -> bool {
    let random = key.get(..2 * RANDOM_BYTES).and_then(|text| u64::from_str_radix(text, 16).ok());
    random.is_some_and(|random| *key_of(secret, random.to_be_bytes()) == *key)
}

/// The tool, which stores states under keys created with this secret.
pub(crate) fn tool(store: Arc<dyn Store>, secret: [u8; 16], metrics: &Metrics) -> Tool {
    let errors = metrics.store_errors.clone();
    let handler = move |ctx: Ctx, question: Value| {
        let (store, errors) = (Arc::clone(&store), errors.clone());
        async move { run(&*store, &errors, &secret, &ctx, question).await }
    };
    Tool::new(NAME, handler)
        .title("View state")
        .description("Stores what the user entered in a view. Called by views, not by models.")
        .input_schema(json!({
            "type": "object",
            "properties": {
                "view": { "type": "string", "description": "The key sent with the view" },
                "state": { "description": "State to store; omit it to read the stored state" },
            },
            "required": ["view"],
            "additionalProperties": false,
        }))
        .destructive(false)
        .idempotent()
        .open_world(false)
        .visibility(Visibility::App)
}

#[derive(Deserialize)]
struct Question {
    view: String,
    /// Null is a valid state.
    #[serde(default, deserialize_with = "present")]
    state: Option<Value>,
}

/// Stores or returns a state.
async fn run(
    store: &dyn Store,
    errors: &StoreErrors,
    secret: &[u8; 16],
    ctx: &Ctx,
    question: Value,
) -> ToolResult {
    let Question { view, state } = serde_json::from_value(question)?;
    if !is_key(secret, &view) {
        return Err(ToolError::public("invalid view key"));
    }
    let key = owned(ctx.caller(), &view);
    let failed = |doing: &'static str, error: StoreError| {
        errors.count(doing);
        ToolError::from(error).with_reason("cannot store the state of this view")
    };
    let state = match state {
        None => {
            let kept = store.get(EntryKind::State, &key).await;
            let kept = kept.map_err(|error| failed("get", error))?;
            kept.and_then(|kept| serde_json::from_str(&kept.data).ok()).unwrap_or_default()
        }
        Some(state) => {
            let text = state.to_string();
            if text.len() > MAX_BYTES {
                let bytes = text.len();
                let words = format!("the state has {bytes} bytes; the limit is {MAX_BYTES}");
                return Err(ToolError::public(words));
            }
            let owner = Owner::new(ctx.caller(), ctx.peer());
            let kept = store.put(Entry::state(owner, &key, &text)).await;
            kept.map_err(|error| failed("put", error))?;
            state
        }
    };
    Ok(Outcome::new().text("Kept.").data(json!({ "state": state })))
}
