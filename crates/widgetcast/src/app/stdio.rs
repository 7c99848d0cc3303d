//! Serves stdio, or any other pair of pipes.

use tokio::io::{AsyncRead, AsyncWrite};

use super::App;
use crate::transport::stdio;

impl App {
    /// Serves over stdio until stdin is closed or `stop` completes. The thread that reads stdin may stay
    /// blocked until the next line arrives or the process exits.
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
}
