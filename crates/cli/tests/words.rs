//! The language of the project. `AVOID` lists wording that the field does not use, and what to write instead.
//! It covers help, documents, findings, messages and comments in Rust, including the examples, and the
//! documentation of public items in TypeScript.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Wording to avoid, as whole words in lower case, and the term to use.
const AVOID: &[(&str, &str)] = &[
    ("mend", "fix"),
    ("mends", "fixes"),
    ("mended", "fixed"),
    ("proven", "authenticated"),
    ("unproven", "unauthenticated"),
    ("person", "user"),
    ("persons", "users"),
    ("whom", "who, or another sentence"),
    ("one's own", "custom, or your own"),
    ("words", "text, message or label"),
    ("told", "notified, or what the client receives"),
    ("said", "reported, returned, logged or printed"),
    ("take over", "reload"),
    ("taken over", "reloaded"),
    ("takes over", "reloads"),
    ("if no audience is it", "if it is not one of the audiences"),
    ("a server that runs", "a running server"),
    ("shall", "must, or the imperative"),
    ("tools answer", "tools are called"),
    ("come back", "retry"),
    ("has not 64", "must be 64"),
    ("hexadecimal", "hex"),
    ("broke off", "ended early"),
    ("nobody has", "unauthenticated, or nothing has"),
    ("somebody", "a user"),
    ("is gone", "was removed"),
    ("cannot do what this needs", "lacks the capability"),
    ("in the word of", "as claimed by"),
    ("what a request gets", "the response"),
    ("who answers", "what produces the replies"),
    ("under one roof", "merged"),
    ("is not held", "is out of scope"),
    ("anew", "again"),
    ("standard input", "stdin"),
    ("standard output", "stdout"),
    ("standard error", "stderr"),
    ("wiring mistake", "configuration error"),
    ("wiring mistakes", "configuration errors"),
    ("; it means", "; treated as"),
    ("goes on", "continues"),
    ("gives back", "returns"),
    ("proves", "authenticates"),
    ("of your own", "your own, or custom"),
    ("that is none", "that is invalid, or not a …"),
    ("stand in", "are in"),
    ("stands in", "is in"),
    ("does not answer", "does not respond"),
    ("did not answer", "did not respond"),
    ("came of", "the result"),
    ("comes of", "the result"),
    ("tells it from", "distinguishes it from"),
    ("another now", "replaced"),
    ("the most bytes", "maximum bytes"),
    ("so many bytes", "at most N bytes"),
    ("need not be there", "if it exists"),
    ("of yours", "your, or your own"),
    ("that are gone", "removed"),
    ("more wait", "further ones wait"),
    ("more get", "further ones get"),
    ("with what to change", "the error names what to change"),
    ("drawn widget", "rendered widget"),
    ("draws no tree", "does not render the tree"),
    ("draw no tree", "do not render the tree"),
    ("nobody", "no one, anyone, or the passive"),
    ("in any event", "or another sentence"),
    ("somebody else", "another process, or someone else"),
    ("everybody", "everyone"),
    ("beside", "next to"),
    ("kept apart", "distinguished"),
    ("tell apart", "distinguish"),
    ("tells apart", "distinguishes"),
    ("so many", "this many, or many"),
    ("what is going on", "progress"),
    ("stays as it was", "the previous version stays in place"),
    ("not taken", "not accepted, or rejected"),
    ("drawn by the shape", "rendered according to the shape"),
    ("draws any", "renders any"),
];

/// Wording that comments may use: texts consist of words.
const IN_COMMENTS: &[&str] = &["words"];

/// Where wording of the list is right: the start of a path, the wording, and why.
const ALLOWED: &[(&str, &str, &str)] = &[
    ("crates/chatkit/src/store", "words", "the column that is searched"),
    ("crates/engine/src/habit.rs", "person", "a name that authors give to an icon"),
    ("fixtures/broken/field-size", "goes on", "the name of the sample"),
    ("fixtures/broken/variable-undeclared", "whom", "a variable of the sample"),
];

/// A text and its place.
struct Text {
    file: String,
    line: usize,
    text: String,
    is_comment: bool,
}

fn files(dir: &str, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut dirs = vec![Path::new(ROOT).join(dir)];
    while let Some(dir) = dirs.pop() {
        for entry in std::fs::read_dir(&dir).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            match path.is_dir() {
                true if !matches!(name, "node_modules" | "dist" | "tests" | "test" | "target") => {
                    dirs.push(path);
                }
                false if name.ends_with(extension) => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

fn shown(path: &Path) -> String {
    path.strip_prefix(ROOT).unwrap_or(path).display().to_string()
}

/// Text without what is quoted as code.
fn prose(text: &str) -> String {
    text.split('`').step_by(2).collect::<Vec<_>>().join("`")
}

/// Prose of a Markdown file or a list of findings. Blocks of code do not count, except for what the
/// program prints.
fn markdown(path: &Path, texts: &mut Vec<Text>) {
    let mut is_code = false;
    for (index, line) in std::fs::read_to_string(path).unwrap().lines().enumerate() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code && line != "```text";
        } else if !is_code {
            let text = prose(line);
            texts.push(Text { file: shown(path), line: index + 1, text, is_comment: false });
        }
    }
}

/// A format string without the names in its braces.
fn names(text: &str) -> String {
    let parts = text.split('{').enumerate().map(|(index, part)| match part.split_once('}') {
        Some((_, rest)) if index > 0 => rest,
        _ => part,
    });
    parts.collect::<Vec<_>>().join("…")
}

/// String literals of two words or more, and comments. Those of private items may use [`IN_COMMENTS`].
fn rust(path: &Path, texts: &mut Vec<Text>) {
    let source = std::fs::read_to_string(path).unwrap();
    let source = source.split("#[cfg(test)]\nmod ").next().unwrap();
    let mut push = |line, text: String, is_comment: bool| {
        texts.push(Text { file: shown(path), line, text, is_comment });
    };
    // Doc comments that wait for their item; and whether the lines are in a public enum.
    let mut docs: Vec<(usize, String)> = Vec::new();
    let mut in_public_enum = false;
    let mut is_code = false;
    for (index, line) in source.lines().enumerate() {
        let trimmed = line.trim();
        if trimmed == "/// ```" || trimmed == "//! ```" || trimmed.starts_with("/// ```") {
            is_code = !is_code;
        } else if let Some(text) = trimmed.strip_prefix("/// ").or(trimmed.strip_prefix("//! ")) {
            if is_code {
                continue;
            }
            docs.push((index + 1, prose(text)));
        } else if !trimmed.starts_with("#[") && !trimmed.starts_with("///") && trimmed != "//!" {
            let is_head = index > 0 && trimmed.is_empty() && path.ends_with("lib.rs");
            let is_public = trimmed.starts_with("pub ") || in_public_enum || is_head;
            docs.drain(..).for_each(|(line, text)| push(line, text, !is_public));
            if let Some(text) = trimmed.strip_prefix("// ") {
                push(index + 1, prose(text), true);
            }
            in_public_enum |= line.starts_with("pub enum");
            in_public_enum &= line != "}";
        }
    }
    let bytes = source.as_bytes();
    let (mut at, mut line) = (0, 1);
    while at < bytes.len() {
        let rest = &source[at..];
        let skip = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\\"'") {
            rest[1..].find('\'').unwrap() + 2
        } else if let Some((hashes, _)) = rest
            .strip_prefix('r')
            .and_then(|rest| rest.split_once('"'))
            .filter(|(hashes, _)| hashes.bytes().all(|byte| byte == b'#'))
        {
            let end = format!("\"{hashes}");
            let start = hashes.len() + 2;
            rest[start..].find(&end).map_or(rest.len(), |length| start + length + end.len())
        } else if let Some(text) = rest.strip_prefix('"') {
            let mut end = 0;
            while text.as_bytes()[end] != b'"' {
                end += if text.as_bytes()[end] == b'\\' { 2 } else { 1 };
            }
            let joined: Vec<&str> = text[..end].split("\\\n").map(str::trim).collect();
            let joined = joined.join(" ");
            if joined.contains(' ') {
                push(line, prose(&names(&joined)), false);
            }
            end + 2
        } else {
            rest.chars().next().unwrap().len_utf8()
        };
        line += source[at..at + skip].matches('\n').count();
        at += skip;
    }
}

/// Documentation comments in TypeScript.
fn typescript(path: &Path, texts: &mut Vec<Text>) {
    let source = std::fs::read_to_string(path).unwrap();
    let mut line = 1;
    for (index, part) in source.split("/**").enumerate() {
        if index > 0 {
            let comment = part.split("*/").next().unwrap();
            for (offset, text) in comment.lines().enumerate() {
                let (line, text) = (line + offset, prose(text));
                texts.push(Text { file: shown(path), line, text, is_comment: false });
            }
        }
        line += part.matches('\n').count();
    }
}

/// Whether the wording is in the text, as whole words.
fn has(text: &str, wording: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(wording).any(|(at, _)| {
        !text[..at].ends_with(is_word) && !text[at + wording.len()..].starts_with(is_word)
    })
}

#[test]
fn text_for_users_is_in_the_terms_of_the_field() {
    let mut texts = Vec::new();
    for page in
        ["README", "SECURITY", "CONTRIBUTING", "CHANGELOG", "bench/README", "packaging/README"]
    {
        markdown(&Path::new(ROOT).join(format!("{page}.md")), &mut texts);
    }
    files("docs", ".md").iter().for_each(|path| markdown(path, &mut texts));
    let findings = [files("fixtures/broken", ".txt"), files("fixtures", "mistakes.txt")].concat();
    findings.iter().for_each(|path| markdown(path, &mut texts));
    let sources = [files("crates", ".rs"), files("examples", ".rs")].concat();
    let sources = sources.into_iter().filter(|path| {
        let is_test = |part: &str| path.components().any(|name| name.as_os_str() == part);
        path.iter().any(|name| name == "src") && !is_test("tests") && !is_test("tests.rs")
    });
    sources.for_each(|path| rust(&path, &mut texts));
    for package in ["client", "react", "vite", "playwright"] {
        let files = files(&format!("web/{package}/src"), ".ts").into_iter();
        let files = files.chain(self::files(&format!("web/{package}/src"), ".tsx"));
        files.for_each(|path| typescript(&path, &mut texts));
    }
    assert!(texts.len() > 5_000, "only {} texts", texts.len());

    let mut used = BTreeSet::new();
    let mut found = String::new();
    for Text { file, line, text, is_comment } in &texts {
        let text = text.to_lowercase();
        for (wording, instead) in AVOID.iter().filter(|(wording, _)| has(&text, wording)) {
            if *is_comment && IN_COMMENTS.contains(wording) {
                continue;
            }
            let allowed = |(path, allowed, _): &(&str, &str, &str)| {
                file.starts_with(path) && allowed == wording
            };
            match ALLOWED.iter().position(allowed) {
                Some(index) => _ = used.insert(index),
                None => {
                    writeln!(found, "{file}:{line}: {wording:?}; write {instead}: {text}").unwrap();
                }
            }
        }
    }
    assert!(found.is_empty(), "\n{found}");
    assert_eq!(used.len(), ALLOWED.len(), "ALLOWED has an entry that nothing needs");
}
