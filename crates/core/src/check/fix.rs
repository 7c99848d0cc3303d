//! Writing mends to a definition.

use serde_json::Value;
use widgetcast_engine::template::{Edit, Mend, Template, apply};

use super::oracle::Oracle;
use crate::definition::spec::Source;

/// Mends of one kind can uncover others; this many rounds are more than enough.
const ROUNDS: usize = 5;

/// A definition with every fault mended that has one safe repair, and how many there were; none if
/// there is nothing to mend. Only the mended places of the text change.
///
/// ```
/// let text = r#"{"version":"1.0","name":"A","template":"{\"type\":\"Card\",\"children\":[{\"type\":\"Divider\",\"children\":[]}]}"}"#;
/// let (mended, count) = widgetcast_core::fix(text).expect("one fault");
/// assert_eq!(count, 1);
/// assert_eq!(mended, text.replace(r#",\"children\":[]}]"#, "}]"));
/// ```
pub fn fix(text: &str) -> Option<(String, usize)> {
    let (mark, text) = match text.strip_prefix('\u{feff}') {
        Some(rest) => ("\u{feff}", rest),
        None => ("", text),
    };
    let mut text = text.to_owned();
    let mut count = 0;
    for _ in 0..ROUNDS {
        // A mend that breaks what was whole is a fault of ours, and is not written.
        let Some((mended, number)) = round(&text).filter(|(mended, _)| is_whole(mended)) else {
            break;
        };
        text = mended;
        count += number;
    }
    (count > 0).then(|| (format!("{mark}{text}"), count))
}

fn is_whole(text: &str) -> bool {
    Source::read(text)
        .and_then(|source| source.spec())
        .is_ok_and(|spec| Template::parses(&spec.template))
}

fn round(text: &str) -> Option<(String, usize)> {
    let source = Source::read(text).ok()?;
    let spec = source.spec().ok()?;
    let schema: Value = spec
        .schema
        .as_ref()
        .and_then(|schema| serde_json::from_str(schema).ok())
        .unwrap_or_default();
    let oracle = Oracle { schema: &schema, known: spec.schema.is_some() };
    let mends = Template::faults(
        &spec.template,
        source.extras().view.as_deref(),
        &|name| oracle.declares(name),
        &|found| oracle.is_number(found),
        &|found| oracle.is_optional(found),
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
