//! Tools of `widgetcast.toml`: written by `new`, served, called and reloaded.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::Shell;

#[test]
fn a_new_tool_works_at_once() {
    let shell = Shell::new("new-tool");
    let new = |kind: &str, name: &str| shell.run(&["new", "--tool", kind, name, "--dir", "shop"]);
    new("python", "Order Total").ends(0).prints("python3 shop/tools/test_order_total.py");
    let mut test = Command::new("python3");
    let test = test.arg("shop/tools/test_order_total.py").current_dir(&shell.0).output().unwrap();
    assert!(test.status.success(), "{test:?}");
    let call = |tool: &str, data: &str| shell.run(&["call", tool, "--dir", "shop", "--data", data]);
    call("order_total", r#"{"amount": 50}"#).ends(0).prints("54.05").prints("Total with tax");
    // The sample of its widget is not taken for arguments.
    shell
        .run(&["call", "order_total", "--dir", "shop"])
        .ends(1)
        .complains("/amount: is required, but missing");

    new("node", "Node Total").ends(0).prints("node --test shop/tools/node_total.test.mjs");
    call("node_total", "{}").ends(1).complains("/amount: is required, but missing");
    new("http", "Stars").ends(0).prints("widgetcast call stars --dir shop");
    call("stars", "{}").ends(1).complains("/owner: is required, but missing");
    call("order_total", r#"{"amount": 100}"#).ends(0).prints("108.1");
    shell.run(&["check", "shop"]).ends(0);
    let served = shell.run(&["serve", "--stdio", "shop"]);
    assert!(!served.ends(0).err.contains("WARN"), "{}", served.err);

    new("python", "Order Total").ends(2).complains("already exists");
    std::fs::write(shell.file("shop/widgetcast.toml"), "tools = {}\n").unwrap();
    new("http", "Rain").ends(2).complains("cannot add [tools.rain] to shop/widgetcast.toml");
    assert!(!shell.file("shop/rain.widget").exists(), "nothing is written by half");
}

#[test]
fn the_starter_for_node_answers() {
    let shell = Shell::new("new-tool-node");
    let new = ["new", "--tool", "node", "Node Total", "--dir", "shop"];
    shell.run(&new).ends(0).prints("node --test shop/tools/node_total.test.mjs");
    let mut test = Command::new("node");
    let test = test.args(["--test", "shop/tools/node_total.test.mjs"]).current_dir(&shell.0);
    let test = test.output().unwrap();
    assert!(test.status.success(), "{test:?}");
    let call = ["call", "node_total", "--dir", "shop", "--data", r#"{"amount": 50}"#];
    shell.run(&call).ends(0).prints("54.05").prints("Total with tax");
    shell.run(&["check", "shop", "--strict"]).ends(0);
    // A script that is a link runs, too.
    std::fs::rename(shell.file("shop/tools/node_total.mjs"), shell.file("real.mjs")).unwrap();
    let link = shell.file("shop/tools/node_total.mjs");
    std::os::unix::fs::symlink(shell.file("real.mjs"), link).unwrap();
    shell.run(&call).ends(0).prints("54.05");
}

#[test]
fn the_starter_for_http_answers() {
    let shell = Shell::new("new-tool-http");
    let new = ["new", "--tool", "http", "Stars", "--dir", "shop"];
    shell.run(&new).ends(0).prints("widgetcast call stars --dir shop");
    // In the place of GitHub, which answers no one who does not say who asks.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    shell.edit("shop/widgetcast.toml", "https://api.github.com", &origin);
    let asked = std::thread::spawn(move || {
        let (mut socket, _) = listener.accept().unwrap();
        let lines = BufReader::new(socket.try_clone().unwrap()).lines().map(Result::unwrap);
        let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
        let body = r#"{"full_name":"rust-lang/rust","stargazers_count":107000,"private":false}"#;
        let length = body.len();
        write!(
            socket,
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        head
    });
    let data = r#"{"owner": "rust-lang", "name": "rust"}"#;
    let ran = shell.run(&["call", "stars", "--dir", "shop", "--data", data]);
    ran.ends(0).prints("Stars of rust-lang/rust").prints("107000");
    let head = asked.join().unwrap();
    assert_eq!(head[0], "GET /repos/rust-lang/rust HTTP/1.1");
    assert!(head.iter().any(|line| line.starts_with("user-agent: widgetcast/")), "{head:?}");
    shell.run(&["check", "shop", "--strict"]).ends(0);
}

#[test]
fn a_mistake_in_the_file_of_the_directory_is_named() {
    let shell = Shell::new("tool-mistake");
    for (text, message) in [
        ("[tools.a]\nrn = [\"true\"]\n", "unknown field `rn`"),
        ("[tools.a]\nrn = [\"true\"]\n", "help: did you mean run?"),
        ("[tools.a]\nrun = \"true\"\n", "help: write a list of strings"),
        ("[tool.a]\nrun = [\"true\"]\n", "help: did you mean tools?"),
        ("[tools.a]\ntimeout = \"1s\"\n", "[tools.a]: give `run`"),
        ("[tools.a]\nrun = [\"true\"]\nwidget = \"nowhere\"\n", "nowhere"),
        ("port = 1\n", "unknown field `port`"),
    ] {
        std::fs::write(shell.file("widgetcast.toml"), text).unwrap();
        shell.run(&["serve", "--stdio", "."]).ends(2).complains(message);
    }
}

/// A mistake changes nothing. Each announced change is followed by a call, until the answer is that of the
/// new file.
#[test]
fn a_changed_file_is_served_at_once() {
    let shell = Shell::new("tool-watch");
    let write = |text: &str| std::fs::write(shell.file("widgetcast.toml"), text).unwrap();
    write("[tools.say]\nrun = [\"echo\", \"one\"]\n");
    let mut child = Command::new(env!("CARGO_BIN_EXE_widgetcast"))
        .args(["serve", "--stdio", "--watch", "."])
        .current_dir(&shell.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut log = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut input = child.stdin.take().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut heard = lines.map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap());
    let mut say = |message: Value| writeln!(input, "{message}").unwrap();
    say(json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": { "name": "tests", "version": "1" } } }));
    say(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "say", "arguments": {} } });
    say(call.clone());
    let answer = heard.find(|message| message["id"] == 1).unwrap();
    assert_eq!(answer["result"]["content"][0]["text"], "one", "{answer}");

    write("[tools.say]\nrun = 7\n");
    assert!(log.any(|line| line.unwrap().contains("keeping the previous tools")));
    say(call.clone());
    let answer = heard.find(|message| message["id"] == 1).unwrap();
    assert_eq!(answer["result"]["content"][0]["text"], "one", "{answer}");
    write("[tools.say]\nrun = [\"echo\", \"two\"]\n");
    loop {
        let message = heard.next().expect("the server goes on");
        if message["method"] == "notifications/tools/list_changed" {
            say(call.clone());
        }
        if message["result"]["content"][0]["text"] == "two" {
            break;
        }
    }
    drop(input);
    child.wait().unwrap();
}
