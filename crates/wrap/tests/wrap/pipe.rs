//! A program as the server.

use serde_json::{Value, json};
use widgetcast_wrap::Upstream;

use crate::Client;

/// A server in shell: answers each line by the first pattern that it matches.
const SERVER: &str = r#"
echo "started" >&2
while IFS= read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
    *'"initialize"'*) echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"future":{"x":1.50}},"serverInfo":{"name":"shell","version":"1"}}}';;
    *'"tools/list"'*) echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"tools":[{"name":"rows","inputSchema":{"type":"object"},"future":1.0},{"name":"own","inputSchema":{"type":"object"},"_meta":{"ui":{"resourceUri":"ui://own"}}}],"future":[]}}';;
    *'"rows"'*) echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"content":[{"type":"text","text":"two"}],"structuredContent":{"rows":[{"city":"Bern","people":134.50},{"city":"Basel","people":177}]},"_meta":{"theirs":1.0}}}';;
    *'"own"'*) echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"content":[{"type":"text","text":"{\"a\":1}"}]}}';;
    *'"die"'*) exit 3;;
    *'"print"'*) echo 'Listening on nothing'; echo '{"jsonrpc":"2.0","id":'"$id"',"result":{}}';;
    *'"notify"'*) echo '{"jsonrpc":"2.0","method":"custom/thing","params":{"n":1.00}}'; echo '{"jsonrpc":"2.0","id":"s1","method":"sampling/createMessage","params":{}}'; echo '{"jsonrpc":"2.0","id":'"$id"',"result":{}}';;
    *'"id"'*'"method"'*) echo '{"jsonrpc":"2.0","id":'"$id"',"error":{"code":-32601,"message":"no"}}';;
  esac
done
"#;

pub(crate) fn shell() -> Upstream {
    Upstream::command("sh", ["-c".to_owned(), SERVER.to_owned()])
}

#[tokio::test]
async fn what_is_added_is_all_that_differs() {
    let mut client = Client::new(shell());
    let greeting = client.shake_hands().await;
    let capabilities = &greeting["result"]["capabilities"];
    assert_eq!(
        capabilities["extensions"]["io.modelcontextprotocol/ui"]["mimeTypes"][0],
        "text/html;profile=mcp-app"
    );
    assert_eq!(capabilities["resources"], json!({}));
    assert_eq!(capabilities["tools"], json!({ "listChanged": true }));

    client.say(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).await;
    let listed = client.hear().await;
    assert!(listed.contains(r#""future":1.0"#), "numbers stay as they are: {listed}");
    let listed: Value = serde_json::from_str(&listed).unwrap();
    let tools = &listed["result"]["tools"];
    let page = tools[0]["_meta"]["ui"]["resourceUri"].as_str().unwrap().to_owned();
    assert!(page.starts_with("ui://widgetcast/view-"), "{page}");
    assert_eq!(tools[1]["_meta"], json!({ "ui": { "resourceUri": "ui://own" } }));

    let read = client.ask(2, "resources/read", json!({ "uri": page })).await;
    assert!(read["result"]["contents"][0]["text"].as_str().unwrap().contains("<html"));
    let listed = client.ask(3, "resources/list", json!({})).await;
    assert_eq!(listed["result"]["resources"][0]["uri"], page);
    let templates = client.ask(4, "resources/templates/list", json!({})).await;
    assert_eq!(templates["result"]["resourceTemplates"], json!([]));
    let other = client.ask(5, "resources/read", json!({ "uri": "file:///x" })).await;
    assert_eq!(other["error"]["code"], -32601);

    client.say(r#"{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"rows"}}"#).await;
    let called = client.hear().await;
    assert!(called.contains(r#""people":134.50"#), "{called}");
    let called: Value = serde_json::from_str(&called).unwrap();
    let result = &called["result"];
    assert_eq!(result["content"], json!([{ "type": "text", "text": "two" }]));
    assert_eq!(result["_meta"]["theirs"], json!(1.0));
    assert!(result["_meta"]["widgetcast/view"]["tree"].to_string().contains("Basel"));
    let own = client.ask(7, "tools/call", json!({ "name": "own" })).await;
    assert_eq!(own["result"], json!({ "content": [{ "type": "text", "text": "{\"a\":1}" }] }));
    assert_eq!(client.leave().await, Vec::<String>::new());
}

#[tokio::test]
async fn messages_of_the_server_pass_as_they_are() {
    let mut client = Client::new(shell());
    client.shake_hands().await;
    client.say(r#"{"jsonrpc":"2.0","id":1,"method":"notify"}"#).await;
    assert_eq!(
        client.hear().await,
        r#"{"jsonrpc":"2.0","method":"custom/thing","params":{"n":1.00}}"#
    );
    assert!(client.hear().await.contains("sampling/createMessage"));
    assert_eq!(client.hear().await, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
    // Output other than the protocol does not reach the client.
    client.say(r#"{"jsonrpc":"2.0","id":2,"method":"print"}"#).await;
    assert_eq!(client.hear().await, r#"{"jsonrpc":"2.0","id":2,"result":{}}"#);
    client.leave().await;
}

#[tokio::test]
async fn a_server_that_dies_is_started_again_and_nobody_waits_in_vain() {
    let mut client = Client::new(shell());
    client.shake_hands().await;
    for round in 1..4 {
        let died = client.ask(round, "die", json!({})).await;
        assert_eq!(died["error"]["code"], -32000);
        let message = died["error"]["message"].as_str().unwrap();
        assert!(
            message.contains("exit status: 3") && message.contains("restarting it"),
            "{message}"
        );
        // The client hears of it when the server is there again, after the handshake of before.
        let heard = client.hear().await;
        assert_eq!(heard, r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#);
        let listed = client.ask(100 + round, "tools/list", json!({})).await;
        assert_eq!(listed["result"]["tools"][0]["name"], "rows");
    }
    client.leave().await;
}

/// A client that closes its input after its last request still gets the answer.
#[tokio::test]
async fn the_last_answers_come_after_the_input_has_ended() {
    let mut client = Client::new(shell());
    client.say(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).await;
    let rest = client.leave().await;
    assert!(rest.len() == 1 && rest[0].contains("rows"), "{rest:?}");
}

#[tokio::test]
async fn a_program_that_is_not_there_is_an_error() {
    let app = widgetcast::App::new("tests", "1.0.0").build().unwrap();
    let wrap = widgetcast_wrap::Wrap::new(app, Upstream::command("/nowhere/at-all", []));
    let error = wrap.serve_pipe(tokio::io::empty(), tokio::io::sink()).await.unwrap_err();
    assert!(error.to_string().contains("/nowhere/at-all cannot be started"), "{error}");
}

/// What does not end by itself is killed, with what it has started.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_server_that_ignores_the_end_is_killed_with_what_it_has_started() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    let script = format!("sleep 1000 & echo $! > {}; while :; do wait; done", file.display());
    let client = Client::new(Upstream::command("sh", ["-c".to_owned(), script]));
    let pid = loop {
        match std::fs::read_to_string(&file) {
            Ok(pid) if pid.ends_with('\n') => break pid.trim().to_owned(),
            _ => tokio::task::yield_now().await,
        }
    };
    assert_eq!(client.leave().await, Vec::<String>::new());
    let stat = std::path::Path::new("/proc").join(pid).join("stat");
    // One that no one has waited for yet is dead all the same.
    while std::fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z ")) {
        tokio::task::yield_now().await;
    }
}
