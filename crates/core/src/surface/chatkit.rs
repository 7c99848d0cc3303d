//! ChatKit: the tree itself, as an embedded resource.

use super::descriptor::{Instances, Preview, Surface, pretty};
use super::presentation::Presentation;
use crate::reply::Reply;
use serde_json::json;
use widgetcast_engine::json::write_string;

/// The row of ChatKit in [`SURFACES`](super::SURFACES).
pub const SURFACE: Surface = Surface {
    name: "chatkit",
    file_extension: "json",
    wants: |client| client.is_named(&["chatkit"]) || client.takes(MIME),
    present,
    render,
    preview: |presentation| Preview::json(render(presentation)),
    instances: Some(Instances {
        uri: "ui://widgets/{name}/{instance_id}",
        description: "A rendered widget, for ChatKit",
        mime: MIME,
        suffix: "",
        needs_template: false,
    }),
    client: || {
        (
            "chatkit",
            json!({ "extensions": { "io.modelcontextprotocol/ui": { "mimeTypes": [MIME] } } }),
        )
    },
    ..Surface::PLAIN
};

/// The type that ChatKit servers look for.
pub const MIME: &str = "application/vnd.ui.widget+json";
/// The prefix of the URIs of rendered widgets, followed by the tool and the id.
pub const URI: &str = "ui://widgets/";

fn render(presentation: &Presentation<'_>) -> String {
    let (widget, copy_text) = (presentation.tree(), presentation.text());
    pretty(&json!({ "widget": widget, "copy_text": copy_text }))
}

fn present(presentation: &Presentation<'_>, reply: &mut Reply) {
    // The tree is JSON text already and is not parsed again.
    let (tree, text) = (presentation.view.json(), presentation.text());
    let mut payload = String::with_capacity(tree.len() + text.len() + text.len() / 16 + 32);
    payload.push_str(r#"{"widget":"#);
    payload.push_str(tree);
    payload.push_str(r#","copy_text":"#);
    write_string(text, &mut payload);
    payload.push('}');
    reply.push_resource(&presentation.uri_parts().concat(), MIME, payload);
}
