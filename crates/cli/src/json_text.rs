//! JSON as the command line prints it.

use serde::Serialize;

/// A value as JSON with line breaks, in which no character can steer a terminal.
pub(crate) fn json_text(value: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string_pretty(value).map(|text| escape(&text))
}

/// JSON with escapes for what serde_json leaves as it is but a terminal obeys: DEL, the control
/// characters above ASCII, and marks that turn the direction of what follows. The value is the same.
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

/// What a terminal obeys, but for the control characters of ASCII. Outside of strings JSON has none of these,
/// so that each stands where an escape may stand.
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
