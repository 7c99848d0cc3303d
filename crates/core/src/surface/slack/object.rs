//! Text objects of Block Kit, and the block of one.

use serde_json::{Value, json};

use super::mrkdwn;

/// Text without marks.
pub(super) fn plain(text: &str) -> Value {
    json!({"type": "plain_text", "text": text})
}

/// Text with mrkdwn in it.
pub(super) fn marked(text: &str) -> Value {
    json!({"type": "mrkdwn", "text": mrkdwn::unbroken(text)})
}

/// A block of such text.
pub(super) fn section(text: &str) -> Value {
    json!({"type": "section", "text": marked(text)})
}
