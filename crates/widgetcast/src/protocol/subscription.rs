//! `subscriptions/listen`: a stream of change notifications.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use super::envelope::{Envelope, SERVER_INFO};
use super::error::RpcError;
use super::jsonrpc;
use crate::reload::Change;
use crate::sdk::caller::Caller;
use crate::server::Server;

const ID: &str = "io.modelcontextprotocol/subscriptionId";
/// The filter is kept as long as the stream is open, so it is bounded.
const MAX_URIS: usize = 1000;
const MAX_URI_BYTES: usize = 2048;

/// The notifications that a client requests, or will receive.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default, rename_all = "camelCase")]
struct Filter {
    #[serde(skip_serializing_if = "is_false")]
    tools_list_changed: bool,
    #[serde(skip_serializing_if = "is_false")]
    prompts_list_changed: bool,
    #[serde(skip_serializing_if = "is_false")]
    resources_list_changed: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    resource_subscriptions: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_false(flag: &bool) -> bool {
    !flag
}

impl Filter {
    fn wants(&self, change: &Change) -> bool {
        match change {
            Change::Tools => self.tools_list_changed,
            Change::Prompts => self.prompts_list_changed,
            Change::Resources => self.resources_list_changed,
            Change::Resource(uri) => self.resource_subscriptions.contains(uri),
        }
    }
}

/// One stream.
#[derive(Debug)]
pub(crate) struct Subscription {
    /// The id of the request that opened it.
    id: Value,
    accepted: Filter,
    changes: Receiver<Change>,
    /// The result, sent when the server ends the stream.
    end: String,
}

impl Subscription {
    pub(super) fn open(
        server: &Server,
        id: &str,
        notifications: Option<Value>,
        caller: Option<&Caller>,
    ) -> Result<Self, RpcError> {
        let requested = notifications.filter(Value::is_object).ok_or_else(|| {
            RpcError::params(
                "Invalid params: subscriptions/listen requires the object notifications",
            )
        })?;
        let mut accepted: Filter = serde_json::from_value(requested)
            .map_err(|error| RpcError::params(format!("Invalid params: notifications: {error}")))?;
        accepted.prompts_list_changed &= !server.prompts.is_empty();
        accepted.resource_subscriptions.retain(|uri| uri.len() <= MAX_URI_BYTES);
        accepted.resource_subscriptions.truncate(MAX_URIS);
        accepted.resource_subscriptions.retain(|uri| server.tells_of(uri, caller));
        let id_value: Value = serde_json::from_str(id).unwrap_or_default();
        let meta = json!({ ID: id_value, SERVER_INFO: server.server_info.to_value() });
        let mut end = Envelope::bare(id);
        end.push_members(&json!({ "resultType": "complete", "_meta": meta }));
        Ok(Self { id: id_value, accepted, changes: server.reloader.subscribe(), end: end.close() })
    }

    /// The id of the request that opened it.
    pub(crate) fn id(&self) -> &Value {
        &self.id
    }

    /// The first message of the stream.
    pub(crate) fn acknowledgement(&self) -> String {
        json!({
            "jsonrpc": "2.0",
            "method": "notifications/subscriptions/acknowledged",
            "params": { "_meta": { ID: self.id }, "notifications": self.accepted },
        })
        .to_string()
    }

    /// The next messages; `None` at the end.
    pub(crate) async fn next(&mut self) -> Option<Vec<String>> {
        loop {
            let changes = match self.changes.recv().await {
                Ok(change) => vec![change],
                // Some were missed, so tell the client to read every list again.
                Err(RecvError::Lagged(_)) => {
                    vec![Change::Tools, Change::Resources, Change::Prompts]
                }
                Err(RecvError::Closed) => return None,
            };
            let wanted = changes.iter().filter(|change| self.accepted.wants(change));
            let meta = || Some(json!({ ID: self.id }));
            let messages: Vec<String> =
                wanted.map(|change| jsonrpc::notification(change, meta())).collect();
            if !messages.is_empty() {
                return Some(messages);
            }
        }
    }

    /// The final result, when the server ends the stream.
    pub(crate) fn end(self) -> String {
        self.end
    }
}
