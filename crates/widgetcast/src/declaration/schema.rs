//! JSON Schemas of Rust types, in the form that the protocol needs.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// The schema for deserialization, with subschemas inlined, because many clients do not follow references.
pub(crate) fn input_of<T: JsonSchema>() -> Value {
    schema_of::<T>(SchemaSettings::draft2020_12())
}

/// The schema for serialization, in which skippable fields are not required.
pub(crate) fn output_of<T: JsonSchema>() -> Value {
    schema_of::<T>(SchemaSettings::draft2020_12().for_serialize())
}

fn schema_of<T: JsonSchema>(settings: SchemaSettings) -> Value {
    let settings = settings.with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    if let Some(members) = schema.as_object_mut() {
        members.shift_remove("$schema");
        members.shift_remove("title");
        // An empty list of properties lets errors name the unknown ones.
        if members.get("additionalProperties") == Some(&Value::Bool(false)) {
            members.entry("properties").or_insert_with(|| json!({}));
        }
    }
    remove_formats(&mut schema);
    // `serde_json::Value` and similar types: anything is valid.
    match schema.as_object().is_none_or(Map::is_empty) {
        true => json!({ "type": "object" }),
        false => schema,
    }
}

/// Removes formats that are named after Rust types (`uint32`, `double`): clients do not know them, and some
/// log a warning for each.
fn remove_formats(schema: &mut Value) {
    const RUST: [&str; 14] = [
        "int8", "int16", "int32", "int64", "int128", "int", "uint8", "uint16", "uint32", "uint64",
        "uint128", "uint", "float", "double",
    ];
    match schema {
        Value::Object(members) => {
            let format = members.get("format").and_then(Value::as_str);
            if format.is_some_and(|format| RUST.contains(&format)) {
                members.shift_remove("format");
            }
            members.values_mut().for_each(remove_formats);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_formats),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_without_members_has_a_list_of_them() {
        #[derive(JsonSchema)]
        #[schemars(deny_unknown_fields)]
        struct Nothing {}
        let wanted = json!({ "type": "object", "properties": {}, "additionalProperties": false });
        assert_eq!(input_of::<Nothing>(), wanted);
    }

    #[test]
    fn formats_of_rust_do_not_leak() {
        #[derive(JsonSchema)]
        #[expect(dead_code)]
        struct All {
            a: u8,
            b: Option<i64>,
            c: Vec<f64>,
            d: usize,
            /// A property may have this name.
            format: String,
        }
        let schema = input_of::<All>();
        let text = schema.to_string();
        assert!(!text.contains(r#""format":""#), "{text}");
        assert_eq!(schema["properties"]["a"]["maximum"], 255);
        assert_eq!(schema["properties"]["format"]["type"], "string");
    }
}
