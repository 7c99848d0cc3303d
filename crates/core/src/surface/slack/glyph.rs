//! Icons as emoji, where one has the same meaning; decorative icons such as chevrons have none.

const GLYPHS: &[(&str, &str)] = &[
    ("agent", "🤖"),
    ("analytics", "📊"),
    ("atom", "⚛️"),
    ("batch", "🗂️"),
    ("bolt", "⚡"),
    ("book-clock", "📖"),
    ("book-closed", "📕"),
    ("book-open", "📖"),
    ("bug", "🐛"),
    ("calendar", "📅"),
    ("chart", "📊"),
    ("check", "✔️"),
    ("check-circle", "✅"),
    ("check-circle-filled", "✅"),
    ("circle-question", "❓"),
    ("clock", "🕒"),
    ("compass", "🧭"),
    ("confetti", "🎉"),
    ("cube", "📦"),
    ("desktop", "🖥️"),
    ("document", "📄"),
    ("dot", "•"),
    ("empty-circle", "⚪"),
    ("external-link", "↗️"),
    ("globe", "🌐"),
    ("images", "🖼️"),
    ("info", "ℹ️"),
    ("keys", "🔑"),
    ("lab", "🧪"),
    ("lifesaver", "🛟"),
    ("lightbulb", "💡"),
    ("mail", "✉️"),
    ("map-pin", "📍"),
    ("maps", "🗺️"),
    ("mobile", "📱"),
    ("name", "🏷️"),
    ("notebook", "📓"),
    ("notebook-pencil", "📝"),
    ("page-blank", "📄"),
    ("phone", "📞"),
    ("play", "▶️"),
    ("plus", "➕"),
    ("profile", "👤"),
    ("profile-card", "🪪"),
    ("reload", "🔄"),
    ("search", "🔍"),
    ("settings-slider", "🎛️"),
    ("sparkle", "✨"),
    ("sparkle-double", "✨"),
    ("square-code", "💻"),
    ("square-image", "🖼️"),
    ("square-text", "📄"),
    ("star", "⭐"),
    ("star-filled", "⭐"),
    ("suitcase", "💼"),
    ("user", "👤"),
    ("wreath", "🏆"),
    ("write", "✏️"),
    ("write-alt", "✏️"),
    ("write-alt2", "✏️"),
];

/// Icons that only lead the eye; nobody misses them.
const DECORATIVE: &[&str] = &["chevron-left", "chevron-right", "dots-horizontal", "dots-vertical"];

/// The emoji of an icon, also of one with a `lucide:` or `vendor:` prefix.
pub(super) fn find(icon: &str) -> Option<&'static str> {
    let icon = bare(icon);
    GLYPHS.iter().find(|(name, _)| *name == icon).map(|(_, glyph)| *glyph)
}

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
    let spaced = bare.replace(['_', '-'], " ");
    let mut letters = spaced.trim().chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
