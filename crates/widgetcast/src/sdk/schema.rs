//! JSON Schemas of Rust types, as the protocol wants them.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// The schema of what is read as a type, with everything in place: many clients do not follow
/// references.
pub(crate) fn input_of<T: JsonSchema>() -> Value {
    schema_of::<T>(SchemaSettings::draft2020_12())
}

/// The schema of what is written of a type, which may leave out what a reader would ask for.
pub(crate) fn output_of<T: JsonSchema>() -> Value {
    schema_of::<T>(SchemaSettings::draft2020_12().for_serialize())
}

fn schema_of<T: JsonSchema>(settings: SchemaSettings) -> Value {
    let settings = settings.with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    if let Some(members) = schema.as_object_mut() {
        members.shift_remove("$schema");
        members.shift_remove("title");
    }
    // `serde_json::Value` and the like: anything goes.
    match schema.as_object().is_none_or(Map::is_empty) {
        true => json!({ "type": "object" }),
        false => schema,
    }
}
