//! What depends on the order in which servers answer, or on one that does not.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::router::{Out, Router};
use crate::session::INITIALIZED;

fn router() -> Router {
    Router::new(vec!["a".to_owned(), "b".to_owned()])
}

fn ask(id: u32, method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
}

fn answer(id: u32, result: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string()
}

fn greeting() -> String {
    answer(0, &json!({ "protocolVersion": "2025-11-25", "capabilities": { "tools": {} } }))
}

fn tools(id: u32) -> String {
    answer(id, &json!({ "tools": [{ "name": "rows" }] }))
}

/// The only thing that comes of a message: one for the client.
fn client(out: Vec<Out>) -> Value {
    match <[Out; 1]>::try_from(out) {
        Ok([Out::Client(text)]) => serde_json::from_str(&text).unwrap(),
        other => panic!("{other:?}"),
    }
}

/// Long after the time that the others wait for a server.
fn later() -> Instant {
    Instant::now() + Duration::from_secs(3600)
}

fn text(out: &Out) -> String {
    match out {
        Out::Client(text) => format!("client: {text}"),
        Out::Server(at, text) => format!("{at}: {text}"),
    }
}

#[test]
fn nobody_waits_for_ever_for_one_that_is_slow_to_start() {
    let mut router = router();
    assert_eq!(router.take(ask(0, "initialize", &json!({}))).len(), 2);
    assert_eq!(router.hear(0, greeting()), []);
    assert_eq!(router.expire(Instant::now()), []);
    assert!(router.until().is_some_and(|until| until <= later()));
    let greeted = client(router.expire(later()));
    assert_eq!(greeted["result"]["capabilities"]["tools"]["listChanged"], true);
    assert_eq!(router.until(), None);
    // It gets nothing before it has answered.
    assert_eq!(router.take(INITIALIZED.into()), [Out::Server(0, INITIALIZED.into())]);
    assert_eq!(router.take(ask(1, "tools/list", &json!({}))).len(), 1);
    assert_eq!(client(router.hear(0, tools(1)))["result"]["tools"][0]["name"], "a_rows");
    let refused = client(router.take(ask(2, "tools/call", &json!({ "name": "b_rows" }))));
    assert_eq!(refused["error"]["message"], "b is still starting; call again");

    let out: Vec<String> = router.hear(1, greeting()).iter().map(text).collect();
    assert_eq!(out.len(), 2, "{out:?}");
    assert_eq!(out[0], format!("1: {INITIALIZED}"));
    assert!(out[1].starts_with("client: ") && out[1].contains("tools/list_changed"), "{out:?}");
    assert_eq!(router.take(ask(3, "tools/list", &json!({}))).len(), 2);
    assert_eq!(router.hear(1, tools(3)), []);
    let listed = client(router.hear(0, tools(3)));
    assert_eq!(listed["result"]["tools"], json!([{ "name": "a_rows" }, { "name": "b_rows" }]));
}

#[test]
fn what_one_does_not_answer_or_take_is_answered_without_it() {
    let mut router = router();
    assert_eq!(router.take(ask(1, "tools/list", &json!({}))).len(), 2);
    assert_eq!(router.hear(1, tools(1)), []);
    let listed = client(router.untaken(0, &ask(1, "tools/list", &json!({}))));
    assert_eq!(listed["result"]["tools"], json!([{ "name": "b_rows" }]));
    assert_eq!(router.hear(0, tools(1)), [], "nobody waits for it any more");

    assert_eq!(router.take(ask(2, "tools/list", &json!({}))).len(), 2);
    assert_eq!(router.hear(1, tools(2)), []);
    assert_eq!(router.hear(1, tools(2)), [], "one answer is enough");
    assert_eq!(router.take(ask(2, "tools/list", &json!({}))).len(), 1, "the id is in use");
    let listed = client(router.expire(later()));
    assert_eq!(listed["result"]["tools"], json!([{ "name": "b_rows" }]));

    assert_eq!(router.take(ask(3, "tools/list", &json!({}))).len(), 2);
    let none = client(router.expire(later()));
    assert_eq!(none["error"]["message"], "no server responded in time");
}

#[test]
fn a_revision_is_known_if_all_know_it() {
    let found =
        |versions: &Value| answer(1, &json!({ "supportedVersions": versions, "capabilities": {} }));
    let unknown =
        json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": -32601, "message": "no" } });
    for (second, expected) in
        [(found(&json!(["2026-07-28"])), json!(["2026-07-28"])), (unknown.to_string(), Value::Null)]
    {
        let mut router = router();
        assert_eq!(router.take(ask(1, "server/discover", &json!({}))).len(), 2);
        assert_eq!(router.hear(0, found(&json!(["2025-11-25", "2026-07-28"]))), []);
        let found = client(router.hear(1, second));
        assert_eq!(found["result"]["supportedVersions"], expected, "{found}");
    }
}

#[test]
fn changes_of_all_are_one_stream() {
    let accepted = |filter: &Value| {
        json!({ "jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": {
            "_meta": { "io.modelcontextprotocol/subscriptionId": 7 }, "notifications": filter } })
        .to_string()
    };
    let mut router = router();
    assert_eq!(router.take(ask(7, "subscriptions/listen", &json!({}))).len(), 2);
    assert_eq!(router.hear(0, accepted(&json!({ "toolsListChanged": true }))), []);
    let heard = client(router.hear(1, accepted(&json!({ "resourceSubscriptions": ["x:1"] }))));
    assert_eq!(
        heard["params"]["notifications"],
        json!({ "toolsListChanged": true, "resourceSubscriptions": ["x:1"] })
    );
    assert_eq!(router.expire(later()), [], "it has no end of its own");
    // With one of them it ends at the others, too.
    let ended: Vec<String> = router.hear(1, answer(7, &json!({}))).iter().map(text).collect();
    assert!(
        ended.len() == 2 && ended[0].starts_with("0: ") && ended[0].contains("/cancelled"),
        "{ended:?}"
    );
    assert!(ended[1].starts_with("client: ") && ended[1].contains("result"), "{ended:?}");

    // One that accepts nothing is left out.
    assert_eq!(router.take(ask(7, "subscriptions/listen", &json!({}))).len(), 2);
    assert_eq!(router.hear(0, accepted(&json!({ "toolsListChanged": true }))), []);
    let out: Vec<String> = router.expire(later()).iter().map(text).collect();
    assert!(out.len() == 2 && out[0].contains("toolsListChanged"), "{out:?}");
    assert!(out[1].starts_with("1: ") && out[1].contains("/cancelled"), "{out:?}");
    assert_eq!(
        router
            .take(
                json!({ "jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": { "requestId": 7 } })
                .to_string()
            )
            .len(),
        1
    );
}

#[test]
fn a_malformed_handshake_is_that_of_one_server() {
    for result in [
        json!(5),
        json!({ "protocolVersion": "0", "capabilities": {} }),
        json!({ "protocolVersion": "2025-11-25", "capabilities": { "tools": null } }),
        json!({ "protocolVersion": "2025-11-25" }),
    ] {
        let mut router = router();
        assert_eq!(router.take(ask(0, "initialize", &json!({}))).len(), 2);
        assert_eq!(router.hear(0, answer(0, &result)), [], "{result}");
        let greeted = client(router.hear(1, greeting()));
        assert_eq!(greeted["result"]["protocolVersion"], "2025-11-25", "{result}");
        assert_eq!(greeted["result"]["capabilities"]["tools"]["listChanged"], true, "{result}");
    }
}

#[test]
fn what_can_be_read_in_two_ways_is_left_out() {
    let mut router = router();
    router.take(ask(0, "initialize", &json!({})));
    router.hear(0, greeting());
    router.hear(1, greeting());
    router.take(ask(1, "tools/list", &json!({})));
    let entries = r#"[{"name":"x","name":"b_rows"},{"title":"nameless"},{"name":"y"}]"#;
    router.hear(0, format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"tools":{entries}}}}}"#));
    let listed = client(router.hear(1, tools(1)));
    assert_eq!(listed["result"]["tools"], json!([{ "name": "a_y" }, { "name": "b_rows" }]));

    router.take(ask(2, "tools/list", &json!({})));
    let twice = r#"{"tools":[],"tools":[{"name":"b_rows"}]}"#;
    router.hear(0, format!(r#"{{"jsonrpc":"2.0","id":2,"result":{twice}}}"#));
    let listed = client(router.hear(1, tools(2)));
    assert_eq!(listed["result"]["tools"], json!([{ "name": "b_rows" }]));
}
