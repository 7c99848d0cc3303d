//! Which surfaces choose themselves for which client, and what they say about a tool.

use serde_json::{Map, Value, json};

use super::page::Page;
use super::{Client, Presentation, SURFACES, ToolMeta};
use crate::definition::widget::Widget;
use crate::reply::Reply;

/// The surfaces that a client gets beside those that every client gets.
fn wanted(name: Option<&str>, capabilities: Option<&Value>) -> Vec<&'static str> {
    let client = Client { name, capabilities };
    let wanted = SURFACES.iter().filter(|surface| (surface.wants)(&client));
    let names: Vec<&str> = wanted.map(|surface| surface.name).collect();
    let (always, beside) = names.into_iter().partition(|name| ["text", "mcp-apps"].contains(name));
    let always: Vec<&str> = always;
    assert_eq!(always, ["text", "mcp-apps"]);
    beside
}

#[test]
fn a_name_chooses() {
    for (name, expected) in [
        (None, None),
        (Some(""), None),
        (Some("claude-ai"), None),
        (Some("openai-mcp"), Some("chatgpt")),
        (Some("ChatGPT"), Some("chatgpt")),
        (Some("My ChatKit server"), Some("chatkit")),
        (Some("terminal"), None),
    ] {
        assert_eq!(wanted(name, None), Vec::from_iter(expected), "{name:?}");
    }
    assert_eq!(wanted(Some("openai chatkit"), Some(&json!({}))), ["chatkit", "chatgpt"]);
}

#[test]
fn an_extension_chooses() {
    const UI: &str = "io.modelcontextprotocol/ui";
    for (id, mime, expected) in [
        (UI, "text/html;profile=mcp-app", None),
        (UI, "text/html+skybridge", Some("chatgpt")),
        ("com.example/ui", "text/html+skybridge", None),
        (UI, "application/vnd.ui.widget+json", Some("chatkit")),
        ("com.example/ui", "application/vnd.ui.widget+json", Some("chatkit")),
        ("io.slack/block-kit", "application/vnd.slack.blocks+json", Some("slack-blocks")),
        ("com.example/ui", "application/vnd.slack.blocks+json", None),
        ("com.example/ui", "application/vnd.slack.work-object+json", Some("slack-work-object")),
        ("com.example/ui", "application/vnd.microsoft.card.adaptive", Some("adaptive-card")),
    ] {
        let capabilities = json!({"extensions": {id: {"mimeTypes": ["text/plain", mime]}}});
        assert_eq!(wanted(None, Some(&capabilities)), Vec::from_iter(expected), "{id} {mime}");
    }
    let bare = json!({"extensions": {"io.slack/block-kit": {}}});
    assert_eq!(wanted(None, Some(&bare)), ["slack-blocks"]);
}

#[test]
fn odd_capabilities_choose_nothing() {
    for capabilities in [
        json!(null),
        json!([]),
        json!({"extensions": null}),
        json!({"extensions": ["io.slack/block-kit"]}),
        json!({"extensions": {"io.slack/block-kit": null}}),
        json!({"extensions": {"a": 1, "b": {"mimeTypes": "application/vnd.ui.widget+json"}}}),
        json!({"extensions": {"a": {"mimeTypes": [1, {}]}}}),
    ] {
        assert_eq!(wanted(None, Some(&capabilities)), [""; 0], "{capabilities}");
    }
}

#[test]
fn slack_is_told_of_tools_with_a_view() {
    let described = |tool: &ToolMeta<'_>| {
        let mut meta = Map::new();
        SURFACES.iter().for_each(|surface| (surface.describe)(tool, &mut meta));
        meta
    };
    let page = Page::new("view", "<!doctype html>");
    let tool = ToolMeta { page: Some(&page), ..ToolMeta::default() };
    assert_eq!(described(&tool)["slack"], json!({"supportsBlockKit": true}));
    assert!(!described(&ToolMeta::default()).contains_key("slack"));
}

#[test]
fn a_reply_is_one_line() {
    // A template that the general engine renders may lay out its tree as it likes.
    let template = "{\r\n \"type\": \"Card\",\n \"children\": [{\"type\": \"Text\", \"value\": {{ a | upper | tojson }}}]\n}";
    let definition = json!({"version": "1.0", "name": "w", "template": template});
    let widget = Widget::parse(&definition.to_string()).unwrap();
    assert!(!widget.is_fast());
    let view = widget.render(&json!({"a": "two\nlines"})).unwrap();
    let presentation = Presentation::new("tool", "id", &view);
    let mut reply = Reply::default();
    for surface in SURFACES {
        presentation.present(surface, &mut reply);
    }
    let text = reply.clone().into_text("{");
    assert!(!text.contains(['\n', '\r']), "{text}");
    assert_eq!(reply.to_json()["_meta"]["widgetcast/view"]["tree"], view.tree());
}
