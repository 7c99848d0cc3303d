//! ChatGPT: the same page as other MCP Apps hosts, and the `openai/*` keys that it still reads.

use serde_json::{Map, Value, json};

use super::mcp_apps::{self, Page};
use super::{Face, Loss, Showing, Surface, lists, pretty};
use crate::reply::{Json, Reply};

/// See the module.
pub const SURFACE: Surface = Surface {
    name: "chatgpt",
    extension: "json",
    wants: |client| {
        client.is_named(&["openai", "chatgpt"])
            || client.extension(mcp_apps::EXTENSION).is_some_and(|about| lists(about, SKYBRIDGE))
    },
    describe,
    present,
    draw: |showing| {
        let mut reply = Reply::default();
        reply.push_text(showing.text());
        (mcp_apps::SURFACE.present)(showing, &mut reply);
        present(showing, &mut reply);
        pretty(&reply.to_json())
    },
};

/// The type of a page for hosts that do not know MCP Apps.
pub const SKYBRIDGE: &str = "text/html+skybridge";
/// The page that shows a tool's results.
pub const OUTPUT_TEMPLATE: &str = "openai/outputTemplate";
/// Asks the host to close the view: for a reply's `_meta`.
pub const CLOSE: &str = "openai/closeWidget";
/// The longest message that is shown while a tool runs.
const MESSAGE: usize = 64;

fn describe(face: &Face<'_>, meta: &mut Map<String, Value>) {
    let mut put = |key: &str, value: Value| meta.insert(format!("openai/{key}"), value);
    if let Some(page) = face.page {
        put("outputTemplate", json!(page.template()));
    }
    put("widgetAccessible", json!(face.for_app));
    put("visibility", json!(if face.for_model { "public" } else { "private" }));
    let clip = |text: &str| text.chars().take(MESSAGE).collect::<String>();
    if let Some(text) = face.invoking {
        put("toolInvocation/invoking", json!(clip(text)));
    }
    if let Some(text) = face.invoked {
        put("toolInvocation/invoked", json!(clip(text)));
    }
    put("fileParams", json!(face.file_params));
}

/// Adds the keys that ChatGPT reads from a page.
pub(super) fn describe_page(page: &Page, meta: &mut Map<String, Value>) {
    let mut put = |key: &str, value: Value| meta.insert(format!("openai/{key}"), value);
    if let Some(text) = &page.description {
        put("widgetDescription", json!(text));
    }
    // Links that open without asking exist only here.
    let mut csp = Map::new();
    csp.insert("connect_domains".into(), json!(page.csp.connect));
    csp.insert("resource_domains".into(), json!(page.csp.resource));
    for (name, list) in
        [("frame_domains", &page.csp.frame), ("redirect_domains", &page.csp.redirect)]
    {
        if !list.is_empty() {
            csp.insert(name.into(), json!(list));
        }
    }
    put("widgetCSP", Value::Object(csp));
    if let Some(border) = page.prefers_border {
        put("widgetPrefersBorder", json!(border));
    }
    if let Some(domain) = &page.domain {
        put("widgetDomain", json!(domain));
    }
}

impl Page {
    /// The address that ChatGPT's own key names: the fixed one, where there is one.
    fn template(&self) -> &str {
        self.fixed.as_ref().unwrap_or(&self.uri)
    }

    /// The page at its fixed address, as this type: [`SKYBRIDGE`] for hosts before MCP Apps.
    pub fn fixed_contents(&self, mime: &str) -> Value {
        let mut contents = self.contents();
        contents["uri"] = json!(self.template());
        contents["mimeType"] = json!(mime);
        contents
    }
}

fn present(showing: &Showing<'_>, reply: &mut Reply) -> Vec<Loss> {
    if let Some(page) = showing.page {
        reply.set_meta(OUTPUT_TEMPLATE, Json::string(page.template()));
    }
    Vec::new()
}
