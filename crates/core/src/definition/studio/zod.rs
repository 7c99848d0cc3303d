//! A JSON Schema as the zod TypeScript that Studio used before JSON Schema. What zod expresses differently is
//! left open: the file also contains the JSON Schema.

use serde_json::Value;

/// Deeper schemas are left open.
const MAX_DEPTH: usize = 20;

/// The module that exports the schema.
pub(super) fn write(schema: &Value) -> String {
    let state = of(schema, 0);
    format!(
        "import {{ z }} from \"zod\"\n\nconst WidgetState = {state}\n\nexport default WidgetState\n"
    )
}

fn of(schema: &Value, depth: usize) -> String {
    if depth > MAX_DEPTH {
        return "z.any()".to_owned();
    }
    if let Some(options) = schema["enum"].as_array() {
        let is_text = !options.is_empty() && options.iter().all(Value::is_string);
        return if is_text { format!("z.enum({})", schema["enum"]) } else { "z.any()".to_owned() };
    }
    match schema["type"].as_str() {
        Some("string") => "z.string()".to_owned(),
        Some("integer") => "z.number().int()".to_owned(),
        Some("number") => "z.number()".to_owned(),
        Some("boolean") => "z.boolean()".to_owned(),
        Some("null") => "z.null()".to_owned(),
        Some("array") => format!("z.array({})", of(&schema["items"], depth + 1)),
        Some("object") if schema["properties"].is_object() => object(schema, depth),
        Some("object") => "z.record(z.string(), z.any())".to_owned(),
        _ => "z.any()".to_owned(),
    }
}

fn object(schema: &Value, depth: usize) -> String {
    let indent = "  ".repeat(depth + 1);
    let required = schema["required"].as_array();
    let member = |(name, rule): (&String, &Value)| {
        let is_required = required.is_some_and(|names| names.iter().any(|known| known == name));
        let optional = if is_required { "" } else { ".optional()" };
        let name = Value::from(name.as_str());
        format!("{indent}{name}: {}{optional},\n", of(rule, depth + 1))
    };
    let members: String =
        schema["properties"].as_object().into_iter().flatten().map(member).collect();
    let kind = if schema["additionalProperties"] == false { "strictObject" } else { "object" };
    format!("z.{kind}({{\n{members}{}}})", "  ".repeat(depth))
}
