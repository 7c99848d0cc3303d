//! The toolbox: an app in the process, servers over HTTP, programs; some of them down.

use std::path::Path;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot};
use widgetcast::auth::BearerKeys;
use widgetcast::{App, Caller, Tool, Visibility};
use widgetcast_agent::{Server, Toolbox, ToolboxError};

use crate::conversation::let_time_pass;

#[derive(Deserialize, schemars::JsonSchema)]
struct Named {
    name: String,
}

async fn greet(named: Named) -> String {
    format!("hello {}", named.name)
}

async fn who(caller: Option<Caller>) -> String {
    caller.map_or("nobody".into(), |caller| caller.subject().to_owned())
}

async fn forever() -> String {
    std::future::pending().await
}

async fn large() -> String {
    "x".repeat(5000)
}

fn arguments(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        other => panic!("{other} is no object"),
    }
}

fn app() -> App {
    App::new("here", "1.0.0")
        .auth(BearerKeys::new())
        .tool(Tool::new("greet", greet).description("Greets").read_only())
        .tool(Tool::new("who", who).title("Who calls"))
        .tool(Tool::new("close", who).scope("admin"))
        .tool(Tool::new("refresh", who).visibility(Visibility::App))
        .build()
        .unwrap()
}

/// An app on a port, until the returned guard is dropped.
async fn served(app: App, at: &str) -> (String, oneshot::Sender<()>) {
    let listener = TcpListener::bind(at).await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    tokio::spawn(async move {
        app.serve_listener(listener, async { _ = stopped.await }).await.unwrap();
    });
    (format!("http://{address}/mcp"), stop)
}

fn elsewhere() -> App {
    App::new("there", "1.0.0")
        .tool(Tool::new("greet", greet).read_only())
        .tool(Tool::new("forever", forever))
        .tool(Tool::new("large", large))
        .build()
        .unwrap()
}

/// An MCP server as a shell script: `env` returns a variable, `die` ends the program.
const SCRIPT: &str = r#"
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
    *'"method":"initialize"'*) r='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}';;
    *'"method":"tools/list"'*) r='{"tools":[{"name":"env","inputSchema":{"type":"object"}},{"name":"die","inputSchema":{"type":"object"}}]}';;
    *'"name":"die"'*) exit 1;;
    *'"method":"tools/call"'*) r='{"content":[{"type":"text","text":"'"$GIVEN/$SECRET_KEY"'"}],"isError":true}';;
    *) continue;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$r"
done
"#;

fn script() -> Server {
    Server::command("sh").args(["-c", SCRIPT]).env("GIVEN", "given")
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

async fn names(toolbox: &Toolbox, caller: Option<&Caller>) -> Vec<String> {
    toolbox.tools(caller).await.unwrap().into_iter().map(|tool| tool.name).collect()
}

#[tokio::test]
async fn local_tools_run_as_their_caller() {
    let toolbox = Toolbox::new().app(app());
    let ada = Caller::new("ada").scope("admin");
    let bob = Caller::new("bob");
    let tools = toolbox.tools(Some(&ada)).await.unwrap();
    let close = tools.iter().find(|tool| tool.name == "close").unwrap();
    assert!(!close.read_only && close.visible_to_model && close.server == "app");
    let refresh = tools.iter().find(|tool| tool.name == "refresh").unwrap();
    assert!(!refresh.visible_to_model);
    let greet = tools.iter().find(|tool| tool.name == "greet").unwrap();
    assert!(greet.read_only && greet.description == "Greets");
    assert_eq!(greet.input_schema["required"], json!(["name"]));

    assert_eq!(text(&toolbox.call(Some(&ada), "close", Map::new()).await.unwrap()), "ada");
    assert_eq!(text(&toolbox.call(Some(&bob), "who", Map::new()).await.unwrap()), "bob");
    assert_eq!(text(&toolbox.call(Some(&bob), "refresh", Map::new()).await.unwrap()), "bob");
    let refused = toolbox.call_at(Some(&bob), "app", "close", Map::new()).await.unwrap_err();
    assert!(matches!(refused, ToolboxError::Refused { .. }), "{refused}");
    // Without a caller, the app's own access rules apply.
    let refused = toolbox.tools(None).await.unwrap_err();
    assert!(matches!(refused, ToolboxError::Refused { .. }), "{refused}");
    // An error about arguments is a result.
    let wrong = toolbox.call(Some(&ada), "greet", Map::new()).await.unwrap();
    assert_eq!(wrong["isError"], true);
}

/// Writes a widget without data into a directory.
fn write_widget(dir: &Path, name: &str) {
    let tree = json!({ "type": "Card", "children": [{ "type": "Text", "value": name }] });
    let text = json!({ "version": "1.0", "name": name, "widget": tree });
    std::fs::write(dir.join(format!("{name}.widget")), text.to_string()).unwrap();
}

#[tokio::test]
async fn a_widget_comes_as_chatkit_takes_it() {
    let dir = tempfile::tempdir().unwrap();
    write_widget(dir.path(), "hello");
    let app = App::new("folder", "1.0.0").widgets(dir.path()).build().unwrap();
    let (url, _stop) = served(app.clone(), "127.0.0.1:0").await;
    let toolbox = Toolbox::new().app(app).connect("there", Server::url(url)).unwrap();
    for name in ["hello", "there_hello"] {
        let result = toolbox.call(None, name, Map::new()).await.unwrap();
        let items = result["content"].as_array().unwrap();
        let widget = items.iter().find(|item| item["type"] == "resource").unwrap();
        assert_eq!(widget["resource"]["mimeType"], "application/vnd.ui.widget+json", "{name}");
    }
}

#[tokio::test]
async fn several_servers_and_their_names() {
    let (url, _stop) = served(elsewhere(), "127.0.0.1:0").await;
    let ada = Caller::new("ada");
    let toolbox = Toolbox::new().app(app());
    let toolbox = toolbox.connect("there", Server::url(url)).unwrap();
    let toolbox = toolbox.connect("sh", script()).unwrap();
    let mut all = names(&toolbox, Some(&ada)).await;
    all.sort();
    // Pages of the local app call `widgetcast_state`.
    let expected = "close die env forever greet large refresh there_greet who widgetcast_state";
    assert_eq!(all.join(" "), expected);
    for name in ["greet", "there_greet"] {
        let named = arguments(json!({ "name": "you" }));
        let result = toolbox.call(Some(&ada), name, named).await.unwrap();
        assert_eq!(text(&result), "hello you");
    }
    let unknown = toolbox.call(Some(&ada), "Greet", Map::new()).await.unwrap_err();
    assert_eq!(unknown.to_string(), r#"unknown tool "Greet"; did you mean greet or there_greet?"#);
    let twice = toolbox.clone().connect("sh", script()).unwrap_err();
    assert!(twice.to_string().contains("another server"), "{twice}");
    let reserved = toolbox.clone().connect("app", script()).unwrap_err();
    assert!(reserved.to_string().contains("another server"), "{reserved}");
    let odd = toolbox.connect("a b", script()).unwrap_err();
    assert!(odd.to_string().contains("letters"), "{odd}");
}

#[tokio::test]
async fn a_program_gets_no_keys_and_is_started_again() {
    let toolbox = Toolbox::new().connect("sh", script()).unwrap();
    let result = toolbox.call(None, "env", Map::new()).await.unwrap();
    assert_eq!((text(&result), &result["isError"]), ("given/", &json!(true)));
    // Cargo sets this variable for tests; none of our own variables are passed on.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    let checks = Server::command("sh").args([
        "-c",
        "test -z \"$CARGO_MANIFEST_DIR\" && exec sh -c \"$0\"",
        SCRIPT,
    ]);
    let other = Toolbox::new().connect("bare", checks).unwrap();
    assert_eq!(names(&other, None).await, ["env", "die"]);

    let died = toolbox.call(None, "die", Map::new()).await.unwrap_err();
    assert!(matches!(died, ToolboxError::Down { .. }), "{died}");
    let result = toolbox.call(None, "env", Map::new()).await.unwrap();
    assert_eq!(text(&result), "given/");
}

#[tokio::test]
async fn a_server_that_is_down_stops_no_other() {
    let toolbox = Toolbox::new().app(elsewhere());
    let gone = Server::command("/nowhere/program");
    let toolbox = toolbox.connect("gone", gone).unwrap();
    let refusing = Server::url("http://127.0.0.1:9/secret-path/mcp");
    let toolbox = toolbox.connect("refusing", refusing).unwrap();
    assert_eq!(names(&toolbox, None).await, ["forever", "greet", "large"]);
    let problems = toolbox.problems(None).await;
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(problems[0].1.to_string().contains("cannot start /nowhere/program"));
    let said = problems[1].1.to_string();
    assert!(said.contains("refused") && !said.contains("secret-path"), "{said}");
    let unknown = toolbox.call(None, "search", Map::new()).await.unwrap_err();
    assert_eq!(
        unknown.to_string(),
        r#"unknown tool "search"; unavailable servers: gone, refusing"#
    );
    // If it is the only server, its failure is the error of the list.
    let alone = Toolbox::new().connect("gone", Server::command("/nowhere/x")).unwrap();
    assert!(matches!(alone.tools(None).await, Err(ToolboxError::Down { .. })));
}

#[tokio::test]
async fn a_server_that_comes_back_is_used_again() {
    let (url, stop) = served(elsewhere(), "127.0.0.1:0").await;
    let at = url.trim_start_matches("http://").trim_end_matches("/mcp").to_owned();
    let toolbox = Toolbox::new().app(app());
    let toolbox = toolbox.connect("there", Server::url(url)).unwrap();
    let ada = Caller::new("ada");
    drop(stop);
    let named = || arguments(json!({ "name": "you" }));
    let failed = loop {
        match toolbox.call(Some(&ada), "there_greet", named()).await {
            Ok(_) => tokio::time::sleep(Duration::from_millis(10)).await,
            Err(error) => break error,
        }
    };
    assert!(matches!(failed, ToolboxError::Down { .. }), "{failed}");
    // The names of the other tools stay the same, even after the list is read again.
    let_time_pass().await;
    assert_eq!(text(&toolbox.call(Some(&ada), "greet", named()).await.unwrap()), "hello you");
    let (_, _stop) = served(elsewhere(), &at).await;
    let result = loop {
        match toolbox.call(Some(&ada), "there_greet", named()).await {
            Ok(result) => break result,
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    };
    assert_eq!(text(&result), "hello you");
}

/// A proxy in front of a server, which responds with 429 to requests that contain this text.
async fn busy(url: &str, word: &'static str) -> String {
    let there = url.trim_start_matches("http://").trim_end_matches("/mcp").to_owned();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let server = TcpStream::connect(&there).await.unwrap();
            let ((mut asked, mut told), (mut told_there, mut asked_there)) =
                (client.into_split(), server.into_split());
            let back = tokio::spawn(async move {
                _ = tokio::io::copy(&mut told_there, &mut told).await;
                told
            });
            tokio::spawn(async move {
                let mut bytes = vec![0; 1 << 16];
                while let Ok(read @ 1..) = asked.read(&mut bytes).await {
                    if String::from_utf8_lossy(&bytes[..read]).contains(word) {
                        drop(asked_there);
                        let mut told = back.await.unwrap();
                        let answer = "HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\n\r\n";
                        _ = told.write_all(answer.as_bytes()).await;
                        return;
                    }
                    _ = asked_there.write_all(&bytes[..read]).await;
                }
            });
        }
    });
    format!("http://{at}/mcp")
}

#[tokio::test]
async fn a_call_that_comes_too_soon_ends_no_other() {
    let (url, _stop) = served(elsewhere(), "127.0.0.1:0").await;
    let url = busy(&url, "too-soon").await;
    let toolbox = Toolbox::new().connect("there", Server::url(url)).unwrap();
    let under_way = toolbox.clone();
    let under_way = tokio::spawn(async move { under_way.call(None, "forever", Map::new()).await });
    let greet =
        async |name: &str| toolbox.call(None, "greet", arguments(json!({ "name": name }))).await;
    assert_eq!(text(&greet("you").await.unwrap()), "hello you");
    let refused = greet("too-soon").await.unwrap_err();
    assert!(matches!(refused, ToolboxError::Refused { .. }), "{refused}");
    assert!(refused.to_string().contains("429"), "{refused}");
    assert_eq!(text(&greet("you").await.unwrap()), "hello you");
    assert!(!under_way.is_finished());
}

#[tokio::test]
async fn changes_are_seen() {
    let dir = tempfile::tempdir().unwrap();
    write_widget(dir.path(), "one");
    let app = App::new("folder", "1.0.0").widgets(dir.path()).build().unwrap();
    app.watch().unwrap();
    let (url, _stop) = served(app.clone(), "127.0.0.1:0").await;
    let local = Toolbox::new().app(app);
    let remote = Toolbox::new().connect("there", Server::url(url)).unwrap();
    for toolbox in [&local, &remote] {
        assert_eq!(names(toolbox, None).await[0], "one");
    }
    write_widget(dir.path(), "two");
    let seen = async {
        for toolbox in [&local, &remote] {
            while !names(toolbox, None).await.contains(&"two".to_owned()) {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    };
    // Before the cache expires.
    tokio::time::timeout(Duration::from_secs(40), seen).await.unwrap();
}

#[tokio::test]
async fn results_have_a_limit_and_calls_too() {
    let (url, _stop) = served(elsewhere(), "127.0.0.1:0").await;
    let limited =
        |toolbox: Toolbox| toolbox.app(elsewhere()).connect("there", Server::url(&url)).unwrap();
    let small = limited(Toolbox::new().max_result_bytes(2000));
    for name in ["large", "there_large"] {
        let error = small.call(None, name, Map::new()).await.unwrap_err();
        assert!(matches!(error, ToolboxError::TooLarge { limit: 2000, .. }), "{error}");
    }
    let brief = limited(Toolbox::new().call_timeout(Duration::from_millis(300)));
    for name in ["forever", "there_forever"] {
        let error = brief.call(None, name, Map::new()).await.unwrap_err();
        assert!(matches!(error, ToolboxError::TimedOut { .. }), "{error}");
    }
}

#[tokio::test]
async fn a_server_that_asks_who_we_are() {
    let keys = BearerKeys::new().key("a-key-of-ours-alone", Caller::new("agent"));
    let app = App::new("closed", "1.0.0").auth(keys).tool(Tool::new("who", who)).build().unwrap();
    let (url, _stop) = served(app, "127.0.0.1:0").await;
    let nobody = Toolbox::new().connect("there", Server::url(&url)).unwrap();
    let said = nobody.tools(None).await.unwrap_err().to_string();
    assert!(said.contains("401") && said.contains("authorization: Bearer"), "{said}");
    let server = Server::url(&url).header("authorization", "Bearer a-key-of-ours-alone");
    let known = Toolbox::new().connect("there", server).unwrap();
    // For any caller, the server identifies us by the key.
    let ada = Caller::new("ada");
    assert_eq!(text(&known.call(Some(&ada), "who", Map::new()).await.unwrap()), "agent");
}

/// An HTTP server with a custom `tools/list` response: the text after the response head, repeated forever if
/// requested. Each request for the list is reported to `asked`, and waits for it.
async fn hostile(
    mime: &'static str,
    list: &'static str,
    is_endless: bool,
) -> (String, mpsc::Receiver<Release>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    let (asked, told) = mpsc::channel(1);
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            tokio::spawn(answer(client, mime, list, is_endless, asked.clone()));
        }
    });
    (format!("http://{at}/mcp"), told)
}

type Release = oneshot::Sender<()>;

async fn answer(
    mut client: TcpStream,
    mime: &str,
    list: &str,
    is_endless: bool,
    asked: mpsc::Sender<Release>,
) {
    let (mut request, mut bytes) = (String::new(), vec![0; 1 << 16]);
    while !request.ends_with('}') && !request.starts_with("GET") {
        let Ok(read @ 1..) = client.read(&mut bytes).await else { return };
        request.push_str(&String::from_utf8_lossy(&bytes[..read]));
    }
    let id = request.split("\"id\":").nth(1).and_then(|rest| rest.split([',', '}']).next());
    let id = id.unwrap_or("0");
    let head = |status: &str, mime: &str| {
        format!("HTTP/1.1 {status}\r\ncontent-type: {mime}\r\nconnection: close\r\n\r\n")
    };
    let answer = if request.contains("\"initialize\"") {
        let result = r#"{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"h","version":"1"}}"#;
        head("200 OK", "application/json")
            + &format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
    } else if request.contains("\"tools/list\"") {
        let (release, released) = oneshot::channel();
        _ = asked.send(release).await;
        _ = released.await;
        head("200 OK", mime) + &list.replace("ID", id)
    } else if request.contains("notifications/") {
        head("202 Accepted", "text/plain")
    } else {
        head("405 Method Not Allowed", "text/plain")
    };
    _ = client.write_all(answer.as_bytes()).await;
    let more = if list.is_empty() { ":\n\n" } else { "x" }.repeat(20_000);
    while is_endless && request.contains("\"tools/list\"") {
        if client.write_all(more.as_bytes()).await.is_err() {
            return;
        }
    }
}

#[tokio::test]
async fn what_a_server_sends_is_read_up_to_a_limit() {
    let begin = r#"{"jsonrpc":"2.0","id":ID,"result":{"tools":[{"name":""#;
    let event = r#"data: {"jsonrpc":"2.0","id":ID,"result":{"tools":[{"name":""#;
    // The cursor never ends.
    let page = r#"{"jsonrpc":"2.0","id":ID,"result":{"tools":[],"nextCursor":"more"}}"#;
    // Few bytes, but a lot of memory.
    let values: &str = format!(
        r#"{{"jsonrpc":"2.0","id":ID,"result":{{"tools":[{{"name":"a","inputSchema":{{"x":[{}0]}}}}]}}}}"#,
        "{},".repeat(100_000)
    )
    .leak();
    for (mime, list, is_endless) in [
        ("application/json", values, false),
        ("application/json", begin, true),
        ("text/event-stream", event, true),
        ("text/event-stream", "", true),
        ("application/json", page, false),
    ] {
        let (url, mut asked) = hostile(mime, list, is_endless).await;
        let toolbox = Toolbox::new().app(elsewhere()).connect("evil", Server::url(url)).unwrap();
        let release = async {
            while let Some(release) = asked.recv().await {
                _ = release.send(());
            }
        };
        let problem = async {
            loop {
                // On a busy machine it may still be running.
                match toolbox.problems(None).await.pop() {
                    Some((_, ToolboxError::Down { reason, .. })) if reason.contains("yet") => {}
                    problem => break problem.unwrap().1,
                }
            }
        };
        let problem = tokio::select! {
            problem = problem => problem,
            () = release => unreachable!(),
        };
        assert!(matches!(problem, ToolboxError::TooLarge { .. }), "{mime}: {problem}");
        assert_eq!(names(&toolbox, None).await, ["forever", "greet", "large"]);
    }
}

#[tokio::test]
async fn tools_that_are_too_large_or_there_twice_are_left_out() {
    let tool = |name: &str, size| {
        let about = "x".repeat(size);
        format!(r#"{{"name":"{name}","description":"{about}","inputSchema":{{"type":"object"}}}}"#)
    };
    let tools = [tool("huge", 64 << 10), tool("small", 60 << 10), tool("small", 1)].join(",");
    let list = format!(r#"{{"jsonrpc":"2.0","id":ID,"result":{{"tools":[{tools}]}}}}"#).leak();
    let (url, mut asked) = hostile("application/json", list, false).await;
    let toolbox = Toolbox::new().app(elsewhere()).connect("there", Server::url(url)).unwrap();
    asked.recv().await.unwrap().send(()).unwrap();
    let mut listed = names(&toolbox, None).await;
    while listed.len() < 4 {
        tokio::time::sleep(Duration::from_millis(10)).await;
        listed = names(&toolbox, None).await;
    }
    assert_eq!(listed, ["forever", "greet", "large", "small"]);
}

#[tokio::test]
async fn what_a_program_writes_is_read_up_to_a_limit() {
    let flood = SCRIPT
        .replace("*'\"name\":\"die\"'*) exit 1;;", "*'\"name\":\"die\"'*) yes | tr -d '\\n';;");
    assert_ne!(flood, SCRIPT);
    let server = Server::command("sh").args(["-c", &flood]).env("GIVEN", "given");
    let toolbox = Toolbox::new().connect("sh", server).unwrap();
    let flooded = toolbox.call(None, "die", Map::new()).await.unwrap_err();
    assert!(matches!(flooded, ToolboxError::TooLarge { .. }), "{flooded}");
    // It is restarted.
    assert_eq!(text(&toolbox.call(None, "env", Map::new()).await.unwrap()), "given/");
}

/// A server that never lists its tools delays only those: neither startup nor the tools of others.
#[tokio::test]
async fn a_server_that_does_not_list_delays_its_own_tools() {
    let list = r#"{"jsonrpc":"2.0","id":ID,"result":{"tools":[{"name":"late","inputSchema":{"type":"object"}}]}}"#;
    let (url, mut asked) = hostile("application/json", list, false).await;
    let others = async {
        let toolbox = Toolbox::new().app(elsewhere()).connect("slow", Server::url(url)).unwrap();
        let named = arguments(json!({ "name": "you" }));
        assert_eq!(text(&toolbox.call(None, "greet", named).await.unwrap()), "hello you");
        let release = asked.recv().await.unwrap();
        for _ in 0..5 {
            assert_eq!(names(&toolbox, None).await, ["forever", "greet", "large"]);
        }
        (toolbox, release)
    };
    // Less than the timeout of a list, and much more than this takes.
    let (toolbox, release) = tokio::time::timeout(Duration::from_secs(18), others).await.unwrap();
    release.send(()).unwrap();
    while !names(&toolbox, None).await.contains(&"late".to_owned()) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
