//! ChatKit: the tree itself, as an embedded resource.

use super::host::{Instances, Preview, Surface, describe_nothing, pretty};
use super::loss::Loss;
use super::presentation::Presentation;
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
    draw,
    preview: |presentation| Preview::json(draw(presentation)),
    is_in_every_result: false,
    instances: Some(Instances {
        uri: "ui://widgets/{name}/{instance_id}",
        description: "A drawn widget, as ChatKit shows it",
        mime: MIME,
    }),
    page_mime: None,
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

fn draw(presentation: &Presentation<'_>) -> String {
    let (widget, copy_text) = (presentation.tree(), presentation.text());
    pretty(&json!({ "widget": widget, "copy_text": copy_text }))
}

fn present(presentation: &Presentation<'_>, reply: &mut Reply) -> Vec<Loss> {
    // The rendered text goes in as it is; only the copy text is written anew.
    let (tree, text) = (presentation.view.json(), presentation.text());
    let mut payload = String::with_capacity(tree.len() + text.len() + text.len() / 16 + 32);
    payload.push_str(r#"{"widget":"#);
    payload.push_str(tree);
    payload.push_str(r#","copy_text":"#);
    write_string(text, &mut payload);
    payload.push('}');
    reply.push_resource(&uri(presentation.tool, presentation.id), MIME, payload);
    Vec::new()
}
