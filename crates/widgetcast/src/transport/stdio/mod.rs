//! Stdin and stdout, or any pipe: one message per line.
//!
//! A thread reads, handles and writes everything that does not block, with two system calls per call.
//! Anything else runs as a task, which writes its result.

mod reader;
mod session;
mod writer;

use std::convert::Infallible;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite, BufReader};
use tokio::sync::{Mutex, mpsc, oneshot};

use super::check_widgets_in_background;
use crate::protocol::RpcError;
use crate::sdk::event::Event;
use crate::server::Live;
use reader::{BlockingStdin, Line, read_line};
use session::Session;
use writer::{Writer, locked, stdout};

pub(crate) async fn serve_stdio(
    live: &Arc<Live>,
    stop: impl Future<Output = ()>,
) -> std::io::Result<()> {
    let connection = Connection::new(live, stdout());
    let reading = connection.read(BlockingStdin(std::io::stdin()));
    let (send, ended) = oneshot::channel();
    let runtime = tokio::runtime::Handle::current();
    let thread = std::thread::Builder::new().name("widgetcast-stdin".into());
    thread.spawn(move || _ = send.send(runtime.block_on(reading)))?;
    let ended = async {
        let panicked = |_| Err(std::io::Error::other("the reader of stdin panicked"));
        ended.await.unwrap_or_else(panicked)
    };
    serve(live, connection, ended, stop).await
}

pub(crate) async fn serve_pipe(
    live: &Arc<Live>,
    read: impl AsyncRead + Send + Unpin + 'static,
    write: impl AsyncWrite + Send + Unpin + 'static,
    stop: impl Future<Output = ()>,
) -> std::io::Result<()> {
    let connection = Connection::new(live, write);
    let reading = connection.read(read);
    serve(live, connection, reading, stop).await
}

async fn serve(
    live: &Arc<Live>,
    connection: Connection,
    reading: impl Future<Output = std::io::Result<()>>,
    stop: impl Future<Output = ()>,
) -> std::io::Result<()> {
    let server = &live.load_full();
    check_widgets_in_background(server);
    server.emit(&Event::Started { at: "stdio", gallery: None, tools: server.count() });
    let read = tokio::select! {
        read = reading => read,
        () = stop => Ok(()),
    };
    // A client that does not read must not prevent shutdown.
    let grace = server.settings.shutdown_grace;
    _ = tokio::time::timeout(grace, connection.end()).await;
    server.emit(&Event::Stopped);
    read
}

/// A served pipe.
struct Connection {
    session: Arc<Mutex<Session>>,
    /// Closes when no task can write any more.
    writers: mpsc::Receiver<Infallible>,
    max_line: usize,
}

impl Connection {
    fn new(live: &Arc<Live>, write: impl AsyncWrite + Send + Unpin + 'static) -> Self {
        let (writer, writers) = Writer::new(write);
        let session = Arc::new(Mutex::new(Session::new(live, writer)));
        Self { session, writers, max_line: live.load().settings.max_request_bytes }
    }

    /// Handles lines until the input ends. Blocking reads cannot be interrupted, so the reader holds no
    /// reference that would keep the session alive.
    fn read(
        &self,
        read: impl AsyncRead + Send + Unpin + 'static,
    ) -> impl Future<Output = std::io::Result<()>> + Send + 'static {
        let (session, most) = (Arc::downgrade(&self.session), self.max_line);
        async move {
            let mut input = BufReader::with_capacity(1 << 16, read);
            let mut line = Vec::new();
            loop {
                line.clear();
                let got = read_line(&mut input, &mut line, most).await?;
                let Some(session) = session.upgrade() else { return Ok(()) };
                let mut session = locked(&session).await;
                if session.is_ended() {
                    return Ok(());
                }
                // Responses to lines that arrived together are written together.
                let is_last = !input.buffer().contains(&b'\n');
                match got {
                    Line::End => return Ok(()),
                    Line::TooLong => {
                        let words = format!("The message is larger than {most} bytes");
                        session.refuse(None, &RpcError::new(RpcError::INVALID_REQUEST, words));
                    }
                    Line::Whole if line.iter().all(u8::is_ascii_whitespace) => {}
                    Line::Whole => session.take(&line).await,
                }
                session.flush(is_last).await;
            }
        }
    }

    /// Stops reading, and waits until running requests are complete.
    async fn end(self) {
        let Self { session, mut writers, .. } = self;
        session.lock().await.end().await;
        drop(session);
        _ = writers.recv().await;
    }
}
