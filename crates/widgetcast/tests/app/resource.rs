//! Resources, templates, completion and prompts.

use serde_json::{Value, json};
use widgetcast::handler::Arguments;
use widgetcast::{App, Message, Page, Prompt, Resource, State, ToolError, Vars};

use crate::talk::{ERAS, GREETING, MODERN, ask, call};

fn app() -> App {
    App::new("tests", "1.0.0")
        .catalog(widgetcast::Catalog::from_static(&[GREETING]))
        .page(
            Page::inline("chart", "<!doctype html><p>chart").resource(["https://cdn.example.com"]),
        )
        .resource(Resource::fixed("shop://terms", "Terms", "Be kind.").mime("text/plain"))
        .resource(Resource::fixed("shop://logo", "Logo", vec![1u8, 2, 3]).mime("image/png"))
        .resource(Resource::new("shop://order/{id}", "Order", |vars: Vars| async move {
            match vars["id"].as_str() {
                "0" => Err(ToolError::public("there is no order 0")),
                id => Ok(format!("Order {id}")),
            }
        }))
        .prompt(
            Prompt::new("review", |arguments: Arguments| async move {
                Ok::<_, ToolError>(vec![Message::user(format!("Review {}", arguments["code"]))])
            })
            .description("Reviews code")
            .argument("code", "What to review", true),
        )
        .build()
        .unwrap()
}

async fn read(app: &App, era: &str, uri: &str) -> Value {
    ask(app, era, "resources/read", json!({ "uri": uri })).await
}

#[tokio::test]
async fn everything_listed_can_be_read() {
    let app = app();
    for era in ERAS {
        let list = ask(&app, era, "resources/list", json!({})).await;
        let resources = list["result"]["resources"].as_array().unwrap();
        let names: Vec<&str> = resources.iter().filter_map(|r| r["name"].as_str()).collect();
        for name in ["greeting_template", "greeting_schema", "greeting_preview", "Terms", "chart"] {
            assert!(names.contains(&name), "{name} is not among {names:?}");
        }
        for resource in resources {
            let uri = resource["uri"].as_str().unwrap();
            let answer = read(&app, era, uri).await;
            let item = &answer["result"]["contents"][0];
            assert_eq!(item["uri"], uri);
            assert_eq!(item["mimeType"], resource["mimeType"], "{uri}");
        }
    }
}

#[tokio::test]
async fn pages_say_what_they_may_reach() {
    let app = app();
    let list = ask(&app, MODERN, "resources/list", json!({})).await;
    let chart = list["result"]["resources"]
        .as_array()
        .unwrap()
        .iter()
        .find(|resource| resource["name"] == "chart")
        .unwrap()
        .clone();
    let page = read(&app, MODERN, chart["uri"].as_str().unwrap()).await;
    let item = &page["result"]["contents"][0];
    assert_eq!(item["mimeType"], "text/html;profile=mcp-app");
    assert_eq!(item["_meta"]["ui"]["csp"]["resourceDomains"], json!(["https://cdn.example.com"]));
    assert_eq!(
        item["_meta"]["openai/widgetCSP"]["resource_domains"],
        json!(["https://cdn.example.com"])
    );
    assert_eq!(page["result"]["cacheScope"], "public");
}

#[tokio::test]
async fn an_instance_is_drawn_again_from_the_store() {
    let app = app();
    let result = call(&app, MODERN, "greeting", json!({ "name": "Ada" })).await;
    let uri = result["_meta"]["widgetcast/view"]["uri"].as_str().unwrap().to_owned();
    let answer = read(&app, MODERN, &uri).await;
    let item = &answer["result"]["contents"][0];
    assert_eq!(item["mimeType"], "application/vnd.ui.widget+json");
    let payload: Value = serde_json::from_str(item["text"].as_str().unwrap()).unwrap();
    assert_eq!(payload["widget"], result["_meta"]["widgetcast/view"]["tree"]);
    assert_eq!(answer["result"]["cacheScope"], "private");

    let blocks = uri.replace("ui://widgets", "slack://blocks");
    let answer = read(&app, MODERN, &blocks).await;
    let text = answer["result"]["contents"][0]["text"].as_str().unwrap();
    assert!(serde_json::from_str::<Value>(text).unwrap()["blocks"].is_array());
}

#[tokio::test]
async fn what_is_not_there_has_the_code_of_the_era() {
    let app = app();
    for uri in [
        "ui://widgets/greeting/0000",
        "ui://widgetcast/view-000000000000.html",
        "widget://nothing/template",
        "widget://greeting/else",
        "shop://nothing",
        "nonsense",
    ] {
        assert_eq!(read(&app, MODERN, uri).await["error"]["code"], -32602, "{uri}");
        let answer = read(&app, "2025-11-25", uri).await;
        assert_eq!(answer["error"]["code"], -32002, "{uri}");
        assert_eq!(answer["error"]["data"]["uri"], uri);
    }
}

#[tokio::test]
async fn own_resources() {
    let app = app();
    let terms = read(&app, MODERN, "shop://terms").await;
    assert_eq!(terms["result"]["contents"][0]["text"], "Be kind.");
    let logo = read(&app, MODERN, "shop://logo").await;
    assert_eq!(logo["result"]["contents"][0]["blob"], "AQID");
    let order = read(&app, MODERN, "shop://order/7").await;
    assert_eq!(order["result"]["contents"][0]["text"], "Order 7");
    assert_eq!(
        read(&app, MODERN, "shop://order/0").await["error"]["message"],
        "there is no order 0"
    );
    let templates = ask(&app, MODERN, "resources/templates/list", json!({})).await;
    let uris: Vec<&str> = templates["result"]["resourceTemplates"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|template| template["uriTemplate"].as_str())
        .collect();
    assert_eq!(
        uris,
        [
            "ui://widgets/{name}/{instance_id}",
            "slack://work-objects/{name}/{instance_id}",
            "slack://blocks/{name}/{instance_id}",
            "shop://order/{id}",
            "ui://widgets/greeting/{instance_id}",
        ]
    );
}

/// Every tool that shows a widget has templates of its own, with the widget's name; those of Slack where
/// the author has written them.
#[tokio::test]
async fn templates_of_each_widget() {
    let dir = tempfile::tempdir().unwrap();
    let mut widgets = vec![("my_widget", "My Widget")];
    widgets.extend([("b", "B"), ("c", "C")]);
    for (file, name) in widgets {
        let text = GREETING.1.replace("\"Greeting\"", &format!("{name:?}"));
        std::fs::write(dir.path().join(format!("{file}.widget")), text).unwrap();
    }
    let blocks = "blocks:\n  - type: divider\n";
    std::fs::write(dir.path().join("my_widget.blocks.yml"), blocks).unwrap();
    let object = "event_type: a\nentity: {}\n";
    std::fs::write(dir.path().join("c.work-object.yml"), object).unwrap();
    let list = async |page_size: usize| {
        let mut settings = widgetcast::Settings::default();
        settings.page_size = page_size;
        let tool = widgetcast::Tool::new("aa", |_: Value| async { widgetcast::Outcome::new() })
            .widget("c");
        let app = App::new("tests", "1.0.0").widgets(dir.path()).tool(tool);
        let app = app.settings(settings).build().unwrap();
        let (mut found, mut pages, mut cursor) = (Vec::new(), 0, None);
        loop {
            let sent = cursor.map_or(json!({}), |cursor: Value| json!({ "cursor": cursor }));
            let page = ask(&app, MODERN, "resources/templates/list", sent).await["result"].clone();
            for item in page["resourceTemplates"].as_array().unwrap() {
                let text = |key: &str| item[key].as_str().unwrap().to_owned();
                found.push((text("uriTemplate"), text("name")));
            }
            pages += 1;
            match page.get("nextCursor") {
                Some(next) => cursor = Some(next.clone()),
                None => return (found, pages),
            }
        }
    };
    let (whole, _) = list(1000).await;
    let own: Vec<(&str, &str)> = whole[3..].iter().map(|(uri, name)| (&**uri, &**name)).collect();
    assert_eq!(
        own,
        [
            ("ui://widgets/aa/{instance_id}", "C"),
            ("slack://work-objects/aa/{instance_id}", "C Work Object"),
            ("ui://widgets/b/{instance_id}", "B"),
            ("ui://widgets/my_widget/{instance_id}", "My Widget"),
            ("slack://blocks/my_widget/{instance_id}", "My Widget Block Kit"),
        ]
    );
    for (size, expected) in [(1, 3), (6, 2), (9, 1)] {
        assert_eq!(list(size).await, (whole.clone(), expected), "pages of {size}");
    }
}

#[tokio::test]
async fn completion_of_names_and_ids() {
    let app = app();
    let complete = |argument: &str, typed: &str| {
        let sent = json!({
            "ref": { "type": "ref/resource", "uri": "ui://widgets/{name}/{instance_id}" },
            "argument": { "name": argument, "value": typed },
            "context": { "arguments": { "name": "greeting" } },
        });
        let app = app.clone();
        async move {
            ask(&app, MODERN, "completion/complete", sent).await["result"]["completion"]["values"]
                .clone()
        }
    };
    assert_eq!(complete("name", "gr").await, json!(["greeting"]));
    assert_eq!(complete("name", "x").await, json!([]));
    assert_eq!(complete("instance_id", "").await, json!([]));
    let result = call(&app, MODERN, "greeting", json!({ "name": "Ada" })).await;
    let uri = result["_meta"]["widgetcast/view"]["uri"].as_str().unwrap();
    let id = uri.rsplit('/').next().unwrap();
    // Strangers are not told each other's ids; over a pipe they are completed.
    assert_eq!(complete("instance_id", &id[..3]).await, json!([]));
}

#[tokio::test]
async fn prompts() {
    let app = app();
    let list = ask(&app, MODERN, "prompts/list", json!({})).await;
    assert_eq!(list["result"]["prompts"][0]["arguments"][0]["required"], true);
    let sent = json!({ "name": "review", "arguments": { "code": "1" } });
    let got = ask(&app, MODERN, "prompts/get", sent).await;
    assert_eq!(got["result"]["messages"][0]["content"]["text"], "Review \"1\"");
    let missing = ask(&app, MODERN, "prompts/get", json!({ "name": "review" })).await;
    assert_eq!(missing["error"]["code"], -32602);
    let unknown = ask(&app, MODERN, "prompts/get", json!({ "name": "x" })).await;
    assert_eq!(unknown["error"]["message"], "Unknown prompt: x");
}

#[tokio::test]
async fn long_lists_come_in_pages() {
    let mut settings = widgetcast::Settings::default();
    settings.page_size = 2;
    let mut app = App::new("tests", "1.0.0")
        .catalog(widgetcast::Catalog::from_static(&[GREETING]))
        .settings(settings);
    for name in ["a", "b", "h", "z"] {
        app = app.tool(widgetcast::Tool::new(name, || async { "x" }));
    }
    let app = app.build().unwrap();
    let (mut names, mut cursor) = (Vec::new(), None);
    loop {
        let sent = cursor.map_or(json!({}), |cursor: Value| json!({ "cursor": cursor }));
        let page = ask(&app, MODERN, "tools/list", sent).await["result"].clone();
        let tools = page["tools"].as_array().unwrap();
        assert!(tools.len() <= 2);
        names.extend(tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()));
        match page.get("nextCursor") {
            Some(next) => cursor = Some(next.clone()),
            None => break,
        }
    }
    assert_eq!(names, ["a", "b", "greeting", "h", "z"]);
    let bad = ask(&app, MODERN, "tools/list", json!({ "cursor": "!" })).await;
    assert_eq!(bad["error"]["code"], -32602);
}

/// Pages and the app's own resources come first, then all about each widget; nothing twice.
#[tokio::test]
async fn resources_come_in_pages() {
    let widgets: Vec<(String, String)> = ["One", "Two", "Three"]
        .iter()
        .map(|name| {
            (format!("{name}.widget"), GREETING.1.replace("\"Greeting\"", &format!("{name:?}")))
        })
        .collect();
    let widgets: Vec<(&'static str, &'static str)> =
        widgets.into_iter().map(|(file, text)| (&*file.leak(), &*text.leak())).collect();
    let list = async |page_size: usize| {
        let mut settings = widgetcast::Settings::default();
        settings.page_size = page_size;
        let app = App::new("tests", "1.0.0")
            .catalog(widgetcast::Catalog::from_static(widgets.clone().leak()))
            .resource(widgetcast::Resource::fixed("a://b", "B", "text"))
            .settings(settings)
            .build()
            .unwrap();
        let (mut uris, mut pages, mut cursor) = (Vec::new(), 0, None);
        loop {
            let sent = cursor.map_or(json!({}), |cursor: Value| json!({ "cursor": cursor }));
            let page = ask(&app, MODERN, "resources/list", sent).await["result"].clone();
            let items = page["resources"].as_array().unwrap();
            uris.extend(items.iter().map(|item| item["uri"].as_str().unwrap().to_owned()));
            pages += 1;
            match page.get("nextCursor") {
                Some(next) => cursor = Some(next.clone()),
                None => return (uris, pages),
            }
        }
    };
    let (whole, pages) = list(1000).await;
    assert_eq!(pages, 1);
    assert!(whole[0].starts_with("ui://") && whole[1] == "a://b", "{whole:?}");
    let of = |name: &str| whole.iter().filter(|uri| uri.contains(&format!("//{name}/"))).count();
    assert_eq!((of("one"), of("two"), of("three")), (4, 4, 4), "{whole:?}");
    for (size, expected) in [(1, 3), (6, 2), (7, 2), (14, 1)] {
        let (uris, pages) = list(size).await;
        assert_eq!((uris, pages), (whole.clone(), expected), "pages of {size}");
    }
}

/// A widget that Studio has not made is encoded for it, so that whoever reads it can open it there.
#[tokio::test]
async fn every_widget_is_encoded_for_studio() {
    let sent = json!({ "uri": "widget://greeting/encoded" });
    let read = ask(&crate::talk::greeting(), MODERN, "resources/read", sent).await;
    let text = read["result"]["contents"][0]["text"].as_str().unwrap_or_else(|| panic!("{read}"));
    // An object of JSON in Base64.
    assert!(text.starts_with("eyJ"), "{text}");
}

/// The instances of a typed tool have the tool's title and description, whichever way its widget is
/// written, and Slack's form where the tool names a template for it.
#[tokio::test]
async fn templates_of_typed_tools() {
    let blocks = ("notice.blocks.yml", "blocks:\n  - type: divider\n");
    let tool = widgetcast::Tool::new("zz", async || widgetcast::Outcome::new())
        .title("Hello")
        .description("Says hello")
        .widget("Greeting")
        .host_template("slack-blocks", "notice.blocks");
    let card = widgetcast::Tool::new("card", async || widgetcast::components::Card::new());
    let app = App::new("tests", "1.0.0")
        .catalog(widgetcast::Catalog::from_static(vec![GREETING, blocks].leak()))
        .tool(tool)
        .tool(card)
        .build()
        .unwrap();
    let listed = ask(&app, MODERN, "resources/templates/list", json!({})).await;
    let found: Vec<[&str; 3]> = listed["result"]["resourceTemplates"].as_array().unwrap()[3..]
        .iter()
        .map(|item| ["uriTemplate", "name", "description"].map(|key| item[key].as_str().unwrap()))
        .collect();
    assert_eq!(found[0][..2], ["ui://widgets/card/{instance_id}", "card"]);
    assert_eq!(
        found[1..],
        [
            ["ui://widgets/zz/{instance_id}", "Hello", "Says hello"],
            ["slack://blocks/zz/{instance_id}", "Hello Block Kit", "Says hello"],
        ]
    );
}

/// Hosts that decide by the list need there what they need with the content.
#[tokio::test]
async fn lists_say_what_pages_need() {
    use widgetcast::{Page, Tool};
    let page =
        Page::inline("chart", "<p>").description("A chart").resource(["https://a.example.com"]);
    let chart = Tool::new("chart", async || widgetcast::Outcome::new()).page("chart");
    let app = App::new("tests", "1.0.0")
        .catalog(widgetcast::Catalog::from_static(&[GREETING]))
        .page(page)
        .tool(chart)
        .build()
        .unwrap();
    let listed = ask(&app, MODERN, "resources/list", json!({})).await;
    let entries = listed["result"]["resources"].as_array().unwrap().clone();
    let entry = entries.iter().find(|entry| entry["name"] == "chart").unwrap();
    let read = ask(&app, MODERN, "resources/read", json!({ "uri": entry["uri"] })).await;
    assert_eq!(entry["_meta"], read["result"]["contents"][0]["_meta"]);
    assert_eq!(entry["_meta"]["openai/widgetDescription"], "A chart");
    // Slack can show what a widget draws, and no page.
    let tools = ask(&app, MODERN, "tools/list", json!({})).await["result"]["tools"].clone();
    assert_eq!(tools[0]["name"], "chart");
    assert_eq!(tools[0]["_meta"].get("slack"), None);
    assert_eq!(tools[1]["_meta"]["slack"]["supportsBlockKit"], true);
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Month {
    month: u8,
}

/// The resources of a template that there are are in the list, for those who may read them.
#[tokio::test]
async fn resources_of_a_template_are_listed() {
    let report = |scope: &str, uris: Vec<(&'static str, &'static str)>| {
        let read = async |month: Month| format!("month {}", month.month);
        let resource = Resource::new("report://{month}", "Report", read).mime("text/plain");
        let resource =
            resource.scope(scope).hidden().list(move |State(db): State<&'static str>| {
                assert_eq!(db, "db");
                std::future::ready(uris.clone())
            });
        App::new("tests", "1.0.0")
            .auth(widgetcast::auth::BearerKeys::new())
            .state("db")
            .resource(resource)
            .build()
            .unwrap()
    };
    let app = report("reports", vec![("report://1", "January"), ("report://2", "February")]);
    let ada = app.test().as_caller("ada", ["reports"]);
    let listed = ada.resources().await.unwrap();
    let january = json!({ "uri": "report://1", "name": "January", "mimeType": "text/plain" });
    assert!(listed.contains(&january), "{listed:?}");
    assert_eq!(listed.iter().filter(|one| one["mimeType"] == "text/plain").count(), 2);
    assert_eq!(ada.read("report://2").await.unwrap(), "month 2");
    let bob = app.test().as_caller("bob", []).resources().await.unwrap();
    assert!(!bob.contains(&january), "{bob:?}");
    // An address that the template does not have could not be read.
    let wrong = report("reports", vec![("reports://1", "January")]);
    assert!(wrong.test().as_caller("ada", ["reports"]).resources().await.is_err());
}
