//! Signs: icons and coloured dots as emoji; decorative icons such as chevrons have none.

use serde_json::Value;

pub(super) use crate::surface::emoji::find;
use crate::surface::node::capitalized;

/// The emoji of a coloured dot; none for a colour that has no name.
pub(super) fn circle(color: &Value) -> Option<&'static str> {
    let name = color.as_str().or_else(|| color["light"].as_str())?;
    let emoji = match name.split('-').next().unwrap_or_default() {
        "success" | "green" => "🟢",
        "danger" | "red" => "🔴",
        "warning" | "orange" => "🟠",
        "caution" | "yellow" => "🟡",
        "info" | "accent" | "blue" => "🔵",
        "discovery" | "purple" | "pink" => "🟣",
        "alpha" | "gray" | "secondary" | "tertiary" | "default" => "⚪",
        _ => return None,
    };
    Some(emoji)
}

/// The emoji before a badge; one without a colour of its own, or in one that names no state, is words alone.
pub(super) fn status(color: &Value) -> Option<&'static str> {
    circle(color).filter(|emoji| !matches!(*emoji, "⚪" | "🟣"))
}

/// Whether it is the colour of a warning.
pub(super) fn warns(color: &Value) -> bool {
    matches!(circle(color), Some("🔴" | "🟠" | "🟡"))
}

/// Whether words begin with a coloured sign.
pub(super) fn is_marked(words: &str) -> bool {
    words.starts_with(['🟢', '🔴', '🟠', '🟡', '🔵', '🟣', '⚪'])
}

/// Icons that only lead the eye; nobody misses them.
const DECORATIVE: &[&str] = &["chevron-left", "chevron-right", "dots-horizontal", "dots-vertical"];

/// Whether an icon that no emoji stands for is missed.
pub(super) fn is_missed(icon: &str) -> bool {
    find(icon).is_none() && !DECORATIVE.contains(&bare(icon))
}

fn bare(icon: &str) -> &str {
    icon.rsplit(':').next().unwrap_or(icon)
}

/// A name such as `cart.add_item` or `settings-slider` as words, for what has no label.
pub(super) fn words(name: &str) -> String {
    let bare = name.rsplit([':', '.', '/']).find(|part| !part.is_empty()).unwrap_or(name);
    capitalized(bare.replace(['_', '-'], " ").trim())
}
