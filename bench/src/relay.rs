//! `relay`: what `widgetcast wrap` costs in front of a server. The same server stands alone, behind a relay that
//! copies bytes, and behind `wrap`, and the same call goes to each in turns; CPU time and latency are compared.
//! Then many clients open sessions of `wrap --http`, and its memory is read. `relay-server` is the server, and
//! `relay-bytes` the relay.

use std::io::{BufRead as _, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::compare::process::{free_port, ticks};
use crate::error::Result;
use crate::target::PATIENCE;

/// What a call through `wrap` may cost, server included, in calls through the relay of bytes.
const GOAL: f64 = 1.3;
/// How much later the median answer may come.
const GOAL_ADDED: Duration = Duration::from_millis(1);
/// What a client may hold in memory, in KB.
const GOAL_PER_CLIENT: f64 = 256.0;
/// The CPU time that the relay of bytes is to use: much more than the precision of the measure.
const ENOUGH: Duration = Duration::from_secs(1);
/// Calls between two looks at the time.
const BLOCK: usize = 100;

const HANDSHAKE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;

/// The server: answers each line with a result that was made before.
pub(crate) fn serve() -> Result {
    let schema = json!({ "type": "object" });
    let tool = |name: &str| json!({ "name": name, "inputSchema": schema });
    let rows: Vec<Value> = (0..20)
        .map(|row| json!({ "city": format!("City {row}"), "people": 1000 * row, "since": "1291-08-01" }))
        .collect();
    let text = json!({ "content": [{ "type": "text", "text": "done" }] });
    let rows = json!({ "content": [{ "type": "text", "text": "20 rows" }], "structuredContent": { "rows": rows } });
    let results = [
        (
            "\"initialize\"",
            json!({ "protocolVersion": "2025-11-25", "capabilities": { "tools": {} },
            "serverInfo": { "name": "relay-server", "version": "1" } }),
        ),
        ("\"tools/list\"", json!({ "tools": [tool("text"), tool("rows")] })),
        ("\"text\"", text),
        ("\"rows\"", rows),
    ];
    let results = results.map(|(mark, result)| (mark, result.to_string()));
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let Some((_, rest)) = line.split_once("\"id\":") else { continue };
        let id = rest.split([',', '}']).next().unwrap_or("null");
        let result = results.iter().find(|(mark, _)| line.contains(mark));
        let result = result.map_or("{}", |(_, result)| result);
        output.write_all(
            format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}\n").as_bytes(),
        )?;
        output.flush()?;
    }
    Ok(())
}

/// The relay of bytes, in front of the server.
pub(crate) fn copy() -> Result {
    let mut server = Command::new(std::env::current_exe()?)
        .arg("relay-server")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let (to, from) = (server.stdin.take(), server.stdout.take());
    let (to, from) = (to.ok_or("no standard input")?, from.ok_or("no standard output")?);
    std::thread::spawn(move || pass(std::io::stdin(), to));
    pass(from, std::io::stdout())?;
    server.wait()?;
    Ok(())
}

/// Copies by reading and writing: the kernel is not asked to do it alone, as for files.
fn pass(mut from: impl Read, mut to: impl Write) -> std::io::Result<()> {
    let mut buffer = vec![0; 64 << 10];
    loop {
        match from.read(&mut buffer)? {
            0 => return Ok(()),
            read => to.write_all(&buffer[..read])?,
        }
        to.flush()?;
    }
}

/// A program at the other end of two pipes, and the server behind it.
struct Pipe {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    answer: String,
}

impl Pipe {
    fn start(mut command: Command) -> Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let (to, from) = (child.stdin.take(), child.stdout.take());
        let (to, from) = (to.ok_or("no standard input")?, from.ok_or("no standard output")?);
        let mut pipe = Self { child, to, from: BufReader::new(from), answer: String::new() };
        pipe.ask(HANDSHAKE)?;
        pipe.say(INITIALIZED)?;
        pipe.ask(LIST)?;
        Ok(pipe)
    }

    fn say(&mut self, line: &str) -> Result {
        self.to.write_all(format!("{line}\n").as_bytes())?;
        Ok(self.to.flush()?)
    }

    fn ask(&mut self, line: &str) -> Result<Duration> {
        let began = Instant::now();
        self.say(line)?;
        self.answer.clear();
        self.from.read_line(&mut self.answer)?;
        match self.answer.contains("\"result\":") {
            true => Ok(began.elapsed()),
            false => Err(format!("no result: {:.300}", self.answer).into()),
        }
    }

    /// The CPU time so far: of the program itself, and with the server that it has started.
    fn cpu(&self) -> [Duration; 2] {
        let own = self.child.id();
        let threads =
            std::fs::read_dir(format!("/proc/{own}/task")).into_iter().flatten().flatten();
        let children = threads
            .filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
        let children: Vec<u32> = children
            .flat_map(|ids| ids.split(' ').filter_map(|id| id.parse().ok()).collect::<Vec<_>>())
            .collect();
        let own = ticks(own);
        [own, own + children.into_iter().map(ticks).sum::<Duration>()]
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// The program that is shipped, next to this one.
fn widgetcast() -> Result<PathBuf> {
    let program = std::env::current_exe()?.with_file_name("widgetcast");
    match program.exists() {
        true => Ok(program),
        false => {
            Err(format!("{} is missing: build widgetcast-cli first", program.display()).into())
        }
    }
}

fn wrapped(args: &[&str]) -> Result<Command> {
    let mut command = Command::new(widgetcast()?);
    command.arg("wrap").args(args).arg("--").arg(std::env::current_exe()?).arg("relay-server");
    Ok(command)
}

pub(crate) fn run(clients: usize) -> Result {
    let mut failed = Vec::new();
    for (tool, what) in [("text", "a line of text"), ("rows", "20 rows, with a view")] {
        failed.extend(calls(tool, what)?);
    }
    failed.extend(sessions(clients)?);
    match failed.is_empty() {
        true => Ok(()),
        false => Err(format!("missed: {}", failed.join(", ")).into()),
    }
}

/// Calls a tool in turns.
fn calls(tool: &str, what: &str) -> Result<Vec<String>> {
    let itself = std::env::current_exe()?;
    let bench = |verb: &str| {
        let mut command = Command::new(&itself);
        command.arg(verb);
        command
    };
    let ways = [bench("relay-server"), bench("relay-bytes"), wrapped(&[])?];
    let mut pipes = ways.into_iter().map(Pipe::start).collect::<Result<Vec<_>>>()?;
    let call = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": { "name": tool, "arguments": {} } });
    let call = call.to_string();
    for _ in 0..BLOCK {
        pipes.iter_mut().try_for_each(|pipe| pipe.ask(&call).map(drop))?;
    }
    let before: Vec<_> = pipes.iter().map(Pipe::cpu).collect();
    let mut times = vec![Vec::new(); pipes.len()];
    let spent = |pipes: &[Pipe], at: usize, which: usize| {
        pipes[at].cpu()[which].saturating_sub(before[at][which])
    };
    // Call by call in turns, so that whatever else the machine does meets all.
    while spent(&pipes, 1, 0) < ENOUGH {
        for _ in 0..BLOCK {
            for (pipe, times) in pipes.iter_mut().zip(&mut times) {
                times.push(pipe.ask(&call)?);
            }
        }
    }
    let count = times[0].len();
    let cost = |at, which| spent(&pipes, at, which).as_secs_f64() * 1e6 / count as f64;
    let median = |times: &Vec<Duration>| {
        let mut times = times.clone();
        times.sort_unstable();
        times[times.len() / 2]
    };
    let medians: Vec<Duration> = times.iter().map(median).collect();
    let (alone, total) = (cost(2, 0) / cost(1, 0), cost(2, 1) / cost(1, 1));
    println!("{what}: {count} calls");
    println!("  the relay of bytes {:.1} µs, {:.1} µs with its server", cost(1, 0), cost(1, 1));
    println!("  wrap {:.1} µs, {:.1} µs with its server", cost(2, 0), cost(2, 1));
    println!("  ratio {total:.2} with the server (goal: at most {GOAL}), {alone:.2} without");
    println!(
        "  median {:.0?} direct, {:.0?} by bytes, {:.0?} by wrap",
        medians[0], medians[1], medians[2]
    );
    let mut failed = Vec::new();
    if total > GOAL {
        failed.push(format!("CPU of {what}"));
    }
    if medians[2].saturating_sub(medians[0]) > GOAL_ADDED {
        failed.push(format!("latency of {what}"));
    }
    Ok(failed)
}

/// Opens sessions over HTTP, each with a server of its own, and calls a tool in each.
fn sessions(clients: usize) -> Result<Vec<String>> {
    let address = format!("127.0.0.1:{}", free_port()?);
    let most = (clients + 1).to_string();
    let child =
        wrapped(&["--http", &address, "--max-sessions", &most])?.stderr(Stdio::null()).spawn()?;
    let server = Running(child);
    let began = Instant::now();
    while TcpStream::connect(&address).is_err() {
        if began.elapsed() > PATIENCE {
            return Err("wrap does not listen".into());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let call =
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"rows","arguments":{}}}"#;
    let open = || -> Result<String> {
        let head = post(&address, "", HANDSHAKE)?;
        let session = head.lines().find_map(|line| line.strip_prefix("mcp-session-id: "));
        let session = format!("mcp-session-id: {}\r\n", session.ok_or("no session")?);
        for message in [INITIALIZED, LIST, call] {
            post(&address, &session, message)?;
        }
        Ok(session)
    };
    let first = open()?;
    let before = server.memory();
    for _ in 0..clients {
        open()?;
    }
    let after = server.memory();
    if !post(&address, &first, call)?.contains("\"result\":") {
        return Err("the first session has ended".into());
    }
    let each = (after - before) / clients as f64;
    println!(
        "{clients} clients: {:.1} MB, {each:.0} KB each (goal: at most {GOAL_PER_CLIENT})",
        after / 1024.0
    );
    Ok((each > GOAL_PER_CLIENT).then(|| "memory".to_owned()).into_iter().collect())
}

struct Running(Child);

impl Running {
    /// Resident memory in KB, without that of the servers.
    fn memory(&self) -> f64 {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", self.0.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
        line.trim().trim_end_matches(" kB").parse().unwrap_or_default()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // By a signal, so that it ends its servers.
        _ = Command::new("kill").args(["-TERM", &self.0.id().to_string()]).status();
        _ = self.0.wait();
    }
}

/// The whole answer to a message, head and body.
fn post(address: &str, headers: &str, body: &str) -> Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let head = format!(
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
         accept: application/json\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(&[head.as_bytes(), body.as_bytes()].concat())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    match answer.starts_with("HTTP/1.1 20") {
        true => Ok(answer),
        false => Err(format!("{answer:.300}").into()),
    }
}
