//! What a handler returns: which widget shows it, what of it the model reads, and what Slack gets.

use serde_json::{Value, json};
use widgetcast::{
    App, BuildError, Data, File, Outcome, Page, Settings, Tool, ToolError, ToolResult,
};
use widgetcast_core::{Catalog, Hydration, Reply};

use crate::talk::{MODERN, ask, call, text};

fn card(name: &str, value: &str) -> String {
    let template = format!(
        "{{\"type\":\"Card\",\"children\":[{{\"type\":\"Text\",\"value\":{{{{ (\"{name}: \" ~ {value}) | tojson }}}}}}]}}"
    );
    json!({
        "version": "1.0", "name": name, "template": template,
        "jsonSchema": {
            "type": "object", "properties": { value: { "type": "string" } }, "required": [value],
            "additionalProperties": false,
        },
    })
    .to_string()
}

const BLOCKS: &str = "blocks:\n  - type: section\n    text:\n      type: plain_text\n      text: \"{{ place }} {{ channel }}\"\n";

fn catalog() -> Catalog {
    let files = [
        ("small.widget", card("small", "place")),
        ("large.widget", card("large", "place")),
        ("notice.blocks.yml", BLOCKS.to_owned()),
    ];
    let files: Vec<(&'static str, &'static str)> =
        files.into_iter().map(|(name, text)| (name, &*text.leak())).collect();
    Catalog::from_static(files.leak())
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Which {
    size: Option<String>,
}

async fn track(which: Which) -> ToolResult {
    let outcome = Outcome::new().data(json!({ "place": "Bern" }));
    Ok(match which.size {
        Some(size) => outcome.widget(size),
        None => outcome,
    })
}

fn app() -> Result<App, BuildError> {
    App::new("tests", "1.0.0")
        .catalog(catalog())
        .tool(Tool::new("track", track).widget("small").widgets(["large"]))
        .tool(
            Tool::new("apart", async || {
                let model = json!({ "id": 7 });
                Outcome::new()
                    .data(model)
                    .view(json!({ "place": "Basel" }))
                    .template_data("channel", "#a")
            })
            .widget("small")
            .host_template("slack-blocks", "notice.blocks"),
        )
        .tool(Tool::new("whole", async || -> Result<Reply, ToolError> {
            let data = json!({ "place": "Biel" });
            let hydration = Hydration::new("small", &data, "in Biel", "whole");
            Ok(catalog().hydrate_for_tool_result(&hydration)?)
        }))
        .tool(Tool::new("unwritable", async || {
            Outcome::new().data(std::collections::BTreeMap::from([((1, 2), 3)]))
        }))
        .build()
}

/// The tree that a page would draw, for a client that shows views.
async fn shown(app: &App, tool: &str, arguments: Value) -> Value {
    let sent = json!({ "name": tool, "arguments": arguments, "_meta": {
        "io.modelcontextprotocol/clientCapabilities": { "extensions": {
            "io.modelcontextprotocol/ui": { "mimeTypes": ["text/html;profile=mcp-app"] },
            "io.slack/block-kit": {},
        } },
    } });
    ask(app, MODERN, "tools/call", sent).await["result"].clone()
}

#[tokio::test]
async fn a_result_chooses_its_widget() {
    let app = app().unwrap();
    for (size, words) in
        [(None, "small: Bern"), (Some("large"), "large: Bern"), (Some("small"), "small: Bern")]
    {
        let result = shown(&app, "track", json!({ "size": size })).await;
        assert_eq!(text(&result), words);
        assert_eq!(result["structuredContent"], json!({ "place": "Bern" }));
        let view = &result["_meta"]["widgetcast/view"];
        assert_eq!(view["tree"]["children"][0]["value"], words);
        // It is the same when it is read again.
        let read = ask(&app, MODERN, "resources/read", json!({ "uri": view["uri"] })).await;
        let again =
            read["result"]["contents"][0]["text"].as_str().unwrap_or_else(|| panic!("{read}"));
        assert!(again.contains(words), "{again}");
    }
    let unknown = call(&app, MODERN, "track", json!({ "size": "other" })).await;
    assert!(text(&unknown).starts_with("failed (id "), "{unknown}");
    // Neither widget is a tool by itself, and hosts know the page of the tool.
    let listed = ask(&app, MODERN, "tools/list", json!({})).await;
    let names: Vec<&str> = listed["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["apart", "track", "unwritable", "whole"]);
}

#[tokio::test]
async fn the_view_has_data_of_its_own() {
    let app = app().unwrap();
    let result = shown(&app, "apart", json!({})).await;
    assert_eq!(result["structuredContent"], json!({ "id": 7 }));
    assert_eq!(result["_meta"]["widgetcast/view"]["tree"]["children"][0]["value"], "small: Basel");
    let slack = result.to_string();
    assert!(slack.contains("Basel #a"), "{slack}");
    let unwritable = call(&app, MODERN, "unwritable", json!({})).await;
    assert!(text(&unwritable).starts_with("failed (id "), "{unwritable}");
}

#[tokio::test]
async fn a_whole_result_goes_out_as_it_is() {
    let app = app().unwrap();
    let result = call(&app, MODERN, "whole", json!({})).await;
    assert_eq!(text(&result), "in Biel");
    let item = &result["content"][1];
    assert_eq!(item["resource"]["mimeType"], "application/vnd.ui.widget+json");
    assert_eq!(item["annotations"]["audience"], json!(["user"]));
    // It can be read again, as those that are drawn here.
    let uri = &item["resource"]["uri"];
    let read = ask(&app, MODERN, "resources/read", json!({ "uri": uri })).await;
    let again: Value = serde_json::from_str(
        read["result"]["contents"][0]["text"].as_str().unwrap_or_else(|| panic!("{read}")),
    )
    .unwrap();
    let first: Value = serde_json::from_str(item["resource"]["text"].as_str().unwrap()).unwrap();
    assert_eq!(again, first);
}

/// What a template of a host shows, and what a result that was made elsewhere has, is read back as it was:
/// also where the template sees more than the widget, and where the result names another tool.
#[tokio::test]
async fn an_address_reads_what_the_result_has_shown() {
    let app = App::new("tests", "1.0.0")
        .catalog(catalog())
        .tool(
            Tool::new("apart", async || {
                Outcome::new().data(json!({ "place": "Basel" })).template_data("channel", "#a")
            })
            .widget("small")
            .host_template("slack-blocks", "notice.blocks"),
        )
        .tool(Tool::new("whole", async || -> Result<Reply, ToolError> {
            let data = json!({ "place": "Biel" });
            let hydration = Hydration::new("small", &data, "in Biel", "some/other tool");
            Ok(catalog().hydrate_for_tool_result(&hydration)?)
        }))
        .settings(Settings::default().surfaces(["chatkit", "slack-blocks"]))
        .build()
        .unwrap();
    for (tool, count) in [("apart", 2), ("whole", 1)] {
        let result = call(&app, MODERN, tool, json!({})).await;
        let resources = result["content"].as_array().unwrap().iter();
        let resources: Vec<&Value> = resources.map(|item| &item["resource"]).collect();
        let shown: Vec<&&Value> = resources.iter().filter(|one| one.is_object()).collect();
        assert_eq!(shown.len(), count, "{tool}: {result}");
        for resource in shown {
            let read = ask(&app, MODERN, "resources/read", json!({ "uri": resource["uri"] })).await;
            let again = &read["result"]["contents"][0];
            assert_eq!(again["text"], resource["text"], "{tool}: {read}");
            assert_eq!(again["mimeType"], resource["mimeType"], "{tool}");
        }
    }
}

#[test]
fn what_cannot_work_is_found_by_build() {
    #[derive(serde::Serialize, schemars::JsonSchema)]
    struct Wrong {
        place: u8,
        extra: String,
    }
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Files {
        #[expect(dead_code)]
        name: String,
        #[expect(dead_code)]
        photo: File,
        #[expect(dead_code)]
        more: Vec<File>,
    }
    let error = App::new("tests", "1.0.0")
        .catalog(catalog())
        .tool(Tool::new("words", async || "text").widget("small"))
        .tool(
            Tool::new("wrong", async || Data(Wrong { place: 7, extra: "x".into() }))
                .widget("small"),
        )
        .tool(
            Tool::new("gone", async || Outcome::new())
                .widgets(["smal"])
                .host_template("slack-blocks", "nowhere"),
        )
        .tool(
            Tool::new("files", async |_: Files| "x")
                .file_param("name")
                .file_param("photo")
                .file_param("more"),
        )
        .page(Page::inline("cdn", r#"<script src="https://cdn.example.com/x.js"></script>"#))
        .page(
            Page::inline("fine", r#"<img src="https://pics.example.com/x">"#)
                .resource(["https://pics.example.com"]),
        )
        .build()
        .unwrap_err();
    let mut mistakes = error.errors().to_vec();
    mistakes.sort();
    let starts = [
        "page cdn: <script> loads from https://cdn.example.com, which hosts will block",
        "tool files: file parameter name is not a file: its type must be `widgetcast::File`",
        "tool gone: no template nowhere.yml in the widget directory",
        "tool gone: unknown widget smal; did you mean small?",
        "tool words: the handler returns only text, so its widget gets no data",
        "tool wrong: its output does not match widget small: place is integer in the output, but string",
        "tool wrong: its output does not match widget small: the output has extra, which the widget's",
    ];
    assert_eq!(mistakes.len(), starts.len(), "{error}");
    for (mistake, start) in mistakes.iter().zip(starts) {
        assert!(mistake.starts_with(start), "{mistake}");
    }
}
