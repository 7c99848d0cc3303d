//! Rules of the protocol that are easily missed, one test each.

use http::{Request, StatusCode};
use http_body_util::Full;
use serde_json::{Value, json};

use crate::schema;
use crate::talk::{ERAS, MODERN, ask, greeting, params, request, send, send_raw};

const PLAIN: [(&str, &str); 2] =
    [("content-type", "application/json"), ("accept", "application/json, text/event-stream")];

#[tokio::test]
async fn malformed_parameters_of_a_known_method() {
    let service = greeting().service();
    for sent in [
        json!({ "name": "greeting", "arguments": "text" }),
        json!({ "name": 7 }),
        json!({}),
        json!([]),
    ] {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": sent });
        let answer = send_raw(&service, &PLAIN, &body.to_string()).await;
        assert_eq!(answer.status, StatusCode::OK, "{body}");
        assert_eq!(answer.json()["error"]["code"], -32602, "{body}");
        schema::check_answer("2025-11-25", "tools/call", &answer.json());
    }
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {} });
    let answer = send_raw(&service, &PLAIN, &body.to_string()).await;
    assert_eq!(answer.json()["error"]["code"], -32602);
}

#[tokio::test]
async fn what_is_not_a_message() {
    let service = greeting().service();
    for (body, code) in [
        ("{", -32700),
        ("", -32700),
        ("nonsense", -32700),
        ("[]", -32600),
        ("7", -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"tools/list"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":{},"method":"tools/list"}"#, -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"tools/list"}"#, -32600),
        (r#"{"id":1,"method":"tools/list"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600),
    ] {
        let answer = send_raw(&service, &PLAIN, body).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{body}");
        assert_eq!(answer.headers["content-type"], "application/json");
        assert_eq!(answer.json()["error"]["code"], code, "{body}");
        schema::check_answer("2025-11-25", "", &answer.json());
    }
}

#[tokio::test]
async fn a_faulty_message_is_answered_with_its_id_and_the_fault() {
    let service = greeting().service();
    for id in ["-1", "7", "18446744073709551615", r#""a""#] {
        for (rest, words) in [
            (r#""jsonrpc":"1.0","method":"ping""#, r#"jsonrpc must be "2.0""#),
            (r#""jsonrpc":"2.0""#, "method is missing"),
            (r#""jsonrpc":"2.0","method":7"#, "method must be a string"),
            (r#""jsonrpc":"2.0","method":"ping","method":"ping""#, "duplicate member method"),
            (r#""jsonrpc":"2.0","method":"ping","params":[]"#, "params must be an object"),
            (r#""jsonrpc":"2.0","method":"tools/list","params":{"cursor":7}"#, "cursor must be"),
        ] {
            let body = format!(r#"{{"id":{id},{rest}}}"#);
            let answer = send_raw(&service, &PLAIN, &body).await.json();
            assert_eq!(answer["id"], serde_json::from_str::<Value>(id).unwrap(), "{body}");
            let message = answer["error"]["message"].as_str().unwrap();
            assert!(message.contains(words), "{body}: {message}");
        }
    }
}

#[tokio::test]
async fn batches_are_for_the_one_revision_that_has_them() {
    let service = greeting().service();
    let batch = json!([
        { "jsonrpc": "2.0", "id": 1, "method": "ping" },
        { "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 9 } },
        { "jsonrpc": "2.0", "id": "b", "method": "tools/call",
          "params": { "name": "greeting", "arguments": { "name": "Ada" } } },
        { "jsonrpc": "2.0", "id": 3, "method": "subscriptions/listen" },
        7,
    ])
    .to_string();
    for headers in
        [PLAIN.to_vec(), [&PLAIN[..], &[("mcp-protocol-version", "2025-03-26")]].concat()]
    {
        let answer = send_raw(&service, &headers, &batch).await;
        assert_eq!(answer.status, StatusCode::OK);
        let answers = answer.json();
        assert_eq!(answers.as_array().map(Vec::len), Some(4), "{answers:#}");
        assert_eq!(answers[0], json!({ "jsonrpc": "2.0", "id": 1, "result": {} }));
        assert_eq!(answers[1]["result"]["content"][0]["text"], "## Hello Ada");
        assert_eq!(answers[2]["error"]["code"], -32601);
        assert_eq!(answers[3]["error"]["code"], -32600);
    }
    for version in ["2025-06-18", "2025-11-25", MODERN] {
        let headers = [&PLAIN[..], &[("mcp-protocol-version", version)]].concat();
        let answer = send_raw(&service, &headers, &batch).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST);
        assert_eq!(answer.json()["error"]["code"], -32600, "{version}");
    }
}

#[tokio::test]
async fn any_type_is_acceptable_to_those_who_accept_any() {
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }).to_string();
    let service = greeting().service();
    let json = ("content-type", "application/json");
    for headers in [vec![json, ("accept", "*/*")], vec![json]] {
        let answer = send_raw(&service, &headers, &body).await;
        assert_eq!(answer.status, StatusCode::OK, "{headers:?}");
        assert!(answer.json()["result"]["tools"].is_array());
    }
    let answer = send_raw(&service, &[json, ("accept", "text/html")], &body).await;
    assert_eq!(answer.status, StatusCode::NOT_ACCEPTABLE);
    let answer = send_raw(&service, &[("content-type", "text/plain")], &body).await;
    assert_eq!(answer.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
}

#[tokio::test]
async fn prompts_are_unknown_where_there_are_none() {
    let service = greeting().service();
    for method in ["prompts/list", "prompts/get"] {
        let answer = send(&service, request(MODERN, method, json!({ "name": "x" }))).await;
        assert_eq!(answer.json()["error"]["code"], -32601, "{method}");
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{method}");
    }
    let found = ask(&greeting(), MODERN, "server/discover", json!({})).await;
    assert!(found["result"]["capabilities"].get("prompts").is_none());
}

#[tokio::test]
async fn what_is_advertised_about_subscriptions_is_there() {
    let app = greeting();
    let found = ask(&app, MODERN, "server/discover", json!({})).await;
    assert_eq!(found["result"]["capabilities"]["resources"]["subscribe"], true);
    let answer = ask(
        &app,
        "2025-11-25",
        "resources/subscribe",
        json!({ "uri": "widget://greeting/schema" }),
    )
    .await;
    assert_eq!(answer["result"], json!({}));
    // In the revision without sessions it is another method.
    let service = app.service();
    let answer =
        send(&service, request(MODERN, "resources/subscribe", json!({ "uri": "a://b" }))).await;
    assert_eq!(answer.json()["error"]["code"], -32601);
}

#[tokio::test]
async fn views_are_named_whatever_the_client_can() {
    for era in ERAS {
        let list = ask(&greeting(), era, "tools/list", json!({})).await;
        let meta = &list["result"]["tools"][0]["_meta"];
        assert!(meta["ui"]["resourceUri"].as_str().unwrap().starts_with("ui://"));
        assert_eq!(meta["ui/resourceUri"], meta["ui"]["resourceUri"]);
        assert_eq!(meta["openai/outputTemplate"], meta["ui"]["resourceUri"]);
    }
}

#[tokio::test]
async fn properties_keep_the_order_of_the_author() {
    let service = greeting().service();
    let answer = send(&service, request("2025-11-25", "tools/list", json!({}))).await;
    let at = |name: &str| answer.text.find(&format!("\"{name}\":{{")).expect("a property");
    assert!(at("name") < at("zebra") && at("zebra") < at("age"), "{}", answer.text);
}

#[tokio::test]
async fn browsers_may_ask_first() {
    let request = Request::options("http://localhost/mcp")
        .header("origin", "http://localhost:5173")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "content-type,mcp-protocol-version")
        .body(Full::default())
        .unwrap();
    let answer = send(&greeting().service(), request).await;
    assert_eq!(answer.status, StatusCode::NO_CONTENT);
    assert_eq!(answer.headers["access-control-allow-origin"], "http://localhost:5173");
    assert_eq!(answer.headers["access-control-allow-headers"], "content-type,mcp-protocol-version");
}

#[tokio::test]
async fn cache_hints_are_for_the_revision_that_has_them() {
    let list = ask(&greeting(), MODERN, "tools/list", json!({})).await;
    assert_eq!(list["result"]["ttlMs"], 5000);
    assert_eq!(list["result"]["cacheScope"], "public");
    let list = ask(&greeting(), "2025-11-25", "tools/list", json!({})).await;
    assert!(list["result"].get("ttlMs").is_none());
}

#[tokio::test]
async fn an_unknown_tool_is_a_bad_parameter() {
    let service = greeting().service();
    for era in ERAS {
        let answer = send(&service, request(era, "tools/call", json!({ "name": "greetin" }))).await;
        assert_eq!(answer.status, StatusCode::OK);
        assert_eq!(answer.json()["error"]["code"], -32602);
        let message = answer.json()["error"]["message"].clone();
        assert_eq!(message, "Unknown tool: greetin; did you mean greeting?");
    }
}

#[tokio::test]
async fn an_unknown_method_is_404_without_sessions() {
    let service = greeting().service();
    let answer = send(&service, request(MODERN, "no/such", json!({}))).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    assert_eq!(answer.json()["error"]["code"], -32601);
    let answer = send(&service, request("2025-11-25", "no/such", json!({}))).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.json()["error"]["code"], -32601);
}

#[tokio::test]
async fn the_last_page_has_no_cursor() {
    let list = ask(&greeting(), MODERN, "tools/list", json!({})).await;
    assert!(list["result"].get("nextCursor").is_none());
}

#[tokio::test]
async fn headers_are_compared_with_the_message() {
    let service = greeting().service();
    let call = json!({ "name": "greeting", "arguments": { "name": "Ada" } });
    let spoil = |name: &'static str, value: Option<&'static str>| {
        let (mut parts, body) = request(MODERN, "tools/call", call.clone()).into_parts();
        parts.headers.remove(name);
        if let Some(value) = value {
            parts.headers.insert(name, value.parse().unwrap());
        }
        Request::from_parts(parts, body)
    };
    for (name, value) in [
        ("mcp-method", None),
        ("mcp-method", Some("tools/list")),
        ("mcp-name", None),
        ("mcp-name", Some("other")),
        ("mcp-protocol-version", Some("2025-11-25")),
        ("mcp-protocol-version", Some("2099-01-01")),
    ] {
        let answer = send(&service, spoil(name, value)).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{name}: {value:?} {}", answer.text);
        let code = answer.json()["error"]["code"].as_i64().unwrap();
        assert!([-32020, -32022, -32602].contains(&code), "{name}: {value:?} {code}");
    }
    // Twice the same header is one too many.
    let (mut parts, body) = request(MODERN, "tools/call", call.clone()).into_parts();
    parts.headers.append("mcp-name", "other".parse().unwrap());
    let answer = send(&service, Request::from_parts(parts, body)).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    // The name may be encoded.
    let encoded = spoil("mcp-name", Some("=?base64?Z3JlZXRpbmc=?="));
    assert_eq!(send(&service, encoded).await.status, StatusCode::OK);
    // Without what every request must say about itself.
    let mut sent = params(MODERN, call.clone());
    sent["_meta"].as_object_mut().unwrap().remove("io.modelcontextprotocol/clientCapabilities");
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": sent });
    let headers = [
        &PLAIN[..],
        &[("mcp-protocol-version", MODERN), ("mcp-method", "tools/call"), ("mcp-name", "greeting")],
    ]
    .concat();
    let answer = send_raw(&service, &headers, &body.to_string()).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert_eq!(answer.json()["error"]["code"], -32602);
}

#[tokio::test]
async fn the_handshake_negotiates_down() {
    let service = greeting().service();
    for (asked, agreed) in [
        ("2026-07-28", "2025-11-25"),
        ("2025-11-25", "2025-11-25"),
        ("2025-03-26", "2025-03-26"),
        ("2024-11-05", "2024-11-05"),
        ("1999-01-01", "2025-11-25"),
    ] {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": asked, "capabilities": {},
            "clientInfo": { "name": "tests", "version": "1" } } });
        let answer = send_raw(&service, &PLAIN, &body.to_string()).await;
        let result: Value = answer.json()["result"].clone();
        assert_eq!(result["protocolVersion"], agreed, "{asked}");
        assert_eq!(
            result["capabilities"]["extensions"]["io.modelcontextprotocol/ui"]["mimeTypes"],
            json!(["text/html;profile=mcp-app"])
        );
        schema::check("2025-11-25", "InitializeResult", &result);
    }
}
