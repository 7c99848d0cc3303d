//! The supported protocol revisions, all at one endpoint.
//!
//! "Modern" is 2026-07-28: without a handshake, every request declares in its `_meta` which revision it uses
//! and what its client supports. "Legacy" are the revisions that start with `initialize`.

/// The revision without a handshake.
pub(crate) const MODERN: &str = "2026-07-28";
/// The revisions with `initialize`, newest first.
pub(crate) const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// All of them, newest first.
pub(crate) fn supported() -> impl DoubleEndedIterator<Item = &'static str> {
    std::iter::once(MODERN).chain(LEGACY)
}

pub(crate) fn is_supported(version: &str) -> bool {
    supported().any(|known| known == version)
}

/// The negotiated revision: the requested one if it has a handshake, or else the newest that does.
/// newest that has one.
pub(crate) fn negotiate(requested: &str) -> &'static str {
    LEGACY.into_iter().find(|known| *known == requested).unwrap_or(LEGACY[0])
}
