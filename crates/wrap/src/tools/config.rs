//! An entry of `[tools]`, and the tool that it defines.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use widgetcast::Tool;
use widgetcast_core::read_file;

use super::command::Command;
use super::url::Endpoint;
use super::warm::Warm;

/// Maximum size of a schema file.
const MAX_SCHEMA: usize = 1 << 20;

/// An entry of `[tools]`: the handler of one tool, and its metadata.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ToolConfig {
    run: Vec<String>,
    keep: usize,
    url: Option<String>,
    method: Option<String>,
    headers: BTreeMap<String, String>,
    data: Option<String>,
    title: Option<String>,
    description: Option<String>,
    input: Option<Value>,
    output: Option<Value>,
    widget: Option<String>,
    read_only: bool,
    destructive: Option<bool>,
    idempotent: bool,
    open_world: Option<bool>,
    scopes: Vec<String>,
    timeout: Option<String>,
}

impl ToolConfig {
    /// The values that may be paths of the tool's files: the parts of its command, and its schemas.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let schemas = self.input.iter().chain(&self.output).filter_map(Value::as_str);
        self.run.iter().map(String::as_str).chain(schemas)
    }

    /// The program that it runs, if any.
    pub fn program(&self) -> Option<&str> {
        self.run.first().map(String::as_str)
    }

    /// The environment variables in its URL and headers.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        let texts = self.url.iter().chain(self.headers.values());
        let names = texts.flat_map(|text| text.split("${").skip(1));
        names.filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
    }

    pub(super) fn into_tool(self, name: &str, folder: &Path) -> Result<Tool, String> {
        if self.read_only && self.destructive == Some(true) {
            return Err("a read_only tool cannot be destructive".into());
        }
        let mut input = match self.input {
            Some(schema) => Some(schema_of(schema, folder)?),
            None => None,
        };
        let mut tool = match (self.run.split_first(), self.url) {
            (Some((program, args)), None) => {
                if self.method.is_some() || self.data.is_some() || !self.headers.is_empty() {
                    return Err("`method`, `headers` and `data` need `url`".into());
                }
                let command = Command::new(name, program, args, folder);
                match self.keep {
                    0 => {
                        let command = Arc::new(command);
                        Tool::new(name, move |arguments: Value| {
                            let command = Arc::clone(&command);
                            async move { command.call(&arguments).await }
                        })
                    }
                    most => {
                        let warm = Arc::new(Warm::new(command, most));
                        Tool::new(name, move |arguments: Value| {
                            let warm = Arc::clone(&warm);
                            async move { warm.call(&arguments).await }
                        })
                    }
                }
            }
            (None, Some(url)) => {
                if self.keep > 0 {
                    return Err("`keep` needs `run`".into());
                }
                let endpoint =
                    Endpoint::new(name, &url, self.method.as_deref(), &self.headers, self.data)?;
                input.get_or_insert_with(|| endpoint.input());
                let endpoint = Arc::new(endpoint);
                Tool::new(name, move |arguments: Value| {
                    let endpoint = Arc::clone(&endpoint);
                    async move { endpoint.call(&arguments).await }
                })
            }
            (Some(_), Some(_)) => return Err("give either `run` or `url`, not both".into()),
            (None, None) => {
                return Err("give `run`, a command with its arguments, or `url`".into());
            }
        };
        tool = tool.input_schema(input.unwrap_or_else(|| json!({ "type": "object" })));
        if let Some(schema) = self.output {
            tool = tool.output_schema(schema_of(schema, folder)?);
        }
        if let Some(text) = self.title {
            tool = tool.title(text);
        }
        if let Some(text) = self.description {
            tool = tool.description(text);
        }
        if let Some(widget) = self.widget {
            tool = tool.widget(widget);
        }
        if self.read_only {
            tool = tool.read_only();
        } else if let Some(destructive) = self.destructive {
            tool = tool.destructive(destructive);
        }
        if self.idempotent {
            tool = tool.idempotent();
        }
        if let Some(open) = self.open_world {
            tool = tool.open_world(open);
        }
        if let Some(text) = self.timeout {
            tool = tool.timeout(duration(&text)?);
        }
        Ok(self.scopes.into_iter().fold(tool, Tool::scope))
    }
}

/// A schema, inline or from a file.
fn schema_of(given: Value, folder: &Path) -> Result<Value, String> {
    let Value::String(file) = given else { return Ok(given) };
    let path = folder.join(&file);
    let text = read_file(&path, MAX_SCHEMA).map_err(|error| format!("{file}: {error}"))?;
    serde_json::from_str(&text).map_err(|error| format!("{file}: {error}"))
}

/// A number with a unit.
fn duration(text: &str) -> Result<Duration, String> {
    let split = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(split);
    let milliseconds = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        _ => 0,
    };
    let total = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(milliseconds));
    match total.filter(|total| *total > 0) {
        Some(total) => Ok(Duration::from_millis(total)),
        None => {
            Err(format!("timeout = {text:?} must be a number with ms, s or m, such as \"10s\""))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        assert_eq!(duration("10s"), Ok(Duration::from_secs(10)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        for text in ["10", "s", "0s", "-1s", "1.5s", "1h", "", "99999999999999999999s"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
