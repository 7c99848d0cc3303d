//! An app: tools, widgets, pages, store and hooks, put together and cross-checked once.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use widgetcast_core::surface::icon::Icons;
use widgetcast_core::surface::mcp_apps;
use widgetcast_core::{Catalog, Json, SURFACES, Schema, Surface, Widget};

use crate::context::Ctx;
use crate::event::{Event, Listener};
use crate::handler::Ended;
use crate::http::Service;
use crate::live::{Change, Live, Snapshot, Watch};
use crate::meter::Meter;
use crate::page::Page;
use crate::prompt::Prompt;
use crate::resource::Resource;
use crate::settings::Settings;
use crate::store::{MemoryStore, Store};
use crate::tool::Tool;

/// The page that draws every widget, built from `web/` as all pages are.
const VIEW: &str = include_str!(concat!(env!("OUT_DIR"), "/view.html"));
/// Lucide's icons, of which a result carries what it needs.
const ICONS: Icons = Icons::new(include_str!(concat!(env!("OUT_DIR"), "/icons.tsv")));
/// The longest message that ChatGPT shows while a tool runs.
const MESSAGE: usize = 64;

/// An app, ready to be served. Cheap to clone; all clones are one app.
///
/// ```no_run
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// use widgetcast::App;
///
/// let app = App::new("my-widgets", "1.0.0").widgets("widgets").build()?;
/// app.serve_http("127.0.0.1:8000").await?;
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct App(pub(crate) Arc<Inner>, pub(crate) Arc<OnceLock<Service>>);

pub(crate) struct Inner {
    pub name: String,
    pub version: String,
    pub title: Option<String>,
    pub instructions: Option<String>,
    pub tools: BTreeMap<Box<str>, Served>,
    /// Widgets that a tool shows: they are not tools by themselves.
    pub shown: BTreeSet<String>,
    pub pages: Vec<Page>,
    pub resources: Vec<Resource>,
    pub prompts: Vec<Prompt>,
    pub live: Live,
    pub store: Arc<dyn Store>,
    pub settings: Settings,
    /// Surfaces that the settings ask for, whoever calls.
    pub surfaces: Option<Vec<&'static Surface>>,
    pub around: Option<Around>,
    pub listeners: Vec<Listener>,
    pub meter: Meter,
    /// `{"name":…,"version":…}`, as every modern result says it.
    pub server_info: Json,
    pub watch: Mutex<Option<Watch>>,
    /// What makes the ids of instances impossible to guess.
    pub key: [u8; 16],
}

/// A tool with its schemas compiled.
pub(crate) struct Served {
    pub tool: Tool,
    pub input: Schema,
    pub output: Option<Schema>,
    /// Whether an argument is repeated in a header, which must then be compared.
    pub has_header_params: bool,
}

/// One call, as hooks see it.
#[derive(Clone, Debug)]
pub struct Call {
    /// The tool.
    pub tool: String,
    /// The arguments; they fit the tool's schema.
    pub arguments: Value,
    /// Who calls.
    pub ctx: Ctx,
}

/// What comes after a hook: the next hook, or the tool itself.
pub struct Next(pub(crate) Box<dyn FnOnce(Call) -> BoxFuture<'static, Ended> + Send>);

impl Next {
    /// Goes on with the call.
    pub async fn run(self, call: Call) -> Ended {
        (self.0)(call).await
    }
}

impl std::fmt::Debug for Next {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Next")
    }
}

pub(crate) type Around = Arc<dyn Fn(Call, Next) -> BoxFuture<'static, Ended> + Send + Sync>;

/// Everything that is wrong with how an app was put together.
pub struct BuildError {
    mistakes: Vec<String>,
}

/// As it is displayed: `main` prints errors so, and this one is for people.
impl std::fmt::Debug for BuildError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

impl BuildError {
    /// Each mistake, in words.
    pub fn mistakes(&self) -> &[String] {
        &self.mistakes
    }
}

impl std::fmt::Display for BuildError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.mistakes.as_slice() {
            [one] => f.write_str(one),
            many => {
                write!(f, "{} mistakes:", many.len())?;
                many.iter().try_for_each(|mistake| write!(f, "\n- {mistake}"))
            }
        }
    }
}

impl std::error::Error for BuildError {}

/// Collects what an app is made of; [`Builder::build`] checks all of it.
#[must_use = "an app does nothing until it is built"]
pub struct Builder {
    name: String,
    version: String,
    title: Option<String>,
    instructions: Option<String>,
    dir: Option<PathBuf>,
    catalog: Option<Catalog>,
    tools: Vec<Tool>,
    pages: Vec<Page>,
    resources: Vec<Resource>,
    prompts: Vec<Prompt>,
    store: Arc<dyn Store>,
    settings: Settings,
    around: Option<Around>,
    listeners: Vec<Listener>,
}

impl App {
    /// Starts an app with its name (as an npm package is named) and its semantic version.
    #[expect(clippy::new_ret_no_self, reason = "an app is made by its builder")]
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Builder {
        Builder {
            name: name.into(),
            version: version.into(),
            title: None,
            instructions: None,
            dir: None,
            catalog: None,
            tools: Vec::new(),
            pages: Vec::new(),
            resources: Vec::new(),
            prompts: Vec::new(),
            store: Arc::new(MemoryStore::default()),
            settings: Settings::default(),
            around: None,
            listeners: Vec::new(),
        }
    }

    /// Tells clients that listen that something has changed.
    pub fn announce(&self, change: Change) {
        self.0.live.announce(change);
    }

    /// Everything the doctor has to say about the widgets, said to the log; what cannot be drawn
    /// is no longer listed. Serving does this in the background.
    pub fn examine(&self) {
        self.0.live.examine();
    }

    /// Follows changes of the widgets and pages on disk, from now until the app is dropped.
    pub fn watch(&self) -> Result<(), notify::Error> {
        let snapshot = self.0.live.keep();
        let files: Vec<PathBuf> =
            self.0.pages.iter().filter_map(|page| page.path().map(Path::to_owned)).collect();
        let app = Arc::downgrade(&self.0);
        let watch = Watch::start(snapshot.catalog.dir(), &files, move |paths| {
            let Some(app) = app.upgrade() else { return };
            let changes = app.live.reload(paths, &app.pages);
            if !changes.is_empty() || !changes.kept.is_empty() {
                app.meter.reloads.inc();
                app.tell(&Event::Reloaded {
                    added: &changes.added,
                    changed: &changes.changed,
                    removed: &changes.removed,
                    kept: &changes.kept,
                });
            }
        })?;
        *self.0.watch.lock().unwrap_or_else(PoisonError::into_inner) = Some(watch);
        Ok(())
    }
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("App").field("name", &self.0.name).finish_non_exhaustive()
    }
}

impl Inner {
    pub(crate) fn tell(&self, event: &Event<'_>) {
        self.listeners.iter().for_each(|listener| listener(event));
    }

    /// How many tools there are now.
    pub(crate) fn count(&self) -> usize {
        let snapshot = self.live.now();
        let widgets = snapshot.catalog.list().filter(|listing| !self.hides(listing.tool_name));
        self.tools.len() + widgets.count()
    }

    /// Whether a widget is no tool by itself: a tool of the app shows it, or has its name.
    pub(crate) fn hides(&self, widget: &str) -> bool {
        self.shown.contains(widget) || self.tools.contains_key(widget)
    }

    /// The widget that draws the results of the tool of this name.
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
    ) -> Option<&'s mcp_apps::Page> {
        match (&tool.page, &tool.widget) {
            (Some(name), _) => snapshot.pages.get(name).map(|page| &**page),
            (None, Some(_)) => Some(&snapshot.view),
            (None, None) => None,
        }
    }
}

impl Builder {
    /// What people see as its name.
    pub fn title(mut self, text: impl Into<String>) -> Self {
        self.title = Some(text.into());
        self
    }

    /// How the model should use it.
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        self.instructions = Some(text.into());
        self
    }

    /// A directory of widgets. Each is a tool, unless a tool of the app shows it.
    pub fn widgets(mut self, dir: impl AsRef<Path>) -> Self {
        self.dir = Some(dir.as_ref().to_owned());
        self
    }

    /// Widgets read before, such as those that are part of the program. Serving does not look for
    /// broken ones among them; [`App::examine`] does.
    pub fn catalog(mut self, catalog: Catalog) -> Self {
        self.catalog = Some(catalog);
        self
    }

    /// A tool.
    pub fn tool(mut self, tool: Tool) -> Self {
        self.tools.push(tool);
        self
    }

    /// A page of one's own.
    pub fn page(mut self, page: Page) -> Self {
        self.pages.push(page);
        self
    }

    /// A resource of one's own.
    pub fn resource(mut self, resource: Resource) -> Self {
        self.resources.push(resource);
        self
    }

    /// A prompt.
    pub fn prompt(mut self, prompt: Prompt) -> Self {
        self.prompts.push(prompt);
        self
    }

    /// Where the data of views is kept.
    pub fn store(mut self, store: impl Store) -> Self {
        self.store = Arc::new(store);
        self
    }

    /// Limits, hosts, origins and the like.
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// A hook around every call: it may look at the call, change it, refuse it, and look at what
    /// came of it. The first one given is the outermost.
    ///
    /// ```
    /// use widgetcast::{App, Call, Next, ToolError};
    /// # fn demo() {
    /// let app = App::new("shop", "1.0.0").around(|call: Call, next: Next| async move {
    ///     if call.tool == "refund" && call.ctx.subject().is_none() {
    ///         return Err(ToolError::new("sign in first"));
    ///     }
    ///     let outcome = next.run(call).await?;
    ///     Ok(outcome.meta("shop/region", "eu"))
    /// });
    /// # }
    /// ```
    pub fn around<F, R>(mut self, hook: F) -> Self
    where
        F: Fn(Call, Next) -> R + Send + Sync + 'static,
        R: Future<Output = Ended> + Send + 'static,
    {
        let hook = Arc::new(hook);
        self.around = Some(match self.around.take() {
            None => Arc::new(move |call, next| Box::pin(hook(call, next))),
            Some(outer) => Arc::new(move |call, next| {
                let hook = Arc::clone(&hook);
                let inner = Next(Box::new(move |call| Box::pin(hook(call, next))));
                outer(call, inner)
            }),
        });
        self
    }

    /// Someone to be told what happens. It is called in passing, so it must be quick.
    pub fn on_event(mut self, listener: impl Fn(&Event<'_>) + Send + Sync + 'static) -> Self {
        self.listeners.push(Box::new(listener));
        self
    }

    /// Checks how everything fits together. All mistakes are reported at once; a broken widget file
    /// is not one of them, but a tool that shows it is.
    pub fn build(self) -> Result<App, BuildError> {
        let mut mistakes = Vec::new();
        let mut say = |mistake: String| mistakes.push(mistake);
        if !is_package_name(&self.name) {
            say(format!(
                "the app's name {:?} must be lower-case letters, digits, `-`, `.` or `_`, as an npm \
                 package is named",
                self.name
            ));
        }
        if let Err(error) = semver::Version::parse(&self.version) {
            say(format!("the version {:?} is not a semantic one: {error}", self.version));
        }
        let catalog = match (self.catalog, &self.dir) {
            (Some(_), Some(_)) => {
                say("give either a catalog or a directory of widgets, not both".into());
                Catalog::from_static(&[])
            }
            (Some(catalog), None) => catalog,
            (None, Some(dir)) => Catalog::from_dir(dir).unwrap_or_else(|error| {
                say(format!("{error}"));
                Catalog::from_static(&[])
            }),
            (None, None) => Catalog::from_static(&[]),
        };
        let mut pages = BTreeMap::new();
        for page in &self.pages {
            page.mistakes().into_iter().for_each(&mut say);
            match page.load() {
                Ok(loaded) => {
                    if pages.insert(page.name.clone(), Arc::new(loaded)).is_some() {
                        say(format!("there are two pages with the name {}", page.name));
                    }
                }
                Err(error) => say(error),
            }
        }
        let mut tools = BTreeMap::new();
        let mut shown = BTreeSet::new();
        for tool in self.tools {
            let name = tool.name.clone();
            shown.extend(tool.widget.iter().map(|widget| widgetcast_core::tool_name(widget)));
            if let Some(served) = serve(tool, &catalog, &pages, &mut say)
                && tools.insert(name.clone().into(), served).is_some()
            {
                say(format!("there are two tools with the name {name}"));
            }
        }
        let mut uris = BTreeSet::new();
        for resource in &self.resources {
            if !resource.uri.contains("://") {
                say(format!(
                    "resource {:?}: an address needs a scheme, such as shop://…",
                    resource.uri
                ));
            }
            if !uris.insert(&resource.uri) {
                say(format!("there are two resources with the address {}", resource.uri));
            }
        }
        let mut names = BTreeSet::new();
        for prompt in self.prompts.iter().filter(|prompt| !names.insert(&prompt.name)) {
            say(format!("there are two prompts with the name {}", prompt.name));
        }
        self.settings.mistakes().into_iter().for_each(&mut say);
        let mut surfaces = self.settings.surfaces.as_ref().map(|_| Vec::new());
        for name in self.settings.surfaces.iter().flatten() {
            match (Surface::find(name), &mut surfaces) {
                (Some(surface), Some(list)) => list.push(surface),
                _ => {
                    let names: Vec<&str> = SURFACES.iter().map(|surface| surface.name).collect();
                    say(format!("surface {name:?} must be one of {}", names.join(", ")));
                }
            }
        }
        if !mistakes.is_empty() {
            return Err(BuildError { mistakes });
        }
        let mut view = mcp_apps::Page::new("view", VIEW);
        view.description = Some("Shows the result as a card".into());
        view.csp.resource = self.settings.image_origins.clone();
        view.icons = ICONS;
        let inner = Inner {
            server_info: json!({ "name": self.name, "version": self.version }).into(),
            name: self.name,
            version: self.version,
            title: self.title,
            instructions: self.instructions,
            tools,
            shown,
            pages: self.pages,
            resources: self.resources,
            prompts: self.prompts,
            live: Live::new(Snapshot::new(catalog, view, pages)),
            store: self.store,
            settings: self.settings,
            surfaces,
            around: self.around,
            listeners: self.listeners,
            meter: Meter::default(),
            watch: Mutex::new(None),
            key: rand::random(),
        };
        Ok(App(Arc::new(inner), Arc::default()))
    }
}

impl std::fmt::Debug for Builder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Builder").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Checks one tool and compiles its schemas.
fn serve(
    tool: Tool,
    catalog: &Catalog,
    pages: &BTreeMap<String, Arc<mcp_apps::Page>>,
    say: &mut impl FnMut(String),
) -> Option<Served> {
    let name = &tool.name;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if name.is_empty() || name.len() > 128 || !name.chars().all(plain) {
        say(format!("tool {name:?}: a name has 1 to 128 letters, digits, `_`, `-` or `.`"));
    }
    match (&tool.widget, &tool.page) {
        (Some(_), Some(_)) => say(format!("tool {name}: show a widget or a page, not both")),
        (Some(widget), None) if catalog.get(widget).is_none() => {
            let broken = catalog.findings().find(|finding| {
                finding.error.place().file.as_deref().and_then(Path::file_stem).is_some_and(
                    |stem| {
                        widgetcast_core::tool_name(&stem.to_string_lossy())
                            == widgetcast_core::tool_name(widget)
                    },
                )
            });
            match broken {
                Some(finding) => say(format!("tool {name}: widget {widget} is broken: {finding}")),
                None => say(format!("tool {name}: there is no widget {widget}{}", known(catalog))),
            }
        }
        (None, Some(page)) if !pages.contains_key(page) => {
            let names: Vec<&str> = pages.keys().map(String::as_str).collect();
            say(format!("tool {name}: there is no page {page}; known pages: {}", names.join(", ")));
        }
        _ => {}
    }
    let properties = &tool.input["properties"];
    for param in tool.file_params.iter().filter(|param| properties.get(param.as_str()).is_none()) {
        say(format!("tool {name}: file parameter {param} is not among the input's properties"));
    }
    for text in tool.invoking.iter().chain(&tool.invoked) {
        if text.chars().count() > MESSAGE {
            say(format!("tool {name}: the message {text:?} is longer than {MESSAGE} characters"));
        }
    }
    let mut compile = |which: &str, schema: &Value| {
        if schema["type"] != "object" {
            say(format!(
                "tool {name}: the {which} schema must have \"type\": \"object\" at its root"
            ));
        }
        Schema::compile(schema)
            .map_err(|error| say(format!("tool {name}: the {which} schema: {error}")))
            .ok()
    };
    let input = compile("input", &tool.input);
    let output = tool.output.as_ref().map(|schema| compile("output", schema));
    let has_header_params = tool.input.to_string().contains("\"x-mcp-header\"");
    match (input, output) {
        (Some(input), None) => Some(Served { tool, input, output: None, has_header_params }),
        (Some(input), Some(Some(output))) => {
            Some(Served { tool, input, output: Some(output), has_header_params })
        }
        _ => None,
    }
}

fn known(catalog: &Catalog) -> String {
    let names: Vec<&str> = catalog.list().map(|listing| listing.tool_name).take(12).collect();
    match names.as_slice() {
        [] => "; there are no widgets at all".into(),
        names => format!("; known widgets: {}", names.join(", ")),
    }
}

/// npm's rule: at most 214 bytes, lower case, perhaps with a scope.
fn is_package_name(name: &str) -> bool {
    let part = |part: &str| {
        !part.is_empty()
            && !part.starts_with(['.', '_'])
            && part.chars().all(|c| {
                c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_' | '.' | '~')
            })
    };
    let bare = match name.strip_prefix('@') {
        Some(scoped) => {
            scoped.split_once('/').filter(|(scope, _)| part(scope)).map(|(_, rest)| rest)
        }
        None => Some(name),
    };
    name.len() <= 214 && bare.is_some_and(part)
}

#[cfg(test)]
mod tests {
    use super::is_package_name;

    #[test]
    fn package_names() {
        for good in ["a", "my-app", "@scope/app", "a.b_c"] {
            assert!(is_package_name(good), "{good}");
        }
        for bad in ["", "My App", "Upper", "_x", ".x", "@scope", "@/x", "a/b", "ä"] {
            assert!(!is_package_name(bad), "{bad}");
        }
        assert!(!is_package_name(&"a".repeat(215)));
    }
}
