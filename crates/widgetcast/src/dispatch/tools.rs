//! `tools/list` and `tools/call`.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use futures_util::FutureExt as _;
use serde_json::{Map, Value, json};
use widgetcast_core::surface::mcp_apps;
use widgetcast_core::{Face, Json, Kind, Listing, Reply, SURFACES, Showing, Widget};

use super::{Answer, Body, Data, Fault, META_SERVER, Request, Surfaces, state, surfaces};
use crate::app::{Call, Inner, Next, Served};
use crate::context::Ctx;
use crate::event::Event;
use crate::handler::Ended;
use crate::live::Snapshot;
use crate::outcome::{Outcome, ToolError};
use crate::tool::{Tool, Visibility};

/// A tool that was found by its name.
enum Found<'a> {
    Typed(&'a Served),
    Widget(&'a Widget),
    /// What views keep their state with.
    State,
}

fn find<'a>(app: &'a Inner, snapshot: &'a Snapshot, name: &str) -> Option<Found<'a>> {
    if let Some(served) = app.tools.get(name) {
        return Some(Found::Typed(served));
    }
    let widget = snapshot.catalog.get(name).filter(|widget| widget.tool_name() == name);
    match widget.filter(|_| !app.shown.contains(name)) {
        Some(widget) => Some(Found::Widget(widget)),
        None => (name == state::NAME).then_some(Found::State),
    }
}

impl Found<'_> {
    fn has_header_params(&self) -> bool {
        match self {
            Found::Typed(served) => served.has_header_params,
            Found::Widget(widget) => widget.has_header_params(),
            Found::State => false,
        }
    }
}

/// Whether a tool has arguments that are repeated in headers.
pub(crate) fn has_header_params(app: &Inner, name: &str) -> bool {
    find(app, &app.live.now(), name).is_some_and(|found| found.has_header_params())
}

pub(super) fn call(app: &Arc<Inner>, mut request: Request<'_>) -> Answer {
    let arguments = request.params.arguments();
    let Some(name) = request.params.name.as_deref() else {
        return Answer::Now(Err(Fault::params("tools/call needs the name of a tool")));
    };
    let data = match arguments {
        Ok(data) => data,
        Err(fault) => return Answer::Now(Err(fault)),
    };
    let snapshot = app.live.now();
    let Some(found) = find(app, &snapshot, name) else {
        return Answer::Now(Err(unknown(app, &snapshot, name)));
    };
    let modern = request.peer.modern;
    let needs_comparing = request.peer.headers.is_some() && !request.peer.compared;
    if modern && needs_comparing && found.has_header_params() {
        return Answer::Aside;
    }
    let surfaces = surfaces(app, &request.peer);
    app.tell(&Event::Called { tool: name });
    let began = Instant::now();
    if let (Found::Widget(widget), None) = (&found, &app.around) {
        // Nothing to wait for: the arguments are the data.
        let drawn = std::panic::catch_unwind(AssertUnwindSafe(|| {
            draw(app, &snapshot, name, widget, Outcome::new(), &data, surfaces)
        }));
        let drawn = drawn.unwrap_or_else(|_| Err(ToolError::new(PANICKED)));
        return Answer::Now(finish(app, name, began, drawn, modern));
    }

    let arguments = data.given.to_value();
    let cancel = request.peer.cancel.clone().unwrap_or_default();
    let ctx =
        Ctx::new(name, request.peer.caller(), cancel.child_token(), request.peer.report.clone());
    if let Found::Typed(served) = &found
        && let Err(violations) = served.input.validate(&arguments)
    {
        let message = format!("the arguments do not fit {name}:\n{violations}");
        return Answer::Now(finish(app, name, began, Err(ToolError::new(message)), modern));
    }
    let is_state = matches!(found, Found::State);
    let (app, name, snapshot) = (Arc::clone(app), name.to_owned(), app.live.keep());
    // A caller that goes away drops the future; work that the handler moved elsewhere hears of it.
    let gone = cancel.drop_guard();
    Answer::Later(Box::pin(async move {
        let _gone = gone;
        let mut unfinished = Unfinished(Some((Arc::clone(&app), name.clone(), began)));
        let call = Call { tool: name.clone(), arguments, ctx };
        let ended = run(&app, &name, call, is_state).await;
        unfinished.0 = None;
        let drawn = ended.and_then(|mut outcome| match is_state {
            true => {
                let data = outcome.data.take().unwrap_or_default();
                Ok(tell(outcome, data, None))
            }
            false => complete(&app, &snapshot, &name, outcome, surfaces),
        });
        finish(&app, &name, began, drawn, modern)
    }))
}

const PANICKED: &str = "the tool failed unexpectedly; its operator can find the cause in the log";

/// A call that counts as cancelled when it is dropped before it has ended.
struct Unfinished(Option<(Arc<Inner>, String, Instant)>);

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some((app, name, began)) = self.0.take() {
            let took = began.elapsed();
            app.meter.call(&name, "cancelled", took);
            app.tell(&Event::Failed { tool: &name, took, error: "cancelled by the caller" });
        }
    }
}

/// Runs hooks and handler, for as long as they may take.
async fn run(app: &Arc<Inner>, name: &str, call: Call, is_state: bool) -> Ended {
    let tool = match app.tools.get(name) {
        Some(served) => {
            let handler = Arc::clone(&served.tool.handler);
            Next(Box::new(move |call: Call| handler(call.ctx, call.arguments)))
        }
        None if is_state => {
            let app = Arc::clone(app);
            Next(Box::new(move |call: Call| Box::pin(state::run(app, call.arguments))))
        }
        None => Next(Box::new(|call: Call| {
            Box::pin(std::future::ready(Ok(Outcome::new().data(call.arguments))))
        })),
    };
    // The call itself is caught too: a handler may panic before its first await.
    let work = async {
        match &app.around {
            Some(around) => around(call, tool).await,
            None => tool.run(call).await,
        }
    };
    let work = AssertUnwindSafe(work).catch_unwind();
    match tokio::time::timeout(app.settings.timeout(), work).await {
        Ok(Ok(ended)) => ended,
        Ok(Err(panic)) => {
            let words = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let words = words.or_else(|| panic.downcast_ref::<String>().cloned());
            tracing::error!(tool = name, "panicked: {}", words.unwrap_or_default());
            Err(ToolError::new(PANICKED))
        }
        Err(_) => Err(ToolError::new(format!(
            "the tool did not finish within {} seconds",
            app.settings.call_timeout
        ))),
    }
}

/// Checks a handler's data and presents it.
fn complete(
    app: &Inner,
    snapshot: &Snapshot,
    name: &str,
    mut outcome: Outcome,
    surfaces: Surfaces,
) -> Result<Reply, ToolError> {
    let data = outcome.data.take();
    let Some(served) = app.tools.get(name) else {
        let widget =
            snapshot.catalog.get(name).ok_or_else(|| ToolError::new("the widget is gone"))?;
        let data = data.unwrap_or_default();
        let data = Data { given: (&data).into(), text: data.to_string().into() };
        return draw(app, snapshot, name, widget, outcome, &data, surfaces);
    };
    if let Some(schema) = &served.output {
        let data = data.as_ref().ok_or_else(|| ToolError::new("the tool gave no data"))?;
        if let Err(violations) = schema.validate(data) {
            tracing::error!(
                tool = name,
                "the result does not fit its output schema:\n{violations}"
            );
            return Err(ToolError::new("the tool's result does not fit its output schema"));
        }
    }
    let widget = served.tool.widget.as_ref().map(|widget| (widget, snapshot.catalog.get(widget)));
    if let Some((widget, None)) = &widget {
        tracing::error!(tool = name, widget, "the widget is gone; the result has no view");
    }
    let data = data.unwrap_or_default();
    match widget {
        Some((_, Some(widget))) => {
            let text = Json::from(&data);
            let drawn = Data { given: (&data).into(), text: text.as_str().into() };
            let mut reply = draw(app, snapshot, name, widget, outcome, &drawn, surfaces)?;
            reply.structured = (!data.is_null()).then_some(text);
            Ok(reply)
        }
        Some((_, None)) => Ok(tell(outcome, data, None)),
        None => Ok(tell(outcome, data, app.page_of(&served.tool, snapshot))),
    }
}

/// Presents data that a widget draws, on every surface that was asked for.
fn draw(
    app: &Inner,
    snapshot: &Snapshot,
    name: &str,
    widget: &Widget,
    outcome: Outcome,
    data: &Data<'_>,
    surfaces: Surfaces,
) -> Result<Reply, ToolError> {
    let view = widget.draw(&data.given).map_err(|error| match error.kind() {
        Kind::Data => ToolError::new(error.message()),
        _ => {
            tracing::error!(tool = name, "{error:#}");
            ToolError::new(format!("the result cannot be drawn: {}", error.message()))
        }
    })?;
    // The author's own templates run only for those who asked.
    let asked = |name: &str| surfaces.iter().any(|surface| surface.name == name);
    let blocks = asked("slack-blocks")
        .then(|| own(snapshot.catalog.own_blocks(widget, &data.given.to_value()), name))
        .flatten();
    let entity = asked("slack-work-object")
        .then(|| own(snapshot.catalog.own_work_object(widget, &data.given.to_value()), name))
        .flatten();
    let id = widgetcast_core::instance_id(&app.key, name, &data.text);
    let key = state::key();
    let mut reply = Reply::default();
    {
        let mut showing = Showing::new(name, &id, &view);
        showing.page = Some(&snapshot.view);
        showing.state = Some(&key);
        showing.blocks = blocks.as_deref();
        showing.entity = entity.as_ref();
        if let Some(text) = &outcome.text {
            reply.push_text(text);
        }
        let own_text = outcome.text.is_some();
        for surface in surfaces.iter().filter(|one| !(own_text && one.name == "text")) {
            (surface.present)(&showing, &mut reply);
        }
    }
    app.store.put(&id, name, &data.text);
    Ok(with_rest(reply, outcome))
}

/// Presents data that no widget draws: a page of the app's own does, or nothing.
fn tell(mut outcome: Outcome, data: Value, page: Option<&mcp_apps::Page>) -> Reply {
    let mut reply = Reply::default();
    if let Some(text) = outcome.text.take() {
        reply.push_text(text);
    } else if page.is_some() || !data.is_null() || outcome.content.is_empty() {
        reply.push_text(words(&data));
    }
    if let Some(page) = page {
        reply.set_meta("ui", json!({ "resourceUri": page.uri }));
    }
    reply.structured = (!data.is_null()).then(|| data.into());
    with_rest(reply, outcome)
}

/// Adds what a handler gave beside data and text.
fn with_rest(mut reply: Reply, outcome: Outcome) -> Reply {
    reply.content.extend(outcome.content.iter().map(|content| content.to_json().into()));
    for (key, value) in outcome.meta {
        reply.set_meta(key, value);
    }
    reply
}

/// What an author's own template gave, if it gave something.
fn own<T>(rendered: widgetcast_core::Result<Option<T>>, tool: &str) -> Option<T> {
    rendered.unwrap_or_else(|error| {
        tracing::warn!(tool, "the widget's own Slack template is not used: {error}");
        None
    })
}

/// Data in words, for tools that give none: a text as it is, anything else as JSON.
fn words(data: &Value) -> String {
    match data {
        Value::Null => "Done.".to_owned(),
        Value::String(text) => text.clone(),
        data => serde_json::to_string_pretty(data).unwrap_or_default(),
    }
}

/// Counts a call and writes its result.
fn finish(
    app: &Inner,
    name: &str,
    began: Instant,
    drawn: Result<Reply, ToolError>,
    modern: bool,
) -> Body {
    let took = began.elapsed();
    let written = drawn.and_then(|reply| {
        let text = write(app, reply, modern);
        match text.len() <= app.settings.max_response_bytes {
            true => Ok(text),
            false => Err(ToolError::new(format!(
                "the result has {} bytes, more than the {} that are allowed; ask for less",
                text.len(),
                app.settings.max_response_bytes
            ))),
        }
    });
    match written {
        Ok(text) => {
            app.meter.call(name, "ok", took);
            app.tell(&Event::Succeeded { tool: name, took });
            Ok(text)
        }
        Err(error) => {
            app.meter.call(name, "error", took);
            app.tell(&Event::Failed { tool: name, took, error: clipped(&with_causes(&error)) });
            let mut reply = Reply { is_error: true, ..Reply::default() };
            reply.push_text(clipped(&error.to_string()));
            Ok(write(app, reply, modern))
        }
    }
}

/// As much of an error as anyone reads.
fn clipped(words: &str) -> &str {
    let mut end = words.len().min(8 << 10);
    while !words.is_char_boundary(end) {
        end -= 1;
    }
    &words[..end]
}

fn with_causes(error: &ToolError) -> String {
    let mut words = error.to_string();
    let mut cause = error.cause.as_ref().and_then(|error| error.source());
    while let Some(error) = cause {
        words.push_str(": ");
        words.push_str(&error.to_string());
        cause = error.source();
    }
    words
}

fn write(app: &Inner, mut reply: Reply, modern: bool) -> String {
    if !modern {
        return reply.into_text("");
    }
    reply.set_meta(META_SERVER, app.server_info.clone());
    reply.into_text(r#""resultType":"complete","#)
}

fn unknown(app: &Inner, snapshot: &Snapshot, name: &str) -> Fault {
    // Comparing takes time with the length, and no tool has a name like this.
    if name.len() > 128 {
        return Fault::params("Unknown tool: the name is longer than any tool's");
    }
    let names = snapshot.catalog.list().map(|listing| listing.tool_name);
    let names = names.filter(|name| !app.shown.contains(*name));
    let all = app.tools.keys().map(|name| &**name).chain(names);
    let near = all
        .take(10_000)
        .map(|known| (strsim::jaro_winkler(known, name), known))
        .filter(|(score, _)| *score > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    match near {
        Some((_, near)) => Fault::params(format!("Unknown tool: {name}; did you mean {near}?")),
        None => Fault::params(format!("Unknown tool: {name}")),
    }
}

/// One page of tools, sorted by name: the order never changes between requests.
pub(super) fn list(app: &Inner, request: &Request<'_>) -> Body {
    let snapshot = app.live.now();
    let modern = request.peer.modern;
    let after = request.params.cursor.as_deref().map(decode).transpose()?;
    let items = match after {
        // The same for everyone, so it is written once.
        None => Arc::clone(snapshot.tools.get_or_init(|| page(app, &snapshot, None).into())),
        Some(after) => page(app, &snapshot, Some(&after)).into(),
    };
    // On the last page, where there is something that a view could be shown for.
    if state::is_for(&request.peer)
        && matches!(find(app, &snapshot, state::NAME), Some(Found::State))
        && let Some(rest) = items.strip_suffix(']').filter(|rest| rest.ends_with('}'))
    {
        return Ok(wrap(app, &format!("{rest},{}]", state::describe()), modern));
    }
    Ok(wrap(app, &items, modern))
}

fn wrap(app: &Inner, items: &str, modern: bool) -> String {
    let mut out = String::with_capacity(items.len() + 256);
    out.push('{');
    if modern {
        out.push_str(r#""resultType":"complete","ttlMs":"#);
        out.push_str(&app.settings.list_ttl_ms.to_string());
        out.push_str(r#","cacheScope":"public","_meta":{""#);
        out.push_str(META_SERVER);
        out.push_str("\":");
        out.push_str(app.server_info.as_str());
        out.push_str("},");
    }
    out.push_str(items);
    out.push('}');
    out
}

/// `"tools":[…]` and perhaps `,"nextCursor":…`.
fn page(app: &Inner, snapshot: &Snapshot, after: Option<&str>) -> String {
    let bare = Bare::new(snapshot);
    let mut out = String::from(r#""tools":["#);
    // A tool of the app hides the widget of the same name, and those that it shows.
    let hidden = |next: &Listing<'_>| app.hides(next.tool_name);
    let mut widgets = snapshot.catalog.list_after(after).peekable();
    let mut typed = app
        .tools
        .iter()
        .skip_while(|(name, _)| after.is_some_and(|after| &***name <= after))
        .peekable();
    let mut last = None;
    for index in 0..app.settings.page_size {
        while widgets.next_if(hidden).is_some() {}
        let first = match (typed.peek(), widgets.peek()) {
            (Some((name, _)), Some(next)) => &***name < next.tool_name,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => break,
        };
        if index > 0 {
            out.push(',');
        }
        if first && let Some((name, served)) = typed.next() {
            out.push_str(&describe(app, snapshot, &served.tool).to_string());
            last = Some(name.to_string());
        } else if let Some(next) = widgets.next() {
            bare.write(snapshot, &next, &mut out);
            last = Some(next.tool_name.to_owned());
        }
    }
    out.push(']');
    while widgets.next_if(hidden).is_some() {}
    if (typed.peek().is_some() || widgets.peek().is_some())
        && let Some(last) = last
    {
        out.push_str(r#","nextCursor":""#);
        out.push_str(&URL_SAFE_NO_PAD.encode(last));
        out.push('"');
    }
    out
}

pub(super) fn decode(cursor: &str) -> Result<String, Fault> {
    let bytes = URL_SAFE_NO_PAD.decode(cursor).ok();
    bytes
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .ok_or_else(|| Fault::params("this cursor is not one of ours; list from the start"))
}

/// What all widgets that are tools by themselves have in common.
struct Bare {
    /// From after the schema to the end of the tool.
    tail: String,
}

impl Bare {
    fn new(snapshot: &Snapshot) -> Self {
        let face =
            Face { page: Some(&snapshot.view), for_model: true, for_app: true, ..Face::default() };
        let mut meta = Map::new();
        SURFACES.iter().for_each(|surface| (surface.describe)(&face, &mut meta));
        let annotations = json!({
            "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true,
            "openWorldHint": false,
        });
        Self { tail: format!(r#","annotations":{annotations},"_meta":{}}}"#, Value::Object(meta)) }
    }

    fn write(&self, snapshot: &Snapshot, listing: &Listing<'_>, out: &mut String) {
        out.push_str(r#"{"name":""#);
        // A tool's name needs no escaping.
        out.push_str(listing.tool_name);
        out.push_str(r#"","title":"#);
        out.push_str(&Value::from(listing.name).to_string());
        out.push_str(r#","description":"#);
        match listing.description {
            Some(text) => out.push_str(&Value::from(text).to_string()),
            None => {
                let text = format!("Shows the {} widget to the person.", listing.name);
                out.push_str(&Value::from(text).to_string());
            }
        }
        out.push_str(r#","inputSchema":"#);
        let inferred = || snapshot.catalog.get(listing.tool_name).map(Widget::schema_json);
        let schema = listing.schema_json.or_else(inferred).unwrap_or(r#"{"type":"object"}"#);
        match says_object(schema) {
            true => out.push_str(schema),
            false => out.push_str(&as_object(schema)),
        }
        out.push_str(&self.tail);
    }
}

/// Whether a schema says that its root is an object, as the protocol wants it said.
fn says_object(schema: &str) -> bool {
    #[derive(serde::Deserialize)]
    struct Root<'a> {
        #[serde(borrow, rename = "type")]
        kind: Option<&'a str>,
    }
    // The usual beginnings need no parsing.
    schema.starts_with(r#"{"type":"object""#)
        || serde_json::from_str::<Root<'_>>(schema).is_ok_and(|root| root.kind == Some("object"))
}

fn as_object(schema: &str) -> String {
    let mut members: Map<String, Value> = serde_json::from_str(schema).unwrap_or_default();
    members.insert("type".into(), json!("object"));
    Value::Object(members).to_string()
}

/// A typed tool as the list shows it.
pub(crate) fn describe(app: &Inner, snapshot: &Snapshot, tool: &Tool) -> Value {
    let file_params: Vec<&str> = tool.file_params.iter().map(String::as_str).collect();
    let face = Face {
        page: app.page_of(tool, snapshot),
        for_model: tool.visibility != Visibility::App,
        for_app: tool.visibility != Visibility::Model,
        invoking: tool.invoking.as_deref(),
        invoked: tool.invoked.as_deref(),
        file_params: &file_params,
    };
    let mut meta = Map::new();
    SURFACES.iter().for_each(|surface| (surface.describe)(&face, &mut meta));
    meta.extend(tool.meta.clone());
    let mut out = json!({ "name": tool.name });
    for (key, text) in [("title", &tool.title), ("description", &tool.description)] {
        if let Some(text) = text {
            out[key] = json!(text);
        }
    }
    out["inputSchema"] = tool.input.clone();
    if let Some(schema) = &tool.output {
        out["outputSchema"] = schema.clone();
    }
    if !tool.annotations.is_empty() {
        out["annotations"] = Value::Object(tool.annotations.clone());
    }
    out["_meta"] = Value::Object(meta);
    out
}

/// A tool by its name, as the list shows it; for comparing headers with arguments.
pub(crate) fn described(app: &Inner, name: &str) -> Option<Value> {
    let snapshot = app.live.now();
    match find(app, &snapshot, name)? {
        Found::Typed(served) => Some(describe(app, &snapshot, &served.tool)),
        Found::State => Some(state::describe()),
        Found::Widget(_) => {
            let listing = snapshot.catalog.list().find(|listing| listing.tool_name == name)?;
            let mut out = String::new();
            Bare::new(&snapshot).write(&snapshot, &listing, &mut out);
            serde_json::from_str(&out).ok()
        }
    }
}
