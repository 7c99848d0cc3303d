//! ChatGPT: the same page as other MCP Apps hosts, and the `openai/*` keys that it still reads.

use serde_json::{Map, Value, json};
use widgetcast_engine::json::Json;

use super::client::lists;
use super::descriptor::{Preview, Surface, ToolMeta, pretty};
use super::mcp_apps;
use super::page::{Page, origin};
use super::presentation::Presentation;
use crate::reply::Reply;

/// The row of ChatGPT in [`SURFACES`](super::SURFACES).
pub const SURFACE: Surface = Surface {
    name: "chatgpt",
    file_extension: "json",
    wants: |client| {
        client.is_named(&["openai", "chatgpt"])
            || client.extension(mcp_apps::EXTENSION).is_some_and(|about| lists(about, SKYBRIDGE))
    },
    describe,
    describe_page,
    domain: |url| origin(url).map(str::to_owned),
    present,
    render,
    preview: |presentation| Preview::json(render(presentation)),
    page_mime: Some(SKYBRIDGE),
    challenge: Some("mcp/www_authenticate"),
    client: || {
        (
            "openai-mcp",
            json!({ "extensions": { mcp_apps::EXTENSION: { "mimeTypes": [SKYBRIDGE] } } }),
        )
    },
    ..Surface::PLAIN
};

/// The type of a page for hosts that do not support MCP Apps.
pub const SKYBRIDGE: &str = "text/html+skybridge";
/// The page that shows a tool's results.
pub const OUTPUT_TEMPLATE: &str = "openai/outputTemplate";
/// Asks the host to close the view: for a reply's `_meta`.
pub const CLOSE: &str = "openai/closeWidget";
/// Characters of a message that is shown while a tool runs.
const MESSAGE: usize = 64;

fn describe(tool: &ToolMeta<'_>, meta: &mut Map<String, Value>) {
    let mut put = |key: &str, value: Value| meta.insert(format!("openai/{key}"), value);
    if let Some(page) = tool.page {
        put("outputTemplate", json!(page.template()));
    }
    put("widgetAccessible", json!(tool.for_app));
    put("visibility", json!(if tool.for_model { "public" } else { "private" }));
    let clip = |text: &str| text.chars().take(MESSAGE).collect::<String>();
    if let Some(text) = tool.invoking {
        put("toolInvocation/invoking", json!(clip(text)));
    }
    if let Some(text) = tool.invoked {
        put("toolInvocation/invoked", json!(clip(text)));
    }
    put("fileParams", json!(tool.file_params));
}

fn render(presentation: &Presentation<'_>) -> String {
    let mut reply = Reply::default();
    reply.push_text(presentation.text());
    present(presentation, &mut reply);
    pretty(&reply.to_json())
}

fn present(presentation: &Presentation<'_>, reply: &mut Reply) {
    // The page draws what MCP Apps has for it; where only this surface was asked for, it is not there yet.
    if reply.view.is_none() {
        (mcp_apps::SURFACE.present)(presentation, reply);
    }
    if let Some(page) = presentation.page {
        reply.set_meta(OUTPUT_TEMPLATE, Json::string(page.template()));
    }
}

/// Adds the keys that ChatGPT reads from a page.
fn describe_page(page: &Page, domain: Option<&str>, meta: &mut Map<String, Value>) {
    let mut put = |key: &str, value: Value| meta.insert(format!("openai/{key}"), value);
    if let Some(text) = &page.description {
        put("widgetDescription", json!(text));
    }
    // `redirect_domains` has no counterpart in MCP Apps.
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
    if let Some(domain) = page.domain.as_deref().or(domain) {
        put("widgetDomain", json!(domain));
    }
}
