//! What goes wrong with a model endpoint, and what to do about it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The error of a model.
///
/// Its text is for the operator: it says what to do, includes the endpoint's error message, and never
/// contains the key. The message for users is [`ModelError::for_person`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelError {
    /// What it is.
    pub kind: ModelErrorKind,
    /// The message for the operator.
    pub message: String,
}

/// The kinds of [`ModelError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ModelErrorKind {
    /// Something is not set, or not as it must be.
    Settings,
    /// Nobody answers at the address.
    Unreachable,
    /// The key is missing, wrong, or may not do this.
    Unauthorized,
    /// There is no such model or address.
    NotFound,
    /// Too many requests, or nothing left to spend.
    RateLimited,
    /// The endpoint refuses the request itself.
    BadRequest,
    /// The endpoint failed.
    Server,
    /// The endpoint no data from too long.
    Stalled,
    /// The connection was lost.
    Dropped,
    /// The answer cannot be read.
    Unreadable,
    /// The model wrote arguments that are not JSON, again and again.
    BadArguments,
    /// No tools can be listed.
    Tools,
}

impl ModelError {
    pub(crate) fn new(kind: ModelErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// The message for the user, without the endpoint's error message, which may contain accounts,
    /// addresses and limits.
    pub fn for_person(&self) -> &'static str {
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

    /// Whether asking again may help without a change of settings.
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
