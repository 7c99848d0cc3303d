//! The page that shows views in MCP Apps hosts and in ChatGPT: its document, its addresses, and what a
//! host must know to frame it. What each host reads from it is in the host's own file.

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use super::icon::Icons;

/// The scheme of pages and of instances of views.
pub const SCHEME: &str = "ui://";
/// The MIME type of a page.
pub const MIME: &str = "text/html;profile=mcp-app";
/// The parameter that distinguishes it from other HTML.
pub const PROFILE: &str = "profile=mcp-app";

/// A page that shows views, with the metadata that a host needs to embed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The whole document.
    pub html: String,
    /// Its URI, with a hash of the document.
    pub uri: String,
    /// A URI without the hash, if it has one: for ChatGPT's `openai/outputTemplate`, and for hosts older than
    /// MCP Apps.
    pub fixed: Option<String>,
    /// What it shows, for the model.
    pub description: Option<String>,
    /// The origins that it may reach.
    pub csp: Csp,
    /// Browser permissions that it requests: `camera`, `microphone`, `geolocation`, `clipboardWrite`.
    pub permissions: Vec<String>,
    /// A dedicated origin, in the form that the host requires.
    pub domain: Option<String>,
    /// Whether the host should draw a border.
    pub prefers_border: Option<bool>,
    /// Icons that the document does not contain; a result carries those that it uses.
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
    /// Creates a page with the URI `ui://widgetcast/<name>-<hash>.html`.
    ///
    /// ```
    /// use widgetcast_core::surface::page::Page;
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

    /// Creates a page with a fixed URI, and another one with a hash.
    ///
    /// ```
    /// use widgetcast_core::surface::page::Page;
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

    /// The `_meta.ui` of the page's content item, with this domain if the page does not set one.
    pub fn ui_meta(&self, domain: Option<&str>) -> Value {
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
        let domain = self.domain.as_deref().or(domain);
        ui.extend(domain.map(|domain| ("domain".to_owned(), json!(domain))));
        ui.extend(self.prefers_border.map(|border| ("prefersBorder".to_owned(), json!(border))));
        Value::Object(ui)
    }

    /// The address for `openai/outputTemplate`: the fixed one, if there is one.
    pub(super) fn template(&self) -> &str {
        self.fixed.as_ref().unwrap_or(&self.uri)
    }
}

/// The origin of a URL: its scheme, host and port.
pub fn origin(url: &str) -> Option<&str> {
    let host = url.find("://")? + 3;
    let end = url[host..].find(['/', '?', '#']).map_or(url.len(), |end| host + end);
    Some(&url[..end])
}

fn hash(html: &str) -> String {
    let hash = Sha256::digest(html.as_bytes());
    hash.iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}
