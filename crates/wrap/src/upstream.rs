//! The server behind a relay: a program, or a URL.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use tokio::io::BufReader;
use tokio::process::{ChildStdout, Command};
use tokio::sync::mpsc;
use tokio::time::timeout;
use widgetcast::App;

use crate::connection::{Connect, Connection, HEARD, Heard, MAX_MESSAGE, Room, WAITING};
use crate::headers::Schemas;
use crate::http::{self, Challenge};
use crate::line::{Line, Lines, write_lines};
use crate::process::Process;

/// How long a program may take to exit after its stdin is closed.
const END_TIMEOUT: Duration = Duration::from_secs(3);

/// An MCP server.
#[derive(Clone, Debug)]
pub struct Upstream {
    kind: Kind,
    /// Its name in messages, without secrets.
    shown: String,
    /// Maximum size of a message.
    most_bytes: usize,
}

#[derive(Clone, Debug)]
enum Kind {
    Command {
        program: PathBuf,
        args: Vec<String>,
        folder: Option<PathBuf>,
        env: BTreeMap<String, String>,
    },
    Url {
        url: Url,
        headers: HeaderMap,
        challenge: Challenge,
        schemas: Schemas,
    },
}

impl Upstream {
    /// A stdio server, started as a program. It inherits the environment and stderr.
    pub fn command(program: impl Into<String>, args: impl IntoIterator<Item = String>) -> Self {
        let shown = program.into();
        let kind = Kind::Command {
            program: PathBuf::from(&shown),
            args: args.into_iter().collect(),
            folder: None,
            env: BTreeMap::new(),
        };
        Self { kind, shown, most_bytes: MAX_MESSAGE }
    }

    /// The same program in this directory, with additional variables. A relative path is relative to the
    /// directory.
    pub(crate) fn in_folder(mut self, at: &Path, more: BTreeMap<String, String>) -> Self {
        if let Kind::Command { program, folder, env, .. } = &mut self.kind {
            // A bare name is looked up in PATH.
            if program.components().count() > 1 {
                *program = at.join(&*program);
            }
            *folder = Some(at.to_owned());
            env.extend(more);
        }
        self
    }

    /// The same, with a name for messages.
    pub(crate) fn named(mut self, name: &str) -> Self {
        self.shown = format!("{name} ({})", self.shown);
        self
    }

    /// The same, for clients that accept messages of this size. A program ends with a larger message, so its
    /// messages are rejected later.
    pub(crate) fn within(self, most_bytes: usize) -> Self {
        match self.kind {
            Kind::Url { .. } => Self { most_bytes, ..self },
            Kind::Command { .. } => self,
        }
    }

    /// A Streamable HTTP server. The headers are sent with each request.
    ///
    /// # Errors
    /// If the URL is not an HTTP URL.
    pub fn url(url: &str, headers: HeaderMap) -> Result<Self, String> {
        let parsed = Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        match parsed {
            Some(url) => {
                let shown = url.origin().ascii_serialization();
                let (challenge, schemas) = (Challenge::default(), Schemas::default());
                let kind = Kind::Url { url, headers, challenge, schemas };
                Ok(Self { kind, shown, most_bytes: MAX_MESSAGE })
            }
            None => {
                Err(format!("{url:?} is not a URL of a server, such as https://example.com/mcp"))
            }
        }
    }

    /// Whether requests to it already have an `Authorization` header.
    pub(crate) fn has_authorization(&self) -> bool {
        matches!(&self.kind, Kind::Url { headers, .. } if headers.contains_key(AUTHORIZATION))
    }

    /// The same for one client, whose `Authorization` header is sent with each request, if given. `challenge`
    /// receives the challenge with which the server rejects it.
    pub(crate) fn for_client(&self, authorization: Option<HeaderValue>) -> (Self, Challenge) {
        let mut this = self.clone();
        let own = Challenge::default();
        if let Kind::Url { headers, challenge, .. } = &mut this.kind {
            headers.extend(authorization.map(|value| (AUTHORIZATION, value)));
            *challenge = own.clone();
        }
        (this, own)
    }
}

impl Connect for Upstream {
    fn connect(&self, app: &App) -> Result<Connection, String> {
        match &self.kind {
            Kind::Command { program, args, folder, env } => {
                let mut command = Command::new(program);
                command.args(args).envs(env);
                if let Some(folder) = folder {
                    command.current_dir(folder);
                }
                start(command, &self.shown, self.most_bytes, Room::new(app))
            }
            Kind::Url { url, headers, challenge, schemas } => {
                let (headers, challenge) = (headers.clone(), challenge.clone());
                let to = (url.clone(), headers);
                http::connect(app, to, challenge, schemas.clone(), self.most_bytes)
            }
        }
    }

    fn shown(&self) -> String {
        self.shown.clone()
    }
}

fn start(mut command: Command, shown: &str, most: usize, room: Room) -> Result<Connection, String> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process =
        Process::spawn(command).map_err(|error| format!("{shown} cannot be started: {error}"))?;
    let (Some(input), Some(output)) = (process.0.stdin.take(), process.0.stdout.take()) else {
        return Err(format!("{shown} has no pipes"));
    };
    let (to, sent) = mpsc::channel::<String>(WAITING);
    let (heard, from) = mpsc::channel(HEARD);
    let lines = Lines::new(BufReader::new(output), most).within(room);
    let shown = shown.to_owned();
    let end = tokio::spawn(async move {
        // A program may still write after its stdin is closed.
        let writing = tokio::spawn(write_lines(input, sent));
        let why = tokio::select! {
            why = read(lines, &heard, &shown) => why,
            () = heard.closed() => None,
        };
        writing.abort();
        drop(heard);
        let ended = ended(process, &shown).await;
        why.unwrap_or(ended)
    });
    Ok(Connection { to, from, end })
}

/// Reads until the output ends. Returns why it must end early, if there is a reason.
async fn read(
    mut lines: Lines<BufReader<ChildStdout>>,
    heard: &mpsc::Sender<Heard>,
    shown: &str,
) -> Option<String> {
    loop {
        match lines.next().await {
            Ok(Line::Text(line)) if line.trim().is_empty() => {}
            Ok(Line::Text(line)) => heard.send(lines.heard(line)).await.ok()?,
            Ok(Line::NotText) => tracing::warn!("{shown} printed a line that is not UTF-8"),
            Ok(Line::TooLong) => return Some(format!("{shown} sent a message that is too long")),
            Ok(Line::NoRoom) => {
                return Some(format!("there is no room for a message of {shown}"));
            }
            Ok(Line::End) | Err(_) => return None,
        }
    }
}

/// Waits for the exit of a program whose pipes are closed. Its descendants are killed with it.
async fn ended(mut process: Process, program: &str) -> String {
    match timeout(END_TIMEOUT, process.wait()).await {
        Ok(Ok(status)) => format!("{program} exited ({status})"),
        Ok(Err(error)) => format!("{program} exited ({error})"),
        Err(_) => format!("{program} did not exit and was killed"),
    }
}
