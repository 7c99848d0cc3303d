//! Errors of a model endpoint, and how to fix them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The error of a model.
///
/// Its text is for the operator: it suggests a fix and includes the endpoint's error message, but never the
/// key. The message for users is [`ModelError::user_message`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelError {
    /// The kind of error.
    pub kind: ModelErrorKind,
    /// The message for the operator.
    pub message: String,
}

/// The kinds of [`ModelError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ModelErrorKind {
    /// A setting is missing or invalid.
    Settings,
    /// The endpoint is unreachable.
    Unreachable,
    /// The API key is missing, invalid or not authorized.
    Unauthorized,
    /// The model or the URL does not exist.
    NotFound,
    /// Too many requests, or the quota is exhausted.
    RateLimited,
    /// The endpoint rejected the request.
    BadRequest,
    /// The endpoint failed.
    Server,
    /// The endpoint sent no data for too long.
    Stalled,
    /// The connection was lost.
    Dropped,
    /// The response is invalid.
    Unreadable,
    /// The model repeatedly wrote arguments that are not JSON.
    BadArguments,
    /// The tools cannot be listed.
    Tools,
}

impl ModelError {
    pub(crate) fn new(kind: ModelErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// The message for the user, without the endpoint's error message, which may contain accounts,
    /// addresses and limits.
    pub fn user_message(&self) -> &'static str {
        match self.kind {
            ModelErrorKind::Settings
            | ModelErrorKind::Unauthorized
            | ModelErrorKind::NotFound
            | ModelErrorKind::BadRequest => {
                "The model is not configured correctly on this server. See its log."
            }
            ModelErrorKind::Unreachable => "The model is unavailable. Try again later.",
            ModelErrorKind::RateLimited => "The model is rate-limited. Try again later.",
            ModelErrorKind::Server => "The model returned an error. Try again later.",
            ModelErrorKind::Stalled => "The model took too long to respond. Try again.",
            ModelErrorKind::Dropped => {
                "The connection to the model was lost before the response was complete. Try again."
            }
            ModelErrorKind::Unreadable => "The model's response was invalid. Try again.",
            ModelErrorKind::BadArguments => "The model sent invalid tool arguments. Try again.",
            ModelErrorKind::Tools => "The tools are unavailable. Try again later.",
        }
    }

    /// Whether a retry may succeed without a change of settings.
    pub fn may_pass(&self) -> bool {
        !matches!(
            self.kind,
            ModelErrorKind::Settings
                | ModelErrorKind::Unauthorized
                | ModelErrorKind::NotFound
                | ModelErrorKind::BadRequest
        )
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ModelError {}
