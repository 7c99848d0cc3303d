//! Mistakes in a JSON Schema that leave it valid: unknown keywords, undeclared required names, unsatisfiable
//! limits, and defaults of another type.

use serde_json::{Map, Value};
use widgetcast_engine::json::locate;
use widgetcast_engine::suggest::nearest_within;

/// Keywords of JSON Schema 2020-12 and its predecessors.
const KEYWORDS: &[&str] = &[
    "$anchor",
    "$comment",
    "$defs",
    "$dynamicAnchor",
    "$dynamicRef",
    "$id",
    "$recursiveAnchor",
    "$recursiveRef",
    "$ref",
    "$schema",
    "$vocabulary",
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "contains",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "default",
    "definitions",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "deprecated",
    "description",
    "else",
    "enum",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "if",
    "items",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
    "patternProperties",
    "prefixItems",
    "properties",
    "propertyNames",
    "readOnly",
    "required",
    "then",
    "title",
    "type",
    "unevaluatedItems",
    "unevaluatedProperties",
    "uniqueItems",
    "writeOnly",
];

/// What users write by habit, and the keyword that they mean.
const HABITS: &[(&str, &str)] = &[
    ("choices", "enum"),
    ("desc", "description"),
    ("max", "maximum"),
    ("min", "minimum"),
    ("regex", "pattern"),
    ("values", "enum"),
];

/// Words that others add to a schema, and that look like a keyword.
const FOREIGN: &[&str] = &["example", "id", "note", "notes"];

/// Keywords whose members are schemas, by names of the author's.
const NAMED: &[&str] =
    &["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

/// Keywords that hold a schema, or a list of them.
const HOLDERS: &[&str] = &[
    "additionalItems",
    "additionalProperties",
    "contains",
    "contentSchema",
    "items",
    "prefixItems",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
];

/// Keywords that hold schemas for the same value, which another one may complete.
const COMBINATORS: &[&str] = &["allOf", "anyOf", "else", "if", "not", "oneOf", "then"];

/// A word of a schema that is probably another one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Slip {
    /// Where it is in the schema.
    pub pointer: String,
    pub word: String,
    /// The keyword that was probably meant, if any is similar.
    pub meant: Option<String>,
}

/// Unknown keywords that look like known ones.
pub(crate) fn misspelt(schema: &Value) -> Vec<Slip> {
    let mut slips = Vec::new();
    walk(schema, "", false, &mut |members, at, _| {
        for word in members.keys() {
            if let Some(keyword) = meant(word) {
                let pointer = format!("{at}/{}", locate::escaped(word));
                slips.push(Slip { pointer, word: word.clone(), meant: Some(keyword.to_owned()) });
            }
        }
    });
    slips
}

/// Properties that are next to the keywords of a schema, instead of under `properties`.
pub(crate) fn stray_properties(schema: &Value) -> Vec<Slip> {
    let mut slips = Vec::new();
    walk(schema, "", false, &mut |members, at, _| {
        let is_known = |word: &str| KEYWORDS.contains(&word) || FOREIGN.contains(&word);
        for (word, value) in members {
            let is_schema = value.get("type").is_some_and(|kind| kind.is_string());
            if is_schema && !is_known(word) && !word.starts_with("x-") && meant(word).is_none() {
                let pointer = format!("{at}/{}", locate::escaped(word));
                slips.push(Slip { pointer, word: word.clone(), meant: None });
            }
        }
    });
    slips
}

/// Limits of which the lower is above the upper.
const LIMITS: &[(&str, &str)] = &[
    ("minLength", "maxLength"),
    ("minimum", "maximum"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
];

/// Constraints that no value, or not the default, can satisfy: pointer and message.
pub(crate) fn contradictions(schema: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    walk(schema, "", false, &mut |members, at, _| {
        for (least, most) in LIMITS {
            let number = |word: &str| members.get(word).and_then(Value::as_f64);
            if let (Some(low), Some(high)) = (number(least), number(most))
                && low > high
            {
                let words = format!("no value is valid: {least} is {low}, and {most} is {high}");
                found.push((format!("{at}/{least}"), words));
            }
        }
    });
    found
}

/// Defaults of a type other than the one declared next to them: pointer and message.
pub(crate) fn wrong_defaults(schema: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    walk(schema, "", false, &mut |members, at, _| {
        let (Some(default), Some(kind)) = (members.get("default"), members.get("type")) else {
            return;
        };
        let kinds = match kind {
            Value::Array(kinds) => kinds.as_slice(),
            kind => std::slice::from_ref(kind),
        };
        let is_of = |kind: &Value| match kind.as_str() {
            Some("integer") => default.as_f64().is_some_and(|number| number.fract() == 0.0),
            Some("number") => default.is_number(),
            Some("string") => default.is_string(),
            Some("boolean") => default.is_boolean(),
            Some("array") => default.is_array(),
            Some("object") => default.is_object(),
            Some("null") => default.is_null(),
            _ => true,
        };
        // Many libraries write null where there is no default.
        if !default.is_null() && !kinds.iter().any(is_of) {
            found.push((format!("{at}/default"), format!("the default is not of type {kind}")));
        }
    });
    found
}

/// Required names that `properties` next to them does not have, unless another part of the schema may
/// declare them.
pub(crate) fn undeclared(schema: &Value) -> Vec<Slip> {
    let mut slips = Vec::new();
    walk(schema, "", false, &mut |members, at, is_part| {
        let elsewhere = ["$ref", "$dynamicRef", "patternProperties", "dependentSchemas"];
        let may_be_elsewhere =
            elsewhere.iter().chain(COMBINATORS).any(|keyword| members.contains_key(*keyword));
        let (Some(Value::Object(properties)), Some(Value::Array(required))) =
            (members.get("properties"), members.get("required"))
        else {
            return;
        };
        if is_part || may_be_elsewhere {
            return;
        }
        for (index, name) in required.iter().enumerate() {
            let Some(name) = name.as_str().filter(|name| !properties.contains_key(*name)) else {
                continue;
            };
            let known = properties.keys().map(String::as_str);
            slips.push(Slip {
                pointer: format!("{at}/required/{index}"),
                word: name.to_owned(),
                meant: widgetcast_engine::suggest::nearest(name, known).map(str::to_owned),
            });
        }
    });
    slips
}

/// The schema without the required names that are not declared.
pub(crate) fn without_undeclared(schema: &Value) -> Value {
    let mut schema = schema.clone();
    // From the last, so that the numbers of those before it stay.
    for slip in undeclared(&schema).iter().rev() {
        if let Some((list, index)) = slip.pointer.rsplit_once('/')
            && let Some(Value::Array(list)) = schema.pointer_mut(list)
            && let Ok(index) = index.parse::<usize>()
        {
            list.remove(index);
        }
    }
    schema
}

/// The keyword that an unknown one probably means.
fn meant(word: &str) -> Option<&'static str> {
    if KEYWORDS.contains(&word) || FOREIGN.contains(&word) || word.starts_with("x-") {
        return None;
    }
    let habit = HABITS.iter().find(|(habit, _)| *habit == word).map(|(_, keyword)| *keyword);
    // Short words are near to many others.
    let slips = |length: usize| if length <= 5 { 1 } else { 1 + length / 4 };
    let plain = word.replace(['_', '-'], "");
    habit.or_else(|| nearest_within(&plain, KEYWORDS.iter().copied(), slips))
}

/// Is called with each schema object, its pointer, and whether it is only a part of the schema of its value.
type Visit<'f> = dyn FnMut(&Map<String, Value>, &str, bool) + 'f;

/// Calls `visit` with every schema inside a schema, itself included.
fn walk(schema: &Value, at: &str, is_part: bool, visit: &mut Visit<'_>) {
    let Value::Object(members) = schema else { return };
    visit(members, at, is_part);
    for (word, value) in members {
        let at = format!("{at}/{}", locate::escaped(word));
        let is_combinator = COMBINATORS.contains(&word.as_str());
        if NAMED.contains(&word.as_str()) {
            for (name, schema) in value.as_object().into_iter().flatten() {
                let at = format!("{at}/{}", locate::escaped(name));
                walk(schema, &at, word == "dependentSchemas", visit);
            }
        } else if HOLDERS.contains(&word.as_str()) || is_combinator {
            walk(value, &at, is_combinator, visit);
            for (index, schema) in value.as_array().into_iter().flatten().enumerate() {
                walk(schema, &format!("{at}/{index}"), is_combinator, visit);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn words(schema: &Value) -> Vec<(String, String)> {
        misspelt(schema)
            .into_iter()
            .map(|slip| (slip.pointer, slip.meant.unwrap_or_default()))
            .collect()
    }

    #[test]
    fn keywords_are_looked_at_wherever_a_schema_stands() {
        let schema = json!({
            "tpye": "object",
            "properties": {
                "maxLenght": {"type": "string", "maxLenght": 3},
                "list": {"items": {"anyOf": [{"min_length": 1}, {"max": 3}]}},
            },
            "$defs": {"requierd": {"requierd": []}},
            "additionalproperties": false,
        });
        let expected = [
            ("/tpye", "type"),
            ("/properties/maxLenght/maxLenght", "maxLength"),
            ("/properties/list/items/anyOf/0/min_length", "minLength"),
            ("/properties/list/items/anyOf/1/max", "maximum"),
            ("/$defs/requierd/requierd", "required"),
            ("/additionalproperties", "additionalProperties"),
        ];
        let mut found = words(&schema);
        found.sort();
        let mut expected = expected.map(|(a, b)| (a.to_owned(), b.to_owned())).to_vec();
        expected.sort();
        assert_eq!(found, expected);
    }

    #[test]
    fn data_and_words_of_others_are_left_alone() {
        let data = json!({"maxLenght": 1, "tpye": 2});
        let schema = json!({
            "x-tpye": 1, "x-mcp-header": "A", "unit": "kg", "nullable": true, "example": data,
            "note": "", "icon": "", "order": 1, "time": "", "label": "", "discriminator": {},
            "default": data, "const": data, "enum": [data], "examples": [data],
            "properties": {"tpye": true, "requierd": {"default": data}},
        });
        assert_eq!(words(&schema), []);
    }

    #[test]
    fn what_no_value_can_keep_is_found() {
        let schema = json!({"type": "object", "who": {"type": "string"}, "x-who": {"type": "string"},
        "properties": {
            "a": {"minLength": 3, "maxLength": 2}, "b": {"minimum": 1.5, "maximum": 1},
            "c": {"minItems": 2, "maxItems": 1}, "d": {"minimum": 1, "maximum": 1},
            "e": {"type": "string", "default": 5}, "f": {"type": "integer", "default": 1.5},
            "g": {"type": ["string", "null"], "default": null}, "h": {"default": 1},
            "i": {"type": "number", "default": 1}, "j": {"type": "string", "default": null},
        }});
        let pointers = |found: Vec<(String, String)>| -> Vec<String> {
            let mut pointers: Vec<_> = found.into_iter().map(|(pointer, _)| pointer).collect();
            pointers.sort();
            pointers
        };
        assert_eq!(
            pointers(contradictions(&schema)),
            ["/properties/a/minLength", "/properties/b/minimum", "/properties/c/minItems"]
        );
        assert_eq!(
            pointers(wrong_defaults(&schema)),
            ["/properties/e/default", "/properties/f/default"]
        );
        let stray: Vec<_> = stray_properties(&schema).into_iter().map(|s| s.pointer).collect();
        assert_eq!(stray, ["/who"]);
    }

    #[test]
    fn required_names_must_be_declared() {
        let schema = json!({"properties": {"title": {}, "items": {
            "items": {"properties": {"a": {}}, "required": ["colour"]}}},
            "required": ["title", "itmes"]});
        let slips: Vec<_> = undeclared(&schema)
            .into_iter()
            .map(|slip| (slip.pointer, slip.meant.unwrap_or_default()))
            .collect();
        assert_eq!(
            slips,
            [
                ("/required/1".to_owned(), "items".to_owned()),
                ("/properties/items/items/required/0".to_owned(), String::new()),
            ]
        );
        let without = without_undeclared(&schema);
        assert_eq!(without["required"], json!(["title"]));
        assert_eq!(undeclared(&without), []);
        for elsewhere in [
            json!({"required": ["a"]}),
            json!({"properties": {}, "required": ["a"], "allOf": [{"properties": {"a": {}}}]}),
            json!({"properties": {"a": {}}, "anyOf": [{"properties": {"b": {}}, "required": ["a"]}]}),
            json!({"properties": {}, "patternProperties": {"a": {}}, "required": ["a"]}),
        ] {
            assert_eq!(undeclared(&elsewhere), [], "{elsewhere}");
        }
    }
}
