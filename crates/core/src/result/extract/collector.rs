//! Collects the parts of a result, and the reasons why some are not shown.

use serde_json::Value;
use widgetcast_engine::error::Severity;
use widgetcast_engine::limits::Limits;
use widgetcast_engine::tree::{Nulls, check_value};

use super::member::member;
use super::part::Part;
use super::reason::Reason;

/// The most parts, and the most reasons, of one extraction.
pub(super) const MAX_PARTS: usize = 100;

/// What was found so far, in the order of the result.
#[derive(Default)]
pub(super) struct Collector<'a> {
    pub(super) parts: Vec<Part>,
    pub(super) reasons: Vec<Reason>,
    pub(super) texts: Vec<&'a str>,
}

impl<'a> Collector<'a> {
    pub(super) fn reason(&mut self, reason: Reason) {
        if self.reasons.len() < MAX_PARTS {
            self.reasons.push(reason);
        }
    }

    pub(super) fn fault(&mut self, pointer: impl Into<String>, message: &str) {
        self.reason(Reason::new(pointer, message));
    }

    /// Fails if a value cannot be a tree. Other errors are only noted: a host may draw what our own
    /// check refuses.
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

    /// The copy text; one that is not a string is noted and left out, and the part is still good.
    pub(super) fn copy_text(&mut self, of: &Value, at: &str) -> Option<String> {
        let (name, text) = member(of, &["copy_text"])?;
        if !text.is_string() {
            self.fault(format!("{at}/{name}"), "copy_text is not a string");
        }
        text.as_str().map(str::to_owned)
    }
}
