//! The program under test: its process, its memory, and raw requests to it.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::error::Error;

/// How long a client waits for anything.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// A running server and its directory of widgets.
pub(crate) struct Target {
    process: Child,
    pub at: SocketAddr,
    pub dir: PathBuf,
    pub log: PathBuf,
}

impl Target {
    /// Starts a program over a directory, by one of its commands that serve, with its default settings.
    pub(crate) fn start(
        program: &Path,
        command: &str,
        place: &Path,
        options: &[&str],
    ) -> Result<Self, Error> {
        let dir = place.join("widgets");
        let dir = dir.to_string_lossy();
        let all = [&[command, &dir, "--watch"], options].concat();
        Self::run(program, place, &all)
    }

    /// Starts a program with these arguments.
    pub(crate) fn run(program: &Path, place: &Path, args: &[&str]) -> Result<Self, Error> {
        let port = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let at = SocketAddr::from(([127, 0, 0, 1], port));
        let (dir, log) = (place.join("widgets"), place.join("log"));
        let process = Command::new(program)
            .current_dir(place)
            .args(args)
            .args(["--http", &at.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(fs::File::create(&log)?)
            .spawn()?;
        let target = Self { process, at, dir, log };
        let began = Instant::now();
        while TcpStream::connect(at).is_err() {
            if began.elapsed() > PATIENCE {
                return Err(format!("{} does not listen", program.display()).into());
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(target)
    }

    pub(crate) fn is_alive(&mut self) -> bool {
        matches!(self.process.try_wait(), Ok(None))
    }

    /// Asks the process to stop, as an operator would.
    pub(crate) fn terminate(&self) -> std::io::Result<()> {
        Command::new("kill").args(["-TERM", &self.pid().to_string()]).status().map(drop)
    }

    /// The exit code of a process that ends by itself.
    pub(crate) fn wait(&mut self) -> std::io::Result<Option<i32>> {
        Ok(self.process.wait()?.code())
    }

    pub(crate) fn pid(&self) -> u32 {
        self.process.id()
    }

    /// Resident memory now, and the most since [`Self::forget_peak`], in bytes.
    pub(crate) fn memory(&self) -> (usize, usize) {
        let status = fs::read_to_string(format!("/proc/{}/status", self.pid())).unwrap_or_default();
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
            kilobytes.map_or(0, |kilobytes: usize| kilobytes * 1024)
        };
        (field("VmRSS:"), field("VmHWM:"))
    }

    pub(crate) fn forget_peak(&self) {
        _ = fs::write(format!("/proc/{}/clear_refs", self.pid()), "5");
    }

    /// Open descriptors.
    pub(crate) fn descriptors(&self) -> usize {
        fs::read_dir(format!("/proc/{}/fd", self.pid())).map_or(0, Iterator::count)
    }

    pub(crate) fn connect(&self) -> std::io::Result<TcpStream> {
        let stream = TcpStream::connect_timeout(&self.at, PATIENCE)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    /// Sends a body to a path and reads the whole answer: status and text.
    pub(crate) fn post(&self, path: &str, body: &[u8]) -> std::io::Result<(u16, String)> {
        let mut stream = self.connect()?;
        // What was not read is an answer, too: the server may refuse before it has read all.
        let sent = stream.write_all(&head(path, body.len(), "close")).and(stream.write_all(body));
        let answer = read_answer(&mut stream);
        if answer.is_err() {
            sent?;
        }
        answer
    }

    /// Calls a tool by a connection of its own.
    pub(crate) fn call(&self, tool: &str, arguments: &Value) -> std::io::Result<(u16, String)> {
        self.post("/mcp", call(tool, arguments).as_bytes())
    }

    /// Sends bytes and closes without reading.
    pub(crate) fn send_and_leave(&self, bytes: &[u8]) {
        if let Ok(mut stream) = self.connect() {
            _ = stream.write_all(bytes);
            _ = stream.shutdown(Shutdown::Both);
        }
    }

    pub(crate) fn get(&self, path: &str) -> std::io::Result<(u16, String)> {
        let mut stream = self.connect()?;
        let head = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
        stream.write_all(head.as_bytes())?;
        read_answer(&mut stream)
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        _ = self.process.kill();
        _ = self.process.wait();
    }
}

/// The head of a POST.
pub(crate) fn head(path: &str, length: usize, connection: &str) -> Vec<u8> {
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
         accept: application/json, text/event-stream\r\ncontent-length: {length}\r\n\
         connection: {connection}\r\n\r\n"
    )
    .into_bytes()
}

/// A whole request.
pub(crate) fn whole(path: &str, body: &str) -> Vec<u8> {
    let mut bytes = head(path, body.len(), "keep-alive");
    bytes.extend_from_slice(body.as_bytes());
    bytes
}

/// The message that calls a tool.
pub(crate) fn call(tool: &str, arguments: &Value) -> String {
    let params = json!({ "name": tool, "arguments": arguments });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string()
}

/// Reads until the server closes.
pub(crate) fn read_answer(stream: &mut TcpStream) -> std::io::Result<(u16, String)> {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let status = text.split(' ').nth(1).and_then(|status| status.parse().ok());
    let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body).to_owned();
    let none = || std::io::Error::new(std::io::ErrorKind::UnexpectedEof, "no answer");
    Ok((status.ok_or_else(none)?, body))
}

/// An answer that came over a connection which may stay open.
pub(crate) struct Answer {
    pub status: u16,
    /// Whether the server closes the connection after it.
    pub is_last: bool,
    pub body: String,
}

/// Reads one answer with a length.
pub(crate) fn read_one(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> std::io::Result<Answer> {
    let end = |bytes: &[u8]| bytes.windows(4).position(|four| four == b"\r\n\r\n");
    let mut chunk = [0; 16 << 10];
    loop {
        if let Some(at) = end(buffer) {
            let head = String::from_utf8_lossy(&buffer[..at]).to_ascii_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.and_then(|length| length.parse().ok()).unwrap_or(0);
            if buffer.len() >= at + 4 + length {
                let body = String::from_utf8_lossy(&buffer[at + 4..at + 4 + length]).into_owned();
                buffer.drain(..at + 4 + length);
                let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
                let is_last = head.lines().any(|line| line == "connection: close");
                return Ok(Answer { status: status.unwrap_or(0), is_last, body });
            }
        }
        match stream.read(&mut chunk) {
            Ok(0) => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => buffer.extend_from_slice(&chunk[..read]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
