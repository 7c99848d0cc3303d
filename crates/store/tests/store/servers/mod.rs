//! Databases for the tests, started by them: in directories of their own, at free ports. They end with
//! the process that started them, however that ends.

mod cable;

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

#[allow(unused_imports, reason = "not every binary of tests cuts one off")]
pub(crate) use cable::Cable;

/// A server that was started.
pub(crate) struct Server {
    pub port: u16,
    dir: tempfile::TempDir,
    script: &'static str,
    program: PathBuf,
    /// The script, which ends when this process does.
    running: std::sync::Mutex<Option<Child>>,
}

/// A port that no one has.
pub(crate) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

impl Server {
    fn start(script: &'static str, program: PathBuf) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let running = std::sync::Mutex::new(None);
        let server = Self { port: free_port(), dir, script, program, running };
        server.run();
        server
    }

    /// Starts it, where it has been stopped or not been started.
    #[expect(clippy::zombie_processes, reason = "it runs until this process ends")]
    pub(crate) fn run(&self) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../store/tests/store/servers");
        let mut child = Command::new("sh")
            .arg(script.join(self.script))
            .arg(self.dir.path())
            .arg(self.port.to_string())
            .arg(&self.program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let log = || std::fs::read_to_string(self.dir.path().join("log")).unwrap_or_default();
        assert_eq!(line.trim(), "started", "{}: {}", self.script, log());
        for _ in 0..1200 {
            if TcpStream::connect(("127.0.0.1", self.port)).is_ok() {
                *self.running.lock().unwrap() = Some(child);
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("{} does not answer: {}", self.script, log());
    }

    #[allow(dead_code, reason = "not every binary of tests stops a server")]
    /// Stops it at once; what it has written stays.
    pub(crate) fn stop(&self) {
        let mut child = self.running.lock().unwrap().take().unwrap();
        drop(child.stdin.take());
        child.wait().unwrap();
    }
}

/// Says why tests are left out, past what the test harness catches. With `CI=true` they fail.
fn missing(what: &str) {
    let words = format!("NOT TESTED: {what} is not installed; apt-get install {what}\n");
    assert!(std::env::var("CI").as_deref() != Ok("true"), "{words}");
    std::io::stderr().write_all(words.as_bytes()).unwrap();
}

fn in_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(program)).find(|path| path.is_file())
}

/// A server of one's own.
pub(crate) fn new_postgres() -> Option<Server> {
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut dirs = debian.map(|version| version.path().join("bin"));
    let debian = dirs.find(|bin| bin.join("postgres").is_file());
    let found = debian.or_else(|| Some(in_path("postgres")?.parent()?.to_owned()));
    if found.is_none() {
        missing("postgresql");
    }
    Some(Server::start("postgres.sh", found?))
}

pub(crate) fn postgres() -> Option<&'static Server> {
    static SERVER: OnceLock<Option<Server>> = OnceLock::new();
    SERVER.get_or_init(new_postgres).as_ref()
}

/// A program that the tests run, of this package.
#[allow(dead_code, reason = "not every binary of tests runs every program")]
pub(crate) fn program(name: &str, package: &str) -> Option<PathBuf> {
    let found = in_path(name)
        .or_else(|| Some(Path::new("/usr/sbin").join(name)).filter(|path| path.is_file()));
    if found.is_none() {
        missing(package);
    }
    found
}

#[allow(dead_code, reason = "not every binary of tests uses every server")]
pub(crate) fn new_redis() -> Option<Server> {
    let found = in_path("redis-server").or_else(|| in_path("valkey-server"));
    if found.is_none() {
        missing("redis-server");
    }
    Some(Server::start("redis.sh", found?))
}

#[allow(dead_code, reason = "not every binary of tests uses every server")]
pub(crate) fn redis() -> Option<&'static Server> {
    static SERVER: OnceLock<Option<Server>> = OnceLock::new();
    SERVER.get_or_init(new_redis).as_ref()
}
