//! The attacks. Each is one function that may do whatever a client or an author of files can do; it fails
//! if the server's answers tell that it is hurt.

use std::fs;
use std::io::Write as _;
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use serde_json::{Value, json};

use super::widgets::definition;
use crate::target::{Target, call, head, whole};

/// What an attack found.
pub(super) type Outcome = Result<(), String>;

pub(super) struct Attack {
    pub name: &'static str,
    pub run: fn(&Target) -> Outcome,
}

macro_rules! attacks {
    ($($name:literal $run:expr,)+) => {
        /// All of them.
        pub(super) const ATTACKS: &[Attack] =
            &[$(Attack { name: $name, run: $run },)+];
    };
}

attacks! {
    "4 MB of empty objects, each of which breaks the schema" |t| {
        several(3, || expect(t.post("/mcp", empty_objects("rows", 1_390_000).as_bytes()), &[200, 400, 503]))
    },
    "the same for a list with maxItems" |t| {
        expect(t.post("/mcp", empty_objects("few", 240_000).as_bytes()), &[200])
    },
    "a oneOf with 50 branches for 200,000 items" |t| {
        several(3, || expect(t.post("/mcp", empty_objects("branches", 200_000).as_bytes()), &[200, 503]))
    },
    "200 clients ask for 8 MB each and do not read" unread_batches,
    "2,000 subscriptions and streams" many_streams,
    "a text that doubles forty times" |t| {
        several(4, || expect(t.call("doubling", &json!({ "text": "aaaaaaaaaa" })), &[200, 503]))
    },
    "three nested loops over 1,000 items, callers leave" |t| {
        let message = whole("/mcp", &call("loops", &json!({ "list": vec![0; 1_000] })));
        (0..40).for_each(|_| t.send_and_leave(&message));
        several(4, || expect(t.call("loops", &json!({ "list": vec![0; 1_000] })), &[200, 503]))
    },
    "the same by the general engine" |t| {
        let message = whole("/mcp", &call("slow_loops", &json!({ "list": vec![0; 1_000] })));
        (0..40).for_each(|_| t.send_and_leave(&message));
        several(4, || expect(t.call("slow_loops", &json!({ "list": vec![0; 1_000] })), &[200, 503]))
    },
    "200,000 brackets as Markdown on every surface" |t| markdown(t, &"[".repeat(200_000)),
    "5,000 rows as an Adaptive Card" |t| {
        several(4, || on_surface(t, "adaptive-card", "rows", &rows(5_000)))
    },
    "the gallery draws 4 MB" |t| {
        let body = json!({ "tool": "markdown", "arguments": { "text": "[*".repeat(1_900_000) } });
        several(3, || expect(t.post("/gallery/draw", body.to_string().as_bytes()), &[200, 400, 503]))
    },
    "a loaded file becomes a FIFO, a link, and 50 MB" hostile_files,
    "the directory is replaced, moved and linked elsewhere" replaced_directory,
    "one caller writes 20,000 views" |t| {
        let mut connection = (t.connect().map_err(|error| error.to_string())?, Vec::new());
        (0..20_000).try_for_each(|number: usize| {
            let text = call("text", &json!({ "text": number.to_string() }));
            send_one(&mut connection, &whole("/mcp", &text))
        })
    },
    "a schema with a number of 400 digits and one nested 100 deep" poisoned_schemas,
    "patterns that backtrack without end" |t| {
        let text = json!({ "text": "a".repeat(5_000) });
        several(4, || expect(t.call("backreference", &text), &[200, 503]))?;
        several(4, || expect(t.call("pattern", &text), &[200, 503]))
    },
    "the gallery through a proxy" |t| {
        let mut stream = t.connect().map_err(|error| error.to_string())?;
        let head = "GET /gallery/index.json HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: 10.0.0.1\r\nconnection: close\r\n\r\n";
        stream.write_all(head.as_bytes()).map_err(|error| error.to_string())?;
        expect(crate::target::read_answer(&mut stream), &[404])
    },
    "10,000 failing calls fill the log" |t| {
        let before = log_bytes(t);
        let message = whole("/mcp", &call("text", &json!({ "text": 1, "x".repeat(2_000): 1 })));
        repeat(t, &message, 10_000)?;
        match log_bytes(t) - before {
            grown if grown > 1 << 20 => Err(format!("the log grew by {grown} bytes")),
            _ => Ok(()),
        }
    },
    "messages that are none" |t| {
        for body in [
            r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#, r#"{"jsonrpc":"2.0","id":9223372036854775808,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":"\ud800","method":"ping"}"#, r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
            "[", "", "null", "{}", "[[[[]]]]", "\"", "{\"a\":", "\u{0}",
        ] {
            expect(t.post("/mcp", body.as_bytes()), &[200, 400])?;
        }
        Ok(())
    },
    "refused bodies, half-closed clients, two hosts" half_closed,
    "states under keys that were never issued" |t| {
        for number in 0..500 {
            let key = format!("{number:032x}");
            let state = json!({ "key": key, "state": "x".repeat(60_000) });
            expect(t.call("widgetcast_state", &state), &[200])?;
        }
        Ok(())
    },
    "a name of 100,000 characters, 20,000 properties, node_modules" |t| {
        let properties: serde_json::Map<String, Value> =
            (0..20_000).map(|n| (format!("p{n}"), json!({ "type": "string" }))).collect();
        put(t, "long.widget", &definition(&"n".repeat(100_000), "", &json!({ "type": "object" })));
        put(t, "wide.widget", &definition("Wide", "", &json!({ "type": "object", "properties": properties })));
        let folder = t.dir.join("node_modules/a");
        fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        for number in 0..2_000 {
            _ = fs::write(folder.join(format!("{number}.widget")), "{");
        }
        wait(1_500);
        for file in ["long.widget", "wide.widget"] {
            _ = fs::remove_file(t.dir.join(file));
        }
        _ = fs::remove_dir_all(t.dir.join("node_modules"));
        lists_are_right(t)
    },
    "5,000 rows as text" |t| {
        let (_, body) = t.call("rows", &rows(5_000)).map_err(|error| error.to_string())?;
        let answer: Value = serde_json::from_str(&body).map_err(|error| error.to_string())?;
        match answer["result"]["content"][0]["text"].as_str().map_or(usize::MAX, str::len) {
            long if long > 40_000 => Err(format!("the text has {long} bytes")),
            _ => Ok(()),
        }
    },

    "400 connections that send a head slowly" |t| slow(t, b"POST /mcp HTTP/1.1\r\nhost: localhost\r\nx-a: "),
    "400 connections that send a body slowly" |t| {
        let mut bytes = head("/mcp", 4_000_000, "keep-alive");
        bytes.extend(vec![b'['; 200_000]);
        slow(t, &bytes)
    },
    "bodies in chunks of one byte" |t| {
        let mut bytes = b"POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n".to_vec();
        (0..200_000).for_each(|_| bytes.extend(b"1\r\n[\r\n"));
        several(4, || { t.send_and_leave(&bytes); Ok(()) })
    },
    "a body without an end" |t| {
        let mut stream = t.connect().map_err(|error| error.to_string())?;
        _ = stream.write_all(b"POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n");
        let chunk = format!("10000\r\n{}\r\n", "1".repeat(0x10000));
        let refused = (0..2_000).any(|_| stream.write_all(chunk.as_bytes()).is_err());
        if refused { Ok(()) } else { Err("125 MB of a body were taken".into()) }
    },
    "20,000 pipelined requests, nothing is read" |t| {
        let mut stream = t.connect().map_err(|error| error.to_string())?;
        stream.set_write_timeout(Some(Duration::from_secs(1))).map_err(|error| error.to_string())?;
        let list = whole("/mcp", r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
        _ = (0..20_000).try_for_each(|_| stream.write_all(&list));
        Ok(())
    },
    "1,000 headers, a head of 1 MB, an address of 1 MB" |t| {
        let many = "x-a: b\r\n".repeat(1_000);
        let long = format!("x-a: {}\r\n", "b".repeat(1 << 20));
        for (path, headers) in [("/mcp", &*many), ("/mcp", &*long), (&*"/a".repeat(1 << 19), "")] {
            t.send_and_leave(format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n{headers}\r\n").as_bytes());
        }
        Ok(())
    },
    "lists nested 500,000 deep" |t| {
        let deep = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"rows","arguments":{{"rows":{}"#, "[".repeat(500_000));
        expect(t.post("/mcp", deep.as_bytes()), &[400])
    },
    "240,000 values in _meta, capabilities and what is seldom read" |t| {
        for member in ["_meta", "capabilities", "clientInfo", "ref", "argument", "notifications"] {
            let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping", "params": { member: { "x": vec![0; 240_000] } } });
            several(3, || expect(t.post("/mcp", body.to_string().as_bytes()), &[200, 400, 503]))?;
        }
        Ok(())
    },
    "an object with 200,000 members, and the same one 200,000 times" |t| {
        let many: serde_json::Map<String, Value> = (0..200_000).map(|n| (format!("k{n}"), json!(0))).collect();
        several(3, || expect(t.call("rows", &Value::Object(many.clone())), &[200, 503]))?;
        let same = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"rows","arguments":{{{}"b":1}}}}}}"#, r#""a":1,"#.repeat(200_000));
        several(3, || expect(t.post("/mcp", same.as_bytes()), &[200, 503]))
    },
    "200,000 items that must be unique" |t| {
        let rows = json!({ "rows": (0..200_000).collect::<Vec<_>>() });
        several(3, || expect(t.call("unique", &rows), &[200, 503]))
    },
    "a recursive schema and data 120 levels deep" |t| {
        let data = (0..60).fold(json!({}), |inner, _| json!({ "next": inner.clone(), "x": 1 }));
        several(3, || expect(t.call("recursive", &data), &[200, 503]))
    },
    "a number of a million digits" |t| {
        let body = call("rows", &json!({ "rows": "N" })).replace("\"N\"", &"9".repeat(1_000_000));
        several(3, || expect(t.post("/mcp", body.as_bytes()), &[200, 400, 503]))
    },
    "a text of 3 MB on every surface" |t| {
        for surface in SURFACES {
            on_surface(t, surface, "text", &json!({ "text": "lorem ipsum ".repeat(250_000) }))?;
        }
        Ok(())
    },
    "Markdown: nested quotes" |t| markdown(t, &">".repeat(100_000)),
    "Markdown: emphasis that never ends" |t| markdown(t, &"*a _b ".repeat(50_000)),
    "Markdown: backticks of every length" |t| markdown(t, &(1..600).map(|n| "`".repeat(n) + " ").collect::<String>()),
    "Markdown: nested lists" |t| markdown(t, &(0..1_000).map(|n| " ".repeat(n * 2) + "- a\n").collect::<String>()),
    "Markdown: a table of 2,000 columns" |t| markdown(t, &format!("{0}\n{1}\n{0}", "|a".repeat(2_000), "|-".repeat(2_000))),
    "Markdown: references and entities" |t| markdown(t, &"[a][b]&amp;<a@b.c>![x](y) ".repeat(10_000)),
    "20,000 rows on every surface" |t| {
        for surface in SURFACES {
            on_surface(t, surface, "rows", &rows(9_000))?;
        }
        Ok(())
    },
    "names of tools that are 100 KB long" |t| {
        let message = call(&"a".repeat(100_000), &json!({}));
        several(8, || expect(t.post("/mcp", message.as_bytes()), &[200, 400, 404]))
    },
    "2,000 calls whose callers leave at once" |t| {
        let message = whole("/mcp", &call("rows", &rows(500)));
        several(4, || { (0..500).for_each(|_| t.send_and_leave(&message)); Ok(()) })
    },
    "5,000 connections, one after the other" |t| {
        several(4, || { (0..1_250).for_each(|_| t.send_and_leave(b"GET / HTTP/1.1\r\n")); Ok(()) })
    },
    "a batch of 100 slow calls" |t| {
        let one: Value = serde_json::from_str(&call("loops", &json!({ "list": vec![0; 1_000] }))).unwrap_or_default();
        let body = Value::from(vec![one; 100]).to_string();
        t.send_and_leave(&whole("/mcp", &body));
        Ok(())
    },
    "instances and completions of what is not there" |t| {
        for number in 0..300 {
            let uri = format!("ui://widgetcast/rows/{number:032x}");
            let read = json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": { "uri": uri } });
            expect(t.post("/mcp", read.to_string().as_bytes()), &[200, 400, 404])?;
        }
        Ok(())
    },
    "files: YAML with aliases, deep YAML, 2,000 files at once" |t| {
        let aliases: String = (0..30).map(|n| format!("a{}: &a{} [*a{n}, *a{n}, *a{n}]\n", n + 1, n + 1)).collect();
        put(t, "bomb.yml", &format!("a0: &a0 [x]\n{aliases}widget: *a30\n"));
        put(t, "deep.yml", &format!("widget: {}{}", "[".repeat(50_000), "]".repeat(50_000)));
        for number in 0..2_000 {
            put(t, &format!("many{number}.widget"), "{\"version\":\"1.0\"");
        }
        wait(2_000);
        for entry in fs::read_dir(&t.dir).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with("many") || name.ends_with(".yml") {
                _ = fs::remove_file(entry.path());
            }
        }
        wait(1_000);
        lists_are_right(t)
    },
}

const SURFACES: [&str; 7] =
    ["text", "chatkit", "mcp-apps", "chatgpt", "slack", "adaptive-card", "terminal"];

pub(super) fn expect(answer: std::io::Result<(u16, String)>, statuses: &[u16]) -> Outcome {
    match answer {
        Ok((status, _)) if statuses.contains(&status) => Ok(()),
        Ok((status, body)) => {
            Err(format!("status {status}: {}", body.chars().take(120).collect::<String>()))
        }
        Err(error) => Err(error.to_string()),
    }
}

/// Does the same several times at the same time.
pub(super) fn several(count: usize, attack: impl Fn() -> Outcome + Sync) -> Outcome {
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..count).map(|_| scope.spawn(&attack)).collect();
        all.into_iter().try_for_each(|one| one.join().map_err(|_| "panicked".to_owned())?)
    })
}

pub(super) fn wait(milliseconds: u64) {
    std::thread::sleep(Duration::from_millis(milliseconds));
}

fn rows(count: usize) -> Value {
    json!({ "rows": vec![json!({ "name": "a row of a list" }); count] })
}

fn empty_objects(tool: &str, count: usize) -> String {
    let items = "{},".repeat(count);
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{{"rows":[{items}{{}}]}}}}}}"#
    )
}

fn on_surface(t: &Target, surface: &str, tool: &str, arguments: &Value) -> Outcome {
    let path = format!("/mcp?surface={surface}");
    expect(t.post(&path, call(tool, arguments).as_bytes()), &[200, 400, 503])
}

fn markdown(t: &Target, text: &str) -> Outcome {
    let arguments = json!({ "text": text });
    several(2, || {
        SURFACES.iter().try_for_each(|surface| on_surface(t, surface, "markdown", &arguments))
    })
}

fn unread_batches(t: &Target) -> Outcome {
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let batch = format!("[{}]", vec![list; 100].join(","));
    let mut open = Vec::new();
    for _ in 0..200 {
        let Ok(mut stream) = t.connect() else { continue };
        _ = stream.write_all(&whole("/mcp", &batch));
        open.push(stream);
    }
    wait(3_000);
    Ok(())
}

fn many_streams(t: &Target) -> Outcome {
    let listen = json!({ "jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {
        "notifications": { "toolsListChanged": true }, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {} } } })
    .to_string();
    let post = format!(
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
         accept: application/json, text/event-stream\r\nmcp-protocol-version: 2026-07-28\r\n\
         mcp-method: subscriptions/listen\r\ncontent-length: {}\r\n\r\n{listen}",
        listen.len()
    );
    let get =
        "GET /mcp HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\r\n".to_owned();
    let events = "GET /gallery/events HTTP/1.1\r\nhost: localhost\r\n\r\n".to_owned();
    let mut open = Vec::new();
    for number in 0..2_000 {
        let Ok(mut stream) = t.connect() else { continue };
        _ = stream.write_all([&post, &get, &events][number % 3].as_bytes());
        open.push(stream);
    }
    wait(1_000);
    expect(t.get("/healthz"), &[200])
}

fn hostile_files(t: &Target) -> Outcome {
    let file = t.dir.join("text.widget");
    let good = fs::read_to_string(&file).map_err(|error| error.to_string())?;
    let tool = || expect(t.get("/gallery/tool/text"), &[200, 404]);
    for _ in 0..20 {
        _ = fs::remove_file(&file);
        _ = std::process::Command::new("mkfifo").arg(&file).status();
        tool()?;
        _ = fs::remove_file(&file);
        _ = std::os::unix::fs::symlink("/etc/passwd", &file);
        tool()?;
        let (_, body) = t.get("/gallery/tool/text").map_err(|error| error.to_string())?;
        if body.contains("root:") {
            return Err("the content of a file outside is served".into());
        }
        _ = fs::remove_file(&file);
    }
    _ = fs::write(&file, vec![b' '; 50 << 20]);
    tool()?;
    _ = fs::write(&file, good);
    wait(500);
    lists_are_right(t)
}

fn replaced_directory(t: &Target) -> Outcome {
    let (old, new) = (t.dir.with_extension("old"), t.dir.with_extension("new"));
    let copy = |to: &std::path::Path| -> std::io::Result<()> {
        fs::create_dir(to)?;
        super::widgets::write(to)
    };
    let step = |what: &str, done: std::io::Result<()>| done.map_err(|e| format!("{what}: {e}"));
    for _ in 0..3 {
        step("copy", copy(&new))?;
        step("move away", fs::rename(&t.dir, &old))?;
        step("move in", fs::rename(&new, &t.dir))?;
        step("remove", fs::remove_dir_all(&old))?;
        wait(300);
    }
    step("remove all", fs::remove_dir_all(&t.dir))?;
    wait(1_000);
    if !matches!(t.get("/readyz"), Ok((503, _))) {
        return Err("/readyz does not tell that the directory is gone".into());
    }
    step("copy back", copy(&t.dir))?;
    wait(2_500);
    lists_are_right(t)
}

fn poisoned_schemas(t: &Target) -> Outcome {
    let huge = definition("Huge", "", &json!({ "type": "object" })).replace(
        r#""type":"object""#,
        &format!(r#""type":"object","minProperties":1{}"#, "0".repeat(400)),
    );
    put(t, "huge.widget", &huge);
    let deep = (0..100).fold(json!({}), |inner, _| json!({ "not": inner }));
    put(
        t,
        "nested.widget",
        &definition("Nested", "", &json!({ "type": "object", "properties": { "a": deep } })),
    );
    put(t, "state.widget", &definition("Widgetcast State", "", &json!({ "type": "object" })));
    wait(700);
    let outcome = lists_are_right(t);
    for file in ["huge.widget", "nested.widget", "state.widget"] {
        _ = fs::remove_file(t.dir.join(file));
    }
    wait(300);
    outcome
}

fn half_closed(t: &Target) -> Outcome {
    let mut stream = t.connect().map_err(|error| error.to_string())?;
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let mut bytes = head("/mcp", ping.len(), "close");
    bytes.extend(ping.as_bytes());
    stream.write_all(&bytes).map_err(|error| error.to_string())?;
    stream.shutdown(Shutdown::Write).map_err(|error| error.to_string())?;
    expect(crate::target::read_answer(&mut stream), &[200])?;
    expect(t.post("/mcp", &vec![b'1'; 5 << 20]), &[413])?;
    let mut stream = t.connect().map_err(|error| error.to_string())?;
    let two = "GET /healthz HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\nconnection: close\r\n\r\n";
    stream.write_all(two.as_bytes()).map_err(|error| error.to_string())?;
    expect(crate::target::read_answer(&mut stream), &[400])
}

/// 400 connections that send the beginning of a request and then a byte a second.
fn slow(t: &Target, beginning: &[u8]) -> Outcome {
    let mut open = Vec::new();
    for _ in 0..400 {
        let Ok(mut stream) = t.connect() else { continue };
        _ = stream.set_write_timeout(Some(Duration::from_millis(200)));
        _ = stream.write_all(beginning);
        open.push(stream);
    }
    for _ in 0..3 {
        open.iter_mut().for_each(|stream| _ = stream.write_all(b"a"));
        wait(1_000);
    }
    Ok(())
}

/// Sends a request again and again over one connection, reading what comes.
fn repeat(t: &Target, message: &[u8], times: usize) -> Outcome {
    let mut connection = (t.connect().map_err(|error| error.to_string())?, Vec::new());
    (0..times).try_for_each(|_| send_one(&mut connection, message))
}

/// Sends a request over a connection, and reads the answer.
fn send_one((stream, buffer): &mut (TcpStream, Vec<u8>), message: &[u8]) -> Outcome {
    stream.write_all(message).map_err(|error| error.to_string())?;
    crate::target::read_one(stream, buffer).map_err(|error| error.to_string()).map(drop)
}

fn put(t: &Target, file: &str, text: &str) {
    _ = fs::write(t.dir.join(file), text);
}

fn log_bytes(t: &Target) -> u64 {
    fs::metadata(&t.log).map_or(0, |data| data.len())
}

/// `tools/list` is there, holds the ordinary tool, and can be read by JavaScript.
fn lists_are_right(t: &Target) -> Outcome {
    let list = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let (status, body) = t.post("/mcp", list).map_err(|error| error.to_string())?;
    let answer: Value = serde_json::from_str(&body).map_err(|error| error.to_string())?;
    let tools = answer["result"]["tools"].as_array().map_or(&[][..], Vec::as_slice);
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    match status == 200 && names.contains(&"ordinary") && !body.contains("0000000000000000000000") {
        true => Ok(()),
        false => Err(format!("status {status}, tools {names:?}")),
    }
}
