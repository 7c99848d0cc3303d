//! What goes wrong with tools.

use std::fmt;
use std::time::Duration;

/// Why there is no list of tools, or no result of a call.
///
/// A tool that fails by itself gives a result with `isError`, not this.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ToolboxError {
    /// A server cannot be named, or reached in any event, as it was written.
    BadServer {
        /// The name it was given.
        server: String,
        /// What is wrong, and what to write.
        reason: String,
    },
    /// No tool of the toolbox has this name.
    UnknownTool {
        /// The name.
        name: String,
        /// Names that look like it.
        similar: Vec<String>,
        /// Servers whose tools are not known now, because they cannot be reached.
        down: Vec<String>,
    },
    /// A server cannot be reached now. It is tried again later.
    Down {
        /// Its name.
        server: String,
        /// Why.
        reason: String,
    },
    /// A server refused: the caller may not do this, or the request is wrong.
    Refused {
        /// Its name.
        server: String,
        /// The code of the JSON-RPC error.
        code: i64,
        /// The error message.
        message: String,
    },
    /// A call took too long, and was given up.
    TimedOut {
        /// The server's name.
        server: String,
        /// The tool's name there.
        tool: String,
        /// How long it had.
        after: Duration,
    },
    /// A result is larger than the toolbox takes.
    TooLarge {
        /// The server's name.
        server: String,
        /// The tool's name there.
        tool: String,
        /// The size of the result as JSON, in bytes, as far as it was read.
        bytes: usize,
        /// How large it may be.
        limit: usize,
    },
}

impl fmt::Display for ToolboxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadServer { server, reason } => write!(f, "the server {server:?}: {reason}"),
            Self::UnknownTool { name, similar, down } => {
                write!(f, "unknown tool {name:?}")?;
                if !similar.is_empty() {
                    write!(f, "; did you mean {}?", similar.join(" or "))?;
                }
                match down.is_empty() {
                    true => Ok(()),
                    false => write!(f, "; unavailable servers: {}", down.join(", ")),
                }
            }
            Self::Down { server, reason } => {
                write!(f, "cannot reach the server {server}: {reason}")
            }
            Self::Refused { server, message, .. } => {
                write!(f, "{server} returned an error: {message}")
            }
            Self::TimedOut { server, tool, after } => {
                write!(f, "{tool} of {server} timed out after {} s", after.as_secs_f32())
            }
            Self::TooLarge { server, tool, bytes, limit } => write!(
                f,
                "the result of {tool} of {server} has at least {bytes} bytes; the limit is {limit}"
            ),
        }
    }
}

impl std::error::Error for ToolboxError {}
