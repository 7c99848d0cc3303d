//! A chat with a store of its own and the tools of a server that may answer anything.

use std::cell::{Cell, RefCell};
use std::path::PathBuf;
use std::sync::{Arc, Once};
use std::time::Duration;

use arbitrary::{Result, Unstructured};
use bytes::Bytes;
use http::Request;
use http_body_util::{BodyExt as _, Full};
use rusqlite::Connection;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use widgetcast::App;
use widgetcast_agent::{Server, Toolbox};
use widgetcast_chatkit::{ChatKit, Commands, Storage};
use widgetcast_core::Catalog;

use crate::generate;
use crate::server::GREETING;

/// Longer than any answer takes, even on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long a call may take: to some requests there is no answer, and what follows matters more.
const CALL: Duration = Duration::from_millis(30);
/// How often a call of ours is tried, of which one must succeed.
const TRIES: usize = 200;
/// Makes the file as it was: an input finds nothing of those before it.
const CLEAR: &str =
    "DELETE FROM chatkit_threads; DELETE FROM chatkit_items; DELETE FROM chatkit_feedback;
    DELETE FROM chatkit_attachments;";

/// What a chat needs that outlives an input.
struct Setup {
    storage: Arc<dyn Storage>,
    file: PathBuf,
    rows: Connection,
    runtime: Runtime,
}

thread_local! {
    static SETUP: RefCell<Option<Setup>> = const { RefCell::new(None) };
    static HAS_PANICKED: Cell<bool> = const { Cell::new(false) };
}

/// A task that panics ends without a word; this thread, which runs them, remembers it.
fn notice_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            HAS_PANICKED.set(true);
            before(info);
        }));
    });
    HAS_PANICKED.set(false);
}

fn set_up() -> Setup {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime");
    let name =
        format!("widgetcast-fuzz-{}-{:?}.db", std::process::id(), std::thread::current().id());
    // Every write waits for a disk, but not in memory.
    let memory = PathBuf::from("/dev/shm");
    let dir = if memory.is_dir() { memory } else { std::env::temp_dir() };
    let file = dir.join(name);
    _ = std::fs::remove_file(&file);
    let storage = runtime.block_on(widgetcast_chatkit::open(&format!("sqlite:{}", file.display())));
    let rows = Connection::open(&file).expect("the file");
    Setup { storage: storage.expect("a store"), file, rows, runtime }
}

impl Drop for Setup {
    fn drop(&mut self) {
        for end in ["", "-wal", "-shm"] {
            _ = std::fs::remove_file(format!("{}{end}", self.file.display()));
        }
    }
}

/// Runs with a chat and its file; a panic leaves a new one for the next input.
fn with_chat(toolbox: Toolbox, ask: impl AsyncFnOnce(Client, &Connection)) {
    notice_panics();
    let setup = SETUP.take().unwrap_or_else(set_up);
    setup.rows.execute_batch(CLEAR).expect("an empty file");
    let work = async {
        let app = App::new("fuzz", "1.0.0").catalog(Catalog::from_static(&[GREETING]));
        let app = app.build().expect("an app");
        let toolbox = toolbox.app(app.clone());
        let chat = ChatKit::new(Arc::clone(&setup.storage), Commands::new(toolbox));
        let client = Client::new(chat.mount(app)).await;
        ask(client, &setup.rows).await;
    };
    let in_time = setup.runtime.block_on(async { tokio::time::timeout(PATIENCE, work).await });
    in_time.expect("an answer in time");
    assert!(!HAS_PANICKED.get(), "a task has panicked");
    SETUP.set(Some(setup));
}

/// A user with a cookie.
struct Client {
    app: App,
    cookie: String,
}

impl Client {
    async fn new(app: App) -> Self {
        let page = Request::get("http://localhost/chat").body(Full::new(Bytes::new()));
        let page = app.handle(page.expect("a request")).await;
        let cookie = page.headers().get("set-cookie").and_then(|line| line.to_str().ok());
        let cookie = cookie.and_then(|line| line.split(';').next()).expect("a cookie").to_owned();
        Self { app, cookie }
    }

    /// Sends a request; whatever it is, the answer is one of the chat, and not a failure of it.
    async fn send(&self, path: &str, body: Option<Vec<u8>>) -> (u16, String) {
        let request = match &body {
            Some(_) => Request::post(format!("http://localhost{path}")),
            None => Request::get(format!("http://localhost{path}")),
        };
        let request = request
            .header("cookie", &self.cookie)
            .header("content-type", "application/json")
            .body(Full::new(Bytes::from(body.unwrap_or_default())));
        let (parts, body) = self.app.handle(request.expect("a request")).await.into_parts();
        let bytes = body.collect().await.expect("a body").to_bytes();
        let text = String::from_utf8(bytes.to_vec()).expect("text");
        let status = parts.status.as_u16();
        // 501 and 503 are said with words: no one transcribes here, and what is kept may not be readable.
        assert!(status < 500 || matches!(status, 501 | 503), "{status} {text}");
        let is_stream = parts
            .headers
            .get("content-type")
            .is_some_and(|mime| mime.as_bytes().starts_with(b"text/event-stream"));
        let lines =
            text.split("\n\n").filter(|_| is_stream).filter_map(|l| l.strip_prefix("data: "));
        for event in lines {
            assert!(serde_json::from_str::<Value>(event).is_ok(), "{event}");
        }
        assert!(is_stream || serde_json::from_str::<Value>(&text).is_ok(), "{status} {text}");
        (status, text)
    }

    async fn ask(&self, kind: &str, params: Value) -> (u16, String) {
        let body = json!({ "type": kind, "params": params }).to_string();
        self.send("/chatkit", Some(body.into_bytes())).await
    }

    /// Begins a thread, whose answer must come to its end.
    async fn begin(&self, text: &str) -> String {
        let (status, events) = self.ask("threads.create", json!({ "input": input(text) })).await;
        let first = events.lines().find_map(|line| line.strip_prefix("data: ")).unwrap_or_default();
        let first: Value = serde_json::from_str(first).unwrap_or_default();
        let id = first["thread"]["id"].as_str();
        id.unwrap_or_else(|| panic!("{status} {events}")).to_owned()
    }

    async fn say(&self, thread: &str, text: &str) -> (u16, String) {
        let params = json!({ "thread_id": thread, "input": input(text) });
        self.ask("threads.add_user_message", params).await
    }

    async fn items(&self, thread: &str) -> (u16, Value) {
        let params = json!({ "thread_id": thread, "order": "asc", "limit": 100 });
        let (status, text) = self.ask("items.list", params).await;
        (status, serde_json::from_str(&text).unwrap_or_default())
    }
}

fn input(text: &str) -> Value {
    let content = [json!({ "type": "input_text", "text": text })];
    json!({ "content": content, "attachments": [], "inference_options": {} })
}

/// A command or another text.
fn typed(u: &mut Unstructured<'_>) -> Result<String> {
    let name = *u.choose(&["greeting", "widgetcast_state", "help", "", "x"])?;
    Ok(match u.int_in_range(0..=3)? {
        0 => format!("/{name} {}", generate::json(u, 3)?),
        1 => format!("/{name} name={}", generate::text(u)?),
        2 => format!("/{name} {}", generate::text(u)?),
        _ => generate::text(u)?,
    })
}

/// Parameters of a request, some of which name what is there.
fn params(u: &mut Unstructured<'_>, thread: &str, item: &str) -> Result<Value> {
    let id = |u: &mut Unstructured<'_>, id: &str| -> Result<Value> {
        if u.ratio(5u8, 6u8)? { Ok(id.into()) } else { generate::json(u, 1) }
    };
    let mut content = input(&typed(u)?);
    if u.ratio(1u8, 6u8)? {
        content["inference_options"] = generate::json(u, 3)?;
    }
    let mut all = json!({ "thread_id": id(u, thread)?, "item_id": id(u, item)?, "item_ids": [id(u, item)?], "input": content,
        "action": { "type": *u.choose(&["greeting", "widgetcast.decide", "x"])?, "payload": generate::json(u, 4)? },
        "title": generate::text(u)?, "limit": u.arbitrary::<i64>()?, "order": *u.choose(&["asc", "desc", "x"])?,
        "after": id(u, item)?, "kind": *u.choose(&["positive", "negative"])?, "name": generate::text(u)?,
        "size": u.arbitrary::<i32>()?, "mime_type": *u.choose(&["image/png", "text/plain", "x"])?,
        "attachment_id": generate::text(u)?, "audio_base64": generate::text(u)?, "result": generate::json(u, 3)? });
    for _ in 0..u.int_in_range(0..=2)? {
        let Some(members) = all.as_object_mut() else { break };
        let name = u.choose(&members.keys().cloned().collect::<Vec<_>>())?.clone();
        match u.arbitrary()? {
            true => drop(members.remove(&name)),
            false => drop(members.insert(name, generate::json(u, 2)?)),
        }
    }
    Ok(all)
}

/// Requests to a thread: those of a client, and any bytes.
pub(crate) fn check_requests(u: &mut Unstructured<'_>) -> Result<()> {
    const KINDS: &[&str] = &[
        "threads.create",
        "threads.add_user_message",
        "threads.add_user_message",
        "threads.add_client_tool_output",
        "threads.add_structured_input",
        "threads.retry_after_item",
        "threads.custom_action",
        "threads.sync_custom_action",
        "threads.get_by_id",
        "threads.list",
        "items.list",
        "items.feedback",
        "attachments.create",
        "attachments.delete",
        "threads.update",
        "input.transcribe",
    ];
    let mut ended = Ok(());
    with_chat(Toolbox::new(), async |client, _| {
        let thread = client.begin("/greeting name=Ada").await;
        ended = async {
            for _ in 0..u.int_in_range(1..=3)? {
                let (_, items) = client.items(&thread).await;
                let last = items["data"].as_array().and_then(|all| all.last()).cloned();
                let item = last.unwrap_or_default()["id"].as_str().unwrap_or_default().to_owned();
                let kind = *u.choose(KINDS)?;
                client.ask(kind, params(u, &thread, &item)?).await;
            }
            let word = generate::text(u)?;
            let word: String = word.bytes().map(|byte| format!("%{byte:02x}")).collect();
            client.send(&format!("/chatkit/search?q={word}"), None).await;
            let rest = u.bytes(u.len())?.to_vec();
            client.send("/chatkit", Some(rest)).await;
            Ok(())
        }
        .await;
        // Whatever was done to it, the thread is read.
        let (status, _) = client.items(&thread).await;
        assert_eq!(status, 200);
    });
    ended
}

/// What a server answers to the requests of a toolbox.
struct Answers {
    list: String,
    result: String,
}

/// A server that answers one connection after the other.
async fn serve(listener: TcpListener, answers: Arc<Answers>) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(talk(stream, Arc::clone(&answers)));
    }
}

async fn talk(mut stream: TcpStream, answers: Arc<Answers>) {
    let (mut request, mut chunk) = (Vec::new(), [0; 8 << 10]);
    loop {
        let text = String::from_utf8_lossy(&request).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let head = head.to_ascii_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            if body.len() >= length.and_then(|length| length.parse().ok()).unwrap_or(0) {
                let message: Value = serde_json::from_str(body).unwrap_or_default();
                if stream.write_all(&answers.to(&message)).await.is_err() {
                    return;
                }
                request.clear();
                continue;
            }
        }
        match stream.read(&mut chunk).await {
            Ok(read @ 1..) => request.extend_from_slice(&chunk[..read]),
            _ => return,
        }
    }
}

impl Answers {
    fn to(&self, message: &Value) -> Vec<u8> {
        const HELLO: &str = r#"{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"a","version":"1"}}"#;
        let result = match message["method"].as_str() {
            Some("initialize") => HELLO,
            Some("tools/list") => &*self.list,
            Some("tools/call") => &*self.result,
            Some(_) => return b"HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n".to_vec(),
            None => return b"HTTP/1.1 405 Not Allowed\r\ncontent-length: 0\r\n\r\n".to_vec(),
        };
        let body = format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, message["id"]);
        let length = body.len();
        format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}")
            .into_bytes()
    }
}

fn listed(u: &mut Unstructured<'_>) -> Result<Value> {
    let name = match u.ratio(1u8, 4u8)? {
        true => generate::text(u)?,
        false => {
            (*u.choose(&["echo", "greeting", "widgetcast_state", "evil_greeting", "a b"])?).into()
        }
    };
    let mut tool = json!({ "name": name, "inputSchema": generate::schema(u)?, "title": generate::text(u)?,
        "annotations": { "readOnlyHint": true }, "_meta": { "ui": generate::json(u, 3)? } });
    // Seldom: nothing comes of a list with such a tool, and that takes its time.
    if u.ratio(1u8, 100u8)? {
        let member = *u.choose(&["name", "inputSchema", "annotations", "_meta"])?;
        tool[member] = generate::json(u, 3)?;
    }
    Ok(tool)
}

/// The texts of a list and of a result.
fn answers(u: &mut Unstructured<'_>) -> Result<Answers> {
    let tools = (0..u.int_in_range(1..=4)?).map(|_| listed(u)).collect::<Result<Vec<_>>>()?;
    let list = match u.ratio(1u8, 100u8)? {
        true => generate::json(u, 3)?,
        false => json!({ "tools": tools }),
    };
    let result = generate::result(u)?.to_string();
    let result = match u.ratio(1u8, 8u8)? {
        true => String::from_utf8_lossy(u.bytes(u.len())?).into_owned(),
        false => result,
    };
    Ok(Answers { list: list.to_string(), result })
}

/// Our tool is there under its name, and names are such as models write, whatever a server lists; each of
/// its tools can be asked for by a command, and what it gives is kept so that it can be read.
pub(crate) fn check_upstream(u: &mut Unstructured<'_>) -> Result<()> {
    let answers = Arc::new(answers(u)?);
    let text = typed(u)?;
    let action = json!({ "type": "echo", "payload": generate::json(u, 3)? });
    let setup = SETUP.take().unwrap_or_else(set_up);
    let (toolbox, server) = setup.runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/mcp", listener.local_addr().expect("an address"));
        let server = tokio::spawn(serve(listener, answers));
        (Toolbox::new().connect("evil", Server::url(url)).expect("a server"), server)
    });
    SETUP.set(Some(setup));
    let toolbox = toolbox.call_timeout(CALL);
    with_chat(toolbox, async |client, _| {
        let (_, all) = client.send("/chatkit/commands?q=", None).await;
        let all: Value = serde_json::from_str(&all).unwrap_or_default();
        let names: Vec<&str> = all["data"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|t| t["name"].as_str())
            .collect();
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        assert!(names.iter().all(|name| name.len() <= 64 && name.chars().all(plain)), "{names:?}");
        assert!((1..names.len()).all(|at| !names[..at].contains(&names[at])), "{names:?}");
        let thread = client.begin("/greeting name=Ada").await;
        let (_, mut items) = client.items(&thread).await;
        // On a busy machine, ours may take longer than `CALL`, too: it is then asked again.
        for _ in 0..TRIES {
            if items.to_string().contains("Hello Ada") {
                break;
            }
            client.say(&thread, "/greeting name=Ada").await;
            items = client.items(&thread).await.1;
        }
        assert!(items.to_string().contains("Hello Ada"), "{items}");
        for name in names.iter().filter(|name| **name != "greeting").take(2) {
            client.say(&thread, &format!("/{name} {}", json!({ "a": 1 }))).await;
        }
        client.say(&thread, &text).await;
        let (_, items) = client.items(&thread).await;
        let widget = items["data"].as_array().into_iter().flatten().rev();
        let mut widgets = widget.filter(|item| item["type"] == "widget");
        let id = widgets.next().map_or(Value::Null, |widget| widget["id"].clone());
        let params = json!({ "thread_id": thread, "item_id": id, "action": action });
        client.ask("threads.custom_action", params).await;
        let (status, items) = client.items(&thread).await;
        assert_eq!(status, 200, "{items}");
    });
    server.abort();
    Ok(())
}

/// What is in the rows of a store is read or refused, and what is stored afterwards is read.
pub(crate) fn check_rows(u: &mut Unstructured<'_>) -> Result<()> {
    const CHANGES: &[&str] = &[
        "UPDATE chatkit_threads SET data = ?1",
        "UPDATE chatkit_items SET data = ?1",
        "UPDATE chatkit_items SET data = json_set(data, '$.type', 'widget', '$.widget', json(?1)) WHERE json_valid(data) AND json_valid(?1)",
        "UPDATE chatkit_items SET data = json_set(data, '$.content', json(?1)) WHERE json_valid(data) AND json_valid(?1)",
        "UPDATE chatkit_items SET data = CAST(CAST(?1 AS BLOB) AS TEXT), words = ?1",
        "UPDATE chatkit_items SET data = CAST(?1 AS BLOB)",
        "UPDATE chatkit_items SET position = ?1",
        "UPDATE chatkit_threads SET position = ?1, words = ?1",
        "UPDATE chatkit_items SET id = id || ?1",
    ];
    let mut texts: Vec<(&str, String)> = Vec::new();
    for _ in 0..u.int_in_range(1..=3)? {
        let text = match u.int_in_range(0..=3)? {
            0 => generate::text(u)?,
            1 => generate::root(u)?.to_string(),
            _ => generate::json(u, 4)?.to_string(),
        };
        texts.push((*u.choose(CHANGES)?, text));
    }
    let said = typed(u)?;
    with_chat(Toolbox::new(), async |client, other| {
        let thread = client.begin("/greeting name=Ada").await;
        for (change, text) in &texts {
            other.execute(change, [text]).expect("a change");
        }
        let (_, items) = client.items(&thread).await;
        let id = items["data"][0]["id"].clone();
        for (kind, params) in [
            ("threads.list", json!({ "limit": 100 })),
            ("threads.get_by_id", json!({ "thread_id": thread })),
            ("threads.add_user_message", json!({ "thread_id": thread, "input": input(&said) })),
            ("threads.retry_after_item", json!({ "thread_id": thread, "item_id": id })),
            (
                "threads.custom_action",
                json!({ "thread_id": thread, "item_id": id,
                "action": { "type": "greeting", "payload": { "name": "Ada" } } }),
            ),
        ] {
            client.ask(kind, params).await;
        }
        client.send("/chatkit/search?q=Ada", None).await;
        client.ask("threads.delete", json!({ "thread_id": thread })).await;
        let thread = client.begin("/greeting name=Eve").await;
        let (status, items) = client.items(&thread).await;
        assert!(status == 200 && items.to_string().contains("Hello Eve"), "{status} {items}");
    });
    Ok(())
}
