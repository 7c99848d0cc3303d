//! Mistakes as users make them who come from HTML, React or Python and have not read the checker, and
//! what it says to each.
//!
//! `fixtures/mistakes.txt` is a table: `=== ` and a name, the source, `---`, and the expected findings
//! with their places and advice. A source that does not begin with `version` is the template of a YAML
//! file, from its fourth line on. `WIDGETCAST_BLESS=1` rewrites the findings: read each as someone who
//! does not know the answer.

use super::shared;
use widgetcast_core::{Catalog, CheckOptions, Finding, Severity, check};

/// Mistakes whose message was judged to be confusing or misplaced, and why.
const CONFUSING: &[(&str, &str)] = &[];

#[test]
fn every_mistake_is_explained() {
    let path = shared::project("fixtures/mistakes.txt");
    let table = std::fs::read_to_string(&path).unwrap();
    let mut names: Vec<String> = Vec::new();
    let mut silent: Vec<String> = Vec::new();
    let mut written = String::new();
    for entry in format!("\n{table}").split("\n=== ").skip(1) {
        let (name, rest) = entry.split_once('\n').expect("a name");
        let (source, _) = rest.split_once("\n---\n").expect("a source");
        let found = findings(source);
        if found.is_empty() {
            silent.push(name.to_owned());
        }
        written += &format!("=== {name}\n{source}\n---\n{found}\n");
        names.push(name.to_owned());
    }
    assert!(names.len() >= 100, "{} mistakes", names.len());
    for (name, _) in CONFUSING {
        assert!(names.iter().any(|known| known == name), "{name} is not in the table");
    }
    assert!(CONFUSING.len() <= 5);
    shared::expect(&path, &written).unwrap();
    assert!(silent.is_empty(), "nothing is found: {silent:?}");
}

/// The findings of a source that an author would see without asking for notes, in few lines.
fn findings(source: &str) -> String {
    let text = if source.starts_with("version") {
        format!("{source}\n")
    } else {
        let lines: String = source.lines().map(|line| format!("  {line}\n")).collect();
        format!("version: \"1.0\"\nname: A\ntemplate: |\n{lines}")
    };
    let text: &'static str = Box::leak(text.into_boxed_str());
    let catalog = Catalog::from_static(&[("a.widget", text)]);
    let findings = check(&catalog, &CheckOptions::default(), &|_| {});
    let shown = findings.iter().filter(|finding| finding.severity > Severity::Note);
    shown.map(line).collect()
}

/// A finding, the text that its carets mark, and its advice.
fn line(finding: &Finding) -> String {
    let marked = finding.error.place().excerpt.as_ref().map(|excerpt| {
        let marked = excerpt.text.chars().skip(excerpt.start).take(excerpt.len);
        marked.collect::<String>()
    });
    let marked = marked.map(|marked| format!("  at: {marked}\n")).unwrap_or_default();
    let help = match finding.error.help() {
        "" => String::new(),
        help => format!("  help: {help}\n"),
    };
    format!("{finding}\n{marked}{help}").replace("a.widget:", "")
}
