//! MCP Apps: one shared page shows every view; the tree travels in the result's `_meta`, where it
//! costs no model tokens.
//!
//! Hosts cache a page by its address for up to an hour, so the address holds a hash of the page.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use widgetcast_engine::json::{Json, write_escaped, write_string};

use super::descriptor::{Preview, Surface, ToolMeta, pretty};
use super::page;
use super::presentation::Presentation;
use crate::reply::Reply;

/// The row of MCP Apps in [`SURFACES`](super::SURFACES).
pub const SURFACE: Surface = Surface {
    name: "mcp-apps",
    file_extension: "json",
    // Always on: some hosts show views without declaring the extension.
    wants: |_| true,
    describe,
    describe_page: |page, domain, meta| {
        meta.insert("ui".into(), page.ui_meta(domain));
    },
    domain: |url| Some(claude_domain(url)),
    present,
    render,
    preview: |presentation| Preview::json(render(presentation)),
    client: || ("mcp-apps", json!({ "extensions": { EXTENSION: { "mimeTypes": [page::MIME] } } })),
    extension: || Some((EXTENSION, json!({ "mimeTypes": [page::MIME] }))),
    ..Surface::PLAIN
};

/// Whether a client of this name shows views without saying that it does.
pub fn shows_views_unsaid(client: &str) -> bool {
    client.eq_ignore_ascii_case("claude-ai") || client.eq_ignore_ascii_case("claude.ai")
}

/// The extension by which clients and servers declare that they support views.
pub const EXTENSION: &str = "io.modelcontextprotocol/ui";
/// The older, flat key next to `_meta.ui.resourceUri`; some hosts still read only this one.
pub const FLAT_URI: &str = "ui/resourceUri";
/// The member of a result's `_meta` with its tree: `{"uri": …, "state": …, "icons": …, "tree": …}`. `uri` is
/// the URI of this instance, `state` the key of this view's state, and `icons` the drawings that the page
/// does not contain. The text of the view is the first content item and is not repeated. For a tool with a
/// custom page, there are only `state` and, if the page has separate data, [`META_DATA`].
pub const META_TREE: &str = "widgetcast/view";
/// The member of [`META_TREE`] with data that only the page gets.
pub const META_DATA: &str = "data";

/// The origins of the images in a tree, for a page's `resource` list.
///
/// ```
/// use serde_json::json;
/// use widgetcast_core::surface::mcp_apps::resource_domains;
/// let tree = json!({"type": "Card", "children": [
///     {"type": "Image", "src": "https://cdn.example.com/a/b.png"},
///     {"type": "Image", "src": "data:image/svg+xml,<svg/>"}]});
/// assert_eq!(resource_domains(&tree), ["https://cdn.example.com"]);
/// ```
pub fn resource_domains(tree: &Value) -> Vec<String> {
    let mut found = BTreeSet::new();
    collect(tree, &mut found);
    found.into_iter().collect()
}

fn collect(node: &Value, found: &mut BTreeSet<String>) {
    match node {
        Value::Object(members) => {
            for name in ["src", "favicon"] {
                found.extend(members.get(name).and_then(Value::as_str).and_then(origin));
            }
            members.values().for_each(|member| collect(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        _ => {}
    }
}

/// The origin of an https address. None for anything else, or if the host has a character that could
/// end the directive of a content security policy.
pub fn origin(url: &str) -> Option<String> {
    let rest = url.strip_prefix("https://")?;
    let host = rest.split(['/', '?', '#']).next()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':');
    (!host.is_empty() && host.chars().all(plain))
        .then(|| format!("https://{}", host.to_ascii_lowercase()))
}

/// The form of Claude, the only host of MCP Apps that checks it: a hash of the server's address.
fn claude_domain(url: &str) -> String {
    let hash = Sha256::digest(url.as_bytes());
    let hash: String = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("{hash}.claudemcpcontent.com")
}

fn describe(tool: &ToolMeta<'_>, meta: &mut Map<String, Value>) {
    let mut visibility = Vec::new();
    visibility.extend(tool.for_model.then_some("model"));
    visibility.extend(tool.for_app.then_some("app"));
    let mut ui = Map::new();
    if let Some(page) = tool.page {
        ui.insert("resourceUri".into(), json!(page.uri));
        meta.insert(FLAT_URI.into(), json!(page.uri));
    }
    // KiroCrew needs it, and Claude has failed on it (claude-ai-mcp #828).
    if visibility.len() < 2 || tool.explicit_visibility {
        ui.insert("visibility".into(), json!(visibility));
    }
    meta.insert("ui".into(), Value::Object(ui));
}

fn render(presentation: &Presentation<'_>) -> String {
    let mut reply = Reply::default();
    reply.push_text(presentation.text());
    present(presentation, &mut reply);
    pretty(&reply.to_json())
}

fn present(presentation: &Presentation<'_>, reply: &mut Reply) {
    let mut head = String::with_capacity(128);
    head.push_str(r#"{"uri":""#);
    for part in presentation.uri_parts() {
        write_escaped(part, &mut head);
    }
    head.push('"');
    if let Some(key) = presentation.state {
        head.push_str(r#","state":"#);
        write_string(key, &mut head);
    }
    let icons = presentation
        .page
        .map_or(String::new(), |page| page.icons.of_tree(presentation.view.json()));
    if !icons.is_empty() {
        head.push_str(r#","icons":{"#);
        head.push_str(&icons);
        head.push('}');
    }
    head.push_str(r#","tree":"#);
    reply.set_view(META_TREE, head, presentation.view);
    if let Some(page) = presentation.page {
        // Slack reads this key from the result too, not only from the tool.
        let mut ui = String::with_capacity(page.uri.len() + 32);
        ui.push_str(r#"{"resourceUri":"#);
        write_string(&page.uri, &mut ui);
        ui.push('}');
        reply.set_meta("ui", Json::ours(ui));
    }
}
