//! Checks of whole widgets, by what they find.

use serde_json::{Value, json};

use super::{CheckOptions, check};
use crate::definition::catalog::Catalog;

/// What a check finds: the code, the message and the help of each finding.
fn findings(definition: &Value) -> Vec<[String; 3]> {
    let text: &'static str = Box::leak(definition.to_string().into_boxed_str());
    let catalog = Catalog::from_static(&[("a.widget", text)]);
    let found = check(&catalog, &CheckOptions::default(), &|_| {});
    let error = |finding: &super::Finding| {
        let error = &finding.error;
        let help = error.help().to_owned();
        [error.kind().code().to_owned(), error.message().to_owned(), help]
    };
    found.iter().map(error).collect()
}

/// A card with one text for each expression.
fn card(expressions: &[&str]) -> String {
    let text = |e: &&str| format!(r#"{{"type":"Text","value":{{{{ {e} | tojson }}}}}}"#);
    let texts: Vec<String> = expressions.iter().map(text).collect();
    format!(r#"{{"type":"Card","children":[{}]}}"#, texts.join(","))
}

/// The findings of some kinds: those whose code starts with `prefix`.
fn of_kind(definition: &Value, prefix: &str) -> Vec<[String; 3]> {
    findings(definition).into_iter().filter(|[code, ..]| code.starts_with(prefix)).collect()
}

#[test]
fn a_variable_is_reported_once() {
    let schema = json!({"type": "object", "properties": {"title": {"type": "string"}}});
    let definition = json!({"version": "1.0", "name": "A", "jsonSchema": schema,
        "template": card(&["titel", "titel", "title", "undefined"]),
        "copy_text": "{{ title }} {{ other }}"});
    let expected = [
        ["variable-undeclared", "`titel` is not declared in the schema", "did you mean title?"],
        ["variable-undeclared", "`other` is not declared in the schema", ""],
    ];
    let found = of_kind(&definition, "variable-");
    assert_eq!(found, expected.map(|finding| finding.map(str::to_owned)));
}

#[test]
fn an_unused_object_is_reported_without_its_members() {
    let schema = json!({"type": "object", "properties": {
        "used": {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}},
        "whole": {"type": "object", "properties": {"a": {"type": "string"}}},
        "copied": {"type": "string"},
        "point": {"type": "object", "properties": {"x": {"type": "number"}}},
        "rows": {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "string"}}}}}});
    let template = r#"{"type":"Card","children":[{"type":"Text","value":{{ used.a | tojson }}},{"type":"Text","value":{{ whole | tojson | tojson }}}{%- for row in rows -%},{"type":"Divider"}{%- endfor -%}]}"#;
    let definition = json!({"version": "1.0", "name": "A", "jsonSchema": schema,
        "template": template, "copy_text": "{{ copied }}"});
    let found = of_kind(&definition, "variable-");
    let found: Vec<&str> = found.iter().map(|[_, message, _]| message.as_str()).collect();
    let expected = ["`used.b` is declared but not used", "`point` is declared but not used"];
    assert_eq!(found, expected);
}

#[test]
fn losses_can_be_accepted() {
    let definition = |accept: Value| {
        json!({"version": "1.0", "name": "A", "sample": {}, "accept": accept,
            "template": r#"{"type":"Card","children":[{"type":"Chart","data":[{"x":"a","y":1}],"series":[{"type":"bar","dataKey":"y"}],"xAxis":"x"},{"type":"Form","children":[{"type":"DatePicker","name":"d"},{"type":"Label","fieldName":"d","value":"D"}]}]}"#})
    };
    let losses = |accept: Value| -> Vec<String> {
        let found = of_kind(&definition(accept), "loss").into_iter();
        found.map(|[_, message, _]| message).collect()
    };
    let all = losses(json!([]));
    assert!(!all.is_empty());
    for surface in crate::surface::SURFACES {
        let about = format!("{} cannot show", surface.name);
        let had = all.iter().any(|message| message.starts_with(&about));
        let rest = losses(json!([surface.name]));
        assert!(!rest.iter().any(|message| message.starts_with(&about)), "{}", surface.name);
        assert_eq!(rest.len(), all.len() - usize::from(had), "{}", surface.name);
    }
}

#[test]
fn values_printed_bare_are_reported_unless_they_are_numbers_or_flags() {
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"},
        "f": {"type": "number"}, "b": {"type": "boolean"}, "s": {"type": "string"}}});
    let template = r#"{"type":"Card","children":[{"type":"Text","value":"{{ n }} {{ f }}"},{"type":"Text","value":"{{ s }}"},{"type":"Text","value":"a","truncate":{{ b }},"maxLines":{{ n }}}]}"#;
    let definition =
        json!({"version": "1.0", "name": "A", "jsonSchema": schema, "template": template});
    let found = of_kind(&definition, "unescaped");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0][1].contains("into a JSON string"));
}
