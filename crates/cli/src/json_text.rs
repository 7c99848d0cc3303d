//! JSON for the terminal.

use serde::Serialize;

/// Indented JSON without characters that could control a terminal.
pub(crate) fn json_text(value: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string_pretty(value).map(|text| escape(&text))
}

/// Escapes everything that serde_json leaves unescaped but terminals interpret: DEL, C1 control characters,
/// and marks that change the text direction. The value stays the same.
pub(crate) fn escape(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if steers(c) {
            out.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    out
}

/// Characters that terminals interpret, except ASCII control characters. In JSON they only occur in strings,
/// where they can be escaped.
pub(crate) fn steers(c: char) -> bool {
    matches!(c, '\u{7f}'..='\u{9f}' | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}'
        | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn what_steers_a_terminal_is_escaped_and_the_value_is_the_same() {
        let all: String = (0..0x3000).filter_map(char::from_u32).collect();
        let value = json!({ all.clone(): ["é 字 👍", all] });
        let text = json_text(&value).expect("JSON");
        assert!(!text.contains(|c: char| (c.is_control() && c != '\n') || steers(c)));
        assert!(text.contains("é 字 👍") && text.contains("\\u009b") && text.contains("\\u202e"));
        assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON"), value);
    }
}
