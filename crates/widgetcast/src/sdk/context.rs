//! The context of a call: the caller, the client, progress and cancellation.

use std::sync::Arc;

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::caller::Caller;
use super::log_level::LogLevel;
use super::peer::Peer;
use crate::call::http_parts::HttpParts;
use crate::call::line::Line;
use crate::call::states::States;

/// The context of a call: request data, progress, logging, elicitation. Cheap to clone.
///
/// Anything that the client did not send is `None`. Only [`Ctx::caller`] is authenticated; everything
/// else is claimed by the client and must not be trusted.
///
/// ```
/// use widgetcast::{App, Ctx, Tool};
///
/// async fn reindex(ctx: Ctx) -> String {
///     for done in 1..=3 {
///         ctx.progress((done, 3), "indexing").await;
///     }
///     let by = ctx.caller().map_or("nobody", |caller| caller.subject());
///     format!("{} for {by}", ctx.name())
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let app = App::new("search", "1.0.0").tool(Tool::new("reindex", reindex)).build()?;
/// let result = app.test().as_caller("ada", []).call("reindex", serde_json::json!({})).await?;
/// assert_eq!(result.text(), "reindex for ada");
/// assert_eq!(result.progress().len(), 3);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Ctx(Arc<Inner>);

struct Inner {
    name: Box<str>,
    metadata: Metadata,
    cancel: CancellationToken,
    /// The channel to the client, while the call runs.
    line: Line,
}

/// The request data of the call. Only the caller is authenticated.
#[derive(Clone, Debug, Default)]
pub(crate) struct Metadata {
    /// The request's `_meta`.
    pub meta: Map<String, Value>,
    pub client: Option<ClientInfo>,
    pub capabilities: Value,
    /// The peer that sent the request.
    pub peer: Peer,
    pub caller: Option<Caller>,
    pub http: HttpParts,
    pub states: Arc<States>,
    /// The minimum log level that a client with a handshake requested.
    pub log_level: Option<LogLevel>,
}

/// The client program.
///
/// ```
/// use widgetcast::Ctx;
/// use widgetcast::client::ClientInfo;
///
/// async fn hello(ctx: Ctx) -> String {
///     match ctx.client() {
///         Some(ClientInfo { name, version }) => format!("hello, {name} {version}"),
///         None => "hello".into(),
///     }
/// }
/// # let _ = widgetcast::Tool::new("hello", hello);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
pub struct ClientInfo {
    /// Its name.
    pub name: String,
    /// Its version.
    #[serde(default)]
    pub version: String,
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ctx").field("name", &self.name).field("metadata", &self.metadata).finish()
    }
}

/// The language of a request, from its `_meta` or its header.
pub(crate) fn locale_of<'a>(
    meta: impl Fn(&str) -> Option<&'a str>,
    header: impl FnOnce() -> Option<&'a str>,
) -> Option<&'a str> {
    let meta =
        ["openai/locale", "webplus/i18n"].iter().find_map(|key| meta(key).and_then(preferred));
    meta.or_else(|| header().and_then(preferred))
}

/// The first language with the highest weight in an `Accept-Language` list.
fn preferred(list: &str) -> Option<&str> {
    let mut best: Option<(f32, &str)> = None;
    for entry in list.split(',') {
        let (tag, parameters) = entry.split_once(';').unwrap_or((entry, ""));
        let weight = parameters.trim().strip_prefix("q=");
        let weight = weight.map_or(1.0, |weight| weight.trim().parse().unwrap_or(0.0));
        let tag = tag.trim();
        // Programs that accept any language send `*`.
        let counts = !tag.is_empty() && tag != "*" && weight > 0.0;
        if counts && best.is_none_or(|(known, _)| weight > known) {
            best = Some((weight, tag));
        }
    }
    best.map(|(_, tag)| tag)
}

impl Ctx {
    pub(crate) fn new(
        name: &str,
        metadata: Metadata,
        cancel: CancellationToken,
        line: Line,
    ) -> Self {
        Self(Arc::new(Inner { name: name.into(), metadata, cancel, line }))
    }

    /// The name of the called tool or prompt, or the URI of the resource.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The authenticated caller.
    pub fn caller(&self) -> Option<&Caller> {
        self.0.metadata.caller.as_ref()
    }

    /// The user's language, such as `de-CH`.
    pub fn locale(&self) -> Option<&str> {
        locale_of(|key| self.text(key), || self.http().text("accept-language"))
    }

    /// The user's browser or app.
    pub fn user_agent(&self) -> Option<&str> {
        self.text("openai/userAgent").or_else(|| self.http().text("user-agent"))
    }

    /// The user's approximate location, in the host's format.
    pub fn location(&self) -> Option<&Value> {
        self.meta("openai/userLocation").filter(|location| !location.is_null())
    }

    /// An anonymous user id as claimed by the host, not verified: any client can send any value. Use it as
    /// a hint for limits and caches; for identity, use [`Ctx::caller`].
    pub fn subject(&self) -> Option<&str> {
        self.text("openai/subject")
    }

    /// The peer of the call, for limits and quotas.
    pub fn peer(&self) -> Peer {
        self.0.metadata.peer
    }

    /// The name and version of the client, if it sent them.
    pub fn client(&self) -> Option<&ClientInfo> {
        self.0.metadata.client.as_ref()
    }

    /// The capabilities that the client declared; null if none.
    pub fn capabilities(&self) -> &Value {
        &self.0.metadata.capabilities
    }

    /// An entry of the request's `_meta`.
    pub fn meta(&self, key: &str) -> Option<&Value> {
        self.0.metadata.meta.get(key)
    }

    /// Whether the client disconnected or cancelled the call. The handler's future is dropped then; check
    /// this in work that you spawned.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancel.is_cancelled()
    }

    /// Completes when the call is cancelled.
    pub async fn cancelled(&self) {
        self.0.cancel.cancelled().await;
    }

    pub(crate) fn line(&self) -> &Line {
        &self.0.line
    }

    pub(crate) fn http(&self) -> &HttpParts {
        &self.0.metadata.http
    }

    pub(super) fn log_level(&self) -> Option<LogLevel> {
        self.0.metadata.log_level
    }

    pub(crate) fn states(&self) -> &States {
        &self.0.metadata.states
    }

    fn text(&self, key: &str) -> Option<&str> {
        self.meta(key)?.as_str()
    }
}
