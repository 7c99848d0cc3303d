//! Tools without a server: `[tools.NAME]` of a configuration file declares a command or a URL that handles
//! calls. Its output is data for a widget, or text.
//!
//! Arguments and data are validated, calls have timeouts, and results are shown as those of any other
//! [`Tool`].

mod command;
mod config;
mod url;
mod warm;

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use widgetcast::{Outcome, Tool, ToolError};

pub use config::ToolConfig;

/// Maximum size of the output of a command or a URL.
const MAX_OUTPUT: usize = 4 << 20;

/// The tools of a configuration file, by name. `folder` is the directory of the file: commands run in it, and
/// paths are relative to it.
///
/// # Errors
/// If an entry is invalid, such as one with an unreadable schema or an unset variable.
pub fn tools(
    entries: BTreeMap<String, ToolConfig>,
    folder: &Path,
) -> Result<BTreeMap<String, Tool>, String> {
    let folder =
        std::path::absolute(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let tool = |(name, entry): (String, ToolConfig)| match entry.into_tool(&name, &folder) {
        Ok(tool) => Ok((name, tool)),
        Err(why) => Err(format!("[tools.{name}]: {why}")),
    };
    entries.into_iter().map(tool).collect()
}

/// Converts output to the parts of a result: an object is data, anything else is text.
fn outcome(text: &str) -> Outcome {
    let text = text.trim();
    match serde_json::from_str(text) {
        Ok(data @ Value::Object(_)) => Outcome::new().data(data),
        Ok(Value::String(text)) => Outcome::new().text(text),
        _ => Outcome::new().text(text),
    }
}

fn too_large(who: &str) -> ToolError {
    ToolError::public(format!(
        "{who} returned more than {} MiB; return less, such as one page of the rows",
        MAX_OUTPUT >> 20
    ))
}
