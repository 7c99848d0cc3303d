//! Dispatch: every answer of the protocol is computed here, and only here.
//!
//! It knows neither HTTP nor pipes nor rmcp. Transports hand it a method with its parameters and
//! who asks; it gives back the text of the result. Answers that need no waiting are given at once,
//! so that the transports can skip tasks and channels for them.

mod complete;
mod params;
mod resources;
mod state;
mod tools;

use futures_util::future::BoxFuture;
use http::HeaderMap;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use widgetcast_core::surface::{Client, mcp_apps, slack};
use widgetcast_core::{Given, SURFACES, Surface};

use crate::app::Inner;
use crate::context::{Caller, ClientInfo, Report};

use params::Data;
pub(crate) use params::{Params, Unplaced};
pub(crate) use tools::{described, has_header_params};

/// The revision without sessions.
pub(crate) const MODERN: &str = "2026-07-28";
/// The revisions that begin with `initialize`.
pub(crate) const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

const META_SERVER: &str = "io.modelcontextprotocol/serverInfo";

/// A request with everything that the answer may depend on.
#[derive(Debug, Default)]
pub(crate) struct Request<'a> {
    pub method: &'a str,
    pub params: Params<'a>,
    pub peer: Peer<'a>,
}

/// What a request's `_meta` says about the protocol.
#[derive(Debug, Default)]
pub(crate) struct Meta<'a> {
    pub version: Option<&'a str>,
    pub capabilities: Option<&'a Given<'a>>,
    pub client: Option<Named<'a>>,
    pub wants_progress: bool,
}

impl<'a> Meta<'a> {
    /// None if something in it is not what it should be.
    pub(crate) fn of(meta: Option<&'a Given<'a>>) -> Option<Self> {
        let Some(meta) = meta else { return Some(Self::default()) };
        let members = meta.as_object()?;
        // Null is what some say for nothing.
        let get = |key: &str| members.get(key).filter(|member| **member != Given::Null);
        let version = get("io.modelcontextprotocol/protocolVersion");
        let client = get("io.modelcontextprotocol/clientInfo");
        Some(Self {
            version: version.map(|version| version.as_str().ok_or(())).transpose().ok()?,
            capabilities: get("io.modelcontextprotocol/clientCapabilities"),
            client: client.map(|client| Named::of(client).ok_or(())).transpose().ok()?,
            wants_progress: get("progressToken").is_some(),
        })
    }
}

/// The name and the version of a client.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Named<'a> {
    pub name: &'a str,
    pub version: &'a str,
}

impl<'a> Named<'a> {
    fn of(info: &'a Given<'a>) -> Option<Self> {
        let version = info.get("version").map_or(Some(""), Given::as_str)?;
        Some(Self { name: info.get("name")?.as_str()?, version })
    }
}

impl<'a> From<&'a ClientInfo> for Named<'a> {
    fn from(info: &'a ClientInfo) -> Self {
        Self { name: &info.name, version: &info.version }
    }
}

/// Who asks.
#[derive(Default)]
pub(crate) struct Peer<'a> {
    /// Whether it speaks 2026-07-28.
    pub modern: bool,
    pub client: Option<Named<'a>>,
    /// What it says it can do.
    pub capabilities: Option<&'a Given<'a>>,
    /// The `_meta` of the request.
    pub meta: Option<&'a Given<'a>>,
    pub headers: Option<&'a HeaderMap>,
    /// Whether somebody has compared what the headers repeat of the arguments.
    pub compared: bool,
    /// Surfaces asked for in the address.
    pub surfaces: Option<&'a [&'static Surface]>,
    /// Cancelled when the caller takes the call back. Transports that drop the answer then need
    /// none.
    pub cancel: Option<CancellationToken>,
    pub report: Option<Report>,
}

impl std::fmt::Debug for Peer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Peer").field("client", &self.client).finish_non_exhaustive()
    }
}

/// The result of a request as JSON text, or why there is none.
pub(crate) type Body = Result<String, Fault>;

/// An answer, now or later.
pub(crate) enum Answer {
    Now(Body),
    Later(BoxFuture<'static, Body>),
    /// None: headers have to be compared with arguments first.
    Aside,
}

impl Answer {
    pub(crate) async fn wait(self) -> Body {
        match self {
            Answer::Now(body) => body,
            Answer::Later(body) => body.await,
            Answer::Aside => Err(Fault::new(Fault::INTERNAL, "headers were not compared")),
        }
    }
}

/// An error of the protocol.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fault {
    pub code: i32,
    pub message: String,
    pub data: Option<Value>,
}

impl Fault {
    pub(crate) const PARSE: i32 = -32700;
    pub(crate) const REQUEST: i32 = -32600;
    pub(crate) const METHOD: i32 = -32601;
    pub(crate) const PARAMS: i32 = -32602;
    pub(crate) const INTERNAL: i32 = -32603;
    /// Resource not found, before 2026-07-28.
    pub(crate) const RESOURCE: i32 = -32002;

    pub(crate) fn new(code: i32, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    pub(crate) fn params(message: impl Into<String>) -> Self {
        Self::new(Self::PARAMS, message)
    }

    pub(crate) fn to_json(&self) -> Value {
        let mut out = json!({ "code": self.code, "message": self.message });
        if let Some(data) = &self.data {
            out["data"] = data.clone();
        }
        out
    }
}

/// Whether a method is one of ours, so that bad parameters are bad parameters.
pub(crate) fn is_known(method: &str) -> bool {
    matches!(
        method,
        "tools/list"
            | "tools/call"
            | "resources/list"
            | "resources/read"
            | "resources/templates/list"
            | "resources/subscribe"
            | "resources/unsubscribe"
            | "prompts/list"
            | "prompts/get"
            | "completion/complete"
            | "server/discover"
            | "subscriptions/listen"
            | "initialize"
            | "ping"
    )
}

/// Whether a method can be answered by one message, so that it needs nothing but [`dispatch`].
pub(crate) fn is_plain(method: &str, modern: bool) -> bool {
    match method {
        "ping" => !modern,
        "server/discover" => modern,
        "initialize" | "subscriptions/listen" => false,
        method => is_known(method),
    }
}

/// Answers a request.
pub(crate) fn dispatch(app: &Arc<Inner>, request: Request<'_>) -> Answer {
    let modern = request.peer.modern;
    match request.method {
        "tools/call" => tools::call(app, request),
        "tools/list" => Answer::Now(tools::list(app, &request)),
        "resources/list" => Answer::Now(resources::list(app, &request)),
        "resources/templates/list" => Answer::Now(resources::templates(app, &request)),
        "resources/read" => resources::read(app, &request),
        "resources/subscribe" | "resources/unsubscribe" if !modern => {
            Answer::Now(Ok("{}".to_owned()))
        }
        "prompts/list" if !app.prompts.is_empty() => {
            let prompts: Vec<Value> = app.prompts.iter().map(|prompt| prompt.to_json()).collect();
            Answer::Now(Ok(listed(app, modern, "prompts", &prompts, None)))
        }
        "prompts/get" if !app.prompts.is_empty() => prompt(app, request),
        "completion/complete" => Answer::Now(complete::complete(app, &request)),
        "server/discover" if modern => Answer::Now(Ok(discover(app))),
        "ping" if !modern => Answer::Now(Ok("{}".to_owned())),
        other => Answer::Now(Err(Fault::new(Fault::METHOD, format!("Method not found: {other}")))),
    }
}

/// What the app can do, as both `initialize` and `server/discover` say it.
pub(crate) fn capabilities(app: &Inner) -> Value {
    let mut out = json!({
        "tools": { "listChanged": true },
        "resources": { "listChanged": true, "subscribe": true },
        "completions": {},
        "extensions": {
            mcp_apps::EXTENSION: { "mimeTypes": [mcp_apps::MIME] },
            slack::EXTENSION: { "mimeTypes": [slack::BLOCKS_MIME] },
        },
    });
    if !app.prompts.is_empty() {
        out["prompts"] = json!({ "listChanged": true });
    }
    out
}

/// Name, version and title, as clients show them.
pub(crate) fn server_info(app: &Inner) -> Value {
    let mut out = json!({ "name": app.name, "version": app.version });
    if let Some(title) = &app.title {
        out["title"] = json!(title);
    }
    out
}

fn discover(app: &Inner) -> String {
    let mut out = json!({
        "resultType": "complete",
        "supportedVersions": std::iter::once(MODERN).chain(LEGACY).collect::<Vec<_>>(),
        "capabilities": capabilities(app),
        "ttlMs": app.settings.list_ttl_ms,
        "cacheScope": "public",
        "_meta": { META_SERVER: server_info(app) },
    });
    if let Some(text) = &app.instructions {
        out["instructions"] = json!(text);
    }
    out.to_string()
}

/// The result of a list method, with what each era wants around it.
fn listed(app: &Inner, modern: bool, key: &str, items: &[Value], next: Option<String>) -> String {
    let mut out = json!({ key: items });
    if let Some(cursor) = next {
        out["nextCursor"] = json!(cursor);
    }
    if modern {
        out["resultType"] = json!("complete");
        out["ttlMs"] = json!(app.settings.list_ttl_ms);
        out["cacheScope"] = json!("public");
        out["_meta"] = json!({ META_SERVER: app.server_info.to_value() });
    }
    out.to_string()
}

fn prompt(app: &Arc<Inner>, mut request: Request<'_>) -> Answer {
    let arguments = request.params.arguments().map(|arguments| arguments.given.to_value());
    let name = request.params.name.as_deref().unwrap_or_default();
    let Some(prompt) = app.prompts.iter().find(|prompt| prompt.name == name) else {
        return Answer::Now(Err(Fault::params(format!("Unknown prompt: {name}"))));
    };
    let arguments = match arguments {
        Ok(Value::Object(arguments)) => arguments,
        Ok(_) => serde_json::Map::new(),
        Err(fault) => return Answer::Now(Err(fault)),
    };
    let missing = prompt.missing(&arguments);
    if !missing.is_empty() {
        let message = format!("Missing arguments of prompt {name}: {}", missing.join(", "));
        return Answer::Now(Err(Fault::params(message)));
    }
    let (run, app, modern) = (prompt.write(arguments), Arc::clone(app), request.peer.modern);
    Answer::Later(Box::pin(async move {
        let messages = run.await.map_err(|error| Fault::new(Fault::INTERNAL, error.to_string()))?;
        let messages: Vec<Value> = messages.iter().map(|message| message.to_json()).collect();
        let mut out = json!({ "messages": messages });
        if modern {
            out["resultType"] = json!("complete");
            out["_meta"] = json!({ META_SERVER: app.server_info.to_value() });
        }
        Ok(out.to_string())
    }))
}

/// Some of the surfaces, in the order of the table: a bit for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Surfaces(u16);

impl Surfaces {
    /// Those that were asked for, and the text.
    fn of(asked: &[&'static Surface]) -> Self {
        Self::filter(|surface| {
            surface.name == "text" || asked.iter().any(|asked| asked.name == surface.name)
        })
    }

    fn filter(wanted: impl Fn(&Surface) -> bool) -> Self {
        const { assert!(SURFACES.len() <= 16) };
        let bits = SURFACES.iter().enumerate().map(|(at, one)| u16::from(wanted(one)) << at);
        Self(bits.sum())
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = &'static Surface> {
        let wanted = move |(at, _): &(usize, _)| self.0 >> at & 1 != 0;
        SURFACES.iter().enumerate().filter(wanted).map(|(_, surface)| surface)
    }
}

/// Decides, for this request alone, which surfaces its result is for: those that the address asks
/// for, else those of the settings, else those that want this client. The text is always there.
pub(crate) fn surfaces(app: &Inner, peer: &Peer<'_>) -> Surfaces {
    if let Some(asked) = peer.surfaces.or(app.surfaces.as_deref()) {
        return Surfaces::of(asked);
    }
    // Most clients say nothing that a surface would look for.
    let capabilities = peer.capabilities.filter(|given| given.get("extensions").is_some());
    let capabilities = capabilities.map(Given::to_value);
    let client =
        Client { name: peer.client.map(|client| client.name), capabilities: capabilities.as_ref() };
    Surfaces::filter(|surface| (surface.wants)(&client))
}

/// The names in a query or flag, such as `chatkit,slack-blocks`.
pub(crate) fn surfaces_named(names: &str) -> Result<Vec<&'static Surface>, String> {
    let find =
        |name: &str| Surface::find(name).ok_or_else(|| format!("there is no surface {name:?}"));
    names.split(',').map(str::trim).filter(|name| !name.is_empty()).map(find).collect()
}

impl Peer<'_> {
    /// What a handler's context holds.
    fn caller(&self) -> Caller {
        let header =
            |name: http::HeaderName| self.headers?.get(name)?.to_str().ok().map(str::to_owned);
        let meta = match self.meta.map(Given::to_value) {
            Some(Value::Object(meta)) => meta,
            _ => serde_json::Map::new(),
        };
        Caller {
            meta,
            client: self.client.map(|client| ClientInfo {
                name: client.name.to_owned(),
                version: client.version.to_owned(),
            }),
            capabilities: self.capabilities.map(Given::to_value).unwrap_or_default(),
            user_agent: header(http::header::USER_AGENT),
            language: header(http::header::ACCEPT_LANGUAGE),
        }
    }
}
