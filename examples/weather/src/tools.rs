//! The two tools: their input and output types, and their widgets.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use widgetcast::{App, BuildError, Ctx, Data, Tool, ToolError};

use crate::weather::{Condition, Place, Report, Unit, Weather, clock, weekday};

/// The app with a weather service behind it.
pub(crate) fn app(weather: impl Weather) -> Result<App, BuildError> {
    let weather = Arc::new(weather);
    App::new("weather", env!("CARGO_PKG_VERSION"))
        .title("Weather")
        .instructions("Both tools show a card to the user. Do not repeat its content as text.")
        .widgets(concat!(env!("CARGO_MANIFEST_DIR"), "/widgets"))
        .tool(current_tool(Arc::clone(&weather)))
        .tool(forecast_tool(weather))
        .build()
}

fn current_tool(weather: Arc<impl Weather>) -> Tool {
    let call = move |ctx: Ctx, asked: CurrentInput| {
        let weather = Arc::clone(&weather);
        async move { current(&*weather, &ctx, asked).await }
    };
    Tool::new("current_weather", call)
        .title("Current weather")
        .description("The weather at a place right now. For the next days use forecast.")
        .read_only()
        .idempotent()
        .open_world(true)
        .messages("Looking at the sky…", "Looked at the sky")
        .widget("current_weather")
}

fn forecast_tool(weather: Arc<impl Weather>) -> Tool {
    let call = move |ctx: Ctx, asked: ForecastInput| {
        let weather = Arc::clone(&weather);
        async move { forecast(&*weather, &ctx, asked).await }
    };
    Tool::new("forecast", call)
        .title("Weather forecast")
        .description("The weather of up to seven days at a place, from today.")
        .read_only()
        .idempotent()
        .open_world(true)
        .messages("Reading the forecast…", "Read the forecast")
        .widget("forecast")
}

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct CurrentInput {
    /// The town, alone or with its region or country: "Bern", "Springfield, Illinois"
    #[schemars(length(min = 2, max = 100))]
    location: String,
    /// Temperature unit; by default, the one used in the country of the user
    #[serde(default)]
    unit: Option<Unit>,
}

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct ForecastInput {
    /// The town, alone or with its region or country: "Bern", "Springfield, Illinois"
    #[schemars(length(min = 2, max = 100))]
    location: String,
    /// Number of days, including today
    #[serde(default = "five")]
    #[schemars(range(min = 1, max = 7))]
    days: usize,
    /// Temperature unit; by default, the one used in the country of the user
    #[serde(default)]
    unit: Option<Unit>,
}

fn five() -> usize {
    5
}

/// The weather now, as the widget `current_weather` shows it.
#[derive(Serialize, schemars::JsonSchema)]
struct Current {
    place: String,
    /// Local day and time
    observed: String,
    condition: Condition,
    summary: &'static str,
    /// C or F
    unit: &'static str,
    temperature: i32,
    feels_like: i32,
    high: i32,
    low: i32,
    /// In percent
    humidity: u8,
    /// Today's chance of rain or snow, in percent
    rain: u8,
    wind: String,
    sunrise: String,
    sunset: String,
}

async fn current(
    weather: &impl Weather,
    ctx: &Ctx,
    asked: CurrentInput,
) -> Result<(String, Data<Current>), ToolError> {
    let unit = asked.unit.unwrap_or_else(|| Unit::of_locale(ctx.locale()));
    let (place, report) = look_up(weather, &asked.location).await?;
    let Report { now, days } = report;
    let today = days.first().ok_or_else(|| ToolError::public("there is no weather for today"))?;
    let date = now.time.split('T').next().unwrap_or_default();
    let data = Current {
        place: place.label(),
        observed: format!("{} {}", weekday(date), clock(&now.time)),
        condition: now.sky.condition,
        summary: now.sky.words,
        unit: unit.letter(),
        temperature: unit.degrees(now.temperature),
        feels_like: unit.degrees(now.feels_like),
        high: unit.degrees(today.high),
        low: unit.degrees(today.low),
        humidity: now.humidity,
        rain: today.rain,
        wind: unit.wind(now.wind_speed, now.wind_direction),
        sunrise: clock(&today.sunrise).to_owned(),
        sunset: clock(&today.sunset).to_owned(),
    };
    let text = format!(
        "Current weather in {}: {}°{}, {}",
        data.place,
        data.temperature,
        data.unit,
        data.summary.to_lowercase()
    );
    Ok((text, Data(data)))
}

/// The next days, as the widget `forecast` shows them.
#[derive(Serialize, schemars::JsonSchema)]
struct Forecast {
    place: String,
    summary: String,
    /// C or F
    unit: &'static str,
    lowest: i32,
    highest: i32,
    days: Vec<ForecastDay>,
}

#[derive(Serialize, schemars::JsonSchema)]
struct ForecastDay {
    /// Today, or the day of the week
    name: String,
    condition: Condition,
    summary: &'static str,
    low: i32,
    high: i32,
    /// The chance of rain or snow, in percent
    rain: u8,
}

async fn forecast(
    weather: &impl Weather,
    ctx: &Ctx,
    asked: ForecastInput,
) -> Result<(String, Data<Forecast>), ToolError> {
    let unit = asked.unit.unwrap_or_else(|| Unit::of_locale(ctx.locale()));
    let (place, report) = look_up(weather, &asked.location).await?;
    let days: Vec<ForecastDay> = report
        .days
        .iter()
        .take(asked.days)
        .enumerate()
        .map(|(index, day)| ForecastDay {
            name: if index == 0 { "Today".into() } else { weekday(&day.date).into() },
            condition: day.sky.condition,
            summary: day.sky.words,
            low: unit.degrees(day.low),
            high: unit.degrees(day.high),
            rain: day.rain,
        })
        .collect();
    let data = Forecast {
        place: place.label(),
        summary: outlook(&days),
        unit: unit.letter(),
        lowest: days.iter().map(|day| day.low).min().unwrap_or_default(),
        highest: days.iter().map(|day| day.high).max().unwrap_or_default(),
        days,
    };
    let lines = data.days.iter().map(|day| {
        let words = day.summary.to_lowercase();
        format!("\n{}: {words}, {}° to {}°, {}% rain", day.name, day.low, day.high, day.rain)
    });
    let head = format!("Forecast for {} in °{}: {}", data.place, data.unit, data.summary);
    Ok((head + &lines.collect::<String>(), Data(data)))
}

/// What to expect, in one sentence.
fn outlook(days: &[ForecastDay]) -> String {
    let wet: Vec<&str> =
        days.iter().filter(|day| day.rain >= 50).map(|day| day.name.as_str()).collect();
    match wet.as_slice() {
        [] => "Mostly dry.".into(),
        all if all.len() == days.len() => "Wet every day.".into(),
        ["Today"] => "Wet today, then drier.".into(),
        ["Today", rest @ ..] => format!("Wet today and on {}.", rest.join(", ")),
        names => format!("Wet on {}.", names.join(", ")),
    }
}

/// The place that is meant, and its weather. What follows a comma narrows the choice; the service
/// itself searches only names.
async fn look_up(weather: &impl Weather, location: &str) -> Result<(Place, Report), ToolError> {
    let mut words = location.split(',').map(str::trim).filter(|word| !word.is_empty());
    let name = words.next().ok_or_else(|| {
        ToolError::public("location is empty; give the name of a town, such as \"Bern\"")
    })?;
    let within: Vec<&str> = words.collect();
    let found = weather.find(name).await?;
    let meant = found.iter().find(|place| within.iter().all(|word| place.is_in(word)));
    let Some(place) = meant else {
        return Err(ToolError::public(match found.as_slice() {
            [] => format!(
                "there is no place called {name:?}; check the spelling, or name a larger town \
                 nearby"
            ),
            others => {
                let names: Vec<String> = others.iter().take(5).map(Place::label).collect();
                format!(
                    "there is no {name} in {}; known are: {}",
                    within.join(", "),
                    names.join("; ")
                )
            }
        }));
    };
    let report = weather.report(place).await?;
    Ok((place.clone(), report))
}
