//! Ids that nobody can guess and no two things share.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::clock;

/// A new id with this prefix, such as `thr_`. It begins with the time, so that what is made together stands
/// together in the indexes of a database.
pub(crate) fn new(prefix: &str) -> String {
    let millis = clock::next() / 1000;
    format!("{prefix}{millis:012x}{:016x}", rand::random::<u64>())
}

/// Bytes as letters that a cookie and a header take.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        _ = write!(text, "{byte:02x}");
        text
    })
}

/// A secret of 128 bits and more.
pub(crate) fn secret() -> String {
    hex(&rand::random::<[u8; 20]>())
}

/// What nobody can make for a text who does not have the key.
pub(crate) fn signature(key: &[u8; 16], text: &str) -> String {
    // Twice, so that nothing can be added to what is signed.
    let inner = Sha256::new().chain_update(key).chain_update(text).finalize();
    hex(&Sha256::new().chain_update(key).chain_update(inner).finalize()[..16])
}
