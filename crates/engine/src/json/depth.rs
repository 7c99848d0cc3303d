//! The nesting depth of a text, before it is parsed.

/// The nesting depth of the brackets in a text, whether or not it is JSON.
pub fn text_depth(text: &str) -> usize {
    let (mut depth, mut deepest) = (0usize, 0);
    let (mut quoted, mut escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' | b'[' if !quoted => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_deep_json_nests() {
        for (json, deep) in [("1", 0), (r#"{"a":[{}],"b":[]}"#, 3), (r#"["[[\\\"[["]"#, 1)] {
            assert_eq!(text_depth(json), deep, "{json}");
        }
    }
}
