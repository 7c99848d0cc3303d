//! A lean HTTP client: keep-alive connections in a closed loop, on one core.
//!
//! Written by hand because the generator must cost less than the floor it measures.

use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;

use super::wire::{self, Call, Era, Expect, excerpt};
use crate::error::Result;

/// A reply that takes longer is an error.
const REPLY_TIMEOUT: Duration = Duration::from_secs(60);

/// A connection, with its session where the server gave one.
pub(crate) struct Connection {
    stream: TcpStream,
    input: Vec<u8>,
    /// The body of the last reply, when it came in chunks.
    joined: Vec<u8>,
    session: Option<String>,
}

/// Where a body lies after a reply was read.
enum Body {
    Input(usize, usize),
    Joined,
}

impl Connection {
    pub(crate) async fn open(port: u16, era: Era) -> Result<Self> {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await?;
        stream.set_nodelay(true)?;
        let mut new =
            Self { stream, input: Vec::with_capacity(1 << 16), joined: Vec::new(), session: None };
        if era == Era::Legacy {
            new.send(&wire::http(era, "initialize", None, None, &wire::initialize()), 200).await?;
            let session = new.session.clone();
            let text = wire::INITIALIZED;
            let ready =
                wire::http(era, "notifications/initialized", None, session.as_deref(), text);
            new.send(&ready, 202).await?;
        }
        Ok(new)
    }

    /// A new connection in the same session.
    async fn reconnect(&mut self, port: u16) -> Result {
        self.stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await?;
        Ok(self.stream.set_nodelay(true)?)
    }

    pub(crate) fn session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    /// Sends a request and gives the body of the reply.
    pub(crate) async fn send(&mut self, request: &[u8], status: u16) -> Result<&[u8]> {
        self.stream.write_all(request).await?;
        Ok(match self.read(status).await? {
            Body::Input(from, to) => &self.input[from..to],
            Body::Joined => &self.joined,
        })
    }

    async fn more(&mut self) -> Result {
        if self.stream.read_buf(&mut self.input).await? == 0 {
            return Err(excerpt("the server hung up after", &self.input));
        }
        Ok(())
    }

    async fn read(&mut self, status: u16) -> Result<Body> {
        self.input.clear();
        let head = loop {
            self.more().await?;
            if let Some(end) = find(&self.input, b"\r\n\r\n") {
                break end;
            }
        };
        let text = std::str::from_utf8(&self.input[..head])?;
        let (mut length, mut chunked) = (0, false);
        for line in text.split("\r\n").skip(1) {
            let (name, value) = line.split_once(':').unwrap_or((line, ""));
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse()?;
            } else if name.eq_ignore_ascii_case("transfer-encoding") {
                chunked = true;
            } else if name.eq_ignore_ascii_case("mcp-session-id") && self.session.is_none() {
                self.session = Some(value.trim().to_owned());
            }
        }
        let good = text.get(9..12).and_then(|digits| digits.parse().ok()) == Some(status);
        let from = head + 4;
        if chunked {
            self.join(from).await?;
        } else {
            while self.input.len() < from + length {
                self.more().await?;
            }
        }
        if !good {
            return Err(excerpt(&format!("not status {status}:"), &self.input));
        }
        Ok(if chunked { Body::Joined } else { Body::Input(from, from + length) })
    }

    async fn join(&mut self, mut from: usize) -> Result {
        self.joined.clear();
        loop {
            let line = loop {
                match find(&self.input[from..], b"\r\n") {
                    Some(line) => break line,
                    None => self.more().await?,
                }
            };
            let size = std::str::from_utf8(&self.input[from..from + line])?;
            let size = usize::from_str_radix(size.split(';').next().unwrap_or_default(), 16)?;
            from += line + 2;
            while self.input.len() < from + size + 2 {
                self.more().await?;
            }
            if size == 0 {
                return Ok(());
            }
            self.joined.extend_from_slice(&self.input[from..from + size]);
            from += size + 2;
        }
    }
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

/// Connections that send the same calls over and over, one at a time each.
pub(crate) struct Load {
    port: u16,
    workers: Vec<Worker>,
}

struct Worker {
    connection: Connection,
    /// Requests with what must come back, sent in turn.
    calls: Vec<(Vec<u8>, Expect)>,
    next: usize,
}

/// The calls of one run of load.
#[derive(Default)]
pub(crate) struct LoadRun {
    pub calls: u64,
    pub wall: Duration,
    /// One per call, in nanoseconds.
    pub latencies: Vec<u32>,
}

impl Load {
    /// Opens connections and learns, on each, what the replies are.
    pub(crate) fn open(
        runtime: &Runtime,
        port: u16,
        era: Era,
        calls: &[Call],
        connections: usize,
    ) -> Result<Self> {
        let tasks = (0..connections).map(|worker| Worker::open(port, era, calls.to_vec(), worker));
        Ok(Self { port, workers: all(runtime, tasks)? })
    }

    /// Whether replies are compared byte for byte.
    pub(crate) fn is_exact(&self) -> bool {
        self.workers[0].calls[0].1.is_exact()
    }

    /// The first reply of all.
    pub(crate) fn sample(&self) -> &[u8] {
        self.workers[0].calls[0].1.sample()
    }

    /// Reconnects and calls once on each connection: Node and uvicorn close idle connections after five
    /// seconds, and a server is idle for longer while the others are measured.
    pub(crate) fn wake(&mut self, runtime: &Runtime) -> Result {
        let port = self.port;
        self.workers = all(
            runtime,
            std::mem::take(&mut self.workers).into_iter().map(|worker| worker.wake(port)),
        )?;
        Ok(())
    }

    /// Loads the server for a time and so many calls at least.
    pub(crate) fn warm(&mut self, runtime: &Runtime, (time, least): (Duration, u64)) -> Result {
        let (start, mut calls) = (Instant::now(), 0);
        while start.elapsed() < time || calls < least {
            calls += self.run(runtime, time / 4)?.calls;
        }
        Ok(())
    }

    /// Loads the server for a time; every connection finishes the call it is in.
    pub(crate) fn run(&mut self, runtime: &Runtime, time: Duration) -> Result<LoadRun> {
        let start = Instant::now();
        let tasks = std::mem::take(&mut self.workers).into_iter();
        let done = all(runtime, tasks.map(|worker| worker.run(start + time)))?;
        let mut sum = LoadRun { wall: start.elapsed(), ..LoadRun::default() };
        for (worker, latencies) in done {
            self.workers.push(worker);
            sum.calls += latencies.len() as u64;
            sum.latencies.extend(latencies);
        }
        Ok(sum)
    }
}

/// Runs tasks side by side on this thread.
fn all<T: Send + 'static>(
    runtime: &Runtime,
    tasks: impl Iterator<Item = impl Future<Output = Result<T>> + Send + 'static>,
) -> Result<Vec<T>> {
    runtime.block_on(async {
        let tasks: Vec<_> = tasks.map(tokio::spawn).collect();
        let mut done = Vec::new();
        for task in tasks {
            done.push(tokio::time::timeout(REPLY_TIMEOUT, task).await???);
        }
        Ok(done)
    })
}

impl Worker {
    async fn open(port: u16, era: Era, calls: Vec<Call>, worker: usize) -> Result<Self> {
        let mut connection = Connection::open(port, era).await?;
        let mut made = Vec::new();
        for call in &calls {
            let request = call.http(era, connection.session());
            let first = connection.send(&request, 200).await?.to_vec();
            let second = connection.send(&request, 200).await?;
            made.push((request, Expect::new(call, &first, second)?));
        }
        Ok(Self { connection, next: worker % made.len(), calls: made })
    }

    async fn wake(mut self, port: u16) -> Result<Self> {
        self.connection.reconnect(port).await?;
        self.call().await?;
        Ok(self)
    }

    async fn run(mut self, end: Instant) -> Result<(Self, Vec<u32>)> {
        let mut latencies = Vec::with_capacity(4096);
        while Instant::now() < end {
            latencies.push(self.call().await?.as_nanos().min(u32::MAX.into()) as u32);
        }
        Ok((self, latencies))
    }

    /// One call; its time is taken before the reply is checked.
    async fn call(&mut self) -> Result<Duration> {
        let (request, expect) = &mut self.calls[self.next];
        let start = Instant::now();
        let body = self.connection.send(request, 200).await?;
        let time = start.elapsed();
        expect.check(body)?;
        self.next = (self.next + 1) % self.calls.len();
        Ok(time)
    }
}
