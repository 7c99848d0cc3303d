//! What the official conformance suite asks for, written with the SDK: tools, prompts and resources
//! with the names and contents that its scenarios expect. What is not here is not offered; see
//! tests/peers/mcp/expected-failures.yml for the reasons.
//!
//! ```sh
//! cargo run -p widgetcast --example conformance -- --http 127.0.0.1:8080
//! ```

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde_json::{Value, json};
use widgetcast::{
    App, Arguments, Builder, Change, Content, Ctx, Message, Outcome, Prompt, Resource, Tool,
    ToolError, Vars,
};

/// One red pixel.
const PNG: &[u8] = &[
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00, 0x90, 0x77, 0x53,
    0xde, 0x00, 0x00, 0x00, 0x0c, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0xf8, 0xcf, 0xc0, 0x00,
    0x00, 0x03, 0x01, 0x01, 0x00, 0xf7, 0x03, 0x41, 0x43, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e,
    0x44, 0xae, 0x42, 0x60, 0x82,
];
/// No sound, in a WAV file.
const WAV: &[u8] = b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\
    \x01\0\x08\0data\0\0\0\0";

type Error = Box<dyn std::error::Error>;

#[tokio::main]
async fn main() -> Result<(), Error> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let address = match args.as_slice() {
        [flag, address] if flag == "--http" => address.as_str(),
        _ => return Err("usage: conformance --http ADDRESS".into()),
    };
    // Two tools announce changes of the app that they are part of.
    let itself = Arc::new(OnceLock::new());
    let app = resources(prompts(tools(App::new("conformance", "1.0.0"), &itself))).build()?;
    _ = itself.set(app.clone());
    app.serve_http(address).await?;
    Ok(())
}

fn png() -> Content {
    Content::Image { bytes: PNG.to_vec(), mime: "image/png".into() }
}

fn text_resource(uri: &str, mime: &str, text: &str) -> Content {
    Content::Resource { uri: uri.into(), mime: mime.into(), text: text.into() }
}

fn tools(app: Builder, itself: &Arc<OnceLock<App>>) -> Builder {
    let announce = |name: &str, change: Change| {
        let itself = Arc::clone(itself);
        Tool::new(name, move || {
            if let Some(app) = itself.get() {
                app.announce(change.clone());
            }
            async { "Announced." }
        })
        .description("Says that a list has changed")
    };
    app.tool(
        Tool::new("test_simple_text", || async { "This is a simple text response for testing." })
            .description("Gives text"),
    )
    .tool(
        Tool::new("test_image_content", || async { Outcome::new().content(png()) })
            .description("Gives a picture"),
    )
    .tool(
        Tool::new("test_audio_content", || async {
            Outcome::new().content(Content::Audio { bytes: WAV.to_vec(), mime: "audio/wav".into() })
        })
        .description("Gives a sound"),
    )
    .tool(
        Tool::new("test_embedded_resource", || async {
            Outcome::new().content(text_resource(
                "test://embedded-resource",
                "text/plain",
                "This is an embedded resource content.",
            ))
        })
        .description("Gives a resource"),
    )
    .tool(
        Tool::new("test_multiple_content_types", || async {
            Outcome::new().text("Multiple content types test:").content(png()).content(
                text_resource(
                    "test://mixed-content-resource",
                    "application/json",
                    r#"{"test":"data","value":123}"#,
                ),
            )
        })
        .description("Gives text, a picture and a resource"),
    )
    .tool(
        Tool::new("test_error_handling", || async {
            Err::<(), _>(ToolError::public("This tool intentionally returns an error for testing"))
        })
        .description("Fails"),
    )
    .tool(
        Tool::new("test_tool_with_progress", with_progress)
            .description("Reports progress three times"),
    )
    // These two are called to see that nothing comes but notifications and the result, and that
    // nothing is logged to a client that has not asked for it.
    .tool(
        Tool::new("test_streaming_elicitation", with_progress)
            .description("Reports progress and asks for nothing"),
    )
    .tool(
        Tool::new("test_logging_tool", || async { "Nothing was logged to the client." })
            .description("Logs nothing"),
    )
    .tool(announce("test_trigger_tool_change", Change::Tools))
    .tool(announce("test_trigger_prompt_change", Change::Prompts))
    .tool(
        Tool::new("test_custom_header", |arguments: Value| async move {
            format!("Region: {}", arguments["region"])
        })
        .input_schema(json!({
            "type": "object",
            "properties": { "region": { "type": "string", "x-mcp-header": "Region" } },
            "required": ["region"],
        }))
        .description("Has an argument that clients repeat in a header"),
    )
    .tool(
        Tool::new("json_schema_2020_12_tool", |_: Value| async { "It fits." })
            .input_schema(schema_2020_12())
            .description("Tool with JSON Schema 2020-12 features"),
    )
}

async fn with_progress(ctx: Ctx, _: Value) -> &'static str {
    for done in [0.0, 50.0, 100.0] {
        ctx.progress(done, Some(100.0), None).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    "Done."
}

fn schema_2020_12() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
            },
        },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" },
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false,
    })
}

fn resources(app: Builder) -> Builder {
    app.resource(
        Resource::fixed(
            "test://static-text",
            "Static text",
            "This is the content of the static text resource.",
        )
        .description("Text that does not change")
        .mime("text/plain"),
    )
    .resource(
        Resource::fixed("test://static-binary", "Static binary", PNG.to_vec())
            .description("A picture of one pixel")
            .mime("image/png"),
    )
    .resource(
        Resource::new("test://template/{id}/data", "Data by id", |vars: Vars| async move {
            let id = &vars["id"];
            let data =
                json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") });
            Ok::<_, ToolError>(data.to_string())
        })
        .description("Data for any id")
        .mime("application/json"),
    )
    .resource(
        Resource::fixed("test://watched-resource", "Watched resource", "Watched resource content.")
            .description("Text that one may watch")
            .mime("text/plain"),
    )
}

/// An argument; required ones are there.
fn said(arguments: &Arguments, name: &str) -> String {
    arguments.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn prompts(app: Builder) -> Builder {
    app.prompt(
        Prompt::new("test_simple_prompt", |_: Arguments| async {
            Ok::<_, ToolError>(vec![Message::user("This is a simple prompt for testing.")])
        })
        .description("A prompt without arguments"),
    )
    .prompt(
        Prompt::new("test_prompt_with_arguments", |given: Arguments| async move {
            let (first, second) = (said(&given, "arg1"), said(&given, "arg2"));
            let text = format!("Prompt with arguments: arg1='{first}', arg2='{second}'");
            Ok::<_, ToolError>(vec![Message::user(text)])
        })
        .description("A prompt with two arguments")
        .argument("arg1", "First test argument", true)
        .argument("arg2", "Second test argument", true),
    )
    .prompt(
        Prompt::new("test_prompt_with_embedded_resource", |given: Arguments| async move {
            let uri = said(&given, "resourceUri");
            let text = "Embedded resource content for testing.";
            Ok::<_, ToolError>(vec![
                Message::user(text_resource(&uri, "text/plain", text)),
                Message::user("Please process the embedded resource above."),
            ])
        })
        .description("A prompt with a resource in it")
        .argument("resourceUri", "URI of the resource to embed", true),
    )
    .prompt(
        Prompt::new("test_prompt_with_image", |_: Arguments| async {
            Ok::<_, ToolError>(vec![
                Message::user(png()),
                Message::user("Please analyze the image above."),
            ])
        })
        .description("A prompt with a picture in it"),
    )
}
