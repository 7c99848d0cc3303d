//! Why something is not shown.

use serde::{Deserialize, Serialize};

/// Why something in a result is not shown, or may not be shown as meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Reason {
    /// A JSON pointer into the result; `#` and a second pointer lead into JSON held in a text.
    pub pointer: String,
    /// What is wrong: one short sentence.
    pub message: String,
}

impl Reason {
    pub(super) fn new(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), message: message.into() }
    }
}
