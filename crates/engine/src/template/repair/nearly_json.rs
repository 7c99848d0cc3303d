//! Repairs almost-JSON: comments, single quotes, unquoted names, Python literals, and extra or missing
//! commas. Repairs are made only if the result always writes JSON, whatever the data.

use std::ops::Range;

use minijinja::machinery::ast::Stmt;

use super::Repair;
use crate::error::{Kind, Severity};
use crate::template::edit::{Edit, apply};
use crate::template::{jinja, skeleton};

/// Maximum words and comments that are repaired: a longer text is not almost-JSON.
const MAX_WORDS: usize = 10_000;

/// The repairs of a template without a skeleton: each list applies to the result of the previous one. Empty
/// if they would not produce a skeleton.
pub(in crate::template) fn nearly_json(source: &str, template: &Stmt<'_>) -> Vec<Vec<Repair>> {
    let Stmt::Template(root) = template else { return Vec::new() };
    let mut words = Vec::new();
    let mut scan = Scan { source, in_string: false, repairs: &mut words };
    scan.block(&root.children);
    if words.len() > MAX_WORDS {
        return Vec::new();
    }
    let repaired = apply(source, words.iter().flat_map(|repair: &Repair| &repair.edits));
    let Ok(ast) = jinja::parse(&repaired) else { return Vec::new() };
    let stages = match skeleton::read(&repaired, &ast) {
        Some(_) => vec![words],
        None => match commas(&repaired, &ast) {
            Some(commas) => vec![words, commas],
            None => Vec::new(),
        },
    };
    stages.into_iter().filter(|stage| !stage.is_empty()).collect()
}

/// The repairs of the commas; `None` if they do not produce a skeleton.
fn commas(source: &str, ast: &Stmt<'_>) -> Option<Vec<Repair>> {
    let repairs: Vec<Repair> =
        skeleton::wrong_commas(source, ast)?.into_iter().map(comma).collect();
    let repaired = apply(source, repairs.iter().flat_map(|repair| &repair.edits));
    let ast = jinja::parse(&repaired).ok()?;
    skeleton::read(&repaired, &ast).map(|_| repairs)
}

fn comma(wrong: skeleton::WrongComma) -> Repair {
    let message = match (wrong.is_missing, wrong.in_loop) {
        (_, true) if wrong.is_left_over => "this comma is written even if the loop is empty",
        _ if wrong.is_left_over => "this comma is written even when the item next to it is omitted",
        (true, true) => "there is no comma between the items of the loop",
        (true, false) => "a comma is missing after this",
        (false, true) => "the loop writes a comma after its last item too",
        (false, false) => "there is an extra comma",
    };
    let mut repair = Repair::new(Kind::NearlyJson, Severity::Warning, message, wrong.range);
    if wrong.in_loop {
        repair.help = match wrong.edits.iter().find(|edit| edit.text.len() > 1) {
            Some(edit) => format!("write `{}` after the item", edit.text),
            None => "put the comma inside the loop, so that there is one for each item".into(),
        };
    }
    if wrong.is_left_over && !wrong.in_loop {
        repair.help = "move it inside the `{% if … %}`, next to the item".into();
    }
    repair.edits = wrong.edits;
    repair
}

/// Finds invalid JSON in the constant parts of a template.
struct Scan<'s, 'm> {
    source: &'s str,
    in_string: bool,
    repairs: &'m mut Vec<Repair>,
}

impl Scan<'_, '_> {
    fn block(&mut self, stmts: &[Stmt<'_>]) {
        for stmt in stmts {
            match stmt {
                Stmt::EmitRaw(raw) => {
                    let base = raw.raw.as_ptr() as usize - self.source.as_ptr() as usize;
                    self.raw(base, base + raw.raw.len());
                }
                Stmt::ForLoop(each) => self.block(&each.body),
                Stmt::IfCond(branch) => {
                    let before = self.in_string;
                    self.block(&branch.true_body);
                    self.in_string = before;
                    self.block(&branch.false_body);
                }
                Stmt::SetBlock(capture) if !self.in_string => self.block(&capture.body),
                _ => {}
            }
        }
    }

    fn raw(&mut self, mut at: usize, end: usize) {
        while at < end {
            let rest = &self.source[at..end];
            let Some(c) = rest.chars().next() else { return };
            if self.in_string {
                self.in_string = c != '"';
                let escaped =
                    if c == '\\' { rest.chars().nth(1).map_or(0, char::len_utf8) } else { 0 };
                at += c.len_utf8() + escaped;
                continue;
            }
            at += match c {
                '"' => {
                    self.in_string = true;
                    1
                }
                '/' if rest.starts_with("//") => {
                    self.comment(at, 2, rest.find('\n').unwrap_or(rest.len()), "")
                }
                '#' => self.comment(at, 1, rest.find('\n').unwrap_or(rest.len()), ""),
                '/' if rest.starts_with("/*") => match rest[2..].find("*/") {
                    Some(close) => self.comment(at, 2, close + 2, "*/"),
                    None => rest.len(),
                },
                '\'' => self.single_quoted(at, rest),
                c if c.is_ascii_alphabetic() || matches!(c, '_' | '$') => self.word(at, rest),
                c => c.len_utf8(),
            };
        }
    }

    fn report(&mut self, message: String, range: Range<usize>, edits: Vec<Edit>) {
        let mut repair = Repair::new(Kind::NearlyJson, Severity::Warning, message, range);
        repair.edits = edits;
        self.repairs.push(repair);
    }

    /// A comment of `length` bytes before its `close`. Returns its whole length.
    fn comment(&mut self, at: usize, open: usize, length: usize, close: &str) -> usize {
        let words = self.source[at + open..at + length].trim().to_owned();
        let whole = length + close.len();
        let range = at..at + whole;
        let edit = Edit { range: range.clone(), text: format!("{{# {words} #}}") };
        let message = "JSON has no comments; in a template, write `{# … #}`".to_owned();
        self.report(message, range, vec![edit]);
        whole
    }

    fn single_quoted(&mut self, at: usize, rest: &str) -> usize {
        let Some(close) = rest[1..].find('\'').map(|close| close + 1) else { return rest.len() };
        let range = at..at + close + 1;
        if rest[..close].contains(['"', '\\', '\n']) {
            return close + 1;
        }
        let quote = |at: usize| Edit { range: at..at + 1, text: "\"".into() };
        let message = "JSON strings must be in double quotes".to_owned();
        self.report(message, range, vec![quote(at), quote(at + close)]);
        close + 1
    }

    fn word(&mut self, at: usize, rest: &str) -> usize {
        let is_part =
            |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.' | '-' | '+');
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (word, range) = (&rest[..length], at..at + length);
        let json = match word {
            "None" | "undefined" | "nil" | "NULL" | "NaN" => "null",
            "True" | "TRUE" => "true",
            "False" | "FALSE" => "false",
            _ if rest[length..].trim_start().starts_with(':') => {
                let edit = Edit { range: range.clone(), text: format!("\"{word}\"") };
                let message = format!("JSON keys must be in double quotes: `\"{word}\"`");
                self.report(message, range, vec![edit]);
                return length;
            }
            _ => return length,
        };
        let edit = Edit { range: range.clone(), text: json.into() };
        self.report(format!("`{word}` is not JSON; treated as `{json}`"), range, vec![edit]);
        length
    }
}
