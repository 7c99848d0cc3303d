//! The checker against a strict schema that we did not write.

use needs_shared::needs_shared;
use serde_json::{Value, json};

use super::shared;
use widgetcast_core::{Limits, Severity, check_tree};

#[needs_shared("corpus")]
#[test]
fn what_the_reference_schema_accepts_gets_no_error() {
    let corpus = shared::folder("corpus");
    let limits = Limits::default();
    let mut clean = 0;
    for file in shared::files(&corpus.join("expected_wire"), "json") {
        if file.to_string_lossy().ends_with(".error.json") {
            continue;
        }
        let findings = check_tree(&shared::json(&file).to_string(), &limits);
        let errors: Vec<String> = findings
            .iter()
            .filter(|finding| finding.severity == Severity::Error)
            .map(ToString::to_string)
            .collect();
        // ChatKit drops nulls, and with them what these two lost to Studio.
        if file.to_string_lossy().contains("incursa") {
            assert!(errors.iter().all(|error| error.contains("Text needs value")), "{errors:?}");
            continue;
        }
        assert!(errors.is_empty(), "{}: {errors:?}", file.display());
        clean += 1;
    }
    println!("{clean} trees without an error");
}

#[test]
fn order_of_keys_does_not_matter() {
    let first = json!({"type": "Card", "children": [{"type": "Text", "value": 5, "flex": 1}]});
    let last = r#"{"children":[{"flex":1,"value":5,"type":"Text"}],"type":"Card"}"#;
    let words = |text: &str| {
        let mut words: Vec<String> =
            check_tree(text, &Limits::default()).iter().map(ToString::to_string).collect();
        words.sort();
        words
    };
    assert_eq!(words(&first.to_string()), words(last));
    assert_eq!(words(last).len(), 2);
}

#[test]
fn placement() {
    let errors = |tree: Value| -> Vec<String> {
        check_tree(&tree.to_string(), &Limits::default())
            .iter()
            .map(|finding| format!("{} {}", finding.severity.name(), finding.error))
            .collect()
    };
    let card = |child: Value| json!({"type": "Card", "children": [child]});
    assert_eq!(
        errors(json!([])),
        ["error a widget must be a component (an object with a type), not a list"]
    );
    assert_eq!(errors(json!({"type": "Card"})), ["error Card needs children"]);
    assert_eq!(errors(json!({"children": []})), ["error the widget has no type"]);
    assert_eq!(
        errors(json!({"type": "Card", "children": [{"value": "y"}, {"a": 1, "type": "Nonsense"}]})),
        [
            "error /children/0: the component has no type",
            "error /children/1/type: unknown component \"Nonsense\""
        ]
    );
    assert_eq!(
        errors(card(json!({"type": "ListViewItem", "children": []}))),
        ["error /children/0: ListViewItem must be inside ListView, not in Card"],
    );
    assert_eq!(
        errors(card(json!({"type": "Divider", "children": [{"type": "Spacer"}]}))),
        ["error /children/0/children/0: Divider takes no children"],
    );
    assert_eq!(
        errors(card(json!({"type": "Transition", "children": []}))),
        ["error /children/0/children: Transition takes one component, not a list"],
    );
    assert_eq!(
        errors(card(json!("a"))),
        [
            "error /children/0: a child must be a component (an object with a type), not the string \"a\""
        ]
    );
    assert_eq!(
        errors(json!({"type": "Basic", "children": [{"type": "Card", "children": []}]})),
        Vec::<String>::new(),
    );
    assert_eq!(
        errors(card(
            json!({"type": "Table", "children": [{"type": "Table.Row", "children": [{"type": "Text", "value": "a"}]}]})
        )),
        ["error /children/0/children/0/children/0: Table.Row takes only Table.Cell, not Text"],
    );
}
