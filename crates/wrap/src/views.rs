//! Adds views to the messages of a server: a page, its declaration on every tool without a view, and the view
//! in every result that has content to show.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use widgetcast::{App, Settings};
use widgetcast_core::budget;
use widgetcast_core::outline::Images;
use widgetcast_core::surface::page::{self, Page};
use widgetcast_core::surface::{Client, mcp_apps};
use widgetcast_core::{Json, Presentation, Reply, SURFACES, Surface, ToolMeta, View};

use crate::auto;
use crate::mapping::ViewMap;
use crate::message::{Members, add_members, with_member};
use crate::recordings::Recorder;

/// Larger results are passed on without a view.
const MAX_RESULT: usize = 4 << 20;
/// Maximum known tools of a server.
const MAX_TOOLS: usize = 10_000;
/// How long a page may be cached: its URI contains its hash.
const PAGE_TTL_MS: u32 = 24 * 60 * 60 * 1000;
/// The `_meta` keys by which a tool or a result declares its own view.
const OWN_VIEWS: [&str; 3] =
    ["/_meta/ui/resourceUri", "/_meta/ui~1resourceUri", "/_meta/openai~1outputTemplate"];

/// What a client declares about itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClientInfo {
    pub name: Option<String>,
    pub capabilities: Option<Value>,
    /// Whether it uses a revision without a handshake.
    pub is_modern: bool,
}

/// A tool as its server lists it.
#[derive(Clone, Debug)]
pub(crate) struct Tool {
    name: String,
    entry: Value,
    has_view: bool,
}

impl Tool {
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn input_schema(&self) -> &Value {
        &self.entry["inputSchema"]
    }
}

/// Adds views to the messages of a server.
#[derive(Clone, Debug)]
pub(crate) struct Views {
    app: App,
    page: Arc<Page>,
    pub map: ViewMap,
    /// The tools that are passed through without a view.
    pub off: Arc<BTreeSet<String>>,
    pub recorder: Option<Arc<Recorder>>,
    /// The names of several servers, which prefix those of their tools.
    servers: Arc<[String]>,
    /// The tools listed so far, by any client: the client that calls may not be the one that listed.
    tools: Arc<Mutex<HashMap<String, Arc<Tool>>>>,
}

impl Views {
    pub(crate) fn new(app: App, servers: Vec<String>) -> Self {
        let page = app.view_page();
        Self {
            app,
            page,
            map: ViewMap::default(),
            off: Arc::default(),
            recorder: None,
            servers: servers.into(),
            tools: Arc::default(),
        }
    }

    pub(crate) fn app(&self) -> &App {
        &self.app
    }

    /// The same for other clients, who may see other tools.
    pub(crate) fn for_others(&self) -> Self {
        Self { tools: Arc::default(), ..self.clone() }
    }

    /// Other names that a call may refer to: without the prefix of a host, and with that of each server. A
    /// server's own page calls its tools without the prefix.
    pub(crate) fn meanings(&self, name: &str) -> impl Iterator<Item = String> {
        let unmarked = || SURFACES.iter().filter_map(move |surface| (surface.called_tool)(name));
        let own = move |name| self.servers.iter().map(move |server| format!("{server}_{name}"));
        let owned = std::iter::once(name).chain(unmarked()).flat_map(own);
        unmarked().map(str::to_owned).chain(owned)
    }

    /// Whether this is the URI of the page.
    pub(crate) fn is_page(&self, uri: &str) -> bool {
        uri == self.page.uri
    }

    /// Whether nothing is added to this tool: it has its own view, or the configuration, which may change,
    /// disables it.
    fn is_left_alone(&self, tool: &Tool) -> bool {
        tool.has_view || self.off.contains(&tool.name) || self.map.is_off(&tool.name)
    }

    /// The capabilities of a server, plus those that the page needs: the MCP Apps extension, and resources.
    pub(crate) fn greeting(&self, result: &str) -> Option<String> {
        let greeting = Members::read(result)?;
        let capabilities = greeting.get("capabilities").unwrap_or("{}");
        let known = Members::read(capabilities)?;
        let (extension, settings) = (mcp_apps::SURFACE.extension)()?;
        let extensions = known.get("extensions").unwrap_or("{}");
        let extensions = match Members::read(extensions)?.get(extension) {
            Some(_) => Cow::Borrowed(extensions),
            None => with_member(extensions, extension, &settings.to_string()).into(),
        };
        let mut capabilities = with_member(capabilities, "extensions", &extensions);
        if known.get("resources").is_none() {
            capabilities = with_member(&capabilities, "resources", "{}");
        }
        Some(with_member(result, "capabilities", &capabilities))
    }

    /// A tool that the server has listed to any client.
    pub(crate) fn known(&self, tool: &str) -> Option<Arc<Tool>> {
        self.tools.lock().unwrap_or_else(PoisonError::into_inner).get(tool).cloned()
    }

    /// The only listed tool that a call without its exact name can refer to. A name with the prefix of a
    /// server refers to that server, whatever another one lists.
    pub(crate) fn meant(&self, name: &str) -> Option<Arc<Tool>> {
        let of =
            |server: &String| name.strip_prefix(&**server).is_some_and(|own| own.starts_with('_'));
        if self.known(name).is_some() || self.servers.iter().any(of) {
            return None;
        }
        let mut meant = self.meanings(name).filter_map(|name| self.known(&name));
        meant.next().filter(|_| meant.next().is_none())
    }

    /// A tool list in which every tool without a view gets one.
    pub(crate) fn tools(&self, result: &str) -> Option<String> {
        let listed = Members::read(result)?.get("tools")?;
        let entries: Vec<&RawValue> = serde_json::from_str(listed).ok()?;
        let mut tools = Vec::with_capacity(entries.len());
        let mut written = String::with_capacity(listed.len() + entries.len() * 256);
        for entry in entries {
            written.push(if written.is_empty() { '[' } else { ',' });
            let Some(tool) = tool(entry.get()) else {
                written.push_str(entry.get());
                continue;
            };
            match self.described(&tool, entry.get()) {
                Some(described) => written.push_str(&described),
                None => written.push_str(entry.get()),
            }
            tools.push(Arc::new(tool));
        }
        // Other clients wait for the lock, so read nothing while holding it.
        let mut known = self.tools.lock().unwrap_or_else(PoisonError::into_inner);
        for tool in tools {
            if known.len() < MAX_TOOLS || known.contains_key(&tool.name) {
                known.insert(tool.name.clone(), tool);
            }
        }
        drop(known);
        written.push_str(if written.is_empty() { "[]" } else { "]" });
        Some(with_member(result, "tools", &written))
    }

    /// Adds what hosts need to show a tool's results, unless they are shown already.
    fn described(&self, tool: &Tool, entry: &str) -> Option<String> {
        if self.is_left_alone(tool) {
            return None;
        }
        let about = ToolMeta {
            page: Some(&self.page),
            has_widget: true,
            for_model: true,
            for_app: true,
            ..ToolMeta::default()
        };
        let mut meta = Map::new();
        SURFACES.iter().for_each(|surface| (surface.describe)(&about, &mut meta));
        let given = Members::read(entry)?.get("_meta").unwrap_or("{}");
        let ui = Members::read(given)?.get("ui");
        let meta = merged(given, meta.iter().map(|(key, value)| (key, value.to_string())))?;
        let meta = match ui {
            None => meta,
            // Existing values are kept.
            Some(ui) => {
                let uri = Value::from(&*self.page.uri).to_string();
                let ui = merged(ui, std::iter::once(("resourceUri", uri)))?;
                with_member(&meta, "ui", &ui)
            }
        };
        Some(with_member(entry, "_meta", &meta))
    }

    /// Records the result of a call, if enabled.
    pub(crate) fn record(&self, tool: &Tool, result: &str) {
        if let Some(recorder) = &self.recorder {
            recorder.record(&tool.entry, result);
        }
    }

    /// Adds the view to the result of a call.
    pub(crate) fn called(&self, tool: &Tool, client: &ClientInfo, result: &str) -> Option<String> {
        if self.is_left_alone(tool) || result.len() > MAX_RESULT {
            return None;
        }
        let value: Value = serde_json::from_str(result).ok()?;
        // An intermediate result (an elicitation, a task) has nothing to show.
        let is_final = value.get("resultType").is_none_or(|kind| kind == "complete")
            && (value.get("content").is_some() || value.get("structuredContent").is_some());
        if !is_final || has_view(&value) {
            return None;
        }
        let view = self.view(tool, &value)?;
        let reply = self.reply(tool, client, &view).into_text("{");
        let added = Members::read(&reply)?;
        let members = Members::read(result)?;
        let more = Members::read(added.get("_meta").unwrap_or("{}"))?;
        let meta = merged(members.get("_meta").unwrap_or("{}"), more.iter())?;
        let result = with_member(result, "_meta", &meta);
        let items = added.get("content")?.strip_prefix('[')?.strip_suffix(']')?;
        Some(match items.is_empty() {
            true => result,
            false => with_items(&result, "content", items)?,
        })
    }

    /// The view of a result: rendered by the widget of the tool if its data fits, or else by its shape.
    fn view(&self, tool: &Tool, result: &Value) -> Option<View> {
        match self.map.render(&self.app.current_catalog(), &tool.name, result) {
            Some(Ok(view)) => return Some(view),
            // If rendering exceeds the trial, it is repeated on a worker.
            Some(Err(why)) if budget::exceeded().is_none() => {
                tracing::warn!(tool = tool.name, "the widget cannot render the result: {why}");
            }
            _ => {}
        }
        View::of_tree(&auto::tree(&tool.entry, result)?).ok()
    }

    fn reply(&self, tool: &Tool, client: &ClientInfo, view: &View) -> Reply {
        let Settings { image_origins, .. } = self.app.settings();
        let mut presentation = Presentation::new(&tool.name, "", view);
        presentation.page = Some(&self.page);
        presentation.images = Images::From(image_origins);
        let client =
            Client { name: client.name.as_deref(), capabilities: client.capabilities.as_ref() };
        let mut reply = Reply::default();
        // The text of the result stays the server's own.
        let wants = |surface: &&Surface| !surface.is_in_every_result && (surface.wants)(&client);
        for surface in SURFACES.iter().filter(wants) {
            (surface.present)(&presentation, &mut reply);
        }
        // The URI of an instance cannot be read.
        reply.forget_uri();
        reply
    }

    /// Appends the page to a list of resources.
    pub(crate) fn resources(&self, result: &str) -> Option<String> {
        let members = Members::read(result)?;
        if members.get("nextCursor").is_some_and(|cursor| cursor != "null") {
            return None;
        }
        let entry = json!({
            "uri": self.page.uri, "name": "view", "mimeType": page::MIME, "_meta": self.page.meta(None),
        });
        with_items(result, "resources", &entry.to_string())
    }

    /// A list of resources that contains only the page.
    pub(crate) fn only_resources(&self, is_modern: bool) -> Option<String> {
        self.resources(&ours(json!({ "resources": [] }), 0, is_modern))
    }

    /// The contents of the page.
    pub(crate) fn read(&self, uri: &str, is_modern: bool) -> Option<String> {
        let contents = || json!({ "contents": [self.page.contents(None)] });
        self.is_page(uri).then(|| ours(contents(), PAGE_TTL_MS, is_modern))
    }
}

/// A result of our own.
fn ours(mut result: Value, ttl: u32, is_modern: bool) -> String {
    if is_modern {
        result["resultType"] = json!("complete");
        result["ttlMs"] = json!(ttl);
        result["cacheScope"] = json!("private");
    }
    result.to_string()
}

/// An empty list of our own.
pub(crate) fn no_templates(is_modern: bool) -> String {
    ours(json!({ "resourceTemplates": [] }), 0, is_modern)
}

/// An entry of a tool list.
fn tool(entry: &str) -> Option<Tool> {
    let entry: Value = serde_json::from_str(entry).ok()?;
    let name = entry.get("name")?.as_str()?.to_owned();
    // Results of tools that only views may call are not shown.
    let visibility = entry.pointer("/_meta/ui/visibility").and_then(Value::as_array);
    let is_hidden = visibility.is_some_and(|who| !who.iter().any(|who| who == "model"));
    let has_view = has_view(&entry) || is_hidden;
    Some(Tool { name, entry, has_view })
}

fn has_view(of: &Value) -> bool {
    OWN_VIEWS.iter().any(|pointer| of.pointer(pointer).is_some())
}

/// Adds members to an object, unless they exist.
fn merged<K: AsRef<str>, V: AsRef<str>>(
    object: &str,
    more: impl Iterator<Item = (K, V)>,
) -> Option<String> {
    let known = Members::read(object)?;
    let more = more.filter(|(key, _)| known.get(key.as_ref()).is_none());
    let text = |(key, value): (K, V)| {
        format!("{}:{}", Json::string(key.as_ref()).as_str(), value.as_ref())
    };
    let more: Vec<String> = more.map(text).collect();
    Some(add_members(object, &more.join(",")))
}

/// Appends items to an array of an object.
fn with_items(object: &str, name: &str, items: &str) -> Option<String> {
    let array = Members::read(object)?.get(name).unwrap_or("[]");
    let head = array.trim_end().strip_suffix(']')?;
    let is_empty = head.strip_prefix('[')?.trim().is_empty();
    let array = format!("{head}{}{items}]", if is_empty { "" } else { "," });
    Some(with_member(object, name, &array))
}
