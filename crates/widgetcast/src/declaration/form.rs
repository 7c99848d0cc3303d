//! Forms: the schema of a type, in the subset of JSON Schema that clients show as a form.

use serde_json::{Map, Value, json};

/// The keywords of a property that forms support, besides its type.
const KEPT: [&str; 11] = [
    "title",
    "description",
    "default",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "enum",
    "enumNames",
];
const FORMATS: [&str; 4] = ["email", "uri", "date", "date-time"];

/// The form of a type, or why it has none. Revisions before 2026-07-28 list the titles of options separately.
pub(crate) fn form_of(schema: &Value, modern: bool) -> Result<Value, String> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let properties = properties.ok_or("a form must be a struct with named fields")?;
    let mut out = Map::new();
    for (name, property) in properties {
        let field = field(property, modern).ok_or_else(|| {
            format!("{name} is not a string, number, boolean or enum, which are the only types in a form")
        })?;
        out.insert(name.clone(), field);
    }
    let mut form = json!({ "type": "object", "properties": out });
    if let Some(required) = schema.get("required") {
        form["required"] = required.clone();
    }
    Ok(form)
}

/// One property; `None` if a form cannot show it.
fn field(property: &Value, modern: bool) -> Option<Value> {
    let property = without_null(property)?;
    let kind = property.get("type").and_then(Value::as_str);
    let mut out = match (options(&property), kind) {
        (Some(options), _) => options.field(modern),
        (None, Some("array")) => {
            let options = options(&without_null(property.get("items")?)?)?;
            json!({ "type": "array", "items": options.items() })
        }
        (None, Some(kind @ ("string" | "number" | "integer" | "boolean"))) => {
            json!({ "type": kind })
        }
        _ => return None,
    };
    let out = out.as_object_mut()?;
    for key in KEPT {
        if let Some(value) = property.get(key).filter(|value| !value.is_null()) {
            out.entry(key).or_insert_with(|| value.clone());
        }
    }
    let format = property.get("format").and_then(Value::as_str);
    if let Some(format) = format.filter(|format| FORMATS.contains(format)) {
        out.insert("format".into(), format.into());
    }
    Some(Value::Object(std::mem::take(out)))
}

/// A nullable property becomes an optional one.
fn without_null(property: &Value) -> Option<Map<String, Value>> {
    let mut out = property.as_object()?.clone();
    if let Some(Value::Array(kinds)) = out.get("type") {
        let kind = kinds.iter().find(|kind| *kind != "null")?.clone();
        out.insert("type".into(), kind);
    }
    if let Some(Value::Array(choices)) = out.get_mut("enum") {
        choices.retain(|choice| !choice.is_null());
    }
    let Some(Value::Array(variants)) = out.get("anyOf") else { return Some(out) };
    let is_null = |variant: &Value| variant.get("type").is_some_and(|kind| kind == "null");
    let variant = match variants.as_slice() {
        [variant, null] | [null, variant] if is_null(null) => variant.as_object()?.clone(),
        _ => return None,
    };
    out.remove("anyOf");
    // Annotations of the property precede those of its type.
    variant.into_iter().for_each(|(key, value)| _ = out.entry(key).or_insert(value));
    Some(out)
}

/// The options of a choice, with their titles, if any.
struct Options(Vec<(String, Option<String>)>);

fn options(property: &Map<String, Value>) -> Option<Options> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    if let Some(Value::Array(variants)) = property.get("oneOf") {
        let mut all = Vec::new();
        for variant in variants {
            // The title of an option is the doc comment of its variant.
            let title = variant.get("title").or_else(|| variant.get("description"));
            match (variant.get("const"), variant.get("enum").and_then(Value::as_array)) {
                (Some(option), _) => all.push((text(option)?, title.and_then(text))),
                (None, Some(options)) => {
                    for option in options {
                        all.push((text(option)?, None));
                    }
                }
                _ => return None,
            }
        }
        return Some(Options(all));
    }
    if let Some(option) = property.get("const") {
        return Some(Options(vec![(text(option)?, None)]));
    }
    let all = property.get("enum")?.as_array()?.iter();
    all.map(|option| Some((text(option)?, None))).collect::<Option<_>>().map(Options)
}

impl Options {
    fn values(&self) -> Vec<&str> {
        self.0.iter().map(|(option, _)| option.as_str()).collect()
    }

    fn titles(&self) -> Vec<&str> {
        self.0.iter().map(|(option, title)| title.as_ref().unwrap_or(option).as_str()).collect()
    }

    fn has_titles(&self) -> bool {
        self.0.iter().any(|(_, title)| title.is_some())
    }

    fn titled(&self) -> Vec<Value> {
        let both = self.values().into_iter().zip(self.titles());
        both.map(|(option, title)| json!({ "const": option, "title": title })).collect()
    }

    /// A single choice.
    fn field(&self, modern: bool) -> Value {
        match (self.has_titles(), modern) {
            (false, _) => json!({ "type": "string", "enum": self.values() }),
            (true, true) => json!({ "type": "string", "oneOf": self.titled() }),
            (true, false) => {
                json!({ "type": "string", "enum": self.values(), "enumNames": self.titles() })
            }
        }
    }

    /// Multiple choices.
    fn items(&self) -> Value {
        match self.has_titles() {
            false => json!({ "type": "string", "enum": self.values() }),
            true => json!({ "anyOf": self.titled() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;

    use super::super::schema::input_of;
    use super::*;

    #[derive(JsonSchema)]
    #[serde(rename_all = "lowercase")]
    #[allow(dead_code)]
    enum Size {
        Small,
        Large,
    }

    #[derive(JsonSchema)]
    #[serde(rename_all = "lowercase")]
    #[allow(dead_code)]
    enum Colour {
        /// As the sky
        Blue,
        /// As a rose
        Red,
        Green,
    }

    #[derive(JsonSchema)]
    #[allow(dead_code)]
    struct Order {
        /// Who
        name: String,
        count: u32,
        price: Option<f64>,
        #[serde(default)]
        gift: bool,
        size: Size,
        /// Which
        colour: Option<Colour>,
        colours: Vec<Colour>,
        sizes: Option<Vec<Size>>,
    }

    #[test]
    fn a_struct_is_a_form() {
        let form = form_of(&input_of::<Order>(), true).unwrap();
        let titled = json!([
            { "const": "blue", "title": "As the sky" },
            { "const": "green", "title": "green" }, { "const": "red", "title": "As a rose" },
        ]);
        let mut colours = form["properties"]["colour"]["oneOf"].as_array().unwrap().clone();
        colours.sort_by_key(|option| option["const"].to_string());
        assert_eq!(json!(colours), titled);
        assert_eq!(form["properties"]["colour"]["description"], "Which");
        assert_eq!(form["properties"]["name"], json!({ "type": "string", "description": "Who" }));
        assert_eq!(form["properties"]["count"], json!({ "type": "integer", "minimum": 0 }));
        assert_eq!(form["properties"]["price"], json!({ "type": "number" }));
        assert_eq!(form["properties"]["gift"], json!({ "type": "boolean", "default": false }));
        let sizes = json!({ "type": "string", "enum": ["small", "large"] });
        assert_eq!(form["properties"]["size"], sizes);
        assert_eq!(form["properties"]["sizes"], json!({ "type": "array", "items": sizes }));
        assert_eq!(form["properties"]["colours"]["items"]["anyOf"].as_array().unwrap().len(), 3);
        assert_eq!(form["required"], json!(["name", "count", "size", "colours"]));
        let older = form_of(&input_of::<Order>(), false).unwrap();
        assert_eq!(older["properties"]["colour"]["enumNames"].as_array().unwrap().len(), 3);
    }

    #[test]
    fn what_no_form_can_show() {
        #[derive(JsonSchema)]
        #[allow(dead_code)]
        struct Nested {
            order: Order,
        }
        #[derive(JsonSchema)]
        #[allow(dead_code)]
        struct Texts {
            tags: Vec<String>,
        }
        assert!(
            form_of(&input_of::<Nested>(), true).unwrap_err().starts_with("order is not a string")
        );
        assert!(
            form_of(&input_of::<Texts>(), true).unwrap_err().starts_with("tags is not a string")
        );
        assert!(form_of(&input_of::<String>(), true).is_err());
    }
}
