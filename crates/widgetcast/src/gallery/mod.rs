//! The gallery page and its endpoints.
//!
//! The endpoints return JSON, as documented in the guide. A tool is called as by any client, and its view is
//! rendered for every surface, with what each of them cannot show.

pub(crate) mod frame;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Value, json};
use widgetcast_core::surface::mcp_apps;
use widgetcast_core::{
    CheckOptions, Error, Finding, JsonRef, Kind, Listing, Place, Reply, Schema, Severity, Widget,
    check_widget, sample_arguments,
};

use crate::components;
use crate::protocol::tools::call::{self, Called, Ended, Started};
use crate::protocol::tools::{CallRecord, on_surfaces};
use crate::protocol::{ClientContext, Data, RpcError, Transport, access, surfaces};
use crate::reload::{Note, Snapshot, real_path};
use crate::sdk::caller::Caller;
use crate::sdk::peer::Peer;
use crate::sdk::tool_error::ToolError;
use crate::server::Server;
use crate::worker::Budgeted;

/// The endpoints of the page.
pub(crate) const INDEX_PATH: &str = "/gallery/index.json";
pub(crate) const TOOL_PATH: &str = "/gallery/tool/";
pub(crate) const DRAW_PATH: &str = "/gallery/draw";
pub(crate) const EVENTS_PATH: &str = "/gallery/events";
/// MCP for the page, even if a mounted service has taken `/mcp`.
pub(crate) const MCP_PATH: &str = "/gallery/mcp";
/// A mounted service that drafts the widget of a tool.
pub(crate) const DRAFT_PATH: &str = "/gallery/draft";
/// Microsoft's renderer for Adaptive Cards.
pub(crate) const CARDS_PATH: &str = "/gallery/cards.js";
/// The published schemas of messages between views, hosts and servers.
pub(crate) const SCHEMAS_PATH: &str = "/gallery/schemas.js";
/// Every icon, for the catalogue.
pub(crate) const ICONS_PATH: &str = "/gallery/icons.tsv";
/// The JSON Schema of `.widget` files, which describes every component.
pub(crate) const COMPONENTS_PATH: &str = "/gallery/components.json";

/// The page.
pub(crate) const PAGE: &str = include_str!("../../pages/gallery.html");

/// Files that the page loads lazily: path, type, content.
pub(crate) const ASSETS: &[(&str, &str, &str)] = &[
    (CARDS_PATH, SCRIPT, include_str!("../../pages/cards.js")),
    (SCHEMAS_PATH, SCRIPT, include_str!("../../pages/schemas.js")),
    (ICONS_PATH, "text/tab-separated-values", include_str!("../../pages/icons.tsv")),
];
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The first request of the page: all tools, the findings about files, and whether widgets can be drafted.
pub(crate) fn index(server: &Server, drafts: bool, _: Budgeted) -> Value {
    let snapshot = server.reloader.now();
    let mut tools: Vec<Value> = Vec::new();
    let caller = server.policy.local_caller.as_ref();
    for (name, served) in server.tools.iter().filter(|(name, _)| server.shows_tool(name, caller)) {
        let tool = &served.tool;
        let title = tool.title.as_ref().unwrap_or(&tool.name);
        let read_only = tool.annotations.get("readOnlyHint") == Some(&Value::Bool(true));
        tools.push(json!({
            "name": name, "title": title, "description": tool.description, "kind": "tool",
            "readOnly": read_only, "drawn": read_only && tool.sample.is_some(),
        }));
    }
    let shown = |listing: &Listing<'_>| {
        !server.hides(listing.tool_name) && server.shows_tool(listing.tool_name, caller)
    };
    for listing in snapshot.catalog.list().filter(shown) {
        tools.push(json!({
            "name": listing.tool_name, "title": listing.name, "description": listing.description,
            "kind": "widget", "readOnly": true, "drawn": true,
        }));
    }
    tools.sort_by(|a, b| a["name"].as_str().cmp(&b["name"].as_str()));
    // By default, only local users see the page, and its commands need the whole path; other users must not
    // see where the directory is.
    let dir = snapshot.catalog.dir().map(|dir| match server.settings.gallery {
        None => real_path(dir),
        Some(_) => last_of(dir).to_owned(),
    });
    json!({
        "name": server.title.as_ref().unwrap_or(&server.name), "version": server.version,
        "endpoint": "/mcp", "dir": dir, "drafts": drafts, "tools": tools,
        "findings": findings(&snapshot, &server.reloader.notes()),
    })
}

/// One tool, with sample arguments.
pub(crate) fn tool(server: &Server, name: &str, _: Budgeted) -> Option<Value> {
    let snapshot = server.reloader.now();
    if !server.shows_tool(name, server.policy.local_caller.as_ref()) {
        return None;
    }
    let path = snapshot.catalog.get(name).map(|widget| real_path(widget.path()));
    let mut notes: Vec<Note> = server
        .reloader
        .notes()
        .into_iter()
        .filter(|note| path.as_ref() == Some(&note.path))
        .collect();
    // The excerpt of a broken file differs from the last good widget.
    if let Some(widget) = snapshot.catalog.get(name)
        && !notes.iter().any(|note| note.finding.breaks_file())
    {
        let checked = check_widget(widget, &snapshot.catalog, &CheckOptions::default());
        let told = checked.iter().filter(|finding| finding.severity > Severity::Note);
        notes.extend(told.map(Note::new));
    }
    let findings = findings(&snapshot, &notes);
    if let Some(served) = server.tools.get(name) {
        let tool = &served.tool;
        return Some(json!({
            "name": name, "title": tool.title.as_ref().unwrap_or(&tool.name),
            "description": tool.description, "kind": "tool", "inputSchema": tool.input, "outputSchema": tool.output,
            "sample": tool.sample.clone().unwrap_or_else(|| sample_arguments(&tool.input)),
            "findings": findings,
        }));
    }
    let widget = snapshot.catalog.get(name).filter(|widget| widget.tool_name() == name);
    let Some(widget) = widget else { return broken(server, &snapshot, name) };
    (!server.hides(name)).then(|| {
        let schema: Value = serde_json::from_str(widget.schema_json()).unwrap_or_default();
        json!({
            "name": name, "title": widget.name(), "description": widget.description(),
            "kind": "widget", "inputSchema": schema, "sample": widget.sample(),
            "findings": findings,
        })
    })
}

/// The findings about the file of a tool.
fn broken(server: &Server, snapshot: &Snapshot, name: &str) -> Option<Value> {
    let mut files = snapshot.catalog.broken_files().filter(|(of, _)| of == name);
    let path = real_path(files.next()?.1);
    let notes: Vec<Note> =
        server.reloader.notes().into_iter().filter(|note| note.path == path).collect();
    let findings = findings(snapshot, &notes);
    (!findings.is_empty())
        .then(|| json!({ "name": name, "title": name, "kind": "broken", "findings": findings }))
}

/// The last component of a path.
fn last_of(path: &Path) -> &Path {
    path.file_name().map_or(Path::new("."), Path::new)
}

fn findings(snapshot: &Snapshot, notes: &[Note]) -> Vec<Value> {
    if notes.is_empty() {
        return Vec::new();
    }
    let dir = real_path(snapshot.catalog.dir().unwrap_or(Path::new("")));
    let catalog = &snapshot.catalog;
    let listed = catalog.list().map(|listing| (listing.tool_name.into(), listing.path));
    let tools: HashMap<PathBuf, Cow<'_, str>> =
        catalog.broken_files().chain(listed).map(|(name, path)| (real_path(path), name)).collect();
    let mut found: Vec<(&Note, Finding)> = notes
        .iter()
        .map(|note| {
            let file = note.path.strip_prefix(&dir).unwrap_or_else(|_| last_of(&note.path));
            (note, relative(&note.finding, file, snapshot.catalog.dir()))
        })
        .collect();
    found.sort_by_cached_key(|(_, finding)| {
        let place = finding.error.place();
        (Reverse(finding.severity), place.file.clone(), place.position)
    });
    let json = |(note, finding): &(&Note, Finding)| {
        let error = &finding.error;
        json!({
            "file": error.place().file, "line": error.place().position.map(|(line, _)| line),
            "tool": tools.get(&note.path), "severity": finding.severity.name(),
            "code": error.kind().code(), "broken": finding.breaks_file(),
            "message": error.message(), "excerpt": format!("{finding:#}"),
        })
    };
    found.iter().map(json).collect()
}

/// A finding with paths relative to the directory.
fn relative(finding: &Finding, file: &Path, dir: Option<&Path>) -> Finding {
    let error = &finding.error;
    let message = match (error.kind(), dir) {
        // The message contains two paths, as the directory was given.
        (Kind::NameTaken, Some(dir)) => {
            error.message().replace(&dir.join("").display().to_string(), "")
        }
        _ => error.message().to_owned(),
    };
    let place = Place { file: Some(file.to_owned()), ..error.place().clone() };
    let error = Error::new(error.kind(), message).with_help(error.help()).with_place(place);
    Finding { severity: finding.severity, error, fix: finding.fix }
}

/// Maximum size of a request, which a user typed, and of a tree that is rendered for every surface, since the
/// outputs together take many times its memory.
const MAX_DRAWN_BYTES: usize = 256 << 10;

/// A request to render.
#[derive(Debug, Deserialize)]
struct Question<'a> {
    tool: String,
    /// Without arguments, a widget is rendered from its sample, and only as a tree: the home page shows
    /// nothing else, and there may be a thousand.
    #[serde(borrow)]
    arguments: Option<JsonRef<'a>>,
}

/// A request, as guards see it.
#[derive(Debug, Deserialize)]
struct Named {
    tool: String,
}

fn read_question<'q, T: Deserialize<'q>>(text: &'q [u8]) -> Result<T, RpcError> {
    serde_json::from_slice(text).map_err(|error| RpcError::new(RpcError::PARSE, error.to_string()))
}

/// The page, as a client in the same process; it calls tools as the local caller.
struct GalleryPage<'s> {
    caller: Option<&'s Caller>,
    peer: Peer,
}

impl Transport for GalleryPage<'_> {
    fn caller(&self) -> Option<&Caller> {
        self.caller
    }

    fn peer(&self) -> Peer {
        self.peer
    }
}

/// Calls a tool and renders its result, for every surface if arguments are given. Returns JSON text.
pub(crate) async fn draw(
    server: &Arc<Server>,
    peer: Peer,
    question: Bytes,
) -> Result<String, RpcError> {
    if question.len() > MAX_DRAWN_BYTES {
        let words = format!("The gallery renders arguments of at most {MAX_DRAWN_BYTES} bytes");
        return Err(RpcError::params(words));
    }
    if !server.policy.guards.is_empty() {
        let Named { tool } = read_question(&question)?;
        access::guard_call(server, tool, server.policy.local_caller.clone()).await?;
    }
    let shared = Arc::clone(server);
    let started =
        server.workers.run(move |budgeted| start(&shared, peer, &question, budgeted)).await;
    let Drawing { record, arguments, is_card, started } = started.map_err(RpcError::undone)??;
    let called = match started {
        Started::Done(Ok(called)) => Ok(called.kept(server).await),
        Started::Done(failed) => failed,
        Started::Running(ctx, called) => {
            // The page cannot display messages of the server.
            ctx.line().close();
            called.await.and_then(|ended| match ended {
                Ended::Called(called) => Ok(called),
                Ended::Asked(..) => {
                    Err(ToolError::public("elicitation is not supported in the gallery"))
                }
            })
        }
    };
    let called = record.end(server, called, |_| 0);
    let tool = record.tool().to_owned();
    let shared = Arc::clone(server);
    let drawn = server.workers.run(move |budgeted| match is_card {
        true => card(&shared, called, budgeted).to_string(),
        false => show(&shared, &tool, arguments, called, budgeted).to_string(),
    });
    let drawn = drawn.await.map_err(RpcError::undone)?;
    let most = server.settings.max_response_bytes;
    match drawn.len() <= most {
        true => Ok(drawn),
        false => Err(RpcError::params(format!("The rendered result is larger than {most} bytes"))),
    }
}

/// A call whose result will be rendered.
struct Drawing {
    record: CallRecord<'static>,
    arguments: Value,
    is_card: bool,
    started: Started,
}

/// Parses a request and starts the call.
fn start(
    server: &Arc<Server>,
    peer: Peer,
    question: &[u8],
    budgeted: Budgeted,
) -> Result<Drawing, RpcError> {
    let Question { tool, arguments } = read_question(question)?;
    let caller = server.policy.local_caller.as_ref();
    access::may_call(server, &tool, caller)?;
    let snapshot = server.reloader.now();
    let widget = snapshot.catalog.get(&tool).filter(|_| !server.tools.contains_key(&*tool));
    let is_card = arguments.is_none() && widget.is_some();
    let arguments = match (arguments, widget) {
        (None, Some(widget)) => widget.sample(),
        (given, _) => match given.unwrap_or_default().to_value() {
            Value::Null => json!({}),
            arguments @ Value::Object(_) => arguments,
            _ => return Err(RpcError::params("arguments must be an object")),
        },
    };
    let client = ClientContext {
        modern: true,
        name: None,
        capabilities: None,
        meta: None,
        session: None,
        transport: &GalleryPage { caller, peer },
        surfaces: None,
        cancel: None,
        log_level: None,
        refusal: None,
    };
    let data = Data::from(&arguments);
    let wanted = surfaces::surfaces(server, &client);
    let record = CallRecord::new(server, &tool, &client, wanted, data.text.len()).into_owned();
    let started = call::start(server, &tool, &data, &client, wanted, None, budgeted)?;
    drop(data);
    Ok(Drawing { record, arguments, is_card, started })
}

/// The tree of a sample, or its error.
fn card(server: &Server, called: Result<Called, ToolError>, _: Budgeted) -> Value {
    let reply = called.map_or_else(call::error_reply, |called| called.reply);
    let result = &result_of(server, reply);
    let shown = &result["_meta"][mcp_apps::META_TREE];
    json!({
        "tree": shown["tree"], "icons": shown["icons"],
        "text": texts(result).collect::<Vec<_>>().join("\n\n"), "isError": result["isError"],
    })
}

/// A result as serialized for a client.
fn result_of(server: &Server, reply: Reply) -> Value {
    let message: Value =
        serde_json::from_str(&call::write(server, "0", reply, true)).unwrap_or_default();
    message["result"].clone()
}

/// The outcome of a call, on every surface.
fn show(
    server: &Arc<Server>,
    tool: &str,
    arguments: Value,
    called: Result<Called, ToolError>,
    _: Budgeted,
) -> Value {
    let snapshot = server.reloader.now();
    let widget = server.widget_of(tool, &snapshot);
    let errors = match called.is_err() {
        true => violations(server, widget, tool, &arguments),
        false => Vec::new(),
    };
    let (reply, view) = match called {
        Ok(called) => (called.reply, called.view),
        Err(error) => (call::error_reply(error), None),
    };
    let data = match server.tools.contains_key(tool) {
        true => reply.structured.as_ref().map(|json| json.to_value()).unwrap_or_default(),
        false => arguments,
    };
    // A view built from components has no widget of its own.
    let drawn_by = match widget {
        Some(widget) => Some(widget),
        None => components::widget(),
    };
    let surfaces = match (drawn_by, &view) {
        (Some(widget), Some(view)) if view.json().len() <= MAX_DRAWN_BYTES => {
            on_surfaces(server, &snapshot, widget, view, &data, tool)
        }
        _ => Vec::new(),
    };
    let result = &result_of(server, reply);
    let bytes = |value: &Value| if value.is_null() { 0 } else { value.to_string().len() };
    let (text, data) = (bytes(&result["content"]), bytes(&result["structuredContent"]));
    let shown = &result["_meta"][mcp_apps::META_TREE];
    json!({
        "uri": shown["uri"], "tree": shown["tree"], "icons": shown["icons"],
        "text": texts(result).collect::<Vec<_>>().join("\n\n"),
        "isError": result["isError"], "errors": errors, "surfaces": surfaces,
        "model": { "bytes": text + data, "text": text, "data": data },
        "result": result,
    })
}

/// The violations in the arguments of a failed call.
fn violations(
    server: &Server,
    widget: Option<&Widget>,
    tool: &str,
    arguments: &Value,
) -> Vec<Value> {
    let typed: Option<&Schema> = server.tools.get(tool).map(|served| &served.input);
    let schema = typed.or_else(|| widget.map(Widget::schema));
    let Some(Err(violations)) = schema.map(|schema| schema.validate(arguments)) else {
        return Vec::new();
    };
    let list = violations.list().iter();
    list.map(|one| json!({ "pointer": one.pointer, "message": one.message })).collect()
}

fn texts(result: &Value) -> impl Iterator<Item = &str> {
    let items = result["content"].as_array().into_iter().flatten();
    items.filter_map(|item| item["text"].as_str())
}
