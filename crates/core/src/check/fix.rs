//! Repairing the template inside the text of a definition.

use serde_json::Value;
use widgetcast_engine::template::{Edit, Mend, Template, apply};

use super::declarations::Declarations;
use crate::definition::spec::Source;

/// One repair can uncover the need for another; more rounds than this were never needed.
const MAX_ROUNDS: usize = 5;

/// Repairs every fault that has one safe repair. Gives the new text, in which only those places differ,
/// and how many there were; none if there is nothing to repair.
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
        // A repair that breaks the template is a bug here, and is not written.
        let Some((repaired, number)) = repair(&text).filter(|(text, _)| parses(text)) else {
            break;
        };
        text = repaired;
        count += number;
    }
    (count > 0).then(|| (format!("{mark}{text}"), count))
}

fn parses(text: &str) -> bool {
    Source::read(text)
        .and_then(|source| source.spec())
        .is_ok_and(|spec| Template::parses(&spec.template))
}

fn repair(text: &str) -> Option<(String, usize)> {
    let source = Source::read(text).ok()?;
    let spec = source.spec().ok()?;
    let schema: Value = spec
        .schema
        .as_ref()
        .and_then(|schema| serde_json::from_str(schema).ok())
        .unwrap_or_default();
    let declarations = Declarations::new(&schema, spec.schema.is_some());
    let mends = Template::faults(
        &spec.template,
        source.extras().view.as_deref(),
        &|name| declarations.declares(name),
        &|found| declarations.is_number(found),
        &|found| declarations.is_optional(found),
    );
    let mends: Vec<Mend> = mends.into_iter().filter(|mend| !mend.edits.is_empty()).collect();
    let edits: Vec<Edit> = mends
        .iter()
        .flat_map(|mend| &mend.edits)
        .map(|edit| {
            let range = source.raw_range("template", &edit.range)?;
            let quoted = Value::String(edit.text.clone()).to_string();
            Some(Edit { range, text: quoted[1..quoted.len() - 1].to_owned() })
        })
        .collect::<Option<_>>()?;
    (!edits.is_empty()).then(|| (apply(text, edits.iter()), mends.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The template parses only after the first repair; the second is found in the next round.
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
}
