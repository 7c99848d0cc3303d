//! Hot reload, while the app is busy.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use widgetcast::{App, Event, Page, Tool};

use crate::talk::{MODERN, ask, call, request, send, text};

/// A test that waits longer than this hangs.
const HANGS: Duration = Duration::from_secs(60);

fn write(dir: &Path, file: &str, name: &str, word: &str) {
    let widget = json!({
        "version": "1.0", "name": name,
        "template": format!("{{\"type\":\"Card\",\"children\":[{{\"type\":\"Text\",\"value\":\"{word}\"}}]}}"),
        "jsonSchema": { "type": "object", "properties": {} },
    });
    // As editors do: a new file takes the place of the old.
    let new = dir.join(format!(".{file}.new"));
    std::fs::write(&new, widget.to_string()).unwrap();
    std::fs::rename(new, dir.join(file)).unwrap();
}

async fn until(what: &str, mut is: impl AsyncFnMut() -> bool) {
    let wait = async {
        while !is().await {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(HANGS, wait).await.unwrap_or_else(|_| panic!("{what}: it hangs"));
}

async fn names(app: &App) -> Vec<String> {
    let list = ask(app, MODERN, "tools/list", json!({})).await;
    let tools = list["result"]["tools"].as_array().unwrap();
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

fn watched(dir: &Path) -> (App, Arc<Mutex<Vec<String>>>) {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&heard);
    let app = App::new("tests", "1.0.0")
        .widgets(dir)
        .on_event(move |event| {
            if let Event::Reloaded { added, changed, removed, kept } = event {
                let mut log = log.lock().unwrap();
                log.push(format!("+{added:?} ~{changed:?} -{removed:?} !{kept:?}"));
            }
        })
        .build()
        .unwrap();
    app.watch().unwrap();
    (app, heard)
}

#[tokio::test]
async fn files_come_and_go() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "one.widget", "One", "first");
    let (app, heard) = watched(dir.path());
    assert_eq!(names(&app).await, ["one"]);

    write(dir.path(), "two.widget", "Two", "x");
    until("added", async || names(&app).await == ["one", "two"]).await;

    write(dir.path(), "one.widget", "One", "second");
    until("changed", async || text(&call(&app, MODERN, "one", json!({})).await) == "second").await;

    std::fs::rename(dir.path().join("two.widget"), dir.path().join("three.widget")).unwrap();
    write(dir.path(), "four.widget", "Four", "x");
    until("renamed", async || names(&app).await == ["four", "one", "two"]).await;

    std::fs::remove_file(dir.path().join("three.widget")).unwrap();
    until("removed", async || names(&app).await == ["four", "one"]).await;

    std::fs::create_dir(dir.path().join("more")).unwrap();
    write(&dir.path().join("more"), "five.widget", "Five", "x");
    until("in a new folder", async || names(&app).await == ["five", "four", "one"]).await;

    // A broken edit keeps the last good one.
    std::fs::write(dir.path().join("one.widget"), "{\"name\": ").unwrap();
    until("kept", async || heard.lock().unwrap().iter().any(|line| line.contains("![\"one\"]")))
        .await;
    assert_eq!(text(&call(&app, MODERN, "one", json!({})).await), "second");
    write(dir.path(), "one.widget", "One", "third");
    until("mended", async || text(&call(&app, MODERN, "one", json!({})).await) == "third").await;
}

#[tokio::test]
async fn old_pages_can_still_be_read() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("chart.html");
    std::fs::write(&file, "<p>one").unwrap();
    let app = App::new("tests", "1.0.0")
        .page(Page::file("chart", &file))
        .tool(Tool::new("chart", || async { "x" }).page("chart"))
        .build()
        .unwrap();
    app.watch().unwrap();
    let uri = async || {
        let list = ask(&app, MODERN, "tools/list", json!({})).await;
        list["result"]["tools"][0]["_meta"]["ui"]["resourceUri"].as_str().unwrap().to_owned()
    };
    let read = async |uri: &str| {
        let answer = ask(&app, MODERN, "resources/read", json!({ "uri": uri })).await;
        answer["result"]["contents"][0]["text"].as_str().unwrap().to_owned()
    };
    let first = uri().await;
    std::fs::write(&file, "<p>two").unwrap();
    until("a new page", async || uri().await != first).await;
    let second = uri().await;
    assert_eq!(read(&first).await, "<p>one");
    assert_eq!(read(&second).await, "<p>two");
    // A broken edit keeps the last good page, and the next good one replaces it.
    std::fs::write(&file, "no page").unwrap();
    std::fs::write(dir.path().join("other.html"), "<p>not served").unwrap();
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!((uri().await, read(&second).await), (second.clone(), "<p>two".to_owned()));
    std::fs::write(&file, "<p>three").unwrap();
    until("mended", async || uri().await != second).await;
    assert_eq!(read(&uri().await).await, "<p>three");
}

/// What cannot be drawn is no longer listed once the widgets have been checked, and clients are told.
#[tokio::test]
async fn checking_takes_broken_widgets_off_the_list() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "good.widget", "Good", "x");
    let broken = json!({ "version": "1.0", "name": "Bad", "template": "{\"type\":\"Nothing\"}",
        "jsonSchema": { "type": "object" } });
    std::fs::write(dir.path().join("bad.widget"), broken.to_string()).unwrap();
    let app = App::new("tests", "1.0.0").widgets(dir.path()).build().unwrap();
    assert_eq!(names(&app).await, ["bad", "good"]);
    let stream = http::Request::get("http://localhost/mcp").header("accept", "text/event-stream");
    let stream = stream.body(http_body_util::Full::<bytes::Bytes>::default()).unwrap();
    let mut changes = app.handle(stream).await.into_body();
    app.check_widgets();
    assert_eq!(names(&app).await, ["good"]);
    let frame = tokio::time::timeout(HANGS, changes.frame()).await.unwrap().unwrap().unwrap();
    let text = String::from_utf8(frame.into_data().unwrap().to_vec()).unwrap();
    assert!(text.contains("notifications/tools/list_changed"), "{text}");
    // Nothing changes when they are checked again.
    app.check_widgets();
    assert_eq!(names(&app).await, ["good"]);
}

/// Calls while files change: none fails, and none sees what another has seen replaced.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reload_under_load() {
    let dir = tempfile::tempdir().unwrap();
    for index in 0..50 {
        write(dir.path(), &format!("other{index}.widget"), &format!("Other {index}"), "x");
    }
    write(dir.path(), "busy.widget", "Busy", "0");
    let (app, _) = watched(dir.path());
    let stop = Arc::new(AtomicBool::new(false));
    let calls = Arc::new(AtomicUsize::new(0));
    // The version that every call must have reached: one that a call has seen before.
    let due = Arc::new(AtomicUsize::new(0));
    let stale = Arc::new(AtomicUsize::new(0));
    let load = tokio::spawn({
        let (app, stop, calls) = (app.clone(), Arc::clone(&stop), Arc::clone(&calls));
        let (due, stale) = (Arc::clone(&due), Arc::clone(&stale));
        async move {
            let service = app.service();
            let mut tick = tokio::time::interval(Duration::from_millis(1));
            while !stop.load(Ordering::Relaxed) {
                tick.tick().await;
                let least = due.load(Ordering::SeqCst);
                let answer =
                    send(&service, request(MODERN, "tools/call", json!({ "name": "busy" }))).await;
                let answer: Value = answer.json();
                let text = answer["result"]["content"][0]["text"]
                    .as_str()
                    .unwrap_or_else(|| panic!("{answer}"));
                assert_eq!(answer["result"]["isError"], false, "{answer}");
                let version: usize = text.parse().unwrap();
                stale.fetch_add(usize::from(version < least), Ordering::Relaxed);
                calls.fetch_add(1, Ordering::Relaxed);
            }
        }
    });
    for version in 1..=20 {
        write(dir.path(), "busy.widget", "Busy", &version.to_string());
        if version % 3 == 0 {
            std::fs::write(dir.path().join("other1.widget"), "broken").unwrap();
        } else {
            write(dir.path(), "other1.widget", "Other 1", "x");
        }
        until("live", async || {
            let result = call(&app, MODERN, "busy", json!({})).await;
            text(&result).parse::<usize>().unwrap() >= version
        })
        .await;
        due.store(version, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    stop.store(true, Ordering::Relaxed);
    load.await.expect("no call failed");
    let (calls, stale) = (calls.load(Ordering::Relaxed), stale.load(Ordering::Relaxed));
    eprintln!("{calls} calls during 20 reloads");
    assert!(calls > 100);
    assert_eq!(stale, 0, "a call saw what another had already seen replaced");
}
