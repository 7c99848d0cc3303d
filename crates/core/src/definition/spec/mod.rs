//! The fields of a definition file, as the author wrote them.
//!
//! A `.widget` file is JSON, as ChatKit Studio exports it, or YAML with the same keys. Instead of a
//! template it may give the tree itself under `widget` (see [`yaml`]).

mod fields;
pub(crate) mod findings;
mod json_error;
pub(crate) mod keywords;
mod layout;
mod marks;
pub(crate) mod portable;
mod raw;
pub(crate) mod repairs;
mod scalar;
mod served;
#[cfg(test)]
mod tests;
mod tree_template;
mod version;
mod yaml;
#[cfg(feature = "yaml")]
mod yaml_error;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use base64::Engine as _;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use widgetcast_engine::error::{Error, Kind, Place, Result};
use widgetcast_engine::json::locate;
use widgetcast_engine::outline::{ReadAs, Roles};
use widgetcast_engine::template::Edit;
use widgetcast_engine::tree::brief;

use crate::definition::name::tool_name_in;
pub(crate) use layout::Layout;
use raw::{Fields, is_json};
pub use served::{Served, Visibility};
pub(crate) use yaml::{sidecar_template, sidecar_trace};

/// How many YAML texts this thread has read.
#[cfg(test)]
pub(crate) fn yaml_reads() -> usize {
    yaml::READS.get()
}

/// The fields that a widget must have and those that a list shows. The others stay in the file.
#[derive(Clone, Debug)]
pub(crate) struct Spec {
    /// The display name.
    pub name: Box<str>,
    /// The tool name: `tool`, or else derived from the name, or from the file's name.
    pub tool: Box<str>,
    pub served: Served,
    pub description: Option<Box<str>>,
    pub template: Arc<str>,
    /// The JSON Schema as written, white space removed.
    pub schema: Option<Box<str>>,
    pub copy_text: Option<Arc<str>>,
    /// The roles of components in hosts that do not render the tree, by `id`.
    pub outline: Arc<Roles>,
    /// Whether the file contains Studio's own format.
    pub is_encoded: bool,
    /// Whether the file sets the tool name.
    pub names_tool: bool,
}

/// The fields that only checking, sampling and editing need.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extras {
    /// Sample data: `sample`, else Studio's `defaultState`.
    pub sample: Option<Value>,
    pub preview: Option<Value>,
    /// The JSX from which Studio generated the template.
    pub view: Option<String>,
    /// Losses that the author accepts: `surface`, or `surface /pointer`.
    pub accept: Vec<String>,
}

/// The text of a definition: its fields, and the places of things in it.
pub(crate) struct Source<'a> {
    /// The text as the author wrote it.
    written: &'a str,
    /// The same definition as JSON with a template; written by [`yaml`] if the author's text is YAML, or
    /// gives a tree.
    json: Cow<'a, str>,
    /// The places in a text that is YAML or gives a tree, read when the first is asked for.
    layout: Option<Rc<OnceCell<Layout>>>,
}

/// The text of a definition in which several places are looked up: it is read once for all of them.
pub(crate) struct SourceText {
    written: String,
    /// The JSON of a text that is YAML or gives a tree, and its layout; none if it cannot be read.
    converted: Option<(String, Rc<OnceCell<Layout>>)>,
}

impl SourceText {
    pub(crate) fn new(written: String) -> Self {
        let source = Source::read(&written).ok();
        let converted = source.and_then(|source| Some((source.json.into_owned(), source.layout?)));
        Self { written, converted }
    }

    /// The steps that it takes to look something up in it.
    pub(crate) fn steps_to_read(&self) -> u64 {
        1 + self.written.len() as u64 / 128
    }

    pub(crate) fn source(&self) -> Option<Source<'_>> {
        let written = self.written.trim_start_matches('\u{feff}');
        match &self.converted {
            Some((json, layout)) => {
                Some(Source { written, json: Cow::Borrowed(json), layout: Some(Rc::clone(layout)) })
            }
            None if is_json(written) => Source::read(written).ok(),
            None => None,
        }
    }
}

/// What could be read; nothing, and a fault more, if it could not.
fn or_fault<T: Default>(read: Result<T>, faults: &mut Vec<Error>) -> T {
    read.unwrap_or_else(|error| {
        faults.push(error);
        T::default()
    })
}

/// The error for a text in a Markdown fence, as models write it.
fn in_fence(text: &str) -> Option<Error> {
    let start = text.len() - text.trim_start().len();
    text[start..].starts_with("```").then(|| {
        Error::new(Kind::FileSyntax, "the file is wrapped in a Markdown fence")
            .with_help("remove the lines that start with ```")
            .with_place(locate::place(text, &(start..start + 3)))
    })
}

impl<'a> Source<'a> {
    /// Reads a text as JSON if it starts with a brace, else as YAML.
    pub(crate) fn read(written: &'a str) -> Result<Self> {
        let text = written.trim_start_matches('\u{feff}');
        if is_json(text) {
            let json = yaml::with_template(text)?;
            let layout = matches!(json, Cow::Owned(_)).then(Rc::default);
            return Ok(Self { written: text, json, layout });
        }
        if let Some(error) = in_fence(text) {
            return Err(error);
        }
        let json = Cow::Owned(yaml::to_json(text)?);
        Ok(Self { written: text, json, layout: Some(Rc::default()) })
    }

    /// The text as the author wrote it, without the mark of its encoding.
    pub(crate) fn written(&self) -> &str {
        self.written
    }

    pub(crate) fn is_yaml(&self) -> bool {
        !is_json(self.written)
    }

    /// The places in the text, if it is YAML or gives a tree.
    fn layout(&self) -> Option<&Layout> {
        let layout = self.layout.as_ref()?;
        Some(layout.get_or_init(|| Layout::read(self.written)))
    }

    /// Whether the template was written from a tree under `widget`.
    pub(crate) fn is_tree(&self) -> bool {
        self.layout().is_some_and(Layout::is_tree)
    }

    /// Whether the definition has this field.
    pub(crate) fn has(&self, field: &str) -> bool {
        self.members().contains_key(field)
    }

    /// All fields, known or not, a generated template included.
    pub(crate) fn members(&self) -> Map<String, Value> {
        serde_json::from_str(&self.json).unwrap_or_default()
    }

    fn fields(&self) -> Result<Fields<'_>> {
        serde_json::from_str(&self.json).map_err(|error| json_error::not_json(self.written, &error))
    }

    /// Keys that are in one object twice. YAML with such keys is an error.
    fn keys_given_twice(&self) -> Vec<Error> {
        if self.is_yaml() { Vec::new() } else { json_error::twice(self.written) }
    }

    /// The bytes of values that are lost because `#` begins a comment in YAML.
    fn lost_values(&self) -> Vec<Range<usize>> {
        let layout = self.layout().filter(|_| self.is_yaml());
        layout.map(|layout| layout.lost_values(self.written)).unwrap_or_default()
    }

    /// The fields that a widget must have, and those that a list shows.
    pub(crate) fn spec(&self, path: &Path) -> Result<Spec> {
        let (spec, faults) = self.spec_and_faults(path)?;
        faults.into_iter().next().map_or(Ok(spec), Err)
    }

    /// [`Self::spec`], and all that is wrong with these fields; those that cannot be read are empty.
    pub(crate) fn spec_and_faults(&self, path: &Path) -> Result<(Spec, Vec<Error>)> {
        let fields = self.fields()?;
        let faults = &mut Vec::new();
        or_fault(self.version(fields.version), faults);
        let name = or_fault(self.name(fields.name), faults);
        let tool = or_fault(self.tool(fields.tool, &name, path), faults);
        let template = self.text(fields.template, "template");
        let template = template.and_then(|text| text.ok_or_else(|| self.missing("template", "")));
        let template = or_fault(template, faults);
        let schema = or_fault(self.schema(fields.schema), faults);
        let copy_text = or_fault(self.text(fields.copy_text, "copy_text"), faults);
        let description = or_fault(self.description(fields.description), faults);
        let spec = Spec {
            name: name.into(),
            tool: tool.into(),
            served: or_fault(self.served(&fields), faults),
            description: description.map(|text| text.into()),
            template: template.into(),
            schema,
            copy_text: copy_text.map(|text| text.into()),
            outline: or_fault(self.outline(fields.outline), faults).into(),
            is_encoded: fields.encoded.is_some(),
            names_tool: fields.tool.is_some(),
        };
        Ok((spec, std::mem::take(faults)))
    }

    fn version(&self, raw: Option<&RawValue>) -> Result<()> {
        let version = raw.ok_or_else(|| self.missing("version", "\"1.0\""))?;
        version::check(version.get()).map_err(|error| {
            let help = self.write("version", "\"1.0\"");
            error.with_help(help).with_place(self.place_of("/version"))
        })
    }

    fn name(&self, raw: Option<&RawValue>) -> Result<String> {
        let name = self.text(raw, "name")?;
        let name = name.ok_or_else(|| self.missing("name", "\"Flight Tracker\""))?;
        portable::name(&name).map_err(|error| error.with_place(self.place_of("/name")))?;
        Ok(name)
    }

    fn tool(&self, raw: Option<&RawValue>, name: &str, path: &Path) -> Result<String> {
        let given = self.text(raw, "tool")?;
        let field = if given.is_some() { "/tool" } else { "/name" };
        let tool = given.unwrap_or_else(|| tool_name_in(name, path));
        portable::tool(&tool, name).map_err(|error| error.with_place(self.place_of(field)))?;
        Ok(tool)
    }

    fn schema(&self, raw: Option<&RawValue>) -> Result<Option<Box<str>>> {
        match raw {
            Some(raw) if raw.get() == "null" => Ok(None),
            Some(raw) if !raw.get().starts_with('{') => {
                Err(Error::new(Kind::FieldType, "jsonSchema must be an object")
                    .with_place(self.place_of("/jsonSchema")))
            }
            Some(raw) => {
                portable::schema(raw.get()).map_err(|(error, at)| {
                    error.with_place(self.place_in_schema(raw, at)).with_pointer("/jsonSchema")
                })?;
                Ok(Some(minify(raw.get())))
            }
            None => Ok(None),
        }
    }

    fn description(&self, raw: Option<&RawValue>) -> Result<Option<String>> {
        let description = self.text(raw, "description")?;
        portable::description(description.as_deref().unwrap_or_default())
            .map_err(|error| error.with_place(self.place_of("/description")))?;
        Ok(description)
    }

    fn outline(&self, raw: Option<&RawValue>) -> Result<Roles> {
        let Some(raw) = raw.filter(|raw| raw.get() != "null") else { return Ok(Roles::default()) };
        let names = || ReadAs::ALL.map(|(name, _)| name).join(", ");
        let fault = |message: &str, pointer: &str| {
            let help = format!("map the id of a component to one of {}", names());
            Error::new(Kind::FieldType, message).with_help(help).with_place(self.place_of(pointer))
        };
        let Ok(members) = serde_json::from_str::<Map<String, Value>>(raw.get()) else {
            return Err(fault("outline must be an object", "/outline"));
        };
        let role = |(id, name): (String, Value)| {
            let found = ReadAs::ALL.iter().find(|(other, _)| name == **other);
            let Some((_, read_as)) = found else {
                let message = format!(
                    "outline.{id} cannot be {}",
                    brief(name.as_str().unwrap_or(&name.to_string()))
                );
                return Err(fault(&message, &format!("/outline/{}", locate::escaped(&id))));
            };
            Ok((id, *read_as))
        };
        members.into_iter().map(role).collect()
    }

    /// The other fields. One that cannot be read counts as absent: none of them is required.
    pub(crate) fn extras(&self) -> Extras {
        let Ok(fields) = self.fields() else { return Extras::default() };
        let value = |raw: Option<&RawValue>| -> Option<Value> {
            serde_json::from_str(raw?.get()).ok().filter(|value: &Value| !value.is_null())
        };
        let studio = value(fields.encoded).and_then(|encoded| decode_studio(encoded.as_str()?));
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
                let is_tree = name == "template" && raw.get().starts_with('{');
                let help = if is_tree { "put a tree under `widget`" } else { "" };
                Error::new(Kind::FieldType, format!("{name} must be a string"))
                    .with_help(help)
                    .with_place(self.place_of(&format!("/{name}")))
            }),
        }
    }

    /// The error about a field that is not there, at the one that was meant for it if there is one.
    fn missing(&self, field: &str, example: &str) -> Error {
        let error = Error::new(Kind::FieldMissing, format!("{field} is missing"));
        let members = self.members();
        let mut unknown = members.iter().filter(|(name, _)| !fields::is_field(name));
        let is_tree = |value: &Value| field == "template" && value.get("children").is_some();
        let is_meant = |name: &str| !fields::is_known(name) && fields::meant(name) == Some(field);
        if let Some((name, value)) = unknown.find(|(name, value)| is_tree(value) || is_meant(name))
        {
            let meant = if is_tree(value) { "widget" } else { field };
            return error
                .with_help(format!("`{name}` is not a field: did you mean {meant}?"))
                .with_place(self.place_of_key(&format!("/{}", locate::escaped(name))));
        }
        let help = match (field, self.is_yaml()) {
            ("template", true) => {
                "add `template: |` and, indented below it, a template that renders the widget's JSON; or \
                 put the tree under `widget:`"
                    .to_owned()
            }
            ("template", false) => {
                "add a \"template\" that renders the widget's JSON, or put the tree under \"widget\""
                    .to_owned()
            }
            _ => self.write(field, example).replacen("write", "add", 1),
        };
        error.with_help(help).with_place(locate::place(self.written, &(0..1)))
    }

    /// Advice to write a field, in the form of this file.
    fn write(&self, field: &str, value: &str) -> String {
        match self.is_yaml() {
            true => format!("write `{field}: {value}`"),
            false => format!("write \"{field}\": {value}"),
        }
    }

    /// The place of an offset of the schema's JSON; in YAML, which has other offsets, that of the schema.
    fn place_in_schema(&self, raw: &RawValue, at: usize) -> Place {
        if self.is_yaml() {
            return self.place_of("/jsonSchema");
        }
        let start = raw.get().as_ptr() as usize - self.json.as_ptr() as usize + at;
        locate::place(self.written, &(start..start + 1))
    }

    /// The bytes of the value at a pointer, or of the nearest one around it that is there.
    fn range_of(&self, pointer: &str) -> Range<usize> {
        if let Some(layout) = self.layout() {
            return layout.range(pointer);
        }
        let mut pointer = pointer;
        loop {
            match (locate::pointer(self.written, pointer), pointer.rsplit_once('/')) {
                (Some(range), _) => return range,
                (None, Some((around, _))) => pointer = around,
                (None, None) => return 0..1,
            }
        }
    }

    /// The place of a field or of something inside it, by JSON pointer.
    pub(crate) fn place_of(&self, pointer: &str) -> Place {
        locate::place(self.written, &self.range_of(pointer))
    }

    /// The place of the key of a field, or of a member of something inside it.
    pub(crate) fn place_of_key(&self, pointer: &str) -> Place {
        match self.key_range(pointer) {
            Some(range) => locate::place(self.written, &range),
            None => self.place_of(pointer),
        }
    }

    /// The bytes of the key of a member.
    fn key_range(&self, pointer: &str) -> Option<Range<usize>> {
        if let Some(layout) = self.layout() {
            return layout.key(pointer);
        }
        let value = locate::pointer(self.written, pointer)?;
        locate::json_key(self.written, value.start)
    }

    /// The place of a range of a text field.
    pub(crate) fn place_in(&self, field: &str, range: &Range<usize>) -> Place {
        let range = match self.layout() {
            Some(layout) => layout.range_in(self.written, field, range),
            None => self.json_range(field, range).unwrap_or_else(|| self.range_of("")),
        };
        locate::place(self.written, &range)
    }

    /// The bytes of a JSON file that hold a range of a text field.
    fn json_range(&self, field: &str, range: &Range<usize>) -> Option<Range<usize>> {
        let string = locate::pointer(self.written, &format!("/{field}"))?;
        let raw = &self.written[string.clone()];
        let at = |offset| string.start + locate::raw_offset(raw, offset);
        Some(at(range.start)..at(range.end))
    }

    /// The edit of the file that makes an edit of a text field; none if there is no such edit.
    pub(crate) fn edit(&self, field: &str, edit: &Edit) -> Option<Edit> {
        if let Some(layout) = self.layout() {
            return layout.edit(self.written, field, edit);
        }
        let range = self.json_range(field, &edit.range)?;
        let quoted = Value::from(edit.text.as_str()).to_string();
        Some(Edit { range, text: quoted[1..quoted.len() - 1].to_owned() })
    }

    /// The edit that writes the version as other readers know it, if it is written in another way.
    pub(crate) fn version_edit(&self) -> Option<Edit> {
        let fields = self.fields().ok()?;
        let is_odd = version::is_odd(fields.version?.get(), self.is_yaml());
        is_odd.then(|| Edit { range: self.range_of("/version"), text: "\"1.0\"".to_owned() })
    }
}

/// Studio keeps its own source in the file: JSON in unpadded URL-safe base64.
pub(crate) fn decode_studio(encoded: &str) -> Option<Value> {
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
