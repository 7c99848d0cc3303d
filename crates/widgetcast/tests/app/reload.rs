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
    let mut settings = widgetcast::Settings::default();
    settings.gallery = Some(true);
    let app = App::new("tests", "1.0.0")
        .widgets(dir)
        .settings(settings)
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
        .widgets(dir.path())
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
    // Changes are read in their order, so the page has been read once this one has.
    write(dir.path(), "later.widget", "Later", "x");
    until("the edits were read", async || names(&app).await.contains(&"later".to_owned())).await;
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

/// A widget whose template runs, and which gives no tree for its sample: what a user breaks by leaving
/// out quotes, or by misspelling a name that is computed.
fn fails_when_drawn(word: &str) -> [String; 2] {
    let unquoted = r#"{"type":"Card","children":[{"type":"Text","value":Rows},{"type":"Text","value":{{ rows[0] | tojson }}}]}"#;
    let misspelt = r#"{"type":"Card","children":[{"type":{{ kind | tojson }},"label":"x"}]}"#;
    [unquoted, misspelt].map(|template| {
        json!({ "version": "1.0", "name": "One", "template": template,
            "jsonSchema": { "type": "object", "properties": {
                "rows": { "type": "array", "items": { "type": "string" } },
                "kind": { "type": "string" } } },
            "sample": { "rows": [word, "b"], "kind": "Bagde" } })
        .to_string()
    })
}

async fn index(app: &App) -> Value {
    serde_json::from_str(&get(app, "/gallery/index.json").await.1).unwrap()
}

/// An edit after which the sample cannot be drawn is broken, as one that is no JSON.
#[tokio::test]
async fn an_edit_that_cannot_draw_its_sample_keeps_the_last_good_one() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "one.widget", "One", "good");
    let (app, heard) = watched(dir.path());
    for (round, broken) in fails_when_drawn("a").into_iter().enumerate() {
        std::fs::write(dir.path().join("one.widget"), broken).unwrap();
        let kept = "![\"one\"]";
        until("kept", async || {
            heard.lock().unwrap().iter().filter(|line| line.contains(kept)).count() > round
        })
        .await;
        assert!(!heard.lock().unwrap().iter().any(|line| line.contains("~[\"one\"]")));
        assert_eq!(text(&call(&app, MODERN, "one", json!({})).await), "good");
        let index = index(&app).await;
        let finding = &index["findings"][0];
        assert_eq!((&finding["tool"], &finding["severity"]), (&json!("one"), &json!("error")));
        let excerpt = finding["excerpt"].as_str().unwrap();
        assert!(excerpt.contains("one.widget:1:") && excerpt.contains('^'), "{excerpt}");
        assert_eq!(get(&app, "/readyz").await.0, 200);
    }
    write(dir.path(), "one.widget", "One", "mended");
    until("mended", async || says(&app, "one").await == "mended").await;
    assert_eq!(index(&app).await["findings"], json!([]));
}

/// The same at start: the file is not served, there is a finding, and clients are told.
#[tokio::test]
async fn a_widget_that_cannot_draw_its_sample_is_not_served() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "good.widget", "Good", "x");
    for broken in fails_when_drawn("a") {
        std::fs::write(dir.path().join("one.widget"), broken).unwrap();
        let (app, _) = watched(dir.path());
        // As one that was called before it was examined.
        ask(&app, MODERN, "tools/call", json!({ "name": "one" })).await;
        app.check_widgets();
        assert_eq!(names(&app).await, ["good"]);
        let answer = ask(&app, MODERN, "tools/call", json!({ "name": "one" })).await;
        assert!(answer["error"]["message"].as_str().unwrap().contains("one"), "{answer}");
        let index = index(&app).await;
        assert_eq!(index["findings"].as_array().unwrap().len(), 1);
        assert!(index["findings"][0]["excerpt"].as_str().unwrap().contains('^'), "{index}");
        write(dir.path(), "one.widget", "One", "mended");
        until("mended", async || says(&app, "one").await == "mended").await;
    }
}

/// A file of the same name takes the place of one that is found broken.
#[tokio::test]
async fn a_second_file_takes_the_place_of_a_broken_one() {
    let dir = tempfile::tempdir().unwrap();
    let [broken, _] = fails_when_drawn("a");
    std::fs::write(dir.path().join("a.widget"), broken).unwrap();
    write(dir.path(), "b.widget", "One", "second");
    let (app, _) = watched(dir.path());
    app.check_widgets();
    assert_eq!(says(&app, "one").await, "second");
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
        let so_far = calls.load(Ordering::Relaxed);
        until("more calls", async || {
            calls.load(Ordering::Relaxed) > so_far + 5 || load.is_finished()
        })
        .await;
    }
    stop.store(true, Ordering::Relaxed);
    load.await.expect("no call failed");
    let stale = stale.load(Ordering::Relaxed);
    assert_eq!(stale, 0, "a call saw what another had already seen replaced");
}

async fn get(app: &App, path: &str) -> (u16, String) {
    let request = http::Request::get(format!("http://localhost{path}"));
    let request = request.body(http_body_util::Full::<bytes::Bytes>::default()).unwrap();
    let response = app.handle(request).await;
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

/// What a tool says; nothing while there is no such tool.
async fn says(app: &App, tool: &str) -> String {
    let answer = ask(app, MODERN, "tools/call", json!({ "name": tool })).await;
    answer["result"]["content"][0]["text"].as_str().unwrap_or_default().to_owned()
}

/// The directory itself is replaced, in every way that users replace one; each time, later edits are
/// noticed too.
#[cfg(unix)]
#[tokio::test]
async fn a_replaced_directory_is_followed() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("widgets");
    let fill = |dir: &Path, word: &str| {
        std::fs::create_dir_all(dir.join("sub")).unwrap();
        write(dir, "one.widget", "One", word);
        write(&dir.join("sub"), "two.widget", "Two", word);
    };
    fill(&dir, "0");
    let (app, _) = watched(&dir);
    let follows = async |way: &str, dir: &Path, word: &str| {
        until(way, async || says(&app, "one").await == word && says(&app, "two").await == word)
            .await;
        let later = format!("{word} later");
        write(&dir.join("sub"), "two.widget", "Two", &later);
        until(&format!("{way}, edited"), async || says(&app, "two").await == later).await;
    };

    std::fs::remove_dir_all(&dir).unwrap();
    fill(&dir, "removed");
    follows("removed and made again", &dir, "removed").await;

    fill(&place.path().join("new"), "swapped");
    std::fs::rename(&dir, place.path().join("old")).unwrap();
    std::fs::rename(place.path().join("new"), &dir).unwrap();
    follows("swapped", &dir, "swapped").await;

    std::fs::remove_dir_all(dir.join("sub")).unwrap();
    std::fs::rename(place.path().join("old/sub"), dir.join("sub")).unwrap();
    write(&dir, "one.widget", "One", "inner");
    write(&dir.join("sub"), "two.widget", "Two", "inner");
    follows("a folder in it swapped", &dir, "inner").await;
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_that_leads_elsewhere_is_followed() {
    use std::os::unix::fs::symlink;
    let place = tempfile::tempdir().unwrap();
    for version in ["1", "2"] {
        std::fs::create_dir(place.path().join(version)).unwrap();
        write(&place.path().join(version), "one.widget", "One", version);
    }
    let link = place.path().join("current");
    symlink("1", &link).unwrap();
    let (app, _) = watched(&link);
    assert_eq!(says(&app, "one").await, "1");
    symlink("2", place.path().join("next")).unwrap();
    std::fs::rename(place.path().join("next"), &link).unwrap();
    until("retargeted", async || says(&app, "one").await == "2").await;
    write(&place.path().join("2"), "one.widget", "One", "3");
    until("edited", async || says(&app, "one").await == "3").await;
}

/// What has become of the directory shows where an operator looks, and goes away again.
#[tokio::test]
async fn an_empty_or_lost_directory_shows() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("widgets");
    std::fs::create_dir(&dir).unwrap();
    write(&dir, "one.widget", "One", "1");
    let (app, _) = watched(&dir);
    let findings = async || {
        let (_, index) = get(&app, "/gallery/index.json").await;
        let index: Value = serde_json::from_str(&index).unwrap();
        let findings = index["findings"].as_array().unwrap().iter();
        findings.map(|one| one["message"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(get(&app, "/readyz").await, (200, "ready\n".to_owned()));

    std::fs::remove_file(dir.join("one.widget")).unwrap();
    until("empty", async || get(&app, "/readyz").await.0 == 503).await;
    let words = "the widget directory contains no widgets";
    assert_eq!(get(&app, "/readyz").await.1, format!("{words}\n"));
    until("on the page", async || findings().await == [words]).await;

    write(&dir, "one.widget", "One", "2");
    until("filled", async || get(&app, "/readyz").await.0 == 200).await;
    until("off the page", async || findings().await.is_empty()).await;

    // A directory that is gone keeps what it held: someone may be replacing it.
    std::fs::rename(&dir, place.path().join("away")).unwrap();
    until("gone", async || get(&app, "/readyz").await.0 == 503).await;
    assert!(get(&app, "/readyz").await.1.contains("cannot read the widget directory"));
    until("on the page", async || findings().await.len() == 1).await;
    assert_eq!(says(&app, "one").await, "2");

    std::fs::rename(place.path().join("away"), &dir).unwrap();
    until("back", async || get(&app, "/readyz").await.0 == 200).await;
    until("off the page", async || findings().await.is_empty()).await;
}

/// No tool at all is a problem if the app was told to serve a directory.
#[tokio::test]
async fn a_server_without_tools_is_not_ready() {
    let dir = tempfile::tempdir().unwrap();
    let app = App::new("tests", "1.0.0").widgets(dir.path()).build().unwrap();
    assert_eq!(get(&app, "/readyz").await.0, 503);
    let tool = Tool::new("own", || async { "x" });
    let app = App::new("tests", "1.0.0").widgets(dir.path()).tool(tool).build().unwrap();
    assert_eq!(get(&app, "/readyz").await.0, 200);
    let app = App::new("tests", "1.0.0").build().unwrap();
    assert_eq!(get(&app, "/readyz").await.0, 200);
}

/// A FIFO in the place of a widget or a page does not stop the watching thread.
#[cfg(unix)]
#[tokio::test]
async fn a_fifo_does_not_hang_the_watch() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "one.widget", "One", "0");
    let page = dir.path().join("page.html");
    std::fs::write(&page, "<p>one").unwrap();
    let app = App::new("tests", "1.0.0").widgets(dir.path()).page(Page::file("page", &page));
    let app = app.build().unwrap();
    app.watch().unwrap();
    let make_fifo = |path: &Path| {
        let fifo = dir.path().join("fifo");
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        std::fs::rename(&fifo, path).unwrap();
    };
    make_fifo(&page);
    for round in 0..50 {
        make_fifo(&dir.path().join("one.widget"));
        if round % 10 == 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        write(dir.path(), "one.widget", "One", &round.to_string());
    }
    write(dir.path(), "one.widget", "One", "last");
    until("after the FIFOs", async || says(&app, "one").await == "last").await;
}

/// A reload that ran out of descriptors is tried again. It runs in a process of its own, because it
/// takes all of them.
#[cfg(unix)]
#[tokio::test]
async fn a_reload_without_descriptors_is_tried_again() {
    const CHILD: &str = "WIDGETCAST_TEST_DESCRIPTORS";
    if std::env::var_os(CHILD).is_none() {
        let test = "reload::a_reload_without_descriptors_is_tried_again";
        let run = r#"ulimit -n 64; exec "$0" --exact "$1" --nocapture"#;
        let this = std::env::current_exe().unwrap();
        let child = std::process::Command::new("sh")
            .args(["-c", run])
            .arg(this)
            .arg(test)
            .env(CHILD, "1")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&child.stdout);
        assert!(child.status.success() && said.contains("1 passed"), "{child:?}");
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let [dir, new] = ["widgets", "new"].map(|name| place.path().join(name));
    for (dir, word) in [(&dir, "1"), (&new, "2")] {
        std::fs::create_dir(dir).unwrap();
        write(dir, "one.widget", "One", word);
    }
    let (app, heard) = watched(&dir);
    assert_eq!(says(&app, "one").await, "1");
    let taken: Vec<_> = (0..64).map_while(|_| std::fs::File::open("/dev/null").ok()).collect();
    std::fs::rename(new.join("one.widget"), dir.join("one.widget")).unwrap();
    until("kept", async || heard.lock().unwrap().iter().any(|line| line.contains("![\"one\"]")))
        .await;
    assert_eq!(says(&app, "one").await, "1");
    drop(taken);
    until("tried again", async || says(&app, "one").await == "2").await;
}

/// Random changes of files, directories and of the link that is the root. Whatever happened on the way, what
/// is served in the end is what is there.
#[cfg(unix)]
#[tokio::test]
async fn any_sequence_of_changes_ends_right() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("current");
    std::fs::create_dir_all(place.path().join("v0/a")).unwrap();
    symlink("v0", &root).unwrap();
    write(&root, "first.widget", "First", "0");
    let (app, _) = watched(&root);
    let mut seed = 14_u64;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for round in 0..300 {
        let folder = root.join(["", "a", "b", "a/c"][random(4)]);
        let name = ["one", "two", "three"][random(3)];
        let file = folder.join(format!("{name}.widget"));
        match random(12) {
            0 => _ = std::fs::remove_file(&file),
            1 => _ = std::fs::rename(root.join("a"), root.join("b")),
            2 => _ = std::fs::rename(root.join("b"), root.join("a")),
            3 => _ = std::fs::remove_dir_all(root.join(["a", "b"][random(2)])),
            4 => {
                // Another version, at once or after a moment without any.
                let version = format!("v{round}");
                std::fs::create_dir_all(place.path().join(&version).join("a")).unwrap();
                write(&place.path().join(&version), "two.widget", "Two", &version);
                if random(2) == 0 {
                    std::fs::remove_file(&root).unwrap();
                    tokio::time::sleep(Duration::from_millis(random(20) as u64)).await;
                }
                symlink(&version, place.path().join("next")).unwrap();
                std::fs::rename(place.path().join("next"), &root).unwrap();
            }
            5 => {
                let real = root.canonicalize().unwrap();
                std::fs::rename(&real, real.with_extension(format!("old{round}"))).unwrap();
                std::fs::create_dir_all(real.join("b")).unwrap();
                write(&real.join("b"), "three.widget", "Three", &round.to_string());
            }
            6 if folder.is_dir() => {
                _ = std::fs::remove_file(&file);
                _ = std::process::Command::new("mkfifo").arg(&file).status();
            }
            7 if folder.is_dir() => {
                _ = std::fs::remove_file(&file);
                symlink(place.path().join("outside.widget"), &file).unwrap();
            }
            8 if folder.is_dir() => {
                let mode = [0o000, 0o755][random(2)];
                std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(mode)).unwrap();
                std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
            }
            _ => {
                _ = std::fs::create_dir_all(&folder);
                write(&folder, &format!("{name}.widget"), name, &round.to_string());
            }
        }
        if random(4) == 0 {
            tokio::time::sleep(Duration::from_millis(random(30) as u64)).await;
        }
    }
    // What is no file keeps the last good widget, so it is taken away.
    for folder in ["", "a", "b", "a/c", "b/c"] {
        for name in ["one", "two", "three"] {
            let file = root.join(folder).join(format!("{name}.widget"));
            if file.symlink_metadata().is_ok_and(|about| !about.is_file()) {
                std::fs::remove_file(file).unwrap();
            }
        }
    }
    write(&root, "last.widget", "Last", "last");
    let expected: Vec<String> = {
        let catalog = widgetcast::Catalog::from_dir(&root).unwrap();
        catalog.list().map(|listing| listing.tool_name.to_owned()).collect()
    };
    until("the last state", async || names(&app).await == expected).await;
    until("ready", async || get(&app, "/readyz").await.0 == 200).await;
    // And it goes on.
    write(&root, "last.widget", "Last", "later");
    until("a later edit", async || says(&app, "last").await == "later").await;
}

/// `call --server` without data and the gallery use the sample, also while the file is broken.
#[tokio::test]
async fn a_broken_edit_leaves_the_sample() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("word.widget");
    let widget = json!({
        "version": "1.0", "name": "Word", "sample": { "word": "mine" },
        "template": r#"{"type":"Card","children":[{"type":"Text","value":{{ word | tojson }}}]}"#,
        "jsonSchema": { "type": "object", "properties": { "word": { "type": "string" } } },
    });
    std::fs::write(&file, widget.to_string()).unwrap();
    let (app, heard) = watched(dir.path());
    // What is there is read before changes are looked at.
    write(dir.path(), "other.widget", "Other", "x");
    until("added", async || names(&app).await == ["other", "word"]).await;
    std::fs::write(&file, "{").unwrap();
    until("kept", async || heard.lock().unwrap().iter().any(|line| line.contains(r#"!["word"]"#)))
        .await;
    let tool: Value = serde_json::from_str(&get(&app, "/gallery/tool/word").await.1).unwrap();
    assert_eq!(tool["sample"], json!({ "word": "mine" }));
}
