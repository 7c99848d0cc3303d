//! Quotes of foreign text and template code, cut to a length that fits a message.

/// A text in quotes, at most 40 characters of it.
pub fn brief(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{:?}…", &text[..at]),
        None => format!("{text:?}"),
    }
}

/// Template code in backticks, at most 60 characters of it.
pub(crate) fn brief_code(code: &str) -> String {
    match code.char_indices().nth(60) {
        Some((at, _)) => format!("`{}…`", &code[..at]),
        None => format!("`{code}`"),
    }
}
