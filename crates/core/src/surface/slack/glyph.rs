//! Icons as emoji, where one has the same meaning; decorative icons such as chevrons have none.

const GLYPHS: &[(&str, &str)] = &[
    ("agent", "🤖"),
    ("analytics", "📊"),
    ("atom", "⚛️"),
    ("bolt", "⚡"),
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
    ("notebook", "📓"),
    ("notebook-pencil", "📝"),
    ("page-blank", "📄"),
    ("phone", "📞"),
    ("play", "▶️"),
    ("plus", "➕"),
    ("profile", "👤"),
    ("reload", "🔄"),
    ("search", "🔍"),
    ("sparkle", "✨"),
    ("sparkle-double", "✨"),
    ("star", "⭐"),
    ("star-filled", "⭐"),
    ("suitcase", "💼"),
    ("user", "👤"),
    ("write", "✏️"),
];

pub(super) fn find(icon: &str) -> Option<&'static str> {
    GLYPHS.iter().find(|(name, _)| *name == icon).map(|(_, glyph)| *glyph)
}

/// A name such as `cart.add_item` or `settings-slider` as words, for what has no label.
pub(super) fn words(name: &str) -> String {
    let bare = name.rsplit([':', '.', '/']).find(|part| !part.is_empty()).unwrap_or(name);
    let spaced = bare.replace(['_', '-'], " ");
    let mut letters = spaced.trim().chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
