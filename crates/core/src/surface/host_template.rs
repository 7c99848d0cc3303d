//! Host templates: an author's template for one host next to a widget, which replaces the output printed from
//! the tree.

use std::fmt;
use std::path::Path;

use serde_json::Value;
use widgetcast_engine::error::{Error, Kind};

/// A kind of template for one surface. The file is `NAME.SUFFIX.yml` next to `NAME.widget`.
#[derive(Debug)]
pub struct HostTemplate {
    /// The suffix of its file after the name of the widget's file, such as `.blocks`.
    pub suffix: &'static str,
    /// The member at the top of the file that holds it: `blocks`.
    pub(crate) key: &'static str,
    /// What it gives, in messages: `these blocks`.
    pub(crate) gives: &'static str,
    /// Takes the rendered JSON, in which data is marked, and makes of it what the host takes.
    pub(crate) read: fn(Value) -> Result<Value, String>,
    /// What the host would refuse of it.
    pub(crate) validate: fn(&Value) -> Vec<Fault>,
}

/// A rule of a host that a payload breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where in the payload, such as `blocks[3].elements[0].text`.
    pub path: String,
    /// The rule, as one short sentence.
    pub rule: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.rule)
    }
}

impl HostTemplate {
    /// The name, without the extension, of the file next to that of a widget.
    pub(crate) fn file_stem(&self, widget: &Path) -> String {
        let stem = widget.file_stem().unwrap_or_default().to_string_lossy();
        format!("{stem}{}", self.suffix)
    }

    /// The error for a rule that breaks.
    pub(crate) fn refusal(&self, fault: &Fault) -> Error {
        let message = format!("the host would reject {}: {fault}", self.gives);
        Error::new(Kind::HostTemplate, message)
    }
}
