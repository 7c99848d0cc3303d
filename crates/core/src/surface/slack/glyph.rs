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

/// The largest picture that an emoji can stand for, in pixels.
const SMALL: f64 = 64.0;

/// Words of the weather and their emoji; of several in a text the first here counts.
const WEATHER: &[(&str, &str)] = &[
    ("thunderstorm", "⛈️"),
    ("thunderstorms", "⛈️"),
    ("storm", "⛈️"),
    ("snow", "🌨️"),
    ("sleet", "🌨️"),
    ("rain", "🌧️"),
    ("showers", "🌧️"),
    ("drizzle", "🌧️"),
    ("fog", "🌫️"),
    ("mist", "🌫️"),
    ("partly", "⛅"),
    ("cloud", "☁️"),
    ("clouds", "☁️"),
    ("cloudy", "☁️"),
    ("overcast", "☁️"),
    ("night", "🌙"),
    ("sun", "☀️"),
    ("sunny", "☀️"),
    ("clear", "☀️"),
    ("wind", "💨"),
    ("windy", "💨"),
];
/// What else such a text says.
const WEATHER_WORDS: &[&str] = &["and", "day", "few", "heavy", "light", "mostly", "sky", "with"];

/// The emoji of a small picture that Slack cannot load, if its text is nothing but the weather.
pub(super) fn picture(image: &Value) -> Option<&'static str> {
    let size = image["size"].as_f64().or_else(|| image["width"].as_f64())?;
    let alt = image["alt"].as_str().filter(|alt| size <= SMALL && alt.len() <= 40)?.to_lowercase();
    let words: Vec<&str> = alt.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let is_weather =
        |word: &&str| WEATHER_WORDS.contains(word) || WEATHER.iter().any(|(name, _)| name == word);
    let named = WEATHER.iter().find(|(name, _)| words.contains(name));
    named.filter(|_| words.iter().all(is_weather)).map(|(_, emoji)| *emoji)
}

/// Whether a sign is one of the weather.
pub(super) fn is_weather(sign: &str) -> bool {
    WEATHER.iter().any(|(_, emoji)| *emoji == sign)
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
