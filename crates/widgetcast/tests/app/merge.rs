//! Apps made of apps, hooks of single tools, and what types say of tools.

use std::sync::{Arc, Mutex};

use serde_json::json;
use widgetcast::Catalog;
use widgetcast::middleware::{Call, Next};
use widgetcast::{App, Builder, Data, Prompt, Tool, ToolResult};

use crate::stdio::Client;
use crate::talk::{GREETING, MODERN, request, send};

/// A hook that notes its name before and after the call.
fn noting(
    name: &'static str,
    notes: &Arc<Mutex<Vec<String>>>,
) -> impl Fn(Call, Next) -> futures_util::future::BoxFuture<'static, ToolResult> + Send + Sync + 'static
{
    let notes = Arc::clone(notes);
    move |call, next| {
        let notes = Arc::clone(&notes);
        Box::pin(async move {
            notes.lock().unwrap().push(format!("{name} before {}", call.tool));
            let outcome = next.run(call).await;
            notes.lock().unwrap().push(format!("{name} after"));
            outcome
        })
    }
}

fn hello(name: &str) -> Tool {
    Tool::new(name, async || "hello")
}

/// Hooks of the app are outside those of a merged app, and those outside the tool's own.
#[tokio::test]
async fn hooks_stay_around_what_they_were_given_to() {
    let notes = Arc::default();
    let other = App::new("other", "1.0.0")
        .around(noting("other", &notes))
        .tool(hello("merged").around(noting("tool", &notes)))
        .prompt(Prompt::new("plan", async || "words"));
    let app = App::new("tests", "1.0.0")
        .around(noting("app", &notes))
        .tool(hello("own"))
        .merge(other)
        .build()
        .unwrap();
    let client = app.test();
    let called = async |tool: &str| {
        assert_eq!(client.call(tool, json!({})).await.unwrap().text(), "hello");
        std::mem::take(&mut *notes.lock().unwrap())
    };
    assert_eq!(called("own").await, ["app before own", "app after"]);
    assert_eq!(
        called("merged").await,
        [
            "app before merged",
            "other before merged",
            "tool before merged",
            "tool after",
            "other after",
            "app after",
        ]
    );
    assert_eq!(client.prompt("plan", json!({})).await.unwrap()[0]["content"]["text"], "words");
}

/// What two apps have both is a mistake, and all of them are reported.
#[test]
fn what_two_apps_have_both_is_a_mistake() {
    let one = || -> Builder {
        App::new("tests", "1.0.0")
            .state(7_u8)
            .tool(hello("same"))
            .catalog(Catalog::from_static(&[]))
            .auth(widgetcast::auth::BearerKeys::new())
    };
    let error = one().merge(one()).build().unwrap_err().to_string();
    for words in [
        "two states have the type u8",
        "two widget catalogs are set",
        "`auth` is set twice",
        "two tools are named same",
    ] {
        assert!(error.contains(words), "{words}: {error}");
    }
}

/// Finds a parcel by the number on its receipt.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Order {
    /// On the receipt
    #[expect(dead_code)]
    number: u32,
}

#[tokio::test]
async fn the_comment_of_the_input_describes_the_tool() {
    let find = |name: &str| Tool::new(name, async |_: Order| "found");
    let app = App::new("tests", "1.0.0")
        .tool(find("one").icon("https://shop.example.com/parcel.png"))
        .tool(find("two").description("Written by hand"))
        .prompt(Prompt::new("ask", async |_: Order| "where is it?"))
        .build()
        .unwrap();
    let tools = app.test().tools().await.unwrap();
    assert_eq!(tools[0]["description"], "Finds a parcel by the number on its receipt.");
    assert!(tools[0]["inputSchema"].get("description").is_none(), "the model reads it once");
    assert_eq!(tools[0]["icons"], json!([{ "src": "https://shop.example.com/parcel.png" }]));
    assert_eq!(tools[1]["description"], "Written by hand");
    assert!(tools[1].get("icons").is_none());
    let prompts = app.test().prompts().await.unwrap();
    assert_eq!(prompts[0]["description"], "Finds a parcel by the number on its receipt.");
    let wrong = App::new("tests", "1.0.0").tool(find("one").icon("parcel.png")).build();
    let error = wrong.unwrap_err().to_string();
    assert!(error.contains("tool one: the icon \"parcel.png\" must be an https:"), "{error}");
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Parcel {
    place: String,
    scans: Vec<Scan>,
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Scan {
    at: String,
}

/// A widget without a schema takes what its tool gives, and a slip in its template is found.
#[test]
fn a_widget_without_a_schema_is_held_against_the_output() {
    let app = |used: &str| {
        let template = format!(
            r#"{{"type":"Card","children":[{{"type":"Text","value":{{{{ {used} | tojson }}}}}}]}}"#
        );
        let widget =
            json!({ "version": "1.0", "name": "Parcel", "template": template }).to_string();
        let widget: &'static str = widget.leak();
        App::new("tests", "1.0.0")
            .catalog(Catalog::from_static(&[("parcel.widget", widget)]))
            .tool(
                Tool::new("track", async || {
                    Data(Parcel { place: "Bern".into(), scans: Vec::new() })
                })
                .widget("parcel"),
            )
            .build()
    };
    let mistakes = |used: &str| app(used).map_or_else(|error| error.to_string(), |_| String::new());
    for used in
        ["place", "(place ~ '!')", "(note if note is defined else place)", "{'a': 1}[place]"]
    {
        assert_eq!(mistakes(used), "", "{used}");
    }
    let mistake = "tool track: its output does not match widget parcel: the widget";
    for (used, why) in [
        ("plaec", "uses plaec, which the output lacks; did you mean place?"),
        ("(sender ~ '')", "needs sender, which the output lacks"),
        ("(place ~ sender.name)", "needs sender, which the output lacks"),
        ("(scans[0].at ~ scans[0].note)", "needs scans.note, which the output lacks"),
    ] {
        let said = mistakes(used);
        assert!(said.contains(&format!("{mistake} {why}")), "{used}: {said}");
    }
}

/// Tools, prompts and resources come and go while the app runs; clients are told, and see it at once.
#[tokio::test]
async fn parts_come_and_go_while_the_app_runs() {
    let app = App::new("tests", "1.0.0")
        .catalog(Catalog::from_static(&[GREETING]))
        .prompt(Prompt::new("first", async || "words"))
        .build()
        .unwrap();
    let service = app.service();
    let mut pipe = Client::of(app.clone());
    pipe.shake("2025-11-25").await;
    // Answered after the end of the handshake was read.
    pipe.ask("2025-11-25", "ping", json!({})).await;
    // The list is written once, and again for the new version.
    assert_eq!(app.test().tool_names().await.unwrap(), ["greeting"]);
    app.add_tool(hello("late")).unwrap();
    for _ in 0..2 {
        let told = pipe.hear().await["method"].clone();
        let lists = ["notifications/tools/list_changed", "notifications/resources/list_changed"];
        assert!(lists.contains(&told.as_str().unwrap()), "{told}");
    }
    assert_eq!(app.test().tool_names().await.unwrap(), ["greeting", "late"]);
    let called = send(&service, request(MODERN, "tools/call", json!({ "name": "late" }))).await;
    assert_eq!(called.json()["result"]["content"][0]["text"], "hello");
    let called = pipe.ask("2025-11-25", "tools/call", json!({ "name": "late" })).await;
    assert_eq!(called["result"]["content"][0]["text"], "hello");

    let twice = app.add_tool(hello("late")).unwrap_err().to_string();
    assert_eq!(twice, "a tool named late already exists");
    let stateful = Tool::new("db", async |_: widgetcast::State<u64>| "x");
    assert!(app.add_tool(stateful).unwrap_err().to_string().contains("the app has no such state"));

    app.add_prompt(Prompt::new("second", async || "more")).unwrap();
    app.add_resource(widgetcast::Resource::fixed("a://b", "B", "text")).unwrap();
    let client = app.test();
    assert_eq!(client.prompts().await.unwrap().len(), 2);
    assert_eq!(client.read("a://b").await.unwrap(), "text");
    app.remove_prompt("second");
    app.remove_resource("a://b");
    app.remove_tool("late");
    assert_eq!(client.prompts().await.unwrap().len(), 1);
    assert!(client.read("a://b").await.is_err());
    assert_eq!(client.tool_names().await.unwrap(), ["greeting"]);
    let gone = send(&service, request(MODERN, "tools/call", json!({ "name": "late" }))).await;
    assert_eq!(gone.json()["error"]["code"], -32602);
}

/// What a new tool asks of its callers holds from its first call on.
#[tokio::test]
async fn a_new_tool_has_its_rules() {
    let app = App::new("tests", "1.0.0").auth(widgetcast::auth::BearerKeys::new()).build().unwrap();
    app.add_tool(hello("secret").scope("admin").hidden()).unwrap();
    let bob = app.test().as_caller("bob", []);
    assert!(bob.tool_names().await.unwrap().is_empty());
    assert_eq!(bob.call("secret", json!({})).await.unwrap_err().code(), -32602);
    let ada = app.test().as_caller("ada", ["admin"]);
    assert_eq!(ada.call("secret", json!({})).await.unwrap().text(), "hello");
    assert!(app.test().tools().await.unwrap_err().is_unauthorized());
    app.add_tool(hello("open").public()).unwrap();
    assert_eq!(app.test().call("open", json!({})).await.unwrap().text(), "hello");
}
