//! Standard input and output: one message a line.
//!
//! Plain questions are answered here, straight from [`dispatch`]; the handshake, streams and
//! whatever is out of the ordinary go to rmcp through a pipe. Answers of both leave by one writer.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use tokio::io::{
    AsyncBufRead, AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader,
    DuplexStream, WriteHalf,
};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::app::{App, Inner};
use crate::context::ClientInfo;
use crate::dispatch::{self, Answer, Fault, MODERN, Meta, Params, Peer, Request, dispatch};
use crate::event::Event;
use crate::live::Change;
use crate::mcp;
use crate::wire::{self, Message, Odd};

/// What a client said when it introduced itself. A pipe has one client.
#[derive(Clone, Debug, Default)]
struct Introduced {
    client: Option<ClientInfo>,
    capabilities: String,
}

/// Calls that are running, by id, so that they can be cancelled.
type Running = Arc<Mutex<HashMap<String, CancellationToken>>>;
type Subscribed = Arc<Mutex<HashSet<String>>>;

/// Resources that one client may want to hear of.
const SUBSCRIPTIONS: usize = 10_000;

impl App {
    /// Serves standard input and output until the input ends or `stop` does.
    pub async fn serve_stdio(&self, stop: impl Future<Output = ()>) -> std::io::Result<()> {
        let (read, write) = mcp::stdio();
        self.serve_pipe(read, write, stop).await
    }

    /// The same for any pipe, until it ends or `stop` does; running calls may finish.
    pub async fn serve_pipe(
        &self,
        read: impl AsyncRead + Send + Unpin + 'static,
        write: impl AsyncWrite + Send + Unpin + 'static,
        stop: impl Future<Output = ()>,
    ) -> std::io::Result<()> {
        let (out, lines) = mpsc::channel::<String>(256);
        let writer = tokio::spawn(write_lines(write, lines));
        let mut pipe = Pipe {
            app: Arc::clone(&self.0),
            introduced: None,
            running: Running::default(),
            subscribed: Subscribed::default(),
            out: out.clone(),
            announcing: None,
            slow: None,
        };
        self.examine_in_background();
        self.0.tell(&Event::Started { at: "stdio", tools: self.0.count() });
        let mut input = BufReader::with_capacity(1 << 16, read);
        let mut stop = std::pin::pin!(stop);
        let mut line = Vec::new();
        let most = self.0.settings.max_request_bytes;
        loop {
            line.clear();
            let got = tokio::select! {
                () = &mut stop => break,
                got = read_line(&mut input, &mut line, most) => got?,
            };
            match got {
                Line::End => break,
                Line::TooLong => {
                    let words = format!("The message is larger than {most} bytes");
                    let fault = Fault::new(Fault::REQUEST, words);
                    _ = out.send(wire::error(None, &fault)).await;
                }
                Line::Whole if line.iter().all(u8::is_ascii_whitespace) => {}
                Line::Whole => {
                    // A client that does not read must not keep us from stopping.
                    tokio::select! {
                        () = &mut stop => break,
                        () = pipe.answer(&line) => {}
                    }
                }
            }
        }
        // No more questions; what is running may still answer.
        if let Some(announcing) = pipe.announcing.take() {
            announcing.abort();
        }
        let slow = pipe.slow.take();
        drop(pipe);
        drop(out);
        let grace = std::time::Duration::from_secs(self.0.settings.shutdown_grace);
        let finished = tokio::time::timeout(grace, async {
            if let Some(slow) = slow {
                slow.end().await;
            }
            _ = writer.await;
        });
        _ = finished.await;
        self.0.tell(&Event::Stopped);
        Ok(())
    }
}

/// rmcp at the other end of a pipe of our own.
struct Slow {
    write: WriteHalf<DuplexStream>,
    serve: JoinHandle<()>,
    forward: JoinHandle<()>,
    stop: CancellationToken,
}

impl Slow {
    fn start(app: &Arc<Inner>, out: mpsc::Sender<String>) -> Self {
        let (near, far) = tokio::io::duplex(1 << 16);
        let (far_read, far_write) = tokio::io::split(far);
        let (read, write) = tokio::io::split(near);
        let stop = CancellationToken::new();
        let (app, token) = (Arc::clone(app), stop.clone());
        let serve = tokio::spawn(async move {
            mcp::serve_pipe(&app, far_read, far_write, token).await;
        });
        Self { write, serve, forward: tokio::spawn(forward(read, out)), stop }
    }

    /// It ends by itself when its input does, unless a stream is open: then it is told to.
    async fn end(mut self) {
        _ = self.write.shutdown().await;
        let patience = std::time::Duration::from_millis(200);
        if tokio::time::timeout(patience, &mut self.serve).await.is_err() {
            self.stop.cancel();
            _ = self.serve.await;
        }
        _ = self.forward.await;
    }
}

struct Pipe {
    app: Arc<Inner>,
    introduced: Option<Introduced>,
    running: Running,
    /// Resources that the client wants to hear of.
    subscribed: Subscribed,
    out: mpsc::Sender<String>,
    announcing: Option<JoinHandle<()>>,
    slow: Option<Slow>,
}

impl Pipe {
    /// Hands a message to rmcp. It leaves when a client opens with what it does not expect; that
    /// must not be the end of the pipe, so it is started anew for the next one.
    async fn forward(&mut self, line: &[u8]) {
        let line = [line, b"\n"].concat();
        for _ in 0..2 {
            if self.slow.as_ref().is_none_or(|slow| slow.serve.is_finished()) {
                self.slow = Some(Slow::start(&self.app, self.out.clone()));
            }
            if let Some(slow) = &mut self.slow
                && slow.write.write_all(&line).await.is_ok()
            {
                return;
            }
            self.slow = None;
        }
    }

    async fn answer(&mut self, line: &[u8]) {
        if let Some(rest) = self.take(line).await {
            self.forward(rest).await;
        }
    }

    /// Answers a message, or gives back what rmcp should see.
    async fn take<'l>(&mut self, line: &'l [u8]) -> Option<&'l [u8]> {
        if let Some(message) = Message::request(line)
            && let Some(id) = message.id
            && let Some(answer) = self.hot_answer(message.method, message.params)
        {
            match answer {
                Answer::Now(body) => _ = self.out.send(wire::answer(id.get(), body)).await,
                Answer::Later(body) => {
                    let (id, out) = (id.get().to_owned(), self.out.clone());
                    let (running, cancel) = (Arc::clone(&self.running), CancellationToken::new());
                    lock(&running).insert(id.clone(), cancel.clone());
                    tokio::spawn(async move {
                        let body = tokio::select! {
                            body = body => Some(body),
                            // Whoever cancels a call does not want its answer.
                            () = cancel.cancelled() => None,
                        };
                        lock(&running).remove(&id);
                        if let Some(body) = body {
                            _ = out.send(wire::answer(&id, body)).await;
                        }
                    });
                }
            }
            return None;
        }
        match wire::look(line) {
            Odd::Broken(id, fault) => {
                _ = self.out.send(wire::error(id, &fault)).await;
                None
            }
            Odd::Batch(_) => {
                let fault =
                    Fault::new(Fault::REQUEST, "Invalid Request: batches are not supported");
                _ = self.out.send(wire::error(None, &fault)).await;
                None
            }
            Odd::Message => self.notice(line).then_some(line),
        }
    }

    fn hot_answer(&self, method: &str, params: Option<Params<'_>>) -> Option<Answer> {
        let params = params.unwrap_or_default();
        let meta = Meta::of(&params)?;
        let modern = match (meta.version.as_deref(), &self.introduced) {
            (Some(MODERN), _) => {
                meta.capabilities.filter(|text| text.get().starts_with('{'))?;
                true
            }
            (None, Some(_)) => false,
            // Before the handshake, or an unknown revision.
            _ => return None,
        };
        let typed = |name: &str| self.app.tools.contains_key(name);
        let reports = meta.progress.is_some() && params.name.as_deref().is_some_and(typed);
        if reports || !dispatch::is_plain(method, modern) {
            return None;
        }
        let introduced = self.introduced.as_ref().filter(|_| !modern);
        let peer = Peer {
            modern,
            client: match introduced {
                Some(known) => known.client.as_ref().map(Cow::Borrowed),
                None => meta.client.map(Cow::Owned),
            },
            capabilities: match introduced {
                Some(known) => Some(&known.capabilities),
                None => meta.capabilities.map(|raw| raw.get()),
            },
            ..Peer::default()
        };
        if let Some(uri) = params.uri.as_deref() {
            let mut subscribed = self.subscribed.lock().unwrap_or_else(PoisonError::into_inner);
            match method {
                "resources/subscribe" if !modern && subscribed.len() < SUBSCRIPTIONS => {
                    subscribed.insert(uri.to_owned());
                }
                "resources/unsubscribe" => _ = subscribed.remove(uri),
                _ => {}
            }
        }
        Some(dispatch(&self.app, Request { method, params, peer }))
    }

    /// Remembers what the client says of itself, stops what it takes back, and begins to tell it of
    /// changes once it is ready for them.
    ///
    /// Tells whether rmcp should see the message, too: of calls that it did not answer it must not
    /// hear, and it does not expect to be opened with a notification.
    fn notice(&mut self, line: &[u8]) -> bool {
        let Ok(message) = serde_json::from_slice::<Value>(line) else { return false };
        let params = &message["params"];
        match message["method"].as_str() {
            Some("initialize") => {
                self.introduced = Some(Introduced {
                    client: serde_json::from_value(params["clientInfo"].clone()).ok(),
                    capabilities: params["capabilities"].to_string(),
                });
            }
            Some("notifications/initialized") if self.announcing.is_none() => {
                let subscribed = Arc::clone(&self.subscribed);
                let changes = announce(Arc::clone(&self.app), subscribed, self.out.clone());
                self.announcing = Some(tokio::spawn(changes));
            }
            Some("notifications/cancelled") => {
                if let Some(call) = lock(&self.running).get(&params["requestId"].to_string()) {
                    call.cancel();
                    return false;
                }
            }
            _ => {}
        }
        // We ask the client nothing, so an answer of its own is for nobody.
        message.get("method").is_some() && (message.get("id").is_some() || self.slow.is_some())
    }
}

fn lock(running: &Running) -> std::sync::MutexGuard<'_, HashMap<String, CancellationToken>> {
    running.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tells a client with a handshake what has changed.
async fn announce(app: Arc<Inner>, subscribed: Subscribed, out: mpsc::Sender<String>) {
    let mut changes = app.live.subscribe();
    loop {
        let changed = match changes.recv().await {
            Ok(Change::Resource(uri))
                if !subscribed.lock().unwrap_or_else(PoisonError::into_inner).contains(&uri) =>
            {
                continue;
            }
            Ok(change) => vec![change],
            // Some were missed: look at everything again.
            Err(RecvError::Lagged(_)) => vec![Change::Tools, Change::Resources],
            Err(RecvError::Closed) => return,
        };
        for change in changed {
            if out.send(wire::changed(&change)).await.is_err() {
                return;
            }
        }
    }
}

/// Writes lines, several at once where several are waiting.
async fn write_lines(mut write: impl AsyncWrite + Unpin, mut lines: mpsc::Receiver<String>) {
    let mut buffer = String::new();
    while let Some(line) = lines.recv().await {
        buffer.clear();
        buffer.push_str(&line);
        buffer.push('\n');
        while let Ok(line) = lines.try_recv() {
            buffer.push_str(&line);
            buffer.push('\n');
            if buffer.len() > 1 << 16 {
                break;
            }
        }
        let written = write.write_all(buffer.as_bytes()).await;
        if written.is_err() || write.flush().await.is_err() {
            // Nobody reads any more.
            return;
        }
        buffer.shrink_to(1 << 20);
    }
}

/// Passes rmcp's messages on.
async fn forward(read: impl AsyncRead + Unpin, out: mpsc::Sender<String>) {
    let mut lines = BufReader::new(read).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        if out.send(line).await.is_err() {
            return;
        }
    }
}

enum Line {
    Whole,
    TooLong,
    End,
}

/// Reads up to the end of a line, and no more than `most` bytes of it into memory.
async fn read_line(
    input: &mut (impl AsyncBufRead + Unpin),
    line: &mut Vec<u8>,
    most: usize,
) -> std::io::Result<Line> {
    let mut too_long = false;
    loop {
        let chunk = input.fill_buf().await?;
        if chunk.is_empty() {
            return Ok(match (too_long, line.is_empty()) {
                (true, _) => Line::TooLong,
                (false, true) => Line::End,
                (false, false) => Line::Whole,
            });
        }
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        too_long |= line.len() + part.len() > most;
        if !too_long {
            line.extend_from_slice(part);
        }
        let used = end.map_or(chunk.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(if too_long { Line::TooLong } else { Line::Whole });
        }
    }
}
