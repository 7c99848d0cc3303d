//! Compares the protocol headers of a request with its message.
//!
//! Since 2026-07-28, proxies may route by headers without parsing the message, so the two must match.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use widgetcast_core::JsonRef;

use crate::declaration::header_param::HeaderParam;
use crate::protocol::revision::{self, MODERN};
use crate::protocol::{Params, RequestMeta, RpcError, meta, session};
use crate::server::Server;

pub(super) const EVENT_STREAM: &str = "text/event-stream";
pub(crate) const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
pub(crate) const METHOD: HeaderName = HeaderName::from_static("mcp-method");
pub(crate) const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
pub(crate) const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// The protocol headers of a request.
#[derive(Debug, Default)]
pub(super) struct McpHeaders<'h> {
    pub version: Option<&'h str>,
    method: Option<&'h str>,
    name: Option<&'h str>,
    /// The session id, in revisions with a handshake.
    session: Option<&'h str>,
    /// The first one that is repeated or not text.
    malformed: Option<&'static str>,
}

impl<'h> McpHeaders<'h> {
    /// A single pass: each lookup would hash a name.
    pub(super) fn read(headers: &'h HeaderMap) -> Self {
        let mut read = Self::default();
        for (name, value) in headers {
            let (slot, title) = match name {
                name if name == VERSION => (&mut read.version, "MCP-Protocol-Version"),
                name if name == METHOD => (&mut read.method, "Mcp-Method"),
                name if name == NAME => (&mut read.name, "Mcp-Name"),
                name if name == SESSION => (&mut read.session, "Mcp-Session-Id"),
                _ => continue,
            };
            match value.to_str() {
                Ok(text) if slot.is_none() => *slot = Some(text),
                _ => _ = read.malformed.get_or_insert(title),
            }
        }
        read
    }

    /// Whether the headers declare 2026-07-28 or later.
    pub(super) fn is_modern(&self) -> bool {
        self.version.is_some_and(|version| version >= MODERN)
    }

    /// The session id, in revisions that have one.
    pub(super) fn session(&self) -> Option<&'h str> {
        self.session.filter(|_| !self.is_modern())
    }

    /// Whether the session id, if any, is valid.
    pub(super) fn check_session(&self, server: &Server) -> Result<(), RpcError> {
        match self.session() {
            Some(id) => session::read(server, id, &mut [0; session::MAX_BYTES]).map(drop),
            None => Ok(()),
        }
    }

    /// Checks the headers of a request, and returns whether it uses 2026-07-28.
    pub(super) fn check(
        &self,
        method: &str,
        params: &Params<'_>,
        meta: &RequestMeta<'_>,
    ) -> Result<bool, RpcError> {
        if method == "initialize" && meta.version.is_none() {
            return self.check_initialize(params).map(|()| false);
        }
        if meta.version.is_none() {
            self.check_version()?;
        }
        if self.is_modern() {
            let name = match method {
                "tools/call" | "prompts/get" => params.name.as_deref(),
                "resources/read" => params.uri.as_deref(),
                _ => None,
            };
            self.check_repeated(method, name)?;
        }
        match (self.version, meta.version) {
            (Some(header), Some(version)) if header != version => {
                Err(RpcError::header_mismatch(format!(
                    "MCP-Protocol-Version header ({header}) does not match request _meta \
                     protocolVersion ({version})"
                )))
            }
            (None, Some(_)) => Err(RpcError::header_mismatch(
                "request _meta protocolVersion requires MCP-Protocol-Version header",
            )),
            (_, Some(_)) => meta.is_modern(),
            (header, None) => match header == Some(MODERN) || method == "server/discover" {
                true => Err(meta.incomplete()),
                false => Ok(false),
            },
        }
    }

    /// Checks the headers of a notification.
    pub(super) fn check_notification(&self, method: &str) -> Result<(), RpcError> {
        self.check_version()?;
        match self.is_modern() {
            true => self.check_repeated(method, None),
            false => Ok(()),
        }
    }

    /// Checks the headers of a relayed message, given its relevant parts.
    pub(super) fn check_relayed(
        &self,
        is_request: bool,
        method: &str,
        target: Option<&str>,
        version: Option<&str>,
    ) -> Result<(), RpcError> {
        if is_request && self.is_modern() {
            if version.is_none() && method != "initialize" {
                return Err(RpcError::params(format!(
                    "Invalid params: request _meta is missing {}",
                    meta::VERSION
                )));
            }
            if version.is_some() {
                let is_named = matches!(method, "tools/call" | "prompts/get" | "resources/read")
                    || method.starts_with("tasks/");
                self.check_repeated(method, target.filter(|_| is_named))?;
            }
        }
        if method != "initialize" {
            self.check_version()?;
        }
        match (self.version, version) {
            (Some(header), Some(version)) if header == version => Ok(()),
            (_, None) => Ok(()),
            (header, Some(version)) => Err(RpcError::header_mismatch(format!(
                "MCP-Protocol-Version header ({}) does not match request _meta protocolVersion ({version})",
                header.unwrap_or("missing")
            ))),
        }
    }

    fn check_version(&self) -> Result<(), RpcError> {
        match self.version {
            Some(version) if !revision::is_supported(version) => {
                Err(RpcError::unsupported_version(version))
            }
            _ => Ok(()),
        }
    }

    /// Checks the headers that mirror the message.
    fn check_repeated(&self, method: &str, name: Option<&str>) -> Result<(), RpcError> {
        if let Some(header) = self.malformed {
            return Err(RpcError::header_mismatch(format!("duplicate {header} header")));
        }
        match self.method {
            Some(header) if header == method => {}
            Some(header) => {
                return Err(RpcError::header_mismatch(format!(
                    "Mcp-Method header `{header}` does not match body method `{method}`"
                )));
            }
            None => return Err(RpcError::header_mismatch("missing required Mcp-Method header")),
        }
        self.check_name(method, name)
    }

    pub(super) fn check_name(&self, method: &str, name: Option<&str>) -> Result<(), RpcError> {
        match (name, self.name) {
            (None, _) => Ok(()),
            (Some(name), Some(header)) => compare("Mcp-Name", header, name),
            (Some(_), None) => Err(RpcError::header_mismatch(format!(
                "missing required Mcp-Name header for `{method}`"
            ))),
        }
    }

    /// A client sends the handshake before it knows the revision, so headers may be missing, but must be
    /// correct.
    fn check_initialize(&self, params: &Params<'_>) -> Result<(), RpcError> {
        let asked = params.rare().and_then(|rare| rare.protocol_version.as_deref());
        if let (Some(header), Some(version)) = (self.version, asked)
            && header != version
        {
            return Err(RpcError::invalid_request(format!(
                "MCP-Protocol-Version header ({header}) does not match initialize \
                 params.protocolVersion ({version})"
            )));
        }
        match self.is_modern() && self.method.is_some() {
            true => self.check_repeated("initialize", None),
            false => Ok(()),
        }
    }
}

/// Compares a header, which may be encoded, with a value in the message.
fn compare(name: &str, header: &str, expected: &str) -> Result<(), RpcError> {
    if header == expected {
        return Ok(());
    }
    let encoded = header.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?="));
    let decoded = match encoded {
        None => header.to_owned(),
        Some(encoded) => STANDARD
            .decode(encoded)
            .ok()
            .and_then(|bytes| String::from_utf8(bytes).ok())
            .ok_or_else(|| {
                RpcError::header_mismatch(format!("{name} header is not valid Base64"))
            })?,
    };
    match decoded == expected {
        true => Ok(()),
        false => Err(RpcError::header_mismatch(format!(
            "{name} header `{decoded}` does not match body value `{expected}`"
        ))),
    }
}

/// The headers that mirror arguments.
pub(super) fn argument(param: &HeaderParam, arguments: &JsonRef<'_>) -> Option<String> {
    let given = param.path.iter().try_fold(arguments, |given, key| given.get(key))?;
    match given {
        JsonRef::Text(text) => Some(text.to_string()),
        JsonRef::Number(_) | JsonRef::Bool(_) => Some(given.to_value().to_string()),
        _ => None,
    }
}

/// Compares an argument in a header with the one in the message.
pub(super) fn check_param(
    headers: &HeaderMap,
    param: &HeaderParam,
    arguments: &JsonRef<'_>,
) -> Result<(), RpcError> {
    let header = format!("Mcp-Param-{}", param.header);
    let property = || param.path.join(".");
    let mut values = headers.get_all(&header).iter();
    let (value, another) = (values.next(), values.next());
    if another.is_some() {
        return Err(RpcError::header_mismatch(format!("duplicate {header} header")));
    }
    let value = value.and_then(|value| value.to_str().ok());
    match (value, argument(param, arguments)) {
        (None, None) => Ok(()),
        (Some(value), Some(argument)) => compare(&header, value, &argument),
        (Some(_), None) => Err(RpcError::header_mismatch(format!(
            "unexpected {header} header for absent or null `{}`",
            property()
        ))),
        (None, Some(_)) => {
            Err(RpcError::header_mismatch(format!("missing {header} header for `{}`", property())))
        }
    }
}

/// Whether the request body is JSON.
pub(super) fn sends_json(headers: &HeaderMap) -> bool {
    headers.get(header::CONTENT_TYPE).is_some_and(starts_with_json)
}

/// Whether the client accepts a JSON response.
pub(super) fn accepts_json(headers: &HeaderMap) -> bool {
    let listed = |text: &str| text.contains("application/json") || text.contains("*/*");
    headers
        .get(header::ACCEPT)
        .is_none_or(|accept| starts_with_json(accept) || accept.to_str().is_ok_and(listed))
}

/// Whether the client accepts an event stream.
pub(super) fn accepts_events(headers: &HeaderMap) -> bool {
    let listed = |text: &str| text.contains(EVENT_STREAM) || text.contains("*/*");
    let accept = headers.get(header::ACCEPT);
    accept.is_none_or(|accept| accept.to_str().is_ok_and(listed))
}

fn starts_with_json(value: &HeaderValue) -> bool {
    value.as_bytes().starts_with(b"application/json")
}

/// Whether a GET requests the event stream of revisions with a handshake.
pub(super) fn wants_events(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accept.is_some_and(|accept| accept.contains(EVENT_STREAM))
        && !McpHeaders::read(headers).is_modern()
}
