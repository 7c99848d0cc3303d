//! MCP Apps: one shared page draws every view; the tree travels in the result's `_meta`, where it
//! costs no model tokens.
//!
//! Hosts cache a page by its address for up to an hour, so the address holds a hash of the page.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use super::icon::Icons;
use super::{Face, Loss, Showing, Surface, chatkit, pretty};
use crate::reply::{Json, Reply, write_escaped, write_string};

/// See the module.
pub const SURFACE: Surface = Surface {
    name: "mcp-apps",
    extension: "json",
    // Never withheld: there are hosts that show views and do not say so.
    wants: |_| true,
    describe,
    present,
    draw: |showing| {
        let mut reply = Reply::default();
        reply.push_text(showing.text());
        present(showing, &mut reply);
        pretty(&reply.to_json())
    },
};

/// The extension by which clients and servers say that they know views.
pub const EXTENSION: &str = "io.modelcontextprotocol/ui";
/// The type of a page.
pub const MIME: &str = "text/html;profile=mcp-app";
/// The older, flat key beside `_meta.ui.resourceUri`; some hosts still read only this one.
pub const FLAT_URI: &str = "ui/resourceUri";
/// Where a result carries its tree: `{"uri": …, "state": …, "icons": …, "tree": …}`: the address of
/// this instance, the key of this showing's state, and icons only if the page lacks some. The text that goes with it is the first of the content; it is not sent twice.
pub const META_TREE: &str = "widgetcast/view";

/// A page that draws views, and what a host must know to frame it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The whole document.
    pub html: String,
    /// Its address, with a hash of the document.
    pub uri: String,
    /// An address that never changes, if it has one. ChatGPT's key names it, and hosts from before
    /// MCP Apps read it as the type that they know.
    pub fixed: Option<String>,
    /// What it shows, in words for the model.
    pub description: Option<String>,
    /// What it may reach.
    pub csp: Csp,
    /// Browser features it asks for: `camera`, `microphone`, `geolocation`, `clipboardWrite`.
    pub permissions: Vec<String>,
    /// An origin of its own, in the form the host asks for.
    pub domain: Option<String>,
    /// Whether the host should draw a border.
    pub prefers_border: Option<bool>,
    /// Icons that it does not bring itself: results carry those they need.
    pub icons: Icons,
}

/// The origins that a page may reach.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Csp {
    /// For requests.
    pub connect: Vec<String>,
    /// For images, fonts, styles and scripts.
    pub resource: Vec<String>,
    /// For frames inside it.
    pub frame: Vec<String>,
    /// For links that ChatGPT opens without asking.
    pub redirect: Vec<String>,
}

impl Page {
    /// A page under `ui://widgetcast/<name>-<hash>.html`.
    ///
    /// ```
    /// use widgetcast_core::surface::mcp_apps::Page;
    /// let page = Page::new("view", "<!doctype html>");
    /// assert!(page.uri.starts_with("ui://widgetcast/view-") && page.uri.ends_with(".html"));
    /// assert_ne!(page.uri, Page::new("view", "<!doctype html><p>").uri);
    /// ```
    pub fn new(name: &str, html: impl Into<String>) -> Self {
        let html = html.into();
        Self {
            uri: format!("ui://widgetcast/{name}-{}.html", hash(&html)),
            fixed: None,
            html,
            description: None,
            csp: Csp::default(),
            permissions: Vec::new(),
            domain: None,
            prefers_border: None,
            icons: Icons::default(),
        }
    }

    /// A page under a fixed address, and under one with a hash beside it.
    ///
    /// ```
    /// use widgetcast_core::surface::mcp_apps::Page;
    /// let page = Page::at("ui://widget/chat.html", "<!doctype html>");
    /// assert!(page.uri.starts_with("ui://widget/chat-") && page.uri.ends_with(".html"));
    /// assert_eq!(page.fixed.as_deref(), Some("ui://widget/chat.html"));
    /// ```
    pub fn at(address: &str, html: impl Into<String>) -> Self {
        let mut page = Self::new("", html);
        let stem = address.strip_suffix(".html").unwrap_or(address);
        page.uri = format!("{stem}-{}.html", hash(&page.html));
        page.fixed = Some(address.to_owned());
        page
    }

    /// The `_meta.ui` of the page: it belongs on the content that a read gives back.
    pub fn ui_meta(&self) -> Value {
        let mut ui = Map::new();
        let mut csp = Map::new();
        for (name, list) in [
            ("connectDomains", &self.csp.connect),
            ("resourceDomains", &self.csp.resource),
            ("frameDomains", &self.csp.frame),
        ] {
            if !list.is_empty() {
                csp.insert(name.into(), json!(list));
            }
        }
        if !csp.is_empty() {
            ui.insert("csp".into(), Value::Object(csp));
        }
        if !self.permissions.is_empty() {
            let asked = self.permissions.iter().map(|name| (name.clone(), json!({})));
            ui.insert("permissions".into(), Value::Object(asked.collect()));
        }
        ui.extend(self.domain.iter().map(|domain| ("domain".to_owned(), json!(domain))));
        ui.extend(self.prefers_border.map(|border| ("prefersBorder".to_owned(), json!(border))));
        Value::Object(ui)
    }

    /// The content item that reading the page gives back, with what every host reads from it.
    pub fn contents(&self) -> Value {
        let mut meta = Map::new();
        meta.insert("ui".into(), self.ui_meta());
        super::chatgpt::describe_page(self, &mut meta);
        json!({ "uri": self.uri, "mimeType": MIME, "text": self.html, "_meta": meta })
    }
}

fn hash(html: &str) -> String {
    let hash = Sha256::digest(html.as_bytes());
    hash.iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

/// The origins of the images that a tree shows, for a page's `resource` list.
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

/// The origin of an https address; none for anything else, or if it holds what a policy could be
/// broken out of with.
pub fn origin(url: &str) -> Option<String> {
    let rest = url.strip_prefix("https://")?;
    let host = rest.split(['/', '?', '#']).next()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':');
    (!host.is_empty() && host.chars().all(plain))
        .then(|| format!("https://{}", host.to_ascii_lowercase()))
}

fn describe(face: &Face<'_>, meta: &mut Map<String, Value>) {
    let mut visibility = Vec::new();
    visibility.extend(face.for_model.then_some("model"));
    visibility.extend(face.for_app.then_some("app"));
    let mut ui = Map::new();
    if let Some(page) = face.page {
        ui.insert("resourceUri".into(), json!(page.uri));
        meta.insert(FLAT_URI.into(), json!(page.uri));
    }
    ui.insert("visibility".into(), json!(visibility));
    meta.insert("ui".into(), Value::Object(ui));
}

fn present(showing: &Showing<'_>, reply: &mut Reply) -> Vec<Loss> {
    let mut head = String::with_capacity(128);
    head.push_str(r#"{"uri":""#);
    for part in chatkit::parts(showing.tool, showing.id) {
        write_escaped(part, &mut head);
    }
    head.push('"');
    if let Some(key) = showing.state {
        head.push_str(r#","state":"#);
        write_string(key, &mut head);
    }
    let icons = showing.page.map_or(String::new(), |page| page.icons.of_tree(showing.view.json()));
    if !icons.is_empty() {
        head.push_str(r#","icons":{"#);
        head.push_str(&icons);
        head.push('}');
    }
    head.push_str(r#","tree":"#);
    reply.set_view(META_TREE, head, showing.view);
    if let Some(page) = showing.page {
        // Slack reads it on the result as well as on the tool.
        let mut ui = String::with_capacity(page.uri.len() + 32);
        ui.push_str(r#"{"resourceUri":"#);
        write_string(&page.uri, &mut ui);
        ui.push('}');
        reply.set_meta("ui", Json::ours(ui));
    }
    Vec::new()
}
