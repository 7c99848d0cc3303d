//! Colours. Dark text on light tints: when a mail program inverts them in dark mode, both stay apart.

use widgetcast_engine::outline::Hue;

pub(super) const GREY: &str = "#5c6370";
pub(super) const LINK: &str = "#175cd3";
pub(super) const RULE: &str = "border-top:1px solid #e2e5ea;";

/// The shades of a colour: of text, of a background, and of what is nothing but a colour.
pub(super) fn shades(color: Option<&str>) -> [&'static str; 3] {
    match color.and_then(Hue::of) {
        Some(Hue::Red) => ["#b42318", "#fdecea", "#e5484d"],
        Some(Hue::Orange) => ["#a8470a", "#fdefe0", "#f0801f"],
        Some(Hue::Yellow) => ["#7d5300", "#fdf4cf", "#e5b80b"],
        Some(Hue::Green) => ["#17703f", "#e3f6ea", "#2f9e63"],
        Some(Hue::Blue) => ["#175cd3", "#e6f0fe", "#3b82f6"],
        Some(Hue::Purple) => ["#6739c6", "#f0eafd", "#8b5cf6"],
        Some(Hue::Pink) => ["#b01f6a", "#fdeaf3", "#e0529c"],
        None if color.is_some_and(Hue::is_dark) => ["#1f2430", "#f1f3f6", "#3a4150"],
        None => ["#1f2430", "#f1f3f6", "#a8aeb8"],
    }
}

/// The style of a frame, on a background if there is a colour.
pub(super) fn frame(color: Option<&str>) -> String {
    let tint = color.map_or("#ffffff", |_| shades(color)[1]);
    format!("style='border:1px solid #e2e5ea;border-radius:8px;padding:12px;background:{tint}'")
}
