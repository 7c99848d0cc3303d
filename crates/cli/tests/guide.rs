//! Runs the commands of the README and the guide. Each must end with exit code 0.

#![allow(clippy::unwrap_used)]

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The commands in a page's shell blocks, without their comments.
fn commands(page: &str) -> Vec<String> {
    let text = std::fs::read_to_string(Path::new(ROOT).join(page)).unwrap();
    let mut inside = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```sh";
        } else if inside && line.starts_with("widgetcast ") {
            found.push(line.split(" #").next().unwrap().trim().to_owned());
        }
    }
    assert!(found.len() >= 5, "{page} has too few commands: {found:?}");
    found
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
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{command}\n{message}");
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
