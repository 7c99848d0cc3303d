//! What an extraction has found so far.

use serde_json::Value;
use widgetcast_engine::error::Severity;
use widgetcast_engine::limits::Limits;
use widgetcast_engine::tree::{Nulls, check_value};

use super::member::member;
use super::part::Part;
use super::reason::Reason;

/// The most parts, and the most reasons, that one extraction gives.
pub(super) const MOST: usize = 100;

/// What was found so far, in the order of the result.
#[derive(Default)]
pub(super) struct Found<'a> {
    pub(super) parts: Vec<Part>,
    pub(super) reasons: Vec<Reason>,
    pub(super) texts: Vec<&'a str>,
}

impl<'a> Found<'a> {
    pub(super) fn reason(&mut self, reason: Reason) {
        if self.reasons.len() < MOST {
            self.reasons.push(reason);
        }
    }

    pub(super) fn fault(&mut self, pointer: impl Into<String>, message: &str) {
        self.reason(Reason::new(pointer, message));
    }

    /// Whether a value can be a tree at all. A host may draw what we would refuse to make, so
    /// whatever else is wrong with it is only noted.
    pub(super) fn tree(&mut self, tree: &Value, at: &str) -> Result<(), Reason> {
        if !tree.get("type").is_some_and(Value::is_string) {
            return Err(Reason::new(at, "the tree is not an object with a type"));
        }
        let errors = match check_value(tree, Nulls::Nothing, &Limits::default()) {
            Ok(checked) => {
                let errors = checked.findings.into_iter();
                errors.filter(|f| f.severity == Severity::Error).map(|f| f.error).collect()
            }
            Err(error) => vec![error],
        };
        for error in errors {
            self.fault(format!("{at}{}", error.place().pointer), error.message());
        }
        Ok(())
    }

    /// A copy text that is none is left off; the part is still good.
    pub(super) fn copy_text(&mut self, of: &Value, at: &str) -> Option<String> {
        let (name, text) = member(of, &["copy_text"])?;
        if !text.is_string() {
            self.fault(format!("{at}/{name}"), "copy_text is not a text");
        }
        text.as_str().map(str::to_owned)
    }
}
