//! The secret for ids, as text.

use std::fmt::Write as _;

/// A new one.
pub(crate) fn new() -> String {
    let bytes: [u8; 16] = rand::random();
    bytes.iter().fold(String::new(), |mut text, byte| {
        _ = write!(text, "{byte:02x}");
        text
    })
}

/// Parses a secret created by [`new`].
pub(crate) fn read(text: &str) -> Result<[u8; 16], &'static str> {
    let digits = Some(text).filter(|text| text.len() == 32);
    let number = digits.and_then(|text| u128::from_str_radix(text, 16).ok());
    number.map(u128::to_be_bytes).ok_or("the key in the store must be 32 hex digits")
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_secret_is_read_again() {
        let text = super::new();
        assert_ne!(text, super::new());
        let bytes = super::read(&text).unwrap();
        assert_eq!(format!("{:032x}", u128::from_be_bytes(bytes)), text);
        assert!(super::read("").is_err() && super::read(&"x".repeat(32)).is_err());
    }
}
