//! An app: the handle that serves it in every way.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, PoisonError};

use bytes::Bytes;
use http::{Request, Response};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, ToSocketAddrs};
use tokio_util::sync::CancellationToken;

use crate::builder::change::{self, Edit};
use crate::builder::{BuildError, Builder};
use crate::reload::{Change, Reloaded, Watch};
use crate::replicas;
use crate::sdk::auth::Proven;
use crate::sdk::caller::Caller;
use crate::sdk::event::Event;
use crate::sdk::peer::Peer;
use crate::sdk::prompt::Prompt;
use crate::sdk::resource::Resource;
use crate::sdk::settings::Settings;
use crate::sdk::tool::Tool;
use crate::server::{Fixed, Live, Server};
use crate::transport::http::{self as http_transport, Body, Mount, RequestBody, Service};
use crate::transport::signal::shutdown_signal;
use crate::transport::stdio;

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
    /// The current version.
    live: Arc<Live>,
    /// One service for all who ask, so that its limits hold for all of them together.
    service: Arc<OnceLock<Service>>,
    /// What is answered beside it.
    mounts: Vec<Mount>,
    /// Ends whatever serves the app.
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

    /// Removes a tool, if it exists. A widget that it showed becomes a tool again, unless another tool
    /// shows it.
    pub fn remove_tool(&self, name: &str) {
        // Removing makes no mistakes.
        _ = self.change(Edit::RemoveTool(name), &[Change::Tools, Change::Resources]);
    }

    /// Adds a prompt. The handshake declares whether the server has prompts, so only clients that connect
    /// later see the first one.
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
    pub fn announce(&self, change: Change) {
        replicas::publish(&self.fixed, &change);
        self.fixed.reloader.announce(change);
    }

    /// Checks every widget, logs findings, and unlists widgets that cannot be rendered. Serving does this
    /// in the background.
    pub fn check_widgets(&self) {
        self.fixed.reloader.check_widgets();
    }

    /// Watches widgets and pages on disk, and reloads them until the app is dropped.
    pub fn watch(&self) -> std::io::Result<()> {
        let snapshot = self.fixed.reloader.keep();
        let pages = self.fixed.pages.iter();
        let files: Vec<PathBuf> =
            pages.filter_map(|page| page.path().map(Path::to_owned)).collect();
        let server = Arc::downgrade(&self.fixed);
        let unread = snapshot.catalog.unread().map(Path::to_owned).collect();
        let catalog = Arc::clone(&snapshot.catalog);
        let prepare = move || catalog.keep_samples();
        let watch = Watch::start(snapshot.catalog.dir(), &files, unread, prepare, move |paths| {
            let Some(server) = server.upgrade() else { return Vec::new() };
            let Reloaded { changes, unread } = server.reloader.reload(paths, &server.pages);
            if !changes.is_empty() || !changes.kept.is_empty() {
                server.metrics.reloads.inc();
                server.emit(&Event::Reloaded {
                    added: &changes.added,
                    changed: &changes.changed,
                    removed: &changes.removed,
                    kept: &changes.kept,
                });
            }
            unread
        })?;
        *self.fixed.watch.lock().unwrap_or_else(PoisonError::into_inner) = Some(watch);
        Ok(())
    }

    /// Serves HTTP on the address in `WIDGETCAST_HTTP`, such as `0.0.0.0:8000`, or on `127.0.0.1:8000`; see
    /// [`App::serve_http`].
    pub async fn serve(&self) -> std::io::Result<()> {
        let at = std::env::var("WIDGETCAST_HTTP").unwrap_or_else(|_| "127.0.0.1:8000".into());
        self.serve_http(at).await
    }

    /// Serves HTTP until [Ctrl-C, SIGTERM or SIGHUP](crate::shutdown_signal); then running calls may
    /// finish.
    pub async fn serve_http(&self, at: impl ToSocketAddrs) -> std::io::Result<()> {
        let listener = http_transport::bind(at).await?;
        self.serve_listener(listener, shutdown_signal()).await
    }

    /// Serves the connections of a listener until `stop` completes; then running calls may finish.
    ///
    /// The widgets of a directory are checked in the background while it serves.
    pub async fn serve_listener(
        &self,
        listener: TcpListener,
        stop: impl Future<Output = ()>,
    ) -> std::io::Result<()> {
        http_transport::serve(&self.live, &self.mounts, listener, self.until(stop)).await
    }

    /// Serves over stdio until stdin is closed or `stop` completes. A thread that reads stdin may stay
    /// until the next line or the end of the process.
    pub async fn serve_stdio(&self, stop: impl Future<Output = ()>) -> std::io::Result<()> {
        stdio::serve_stdio(&self.live, self.until(stop)).await
    }

    /// Serves any pair of reader and writer, until end of file or until `stop` completes; running calls may finish.
    pub async fn serve_pipe(
        &self,
        read: impl AsyncRead + Send + Unpin + 'static,
        write: impl AsyncWrite + Send + Unpin + 'static,
        stop: impl Future<Output = ()>,
    ) -> std::io::Result<()> {
        stdio::serve_pipe(&self.live, read, write, self.until(stop)).await
    }

    /// Stops the app everywhere, permanently: running calls may finish, and open event streams end. If you
    /// nest the app in another server, call this when that server begins to shut down, or open streams keep
    /// it alive:
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

    /// The app as a `tower::Service`, for routers and single requests. All uses share its limits. It does
    /// not check widgets: see [`App::check_widgets`].
    pub fn service(&self) -> Service {
        let new = || Service::new(&self.live, &self.mounts, self.stop.clone());
        self.service.get_or_init(new).clone()
    }

    /// Mounts another service at `path` and below, with the same limits, hosts, origins and authentication. At
    /// `/mcp` it takes the place of the app's own tools, also at the root.
    /// The extensions of a request contain the [`Caller`](crate::Caller), if authenticated. Other clones of
    /// the app are unchanged, so the mounted service may hold one.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use widgetcast::App;
    /// use widgetcast::http::Body;
    ///
    /// let app = App::new("shop", "1.0.0").build()?;
    /// let app = app.mount("/hello", async |_| http::Response::new(Body::from("Good day.")));
    /// let request = http::Request::get("/hello").body(String::new())?;
    /// assert_eq!(app.handle(request).await.status(), 200);
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn mount<F, R>(mut self, path: &'static str, answer: F) -> Self
    where
        F: Fn(Request<RequestBody>) -> R + Send + Sync + 'static,
        R: Future<Output = Response<Body>> + Send + 'static,
    {
        self.mounts.push(Mount::new(path, answer));
        self.service = Arc::default();
        self
    }

    /// The page that shows views, for programs that put views on results that were made elsewhere.
    #[doc(hidden)]
    pub fn view_page(&self) -> Arc<widgetcast_core::surface::page::Page> {
        Arc::clone(&self.fixed.reloader.now().view)
    }

    /// The widgets as they are now.
    #[doc(hidden)]
    pub fn current_catalog(&self) -> Arc<widgetcast_core::Catalog> {
        Arc::clone(&self.fixed.reloader.now().catalog)
    }

    /// Whether the app authenticates callers, so that a request without a [`Caller`](crate::Caller) is
    /// anonymous.
    pub fn proves_callers(&self) -> bool {
        self.fixed.given_policy.proves_callers()
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.fixed.settings
    }

    /// Handles one request, without a server.
    pub async fn handle<B>(&self, request: Request<B>) -> Response<Body>
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        self.service().answer(request, None).await
    }

    /// Handles one request of a caller that your program has already authenticated, with its scopes. The
    /// app does not authenticate the request again. `peer` is the client
    /// that quotas are counted for where there is no caller; the audit log has it too.
    pub async fn handle_as<B>(
        &self,
        caller: Option<Caller>,
        peer: Peer,
        mut request: Request<B>,
    ) -> Response<Body>
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        request.extensions_mut().insert(Proven { caller, peer });
        self.handle(request).await
    }
}

impl Builder {
    /// Builds the app, and reports all mistakes at once. A broken widget file is not a mistake, but a tool
    /// that shows it is.
    pub fn build(self) -> Result<App, BuildError> {
        let server = self.build_server()?;
        let fixed = Arc::clone(&server.fixed);
        replicas::listen(&fixed);
        let live = Arc::new(Live::from_pointee(server));
        let (mounts, stop) = (Vec::new(), CancellationToken::new());
        Ok(App { fixed, live, service: Arc::default(), mounts, stop })
    }
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("App").field("name", &self.fixed.name).finish_non_exhaustive()
    }
}
