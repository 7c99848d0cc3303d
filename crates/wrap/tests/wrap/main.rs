//! Whole sessions: a client at one end of a pipe, a program at the other, and the relay between them.

#![allow(clippy::unwrap_used)]

#[cfg(unix)]
mod front;
mod http;
mod pipe;
mod several;
#[cfg(unix)]
mod tools;
mod views;

use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};
use widgetcast::App;
use widgetcast_wrap::{Servers, Wrap};

/// A client of a wrapped server.
pub(crate) struct Client {
    input: WriteHalf<DuplexStream>,
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    served: tokio::task::JoinHandle<std::io::Result<()>>,
}

impl Client {
    pub(crate) fn new(servers: impl Into<Servers>) -> Self {
        let app = App::new("tests", "1.0.0").build().unwrap();
        Self::of(Wrap::new(app, servers))
    }

    pub(crate) fn of(wrap: Wrap) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let (read, write) = tokio::io::split(theirs);
        let served = tokio::spawn(async move { wrap.serve_pipe(read, write).await });
        let (read, input) = tokio::io::split(ours);
        Self { input, lines: BufReader::new(read).lines(), served }
    }

    pub(crate) async fn say(&mut self, text: &str) {
        self.input.write_all(format!("{text}\n").as_bytes()).await.unwrap();
    }

    /// The next line, as it came.
    pub(crate) async fn hear(&mut self) -> String {
        let line = self.lines.next_line();
        let line = tokio::time::timeout(std::time::Duration::from_secs(60), line).await;
        line.expect("in time").unwrap().expect("a line")
    }

    pub(crate) async fn ask(&mut self, id: u32, method: &str, params: Value) -> Value {
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.say(&message.to_string()).await;
        loop {
            let heard: Value = serde_json::from_str(&self.hear().await).unwrap();
            if heard["id"] == id {
                return heard;
            }
        }
    }

    pub(crate) async fn shake_hands(&mut self) -> Value {
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": { "name": "tests", "version": "1" } });
        let greeting = self.ask(0, "initialize", params).await;
        self.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
        greeting
    }

    /// Closes its input, and hears the rest.
    pub(crate) async fn leave(mut self) -> Vec<String> {
        self.input.shutdown().await.unwrap();
        let mut rest = Vec::new();
        while let Some(line) = self.lines.next_line().await.unwrap() {
            rest.push(line);
        }
        self.served.await.unwrap().unwrap();
        rest
    }
}
