//! A URL that handles calls: arguments in its path and query or in a JSON body, the result in its response.
//!
//! Placeholders are names, not Jinja: values are always percent-encoded, and never determine the host.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use reqwest::header::{HeaderMap, LOCATION};
use reqwest::{Client, Method, Response, Url};
use serde_json::{Map, Value, json};
use widgetcast::{Outcome, ToolError};
use widgetcast_core::JsonTemplate;

use super::{MAX_OUTPUT, outcome, too_large};
use crate::client::client;
use crate::variables::{self, with_variables};

/// Maximum bytes of an error's body that are shown.
const MAX_REFUSAL: usize = 300;

/// The endpoint of a tool.
#[derive(Debug)]
pub(super) struct Endpoint {
    tool: String,
    client: Client,
    method: Method,
    url: Vec<Part>,
    /// The part of the URL that errors show: the rest may contain keys.
    origin: String,
    headers: HeaderMap,
    data: Option<JsonTemplate>,
}

/// A part of a URL.
#[derive(Debug)]
enum Part {
    Text(String),
    /// The name of an argument.
    Hole(String),
}

impl Endpoint {
    pub(super) fn new(
        tool: &str,
        url: &str,
        method: Option<&str>,
        headers: &BTreeMap<String, String>,
        data: Option<String>,
    ) -> Result<Self, String> {
        let url = parts(&with_variables(url)?)?;
        let fixed = match url.first() {
            Some(Part::Text(text)) => text.as_str(),
            _ => "",
        };
        // Values must not determine the host: it must be the same without what follows the first placeholder.
        let filled = Url::parse(&fill(&url, |_| "x".into())).ok();
        let Some(origin) = filled
            .zip(Url::parse(fixed).ok())
            .filter(|(filled, _)| matches!(filled.scheme(), "http" | "https"))
            .map(|(filled, fixed)| (filled.origin(), fixed.origin()))
            .and_then(|(filled, fixed)| (filled == fixed).then_some(fixed))
        else {
            return Err("`url` must be an http or https URL, with placeholders only in its path and query, such as \
                        https://api.example.com/weather?city={{ city }}"
                .into());
        };
        let method = method.unwrap_or("GET").to_ascii_uppercase();
        let method = match method.as_str() {
            "GET" | "POST" | "PUT" | "PATCH" | "DELETE" => {
                method.parse().map_err(|_| "`method`")?
            }
            _ => {
                return Err(format!("method = {method:?} must be GET, POST, PUT, PATCH or DELETE"));
            }
        };
        let data = data.map(|text| JsonTemplate::read(&text)).transpose();
        Ok(Self {
            tool: tool.to_owned(),
            client: client()?,
            method,
            url,
            origin: origin.ascii_serialization(),
            headers: variables::headers(headers)?,
            data: data.map_err(|error| format!("`data`: {error}"))?,
        })
    }

    /// The schema of the arguments, derived from the placeholders.
    pub(super) fn input(&self) -> Value {
        let names = self.url.iter().filter_map(|part| match part {
            Part::Hole(name) => Some(name.clone()),
            Part::Text(_) => None,
        });
        let properties: Map<String, Value> =
            names.map(|name| (name, json!({ "type": "string" }))).collect();
        let required: Vec<&String> = properties.keys().collect();
        json!({ "type": "object", "required": required, "properties": properties })
    }

    pub(super) async fn call(&self, arguments: &Value) -> Result<Outcome, ToolError> {
        let url = fill(&self.url, |name| encoded(arguments.get(name)));
        // A URL parser treats these as steps up, out of the author's path.
        let path = url.split('?').next().unwrap_or_default();
        if path.split('/').any(|segment| matches!(segment, "." | "..")) {
            return Err(ToolError::public("an argument must not be `.` or `..`"));
        }
        let mut request =
            self.client.request(self.method.clone(), url).headers(self.headers.clone());
        if self.method != Method::GET {
            request = request
                .header(reqwest::header::CONTENT_TYPE, "application/json")
                .body(arguments.to_string());
        }
        let (tool, origin) = (&self.tool, &self.origin);
        let response = request.send().await.map_err(|error| {
            let error = error.without_url();
            ToolError::private(error).with_message(format!("{tool}: {origin} cannot be reached"))
        })?;
        let status = response.status();
        if status.is_redirection() {
            let to = response.headers().get(LOCATION).and_then(|to| to.to_str().ok());
            // Only the origin: the rest may contain a key.
            let to = to.and_then(|to| response.url().join(to).ok());
            let to = to.map_or("another URL".into(), |to| to.origin().ascii_serialization());
            return Err(ToolError::public(format!(
                "{tool}: {origin} redirects to {to}, which is not followed; change `url` of [tools.{tool}]"
            )));
        }
        let body = self.body(response).await?;
        if !status.is_success() {
            let shown: String = body.trim().chars().take(MAX_REFUSAL).collect();
            let colon = if shown.is_empty() { "" } else { ": " };
            return Err(ToolError::public(format!(
                "{tool}: {origin} returned {status}{colon}{shown}"
            )));
        }
        let Some(template) = &self.data else { return Ok(outcome(&body)) };
        let response = serde_json::from_str(&body).unwrap_or(Value::String(body));
        let data = json!({ "response": response, "arguments": arguments });
        let misfit = |why: String| {
            ToolError::public(format!(
                "the response does not match `data` of [tools.{tool}]: {why}"
            ))
        };
        let written = template.render(&data).map_err(|error| misfit(error.to_string()))?;
        let data: Map<String, Value> =
            serde_json::from_str(&written).map_err(|error| misfit(error.to_string()))?;
        Ok(Outcome::new().data(data))
    }

    /// Reads the whole body, within the limit.
    async fn body(&self, mut response: Response) -> Result<String, ToolError> {
        let mut body = Vec::new();
        let early = |error: reqwest::Error| {
            ToolError::private(error.without_url())
                .with_message(format!("{}: the response ended early", self.tool))
        };
        while let Some(chunk) = response.chunk().await.map_err(early)? {
            if body.len() + chunk.len() > MAX_OUTPUT {
                return Err(too_large(&self.tool));
            }
            body.extend_from_slice(&chunk);
        }
        let binary = |_| ToolError::public(format!("{}: the response is not UTF-8", self.tool));
        String::from_utf8(body).map_err(binary)
    }
}

/// Splits a URL at its placeholders: `{{ name }}`, or `{{ name | urlencode }}` as in Jinja.
fn parts(url: &str) -> Result<Vec<Part>, String> {
    let (mut out, mut rest) = (Vec::new(), url);
    while let Some((before, after)) = rest.split_once("{{") {
        let (hole, after) = after.split_once("}}").ok_or("`url` has `{{` without `}}`")?;
        let (name, filter) = hole.split_once('|').unwrap_or((hole, "urlencode"));
        let name = name.trim();
        let is_name = |name: &str| {
            !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
        };
        if !is_name(name) || filter.trim() != "urlencode" {
            return Err(format!("`{{{{{hole}}}}}` in `url` must be the name of an argument"));
        }
        out.push(Part::Text(before.to_owned()));
        out.push(Part::Hole(name.to_owned()));
        rest = after;
    }
    out.push(Part::Text(rest.to_owned()));
    Ok(out)
}

fn fill(url: &[Part], value: impl Fn(&str) -> String) -> String {
    let text = |part: &Part| match part {
        Part::Text(text) => text.clone(),
        Part::Hole(name) => value(name),
    };
    url.iter().map(text).collect()
}

/// An argument as a part of a URL; empty if it is missing.
fn encoded(value: Option<&Value>) -> String {
    let text = match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    text.bytes().fold(String::new(), |mut out, byte| {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                out.push(char::from(byte));
            }
            _ => _ = write!(out, "%{byte:02X}"),
        }
        out
    })
}
