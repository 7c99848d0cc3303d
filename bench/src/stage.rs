//! The stages of a call, each run a number of times for callgrind.

use std::hint::black_box;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use http::Request;
use http_body_util::{BodyExt as _, Full};
use serde_json::{Value, json};
use tower::ServiceExt as _;
use widgetcast::{App, Data, Tool};
use widgetcast_core::{Catalog, Limits, Presentation, Reply, Surface, check_tree};

use crate::error::Result;

/// The stages measured with widgets of the gallery: those that the Studio exports do not represent.
pub(crate) const GALLERY_STAGES: &[&str] = &[
    "copy-text",
    "call",
    "call-slow",
    "answer",
    "present-mcp-apps",
    "present-slack-blocks",
    "present-adaptive-card",
];

/// The stages measured with the Studio exports.
pub(crate) const STUDIO_STAGES: &[&str] = &[
    "validate",
    "fast",
    "slow",
    "call",
    "call-slow",
    "answer",
    "check",
    "present-text",
    "present-chatkit",
    "present-mcp-apps",
    "present-chatgpt",
    "present-slack-blocks",
    "present-adaptive-card",
];

/// The same with a widget that a typed tool draws too: `answer-typed` is [`Basket`] in and out.
const TYPED_STAGES: &[&str] = &[
    "copy-text",
    "call",
    "call-slow",
    "answer",
    "answer-typed",
    "present-mcp-apps",
    "present-slack-blocks",
    "present-adaptive-card",
];

/// The data of the gallery's list, as a handler takes and returns it.
#[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
struct Basket {
    basket_id: String,
    lines: Vec<Line>,
    subtotal: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    discount: Option<Discount>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shipping: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tax: Option<String>,
    total: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    payment_method: Option<String>,
}

#[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
struct Line {
    id: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<String>,
    quantity: u32,
    price: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<String>,
}

#[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
struct Discount {
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    amount: String,
}

/// A widget with its data.
pub(crate) struct Subject {
    pub name: &'static str,
    pub stages: &'static [&'static str],
    file: PathBuf,
    data: Value,
}

/// The widgets to measure: the gallery's, and the Studio exports where the shared corpus is.
pub(crate) fn subjects() -> Vec<Subject> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let corpus = root.join("../shared/corpus");
    let mut subjects = Vec::new();
    if corpus.is_dir() {
        let studio = |name, stem: &str, rows: usize| {
            let input = corpus.join("input").join(format!("{stem}.json"));
            let text = std::fs::read_to_string(input).unwrap_or_default();
            let data = with_rows(serde_json::from_str(&text).unwrap_or_default(), rows);
            Subject {
                name,
                stages: STUDIO_STAGES,
                file: corpus.join("widgets").join(format!("{stem}.widget")),
                data,
            }
        };
        subjects.push(studio(
            "studio-flight",
            "ShaojieJiang_mcp-chatkit-widget__Flight_Tracker",
            0,
        ));
        subjects.push(studio(
            "studio-list-20",
            "ShaojieJiang_mcp-chatkit-widget__Purchase_Items",
            20,
        ));
    } else {
        println!("NOTICE: the Studio exports are not measured, {} is not there", corpus.display());
    }
    for (name, stem, stages) in [
        ("gallery-flight", "flight_tracker", GALLERY_STAGES),
        ("gallery-list", "purchase_items", TYPED_STAGES),
    ] {
        let file = root.join("crates/cli/widgets").join(format!("{stem}.widget"));
        let data =
            Catalog::from_file(&file).widgets().next().map(|w| w.sample()).unwrap_or_default();
        subjects.push(Subject { name, stages, file, data });
    }
    subjects
}

/// The data with its list made as long as asked for.
fn with_rows(mut data: Value, rows: usize) -> Value {
    if let Some(items) = data.get_mut("items").and_then(Value::as_array_mut).filter(|_| rows > 0) {
        let first = items.first().cloned().unwrap_or_else(|| json!({}));
        *items = vec![first; rows];
    }
    data
}

/// Runs a stage, `widget/stage`, so many times.
pub(crate) fn run(name: &str, rounds: usize) -> Result {
    let (subject, stage) = name.split_once('/').ok_or("a stage is widget/stage")?;
    let subject =
        subjects().into_iter().find(|s| s.name == subject).ok_or("there is no such widget")?;
    let catalog = Catalog::from_file(&subject.file);
    let widget = catalog.widgets().next().ok_or("the widget does not load")?;
    let data = &subject.data;
    let view = widget.render(data)?;
    let json = view.json().to_owned();
    // Once before: lazy initialization is not part of a call.
    widget.render_slowly(data)?;
    let app = App::new("bench", "1.0.0").catalog(Catalog::from_file(&subject.file));
    match stage {
        "answer" => return answer(&app.build()?, &subject, widget.tool_name(), rounds),
        "answer-typed" => {
            let tool = Tool::new("basket", async |basket: Basket| Data(basket));
            let app = app.tool(tool.widget(widget.tool_name())).build()?;
            return answer(&app, &subject, "basket", rounds);
        }
        _ => {}
    }
    let limits = Limits::default();
    for _ in 0..rounds {
        match stage {
            "validate" => drop(black_box(widget.schema().is_valid(black_box(data)))),
            "fast" => drop(black_box(widget.render_unvalidated(black_box(data))?)),
            "slow" => drop(black_box(widget.render_slowly(black_box(data))?)),
            "copy-text" => drop(black_box(widget.copy_text(&black_box(data).into())?)),
            "call" => drop(black_box(widget.render(black_box(data))?)),
            "call-slow" => {
                black_box(widget.schema().is_valid(black_box(data)));
                drop(black_box(widget.render_slowly(black_box(data))?));
            }
            "check" => drop(black_box(check_tree(black_box(&json), &limits))),
            stage => {
                let name = stage.strip_prefix("present-").and_then(Surface::find);
                let surface = name.ok_or("there is no such stage")?;
                // The view is there already; the tree is parsed by the first surface that needs it.
                let mut reply = Reply::default();
                (surface.present)(&Presentation::new("tool", "id", black_box(&view)), &mut reply);
                drop(black_box(reply));
            }
        }
    }
    Ok(())
}

/// A whole `tools/call` of 2026-07-28, from the HTTP request to the response, without a socket.
fn answer(app: &App, subject: &Subject, tool: &str, rounds: usize) -> Result {
    let service = app.service();
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": tool, "arguments": subject.data, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": { "name": "bench", "version": "1.0.0" } } } });
    let body = Bytes::from(body.to_string());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        // Round 0 warms up, and its response is checked.
        for round in 0..=rounds {
            let request = Request::post("/mcp")
                .header("host", "127.0.0.1")
                .header("content-type", "application/json")
                .header("accept", "application/json, text/event-stream")
                .header("mcp-protocol-version", "2026-07-28")
                .header("mcp-method", "tools/call")
                .header("mcp-name", tool)
                .body(Full::new(body.clone()))?;
            let response = service.clone().oneshot(request).await?;
            let text = response.into_body().collect().await?.to_bytes();
            if round == 0 && !text.starts_with(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\"") {
                return Err(format!("not a result: {text:?}").into());
            }
            black_box(text);
        }
        Ok(())
    })
}
