//! The revisions of the protocol that are served, all at one address.
//!
//! "Modern" is 2026-07-28: no handshake, every request says in its `_meta` which revision it follows
//! and what its client can do. "Legacy" are the revisions that begin with `initialize`.

/// The revision without a handshake.
pub(crate) const MODERN: &str = "2026-07-28";
/// The revisions that begin with `initialize`, newest first.
pub(crate) const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// All of them, newest first.
pub(crate) fn supported() -> impl DoubleEndedIterator<Item = &'static str> {
    std::iter::once(MODERN).chain(LEGACY)
}

pub(crate) fn is_supported(version: &str) -> bool {
    supported().any(|known| known == version)
}

/// The revision that a handshake agrees on: what the client asks for if it has a handshake, else the
/// newest that has one.
pub(crate) fn negotiate(requested: &str) -> &'static str {
    LEGACY.into_iter().find(|known| *known == requested).unwrap_or(LEGACY[0])
}
