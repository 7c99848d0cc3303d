//! Commands over files that were made to hurt.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};

use crate::Shell;

fn widget(name: &str, properties: &str) -> String {
    format!(
        r#"{{"version":"1.0","name":"{name}","template":"{{\"type\":\"Card\",\"children\":[]}}",
        "jsonSchema":{{"type":"object","properties":{{{properties}}}}}}}"#
    )
}

#[test]
fn an_endless_name_is_a_finding() {
    let shell = Shell::new("endless-name");
    std::fs::write(shell.file("long.widget"), widget(&"long".repeat(25_000), "")).unwrap();
    let longest = "x".repeat(128);
    std::fs::write(shell.file("good.widget"), widget(&longest, "")).unwrap();
    std::fs::write(shell.file("short.widget"), widget("Short", "")).unwrap();
    let list = shell.run(&["list", "."]);
    assert_eq!(list.code, 1, "{list:?}");
    assert!(list.out.contains(&longest) && list.out.contains("short"), "{list:?}");
    assert!(list.err.contains("the name has 100000 characters"), "{list:?}");
    assert!(list.err.len() < 2000 && list.out.len() < 2000, "{list:?}");
    for args in [&["list", ".", "--json"][..], &["check", "."]] {
        let ran = shell.run(args);
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!((ran.out + &ran.err).contains("the name has 100000 characters"));
    }
}

/// What is found does not grow with the file, nor does what is printed.
#[test]
fn thousands_of_properties_are_checked() {
    let shell = Shell::new("properties");
    let lengths = [600, 1_200].map(|count| {
        let properties: Vec<String> =
            (0..count).map(|n| format!(r#""p{n}":{{"type":"string"}}"#)).collect();
        std::fs::write(shell.file("a.widget"), widget("A", &properties.join(","))).unwrap();
        let ran = shell.run(&["check", "a.widget"]);
        assert_eq!(ran.code, 1, "{ran:?}");
        let more = format!("{} more variables are declared but not used", count - 100);
        assert!(ran.out.contains(&more) || ran.err.contains(&more), "{ran:?}");
        (ran.out + &ran.err).lines().count()
    });
    assert_eq!(lengths[0], lengths[1]);
}

/// Mending does not reach through a link out of the directory.
#[cfg(unix)]
#[test]
fn fix_writes_nothing_outside() {
    let shell = Shell::new("fix-outside");
    let text = widget("A", "")
        .replace(r#"\"children\":[]"#, r#"\"children\":[{\"type\":\"Divider\",\"children\":[]}]"#);
    std::fs::create_dir(shell.file("inside")).unwrap();
    for file in ["outside.widget", "inside/b.widget"] {
        std::fs::write(shell.file(file), &text).unwrap();
    }
    std::os::unix::fs::symlink("../outside.widget", shell.file("inside/a.widget")).unwrap();
    let ran = shell.run(&["check", "--fix", "inside"]);
    assert!(ran.err.contains("fixed 1 place in"), "{ran:?}");
    assert_eq!(std::fs::read_to_string(shell.file("outside.widget")).unwrap(), text);
    assert_ne!(std::fs::read_to_string(shell.file("inside/b.widget")).unwrap(), text);
}

/// A server that answers each request with what `answer` makes of its text. Nothing is no answer at all.
fn server(answer: impl Fn(&str, &mut TcpStream) + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = format!("http://{}/mcp", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        // Those that get no answer stay open.
        let mut clients = Vec::new();
        for client in listener.incoming() {
            let mut client = client.unwrap();
            let (mut request, mut bytes) = (String::new(), vec![0; 1 << 16]);
            while !request.ends_with('}') {
                match client.read(&mut bytes) {
                    Ok(read @ 1..) => request += &String::from_utf8_lossy(&bytes[..read]),
                    _ => break,
                }
            }
            answer(&request, &mut client);
            clients.push(client);
            if clients.len() > 1 {
                drop(clients.remove(0));
            }
        }
    });
    at
}

fn respond(client: &mut TcpStream, result: &str) {
    let body = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{result}}}"#);
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close";
    _ = write!(client, "{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
}

const INITIALIZED: &str =
    r#"{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"x","version":"1"}}"#;

#[test]
fn lists_and_answers_without_an_end() {
    let shell = Shell::new("endless-list");
    let pages = server(|request, client| match request.contains("tools/list") {
        true => respond(client, r#"{"tools":[{"name":"a"}],"nextCursor":"more"}"#),
        false => respond(client, INITIALIZED),
    });
    shell.run(&["types", &pages]).ends(2).complains("the list of tools exceeds 100 pages");
    let body = server(|request, client| {
        if !request.contains("tools/") {
            return respond(client, INITIALIZED);
        }
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n";
        _ = client.write_all(head.as_bytes());
        while client.write_all(&[b' '; 1 << 16]).is_ok() {}
    });
    shell.run(&["types", &body]).ends(2).complains("exceeds 16 MB");
    shell.run(&["call", "a", "--server", &body]).ends(2).complains("exceeds 16 MB");
}

#[test]
fn a_server_that_says_nothing() {
    let shell = Shell::new("silent");
    let silent = server(|_, _| {});
    shell.run(&["call", "a", "--server", &silent]).ends(2).complains("no response from");
}

#[test]
fn an_input_without_an_end() {
    let shell = Shell::new("endless-input");
    let endless = " ".repeat((16 << 20) + 1);
    shell.run_with(&["extract"], &endless).ends(2).complains("larger than 16 MB");
    shell
        .run_with(&["call", "poll", "--data", "-"], &endless)
        .ends(2)
        .complains("larger than 16 MB");
}

/// A title for the window, the clipboard, a link, an empty screen: in names, texts, addresses, in what is
/// found and what is lost. With colours, as on a terminal, only styles of ours are printed.
#[test]
fn nothing_steers_the_terminal() {
    const HOSTILE: &str =
        "\u{1b}]52;c;aGk=\u{7}\u{1b}]8;;https://evil/\u{1b}\\x\u{1b}[2J\u{9b}2J\u{1b}]0;t\u{7}";
    let shell = Shell::new("steers");
    let tree = serde_json::json!({"type": "Card", "id": HOSTILE, "children": [
        {"type": "Text", "value": HOSTILE},
        {"type": "Image", "src": format!("http://a/{HOSTILE}"), "alt": HOSTILE},
        {"type": "Icon", "name": HOSTILE},
        {"type": "Markdown", "value": format!("[a](https://b/ \"{HOSTILE}\") <b>{HOSTILE}</b>")},
        {"type": "Input", "name": HOSTILE, "pattern": HOSTILE, "required": true},
        {"type": "Select", "name": "s", "options": [{"label": HOSTILE, "value": HOSTILE}],
            "defaultValue": HOSTILE, "onChangeAction": {"type": HOSTILE}},
        {"type": "Button", "label": HOSTILE, "onClickAction": {"type": HOSTILE}}]});
    let property = serde_json::json!({"type": "string", "description": HOSTILE});
    let text = serde_json::json!({"version": "1.0", "name": "Hostile", "description": HOSTILE,
        "template": tree.to_string(),
        "jsonSchema": {"type": "object", "properties": {HOSTILE: property}}});
    std::fs::write(shell.file("hostile.widget"), text.to_string()).unwrap();
    std::fs::write(shell.file("broken.widget"), text.to_string().replacen("Card", HOSTILE, 1))
        .unwrap();
    let surfaces = ["slack-blocks", "adaptive-card", "terminal", "html-fragment", "text", "all"];
    let mut runs: Vec<Vec<&str>> = surfaces
        .iter()
        .map(|surface| vec!["render", "hostile", "--dir", ".", "--surface", surface])
        .collect();
    runs.extend([
        vec!["render", "hostile", "--dir", "."],
        vec!["render", HOSTILE, "--dir", "."],
        vec!["list", "."],
        vec!["list", ".", "--json"],
        vec!["check", "."],
        vec!["check", ".", "--format", "json"],
        vec!["check", ".", "--host", "claude,chatgpt"],
        vec!["types", "."],
        vec!["call", "hostile", "--dir", "."],
        vec!["call", HOSTILE, "--dir", "."],
        vec!["export", "--studio", "hostile.widget"],
    ]);
    for args in runs {
        let output = shell.output(&args, "", &[("CLICOLOR_FORCE", "1")]);
        for bytes in [output.stdout, output.stderr] {
            let text = String::from_utf8(bytes).unwrap();
            let is_odd = |c: char| c.is_control() && !matches!(c, '\n' | '\t' | '\u{1b}');
            assert!(!text.contains(is_odd), "{args:?}: {text:?}");
            for sequence in text.split('\u{1b}').skip(1) {
                let style = sequence.strip_prefix('[').and_then(|rest| rest.split_once('m'));
                let is_style = style.is_some_and(|(style, _)| {
                    style.bytes().all(|byte| byte.is_ascii_digit() || byte == b';')
                });
                assert!(is_style, "{args:?}: {sequence:?}");
            }
        }
    }
}
