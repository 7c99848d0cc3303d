//! A widget: a checked definition that can be rendered. `compile` creates it.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use widgetcast_engine::error::{Error, Kind, Result};
use widgetcast_engine::json::JsonRef;
use widgetcast_engine::outline::Roles;
use widgetcast_engine::template::{Engine, Template, TextTemplate, range_of};

use crate::definition::origin::Origin;
use crate::definition::schema::Schema;
use crate::definition::spec::{Extras, Source, Spec};
use crate::definition::view::View;

/// One checked definition: a name, a schema, a template.
///
/// ```
/// use serde_json::json;
/// use widgetcast_core::Widget;
///
/// let widget = Widget::parse(r#"{
///     "version": "1.0",
///     "name": "Greeting Card",
///     "template": "{\"type\":\"Card\",\"children\":[{\"type\":\"Text\",\"value\":{{ (\"Hello \" ~ name) | tojson }}}]}",
///     "jsonSchema": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
/// }"#)?;
/// assert_eq!(widget.tool_name(), "greeting_card");
///
/// let view = widget.render(&json!({"name": "Ada"}))?;
/// assert_eq!(view.json(), r#"{"type":"Card","children":[{"type":"Text","value":"Hello Ada"}]}"#);
/// assert_eq!(view.text(), "Hello Ada");
///
/// let error = widget.render(&json!({})).unwrap_err();
/// assert!(error.message().contains("/name: is required, but missing"));
/// # Ok::<(), widgetcast_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Widget {
    spec: Spec,
    tool_name: Box<str>,
    origin: Origin,
    schema: Arc<Schema>,
    has_header_params: bool,
    template: Template,
    copy_text: Option<TextTemplate>,
    engine: Arc<Engine>,
    roles: Arc<Roles>,
}

impl Widget {
    /// Combines the compiled parts of a definition.
    pub(super) fn new(
        spec: Spec,
        origin: Origin,
        schema: Arc<Schema>,
        template: Template,
        copy_text: Option<TextTemplate>,
        engine: Arc<Engine>,
    ) -> Self {
        Self {
            tool_name: spec.tool.clone(),
            roles: spec.outline.clone(),
            spec,
            origin,
            has_header_params: schema.text().contains("\"x-mcp-header\""),
            schema,
            template,
            copy_text,
            engine,
        }
    }

    /// The author's roles of components in hosts that do not render the tree, by `id`.
    pub(crate) fn roles(&self) -> &Roles {
        &self.roles
    }

    /// The name, as the author wrote it.
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// The name of the tool.
    pub fn tool_name(&self) -> &str {
        &self.tool_name
    }

    /// The author's description.
    pub fn description(&self) -> Option<&str> {
        self.spec.description.as_deref()
    }

    /// The JSON Schema of its data, as text in the author's order; inferred from the template if
    /// the file has none.
    pub fn schema_json(&self) -> &str {
        self.schema.text()
    }

    /// Whether the file has a schema; otherwise, it is inferred from the template.
    pub fn has_own_schema(&self) -> bool {
        self.spec.schema.is_some()
    }

    /// Whether clients must repeat some of its data in headers (`x-mcp-header` in the schema).
    pub fn has_header_params(&self) -> bool {
        self.has_header_params
    }

    /// The compiled schema: the author's, or the one inferred from the template.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The compiled schema, to reuse it after an edit that did not change it.
    pub(super) fn shared_schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The file it was read from, or the name that was passed.
    pub fn path(&self) -> &Path {
        self.origin.path()
    }

    /// Sample data: the author's, else generated from the schema.
    pub fn sample(&self) -> Value {
        self.extras().sample.unwrap_or_else(|| self.drawn_sample())
    }

    /// Sample data generated from the schema.
    pub(super) fn drawn_sample(&self) -> Value {
        let schema = serde_json::from_str(self.schema.text()).unwrap_or_default();
        crate::definition::sample::example(&schema)
    }

    /// The tree that Studio stored in the file as a preview, if any.
    pub fn preview(&self) -> Option<Value> {
        self.extras().preview
    }

    /// The template as the author wrote it.
    pub fn template_text(&self) -> &str {
        &self.spec.template
    }

    /// The widget in Studio's own format, `encodedWidget`, as written in the file.
    pub fn encoded(&self) -> Option<String> {
        let text = self.origin.text();
        Source::read(&text).ok()?.encoded()
    }

    /// Whether the template and the copy text were compiled for the fast path. For tests and benchmarks.
    #[doc(hidden)]
    pub fn is_fast(&self) -> bool {
        let limits = &self.engine.limits;
        self.template.is_fast(limits)
            && self.copy_text.as_ref().is_none_or(|text| text.is_fast(limits))
    }

    pub(crate) fn extras(&self) -> Extras {
        let text = self.origin.text();
        Source::read(&text).map(|source| source.extras()).unwrap_or_default()
    }

    pub(crate) fn spec(&self) -> &Spec {
        &self.spec
    }

    pub(crate) fn template(&self) -> &Template {
        &self.template
    }

    /// The source of the definition, to show positions in it.
    pub(crate) fn origin(&self) -> &Origin {
        &self.origin
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Validates data and renders it.
    ///
    /// A null that the schema does not allow counts as absent if the property is optional.
    pub fn render(&self, data: &Value) -> Result<View> {
        let data = data.into();
        self.engine.budget().cover(|| {
            self.validate(&data)?;
            self.render_given(&data)
        })
    }

    /// Like [`Self::render`], for borrowed data. Also generates the view's text while it writes the tree.
    pub fn draw(&self, data: &JsonRef<'_>) -> Result<View> {
        self.engine.budget().cover(|| {
            self.validate(data)?;
            if self.copy_text.is_some() {
                return self.render_given(data);
            }
            let drawn = self.template.render_with_text(&self.engine, data, &self.roles);
            let (json, printed) = drawn.map_err(|error| self.place(error))?;
            Ok(View { json: json.into(), copy_text: None, printed, roles: self.roles.clone() })
        })
    }

    fn validate(&self, data: &JsonRef<'_>) -> Result<()> {
        self.schema.validate_without_nulls(data).map_err(|violations| {
            let message =
                format!("the data does not match the schema of {}:\n{violations}", self.tool_name);
            Error::new(Kind::Data, message).with_cause(violations)
        })
    }

    /// Renders data without validating it.
    pub fn render_unvalidated(&self, data: &Value) -> Result<View> {
        self.render_given(&data.into())
    }

    fn render_given(&self, data: &JsonRef<'_>) -> Result<View> {
        let json = self.template.render(&self.engine, data).map_err(|error| self.place(error))?;
        let copy_text = self.copy_text(data).ok().flatten();
        Ok(View { json: json.into(), copy_text, printed: None, roles: self.roles.clone() })
    }

    /// Renders data with the general engine only; tests and benchmarks compare it with the fast path.
    #[doc(hidden)]
    pub fn render_slowly(&self, data: &Value) -> Result<View> {
        let json =
            self.template.render_slowly(&self.engine, data).map_err(|error| self.place(error))?;
        let written = self.copy_text.as_ref().map(|text| text.render_slowly(&self.engine, data));
        let copy_text = written.and_then(Result::ok).and_then(trimmed);
        Ok(View { json: json.into(), copy_text, printed: None, roles: self.roles.clone() })
    }

    /// The text of `copy_text` for this data, unless it is missing or empty.
    #[doc(hidden)]
    pub fn copy_text(&self, data: &JsonRef<'_>) -> Result<Option<String>> {
        let Some(template) = &self.copy_text else { return Ok(None) };
        template.render(&self.engine, data).map(trimmed)
    }

    /// Why `copy_text` fails for this data, if it does; the view then has the printed text.
    pub(crate) fn fault_of_copy_text(&self, data: &Value) -> Option<Error> {
        let error = self.copy_text(&data.into()).err()?;
        let range = range_of(&error).unwrap_or_default();
        let place = self.origin.place(|source| source.place_in("copy_text", &range));
        Some(error.with_place(place).in_file(self.path()))
    }

    /// Adds the position in the file to an error with a range of the template, or a pointer into the tree.
    fn place(&self, error: Error) -> Error {
        let range = range_of(&error).or_else(|| {
            self.template
                .locate(&error.place().pointer)
                .filter(|_| !error.place().pointer.is_empty())
        });
        let Some(range) = range else { return error.in_file(self.path()) };
        let place = self.origin.place(|source| source.place_in("template", &range));
        error.with_place(place).in_file(self.path())
    }
}

/// A text, trimmed; `None` if it is blank.
fn trimmed(mut text: String) -> Option<String> {
    text.truncate(text.trim_end().len());
    text.drain(..text.len() - text.trim_start().len());
    Some(text).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GALLERY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../cli/widgets");

    /// The text that the fast path writes next to the tree is used: it is not folded from the tree again.
    /// An author's text takes its place, so it is removed here.
    #[test]
    fn the_fast_path_gives_the_text() {
        let mut with_text = 0;
        for entry in std::fs::read_dir(GALLERY).expect("the gallery") {
            let path = entry.expect("a file").path();
            let text = std::fs::read_to_string(&path).expect("readable");
            let Ok(mut definition) = serde_json::from_str::<Value>(&text) else { continue };
            definition.as_object_mut().expect("an object").remove("copy_text");
            let widget = Widget::parse(&definition.to_string()).expect("a widget");
            let view = widget.draw(&(&widget.sample()).into()).expect("a view");
            assert_eq!(view.text(), View { printed: None, ..view.clone() }.text());
            with_text += usize::from(view.printed.is_some());
        }
        // All except those with a chart.
        assert_eq!(with_text, 29);
    }

    #[test]
    fn the_text_of_the_author_comes_first_unless_it_is_empty() {
        let text = |copy_text: &str| {
            let template =
                r#"{"type":"Card","children":[{"type":"Text","value":{{ a | tojson }}}]}"#;
            let widget = Widget::parse(
                &serde_json::json!({"version": "1.0", "name": "A", "template": template,
                    "copy_text": copy_text})
                .to_string(),
            )
            .expect("a widget");
            let data = serde_json::json!({"a": "tree"});
            let drawn = widget.draw(&(&data).into()).expect("a view");
            assert_eq!(drawn, widget.render(&data).expect("a view"));
            assert_eq!(drawn, widget.render_slowly(&data).expect("a view"));
            drawn.text()
        };
        assert_eq!(text(" copy of {{ a }} "), "copy of tree");
        assert_eq!(text("{{ missing }}"), "tree");
        assert_eq!(text("{{ a.b.c.d }}"), "tree", "a text that fails is left out");
    }

    #[test]
    fn header_parameters_are_noticed() {
        let widget = |property: &str| {
            let text = r#"{"version":"1.0","name":"A","template":"{\"type\":\"Card\",\"children\":[]}","jsonSchema":{"type":"object","properties":{"a":PROPERTY}}}"#;
            Widget::parse(&text.replace("PROPERTY", property)).expect("a widget")
        };
        assert!(widget(r#"{"type":"string","x-mcp-header":"A"}"#).has_header_params());
        assert!(!widget(r#"{"type":"string"}"#).has_header_params());
    }
}
