//! Links in a line of Markdown.

/// `[text](url)`: its length, text and url.
pub(crate) fn link(rest: &str) -> Option<(usize, &str, &str)> {
    let inner = rest.strip_prefix('[')?;
    let (text, after) = inner.split_once("](")?;
    let (target, _) = after.split_once(')')?;
    let url = target.split_whitespace().next().unwrap_or_default();
    (!text.contains(['[', '\n'])).then_some((text.len() + target.len() + 4, text, url))
}
