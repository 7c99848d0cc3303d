//! What goes wrong with a model endpoint, and what to do about it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a model did not answer. Its text says what to do, and never holds the key.
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
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ModelError {}
