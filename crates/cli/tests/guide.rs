//! Runs the commands of the README and the guide. Each must end with exit code 0.

#![allow(clippy::unwrap_used)]

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
        // Fields stand in a form.
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
fn the_commands_of_the_guide_run() {
    let dir = directory();
    commands("docs/guide.md").iter().for_each(|command| run(command, dir.path()));
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
        assert!(entry.metadata().unwrap().len() < 60_000, "{:?} is large", entry.path());
        there.push(entry.file_name().into_string().unwrap());
    }
    there.sort();
    assert_eq!(there, wanted, "`npm run pictures` in web/ makes them");
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

/// Links between the pages lead somewhere, also to a heading.
#[test]
fn links_lead_somewhere() {
    let anchor = |heading: &str| -> String {
        let kept = heading.trim().to_lowercase();
        let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    for page in [
        "README.md",
        "docs/guide.md",
        "docs/sdk.md",
        "docs/pages.md",
        "docs/widgets.md",
        "docs/icons.md",
        "docs/components.md",
        "docs/client.md",
        "docs/deploy.md",
    ] {
        let path = Path::new(ROOT).join(page);
        let text = std::fs::read_to_string(&path).unwrap();
        for link in text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
            if link.contains("://") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let file = if file.is_empty() { path.clone() } else { path.with_file_name(file) };
            let target = if file.is_dir() { None } else { Some(std::fs::read(&file)) };
            let target = target.transpose().unwrap_or_else(|_| panic!("{page}: {link}"));
            if !heading.is_empty() {
                let target = String::from_utf8(target.unwrap()).unwrap();
                let headings = target.lines().filter(|line| line.starts_with('#'));
                let mut headings = headings.map(|line| anchor(line.trim_start_matches('#')));
                assert!(headings.any(|found| found == heading), "{page}: {link}");
            }
        }
    }
}
