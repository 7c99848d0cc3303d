//! A line to an app: in this process, or over HTTP to one that runs elsewhere.

use std::io::BufReader;
use std::path::Path;
use std::time::Duration;

use http_body_util::{BodyExt as _, Full};
use serde_json::{Value, json};
use widgetcast::App;

use crate::{Failure, serve};

/// What we speak to servers that we did not write: the last revision that all of them know.
const VERSION: &str = "2025-06-18";
const BOTH: &str = "application/json, text/event-stream";
/// The largest answer that is read.
const MOST: u64 = 64 << 20;

/// Someone to ask.
pub(crate) enum Link {
    Here(Box<Here>),
    There(Box<There>),
}

/// An app in this process. Nothing needs to be introduced.
pub(crate) struct Here {
    app: App,
    runtime: tokio::runtime::Runtime,
    surface: String,
    gallery: bool,
}

/// A server at an address, and the session it gave us, if it has such.
pub(crate) struct There {
    agent: ureq::Agent,
    url: String,
    shown: String,
    session: Option<String>,
}

impl Link {
    /// The widgets of a directory, or of the gallery.
    pub(crate) fn here(dir: Option<&Path>, surface: &str) -> Result<Self, Failure> {
        let app = serve::app(dir)?.build()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        Ok(Self::Here(Box::new(Here {
            app,
            runtime,
            surface: surface.to_owned(),
            gallery: dir.is_none(),
        })))
    }

    /// Whether nobody said whose tools to call.
    pub(crate) fn is_gallery(&self) -> bool {
        matches!(self, Self::Here(here) if here.gallery)
    }

    /// A server that runs.
    pub(crate) fn there(server: &str, surface: &str) -> Result<Self, Failure> {
        let shown = address(server);
        let and = if shown.contains('?') { '&' } else { '?' };
        let url = format!("{shown}{and}surface={surface}");
        let mut config = ureq::Agent::config_builder()
            .timeout_connect(Some(Duration::from_secs(10)))
            .timeout_global(Some(Duration::from_secs(120)))
            .user_agent(concat!("widgetcast/", env!("CARGO_PKG_VERSION")))
            // An error's body says why.
            .http_status_as_error(false);
        if is_loopback(&shown) {
            config = config.proxy(None);
        }
        let agent = config.build().new_agent();
        let mut there = There { agent, url, shown, session: None };
        there.introduce()?;
        Ok(Self::There(Box::new(there)))
    }

    /// Asks one question. The answer is the whole message: it has a `result` or an `error`.
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Result<Value, Failure> {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        match self {
            Self::Here(here) => here.ask(&message),
            Self::There(there) => there.ask(&message),
        }
    }
}

impl Here {
    fn ask(&self, message: &Value) -> Result<Value, Failure> {
        let request = http::Request::post(format!("/mcp?surface={}", self.surface))
            .header("content-type", "application/json")
            .body(Full::from(message.to_string()))?;
        let body = self
            .runtime
            .block_on(async { self.app.handle(request).await.into_body().collect().await })?;
        Ok(serde_json::from_slice(&body.to_bytes())?)
    }
}

impl There {
    /// Servers with sessions answer nothing before this.
    fn introduce(&mut self) -> Result<(), Failure> {
        let hello = json!({
            "jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {
                "protocolVersion": VERSION,
                "capabilities": {},
                "clientInfo": { "name": "widgetcast", "version": env!("CARGO_PKG_VERSION") },
            },
        });
        let answer = self.ask(&hello)?;
        if let Some(error) = answer.get("error") {
            return Err(format!("{} will not talk to us: {}", self.shown, said(error)).into());
        }
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        self.send(&ready)?;
        Ok(())
    }

    fn ask(&mut self, message: &Value) -> Result<Value, Failure> {
        let mut response = self.send(message)?;
        let session = response.headers().get("mcp-session-id").and_then(|id| id.to_str().ok());
        self.session = session.map(str::to_owned).or_else(|| self.session.take());
        let mime = response.headers().get("content-type").and_then(|mime| mime.to_str().ok());
        let (status, events) =
            (response.status(), mime.is_some_and(|m| m.contains("event-stream")));
        let body = response.body_mut().with_config().limit(MOST).reader();
        if events {
            return self.wait_for(BufReader::new(body), &message["id"]);
        }
        let text = std::io::read_to_string(body)?;
        match serde_json::from_str::<Value>(&text) {
            Ok(answer) if answer.get("result").is_some() || answer.get("error").is_some() => {
                Ok(answer)
            }
            _ => Err(self.no_mcp(status, &text)),
        }
    }

    fn send(&self, message: &Value) -> Result<http::Response<ureq::Body>, Failure> {
        let mut request = self
            .agent
            .post(&self.url)
            .header("content-type", "application/json")
            .header("accept", BOTH)
            .header("mcp-protocol-version", VERSION);
        if let Some(session) = &self.session {
            request = request.header("mcp-session-id", session);
        }
        request.send(message.to_string()).map_err(|error| self.no_answer(&error))
    }

    /// Reads events until the answer to our question comes; the stream may stay open after it.
    fn wait_for(&self, body: impl std::io::BufRead, id: &Value) -> Result<Value, Failure> {
        let mut data = String::new();
        for line in body.lines() {
            let line = line?;
            match line.strip_prefix("data:") {
                Some(rest) => data.push_str(rest.strip_prefix(' ').unwrap_or(rest)),
                None if line.is_empty() => {
                    let message: Value = serde_json::from_str(&data).unwrap_or_default();
                    if message["id"] == *id && message.get("method").is_none() {
                        return Ok(message);
                    }
                    data.clear();
                }
                None => {}
            }
        }
        Err(format!("{} ended the stream without an answer", self.shown).into())
    }

    fn no_answer(&self, error: &ureq::Error) -> Failure {
        let advice = if is_loopback(&self.shown) {
            "; start one with `widgetcast serve`, or leave --server out to call the widgets \
             themselves"
        } else {
            ""
        };
        let error = error.to_string();
        let error = error.strip_prefix("io: ").unwrap_or(&error);
        format!("there is no server at {}: {error}{advice}", self.shown).into()
    }

    fn no_mcp(&self, status: http::StatusCode, text: &str) -> Failure {
        let first: String = text.trim().chars().take(200).collect();
        format!(
            "{} answers, but not as an MCP server ({status}): {first}\nIs it the whole address, \
             such as http://127.0.0.1:8000/mcp?",
            self.shown
        )
        .into()
    }
}

impl Drop for There {
    /// A server with sessions may forget this one.
    fn drop(&mut self) {
        if let Some(session) = &self.session {
            let request = self.agent.delete(&self.url).header("mcp-session-id", session);
            _ = request.header("mcp-protocol-version", VERSION).call();
        }
    }
}

/// The words of a protocol error.
pub(crate) fn said(error: &Value) -> &str {
    error["message"].as_str().unwrap_or("it does not say why")
}

/// A whole address from a port, a host and port, or an address without a path.
fn address(typed: &str) -> String {
    let bare = typed.strip_prefix(':').unwrap_or(typed);
    let whole = match () {
        () if bare.parse::<u16>().is_ok() => format!("http://127.0.0.1:{bare}"),
        () if typed.contains("://") => typed.to_owned(),
        () => format!("http://{typed}"),
    };
    match whole.split_once("://").is_some_and(|(_, rest)| rest.contains(['/', '?'])) {
        true => whole,
        false => format!("{whole}/mcp"),
    }
}

fn is_loopback(url: &str) -> bool {
    let host = url.split_once("://").map_or(url, |(_, rest)| rest);
    ["127.", "localhost", "[::1]"].iter().any(|local| host.starts_with(local))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for (typed, whole) in [
            ("8000", "http://127.0.0.1:8000/mcp"),
            (":8000", "http://127.0.0.1:8000/mcp"),
            ("localhost:8000", "http://localhost:8000/mcp"),
            ("http://localhost:8000", "http://localhost:8000/mcp"),
            ("https://example.com/api/mcp", "https://example.com/api/mcp"),
            ("example.com/x", "http://example.com/x"),
        ] {
            assert_eq!(address(typed), whole);
        }
    }

    #[test]
    fn an_answer_in_a_stream() {
        let there = There {
            agent: ureq::Agent::new_with_defaults(),
            url: String::new(),
            shown: "there".into(),
            session: None,
        };
        let events = "event: message\ndata: {\"method\":\"notifications/progress\"}\n\n: still here\n\n\
                      data: {\"id\":1,\ndata: \"result\":{}}\n\ndata: never read";
        let answer = there.wait_for(events.as_bytes(), &json!(1)).unwrap();
        assert_eq!(answer, json!({ "id": 1, "result": {} }));
        let error = there.wait_for("data: 5\n\n".as_bytes(), &json!(1)).unwrap_err();
        assert_eq!(error.to_string(), "there ended the stream without an answer");
    }
}
