//! A server with views in front of it.

use std::path::PathBuf;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite, BufReader};
use tokio::sync::mpsc;
use widgetcast::App;

use crate::connection::WAITING;
use crate::front::Front;
use crate::line::{Line, read_line, write_lines};
use crate::mapping::ViewMap;
use crate::recordings::Recorder;
use crate::session::{self, ClientEnd};
use crate::slots::SessionLimits;
use crate::upstream::Upstream;
use crate::views::Views;

/// A server with views in front of it.
#[derive(Clone, Debug)]
pub struct Wrap {
    views: Views,
    upstream: Upstream,
    forward_auth: bool,
}

/// The sessions of a wrapped server over HTTP.
#[must_use = "servers outlive the program unless the sessions are closed"]
pub struct Sessions(Arc<Front>);

impl Sessions {
    /// Ends all of them, and waits a few seconds for their servers to end.
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
    /// Puts views in front of a server. The app has the widgets that draw results, and the settings.
    pub fn new(app: App, upstream: Upstream) -> Self {
        Self { views: Views::new(app), upstream, forward_auth: false }
    }

    /// Leaves these tools as they are.
    #[must_use]
    pub fn without(mut self, tools: impl IntoIterator<Item = String>) -> Self {
        Arc::make_mut(&mut self.views.off).extend(tools);
        self
    }

    /// Draws the results of tools with the widgets of this map. Without an entry, the widget of the tool's
    /// name draws them.
    #[must_use]
    pub fn views(mut self, map: ViewMap) -> Self {
        self.views.map = map;
        self
    }

    /// Records results in this folder, each in a file: at most 20 of a tool and 1,000 of all, of up to 1 MiB,
    /// each once. Errors, arguments and `_meta` are not recorded.
    ///
    /// # Errors
    /// If the folder cannot be made or read.
    pub fn record(mut self, folder: impl Into<PathBuf>) -> std::io::Result<Self> {
        self.views.recorder = Some(Arc::new(Recorder::new(folder.into())?));
        Ok(self)
    }

    /// Passes the `Authorization` header of each client over HTTP to the server at a URL, and its challenges
    /// back. A session belongs to the header that it began with.
    ///
    /// # Errors
    /// If requests have an `Authorization` header of ours, or the app authenticates callers itself.
    pub fn forward_auth(mut self) -> Result<Self, String> {
        if self.upstream.has_authorization() {
            return Err(
                "the Authorization header of clients cannot be forwarded beside ours".into()
            );
        }
        if self.views.app().proves_callers() {
            return Err(
                "the app authenticates callers itself, so there is nothing to forward".into()
            );
        }
        self.forward_auth = true;
        Ok(self)
    }

    /// The app with the server at `/mcp`, in place of the app's own tools. Hosts, origins, authentication, quotas
    /// and limits are those of the app, and its [rules](widgetcast::Builder::relayed_tool_access) tell who may
    /// call a tool; others are not listed. Close the sessions after serving.
    pub fn mount(self, limits: SessionLimits) -> (App, Sessions) {
        let Self { views, upstream, forward_auth } = self;
        let app = views.app().clone();
        let front = Arc::new(Front::new((views, upstream), limits, forward_auth, &app));
        let sessions = Sessions(Arc::clone(&front));
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

    /// Serves one client at the other end of a pipe, until it leaves.
    pub async fn serve_pipe(
        &self,
        input: impl AsyncRead + Send + Unpin + 'static,
        output: impl AsyncWrite + Send + Unpin + 'static,
    ) -> std::io::Result<()> {
        let (heard, from) = mpsc::channel(WAITING);
        let (to, sent) = mpsc::channel(WAITING);
        let reading = tokio::spawn(read(input, heard));
        let writing = tokio::spawn(write_lines(output, sent));
        let relayed =
            session::run(self.views.clone(), &self.upstream, ClientEnd { to, from }).await;
        reading.abort();
        _ = writing.await;
        relayed.map_err(std::io::Error::other)
    }
}

async fn read(input: impl AsyncRead + Unpin, heard: mpsc::Sender<String>) {
    let mut input = BufReader::new(input);
    while let Ok(line) = read_line(&mut input).await {
        match line {
            Line::Text(line) if line.trim().is_empty() => {}
            Line::Text(line) => {
                if heard.send(line).await.is_err() {
                    return;
                }
            }
            Line::NotText | Line::TooLong => {
                tracing::warn!("the client sent a line that is not UTF-8 or too long");
            }
            Line::End => return,
        }
    }
}
