//! A server with views in front of it.

use std::collections::BTreeSet;

use tokio::io::{AsyncRead, AsyncWrite, BufReader};
use tokio::sync::mpsc;
use widgetcast::App;

use crate::connection::WAITING;
use crate::line::{Line, read_line, write_lines};
use crate::session::{self, ClientEnd};
use crate::upstream::Upstream;
use crate::views::Views;

/// A server with views in front of it.
#[derive(Clone, Debug)]
pub struct Wrap {
    app: App,
    upstream: Upstream,
    off: BTreeSet<String>,
}

impl Wrap {
    /// Puts views in front of a server. The app has the widgets that draw results, and the settings.
    pub fn new(app: App, upstream: Upstream) -> Self {
        Self { app, upstream, off: BTreeSet::new() }
    }

    /// Leaves these tools as they are.
    #[must_use]
    pub fn without(mut self, tools: impl IntoIterator<Item = String>) -> Self {
        self.off.extend(tools);
        self
    }

    /// Serves one client at standard input and output, until it leaves.
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
        let views = Views::new(self.app.clone(), self.off.clone());
        let relayed = session::run(views, &self.upstream, ClientEnd { to, from }).await;
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
