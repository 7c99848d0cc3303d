//! Who calls, and what each caller may do: proven over HTTP, given for a pipe, never from `_meta`.

use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use futures_util::stream;
use http::{Request, StatusCode};
use http_body::Frame;
use http_body_util::{BodyExt as _, Full, StreamBody};
use serde_json::{Value, json};
use tower::ServiceExt as _;
use widgetcast::Catalog;
use widgetcast::auth::{BearerKeys, FromExtension, Refusal};
use widgetcast::client::Peer;
use widgetcast::handler::Typed;
use widgetcast::middleware::Incoming;
use widgetcast::{
    Access, App, Caller, Change, Ctx, Data, Extension, Headers, Page, Prompt, Resource, Settings,
    State, Tool, ToolError,
};

use crate::talk::{Answer, ERAS, GREETING, MODERN, request, send};

const ADA: &str = "the-key-of-ada-01";
const BOB: &str = "the-key-of-bob-02";

#[derive(Clone)]
struct Db(Arc<Mutex<Vec<String>>>);

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Note {
    text: String,
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Notes {
    notes: Vec<String>,
}

async fn whoami(caller: Option<Caller>) -> String {
    caller.map_or_else(|| "nobody".to_owned(), |caller| caller.subject().to_owned())
}

async fn note(
    State(db): State<Db>,
    ctx: Ctx,
    caller: Caller,
    note: Note,
) -> Result<Data<Notes>, ToolError> {
    let mut notes = db.0.lock().map_err(|_| "poisoned")?;
    notes.push(format!("{} {} {}", ctx.name(), caller.subject(), note.text));
    Ok(Data(Notes { notes: notes.clone() }))
}

fn app() -> App {
    let keys = BearerKeys::new()
        .key(ADA, Caller::new("ada").scope("notes:write").scope("widgets"))
        .key(BOB, Caller::new("bob"));
    App::new("tests", "1.0.0")
        .auth(keys)
        .local_caller(Caller::new("local").scope("notes:write"))
        .state(Db(Arc::default()))
        .catalog(Catalog::from_static(&[GREETING]))
        .widget_access("greeting", Access::default().scope("widgets").hidden())
        .tool(Tool::new("whoami", whoami).public())
        .tool(Tool::new("me", async |caller: Caller| caller.subject().to_owned()))
        .tool(Tool::new("note", note).scope("notes:write"))
        .tool(Tool::new("secret", async || "s").scope("notes:write").hidden())
        .prompt(Prompt::new("plan", async |caller: Caller| caller.subject().to_owned()).hidden())
        .resource(Resource::new("open://1", "Open", async || "open"))
        .resource(Resource::new("closed://1", "Closed", async || "closed").scope("notes:write"))
        .resource(
            Resource::new("notes://{name}", "Notes", async |caller: Caller| {
                caller.subject().to_owned()
            })
            .scope("notes:write")
            .hidden()
            .complete("name", async |typed: Typed| vec![format!("{}!", typed.value)]),
        )
        .build()
        .unwrap()
}

fn with_key(mut request: Request<Full<Bytes>>, key: Option<&str>) -> Request<Full<Bytes>> {
    if let Some(key) = key {
        let value = format!("Bearer {key}").parse().unwrap();
        request.headers_mut().insert("authorization", value);
    }
    request
}

async fn ask(app: &App, key: Option<&str>, version: &str, method: &str, sent: Value) -> Answer {
    send(&app.service(), with_key(request(version, method, sent), key)).await
}

async fn call(app: &App, key: Option<&str>, tool: &str, arguments: Value) -> Answer {
    ask(app, key, MODERN, "tools/call", json!({ "name": tool, "arguments": arguments })).await
}

fn words(answer: &Answer) -> String {
    answer.json()["result"]["content"][0]["text"].as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn extractors_come_in_any_order() {
    let app = app();
    let noted = call(&app, Some(ADA), "note", json!({ "text": "one" })).await;
    assert_eq!(noted.json()["result"]["structuredContent"]["notes"], json!(["note ada one"]));
    let noted = call(&app, Some(ADA), "note", json!({ "text": "two" })).await;
    assert_eq!(noted.json()["result"]["structuredContent"]["notes"][1], "note ada two");
    assert_eq!(words(&call(&app, Some(BOB), "me", json!({})).await), "bob");
}

#[tokio::test]
async fn only_what_is_proven_is_a_caller() {
    let app = app();
    assert_eq!(words(&call(&app, None, "whoami", json!({})).await), "nobody");
    assert_eq!(words(&call(&app, Some(ADA), "whoami", json!({})).await), "ada");
    let named = json!({ "name": "whoami", "_meta": { "openai/subject": "ada" } });
    assert_eq!(words(&ask(&app, None, MODERN, "tools/call", named).await), "nobody");
    for wrong in ["the-key-of-eve-03", ""] {
        let refused = call(&app, Some(wrong), "whoami", json!({})).await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
        assert_eq!(
            refused.headers["www-authenticate"],
            r#"Bearer error="invalid_token", error_description="unknown key""#
        );
    }
}

#[tokio::test]
async fn refusals_have_their_status() {
    let app = app();
    for version in ERAS {
        let sent = json!({ "name": "note", "arguments": { "text": "x" } });
        let nobody = ask(&app, None, version, "tools/call", sent.clone()).await;
        assert_eq!(nobody.status, StatusCode::UNAUTHORIZED, "{version}");
        assert_eq!(nobody.json()["error"]["code"], 401);
        assert_eq!(nobody.json()["id"], 7);
        let bob = ask(&app, Some(BOB), version, "tools/call", sent).await;
        assert_eq!(bob.status, StatusCode::FORBIDDEN, "{version}");
        assert_eq!(
            bob.headers["www-authenticate"],
            r#"Bearer error="insufficient_scope", error_description="missing scope notes:write", scope="notes:write""#
        );
        assert_eq!(bob.json()["error"]["message"], "missing scope notes:write");
    }
}

/// An app without anything public answers no one, not even with its lists.
#[tokio::test]
async fn without_anything_public_everything_needs_a_caller() {
    let keys = BearerKeys::new().key(ADA, Caller::new("ada"));
    let app = App::new("tests", "1.0.0")
        .auth(keys)
        .catalog(Catalog::from_static(&[GREETING]))
        .build()
        .unwrap();
    for (version, method) in [
        (MODERN, "tools/list"),
        (MODERN, "server/discover"),
        (MODERN, "resources/list"),
        ("2025-11-25", "initialize"),
        ("2025-11-25", "ping"),
    ] {
        let sent = || match method {
            "initialize" => json!({
                "protocolVersion": version, "capabilities": {},
                "clientInfo": { "name": "t", "version": "1" },
            }),
            _ => json!({}),
        };
        let nobody = ask(&app, None, version, method, sent()).await;
        assert_eq!(nobody.status, StatusCode::UNAUTHORIZED, "{method}");
        let ada = ask(&app, Some(ADA), version, method, sent()).await;
        assert_eq!(ada.status, StatusCode::OK, "{method}");
    }
    let stream = |key| {
        let stream = Request::get("http://localhost/mcp").header("accept", "text/event-stream");
        with_key(stream.body(Full::new(Bytes::new())).unwrap(), key)
    };
    assert_eq!(send(&app.service(), stream(None)).await.status, StatusCode::UNAUTHORIZED);
    // Probes and metrics are the operator's, who has no key.
    let probe = Request::get("http://localhost/healthz").body(Full::new(Bytes::new())).unwrap();
    assert_eq!(send(&app.service(), probe).await.status, StatusCode::OK);
}

/// Memory for bodies is only for who may say something, and every kind of message needs a caller.
#[tokio::test]
async fn who_may_say_nothing_is_not_read() {
    let keys = BearerKeys::new().key(ADA, Caller::new("ada"));
    let app = App::new("tests", "1.0.0").auth(keys).build().unwrap();
    for message in [
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 1, "result": {} }),
        json!([{ "jsonrpc": "2.0", "id": 1, "method": "ping" }]),
    ] {
        let post = Request::post("http://localhost/mcp").header("content-type", "application/json");
        let post = post.body(Full::new(Bytes::from(message.to_string()))).unwrap();
        let refused = send(&app.service(), post).await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{message}");
        assert!(refused.headers["www-authenticate"].to_str().unwrap().starts_with("Bearer"));
    }
    let asked = Arc::new(Mutex::new(false));
    let body = StreamBody::new(stream::poll_fn({
        let asked = Arc::clone(&asked);
        move |_| -> Poll<Option<Result<Frame<Bytes>, std::io::Error>>> {
            *asked.lock().unwrap() = true;
            Poll::Ready(None)
        }
    }));
    let response = app.service().oneshot(Request::post("/mcp").body(body).unwrap()).await.unwrap();
    assert_eq!(response.status(), StatusCode::UNAUTHORIZED);
    assert!(!*asked.lock().unwrap(), "the body was read");
}

#[tokio::test]
async fn what_is_hidden_does_not_exist_for_others() {
    let app = app();
    let names = async |key, method: &str, of: &str, member: &str| {
        let answer = ask(&app, key, MODERN, method, json!({})).await.json();
        let all = answer["result"][of].as_array().cloned().unwrap_or_default();
        let mut names: Vec<String> =
            all.iter().map(|one| one[member].as_str().unwrap().to_owned()).collect();
        names.sort();
        (names, answer["result"]["cacheScope"].as_str().unwrap_or_default().to_owned())
    };
    let (tools, cache) = names(Some(ADA), "tools/list", "tools", "name").await;
    assert_eq!(tools, ["greeting", "me", "note", "secret", "whoami"]);
    assert_eq!(cache, "private");
    for key in [Some(BOB), None] {
        let (tools, _) = names(key, "tools/list", "tools", "name").await;
        assert_eq!(tools, ["me", "note", "whoami"]);
        let (uris, _) = names(key, "resources/list", "resources", "uri").await;
        assert!(!uris.iter().any(|uri| uri.starts_with("widget://greeting")), "{uris:?}");
        let (uris, _) =
            names(key, "resources/templates/list", "resourceTemplates", "uriTemplate").await;
        assert!(
            !uris.iter().any(|uri| uri.contains("greeting") || uri.contains("notes")),
            "{uris:?}"
        );
        for (method, sent, words) in [
            ("tools/call", json!({ "name": "secret" }), "Unknown tool: secret"),
            ("tools/call", json!({ "name": "secrets" }), "Unknown tool: secrets"),
            ("tools/call", json!({ "name": "greeting" }), "Unknown tool: greeting"),
            ("resources/read", json!({ "uri": "notes://1" }), "Resource not found: notes://1"),
            (
                "resources/read",
                json!({ "uri": "widget://greeting/schema" }),
                "Resource not found: widget://greeting/schema",
            ),
        ] {
            let answer = ask(&app, key, MODERN, method, sent).await;
            assert_eq!(answer.json()["error"]["message"], words);
            assert_eq!(answer.status, StatusCode::OK);
        }
        let complete = json!({
            "ref": { "type": "ref/resource", "uri": "notes://{name}" },
            "argument": { "name": "name", "value": "a" },
        });
        let offered = ask(&app, key, MODERN, "completion/complete", complete).await.json();
        assert_eq!(offered["result"]["completion"]["values"], json!([]));
    }
    let (prompts, _) = names(None, "prompts/list", "prompts", "name").await;
    assert!(prompts.is_empty());
    let plan = ask(&app, None, MODERN, "prompts/get", json!({ "name": "plan" })).await.json();
    assert_eq!(plan["error"]["message"], "Unknown prompt: plan");
    let plan = ask(&app, Some(BOB), MODERN, "prompts/get", json!({ "name": "plan" })).await.json();
    assert_eq!(plan["result"]["messages"][0]["content"]["text"], "bob");
    let read = ask(&app, Some(ADA), MODERN, "resources/read", json!({ "uri": "notes://1" })).await;
    assert_eq!(read.json()["result"]["contents"][0]["text"], "ada");
    let (uris, _) =
        names(Some(ADA), "resources/templates/list", "resourceTemplates", "uriTemplate").await;
    assert!(uris.iter().any(|uri| uri == "notes://{name}"), "{uris:?}");
}

/// An instance, and what a user typed into a view, belong to the caller that made it.
#[tokio::test]
async fn instances_and_states_belong_to_their_caller() {
    let keys = BearerKeys::new().key(ADA, Caller::new("ada")).key(BOB, Caller::new("bob"));
    let app = App::new("tests", "1.0.0")
        .auth(keys)
        .catalog(Catalog::from_static(&[GREETING]))
        .build()
        .unwrap();
    let shown = ask(
        &app,
        Some(ADA),
        MODERN,
        "tools/call",
        json!({
            "name": "greeting", "arguments": { "name": "Eve" },
            "_meta": { "io.modelcontextprotocol/clientCapabilities": { "extensions": {
                "io.modelcontextprotocol/ui": { "mimeTypes": ["text/html;profile=mcp-app", "application/vnd.ui.widget+json"] },
            } } },
        }),
    );
    let result = shown.await.json()["result"].clone();
    let text = result.to_string();
    let uri = text.split('"').find(|part| part.starts_with("ui://widgets/greeting/"));
    let uri = uri.unwrap_or_else(|| panic!("{text}")).to_owned();
    let read = async |key| {
        ask(&app, Some(key), MODERN, "resources/read", json!({ "uri": uri })).await.json()
    };
    assert!(read(ADA).await["result"]["contents"][0]["text"].is_string());
    assert_eq!(read(BOB).await["error"]["message"], format!("Resource not found: {uri}"));
    let view = result["_meta"]["widgetcast/view"]["state"].as_str();
    let view = view.unwrap_or_else(|| panic!("{result:#}"));
    let state = async |key, arguments| {
        let answer = call(&app, Some(key), "widgetcast_state", arguments).await.json();
        answer["result"]["structuredContent"]["state"].clone()
    };
    assert_eq!(state(ADA, json!({ "view": view, "state": { "name": "A" } })).await["name"], "A");
    assert_eq!(state(ADA, json!({ "view": view })).await["name"], "A");
    assert_eq!(state(BOB, json!({ "view": view })).await, Value::Null);
}

/// Guards see every method, and know a view's own state from a call of the model.
#[tokio::test]
async fn guards_see_every_request() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let saw = Arc::clone(&seen);
    let called = Arc::new(Mutex::new(Vec::new()));
    let calls = Arc::clone(&called);
    let app = App::new("tests", "1.0.0")
        .catalog(Catalog::from_static(&[GREETING]))
        .prompt(Prompt::new("plan", async || "words"))
        .guard(move |request: Incoming| {
            let target = request.target().unwrap_or_default();
            let state = if request.is_view_state() { " (state)" } else { "" };
            saw.lock().unwrap().push(format!("{} {target}{state}", request.method()));
            let verdict = match (request.method(), target) {
                ("tools/call", _) if request.is_view_state() => Ok(()),
                ("tools/call", "greeting") => Err(Refusal::error("closed on Sundays")),
                ("tools/call", _) => Err(Refusal::forbidden([])),
                ("prompts/get", _) => Err(Refusal::unauthorized()),
                ("resources/list", _) => Err(Refusal::error("no list today")),
                _ => Ok(()),
            };
            async {
                // As one that asks a database.
                tokio::task::yield_now().await;
                verdict
            }
        })
        .around(move |call: widgetcast::middleware::Call, next: widgetcast::middleware::Next| {
            calls.lock().unwrap().push(call.tool.clone());
            next.run(call)
        })
        .build()
        .unwrap();
    let closed = call(&app, None, "greeting", json!({ "name": "Eve" })).await;
    assert_eq!(closed.json()["result"]["isError"], true);
    assert_eq!(words(&closed), "closed on Sundays");
    assert_eq!(call(&app, None, "other", json!({})).await.status, StatusCode::FORBIDDEN);
    let plan = ask(&app, None, MODERN, "prompts/get", json!({ "name": "plan" })).await;
    assert_eq!(plan.status, StatusCode::UNAUTHORIZED);
    let list = ask(&app, None, MODERN, "resources/list", json!({})).await;
    assert_eq!(list.json()["error"]["message"], "no list today");
    let state = call(&app, None, "widgetcast_state", json!({ "view": "x" })).await;
    assert_eq!(words(&state), "invalid view key");
    assert_eq!(ask(&app, None, MODERN, "tools/list", json!({})).await.status, StatusCode::OK);
    assert_eq!(
        *seen.lock().unwrap(),
        [
            "tools/call greeting",
            "tools/call other",
            "prompts/get plan",
            "resources/list ",
            "tools/call widgetcast_state (state)",
            "tools/list ",
        ]
    );
    assert!(called.lock().unwrap().is_empty(), "hooks see no call that was refused, and no state");
}

/// What a layer puts into the request reaches the handler, and so do headers.
#[tokio::test]
async fn extensions_and_headers_reach_handlers() {
    #[derive(Clone)]
    struct User(&'static str);
    let app = App::new("tests", "1.0.0")
        .auth(FromExtension::new(|user: &User| Caller::new(user.0)))
        .tool(Tool::new(
            "all",
            async |Extension(user): Extension<User>, headers: Headers, caller: Caller| {
                format!("{} {} {:?}", user.0, caller.subject(), headers.get("x-team"))
            },
        ))
        .tool(Tool::new("maybe", async |user: Option<Extension<u8>>| format!("{}", user.is_none())))
        .tool(Tool::new("must", async |Extension(_): Extension<u8>| "never"))
        .build()
        .unwrap();
    for version in ERAS {
        // With progress, which answers as a stream.
        for progress in [false, true] {
            let mut sent = json!({ "name": "all" });
            if progress {
                sent["_meta"]["progressToken"] = json!(1);
            }
            let mut asked = request(version, "tools/call", sent);
            asked.extensions_mut().insert(User("ada"));
            asked.headers_mut().insert("x-team", "north".parse().unwrap());
            let answer = send(&app.service(), asked).await;
            assert_eq!(words(&answer), r#"ada ada Some("north")"#, "{version}");
        }
    }
    let call = async |name: &str| {
        let mut asked = request(MODERN, "tools/call", json!({ "name": name }));
        asked.extensions_mut().insert(User("ada"));
        words(&send(&app.service(), asked).await)
    };
    assert_eq!(call("maybe").await, "true");
    assert!(call("must").await.starts_with("failed (id "));
}

/// Typed arguments of prompts, typed variables of resources, and values that are offered for them.
#[tokio::test]
async fn prompts_and_resources_are_handlers_too() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Trip {
        /// Where to
        city: String,
        nights: Option<u8>,
    }
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Month {
        year: u16,
        month: u8,
    }
    let app = App::new("tests", "1.0.0")
        .state(vec!["Basel".to_owned(), "Bern".to_owned()])
        .prompt(
            Prompt::new("trip", async |trip: Trip| format!("{} {:?}", trip.city, trip.nights))
                .title("A trip")
                .complete("city", async |State(all): State<Vec<String>>, typed: Typed| {
                    all.into_iter()
                        .filter(|city| city.starts_with(&typed.value))
                        .collect::<Vec<_>>()
                }),
        )
        .resource(Resource::new("report://{year}/{month}", "Report", async |month: Month| {
            format!("{}-{:02}", month.year, month.month)
        }))
        .build()
        .unwrap();
    let listed = ask(&app, None, MODERN, "prompts/list", json!({})).await.json();
    assert_eq!(
        listed["result"]["prompts"],
        json!([{ "name": "trip", "title": "A trip", "arguments": [
            { "name": "city", "description": "Where to", "required": true },
            { "name": "nights", "required": false },
        ] }])
    );
    let get = async |arguments: Value| {
        ask(&app, None, MODERN, "prompts/get", json!({ "name": "trip", "arguments": arguments }))
            .await
            .json()
    };
    let trip = get(json!({ "city": "Bern", "nights": "3" })).await;
    assert_eq!(trip["result"]["messages"][0]["content"]["text"], "Bern Some(3)");
    let wrong = get(json!({ "nights": "many" })).await;
    assert_eq!(wrong["error"]["code"], -32602);
    let message = wrong["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("/city: is required, but missing") && message.contains("/nights"),
        "{message}"
    );
    let read = async |uri: &str| {
        ask(&app, None, MODERN, "resources/read", json!({ "uri": uri })).await.json()
    };
    assert_eq!(read("report://2026/7").await["result"]["contents"][0]["text"], "2026-07");
    assert_eq!(read("report://2026/x").await["error"]["code"], -32602);
    let complete = json!({
        "ref": { "type": "ref/prompt", "name": "trip" },
        "argument": { "name": "city", "value": "Be" },
    });
    let offered = ask(&app, None, MODERN, "completion/complete", complete).await.json();
    assert_eq!(
        offered["result"]["completion"],
        json!({ "values": ["Bern"], "total": 1, "hasMore": false })
    );
}

#[test]
fn wiring_mistakes_are_found_by_build() {
    let error = App::new("tests", "1.0.0")
        .state(7_u8)
        .state(8_u8)
        .tool(Tool::new("a", async |State(_): State<u16>| "x"))
        .tool(Tool::new("b", async |_: Caller| "x"))
        .tool(Tool::new("c", async || "x").scope("s"))
        .tool(Tool::new("d", async || "x").scope("s").public())
        .widget_access("nowhere", Access::default().public())
        .prompt(Prompt::new("p", async || "x").complete("city", async |_: Typed| vec!["x"]))
        .resource(Resource::new("a://{b}", "A", async |_: Note| "x"))
        .build()
        .unwrap_err();
    for words in [
        "two states have the type u8",
        "tool a takes State<u16>, but the app has no such state",
        "tool b takes a Caller, but the app has no authentication",
        "tool c requires a scope, but the app has no authentication",
        "tool d is both public and requires a scope",
        "widget_access: unknown widget nowhere",
        "prompt p: completions for an unknown argument city",
        "resource \"a://{b}\": the URI has no {text}",
    ] {
        assert!(error.to_string().contains(words), "{words}: {error}");
    }
    let weak = App::new("tests", "1.0.0").auth(BearerKeys::new().key("x", Caller::new("ada")));
    assert!(weak.build().unwrap_err().to_string().contains("must have at least 16 bytes"));
}

/// The gallery is no way around the rules: it calls as the local caller, from this machine alone.
#[tokio::test]
async fn the_gallery_keeps_the_rules() {
    use widgetcast::Settings;
    use widgetcast::http::RemoteAddr;
    let app = |local: Option<Caller>| {
        let app = App::new("tests", "1.0.0")
            .auth(BearerKeys::new())
            .settings(Settings::default().gallery(true).allowed_hosts(["shop.example.com"]))
            .tool(Tool::new("me", async |caller: Caller| caller.subject().to_owned()))
            .tool(Tool::new("wipe", async || "wiped").scope("admin").hidden())
            .tool(Tool::new("close", async || "closed").scope("admin"));
        match local {
            Some(local) => app.local_caller(local).build().unwrap(),
            None => app.build().unwrap(),
        }
    };
    let ask = async |app: &App, from: [u8; 4], tool: Option<&str>| {
        let host = if from == [127, 0, 0, 1] { "localhost" } else { "shop.example.com" };
        let (method, path) = match tool {
            Some(_) => ("POST", "/gallery/draw"),
            None => ("GET", "/gallery/index.json"),
        };
        let body = tool.map(|tool| json!({ "tool": tool, "arguments": {} }).to_string());
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", host)
            .header("content-type", "application/json")
            .extension(RemoteAddr((from, 7).into()))
            .body(Full::new(Bytes::from(body.unwrap_or_default())));
        send(&app.service(), request.unwrap()).await
    };
    const HERE: [u8; 4] = [127, 0, 0, 1];
    const THERE: [u8; 4] = [192, 0, 2, 7];
    let known = app(Some(Caller::new("local")));
    let index = ask(&known, HERE, None).await.json();
    let names: Vec<&Value> =
        index["tools"].as_array().unwrap().iter().map(|t| &t["name"]).collect();
    assert_eq!(names, ["close", "me"]);
    assert!(ask(&known, HERE, Some("me")).await.text.contains("local"));
    for (tool, words) in [("close", "missing scope admin"), ("wipe", "Unknown tool: wipe")] {
        let refused = ask(&known, HERE, Some(tool)).await;
        assert!(refused.status.is_client_error(), "{tool}: {}", refused.text);
        assert!(refused.text.contains(words), "{}", refused.text);
    }
    let mut foreign = Request::get("/gallery/index.json").header("host", "localhost:8000");
    foreign =
        foreign.header("origin", "http://localhost:5173").extension(RemoteAddr((HERE, 7).into()));
    let foreign = foreign.body(Full::new(Bytes::new())).unwrap();
    assert_eq!(send(&known.service(), foreign).await.status, StatusCode::NOT_FOUND);
    // Its page calls tools and reads views over MCP, with no credentials; other programs need theirs.
    let over_mcp = async |from: [u8; 4], origin: Option<&str>| {
        let mut request = request(MODERN, "tools/call", json!({ "name": "me", "arguments": {} }));
        request.headers_mut().insert("host", "localhost:8000".parse().unwrap());
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", origin.parse().unwrap());
        }
        request.extensions_mut().insert(RemoteAddr((from, 7).into()));
        send(&known.service(), request).await
    };
    assert_eq!(words(&over_mcp(HERE, Some("http://localhost:8000")).await), "local");
    for (from, origin) in [
        (HERE, None),
        (HERE, Some("http://localhost:5173")),
        (THERE, Some("http://localhost:8000")),
    ] {
        let status = over_mcp(from, origin).await.status;
        assert_eq!(status, StatusCode::UNAUTHORIZED, "{from:?} {origin:?}");
    }
    for (app, from) in [(&known, THERE), (&app(None), HERE), (&app(None), THERE)] {
        for tool in [None, Some("me"), Some("wipe")] {
            let answer = ask(app, from, tool).await;
            assert_eq!(answer.status, StatusCode::NOT_FOUND, "{tool:?}: {}", answer.text);
        }
    }
}

/// What is known about a widget is for those who may call the tool that shows it.
#[tokio::test]
async fn the_widget_of_a_hidden_tool_is_hidden_too() {
    let app = App::new("tests", "1.0.0")
        .auth(BearerKeys::new())
        .catalog(Catalog::from_static(&[GREETING]))
        .tool(
            Tool::new("refund", async || widgetcast::Outcome::new().data(json!({ "name": "x" })))
                .widget("greeting")
                .scope("admin")
                .hidden(),
        )
        .build()
        .unwrap();
    let uri = "widget://greeting/schema";
    let (ada, bob) = (app.test().as_caller("ada", ["admin"]), app.test().as_caller("bob", []));
    assert!(ada.read(uri).await.unwrap().contains("name"));
    assert_eq!(bob.read(uri).await.unwrap_err().to_string(), format!("Resource not found: {uri}"));
    let lists = async |client: &widgetcast::test::Client| {
        client.resources().await.unwrap().iter().any(|one| one["uri"] == uri)
    };
    assert!(lists(&ada).await && !lists(&bob).await);
}

/// Nothing about hidden things can be learned by asking in an odd way.
#[tokio::test]
async fn odd_requests_learn_nothing() {
    let app = app();
    for key in [Some(BOB), None] {
        // A widget has one name; others that would find it are not looked at.
        for uri in ["widget://Greeting/schema", "widget://GREETING/schema"] {
            let answer = ask(&app, key, MODERN, "resources/read", json!({ "uri": uri })).await;
            assert_eq!(answer.json()["error"]["message"], format!("Resource not found: {uri}"));
        }
        for (method, kind) in [("tools/call", "tool"), ("prompts/get", "prompt")] {
            let hidden = if kind == "tool" { "secret" } else { "plan" };
            if kind == "prompt" && key.is_some() {
                continue;
            }
            for name in [hidden, "nothing_like_it"] {
                let sent = json!({ "name": name, "arguments": [] });
                let answer = ask(&app, key, MODERN, method, sent).await.json();
                assert_eq!(answer["error"]["message"], format!("Unknown {kind}: {name}"));
            }
        }
    }
    // Where no one is let in without a key, what is hidden and what is not there are refused alike.
    let closed = App::new("tests", "1.0.0")
        .auth(BearerKeys::new())
        .tool(Tool::new("wipe", async || "wiped").scope("admin").hidden())
        .build()
        .unwrap();
    for name in ["wipe", "nothing_like_it"] {
        let refused = call(&closed, None, name, json!({})).await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{name}");
    }
}

/// Knowing the id of another's instance, and who it is, leads to nothing.
#[tokio::test]
async fn the_key_of_an_instance_is_no_id() {
    let app = App::new("tests", "1.0.0")
        .auth(BearerKeys::new())
        .catalog(Catalog::from_static(&[GREETING]))
        .widget_access("greeting", Access::default().public())
        .store(Spy::default())
        .build()
        .unwrap();
    let ada = app.test().as_caller("ada", []);
    ada.call("greeting", json!({ "name": "Eve" })).await.unwrap();
    let key = KEYS.lock().unwrap().last().unwrap().clone();
    assert!(key.starts_with('/'), "{key}");
    for id in [key.as_str(), key.trim_start_matches('/')] {
        let read = app.test().read(&format!("ui://widgets/greeting/{id}")).await;
        assert!(read.is_err(), "{read:?}");
    }
}

static KEYS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// A store that tells the keys of what it keeps.
#[derive(Default)]
struct Spy(widgetcast::store::MemoryStore);

impl widgetcast::store::Store for Spy {
    fn put(&self, entry: widgetcast::store::Entry<'_>) -> widgetcast::store::StoreFuture<()> {
        KEYS.lock().unwrap().push(entry.id.to_owned());
        self.0.put(entry)
    }

    fn get(
        &self,
        kind: widgetcast::store::EntryKind,
        id: &str,
    ) -> widgetcast::store::StoreFuture<Option<widgetcast::store::Stored>> {
        self.0.get(kind, id)
    }
}

/// Names that no tool has are not counted, whatever a guard says of them.
#[tokio::test]
async fn refused_names_leave_no_trace() {
    let app = App::new("tests", "1.0.0")
        .tool(Tool::new("known", async || "x"))
        .guard(async |_: Incoming| Err(Refusal::error("closed")))
        .build()
        .unwrap();
    for name in ["known", "never_heard_of"] {
        assert_eq!(words(&call(&app, None, name, json!({})).await), "closed");
    }
    let metrics = Request::get("http://localhost/metrics").body(Full::new(Bytes::new())).unwrap();
    let metrics = send(&app.service(), metrics).await.text;
    assert!(metrics.contains("known") && !metrics.contains("never_heard_of"), "{metrics}");
}

/// A handler of a resource has the time of a tool, and its panic is its own.
#[tokio::test(start_paused = true)]
async fn resources_end_in_time() {
    let settings = widgetcast::Settings::default();
    let app = App::new("tests", "1.0.0")
        .settings(settings.call_timeout(std::time::Duration::from_millis(50)))
        .resource(Resource::new("slow://x", "Slow", async || {
            std::future::pending::<()>().await;
            "never"
        }))
        .resource(Resource::new("panics://x", "Panics", async || -> String {
            tokio::task::yield_now().await;
            panic!("on purpose")
        }))
        .build()
        .unwrap();
    let read = async |uri: &str| app.test().read(uri).await.unwrap_err().to_string();
    assert_eq!(read("slow://x").await, "timed out");
    assert!(read("panics://x").await.starts_with("failed (id "));
}

/// The first words on a stream, after a change of each resource was announced.
async fn told(app: &App, key: &str, request: Request<Full<Bytes>>) -> String {
    let response = app.service().oneshot(with_key(request, Some(key))).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    let mut body = response.into_body();
    for uri in ["notes://1", "closed://1", "open://1"] {
        app.announce(Change::Resource(uri.into()));
    }
    // The changes come in their order, so after the last one all have been told.
    let is_last = |event: &str| event.contains("resources/updated") && event.contains("open://1");
    let mut text = String::new();
    while !text.split("\n\n").any(is_last) {
        let frame = tokio::time::timeout(Duration::from_secs(60), body.frame()).await;
        let frame = frame.unwrap_or_else(|_| panic!("nothing more after {text}")).unwrap().unwrap();
        text.push_str(&String::from_utf8_lossy(frame.data_ref().unwrap()));
    }
    text
}

/// Who may not read a resource is not told that it has changed.
#[tokio::test]
async fn changes_are_told_to_those_who_may_read() {
    let app = app();
    let listen = || {
        let uris = json!({ "resourceSubscriptions": ["notes://1", "closed://1", "open://1"] });
        request(MODERN, "subscriptions/listen", json!({ "notifications": uris }))
    };
    let events = || {
        let get = Request::get("http://localhost/mcp").header("accept", "text/event-stream");
        get.body(Full::new(Bytes::new())).unwrap()
    };
    for make in [&listen as &dyn Fn() -> _, &events] {
        assert!(told(&app, ADA, make()).await.contains("closed://1"));
        let bob = told(&app, BOB, make()).await;
        assert!(!bob.contains("notes://1") && !bob.contains("closed://1"), "{bob}");
    }
    // Of the addresses of a template only those are told that were asked about.
    assert!(told(&app, ADA, listen()).await.contains("notes://1"));
    assert!(!told(&app, ADA, events()).await.contains("notes://1"));
}

/// Who was proven until a time is not told of changes after it; a subscription ends with its result.
#[tokio::test(start_paused = true)]
async fn streams_end_when_the_proof_of_their_caller_expires() {
    let wanted = json!({ "notifications": { "toolsListChanged": true } });
    let listen = request(MODERN, "subscriptions/listen", wanted);
    let get = Request::get("http://localhost/mcp").header("accept", "text/event-stream");
    let get = get.body(Full::new(Bytes::new())).unwrap();
    for (request, first, last) in [
        (listen, "notifications/subscriptions/acknowledged", "\"result\""),
        (get, "tools/list_changed", "tools/list_changed"),
    ] {
        let ada = Caller::new("ada").valid_until(SystemTime::now() + Duration::from_secs(3600));
        let app = App::new("tests", "1.0.0").auth(BearerKeys::new().key(ADA, ada)).build().unwrap();
        let response = app.service().oneshot(with_key(request, Some(ADA))).await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        app.announce(Change::Tools);
        let all = tokio::time::timeout(Duration::from_secs(7200), response.into_body().collect());
        let all = all.await.expect("the stream ends").unwrap().to_bytes();
        let all = String::from_utf8_lossy(&all);
        assert!(all.contains(first) && all.contains(last), "{all}");
    }
}

/// A long answer may call on behalf of someone whose proof has expired meanwhile.
#[tokio::test]
async fn nobody_calls_with_an_expired_proof() {
    let app = App::new("tests", "1.0.0").tool(Tool::new("whoami", whoami)).build().unwrap();
    let call = |caller: Caller| {
        let request = request(MODERN, "tools/call", json!({ "name": "whoami" }));
        app.handle_as(Some(caller), Peer::LOCAL, request)
    };
    let now = SystemTime::now();
    let soon = Caller::new("ada").valid_until(now + Duration::from_secs(600));
    assert_eq!(call(soon).await.status(), StatusCode::OK);
    let late = Caller::new("ada").valid_until(now - Duration::from_secs(1));
    assert_eq!(call(late).await.status(), StatusCode::UNAUTHORIZED);
}

/// The metrics name every tool.
#[tokio::test]
async fn metrics_need_a_token_where_callers_are_proven() {
    let get = |key| {
        let get = Request::get("http://localhost/metrics").body(Full::new(Bytes::new())).unwrap();
        with_key(get, key)
    };
    assert_eq!(send(&app().service(), get(None)).await.status, StatusCode::NOT_FOUND);
    assert_eq!(send(&app().service(), get(Some(ADA))).await.status, StatusCode::NOT_FOUND);
    let mut settings = Settings::default();
    settings.metrics_token = Some("a token".into());
    let keys = BearerKeys::new().key(ADA, Caller::new("ada"));
    let app = App::new("tests", "1.0.0").auth(keys).settings(settings).build().unwrap();
    assert_eq!(send(&app.service(), get(None)).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(send(&app.service(), get(Some("a token"))).await.status, StatusCode::OK);
}

/// A page is for those who may call a tool that shows it.
#[tokio::test]
async fn the_page_of_a_hidden_tool_is_hidden_too() {
    let keys =
        BearerKeys::new().key(ADA, Caller::new("ada").scope("admin")).key(BOB, Caller::new("bob"));
    let data = async || Data(Notes { notes: Vec::new() });
    let app = App::new("tests", "1.0.0")
        .auth(keys)
        .page(Page::inline("secret", "<p>secret</p>"))
        .page(Page::inline("shared", "<p>shared</p>"))
        .tool(Tool::new("wipe", data).page("secret").scope("admin").hidden())
        .tool(Tool::new("more", data).page("shared").scope("admin").hidden())
        .tool(Tool::new("less", data).page("shared"))
        .build()
        .unwrap();
    let listed = async |key| {
        let listed = ask(&app, Some(key), MODERN, "resources/list", json!({})).await.json();
        let all = listed["result"]["resources"].as_array().unwrap().clone();
        all.iter().map(|one| one["uri"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let ada = listed(ADA).await;
    let page = |of: &str| ada.iter().find(|uri| uri.contains(of)).unwrap().clone();
    let (secret, shared) = (page("secret"), page("shared"));
    assert!(!listed(BOB).await.contains(&secret));
    assert!(listed(BOB).await.contains(&shared));
    let read = async |key, uri: &str| {
        ask(&app, Some(key), MODERN, "resources/read", json!({ "uri": uri })).await.json()
    };
    assert!(read(ADA, &secret).await["result"].is_object());
    assert!(read(BOB, &shared).await["result"].is_object());
    let hidden = read(BOB, &secret).await;
    assert_eq!(hidden["error"]["message"], format!("Resource not found: {secret}"));
}

#[tokio::test]
async fn guards_know_what_is_completed_and_which_task() {
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let kept = Arc::clone(&seen);
    let app = App::new("tests", "1.0.0")
        .guard(move |incoming: Incoming| {
            let target = incoming.target().unwrap_or("nothing");
            kept.lock().unwrap().push(format!("{} {target}", incoming.method()));
            std::future::ready(Ok(()))
        })
        .prompt(Prompt::new("plan", async || "plan"))
        .build()
        .unwrap();
    let argument = json!({ "name": "a", "value": "" });
    for of in [
        json!({ "type": "ref/prompt", "name": "plan" }),
        json!({ "type": "ref/resource", "uri": "x://y" }),
    ] {
        let sent = json!({ "ref": of, "argument": argument });
        ask(&app, None, MODERN, "completion/complete", sent).await;
    }
    let mut task = request(MODERN, "tasks/get", json!({ "taskId": "t1" }));
    task.headers_mut().insert("mcp-name", "t1".parse().unwrap());
    send(&app.service(), task).await;
    let seen = seen.lock().unwrap().clone();
    assert_eq!(seen, ["completion/complete plan", "completion/complete x://y", "tasks/get t1"]);
}

/// Knows a caller by its name, and where to get a name.
struct Named(&'static str);

impl widgetcast::auth::Authenticate for Named {
    async fn authenticate(
        &self,
        request: &http::request::Parts,
    ) -> Result<Option<Caller>, Refusal> {
        let name = widgetcast::auth::bearer_token(request);
        name.map(|name| name.map(Caller::new))
    }

    fn resource_metadata(&self) -> Option<Value> {
        Some(json!({ "resource": self.0, "authorization_servers": ["https://login.example.com"] }))
    }
}

fn protected_app(resource: &'static str) -> App {
    App::new("tests", "1.0.0")
        .auth(Named(resource))
        .catalog(Catalog::from_static(&[GREETING]))
        .widget_access("greeting", Access::default().public())
        .tool(Tool::new("me", async |caller: Caller| caller.subject().to_owned()))
        .tool(Tool::new("note", async || "noted").scope("notes:write").scope("notes:read"))
        .tool(Tool::new("secret", async || "s").scope("secret").hidden())
        .tool(Tool::new("token", async |headers: Headers| {
            headers.0.contains_key("authorization").to_string()
        }))
        .settings(widgetcast::Settings::default().openai_challenge("proof of the domain"))
        .build()
        .unwrap()
}

async fn get(app: &App, path: &str) -> Answer {
    send(&app.service(), Request::get(path).body(Full::default()).unwrap()).await
}

const METADATA: &str = "https://a.example/.well-known/oauth-protected-resource/mcp";

#[tokio::test]
async fn clients_are_told_how_to_get_a_token() {
    let app = protected_app("https://a.example/mcp");
    for path in ["", "/mcp", "/mcp/"] {
        let found = get(&app, &format!("/.well-known/oauth-protected-resource{path}")).await;
        assert_eq!(found.status, StatusCode::OK);
        assert_eq!(found.headers["content-type"], "application/json");
        let wanted = json!({
            "resource": "https://a.example/mcp",
            "authorization_servers": ["https://login.example.com"],
            "scopes_supported": ["notes:read", "notes:write"],
        });
        assert_eq!(found.json(), wanted);
    }
    let other = get(&app, "/.well-known/oauth-protected-resource/other").await;
    assert_eq!(other.status, StatusCode::NOT_FOUND);
    let without = get(&self::app(), "/.well-known/oauth-protected-resource").await;
    assert_eq!(without.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_domain_is_proven() {
    let proof = "/.well-known/openai-apps-challenge";
    let found = get(&protected_app("https://a.example/mcp"), proof).await;
    assert_eq!((found.status, found.text.clone()), (StatusCode::OK, "proof of the domain".into()));
    assert_eq!(found.headers["content-type"], "text/plain; charset=utf-8");
    assert_eq!(get(&app(), proof).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn challenges_say_what_is_needed_and_where_to_get_it() {
    let app = protected_app("https://a.example/mcp");
    for (caller, tool, status, wanted) in [
        (None, "me", StatusCode::UNAUTHORIZED, format!(r#"Bearer resource_metadata="{METADATA}""#)),
        (
            None,
            "note",
            StatusCode::UNAUTHORIZED,
            format!(r#"Bearer scope="notes:write notes:read", resource_metadata="{METADATA}""#),
        ),
        (
            Some("ada"),
            "note",
            StatusCode::FORBIDDEN,
            format!(
                r#"Bearer error="insufficient_scope", error_description="missing scopes notes:write, notes:read", scope="notes:write notes:read", resource_metadata="{METADATA}""#
            ),
        ),
    ] {
        let refused = call(&app, caller, tool, json!({})).await;
        assert_eq!(refused.status, status, "{tool}");
        assert_eq!(refused.headers["www-authenticate"], wanted);
    }
    assert_eq!(call(&app, None, "greeting", json!({ "name": "x" })).await.status, StatusCode::OK);
    assert_eq!(words(&call(&app, Some("ada"), "token", json!({})).await), "false");
}

/// ChatGPT looks for the challenge in the result of the call; others at the status.
#[tokio::test]
async fn chatgpt_is_challenged_in_the_result() {
    let app = protected_app("https://a.example/mcp");
    let sent = |client: &str| {
        json!({ "name": "note", "arguments": {}, "_meta": {
            "io.modelcontextprotocol/clientInfo": { "name": client, "version": "1" },
        } })
    };
    for (caller, error) in [(None, "authentication required"), (Some("ada"), "missing scopes")] {
        let chatgpt = ask(&app, caller, MODERN, "tools/call", sent("openai-mcp")).await;
        assert_eq!(chatgpt.status, StatusCode::OK);
        let result = &chatgpt.json()["result"];
        assert_eq!(result["isError"], true);
        let challenge = result["_meta"]["mcp/www_authenticate"][0].as_str().unwrap().to_owned();
        let start = r#"Bearer error="insufficient_scope", error_description=""#;
        assert!(challenge.starts_with(&format!("{start}{error}")), "{challenge}");
        assert!(challenge.ends_with(&format!(r#"resource_metadata="{METADATA}""#)), "{challenge}");
        let claude = ask(&app, caller, MODERN, "tools/call", sent("claude-ai")).await;
        assert!(claude.status.is_client_error());
    }
    // There is nowhere to get a key.
    let keys = ask(&self::app(), None, MODERN, "tools/call", sent("openai-mcp")).await;
    assert_eq!(keys.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn lists_say_what_each_tool_needs() {
    let listed =
        ask(&protected_app("https://a.example/mcp"), None, MODERN, "tools/list", json!({})).await;
    let tools = listed.json()["result"]["tools"].clone();
    let schemes = |name: &str| {
        let tool = tools.as_array().unwrap().iter().find(|tool| tool["name"] == name).unwrap();
        assert_eq!(tool["_meta"]["securitySchemes"], tool["securitySchemes"]);
        tool["securitySchemes"].clone()
    };
    assert_eq!(schemes("me"), json!([{ "type": "oauth2", "scopes": [] }]));
    let scopes = json!(["notes:write", "notes:read"]);
    assert_eq!(schemes("note"), json!([{ "type": "oauth2", "scopes": scopes }]));
    let public = json!([{ "type": "noauth" }, { "type": "oauth2", "scopes": [] }]);
    assert_eq!(schemes("greeting"), public);
    let keys = ask(&app(), Some(ADA), MODERN, "tools/list", json!({})).await;
    assert!(!keys.text.contains("securitySchemes"));
}

/// A challenge must not tell that something hidden exists, nor what it needs.
#[tokio::test]
async fn challenges_tell_nothing_of_what_is_hidden() {
    let app = App::new("tests", "1.0.0")
        .auth(Named("https://a.example/mcp"))
        .tool(Tool::new("secret", async || "s").scope("secret").hidden())
        .build()
        .unwrap();
    let challenge = async |tool: &str| {
        let refused = call(&app, None, tool, json!({})).await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
        (refused.headers["www-authenticate"].clone(), refused.text)
    };
    assert_eq!(challenge("secret").await, challenge("nothing").await);
}
