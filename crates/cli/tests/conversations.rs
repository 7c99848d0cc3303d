//! Fifty conversations at once with `widgetcast chatkit`, which is killed at random moments: after each
//! restart, nothing that a client was told of is lost or there twice. `WIDGETCAST_TEST_KILLS=50` kills it so
//! often on each database.

#![allow(clippy::unwrap_used)]
#![cfg(unix)]

#[path = "../../store/tests/store/servers/mod.rs"]
mod servers;

use std::collections::{HashMap, HashSet};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, mpsc};
use std::time::Duration;

use serde_json::{Value, json};

const CARD: &str = r#"{ "version": "1.0", "name": "Card",
  "template": "{\"type\": \"Card\", \"children\": [{\"type\": \"Text\", \"value\": {{ text | tojson }}}]}",
  "jsonSchema": { "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"] } }"#;
const CONVERSATIONS: usize = 50;
const DEFAULT_KILLS: u64 = 2;

/// A process that ends with this test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

fn start(dir: &Path, store: &str, port: u16) -> Running {
    let child = Command::new(env!("CARGO_BIN_EXE_widgetcast"))
        .args(["chatkit", "widgets", "--port", &port.to_string(), "--rate-limit", "0"])
        .env("WIDGETCAST_STORE", store)
        .current_dir(dir)
        .stderr(Stdio::null())
        .spawn();
    let running = Running(child.unwrap());
    let ready = format!("http://127.0.0.1:{port}/readyz");
    for _ in 0..1200 {
        if ureq::get(&ready).call().is_ok() {
            return running;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("it does not start");
}

/// One user with one thread, and what they were told.
#[derive(Default)]
struct Conversation {
    cookie: String,
    thread: Option<String>,
    /// Items by their ids.
    told: HashMap<String, Value>,
    count: usize,
}

impl Conversation {
    fn post(&self, port: u16, body: &Value) -> Option<ureq::http::Response<ureq::Body>> {
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .timeout_global(Some(Duration::from_secs(60)))
            .build()
            .into();
        agent
            .post(&format!("http://127.0.0.1:{port}/chatkit"))
            .header("content-type", "application/json")
            .header("cookie", &self.cookie)
            .send(body.to_string())
            .ok()
    }

    /// Sends one message and reads what comes, to its end or to that of the process.
    fn talk(&mut self, port: u16) -> Option<()> {
        self.count += 1;
        let text = match self.count % 2 {
            0 => "what can you do?".to_owned(),
            _ => format!("/card text=number-{}", self.count),
        };
        let content = [json!({ "type": "input_text", "text": text })];
        let input = json!({ "content": content, "attachments": [], "inference_options": {} });
        let body = match &self.thread {
            None => json!({ "type": "threads.create", "params": { "input": input } }),
            Some(id) => json!({
                "type": "threads.add_user_message", "params": { "thread_id": id, "input": input },
            }),
        };
        let mut response = self.post(port, &body)?;
        for line in BufReader::new(response.body_mut().as_reader()).lines() {
            let line = line.ok()?;
            // The last line may be a part of one.
            let Some(Ok(event)) = line.strip_prefix("data: ").map(serde_json::from_str::<Value>)
            else {
                continue;
            };
            match event["type"].as_str() {
                Some("thread.created") => {
                    self.thread = event["thread"]["id"].as_str().map(str::to_owned);
                }
                Some("thread.item.done") => {
                    let id = event["item"]["id"].as_str().unwrap().to_owned();
                    assert!(self.told.insert(id, event["item"].clone()).is_none(), "told twice");
                }
                _ => {}
            }
        }
        Some(())
    }

    /// Compares what is there with what was told.
    fn check(&self, port: u16) {
        let Some(thread) = &self.thread else { return };
        let (mut items, mut after) = (Vec::new(), Value::Null);
        loop {
            let params =
                json!({ "thread_id": thread, "limit": 9999, "order": "asc", "after": after });
            let body = json!({ "type": "items.list", "params": params });
            let text = self.post(port, &body).unwrap().body_mut().read_to_string().unwrap();
            let mut page: Value = serde_json::from_str(&text).unwrap();
            items.append(page["data"].as_array_mut().unwrap());
            if page["has_more"] == false {
                break;
            }
            after = page["after"].take();
        }
        let ids: HashSet<&str> = items.iter().map(|item| item["id"].as_str().unwrap()).collect();
        assert_eq!(ids.len(), items.len(), "an item is there twice");
        for (id, told) in &self.told {
            let kept = items.iter().find(|item| item["id"] == **id);
            assert_eq!(kept, Some(told), "{id} of {thread}");
        }
        // What a user sent is there once, whether its answer came or not.
        let sent = items.iter().filter(|item| item["type"] == "user_message");
        let sent: Vec<&Value> = sent.map(|item| &item["content"][0]["text"]).collect();
        let commands: Vec<&&Value> =
            sent.iter().filter(|text| text.as_str().unwrap().starts_with('/')).collect();
        let different: HashSet<&str> = commands.iter().map(|text| text.as_str().unwrap()).collect();
        assert_eq!(different.len(), commands.len(), "a message is there twice");
    }
}

fn nothing_is_lost(name: &str, dir: &Path, store: &str) {
    let kills = std::env::var("WIDGETCAST_TEST_KILLS");
    let kills = kills.map_or(DEFAULT_KILLS, |text| text.parse().unwrap());
    std::fs::create_dir_all(dir.join("widgets")).unwrap();
    std::fs::write(dir.join("widgets/card.widget"), CARD).unwrap();
    let port = servers::free_port();
    let first = start(dir, store, port);
    let all: Vec<Mutex<Conversation>> = (0..CONVERSATIONS)
        .map(|_| {
            let page = ureq::get(&format!("http://127.0.0.1:{port}/chat")).call().unwrap();
            let cookie = page.headers()["set-cookie"].to_str().unwrap();
            let cookie = cookie.split(';').next().unwrap().to_owned();
            Mutex::new(Conversation { cookie, ..Conversation::default() })
        })
        .collect();
    drop(first);
    for round in 0..kills {
        let mut running = start(dir, store, port);
        let (answered, heard) = mpsc::channel();
        std::thread::scope(|scope| {
            for conversation in &all {
                let answered = answered.clone();
                scope.spawn(move || {
                    while conversation.lock().unwrap().talk(port).is_some() {
                        _ = answered.send(());
                    }
                });
            }
            drop(answered);
            // The time counts from the first whole answers on. It is spread over a second, in an order
            // that looks random.
            (0..=CONVERSATIONS).for_each(|_| heard.recv().unwrap());
            std::thread::sleep(Duration::from_millis((round * 7919) % 997));
            running.0.kill().unwrap();
            running.0.wait().unwrap();
        });
        let _running = start(dir, store, port);
        for conversation in &all {
            conversation.lock().unwrap().check(port);
        }
    }
    let told: usize = all.iter().map(|conversation| conversation.lock().unwrap().told.len()).sum();
    assert!(told > CONVERSATIONS, "{told}");
    let words =
        format!("{name}: killed {kills} times, {told} items acknowledged, 0 lost or doubled\n");
    std::io::stderr().write_all(words.as_bytes()).unwrap();
}

#[test]
fn sqlite_loses_no_item() {
    let dir = tempfile::tempdir().unwrap();
    nothing_is_lost("SQLite", dir.path(), "sqlite:chat.db");
}

#[test]
fn postgres_loses_no_item() {
    let Some(database) = servers::postgres() else { return };
    let dir = tempfile::tempdir().unwrap();
    let store = format!("postgres://postgres@127.0.0.1:{}/postgres", database.port);
    nothing_is_lost("PostgreSQL", dir.path(), &store);
}
