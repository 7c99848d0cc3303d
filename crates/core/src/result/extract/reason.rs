//! Why something is not shown.

use serde::{Deserialize, Serialize};

/// Why a part of a result is not shown, or may not be shown as intended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Reason {
    /// A JSON pointer into the result; for JSON in a string, followed by `#` and a second pointer.
    pub pointer: String,
    /// The reason, in one short sentence.
    pub message: String,
}

impl Reason {
    pub(super) fn new(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), message: message.into() }
    }
}
