//! The address of an MCP server, and how to connect to it.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use http::{HeaderName, HeaderValue};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use tokio::process::Command;

use crate::bounded::{BoundedClient, ChildTransport};
use crate::tls;

/// An MCP server: by URL, or as a program that speaks MCP over stdio.
///
/// ```
/// use widgetcast_agent::Server;
///
/// let github = Server::url("https://example.com/mcp").header("authorization", "Bearer …");
/// let files = Server::command("npx").args(["-y", "files-server", "."]).env("LOG", "off");
/// assert!(!format!("{github:?}").contains("Bearer"));
/// # _ = files;
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum Server {
    /// A server over Streamable HTTP.
    Url {
        /// The URL, such as `https://example.com/mcp`.
        url: String,
        /// Headers to send with each request. They authenticate this program to the server, for all callers.
        headers: Vec<(String, String)>,
    },
    /// A program that is started, and restarted if it exits.
    Command {
        /// Its name or path.
        program: String,
        /// Its arguments.
        args: Vec<String>,
        /// Environment variables, in addition to those of [`Server::command`].
        env: Vec<(String, String)>,
    },
}

/// The variables that a program inherits. They exclude our keys.
#[cfg(not(windows))]
const PASSED_ON: [&str; 8] = ["HOME", "LANG", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "USER"];
#[cfg(windows)]
const PASSED_ON: [&str; 12] = [
    "APPDATA",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "USERNAME",
    "USERPROFILE",
];

impl Server {
    /// A server at this URL.
    pub fn url(url: impl Into<String>) -> Self {
        Self::Url { url: url.into(), headers: Vec::new() }
    }

    /// A server that is started as a program. It inherits only basic environment variables, such as the path
    /// and the home directory, and no keys.
    pub fn command(program: impl Into<String>) -> Self {
        Self::Command { program: program.into(), args: Vec::new(), env: Vec::new() }
    }

    /// Adds a header to each request. It has no effect on a program.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        if let Self::Url { headers, .. } = &mut self {
            headers.push((name.into(), value.into()));
        }
        self
    }

    /// Adds arguments of a program. It has no effect on a URL.
    pub fn args<A: Into<String>>(mut self, more: impl IntoIterator<Item = A>) -> Self {
        if let Self::Command { args, .. } = &mut self {
            args.extend(more.into_iter().map(Into::into));
        }
        self
    }

    /// Sets an environment variable of a program. It has no effect on a URL.
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        if let Self::Command { env, .. } = &mut self {
            env.push((name.into(), value.into()));
        }
        self
    }

    /// The configuration error, if there is one.
    pub(crate) fn check(&self) -> Result<(), String> {
        match self {
            Self::Url { url, headers } => {
                let parsed = reqwest::Url::parse(url).map_err(|error| {
                    format!("invalid URL ({error}); it should look like https://example.com/mcp")
                })?;
                if !matches!(parsed.scheme(), "http" | "https") {
                    return Err("its URL must start with http:// or https://".into());
                }
                header_map(headers).map(|_| ())
            }
            Self::Command { program, .. } if program.is_empty() => {
                Err("it has neither a URL nor a command".into())
            }
            Self::Command { .. } => Ok(()),
        }
    }

    /// The URL without secrets, or the program, for messages.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Url { url, .. } => reqwest::Url::parse(url)
                .map_or_else(|_| "its URL".to_owned(), |url| url.origin().ascii_serialization()),
            Self::Command { program, .. } => program.clone(),
        }
    }

    /// A library's error without the URL, whose path or query may contain a key.
    pub(crate) fn without_secrets(&self, message: &str) -> String {
        match self {
            Self::Url { url, .. } => {
                let whole = reqwest::Url::parse(url).map_or_else(|_| url.clone(), String::from);
                message.replace(&whole, &self.shown()).replace(url, &self.shown())
            }
            Self::Command { .. } => message.to_owned(),
        }
    }
}

fn header_map(headers: &[(String, String)]) -> Result<HashMap<HeaderName, HeaderValue>, String> {
    let header = |(name, value): &(String, String)| {
        let wrong = |what: &str| format!("{what} of the header {name:?} cannot be sent");
        let parsed: HeaderName = name.parse().map_err(|_| wrong("the name"))?;
        let mut value: HeaderValue = value.parse().map_err(|_| wrong("the value"))?;
        value.set_sensitive(true);
        Ok((parsed, value))
    };
    headers.iter().map(header).collect()
}

/// An HTTP connection before the handshake, with a limit on the size of messages.
pub(crate) fn http_transport(
    url: &str,
    headers: &[(String, String)],
    most: usize,
) -> Result<StreamableHttpClientTransport<BoundedClient>, String> {
    let config = StreamableHttpClientTransportConfig::with_uri(url)
        .custom_headers(header_map(headers)?)
        .reinit_on_expired_session(true);
    let client = BoundedClient { client: tls::http_client()?, most };
    Ok(StreamableHttpClientTransport::with_client(client, config))
}

/// A started program before the handshake. The flag is set if a message exceeds the limit.
pub(crate) fn child_transport(
    program: &str,
    args: &[String],
    env: &[(String, String)],
    most: usize,
    is_exceeded: Arc<AtomicBool>,
) -> Result<ChildTransport, String> {
    let mut command = Command::new(program);
    command.args(args).env_clear();
    command.envs(PASSED_ON.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    command.envs(env.iter().map(|(name, value)| (name, value)));
    ChildTransport::start(&mut command, most, is_exceeded)
        .map_err(|error| format!("cannot start {program}: {error}"))
}

/// Omits the values of headers and variables.
impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |pairs: &[(String, String)]| -> Vec<String> {
            pairs.iter().map(|(name, _)| name.clone()).collect()
        };
        match self {
            Self::Url { headers, .. } => f
                .debug_struct("Url")
                .field("url", &self.shown())
                .field("headers", &names(headers))
                .finish(),
            Self::Command { program, args, env } => f
                .debug_struct("Command")
                .field("program", program)
                .field("args", &args.len())
                .field("env", &names(env))
                .finish(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_found_before_anything_is_sent() {
        for (server, says) in [
            (Server::url("example.com/mcp"), "invalid URL"),
            (Server::url("ftp://example.com"), "http://"),
            (Server::url("http://a").header("a b", "c"), "the name of the header"),
            (Server::url("http://a").header("a", "b\nc"), "the value of the header"),
            (Server::command(""), "neither"),
        ] {
            let error = server.check().unwrap_err();
            assert!(error.contains(says), "{error}");
            assert!(!error.contains("b\nc"), "{error}");
        }
        Server::url("http://a/b").header("authorization", "Bearer c").check().unwrap();
    }

    #[test]
    fn secrets_are_not_shown() {
        let server = Server::url("https://u:p@host/hook/K?k=K").header("x-key", "K");
        assert_eq!(format!("{server:?}"), r#"Url { url: "https://host", headers: ["x-key"] }"#);
        let message = "error sending request for url (https://u:p@host/hook/K?k=K)";
        assert!(!server.without_secrets(message).contains('K'));
        let server = Server::command("run").args(["--key", "SECRET"]).env("KEY", "SECRET");
        assert!(!format!("{server:?}").contains("SECRET"));
    }
}
