//! Open-Meteo: free weather without a key. See <https://open-meteo.com/en/docs> and
//! <https://open-meteo.com/en/docs/geocoding-api>.

use std::time::Duration;

use serde::Deserialize;
use widgetcast::ToolError;

use crate::weather::{Day, Now, Place, Report, Sky, Weather};

/// The variables we ask for. Days without an hour are in local time, hence `timezone=auto`.
const FORECAST: &str = "current=temperature_2m,relative_humidity_2m,apparent_temperature,is_day,\
weather_code,wind_speed_10m,wind_direction_10m&daily=weather_code,temperature_2m_max,\
temperature_2m_min,precipitation_probability_max,sunrise,sunset&timezone=auto&forecast_days=7";
/// The largest response body that is read; real ones have 2 KB.
const MAX_BODY: u64 = 1 << 20;

const SEARCH: &str = "https://geocoding-api.open-meteo.com";
const API: &str = "https://api.open-meteo.com";

/// The service itself.
pub(crate) struct OpenMeteo {
    agent: ureq::Agent,
    search: String,
    api: String,
}

impl OpenMeteo {
    pub(crate) fn new() -> Self {
        Self::at(SEARCH, API)
    }

    /// The same service at other addresses: a self-hosted one, or a mock in tests.
    pub(crate) fn at(search: &str, api: &str) -> Self {
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(Duration::from_secs(10)))
            // The body of an error response says what is wrong.
            .http_status_as_error(false)
            .build();
        Self { agent: config.new_agent(), search: search.into(), api: api.into() }
    }

    /// Sends a request on a thread that may block, since ureq does.
    async fn get(
        &self,
        request: ureq::RequestBuilder<ureq::typestate::WithoutBody>,
    ) -> Result<String, ToolError> {
        let response = tokio::task::spawn_blocking(move || {
            let mut response = request.call()?;
            response.body_mut().with_config().limit(MAX_BODY).read_to_string()
        });
        // The model can only try again; the cause goes to the log.
        response.await?.map_err(|error| {
            ToolError::from(error).with_message("the weather service cannot be reached; try later")
        })
    }
}

impl Weather for OpenMeteo {
    async fn find(&self, name: &str) -> Result<Vec<Place>, ToolError> {
        let url = format!("{}/v1/search?count=10&language=en&format=json", self.search);
        let request = self.agent.get(url).query("name", name);
        places(&self.get(request).await?)
    }

    async fn report(&self, place: &Place) -> Result<Report, ToolError> {
        let at = format!("latitude={}&longitude={}", place.latitude, place.longitude);
        let url = format!("{}/v1/forecast?{at}&{FORECAST}", self.api);
        report(&self.get(self.agent.get(url)).await?)
    }
}

/// Parses a response, or the error that the service reports.
fn read<'t, T: Deserialize<'t>>(text: &'t str) -> Result<T, ToolError> {
    #[derive(Deserialize)]
    struct Refusal {
        error: bool,
        reason: String,
    }
    if let Ok(Refusal { error: true, reason }) = serde_json::from_str(text) {
        return Err(ToolError::public(format!("the weather service says: {reason}")));
    }
    serde_json::from_str(text).map_err(|error| {
        ToolError::from(error).with_message("the weather service sent something else than weather")
    })
}

/// Reads an answer of the geocoding API.
pub(crate) fn places(text: &str) -> Result<Vec<Place>, ToolError> {
    #[derive(Deserialize)]
    struct Found {
        /// Left out when there are none.
        #[serde(default)]
        results: Vec<Place>,
    }
    Ok(read::<Found>(text)?.results)
}

/// Reads an answer of the forecast API: a list for each variable, a place in them for each day.
pub(crate) fn report(text: &str) -> Result<Report, ToolError> {
    #[derive(Deserialize)]
    struct Forecast {
        current: Current,
        daily: Daily,
    }
    #[derive(Deserialize)]
    struct Current {
        time: String,
        temperature_2m: f64,
        relative_humidity_2m: u8,
        apparent_temperature: f64,
        is_day: u8,
        weather_code: u8,
        wind_speed_10m: f64,
        wind_direction_10m: f64,
    }
    #[derive(Deserialize)]
    struct Daily {
        time: Vec<String>,
        weather_code: Vec<u8>,
        temperature_2m_max: Vec<f64>,
        temperature_2m_min: Vec<f64>,
        /// Some models do not say.
        precipitation_probability_max: Vec<Option<u8>>,
        sunrise: Vec<String>,
        sunset: Vec<String>,
    }
    let Forecast { current, daily } = read(text)?;
    let days: Vec<Day> = daily
        .time
        .iter()
        .enumerate()
        .map_while(|(index, date)| {
            Some(Day {
                date: date.clone(),
                sky: Sky::of(*daily.weather_code.get(index)?, true),
                low: *daily.temperature_2m_min.get(index)?,
                high: *daily.temperature_2m_max.get(index)?,
                rain: daily.precipitation_probability_max.get(index)?.unwrap_or(0),
                sunrise: daily.sunrise.get(index)?.clone(),
                sunset: daily.sunset.get(index)?.clone(),
            })
        })
        .collect();
    if days.is_empty() {
        return Err(ToolError::public("the weather service knows no day for this place"));
    }
    let now = Now {
        time: current.time,
        sky: Sky::of(current.weather_code, current.is_day == 1),
        temperature: current.temperature_2m,
        feels_like: current.apparent_temperature,
        humidity: current.relative_humidity_2m,
        wind_speed: current.wind_speed_10m,
        wind_direction: current.wind_direction_10m,
    };
    Ok(Report { now, days })
}
