//! The server behind a relay: a program that is started, or an address.

use std::process::Stdio;
use std::time::Duration;

use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use tokio::io::BufReader;
use tokio::process::{ChildStdout, Command};
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::connection::{Connection, WAITING};
use crate::http::{self, Challenge};
use crate::line::{Line, read_line, write_lines};
use crate::process::Process;

/// How long a program may take to end after its input has.
const END_TIMEOUT: Duration = Duration::from_secs(3);

/// An MCP server.
#[derive(Clone, Debug)]
pub struct Upstream(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Command { program: String, args: Vec<String> },
    Url { url: Url, headers: HeaderMap, challenge: Challenge },
}

impl Upstream {
    /// A program that speaks MCP over stdio. It inherits the environment and stderr.
    pub fn command(program: impl Into<String>, args: impl IntoIterator<Item = String>) -> Self {
        Self(Kind::Command { program: program.into(), args: args.into_iter().collect() })
    }

    /// A server over streamable HTTP, and the headers of each request to it.
    ///
    /// # Errors
    /// If the address is none of HTTP.
    pub fn url(url: &str, headers: HeaderMap) -> Result<Self, String> {
        let parsed = Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        match parsed {
            Some(url) => Ok(Self(Kind::Url { url, headers, challenge: Challenge::default() })),
            None => {
                Err(format!("{url:?} is not a URL of a server, such as https://example.com/mcp"))
            }
        }
    }

    pub(crate) fn connect(&self) -> Result<Connection, String> {
        match &self.0 {
            Kind::Command { program, args } => start(program, args),
            Kind::Url { url, headers, challenge } => {
                http::connect(url.clone(), headers.clone(), challenge.clone())
            }
        }
    }

    /// Whether requests to it have an `Authorization` header of ours.
    pub(crate) fn has_authorization(&self) -> bool {
        matches!(&self.0, Kind::Url { headers, .. } if headers.contains_key(AUTHORIZATION))
    }

    /// The same for one client, whose `Authorization` header goes with each request if it is given, and the
    /// place of the challenge by which the server refuses it.
    pub(crate) fn for_client(&self, authorization: Option<HeaderValue>) -> (Self, Challenge) {
        let mut this = self.clone();
        let own = Challenge::default();
        if let Kind::Url { headers, challenge, .. } = &mut this.0 {
            headers.extend(authorization.map(|value| (AUTHORIZATION, value)));
            *challenge = own.clone();
        }
        (this, own)
    }

    /// What it is called in messages: without what may be secret in it.
    pub(crate) fn shown(&self) -> String {
        match &self.0 {
            Kind::Command { program, .. } => program.clone(),
            Kind::Url { url, .. } => url.origin().ascii_serialization(),
        }
    }
}

fn start(program: &str, args: &[String]) -> Result<Connection, String> {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process =
        Process::spawn(command).map_err(|error| format!("{program} cannot be started: {error}"))?;
    let (Some(input), Some(output)) = (process.0.stdin.take(), process.0.stdout.take()) else {
        return Err(format!("{program} has no pipes"));
    };
    let (to, sent) = mpsc::channel(WAITING);
    let (heard, from) = mpsc::channel(WAITING);
    let shown = program.to_owned();
    let end = tokio::spawn(async move {
        // A program whose input has ended may still have something to say.
        let writing = tokio::spawn(write_lines(input, sent));
        let why = tokio::select! {
            why = read(output, &heard) => why,
            () = heard.closed() => None,
        };
        writing.abort();
        drop(heard);
        let ended = ended(process, &shown).await;
        why.unwrap_or(ended)
    });
    Ok(Connection { to, from, end })
}

/// Reads until the output ends: why it must end now, if there is a reason.
async fn read(output: ChildStdout, heard: &mpsc::Sender<String>) -> Option<String> {
    let mut output = BufReader::new(output);
    loop {
        match read_line(&mut output).await {
            Ok(Line::Text(line)) if is_json(&line) => heard.send(line).await.ok()?,
            Ok(Line::Text(line)) if line.trim().is_empty() => {}
            // Some print there what belongs into a log; it would confuse the client.
            Ok(Line::Text(line)) => {
                tracing::warn!("the server printed a line that is not a message: {line:.200}");
            }
            Ok(Line::NotText) => tracing::warn!("the server printed a line that is not UTF-8"),
            Ok(Line::TooLong) => return Some("the server sent a message that is too long".into()),
            Ok(Line::End) | Err(_) => return None,
        }
    }
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// Waits for the end of a program whose pipes are closed. What it has started ends with it.
async fn ended(mut process: Process, program: &str) -> String {
    match timeout(END_TIMEOUT, process.wait()).await {
        Ok(Ok(status)) => format!("{program} exited ({status})"),
        Ok(Err(error)) => format!("{program} exited ({error})"),
        Err(_) => format!("{program} does not exit; killing it"),
    }
}
