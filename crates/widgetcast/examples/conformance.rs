//! What the official conformance suite asks for, written with the SDK: tools, prompts and resources
//! with the names and contents that its scenarios expect. What is not here is not offered; see
//! tests/peers/mcp/expected-failures.yml for the reasons.
//!
//! ```sh
//! cargo run -p widgetcast --example conformance -- --http 127.0.0.1:8080
//! ```

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use widgetcast::client::{Answer, LogLevel, Sampling};
use widgetcast::handler::Arguments;
use widgetcast::{
    App, Builder, Change, Content, Ctx, Message, Outcome, Prompt, Resource, Tool, ToolError, Vars,
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
    let app = resources(prompts(tasks(asking(tools(App::new("conformance", "1.0.0"), &itself)))))
        .build()?;
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
    // The same twice: the second is called to see that nothing is logged to a client that has not
    // asked for it.
    .tool(Tool::new("test_tool_with_logging", with_logging).description("Logs three messages"))
    .tool(Tool::new("test_logging_tool", with_logging).description("Logs three messages"))
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
    for done in [0, 50, 100] {
        ctx.progress((done, 100), "").await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    "Done."
}

async fn with_logging(ctx: Ctx, _: Value) -> &'static str {
    for text in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
        ctx.log(LogLevel::Info, text).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    "Done."
}

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

#[derive(Deserialize, JsonSchema)]
struct Name {
    name: String,
}

#[derive(Deserialize, JsonSchema)]
struct Confirm {
    ok: bool,
}

#[derive(Deserialize, JsonSchema)]
struct Colour {
    color: String,
}

#[derive(Deserialize, JsonSchema)]
struct Context {
    context: String,
}

#[derive(Deserialize, JsonSchema)]
struct Question {
    prompt: String,
}

#[derive(Deserialize, JsonSchema)]
struct Asked {
    message: String,
}

/// Who answers a form.
#[derive(Debug, Deserialize, JsonSchema)]
struct Person {
    /// User's response
    username: String,
    /// User's email address
    email: String,
}

/// Tools that ask the client.
fn asking(app: Builder) -> Builder {
    app.tool(Tool::new("test_sampling", sampling).description("Asks the client's model"))
        .tool(Tool::new("test_missing_capability", missing).description("Needs the client's model"))
        .tool(Tool::new("test_elicitation", elicitation).description("Asks who one is"))
        .tool(
            Tool::new("test_elicitation_sep1034_defaults", |ctx: Ctx, _: Nothing| async move {
                form(ctx, "Check the defaults", defaults()).await
            })
            .description("Asks with defaults"),
        )
        .tool(
            Tool::new("test_elicitation_sep1330_enums", |ctx: Ctx, _: Nothing| async move {
                form(ctx, "Choose", choices()).await
            })
            .description("Asks for choices"),
        )
        .tool(
            Tool::new("test_streaming_elicitation", streaming)
                .description("Reports progress and asks"),
        )
        .tool(
            Tool::new(
                "test_input_required_result_elicitation",
                |ctx: Ctx, _: Nothing| async move {
                    Ok::<_, ToolError>(format!("Hello, {}!", name(&ctx, "user_name").await?))
                },
            )
            .description("Asks for a name"),
        )
        .tool(
            Tool::new("test_input_required_result_sampling", |ctx: Ctx, _: Nothing| async move {
                let question = Sampling::from("What is the capital of France?").max_tokens(100);
                Ok::<_, ToolError>(ctx.sample(question.key("capital_question")).await?.text())
            })
            .description("Asks the client's model"),
        )
        .tool(
            Tool::new("test_input_required_result_list_roots", |ctx: Ctx, _: Nothing| async move {
                Ok::<_, ToolError>(format!("{:?}", ctx.roots().await?))
            })
            .description("Asks for the client's roots"),
        )
        .tool(
            Tool::new("test_input_required_result_request_state", confirm)
                .description("Asks for a confirmation"),
        )
        .tool(
            Tool::new("test_input_required_result_tampered_state", confirm)
                .description("Asks for a confirmation"),
        )
        .tool(
            Tool::new("test_input_required_result_multiple_inputs", several)
                .description("Asks three things at once"),
        )
        .tool(
            Tool::new("test_input_required_result_multi_round", rounds)
                .description("Asks one thing after the other"),
        )
        .tool(
            Tool::new("test_input_required_result_capabilities", able)
                .description("Asks what the client can answer"),
        )
}

async fn sampling(ctx: Ctx, question: Question) -> Result<String, ToolError> {
    let said = ctx.sample(Sampling::from(question.prompt).max_tokens(100)).await?;
    Ok(format!("LLM response: {}", said.text()))
}

async fn missing(ctx: Ctx, _: Nothing) -> Result<String, ToolError> {
    Ok(ctx.sample("Anything").await?.text())
}

async fn elicitation(ctx: Ctx, asked: Asked) -> Result<String, ToolError> {
    let answer = ctx.elicit::<Person>(asked.message).answer().await?;
    Ok(match answer {
        Answer::Accepted(Person { username, email }) => {
            format!("User response: accept, {username} ({email})")
        }
        Answer::Declined => "User response: decline".into(),
        Answer::Cancelled => "User response: cancel".into(),
    })
}

/// A form that is written by hand.
async fn form(ctx: Ctx, message: &str, schema: Value) -> Result<String, ToolError> {
    let answer = ctx.elicit::<Value>(message).schema(schema).answer().await?;
    Ok(format!("Elicitation completed: {answer:?}"))
}

fn defaults() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "default": "John Doe" },
            "age": { "type": "integer", "default": 30 },
            "score": { "type": "number", "default": 95.5 },
            "status": {
                "type": "string", "enum": ["active", "inactive", "pending"], "default": "active",
            },
            "verified": { "type": "boolean", "default": true },
        },
        "required": [],
    })
}

fn choices() -> Value {
    let options = ["option1", "option2", "option3"];
    let titled = json!([
        { "const": "value1", "title": "First Option" },
        { "const": "value2", "title": "Second Option" },
        { "const": "value3", "title": "Third Option" },
    ]);
    json!({
        "type": "object",
        "properties": {
            "untitledSingle": { "type": "string", "enum": options },
            "titledSingle": { "type": "string", "oneOf": titled },
            "legacyEnum": {
                "type": "string", "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": { "type": "array", "items": { "type": "string", "enum": options } },
            "titledMulti": { "type": "array", "items": { "anyOf": titled } },
        },
        "required": [],
    })
}

async fn streaming(ctx: Ctx, arguments: Value) -> Result<String, ToolError> {
    with_progress(ctx.clone(), arguments).await;
    name(&ctx, "user_name").await
}

async fn name(ctx: &Ctx, key: &str) -> Result<String, ToolError> {
    let name = ctx.elicit::<Name>("What is your name?").key(key).await?;
    Ok(name.ok_or_else(|| ToolError::public("no name"))?.name)
}

async fn confirm(ctx: Ctx, _: Nothing) -> Result<&'static str, ToolError> {
    match ctx.elicit::<Confirm>("Please confirm").key("confirm").await? {
        Some(Confirm { ok: true }) => Ok("state-ok"),
        _ => Err(ToolError::public("not confirmed")),
    }
}

async fn several(ctx: Ctx, _: Nothing) -> Result<String, ToolError> {
    let greeting = Sampling::from("Generate a greeting").max_tokens(50).key("greeting");
    let (name, greeting, roots) =
        tokio::try_join!(name(&ctx, "user_name"), ctx.sample(greeting), ctx.roots())?;
    Ok(format!("{} {name}, with {} roots", greeting.text(), roots.len()))
}

async fn rounds(ctx: Ctx, _: Nothing) -> Result<String, ToolError> {
    let name = name(&ctx, "step1").await?;
    let colour = ctx.elicit::<Colour>("What is your favorite color?").key("step2").await?;
    let colour = colour.map_or_else(|| "no colour".to_owned(), |colour| colour.color);
    Ok(format!("{name} likes {colour}"))
}

async fn able(ctx: Ctx, _: Nothing) -> Result<String, ToolError> {
    if ctx.can_elicit() {
        return name(&ctx, "user_name").await;
    }
    Ok(ctx.sample(Sampling::from("What is a good name?").key("name")).await?.text())
}

#[derive(Deserialize, JsonSchema)]
struct Work {
    seconds: f64,
    label: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct File {
    filename: String,
}

#[derive(Deserialize, JsonSchema)]
struct Deletion {
    confirm: bool,
}

/// Tools that become tasks.
fn tasks(app: Builder) -> Builder {
    app.tool(
        Tool::new("greet", |whom: Name| async move { format!("Hello, {}!", whom.name) })
            .description("Greets, and is no task"),
    )
    .tool(Tool::new("slow_compute", slow).task().description("Takes its time"))
    .tool(
        Tool::new("failing_job", |_: Nothing| async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            Err::<(), _>(ToolError::public("This job always fails"))
        })
        .task()
        .task_required()
        .description("Fails after a while"),
    )
    .tool(
        Tool::new("protocol_error_job", |ctx: Ctx, _: Nothing| async move {
            tokio::time::sleep(Duration::from_millis(50)).await;
            // No client of the suite has roots and tasks, so this is an error of the protocol.
            Ok::<_, ToolError>(format!("{:?}", ctx.roots().await?))
        })
        .task()
        .description("Fails for want of a capability"),
    )
    .tool(Tool::new("confirm_delete", confirm_delete).task().description("Asks while it runs"))
    .tool(
        Tool::new("multi_input", |ctx: Ctx, _: Nothing| async move {
            let (one, two) = tokio::try_join!(name(&ctx, "first"), name(&ctx, "second"))?;
            Ok::<_, ToolError>(format!("{one} and {two}"))
        })
        .task()
        .description("Asks two things while it runs"),
    )
    .tool(
        Tool::new("test_tool_with_task", |ctx: Ctx, _: Nothing| async move {
            let name = name(&ctx, "user_name").await?;
            ctx.become_task().await;
            tokio::time::sleep(Duration::from_millis(50)).await;
            Ok::<_, ToolError>(format!("Hello, {name}!"))
        })
        .task_later()
        .task_required()
        .description("Asks, then takes its time"),
    )
}

async fn slow(ctx: Ctx, work: Work) -> String {
    ctx.progress(0, "computing").await;
    tokio::time::sleep(Duration::from_secs_f64(work.seconds)).await;
    format!("{} is computed", work.label.unwrap_or_default())
}

async fn confirm_delete(ctx: Ctx, file: File) -> Result<String, ToolError> {
    let File { filename } = file;
    match ctx.elicit::<Deletion>(format!("Delete {filename}?")).await? {
        Some(Deletion { confirm: true }) => Ok(format!("{filename} is deleted")),
        _ => Ok(format!("{filename} is kept")),
    }
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
        Prompt::new("test_input_required_result_prompt", |ctx: Ctx, _: Arguments| async move {
            let message = "What context should the prompt use?";
            let given = ctx.elicit::<Context>(message).key("user_context").await?;
            let given = given.map_or_else(|| "none".to_owned(), |given| given.context);
            Ok::<_, ToolError>(vec![Message::user(format!("The context is: {given}"))])
        })
        .description("A prompt that asks"),
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
