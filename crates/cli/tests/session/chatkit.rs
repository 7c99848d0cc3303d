//! `widgetcast chatkit`: a conversation that outlives the process, and what is kept of someone.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::Shell;

const KEY: &str = "the key of ada 0001";

/// A process that ends with its test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

/// The server in a directory with keys, and where it listens.
fn start(dir: &Path) -> (Child, String) {
    start_with(dir, &["chatkit", "--config", "keys.toml"])
}

fn start_with(dir: &Path, args: &[&str]) -> (Child, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_widgetcast"))
        .args(args)
        .args(["--listen", "127.0.0.1:0"])
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
    shell.run(&nobody).ends(0).prints("No data stored for eve.");
    let export = ["chatkit", "export", "--subject", "ada"];
    shell.run(&export).ends(0).prints("\"type\": \"user_message\"").prints("\"subject\": \"ada\"");
    let delete = ["chatkit", "delete", "--subject", "ada"];
    let deleted = "Deleted data of ada: 1 threads with 3 items, 0 attachments.";
    shell.run(&delete).ends(0).prints(deleted);
    shell.run(&export).ends(0).prints("[]");
    shell.run(&["chatkit", "--store", "memory:"]).ends(2).complains("sqlite:PATH or postgres://");
    // Others would get the tools of other servers.
    let open = ["chatkit", "--listen", "0.0.0.0:0", "--mcp", "x=http://127.0.0.1:9/mcp"];
    shell.run(&open).ends(2).complains("--mcp exposes the tools of other servers");
    shell.run(&["chatkit", "--mcp", "nothing"]).ends(2).complains("NAME=URL or NAME=COMMAND");
}

#[test]
fn of_several_persons_of_one_name_one_is_meant() {
    let shell = Shell::new("chatkit-issuers");
    let store = format!("sqlite:{}", shell.file("chatkit.db").display());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let storage = widgetcast_chatkit::open(&store).await.unwrap();
        let bob = widgetcast::Caller::new("bob");
        for (id, caller) in [("t1", bob.clone()), ("t2", bob.claim("iss", "https://id.example"))] {
            let owner = widgetcast_chatkit::Owner::caller(&caller);
            let thread = serde_json::from_value(json!({
                "id": id, "created_at": "2026-11-14T12:00:00Z", "status": { "type": "active" },
            }));
            storage.create_thread(&owner, "", &thread.unwrap(), Vec::new()).await.unwrap();
        }
    });
    let of = |verb, more: &[&'static str]| [&["chatkit", verb, "--subject", "bob"], more].concat();
    for verb in ["export", "delete"] {
        let ran = shell.run(&of(verb, &[]));
        ran.ends(2).complains("several users have the subject bob").complains("https://id.example");
    }
    let theirs = ["--issuer", "https://id.example"];
    shell.run(&of("export", &theirs)).ends(0).prints("\"t2\"");
    shell.run(&of("delete", &theirs)).ends(0).prints("Deleted data of bob: 1 threads");
    shell.run(&of("delete", &["--issuer", "https://other.example"])).ends(0).prints("No data");
    assert!(!shell.run(&of("export", &[])).ends(0).prints("\"t1\"").out.contains("\"t2\""));
}

/// The tools of our own server, over HTTP and over a pipe, as those of others.
#[test]
fn tools_of_other_servers_answer_in_the_chat() {
    const BIN: &str = env!("CARGO_BIN_EXE_widgetcast");
    let shell = Shell::new("chatkit-mcp");
    for name in ["here", "http", "pipe"] {
        let dir = shell.file(name);
        std::fs::create_dir_all(&dir).unwrap();
        let widget = format!(
            r#"{{ "version": "1.0", "name": "{name}_card",
            "template": "{{\"type\": \"Card\", \"children\": [{{\"type\": \"Text\", \"value\": {{{{ text | tojson }}}}}}]}}",
            "jsonSchema": {{ "type": "object", "required": ["text"], "properties": {{ "text": {{ "type": "string" }} }} }} }}"#
        );
        std::fs::write(dir.join(format!("{name}_card.widget")), widget).unwrap();
    }
    let dir = shell.file("here").parent().unwrap().to_owned();
    let (there, at) = start_with(&dir, &["serve", "http"]);
    let _there = Running(there);
    let (http, pipe) = (format!("there={at}/mcp"), format!("pipe={BIN} serve --stdio pipe"));
    let args = ["chatkit", "here", "--mcp", &http, "--mcp", &pipe];
    let (chat, at) = start_with(&dir, &args);
    let _chat = Running(chat);
    for name in ["here", "http", "pipe"] {
        let text = format!("/{name}_card text=from-{name}");
        let content = [json!({ "type": "input_text", "text": text })];
        let input = json!({ "content": content, "attachments": [], "inference_options": {} });
        let stream = ask(&at, &json!({ "type": "threads.create", "params": { "input": input } }));
        let shown = format!("\"value\":\"from-{name}\"");
        assert!(stream.contains("\"type\":\"widget\"") && stream.contains(&shown), "{stream}");
    }
}
