//! A user of the chat.

use std::io::Write as _;
use std::time::Duration;

use serde_json::{Value, json};

use crate::target::{Target, read_answer};

/// A user with a cookie of the chat page.
pub(crate) struct Person<'t> {
    pub target: &'t Target,
    pub cookie: String,
}

impl<'t> Person<'t> {
    pub(crate) fn new(target: &'t Target) -> Result<Self, String> {
        let answer = || -> std::io::Result<String> {
            let mut stream = target.connect()?;
            stream
                .write_all(b"GET /chat HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")?;
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(&mut stream, &mut bytes)?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        };
        let answer = answer().map_err(|error| error.to_string())?;
        let line = answer.lines().take_while(|line| !line.is_empty());
        let mut cookies = line.filter_map(|line| line.split_once(": "));
        let cookie = cookies.find(|(name, _)| name.eq_ignore_ascii_case("set-cookie"));
        let cookie = cookie.ok_or("the chat page gives no cookie")?.1;
        Ok(Self { target, cookie: cookie.split(';').next().unwrap_or_default().to_owned() })
    }

    pub(crate) fn request(&self, method: &str, path: &str, body: &[u8]) -> Vec<u8> {
        let Self { cookie, .. } = self;
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\ncookie: {cookie}\r\n\
             content-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
        );
        [head.as_bytes(), body].concat()
    }

    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        body: &[u8],
    ) -> std::io::Result<(u16, String)> {
        let mut stream = self.target.connect()?;
        // What was not read is an answer, too: the server may refuse before it has read all.
        let sent = stream.write_all(&self.request(method, path, body));
        let answer = read_answer(&mut stream);
        if answer.is_err() {
            sent?;
        }
        answer
    }

    pub(crate) fn get(&self, path: &str) -> std::io::Result<(u16, String)> {
        self.send("GET", path, b"")
    }

    /// Sends a request, reads for so long, and leaves.
    pub(crate) fn ask_for(&self, body: &[u8], time: Duration) {
        let Ok(mut stream) = self.target.connect() else { return };
        _ = stream.set_read_timeout(Some(time));
        if stream.write_all(&self.request("POST", "/chatkit", body)).is_ok() {
            _ = read_answer(&mut stream);
        }
    }

    /// The request that begins a thread.
    pub(crate) fn beginning(text: &str) -> String {
        json!({ "type": "threads.create", "params": { "input": input(text) } }).to_string()
    }

    pub(crate) fn ask(&self, kind: &str, params: &Value) -> std::io::Result<(u16, String)> {
        let body = json!({ "type": kind, "params": params }).to_string();
        self.send("POST", "/chatkit", body.as_bytes())
    }

    pub(crate) fn begin(&self, text: &str) -> std::io::Result<(u16, String)> {
        self.ask("threads.create", &json!({ "input": input(text) }))
    }

    /// The id of a new thread.
    pub(crate) fn thread(&self, text: &str) -> Result<String, String> {
        let (_, body) = self.begin(text).map_err(|error| error.to_string())?;
        let first = body.lines().find_map(|line| line.strip_prefix("data: "));
        let event: Value = serde_json::from_str(first.unwrap_or_default()).unwrap_or_default();
        let id = event["thread"]["id"].as_str();
        id.map(str::to_owned).ok_or_else(|| format!("no thread: {}", &body[..body.len().min(200)]))
    }
}

pub(crate) fn input(text: &str) -> Value {
    let content = [json!({ "type": "input_text", "text": text })];
    json!({ "content": content, "attachments": [], "inference_options": {} })
}
