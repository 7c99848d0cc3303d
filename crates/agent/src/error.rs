//! Errors of tools.

use std::fmt;
use std::time::Duration;

/// The error of listing or calling tools.
///
/// If a tool itself fails, the call returns a result with `isError` instead.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ToolboxError {
    /// The name or the configuration of a server is invalid.
    BadServer {
        /// Its name.
        server: String,
        /// What is wrong, and how to fix it.
        reason: String,
    },
    /// No tool of the toolbox has this name.
    UnknownTool {
        /// The name.
        name: String,
        /// Similar names.
        similar: Vec<String>,
        /// Servers whose tools are unknown, because they are unreachable.
        down: Vec<String>,
    },
    /// A server is unreachable. The toolbox retries later.
    Down {
        /// Its name.
        server: String,
        /// The reason.
        reason: String,
    },
    /// A server rejected the request: the caller is not authorized, or the request is invalid.
    Refused {
        /// Its name.
        server: String,
        /// The code of the JSON-RPC error.
        code: i64,
        /// The error message.
        message: String,
    },
    /// A call timed out.
    TimedOut {
        /// The server's name.
        server: String,
        /// The tool's name there.
        tool: String,
        /// The timeout.
        after: Duration,
    },
    /// A result exceeds the size limit of the toolbox.
    TooLarge {
        /// The server's name.
        server: String,
        /// The tool's name there.
        tool: String,
        /// The size of the result as JSON, in bytes, as far as it was read.
        bytes: usize,
        /// The limit in bytes.
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
