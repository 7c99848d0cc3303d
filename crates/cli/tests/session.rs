//! The binary as a user uses it: commands in a directory, what they print, how they end.

#![allow(clippy::unwrap_used)]

#[path = "session/bundle.rs"]
mod bundle;
#[path = "session/call.rs"]
mod call;
#[path = "session/chatkit.rs"]
mod chatkit;
#[path = "session/deploy.rs"]
mod deploy;
#[path = "session/export.rs"]
mod export;
#[path = "session/hostile.rs"]
mod hostile;
#[path = "session/install.rs"]
mod install;
#[path = "session/migrations.rs"]
mod migrations;
#[path = "session/serve.rs"]
mod serve;
#[path = "session/telemetry.rs"]
mod telemetry;
#[cfg(unix)]
#[path = "session/tools.rs"]
mod tools;
#[path = "session/wrap.rs"]
mod wrap;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::json;

/// A temporary working directory, removed on drop.
struct Shell(PathBuf);

impl Shell {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("widgetcast-cli-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, "")
    }

    fn run_with(&self, args: &[&str], input: &str) -> Ran {
        Ran::new(args, self.output(args, input, &[]))
    }

    /// What a command gives, with these variables set.
    fn output(&self, args: &[&str], input: &str, variables: &[(&str, &str)]) -> Output {
        let mut child = Command::new(env!("CARGO_BIN_EXE_widgetcast"))
            .args(args)
            .envs(variables.iter().copied())
            .current_dir(&self.0)
            .env_remove("NO_COLOR")
            // Nothing of the machine's own settings is read or written.
            .env("HOME", &self.0)
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("CODEX_HOME")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn edit(&self, name: &str, from: &str, to: &str) {
        let text = std::fs::read_to_string(self.file(name)).unwrap();
        assert!(text.contains(from), "{name} has no {from}");
        std::fs::write(self.file(name), text.replacen(from, to, 1)).unwrap();
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[derive(Debug)]
struct Ran {
    code: i32,
    out: String,
    err: String,
}

impl Ran {
    fn new(args: &[&str], output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let ran = Self {
            code: output.status.code().unwrap_or(-1),
            out: text(output.stdout),
            err: text(output.stderr),
        };
        // Not a terminal, so no colours.
        assert!(!ran.out.contains('\u{1b}') && !ran.err.contains('\u{1b}'), "{args:?}: {ran:?}");
        ran
    }

    #[track_caller]
    fn ends(&self, code: i32) -> &Self {
        assert_eq!(self.code, code, "{self:#?}");
        self
    }

    #[track_caller]
    fn prints(&self, text: &str) -> &Self {
        assert!(self.out.contains(text), "no {text:?} in {self:#?}");
        self
    }

    #[track_caller]
    fn complains(&self, text: &str) -> &Self {
        assert!(self.err.contains(text), "no {text:?} in {self:#?}");
        self
    }
}

#[test]
fn what_people_leave_out_is_said_or_found() {
    let shell = Shell::new("left-out");
    shell.run(&["check"]).ends(0).complains("no widgets found here, so the");
    shell.run(&["new", "Todo"]).ends(0);
    shell.run(&["check"]).ends(0).prints("1 widget checked");
    shell.run(&["new", "Ärztetermin"]).ends(0).prints("arztetermin.widget, the tool arztetermin");
    shell.run(&["new", "会議予定"]).ends(0).prints("the tool hui_yi_yu_ding");
    let named = shell.run(&["check", "hui_yi_yu_ding.widget"]);
    named.ends(0).complains("\"会議予定\" becomes tool hui_yi_yu_ding");
    let text = std::fs::read_to_string(shell.file("hui_yi_yu_ding.widget")).unwrap();
    let hindi = text.replace("会議予定", "पाठ्यक्रम");
    std::fs::write(shell.file("course.widget"), &hindi).unwrap();
    shell.run(&["check", "course.widget"]).ends(0).complains("\"पाठ्यक्रम\" becomes tool paatthykrm");
    let given = hindi.replace("\nname:", "\ntool: paatthykrm\nname:");
    std::fs::write(shell.file("course.widget"), given).unwrap();
    let given = shell.run(&["check", "course.widget"]).ends(0).err.clone();
    assert!(!given.contains("becomes tool"), "{given}");
    std::fs::rename(shell.file("todo.widget"), shell.file("mine.widget")).unwrap();
    shell.run(&["new", "Todo"]).ends(2).complains("mine.widget already defines todo");
    shell.run(&["render", "mine", "--dir", "."]).ends(0).prints("Book the room");
    shell
        .run(&["call", "todo", "--dir", ".", "--data", "id=7"])
        .ends(2)
        .complains("--data takes inline JSON such as '{\"id\": 7}', a file, or - for stdin");
}

#[test]
fn a_first_widget() {
    let shell = Shell::new("first");
    shell.run(&["new", "Launch List"]).ends(0).prints("wrote ./launch_list.widget");
    shell.run(&["new", "Launch List"]).ends(2).complains("launch_list.widget already exists");
    shell.run(&["check", "."]).ends(0).prints("1 widget checked: all good");
    shell.run(&["check", ".", "--strict"]).ends(0).prints("all good");
    shell.run(&["list", "."]).ends(0).prints("launch_list  Shows a short to-do list");
    shell.run(&["render", "launch_list.widget"]).ends(0).prints("- Book the room (Thursday)");

    let data = r#"{"title": "Tiny", "items": []}"#;
    shell
        .run(&["render", "launch_list", "--dir", ".", "--data", data, "--json"])
        .ends(0)
        .prints("\"value\": \"Tiny\"");
    shell.run_with(&["render", "launch_list.widget", "--data", "-"], data).ends(0).prints("Tiny");
    std::fs::write(shell.file("data.json"), data).unwrap();
    shell.run(&["render", "launch_list.widget", "--data", "data.json"]).ends(0).prints("Tiny");

    let wrong = r#"{"title": 7, "items": [{"due": "now"}]}"#;
    shell
        .run(&["render", "launch_list.widget", "--data", wrong])
        .ends(1)
        .complains("- /title: must be a string, not 7")
        .complains("- /items/0/text: is required, but missing");
    shell
        .run(&["render", "launch_list.widget", "--data", "{"])
        .ends(2)
        .complains("the data is not valid JSON: EOF");
    shell
        .run(&["render", "launch_list.widget", "--data", "nope.json"])
        .ends(2)
        .complains("no such file \"nope.json\"; --data takes inline JSON");
}

#[test]
fn every_starter_is_a_good_widget() {
    let shell = Shell::new("starters");
    let starters = ["list", "table", "form", "chart", "confirmation", "progress", "card"];
    for starter in starters {
        let file = format!("my_{starter}.widget");
        shell
            .run(&["new", &format!("My {starter}"), "--from", starter])
            .ends(0)
            .prints(&format!("wrote ./{file}"))
            .prints("widgetcast serve . --watch --open");
        shell.run(&["check", &file, "--strict"]).ends(0).prints("1 widget checked: all good");
        shell.run(&["render", &file]).ends(0);
        let text = std::fs::read_to_string(shell.file(&file)).unwrap();
        assert!(text.starts_with("# yaml-language-server: $schema=widget.schema.json\n"), "{text}");
        assert!(text.contains(&format!("\nname: \"My {starter}\"\n")), "{text}");
    }
    // The schema lies next to them, is not taken for a widget, and stays as it is when it was changed.
    let schema = shell.run(&["schema"]).ends(0).out.clone();
    assert_eq!(std::fs::read_to_string(shell.file("widget.schema.json")).unwrap(), schema);
    assert!(schema.contains("\"A .widget file\""));
    shell.run(&["check", ".", "--strict"]).ends(0).prints("7 widgets checked");
    std::fs::write(shell.file("widget.schema.json"), "{}").unwrap();
    assert!(!shell.run(&["new", "Another"]).ends(0).out.contains("widget.schema.json"));
    assert_eq!(std::fs::read_to_string(shell.file("widget.schema.json")).unwrap(), "{}");
    shell.run(&["new", "X", "--from", "novel"]).ends(2).complains("possible values: list, table");
    // The directory of starters holds nothing that cannot be chosen, and the files of `--app` and `--tool`.
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("starters");
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), starters.len() + 2);
}

/// That it builds and runs is tested with its pages, in `web/test/starter.ts`.
#[test]
fn an_app_is_a_whole_project() {
    let shell = Shell::new("app");
    // As rustfmt formats without the settings of this project.
    std::fs::write(shell.file("rustfmt.toml"), "").unwrap();
    for (name, kind, page) in [("orders", "react", "stats.tsx"), ("my-app", "plain", "stats.ts")] {
        shell
            .run(&["new", "--app", name, "--page", kind])
            .ends(0)
            .prints(&format!("wrote ./{name}\n"))
            .prints("cargo run");
        let file = |path: &str| std::fs::read_to_string(shell.file(name).join(path)).unwrap();
        assert!(file("Cargo.toml").contains(&format!("name = \"{name}\"\n")));
        assert!(file("src/main.rs").contains(&format!("use {}::app;", name.replace('-', "_"))));
        for path in ["src/lib.rs", "src/main.rs", "tests/app.rs"] {
            let path = shell.file(name).join(path);
            let mut rustfmt = Command::new("rustfmt");
            let formatted = rustfmt.args(["--check", "--edition", "2024"]).arg(&path).status();
            let formatted = formatted.unwrap();
            assert!(formatted.success(), "{}", path.display());
        }
        assert!(file("README.md").contains(&format!("web/pages/{page}")));
        assert!(file(&format!("web/pages/{page}")).contains("stats"));
        assert!(file("README.md").lines().count() <= 10);
        shell
            .run(&["check", &format!("{name}/widgets"), "--strict"])
            .ends(0)
            .prints("1 widget checked: all good");
    }
    // By version, or from a checkout.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let root = root.to_str().unwrap();
    shell.run(&["new", "--app", "local", "--from-checkout", root]).ends(0).prints("npm run pack");
    let version = env!("CARGO_PKG_VERSION");
    let packed = format!("file:{root}/target/npm/widgetcast-react-{version}.tgz");
    for (name, cargo, npm) in [
        ("orders", format!("\"{version}\""), format!("^{version}")),
        ("local", format!("{{ path = \"{root}/crates/widgetcast\" }}"), packed),
    ] {
        let file = |path: &str| std::fs::read_to_string(shell.file(name).join(path)).unwrap();
        assert!(file("Cargo.toml").contains(&format!("\nwidgetcast = {cargo}\n")), "{name}");
        let npm = format!("\"@widgetcast/react\": \"{npm}\"");
        assert!(file("web/package.json").contains(&npm), "{name}");
        assert!(!file("web/package.json").contains("APP_"), "{name}");
    }
    let nowhere = ["new", "--app", "x", "--from-checkout", "."];
    shell.run(&nowhere).ends(2).complains("is not a Widgetcast checkout");
    shell.run(&["new", "--app", "orders"]).ends(2).complains("orders already exists");
    shell.run(&["new", "--app", "My App"]).ends(2).complains("is not a valid package name");
    shell.run(&["new", "--app", "x", "--from", "list"]).ends(2).complains("cannot be used with");
    shell.run(&["new", "x", "--page", "plain"]).ends(2).complains("--app");
    // Every file of the directory is written.
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("starters/app")];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            match entry.file_type().unwrap().is_dir() {
                true => folders.push(entry.path()),
                false => files += 1,
            }
        }
    }
    assert_eq!(files, 11 + 4 + 5, "see new/app.rs");
}

#[test]
fn break_it_and_mend_it_from_what_check_says() {
    let shell = Shell::new("mend");
    shell.run(&["new", "Note"]).ends(0);
    shell.edit("note.widget", "\"type\": \"Title\"", "\"type\": \"Titel\"");
    let ran = shell.run(&["check", "."]);
    ran.ends(1)
        .prints(
            "error[tree-type]: note.widget:42:14: /children/0/type: unknown component \"Titel\"",
        )
        .prints("42 |     {\"type\": \"Titel\", \"value\": {{ title | tojson")
        .prints("did you mean Title?");
    shell.run(&["render", "note.widget"]).ends(1).complains("did you mean Title?");
    let mistyped = shell.run(&["render", "./nott.widget"]);
    mistyped.ends(2).complains("./nott.widget: no such file; did you mean ./note.widget?");
    let json = shell.run(&["render", "note.widget", "--json"]);
    json.ends(1).complains("did you mean Title?");
    assert_eq!(json.out, "", "findings go to standard error");
    for verb in ["render", "call"] {
        let run = shell.run(&[verb, "note", "--dir", "."]);
        run.ends(2).complains("./note.widget has errors; run `widgetcast check ./note.widget`");
    }
    shell.run(&["list", "."]).ends(1).complains("unknown component \"Titel\"");
    shell.edit("note.widget", "Titel", "Title");
    shell.run(&["check", "."]).ends(0);
}

#[test]
fn fixes_are_written() {
    let shell = Shell::new("fix");
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/broken");
    for name in [
        "studio-equality",
        "studio-index",
        "studio-series",
        "studio-number",
        "studio-undefined",
        "studio-children",
    ] {
        std::fs::copy(
            fixtures.join(format!("{name}.widget")),
            shell.file(&format!("{name}.widget")),
        )
        .unwrap();
    }
    shell.run(&["check", "."]).ends(1).prints("fixes it in the file");
    shell
        .run(&["check", ".", "--fix"])
        .ends(0)
        .complains("fixed 1 place in ./studio-children.widget")
        .prints("6 widgets checked: all good");
    let again = shell.run(&["check", ".", "--fix"]);
    assert!(!again.ends(0).complains("nothing to fix").err.contains("fixed"));
    let empty = Shell::new("fix_gallery");
    empty.run(&["check", "--fix"]).ends(2).complains("the gallery is built into the binary");
}

#[test]
fn yaml_is_fixed_too() {
    let shell = Shell::new("fix_yaml");
    let text = "# mine\nversion: 1.0.0 # old\nname: Note\ntemplate: |  # how\n  {\"type\": \"Card\", \"children\": [\n    {%- if a === 'x' -%}\n    {\"type\": \"Divider\"}\n    {%- endif -%}\n  ]}\n";
    std::fs::write(shell.file("note.widget"), text).unwrap();
    shell.run(&["check", "."]).ends(1).prints("`check --fix` can fix 2");
    shell
        .run(&["check", ".", "--fix"])
        .ends(0)
        .complains("fixed 2 places in ./note.widget")
        .prints("1 widget checked: all good");
    let fixed = std::fs::read_to_string(shell.file("note.widget")).unwrap();
    assert_eq!(fixed, text.replace("1.0.0", "\"1.0\"").replace("===", "=="));
}

#[test]
fn fixing_keeps_what_it_must() {
    let shell = Shell::new("keep");
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/broken");
    let text = std::fs::read_to_string(fixtures.join("studio-index.widget")).unwrap();
    // A byte order mark, and two files with one name: both are fixed, neither is damaged.
    std::fs::write(shell.file("a.widget"), format!("\u{feff}{text}")).unwrap();
    std::fs::write(shell.file("b.widget"), &text).unwrap();
    shell
        .run(&["check", ".", "--fix"])
        .ends(1)
        .complains("a.widget")
        .complains("b.widget")
        .prints("error[name-taken]");
    let fixed = std::fs::read_to_string(shell.file("a.widget")).unwrap();
    assert_eq!(
        fixed.strip_prefix('\u{feff}').unwrap(),
        std::fs::read_to_string(shell.file("b.widget")).unwrap()
    );
    std::fs::remove_file(shell.file("b.widget")).unwrap();
    shell.run(&["check", "."]).ends(0).prints("all good");
    std::fs::remove_file(shell.file("a.widget")).unwrap();
    shell.run(&["check", "."]).ends(2).complains("no widgets found in .");
    std::fs::write(shell.file("a.json"), "{}").unwrap();
    shell.run(&["check", "a.json"]).ends(2).complains("a widget's file ends in `.widget`");
}

#[test]
fn a_result_is_read_back() {
    let shell = Shell::new("extract");
    let result =
        shell.run(&["render", "flight_tracker", "--surface", "mcp-apps"]).ends(0).out.clone();
    shell.run_with(&["extract"], &result).ends(0).prints("Halcyon Air").prints("╭─");
    shell.run_with(&["extract", "--json"], &result).ends(0).prints("\"kind\": \"meta_tree\"");
    // As a host gets it, with the drawings that the page lacks.
    let plane = r#"{"version": "1.0", "name": "Plane",
        "template": "{\"type\": \"Card\", \"children\": [{\"type\": \"Icon\", \"name\": \"lucide:plane\"}]}"}"#;
    std::fs::write(shell.file("plane.widget"), plane).unwrap();
    for surface in ["mcp-apps", "chatgpt"] {
        let drawn =
            shell.run(&["render", "plane.widget", "--surface", surface]).ends(0).out.clone();
        let drawn: serde_json::Value = serde_json::from_str(&drawn).unwrap();
        let icon = &drawn["_meta"]["widgetcast/view"]["icons"]["lucide:plane"];
        assert!(icon.is_array(), "{surface}: {drawn}");
    }
    let steering = r#"{"content": [{"type": "text", "text": "\u009b31m \u202e"}]}"#;
    shell.run_with(&["extract", "--json"], steering).ends(0).prints(r"\u009b31m \u202e");
    let stored = r#"{"messages":[{"role":"user","content":"hello"},{"role":"tool_result",
        "content":"Pier 3","metadata":{"mcp_content":[{"type":"text","text":"Pier 3"}]}}]}"#;
    shell.run_with(&["extract"], stored).ends(0).prints("Pier 3");
    shell.run_with(&["extract"], "{\"content\": 5}").ends(1);
    shell.run_with(&["extract"], "nonsense").ends(2).complains("the input is not valid JSON");
    for surface in
        ["text", "markdown", "terminal", "chatkit", "chatgpt", "slack", "teams", "email", "all"]
    {
        shell
            .run(&["render", "flight_tracker", "--surface", surface])
            .ends(0)
            .prints("Halcyon Air");
    }
}

/// Writes a widget of these children.
fn write_widget(shell: &Shell, name: &str, children: &str) {
    let template = format!(r#"{{"type":"Card","children":[{children}]}}"#);
    let text = json!({"version": "1.0", "name": name, "template": template});
    std::fs::write(shell.file(&format!("{name}.widget")), text.to_string()).unwrap();
}

#[test]
fn the_worst_findings_come_first_and_each_is_said_once() {
    let shell = Shell::new("report");
    let row = r#"{"type":"Row","gap":"two","children":[]}"#;
    write_widget(&shell, "a", &[row; 3].join(","));
    write_widget(&shell, "b", r#"{"type":"Bagde"}"#);
    // Empty children of a leaf are a note.
    write_widget(&shell, "c", r#"{"type":"Divider","children":[]}"#);
    let here = shell.0.canonicalize().unwrap();
    for path in [".", here.to_str().unwrap()] {
        let ran = shell.run(&["check", path]);
        let error = ran.out.find("error[tree-type]: b.widget:1:").expect("an error");
        let warning = ran.out.find("warning[unknown-value]: a.widget:1:").expect("a warning");
        assert!(error < warning, "{}", ran.out);
        assert_eq!(ran.out.matches("gap of Row is").count(), 1, "{}", ran.out);
        ran.ends(1).prints("  = also: 1:").prints(
            "3 widgets checked: 1 broken, 1 error, 3 warnings, 1 note (see --notes); `check --fix` can \
             fix 1",
        );
        assert!(!ran.out.contains("studio-children"), "{}", ran.out);
        shell.run(&["check", path, "--notes"]).prints("note[studio-children]: c.widget:1:");
    }
    shell
        .run(&["check", "c.widget"])
        .ends(0)
        .prints("1 widget checked: all good, 1 note (see --notes)");
}

#[test]
fn many_warnings_take_one_line_each() {
    let shell = Shell::new("many");
    for index in 0..30 {
        write_widget(&shell, &format!("w{index}"), r#"{"type":"Row","gap":"two","children":[]}"#);
    }
    let ran = shell.run(&["check", "."]);
    ran.ends(1)
        .prints("Run `widgetcast check FILE` to see each finding with its line and how to fix it.");
    assert_eq!(ran.out.lines().count(), 33, "{}", ran.out);
}

#[derive(serde::Deserialize)]
struct Junit {
    #[serde(rename = "@tests")]
    tests: usize,
    #[serde(rename = "@failures")]
    failures: usize,
    testcase: Vec<JunitTest>,
}

#[derive(serde::Deserialize)]
struct JunitTest {
    #[serde(rename = "@name")]
    name: String,
    failure: Option<JunitFailure>,
}

#[derive(serde::Deserialize)]
struct JunitFailure {
    #[serde(rename = "@type")]
    code: String,
    #[serde(rename = "$text")]
    text: String,
}

#[test]
fn findings_for_programs() {
    let shell = Shell::new("formats");
    std::fs::write(shell.file("a.widget"), "{\n  1").unwrap();
    let json: serde_json::Value =
        serde_json::from_str(&shell.run(&["check", ".", "--format", "json"]).ends(1).out).unwrap();
    assert_eq!(json[0]["code"], "file-syntax");
    assert_eq!((&json[0]["line"], &json[0]["column"]), (&2.into(), &3.into()));
    let sarif: serde_json::Value =
        serde_json::from_str(&shell.run(&["check", ".", "--format", "sarif"]).ends(1).out).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "file-syntax");
    let location = &result["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "a.widget");
    assert_eq!(location["region"], json!({ "startLine": 2, "startColumn": 3 }));
    let rule = &sarif["runs"][0]["tool"]["driver"]["rules"][0];
    assert_eq!(rule["id"], "file-syntax");
    write_widget(&shell, "good", r#"{"type":"Text","value":"a & b"}"#);
    let junit = shell.run(&["check", ".", "--format", "junit"]).ends(1).out.clone();
    let junit: Junit = quick_xml::de::from_str(&junit).unwrap();
    assert_eq!((junit.tests, junit.failures, junit.testcase.len()), (2, 1, 2));
    assert_eq!(junit.testcase[0].name, "a.widget");
    let failure = junit.testcase[0].failure.as_ref().unwrap();
    assert_eq!(failure.code, "file-syntax");
    assert!(failure.text.contains("a.widget:2:3"), "{}", failure.text);
    assert_eq!(junit.testcase[1].name, "1 without a warning");
    assert!(junit.testcase[1].failure.is_none());
}

/// What a host cannot do is a warning only for those who want it there.
#[test]
fn hosts_that_are_named_are_checked() {
    let shell = Shell::new("hosts");
    let button = |action| json!({"type": "Button", "label": "Pay the whole bill", "onClickAction": {"type": action}});
    let card = json!({"type": "Card", "children": [button("pay"), button("other.tool")]});
    let widget =
        json!({"version": "1.0", "name": "Pay", "template": card.to_string(), "sample": {}});
    std::fs::write(shell.file("pay.widget"), widget.to_string()).unwrap();
    let check = |hosts: &str| shell.run(&["check", ".", "--host", hosts, "--notes"]);
    check("chatkit").ends(0);
    check("goose").prints("the action \"pay\" only reaches the model in Goose");
    let words = "the action \"other.tool\" works in Cursor only if your server has this tool";
    check("cursor").ends(0).prints(words);
    check("claude").ends(1).prints("no-description");
    check("cluade").ends(2).complains("did you mean claude?");
    check("nowhere").ends(2).complains("available hosts: claude, chatgpt");
}

/// How many widgets `widgets/` holds, all of which the binary must embed.
fn gallery_files() -> usize {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("widgets");
    let count = std::fs::read_dir(folder).unwrap().count();
    assert!(count > 0);
    count
}

#[test]
fn the_gallery_is_in_the_binary() {
    let shell = Shell::new("gallery");
    shell.run(&["list"]).ends(0).prints("flight_tracker").prints("weather_forecast");
    shell.run(&["check", "--strict"]).ends(0).prints("all good");
    shell.run(&["render", "flight_tracker"]).ends(0);
    shell
        .run(&["render", "Flight Tracker", "--sample", "--json"])
        .ends(0)
        .prints("\"type\": \"Card\"");
    shell.run(&["render", "flight"]).ends(2).complains("did you mean flight_tracker?");
    shell.run(&["render", "my_card"]).ends(2).complains("pass your own directory with --dir");
    let list: serde_json::Value =
        serde_json::from_str(&shell.run(&["list", "--json"]).ends(0).out).unwrap();
    let list = list.as_array().unwrap();
    assert_eq!(list.len(), gallery_files());
    assert!(list.iter().all(|widget| widget["inputSchema"]["type"] == "object"));
}

#[test]
fn what_cannot_run_ends_with_2() {
    let shell = Shell::new("two");
    shell.run(&["check", "nowhere"]).ends(2).complains("nowhere: no such file or directory");
    shell.run(&["list", "nowhere"]).ends(2).complains("nowhere: no such file or directory");
    shell.run(&["frobnicate"]).ends(2).complains("unrecognized subcommand");
    shell.run(&["new", "…"]).ends(2).complains("no tool name can be derived from");
    for shell_name in ["bash", "zsh", "fish", "powershell", "elvish"] {
        shell.run(&["completions", shell_name]).ends(0).prints("widgetcast");
    }
}

/// A Slack template that is broken is found by `check`, with its line, and stops nothing but itself.
#[test]
fn slack_templates_fail_alone() {
    let shell = Shell::new("slack");
    std::fs::create_dir(shell.file("cards")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(shell.file(name), text).unwrap();
    write(
        "cards/order.yml",
        "version: \"1.0\"\nname: Order\nsample: {title: Seven}\n\
         jsonSchema: {type: object, properties: {title: {type: string}}}\n\
         widget:\n  type: Card\n  children:\n    - {type: Text, value: '{{ title }}'}\n",
    );
    let blocks = "blocks:\n  - type: section\n    text: {type: mrkdwn, text: '*{{ title }}*'}\n";
    write("cards/order.blocks.yml", blocks);
    write("cards/order.work-object.yml", "event_type: a\nentity:\n  url: '{{ missing }}'\n");
    let render = |surface| {
        shell.run(&["render", "order", "--dir", "cards", "--sample", "--surface", surface])
    };
    render("slack-blocks").ends(0).prints("*Seven*");
    render("slack-work-object").ends(1).complains("order.work-object.yml:3:").complains("missing");
    shell
        .run(&["check", "cards"])
        .ends(1)
        .prints("order.work-object.yml:3:")
        .prints("`missing` is not declared in the schema");
    write("cards/order.work-object.yml", "event_type: a\nentity:\n  url: '{{ title | }}'\n");
    render("slack-work-object").ends(1).complains("order.work-object.yml:3:");
    write("cards/ordre.blocks.yml", blocks);
    shell.run(&["check", "cards"]).ends(1).prints("did you mean order.blocks.yml?");
}
