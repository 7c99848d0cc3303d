//! Standard input and output: one message a line.
//!
//! Plain questions are answered here, straight from [`dispatch`]; the handshake, streams and
//! whatever is out of the ordinary go to rmcp through a pipe. Answers of both leave by one [`Out`].

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::io::Read as _;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use serde_json::Value;
use tokio::io::{
    AsyncBufRead, AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader,
    DuplexStream, ReadBuf, WriteHalf,
};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use widgetcast_core::Given;

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
    capabilities: Value,
}

/// Calls that are running, by id, so that they can be cancelled.
type Running = Arc<Mutex<HashMap<String, CancellationToken>>>;
type Subscribed = Arc<Mutex<HashSet<String>>>;

/// Resources that one client may want to hear of.
const SUBSCRIPTIONS: usize = 10_000;

/// Answers that wait to leave together, in bytes.
const TOGETHER: usize = 1 << 16;

impl App {
    /// Serves standard input and output until the input ends or `stop` does. A thread that waits for
    /// a line then stays until one comes, or the process ends.
    pub async fn serve_stdio(&self, stop: impl Future<Output = ()>) -> std::io::Result<()> {
        let serving = Serving::new(&self.0, mcp::stdout());
        // Waiting in `read` itself spares every call a round through the runtime, which is left to
        // those answers that come later.
        let reading = serving.follow(Input(std::io::stdin()));
        let (send, ended) = oneshot::channel();
        let runtime = tokio::runtime::Handle::current();
        let thread = std::thread::Builder::new().name("widgetcast-stdin".into());
        thread.spawn(move || _ = send.send(runtime.block_on(reading)))?;
        let ended = async {
            let panicked = |_| Err(std::io::Error::other("the reader of standard input panicked"));
            ended.await.unwrap_or_else(panicked)
        };
        self.serve_until(serving, ended, stop).await
    }

    /// The same for any pipe, until it ends or `stop` does; running calls may finish.
    pub async fn serve_pipe(
        &self,
        read: impl AsyncRead + Send + Unpin + 'static,
        write: impl AsyncWrite + Send + Unpin + 'static,
        stop: impl Future<Output = ()>,
    ) -> std::io::Result<()> {
        let serving = Serving::new(&self.0, write);
        let reading = serving.follow(read);
        self.serve_until(serving, reading, stop).await
    }

    async fn serve_until(
        &self,
        serving: Serving,
        reading: impl Future<Output = std::io::Result<()>>,
        stop: impl Future<Output = ()>,
    ) -> std::io::Result<()> {
        self.examine_in_background();
        self.0.tell(&Event::Started { at: "stdio", tools: self.0.count() });
        // A client that does not read must not keep us from stopping.
        let read = tokio::select! {
            read = reading => read,
            () = stop => Ok(()),
        };
        let grace = std::time::Duration::from_secs(self.0.settings.shutdown_grace);
        _ = tokio::time::timeout(grace, serving.end()).await;
        self.0.tell(&Event::Stopped);
        read
    }
}

/// A pipe that is being read, perhaps by a thread that nothing can wake: so the reader does not keep
/// it, and finds it gone when this is.
struct Serving {
    pipe: Arc<tokio::sync::Mutex<Pipe>>,
    /// Ends when nobody has anything to say any more.
    silence: mpsc::Receiver<Infallible>,
    /// Bytes of the longest message.
    most: usize,
}

impl Serving {
    fn new(app: &Arc<Inner>, write: impl AsyncWrite + Send + Unpin + 'static) -> Self {
        let (speaking, silence) = mpsc::channel(1);
        let most = app.settings.max_request_bytes;
        let lines = Lines { write: Box::new(write), left: Vec::new(), at: 0 };
        let pipe = Pipe {
            app: Arc::clone(app),
            introduced: None,
            running: Running::default(),
            subscribed: Subscribed::default(),
            out: Out { lines: Arc::new(tokio::sync::Mutex::new(lines)), _speaking: speaking },
            answers: Vec::new(),
            announcing: None,
            slow: None,
            is_closed: false,
        };
        Self { pipe: Arc::new(tokio::sync::Mutex::new(pipe)), silence, most }
    }

    /// Answers line after line until there is none.
    fn follow(
        &self,
        read: impl AsyncRead + Send + Unpin + 'static,
    ) -> impl Future<Output = std::io::Result<()>> + Send + 'static {
        let (serving, most) = (Arc::downgrade(&self.pipe), self.most);
        async move {
            let mut input = BufReader::with_capacity(1 << 16, read);
            let mut line = Vec::new();
            loop {
                line.clear();
                let got = read_line(&mut input, &mut line, most).await?;
                let Some(pipe) = serving.upgrade() else { return Ok(()) };
                let mut pipe = locked(&pipe).await;
                if pipe.is_closed {
                    return Ok(());
                }
                // Several questions at once get their answers at once.
                let is_last = !input.buffer().contains(&b'\n');
                match got {
                    Line::End => return Ok(()),
                    Line::TooLong => {
                        let words = format!("The message is larger than {most} bytes");
                        let fault = Fault::new(Fault::REQUEST, words);
                        pipe.put(wire::error(None, &fault));
                    }
                    Line::Whole if line.iter().all(u8::is_ascii_whitespace) => {}
                    Line::Whole => pipe.answer(&line).await,
                }
                pipe.hand_over(is_last).await;
            }
        }
    }

    /// No more questions; what is running may still answer.
    async fn end(self) {
        let Self { pipe, mut silence, .. } = self;
        let slow = {
            let mut pipe = pipe.lock().await;
            pipe.is_closed = true;
            if let Some(announcing) = pipe.announcing.take() {
                announcing.abort();
            }
            pipe.hand_over(true).await;
            pipe.slow.take()
        };
        drop(pipe);
        if let Some(slow) = slow {
            slow.end().await;
        }
        _ = silence.recv().await;
    }
}

/// Standard input, for a thread that has nothing else to do: it waits where others would be told to
/// come back.
struct Input(std::io::Stdin);

impl AsyncRead for Input {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        loop {
            match self.0.read(buffer.initialize_unfilled()) {
                Ok(read) => {
                    buffer.advance(read);
                    return Poll::Ready(Ok(()));
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                // Whoever started us left it so.
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                    std::thread::sleep(std::time::Duration::from_millis(5));
                }
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }
}

/// Where all lines leave, whole and one after the other.
#[derive(Clone)]
struct Out {
    lines: Arc<tokio::sync::Mutex<Lines>>,
    _speaking: mpsc::Sender<Infallible>,
}

impl Out {
    /// Writes a line. Ignores that nobody reads any more: then the input ends soon, too.
    async fn send(&self, line: String) {
        let mut lines = self.lines.lock().await;
        append(&mut lines.left, ended(line));
        lines.write().await;
    }
}

/// What is to be written. Whoever writes may be dropped meanwhile, and the next one goes on where it
/// was: no line is cut short.
struct Lines {
    write: Box<dyn AsyncWrite + Send + Unpin>,
    left: Vec<u8>,
    /// How much of it is written.
    at: usize,
}

impl Lines {
    async fn write(&mut self) {
        if self.left.is_empty() {
            return;
        }
        while let Some(rest) = self.left.get(self.at..).filter(|rest| !rest.is_empty()) {
            match self.write.write(rest).await {
                Ok(written @ 1..) => self.at += written,
                _ => break,
            }
        }
        _ = self.write.flush().await;
        (self.left, self.at) = (Vec::new(), 0);
    }
}

/// Locks what is nearly always free: getting in line for it costs more than looking.
async fn locked<T>(of: &tokio::sync::Mutex<T>) -> tokio::sync::MutexGuard<'_, T> {
    match of.try_lock() {
        Ok(guard) => guard,
        Err(_) => of.lock().await,
    }
}

/// Adds lines to others.
fn append(lines: &mut Vec<u8>, more: Vec<u8>) {
    match lines.is_empty() {
        true => *lines = more,
        false => lines.extend_from_slice(&more),
    }
}

/// A line with its end.
fn ended(line: String) -> Vec<u8> {
    let mut line = line.into_bytes();
    line.push(b'\n');
    line
}

/// rmcp at the other end of a pipe of our own.
struct Slow {
    write: WriteHalf<DuplexStream>,
    serve: JoinHandle<()>,
    forward: JoinHandle<()>,
    stop: CancellationToken,
}

impl Slow {
    fn start(app: &Arc<Inner>, out: Out) -> Self {
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
    out: Out,
    /// What was answered to the line that was read last.
    answers: Vec<u8>,
    announcing: Option<JoinHandle<()>>,
    slow: Option<Slow>,
    /// Whether no more questions are answered.
    is_closed: bool,
}

impl Pipe {
    /// Answers with a line.
    fn put(&mut self, line: String) {
        append(&mut self.answers, ended(line));
    }

    /// Lets the answers leave, at once or with the next ones.
    async fn hand_over(&mut self, at_once: bool) {
        let mut lines = locked(&self.out.lines).await;
        // Not before: whoever waits for the lock may be dropped.
        append(&mut lines.left, std::mem::take(&mut self.answers));
        if at_once || lines.left.len() > TOGETHER {
            lines.write().await;
        }
    }

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
        if let Some(Message { id, method, params }) = Message::request(line)
            && let Some(answer) = self.hot_answer(method, params)
        {
            match answer {
                Answer::Now(body) => self.put(wire::answer(id, body)),
                Answer::Aside => return Some(line),
                Answer::Later(body) => {
                    let (id, out) = (id.to_owned(), self.out.clone());
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
                            out.send(wire::answer(&id, body)).await;
                        }
                    });
                }
            }
            return None;
        }
        match wire::look(line) {
            Odd::Broken(id, fault) => {
                self.put(wire::error(id, &fault));
                None
            }
            Odd::Batch(_) => {
                let fault =
                    Fault::new(Fault::REQUEST, "Invalid Request: batches are not supported");
                self.put(wire::error(None, &fault));
                None
            }
            Odd::Message => self.notice(line).then_some(line),
        }
    }

    fn hot_answer(&self, method: &str, mut params: Params<'_>) -> Option<Answer> {
        let given = params.meta.take();
        let meta = Meta::of(given.as_ref())?;
        let modern = match (meta.version, &self.introduced) {
            (Some(MODERN), _) => {
                meta.capabilities?.as_object()?;
                true
            }
            (None, Some(_)) => false,
            // Before the handshake, or an unknown revision.
            _ => return None,
        };
        let typed = |name: &str| self.app.tools.contains_key(name);
        let reports = meta.wants_progress && params.name.as_deref().is_some_and(typed);
        if reports || !dispatch::is_plain(method, modern) {
            return None;
        }
        let introduced = self.introduced.as_ref().filter(|_| !modern);
        let known = introduced.map(|known| Given::from(&known.capabilities));
        let peer = Peer {
            modern,
            client: match introduced {
                Some(known) => known.client.as_ref().map(Into::into),
                None => meta.client,
            },
            capabilities: match introduced {
                Some(_) => known.as_ref(),
                None => meta.capabilities,
            },
            meta: given.as_ref(),
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
                    capabilities: params["capabilities"].clone(),
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
async fn announce(app: Arc<Inner>, subscribed: Subscribed, out: Out) {
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
            out.send(wire::changed(&change)).await;
        }
    }
}

/// Passes rmcp's messages on.
async fn forward(read: impl AsyncRead + Unpin, out: Out) {
    let mut lines = BufReader::new(read).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        out.send(line).await;
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
        let end = memchr::memchr(b'\n', chunk);
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
