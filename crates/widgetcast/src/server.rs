//! The server state that requests need. The builder creates it, and a new version for every tool, prompt or
//! resource that is added or removed at run time.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use arc_swap::ArcSwap;
use widgetcast_core::surface::page::Page as LoadedPage;
use widgetcast_core::{Json, Schema, Surface, Widget};

use crate::call::questions::Questions;
use crate::call::request_id;
use crate::call::states::States;
use crate::declaration::header_param::HeaderParam;
use crate::log::{may_log, panic_text};
use crate::metrics::Metrics;
use crate::policy::Policy;
use crate::quota::Quotas;
#[cfg(feature = "watch")]
use crate::reload::Watch;
use crate::reload::{Reloader, Snapshot};
use crate::sdk::access::Access;
use crate::sdk::caller::Caller;
use crate::sdk::event::{Event, Listener};
use crate::sdk::hook::Around;
use crate::sdk::method::Method;
use crate::sdk::page::Page;
use crate::sdk::prompt::Prompt;
use crate::sdk::resource::{Resource, Vars};
use crate::sdk::settings::Settings;
use crate::sdk::store::Store;
use crate::sdk::store_error::StoreError;
use crate::sdk::tool::{TaskUse, Tool, Visibility};
use crate::sdk::trace_context::TraceLink;
use crate::signed::Signer;
use crate::tasks::Tasks;
use crate::worker::Workers;

/// The URIs of widget resources.
pub(crate) const WIDGET: &str = "widget://";

/// One version of an app: everything that can be added and removed at run time, and [`Fixed`], which cannot.
/// A request uses the version that was current when it arrived.
pub(crate) struct Server {
    pub fixed: Arc<Fixed>,
    /// The version number.
    pub number: u64,
    /// Tools with a handler, by name.
    pub tools: BTreeMap<Box<str>, Arc<ServedTool>>,
    /// Widgets that a tool shows, and that are not tools themselves.
    pub shown: BTreeSet<String>,
    pub resources: Vec<Arc<ServedResource>>,
    pub prompts: Vec<Arc<ServedPrompt>>,
    pub policy: Policy,
    /// `None` without quotas.
    pub quotas: Option<Arc<Quotas>>,
}

/// The current version of an app.
pub(crate) type Live = ArcSwap<Server>;

impl Deref for Server {
    type Target = Fixed;

    fn deref(&self) -> &Fixed {
        &self.fixed
    }
}

/// The state that all versions of an app share.
pub(crate) struct Fixed {
    pub name: String,
    pub version: String,
    pub title: Option<String>,
    pub instructions: Option<String>,
    /// Instructions for clients that show views.
    pub view_instructions: Option<String>,
    /// Stores view data.
    pub state_tool: Box<ServedTool>,
    pub pages: Vec<Page>,
    /// Custom methods, by name.
    pub methods: BTreeMap<String, ServedMethod>,
    pub reloader: Reloader,
    pub store: Arc<dyn Store>,
    pub settings: Settings,
    /// Surfaces that the settings enable for every client.
    pub surfaces: Option<Vec<&'static Surface>>,
    pub around: Option<Around>,
    /// The rules as configured, without those derived from the parts of a version.
    pub given_policy: Policy,
    /// The shared state of handlers.
    pub states: Arc<States>,
    pub listeners: Vec<Listener>,
    /// Connects spans to the clients' traces.
    pub trace_link: Option<TraceLink>,
    pub metrics: Metrics,
    pub workers: Arc<Workers>,
    /// Name, version and title, as in the handshake and every result of 2026-07-28.
    pub server_info: Json,
    #[cfg(feature = "watch")]
    pub watch: Mutex<Option<Watch>>,
    /// The secret that makes instance ids unguessable.
    pub key: [u8; 16],
    /// Signs session ids.
    pub sessions: Signer,
    /// Signs request state between rounds of input requests.
    pub request_states: Signer,
    /// Requests that are waiting for responses of clients.
    pub questions: Arc<Questions>,
    pub tasks: Arc<Tasks>,
    /// Identifies this process among those that share its store.
    pub process: u64,
    /// Held while a new version is created.
    pub changing: Mutex<()>,
}

/// A tool with its compiled schemas.
pub(crate) struct ServedTool {
    pub tool: Tool,
    pub input: Schema,
    pub output: Option<Schema>,
    pub header_params: Vec<HeaderParam>,
}

/// A prompt with the compiled schema of its arguments.
pub(crate) struct ServedPrompt {
    pub prompt: Prompt,
    pub input: Schema,
}

/// A method with the compiled schema of its params.
pub(crate) struct ServedMethod {
    pub method: Method,
    pub input: Schema,
}

/// A custom resource with the compiled schema of its URI variables.
pub(crate) struct ServedResource {
    pub resource: Resource,
    pub input: Schema,
}

impl Server {
    /// The prompt of this name.
    pub(crate) fn prompt(&self, name: &str) -> Option<&ServedPrompt> {
        let mut all = self.prompts.iter().map(|served| &**served);
        all.find(|served| served.prompt.name == name)
    }

    /// The custom resource with this URI, and the values of its variables.
    pub(crate) fn resource(&self, uri: &str) -> Option<(&ServedResource, Vars)> {
        let mut all = self.resources.iter();
        all.find_map(|served| Some((&**served, served.resource.matches(uri)?)))
    }

    /// The access rules of this URI, if it has any.
    pub(crate) fn access_of_resource(&self, uri: &str) -> Option<&Access> {
        match uri.strip_prefix(WIDGET).and_then(|rest| rest.split_once('/')) {
            Some((name, _)) => {
                let snapshot = self.reloader.now();
                let widget = snapshot.catalog.get(name)?;
                (widget.tool_name() == name).then(|| self.policy.widget(name))
            }
            None => {
                let own = self.resource(uri).map(|(served, _)| &served.resource.access);
                own.or_else(|| self.access_of_page(uri))
            }
        }
    }

    fn access_of_page(&self, uri: &str) -> Option<&Access> {
        let snapshot = self.reloader.now();
        let is_it = |page: &LoadedPage| page.uri == uri || page.fixed.as_deref() == Some(uri);
        let (name, _) = snapshot.pages.iter().find(|(_, page)| is_it(page))?;
        self.policy.pages.get(name)
    }

    /// Whether a caller that has not subscribed to this URI may be notified of a change. A URI of a template
    /// often names its owner, and only the handler knows who may read it.
    pub(crate) fn tells_unasked_of(&self, uri: &str, caller: Option<&Caller>) -> bool {
        let is_one_of_many = || match self.resource(uri) {
            Some((served, _)) => served.resource.uri.contains('{'),
            None => self.access_of_resource(uri).is_none(),
        };
        self.tells_of(uri, caller) && !(self.policy.has_authenticator() && is_one_of_many())
    }

    /// Whether a caller may be notified of a change of this resource.
    pub(crate) fn tells_of(&self, uri: &str, caller: Option<&Caller>) -> bool {
        let access = self.access_of_resource(uri).filter(|_| self.policy.has_authenticator());
        access.is_none_or(|access| access.check(caller).is_ok())
    }

    /// Whether a list for this caller contains this tool.
    pub(crate) fn shows_tool(&self, name: &str, caller: Option<&Caller>) -> bool {
        let access = match self.tools.get(name) {
            Some(served) => &served.tool.access,
            None => self.policy.widget(name),
        };
        self.policy.shows(access, caller)
    }

    /// Whether any code of the app may send messages to a client.
    pub(crate) fn has_handlers(&self) -> bool {
        !self.tools.is_empty()
            || !self.prompts.is_empty()
            || !self.methods.is_empty()
            || self.around.is_some()
    }

    /// Whether any tool may become a task.
    pub(crate) fn has_tasks(&self) -> bool {
        self.tools.values().any(|served| served.tool.task != TaskUse::Never)
    }

    /// Whether there are tools that only views may call.
    pub(crate) fn has_app_tools(&self) -> bool {
        self.tools.values().any(|served| served.tool.visibility == Visibility::App)
    }

    /// The current number of tools.
    pub(crate) fn count(&self) -> usize {
        let snapshot = self.reloader.now();
        let widgets = snapshot.catalog.list().filter(|listing| !self.hides(listing.tool_name));
        self.tools.len() + widgets.count()
    }

    /// Whether a widget is not a tool: a tool of the app shows it, or has its name.
    pub(crate) fn hides(&self, widget: &str) -> bool {
        self.shown.contains(widget) || self.tools.contains_key(widget)
    }

    /// The widget that renders the results of this tool.
    pub(crate) fn widget_of<'s>(&self, tool: &str, snapshot: &'s Snapshot) -> Option<&'s Widget> {
        let name = match self.tools.get(tool) {
            Some(served) => served.tool.widget.as_deref()?,
            None => tool,
        };
        snapshot.catalog.get(name)
    }

    /// The page that shows a tool's results, in this snapshot.
    pub(crate) fn page_of<'s>(
        &self,
        tool: &Tool,
        snapshot: &'s Snapshot,
    ) -> Option<&'s LoadedPage> {
        match &tool.page {
            Some(name) => snapshot.pages.get(name).map(|page| &**page),
            None if tool.has_widget() => Some(&snapshot.view),
            None => None,
        }
    }
}

impl Fixed {
    /// Counts a failure of the store, and logs its cause.
    pub(crate) fn count_store_error(&self, doing: &'static str, error: &StoreError) {
        self.metrics.store_errors.count(doing);
        if may_log("store failures:", doing) {
            let cause = std::error::Error::source(error).map(ToString::to_string);
            tracing::error!(doing, cause, "{error}");
        }
    }

    /// Notifies the listeners of an event.
    pub(crate) fn emit(&self, event: &Event<'_>) {
        for listener in &self.listeners {
            self.contain("listener", || listener(event));
        }
    }

    /// Runs code whose panic must not fail the request: it is counted and logged.
    pub(crate) fn contain<T>(&self, part: &'static str, work: impl FnOnce() -> T) -> Option<T> {
        let done = catch_unwind(AssertUnwindSafe(work));
        done.map_err(|panic| self.leave_out(part, &format!("panicked: {}", panic_text(&*panic))))
            .ok()
    }

    /// Counts and logs a failed part that does not fail the request.
    pub(crate) fn leave_out(&self, part: &'static str, why: &str) {
        self.metrics.left_out.count(part);
        // The failed part may be the logger.
        _ = catch_unwind(|| {
            if may_log("failures after the handler:", part) {
                tracing::error!(part, request = request_id::current(), "{why}");
            }
        });
    }

    /// The name of a page that is loaded from a dev server.
    pub(crate) fn dev_page(&self) -> Option<&str> {
        self.pages.iter().find(|page| page.is_dev()).map(|page| &*page.name)
    }
}
