//! `widgetcast wrap`: a server that was written elsewhere, here in shell.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;

use serde_json::{Value, json};

use crate::Shell;

/// Answers a list of tools, and every call with two rows.
const SERVER: &str = r#"while IFS= read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
    *tools/list*) echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"tools":[{"name":"towns","inputSchema":{"type":"object"}}]}}';;
    *tools/call*) echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"content":[{"type":"text","text":"[{\"name\":\"Bern\",\"people\":134},{\"name\":\"Basel\",\"people\":177}]"}]}}';;
  esac
done"#;

const TOWNS: &str = r#"version: "1.0"
name: Towns
jsonSchema: { type: object, properties: { rows: { type: array } }, required: [rows] }
template: '{"type":"Card","children":[{"type":"Title","value":"Towns of mine"}]}'
"#;

const MINE: &str = r#"version: "1.0"
name: Mine
description: Shows how many towns there are.
jsonSchema:
  type: object
  properties:
    rows: {type: array, description: The towns, items: {type: object, description: A town}}
  required: [rows]
widget: {type: Card, children: [{type: Title, value: "Towns of mine: {{ rows | length }}"}]}
"#;

fn ask(id: u32, method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string() + "\n"
}

#[test]
fn results_of_other_servers_have_views() {
    let shell = Shell::new("wrap");
    let input =
        ask(1, "tools/list", &json!({})) + &ask(2, "tools/call", &json!({ "name": "towns" }));
    let ran = shell.run_with(&["wrap", "--", "sh", "-c", SERVER], &input);
    assert_eq!(ran.code, 0, "{ran:?}");
    let lines: Vec<Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines[0]["result"]["tools"][0]["_meta"]["ui"]["resourceUri"].is_string(), "{ran:?}");
    let tree = lines[1]["result"]["_meta"]["widgetcast/view"]["tree"].to_string();
    assert!(tree.contains("Basel") && tree.contains("Table"), "{tree}");

    let ran = shell.run_with(&["wrap", "--without", "towns", "--", "sh", "-c", SERVER], &input);
    assert!(!ran.out.contains("_meta"), "{ran:?}");
}

#[test]
fn a_widget_of_the_tools_name_draws_what_fits_it() {
    let shell = Shell::new("wrap-widgets");
    std::fs::create_dir(shell.file("widgets")).unwrap();
    std::fs::write(shell.file("widgets/towns.widget"), TOWNS).unwrap();
    let input =
        ask(1, "tools/list", &json!({})) + &ask(2, "tools/call", &json!({ "name": "towns" }));
    let args = ["wrap", "--widgets", "widgets", "--", "sh", "-c"];
    let fits =
        SERVER.replace(r#"[{\"name\""#, r#"{\"rows\":[{\"name\""#).replace("177}]", "177}]}");
    let ran = shell.run_with(&[&args[..], &[fits.as_str()]].concat(), &input);
    assert!(ran.out.contains("Towns of mine"), "{ran:?}");
    // An array is not what the widget takes: it is shown all the same, and the log says why.
    let ran = shell.run_with(&[&args[..], &[SERVER]].concat(), &input);
    assert!(ran.out.contains("widgetcast/view") && !ran.out.contains("Towns of mine"), "{ran:?}");
    assert!(ran.err.contains("the widget cannot render the result"), "{ran:?}");
}

/// A directory with the widget, and a mapping of the rows of the server to it.
fn mapped(shell: &Shell) {
    std::fs::create_dir(shell.file("widgets")).unwrap();
    std::fs::write(shell.file("widgets/mine.widget"), MINE).unwrap();
    let views = "[views.towns]\nwidget = \"mine\"\ndata = '{\"rows\": {{ result | tojson }}}'\n";
    std::fs::write(shell.file("widgets/widgetcast.toml"), views).unwrap();
}

#[test]
fn results_are_mapped_to_the_widgets_of_the_file() {
    let shell = Shell::new("wrap-views");
    mapped(&shell);
    let input =
        ask(1, "tools/list", &json!({})) + &ask(2, "tools/call", &json!({ "name": "towns" }));
    let args = ["wrap", "--widgets", "widgets", "--record", "kept", "--", "sh", "-c", SERVER];
    let ran = shell.run_with(&args, &input);
    assert!(ran.out.contains("Towns of mine"), "{ran:?}");

    // What was recorded is drawn by `check`, too.
    let check = ["check", "widgets", "--recordings", "kept"];
    shell.run(&check).ends(0);
    shell.edit("widgets/widgetcast.toml", "result |", "result.rows |");
    let ran = shell.run(&check);
    ran.ends(1).prints("the widget of towns cannot render this result").prints("kept/towns-1.json");
    shell.run(&["check", "widgets"]).ends(0);
    shell.edit("widgets/widgetcast.toml", "tojson }}", "tojson");
    shell.run(&["check", "widgets"]).ends(1).prints("[views.towns]: `data`:");
    shell.run(&args).ends(2).complains("[views.towns]: `data`:");
    shell.edit("widgets/widgetcast.toml", "tojson", "tojson }}");
    shell.edit("widgets/widgetcast.toml", "\"mine\"", "\"min\"");
    let missing = "[views.towns]: unknown widget min; did you mean mine?";
    shell.run(&["check", "widgets"]).ends(1).prints(missing);
    shell.run(&args).ends(2).complains(missing);

    std::fs::write(shell.file("widgets/widgetcast.toml"), "[views]\ntowns = false\n").unwrap();
    let ran = shell.run_with(&args, &input);
    assert!(ran.code == 0 && !ran.out.contains("_meta"), "{ran:?}");
    let tools = "[views]\ntowns = \"mine\"\n[tools.towns]\nrun = [\"true\"]\n";
    std::fs::write(shell.file("widgets/widgetcast.toml"), tools).unwrap();
    shell.run(&["serve", "--stdio", "widgets"]).ends(2).complains("set `widget` in [tools.towns]");
}

#[test]
fn a_draft_from_recordings_draws_them() {
    let shell = Shell::new("wrap-suggest");
    let input =
        ask(1, "tools/list", &json!({})) + &ask(2, "tools/call", &json!({ "name": "towns" }));
    let record = ["wrap", "--record", "recordings", "--", "sh", "-c", SERVER];
    shell.run(&["suggest", "towns"]).ends(2).complains("wrap --record recordings");
    std::fs::create_dir(shell.file("recordings")).unwrap();
    shell
        .run(&["suggest", "towns"])
        .ends(2)
        .complains("recordings has no recordings; `widgetcast wrap");
    shell.run_with(&record, &input).ends(0);
    let draft = shell.run(&["suggest", "towns"]);
    draft.ends(0).prints("tool: towns").prints("type: Table");
    std::fs::create_dir(shell.file("widgets")).unwrap();
    std::fs::write(shell.file("widgets/towns.widget"), &draft.out).unwrap();
    shell.run(&["check", "widgets", "--strict", "--recordings", "recordings"]).ends(0);
    let args = ["wrap", "--widgets", "widgets", "--", "sh", "-c", SERVER];
    let ran = shell.run_with(&args, &input);
    assert!(ran.out.contains("Basel") && !ran.err.contains("does not draw"), "{ran:?}");
    shell.run(&["suggest", "town"]).ends(2).complains("no result of town; did you mean towns?");
}

/// Each reload that the log tells of is followed by a call, whose answer is that of the new file.
#[test]
fn a_changed_mapping_is_used_at_once() {
    let shell = Shell::new("wrap-views-watch");
    mapped(&shell);
    let mut child = Command::new(env!("CARGO_BIN_EXE_widgetcast"))
        .args([
            "wrap",
            "--widgets",
            "widgets",
            "--watch",
            "--log",
            "info",
            "--",
            "sh",
            "-c",
            SERVER,
        ])
        .current_dir(&shell.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut log = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let mut heard = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut input = child.stdin.take().unwrap();
    write!(input, "{}", ask(1, "tools/list", &json!({}))).unwrap();
    heard.next().unwrap();
    let mut call = || {
        write!(input, "{}", ask(2, "tools/call", &json!({ "name": "towns" }))).unwrap();
        heard.next().unwrap()
    };
    assert!(call().contains("Towns of mine"));
    shell.edit("widgets/widgetcast.toml", "\"mine\"", "\"other\"");
    assert!(log.any(|line| line.contains("keeping the previous views")));
    assert!(call().contains("Towns of mine"));
    std::fs::write(shell.file("widgets/widgetcast.toml"), "[views]\ntowns = false\n").unwrap();
    assert!(log.any(|line| line.contains("reloaded views")));
    assert!(!call().contains("_meta"));
    drop(input);
    child.wait().unwrap();
}

/// Wraps a server over HTTP: the process, its address, and the rest of its log.
fn over_http(shell: &Shell, args: &[&str], script: &str) -> (Child, String, JoinHandle<String>) {
    let script = script.replace(
        "*tools/list*)",
        r#"*'"initialize"'*) echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}}';;
    *tools/list*)"#,
    );
    let mut child = Command::new(env!("CARGO_BIN_EXE_widgetcast"))
        .args(["wrap", "--http", "127.0.0.1:0"])
        .args(args)
        .args(["--", "sh", "-c", &script])
        .current_dir(&shell.0)
        .env("BROWSER", "true")
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut log = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let line = log.next().unwrap();
    assert!(line.contains(" INFO serving at http://127.0.0.1:"), "{line}");
    let at = line.split(" at ").nth(1).and_then(|rest| rest.split([',', ' ']).next());
    let at = at.unwrap_or_else(|| panic!("{line}")).to_owned();
    (child, at, std::thread::spawn(move || log.collect::<Vec<_>>().join("\n")))
}

#[test]
fn a_called_tool_of_a_wrapped_server_is_drawn() {
    let shell = Shell::new("wrap-call");
    std::fs::write(shell.file("wrap.toml"), "audit_file = \"audit.jsonl\"\n").unwrap();
    let (mut child, at, _) = over_http(&shell, &["--config", "wrap.toml"], SERVER);
    let ran = shell.run(&["call", "towns", "--server", &at, "--surface", "terminal"]);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(ran.out.contains('╭') && !ran.out.contains('{'), "{ran:?}");
    let audited = std::fs::read_to_string(shell.file("audit.jsonl")).unwrap();
    let audited: Value = serde_json::from_str(&audited).unwrap();
    assert_eq!((&audited["tool"], &audited["outcome"]), (&json!("towns"), &json!("ok")));
}

#[test]
fn the_gallery_of_a_wrapped_server_calls_its_tools() {
    let shell = Shell::new("wrap-open");
    let (mut child, at, _) = over_http(&shell, &["--open"], SERVER);
    let own = at.replace("/mcp", "/gallery/mcp");
    let call = ["call", "towns", "--server", &own, "--surface", "terminal"];
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    // The server is started while the gallery is served already.
    let ran = loop {
        let ran = shell.run(&call);
        if ran.code == 0 || std::time::Instant::now() > deadline {
            break ran;
        }
    };
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(ran.out.contains('╭') && ran.out.contains("Basel"), "{ran:?}");

    let (mut child, at, _) = over_http(&shell, &[], SERVER);
    let own = at.replace("/mcp", "/gallery/mcp");
    let ran = shell.run(&["call", "towns", "--server", &own]);
    child.kill().unwrap();
    child.wait().unwrap();
    ran.ends(2);
}

/// A wrapped server over HTTP, which holds a pipe open as long as it or what it has started runs.
#[cfg(unix)]
#[test]
fn over_http_every_caller_has_rules_and_nothing_is_left() {
    let shell = Shell::new("wrap-http");
    let key = shell.run(&["key", "ada"]);
    key.ends(0);
    let secret = key.err.split_whitespace().find(|word| word.len() > 30).unwrap().to_owned();
    let rules = format!("{}[access.towns]\nscopes = [\"travel\"]\n", key.out);
    std::fs::write(shell.file("wrap.toml"), rules).unwrap();
    let pipe = shell.file("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let read = pipe.clone();
    let ended = std::thread::spawn(move || std::fs::read(read).unwrap());
    let script = format!("exec 7>pipe\nsleep 1000 &\n{SERVER}");
    let (mut child, at, rest) = over_http(&shell, &["--config", "wrap.toml"], &script);
    let call = ["call", "towns", "--server", &at];
    shell.run(&call).ends(2).complains("authentication required");
    let with_key = [&call[..], &["--bearer", &secret]].concat();
    shell.run(&with_key).ends(2).complains("missing scope travel");
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    let status = child.wait().unwrap();
    assert!(status.success(), "{status}: {}", rest.join().unwrap());
    ended.join().unwrap();

    let open = ["wrap", "--http", "0.0.0.0:0", "--", "sh"];
    shell.run(&open).ends(2).complains("exposes the tools of the server");
    let both =
        ["wrap", "--http", ":0", "--config", "wrap.toml", "--forward-auth", "http://localhost/mcp"];
    shell.run(&both).ends(2).complains("authenticates callers itself");
}

#[test]
fn servers_of_the_file_are_merged() {
    let shell = Shell::new("wrap-servers");
    std::fs::create_dir(shell.file("widgets")).unwrap();
    std::fs::write(shell.file("widgets/server.sh"), format!("echo $NOTE >&2\n{SERVER}")).unwrap();
    let servers = "[servers.north]\nrun = [\"sh\", \"server.sh\"]\nenv = { NOTE = \"path ${PATH}\" }\n\
        [servers.south]\nrun = [\"sh\", \"server.sh\"]\n[views]\nsouth_towns = false\n";
    std::fs::write(shell.file("widgets/widgetcast.toml"), servers).unwrap();
    let call = |id, name: &str| ask(id, "tools/call", &json!({ "name": name }));
    let mut child = Command::new(env!("CARGO_BIN_EXE_widgetcast"))
        .args(["wrap", "--widgets", "widgets"])
        .current_dir(&shell.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut answer = || serde_json::from_str::<Value>(&answers.next().unwrap().unwrap()).unwrap();
    input.write_all(ask(1, "tools/list", &json!({})).as_bytes()).unwrap();
    let listed = answer();
    let tools = &listed["result"]["tools"];
    assert_eq!(
        (&tools[0]["name"], &tools[1]["name"]),
        (&"north_towns".into(), &"south_towns".into())
    );
    assert!(tools[0]["_meta"].is_object() && tools[1].get("_meta").is_none(), "{tools}");
    // Calls have views once their tools are listed.
    let calls = [call(2, "north_towns"), call(3, "south_towns")].concat();
    input.write_all(calls.as_bytes()).unwrap();
    let mut called = [answer(), answer()];
    called.sort_by_key(|answer| answer["id"].as_i64());
    let [north, south] = &called;
    assert!(north["result"]["_meta"]["widgetcast/view"].is_object(), "{north}");
    assert!(south["result"]["content"][0].is_object(), "{south}");
    drop(input);
    let ended = child.wait_with_output().unwrap();
    assert!(ended.status.success(), "{ended:?}");
    assert!(String::from_utf8_lossy(&ended.stderr).contains("path /"), "{ended:?}");

    let config = ["wrap", "--config", "widgets/widgetcast.toml"];
    shell
        .run(&[&config[..], &["http://localhost/mcp"]].concat())
        .ends(2)
        .complains("has [servers]");
    for (from, to, why) in [
        (
            "${PATH}",
            "${NO_SUCH_VARIABLE}",
            "[servers.north]: the environment variable NO_SUCH_VARIABLE",
        ),
        ("env = ", "headers = ", "[servers.north]: `headers` needs `url`"),
        ("servers.south", "servers.south_west", "can only have letters, digits and `-`"),
    ] {
        shell.edit("widgets/widgetcast.toml", from, to);
        shell.run(&config).ends(2).complains(why);
        shell.edit("widgets/widgetcast.toml", to, from);
    }
}

#[test]
fn what_cannot_be_wrapped_is_an_error() {
    let shell = Shell::new("wrap-errors");
    shell.run(&["wrap"]).ends(2).complains("wrap [OPTIONS] -- COMMAND");
    shell.run(&["wrap", "--", "no-such-program"]).ends(2).complains("cannot be started");
    shell.run(&["wrap", "example.com"]).ends(2).complains("is not a URL of a server");
    shell.run(&["wrap", "server.py"]).ends(2).complains("put `--` before it");
    let args = ["wrap", "python", "server.py"];
    shell.run(&args).ends(2).complains("put `--` before it: widgetcast wrap -- python server.py");
    let args = ["wrap", "--widgets", "nowhere", "--", "sh"];
    shell.run(&args).ends(2).complains("no such directory");
}
