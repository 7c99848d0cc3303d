//! ChatKit: the tree itself, as an embedded resource.

use super::host::{Surface, describe_nothing, pretty};
use super::loss::Loss;
use super::showing::Showing;
use crate::reply::Reply;
use serde_json::json;
use widgetcast_engine::json::write_string;

/// See the module.
pub const SURFACE: Surface = Surface {
    name: "chatkit",
    extension: "json",
    wants: |client| client.is_named(&["chatkit"]) || client.takes(MIME),
    describe: describe_nothing,
    present,
    draw: |showing| pretty(&json!({ "widget": showing.tree(), "copy_text": showing.text() })),
};

/// The type that ChatKit servers look for.
pub const MIME: &str = "application/vnd.ui.widget+json";
/// Where the views of a server live.
pub const SCHEME: &str = "ui://";

/// The address of one instance of a view.
pub fn uri(tool: &str, id: &str) -> String {
    parts(tool, id).concat()
}

/// The same in parts.
pub(super) fn parts<'a>(tool: &'a str, id: &'a str) -> [&'a str; 5] {
    [SCHEME, "widgets/", tool, "/", id]
}

fn present(showing: &Showing<'_>, reply: &mut Reply) -> Vec<Loss> {
    // The rendered text goes in as it is; only the copy text is written anew.
    let (tree, text) = (showing.view.json(), showing.text());
    let mut payload = String::with_capacity(tree.len() + text.len() + text.len() / 16 + 32);
    payload.push_str(r#"{"widget":"#);
    payload.push_str(tree);
    payload.push_str(r#","copy_text":"#);
    write_string(text, &mut payload);
    payload.push('}');
    reply.push_resource(&uri(showing.tool, showing.id), MIME, payload);
    Vec::new()
}
