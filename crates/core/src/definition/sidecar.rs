//! A sidecar: a template file beside a widget, from which an author makes Block Kit or a Work Object for
//! Slack, in YAML or JSON.

use std::path::{Path, PathBuf};

use serde_json::Value;
use widgetcast_engine::error::{Error, Kind, Result};
use widgetcast_engine::template::{Engine, Jinja, Writes};

use crate::definition::spec;

/// A template file that is not a widget.
#[derive(Debug)]
pub(crate) struct Sidecar {
    path: PathBuf,
    jinja: Jinja,
}

impl Sidecar {
    /// Reads a file, if it holds one: a top-level `blocks`, or an `entity`.
    pub(crate) fn read(text: &str, path: &Path) -> Result<Option<Self>> {
        let template = spec::sidecar_template(text).map_err(|error| error.in_file(path))?;
        let compile = |template: String| {
            let jinja = Jinja::compile(&template.into(), Writes::Json)
                .map_err(|error| error.in_file(path))?;
            Ok(Self { path: path.to_owned(), jinja })
        };
        template.map(compile).transpose()
    }

    /// Renders the JSON for this data.
    pub(crate) fn render(&self, engine: &Engine, data: &Value) -> Result<Value> {
        let text = self.jinja.render(engine, data).map_err(|error| error.in_file(&self.path))?;
        serde_json::from_str(&text).map_err(|error| {
            let message = format!("Widget template produced invalid JSON: {error}");
            Error::new(Kind::OutputJson, message).in_file(&self.path)
        })
    }
}
