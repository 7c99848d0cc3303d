//! The README and the book: their commands run, their files are valid, and their links lead somewhere.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// What a page shows in code blocks.
enum Shown {
    /// A line of a shell block, without its comment.
    Command(String),
    /// YAML: a whole file, whose first line is a comment with its path, or a part of a widget.
    File(String, String),
    Part(String),
}

fn shown(page: &str) -> Vec<Shown> {
    let text = std::fs::read_to_string(Path::new(ROOT).join(page)).unwrap();
    let mut found = Vec::new();
    let mut blocks = text.split("```").skip(1).step_by(2);
    while let Some((kind, body)) = blocks.next().and_then(|block| block.split_once('\n')) {
        match kind {
            "sh" => {
                let commands = body.lines().filter(|line| line.starts_with("widgetcast "));
                let bare = |line: &str| line.split(" #").next().unwrap().trim().to_owned();
                found.extend(commands.map(|line| Shown::Command(bare(line))));
            }
            "yaml" => found.push(match body.split_once('\n') {
                Some((path, file)) if path.ends_with(".widget") => {
                    let path = path.strip_prefix("# ").expect("a comment with the path");
                    Shown::File(path.to_owned(), file.to_owned())
                }
                _ => Shown::Part(body.to_owned()),
            }),
            _ => {}
        }
    }
    found
}

/// The commands in a page's shell blocks.
fn commands(page: &str) -> Vec<String> {
    let commands = shown(page).into_iter().filter_map(|shown| match shown {
        Shown::Command(command) => Some(command),
        _ => None,
    });
    let found: Vec<String> = commands.collect();
    assert!(found.len() >= 5, "{page} has too few commands: {found:?}");
    found
}

/// A widget around a part of one: the root, or children of a card.
fn around(part: &str) -> String {
    let indented = |by: &str| part.lines().map(|line| format!("{by}{line}\n")).collect::<String>();
    let head = "version: \"1.0\"\nname: Part\nwidget:\n";
    match part.starts_with("- ") {
        // Fields are in a form.
        true => format!(
            "{head}  type: Card\n  asForm: true\n  confirm: {{label: Send, action: {{type: send}}}}\n  children:\n{}",
            indented("    ")
        ),
        false => format!("{head}{}", indented("  ")),
    }
}

/// A directory with the gallery in `widgets/`.
fn directory() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let widgets = dir.path().join("widgets");
    std::fs::create_dir(&widgets).unwrap();
    for entry in std::fs::read_dir(Path::new(ROOT).join("crates/cli/widgets")).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), widgets.join(entry.file_name())).unwrap();
    }
    dir
}

fn run(command: &str, dir: &Path) {
    let binary = Path::new(env!("CARGO_BIN_EXE_widgetcast")).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap());
    let serves = command.starts_with("widgetcast serve") && !command.contains("--stdio");
    let mut child = Command::new("sh")
        .args(["-c", &format!("exec {command}")])
        .current_dir(dir)
        .env("PATH", path)
        .env("HOME", dir)
        // The port of the guide may be taken.
        .env("WIDGETCAST_HTTP", "127.0.0.1:0")
        // What `--open` starts.
        .env("BROWSER", "true")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    if serves {
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let line = lines.find(|line| line.as_ref().is_ok_and(|line| line.contains("serving ")));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(line.is_some(), "{command} does not serve");
        return;
    }
    let output = child.wait_with_output().unwrap();
    let [said, message] =
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert_eq!(output.status.code(), Some(0), "{command}\n{said}{message}");
}

/// From nothing: every file that a command names was written by one before it.
#[test]
fn the_commands_of_the_readme_run() {
    let dir = tempfile::tempdir().unwrap();
    commands("README.md").iter().for_each(|command| run(command, dir.path()));
}

#[test]
fn the_commands_of_the_book_run() {
    let dir = directory();
    let hosts = pages().into_iter().filter(|page| page.starts_with("docs/hosts"));
    let pages: Vec<String> = hosts.chain(["docs/start.md".to_owned()]).collect();
    let commands = pages.iter().flat_map(|page| shown(page)).filter_map(|shown| match shown {
        Shown::Command(command) => Some(command),
        _ => None,
    });
    let commands: Vec<String> = commands.collect();
    assert!(commands.len() >= 20, "{commands:?}");
    commands.iter().for_each(|command| run(command, dir.path()));
}

/// Files are written where the page says so, before the commands below them; parts are checked.
#[test]
fn the_page_about_widgets_is_right() {
    let dir = tempfile::tempdir().unwrap();
    let mut parts = 0;
    for page in ["docs/widgets.md", "docs/icons.md"] {
        for shown in shown(page) {
            match shown {
                Shown::Command(command) => run(&command, dir.path()),
                Shown::File(path, text) => {
                    std::fs::write(dir.path().join(&path), text).unwrap();
                    run(&format!("widgetcast check {path} --strict"), dir.path());
                }
                Shown::Part(part) => {
                    std::fs::write(dir.path().join("part.widget"), around(&part)).unwrap();
                    run("widgetcast check part.widget", dir.path());
                    parts += 1;
                }
            }
        }
    }
    assert!(parts >= 8, "{parts} parts");
}

#[test]
fn every_picture_is_there_and_small() {
    let docs = Path::new(ROOT).join("docs");
    let mut wanted: Vec<String> = Vec::new();
    for page in ["widgets.md", "icons.md", "pages.md"] {
        let text = std::fs::read_to_string(docs.join(page)).unwrap();
        let pictures = text.split("](pictures/").skip(1);
        wanted.extend(pictures.map(|rest| rest.split(')').next().unwrap().to_owned()));
    }
    wanted.sort();
    let entries = std::fs::read_dir(docs.join("pictures")).unwrap();
    let mut there: Vec<String> = Vec::new();
    for entry in entries.map(Result::unwrap) {
        assert!(entry.metadata().unwrap().len() < 80_000, "{:?} is large", entry.path());
        there.push(entry.file_name().into_string().unwrap());
    }
    there.sort();
    assert_eq!(there, wanted, "`npm run pictures` in web/ makes them");
}

/// Every page of the book, as `docs/SUMMARY.md` lists them.
fn pages() -> Vec<String> {
    let summary = std::fs::read_to_string(Path::new(ROOT).join("docs/SUMMARY.md")).unwrap();
    let links = summary.split("](").skip(1).map(|rest| rest.split(')').next().unwrap());
    links.filter(|link| !link.is_empty()).map(|link| format!("docs/{link}")).collect()
}

/// The help of the program, or of a verb, and of those below it.
fn help(verbs: &[&str], page: &mut String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_widgetcast"));
    // Values of the environment would be shown.
    let output = program.env_clear().args(verbs).arg("--help").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let name = ["widgetcast"].iter().chain(verbs).copied().collect::<Vec<_>>().join(" ");
    page.push_str(&format!("\n## {name}\n```text\n{}\n```\n", lines.join("\n")));
    let commands = lines.iter().skip_while(|line| **line != "Commands:").skip(1);
    for line in commands.take_while(|line| !line.is_empty()) {
        // A line that goes on is indented more.
        let verb = line.strip_prefix("  ").filter(|line| !line.starts_with(' '));
        let verb = verb.and_then(|line| line.split(' ').next()).filter(|verb| *verb != "help");
        verb.into_iter().for_each(|verb| help(&[verbs, &[verb]].concat(), page));
    }
}

/// `docs/cli.md` is what `--help` prints; `WIDGETCAST_BLESS=1` writes it.
#[test]
fn the_reference_of_the_command_line_is_right() {
    let mut page = String::from(
        "# Command line\n\nWhat `--help` prints. Flags take precedence over environment variables, which take \
         precedence over the config file. Exit codes: 0 success, 1 findings, 2 error.\n",
    );
    help(&[], &mut page);
    let path = Path::new(ROOT).join("docs/cli.md");
    if std::env::var_os("WIDGETCAST_BLESS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == page, "docs/cli.md differs from --help: WIDGETCAST_BLESS=1 writes it");
}

#[test]
fn every_page_is_in_the_summary_once() {
    let mut listed = pages();
    listed.push("docs/SUMMARY.md".into());
    listed.sort();
    let mut there = Vec::new();
    for dir in ["docs", "docs/hosts"] {
        for entry in std::fs::read_dir(Path::new(ROOT).join(dir)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".md") {
                there.push(format!("{dir}/{name}"));
            }
        }
    }
    there.sort();
    assert_eq!(listed, there, "docs/SUMMARY.md is the table of contents");
}

/// Pages read well where they are looked at, on a forge: one title, no lines that only rustdoc hides, and
/// in the README no line of code that is cut.
#[test]
fn pages_fit_a_forge() {
    let docs = Path::new(ROOT).join("docs");
    let mut pages: Vec<_> = std::fs::read_dir(docs).unwrap().map(|e| e.unwrap().path()).collect();
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.push(Path::new(ROOT).join("README.md"));
    for path in pages {
        let (page, text) = (path.display(), std::fs::read_to_string(&path).unwrap());
        let blocks: Vec<&str> = text.split("```").collect();
        let titles = blocks.iter().step_by(2).flat_map(|prose| prose.lines());
        let titles = titles.filter(|line| line.starts_with("# ")).count();
        assert_eq!(titles, 1, "{page}");
        for block in blocks.iter().skip(1).step_by(2) {
            let hidden = |line: &&str| block.starts_with("rust") && line.starts_with("# ");
            assert_eq!(block.lines().find(hidden), None, "{page}");
            let is_cut = |line: &&str| path.ends_with("README.md") && line.chars().count() > 96;
            assert_eq!(block.lines().find(is_cut), None, "{page}");
        }
    }
}

/// The links of a page, with their names if they are defined at its end: `[name]: file.md`.
fn links(page: &str) -> Vec<(&str, &str)> {
    let prose: Vec<&str> =
        page.split("```").step_by(2).flat_map(|text| text.split('`').step_by(2)).collect();
    let inline = prose.iter().flat_map(|text| text.split("](").skip(1));
    let inline = inline.map(|rest| ("", rest.split(')').next().unwrap()));
    let defined = prose.iter().flat_map(|text| text.lines());
    let defined = defined.filter_map(|line| line.strip_prefix('[')?.split_once("]: "));
    let found: Vec<_> = inline.chain(defined).collect();
    for name in prose.iter().flat_map(|text| text.split("][").skip(1)) {
        let name = name.split(']').next().unwrap();
        assert!(found.iter().any(|(other, _)| *other == name), "[{name}] is not defined");
    }
    found
}

/// Links lead somewhere, also to a heading. The book has nothing outside of `docs/`, so its pages name other
/// files without a link.
#[test]
fn links_lead_somewhere() {
    let anchor = |heading: &str| -> String {
        let kept = heading.trim().to_lowercase();
        let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    let book = Path::new(ROOT).join("docs").canonicalize().unwrap();
    let others = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "DESIGN.md", "bench/README.md"];
    for page in pages().into_iter().chain(others.map(str::to_owned)) {
        let path = Path::new(ROOT).join(&page).canonicalize().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        for (_, link) in links(&text) {
            if link.contains("://") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let file = if file.is_empty() { path.clone() } else { path.with_file_name(file) };
            let file = file.canonicalize().unwrap_or_else(|_| panic!("{page}: {link}"));
            assert!(!path.starts_with(&book) || file.starts_with(&book), "{page}: {link}");
            if !heading.is_empty() {
                let target = std::fs::read_to_string(&file).unwrap();
                let headings = target.lines().filter(|line| line.starts_with('#'));
                let mut headings = headings.map(|line| anchor(line.trim_start_matches('#')));
                assert!(headings.any(|found| found == heading), "{page}: {link}");
            }
        }
    }
}

/// The source files of a crate.
fn sources(dir: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => sources(&path, found),
            false => found.push(std::fs::read_to_string(path).unwrap()),
        }
    }
}

/// Public items with their documentation: `Tool`, `Tool::new`.
fn documented(source: &str) -> Vec<(String, String)> {
    let (mut found, mut docs, mut owner) = (Vec::new(), String::new(), None);
    // Brackets that an attribute of several lines has not closed.
    let mut open = 0;
    let name_of = |text: &str| -> String {
        text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    for line in source.lines() {
        let text = line.trim();
        if let Some(doc) = text.strip_prefix("///") {
            docs = format!("{docs}{doc}\n");
            continue;
        }
        if open > 0 || text.starts_with("#[") {
            open += text.matches('[').count();
            open -= text.matches(']').count();
            continue;
        }
        if line == "}" {
            owner = None;
        } else if let Some(rest) = line.strip_prefix("impl") {
            let rest = rest.rsplit_once("> ").map_or(rest, |(_, rest)| rest);
            let rest = line.split_once(" for ").map_or(rest.trim(), |(_, rest)| rest);
            owner = Some(name_of(rest));
        } else if let Some(item) = text.strip_prefix("pub ") {
            let item = item.trim_start_matches("const ").trim_start_matches("async ");
            if let Some((kind, rest)) = item.split_once(' ')
                && matches!(kind, "fn" | "struct" | "enum" | "trait" | "type")
            {
                let name = name_of(rest);
                let whole = match &owner {
                    Some(owner) if kind == "fn" => format!("{owner}::{name}"),
                    _ => name.clone(),
                };
                found.push((whole, std::mem::take(&mut docs)));
                if kind == "trait" {
                    owner = Some(name);
                }
            }
        }
        docs.clear();
    }
    found
}

/// The code in documentation.
fn code(docs: &str) -> String {
    docs.split("```").skip(1).step_by(2).collect()
}

/// Public items of the SDK without an example, and why.
const WITHOUT_EXAMPLE: &[(&str, &str)] = &[
    ("Output", "what handlers return implements it; nothing calls it by name"),
    ("Visibility", "from the core, which cannot link to `Tool::visibility`"),
    ("IntoValues", "as `Output`"),
    ("IntoResult", "as `Output`"),
    ("IntoMessages", "as `Output`"),
    ("IntoContents", "as `Output`"),
    ("IntoListed", "as `Output`"),
    ("RelayedCall", "for a relay such as `widgetcast-wrap`, which is too long for an example"),
    ("RelayedMessage", "as `RelayedCall`"),
    ("relayed_params", "as `RelayedCall`"),
    ("StoreListener", "an alias; only stores for several processes need it"),
];

/// An item has an example, or its documentation links to one that uses it.
#[test]
fn public_items_have_an_example() {
    let src = Path::new(ROOT).join("crates/widgetcast/src");
    let mut texts = Vec::new();
    sources(&src, &mut texts);
    sources(&Path::new(ROOT).join("crates/core/src"), &mut texts);
    let mut docs: BTreeMap<String, String> = BTreeMap::new();
    for (name, text) in texts.iter().flat_map(|text| documented(text)) {
        docs.entry(name).or_default().push_str(&text);
    }
    let has_example = |name: &str| {
        let text = docs.get(name).unwrap_or_else(|| panic!("{name} is not found"));
        let links = text.split("[`").skip(1).filter_map(|rest| docs.get(rest.split("`]").next()?));
        !code(text).is_empty() || links.into_iter().any(|text| code(text).contains(name))
    };

    let lib = std::fs::read_to_string(src.join("lib.rs")).unwrap();
    let lib = lib.replace("#[doc(hidden)]\npub use", "");
    let mut names: Vec<&str> = Vec::new();
    for list in lib.split("pub use ").skip(1).map(|rest| rest.split(';').next().unwrap()) {
        let list = list.split_once('{').or_else(|| list.rsplit_once("::")).unwrap().1;
        names.extend(list.trim_end_matches('}').split(',').map(str::trim));
    }
    names.retain(|name| !name.is_empty());
    assert!(names.len() > 70, "{names:?}");
    let lacking: Vec<&str> = names.into_iter().filter(|name| !has_example(name)).collect();
    let allowed: Vec<&str> = WITHOUT_EXAMPLE.iter().map(|(name, _)| *name).collect();
    assert_eq!(lacking, allowed, "add an example, or a link to one that uses the item");
    for module in ["components/mod.rs", "test.rs"] {
        let text = std::fs::read_to_string(src.join(module)).unwrap();
        assert!(text.contains("//! ```"), "{module}");
    }
}

/// On docs.rs, a page of the book is alone: its links are definitions, which the crate replaces by items.
#[test]
fn pages_on_docs_rs_link_to_items() {
    let mut pages = 0;
    for entry in std::fs::read_dir(Path::new(ROOT).join("crates")).unwrap() {
        let src = entry.unwrap().path().join("src");
        let lib = std::fs::read_to_string(src.join("lib.rs")).unwrap_or_default();
        let lines: Vec<&str> = lib.lines().map(str::trim).collect();
        for (index, line) in lines.iter().enumerate() {
            let Some(page) = line.strip_prefix("#[doc = include_str!(\"") else { continue };
            let above: Vec<_> =
                lines[..index].iter().rev().take_while(|line| line.starts_with("#[")).collect();
            if above.contains(&&"#[cfg(doctest)]") {
                continue;
            }
            pages += 1;
            let text = std::fs::read_to_string(src.join(page.split('"').next().unwrap())).unwrap();
            for (name, link) in links(&text).into_iter().filter(|(_, link)| !link.contains("://")) {
                let item = format!("#[doc = \"[{name}]: crate::");
                let is_item = !name.is_empty() && above.iter().any(|line| line.starts_with(&item));
                assert!(is_item, "{page}: {link}");
            }
        }
    }
    assert!(pages >= 2);
}
