//! `call`: tools of the gallery, of a directory, of our server and of another implementation.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use super::Shell;

#[test]
fn a_tool_of_the_gallery() {
    let shell = Shell::new("call");
    shell.run(&["call", "flight_tracker"]).ends(0).prints("**Halcyon Air HA 218**");
    shell.run(&["call", "flight_tracker", "--surface", "terminal"]).ends(0).prints("╭─");
    shell.run(&["call", "flight_tracker", "--surface", "markdown"]).ends(0).prints("Halcyon Air");
    shell
        .run(&["call", "flight_tracker", "--surface", "slack-blocks"])
        .ends(0)
        .prints("\"kind\": \"slack_blocks\"");
    let json = shell.run(&["call", "flight_tracker", "--json"]).ends(0).out.clone();
    let result: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(result["isError"], false);
    shell
        .run_with(&["extract"], &json)
        .ends(0)
        .prints("chatkit widget ui://widgets/flight_tracker");

    shell.run(&["call", "flight_traker"]).ends(2).complains("did you mean flight_tracker?");
    shell
        .run(&["call", "zzz"])
        .ends(2)
        .complains("Unknown tool: zzz\navailable tools in the gallery (use --dir or --server for others): approval");
    shell
        .run_with(&["call", "poll", "--data", "-"], "{}")
        .ends(1)
        .complains("the tool failed: the data does not match the schema of poll:")
        .complains("/question: is required, but missing");
    shell.run(&["call", "poll", "--data", "{}", "--json"]).ends(1).prints("\"isError\": true");
    shell.run(&["call", "poll", "--data", "{"]).ends(2).complains("the data is not valid JSON");
    shell.run(&["call", "poll", "--dir", "nowhere"]).ends(2).complains("nowhere");
}

/// A running `widgetcast serve`, killed on drop.
struct Server(Child, String);

impl Server {
    fn start(shell: &Shell) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_widgetcast"))
            .args(["serve", ".", "--http", "127.0.0.1:0"])
            .current_dir(&shell.0)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let at = line.split(" at ").nth(1).unwrap_or_else(|| panic!("{line}"));
        Self(child, at.trim().to_owned())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_tool_of_a_server() {
    let shell = Shell::new("call-server");
    shell.run(&["new", "Launch List"]).ends(0);
    shell.run(&["call", "launch_list", "--dir", "."]).ends(0).prints("Book the room");
    let server = Server::start(&shell);
    let data = r#"{"title": "Tiny", "items": [{"text": "One"}]}"#;
    let call = |at: &str, more: &[&str]| {
        shell.run(&[&["call", "launch_list", "--server", at], more].concat())
    };
    call(&server.1, &["--data", data]).ends(0).prints("Tiny\n- One");
    call(&server.1, &["--data", data, "--surface", "terminal"]).ends(0).prints("│ Tiny");
    // The server tells the sample of a widget to its own machine.
    call(&server.1, &[]).ends(0).prints("Book the room");
    call(&server.1, &["--data", "{}"]).ends(1).complains("/title: is required, but missing");
    let bare = server.1.trim_start_matches("http://").trim_end_matches("/mcp");
    call(bare, &["--data", data]).ends(0).prints("Tiny");
    call(&format!("{bare}/elsewhere"), &[])
        .ends(2)
        .complains("responds, but not as an MCP server (404 Not Found)");
    let tls = server.1.replace("http://", "https://");
    call(&tls, &[]).ends(2).complains("cannot connect to https://");
    let at = server.1.clone();
    drop(server);
    call(&at, &[]).ends(2).complains("no server at").complains("`widgetcast serve`");
}

/// Reads one request: its head in lower case, and its body.
fn request(stream: &mut TcpStream) -> (String, String) {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head).unwrap() > 0 {}
    let head = head.to_lowercase();
    let length = head.split("content-length: ").nth(1).and_then(|rest| rest.lines().next());
    let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
    reader.read_exact(&mut body).unwrap();
    (head, String::from_utf8(body).unwrap())
}

/// Another implementation: it requires the handshake, has sessions, and responds with an event stream.
#[test]
fn a_server_with_sessions() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = listener.local_addr().unwrap().to_string();
    let serving = std::thread::spawn(move || {
        let mut seen = Vec::new();
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let (head, body) = request(&mut stream);
            let body: serde_json::Value = serde_json::from_str(&body).unwrap_or_default();
            let method = body["method"].as_str().unwrap_or("delete").to_owned();
            let known = head.contains("mcp-session-id: s7");
            let (status, more, text) = match method.as_str() {
                "initialize" => (
                    "200 OK",
                    "content-type: application/json\r\nmcp-session-id: s7\r\n",
                    r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}"#,
                ),
                "tools/call" if known => (
                    "200 OK",
                    "content-type: text/event-stream\r\n",
                    "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":\
                     [{\"type\":\"text\",\"text\":\"Hello, \\u001b[31mAda\"}]}}\n\n",
                ),
                "tools/list" if known => (
                    "200 OK",
                    "content-type: application/json\r\n",
                    r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}"#,
                ),
                _ if known => ("202 Accepted", "", ""),
                _ => ("400 Bad Request", "", "no session"),
            };
            let length = text.len();
            let head = format!("HTTP/1.1 {status}\r\n{more}content-length: {length}\r\n");
            write!(stream, "{head}connection: close\r\n\r\n{text}").unwrap();
            seen.push(method);
            if seen.len() == 5 {
                break;
            }
        }
        seen
    });
    let shell = Shell::new("call-sessions");
    let ran = shell.run(&["call", "greet", "--server", &at]);
    ran.ends(0).prints("Hello, ");
    let seen = serving.join().unwrap();
    assert_eq!(
        seen,
        ["initialize", "notifications/initialized", "tools/list", "tools/call", "delete"],
    );
}
