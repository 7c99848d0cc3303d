//! Calls: typed tools, their parts, their context, their failures, and what is told about them.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use widgetcast::middleware::{Call, Next};
use widgetcast::{
    App, Content, Ctx, Data, Event, Outcome, Page, Settings, Tool, ToolError, Visibility,
};

use crate::talk::{ERAS, GREETING, MODERN, ask, call, greeting, request, send, send_raw, text};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Who {
    name: String,
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Greeted {
    name: String,
}

fn app() -> App {
    let hello = |who: Who| async move {
        if who.name == "nobody" {
            return Err(ToolError::public("name somebody"));
        }
        Ok((format!("Hello {}!", who.name), Data(Greeted { name: who.name })))
    };
    App::new("tests", "1.0.0")
        .catalog(widgetcast::Catalog::from_static(&[GREETING]))
        .page(Page::inline("chart", "<!doctype html><p>chart").border(true))
        .tool(Tool::new("hello", hello).widget("greeting").description("Greets").read_only())
        .tool(
            Tool::new("chart", |who: Who| async move { Data(Greeted { name: who.name }) })
                .page("chart"),
        )
        .tool(
            Tool::new("plain", || async { Data(json!({ "n": 1 })) })
                .output_schema(json!({ "type": "object", "required": ["n"] })),
        )
        .tool(
            Tool::new("wrong", || async { Data(json!({})) })
                .output_schema(json!({ "type": "object", "required": ["n"] })),
        )
        .tool(Tool::new("quiet", || async {}))
        .tool(Tool::new("parts", || async {
            Outcome::new()
                .text("main")
                .content(Content::Image { bytes: vec![1, 2], mime: "image/png".into() })
                .content(Content::Link { uri: "a://b".into(), name: "b".into(), mime: None })
                .meta("mine/key", 7)
        }))
        .tool(Tool::new("panics", || async {
            if std::env::var_os("NEVER").is_none() {
                panic!("by accident");
            }
        }))
        .tool(Tool::new("panics_at_once", || {
            let never = std::env::var_os("NEVER").is_some();
            assert!(never, "by accident");
            async {}
        }))
        .tool(Tool::new("io", || async {
            std::fs::read_to_string("no/such/file").map_err(ToolError::from)
        }))
        .tool(
            Tool::new("slow", || async {
                tokio::time::sleep(Duration::from_secs(3600)).await;
            })
            .timeout(Duration::from_secs(1)),
        )
        .tool(
            Tool::new("about", |ctx: Ctx, _: Value| async move {
                Data(json!({
                    "locale": ctx.locale(), "agent": ctx.user_agent(), "place": ctx.location(),
                    "subject": ctx.subject(), "client": ctx.client().map(|client| &client.name),
                    "can": ctx.capabilities(), "own": ctx.meta("mine/x"), "tool": ctx.name(),
                }))
            })
            .input_schema(json!({ "type": "object" }))
            .output_schema(json!({ "type": "object" }))
            .visibility(Visibility::App),
        )
        .build()
        .unwrap()
}

#[tokio::test]
async fn a_typed_tool_shows_a_widget() {
    let app = app();
    for era in ERAS {
        let result = call(&app, era, "hello", json!({ "name": "Ada" })).await;
        assert_eq!(text(&result), "Hello Ada!");
        assert_eq!(result["structuredContent"], json!({ "name": "Ada" }));
        let view = &result["_meta"]["widgetcast/view"];
        assert_eq!(view["tree"]["children"][0]["value"], "Hello Ada");
        assert_eq!(result["isError"], false);
        assert_eq!(result.get("resultType").is_some(), era == MODERN);
    }
}

#[tokio::test]
async fn a_widget_that_a_tool_shows_is_not_a_tool_by_itself() {
    let list = ask(&app(), MODERN, "tools/list", json!({})).await;
    let names: Vec<&str> = list["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    assert_eq!(names, sorted, "the order is fixed");
    assert!(!names.contains(&"greeting"), "{names:?}");
    let answer = ask(&app(), MODERN, "tools/call", json!({ "name": "greeting" })).await;
    assert_eq!(answer["error"]["code"], -32602);
}

#[tokio::test]
async fn parts_of_a_result() {
    let app = app();
    let result = call(&app, MODERN, "parts", json!({})).await;
    assert_eq!(text(&result), "main");
    assert_eq!(
        result["content"][1],
        json!({ "type": "image", "data": "AQI=", "mimeType": "image/png" })
    );
    assert_eq!(result["content"][2]["type"], "resource_link");
    assert_eq!(result["_meta"]["mine/key"], 7);

    let result = call(&app, MODERN, "plain", json!({})).await;
    assert_eq!(result["structuredContent"], json!({ "n": 1 }));
    assert_eq!(serde_json::from_str::<Value>(text(&result)).unwrap(), json!({ "n": 1 }));
    // Every result carries some text.
    assert_eq!(text(&call(&app, MODERN, "quiet", json!({})).await), "Done.");

    let result = call(&app, MODERN, "chart", json!({ "name": "x" })).await;
    let uri = result["_meta"]["ui"]["resourceUri"].as_str().unwrap();
    assert!(uri.starts_with("ui://widgetcast/chart-"), "{uri}");
}

#[tokio::test]
async fn failures_are_results_that_the_model_can_read() {
    let app = app();
    for (tool, arguments, words) in [
        ("hello", json!({ "name": "nobody" }), "name somebody"),
        ("hello", json!({ "name": 7 }), "/name: must be a string, not 7"),
        ("hello", json!({}), "/name: is required, but missing"),
        ("wrong", json!({}), "does not match its output schema"),
        ("panics", json!({}), "failed (id "),
        ("panics_at_once", json!({}), "failed (id "),
        ("io", json!({}), "failed (id "),
        ("slow", json!({}), "timed out after 1 seconds"),
    ] {
        let result = call(&app, MODERN, tool, arguments).await;
        assert_eq!(result["isError"], true, "{tool}");
        assert!(text(&result).contains(words), "{tool}: {}", text(&result));
    }
    // And the app goes on.
    assert_eq!(call(&app, MODERN, "hello", json!({ "name": "Eve" })).await["isError"], false);
}

/// What a handler says may be as long as what it has read; it is cut between two characters.
#[tokio::test]
async fn long_words_of_a_failure_are_cut() {
    let fail = || async { Err::<String, _>(ToolError::public(format!("x{}", "ä".repeat(5_000)))) };
    let app = App::new("tests", "1.0.0").tool(Tool::new("fail", fail)).build().unwrap();
    let result = call(&app, MODERN, "fail", json!({})).await;
    assert_eq!(text(&result), format!("x{}", "ä".repeat(4_095)));
}

#[tokio::test]
async fn only_names_of_tools_are_suggested_and_long_ones_are_not_repeated() {
    let app = app();
    let message = async |name: &str| {
        let answer = ask(&app, MODERN, "tools/call", json!({ "name": name })).await;
        answer["error"]["message"].as_str().unwrap().to_owned()
    };
    assert_eq!(message("helo").await, "Unknown tool: helo; did you mean hello?");
    // The widget of a tool is none by itself.
    assert_eq!(message("greetin").await, "Unknown tool: greetin");
    let long = "x".repeat(128);
    assert_eq!(message(&long).await, format!("Unknown tool: {long}"));
    for length in [129, 1000] {
        let words = "Unknown tool: the name is longer than any tool's";
        assert_eq!(message(&"x".repeat(length)).await, words, "{length}");
    }
}

/// Slack calls what is behind `tool:` in the id of a button, and ids are unique in a block.
#[tokio::test]
async fn the_number_of_a_button_is_no_part_of_the_tool() {
    let app =
        App::new("tests", "1.0.0").tool(Tool::new("hello", || async { "Hello!" })).build().unwrap();
    for era in ERAS {
        assert_eq!(text(&call(&app, era, "hello#2", json!({})).await), "Hello!");
    }
    for (name, said) in [("hello#", "hello#"), ("hello#x", "hello#x"), ("none#2", "none")] {
        let answer = ask(&app, MODERN, "tools/call", json!({ "name": name })).await;
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.starts_with(&format!("Unknown tool: {said}")), "{message}");
    }
}

#[tokio::test]
async fn the_context_says_who_asks() {
    let sent = json!({ "name": "about", "arguments": {}, "_meta": {
        "openai/locale": "de-CH", "openai/userAgent": "ChatGPT/1", "openai/subject": "v1/abc",
        "openai/userLocation": { "city": "Bern" }, "mine/x": [1],
        "io.modelcontextprotocol/clientInfo": { "name": "chatgpt", "version": "2" },
        "io.modelcontextprotocol/clientCapabilities": { "extensions": { "a/b": {} } },
    }});
    let data = &ask(&app(), MODERN, "tools/call", sent).await["result"]["structuredContent"];
    assert_eq!(data["locale"], "de-CH");
    assert_eq!(data["agent"], "ChatGPT/1");
    assert_eq!(data["place"]["city"], "Bern");
    assert_eq!(data["subject"], "v1/abc");
    assert_eq!(data["client"], "chatgpt");
    assert_eq!(data["can"]["extensions"]["a/b"], json!({}));
    assert_eq!(data["own"], json!([1]));
    assert_eq!(data["tool"], "about");
    let none = call(&app(), "2025-06-18", "about", json!({})).await;
    assert_eq!(none["structuredContent"]["locale"], Value::Null);
}

#[tokio::test]
async fn hooks_stand_around_every_call() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let hook = |name: &'static str| {
        let seen = Arc::clone(&seen);
        move |mut call: Call, next: Next| {
            let seen = Arc::clone(&seen);
            async move {
                seen.lock().unwrap().push(format!("{name} before {}", call.tool));
                if call.arguments["name"] == "intruder" {
                    return Err(ToolError::public("not you"));
                }
                call.arguments["name"] =
                    json!(format!("{} {name}", call.arguments["name"].as_str().unwrap()));
                let outcome = next.run(call).await?;
                seen.lock().unwrap().push(format!("{name} after"));
                Ok(outcome.meta(format!("hook/{name}"), true))
            }
        }
    };
    let app = App::new("tests", "1.0.0")
        .catalog(widgetcast::Catalog::from_static(&[GREETING]))
        .around(hook("outer"))
        .around(hook("inner"))
        .build()
        .unwrap();
    // A bare widget has hooks too.
    let result = call(&app, MODERN, "greeting", json!({ "name": "Ada" })).await;
    assert_eq!(text(&result), "## Hello Ada outer inner");
    assert_eq!(result["_meta"]["hook/outer"], true);
    assert_eq!(
        *seen.lock().unwrap(),
        ["outer before greeting", "inner before greeting", "inner after", "outer after"]
    );
    let result = call(&app, MODERN, "greeting", json!({ "name": "intruder" })).await;
    assert_eq!((text(&result), &result["isError"]), ("not you", &json!(true)));
}

#[tokio::test]
async fn events_are_told() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&heard);
    let app = App::new("tests", "1.0.0")
        .catalog(widgetcast::Catalog::from_static(&[GREETING]))
        .on_event(move |event: &Event<'_>| {
            log.lock().unwrap().push(match event {
                Event::Called { tool } => format!("called {tool}"),
                Event::Succeeded { tool, .. } => format!("succeeded {tool}"),
                Event::Failed { tool, error, .. } => format!("failed {tool}: {error:.20}"),
                _ => "else".into(),
            });
        })
        .build()
        .unwrap();
    call(&app, MODERN, "greeting", json!({ "name": "Ada" })).await;
    call(&app, MODERN, "greeting", json!({})).await;
    assert_eq!(
        *heard.lock().unwrap(),
        [
            "called greeting",
            "succeeded greeting",
            "called greeting",
            "failed greeting: the data does not ma"
        ]
    );
}

#[tokio::test]
async fn surfaces_are_chosen_by_what_this_request_says() {
    let app = greeting();
    let ask_as = |name: &str, can: Value| {
        let sent = json!({ "name": "greeting", "arguments": { "name": "Ada" }, "_meta": {
            "io.modelcontextprotocol/clientInfo": { "name": name, "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": can,
        }});
        let app = app.clone();
        async move { ask(&app, MODERN, "tools/call", sent).await["result"].clone() }
    };
    let plain = ask_as("cursor", json!({})).await;
    // Never withheld, and nothing that would cost tokens.
    assert!(plain["_meta"]["ui"]["resourceUri"].is_string());
    assert_eq!(plain["content"].as_array().unwrap().len(), 1);
    assert!(plain["_meta"].get("slack").is_none());

    let slack = ask_as(
        "slackbot",
        json!({ "extensions": { "io.slack/block-kit": {
        "mimeTypes": ["application/vnd.slack.blocks+json"] } } }),
    )
    .await;
    assert!(slack["_meta"]["slack"]["blocks"].is_array(), "{slack:#}");
    let chatkit = ask_as("my-chatkit-server", json!({})).await;
    assert_eq!(chatkit["content"][1]["resource"]["mimeType"], "application/vnd.ui.widget+json");
    let chatgpt = ask_as("openai-mcp", json!({})).await;
    assert!(chatgpt["_meta"]["openai/outputTemplate"].is_string(), "{chatgpt:#}");

    // What the address asks for goes before what the client says.
    let request = crate::talk::request(
        MODERN,
        "tools/call",
        json!({ "name": "greeting", "arguments": { "name": "Ada" } }),
    );
    let (mut parts, body) = request.into_parts();
    parts.uri = "http://localhost/mcp?surface=chatkit,slack-blocks".parse().unwrap();
    let answer = crate::talk::send(&app.service(), http::Request::from_parts(parts, body)).await;
    let result = &answer.json()["result"];
    assert_eq!(result["content"][1]["resource"]["mimeType"], "application/vnd.ui.widget+json");
    assert!(result["_meta"].get("widgetcast/view").is_none());
}

/// The model reads some rows and how many more there are; data and view keep all of them.
#[tokio::test]
async fn the_text_of_a_long_view_is_clipped() {
    const LIST: (&str, &str) = (
        "list.widget",
        r#"{"version":"1.0","name":"list","template":"{\"type\":\"ListView\",\"children\":[{%- set _c -%}{%-for row in rows -%},{\"type\":\"ListViewItem\",\"children\":[{\"type\":\"Text\",\"value\":{{ (row) | tojson }}}]}{%-endfor-%}{%- endset -%}{{- (_c[1:] if _c and _c[0] == ',' else _c) -}}]}","jsonSchema":{"type":"object","properties":{"rows":{"type":"array","items":{"type":"string"}}},"required":["rows"]}}"#,
    );
    const COPIED: (&str, &str) = (
        "copied.widget",
        r#"{"version":"1.0","name":"copied","template":"{\"type\":\"Card\",\"children\":[]}","copy_text":"{% for row in rows %}{{ row }}\n{% endfor %}","jsonSchema":{"type":"object","properties":{"rows":{"type":"array","items":{"type":"string"}}},"required":["rows"]}}"#,
    );
    let rows: Vec<String> = (0..5000).map(|row| format!("row number {row:04}")).collect();
    let catalog = || widgetcast::Catalog::from_static(&[LIST, COPIED]);
    let app = App::new("tests", "1.0.0").catalog(catalog()).build().unwrap();
    for (tool, width) in [("list", 18), ("copied", 16)] {
        let result = call(&app, MODERN, tool, json!({ "rows": rows })).await;
        let shown = (32 << 10) / width;
        let more =
            format!("… and {},{:03} more lines", (5000 - shown) / 1000, (5000 - shown) % 1000);
        assert!(
            text(&result).ends_with(&format!("{:04}\n\n{more}", shown - 1)),
            "{more}: {}",
            &text(&result)[32_000..]
        );
        if tool == "list" {
            let tree = &result["_meta"]["widgetcast/view"]["tree"];
            assert_eq!(tree["children"].as_array().map(Vec::len), Some(5000));
        }
    }
    let mut settings = Settings::default();
    settings.max_text_bytes = 1 << 20;
    let app = App::new("tests", "1.0.0").catalog(catalog()).settings(settings).build().unwrap();
    let result = call(&app, MODERN, "list", json!({ "rows": rows })).await;
    assert!(text(&result).ends_with("row number 4999"));
}

#[tokio::test]
async fn a_result_that_is_too_large_says_so() {
    let mut settings = Settings::default();
    settings.max_response_bytes = 100_000;
    let app = App::new("tests", "1.0.0")
        .tool(Tool::new("large", || async { "x".repeat(200_000) }))
        .settings(settings)
        .build()
        .unwrap();
    let result = call(&app, MODERN, "large", json!({})).await;
    assert!(text(&result).contains("exceeds the limit of 100000 bytes"), "{}", text(&result));
}

/// An id is one of data, not of spacing, escapes or the order of the other parameters.
#[tokio::test]
async fn the_layout_of_a_message_makes_no_other_id() {
    let app = greeting();
    let mut ids = Vec::new();
    for params in [
        r#"{"name":"greeting","arguments":{"name":"Zoë 1"}}"#,
        r#"{"arguments":{"name":"Zoë 1"},"name":"greeting"}"#,
        "{\n  \"name\" : \"greeting\",\n  \"arguments\" : {\n    \"name\" : \"Zoë 1\"\n  }\n}",
        r#"{"name":"greeting","arguments":{"name":"Zo\u00eb 1"}}"#,
        r#"{"name":"greeting","argu\u006dents":{"name":"Zoë 1"},"_meta":{}}"#,
    ] {
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
        let headers = [("content-type", "application/json"), ("accept", "application/json")];
        let answer = send_raw(&app.service(), &headers, &body).await.json();
        let uri = answer["result"]["_meta"]["widgetcast/view"]["uri"].as_str();
        ids.push(uri.unwrap_or_else(|| panic!("{params}: {answer}")).to_owned());
    }
    ids.dedup();
    assert_eq!(ids.len(), 1, "{ids:?}");
}

/// What a host sends that says nothing is as if it were not there.
#[tokio::test]
async fn a_language_is_a_language() {
    let app = App::new("tests", "1.0.0")
        .tool(Tool::new("about", async |ctx: Ctx| {
            Outcome::new().data(json!({ "locale": ctx.locale(), "place": ctx.location() }))
        }))
        .build()
        .unwrap();
    for (meta, header, wanted) in [
        (json!({}), "*", Value::Null),
        (json!({}), "*;q=0.5, de", json!("de")),
        (json!({}), "de-CH,de;q=0.9", json!("de-CH")),
        (json!({}), "en;q=0.3, fr; q=0.8, it;q=0", json!("fr")),
        (json!({}), "it;q=0", Value::Null),
        (json!({}), "it;q=x, de;q=0.1", json!("de")),
        (json!({ "openai/locale": "" }), "fr", json!("fr")),
        (json!({ "openai/locale": "it" }), "*", json!("it")),
        (json!({ "openai/userLocation": null }), "", Value::Null),
    ] {
        let sent = json!({ "name": "about", "_meta": meta });
        let mut request = request(MODERN, "tools/call", sent);
        request.headers_mut().insert("accept-language", header.parse().unwrap());
        let answer = send(&app.service(), request).await.json();
        assert_eq!(answer["result"]["structuredContent"]["locale"], wanted, "{meta} {header}");
        assert_eq!(answer["result"]["structuredContent"]["place"], Value::Null);
    }
}

/// A single request needs no `Host`: there is no server that it could be for.
#[tokio::test]
async fn a_single_request_needs_no_host() {
    let app = app();
    let initialize = json!({
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": { "name": "t", "version": "1" },
    });
    let with_progress = json!({
        "name": "hello", "arguments": { "name": "Eve" }, "_meta": { "progressToken": 1 },
    });
    for (method, sent, member) in [
        ("initialize", initialize, "result"),
        ("tools/call", with_progress, "result"),
        ("no/such/method", json!({}), "error"),
    ] {
        let mut request = request("2025-11-25", method, sent);
        *request.uri_mut() = "/mcp".parse().unwrap();
        let answer = send(&app.service(), request).await;
        assert!(answer.json()[member].is_object(), "{method}: {}", answer.text);
    }
}
