//! Processes of `widgetcast serve`, and clients that call them.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

pub(crate) const CARD: &str = r#"{ "version": "1.0", "name": "Card",
  "template": "{\"type\": \"Card\", \"children\": [{\"type\": \"Text\", \"value\": {{ text | tojson }}}]}",
  "jsonSchema": { "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"] } }"#;

/// A process that ends with this test.
pub(crate) struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

/// One of the processes behind nginx, or one by itself.
pub(crate) struct Replica {
    pub port: u16,
    pub dir: PathBuf,
    pub store: String,
    pub running: Option<Running>,
}

impl Replica {
    pub(crate) fn start(&mut self) {
        let child = Command::new(env!("CARGO_BIN_EXE_widgetcast"))
            .arg("serve")
            .arg(&self.dir)
            .args(["--http", &format!("127.0.0.1:{}", self.port), "--rate-limit", "0"])
            .env("WIDGETCAST_STORE", &self.store)
            .stderr(Stdio::null())
            .spawn();
        self.running = Some(Running(child.unwrap()));
        let ready = format!("http://127.0.0.1:{}/readyz", self.port);
        wait_until(|| ureq::get(&ready).call().is_ok());
    }

    pub(crate) fn signal(&self, signal: &str) {
        let id = self.running.as_ref().unwrap().0.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
    }

    /// Ends as a rollout ends it, and starts again.
    pub(crate) fn replace(&mut self) {
        self.signal("-TERM");
        assert!(self.running.as_mut().unwrap().0.wait().unwrap().success());
        self.start();
    }
}

pub(crate) fn wait_until(is_done: impl Fn() -> bool) {
    for _ in 0..1200 {
        if is_done() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("it does not come about");
}

/// A client at the other end of nginx.
pub(crate) struct Client {
    agent: ureq::Agent,
    url: String,
}

impl Client {
    pub(crate) fn new(port: u16) -> Self {
        let agent = ureq::Agent::new_with_defaults();
        Self { agent, url: format!("http://127.0.0.1:{port}/mcp") }
    }

    /// The result of a request; none if it was lost on its way.
    pub(crate) fn ask(&self, method: &str, params: &Value) -> Option<Value> {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let request = self.agent.post(&self.url).header("content-type", "application/json");
        let request = request.header("accept", "application/json");
        let answer = request.send(message.to_string());
        let mut answer = answer.inspect_err(|error| eprintln!("{method}: {error}")).ok()?;
        let text = answer.body_mut().read_to_string();
        let text = text.inspect_err(|error| eprintln!("{method}: {error}")).ok()?;
        let answer: Value = serde_json::from_str(&text).unwrap();
        assert!(answer["error"].is_null(), "{answer}");
        Some(answer["result"].clone())
    }

    /// Shows a text; the address under which it can be read. None if the call was lost on its way.
    pub(crate) fn show(&self, text: &str) -> Option<String> {
        let result = self.call(text)?;
        let uri = result["_meta"]["widgetcast/view"]["uri"].as_str();
        Some(uri.unwrap_or_else(|| panic!("{result}")).to_owned())
    }

    pub(crate) fn call(&self, text: &str) -> Option<Value> {
        self.ask("tools/call", &json!({ "name": "card", "arguments": { "text": text } }))
    }

    pub(crate) fn reads(&self, uri: &str, text: &str) -> bool {
        let read = self.ask("resources/read", &json!({ "uri": uri }));
        read.is_some_and(|read| read.to_string().contains(text))
    }
}
