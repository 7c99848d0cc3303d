//! The tools over HTTP and over stdio, compared with `contract.json`, which was written from the
//! specification.

#![allow(clippy::unwrap_used)]

use bytes::Bytes;
use http::Request;
use http_body_util::{BodyExt as _, Full};
use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream};
use widgetcast::App;

fn contract() -> Value {
    serde_json::from_str(include_str!("contract.json")).unwrap()
}

fn app() -> App {
    widgetcast_display::add_to(App::new("chatui", "1.0.0")).build().unwrap()
}

/// A connection to the app over one of its transports.
enum Connection {
    Http(App),
    Pipe(BufReader<DuplexStream>),
}

impl Connection {
    fn both() -> [(&'static str, Connection); 2] {
        let app = app();
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (reader, writer) = tokio::io::split(theirs);
        let served = app.clone();
        tokio::spawn(async move {
            served.serve_pipe(reader, writer, std::future::pending()).await.unwrap();
        });
        [("http", Connection::Http(app)), ("stdio", Connection::Pipe(BufReader::new(ours)))]
    }

    async fn ask(&mut self, method: &str, params: Value) -> Value {
        self.ask_as("tests", method, params).await
    }

    async fn ask_as(&mut self, who: &str, method: &str, mut params: Value) -> Value {
        for (key, value) in [
            ("protocolVersion", json!("2026-07-28")),
            ("clientCapabilities", json!({})),
            ("clientInfo", json!({ "name": who, "version": "1.0.0" })),
        ] {
            params["_meta"][format!("io.modelcontextprotocol/{key}")] = value;
        }
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        match self {
            Connection::Http(app) => {
                let mut request = Request::post("http://localhost/mcp")
                    .header("content-type", "application/json")
                    .header("accept", "application/json, text/event-stream")
                    .header("mcp-protocol-version", "2026-07-28")
                    .header("mcp-method", method);
                if let Some(name) = params.get("name").or(params.get("uri")) {
                    request = request.header("mcp-name", name.as_str().unwrap());
                }
                let request = request.body(Full::new(Bytes::from(message.to_string()))).unwrap();
                let body = app.handle(request).await.into_body().collect().await.unwrap();
                serde_json::from_slice(&body.to_bytes()).unwrap()
            }
            Connection::Pipe(pipe) => {
                pipe.write_all(format!("{message}\n").as_bytes()).await.unwrap();
                let mut line = String::new();
                pipe.read_line(&mut line).await.unwrap();
                serde_json::from_str(&line).unwrap()
            }
        }
    }

    async fn call(&mut self, tool: &Value, arguments: &Value, asked: &Value) -> Value {
        let mut params = json!({ "name": tool["name"], "arguments": arguments });
        for (key, value) in asked.as_object().into_iter().flatten() {
            params["_meta"][key] = value.clone();
        }
        self.ask("tools/call", params).await
    }
}

/// A schema without its descriptions, which may differ from the contract's.
fn without_descriptions(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => {
            let kept = members.iter().filter(|(key, _)| *key != "description");
            Value::Object(
                kept.map(|(key, value)| (key.clone(), without_descriptions(value))).collect(),
            )
        }
        Value::Array(items) => items.iter().map(without_descriptions).collect(),
        other => other.clone(),
    }
}

#[tokio::test]
async fn tools_are_as_the_contract_says() {
    let contract = contract();
    for (line, mut app) in Connection::both() {
        let list = app.ask("tools/list", json!({})).await;
        let tools = list["result"]["tools"].as_array().unwrap();
        let mut wanted: Vec<&Value> = contract["tools"].as_array().unwrap().iter().collect();
        wanted.sort_by_key(|tool| tool["name"].as_str());
        assert_eq!(tools.len(), wanted.len());
        for (tool, wanted) in tools.iter().zip(wanted) {
            let name = &wanted["name"];
            assert_eq!(&tool["name"], name, "{line}");
            assert_eq!(tool["description"], wanted["description"], "{line} {name}");
            // The title is there as well: some hosts read it in the annotations alone.
            let mut annotations = contract["annotations"].clone();
            annotations["title"] = tool["title"].clone();
            assert_eq!(tool["annotations"], annotations, "{line} {name}");
            let mut schema = without_descriptions(&wanted["input"]);
            schema.as_object_mut().unwrap().entry("properties").or_insert(json!({}));
            let mut ours = without_descriptions(&tool["inputSchema"]);
            ours.as_object_mut().unwrap().entry("properties").or_insert(json!({}));
            assert_eq!(ours, schema, "{line} {name}");
            let output = tool["outputSchema"]["properties"].as_object().unwrap();
            for (key, kind) in wanted["output"].as_object().unwrap() {
                let known = &output[key]["type"];
                let fits = known == kind || known.as_array().is_some_and(|all| all.contains(kind));
                assert!(fits, "{line} {name}: {key} is {known}");
            }
            assert_eq!(output.len(), wanted["output"].as_object().unwrap().len());

            let meta = &tool["_meta"];
            let page = wanted["page"].as_str().unwrap();
            for (key, value) in [
                ("securitySchemes", json!([{ "type": "noauth" }])),
                ("openai/outputTemplate", json!(format!("ui://widget/{page}.html"))),
                ("openai/widgetAccessible", json!(false)),
                ("openai/visibility", json!("public")),
                ("openai/toolInvocation/invoking", wanted["invoking"].clone()),
                ("openai/toolInvocation/invoked", wanted["invoked"].clone()),
                ("openai/fileParams", json!([])),
            ] {
                assert_eq!(meta[key], value, "{line} {name} {key}");
            }
            // The same for MCP Apps: the address with a hash, and who may call.
            let uri = meta["ui"]["resourceUri"].as_str().unwrap();
            assert!(uri.starts_with(&format!("ui://widget/{page}-")), "{uri}");
            assert_eq!(meta["ui/resourceUri"], uri);
            assert_eq!(meta["ui"]["visibility"], json!(["model"]));
        }
    }
}

#[tokio::test]
async fn prompts_succeed_and_mistakes_are_refused() {
    for (line, mut app) in Connection::both() {
        let contract = contract();
        for tool in contract["tools"].as_array().unwrap() {
            for case in tool["accepts"].as_array().unwrap() {
                let answer = app.call(tool, &case["arguments"], &case["asked"]).await;
                let (result, prompt) = (&answer["result"], &case["prompt"]);
                assert_eq!(result["isError"], false, "{line} {prompt}: {answer}");
                assert_eq!(result["content"].as_array().unwrap().len(), 1);
                assert_eq!(result["content"][0]["text"], case["text"], "{line} {prompt}");
                if let Some(wanted) = case.get("structuredContent") {
                    assert_eq!(&result["structuredContent"], wanted, "{line} {prompt}");
                }
                for (key, value) in case["holds"].as_object().unwrap_or(&Map::new()) {
                    assert_eq!(&result["structuredContent"][key], value, "{line} {prompt}");
                }
                for (key, value) in case["meta"].as_object().unwrap_or(&Map::new()) {
                    assert_eq!(&result["_meta"][key], value, "{line} {prompt}");
                }
                if let Some(at) = case["timestamp"].as_str() {
                    let time = result["_meta"].pointer(at).and_then(Value::as_str).unwrap();
                    let parsed = time::OffsetDateTime::parse(
                        time,
                        &time::format_description::well_known::Rfc3339,
                    );
                    assert!(parsed.is_ok(), "{time}");
                }
            }
            for arguments in tool["refuses"].as_array().unwrap() {
                let answer = app.call(tool, arguments, &Value::Null).await;
                assert_eq!(answer["result"]["isError"], true, "{line} {arguments}: {answer}");
            }
        }
    }
}

/// Rows without a list of columns have those of their members; an empty table would show nothing of them.
#[tokio::test]
async fn rows_name_their_columns() {
    for (line, mut app) in Connection::both() {
        let arguments = json!({ "title": "Menu", "columns": [],
            "rows": [{ "name": "Rye", "price": 4 }, { "name": "Oat", "sold out": true }] });
        let answer = app.call(&json!({ "name": "display_table" }), &arguments, &Value::Null).await;
        let shown = &answer["result"]["structuredContent"];
        assert_eq!(shown["columns"], json!(["name", "price", "sold out"]), "{line}: {answer}");
    }
}

#[tokio::test]
async fn pages_have_two_addresses_and_two_types() {
    for (line, mut app) in Connection::both() {
        let contract = contract();
        let list = app.ask("resources/list", json!({})).await;
        let listed = list["result"]["resources"].as_array().unwrap().clone();
        for page in contract["pages"].as_array().unwrap() {
            let page = page.as_str().unwrap();
            let fixed = format!("ui://widget/{page}.html");
            let hashed = |uri: &str| uri.starts_with(&format!("ui://widget/{page}-"));
            let twin =
                listed.iter().filter_map(|entry| entry["uri"].as_str()).find(|uri| hashed(uri));
            let twin = twin.unwrap_or_else(|| panic!("{page} has no twin"));
            assert!(listed.iter().any(|entry| entry["uri"] == *fixed), "{page} is not listed");
            let mut texts = Vec::new();
            // ChatGPT alone gets the older type, at the fixed address.
            for (who, uri, mime) in [
                ("openai-mcp", &*fixed, "text/html+skybridge"),
                ("tests", &*fixed, "text/html;profile=mcp-app"),
                ("tests", twin, "text/html;profile=mcp-app"),
            ] {
                let answer = app.ask_as(who, "resources/read", json!({ "uri": uri })).await;
                let item = &answer["result"]["contents"][0];
                assert_eq!(
                    (&item["uri"], &item["mimeType"]),
                    (&json!(uri), &json!(mime)),
                    "{line}"
                );
                for (key, value) in contract["pageMeta"].as_object().unwrap() {
                    assert_eq!(&item["_meta"][key], value, "{line} {uri} {key}");
                }
                assert!(item["_meta"]["openai/widgetDescription"].is_string());
                texts.push(item["text"].clone());
            }
            assert!(texts.windows(2).all(|pair| pair[0] == pair[1]));
        }
    }
}

/// Recent chats are those of the caller's subject; without a subject there are none.
#[tokio::test]
async fn a_dashboard_shows_only_one_s_own_chats() {
    let mut app = Connection::Http(app());
    let (chat, dashboard) =
        (json!({ "name": "display_chat" }), json!({ "name": "display_dashboard" }));
    let ann = json!({ "openai/subject": "ann" });
    for (seed, who) in
        [("Hello", &ann), ("Secret", &json!({ "openai/subject": "bob" })), ("Lost", &Value::Null)]
    {
        app.call(&chat, &json!({ "seedMessage": seed }), who).await;
    }
    let data = async |app: &mut Connection, who: &Value| {
        app.call(&dashboard, &json!({}), who).await["result"]["structuredContent"].clone()
    };
    let hers = data(&mut app, &ann).await;
    assert_eq!(hers["recentChats"].as_array().unwrap().len(), 1);
    assert_eq!(hers["recentChats"][0]["title"], "Hello");
    assert_eq!(hers["stats"][0], json!({ "label": "Chats opened", "value": "3", "change": "+3" }));
    let anonymous = data(&mut app, &Value::Null).await;
    assert_eq!(anonymous["dashboard"], true);
    assert!(anonymous.get("recentChats").is_none());
}

/// Whoever names another's subject does not get the other's chats: a proven caller has its own, and else
/// only requests from the same place have those of a subject.
#[tokio::test]
async fn nobody_reads_the_chats_of_another() {
    let keys = widgetcast::auth::BearerKeys::new();
    let app = widgetcast_display::add_to(widgetcast::App::new("display", "1.0.0").auth(keys));
    let app = app.build().unwrap();
    let chats = async |client: &widgetcast::test::Client, subject: &str| {
        let meta = json!({ "openai/subject": subject });
        let params = json!({ "name": "display_dashboard", "arguments": {}, "_meta": meta });
        let result = client.request("tools/call", params).await.unwrap();
        result["structuredContent"]["recentChats"].as_array().map_or(0, Vec::len)
    };
    let (ann, eve) = (app.test().as_caller("ann", []), app.test().as_caller("eve", []));
    ann.call("display_chat", json!({ "seedMessage": "Hello" })).await.unwrap();
    assert_eq!(chats(&ann, "v1/ann").await, 1);
    assert_eq!(chats(&eve, "ann").await, 0);
    assert_eq!(chats(&eve, "v1/ann").await, 0);

    let app = self::app();
    let at = async |address: [u8; 4], tool: &str| {
        let params = json!({
            "name": tool, "arguments": {}, "_meta": { "openai/subject": "v1/alice" },
        });
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let body = body.to_string();
        let request = http::Request::post("http://localhost/mcp")
            .header("content-type", "application/json")
            .extension(widgetcast::http::RemoteAddr((address, 7).into()))
            .body(http_body_util::Full::new(bytes::Bytes::from(body)))
            .unwrap();
        let response = app.handle(request).await.into_body();
        let bytes = http_body_util::BodyExt::collect(response).await.unwrap().to_bytes();
        let answer: Value = serde_json::from_slice(&bytes).unwrap();
        answer["result"]["structuredContent"]["recentChats"].as_array().map_or(0, Vec::len)
    };
    at([192, 0, 2, 1], "display_chat").await;
    assert_eq!(at([192, 0, 2, 1], "display_dashboard").await, 1);
    assert_eq!(at([192, 0, 2, 2], "display_dashboard").await, 0);
}
