//! The fields of a definition file, as the author wrote them.
//!
//! A `.widget` file is JSON, as ChatKit Studio exports it, or YAML with the same keys. YAML may
//! also give the tree itself under `widget` instead of a template (see [`yaml`]).

pub(crate) mod portable;
mod yaml;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use base64::Engine as _;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use widgetcast_engine::error::{Error, Kind, Place, Result};
use widgetcast_engine::json::locate;

/// The only version of the format.
const VERSION: &str = "1.0";

pub(crate) use yaml::sidecar_template;

/// How many YAML texts this thread has read.
#[cfg(test)]
pub(crate) fn yaml_reads() -> usize {
    yaml::READS.get()
}

/// The fields that a widget must have and those that a list shows. The others stay in the file.
#[derive(Clone, Debug)]
pub(crate) struct Spec {
    pub name: Box<str>,
    pub description: Option<Box<str>>,
    pub template: Arc<str>,
    /// The JSON Schema as written, white space removed.
    pub schema: Option<Box<str>>,
    pub copy_text: Option<Arc<str>>,
    /// Whether Studio's own form is in the file.
    pub is_encoded: bool,
}

/// The fields that only checking, sampling and editing need.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extras {
    /// Sample data: `sample`, else Studio's `defaultState`.
    pub sample: Option<Value>,
    pub preview: Option<Value>,
    /// The JSX that Studio made the template from.
    pub view: Option<String>,
    /// Losses that the author accepts: `surface`, or `surface /pointer`.
    pub accept: Vec<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Fields<'a> {
    #[serde(borrow)]
    version: Option<&'a RawValue>,
    #[serde(borrow)]
    name: Option<&'a RawValue>,
    #[serde(borrow)]
    description: Option<&'a RawValue>,
    #[serde(borrow)]
    template: Option<&'a RawValue>,
    #[serde(borrow, rename = "jsonSchema")]
    schema: Option<&'a RawValue>,
    #[serde(borrow, rename = "outputJsonPreview")]
    preview: Option<&'a RawValue>,
    #[serde(borrow, rename = "encodedWidget")]
    encoded: Option<&'a RawValue>,
    #[serde(borrow)]
    copy_text: Option<&'a RawValue>,
    #[serde(borrow)]
    sample: Option<&'a RawValue>,
    #[serde(borrow)]
    accept: Option<&'a RawValue>,
}

/// The text of a definition: its fields, and the places of things in it.
pub(crate) struct Source<'a> {
    /// The text as the author wrote it.
    written: &'a str,
    /// The same definition as JSON; written by [`yaml`] if the author's text is YAML.
    json: Cow<'a, str>,
    is_yaml: bool,
}

/// The text of a definition in which several places are looked up: YAML is read once for all of them.
pub(crate) struct SourceText {
    written: String,
    /// The JSON of a text that is YAML; none if it cannot be read.
    json: Option<String>,
}

impl SourceText {
    pub(crate) fn new(written: String) -> Self {
        let source = Source::read(&written).ok();
        let json = source.and_then(|source| source.is_yaml.then(|| source.json.into_owned()));
        Self { written, json }
    }

    pub(crate) fn written(&self) -> &str {
        &self.written
    }

    pub(crate) fn source(&self) -> Option<Source<'_>> {
        let written = self.written.trim_start_matches('\u{feff}');
        match &self.json {
            Some(json) => Some(Source { written, json: Cow::Borrowed(json), is_yaml: true }),
            None if is_json(written) => Source::read(written).ok(),
            None => None,
        }
    }
}

fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

impl<'a> Source<'a> {
    /// Reads a text as JSON if it starts with a brace, else as YAML.
    pub(crate) fn read(written: &'a str) -> Result<Self> {
        let text = written.trim_start_matches('\u{feff}');
        if is_json(text) {
            return Ok(Self { written: text, json: Cow::Borrowed(text), is_yaml: false });
        }
        Ok(Self { written: text, json: Cow::Owned(yaml::to_json(text)?), is_yaml: true })
    }

    fn fields(&self) -> Result<Fields<'_>> {
        serde_json::from_str(&self.json).map_err(|error| {
            let at = locate::offset(self.written, error.line(), error.column());
            let words = error.to_string();
            let words = words.split(" at line ").next().unwrap_or_default();
            Error::new(Kind::FileSyntax, format!("this is not JSON: {words}"))
                .with_place(locate::place(self.written, &(at..at + 1)))
        })
    }

    /// The fields that a widget must have, and those that a list shows.
    pub(crate) fn spec(&self) -> Result<Spec> {
        let fields = self.fields()?;
        match fields.version.map(|raw| (raw, raw.get())) {
            None => return Err(self.missing("version", "\"version\": \"1.0\"")),
            Some((_, "\"1.0\"")) => {}
            Some((_, "1.0")) if self.is_yaml => {}
            Some((raw, found)) => {
                let message = format!("version is {found}, and only \"{VERSION}\" is known");
                return Err(Error::new(Kind::Version, message)
                    .with_help("write \"version\": \"1.0\"")
                    .with_place(self.at(raw)));
            }
        }
        let name = self.text(fields.name, "name")?;
        let name = name.ok_or_else(|| self.missing("name", "\"name\": \"Flight Tracker\""))?;
        let at = |raw: Option<&RawValue>| raw.map(|raw| self.at(raw)).unwrap_or_default();
        portable::name(&name).map_err(|error| error.with_place(at(fields.name)))?;
        let template = self.text(fields.template, "template")?;
        let template = template.ok_or_else(|| {
            self.missing("template", "a \"template\" that writes the widget's JSON")
        })?;
        let schema = match fields.schema {
            Some(raw) if raw.get() == "null" => None,
            Some(raw) if !raw.get().starts_with('{') => {
                return Err(Error::new(Kind::FieldType, "jsonSchema must be an object")
                    .with_place(self.at(raw)));
            }
            Some(raw) => {
                portable::schema(raw.get()).map_err(|(error, at)| {
                    let start = self.start_of(raw) + at;
                    error.with_place(self.place(&(start..start + 1))).with_pointer("/jsonSchema")
                })?;
                Some(minify(raw.get()))
            }
            None => None,
        };
        let copy_text = self.text(fields.copy_text, "copy_text")?;
        let description = self.text(fields.description, "description")?;
        portable::description(description.as_deref().unwrap_or_default())
            .map_err(|error| error.with_place(at(fields.description)))?;
        Ok(Spec {
            name: name.into(),
            description: description.map(|text| text.into()),
            template: template.into(),
            schema,
            copy_text: copy_text.map(|text| text.into()),
            is_encoded: fields.encoded.is_some(),
        })
    }

    /// The other fields. One that cannot be read counts as absent: none of them is required.
    pub(crate) fn extras(&self) -> Extras {
        let Ok(fields) = self.fields() else { return Extras::default() };
        let value = |raw: Option<&RawValue>| -> Option<Value> {
            serde_json::from_str(raw?.get()).ok().filter(|value: &Value| !value.is_null())
        };
        let studio = value(fields.encoded).and_then(|encoded| decode(encoded.as_str()?));
        let studio = studio.unwrap_or_default();
        let default = studio.get("defaultState").filter(|state| state.is_object());
        Extras {
            sample: value(fields.sample).or_else(|| default.cloned()),
            preview: value(fields.preview),
            view: studio.get("view").and_then(Value::as_str).map(str::to_owned),
            accept: fields
                .accept
                .and_then(|raw| serde_json::from_str(raw.get()).ok())
                .unwrap_or_default(),
        }
    }

    /// Studio's own source, encoded as it is in the file.
    pub(crate) fn encoded(&self) -> Option<String> {
        self.text(self.fields().ok()?.encoded, "encodedWidget").ok()?
    }

    fn text(&self, raw: Option<&RawValue>, name: &str) -> Result<Option<String>> {
        match raw {
            None => Ok(None),
            Some(raw) if raw.get() == "null" => Ok(None),
            Some(raw) => serde_json::from_str(raw.get()).map(Some).map_err(|_| {
                Error::new(Kind::FieldType, format!("{name} must be a text"))
                    .with_place(self.at(raw))
            }),
        }
    }

    fn missing(&self, field: &str, example: &str) -> Error {
        Error::new(Kind::FieldMissing, format!("{field} is missing"))
            .with_help(format!("add {example}"))
            .with_place(locate::place(self.written, &(0..1)))
    }

    fn start_of(&self, raw: &RawValue) -> usize {
        raw.get().as_ptr() as usize - self.json.as_ptr() as usize
    }

    fn at(&self, raw: &RawValue) -> Place {
        let start = self.start_of(raw);
        self.place(&(start..start + raw.get().len()))
    }

    /// The place of a range of the JSON; in YAML, which has other positions, only the file.
    fn place(&self, range: &Range<usize>) -> Place {
        if self.is_yaml { Place::default() } else { locate::place(&self.json, range) }
    }

    /// The place of a field or of something inside it, by JSON pointer.
    pub(crate) fn place_of(&self, pointer: &str) -> Place {
        locate::pointer(&self.json, pointer).map(|range| self.place(&range)).unwrap_or_default()
    }

    /// The place of a range of a text field.
    pub(crate) fn place_in(&self, field: &str, text: &str, range: &Range<usize>) -> Place {
        if self.is_yaml {
            let place = locate::place(text, range);
            return Place { position: self.yaml_position(text, &place), ..place };
        }
        match self.raw_range(field, range) {
            Some(range) => self.place(&range),
            None => Place::default(),
        }
    }

    /// The position in the YAML of a position in a text field: that of the one line with the same words,
    /// because a block scalar keeps its lines.
    fn yaml_position(&self, text: &str, place: &Place) -> Option<(usize, usize)> {
        let (line, column) = place.position?;
        let wanted = text.lines().nth(line - 1)?;
        let mut lines =
            self.written.lines().enumerate().filter(|(_, found)| found.trim() == wanted.trim());
        let (index, found) = lines.next()?;
        let indent = |line: &str| line.len() - line.trim_start().len();
        let shift = indent(found).saturating_sub(indent(wanted));
        lines.next().is_none().then_some((index + 1, column + shift))
    }

    /// The bytes of the file that hold a range of a text field; none in YAML.
    pub(crate) fn raw_range(&self, field: &str, range: &Range<usize>) -> Option<Range<usize>> {
        if self.is_yaml {
            return None;
        }
        let string = locate::pointer(&self.json, &format!("/{field}"))?;
        let raw = &self.json[string.clone()];
        let at = |offset| string.start + locate::raw_offset(raw, offset);
        Some(at(range.start)..at(range.end))
    }
}

/// Studio keeps its own source in the file: JSON in unpadded URL-safe base64.
fn decode(encoded: &str) -> Option<Value> {
    let alphabet = base64::engine::general_purpose::URL_SAFE_NO_PAD;
    let bytes = alphabet.decode(encoded.trim_end_matches('=')).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// JSON without the white space between its tokens.
fn minify(json: &str) -> Box<str> {
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(quote) = rest.find('"') {
        rest[..quote].split_ascii_whitespace().for_each(|part| out.push_str(part));
        let mut end = quote + 1;
        while let Some(step) = rest[end..].find(['"', '\\']) {
            end += step + 1;
            if rest.as_bytes()[end - 1] == b'"' {
                break;
            }
            end += 1;
        }
        out.push_str(&rest[quote..end]);
        rest = &rest[end..];
    }
    rest.split_ascii_whitespace().for_each(|part| out.push_str(part));
    out.into_boxed_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minifies_outside_strings_only() {
        let json = "{ \"a b\" : [ 1, \"c \\\" d\\\\\" , \"\" ] }";
        assert_eq!(&*minify(json), r#"{"a b":[1,"c \" d\\",""]}"#);
    }

    #[test]
    fn yaml_and_json_say_the_same() {
        let yaml =
            "version: 1.0\nname: Note\ntemplate: |\n  {\"type\":\"Card\",\n   \"children\":[]}\n";
        let json = r#"{"version":"1.0","name":"Note","template":"{\"type\":\"Card\",\n \"children\":[]}\n"}"#;
        let [yaml, json] = [yaml, json].map(|text| Source::read(text).unwrap().spec().unwrap());
        assert_eq!(yaml.template, json.template);
        assert_eq!(yaml.name, json.name);
    }
}
