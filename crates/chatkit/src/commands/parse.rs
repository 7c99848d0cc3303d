//! Parses the arguments of a command: JSON, `name=value`, or the text of a tool's only argument.

use serde_json::{Map, Value};
use widgetcast::Budgeted;

use super::form::kind_of;

/// Maximum bytes of the arguments, and maximum `name=value` pairs, since users type them.
const MAX_TEXT: usize = 64 << 10;
const MAX_PAIRS: usize = 256;

/// Parses arguments, or returns what is wrong with them.
pub(super) fn arguments(
    text: &str,
    schema: &Value,
    budgeted: Budgeted,
) -> Result<Map<String, Value>, String> {
    let text = text.trim();
    if text.len() > MAX_TEXT {
        return Err(format!("Arguments must be at most {} KiB.", MAX_TEXT >> 10));
    }
    if text.starts_with('{') {
        return serde_json::from_str(text)
            .map_err(|error| format!("The arguments are not valid JSON: {error}."));
    }
    let words = words(text);
    if words.len() > MAX_PAIRS && words.iter().all(|word| word.contains('=')) {
        return Err(format!("At most {MAX_PAIRS} arguments can be written as `name=value`."));
    }
    let pairs: Option<Vec<(&str, &str)>> = words.iter().map(|word| word.split_once('=')).collect();
    match pairs {
        Some(pairs) => {
            let pair = |(name, value): (&str, &str)| {
                (name.to_owned(), value_of(value, &schema["properties"][name], budgeted))
            };
            Ok(pairs.into_iter().map(pair).collect())
        }
        None => match only_property(schema) {
            Some(name) => Ok(Map::from_iter([(name.to_owned(), Value::from(text))])),
            None => Err("Write arguments as `name=value` or as JSON.".into()),
        },
    }
}

/// The argument that a text without a name belongs to.
fn only_property(schema: &Value) -> Option<&str> {
    let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
    let properties = schema["properties"].as_object()?;
    let name = match required {
        [one] => one.as_str()?,
        [] if properties.len() == 1 => properties.keys().next()?,
        _ => return None,
    };
    (kind_of(&properties[name]) == "string").then_some(name)
}

/// A value of the type in the schema: text where it allows a string, otherwise JSON if it is valid.
fn value_of(text: &str, schema: &Value, _: Budgeted) -> Value {
    match kind_of(schema) {
        "string" => text.into(),
        _ => serde_json::from_str(text).unwrap_or_else(|_| text.into()),
    }
}

/// Splits at spaces, except in quotes: `city="New York"`.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut quote, mut is_word) = (Vec::<String>::new(), None, false);
    for letter in text.chars() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '"' | '\'') if is_word_end(words.last(), is_word) => quote = Some(letter),
            (None, _) if letter.is_whitespace() => is_word = false,
            _ => {
                if !is_word {
                    words.push(String::new());
                    is_word = true;
                }
                if let Some(word) = words.last_mut() {
                    word.push(letter);
                }
            }
        }
    }
    words
}

/// Whether a quote starts here: at the start of a value.
fn is_word_end(word: Option<&String>, is_word: bool) -> bool {
    is_word && word.is_some_and(|word| word.ends_with('='))
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;
    use serde_json::json;
    use widgetcast::Workers;

    use super::*;

    fn arguments(text: &str, schema: &Value) -> Result<Map<String, Value>, String> {
        let (text, schema) = (text.to_owned(), schema.clone());
        let parse = move |budgeted| super::arguments(&text, &schema, budgeted);
        Workers::default().finish(0, parse).now_or_never().flatten().unwrap()
    }

    #[test]
    fn arguments_in_three_forms() {
        let schema = json!({ "properties": {
            "city": { "type": "string" }, "days": { "type": "integer" }, "tags": { "type": "array" },
        }, "required": ["city"] });
        let read = |text: &str| arguments(text, &schema).map(Value::from);
        assert_eq!(read(""), Ok(json!({})));
        assert_eq!(read(r#" {"days": 2} "#), Ok(json!({ "days": 2 })));
        assert!(read("{days: 2}").unwrap_err().contains("not valid JSON"));
        let all = r#"city="New York" days=3 tags=["a"]"#;
        assert_eq!(read(all), Ok(json!({ "city": "New York", "days": 3, "tags": ["a"] })));
        assert_eq!(read("city=7"), Ok(json!({ "city": "7" })));
        assert_eq!(read("city='' days=x"), Ok(json!({ "city": "", "days": "x" })));
        assert_eq!(read("Bad Ragaz"), Ok(json!({ "city": "Bad Ragaz" })));
        assert_eq!(read("what's up"), Ok(json!({ "city": "what's up" })));
        let two = json!({ "properties": { "a": {}, "b": {} }, "required": ["a", "b"] });
        assert!(arguments("x y", &two).is_err());
    }

    #[test]
    fn arguments_have_a_limit() {
        let schema = json!({ "properties": { "text": { "type": "string" } } });
        let pairs = |count: usize| (0..count).map(|n| format!("a{n}=b ")).collect::<String>();
        assert_eq!(arguments(&pairs(MAX_PAIRS), &schema).map(|all| all.len()), Ok(MAX_PAIRS));
        assert!(arguments(&pairs(MAX_PAIRS + 1), &schema).unwrap_err().contains("At most 256"));
        let words = "word ".repeat(MAX_PAIRS + 1);
        assert_eq!(arguments(&words, &schema).unwrap()["text"], words.trim());
        for long in [pairs(MAX_TEXT), format!("{{\"text\": \"{}\"}}", "x".repeat(MAX_TEXT))] {
            assert!(arguments(&long, &schema).unwrap_err().contains("at most 64 KiB"));
        }
    }
}
