//! The trait of a weather service, and the conversion of its values for display. Independent of the
//! service.

use serde::{Deserialize, Serialize};
use widgetcast::ToolError;

/// A weather service.
pub(crate) trait Weather: Send + Sync + 'static {
    /// The places of that name, the most likely first.
    fn find(&self, name: &str) -> impl Future<Output = Result<Vec<Place>, ToolError>> + Send;

    /// The weather of a place.
    fn report(&self, place: &Place) -> impl Future<Output = Result<Report, ToolError>> + Send;
}

/// A place on the map.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Place {
    pub id: u64,
    pub name: String,
    pub latitude: f64,
    pub longitude: f64,
    /// The state or canton.
    #[serde(default)]
    pub admin1: String,
    #[serde(default)]
    pub country: String,
    #[serde(default)]
    pub country_code: String,
}

impl Place {
    /// The name with just enough around it: the region where that says more than the name.
    pub(crate) fn label(&self) -> String {
        let mut parts = vec![self.name.as_str()];
        if self.country_code == "US" && self.admin1 != self.name {
            parts.push(&self.admin1);
        }
        if self.country != self.name {
            parts.push(&self.country);
        }
        parts.retain(|part| !part.is_empty());
        parts.join(", ")
    }

    /// Whether a word after the comma, such as a country, is true of it.
    pub(crate) fn is_in(&self, word: &str) -> bool {
        [&self.admin1, &self.country, &self.country_code]
            .iter()
            .any(|known| known.to_lowercase() == word.to_lowercase())
    }
}

/// The weather of a place, in Celsius and km/h.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Report {
    pub now: Now,
    /// From today on; never empty.
    pub days: Vec<Day>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Now {
    /// `2026-03-14T14:00`, local time.
    pub time: String,
    pub sky: Sky,
    pub temperature: f64,
    pub feels_like: f64,
    pub humidity: u8,
    pub wind_speed: f64,
    /// Where it comes from, in degrees.
    pub wind_direction: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Day {
    /// `2026-03-14`.
    pub date: String,
    pub sky: Sky,
    pub low: f64,
    pub high: f64,
    /// The chance of rain or snow, in percent.
    pub rain: u8,
    pub sunrise: String,
    pub sunset: String,
}

/// The kind of weather, and its description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sky {
    pub condition: Condition,
    pub words: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Condition {
    Clear,
    ClearNight,
    PartlyCloudy,
    Cloudy,
    Fog,
    Rain,
    Snow,
    Storm,
}

impl Sky {
    /// What a WMO weather code means. A code that is not in the table is a cloudy sky: the service
    /// may learn new ones.
    pub(crate) fn of(code: u8, is_day: bool) -> Self {
        let (condition, words) = match code {
            0 => (Condition::Clear, "Clear sky"),
            1 => (Condition::Clear, "Mainly clear"),
            2 => (Condition::PartlyCloudy, "Partly cloudy"),
            3 => (Condition::Cloudy, "Overcast"),
            45 => (Condition::Fog, "Fog"),
            48 => (Condition::Fog, "Freezing fog"),
            51 | 53 | 55 => (Condition::Rain, "Drizzle"),
            56 | 57 => (Condition::Rain, "Freezing drizzle"),
            61 => (Condition::Rain, "Light rain"),
            63 => (Condition::Rain, "Rain"),
            65 => (Condition::Rain, "Heavy rain"),
            66 | 67 => (Condition::Rain, "Freezing rain"),
            71 => (Condition::Snow, "Light snow"),
            73 => (Condition::Snow, "Snow"),
            75 => (Condition::Snow, "Heavy snow"),
            77 => (Condition::Snow, "Snow grains"),
            80 | 81 => (Condition::Rain, "Showers"),
            82 => (Condition::Rain, "Violent showers"),
            85 | 86 => (Condition::Snow, "Snow showers"),
            95 => (Condition::Storm, "Thunderstorm"),
            96 | 99 => (Condition::Storm, "Thunderstorm with hail"),
            _ => (Condition::Cloudy, "Cloudy"),
        };
        let condition = match condition {
            Condition::Clear if !is_day => Condition::ClearNight,
            other => other,
        };
        Self { condition, words }
    }
}

/// The unit that people think in; the service always speaks Celsius.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Unit {
    Celsius,
    Fahrenheit,
}

impl Unit {
    /// What people of a language and country use.
    pub(crate) fn of_locale(locale: Option<&str>) -> Self {
        let country = locale.and_then(|locale| locale.rsplit(['-', '_']).next());
        match country {
            Some("US" | "LR" | "BS" | "BZ" | "KY" | "PW") => Self::Fahrenheit,
            _ => Self::Celsius,
        }
    }

    pub(crate) fn letter(self) -> &'static str {
        match self {
            Self::Celsius => "C",
            Self::Fahrenheit => "F",
        }
    }

    /// A temperature in this unit, as people say it.
    pub(crate) fn degrees(self, celsius: f64) -> i32 {
        let exact = match self {
            Self::Celsius => celsius,
            Self::Fahrenheit => celsius * 1.8 + 32.0,
        };
        exact.round() as i32
    }

    /// Wind in the unit that goes with it: `12 km/h NW`, `7 mph NW`.
    pub(crate) fn wind(self, speed: f64, direction: f64) -> String {
        const POINTS: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
        let point = POINTS[(direction.rem_euclid(360.0) / 45.0).round() as usize % POINTS.len()];
        match self {
            Self::Celsius => format!("{} km/h {point}", speed.round()),
            Self::Fahrenheit => format!("{} mph {point}", (speed / 1.609).round()),
        }
    }
}

/// The day of the week of `2026-03-14`; the text itself if it is no date.
pub(crate) fn weekday(date: &str) -> &str {
    const NAMES: [&str; 7] =
        ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
    let mut parts = date.splitn(3, '-').map(|part| part.parse::<usize>().ok());
    let (Some(Some(year)), Some(Some(month @ 1..=12)), Some(Some(day))) =
        (parts.next(), parts.next(), parts.next())
    else {
        return date;
    };
    // Sakamoto's: the offsets of the months, with January and February in the year before.
    const OFFSETS: [usize; 12] = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
    let year = if month < 3 { year.saturating_sub(1) } else { year };
    NAMES[(year + year / 4 - year / 100 + year / 400 + OFFSETS[month - 1] + day) % 7]
}

/// The clock of `2026-03-14T14:00`.
pub(crate) fn clock(time: &str) -> &str {
    time.split_once('T').map_or(time, |(_, clock)| clock)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units() {
        assert_eq!(Unit::Celsius.degrees(-0.4), 0);
        assert_eq!(Unit::Fahrenheit.degrees(-40.0), -40);
        assert_eq!(Unit::Fahrenheit.degrees(21.5), 71);
        assert_eq!(Unit::Celsius.wind(12.4, 315.0), "12 km/h NW");
        assert_eq!(Unit::Fahrenheit.wind(12.4, 359.0), "8 mph N");
        assert_eq!(Unit::of_locale(Some("en-US")), Unit::Fahrenheit);
        assert_eq!(Unit::of_locale(Some("de-CH")), Unit::Celsius);
        assert_eq!(Unit::of_locale(None), Unit::Celsius);
    }

    #[test]
    fn days() {
        assert_eq!(weekday("2026-03-14"), "Saturday");
        assert_eq!(weekday("2024-02-29"), "Thursday");
        assert_eq!(weekday("2000-01-01"), "Saturday");
        assert_eq!(weekday("soon"), "soon");
        assert_eq!(clock("2026-03-14T06:41"), "06:41");
    }

    #[test]
    fn skies() {
        assert_eq!(Sky::of(0, false).condition, Condition::ClearNight);
        assert_eq!(Sky::of(63, false).condition, Condition::Rain);
        assert_eq!(Sky::of(42, true).words, "Cloudy");
    }
}
