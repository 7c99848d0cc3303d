//! Whether data of one schema can ever match another: a tool's output, and its widget's input.
//!
//! Only certain mismatches are errors: schemas may contain more than is compared here.

use serde_json::Value;
use widgetcast_core::{Widget, nearest, sample_output};

/// Why no data of the output schema can match the widget's.
pub(super) fn misfits(output: &Value, widget: &Value) -> Vec<String> {
    let (Some(given), Some(taken)) =
        (output["properties"].as_object(), widget["properties"].as_object())
    else {
        return Vec::new();
    };
    let mut wrong = Vec::new();
    let is_closed = is_closed(output);
    for name in names(widget, "required").filter(|name| is_closed && !given.contains_key(*name)) {
        wrong.push(format!("the widget requires {name}, which the output lacks"));
    }
    if widget["additionalProperties"] == false {
        for name in names(output, "required").filter(|name| !taken.contains_key(*name)) {
            wrong.push(format!("the output has {name}, which the widget's schema does not allow"));
        }
    }
    for (name, given) in given {
        let Some(taken) = taken.get(name) else { continue };
        let (gives, takes) = (types(given), types(taken));
        if gives.is_empty() || takes.is_empty() {
            continue;
        }
        let fits = |one: &&str| {
            takes.contains(one)
                || (*one == "integer" && takes.contains(&"number"))
                // Null counts as absent if the widget does not require the member.
                || (*one == "null" && !names(widget, "required").any(|required| required == name))
                // An integer may be serialized as a number.
                || (*one == "number" && takes.contains(&"integer"))
        };
        if !gives.iter().any(fits) {
            let (gives, takes) = (gives.join(" or "), takes.join(" or "));
            wrong.push(format!("{name} is {gives} in the output, but {takes} for the widget"));
        }
    }
    wrong
}

/// Names in a template (from the inferred schema) that are similar to those of the output. Dissimilar names
/// may belong to another tool that shows the same widget.
pub(super) fn misspelt(output: &Value, used: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    if let (Some(given), Some(used)) =
        (output["properties"].as_object(), used["properties"].as_object())
    {
        for (name, used) in used {
            match given.get(name) {
                Some(given) => wrong.extend(misspelt(given, used)),
                None => {
                    if let Some(meant) = nearest(name, given.keys().map(String::as_str)) {
                        let mistake = "which the output lacks; did you mean";
                        wrong.push(format!("the widget uses {name}, {mistake} {meant}?"));
                    }
                }
            }
        }
    }
    if let (Value::Object(_), Value::Object(_)) = (&output["items"], &used["items"]) {
        wrong.extend(misspelt(&output["items"], &used["items"]));
    }
    wrong
}

/// Names that the output lacks and the widget needs: rendering fails with complete output, succeeds with
/// values for all of these names, and fails without any one of them.
pub(super) fn lacking(output: &Value, used: &Value, widget: &Widget) -> Vec<String> {
    let data = sample_output(output);
    let mut paths = Vec::new();
    absent(output, used, &mut Vec::new(), &mut paths);
    let completed = |but: Option<&Path<'_>>| {
        let mut data = data.clone();
        for path in paths.iter().filter(|path| Some(*path) != but) {
            complete(&mut data, path);
        }
        widget.render(&data).is_ok()
    };
    if paths.is_empty() || widget.render(&data).is_ok() || !completed(None) {
        return Vec::new();
    }
    let needed = paths.iter().filter(|path| !completed(Some(*path)));
    needed
        .map(|path| format!("the widget needs {}, which the output lacks", dotted(path)))
        .collect()
}

/// The path to a member, with each name and schema. Items have no name.
type Path<'v> = Vec<(&'v str, &'v Value)>;

fn absent<'v>(output: &Value, used: &'v Value, at: &mut Path<'v>, out: &mut Vec<Path<'v>>) {
    if let (Some(given), Some(used)) =
        (output["properties"].as_object(), used["properties"].as_object())
    {
        for (name, used) in used {
            at.push((name, used));
            match given.get(name) {
                Some(given) => absent(given, used, at, out),
                None if is_closed(output) => out.push(at.clone()),
                None => {}
            }
            at.pop();
        }
    }
    if let (Value::Object(_), Value::Object(_)) = (&output["items"], &used["items"]) {
        at.push(("", &used["items"]));
        absent(&output["items"], &used["items"], at, out);
        at.pop();
    }
}

fn complete(data: &mut Value, path: &[(&str, &Value)]) {
    match (data, path) {
        (Value::Array(items), [_, rest @ ..]) => {
            items.iter_mut().for_each(|item| complete(item, rest));
        }
        (Value::Object(members), [(name, schema)]) => {
            members.insert((*name).to_owned(), sample_output(schema));
        }
        (Value::Object(members), [(name, _), rest @ ..]) => {
            members.get_mut(*name).into_iter().for_each(|inner| complete(inner, rest));
        }
        _ => {}
    }
}

fn dotted(path: &[(&str, &Value)]) -> String {
    let names: Vec<&str> =
        path.iter().map(|(name, _)| *name).filter(|name| !name.is_empty()).collect();
    names.join(".")
}

/// Whether a schema contains nothing but properties.
fn is_closed(schema: &Value) -> bool {
    let open = ["additionalProperties", "patternProperties", "anyOf", "oneOf", "allOf", "$ref"];
    open.iter().all(|word| matches!(schema[*word], Value::Null | Value::Bool(false)))
}

fn names<'v>(schema: &'v Value, list: &str) -> impl Iterator<Item = &'v str> {
    schema[list].as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// The types that a schema allows; none if it specifies no type.
fn types(schema: &Value) -> Vec<&str> {
    match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{misfits, misspelt};

    #[test]
    fn names_that_nearly_fit_are_misspelt() {
        let text = json!({ "type": "string" });
        let row = json!({ "type": "object", "properties": { "title": text } });
        let output =
            json!({ "properties": { "rows": { "type": "array", "items": row }, "count": text } });
        let used = |row: &str, count: &str| {
            let row = json!({ "type": "object", "properties": { row: {} } });
            let used = json!({ "rows": { "type": "array", "items": row }, count: {} });
            misspelt(&output, &json!({ "properties": used }))
        };
        assert_eq!(used("title", "count"), Vec::<String>::new());
        assert_eq!(used("note", "another"), Vec::<String>::new());
        assert_eq!(
            used("titel", "coutn"),
            [
                "the widget uses titel, which the output lacks; did you mean title?",
                "the widget uses coutn, which the output lacks; did you mean count?",
            ]
        );
    }

    #[test]
    fn only_what_is_certain_is_a_misfit() {
        let widget = json!({
            "type": "object",
            "properties": {
                "title": { "type": "string" }, "count": { "type": "number" },
                "note": { "type": "string" }, "any": {},
            },
            "required": ["title"],
            "additionalProperties": false,
        });
        let output = |properties: serde_json::Value, required: serde_json::Value| {
            misfits(&json!({ "properties": properties, "required": required }), &widget)
        };
        let text = json!({ "type": "string" });
        let good = json!({
            "title": text, "count": { "type": "integer" }, "note": { "type": ["string", "null"] },
            "any": { "type": "boolean" },
        });
        assert_eq!(output(good, json!(["title", "count", "note", "any"])), Vec::<String>::new());
        let only_null = json!({ "title": text, "note": { "type": "null" } });
        assert!(output(only_null, json!([])).is_empty());
        assert_eq!(
            output(json!({ "name": text }), json!(["name"])),
            [
                "the widget requires title, which the output lacks",
                "the output has name, which the widget's schema does not allow",
            ]
        );
        assert_eq!(
            output(json!({ "title": { "type": "array" }, "count": text }), json!([])),
            [
                "title is array in the output, but string for the widget",
                "count is string in the output, but number for the widget",
            ]
        );
        // A schema that contains more than properties may have further members.
        let open = json!({ "properties": {}, "anyOf": [{}] });
        assert!(misfits(&open, &widget).is_empty());
        assert!(misfits(&json!({ "type": "object" }), &widget).is_empty());
    }
}
