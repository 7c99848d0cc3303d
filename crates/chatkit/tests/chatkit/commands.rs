//! A conversation without a model: tools by their names, forms, and widgets that react.

use std::sync::{Arc, Barrier};

use needs_shared::needs_shared;
use serde_json::{Value, json};
use widgetcast::Catalog;
use widgetcast::{App, Builder, Content, Outcome, Tool};
use widgetcast_agent::Toolbox;
use widgetcast_chatkit::Commands;

use crate::stage::Stage;

const COUNTER: &str = r#"{ "version": "1.0", "name": "Counter",
  "template": "{\"type\": \"Card\", \"children\": [{\"type\": \"Text\", \"value\": {{ (label ~ \" \" ~ count) | tojson }}}, {\"type\": \"Button\", \"label\": \"More\", \"onClickAction\": {\"type\": \"counter\", \"payload\": {\"label\": {{ label | tojson }}, \"count\": {{ count + 1 }}}}}]}",
  "jsonSchema": { "type": "object", "required": ["label", "count"], "properties": {
    "label": { "type": "string", "description": "What is counted" }, "count": { "type": "integer" },
    "unit": { "type": "string", "enum": ["a", "b"] }, "note": { "type": "string" },
    "loud": { "type": "boolean" }, "day": { "type": "string", "format": "date" },
    "tags": { "type": "array", "items": { "type": "string" } } } } }"#;

async fn two() -> Outcome {
    let widget = |text: &str| {
        let widget = json!({ "type": "Card", "children": [{ "type": "Text", "value": text }] });
        let text = json!({ "widget": widget, "copy_text": text }).to_string();
        let (uri, mime) = ("ui://widgets/two/1".into(), "application/vnd.ui.widget+json".into());
        Content::Resource { uri, mime, text }
    };
    Outcome::new().text("Two").content(widget("first")).content(widget("the second"))
}

async fn plain() -> String {
    // Not a tool result's resource: what merely looks like a widget is text.
    r#"{"widget":{"type":"Card","children":[]}}"#.into()
}

/// As a server that returns the tree from its tool sends it.
async fn tree() -> Outcome {
    let tree = json!({ "type": "Card", "children": [{ "type": "Title", "value": "Lane 7" }] });
    Outcome::new().text(tree.to_string()).data(tree)
}

async fn row() -> Outcome {
    let row = json!({ "type": "Row", "children": [{ "type": "Text", "value": "Lane 7" }] });
    let text = json!({ "widget": row }).to_string();
    let (uri, mime) = ("ui://widgets/row/1".into(), "application/vnd.ui.widget+json".into());
    Outcome::new().text("Lane 7").content(Content::Resource { uri, mime, text })
}

async fn odd() -> Outcome {
    let odd = json!({ "type": "Card", "children": [{ "type": "Row", "children": ["Lane 7"] }] });
    let text = json!({ "widget": odd }).to_string();
    let (uri, mime) = ("ui://widgets/odd/1".into(), "application/vnd.ui.widget+json".into());
    Outcome::new().text("Lane 7").content(Content::Resource { uri, mime, text })
}

fn app() -> Builder {
    App::new("tests", "1.0.0")
        .catalog(Catalog::from_static(&[("counter.widget", COUNTER)]))
        .tool(Tool::new("two", two).read_only())
        .tool(Tool::new("plain", plain).read_only())
        .tool(Tool::new("tree", tree).read_only())
        .tool(Tool::new("row", row).read_only())
        .tool(Tool::new("odd", odd).read_only())
        .tool(Tool::new("long", long).read_only())
}

async fn long() -> String {
    "lorem ipsum ".repeat(20_000)
}

async fn stage() -> Stage {
    Stage::with(app(), |app| Commands::new(Toolbox::new().app(app.clone()))).await
}

fn text(item: &Value) -> &str {
    item["content"][0]["text"].as_str().unwrap()
}

#[tokio::test]
async fn a_widget_is_shown_and_reacts() {
    let stage = stage().await;
    let ada = stage.user().await;
    let (thread, reply) = ada.begin("/counter label=sheep count=1").await;
    let events = reply.events();
    let card = &events.last().unwrap()["item"];
    assert_eq!(card["widget"]["children"][0]["value"], "sheep 1", "{events:?}");
    assert!(card["copy_text"].as_str().unwrap().contains("sheep 1"));
    let action = &card["widget"]["children"][1]["onClickAction"];
    let act = json!({ "thread_id": thread, "item_id": card["id"], "action": action });
    let reply = ada.ask("threads.custom_action", act.clone()).await;
    let events = reply.events();
    let replaced = events.last().unwrap();
    assert_eq!(replaced["type"], "thread.item.replaced", "{events:?}");
    assert_eq!(replaced["item"]["id"], card["id"]);
    assert_eq!(replaced["item"]["widget"]["children"][0]["value"], "sheep 2");
    let sync = ada.ask("threads.sync_custom_action", act).await.json();
    assert_eq!(sync["updated_item"]["widget"]["children"][0]["value"], "sheep 2");
    // Another process of the same storage shows the same, and what came of tools is kept whole.
    let items = ada.items(&thread).await;
    assert_eq!(items.len(), 2);
    assert_eq!(items[1], sync["updated_item"]);
    let all = ada.export().await;
    let hidden: Vec<&Value> = all["threads"][0]["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|item| item["content"]["role"] == "tool_result")
        .collect();
    assert_eq!(hidden.len(), 3);
    let content = hidden[0]["content"]["metadata"]["mcp_content"].as_array().unwrap();
    assert!(content.iter().any(|part| part["type"] == "resource"), "{content:?}");
    assert_eq!(all["threads"][0]["title"], "Counter");
}

/// No one else's turn waits for one whose result is long: that one waits for a worker.
#[tokio::test]
async fn a_long_result_is_read_by_a_worker() {
    let stage = stage().await;
    let (ada, eve) = (stage.user().await, stage.user().await);
    let (workers, cores) = (stage.app.workers(), std::thread::available_parallelism().unwrap());
    let release = Arc::new(Barrier::new(cores.get() + 1));
    let busy: Vec<_> = (0..cores.get())
        .map(|_| {
            let (workers, release) = (Arc::clone(&workers), Arc::clone(&release));
            let work = move |_| _ = release.wait();
            tokio::spawn(async move { workers.finish(usize::MAX, work).await })
        })
        .collect();
    // All of them have begun.
    tokio::task::yield_now().await;
    let short = async {
        for _ in 0..20 {
            let (_, reply) = eve.begin("/two").await;
            assert_eq!(reply.events().last().unwrap()["item"]["copy_text"], "the second");
        }
    };
    let mut long = Box::pin(ada.begin("/long"));
    tokio::select! {
        biased;
        _ = &mut long => panic!("it did not wait for a worker"),
        () = short => {}
    }
    tokio::task::spawn_blocking(move || _ = release.wait()).await.unwrap();
    let (_, reply) = long.await;
    assert_eq!(text(&reply.events().last().unwrap()["item"]), self::long().await);
    for work in busy {
        assert_eq!(work.await.unwrap(), Some(()));
    }
}

#[needs_shared("chatkit")]
#[tokio::test]
async fn trees_of_other_servers_are_widgets() {
    let valid = crate::transcript::schema("ThreadItem.schema.json");
    let stage = stage().await;
    let ada = stage.user().await;
    let (_, reply) = ada.begin("/tree").await;
    let events = reply.events();
    let card = &events.last().unwrap()["item"];
    assert_eq!(card["widget"]["children"][0]["value"], "Lane 7", "{events:?}");
    assert!(!events.iter().any(|event| event["item"]["type"] == "assistant_message"), "{events:?}");

    // ChatKit refuses an event with a root that it does not know.
    let (_, reply) = ada.begin("/row").await;
    let events = reply.events();
    let item = &events.last().unwrap()["item"];
    assert_eq!(item["widget"]["type"], "Basic");
    assert_eq!(item["widget"]["children"][0]["type"], "Row");
    assert!(valid.is_valid(item), "{item}");
}

#[tokio::test]
async fn the_text_of_a_tree_that_chatkit_refuses_is_shown() {
    let stage = stage().await;
    let ada = stage.user().await;
    let (_, reply) = ada.begin("/odd").await;
    let events = reply.events();
    assert_eq!(text(&events.last().unwrap()["item"]), "Lane 7");
    assert!(!events.iter().any(|event| event["item"]["type"] == "widget"), "{events:?}");
}

#[tokio::test]
async fn data_without_a_widget_is_drawn_beside_a_text_of_its_own() {
    let said = async || Outcome::new().text("Dashboard displayed").data(json!({ "total": 7 }));
    let same = async || Outcome::new().text(r#"{"total":7}"#).data(json!({ "total": 7 }));
    let builder =
        app().tool(Tool::new("said", said).read_only()).tool(Tool::new("same", same).read_only());
    let draw = |result: &Value| {
        let total = &result["structuredContent"]["total"];
        total
            .is_u64()
            .then(|| json!({ "type": "Card", "children": [{ "type": "Title", "value": total }] }))
    };
    let stage =
        Stage::with(builder, |app| Commands::new(Toolbox::new().app(app.clone()).view(draw))).await;
    let ada = stage.user().await;
    for (command, kinds) in [
        ("/said", &["user_message", "widget", "assistant_message"][..]),
        ("/same", &["user_message", "widget"]),
        ("/two", &["user_message", "widget", "widget"]),
        ("/plain", &["user_message", "assistant_message"]),
    ] {
        let (thread, _) = ada.begin(command).await;
        let items = ada.items(&thread).await;
        assert!(items.iter().map(|item| &item["type"]).eq(kinds), "{items:?}");
    }
}

#[needs_shared("chatkit")]
#[tokio::test]
async fn a_form_asks_for_what_is_missing_and_becomes_the_result() {
    let stage = stage().await;
    let ada = stage.user().await;
    let (thread, reply) = ada.begin("/counter count=4").await;
    let events = reply.events();
    let form = &events.last().unwrap()["item"];
    let valid = crate::transcript::schema("ThreadItem.schema.json");
    assert!(valid.is_valid(form), "{form}");
    let fields = form["widget"]["children"][1]["children"].as_array().unwrap();
    let field = |name: &str| fields.iter().find(|field| field["name"] == name).unwrap();
    assert_eq!(field("label")["required"], true);
    assert_eq!(field("count")["defaultValue"], "4");
    assert_eq!(field("unit")["type"], "Select");
    assert_eq!(
        (&field("loud")["type"], &field("day")["type"]),
        (&json!("Checkbox"), &json!("DatePicker"))
    );
    assert_eq!(field("tags")["type"], "Textarea");
    let action = &form["widget"]["children"][1]["onSubmitAction"];
    // As a form sends it: texts, and empty ones for what was left out.
    let payload =
        json!({ "label": "cows", "count": "5", "unit": "", "note": "", "day": "", "tags": "" });
    let action = json!({ "type": action["type"], "payload": payload });
    let act = json!({ "thread_id": thread, "item_id": form["id"], "action": action });
    let reply = ada.ask("threads.custom_action", act).await;
    let events = reply.events();
    let last = events.last().unwrap();
    assert_eq!(last["item"]["widget"]["children"][0]["value"], "cows 5", "{events:?}");
    assert_eq!(ada.items(&thread).await.len(), 2);
}

#[tokio::test]
async fn every_widget_of_a_result_is_an_item_and_texts_are_not_searched() {
    let stage = stage().await;
    let ada = stage.user().await;
    let (thread, _) = ada.begin("/two").await;
    let kinds =
        |items: &[Value]| items.iter().map(|item| item["type"].clone()).collect::<Vec<Value>>();
    assert_eq!(kinds(&ada.items(&thread).await), ["user_message", "widget", "widget"]);
    let (thread, _) = ada.begin("/plain").await;
    assert_eq!(kinds(&ada.items(&thread).await), ["user_message", "assistant_message"]);
}

#[tokio::test]
async fn a_greeting_is_answered_with_a_few_tools_and_help_with_all() {
    let named = (0..33).map(|n| Tool::new(format!("tool_{n}"), plain).read_only());
    let app = named.fold(App::new("tests", "1.0.0"), Builder::tool);
    let stage = Stage::with(app, |app| Commands::new(Toolbox::new().app(app.clone()))).await;
    let ada = stage.user().await;
    let (thread, _) = ada.begin("hello there").await;
    ada.say(&thread, "/help").await;
    ada.say(&thread, "/nothing_like_it").await;
    let items = ada.items(&thread).await;
    let count = |at: usize| text(&items[at]).matches("`/tool_").count();
    assert_eq!([count(1), count(3), count(5)], [5, 33, 0], "{items:?}");
    assert!(text(&items[1]).contains("`/help` to list all 33"), "{}", items[1]);
}

/// Words that many tools have say little, and a plural is the same word.
#[tokio::test]
async fn a_message_is_answered_with_the_tools_that_share_words_with_it() {
    let about = [
        ("weather", "Show the weather of a place"),
        ("trains", "Show the departures of a station"),
        ("flights", "Show the departures of an airport"),
        ("abfahrten", "Zeige die Züge"),
        ("vote", "Show the result of a poll"),
        ("page", "Show a page"),
    ];
    let tools = about.map(|(name, about)| Tool::new(name, plain).description(about).read_only());
    let app = tools.into_iter().fold(App::new("tests", "1.0.0"), Builder::tool);
    let stage = Stage::with(app, |app| Commands::new(Toolbox::new().app(app.clone()))).await;
    let ada = stage.user().await;
    for (message, offered) in [
        ("Show me the weather please", "weather"),
        ("any FLIGHT to Oslo?", "flights"),
        ("departures", "flights trains"),
        ("züge!", "abfahrten"),
        ("天気", "abfahrten flights page trains vote"),
    ] {
        let (thread, _) = ada.begin(message).await;
        let items = ada.items(&thread).await;
        let answer = text(&items[1]);
        let named = answer.split("\n- `/").skip(1).filter_map(|line| line.split('`').next());
        assert_eq!(named.collect::<Vec<_>>().join(" "), offered, "{message}: {answer}");
        assert!(answer.contains("list all 6"), "{answer}");
    }
}

/// No one fills in a form of thousands of fields, and it would be made and kept for each who asks.
#[tokio::test]
async fn a_tool_of_too_many_arguments_has_no_form() {
    for (count, has_form) in [(200, true), (201, false)] {
        let all: Value =
            (0..count).map(|n| (format!("p{n}"), json!({ "type": "string" }))).collect();
        let wide = json!({ "version": "1.0", "name": "Wide", "template": "{\"type\":\"Card\",\"children\":[]}",
            "jsonSchema": { "type": "object", "properties": all, "required": ["p0"] } });
        let files: &[(&str, &str)] = vec![("wide.widget", &*wide.to_string().leak())].leak();
        let app = App::new("tests", "1.0.0").catalog(Catalog::from_static(files));
        let stage = Stage::with(app, |app| Commands::new(Toolbox::new().app(app.clone()))).await;
        let ada = stage.user().await;
        let (thread, _) = ada.begin("/wide").await;
        let items = ada.items(&thread).await;
        assert_eq!(items[1]["type"] == "widget", has_form, "{}", items[1]);
        assert!(has_form || text(&items[1]).contains("as JSON"), "{}", items[1]);
    }
}

#[tokio::test]
async fn whoever_names_no_tool_is_told_of_them() {
    let stage = stage().await;
    let ada = stage.user().await;
    let (thread, _) = ada.begin("What can you do?\nTell me.").await;
    let items = ada.items(&thread).await;
    assert!(text(&items[1]).contains("`/counter`"), "{}", items[1]);
    let list = ada.ask("threads.list", json!({})).await.json();
    assert_eq!(list["data"][0]["title"], "What can you do?");
    ada.say(&thread, "/countr").await;
    assert!(text(&ada.items(&thread).await[3]).contains("Did you mean `counter`?"));
    ada.say(&thread, "/counter {\"count\"").await;
    assert!(text(&ada.items(&thread).await[5]).contains("not valid JSON"));
    ada.say(&thread, "/counter label=x count=many").await;
    assert!(text(&ada.items(&thread).await[7]).contains("count"));
    let action = json!({ "thread_id": thread, "action": { "type": "cuonter" } });
    let reply = ada.ask("threads.custom_action", action).await;
    assert_eq!(reply.events().last().unwrap()["code"], "custom");

    let typed = ada.get("/chatkit/commands?q=%2Fcou").await.json();
    assert_eq!(typed["data"][0]["name"], "counter");
    assert_eq!(typed["data"][0]["inputSchema"]["required"], json!(["label", "count"]));
    assert_eq!(typed["data"].as_array().unwrap().len(), 1);
}
