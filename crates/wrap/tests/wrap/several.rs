//! Several servers behind one client.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use widgetcast_wrap::{Servers, Upstream};

use crate::Client;

/// A server in shell whose answers have its name, the first argument, in them.
const SERVER: &str = r#"
say() { printf '{"jsonrpc":"2.0",%s}\n' "$1"; }
answer() { say '"id":'"$id"',"result":'"$1"; }
while IFS= read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\("*[a-z0-9]*"*\).*/\1/p')
  case "$line" in
    *'"initialize"'*) answer '{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"logging":{},"'"$1"'":{},"resources":{"subscribe":true},"prompts":{},"completions":{}},"serverInfo":{"name":"'"$1"'","version":"1"},"instructions":"Ask '"$1"'."}';;
    *'/initialized'*) ready=yes;;
    *'"cursor":"two"'*) answer '{"tools":[{"name":"second","inputSchema":{"type":"object"}}]}';;
    *'tools/list'*) answer '{"tools":[{"name":"rows","inputSchema":{"type":"object"},"future":1.0},{"name":"only-'"$1"'","inputSchema":{"type":"object"}}]'"$MORE"',"ready":"'"$ready"'"}';;
    *'prompts/list'*) answer '{"prompts":[{"name":"hello"}]}';;
    *'resources/list'*) answer '{"resources":[{"uri":"file:///'"$1"'","name":"x"},{"uri":"file:///both","name":"y"}]}';;
    *'templates/list'*) answer '{"resourceTemplates":[{"uriTemplate":"'"$1"'://{id}","name":"t"}]}';;
    *'resources/read'*unlisted-b*) [ "$1" = b ] && answer '{"contents":[],"of":"b"}' || say '"id":'"$id"',"error":{"code":-32002,"message":"no such resource"}';;
    *'resources/read'*nowhere*) say '"id":'"$id"',"error":{"code":-32002,"message":"not in '"$1"'"}';;
    *'resources/read'*|*'resources/subscribe'*|*'prompts/get'*|*'completion/complete'*|*'setLevel'*) say '"method":"was/asked","params":{"of":"'"$1"'"}'; answer '{"of":"'"$1"'"}';;
    *'custom/'"$1"*) answer '{"of":"'"$1"'"}';;
    *'/cancelled'*) say '"method":"was/cancelled","params":{"of":"'"$1"'"}';;
    *'"hang"'*) say '"method":"now/hanging"';;
    *'"ask"'*) say '"id":1,"method":"roots/list","params":{"_meta":{"progressToken":7}}'; asked=$id;;
    *'"progressToken":7'*) say '"method":"was/progress","params":{"of":"'"$1"'"}';;
    *'"id":1,"result"'*) id=$asked; answer '{"content":[{"type":"text","text":"thanks from '"$1"'"}]}';;
    *'"die"'*) exit 3;;
    *'tools/call'*) answer '{"content":[{"type":"text","text":"two"}],"structuredContent":{"rows":[{"of":"'"$1"'","people":134.50},{"of":"Basel","people":177}]},"called":'"$(printf '%s' "$line" | sed -n 's/.*"name":\("[^"]*"\).*/\1/p')"'}';;
    *'"id"'*'"method"'*) say '"id":'"$id"',"error":{"code":-32601,"message":"no"}';;
  esac
done
"#;

fn shell(name: &str) -> Upstream {
    script(name, SERVER)
}

fn script(name: &str, script: &str) -> Upstream {
    Upstream::command("sh", ["-c", script, "sh", name].map(str::to_owned))
}

fn servers(all: impl IntoIterator<Item = (&'static str, Upstream)>) -> Servers {
    let all = all.into_iter().map(|(name, upstream)| (name.to_owned(), upstream));
    Servers::named(all.collect::<BTreeMap<_, _>>()).unwrap()
}

fn both() -> Servers {
    servers([("a", shell("a")), ("b", shell("b"))])
}

fn names(listed: &Value, member: &str) -> Vec<String> {
    let entries = listed["result"][member].as_array().unwrap_or_else(|| panic!("{listed}"));
    entries.iter().map(|entry| entry["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn each_is_asked_for_what_is_its_own() {
    let mut client = Client::new(both());
    let greeting = client.shake_hands().await;
    let capabilities = &greeting["result"]["capabilities"];
    assert_eq!(capabilities["a"], json!({}));
    assert_eq!(capabilities["b"], json!({}));
    assert_eq!(capabilities["tools"], json!({ "listChanged": true }));
    assert_eq!(greeting["result"]["instructions"], "# a\nAsk a.\n\n# b\nAsk b.");

    client.say(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).await;
    let listed = client.hear().await;
    assert!(listed.contains(r#""future":1.0"#), "numbers stay as they are: {listed}");
    let listed: Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(names(&listed, "tools"), ["a_rows", "a_only-a", "b_rows", "b_only-b"]);
    assert!(listed["result"]["tools"][2]["_meta"]["ui"]["resourceUri"].is_string(), "{listed}");
    assert_eq!(listed["result"]["ready"], "yes");
    for of in ["a", "b"] {
        let called = client.ask(2, "tools/call", json!({ "name": format!("{of}_rows") })).await;
        assert_eq!(called["result"]["called"], "rows", "{called}");
        assert_eq!(called["result"]["structuredContent"]["rows"][0]["of"], of);
        let tree = called["result"]["_meta"]["widgetcast/view"]["tree"].to_string();
        assert!(tree.contains("Basel"), "{called}");
    }
    // A page of a server calls its tools as the server does.
    let called = client.ask(3, "tools/call", json!({ "name": "only-b" })).await;
    assert_eq!(called["result"]["called"], "only-b", "{called}");
    for unknown in ["rows", "c_rows"] {
        let refused = client.ask(4, "tools/call", json!({ "name": unknown })).await;
        assert_eq!(refused["error"]["message"], format!("Unknown tool: {unknown}"));
    }

    let listed = client.ask(5, "prompts/list", json!({})).await;
    assert_eq!(names(&listed, "prompts"), ["a_hello", "b_hello"]);
    let listed = client.ask(6, "resources/list", json!({})).await;
    let addresses: Vec<_> = listed["result"]["resources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| &entry["uri"])
        .collect();
    assert_eq!(addresses[..3], ["file:///a", "file:///both", "file:///b"], "each once: {listed}");
    assert_eq!(addresses.len(), 4, "and the page: {listed}");
    let listed = client.ask(7, "resources/templates/list", json!({})).await;
    assert_eq!(listed["result"]["resourceTemplates"][1]["uriTemplate"], "b://{id}");
    for (method, params, of) in [
        ("prompts/get", json!({ "name": "b_hello" }), "b"),
        ("completion/complete", json!({ "ref": { "type": "ref/prompt", "name": "b_hello" } }), "b"),
        (
            "completion/complete",
            json!({ "ref": { "type": "ref/resource", "uri": "b://{id}" } }),
            "b",
        ),
        ("resources/read", json!({ "uri": "file:///b" }), "b"),
        ("resources/read", json!({ "uri": "file:///both" }), "a"),
        ("resources/read", json!({ "uri": "b://7" }), "b"),
        ("resources/subscribe", json!({ "uri": "file:///b" }), "b"),
        ("resources/read", json!({ "uri": "file:///unlisted-b" }), "b"),
        ("custom/b", json!({}), "b"),
    ] {
        let answer = client.ask(8, method, params).await;
        assert_eq!(answer["result"]["of"], of, "{method}: {answer}");
    }
    let answer = client.ask(9, "resources/read", json!({ "uri": "file:///nowhere" })).await;
    assert_eq!(answer["error"]["message"], "not in a");
    let answer = client.ask(10, "custom/other", json!({})).await;
    assert_eq!(answer["error"]["code"], -32601);
    assert_eq!(client.ask(11, "ping", json!({})).await["result"], json!({}));

    // The level is for all of them.
    let level =
        r#"{"jsonrpc":"2.0","id":12,"method":"logging/setLevel","params":{"level":"info"}}"#;
    client.say(level).await;
    let mut asked = vec![client.hear().await, client.hear().await];
    asked.sort();
    assert!(asked[0].contains(r#""of":"a""#) && asked[1].contains(r#""of":"b""#), "{asked:?}");
    assert!(client.hear().await.contains(r#""id":12,"result""#));
    client.leave().await;
}

/// What servers ask has ids of their own, which may be the same.
#[tokio::test]
async fn answers_of_the_client_reach_the_server_that_asked() {
    let mut client = Client::new(both());
    client.shake_hands().await;
    let mut asking = Vec::new();
    for (id, of) in [(1, "a"), (2, "b")] {
        let name = format!("{of}_ask");
        let call = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": name } });
        client.say(&call.to_string()).await;
        asking.push(serde_json::from_str::<Value>(&client.hear().await).unwrap());
    }
    assert_ne!(asking[0]["id"], asking[1]["id"]);
    for (of, asked) in ["b", "a"].iter().zip(asking.iter().rev()) {
        let token = &asked["params"]["_meta"]["progressToken"];
        let progress = json!({ "jsonrpc": "2.0", "method": "notifications/progress",
            "params": { "progressToken": token, "progress": 1 } });
        client.say(&progress.to_string()).await;
        let heard = client.hear().await;
        assert!(
            heard.contains("was/progress") && heard.contains(&format!(r#""of":"{of}""#)),
            "{heard}"
        );
        let answer = json!({ "jsonrpc": "2.0", "id": asked["id"], "result": { "roots": [] } });
        client.say(&answer.to_string()).await;
        let heard = client.hear().await;
        assert!(heard.contains(&format!("thanks from {of}")), "{heard}");
    }

    let call = r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"b_hang"}}"#;
    client.say(call).await;
    assert!(client.hear().await.contains("now/hanging"));
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}"#;
    client.say(cancel).await;
    let heard = client.hear().await;
    assert!(heard.contains("was/cancelled") && heard.contains(r#""of":"b""#), "{heard}");
    client.leave().await;
}

#[tokio::test]
async fn the_pages_of_each_list_are_followed() {
    let more = SERVER.replace("$MORE", r#",\"nextCursor\":\"two\""#);
    let mut client = Client::new(servers([
        ("a", shell("a")),
        ("b", script("b", &more)),
        ("c", script("c", &more)),
    ]));
    client.shake_hands().await;
    let first = client.ask(1, "tools/list", json!({})).await;
    assert_eq!(names(&first, "tools").len(), 6);
    let cursor = &first["result"]["nextCursor"];
    let second = client.ask(2, "tools/list", json!({ "cursor": cursor })).await;
    assert_eq!(names(&second, "tools"), ["b_second", "c_second"]);
    assert!(second["result"].get("nextCursor").is_none(), "{second}");
    let wrong = client.ask(3, "tools/list", json!({ "cursor": "x" })).await;
    assert_eq!(wrong["error"]["code"], -32602);
    client.leave().await;
}

#[tokio::test]
async fn one_that_fails_leaves_the_others_usable_and_is_back_again() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark");
    // It does not start before the mark is there.
    let late = format!("[ -e {} ] || exit 1\n{SERVER}", mark.display());
    let mut client = Client::new(servers([
        ("a", shell("a")),
        ("late", script("late", &late)),
        ("missing", Upstream::command("/nowhere/at-all", [])),
    ]));
    let greeting = client.shake_hands().await;
    assert_eq!(greeting["result"]["instructions"], "# a\nAsk a.");
    let listed = client.ask(1, "tools/list", json!({})).await;
    assert_eq!(names(&listed, "tools"), ["a_rows", "a_only-a"]);
    let refused = client.ask(2, "tools/call", json!({ "name": "missing_rows" })).await;
    let why = refused["error"]["message"].as_str().unwrap();
    assert!(why.contains("missing (/nowhere/at-all) cannot be started"), "{why}");

    let changed = |line: &str| line.contains("notifications/tools/list_changed");
    std::fs::write(&mark, "").unwrap();
    while !changed(&client.hear().await) {}
    let listed = client.ask(3, "tools/list", json!({})).await;
    assert_eq!(names(&listed, "tools"), ["a_rows", "a_only-a", "late_rows", "late_only-late"]);
    let called = client.ask(4, "tools/call", json!({ "name": "late_rows" })).await;
    assert_eq!(called["result"]["called"], "rows");

    let died = client.ask(5, "tools/call", json!({ "name": "late_die" })).await;
    assert!(died["error"]["message"].as_str().unwrap().contains("restarting it"), "{died}");
    let called = client.ask(6, "tools/call", json!({ "name": "a_rows" })).await;
    assert_eq!(called["result"]["called"], "rows");
    while !changed(&client.hear().await) {}
    let called = client.ask(7, "tools/call", json!({ "name": "late_rows" })).await;
    assert_eq!(called["result"]["called"], "rows");
    client.leave().await;
}

/// A server at a URL that cannot be reached at first is there as soon as it can.
#[tokio::test]
async fn a_server_at_a_url_that_is_down_at_the_start_comes_back() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let late = Upstream::url(&url, http::HeaderMap::new()).unwrap();
    let mut client = Client::new(servers([("a", shell("a")), ("late", late)]));
    let talk = async {
        let greeting = client.shake_hands().await;
        assert_eq!(greeting["result"]["instructions"], "# a\nAsk a.");
        let listed = client.ask(1, "tools/list", json!({})).await;
        assert_eq!(names(&listed, "tools"), ["a_rows", "a_only-a"]);
        let refused = client.ask(2, "tools/call", json!({ "name": "late_cities" })).await;
        let why = refused["error"]["message"].as_str().unwrap();
        assert!(why.contains("cannot be reached"), "{why}");
    };
    tokio::select! {
        () = async { while let Ok(connection) = listener.accept().await { drop(connection) } } => {}
        () = talk => {}
    }
    let app = crate::http::app();
    tokio::spawn(async move {
        app.serve_listener(listener, std::future::pending::<()>()).await.unwrap();
    });
    while !client.hear().await.contains("notifications/tools/list_changed") {}
    let listed = client.ask(3, "tools/list", json!({})).await;
    assert_eq!(names(&listed, "tools"), ["a_rows", "a_only-a", "late_cities"]);
    let called = client.ask(4, "tools/call", json!({ "name": "late_cities" })).await;
    assert_eq!(called["result"]["structuredContent"]["cities"][0]["name"], "Bern", "{called}");
    client.leave().await;
}

/// A client that closes its input after its last request still gets the answer, of all of them.
#[tokio::test]
async fn the_last_answers_come_after_the_input_has_ended() {
    let mut client = Client::new(both());
    client.say(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).await;
    let rest = client.leave().await;
    assert!(
        rest.len() == 1 && rest[0].contains("a_rows") && rest[0].contains("b_rows"),
        "{rest:?}"
    );
}

#[test]
fn names_of_servers_are_plain() {
    let named = |name: &str| Servers::named(BTreeMap::from([(name.to_owned(), shell("a"))]));
    assert!(named("my-shop2").is_ok());
    for wrong in ["my_shop", "", "é", "a b"] {
        assert!(named(wrong).is_err(), "{wrong}");
    }
    assert!(Servers::named(BTreeMap::new()).is_err());
}
