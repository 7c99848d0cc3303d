//! A small MCP client for `call` and `types`: requests to an app in this process, or to a server over HTTP.
//! It supports sessions and event streams, since other servers may need both.

use std::io::{BufReader, ErrorKind};
use std::path::Path;
use std::time::Duration;

use http_body_util::{BodyExt as _, Full};
use serde_json::{Value, json};
use widgetcast::App;

use crate::outcome::Failure;
use crate::serve;
use crate::tool_file::{self, ToolFile};

/// The newest revision that almost all servers support.
const PROTOCOL_VERSION: &str = "2025-06-18";
const ACCEPT: &str = "application/json, text/event-stream";
/// Maximum size of a response body, in bytes.
const MAX_BODY: u64 = 16 << 20;
/// Timeout of a call, and of any other request.
const CALL_TIMEOUT: Duration = Duration::from_secs(120);
const TIMEOUT: Duration = Duration::from_secs(10);

/// A client of one server.
pub(crate) enum McpClient {
    InProcess(Box<InProcess>),
    Remote(Box<Remote>),
}

/// An app in this process. It needs no handshake.
pub(crate) struct InProcess {
    app: App,
    runtime: tokio::runtime::Runtime,
    surface: String,
    gallery: bool,
}

/// A server at a URL, with its session id, if any.
pub(crate) struct Remote {
    agent: ureq::Agent,
    url: String,
    shown: String,
    headers: Vec<Header>,
    session: Option<String>,
    /// Whether it is `widgetcast serve`, which has a gallery.
    is_ours: bool,
}

/// A header of a request.
pub(crate) type Header = (http::HeaderName, http::HeaderValue);

/// The headers to send.
#[derive(clap::Args, Debug)]
pub(crate) struct Credentials {
    /// HTTP header to send, such as "x-team: north"; can be repeated
    #[arg(long = "header", value_name = "NAME: VALUE", env = "WIDGETCAST_HEADER", hide_env_values = true, value_parser = header)]
    headers: Vec<Header>,
    /// API key or access token to send
    #[arg(long, value_name = "TOKEN", env = "WIDGETCAST_TOKEN", hide_env_values = true, value_parser = bearer)]
    bearer: Option<Header>,
}

impl Credentials {
    pub(crate) fn headers(&self) -> Vec<Header> {
        self.headers.iter().chain(&self.bearer).cloned().collect()
    }
}

fn bearer(token: &str) -> Result<Header, String> {
    let value = format!("Bearer {}", token.trim()).parse();
    let mut value: http::HeaderValue = value.map_err(|_| "a token must be a single line")?;
    value.set_sensitive(true);
    Ok((http::header::AUTHORIZATION, value))
}

/// Parses a header.
pub(crate) fn header(text: &str) -> Result<Header, String> {
    let (name, value) = text.split_once(':').ok_or("a header must look like \"NAME: VALUE\"")?;
    let name = name.trim().parse().map_err(|_| format!("{name:?} is not a valid header name"))?;
    let value = value.trim().parse().map_err(|_| "a header value must be a single line")?;
    Ok((name, value))
}

/// Whether this is the URL of a server rather than a path.
pub(crate) fn is_server(place: &str) -> bool {
    place.contains("://") || place.starts_with(':')
}

/// Maximum pages of a list, and maximum bytes in total.
const MAX_PAGES: usize = 100;
const MAX_LIST: usize = 16 << 20;

impl McpClient {
    /// An app with the widgets and tools of a directory, or of the gallery.
    pub(crate) fn in_process(dir: Option<&Path>, surface: &str) -> Result<Self, Failure> {
        let mut app = serve::app(dir)?;
        if let Some(path) = dir.and_then(tool_file::of_dir) {
            app = ToolFile::read(path)?.add_to(app);
        }
        let app = app.build()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        Ok(Self::InProcess(Box::new(InProcess {
            app,
            runtime,
            surface: surface.to_owned(),
            gallery: dir.is_none(),
        })))
    }

    /// Whether the tools are the gallery's.
    pub(crate) fn is_gallery(&self) -> bool {
        matches!(self, Self::InProcess(client) if client.gallery)
    }

    /// Connects to a running server, and sends these headers with every request.
    pub(crate) fn connect(
        server: &str,
        surface: &str,
        credentials: &Credentials,
    ) -> Result<Self, Failure> {
        let shown = server_url(server);
        let and = if shown.contains('?') { '&' } else { '?' };
        let url = format!("{shown}{and}surface={surface}");
        let mut config = ureq::Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            .user_agent(concat!("widgetcast/", env!("CARGO_PKG_VERSION")))
            // The body of an error response contains the reason.
            .http_status_as_error(false);
        if is_loopback(&shown) {
            config = config.proxy(None);
        }
        let agent = config.build().new_agent();
        let mut client = Remote {
            agent,
            url,
            shown,
            headers: credentials.headers(),
            session: None,
            is_ours: false,
        };
        client.initialize()?;
        Ok(Self::Remote(Box::new(client)))
    }

    /// The sample of a widget of `widgetcast serve`, from its gallery if it is local. Tools get none: they
    /// may have side effects, so the caller chooses the arguments.
    pub(crate) fn sample(&self, tool: &str) -> Option<Value> {
        let Self::Remote(client) = self else { return None };
        if !client.is_ours {
            return None;
        }
        let (before, _) = client.shown.split_once("/mcp")?;
        let mut url = format!("{before}/gallery/tool/");
        url.extend(tool.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')));
        let mut response = client.agent.get(url).call().ok()?;
        let text = response.body_mut().with_config().limit(MAX_BODY).read_to_string().ok()?;
        let mut detail: Value = serde_json::from_str(&text).ok()?;
        (detail["kind"] == "widget" && detail["sample"].is_object())
            .then(|| detail["sample"].take())
    }

    /// All pages of a list.
    pub(crate) fn list(&mut self, method: &str, member: &str) -> Result<Vec<Value>, Failure> {
        let (mut all, mut bytes, mut params) = (Vec::new(), 0, json!({}));
        for _ in 0..MAX_PAGES {
            let mut response = self.request(method, &params)?;
            if let Some(error) = response.get("error") {
                let said = error_message(error);
                return Err(format!("cannot list the {member}: {said}").into());
            }
            if let Value::Array(page) = response["result"][member].take() {
                bytes += page.iter().map(|entry| entry.to_string().len()).sum::<usize>();
                all.extend(page);
            }
            match response["result"]["nextCursor"].take() {
                Value::String(cursor) if bytes <= MAX_LIST => params = json!({ "cursor": cursor }),
                Value::String(_) => break,
                _ => return Ok(all),
            }
        }
        let most = MAX_LIST >> 20;
        Err(format!("the list of {member} exceeds {MAX_PAGES} pages or {most} MB").into())
    }

    /// Sends a request and returns the whole response message, with its `result` or `error`.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Result<Value, Failure> {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        match self {
            Self::InProcess(client) => client.request(&message),
            Self::Remote(client) => client.request(&message),
        }
    }
}

impl InProcess {
    fn request(&self, message: &Value) -> Result<Value, Failure> {
        let request = http::Request::post(format!("/mcp?surface={}", self.surface))
            .header("content-type", "application/json")
            .body(Full::from(message.to_string()))?;
        let body = self
            .runtime
            .block_on(async { self.app.handle(request).await.into_body().collect().await })?;
        Ok(serde_json::from_slice(&body.to_bytes())?)
    }
}

impl Remote {
    /// The handshake, without which servers with sessions reject all requests.
    fn initialize(&mut self) -> Result<(), Failure> {
        let initialize = json!({
            "jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {
                "protocolVersion": PROTOCOL_VERSION,
                // Some servers list tools for views only to clients with views.
                "capabilities": { "extensions": {
                    "io.modelcontextprotocol/ui": { "mimeTypes": ["text/html;profile=mcp-app"] },
                } },
                "clientInfo": { "name": "widgetcast", "version": env!("CARGO_PKG_VERSION") },
            },
        });
        let response = self.request(&initialize)?;
        if let Some(error) = response.get("error") {
            let hint = match error["code"].as_i64() {
                Some(401) => "; pass an API key or access token with --bearer or WIDGETCAST_TOKEN",
                _ => "",
            };
            let said = error_message(error);
            return Err(format!("{} rejected the connection: {said}{hint}", self.shown).into());
        }
        self.is_ours = response["result"]["serverInfo"]["name"] == serve::APP_NAME;
        let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        self.send(&initialized)?;
        Ok(())
    }

    fn request(&mut self, message: &Value) -> Result<Value, Failure> {
        let mut response = self.send(message)?;
        let session = response.headers().get("mcp-session-id").and_then(|id| id.to_str().ok());
        self.session = session.map(str::to_owned).or_else(|| self.session.take());
        let mime = response.headers().get("content-type").and_then(|mime| mime.to_str().ok());
        let (status, events) =
            (response.status(), mime.is_some_and(|m| m.contains("event-stream")));
        let body = response.body_mut().with_config().limit(MAX_BODY).reader();
        if events {
            return self.read_events(BufReader::new(body), &message["id"]);
        }
        let text = std::io::read_to_string(body).map_err(|error| self.unread(&error))?;
        match serde_json::from_str::<Value>(&text) {
            Ok(message) if message.get("result").is_some() || message.get("error").is_some() => {
                Ok(message)
            }
            _ => Err(self.not_mcp(status, &text)),
        }
    }

    fn send(&self, message: &Value) -> Result<http::Response<ureq::Body>, Failure> {
        let time = if message["method"] == "tools/call" { CALL_TIMEOUT } else { TIMEOUT };
        let mut request = self
            .agent
            .post(&self.url)
            .config()
            .timeout_global(Some(time))
            .build()
            .header("content-type", "application/json")
            .header("accept", ACCEPT)
            .header("mcp-protocol-version", PROTOCOL_VERSION);
        if let Some(session) = &self.session {
            request = request.header("mcp-session-id", session);
        }
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        request.send(message.to_string()).map_err(|error| self.unreachable(&error, time))
    }

    /// Reads events until the response to our request; the stream may stay open afterwards.
    fn read_events(&self, body: impl std::io::BufRead, id: &Value) -> Result<Value, Failure> {
        let mut data = String::new();
        for line in body.lines() {
            let line = line.map_err(|error| self.unread(&error))?;
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
        Err(format!("{} closed the stream without a response", self.shown).into())
    }

    /// Why the end of a response cannot be read.
    fn unread(&self, error: &std::io::Error) -> Failure {
        match error.get_ref().and_then(|error| error.downcast_ref::<ureq::Error>()) {
            Some(ureq::Error::BodyExceedsLimit(most)) => {
                format!("the response of {} exceeds {} MB", self.shown, most >> 20)
            }
            Some(ureq::Error::Timeout(_)) => format!("{} did not finish its response", self.shown),
            _ => format!("cannot read the response of {}: {error}", self.shown),
        }
        .into()
    }

    fn unreachable(&self, error: &ureq::Error, time: Duration) -> Failure {
        if matches!(error, ureq::Error::Timeout(_)) {
            return format!("no response from {} within {} s", self.shown, time.as_secs()).into();
        }
        // A server responds, but its certificate is not trusted, or it does not support TLS.
        let answers = matches!(error, ureq::Error::Io(io) if io.kind() == ErrorKind::InvalidData);
        let advice = if is_loopback(&self.shown) {
            "; start one with `widgetcast serve`, or pass a directory of widgets instead"
        } else {
            ""
        };
        let error = error.to_string();
        let error = error.strip_prefix("io: ").unwrap_or(&error);
        if answers {
            return format!("cannot connect to {}: {error}", self.shown).into();
        }
        format!("no server at {}: {error}{advice}", self.shown).into()
    }

    fn not_mcp(&self, status: http::StatusCode, text: &str) -> Failure {
        let first: String = text.trim().chars().take(200).collect();
        format!(
            "{} responds, but not as an MCP server ({status}): {first}\nIs the URL complete, such as \
             http://127.0.0.1:8000/mcp?",
            self.shown
        )
        .into()
    }
}

impl Drop for Remote {
    /// Ends the session, so that the server can release it.
    fn drop(&mut self) {
        if let Some(session) = &self.session {
            let request = self.agent.delete(&self.url).header("mcp-session-id", session);
            _ = request.header("mcp-protocol-version", PROTOCOL_VERSION).call();
        }
    }
}

/// The message of a JSON-RPC error.
pub(crate) fn error_message(error: &Value) -> &str {
    error["message"].as_str().unwrap_or("no message")
}

/// The URL for a port, a host and port, or a URL without a path.
pub(crate) fn server_url(typed: &str) -> String {
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
            assert_eq!(server_url(typed), whole);
        }
    }

    #[test]
    fn an_answer_in_a_stream() {
        let client = Remote {
            agent: ureq::Agent::new_with_defaults(),
            url: String::new(),
            shown: "there".into(),
            headers: Vec::new(),
            session: None,
            is_ours: false,
        };
        let events = "event: message\ndata: {\"method\":\"notifications/progress\"}\n\n: still here\n\n\
                      data: {\"id\":1,\ndata: \"result\":{}}\n\ndata: never read";
        let answer = client.read_events(events.as_bytes(), &json!(1)).unwrap();
        assert_eq!(answer, json!({ "id": 1, "result": {} }));
        let error = client.read_events("data: 5\n\n".as_bytes(), &json!(1)).unwrap_err();
        assert_eq!(error.to_string(), "there closed the stream without a response");
    }

    #[test]
    fn headers_are_read_as_they_are_written() {
        let (name, value) = header("Authorization: Bearer a:b ").unwrap();
        assert_eq!((name.as_str(), value.to_str().unwrap()), ("authorization", "Bearer a:b"));
        for wrong in ["authorization", "a b: c", ": c", "a: b\nc"] {
            assert!(header(wrong).is_err(), "{wrong}");
        }
    }
}
