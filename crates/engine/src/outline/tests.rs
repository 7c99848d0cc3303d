//! `fixtures/outline/RULE.json` is a tree that shows a rule; `RULE.txt` is its outline. `WIDGETCAST_BLESS=1`
//! rewrites the latter.

mod dump;

use std::path::Path;

use super::rules::{FIRED, RULES};
use super::{Outline, ReadAs, Roles};
use crate::tree::CompactTree;

/// Components of the fixture of this rule have the name of a role as their id.
fn roles() -> Roles {
    ReadAs::ALL.into_iter().map(|(name, read_as)| (name.to_owned(), read_as)).collect()
}

#[test]
fn every_rule_is_shown_on_a_tree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/outline");
    assert!(RULES.len() <= 25, "{} rules", RULES.len());
    let mut files: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    for rule in RULES {
        let json = std::fs::read_to_string(folder.join(format!("{}.json", rule.name)))
            .unwrap_or_else(|error| panic!("{}: {error}", rule.name));
        let checked = crate::tree::check_tree(&json, &Default::default());
        assert!(checked.is_empty(), "{}: {checked:?}", rule.name);
        FIRED.with_borrow_mut(Vec::clear);
        let tree = CompactTree::read(&json);
        let outline = format!("{:?}", Outline::of(&tree, &roles()));
        assert!(FIRED.with_borrow(|fired| fired.contains(&rule.name)), "{} is not used", rule.name);
        let path = folder.join(format!("{}.txt", rule.name));
        if std::env::var_os("WIDGETCAST_BLESS").is_some() {
            std::fs::write(&path, &outline).unwrap();
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(outline, expected, "{}", path.display());
        files.retain(|file| !file.starts_with(&format!("{}.", rule.name)));
    }
    assert!(files.is_empty(), "fixtures of no rule: {files:?}");
}

/// The first title of a card is its heading, whatever its text and its neighbours.
#[test]
fn the_first_title_is_the_heading() {
    for row in [
        r#"{"type":"Title","value":"2026-0117"}"#,
        r#"{"type":"Row","children":[{"type":"Badge","label":"SEV1"},{"type":"Title","value":"2026-0117"}]}"#,
        r#"{"type":"Row","children":[{"type":"Image","src":"a"},{"type":"Col","children":[
            {"type":"Caption","value":"a"},{"type":"Title","value":"2026-0117"},{"type":"Text","value":"b"}]}]}"#,
        r#"{"type":"Box","background":"red-500","children":[{"type":"Title","value":"2026-0117"}]}"#,
        r#"{"type":"Col","children":[{"type":"Caption","value":"Lane"},{"type":"Title","value":"2026-0117"}]}"#,
        r#"{"type":"Row","children":[{"type":"Title","value":"2026-0117"},{"type":"Spacer"},
            {"type":"Button","label":"x"}]}"#,
    ] {
        let json = format!(
            r#"{{"type":"Card","children":[{{"type":"Text","weight":"bold","value":"Müller"}},{row},
                {{"type":"Row","children":[{{"type":"Text","weight":"bold","value":"pod"}},{{"type":"Button","label":"y"}}]}},
                {{"type":"Title","value":"second"}}]}}"#
        );
        let tree = CompactTree::read(&json);
        let outline = Outline::of(&tree, &Roles::default());
        let dump = format!("{outline:?}");
        let title = dump.lines().find(|line| line.trim_start().starts_with("title ")).unwrap_or("");
        assert!(title.contains("##\"2026-0117\""), "{dump}");
        assert_eq!(dump.matches("title ").count(), 1, "{dump}");
    }
}

#[test]
fn places_are_those_of_the_components() {
    let json = r#"{"type":"Card","status":{"text":"a"},"children":[
        {"type":"Row","children":[{"type":"Text","value":"b"},{"type":"Transition","children":{"type":"Text","value":"c"}}]}],
        "confirm":{"label":"d","action":{"type":"e"}}}"#;
    let tree = CompactTree::read(json);
    let value: serde_json::Value = serde_json::from_str(json).unwrap();
    let outline = Outline::of(&tree, &Roles::default());
    let spans: Vec<u32> = outline.spans.iter().map(|span| span.at).collect();
    let pointers = tree.pointers(&spans);
    assert_eq!(pointers, ["/status", "/children/0/children/0", "/children/0/children/1/children"]);
    assert!(pointers.iter().all(|pointer| value.pointer(pointer).is_some()));
}
