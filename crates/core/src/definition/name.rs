//! Names: from display names to those that protocols and type systems accept.

use std::path::Path;

use deunicode::deunicode;

/// The tool that stores the state of views. The page that renders widgets calls it, so its name is reserved.
pub const STATE_TOOL: &str = "widgetcast_state";

/// The tool name of a widget: lower snake case, ASCII letters, digits and underscores. Other scripts are
/// transliterated.
///
/// ```
/// use widgetcast_core::tool_name;
/// assert_eq!(tool_name("Flight Tracker"), "flight_tracker");
/// assert_eq!(tool_name("weatherCurrent"), "weather_current");
/// assert_eq!(tool_name("123 Test"), "_123_test");
/// assert_eq!(tool_name("Café Menu"), "cafe_menu");
/// ```
///
/// The result is empty if the name has no letter or digit.
pub fn tool_name(name: &str) -> String {
    let name = deunicode(name);
    let mut out = String::with_capacity(name.len() + 4);
    let mut chars = name.trim().chars().peekable();
    let mut previous = ' ';
    while let Some(c) = chars.next() {
        if c.is_ascii_alphanumeric() {
            // A word starts at a capital after a lower-case letter or digit (weatherCurrent), and at the last
            // capital of a run before a lower-case letter (HTTPServer).
            let starts_word = c.is_ascii_uppercase()
                && (previous.is_ascii_lowercase()
                    || previous.is_ascii_digit()
                    || previous.is_ascii_uppercase()
                        && chars.peek().is_some_and(char::is_ascii_lowercase));
            if starts_word && !out.is_empty() && !out.ends_with('_') {
                out.push('_');
            }
            out.push(c.to_ascii_lowercase());
        } else if matches!(c, ' ' | '-' | '_' | '.' | '/' | ':')
            && !out.is_empty()
            && !out.ends_with('_')
        {
            out.push('_');
        }
        previous = c;
    }
    out.truncate(out.trim_end_matches('_').len());
    if out.starts_with(|c: char| c.is_ascii_digit()) {
        out.insert(0, '_');
    }
    out
}

/// The tool name of a definition: derived from its name, or else from its file.
pub(crate) fn tool_name_in(name: &str, path: &Path) -> String {
    let named = tool_name(name);
    if !named.is_empty() {
        return named;
    }
    tool_name(&path.file_stem().unwrap_or_default().to_string_lossy())
}

/// The title of a tool's input schema: `flight_tracker` gives `FlightTrackerArguments`.
///
/// ```
/// assert_eq!(widgetcast_core::schema_title("flight_tracker"), "FlightTrackerArguments");
/// ```
pub fn schema_title(tool_name: &str) -> String {
    let mut out = String::with_capacity(tool_name.len() + 9);
    for word in tool_name.split('_').filter(|word| !word.is_empty()) {
        let mut chars = word.chars();
        out.extend(chars.next().map(|c| c.to_ascii_uppercase()));
        out.push_str(chars.as_str());
    }
    out + "Arguments"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (name, tool) in [
            ("Flight Tracker", "flight_tracker"),
            ("weatherCurrent", "weather_current"),
            ("123 Test", "_123_test"),
            ("MCQ Card (copy)", "mcq_card_copy"),
            ("Single-choice list", "single_choice_list"),
            ("HTTPServer status", "http_server_status"),
            ("deck_list", "deck_list"),
            ("  _private ", "private"),
            ("Top10Songs", "top10_songs"),
            ("Top10songs", "top10songs"),
            ("ABC", "abc"),
            ("aB", "a_b"),
            ("PDFv2", "pd_fv2"),
            ("XMLToJSON", "xml_to_json"),
            ("a-b_c.d/e:f g", "a_b_c_d_e_f_g"),
            ("a -- b", "a_b"),
            ("a!b", "ab"),
            ("-a-", "a"),
            ("9", "_9"),
            ("Café Menu", "cafe_menu"),
            ("Ärztetermin", "arztetermin"),
            ("Über Cool", "uber_cool"),
            ("İstanbul", "istanbul"),
            ("Größenvergleich", "grossenvergleich"),
            ("会議予定", "hui_yi_yu_ding"),
            ("Погода", "pogoda"),
            ("…!", ""),
            ("", ""),
        ] {
            assert_eq!(tool_name(name), tool, "{name}");
        }
        assert_eq!(tool_name_in("!", Path::new("a/Daily plan.widget")), "daily_plan");
        assert_eq!(tool_name_in("", Path::new("")), "");
        assert_eq!(schema_title("_123_test"), "123TestArguments");
        assert_eq!(schema_title("a__b"), "ABArguments");
    }
}
