//! What depends on the order in which servers answer, or on one that does not.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::router::{Out, Router};
use crate::session::INITIALIZED;

fn router() -> Router {
    Router::new(vec!["a".to_owned(), "b".to_owned()], 100_000)
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

/// A handshake with two servers that have everything.
fn greeted() -> Router {
    let mut router = router();
    router.take(ask(0, "initialize", &json!({})));
    let capabilities = json!({ "tools": {}, "resources": { "subscribe": true }, "tasks": {} });
    let greeting = json!({ "protocolVersion": "2025-11-25", "capabilities": capabilities });
    router.hear(0, answer(0, &greeting));
    router.hear(1, answer(0, &greeting));
    router.take(INITIALIZED.into());
    router
}

/// The only thing that comes of a message: one for a server.
fn server(out: Vec<Out>) -> (usize, Value) {
    match <[Out; 1]>::try_from(out) {
        Ok([Out::Server(at, text)]) => (at, serde_json::from_str(&text).unwrap()),
        other => panic!("{other:?}"),
    }
}

fn notify(method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string()
}

#[test]
fn pages_of_two_servers_with_one_address_are_two() {
    let mut router = greeted();
    router.take(ask(1, "tools/list", &json!({})));
    let tools = r#"{"tools":[{"name":"x","n":1.0,"_meta":{"ui":{"resourceUri":"ui:\/\/app"},"openai/outputTemplate":"\u0075i://app"}}]}"#;
    let listed = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{tools}}}"#);
    router.hear(0, listed.clone());
    let listed = client(router.hear(1, listed));
    for (number, page) in [(0, "ui://a_app"), (1, "ui://b_app")] {
        let tool = &listed["result"]["tools"][number];
        assert_eq!(
            tool["_meta"],
            json!({ "ui": { "resourceUri": page }, "openai/outputTemplate": page })
        );
        let (at, read) = server(router.take(ask(2, "resources/read", &json!({ "uri": page }))));
        assert_eq!((at, &read["params"]["uri"]), (number, &json!("ui://app")));
        let contents = json!({ "contents": [{ "uri": "ui://app", "text": "ui://app" }] });
        let read = client(router.hear(at, answer(2, &contents)));
        assert_eq!(read["result"]["contents"], json!([{ "uri": page, "text": "ui://app" }]));
    }
    let updated = notify("notifications/resources/updated", &json!({ "uri": "ui://app" }));
    assert_eq!(client(router.hear(1, updated))["params"]["uri"], "ui://b_app");
    // Each listens to what is its own.
    let uris = json!(["ui://b_app", "ui://a_app", "x:unlisted"]);
    let filter = json!({ "notifications": { "resourceSubscriptions": uris, "taskIds": ["a_1"] } });
    let asked = router.take(ask(3, "subscriptions/listen", &filter));
    let of: Vec<Value> = asked
        .into_iter()
        .map(|out| server(vec![out]).1["params"]["notifications"].clone())
        .collect();
    assert_eq!(
        of,
        [
            json!({ "resourceSubscriptions": ["ui://app", "x:unlisted"], "taskIds": ["1"] }),
            json!({ "resourceSubscriptions": ["ui://app", "x:unlisted"], "taskIds": [] })
        ]
    );
}

#[test]
fn tasks_of_two_servers_with_one_id_are_two() {
    let mut router = greeted();
    let related =
        |id: &str| json!({ "_meta": { "io.modelcontextprotocol/related-task": { "taskId": id } } });
    for (number, tool, id) in [(0, "a_x", "a_t1"), (1, "b_x", "b_t1")] {
        router.take(ask(1, "tools/call", &json!({ "name": tool, "task": {} })));
        let created =
            json!({ "task": { "taskId": "t1", "status": "working" }, "taskId": "not one" });
        let created = client(router.hear(number, answer(1, &created)));
        assert_eq!(created["result"]["task"]["taskId"], id);
        for method in ["tasks/get", "tasks/result", "tasks/cancel", "tasks/update"] {
            let (at, asked) = server(router.take(ask(2, method, &json!({ "taskId": id }))));
            assert_eq!((at, &asked["params"]["taskId"]), (number, &json!("t1")), "{method}");
            let mut result = related("t1");
            result["taskId"] = json!("t1");
            let heard = client(router.hear(at, answer(2, &result)));
            assert_eq!(heard["result"]["taskId"], id, "{method}");
            assert_eq!(heard["result"]["_meta"], related(id)["_meta"], "{method}");
        }
        // A server can only name its own.
        for method in ["notifications/tasks/status", "notifications/tasks"] {
            let status = notify(method, &json!({ "taskId": "t1", "status": "failed" }));
            assert_eq!(client(router.hear(number, status))["params"]["taskId"], id);
            let hidden = format!(
                r#"{{"jsonrpc":"2.0","method":"{method}","params":{{"t\u0061skId":"t1"}}}}"#
            );
            assert_eq!(client(router.hear(number, hidden))["params"]["taskId"], id);
        }
        let asked = json!({ "jsonrpc": "2.0", "id": 9, "method": "elicitation/create",
            "params": related("t1") });
        let asked = client(router.hear(number, asked.to_string()));
        assert_eq!(asked["params"]["_meta"], related(id)["_meta"]);
        let answer = json!({ "jsonrpc": "2.0", "id": asked["id"], "result": related(id) });
        let (at, heard) = server(router.take(answer.to_string()));
        assert_eq!((at, &heard["result"]), (number, &related("t1")));
    }
    router.take(ask(3, "tasks/list", &json!({})));
    let listed = json!({ "tasks": [{ "taskId": "t1" }] });
    router.hear(0, answer(3, &listed));
    let listed = client(router.hear(1, answer(3, &listed)));
    assert_eq!(listed["result"]["tasks"], json!([{ "taskId": "a_t1" }, { "taskId": "b_t1" }]));
    let unknown = client(router.take(ask(4, "tasks/get", &json!({ "taskId": "t1" }))));
    assert_eq!(unknown["error"]["message"], "Unknown task: t1");
}

#[test]
fn an_address_is_of_the_server_that_lists_it() {
    let mut router = greeted();
    let read = |router: &mut Router, uri: &str| {
        let (at, _) = server(router.take(ask(2, "resources/read", &json!({ "uri": uri }))));
        router.hear(at, answer(2, &json!({ "contents": [] })));
        at
    };
    let call = |router: &mut Router, at: usize, tool: &str, uri: &str| {
        router.take(ask(1, "tools/call", &json!({ "name": tool })));
        let link = json!({ "content": [{ "type": "resource_link", "uri": uri, "name": "x" }] });
        router.hear(at, answer(1, &link));
    };
    call(&mut router, 0, "a_x", "x:1");
    call(&mut router, 1, "b_x", "x:1");
    call(&mut router, 1, "b_x", "x:2");
    assert_eq!((read(&mut router, "x:1"), read(&mut router, "x:2")), (0, 1));
    let list = |router: &mut Router, of_a: Value, of_b: Value| {
        router.take(ask(3, "resources/list", &json!({})));
        router.hear(0, answer(3, &json!({ "resources": of_a })));
        client(router.hear(1, answer(3, &json!({ "resources": of_b }))))["result"]["resources"]
            .clone()
    };
    let entry = |uri: &str, name: &str| json!({ "uri": uri, "name": name });
    // The client sees an address once, and reads what it has seen.
    let listed = list(
        &mut router,
        json!([entry("x:3", "a")]),
        json!([entry("x:1", "b"), entry("x:3", "b")]),
    );
    assert_eq!(listed, json!([entry("x:3", "a"), entry("x:1", "b")]));
    assert_eq!((read(&mut router, "x:1"), read(&mut router, "x:3")), (1, 0));
    call(&mut router, 0, "a_x", "x:1");
    assert_eq!(read(&mut router, "x:1"), 1, "naming it changes nothing");
    let updated = notify("notifications/resources/updated", &json!({ "uri": "x:1" }));
    assert_eq!(router.hear(0, updated.clone()), []);
    assert_eq!(router.hear(1, updated).len(), 1);
    let listed = list(&mut router, json!([]), json!([entry("x:3", "b")]));
    assert_eq!(listed, json!([entry("x:3", "b")]));
    assert_eq!(read(&mut router, "x:3"), 1);
}

#[test]
fn progress_is_reported_by_the_server_that_was_asked() {
    let mut router = greeted();
    let progress = |token: &Value| {
        notify("notifications/progress", &json!({ "progressToken": token, "progress": 1 }))
    };
    for token in [json!(7), json!("t")] {
        let meta = json!({ "progressToken": token });
        router.take(ask(1, "tools/call", &json!({ "name": "b_x", "_meta": meta })));
        assert_eq!(router.hear(0, progress(&token)), []);
        assert_eq!(router.hear(1, progress(&json!("unknown"))), []);
        assert_eq!(client(router.hear(1, progress(&token)))["params"]["progressToken"], token);
        router.hear(1, answer(1, &json!({ "content": [] })));
        assert_eq!(router.hear(1, progress(&token)), [], "it has ended");
        // A task goes on.
        router.take(ask(1, "tools/call", &json!({ "name": "b_x", "_meta": meta })));
        router.hear(1, answer(1, &json!({ "task": { "taskId": "1" } })));
        assert_eq!(router.hear(0, progress(&token)), []);
        assert_eq!(router.hear(1, progress(&token)).len(), 1);
        // All of them may report on what all are asked.
        router.take(ask(2, "tools/list", &json!({ "_meta": meta })));
        assert_eq!(router.hear(0, progress(&token)).len(), 1);
        router.hear(0, tools(2));
        router.hear(1, tools(2));
    }
}

#[test]
fn questions_of_two_servers_with_one_id_are_two() {
    let mut router = greeted();
    for (at, id) in [(0, "a_q"), (1, "b_q")] {
        let question = json!({ "jsonrpc": "2.0", "id": 1, "method": "elicitation/create",
            "params": { "mode": "url", "elicitationId": "q" } });
        let asked = client(router.hear(at, question.to_string()));
        assert_eq!(asked["params"]["elicitationId"], id);
        let done = notify("notifications/elicitation/complete", &json!({ "elicitationId": "q" }));
        assert_eq!(client(router.hear(at, done))["params"]["elicitationId"], id);
    }
}

#[test]
fn an_address_that_nobody_has_shown_is_looked_for_everywhere_at_once() {
    let read = ask(1, "resources/read", &json!({ "uri": "x:1" }));
    let found = |of: &str| answer(1, &json!({ "contents": [], "of": of }));
    let missing = |of: &str| {
        json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": -32002, "message": of } }).to_string()
    };
    let cancelled = |out: &Out| matches!(out, Out::Server(1, text) if text.contains("/cancelled"));
    let mut router = greeted();
    assert_eq!(router.take(read.clone()).len(), 2);
    // The first by name has it, whichever answers first.
    assert_eq!(router.hear(1, found("b")), []);
    assert_eq!(client(router.hear(0, found("a")))["result"]["of"], "a");
    let (at, _) = server(router.take(read.clone()));
    assert_eq!(at, 0, "it is known now");
    router.hear(0, found("a"));

    let mut router = greeted();
    router.take(read.clone());
    assert_eq!(router.hear(1, missing("not in b")), []);
    assert_eq!(client(router.hear(0, missing("not in a")))["error"]["message"], "not in a");

    let mut router = greeted();
    router.take(read.clone());
    let out = router.hear(0, found("a"));
    assert!(out.len() == 2 && cancelled(&out[0]), "nobody waits for the others: {out:?}");

    // One that is silent is waited for once.
    let mut router = greeted();
    router.take(read.clone());
    assert_eq!(router.hear(1, found("b")), []);
    let out = router.expire(later());
    assert_eq!(out.len(), 2, "{out:?}");
    let found = text(&out[1]);
    assert!(found.starts_with("client: ") && found.contains(r#""of":"b""#), "{found}");
    router.take(ask(2, "tools/list", &json!({})));
    assert_eq!(client(router.hear(1, tools(2)))["result"]["tools"][0]["name"], "b_rows");
    router.hear(0, tools(2));
    router.take(ask(3, "tools/list", &json!({})));
    assert_eq!(router.hear(1, tools(3)), []);
    let listed = client(router.hear(0, tools(3)));
    assert_eq!(listed["result"]["tools"].as_array().unwrap().len(), 2);

    let mut router = greeted();
    router.take(read);
    let out = router.expire(later());
    assert!(text(out.last().unwrap()).contains("no server responded in time"), "{out:?}");
}

#[test]
fn a_server_whose_list_is_too_large_is_left_out_alone() {
    let mut router = greeted();
    // One long text, and many short entries, to each of which a view is added.
    let long = json!([{ "name": "x", "description": "x".repeat(50_000) }]);
    let many: Value = (0..100).map(|number| json!({ "name": number.to_string() })).collect();
    for tools_of_a in [long, many] {
        router.take(ask(1, "tools/list", &json!({})));
        assert_eq!(router.hear(0, answer(1, &json!({ "tools": tools_of_a }))), []);
        let listed = client(router.hear(1, tools(1)));
        assert_eq!(listed["result"]["tools"], json!([{ "name": "b_rows" }]));
        router.take(ask(1, "tools/list", &json!({})));
        router.hear(0, answer(1, &json!({ "tools": tools_of_a })));
        let error =
            json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": -32603, "message": "b" } });
        let refused = client(router.hear(1, error.to_string()));
        let why = refused["error"]["message"].as_str().unwrap();
        assert!(
            why.starts_with("a: the result of ") && why.ends_with(" share of 50000 bytes"),
            "{why}"
        );
    }
}
