//! Formats JSON numbers.

use serde_json::Number;

/// A number as JavaScript prints it: 72, not 72.0; 1e+21.
pub fn number_text(number: &Number) -> String {
    match number.as_f64() {
        Some(float) if number.is_f64() => ryu_js::Buffer::new().format(float).to_owned(),
        _ => number.to_string(),
    }
}
