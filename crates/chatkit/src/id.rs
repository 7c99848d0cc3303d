//! Unguessable, unique ids.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::clock;

/// A new id with this prefix, such as `thr_`. It starts with the time, so that ids created together are close
/// in database indexes.
pub(crate) fn new(prefix: &str) -> String {
    let millis = clock::next() / 1000;
    format!("{prefix}{millis:012x}{:016x}", rand::random::<u64>())
}

/// Encodes bytes in characters that are valid in cookies and headers.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        _ = write!(text, "{byte:02x}");
        text
    })
}

/// A secret of at least 128 bits.
pub(crate) fn secret() -> String {
    hex(&rand::random::<[u8; 20]>())
}

/// A signature of a text, which requires the key.
pub(crate) fn signature(key: &[u8; 16], text: &str) -> String {
    // Hashed twice, to prevent length extension.
    let inner = Sha256::new().chain_update(key).chain_update(text).finalize();
    hex(&Sha256::new().chain_update(key).chain_update(inner).finalize()[..16])
}
