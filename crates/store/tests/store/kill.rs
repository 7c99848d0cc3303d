//! A process that is killed while it writes loses nothing that it has acknowledged.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use widgetcast::App;
use widgetcast::core::Catalog;

use crate::space::{Engine, Space};

const CARD: (&str, &str) = (
    "card.widget",
    r#"{ "version": "1.0", "name": "Card", "template": "{\"type\": \"Card\", \"children\": [{\"type\": \"Text\", \"value\": {{ text | tojson }}}]}",
         "jsonSchema": { "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"] } }"#,
);
/// Says to the process of this test that it is the one to be killed, and what it writes to.
const URL: &str = "WIDGETCAST_TEST_KILL";
/// How often each engine is killed.
const KILLS: &str = "WIDGETCAST_TEST_KILLS";
const DEFAULT_KILLS: usize = 10;

async fn app(url: &str) -> App {
    let store = widgetcast_store::connect(url, &widgetcast::StoreLimits::default()).await.unwrap();
    let catalog = Catalog::from_static(&[CARD]);
    App::new("kill", "1.0.0").catalog(catalog).store(store).build().unwrap()
}

/// What is killed: it calls a tool and keeps the state of its view, again and again, from several tasks
/// at once, and writes down each response that it got.
#[test]
fn a_process_that_writes() {
    let Ok(url) = std::env::var(URL) else { return };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let (app, next) = (app(&url).await, Arc::new(AtomicUsize::new(0)));
        let write = || async {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let text = format!("{}-{number}", std::process::id());
                let called = app.test().call("card", json!({ "text": text })).await.unwrap();
                assert!(!called.is_error(), "{}", called.text());
                let view = &called.json()["_meta"]["widgetcast/view"];
                let kept = json!({ "view": view["state"], "state": text });
                let kept = app.test().call("widgetcast_state", kept).await.unwrap();
                assert!(!kept.is_error(), "{}", kept.text());
                let line = json!({ "text": text, "uri": view["uri"], "key": view["state"] });
                // Past what the harness catches.
                writeln!(std::io::stdout().lock(), "kept {line}").unwrap();
            }
        };
        tokio::join!(write(), write(), write(), write());
    });
}

/// Starts a process that writes, kills it after a random time, and gives back what it acknowledged.
fn kill_once(url: &str, after: Duration) -> Vec<Value> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kill::a_process_that_writes", "--nocapture"])
        .env(URL, url)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let read = |line: String| serde_json::from_str(line.strip_prefix("kept ")?).ok();
    // The time counts from the first write on.
    let first = lines.by_ref().find_map(read);
    std::thread::sleep(after);
    child.kill().unwrap();
    child.wait().unwrap();
    first.into_iter().chain(lines.filter_map(read)).collect()
}

async fn nothing_is_lost(engine: Engine) {
    let Some(space) = Space::new(engine).await else { return };
    let kills = std::env::var(KILLS).map_or(DEFAULT_KILLS, |text| text.parse().unwrap());
    let mut acknowledged = 0;
    for round in 0..kills {
        let url = space.url.clone();
        // Spread over 100 ms, in an order that looks random.
        let after = Duration::from_micros((round as u64 * 7919) % 100 * 1000);
        let kept = tokio::task::spawn_blocking(move || kill_once(&url, after)).await.unwrap();
        assert!(!kept.is_empty(), "it has written nothing");
        acknowledged += kept.len();
        let app = app(&space.url).await;
        for line in &kept {
            let (uri, text) = (line["uri"].as_str().unwrap(), line["text"].as_str().unwrap());
            let read = app.test().read(uri).await.unwrap();
            assert!(read.contains(text), "{read}");
            let state = app.test().call("widgetcast_state", json!({ "view": line["key"] })).await;
            assert_eq!(state.unwrap().json()["structuredContent"]["state"], text);
        }
    }
    let words =
        format!("{engine:?}: killed {kills} times, {acknowledged} writes acknowledged, 0 lost\n");
    std::io::stderr().write_all(words.as_bytes()).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_loses_nothing() {
    nothing_is_lost(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_loses_nothing() {
    nothing_is_lost(Engine::Postgres).await;
}
