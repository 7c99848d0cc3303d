//! Wiring mistakes are reported all at once, in words that say what to do.

use serde_json::json;
use widgetcast::Catalog;
use widgetcast::{App, Data, Page, Prompt, Resource, Settings, Tool};

use crate::talk::GREETING;

#[test]
fn every_mistake_is_reported_at_once() {
    let nothing = || async { "done" };
    let mut settings = Settings::default();
    settings.surfaces = Some(vec!["fax".into()]);
    settings.cors.origins = vec!["*".into()];
    settings.cors.credentials = true;
    settings.max_request_bytes = 0;
    let error = App::new("My App", "one")
        .catalog(widgetcast::Catalog::from_static(&[GREETING]))
        .tool(Tool::new("bad name", nothing))
        .tool(Tool::new("widgetcast_state", nothing))
        .tool(Tool::new("twice", nothing))
        .tool(Tool::new("twice", nothing))
        .tool(Tool::new("a", nothing).widget("greting"))
        .tool(Tool::new("b", nothing).page("chart"))
        .tool(Tool::new("c", nothing).widget("greeting").page("ok"))
        .tool(Tool::new("d", nothing).file_param("photo"))
        .tool(Tool::new("e", nothing).messages("x".repeat(65), "done"))
        .tool(Tool::new("f", nothing).input_schema(json!({ "type": "strin" })))
        .tool(Tool::new("g", nothing).output_schema(json!({ "type": "array" })))
        .page(
            Page::inline("ok", "<p>")
                .connect(["example.com/api"])
                .resource(["https://a.example/b"])
                .redirect(["http://example.com"])
                .frame(["https://*"])
                .permission("usb")
                .address("https://example.com/chart.html"),
        )
        .page(Page::inline("ok", "<p>"))
        .page(Page::inline("bad page", "<p>"))
        .page(Page::inline("one", "<p>").address("ui://a/same.html"))
        .page(Page::inline("other", "<p>").address("ui://a/same.html"))
        .page(Page::inline("text", "no mark-up"))
        .page(Page::file("gone", "no/such/file.html"))
        .resource(Resource::fixed("terms", "Terms", "Be kind."))
        .resource(Resource::fixed("a://b", "B", "One."))
        .resource(Resource::fixed("a://b", "B", "Two."))
        .prompt(Prompt::new("p", async || "hi"))
        .prompt(Prompt::new("p", async || "hi"))
        .settings(settings)
        .build()
        .unwrap_err();
    let said = error.to_string();
    for words in [
        "the app's name \"My App\" must be lower-case",
        "the version \"one\" is not a semantic version",
        "tool \"bad name\": a tool name must be 1 to 128",
        "tool widgetcast_state: this name is reserved by the server",
        "two tools are named twice",
        "tool a: unknown widget greting; did you mean greeting?",
        "tool b: unknown page chart",
        "tool c: a tool shows either a widget or a page, not both",
        "tool d: file parameter photo is not a property of the input",
        "tool e: the message \"xxx",
        "tool f: the input schema must have \"type\": \"object\"",
        "tool g: the output schema must have \"type\": \"object\"",
        "page ok: connect origin \"example.com/api\" must be a scheme and a host",
        "page ok: resource origin \"https://a.example/b\" must be a scheme and a host",
        "page ok: redirect origin \"http://example.com\" must be a scheme and a host",
        "page ok: frame origin \"https://*\" must be a scheme and a host",
        "page ok: permission \"usb\" must be one of",
        "page ok: the URI \"https://example.com/chart.html\" must look like",
        "two pages are named ok",
        "two pages have the URI ui://a/same.html",
        "page \"bad page\": a page name",
        "page text: not HTML",
        "page gone: no/such/file.html: no such file or directory",
        "resource \"terms\": a URI needs a scheme",
        "two resources have the URI a://b",
        "two prompts are named p",
        "surface \"fax\" must be one of text,",
        "CORS with credentials requires explicit origins",
        "max_request_bytes must not be 0",
    ] {
        assert!(said.contains(words), "{words:?} is missing in:\n{said}");
    }
}

#[test]
fn a_missing_directory_is_a_mistake_and_a_broken_file_is_not() {
    let error = App::new("a", "1.0.0").widgets("no/such/folder").build().unwrap_err();
    assert!(error.to_string().contains("no/such/folder"), "{error}");

    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("broken.widget"), "{").unwrap();
    std::fs::write(dir.path().join(GREETING.0), GREETING.1).unwrap();
    App::new("a", "1.0.0").widgets(dir.path()).build().unwrap();
    let error = App::new("a", "1.0.0")
        .widgets(dir.path())
        .tool(Tool::new("t", || async { "x" }).widget("broken"))
        .build()
        .unwrap_err();
    assert!(error.to_string().contains("widget broken is broken"), "{error}");
}

#[test]
fn a_page_that_cannot_be_read_is_one_mistake() {
    let error = App::new("a", "1.0.0")
        .page(Page::file("gone", "no/such/file.html"))
        .tool(Tool::new("t", async || "x").page("gone"))
        .build()
        .unwrap_err();
    let said = error.to_string();
    assert_eq!(said.matches("gone").count(), 1, "{said}");
    assert!(said.contains("page gone: no/such/file.html: no such file or directory"), "{said}");
}

#[test]
fn schemas_of_types_stand_in_place() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Trip {
        /// Where it begins
        from: Place,
        to: Place,
    }
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Place {
        city: String,
    }
    #[derive(serde::Serialize, schemars::JsonSchema)]
    struct Price {
        euro: f64,
    }
    let tool = Tool::new("trip", |_: Trip| async { Data(Price { euro: 9.0 }) });
    let shown = format!("{tool:?}");
    assert!(shown.contains("trip"));
    let app = App::new("a", "1.0.0").tool(tool).build().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let list = runtime.block_on(crate::talk::ask(&app, "2025-11-25", "tools/list", json!({})));
    let tool = &list["result"]["tools"][0];
    assert_eq!(tool["inputSchema"]["properties"]["from"]["description"], "Where it begins");
    assert_eq!(tool["inputSchema"]["properties"]["to"]["properties"]["city"]["type"], "string");
    assert_eq!(tool["outputSchema"]["properties"]["euro"]["type"], "number");
}

#[test]
fn a_name_of_a_tool_has_at_most_128_letters() {
    let named = |length: usize| {
        let tool = Tool::new("x".repeat(length), || async { "done" });
        App::new("tests", "1.0.0").tool(tool).build()
    };
    assert!(named(1).is_ok() && named(128).is_ok());
    for length in [0, 129] {
        let error = named(length).unwrap_err().to_string();
        assert!(
            error.ends_with("a tool name must be 1 to 128 letters, digits, `_`, `-` or `.`"),
            "{error}"
        );
    }
}

const CALLS: &str = r#"{
    "version": "1.0", "name": "ticket",
    "template": "{\"type\":\"Card\",\"children\":[{\"type\":\"Button\",\"label\":\"Take\",\"onClickAction\":{\"type\":\"asign\"}},{\"type\":\"Button\",\"label\":\"Close\",\"onClickAction\":{\"type\":\"ticket.close\"}},{\"type\":\"Button\",\"label\":\"Print\",\"onClickAction\":{\"type\":\"asign\",\"handler\":\"client\"}},{\"type\":\"Button\",\"label\":\"Else\",\"onClickAction\":{\"type\":\"something_else\"}}]}",
    "jsonSchema": { "type": "object", "properties": {} }
}"#;

/// A slip is found; what may be for the page or the host is left alone.
#[test]
fn actions_that_nearly_name_a_tool_are_found() {
    let app = |assign: &str| {
        App::new("tests", "1.0.0")
            .catalog(Catalog::from_static(&[("ticket.widget", CALLS)]))
            .tool(Tool::new("show", async || Data(serde_json::Map::new())).widget("ticket"))
            .tool(Tool::new(assign, async || "assigned"))
            .build()
    };
    let error = app("assign").unwrap_err();
    assert_eq!(
        error.errors(),
        ["widget ticket: an action calls the unknown tool asign; did you mean assign?"]
    );
    app("asign").unwrap();
    app("delete").unwrap();
}

#[test]
fn a_widget_that_is_nearly_there_is_suggested() {
    let error = App::new("tests", "1.0.0")
        .catalog(Catalog::from_static(&[("ticket.widget", CALLS)]))
        .tool(Tool::new("show", async || Data(serde_json::Map::new())).widget("tiket"))
        .build()
        .unwrap_err();
    assert_eq!(error.errors(), ["tool show: unknown widget tiket; did you mean ticket?"]);
}

/// The environment overrides the settings of an app, unless they were set after it was read. Variables are
/// those of a process, so this test is run in another one.
#[test]
fn the_environment_counts() {
    const NAME: &str = "WIDGETCAST_MAX_STREAMS";
    if std::env::var_os(NAME).is_none() {
        let program = std::env::current_exe().unwrap();
        let mut again = std::process::Command::new(program);
        let again = again.args(["--exact", "build::the_environment_counts"]).env(NAME, "7");
        let ran = again.output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
        return;
    }
    let built = |settings: widgetcast::Settings| {
        let app = widgetcast::App::new("tests", "1.0.0").settings(settings).build().unwrap();
        app.settings().max_streams
    };
    assert_eq!(built(widgetcast::Settings::default().max_streams(3)), 7);
    assert_eq!(built(widgetcast::Settings::from_env().unwrap().max_streams(3)), 3);
}
