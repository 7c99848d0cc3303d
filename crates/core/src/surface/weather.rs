//! The weather in words and as emoji, for hosts that cannot load a small picture of it.

use serde_json::Value;

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

/// The emoji of a small picture, if its text is nothing but the weather.
pub(super) fn emoji(image: &Value) -> Option<&'static str> {
    let size = image["size"].as_f64().or_else(|| image["width"].as_f64())?;
    let alt = image["alt"].as_str().filter(|alt| size <= SMALL && alt.len() <= 40)?.to_lowercase();
    let words: Vec<&str> = alt.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let is_weather =
        |word: &&str| WEATHER_WORDS.contains(word) || WEATHER.iter().any(|(name, _)| name == word);
    let named = WEATHER.iter().find(|(name, _)| words.contains(name));
    named.filter(|_| words.iter().all(is_weather)).map(|(_, emoji)| *emoji)
}

/// Whether a sign is one of the weather.
pub(super) fn is_sign(sign: &str) -> bool {
    WEATHER.iter().any(|(_, emoji)| *emoji == sign)
}
