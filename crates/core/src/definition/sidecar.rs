//! A sidecar: a template file next to a widget, from which an author makes what one host gets, in YAML or
//! JSON.

use std::ops::Range;
use std::path::{Path, PathBuf};

use serde_json::Value;
use widgetcast_engine::error::{Error, Kind, Place, Result};
use widgetcast_engine::json::locate;
use widgetcast_engine::template::{Engine, TextTemplate, Writes, range_of};

use crate::definition::spec::{self, Layout};

/// What the names of these files end with, before the extension: those that surfaces look for.
const SUFFIXES: [&str; 3] = [".blocks", ".work-object", ".adaptive"];

/// Whether a file is a sidecar by its name.
pub(crate) fn is_named(path: &Path) -> bool {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    SUFFIXES.iter().any(|suffix| stem.ends_with(suffix))
}

/// Whether a text that need not be YAML begins a sidecar.
pub(crate) fn is_begun(text: &str) -> bool {
    let begins =
        |line: &str| ["blocks:", "entity:", "body:"].iter().any(|key| line.starts_with(key));
    text.lines().any(begins)
}

/// The error for a file with the name of a sidecar that holds none.
pub(crate) fn nothing_held() -> Error {
    Error::new(Kind::FileSyntax, "this file contains nothing for a host")
        .with_help("write the tree under `blocks:`, `entity:` or, for Teams, `body:`")
}

/// A template file that is not a widget.
#[derive(Debug)]
pub(crate) struct Sidecar {
    path: PathBuf,
    template: TextTemplate,
}

impl Sidecar {
    /// Reads a file, if it holds one: a top-level `blocks`, or an `entity`.
    pub(crate) fn read(text: &str, path: &Path) -> Result<Option<Self>> {
        let template = spec::sidecar_template(text).map_err(|error| error.in_file(path))?;
        let compile = |template: String| {
            let template =
                TextTemplate::read(&template.into(), Writes::Marked).map_err(|error| {
                    let place = |range| SidecarText::new(text).place_in(&range);
                    let place = range_of(&error).map(place);
                    error.with_place(place.unwrap_or_default()).in_file(path)
                })?;
            Ok(Self { path: path.to_owned(), template })
        };
        template.map(compile).transpose()
    }

    /// Renders the JSON for this data, which is marked in it: see [`unmark`].
    ///
    /// [`unmark`]: widgetcast_engine::template::unmark
    pub(crate) fn render(&self, engine: &Engine, data: &Value) -> Result<Value> {
        let text = self.template.render(engine, &data.into());
        let text = text.map_err(|error| error.in_file(&self.path))?;
        serde_json::from_str(&text).map_err(|error| {
            let message = format!("Widget template produced invalid JSON: {error}");
            Error::new(Kind::OutputJson, message).in_file(&self.path)
        })
    }
}

/// The text of a sidecar, in which places are looked up.
pub(crate) struct SidecarText<'t> {
    text: &'t str,
    layout: Layout,
}

impl<'t> SidecarText<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, layout: Layout::of_sidecar(text) }
    }

    /// The template that the text becomes; empty if it becomes none.
    pub(crate) fn template(&self) -> String {
        spec::sidecar_template(self.text).ok().flatten().unwrap_or_default()
    }

    /// The place of a range of the template.
    pub(crate) fn place_in(&self, range: &Range<usize>) -> Place {
        locate::place(self.text, &self.layout.range_in(self.text, "template", range))
    }

    /// What stands where in the JSON that is rendered for this data; null if that cannot be known.
    pub(crate) fn trace(&self, engine: &Engine, data: &Value) -> Value {
        let template = spec::sidecar_trace(self.text).unwrap_or_default();
        let template = TextTemplate::read(&template.into(), Writes::Marked);
        let rendered = template.and_then(|template| template.render(engine, &data.into()));
        let rendered = rendered.unwrap_or_default();
        serde_json::from_str(&rendered).unwrap_or_default()
    }

    /// The place of what is at a path such as `blocks[3].text` of the JSON of this trace, or of the
    /// nearest node around it.
    pub(crate) fn place_of(&self, trace: &Value, path: &str) -> Place {
        locate::place(self.text, &self.layout.range(&pointer_of(trace, path)))
    }

    /// Whether what stands there is the same for all data: a value without an expression, or a node
    /// without conditions.
    pub(crate) fn is_literal_at(&self, trace: &Value, path: &str) -> bool {
        let written = self.text.get(self.layout.range(&pointer_of(trace, path)));
        let depends: &[&str] = match nearest(trace, path) {
            Value::String(_) => &["{{", "{%"],
            _ => &["when:", "for:", "{%"],
        };
        written.is_some_and(|written| !depends.iter().any(|mark| written.contains(mark)))
    }
}

/// The nodes of a trace along a path such as `blocks[3].text`, as far as they are there.
fn nodes<'t>(trace: &'t Value, path: &'t str) -> impl Iterator<Item = &'t Value> {
    let steps = path.split(['.', '[']).filter(|step| !step.is_empty());
    steps.scan(trace, |node, step| {
        *node = match step.strip_suffix(']').map(str::parse::<usize>) {
            Some(index) => node.get(index.ok()?)?,
            None => node.get(step)?,
        };
        Some(*node)
    })
}

fn nearest<'t>(trace: &'t Value, path: &'t str) -> &'t Value {
    nodes(trace, path).last().unwrap_or(trace)
}

fn pointer_of(trace: &Value, path: &str) -> String {
    let mut found = "";
    for (depth, node) in nodes(trace, path).enumerate() {
        // A node that has something in it begins the pointer of that.
        if let Some(inside) = first_pointer(node) {
            let end = inside.match_indices('/').nth(depth + 1).map_or(inside.len(), |(at, _)| at);
            found = &inside[..end];
        }
    }
    found.to_owned()
}

fn first_pointer(trace: &Value) -> Option<&str> {
    match trace {
        Value::Array(items) => items.iter().find_map(first_pointer),
        Value::Object(members) => members.values().find_map(first_pointer),
        leaf => leaf.as_str(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::widget::Widget;
    use widgetcast_engine::json::JsonRef;
    use widgetcast_engine::limits::Limits;

    const WEATHER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/weather/widgets");

    #[test]
    fn both_engines_write_the_sidecars_of_the_examples() {
        let engine = Engine::new(Limits::default());
        let mut fast = 0;
        for name in ["current_weather", "forecast"] {
            let read = |file: String| {
                std::fs::read_to_string(Path::new(WEATHER).join(file)).expect("a file")
            };
            let sample = Widget::parse(&read(format!("{name}.widget"))).expect("a widget").sample();
            for kind in ["blocks", "work-object"] {
                let text = read(format!("{name}.{kind}.yml"));
                let sidecar = Sidecar::read(&text, Path::new(name)).expect("valid").expect("one");
                let data = JsonRef::from(&sample);
                let both = [
                    sidecar.template.render(&engine, &data).expect("rendered"),
                    sidecar.template.render_slowly(&engine, &sample).expect("rendered"),
                ];
                assert_eq!(both[0], both[1], "{name}.{kind}");
                fast += usize::from(sidecar.template.is_fast(&engine.limits));
            }
        }
        assert_eq!(fast, 4);
    }
}
