//! The app: a handle to serve it over HTTP, stdio or as a service, each in its own file and behind a feature.

#[cfg(feature = "http")]
mod http;
#[cfg(feature = "stdio")]
mod stdio;
#[cfg(feature = "watch")]
mod watch;

#[cfg(feature = "http")]
use std::sync::OnceLock;
use std::sync::{Arc, PoisonError};

use tokio_util::sync::CancellationToken;

use crate::builder::change::{self, Edit};
use crate::builder::{BuildError, Builder};
use crate::metrics::Held;
use crate::reload::Change;
use crate::replicas;
use crate::sdk::prompt::Prompt;
use crate::sdk::resource::Resource;
use crate::sdk::settings::Settings;
use crate::sdk::tool::Tool;
use crate::server::{Fixed, Live, Server};
#[cfg(feature = "http")]
use crate::transport::http::{Mount, Service};
use crate::worker::Workers;

/// An app, ready to serve. Cheap to clone; all clones share one app.
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
pub struct App {
    fixed: Arc<Fixed>,
    /// The current version of the server.
    live: Arc<Live>,
    /// One service for all uses, so that they share its limits.
    #[cfg(feature = "http")]
    service: Arc<OnceLock<Service>>,
    /// The mounted services.
    #[cfg(feature = "http")]
    mounts: Vec<Mount>,
    /// Stops everything that serves the app.
    stop: CancellationToken,
}

impl App {
    /// Starts building an app with a name (as for an npm package) and a semantic version.
    #[expect(clippy::new_ret_no_self, reason = "call `build` on the builder to get the app")]
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Builder {
        Builder::new(name.into(), version.into())
    }

    pub(crate) fn server(&self) -> Arc<Server> {
        self.live.load_full()
    }

    /// Adds a tool at run time, and notifies clients that the list has changed. It is checked as in
    /// [`Builder::build`]; running calls are not affected.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use widgetcast::{App, Tool};
    ///
    /// let app = App::new("shop", "1.0.0").build()?;
    /// app.add_tool(Tool::new("ping", async || "pong"))?;
    /// assert_eq!(app.test().tool_names().await?, ["ping"]);
    /// app.remove_tool("ping");
    /// assert!(app.test().tool_names().await?.is_empty());
    /// # Ok(()) }
    /// ```
    pub fn add_tool(&self, tool: Tool) -> Result<(), BuildError> {
        self.change(Edit::AddTool(Box::new(tool)), &[Change::Tools, Change::Resources])
    }

    /// Removes a tool, if it exists. The widget that it showed becomes a tool again, unless another tool
    /// shows it.
    pub fn remove_tool(&self, name: &str) {
        // Removing cannot fail a check.
        _ = self.change(Edit::RemoveTool(name), &[Change::Tools, Change::Resources]);
    }

    /// Adds a prompt. The handshake declares whether the server has prompts, so if this is the first one,
    /// only clients that connect later see it.
    pub fn add_prompt(&self, prompt: Prompt) -> Result<(), BuildError> {
        self.change(Edit::AddPrompt(prompt), &[Change::Prompts])
    }

    /// Removes a prompt, if it exists.
    pub fn remove_prompt(&self, name: &str) {
        _ = self.change(Edit::RemovePrompt(name), &[Change::Prompts]);
    }

    /// Adds a resource or a resource template.
    pub fn add_resource(&self, resource: Resource) -> Result<(), BuildError> {
        self.change(Edit::AddResource(resource), &[Change::Resources])
    }

    /// Removes the resource or template with this URI.
    pub fn remove_resource(&self, uri: &str) {
        _ = self.change(Edit::RemoveResource(uri), &[Change::Resources]);
    }

    fn change(&self, edit: Edit<'_>, changes: &[Change]) -> Result<(), BuildError> {
        let one = self.fixed.changing.lock().unwrap_or_else(PoisonError::into_inner);
        self.live.store(Arc::new(change::next(&self.server(), edit)?));
        drop(one);
        changes.iter().for_each(|change| self.announce(change.clone()));
        Ok(())
    }

    /// Notifies subscribed clients of a change, including those connected to other processes that share the
    /// store (PostgreSQL, Redis).
    ///
    /// ```
    /// use widgetcast::{App, Change, Resource};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let stock = Resource::new("shop://stock", "Stock", async || "7 loaves");
    /// let app = App::new("shop", "1.0.0").resource(stock).build()?;
    /// app.announce(Change::Resource("shop://stock".into())); // subscribers read it again
    /// # Ok(())
    /// # }
    /// ```
    pub fn announce(&self, change: Change) {
        replicas::publish(&self.fixed, &change);
        self.fixed.reloader.announce(change);
    }

    /// Tells open galleries that these tools have changed.
    #[doc(hidden)]
    pub fn refresh_gallery(&self, tools: Vec<String>) {
        self.fixed.reloader.edited(tools.into());
    }

    /// Checks every widget, logs findings, and unlists widgets that cannot be rendered. Serving does this
    /// in the background.
    pub fn check_widgets(&self) {
        self.fixed.reloader.check_widgets();
    }

    /// Shuts down the app and all its clones for good: running calls may finish, and open event streams end.
    /// If you nest the app in another server, call this when that server begins to shut down, or open
    /// streams keep it alive:
    ///
    /// ```no_run
    /// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
    /// use widgetcast::{App, shutdown_signal};
    ///
    /// let app = App::new("shop", "1.0.0").build()?;
    /// let router: axum::Router = axum::Router::new().nest_service("/mcp", app.service());
    /// let listener = tokio::net::TcpListener::bind("127.0.0.1:8000").await?;
    /// axum::serve(listener, router)
    ///     .with_graceful_shutdown(async move {
    ///         shutdown_signal().await;
    ///         app.stop();
    ///     })
    ///     .await?;
    /// # Ok(()) }
    /// ```
    pub fn stop(&self) {
        self.stop.cancel();
    }

    async fn until(&self, stop: impl Future<Output = ()>) {
        tokio::select! {
            () = stop => {}
            () = self.stop.cancelled() => {}
        }
    }

    /// The page that renders views, for programs that add views to the results of other servers.
    #[doc(hidden)]
    pub fn view_page(&self) -> Arc<widgetcast_core::surface::page::Page> {
        Arc::clone(&self.fixed.reloader.now().view)
    }

    /// The current widgets.
    #[doc(hidden)]
    pub fn current_catalog(&self) -> Arc<widgetcast_core::Catalog> {
        Arc::clone(&self.fixed.reloader.now().catalog)
    }

    /// The worker pool of the app, on which other crates can run CPU-bound work for its callers.
    #[doc(hidden)]
    pub fn workers(&self) -> Arc<Workers> {
        Arc::clone(&self.fixed.workers)
    }

    /// Counts the bytes that another crate buffers, up to `max_buffered_bytes`. None yet.
    #[doc(hidden)]
    pub fn hold(&self) -> Held {
        self.fixed.metrics.hold(self.settings().max_buffered_bytes)
    }

    /// Returns a function to call when an operation of another store fails, so that `/readyz` and
    /// `/metrics` report it.
    #[doc(hidden)]
    pub fn store_failures(&self, operation: &'static str) -> Arc<dyn Fn() + Send + Sync> {
        let errors = self.fixed.metrics.store_errors.clone();
        Arc::new(move || errors.count(operation))
    }

    /// Whether the app authenticates callers, so that a request without a [`Caller`](crate::Caller) is
    /// anonymous.
    pub fn has_authenticator(&self) -> bool {
        self.fixed.given_policy.has_authenticator()
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.fixed.settings
    }
}

impl Builder {
    /// Builds the app, and reports all configuration errors at once. A broken widget file is not an error
    /// by itself, but a tool that shows it is.
    pub fn build(self) -> Result<App, BuildError> {
        let server = self.build_server()?;
        let fixed = Arc::clone(&server.fixed);
        replicas::listen(&fixed);
        let live = Arc::new(Live::from_pointee(server));
        Ok(App {
            fixed,
            live,
            #[cfg(feature = "http")]
            service: Arc::default(),
            #[cfg(feature = "http")]
            mounts: Vec::new(),
            stop: CancellationToken::new(),
        })
    }
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("App").field("name", &self.fixed.name).finish_non_exhaustive()
    }
}
