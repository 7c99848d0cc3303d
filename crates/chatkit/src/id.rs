//! Ids that nobody can guess and no two things share.

use std::fmt::Write as _;

/// A new id with this prefix, such as `thr_`.
pub(crate) fn new(prefix: &str) -> String {
    let mut id = String::with_capacity(prefix.len() + 24);
    id.push_str(prefix);
    for byte in rand::random::<[u8; 12]>() {
        _ = write!(id, "{byte:02x}");
    }
    id
}

/// A secret of 128 bits and more, in letters that a cookie and a header take.
pub(crate) fn secret() -> String {
    rand::random::<[u8; 20]>().iter().fold(String::new(), |mut text, byte| {
        _ = write!(text, "{byte:02x}");
        text
    })
}
