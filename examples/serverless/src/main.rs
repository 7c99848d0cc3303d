//! An app that handles one request and exits, as on serverless platforms: [`App::handle`] needs no
//! port and no session.
//!
//! It reads one request from stdin and writes one response to stdout, both as JSON:
//!
//! ```text
//! {"method": "POST", "path": "/mcp", "headers": {"content-type": "application/json"}, "body": "…"}
//! {"status": 200, "headers": {"content-type": "application/json"}, "body": "…"}
//! ```
//!
//! Your platform has its own formats for the two; adapt [`answer`] to them.

use std::collections::BTreeMap;
use std::io::Read as _;

use http_body_util::{BodyExt as _, Full};
use serde::{Deserialize, Serialize};
use widgetcast::{App, BuildError, Data, Tool};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    method: String,
    path: String,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    #[serde(default)]
    body: String,
}

#[derive(Serialize)]
struct Response {
    status: u16,
    headers: BTreeMap<String, String>,
    body: String,
}

#[derive(Deserialize, schemars::JsonSchema)]
struct Numbers {
    /// Numbers to add
    numbers: Vec<f64>,
}

#[derive(Serialize, schemars::JsonSchema)]
struct Sum {
    sum: f64,
}

async fn add(asked: Numbers) -> (String, Data<Sum>) {
    let sum = asked.numbers.iter().sum();
    (format!("The sum is {sum}"), Data(Sum { sum }))
}

fn app() -> Result<App, BuildError> {
    App::new("adder", "1.0.0")
        .tool(Tool::new("add", add).description("Adds numbers").read_only())
        .build()
}

async fn answer(app: &App, request: Request) -> Result<Response, Box<dyn std::error::Error>> {
    let mut builder = http::Request::builder().method(request.method.as_str()).uri(&request.path);
    for (name, value) in &request.headers {
        builder = builder.header(name, value);
    }
    let response = app.handle(builder.body(Full::from(request.body))?).await;
    let (head, body) = response.into_parts();
    let headers = head.headers.iter().map(|(name, value)| {
        (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned())
    });
    Ok(Response {
        status: head.status.as_u16(),
        headers: headers.collect(),
        body: String::from_utf8(body.collect().await?.to_bytes().to_vec())?,
    })
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let response = answer(&app()?, serde_json::from_str(&text)?).await?;
    serde_json::to_writer(std::io::stdout(), &response)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    async fn send(request: Value) -> Response {
        answer(&app().unwrap(), serde_json::from_value(request).unwrap()).await.unwrap()
    }

    #[tokio::test]
    async fn one_request_one_response() {
        let call = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": { "name": "add", "arguments": { "numbers": [1, 2.5] } },
        });
        let response = send(json!({
            "method": "POST", "path": "/mcp",
            "headers": { "content-type": "application/json" },
            "body": call.to_string(),
        }))
        .await;
        assert_eq!(response.status, 200);
        assert_eq!(response.headers["content-type"], "application/json");
        let answer: Value = serde_json::from_str(&response.body).unwrap();
        assert_eq!(answer["result"]["structuredContent"]["sum"], 3.5);

        assert_eq!(send(json!({ "method": "GET", "path": "/mcp" })).await.status, 405);
        assert_eq!(send(json!({ "method": "GET", "path": "/elsewhere" })).await.status, 404);
    }
}
