//! Tools without a server: scripts and URLs behind an app.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use widgetcast::{App, Builder, Tool};

const WIDGET: &str = r#"
version: "1.0"
name: quote
description: Shows what an order costs
jsonSchema:
  type: object
  properties: {total: {type: number}}
  required: [total]
widget: {type: Card, children: [{type: Text, value: "Total {{ total }}"}]}
sample: {total: 1}
"#;

/// A directory with a widget.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("quote.widget"), WIDGET).unwrap();
    folder
}

fn try_tools(folder: &Path, entries: Value) -> Result<Vec<Tool>, String> {
    let tools = widgetcast_wrap::tools(serde_json::from_value(entries).unwrap(), folder)?;
    Ok(tools.into_values().collect())
}

fn app(folder: &Path, entries: Value) -> App {
    let tools = try_tools(folder, entries).unwrap();
    let app = App::new("tests", "1.0.0").widgets(folder);
    tools.into_iter().fold(app, Builder::tool).build().unwrap()
}

/// A tool whose calls run this shell script.
fn shell(script: &str) -> Value {
    json!({ "run": ["sh", "-c", script] })
}

/// The text of a call that must fail.
async fn error(app: &App, tool: &str, arguments: Value) -> String {
    let result = app.test().call(tool, arguments).await.unwrap();
    assert!(result.is_error(), "{:?}", result.json());
    result.text().to_owned()
}

fn make_fifo(folder: &Path, name: &str) {
    assert!(Command::new("mkfifo").arg(folder.join(name)).status().unwrap().success());
}

/// Reads a FIFO until no one has it open for writing any more.
async fn read_fifo(folder: &Path, name: &str) -> String {
    let path = folder.join(name);
    tokio::task::spawn_blocking(move || std::fs::read_to_string(path).unwrap()).await.unwrap()
}

#[tokio::test]
async fn a_command_prints_the_data_of_a_widget() {
    let folder = folder();
    std::fs::create_dir(folder.path().join("tools")).unwrap();
    let script = "import json, sys\norder = json.load(sys.stdin)\n\
                  json.dump({'total': 2 * order['amount']}, sys.stdout)\n";
    std::fs::write(folder.path().join("tools/quote.py"), script).unwrap();
    let schema = json!({ "type": "object", "required": ["amount"],
        "properties": { "amount": { "type": "number" } } });
    std::fs::write(folder.path().join("in.json"), schema.to_string()).unwrap();
    let app = app(
        folder.path(),
        json!({ "price": { "run": ["python3", "tools/quote.py"], "input": "in.json", "widget": "quote",
            "read_only": true } }),
    );
    let listed = app.test().tools().await.unwrap();
    let price = listed.iter().find(|tool| tool["name"] == "price").unwrap();
    assert_eq!(price["annotations"]["readOnlyHint"], true);
    assert_eq!(price["inputSchema"]["required"], json!(["amount"]));
    assert_eq!(price["description"], "Shows what an order costs", "that of the widget");
    let result = app.test().as_host("claude").call("price", json!({ "amount": 21 })).await.unwrap();
    assert!(result.text().contains("Total 42"), "{}", result.text());
    assert_eq!(result.widget(), Some("quote"));
    assert_eq!(result.data::<Value>().unwrap(), json!({ "total": 42 }));
    let refused = error(&app, "price", json!({ "amount": "many" })).await;
    assert!(refused.contains("/amount"), "{refused}");
}

#[tokio::test]
async fn what_is_no_object_is_text() {
    let folder = folder();
    let entries = json!({
        "words": shell("cat; echo and more"), "list": shell("echo '[1, 2]'"),
        "nothing": shell("exec true"), "deaf": shell("exec <&-; echo done"),
    });
    let app = app(folder.path(), entries);
    for (tool, text) in
        [("words", "{}\nand more"), ("list", "[1, 2]"), ("nothing", ""), ("deaf", "done")]
    {
        let result = app.test().call(tool, json!({})).await.unwrap();
        assert!(!result.is_error(), "{tool}");
        assert_eq!(result.text(), text, "{tool}");
    }
}

#[tokio::test]
async fn a_command_that_fails_says_why() {
    let folder = folder();
    let entries = json!({
        "crash": shell("i=0; while [ $i -lt 999 ]; do i=$((i+1)); echo line $i >&2; done; exit 3"),
        "missing": { "run": ["no-such-program"] },
        "beside": { "run": ["./no-such-file"] },
        "flood": shell("exec yes"),
        "binary": shell("printf '\\377'"),
        "misfit": { "run": ["echo", "{\"total\": \"x\"}"], "widget": "quote" },
        "gone": { "run": ["no-such-program"], "keep": 2 },
    });
    let app = app(folder.path(), entries);
    let crash = error(&app, "crash", json!({})).await;
    assert!(crash.starts_with("crash failed (exit status: 3): "), "{crash}");
    assert!(crash.ends_with("line 998\nline 999") && crash.len() < 200, "{crash}");
    let missing = error(&app, "missing", json!({})).await;
    assert!(missing.starts_with("no-such-program cannot be started"), "{missing}");
    assert!(missing.contains("`run` of [tools.missing]"), "{missing}");
    let gone = error(&app, "gone", json!({})).await;
    assert!(gone.contains("`run` of [tools.gone]"), "{gone}");
    let beside = error(&app, "beside", json!({})).await;
    assert!(beside.starts_with(folder.path().to_str().unwrap()), "{beside}");
    let flood = error(&app, "flood", json!({})).await;
    assert!(flood.contains("flood returned more than 4 MiB"), "{flood}");
    assert!(error(&app, "binary", json!({})).await.contains("not UTF-8"));
    let misfit = app.test().call("misfit", json!({})).await.unwrap();
    assert_eq!(misfit.widget(), None, "{:?}", misfit.json());
}

/// What a script has started holds the FIFO, and lets it go only when it is killed.
#[tokio::test]
async fn a_command_that_hangs_is_killed_with_what_it_has_started() {
    let folder = folder();
    make_fifo(folder.path(), "alive");
    for keep in [0, 1] {
        let mut hang = shell("sleep 1000 > alive & wait");
        hang["timeout"] = "300ms".into();
        hang["keep"] = keep.into();
        let app = app(folder.path(), json!({ "hang": hang }));
        let (end, error) =
            tokio::join!(read_fifo(folder.path(), "alive"), error(&app, "hang", json!({})));
        assert_eq!(end, "");
        assert!(error.contains("timed out after 300ms"), "{error}");
    }
}

/// One process for all calls, which counts them.
const COUNTER: &str = r#"
n=0
while IFS= read -r line; do
  n=$((n+1))
  case "$line" in
    *die*) echo "no more" >&2; exit 4;;
    *garbage*) echo "debug: here";;
    *twice*) printf '{"n":%s}\n{"stale":true}\n' $n;;
    *hang*) echo begun > begun; exec sleep 1000;;
    *close*) exec >&-; sleep 1000;;
    *flood*) exec tr '\0' x </dev/zero;;
    *) echo '{"n":'$n'}';;
  esac
done
"#;

fn counter(folder: &Path) -> App {
    let mut counter = shell(COUNTER);
    counter["keep"] = 1.into();
    app(folder, json!({ "count": counter }))
}

async fn count(app: &App, how: &str) -> Value {
    let result = app.test().call("count", json!({ "how": how })).await.unwrap();
    assert!(!result.is_error(), "{}", result.text());
    result.data::<Value>().unwrap()["n"].take()
}

#[tokio::test]
async fn a_warm_process_answers_one_call_after_another() {
    let folder = folder();
    let app = counter(folder.path());
    for n in 1..=5 {
        assert_eq!(count(&app, "").await, n);
    }
}

#[tokio::test]
async fn a_warm_process_that_fails_is_replaced() {
    let folder = folder();
    let app = counter(folder.path());
    for (how, message) in [
        ("die", "count failed (exit status: 4): no more"),
        ("garbage", "printed a line that is not JSON: \"debug: here\""),
        ("close", "closed stdout without a response"),
        ("flood", "count returned more than 4 MiB"),
    ] {
        assert_eq!(count(&app, "").await, 1);
        let error = error(&app, "count", json!({ "how": how })).await;
        assert!(error.contains(message), "{error}");
    }
    // A line that no one has asked for is not the answer to the next call.
    assert_eq!(count(&app, "twice").await, 1);
    assert_eq!(count(&app, "").await, 1);
}

#[tokio::test]
async fn no_call_waits_for_another_process() {
    for keep in [0, 1] {
        let folder = folder();
        make_fifo(folder.path(), "begun");
        let mut counter = shell(COUNTER);
        counter["keep"] = keep.into();
        let app = app(folder.path(), json!({ "count": counter }));
        let client = app.test();
        let hanging =
            tokio::spawn(async move { client.call("count", json!({ "how": "hang" })).await });
        assert_eq!(read_fifo(folder.path(), "begun").await, "begun\n");
        assert_eq!(count(&app, "").await, 1);
        hanging.abort();
    }
}

/// Answers each request by its target, and says in the answer what was asked.
async fn server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            tokio::spawn(async move {
                let mut request = Vec::new();
                let mut chunk = [0; 4096];
                // Bodies are as short as heads, and come with them or right after.
                while !is_whole(&request) {
                    let read = stream.read(&mut chunk).await.unwrap();
                    request.extend_from_slice(&chunk[..read]);
                }
                let text = String::from_utf8(request).unwrap();
                let target = text.split(' ').nth(1).unwrap();
                let (status, more, body) = match target.split(['?', '/']).nth(1).unwrap() {
                    "moved" => (
                        "302 Found",
                        "location: https://other.example/echo?key=secret\r\n",
                        String::new(),
                    ),
                    "refused" => ("404 Not Found", "", "no such city ".repeat(100)),
                    "flood" => ("200 OK", "", "x".repeat(5 << 20)),
                    "text" => ("200 OK", "", "sunny".to_owned()),
                    _ => ("200 OK", "", json!({ "request": text }).to_string()),
                };
                let length = body.len();
                let head = format!(
                    "HTTP/1.1 {status}\r\n{more}content-length: {length}\r\nconnection: close\r\n\r\n"
                );
                // A client that has read enough does not read the rest.
                _ = stream.write_all((head + &body).as_bytes()).await;
            });
        }
    });
    origin
}

fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).to_ascii_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    body.len() >= length.map_or(0, |length| length.parse().unwrap())
}

#[tokio::test]
async fn a_url_gets_arguments_and_gives_data() {
    let (origin, folder) = (server().await, folder());
    let entries = json!({
        "get": { "url": format!("{origin}/echo/{{{{ id }}}}?q={{{{q|urlencode}}}}"),
            "headers": { "x-path": "Bearer ${PATH}" } },
        "post": { "url": format!("{origin}/echo"), "method": "post" },
        "mapped": { "url": format!("{origin}/echo?n={{{{ n }}}}"), "widget": "quote",
            "data": "{\"total\": {{ response.request | length + arguments.n | int - arguments.n | int }}}" },
        "text": { "url": format!("{origin}/text") },
    });
    let app = app(folder.path(), entries);
    let listed = app.test().tools().await.unwrap();
    let get = listed.iter().find(|tool| tool["name"] == "get").unwrap();
    assert_eq!(get["inputSchema"]["required"], json!(["id", "q"]), "made of the holes");

    let arguments = json!({ "id": "../a/b?c#d", "q": "Zürich & more=1" });
    let result = app.test().call("get", arguments).await.unwrap();
    let request = result.data::<Value>().unwrap()["request"].as_str().unwrap().to_owned();
    let line = "GET /echo/..%2Fa%2Fb%3Fc%23d?q=Z%C3%BCrich%20%26%20more%3D1 HTTP/1.1";
    assert_eq!(request.lines().next(), Some(line));
    let header = format!("x-path: Bearer {}", std::env::var("PATH").unwrap());
    assert!(request.lines().any(|line| line == header), "{request}");
    let up = error(&app, "get", json!({ "id": "..", "q": "" })).await;
    assert!(up.contains("must not be `.` or `..`"), "{up}");

    let result = app.test().call("post", json!({ "a": [1] })).await.unwrap();
    let request = result.data::<Value>().unwrap()["request"].as_str().unwrap().to_owned();
    assert!(request.starts_with("POST /echo ") && request.ends_with("{\"a\":[1]}"), "{request}");
    let result = app.test().as_host("claude").call("mapped", json!({ "n": "7" })).await.unwrap();
    assert_eq!(result.widget(), Some("quote"), "{:?}", result.json());
    assert_eq!(app.test().call("text", json!({})).await.unwrap().text(), "sunny");
}

#[tokio::test]
async fn a_url_that_fails_says_why() {
    let (origin, folder) = (server().await, folder());
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let url = |path: &str| json!({ "url": format!("{origin}/{path}") });
    let entries = json!({
        "moved": url("moved?key=secret"), "refused": url("refused?key=secret"), "flood": url("flood"),
        "away": { "url": format!("http://{closed}/?key=secret") },
        "misfit": { "url": format!("{origin}/text"), "data": "{{ response.city.name }}" },
    });
    let app = app(folder.path(), entries);
    for (tool, message) in [
        (
            "moved",
            "redirects to https://other.example, which is not followed; change `url` of [tools.moved]",
        ),
        ("refused", "returned 404 Not Found: no such city no such city"),
        ("flood", "flood returned more than 4 MiB"),
        ("away", "cannot be reached"),
        ("misfit", "the response does not match `data` of [tools.misfit]"),
    ] {
        let error = error(&app, tool, json!({})).await;
        assert!(error.contains(message), "{tool}: {error}");
        assert!(!error.contains("secret") && error.len() < 500, "{tool}: {error}");
    }
}

#[test]
fn an_entry_that_cannot_work_is_refused() {
    let folder = folder();
    for (entry, message) in [
        (json!({}), "give `run`, a command with its arguments, or `url`"),
        (json!({ "run": ["a"], "url": "http://a/" }), "not both"),
        (json!({ "run": ["a"], "method": "GET" }), "need `url`"),
        (json!({ "url": "http://a/", "keep": 1 }), "`keep` needs `run`"),
        (json!({ "url": "ftp://a/" }), "must be an http or https URL"),
        (json!({ "url": "http://{{ host }}/" }), "placeholders only in its path and query"),
        (json!({ "url": "http://a{{ host }}/" }), "placeholders only in its path and query"),
        (json!({ "url": "http:////{{ host }}/" }), "placeholders only in its path and query"),
        (json!({ "url": "http://a@{{ host }}/" }), "placeholders only in its path and query"),
        (json!({ "url": "http://a:{{ port }}/" }), "placeholders only in its path and query"),
        (json!({ "url": "http://a/{{ b.c() }}" }), "must be the name of an argument"),
        (json!({ "url": "http://a/{{ b" }), "`{{` without `}}`"),
        (json!({ "url": "http://a/", "method": "BREW" }), "must be GET, POST"),
        (json!({ "url": "http://a/?k=${NO_SUCH_VARIABLE}" }), "NO_SUCH_VARIABLE is not set"),
        (json!({ "url": "http://a/", "headers": { "a b": "c" } }), "not a valid header name"),
        (json!({ "url": "http://a/", "data": "{% if" }), "`data`: "),
        (json!({ "run": ["a"], "input": "no.json" }), "no.json"),
        (json!({ "run": ["a"], "timeout": "10" }), "such as \"10s\""),
        (json!({ "run": ["a"], "read_only": true, "destructive": true }), "cannot be destructive"),
    ] {
        let error = try_tools(folder.path(), json!({ "it": entry })).unwrap_err();
        assert!(error.starts_with("[tools.it]: ") && error.contains(message), "{error}");
    }
}
