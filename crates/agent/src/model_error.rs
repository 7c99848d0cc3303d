//! What goes wrong with a model endpoint, and what to do about it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a model did not answer.
///
/// Its text is for whoever runs the server: it says what to do, repeats what the endpoint said, and never
/// holds the key. What a person in a conversation reads is [`ModelError::for_person`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelError {
    /// What it is.
    pub kind: ModelErrorKind,
    /// In words.
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
    /// The endpoint was silent for too long.
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

    /// The same for a person in a conversation, who can neither change settings nor should read what an
    /// endpoint says: it may name accounts, addresses and limits.
    pub fn for_person(&self) -> &'static str {
        match self.kind {
            ModelErrorKind::Settings
            | ModelErrorKind::Unauthorized
            | ModelErrorKind::NotFound
            | ModelErrorKind::BadRequest => {
                "The model cannot be asked with the settings of this server. Its log says why."
            }
            ModelErrorKind::Unreachable => "The model cannot be reached. Try again later.",
            ModelErrorKind::RateLimited => {
                "The model takes no more requests at the moment. Try again later."
            }
            ModelErrorKind::Server => "The model failed to answer. Try again later.",
            ModelErrorKind::Stalled => "The model took too long to go on. Try again.",
            ModelErrorKind::Dropped => {
                "The connection to the model was lost before its answer was complete. Try again."
            }
            ModelErrorKind::Unreadable => "The answer of the model could not be read. Try again.",
            ModelErrorKind::BadArguments => {
                "The model called tools with arguments that cannot be read. Try again."
            }
            ModelErrorKind::Tools => "The tools cannot be reached now. Try again later.",
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
