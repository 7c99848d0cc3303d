//! `widgetcast chatkit`: a conversation that outlives the process, and what is kept of somebody.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::Shell;

const KEY: &str = "the key of ada 0001";

/// The server in a directory, and where it listens.
fn start(dir: &Path) -> (Child, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_widgetcast"))
        .args(["chatkit", "--listen", "127.0.0.1:0", "--config", "keys.toml"])
        .current_dir(dir)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    let address = lines.find_map(|line| {
        let (_, rest) = line.split_once("http://")?;
        Some(format!("http://{}", rest.split_once('/')?.0))
    });
    std::thread::spawn(move || lines.for_each(drop));
    (child, address.unwrap())
}

fn ask(at: &str, body: &Value) -> String {
    let request = ureq::post(&format!("{at}/chatkit"))
        .header("content-type", "application/json")
        .header("authorization", &format!("Bearer {KEY}"));
    request.send(body.to_string()).unwrap().body_mut().read_to_string().unwrap()
}

#[test]
fn threads_are_kept_exported_and_deleted() {
    let shell = Shell::new("chatkit");
    // `printf 'the key of ada 0001' | sha256sum`
    let hash = "83b38b330693f4aba256efc28fabbeee5b7b6d116b580b06151a4353fc0028b6";
    let keys = format!("[[keys]]\nsubject = \"ada\"\nhash = \"sha256:{hash}\"\n");
    std::fs::write(shell.file("keys.toml"), keys).unwrap();
    let dir = shell.file("keys.toml").parent().unwrap().to_owned();
    let (mut child, at) = start(&dir);
    let content = [json!({ "type": "input_text", "text": "/flight_tracker" })];
    let input = json!({ "content": content, "attachments": [], "inference_options": {} });
    let stream = ask(&at, &json!({ "type": "threads.create", "params": { "input": input } }));
    assert!(stream.contains("\"type\":\"widget\""), "{stream}");
    let page = ureq::get(&format!("{at}/chat")).call().unwrap();
    assert_eq!(page.headers()["content-type"], "text/html; charset=utf-8");
    child.kill().unwrap();
    child.wait().unwrap();

    let (mut child, at) = start(&dir);
    let list = ask(&at, &json!({ "type": "threads.list", "params": {} }));
    assert!(list.contains("\"title\":"), "{list}");
    child.kill().unwrap();
    child.wait().unwrap();

    let nobody = ["chatkit", "delete", "--subject", "eve"];
    shell.run(&nobody).ends(0).prints("Nothing is kept of eve.");
    let export = ["chatkit", "export", "--subject", "ada"];
    shell.run(&export).ends(0).prints("\"type\": \"user_message\"").prints("\"subject\": \"ada\"");
    let delete = ["chatkit", "delete", "--subject", "ada"];
    shell.run(&delete).ends(0).prints("Deleted of ada: 1 threads with 2 items, 0 attachments.");
    shell.run(&export).ends(0).prints("[]");
    shell.run(&["chatkit", "--store", "memory:"]).ends(2).complains("sqlite:PATH or postgres://");
    shell.run(&["chatkit", "--mcp", "nothing"]).ends(2).complains("NAME=URL or NAME=COMMAND");
}
