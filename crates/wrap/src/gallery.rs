//! The gallery of a wrapped server. It is a client of its own, behind the same relay as the others: each tool of the
//! server becomes a tool of the app, which calls the server and returns the view that the relay adds.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http::{Method, Request, Response, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use widgetcast::http::{Body, RequestBody, Visitor};
use widgetcast::{App, Budgeted, Outcome, Tool, ToolError};
use widgetcast_core::surface::{mcp_apps, page};
use widgetcast_core::{read_file, tool_name};

use crate::auto::{suggest, whole_text};
use crate::connection::{Connect as _, Heard, WAITING};
use crate::message::{Kind, Message};
use crate::recordings::Recorder;
use crate::respond::{Answered, json as json_response, only, refused};
use crate::session::{self, ClientEnd, INITIALIZED};
use crate::several::Servers;
use crate::views::Views;

/// The endpoint that drafts a widget for a tool.
pub(crate) const DRAFT_PATH: &str = "/gallery/draft";
/// The revision that the gallery speaks to servers: the last one with a handshake, which all of them support.
const VERSION: &str = "2025-11-25";
/// Maximum tools that are shown, and pages of a list.
const MAX_TOOLS: usize = 1_000;
const MAX_PAGES: usize = 100;
/// Maximum results of a tool from which its widget is drafted, and the size of each.
const MAX_RESULTS: usize = 5;
const MAX_RESULT: usize = 1 << 20;
/// Maximum size of a widget that is there already.
const MAX_WIDGET: usize = 1 << 20;
/// The first and the maximum pause before connecting again.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
const NO_METHOD: i32 = -32601;

/// The tools of a server as an app shows them.
pub(crate) struct Gallery {
    app: App,
    to: mpsc::Sender<String>,
    last_id: AtomicU64,
    waiting: Mutex<HashMap<String, oneshot::Sender<Value>>>,
    /// The listed tools, with their latest results.
    shown: Mutex<HashMap<String, Shown>>,
    recorder: Option<Arc<Recorder>>,
    /// Where drafts of widgets go.
    widgets: Option<PathBuf>,
}

#[derive(Clone)]
struct Shown {
    entry: Arc<Value>,
    results: VecDeque<Arc<Value>>,
}

/// What a message of the server is to the gallery.
enum Said {
    /// The answer to a request with this id.
    Answer(String, Value),
    /// A question, and its answer: there is no user to ask.
    Question(String),
    ToolsHaveChanged,
}

impl Said {
    fn read(text: &str, _: Budgeted) -> Option<Self> {
        let message = Message::read(text)?;
        Some(match message.kind()? {
            Kind::Response { id } => {
                Self::Answer(id.to_owned(), serde_json::from_str(text).unwrap_or_default())
            }
            Kind::Request { id, method: "ping" } => {
                Self::Question(crate::message::response(id, "{}"))
            }
            Kind::Request { id, .. } => {
                let why = "the gallery does not support this method";
                Self::Question(crate::message::error(id, NO_METHOD, why))
            }
            Kind::Notification { method: "notifications/tools/list_changed" } => {
                Self::ToolsHaveChanged
            }
            Kind::Notification { .. } => return None,
        })
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Gallery {
    /// The gallery, and the future that drives its connection to the server.
    pub(crate) fn new(
        app: App,
        (views, servers): (Views, Servers),
        widgets: Option<PathBuf>,
    ) -> (Arc<Self>, impl Future<Output = ()> + Send + 'static) {
        let (to, from) = mpsc::channel(WAITING);
        let (back, heard) = mpsc::channel(WAITING);
        let (last_id, waiting, shown) = Default::default();
        let recorder = views.recorder.clone();
        let this = Arc::new(Self { app, to, last_id, waiting, shown, recorder, widgets });
        let gallery = Arc::clone(&this);
        let serve = async move {
            let client = ClientEnd { to: back, from };
            let app = gallery.app.clone();
            let first = servers.connect(&app);
            tokio::join!(
                session::run(&app, Some(views), &servers, first, client),
                Arc::clone(&gallery).hear(heard),
                gallery.begin(),
            );
        };
        (this, serve)
    }

    async fn begin(self: Arc<Self>) {
        let params = json!({
            "protocolVersion": VERSION,
            "capabilities": { "extensions": { mcp_apps::EXTENSION: { "mimeTypes": [page::MIME] } } },
            "clientInfo": { "name": "widgetcast-gallery", "version": env!("CARGO_PKG_VERSION") },
        });
        // A server at a URL may start later.
        let mut pause = FIRST_PAUSE;
        while let Err(why) = self.ask("initialize", params.clone()).await {
            tracing::warn!("the gallery cannot connect to the server: {why}");
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        _ = self.to.send(INITIALIZED.into()).await;
        self.list().await;
    }

    async fn hear(self: Arc<Self>, mut heard: mpsc::Receiver<Heard>) {
        let workers = self.app.workers();
        while let Some(Heard { text, held: _held }) = heard.recv().await {
            let said =
                workers.finish(text.len(), move |budgeted| Said::read(&text, budgeted)).await;
            match said.flatten() {
                Some(Said::Answer(id, answer)) => {
                    if let Some(asked) = lock(&self.waiting).remove(&id) {
                        _ = asked.send(answer);
                    }
                }
                Some(Said::Question(answer)) => _ = self.to.send(answer).await,
                Some(Said::ToolsHaveChanged) => {
                    let this = Arc::clone(&self);
                    // Its response comes through this loop.
                    tokio::spawn(async move { this.list().await });
                }
                None => {}
            }
        }
        lock(&self.waiting).clear();
    }

    async fn ask(&self, method: &str, params: Value) -> Result<Value, String> {
        let id = self.last_id.fetch_add(1, Ordering::Relaxed).to_string();
        let (asked, answer) = oneshot::channel();
        lock(&self.waiting).insert(id.clone(), asked);
        let number: u64 = id.parse().unwrap_or_default();
        let text = json!({ "jsonrpc": "2.0", "id": number, "method": method, "params": params });
        let asking = Asking { waiting: &self.waiting, id };
        let gone = |_| "the server has ended".to_owned();
        self.to.send(text.to_string()).await.map_err(|_| gone(()))?;
        let mut answer = answer.await.map_err(|_| gone(()))?;
        drop(asking);
        match answer["error"]["message"].as_str() {
            Some(why) => Err(why.to_owned()),
            None => Ok(answer["result"].take()),
        }
    }

    /// Lists the tools of the server, and makes those of the app the same.
    async fn list(self: &Arc<Self>) {
        let mut entries: Vec<Value> = Vec::new();
        let mut cursor = Value::Null;
        for _ in 0..MAX_PAGES {
            let params = if cursor.is_null() { json!({}) } else { json!({ "cursor": cursor }) };
            match self.ask("tools/list", params).await {
                Ok(mut page) => {
                    if let Value::Array(tools) = page["tools"].take() {
                        entries.extend(tools);
                    }
                    cursor = page["nextCursor"].take();
                }
                Err(why) => return tracing::warn!("the server does not list its tools: {why}"),
            }
            if cursor.is_null() || entries.len() >= MAX_TOOLS {
                break;
            }
        }
        entries.truncate(MAX_TOOLS);
        let name = |entry: &Value| entry["name"].as_str().map(str::to_owned);
        let names: BTreeSet<String> = entries.iter().filter_map(name).collect();
        let mut changed: Vec<String> =
            lock(&self.shown).keys().filter(|name| !names.contains(*name)).cloned().collect();
        for name in &changed {
            lock(&self.shown).remove(name);
            self.app.remove_tool(name);
        }
        for entry in entries {
            let Some(name) = name(&entry) else { continue };
            let is_known = lock(&self.shown).get(&name).is_some_and(|shown| *shown.entry == entry);
            if is_known {
                continue;
            }
            self.app.remove_tool(&name);
            let schema = entry["inputSchema"].clone();
            let any = || json!({ "type": "object" });
            let added = self.app.add_tool(self.tool(&name, &entry, schema)).or_else(|error| {
                // The server validates its arguments itself.
                tracing::debug!("the schema of {name} is not used: {error}");
                self.app.add_tool(self.tool(&name, &entry, any()))
            });
            match added {
                Ok(()) => {
                    let shown = Shown { entry: Arc::new(entry), results: VecDeque::new() };
                    lock(&self.shown).insert(name.clone(), shown);
                    changed.push(name);
                }
                Err(error) => tracing::warn!("the gallery cannot show {name}: {error}"),
            }
        }
        self.app.refresh_gallery(changed);
    }

    fn tool(self: &Arc<Self>, name: &str, entry: &Value, schema: Value) -> Tool {
        let (this, called) = (Arc::clone(self), name.to_owned());
        let call = move |arguments: Value| {
            let (this, called) = (Arc::clone(&this), called.clone());
            async move { this.call(&called, arguments).await }
        };
        let mut tool = Tool::new(name, call).input_schema(schema).components();
        let title = entry["title"].as_str().or(entry["annotations"]["title"].as_str());
        if let Some(title) = title {
            tool = tool.title(title);
        }
        if let Some(description) = entry["description"].as_str() {
            tool = tool.description(description);
        }
        let hint = |name: &str| entry["annotations"][name].as_bool();
        if hint("readOnlyHint") == Some(true) {
            tool = tool.read_only();
        } else if let Some(destructive) = hint("destructiveHint") {
            tool = tool.destructive(destructive);
        }
        tool
    }

    async fn call(&self, name: &str, arguments: Value) -> Result<Outcome, ToolError> {
        let params = json!({ "name": name, "arguments": arguments });
        let mut result = self.ask("tools/call", params).await.map_err(ToolError::public)?;
        let text = whole_text(&result).unwrap_or_default();
        if result["isError"] == true {
            return Err(ToolError::public(text));
        }
        let tree = result["_meta"][mcp_apps::META_TREE]["tree"].take();
        let mut outcome = Outcome::new().text(text);
        if result["structuredContent"].is_object() {
            outcome = outcome.data(&result["structuredContent"]);
        }
        if tree.is_object() {
            outcome = outcome.tree(&tree);
        }
        // Not while others wait for the lock.
        let is_kept = result.to_string().len() <= MAX_RESULT;
        if let Some(shown) = lock(&self.shown).get_mut(name)
            && is_kept
        {
            shown.results.truncate(MAX_RESULTS - 1);
            shown.results.push_front(Arc::new(result));
        }
        Ok(outcome)
    }

    /// Drafts the widget of a tool from its latest and its recorded results.
    pub(crate) async fn draft(self: Arc<Self>, request: Request<RequestBody>) -> Answered {
        let (parts, body) = request.into_parts();
        if parts.method != Method::POST {
            return Err(only("POST"));
        }
        let Some(visitor) = parts.extensions.get::<Visitor>() else {
            let why = "there is no visitor";
            return Err(refused(StatusCode::INTERNAL_SERVER_ERROR, None, why));
        };
        let bytes = visitor.read_json(body).await?;
        // Recordings may have megabytes.
        let drafted = visitor.work(usize::MAX, move |budgeted| self.draft_of(&bytes, budgeted));
        let drafted = drafted.await?.map_err(|(status, why)| refused(status, None, &why))?;
        Ok(json_response(StatusCode::OK, drafted))
    }

    /// Handles the body of a request for a draft.
    fn draft_of(&self, bytes: &[u8], budgeted: Budgeted) -> Result<String, (StatusCode, String)> {
        #[derive(Deserialize)]
        struct Question {
            tool: String,
        }
        let Ok(Question { tool }) = serde_json::from_slice(bytes) else {
            return Err((StatusCode::BAD_REQUEST, "the body must be {\"tool\": NAME}".into()));
        };
        let recorded = self.recorder.as_ref().map(|recorder| recorder.results(&tool, budgeted));
        let recorded = recorded.unwrap_or_default();
        // Others wait for the lock.
        let shown = lock(&self.shown).get(&tool).cloned();
        let source = shown.and_then(|shown| {
            let latest = shown.results.iter().map(|result| &**result);
            let results: Vec<&Value> = recorded.iter().chain(latest).collect();
            suggest(&shown.entry, &results)
        });
        let Some(source) = source else {
            let why =
                "the results of this tool contain no data that a widget could show; run it first";
            return Err((StatusCode::CONFLICT, why.into()));
        };
        let file = self.write(&tool, &source).map_err(|why| (StatusCode::CONFLICT, why))?;
        Ok(json!({ "file": file, "source": source }).to_string())
    }

    /// Writes a new widget, and returns its path. A widget that is there already is never replaced.
    fn write(&self, tool: &str, source: &str) -> Result<Option<String>, String> {
        let Some(folder) = &self.widgets else { return Ok(None) };
        // Tool names are untrusted: only letters, digits and `_` are used in file names.
        let path = folder.join(format!("{}.widget", tool_name(tool)));
        let shown = path.display().to_string();
        let created = std::fs::File::create_new(&path);
        match created.and_then(|mut file| file.write_all(source.as_bytes())) {
            Ok(()) => Ok(Some(shown)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                match read_file(&path, MAX_WIDGET).is_ok_and(|text| text == source) {
                    true => Ok(Some(shown)),
                    false => Err(format!("{shown} exists already")),
                }
            }
            Err(error) => Err(format!("{shown}: {error}")),
        }
    }
}

/// Removes a request whose caller has stopped waiting.
struct Asking<'g> {
    waiting: &'g Mutex<HashMap<String, oneshot::Sender<Value>>>,
    id: String,
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        lock(self.waiting).remove(&self.id);
    }
}

/// The response of the draft endpoint, whatever happened.
pub(crate) async fn answer(gallery: Arc<Gallery>, request: Request<RequestBody>) -> Response<Body> {
    gallery.draft(request).await.unwrap_or_else(|refused| *refused)
}
