//! Messages between the processes that share a store.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::reload::Change;
use crate::server::Fixed;

/// A message of one process to the others.
#[derive(Debug, Deserialize, Serialize)]
struct Message {
    from: u64,
    change: Change,
}

/// Sends to the other processes. Outside a runtime, this works only if the store does not block.
pub(crate) fn publish(server: &Arc<Fixed>, change: &Change) {
    let message = Message { from: server.process, change: change.clone() };
    let Ok(text) = serde_json::to_string(&message) else { return };
    let Err(later) = server.store.publish(&text).now() else { return };
    let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
    let server = Arc::clone(server);
    runtime.spawn(async move {
        if let Err(error) = later.await {
            server.count_store_error("publish", &error);
        }
    });
}

/// Applies the messages of other processes until the server is dropped. If some may have been missed, clients
/// must read every list again.
pub(crate) fn listen(server: &Arc<Fixed>) {
    let (own, weak) = (server.process, Arc::downgrade(server));
    server.store.listen(Box::new(move |message| {
        let Some(server) = weak.upgrade() else { return false };
        match message.map(serde_json::from_str::<Message>) {
            Some(Ok(Message { from, change })) if from != own => server.reloader.announce(change),
            // Its own message, or one of a newer version.
            Some(_) => {}
            None => {
                for change in [Change::Tools, Change::Resources, Change::Prompts] {
                    server.reloader.announce(change);
                }
            }
        }
        true
    }));
}
