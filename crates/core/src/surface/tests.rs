//! Which surfaces choose themselves for which client, and what they say about a tool.

use serde_json::{Map, Value, json};
use widgetcast_engine::budget::{Budget, Exceeded};
use widgetcast_engine::limits::Limits;

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
    let tool = ToolMeta { page: Some(&page), has_widget: true, ..ToolMeta::default() };
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

/// Everything a page says to a host, each list of origins under its own key.
#[test]
fn a_page_names_every_origin_and_wish() {
    let mut page = Page::new("view", "<!doctype html>");
    assert_eq!(
        page.contents()["_meta"],
        json!({"ui": {}, "openai/widgetCSP": {"connect_domains": [], "resource_domains": []}})
    );
    page.csp.connect = vec!["https://c.example".into()];
    page.csp.resource = vec!["https://r.example".into()];
    page.csp.frame = vec!["https://f.example".into()];
    page.csp.redirect = vec!["https://d.example".into()];
    page.permissions = vec!["camera".into(), "geolocation".into()];
    page.domain = Some("v.example".into());
    page.prefers_border = Some(false);
    page.description = Some("Shows".into());
    let contents = page.contents();
    assert_eq!(
        contents,
        json!({"uri": page.uri, "mimeType": "text/html;profile=mcp-app", "text": "<!doctype html>", "_meta": {
            "ui": {
                "csp": {
                    "connectDomains": ["https://c.example"],
                    "resourceDomains": ["https://r.example"],
                    "frameDomains": ["https://f.example"],
                },
                "permissions": {"camera": {}, "geolocation": {}},
                "domain": "v.example",
                "prefersBorder": false,
            },
            "openai/widgetDescription": "Shows",
            "openai/widgetCSP": {
                "connect_domains": ["https://c.example"],
                "resource_domains": ["https://r.example"],
                "frame_domains": ["https://f.example"],
                "redirect_domains": ["https://d.example"],
            },
            "openai/widgetPrefersBorder": false,
            "openai/widgetDomain": "v.example",
        }})
    );
    page.fixed = Some("ui://widget/view.html".into());
    let fixed = page.fixed_contents("text/html+skybridge");
    assert_eq!(fixed["uri"], "ui://widget/view.html");
    assert_eq!(fixed["mimeType"], "text/html+skybridge");
    assert_eq!(fixed["_meta"], contents["_meta"]);
    assert_eq!(page.contents()["uri"], page.uri);
}

#[test]
fn a_tool_is_described_to_every_host() {
    let described = |tool: &ToolMeta<'_>| {
        let mut meta = Map::new();
        SURFACES.iter().for_each(|surface| (surface.describe)(tool, &mut meta));
        Value::Object(meta)
    };
    assert_eq!(
        described(&ToolMeta::default()),
        json!({"ui": {"visibility": []}, "openai/widgetAccessible": false,
            "openai/visibility": "private", "openai/fileParams": []})
    );
    let page = Page::at("ui://widget/view.html", "<!doctype html>");
    let long = "é".repeat(65);
    let tool = ToolMeta {
        has_widget: true,
        page: Some(&page),
        for_model: true,
        for_app: true,
        invoking: Some(&long),
        invoked: Some(&long[2..]),
        file_params: &["file"],
    };
    let clipped = "é".repeat(64);
    assert_eq!(
        described(&tool),
        json!({
            "ui/resourceUri": page.uri,
            "ui": {"resourceUri": page.uri, "visibility": ["model", "app"]},
            "openai/outputTemplate": "ui://widget/view.html",
            "openai/widgetAccessible": true,
            "openai/visibility": "public",
            "openai/toolInvocation/invoking": clipped,
            "openai/toolInvocation/invoked": clipped,
            "openai/fileParams": ["file"],
            "slack": {"supportsBlockKit": true},
        })
    );
}

#[test]
fn only_https_images_give_their_origin() {
    use super::mcp_apps::{origin, resource_domains};
    for (url, expected) in [
        ("https://A.example/a", Some("https://a.example")),
        ("https://a.example:8443?x", Some("https://a.example:8443")),
        ("https://a.example#x", Some("https://a.example")),
        ("http://a.example", None),
        ("data:image/png,x", None),
        ("https://", None),
        ("https:///a", None),
        ("https://a.example;script-src", None),
        ("https://a example", None),
        ("https://user@a.example", None),
        ("https://*", None),
    ] {
        assert_eq!(origin(url).as_deref(), expected, "{url}");
    }
    let tree = json!({"type": "Card", "children": [
        {"type": "Image", "src": "https://b.example/1"}, {"type": "Image", "src": "https://a.example/2"},
        {"type": "Text", "value": "https://c.example"}, {"favicon": "https://d.example/i"},
        {"type": "Image", "src": "https://a.example/3"}]});
    assert_eq!(
        resource_domains(&tree),
        ["https://a.example", "https://b.example", "https://d.example"]
    );
}

#[test]
fn accepted_losses_are_left_out() {
    let surface = super::Surface {
        present: |_, _| ["", "/a", "/a/0", "/ab"].map(|at| super::Loss::new(at, "x")).into(),
        ..super::terminal::SURFACE
    };
    let definition =
        json!({"version": "1.0", "name": "w", "template": "{\"type\":\"Card\",\"children\":[]}"});
    let view = Widget::parse(&definition.to_string()).unwrap().render(&json!({})).unwrap();
    let mut presentation = Presentation::new("tool", "id", &view);
    presentation.accepted = &["/a"];
    let losses = presentation.present(&surface, &mut Reply::default());
    assert_eq!(losses.iter().map(|loss| loss.pointer.as_str()).collect::<Vec<_>>(), ["", "/ab"]);
}

#[test]
fn every_icon_is_found_in_a_sorted_list() {
    use super::icon::Icons;
    let icons = Icons::new("a\t[1]\nbb\t[2]\nccc\t[3]\nd\tbb\ne\td\n");
    for (name, expected) in [
        ("a", Some("[1]")),
        ("bb", Some("[2]")),
        ("ccc", Some("[3]")),
        ("d", Some("[2]")),
        // An alias of an alias is no icon, and neither is a part of a name.
        ("e", None),
        ("b", None),
        ("bbb", None),
        ("f", None),
        ("", None),
    ] {
        assert_eq!(icons.get(name), expected, "{name}");
    }
    let tree = r#"{"a":"lucide:ccc","b":["lucide:a","lucide:a","lucide:zz","ccc"]}"#;
    assert_eq!(icons.of_tree(tree), r#""lucide:a":[1],"lucide:ccc":[3]"#);
    assert_eq!(Icons::default().of_tree(tree), "");
}

#[test]
fn a_member_of_meta_replaces_the_view_of_its_key() {
    let definition =
        json!({"version": "1.0", "name": "w", "template": "{\"type\":\"Card\",\"children\":[]}"});
    let view = Widget::parse(&definition.to_string()).unwrap().render(&json!({})).unwrap();
    let presentation = Presentation::new("tool", "id", &view);
    let mut reply = Reply::default();
    presentation.present(&super::mcp_apps::SURFACE, &mut reply);
    reply.set_meta("other", json!(1));
    assert!(reply.to_json()["_meta"]["widgetcast/view"]["tree"].is_object());
    reply.set_meta("widgetcast/view", json!(2));
    let text = reply.into_text("");
    assert_eq!(text.matches("widgetcast/view").count(), 1, "{text}");
}

/// A tree of many small components, and one long text: both end with the budget.
#[test]
fn surfaces_draw_on_the_budget() {
    let rows = vec![json!({ "type": "Text", "value": "a" }); 3_000];
    let plain = super::terminal::TerminalOptions { width: 80, colour: false, links: false };
    let words = json!({ "type": "Markdown", "value": "a *b* ".repeat(3_000) });
    for children in [json!(rows), json!([words])] {
        let tree = json!({ "type": "Card", "children": children });
        let shown: [(&str, &dyn Fn()); 3] = [
            ("slack-blocks", &|| _ = super::slack::blocks(&tree)),
            ("adaptive-card", &|| _ = super::adaptive::adaptive_card(&tree)),
            ("terminal", &|| _ = super::terminal::terminal(&tree, &plain)),
        ];
        for (name, show) in shown {
            let mut few = Limits::default();
            few.steps = 200;
            assert_eq!(Budget::new(&few).run(show), Err(Exceeded::Steps), "{name}");
            assert_eq!(Budget::default().run(show), Ok(()), "{name}");
        }
    }
}
