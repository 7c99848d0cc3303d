//! A proxy that adds views to the tool results of a server.

use std::path::PathBuf;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite, BufReader};
use tokio::sync::mpsc;
use widgetcast::App;

use crate::connection::{Connect as _, MAX_MESSAGE, WAITING};
use crate::front::Front;
use crate::gallery::{self, Gallery};
use crate::line::{Line, Lines, write_lines};
use crate::mapping::ViewMap;
use crate::recordings::Recorder;
use crate::session::{self, ClientEnd};
use crate::several::Servers;
use crate::slots::SessionLimits;
use crate::views::Views;

/// A proxy that adds views to a server.
#[derive(Clone, Debug)]
pub struct Wrap {
    views: Views,
    servers: Servers,
    forward_auth: bool,
    /// Whether the app's gallery shows the tools of the server, and where it writes widgets.
    gallery: Option<Option<PathBuf>>,
}

/// The sessions of a wrapped server over HTTP.
#[must_use = "servers outlive the program unless the sessions are closed"]
pub struct Sessions(Arc<Front>);

impl Sessions {
    /// Ends all sessions, and waits a few seconds for their servers to exit.
    pub async fn close(&self) {
        self.0.close().await;
    }
}

impl std::fmt::Debug for Sessions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sessions").finish_non_exhaustive()
    }
}

impl Wrap {
    /// Creates a proxy for a server, or for [several](Servers::named). The app provides the widgets that render
    /// results, and the settings.
    pub fn new(app: App, servers: impl Into<Servers>) -> Self {
        let servers = servers.into();
        Self {
            views: Views::new(app, servers.names()),
            servers,
            forward_auth: false,
            gallery: None,
        }
    }

    /// Passes these tools through without views.
    #[must_use]
    pub fn without(mut self, tools: impl IntoIterator<Item = String>) -> Self {
        Arc::make_mut(&mut self.views.off).extend(tools);
        self
    }

    /// Renders the results of tools with the widgets in this map. By default, the widget with the tool's name
    /// renders them.
    #[must_use]
    pub fn views(mut self, map: ViewMap) -> Self {
        self.views.map = map;
        self
    }

    /// Records results in this directory, one file each: at most 20 per tool and 1,000 in total, of up to 1
    /// MiB, without duplicates. Errors, arguments and `_meta` are not recorded.
    ///
    /// # Errors
    /// If the directory cannot be created or read.
    pub fn record(mut self, folder: impl Into<PathBuf>) -> std::io::Result<Self> {
        self.views.recorder = Some(Arc::new(Recorder::new(folder.into())?));
        Ok(self)
    }

    /// Forwards each HTTP client's `Authorization` header to the server at a URL, and its challenges to the
    /// client. A session is bound to the header with which it began.
    ///
    /// # Errors
    /// If requests already have an `Authorization` header, if the app authenticates callers itself, or if there
    /// are several servers.
    pub fn forward_auth(mut self) -> Result<Self, String> {
        let Some(upstream) = self.servers.only() else {
            return Err(
                "the Authorization header of clients can be forwarded to a single server only"
                    .into(),
            );
        };
        if upstream.has_authorization() {
            return Err(
                "clients' Authorization headers cannot be forwarded, because wrap sends its own"
                    .into(),
            );
        }
        if self.views.app().has_authenticator() {
            return Err(
                "the app authenticates callers itself, so there is nothing to forward".into()
            );
        }
        self.forward_auth = true;
        Ok(self)
    }

    /// Shows the tools of the server in the gallery of the [mounted](Self::mount) app, and lets it write widgets to
    /// this directory, if given. The gallery has a session of its own.
    ///
    /// # Errors
    /// If callers must authenticate: the gallery would act for all of them.
    pub fn gallery(mut self, widgets: Option<PathBuf>) -> Result<Self, String> {
        if self.forward_auth || self.views.app().has_authenticator() {
            return Err(
                "the gallery of a server cannot be served where clients must authenticate".into()
            );
        }
        self.gallery = Some(widgets);
        Ok(self)
    }

    /// Mounts the server at `/mcp`, in place of the app's own tools. Hosts, origins, authentication, quotas
    /// and limits are those of the app, and its [rules](widgetcast::Builder::relayed_tool_access) define who
    /// may call a tool; others do not see it. Close the sessions after serving. With a
    /// [gallery](Self::gallery), call this within a Tokio runtime.
    pub fn mount(self, limits: SessionLimits) -> (App, Sessions) {
        let Self { views, servers, forward_auth, gallery } = self;
        let app = views.app().clone();
        let servers = servers.within(app.settings().max_response_bytes);
        let shown = gallery.map(|widgets| {
            let behind = (views.for_others(), servers.clone());
            Gallery::new(app.clone(), behind, widgets)
        });
        let front = Arc::new(Front::new((views, servers), limits, forward_auth, &app));
        let sessions = Sessions(Arc::clone(&front));
        let mut app = app;
        if let Some((gallery, serve)) = shown {
            front.run(serve);
            app = app.mount(gallery::DRAFT_PATH, move |request| {
                gallery::answer(Arc::clone(&gallery), request)
            });
        }
        let app = app.mount("/mcp", move |request| {
            let front = Arc::clone(&front);
            async move { front.answer(request).await.unwrap_or_else(|refused| *refused) }
        });
        (app, sessions)
    }

    /// Serves one client over stdio, until it disconnects.
    pub async fn serve_stdio(&self) -> std::io::Result<()> {
        self.serve_pipe(tokio::io::stdin(), tokio::io::stdout()).await
    }

    /// Serves one client over a pipe, until it disconnects.
    pub async fn serve_pipe(
        &self,
        input: impl AsyncRead + Send + Unpin + 'static,
        output: impl AsyncWrite + Send + Unpin + 'static,
    ) -> std::io::Result<()> {
        let app = self.views.app();
        let first = Ok(self.servers.connect(app).map_err(std::io::Error::other)?);
        let (heard, from) = mpsc::channel(WAITING);
        let (to, sent) = mpsc::channel(WAITING);
        let reading = tokio::spawn(read(input, heard));
        let writing = tokio::spawn(write_lines(output, sent));
        let client = ClientEnd { to, from };
        session::run(app, Some(self.views.clone()), &self.servers, first, client).await;
        reading.abort();
        _ = writing.await;
        Ok(())
    }
}

async fn read(input: impl AsyncRead + Unpin, heard: mpsc::Sender<String>) {
    let mut lines = Lines::new(BufReader::new(input), MAX_MESSAGE);
    while let Ok(line) = lines.next().await {
        match line {
            Line::Text(line) if line.trim().is_empty() => {}
            Line::Text(line) => {
                if heard.send(line).await.is_err() {
                    return;
                }
            }
            Line::NotText | Line::TooLong | Line::NoRoom => {
                tracing::warn!("ignored a line from the client that is too long or not UTF-8");
            }
            Line::End => return,
        }
    }
}
