//! Repairs a definition as text: edits are made at the places of the faults, so that comments and layout are
//! preserved, and the result must parse to the intended definition.

use std::path::Path;

use serde_json::Value;
use widgetcast_engine::template::{Edit, Repair, Template, apply};

use super::declarations::Declarations;
use crate::definition::spec::{Source, repairs};
use crate::definition::widget::Widget;

/// One repair can uncover the need for another; more rounds than this were never necessary.
const MAX_ROUNDS: usize = 6;

/// Applies every safe fix, in JSON and in YAML. Returns the new text, which differs only in these places, and
/// the number of fixes; `None` if there is nothing to fix.
///
/// ```
/// let text = r#"{"version":"1.0","name":"A","template":"{\"type\":\"Card\",\"children\":[{\"type\":\"Divider\",\"children\":[]}]}"}"#;
/// let (repaired, count) = widgetcast_core::fix(text).expect("one fault");
/// assert_eq!(count, 1);
/// assert_eq!(repaired, text.replace(r#",\"children\":[]}]"#, "}]"));
/// ```
pub fn fix(text: &str) -> Option<(String, usize)> {
    let (mark, text) = match text.strip_prefix('\u{feff}') {
        Some(rest) => ("\u{feff}", rest),
        None => ("", text),
    };
    let mut text = text.to_owned();
    let mut count = 0;
    for _ in 0..MAX_ROUNDS {
        let Some((repaired, number)) = repair_fields(&text).or_else(|| repair_template(&text))
        else {
            break;
        };
        text = repaired;
        count += number;
    }
    (count > 0).then(|| (format!("{mark}{text}"), count))
}

/// Writes fields in the way in which they are meant. A widget that loads must do so afterwards: a schema
/// that no one has read so far may be broken.
pub(super) fn repair_fields(text: &str) -> Option<(String, usize)> {
    let source = Source::read(text).ok()?;
    let repairs = repairs::repairs(&source);
    if repairs.is_empty() {
        return None;
    }
    let repaired = apply(source.written(), repairs.iter().map(|repair| &repair.edit));
    let mut meant = source.members();
    for repair in &repairs {
        meant.remove(&repair.name);
        meant.insert(repair.meant.0.clone(), repair.meant.1.clone());
    }
    let loads = |text: &str| Widget::parse(text).is_ok();
    let is_meant =
        Source::read(&repaired).ok()?.members() == meant && (loads(&repaired) || !loads(text));
    is_meant.then_some((repaired, repairs.len()))
}

fn repair_template(text: &str) -> Option<(String, usize)> {
    let source = Source::read(text).ok()?;
    let spec = source.spec(Path::new("a")).ok()?;
    let schema: Value = spec
        .schema
        .as_ref()
        .and_then(|schema| serde_json::from_str(schema).ok())
        .unwrap_or_default();
    let declarations = Declarations::new(&schema, spec.schema.is_some());
    let repairs = Template::faults(
        &spec.template,
        source.extras().view.as_deref(),
        &|name| declarations.declares(name),
        &|found| declarations.is_number(found),
        &|found| declarations.is_optional(found),
    );
    let in_file = |repair: Repair| {
        let edits: Option<Vec<Edit>> =
            repair.edits.iter().map(|edit| source.edit("template", edit)).collect();
        edits.filter(|edits| !edits.is_empty()).map(|edits| (repair.edits, edits))
    };
    let (meant, written): (Vec<_>, Vec<_>) = repairs.into_iter().filter_map(in_file).unzip();
    if meant.is_empty() {
        return None;
    }
    let template = apply(&spec.template, meant.iter().flatten());
    let repaired = apply(source.written(), written.iter().flatten());
    // A repair that breaks the template would be a bug here, so it is not applied.
    let is_meant =
        Template::parses(&template) && says(&Source::read(&repaired).ok()?, &source, &template);
    is_meant.then_some((repaired, meant.len()))
}

/// Whether a definition has this template, and is otherwise the same as another.
fn says(repaired: &Source<'_>, source: &Source<'_>, template: &str) -> bool {
    let rest = |source: &Source<'_>| {
        let mut members = source.members();
        members.retain(|name, _| !matches!(name.as_str(), "template" | "widget"));
        members
    };
    repaired.spec(Path::new("a")).is_ok_and(|spec| *spec.template == *template)
        && rest(repaired) == rest(source)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The template parses only after the first repair; the second one is found in the next round.
    #[test]
    fn repairs_of_all_rounds_are_counted() {
        let template = |equal: &str, children: &str| {
            json!({"version": "1.0", "name": "A", "template": format!(
                r#"{{"type":"Card","children":[{{"type":"Divider"{children}}}{{%- if a {equal} 1 -%}},{{"type":"Divider"}}{{%- endif -%}}]}}"#
            )})
            .to_string()
        };
        let broken = template("===", r#","children":[]"#);
        assert_eq!(fix(&broken), Some((template("==", ""), 2)));
        assert_eq!(
            fix(&format!("\u{feff}{broken}")).map(|(text, _)| text.starts_with('\u{feff}')),
            Some(true)
        );
        assert_eq!(fix(&template("==", "")), None);
    }

    /// What is repaired in YAML, in every way to write a text, with all around it left as it is.
    #[test]
    fn yaml_is_mended_where_it_stands() {
        let template = |equal: &str| {
            format!(
                "{{\"type\":\"Card\",\"children\":[{{%- if a {equal} 'é' -%}}{{\"type\":\"Divider\"}}{{%- endif -%}}]}}"
            )
        };
        let in_tree = |equal: &str| {
            format!(
                "widget:\n  type: Card\n  children:\n    # why\n    - type: Text\n      value: '{{% if a {equal} ''é'' %}}it''s{{% endif %}}'\n"
            )
        };
        let written = |equal: &str| {
            let template = template(equal);
            let lines = template.replace("{%-", "\n    {%-");
            [
                format!("template: |  # how\n  {lines}\nlast: 1\n"),
                format!("template: |-\n\n      {}", lines.replace('\n', "\n      ")),
                format!("template: >-\n  {}\n", template.replace("{%-", "\n  {%-")),
                format!("template: '{}'\n", template.replace('\'', "''")),
                format!(
                    "template: '{}'\n",
                    template.replace('\'', "''").replace("{%-", "\n\n  {%-")
                ),
                format!("template: {}\n", Value::from(template.as_str())),
                format!(
                    "template: \"{}\"\n",
                    template.replace('"', "\\\"").replace("{%-", "\\\n   {%-")
                ),
                format!("template: |\n  {lines}\n").replace('\n', "\r\n"),
                in_tree(equal),
            ]
        };
        for (broken, repaired) in written("===").into_iter().zip(written("==")) {
            let head = "# a note\nversion:   1.0 # kept\n'name': A\nx-list: [yes , no]\n\n";
            let (broken, repaired) = (format!("{head}{broken}"), format!("{head}{repaired}"));
            assert_eq!(fix(&broken), Some((repaired.clone(), 1)), "{broken}");
            assert_eq!(fix(&repaired), None, "{repaired}");
        }
    }

    /// Hangul also starts with D, but its syllables are not split.
    #[test]
    fn escapes_before_a_fault_are_counted() {
        for escape in ["\\ud55c\\uae00", "\\ud83d\\ude00", "\\uD55C\\u0020"] {
            let text = |equal: &str| {
                format!(
                    "version: \"1.0\"\nname: A\nwidget:\n  type: Card\n  children:\n    - type: Text\n      value: \"{escape}{{% if a {equal} 1 %}}b{{% endif %}}\"\n"
                )
            };
            assert_eq!(fix(&text("===")), Some((text("=="), 1)), "{escape}");
        }
    }

    #[test]
    fn names_in_a_tree_are_repaired() {
        let tree = |text: &str, key: &str, row: &str| {
            format!(
                "version: \"1.0\"\nname: A\nwidget:\n  type: Card\n  children:\n    # why\n    - type: {text} # a\n      {key}: \"it's\"\n    - {{type: {row}, children: [{{type: Text, {key}: Hi}}]}}\n"
            )
        };
        let repaired = tree("Text", "value", "Row");
        assert_eq!(fix(&tree("Paragraph", "content", "HStack")), Some((repaired.clone(), 4)));
        assert_eq!(fix(&tree("'text'", "\"text\"", "Row")), Some((repaired.clone(), 3)));
        assert_eq!(fix(&repaired), None);
    }

    #[test]
    fn a_missing_version_is_added_and_the_rest_is_fixed_too() {
        let tree = |version: &str, value: &str, field: &str| {
            format!(
                "# a note\n{version}name: A\nwidget:\n  type: Card\n  children:\n    - type: Text\n      {value}: \"{{% for a in b %}}{{{{ a }}}}{{% endfor %}}\"\n    - {{type: Label, value: L, {field}: f}}\n"
            )
        };
        let fixed = tree("version: \"1.0\"\n", "value", "fieldName");
        assert_eq!(fix(&tree("", "text", "for")), Some((fixed.clone(), 3)));
        assert_eq!(fix(&fixed), None);
        let json = |version: &str| {
            format!(
                r#"{{{version}"name": "A", "template": "{{\"type\":\"Card\",\"children\":[]}}"}}"#
            )
        };
        assert_eq!(fix(&json("")), Some((json(r#""version": "1.0", "#), 1)));
    }

    #[test]
    fn the_version_is_repaired() {
        let template = r#"{"type":"Card","children":[]}"#;
        for (odd, plain) in [
            ("version: 1.0.0 # first\n", "version: \"1.0\" # first\n"),
            ("version: '1.0.0'\n", "version: \"1.0\"\n"),
            ("version: 1\n", "version: \"1.0\"\n"),
        ] {
            let text = |version: &str| format!("name: A\n{version}template: '{template}'\n");
            assert_eq!(fix(&text(odd)), Some((text(plain), 1)));
            assert_eq!(fix(&text(plain)), None);
        }
        let json = |version: &str| {
            format!(r#"{{"version" : {version}, "name":"A","template":{}}}"#, json!(template))
        };
        assert_eq!(fix(&json("\"1.0.0\"")), Some((json("\"1.0\""), 1)));
        assert_eq!(fix(&json("1.0")), Some((json("\"1.0\""), 1)));
        assert_eq!(fix(&json("\"1.1\"")), None);
    }

    #[test]
    fn names_and_lists_are_repaired() {
        let text = |schema: &str, accept: &str| {
            format!(
                "version: 1.0\nname: A\n# data\n{schema}: {{type: object}}\naccept: {accept} # so\ntemplate: '{{\"type\":\"Card\",\"children\":[]}}'\n"
            )
        };
        let repaired = text("jsonSchema", "[\"text\"]");
        assert_eq!(fix(&text("json_schema", "text")), Some((repaired.clone(), 2)));
        assert_eq!(fix(&text("\"JSON-Schema\"", "text")), Some((repaired.clone(), 2)));
        assert_eq!(fix(&repaired), None);
        // A different word does not match.
        assert_eq!(fix(&text("schema", "[text]")), None);
        let json = |name: &str| {
            format!(
                r#"{{"version":"1.0","name":"A","template":"{{\"type\":\"Card\",\"children\":[]}}" ,"{name}" : "a\"b"}}"#
            )
        };
        assert_eq!(fix(&json("copyText")), Some((json("copy_text"), 1)));
    }

    /// A misspelt schema was ignored; if it is invalid, the repair would break the widget.
    #[test]
    fn a_name_is_left_alone_if_its_value_would_do_harm() {
        let text = "version: 1.0\nname: A\njson_schema: {type: strnig}\ntemplate: '{\"type\":\"Card\",\"children\":[]}'\n";
        assert_eq!(fix(text), None);
        let catalog = crate::Catalog::from_static(&[("a.yml", text)]);
        let findings = crate::check(&catalog, &crate::CheckOptions::default(), &|_| {});
        assert_eq!(findings[0].error.kind(), crate::Kind::UnknownField);
        assert_eq!(findings[0].fix, crate::Fix::None);
    }

    /// A template that is an alias cannot be changed for one field only.
    #[test]
    fn an_alias_is_left_alone() {
        let template = "{\"type\":\"Card\",\"children\":[{% if a === 1 %}{% endif %}]}";
        let text = format!("version: 1.0\nname: A\nx-t: &t '{template}'\ntemplate: *t\n");
        assert_eq!(fix(&text), None);
        let catalog = crate::Catalog::from_static(&[("a.yml", Box::leak(text.into_boxed_str()))]);
        let findings = crate::check(&catalog, &crate::CheckOptions::default(), &|_| {});
        let fixes: Vec<_> = findings.iter().map(|finding| finding.fix).collect();
        assert!(!findings.is_empty() && fixes.iter().all(|fix| *fix == crate::Fix::None));
    }
}
