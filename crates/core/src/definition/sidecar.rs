//! A sidecar: a template file beside a widget, from which an author makes Block Kit or a Work Object for
//! Slack, in YAML or JSON.

use std::ops::Range;
use std::path::{Path, PathBuf};

use serde_json::Value;
use widgetcast_engine::error::{Error, Kind, Place, Result};
use widgetcast_engine::json::locate;
use widgetcast_engine::template::{Engine, Jinja, Writes, range_of};

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
            let jinja =
                Jinja::compile(&template.as_str().into(), Writes::Marked).map_err(|error| {
                    let place = range_of(&error).map(|range| place_of(text, &template, &range));
                    error.with_place(place.unwrap_or_default()).in_file(path)
                })?;
            Ok(Self { path: path.to_owned(), jinja })
        };
        template.map(compile).transpose()
    }

    /// Renders the JSON for this data, which is marked in it: see [`unmark`].
    ///
    /// [`unmark`]: widgetcast_engine::template::unmark
    pub(crate) fn render(&self, engine: &Engine, data: &Value) -> Result<Value> {
        let text = self.jinja.render(engine, data).map_err(|error| error.in_file(&self.path))?;
        serde_json::from_str(&text).map_err(|error| {
            let message = format!("Widget template produced invalid JSON: {error}");
            Error::new(Kind::OutputJson, message).in_file(&self.path)
        })
    }
}

/// The template that the text of a file becomes; empty if it becomes none.
pub(crate) fn template_of(text: &str) -> String {
    spec::sidecar_template(text).ok().flatten().unwrap_or_default()
}

/// The place in the file of a range of its template: a placeholder is written as it stands there.
pub(crate) fn place_of(text: &str, template: &str, range: &Range<usize>) -> Place {
    let Some(before) = template.get(..range.start) else { return Place::default() };
    let start = before.rfind("{{").max(before.rfind("{%")).unwrap_or(range.start);
    let rest = &template[start..];
    let end = rest.find("}}").into_iter().chain(rest.find("%}")).min().map_or(0, |end| end + 2);
    let tag = &rest[..end];
    if tag.is_empty() {
        return Place::default();
    }
    // The same placeholder may stand in several places.
    let earlier = template[..start].matches(tag).count();
    let found = text.match_indices(tag).nth(earlier).or_else(|| text.match_indices(tag).next());
    let Some((at, _)) = found else { return Place::default() };
    let at = at + range.start - start;
    locate::place(text, &(at..at + range.len().max(1)))
}
