//! Protocol errors: the `error` of a JSON-RPC response.

use serde_json::{Value, json};

use super::revision;
use crate::call::request_id;
use crate::log::may_log;
use crate::quota::Limit;
use crate::sdk::refusal::{Refusal, RefusalKind};
use crate::sdk::tool_error::ToolError;
use crate::worker::Undone;

/// The member of an error's data with the `Retry-After` seconds.
const RETRY_AFTER: &str = "retryAfter";

/// A JSON-RPC error. Failures of a tool are not protocol errors: they are results with `isError`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RpcError {
    pub code: i32,
    pub message: String,
    pub data: Option<Value>,
    /// The value of `WWW-Authenticate` for a rejected request.
    pub challenge: Option<Box<str>>,
}

impl RpcError {
    pub(crate) const PARSE: i32 = -32700;
    pub(crate) const INVALID_REQUEST: i32 = -32600;
    pub(crate) const METHOD_NOT_FOUND: i32 = -32601;
    pub(crate) const INVALID_PARAMS: i32 = -32602;
    pub(crate) const INTERNAL: i32 = -32603;
    /// In revisions with a handshake; 2026-07-28 uses `INVALID_PARAMS` instead.
    pub(crate) const RESOURCE_NOT_FOUND: i32 = -32002;
    /// Not defined by the protocol, which only specifies status 404; other servers use it.
    pub(crate) const SESSION_NOT_FOUND: i32 = -32001;
    /// As in HTTP: the protocol leaves such errors to the transport.
    pub(crate) const UNAUTHORIZED: i32 = 401;
    pub(crate) const FORBIDDEN: i32 = 403;
    pub(crate) const TOO_MANY: i32 = 429;
    pub(crate) const UNAVAILABLE: i32 = 503;
    pub(crate) const HEADER_MISMATCH: i32 = -32020;
    pub(crate) const MISSING_CAPABILITY: i32 = -32021;
    pub(crate) const UNSUPPORTED_VERSION: i32 = -32022;

    pub(crate) fn new(code: i32, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None, challenge: None }
    }

    pub(crate) fn invalid_request(message: impl std::fmt::Display) -> Self {
        Self::new(Self::INVALID_REQUEST, format!("Invalid Request: {message}"))
    }

    pub(crate) fn params(message: impl Into<String>) -> Self {
        Self::new(Self::INVALID_PARAMS, message)
    }

    pub(crate) fn method_not_found(method: &str) -> Self {
        Self::new(Self::METHOD_NOT_FOUND, format!("Method not found: {method}"))
    }

    pub(crate) fn header_mismatch(message: impl Into<String>) -> Self {
        Self::new(Self::HEADER_MISMATCH, message)
    }

    pub(crate) fn session_not_found() -> Self {
        Self::new(Self::SESSION_NOT_FOUND, "Session not found; initialize again")
    }

    pub(crate) fn unsupported_version(requested: &str) -> Self {
        let supported: Vec<&str> = revision::supported().rev().collect();
        Self {
            code: Self::UNSUPPORTED_VERSION,
            message: "Unsupported protocol version".into(),
            data: Some(json!({ "requested": requested, "supported": supported })),
            challenge: None,
        }
    }

    pub(crate) fn unknown_prompt(name: &str) -> Self {
        Self::params(format!("Unknown prompt: {name}"))
    }

    /// The error of an unauthorized request. `metadata` is the URL at which clients learn how to get a token.
    pub(crate) fn refused(refusal: &Refusal, metadata: Option<&str>) -> Self {
        let code = match refusal.kind {
            RefusalKind::Unauthorized | RefusalKind::InvalidToken => Self::UNAUTHORIZED,
            RefusalKind::Forbidden => Self::FORBIDDEN,
            RefusalKind::Unavailable => Self::UNAVAILABLE,
            RefusalKind::InvalidRequest | RefusalKind::Error => Self::INVALID_REQUEST,
        };
        let is_forbidden = refusal.kind == RefusalKind::Forbidden;
        let data = is_forbidden.then(|| json!({ "scope": refusal.scopes.join(" ") }));
        let challenge = refusal.challenge(metadata).map(Into::into);
        Self { code, message: refusal.to_string(), data, challenge }
    }

    pub(crate) fn resource_not_found(uri: &str, modern: bool) -> Self {
        Self {
            code: if modern { Self::INVALID_PARAMS } else { Self::RESOURCE_NOT_FOUND },
            message: format!("Resource not found: {uri}"),
            data: Some(json!({ "uri": uri })),
            challenge: None,
        }
    }

    /// The error of 2026-07-28 if the client lacks a capability that a handler needs.
    pub(crate) fn missing_capability(error: &ToolError) -> Option<Self> {
        let required = error.required()?;
        Some(Self {
            code: Self::MISSING_CAPABILITY,
            message: error.to_string(),
            data: Some(json!({ "requiredCapabilities": required })),
            challenge: None,
        })
    }

    /// The error of a failed custom handler. Private details are logged.
    pub(crate) fn failed(of: &str, error: &ToolError) -> Self {
        if !error.is_public() && may_log("failures:", of) {
            let request = request_id::current();
            tracing::error!(of, request, "{}", error.with_causes());
        }
        Self::new(Self::INTERNAL, error.shown())
    }

    /// The error of a call that exceeds a quota.
    pub(crate) fn limited(limit: Limit) -> Self {
        let data = Some(json!({ RETRY_AFTER: limit.retry_after() }));
        Self { code: Self::TOO_MANY, message: limit.to_string(), data, challenge: None }
    }

    /// The `Retry-After` seconds.
    pub(crate) fn retry_after(&self) -> Option<u64> {
        self.data.as_ref()?.get(RETRY_AFTER)?.as_u64().filter(|_| self.code == Self::TOO_MANY)
    }

    /// The error if a worker has failed or rejected its work.
    pub(crate) fn undone(undone: Undone) -> Self {
        let message = match undone {
            Undone::Busy => "The server is busy; try again",
            Undone::Panicked => "The request failed unexpectedly",
        };
        Self::new(Self::INTERNAL, message)
    }

    pub(crate) fn to_json(&self) -> Value {
        let mut out = json!({ "code": self.code, "message": self.message });
        if let Some(data) = &self.data {
            out["data"] = data.clone();
        }
        out
    }
}
