//! YAML is worth as much as JSON: the same definition gives the same findings in both, with a place in
//! both, and what `check --fix` promises it does in both.

use std::fmt::Write as _;
use std::path::PathBuf;

use needs_shared::needs_shared;
use serde_json::{Value, json};

use super::shared;
use widgetcast_core::{Catalog, CheckOptions, Finding, Fix, Kind, check, fix};

/// Kinds that a test of the text of the file itself shows, so that it is another one in YAML.
const OF_THE_TEXT: &[Kind] = &[Kind::FileSyntax];

#[test]
fn findings_of_the_fixtures_are_the_same_in_both() {
    let mut files = shared::files(&shared::project("fixtures/broken"), "widget");
    files.extend(shared::files(&shared::project("crates/cli/widgets"), "widget"));
    compare(&files);
}

#[needs_shared("corpus")]
#[test]
fn findings_of_real_files_are_the_same_in_both() {
    compare(&shared::files(&shared::folder("corpus").join("widgets"), "widget"));
}

/// Compares the findings about each file that is JSON with those about the same in YAML.
fn compare(files: &[PathBuf]) {
    let (mut compared, mut mended) = (0, 0);
    for file in files {
        let text = std::fs::read_to_string(file).unwrap();
        let Ok(Value::Object(fields)) = serde_json::from_str(&text) else { continue };
        let yaml: String = fields.iter().map(|(key, value)| member(key, value, 0)).collect();
        let name = file.display();
        let [json_findings, yaml_findings] = [&text, &yaml].map(|text| findings(text));
        if json_findings.iter().any(|finding| OF_THE_TEXT.contains(&finding.error.kind())) {
            continue;
        }
        let brief = |findings: &[Finding]| {
            let mut brief: Vec<_> = findings.iter().map(what).collect();
            brief.sort();
            brief
        };
        assert_eq!(brief(&json_findings), brief(&yaml_findings), "{name}:\n{yaml}");
        for finding in &json_findings {
            let mut same = yaml_findings.iter().filter(|other| what(other) == what(finding));
            // Of a whole collection, or a whole template, its key is marked in YAML.
            let is_same =
                |other: &Finding| mark(other) == mark(finding) || mark(finding).starts_with('{');
            assert!(same.any(is_same), "{name}: {finding:#}\n{yaml}");
        }
        for (text, findings) in [(&text, &json_findings), (&yaml, &yaml_findings)] {
            keeps_its_promise(text, findings, &name.to_string());
        }
        let template = |text: &str| {
            let (fixed, count) = fix(text)?;
            let widget = widgetcast_core::Widget::parse(&fixed).ok()?;
            Some((widget.template_text().to_owned(), count))
        };
        assert_eq!(template(&text), template(&yaml), "{name}");
        compared += 1;
        mended += usize::from(fix(&yaml).is_some());
    }
    println!("{compared} files compared, {mended} mended");
    assert!(compared > 0 && mended > 0);
}

/// What is the same in both: the kind, whether it has a place, and whether it is repaired.
fn what(finding: &Finding) -> (Kind, String, bool, bool) {
    let error = &finding.error;
    let message = error.message().to_owned();
    let has_place = error.place().position.is_some() && error.place().excerpt.is_some();
    (error.kind(), message, has_place, finding.fix != Fix::None)
}

/// Something is repaired if and only if that was promised, and nothing is promised afterwards.
fn keeps_its_promise(text: &str, found: &[Finding], name: &str) {
    let is_promised = |found: &[Finding]| found.iter().any(|finding| finding.fix != Fix::None);
    let fixed = fix(text);
    assert_eq!(is_promised(found), fixed.is_some(), "{name}:\n{text}");
    if let Some((fixed, _)) = fixed {
        assert!(!is_promised(&findings(&fixed)), "{name}:\n{fixed}");
    }
}

fn findings(text: &str) -> Vec<Finding> {
    let text: &'static str = Box::leak(text.to_owned().into_boxed_str());
    check(&Catalog::from_static(&[("a.widget", text)]), &CheckOptions::default(), &|_| {})
}

/// A member as YAML, in block style.
fn member(key: &str, value: &Value, depth: usize) -> String {
    let indent = "  ".repeat(depth);
    let key = Value::from(key);
    match value {
        Value::Object(members) if !members.is_empty() => {
            let inner: String = members.iter().map(|(k, v)| member(k, v, depth + 1)).collect();
            format!("{indent}{key}: # an object\n{inner}")
        }
        Value::Array(items) if !items.is_empty() => {
            let mut out = format!("{indent}{key}:\n");
            for item in items {
                writeln!(out, "{indent}  - {item}").unwrap();
            }
            out
        }
        Value::String(text) if is_block(text) => {
            let lines = text.trim_end_matches('\n').replace('\n', &format!("\n{indent}  "));
            let chomp = if text.ends_with('\n') { '+' } else { '-' };
            let ends = &text[text.trim_end_matches('\n').len()..];
            let last = if ends.is_empty() { "\n" } else { ends };
            format!("{indent}{key}: |2{chomp}\n{indent}  {lines}{last}")
        }
        scalar => format!("{indent}{key}: {scalar}\n"),
    }
}

/// Whether a text is written as a block: templates, as long as nothing in them must be escaped.
fn is_block(text: &str) -> bool {
    text.contains('{')
        && !text.starts_with('\n')
        && text.chars().all(|c| c == '\n' || !c.is_control())
}

/// The first characters that are marked in the excerpt, without what JSON adds to them.
fn mark(finding: &Finding) -> String {
    let Some(excerpt) = &finding.error.place().excerpt else { return String::new() };
    let marked = excerpt.text.chars().skip(excerpt.start).take(excerpt.len);
    marked.filter(|c| !matches!(c, '\\' | '"')).take(12).collect()
}

#[test]
fn an_item_of_a_tree_is_repeated_by_for() {
    let file = |item: &str| {
        format!(
            "version: '1.0'\nname: List\njsonSchema:\n  type: object\n  properties:\n    items: \
             {{type: array, items: {{type: object, properties: {{name: {{type: string}}, note: \
             {{type: string}}}}, required: [name]}}}}\n  required: [items]\nwidget:\n  type: Card\n  \
             children:\n    - {{type: Title, value: A}}\n    - {item}\n"
        )
    };
    let row = "{for: item in items, type: Row, children: [{type: Text, value: '{{ loop.index }} \
               {{ item.name }}'}, {type: Caption, value: '{{ item.note }}', when: item.note}]}";
    let catalog = Catalog::from_static(&[("list.widget", file(row).leak())]);
    let data = json!({"items": [{"name": "a", "note": "b"}, {"name": "c"}]});
    let tree = catalog.hydrate("list", &data).unwrap();
    assert_eq!(
        tree["children"],
        json!([
            {"type": "Title", "value": "A"},
            {"type": "Row", "children": [
                {"type": "Text", "value": "1 a"}, {"type": "Caption", "value": "b"}]},
            {"type": "Row", "children": [{"type": "Text", "value": "2 c"}]},
        ])
    );
    assert_eq!(catalog.hydrate("list", &json!({"items": []})).unwrap()["children"][1], json!(null));

    for (item, message) in [
        ("{for: item in, type: Text, value: a}", "`for: item in items`"),
        ("{for: 'item in items %}', type: Text, value: a}", "`for: item in items`"),
        (
            "{type: Button, label: a, onClickAction: {for: a in items, type: b}}",
            "only repeat an item",
        ),
    ] {
        let text: &str = file(item).leak();
        let catalog = Catalog::from_static(&[("list.widget", text)]);
        let error = &catalog.findings().next().unwrap().error;
        assert!(error.message().contains(message), "{item}: {error:?}");
        let (line, _) = error.place().position.unwrap();
        assert!(text.lines().nth(line - 1).unwrap().contains("for:"), "{item}: {error:?}");
    }
}
