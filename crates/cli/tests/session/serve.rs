//! `widgetcast serve`: how it stops, and what it logs.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;

use super::Shell;

/// The server, and where it listens.
fn start() -> (Child, SocketAddr) {
    start_with(&[])
}

/// The same with these arguments.
pub(super) fn start_with(more: &[&str]) -> (Child, SocketAddr) {
    // Under `nohup` the tests ignore SIGHUP, and what they start would too.
    let mut child = Command::new("env")
        .args(["--default-signal=HUP,INT", env!("CARGO_BIN_EXE_widgetcast")])
        .args(["serve", "--http", "127.0.0.1:0"])
        .args(more)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let address = lines
        .find_map(|line| {
            let line = line.unwrap();
            let (_, rest) = line.split_once("http://")?;
            Some(rest.split_once('/')?.0.parse().unwrap())
        })
        .unwrap();
    // Nothing may wait for someone to read what is logged.
    std::thread::spawn(move || lines.for_each(drop));
    (child, address)
}

#[test]
fn a_server_that_is_ready_is_healthy() {
    let shell = Shell::new("health");
    let widgets = shell.file("widgets");
    std::fs::create_dir(&widgets).unwrap();
    let (mut child, address) = start_with(&[widgets.to_str().unwrap(), "--name", "shop"]);
    let url = format!("http://{address}");
    shell.run(&["health", &url]).ends(2).complains("no widgets");
    child.kill().unwrap();
    child.wait().unwrap();
    shell.run(&["health", &url]).ends(2).complains("/readyz: Connection refused");
    let (mut child, address) = start();
    shell.run(&["health", &format!("http://{address}/")]).ends(0).prints("ready");
    child.kill().unwrap();
    child.wait().unwrap();
}

fn ping() -> String {
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    format!(
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Asks again and again over one connection, until it ends. Whether a request was lost.
fn ask_until_closed(address: SocketAddr, answered: &AtomicUsize) -> bool {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut buffer = [0; 4096];
    loop {
        if stream.write_all(ping().as_bytes()).is_err() {
            return true;
        }
        // It is short, so it comes in one piece.
        match stream.read(&mut buffer) {
            Ok(read @ 1..) => {
                let text = String::from_utf8_lossy(&buffer[..read]);
                assert!(text.starts_with("HTTP/1.1 200 OK"), "{text}");
                answered.fetch_add(1, Ordering::Relaxed);
                if text.contains("connection: close") {
                    return false;
                }
            }
            _ => return true,
        }
    }
}

#[cfg(unix)]
#[test]
fn every_signal_lets_requests_finish() {
    for signal in ["-TERM", "-HUP", "-INT"] {
        let (mut child, address) = start();
        let answered = Arc::new(AtomicUsize::new(0));
        let clients: Vec<_> = (0..64)
            .map(|_| {
                let answered = Arc::clone(&answered);
                std::thread::spawn(move || ask_until_closed(address, &answered))
            })
            .collect();
        while answered.load(Ordering::Relaxed) < 640 {
            std::thread::yield_now();
        }
        let pid = child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
        let lost = clients.into_iter().map(|client| client.join().unwrap()).filter(|lost| *lost);
        assert_eq!(lost.count(), 0, "{signal}");
        assert_eq!(child.wait().unwrap().code(), Some(0), "{signal}");
    }
}

/// Whoever can call a tool can make it fail, again and again and with long words.
#[test]
fn failures_do_not_flood_the_log() {
    let shell = Shell::new("flood");
    let mut input = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": { "name": "tests", "version": "1" } } })
    .to_string();
    let wrong = "x".repeat(2000);
    for id in 1..=500 {
        let call = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {
            "name": "flight_tracker", "arguments": { &wrong: id } } });
        input.push('\n');
        input.push_str(&call.to_string());
    }
    input.push('\n');
    std::fs::write(shell.file("input"), input).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_widgetcast"))
        .args(["serve", "--stdio"])
        .stdin(std::fs::File::open(shell.file("input")).unwrap())
        .output()
        .unwrap();
    let log = String::from_utf8(output.stderr).unwrap();
    assert!(log.contains("failed: 490 more failures not logged"), "{log}");
    let failed: Vec<&str> = log.lines().filter(|line| line.contains("failed:")).collect();
    assert_eq!(failed.len(), 11, "{failed:#?}");
    assert!(failed.iter().all(|line| line.len() < 700), "{failed:#?}");
}

#[test]
fn a_port_in_use_has_a_hint() {
    let shell = Shell::new("in-use");
    // One of ours.
    let (mut child, address) = start();
    let port = address.port().to_string();
    let ran = shell.run(&["serve", "--port", &port]);
    // First, so that a failed test leaves nothing behind.
    child.kill().unwrap();
    child.wait().unwrap();
    ran.ends(2)
        .complains(&format!("cannot listen on {address}: Widgetcast "))
        .complains(&format!("is already running at http://{address}/"))
        .complains("; `--port ");
    // Another program, which never answers.
    let other = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = other.local_addr().unwrap();
    let ran = shell.run(&["serve", "--http", &address.to_string()]);
    ran.ends(2).complains(&format!(
        "cannot listen on {address}: the address is in use by another program; `--port "
    ));
}

#[cfg(unix)]
#[test]
fn the_page_is_opened_in_a_browser() {
    use std::os::unix::fs::PermissionsExt as _;

    let shell = Shell::new("open");
    let browser = shell.file("browser");
    std::fs::write(&browser, "#!/bin/sh\nprintf %s \"$1\" > opened.new\nmv opened.new opened\n")
        .unwrap();
    std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o700)).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_widgetcast"))
        .args(["serve", "--port", "0", "--open"])
        .current_dir(&shell.0)
        .env("BROWSER", &browser)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let page = lines.find_map(|line| Some(line.split_once("in a browser: ")?.1.to_owned()));
    let deadline = std::time::Instant::now() + Duration::from_secs(60);
    while !shell.file("opened").exists() && std::time::Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(std::fs::read_to_string(shell.file("opened")).ok(), page);
    assert!(page.is_some());
    for flag in ["--open", "--port=1"] {
        shell.run(&["serve", "--stdio", flag]).ends(2).complains("cannot be used with");
    }
}

/// A server of another name, as others may have written it down.
#[test]
fn a_server_calls_itself_as_it_is_told() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_widgetcast"))
        .args(["serve", "--stdio", "--display", "--only"])
        .args(["--name", "chatui", "--server-version", "1.0.0"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": { "name": "t", "version": "1" },
    }});
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{hello}").unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let info = json!({ "name": "chatui", "version": "1.0.0", "title": "chatui" });
    assert_eq!(answer["result"]["serverInfo"], info);
}

/// A key that was made is known by its hash, and each widget has its rules.
#[test]
fn keys_of_the_file_let_callers_in() {
    let shell = Shell::new("keys");
    let ran = shell.run(&["key", "ada", "--scope", "flights,weather"]);
    let made = ran.ends(0).out.clone();
    assert!(!made.contains("wck_"), "the key itself is not for the file: {made}");
    let key = ran.err.split_whitespace().find(|word| word.starts_with("wck_")).unwrap();
    assert!(made.ends_with("scopes = [\"flights\", \"weather\"]\n"), "{made}");
    let rules = "[access.poll]\npublic = true\n[access.flight_tracker]\nscopes = [\"flights\"]\n\
                 [access.quiz]\nscopes = [\"quiz\"]\n";
    std::fs::write(shell.file("auth.toml"), format!("{made}{rules}")).unwrap();
    let config = shell.file("auth.toml");
    let (mut child, address) = start_with(&["--config", config.to_str().unwrap()]);
    let server = format!("http://{address}/mcp");
    let data = |widget: &str| {
        let path = format!("{}/widgets/{widget}.widget", env!("CARGO_MANIFEST_DIR"));
        let file: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        file["sample"].to_string()
    };
    let call = |widget: &str, more: &[&str]| {
        let data = data(widget);
        let args = ["call", widget, "--server", &server, "--data", &data];
        shell.run(&[args.as_slice(), more].concat())
    };
    call("poll", &[]).ends(0);
    call("flight_tracker", &[]).ends(2).complains("authentication required");
    call("flight_tracker", &["--bearer", key]).ends(0).prints("Halcyon Air");
    call("quiz", &["--bearer", key]).ends(2).complains("missing scope quiz");
    call("poll", &["--bearer", "wck_wrong"]).ends(2).complains("unknown key");
    call("poll", &["--bearer", "a\nb"]).ends(2).complains("a token must be a single line");
    child.kill().unwrap();
    child.wait().unwrap();

    let wrong = "[auth]\nissuer = \"http://login.example.com\"\n";
    std::fs::write(shell.file("wrong.toml"), wrong).unwrap();
    shell
        .run(&["serve", "--http", "127.0.0.1:0", "--config", "wrong.toml"])
        .ends(2)
        .complains("issuer \"http://login.example.com\" must look like https://login.example.com")
        .complains("OAuth requires an audience");
    let flags = ["--auth-issuer", "https://a.example", "--auth-audience", "api://a"];
    let args = [&["serve", "--http", "127.0.0.1:0"], flags.as_slice()].concat();
    shell.run(&args).ends(2).complains("OAuth requires the URL of the app");
}
