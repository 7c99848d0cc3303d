//! The same MCP servers behind `widgetcast wrap --http`, next to an ordinary one. Clients list and call the tools of
//! both; the second client calls those of the ordinary one.

use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::attacks::{Outcome, several};
use super::hostile::{Hostile, answer, tool};
use super::upstreams::Upstream;
use crate::error::Error;
use crate::target::{PATIENCE, Target};

/// How long a client waits for a list: servers that do not answer are waited for, and then left out.
const LIST_PATIENCE: Duration = Duration::from_secs(18);

/// The servers behind the program, which end with this.
pub(super) struct Servers {
    evil: Hostile,
    _good: Hostile,
}

/// A program that has such a server, and one with a tool that says what it is told.
pub(super) fn set_up(
    upstream: &Upstream,
    program: &Path,
    place: &Path,
) -> Result<(Servers, Target), Error> {
    let evil = Hostile::start(upstream.behaviour, false)?;
    let good = Hostile::start(
        |request, stream| {
            let result = match &*request.method {
                "tools/list" => json!({ "tools": [tool("text", &json!({ "type": "object" }))] }),
                "tools/call" => json!({ "content": [{ "type": "text", "text": "as always" }] }),
                _ => return false,
            };
            answer(request, stream, &result)
        },
        false,
    )?;
    good.arm();
    std::fs::create_dir_all(place.join("widgets"))?;
    let config = place.join("wrap.toml");
    let server = |name: &str, server: &Hostile| {
        format!("[servers.{name}]\nurl = \"http://{}/mcp\"\n", server.at)
    };
    std::fs::write(&config, server("good", &good) + &server("evil", &evil))?;
    let target = Target::run(program, place, &["wrap", "--config", &config.to_string_lossy()])?;
    Ok((Servers { evil, _good: good }, target))
}

/// Clients list the tools, call one of that server, and leave or wait; those of the ordinary one are still there.
pub(super) fn use_it(servers: &Servers, t: &Target) -> Outcome {
    servers.evil.arm();
    several(6, || {
        for _ in 0..2 {
            let Ok(mut session) = Session::new(t, LIST_PATIENCE) else { continue };
            _ = session.ask("tools/list", &json!({}), Duration::from_secs(2));
            let call = json!({ "name": "evil_echo", "arguments": {} });
            _ = session.ask("tools/call", &call, Duration::from_secs(2));
        }
        Ok(())
    })?;
    let mut session = Session::new(t, LIST_PATIENCE)?;
    let listed = session.ask("tools/list", &json!({}), LIST_PATIENCE)?;
    if !listed.contains("\"good_text\"") {
        return Err(format!(
            "our tools are not listed: {}",
            listed.chars().take(200).collect::<String>()
        ));
    }
    if servers.evil.asked() > 0 { Ok(()) } else { Err("nobody asked the server".into()) }
}

/// A client of the program.
pub(super) struct Session<'t> {
    target: &'t Target,
    id: Option<String>,
    number: usize,
}

impl<'t> Session<'t> {
    pub(super) fn new(target: &'t Target, patience: Duration) -> Result<Self, String> {
        let mut session = Self { target, id: None, number: 0 };
        let params = json!({ "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "bench", "version": "1" } });
        session.ask("initialize", &params, patience)?;
        match session.id {
            Some(_) => Ok(session),
            None => Err("there is no session".into()),
        }
    }

    /// Sends a request, and waits so long for the response.
    pub(super) fn ask(
        &mut self,
        method: &str,
        params: &Value,
        patience: Duration,
    ) -> Result<String, String> {
        self.number += 1;
        let id = self.number;
        let body = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        let (body, session) = (body.to_string(), self.id.as_deref());
        let session = session.map_or(String::new(), |id| format!("mcp-session-id: {id}\r\n"));
        let head = format!(
            "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
             accept: application/json\r\n{session}content-length: {}\r\nconnection: close\r\n\r\n",
            body.len()
        );
        let ask = || -> std::io::Result<(Option<String>, String)> {
            let mut stream = self.target.connect()?;
            stream.set_read_timeout(Some(patience))?;
            stream.write_all((head + &body).as_bytes())?;
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(&mut stream, &mut bytes)?;
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let (head, body) = text.split_once("\r\n\r\n").unwrap_or_default();
            let id = head.lines().find_map(|line| line.strip_prefix("mcp-session-id: "));
            Ok((id.map(str::to_owned), body.to_owned()))
        };
        let (id, body) = ask().map_err(|error| error.to_string())?;
        self.id = id.or(self.id.take());
        Ok(body)
    }
}

/// The second client.
pub(super) struct Ordinary<'t>(Session<'t>);

impl<'t> Ordinary<'t> {
    pub(super) fn new(target: &'t Target) -> Result<Self, String> {
        let began = Instant::now();
        loop {
            match Session::new(target, PATIENCE) {
                Ok(session) => return Ok(Self(session)),
                Err(error) if began.elapsed() > PATIENCE => return Err(error),
                Err(_) => std::thread::sleep(Duration::from_millis(100)),
            }
        }
    }

    /// Nothing, if a call is answered as always.
    pub(super) fn call(&mut self) -> std::io::Result<String> {
        let call = json!({ "name": "good_text", "arguments": {} });
        let answer = self.0.ask("tools/call", &call, PATIENCE).map_err(std::io::Error::other)?;
        Ok(if answer.contains("as always") { String::new() } else { answer })
    }
}
