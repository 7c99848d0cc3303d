//! The server as a client sees it, offline.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;

use http::Request;
use http_body_util::{BodyExt as _, Full};
use serde_json::{Value, json};
use widgetcast::App;
use widgetcast_core::{Catalog, CheckOptions, Severity, check, slack};

use crate::open_meteo::OpenMeteo;
use crate::weather::{Condition, Weather as _};
use crate::{app, open_meteo, parse};

/// One message to the server, and its answer.
async fn ask(app: &App, query: &str, locale: &str, method: &str, params: Value) -> Value {
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let request = Request::post(format!("/mcp{query}"))
        .header("content-type", "application/json")
        .header("accept-language", locale)
        .body(Full::from(message.to_string()))
        .unwrap();
    let response = app.handle(request).await;
    assert_eq!(response.status(), 200);
    let body = response.into_body().collect().await.unwrap().to_bytes();
    let answer: Value = serde_json::from_slice(&body).unwrap();
    answer["result"].clone()
}

async fn call(query: &str, tool: &str, arguments: Value) -> Value {
    let app = app(true).unwrap();
    ask(&app, query, "de-CH", "tools/call", json!({ "name": tool, "arguments": arguments })).await
}

fn resource(result: &Value, mime: &str) -> Value {
    let items = result["content"].as_array().unwrap();
    let item = items.iter().find(|item| item["resource"]["mimeType"] == mime);
    let item = item.unwrap_or_else(|| panic!("no {mime} in {result:#}"));
    serde_json::from_str(item["resource"]["text"].as_str().unwrap()).unwrap()
}

#[track_caller]
fn fails(result: &Value, words: &str) {
    assert_eq!(result["isError"], true, "{result:#}");
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.contains(words), "no {words:?} in {text:?}");
}

#[tokio::test]
async fn tools_are_described() {
    let app = app(true).unwrap();
    let list = ask(&app, "", "en", "tools/list", json!({})).await;
    let tools = list["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["current_weather", "forecast"]);
    for tool in tools {
        let location = &tool["inputSchema"]["properties"]["location"];
        assert!(location["description"].as_str().unwrap().contains("Springfield, Illinois"));
        assert_eq!(tool["inputSchema"]["required"], json!(["location"]));
        assert_eq!(tool["outputSchema"]["properties"]["place"]["type"], "string");
        assert_eq!(tool["annotations"]["readOnlyHint"], true);
        assert_eq!(tool["annotations"]["openWorldHint"], true);
        assert!(tool["_meta"]["openai/toolInvocation/invoking"].is_string(), "{tool:#}");
        assert!(tool["_meta"]["ui"]["resourceUri"].is_string(), "{tool:#}");
    }
}

#[tokio::test]
async fn the_weather_now() {
    let result = call("", "current_weather", json!({ "location": "bern" })).await;
    let text = "Current weather in Bern, Switzerland: 12°C, partly cloudy";
    assert_eq!(result["content"][0], json!({ "type": "text", "text": text }));
    let data = &result["structuredContent"];
    assert_eq!(data["observed"], "Saturday 14:00");
    assert_eq!(data["condition"], "partly_cloudy");
    assert_eq!(data["wind"], "12 km/h NW");
    assert_eq!((&data["low"], &data["high"]), (&json!(3), &json!(14)));
    assert!(!data.to_string().contains("data:image"), "pictures are not for the model");
}

#[tokio::test]
async fn units() {
    let asked = json!({ "location": "Reykjavik", "unit": "fahrenheit" });
    let result = call("", "current_weather", asked).await;
    let data = &result["structuredContent"];
    assert_eq!((&data["temperature"], &data["unit"]), (&json!(26), &json!("F")), "{result:#}");
    assert_eq!(data["wind"], "20 mph NE");

    // Without `unit`, it is the one of the user's country.
    let app = app(true).unwrap();
    let params = json!({ "name": "forecast", "arguments": { "location": "Springfield" } });
    let american = ask(&app, "", "en-US,en;q=0.9", "tools/call", params.clone()).await;
    assert_eq!(american["structuredContent"]["unit"], "F");
    let swiss = ask(&app, "", "de-CH", "tools/call", params).await;
    assert_eq!(swiss["structuredContent"]["unit"], "C");
}

#[tokio::test]
async fn the_next_days() {
    let result = call("", "forecast", json!({ "location": "Bern, Switzerland" })).await;
    let data = &result["structuredContent"];
    let names: Vec<&Value> =
        data["days"].as_array().unwrap().iter().map(|day| &day["name"]).collect();
    assert_eq!(names, ["Today", "Sunday", "Monday", "Tuesday", "Wednesday"]);
    assert_eq!((&data["lowest"], &data["highest"]), (&json!(2), &json!(17)));
    assert_eq!(data["summary"], "Wet on Sunday.");
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.ends_with("Wednesday: clear sky, 6° to 17°, 0% rain"), "{text}");

    let one = call("", "forecast", json!({ "location": "Singapore", "days": 1 })).await;
    assert_eq!(one["structuredContent"]["place"], "Singapore");
    assert_eq!(one["structuredContent"]["days"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn every_surface() {
    for (tool, words) in [("current_weather", "12°C"), ("forecast", "Wet on Sunday")] {
        let asked = json!({ "location": "Bern" });
        let result = call("?surface=chatkit", tool, asked.clone()).await;
        let payload = resource(&result, "application/vnd.ui.widget+json");
        assert_eq!(payload["widget"]["type"], "Card");
        assert!(payload.to_string().contains(words), "{payload:#}");
        let uri = result["content"][1]["resource"]["uri"].as_str().unwrap();
        assert!(uri.starts_with(&format!("ui://widgets/{tool}/")), "{uri}");

        // Our own blocks, not compiled ones: they have an emoji.
        let result = call("?surface=slack-blocks", tool, asked.clone()).await;
        let blocks = resource(&result, "application/vnd.slack.blocks+json");
        assert!(blocks.to_string().contains(":partly_sunny:"), "{blocks:#}");
        assert!(slack::validate(blocks["blocks"].as_array().unwrap()).is_empty());

        let result = call("?surface=slack-work-object", tool, asked.clone()).await;
        let object = resource(&result, "application/vnd.slack.work-object+json");
        assert_eq!(object["entity"]["entity_type"], "slack#/entities/item");
        assert!(slack::validate_work_object(&object).is_empty());

        let result = call("?surface=mcp-apps", tool, asked).await;
        assert!(result["_meta"].to_string().contains(words), "{result:#}");
    }
}

#[tokio::test]
async fn a_view_can_be_read_again() {
    let app = app(true).unwrap();
    let params = json!({ "name": "forecast", "arguments": { "location": "Bern" } });
    let result = ask(&app, "?surface=slack-work-object", "en", "tools/call", params).await;
    let uri = result["content"][1]["resource"]["uri"].clone();
    let read = ask(&app, "", "en", "resources/read", json!({ "uri": uri })).await;
    assert_eq!(read["contents"][0]["text"], result["content"][1]["resource"]["text"]);
}

#[tokio::test]
async fn mistakes_say_what_to_change() {
    let of = async |location: &str| call("", "forecast", json!({ "location": location })).await;
    fails(&of("Atlantis").await, "there is no recorded weather of \"Atlantis\"; ask for Bern,");
    fails(&of("Bern, Ohio").await, "there is no Bern in Ohio; known are: Bern, Switzerland");
    fails(&of(" , ").await, "location is empty; give the name of a town");
    assert_eq!(
        of("Springfield, Massachusetts").await["structuredContent"]["place"],
        "Springfield, Massachusetts, United States"
    );
    fails(&call("", "forecast", json!({})).await, "/location: is required, but missing");
    let nine = json!({ "location": "Bern", "days": 9 });
    fails(&call("", "forecast", nine).await, "/days");
    let kelvin = json!({ "location": "Bern", "unit": "kelvin" });
    fails(&call("", "current_weather", kelvin).await, "/unit");
}

#[test]
fn the_widgets_are_clean() {
    let catalog = Catalog::from_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/widgets")).unwrap();
    let findings = check(&catalog, &CheckOptions::strict(), &|_| ());
    let faults: Vec<_> = findings.iter().filter(|f| f.severity > Severity::Note).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn answers_of_the_service() {
    let none = open_meteo::places(r#"{"generationtime_ms":0.5}"#).unwrap();
    assert!(none.is_empty());
    let refusal = r#"{"error":true,"reason":"Latitude must be in range of -90 to 90°."}"#;
    let error = open_meteo::report(refusal).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the weather service says: Latitude must be in range of -90 to 90°."
    );
    let error = open_meteo::report("<html>").unwrap_err();
    assert_eq!(error.to_string(), "the weather service sent something else than weather");

    let report = open_meteo::report(include_str!("../recorded/reykjavik.json")).unwrap();
    assert_eq!(report.now.sky.condition, Condition::Snow);
    assert_eq!(report.days.len(), 7);
    assert_eq!(report.days[6].rain, 0, "a model that does not say how likely rain is");
}

/// The client against a stand-in that has two answers.
#[tokio::test]
async fn requests_to_the_service() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = format!("http://{}", listener.local_addr().unwrap());
    let serving = std::thread::spawn(move || {
        let answers =
            [include_str!("../recorded/places.json"), include_str!("../recorded/bern.json")];
        answers.map(|answer| {
            let (mut stream, _) = listener.accept().unwrap();
            let mut line = String::new();
            BufReader::new(&stream).read_line(&mut line).unwrap();
            let head = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length:";
            write!(stream, "{head} {}\r\n\r\n{answer}", answer.len()).unwrap();
            line
        })
    });
    let service = OpenMeteo::at(&at, &at);
    let places = service.find("São & Paulo").await.unwrap();
    let report = service.report(&places[0]).await.unwrap();
    assert_eq!(report.now.temperature, 11.8);
    let [search, forecast] = serving.join().unwrap();
    assert!(search.starts_with("GET /v1/search?count=10&"), "{search}");
    assert!(search.contains("&name=S%C3%A3o%20%26%20Paulo "), "{search}");
    assert!(forecast.contains("?latitude=46.94809&longitude=7.44744&current=temp"), "{forecast}");

    let error = service.find("Bern").await.unwrap_err();
    assert_eq!(error.to_string(), "the weather service cannot be reached; try later");
}

#[test]
fn arguments() {
    let parsed = |args: &[&str]| parse(args.iter().map(|arg| (*arg).to_owned()));
    assert!(parsed(&["--stdio", "--recorded"]).is_ok_and(|t| t.http.is_none() && t.recorded));
    assert_eq!(parsed(&["--http", ":9"]).unwrap().http.as_deref(), Some(":9"));
    assert!(parsed(&["--http"]).is_err());
    assert!(parsed(&["--nope"]).err().unwrap().contains("Usage: weather"));
}
