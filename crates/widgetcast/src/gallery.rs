//! The gallery: a page that shows every tool, and what that page asks for.
//!
//! `GET /` is the page; `/gallery/…` answers it in JSON, as the guide documents. A tool is called
//! through the same dispatch as by any client. It also shows what is wrong with files, which is the
//! author's business: hence it is for this machine alone unless told otherwise.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use widgetcast_core::surface::{Loss, mcp_apps};
use widgetcast_core::terminal::{TerminalOptions, terminal};
use widgetcast_core::{Reply, SURFACES, Schema, Showing, Surface, View, Widget, sample_of};

use crate::app::Inner;
use crate::dispatch::{Fault, Params, Peer, Request, dispatch};
use crate::live::{Note, Snapshot, whole};

/// The page.
pub(crate) const PAGE: &str = include_str!(concat!(env!("OUT_DIR"), "/gallery.html"));
/// What the page may do: run what is written in it, ask this server, show images.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; \
     style-src 'unsafe-inline'; connect-src 'self'; img-src https: data:; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'";

/// Columns of the terminal that is shown.
const COLUMNS: usize = 72;

/// What the page asks about first: all tools, and what is wrong with files.
pub(crate) fn index(app: &Inner) -> Value {
    let snapshot = app.live.now();
    let mut tools: Vec<Value> = Vec::new();
    for (name, served) in &app.tools {
        let tool = &served.tool;
        let read_only = tool.annotations.get("readOnlyHint") == Some(&Value::Bool(true));
        tools.push(json!({
            "name": name, "title": tool.title, "description": tool.description, "kind": "tool",
            "readOnly": read_only,
        }));
    }
    for listing in snapshot.catalog.list().filter(|listing| !app.hides(listing.tool_name)) {
        tools.push(json!({
            "name": listing.tool_name, "title": listing.name, "description": listing.description,
            "kind": "widget", "readOnly": true,
        }));
    }
    tools.sort_by(|a, b| a["name"].as_str().cmp(&b["name"].as_str()));
    json!({
        "name": app.title.as_ref().unwrap_or(&app.name), "version": app.version,
        "endpoint": "/mcp", "dir": snapshot.catalog.dir(), "tools": tools,
        "findings": findings(app, &snapshot, |_| true),
    })
}

/// One tool, with a sample of what it takes.
pub(crate) fn tool(app: &Inner, name: &str) -> Option<Value> {
    let snapshot = app.live.now();
    let path = snapshot.catalog.get(name).map(|widget| whole(widget.path()));
    let findings = findings(app, &snapshot, |note| path.as_ref() == Some(&note.path));
    if let Some(served) = app.tools.get(name) {
        let tool = &served.tool;
        return Some(json!({
            "name": name, "title": tool.title, "description": tool.description, "kind": "tool",
            "inputSchema": tool.input, "outputSchema": tool.output,
            "sample": tool.sample.clone().unwrap_or_else(|| sample_of(&tool.input)),
            "findings": findings,
        }));
    }
    let widget = snapshot.catalog.get(name).filter(|widget| widget.tool_name() == name)?;
    (!app.hides(name)).then(|| {
        let schema: Value = serde_json::from_str(widget.schema_json()).unwrap_or_default();
        json!({
            "name": name, "title": widget.name(), "description": widget.description(),
            "kind": "widget", "inputSchema": schema, "sample": widget.sample(),
            "findings": findings,
        })
    })
}

fn findings(app: &Inner, snapshot: &Snapshot, wanted: impl Fn(&Note) -> bool) -> Vec<Value> {
    let notes = app.live.notes();
    let notes: Vec<&Note> = notes.iter().filter(|note| wanted(note)).collect();
    if notes.is_empty() {
        return Vec::new();
    }
    let dir = whole(snapshot.catalog.dir().unwrap_or(Path::new("")));
    let tools: HashMap<PathBuf, &str> =
        snapshot.catalog.list().map(|listing| (whole(listing.path), listing.tool_name)).collect();
    notes
        .into_iter()
        .map(|note| {
            json!({
                "file": note.path.strip_prefix(&dir).unwrap_or(&note.path),
                "tool": tools.get(&note.path),
                "severity": note.severity.name(), "message": note.message,
                "excerpt": note.excerpt,
            })
        })
        .collect()
}

/// What the page wants drawn.
#[derive(Debug, Deserialize)]
pub(crate) struct Question {
    tool: String,
    #[serde(default)]
    arguments: Map<String, Value>,
}

/// Calls a tool and draws its result for every surface.
pub(crate) async fn draw(app: &Arc<Inner>, question: Question) -> Result<Value, Fault> {
    let Question { tool, arguments } = question;
    let arguments = Value::Object(arguments);
    let params = json!({ "name": tool, "arguments": arguments }).to_string();
    let params = Params::read(&params).map_err(|error| Fault::params(error.to_string()))?;
    let request =
        Request { method: "tools/call", params, peer: Peer { modern: true, ..Peer::default() } };
    let answer = dispatch(app, request);
    let result: Value = serde_json::from_str(&answer.wait().await?).unwrap_or_default();

    let snapshot = app.live.now();
    let served = app.tools.get(&*tool);
    let widget = app.widget_of(&tool, &snapshot);
    let failed = result["isError"] == true;
    let schema: Option<&Schema> =
        served.map(|served| &served.input).or_else(|| widget.map(Widget::schema));
    let errors = match schema.filter(|_| failed).map(|schema| schema.validate(&arguments)) {
        Some(Err(violations)) => violations
            .list()
            .iter()
            .map(|one| json!({ "pointer": one.pointer, "message": one.message }))
            .collect(),
        _ => Vec::new(),
    };
    let data = if served.is_some() { &result["structuredContent"] } else { &arguments };
    let view =
        widget.filter(|_| !failed).and_then(|widget| Some((widget, widget.render(data).ok()?)));
    let surfaces = match &view {
        Some((widget, view)) => surfaces(&snapshot, widget, view, data, &tool),
        None => Vec::new(),
    };
    let text: String = texts(&result).collect::<Vec<_>>().join("\n\n");
    let bytes = |value: &Value| if value.is_null() { 0 } else { value.to_string().len() };
    let model = bytes(&result["content"]) + bytes(&result["structuredContent"]);
    let shown = &result["_meta"][mcp_apps::META_TREE];
    let mut out = json!({
        "uri": shown["uri"], "tree": shown["tree"], "icons": shown["icons"], "text": text,
        "isError": failed, "errors": errors, "surfaces": surfaces,
        "model": {
            "bytes": model, "text": bytes(&result["content"]),
            "data": bytes(&result["structuredContent"]),
        },
    });
    out["result"] = result;
    Ok(out)
}

fn texts(result: &Value) -> impl Iterator<Item = &str> {
    let items = result["content"].as_array().into_iter().flatten();
    items.filter_map(|item| item["text"].as_str())
}

/// The view as every host would get it, with what each of them loses.
fn surfaces(
    snapshot: &Snapshot,
    widget: &Widget,
    view: &View,
    data: &Value,
    tool: &str,
) -> Vec<Value> {
    let blocks = snapshot.catalog.own_blocks(widget, data).ok().flatten();
    let entity = snapshot.catalog.own_work_object(widget, data).ok().flatten();
    let mut showing = Showing::new(tool, "gallery", view);
    showing.page = Some(&snapshot.view);
    showing.blocks = blocks.as_deref();
    showing.entity = entity.as_ref();
    let draw = |surface: &Surface| {
        let losses = showing.present(surface, &mut Reply::default());
        let (format, text) = match surface.name {
            "text" => ("markdown", (surface.draw)(&showing)),
            "terminal" => {
                let options = TerminalOptions { width: COLUMNS, colour: true, links: false };
                ("ansi", terminal(showing.tree(), &options))
            }
            _ => ("json", (surface.draw)(&showing)),
        };
        let loss = |loss: &Loss| json!({ "path": loss.pointer, "reason": loss.reason });
        let losses: Vec<Value> = losses.iter().map(loss).collect();
        // A Work Object exists only where its author has said what it is.
        let is_there = !text.is_empty() || !losses.is_empty();
        is_there.then(
            || json!({ "name": surface.name, "format": format, "text": text, "losses": losses }),
        )
    };
    SURFACES.iter().filter_map(draw).collect()
}
