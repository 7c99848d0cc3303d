//! The builder: collects the parts of an app, and checks that they fit together.

pub(crate) mod change;
mod check;
mod error;
mod fit;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde_json::json;
use widgetcast_core::surface::icon::Icons;
use widgetcast_core::surface::page::Page as LoadedPage;
use widgetcast_core::{Catalog, tool_name};

pub use self::error::BuildError;
use crate::call::states::States;
use crate::metrics::Metrics;
use crate::policy::Policy;
use crate::protocol::tools::state;
use crate::protocol::{input_required, session};
use crate::quota::Quotas;
use crate::reload::{Reloader, Snapshot};
use crate::sdk::access::Access;
use crate::sdk::auth::Authenticate;
use crate::sdk::caller::Caller;
use crate::sdk::event::{Event, Listener};
use crate::sdk::handler::ToolResult;
use crate::sdk::hook::{Around, Call, Incoming, Next, nest};
use crate::sdk::memory_store::MemoryStore;
use crate::sdk::method::Method;
use crate::sdk::page::Page;
use crate::sdk::prompt::Prompt;
use crate::sdk::refusal::Refusal;
use crate::sdk::resource::Resource;
use crate::sdk::settings::Settings;
use crate::sdk::store::Store;
use crate::sdk::tool::Tool;
use crate::sdk::trace_context::{TraceContext, TraceLink};
use crate::server::{Fixed, Server};
use crate::trace::TracedStore;
use crate::worker::Workers;

/// The page that renders all widgets, built from `web/` like all pages.
const VIEW: &str = include_str!("../../pages/view.html");
/// Lucide's icons; a result contains those that it shows.
const ICONS: Icons = Icons::new(include_str!("../../pages/icons.tsv"));

/// The page that renders all widgets, with images from these origins.
pub fn view_page(image_origins: Vec<String>) -> LoadedPage {
    let mut page = LoadedPage::new("view", VIEW);
    page.description = Some("Shows the result as a card".into());
    page.csp.resource = image_origins;
    page.icons = ICONS;
    page
}

/// Builds an [`App`](crate::App); [`Builder::build`] checks everything at once.
///
/// ```
/// use widgetcast::{App, Settings, Tool};
///
/// let app = App::new("shop", "1.0.0")
///     .title("Shop")
///     .instructions("Order numbers are on the receipt.")
///     .settings(Settings::default().allowed_hosts(["shop.example.com"]))
///     .tool(Tool::new("hours", async || "9 to 5").description("Opening hours").read_only())
///     .build()?;
/// # Ok::<(), widgetcast::BuildError>(())
/// ```
#[must_use = "call `build` to get the app"]
pub struct Builder {
    name: String,
    version: String,
    title: Option<String>,
    instructions: Option<String>,
    view_instructions: Option<String>,
    dir: Option<PathBuf>,
    catalog: Option<Catalog>,
    tools: Vec<Tool>,
    pages: Vec<Page>,
    resources: Vec<Resource>,
    prompts: Vec<Prompt>,
    methods: Vec<Method>,
    states: States,
    policy: Policy,
    /// Duplicate definitions.
    mistakes: Vec<String>,
    store: Option<Arc<dyn Store>>,
    settings: Settings,
    around: Option<Around>,
    listeners: Vec<Listener>,
    trace_link: Option<TraceLink>,
    is_relay: bool,
}

impl Builder {
    pub(crate) fn new(name: String, version: String) -> Self {
        Self {
            name,
            version,
            title: None,
            instructions: None,
            view_instructions: None,
            dir: None,
            catalog: None,
            tools: Vec::new(),
            pages: Vec::new(),
            resources: Vec::new(),
            prompts: Vec::new(),
            methods: Vec::new(),
            states: States::default(),
            policy: Policy::default(),
            mistakes: Vec::new(),
            store: None,
            settings: Settings::default(),
            around: None,
            listeners: Vec::new(),
            trace_link: None,
            is_relay: false,
        }
    }

    /// Replaces the name.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Replaces the version.
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.version = version.into();
        self
    }

    /// Sets the display name.
    pub fn title(mut self, text: impl Into<String>) -> Self {
        self.title = Some(text.into());
        self
    }

    /// Sets additional instructions for the model in clients that show views, such as "do not repeat the
    /// content of views".
    pub fn view_instructions(mut self, text: impl Into<String>) -> Self {
        self.view_instructions = Some(text.into());
        self
    }

    /// Sets the instructions for the model.
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        self.instructions = Some(text.into());
        self
    }

    /// Adds a directory of widgets. Each widget is a tool, unless another tool shows it.
    pub fn widgets(mut self, dir: impl AsRef<Path>) -> Self {
        self.dir = Some(dir.as_ref().to_owned());
        self
    }

    /// Adds widgets that are already loaded, such as those embedded in the binary. Serving does not check
    /// them; [`App::check_widgets`](crate::App::check_widgets) does.
    pub fn catalog(mut self, catalog: Catalog) -> Self {
        self.catalog = Some(catalog);
        self
    }

    /// Adds a tool.
    pub fn tool(mut self, tool: Tool) -> Self {
        self.tools.push(tool);
        self
    }

    /// Adds a custom page.
    pub fn page(mut self, page: Page) -> Self {
        self.pages.push(page);
        self
    }

    /// Adds a resource.
    pub fn resource(mut self, resource: Resource) -> Self {
        self.resources.push(resource);
        self
    }

    /// Adds a prompt.
    pub fn prompt(mut self, prompt: Prompt) -> Self {
        self.prompts.push(prompt);
        self
    }

    /// Adds a custom method to those of the protocol.
    pub fn method(mut self, method: Method) -> Self {
        self.methods.push(method);
        self
    }

    /// Adds shared state, one value per type; handlers take it as [`State`](crate::State).
    pub fn state<T: Clone + Send + Sync + 'static>(mut self, state: T) -> Self {
        if !self.states.insert(state) {
            let name = std::any::type_name::<T>();
            self.mistakes.push(format!("two states have the type {name}"));
        }
        self
    }

    /// Authenticates HTTP requests. Requests for items that are not public then require a caller: an app
    /// without public items rejects every unauthenticated request.
    ///
    /// ```
    /// use widgetcast::{App, Caller, Tool};
    /// use widgetcast::auth::BearerKeys;
    /// # async fn hours() -> String { "9 to 5".into() }
    /// # async fn close() -> String { "closed".into() }
    /// let app = App::new("shop", "1.0.0")
    ///     .auth(BearerKeys::new().key("a-key-that-is-long-enough", Caller::new("ada").scope("admin")))
    ///     .tool(Tool::new("hours", hours).public())
    ///     .tool(Tool::new("close", close).scope("admin").hidden())
    ///     .build()?;
    /// # Ok::<(), widgetcast::BuildError>(())
    /// ```
    pub fn auth(mut self, auth: impl Authenticate) -> Self {
        if self.policy.auth.replace(Arc::new(auth)).is_some() {
            self.mistakes.push("`auth` is set twice".into());
        }
        self
    }

    /// Sets the caller of stdio connections and of the gallery. Without it, they are anonymous.
    pub fn local_caller(mut self, caller: Caller) -> Self {
        self.policy.local_caller = Some(caller);
        self
    }

    /// Sets the access rules of a widget that is itself a tool, or overrides those of a tool.
    pub fn widget_access(mut self, widget: impl AsRef<str>, access: Access) -> Self {
        self.policy.widgets.insert(tool_name(widget.as_ref()), access);
        self
    }

    /// Declares that the app renders results of another server, so that a directory without widgets is not an error.
    #[doc(hidden)]
    pub fn relay(mut self) -> Self {
        self.is_relay = true;
        self
    }

    /// Sets the access rules of a tool that a mounted service relays to another server; see
    /// [`Visitor`](crate::http::Visitor).
    pub fn relayed_tool_access(mut self, tool: impl Into<String>, access: Access) -> Self {
        self.policy.relayed.insert(tool.into(), access);
        self
    }

    /// Adds a guard, which sees every request of every method first and may reject it. All guards must
    /// accept a request, within the call timeout.
    ///
    /// ```
    /// use widgetcast::App;
    /// use widgetcast::auth::Refusal;
    /// use widgetcast::middleware::Incoming;
    /// # async fn is_closed() -> bool { false }
    /// let app = App::new("shop", "1.0.0").guard(async |request: Incoming| {
    ///     match request.method() {
    ///         "tools/call" if is_closed().await => Err(Refusal::error("the shop is closed")),
    ///         "resources/read" if request.caller().is_none() => Err(Refusal::unauthorized()),
    ///         _ => Ok(()),
    ///     }
    /// });
    /// ```
    pub fn guard<F, R>(mut self, guard: F) -> Self
    where
        F: Fn(Incoming) -> R + Send + Sync + 'static,
        R: Future<Output = Result<(), Refusal>> + Send + 'static,
    {
        self.policy.guards.push(Arc::new(move |incoming| Box::pin(guard(incoming))));
        self
    }

    /// Sets the store for view data. By default, it is in memory, with the limits of the settings.
    pub fn store(mut self, store: impl Store) -> Self {
        self.store = Some(Arc::new(store));
        self
    }

    /// Sets limits, hosts, origins and more. `WIDGETCAST_*` variables override them, unless you [read them
    /// first](Settings::from_env).
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Adds a hook around every tool call, except the calls that store the state of a view. It may inspect,
    /// change or reject the call, and inspect or change its outcome. The first hook is the outermost.
    ///
    /// ```
    /// use widgetcast::{App, ToolError};
    /// use widgetcast::middleware::{Call, Next};
    /// # fn demo() {
    /// let app = App::new("shop", "1.0.0").around(|call: Call, next: Next| async move {
    ///     if call.tool == "refund" && call.ctx.caller().is_none() {
    ///         return Err(ToolError::public("sign in first"));
    ///     }
    ///     let outcome = next.run(call).await?;
    ///     Ok(outcome.meta("shop/region", "eu"))
    /// });
    /// # }
    /// ```
    pub fn around<F, R>(mut self, hook: F) -> Self
    where
        F: Fn(Call, Next) -> R + Send + Sync + 'static,
        R: Future<Output = ToolResult> + Send + 'static,
    {
        self.around = Some(nest(self.around.take(), hook));
        self
    }

    /// Adds an event listener. It is called synchronously, so it must not block.
    ///
    /// ```
    /// use widgetcast::{App, Event};
    ///
    /// let app = App::new("shop", "1.0.0").on_event(|event| match event {
    ///     Event::Succeeded { tool, took } => println!("{tool} took {took:?}"),
    ///     Event::Failed { tool, error, .. } => eprintln!("{tool}: {error}"),
    ///     _ => {}
    /// });
    /// ```
    pub fn on_event(mut self, listener: impl Fn(&Event<'_>) + Send + Sync + 'static) -> Self {
        self.listeners.push(Box::new(listener));
        self
    }

    /// Connects the span of a request to the client's trace, from `traceparent` in its `_meta` or headers.
    /// Spans are `tracing` spans of level debug with the target `widgetcast::trace`; the closure sets their
    /// parent in the library that exports them.
    ///
    /// ```
    /// # struct Context; impl Context { fn of(_: &str) -> Self { Self } }
    /// # trait SetParent { fn set_parent(&self, context: Context); }
    /// # impl SetParent for tracing::Span { fn set_parent(&self, _: Context) {} }
    /// use widgetcast::App;
    /// use widgetcast::middleware::TraceContext;
    /// // With tracing-opentelemetry, `set_parent` is its `OpenTelemetrySpanExt::set_parent`, and the
    /// // context is what `TraceContextPropagator` extracts from the two strings.
    /// let app = App::new("shop", "1.0.0").trace_parent(|span: &tracing::Span, from: &TraceContext<'_>| {
    ///     span.set_parent(Context::of(from.traceparent));
    /// });
    /// ```
    pub fn trace_parent(
        mut self,
        link: impl Fn(&tracing::Span, &TraceContext<'_>) + Send + Sync + 'static,
    ) -> Self {
        self.trace_link = Some(Box::new(link));
        self
    }

    /// Merges the tools, pages, resources, prompts, methods, states, guards and listeners of another app.
    /// Its hooks wrap only its own tools; its guards see every request. Its name, version, title,
    /// settings and store are ignored; conflicts (a tool name, a widget directory, authentication) are
    /// errors.
    ///
    /// ```
    /// use widgetcast::{App, Builder, Tool};
    /// # async fn refund() -> String { "refunded".into() }
    /// # async fn track() -> String { "in Bern".into() }
    /// fn billing() -> Builder {
    ///     App::new("billing", "1.0.0").tool(Tool::new("refund", refund))
    /// }
    ///
    /// let app = App::new("shop", "1.0.0").tool(Tool::new("track", track)).merge(billing()).build()?;
    /// # Ok::<(), widgetcast::BuildError>(())
    /// ```
    pub fn merge(mut self, other: Self) -> Self {
        for mut tool in other.tools {
            if let Some(outer) = other.around.clone() {
                tool.around = Some(match tool.around.take() {
                    None => outer,
                    Some(inner) => nest(Some(outer), move |call, next| inner(call, next)),
                });
            }
            self.tools.push(tool);
        }
        self.pages.extend(other.pages);
        self.resources.extend(other.resources);
        self.prompts.extend(other.prompts);
        self.methods.extend(other.methods);
        self.listeners.extend(other.listeners);
        self.mistakes.extend(other.mistakes);
        for name in self.states.merge(other.states) {
            self.mistakes.push(format!("two states have the type {name}"));
        }
        if let (Some(_), Some(_)) = (&self.dir, &other.dir) {
            self.mistakes.push("two widget directories are set".into());
        }
        if let (Some(_), Some(_)) = (&self.catalog, &other.catalog) {
            self.mistakes.push("two widget catalogs are set".into());
        }
        if let (Some(_), Some(_)) = (&self.policy.auth, &other.policy.auth) {
            self.mistakes.push("`auth` is set twice".into());
        }
        self.dir = self.dir.or(other.dir);
        self.catalog = self.catalog.or(other.catalog);
        self.policy.auth = self.policy.auth.or(other.policy.auth);
        self.policy.local_caller = self.policy.local_caller.or(other.policy.local_caller);
        self.policy.guards.extend(other.policy.guards);
        self.policy.widgets.extend(other.policy.widgets);
        self.instructions = match (self.instructions, other.instructions) {
            (Some(own), Some(more)) => Some(format!("{own}\n\n{more}")),
            (own, more) => own.or(more),
        };
        self
    }

    /// Builds the server state, or returns all errors in it.
    pub(crate) fn build_server(mut self) -> Result<Server, BuildError> {
        let mut mistakes = std::mem::take(&mut self.mistakes);
        for tool in &mut self.tools {
            if let Some(access) = self.policy.widgets.remove(&tool_name(&tool.name)) {
                tool.access = access;
            }
        }
        match std::mem::take(&mut self.settings).with_env_once() {
            Ok(settings) => self.settings = settings,
            Err(mistake) => mistakes.push(mistake),
        }
        let catalog = check::catalog(self.catalog, self.dir.as_deref(), &mut mistakes);
        let pages = check::pages(&self.pages, &mut mistakes);
        let parts = check::Parts { catalog: &catalog, pages: &self.pages };
        let store = self.store.unwrap_or_else(|| Arc::new(MemoryStore::new(&self.settings.store)));
        let store: Arc<dyn Store> = Arc::new(TracedStore(store));
        let key = self.settings.secret().or_else(|| store.key()).unwrap_or_else(rand::random);
        let metrics = Metrics::default();
        check::identity(&self.name, &self.version, &mut mistakes);
        let offers = check::Offers { states: &self.states, policy: &self.policy };
        let rules = check::Rules {
            tools: &self.tools,
            prompts: &self.prompts,
            resources: &self.resources,
            methods: &self.methods,
        };
        offers.check(rules, &catalog, &mut mistakes);
        for tool in &mut self.tools {
            check::describe_by_type(&mut tool.description, &mut tool.input);
        }
        for prompt in &mut self.prompts {
            check::describe_by_type(&mut prompt.description, &mut prompt.input);
        }
        let tools = check::tools(self.tools, parts, &mut mistakes);
        let shown = check::shown(&tools);
        check::actions(&tools, &shown, &catalog, &mut mistakes);
        check::hints(&tools);
        let state_tool = state::tool(Arc::clone(&store), key, &metrics);
        let state_tool = check::tool(state_tool, parts, &mut mistakes);
        let resources = check::resources(self.resources, &mut mistakes);
        let prompts = check::prompts(self.prompts, &mut mistakes);
        let methods = check::methods(self.methods, &mut mistakes);
        mistakes.extend(self.settings.mistakes());
        let surfaces = check::surfaces(self.settings.surfaces.as_deref(), &mut mistakes);
        let Some(state_tool) = state_tool.filter(|_| mistakes.is_empty()) else {
            return Err(BuildError::new(mistakes));
        };
        let view = view_page(self.settings.image_origins.clone());
        let mut server_info = json!({ "name": self.name, "version": self.version });
        if let Some(title) = &self.title {
            server_info["title"] = json!(title);
        }
        let needs_widgets = tools.is_empty() && !self.is_relay;
        let policy = check::policy(self.policy.clone(), &tools, &prompts, &resources, &methods);
        let fixed = Arc::new(Fixed {
            server_info: server_info.into(),
            name: self.name,
            version: self.version,
            title: self.title,
            instructions: self.instructions,
            view_instructions: self.view_instructions,
            state_tool: Box::new(state_tool),
            pages: self.pages,
            given_policy: self.policy,
            methods,
            states: Arc::new(self.states),
            reloader: Reloader::new(Snapshot::new(catalog, view, pages), needs_widgets),
            store,
            workers: Arc::new(Workers::new(&self.settings)),
            settings: self.settings,
            surfaces,
            around: self.around,
            listeners: self.listeners,
            trace_link: self.trace_link,
            metrics,
            #[cfg(feature = "watch")]
            watch: Mutex::new(None),
            sessions: session::signer(&key),
            request_states: input_required::signer(&key),
            questions: Arc::default(),
            tasks: Arc::default(),
            process: rand::random(),
            key,
            changing: Mutex::new(()),
        });
        let quotas = Quotas::new(&fixed.settings.quotas, check::has_limited(&tools));
        Ok(Server { fixed, number: 0, tools, shown, resources, prompts, policy, quotas })
    }
}

impl std::fmt::Debug for Builder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Builder").field("name", &self.name).finish_non_exhaustive()
    }
}
