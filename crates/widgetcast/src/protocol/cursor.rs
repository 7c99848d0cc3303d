//! List cursors: the last name of a page, which remains valid after a reload.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::error::RpcError;

pub(super) fn encode(last: &str) -> String {
    URL_SAFE_NO_PAD.encode(last)
}

pub(super) fn decode(cursor: &str) -> Result<String, RpcError> {
    let bytes = URL_SAFE_NO_PAD.decode(cursor).ok();
    bytes
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .ok_or_else(|| RpcError::params("invalid cursor; list from the start"))
}
