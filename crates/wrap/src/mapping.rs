//! `[views]` of a configuration file: which widget renders the results of which tool, and the template that
//! creates the widget's data from a result.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value, json};
use widgetcast_core::{Catalog, Error, JsonTemplate, Kind, View, Widget, nearest, tool_name};

use crate::auto;

/// An entry of `[views]`: the name of a widget, a table with `widget` and `data`, or `false` for no view.
#[derive(Debug)]
pub struct ViewConfig(Option<Mapped>);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Mapped {
    widget: String,
    data: Option<String>,
}

impl<'de> Deserialize<'de> for ViewConfig {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = ViewConfig;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a widget, a table with `widget` and `data`, or false")
            }

            fn visit_bool<E: serde::de::Error>(self, is_on: bool) -> Result<ViewConfig, E> {
                match is_on {
                    false => Ok(ViewConfig(None)),
                    true => Err(E::invalid_value(
                        serde::de::Unexpected::Bool(true),
                        &"a widget or false",
                    )),
                }
            }

            fn visit_str<E: serde::de::Error>(self, widget: &str) -> Result<ViewConfig, E> {
                Ok(ViewConfig(Some(Mapped { widget: widget.to_owned(), data: None })))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ViewConfig, A::Error> {
                Mapped::deserialize(MapAccessDeserializer::new(map)).map(Some).map(ViewConfig)
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

/// The entries of `[views]`, ready for use. Clones share them, so that [`ViewMap::replace`] reaches every
/// session.
#[derive(Clone, Debug, Default)]
pub struct ViewMap(Arc<RwLock<Entries>>);

/// By the name of the tool; without a mapping, the tool has no view.
type Entries = Arc<BTreeMap<String, Option<Mapping>>>;

#[derive(Debug)]
struct Mapping {
    widget: String,
    data: Option<JsonTemplate>,
}

impl ViewMap {
    /// Compiles the templates of the entries.
    ///
    /// # Errors
    /// If a template cannot be compiled.
    pub fn new(entries: BTreeMap<String, ViewConfig>) -> Result<Self, Error> {
        let compile = |(tool, ViewConfig(mapped)): (String, ViewConfig)| {
            let mapping = mapped.map(|Mapped { widget, data }| {
                let data = data.map(|text| JsonTemplate::read(&text)).transpose();
                let named = |error: Error| {
                    Error::new(error.kind(), format!("[views.{tool}]: `data`: {error}"))
                };
                Ok::<_, Error>(Mapping { widget, data: data.map_err(named)? })
            });
            Ok::<_, Error>((tool, mapping.transpose()?))
        };
        let entries: Result<_, Error> = entries.into_iter().map(compile).collect();
        Ok(Self(Arc::new(RwLock::new(Arc::new(entries?)))))
    }

    /// Replaces the entries with those of another map.
    pub fn replace(&self, with: &Self) {
        let entries = with.entries();
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = entries;
    }

    /// An error for each entry whose widget does not exist.
    pub fn missing_widgets(&self, catalog: &Catalog) -> Vec<Error> {
        let names = || catalog.list().map(|listing| listing.tool_name);
        let missing = |(tool, mapping): (&String, &Option<Mapping>)| {
            let widget = &mapping.as_ref()?.widget;
            if catalog.get(widget).is_some() {
                return None;
            }
            let near = nearest(&tool_name(widget), names());
            let near = near.map_or(String::new(), |near| format!("; did you mean {near}?"));
            let message = format!("[views.{tool}]: unknown widget {widget}{near}");
            Some(Error::new(Kind::NotFound, message))
        };
        self.entries().iter().filter_map(missing).collect()
    }

    /// Renders a result with the widget that the tool is mapped to, or that has its name. None if there is no
    /// such widget, or if the result is an error, which widgets do not render.
    ///
    /// # Errors
    /// If the widget cannot render the data of the result, the reason.
    pub fn render(
        &self,
        catalog: &Catalog,
        tool: &str,
        result: &Value,
    ) -> Option<Result<View, String>> {
        let entries = self.entries();
        let mapping = match entries.get(tool) {
            Some(None) => return None,
            Some(Some(mapping)) => Some(mapping),
            None => None,
        };
        if result["isError"] == true {
            return None;
        }
        let name = mapping.map_or(tool, |mapping| &mapping.widget);
        let template = mapping.and_then(|mapping| mapping.data.as_ref());
        match (catalog.get(name), mapping) {
            (Some(widget), _) => Some(draw(widget, template, result)),
            (None, Some(_)) => Some(Err(format!("unknown widget {name}"))),
            (None, None) => None,
        }
    }

    /// Whether the results of this tool get no view.
    pub(crate) fn is_off(&self, tool: &str) -> bool {
        matches!(self.entries().get(tool), Some(None))
    }

    fn entries(&self) -> Entries {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Renders the first reading of a result that fits.
fn draw(widget: &Widget, template: Option<&JsonTemplate>, result: &Value) -> Result<View, String> {
    let mut why = "the result has no data".to_owned();
    let mut readings = auto::readings(result);
    if readings.is_empty() && template.is_some() {
        readings.extend(auto::whole_text(result).map(Value::String));
    }
    for reading in readings {
        let data = match (template, reading) {
            (Some(template), reading) => mapped(template, &reading),
            (None, Value::Array(items)) => Ok(json!({ "items": items })),
            (None, reading) => Ok(reading),
        };
        match data.and_then(|data| widget.render(&data).map_err(|error| format!("{error:#}"))) {
            Ok(view) => return Ok(view),
            Err(error) => why = error,
        }
    }
    Err(why)
}

/// The data that a template creates from a reading.
fn mapped(template: &JsonTemplate, reading: &Value) -> Result<Value, String> {
    let written = template.render(&json!({ "result": reading }));
    let written = written.map_err(|error| format!("`data`: {error}"))?;
    let data: Result<Map<String, Value>, _> = serde_json::from_str(&written);
    data.map(Value::Object).map_err(|error| format!("`data` must write a JSON object: {error}"))
}
