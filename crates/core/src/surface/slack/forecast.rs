//! A forecast: a table of its days, and a line for each of its hours. It has no head, but what its columns
//! are is known by what they hold.

use serde_json::Value;

use super::component::{self, children, icon};
use super::group::Group;
use super::mrkdwn;
use crate::surface::{node, weather};

/// The fewest hours, and the fewest days.
const HOURS: usize = 5;
const DAYS: usize = 3;

/// A day or an hour: its name, its weather, how likely rain is, and its temperatures.
struct Day {
    name: String,
    weather: String,
    rain: Option<String>,
    degrees: Vec<i32>,
}

/// The days of a forecast.
pub(super) struct Days {
    pub(super) rows: Vec<Vec<String>>,
    /// The pictures that emoji stand for.
    pub(super) unseen: Vec<String>,
}

/// The hours of a forecast, which stand side by side: a line each, as mrkdwn. A table of them would fill
/// the screen of a phone.
pub(super) fn hours(columns: &[(Group<'_>, String)], unit: Option<&str>) -> Option<String> {
    let hour = |(column, _): &(Group<'_>, String)| {
        let [name, figure] = column.lines.as_slice() else { return None };
        let (sign, figure) = mrkdwn::lead(figure);
        let degrees = vec![degrees(&mrkdwn::bare(figure))?];
        Some(Day { name: mrkdwn::bare(name), weather: sign.trim().to_owned(), rain: None, degrees })
    };
    let hours: Vec<Day> = columns.iter().map(hour).collect::<Option<_>>()?;
    let is_weather = hours.iter().any(|hour| weather::is_sign(&hour.weather));
    if hours.len() < HOURS || !is_weather {
        return None;
    }
    let hour = |hour: &Day| {
        let parts = [hour.name.as_str(), hour.weather.as_str(), &range(&hour.degrees)];
        let parts: Vec<String> =
            parts.iter().filter(|part| !part.is_empty()).map(|part| mrkdwn::escape(part)).collect();
        parts.join("  ")
    };
    let hours: Vec<String> = hours.iter().map(hour).collect();
    let unit = unit.map(|unit| format!(", {}", mrkdwn::escape(unit))).unwrap_or_default();
    Some(format!("*Next hours{unit}*\n{}", hours.join("\n")))
}

/// The days of a forecast, which stand below each other.
pub(super) fn days(node: &Value, at: &str, unit: Option<&str>) -> Option<Days> {
    let mut unseen = Vec::new();
    let mut days = Vec::new();
    for (row, at) in children(node, at) {
        days.push(day(row, &at, &mut unseen)?);
    }
    let width = days.first().filter(|_| days.len() >= DAYS)?.degrees.len();
    let is_alike = days.iter().all(|day| day.degrees.len() == width);
    is_alike.then(|| Days { rows: table(&days, unit), unseen })
}

/// A table of three columns: a phone has room for no more.
fn table(days: &[Day], unit: Option<&str>) -> Vec<Vec<String>> {
    let mut rows = vec![["Day", "Weather", unit.unwrap_or("Degrees")].map(str::to_owned).to_vec()];
    for day in days {
        let weather = match &day.rain {
            Some(rain) => format!("{}\u{a0}{rain}", day.weather),
            None => day.weather.clone(),
        };
        rows.push(vec![day.name.clone(), weather, range(&day.degrees)]);
    }
    rows
}

/// A temperature, or the lowest and the highest, which no line break parts.
fn range(degrees: &[i32]) -> String {
    // A line may break behind a dash, but not before a word joiner. A minus needs room beside a dash.
    let dash = match degrees.iter().all(|one| *one >= 0) {
        true => "–\u{2060}",
        false => "\u{a0}–\u{2060}\u{a0}",
    };
    let degrees: Vec<String> = degrees.iter().map(i32::to_string).collect();
    format!("{}°", degrees.join(dash).replace('-', "−"))
}

/// Whether there are days of a forecast in a tree.
pub(super) fn is_in(tree: &Value) -> bool {
    let mut open = vec![tree];
    while let Some(node) = open.pop() {
        if node["type"] == "Col" && days(node, "", None).is_some() {
            return true;
        }
        open.extend(node::children(node));
    }
    false
}

fn day(row: &Value, at: &str, unseen: &mut Vec<String>) -> Option<Day> {
    let is_row = row["type"] == "Row";
    let mut parts = children(row, at).filter(|(part, _)| part["type"] != "Spacer");
    let (name, _) = parts.next().filter(|(name, _)| is_row && name["type"] == "Text")?;
    let name = component::words(name).trim().to_owned();
    let (picture, at) = parts.next()?;
    let weather = match picture["type"].as_str() {
        Some("Image") => weather::emoji(picture)?,
        Some("Icon") => icon(picture).filter(|sign| weather::is_sign(sign))?,
        _ => return None,
    };
    unseen.extend((picture["type"] == "Image").then_some(at));
    let mut day = Day { name, weather: weather.to_owned(), rain: None, degrees: Vec::new() };
    for (part, _) in parts {
        let words = match (part["type"].as_str(), node::children(part)) {
            (Some("Text" | "Caption"), _) => component::words(part),
            (Some("Box"), []) => continue,
            (Some("Box"), [only]) if only["type"] == "Caption" => component::words(only),
            _ => return None,
        };
        let words = words.trim().to_owned();
        match words.chars().last() {
            Some('%') if day.rain.is_none() => day.rain = Some(words),
            Some('°') if day.degrees.len() < 2 => day.degrees.push(degrees(&words)?),
            None => {}
            _ => return None,
        }
    }
    (!day.name.is_empty() && !day.degrees.is_empty()).then_some(day)
}

fn degrees(words: &str) -> Option<i32> {
    words.strip_suffix('°')?.replace('−', "-").parse().ok()
}
