//! Ids that nobody can guess and no two things share.

use std::fmt::Write as _;

use crate::clock;

/// A new id with this prefix, such as `thr_`. It begins with the time, so that what is made together stands
/// together in the indexes of a database.
pub(crate) fn new(prefix: &str) -> String {
    let millis = clock::next() / 1000;
    format!("{prefix}{millis:012x}{:016x}", rand::random::<u64>())
}

/// A secret of 128 bits and more, in letters that a cookie and a header take.
pub(crate) fn secret() -> String {
    rand::random::<[u8; 20]>().iter().fold(String::new(), |mut text, byte| {
        _ = write!(text, "{byte:02x}");
        text
    })
}
