//! A widget: one checked definition. It exists only if it can be drawn.

use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, LazyLock, OnceLock};

use serde_json::Value;
use widgetcast_engine::error::{Error, Finding, Kind, Place, Result, Severity};
use widgetcast_engine::json::JsonRef;
use widgetcast_engine::limits::Limits;
use widgetcast_engine::template::{Engine, Jinja, Template, Usage, Writes, range_of};

use crate::definition::infer;
use crate::definition::name::tool_name;
use crate::definition::schema::Schema;
use crate::definition::spec::{Extras, Source, Spec};
use crate::definition::view::View;

/// Where a definition comes from. Its text is read again when a fault must be shown, or its sample
/// is asked for, instead of being kept.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    File(Arc<Path>),
    Text { name: Arc<Path>, text: Arc<str> },
    Static { name: Arc<Path>, text: &'static str },
}

impl Origin {
    pub(crate) fn path(&self) -> &Path {
        self.shared_path()
    }

    pub(crate) fn shared_path(&self) -> &Arc<Path> {
        match self {
            Origin::File(path)
            | Origin::Text { name: path, .. }
            | Origin::Static { name: path, .. } => path,
        }
    }

    pub(crate) fn text(&self) -> String {
        match self {
            Origin::File(path) => std::fs::read_to_string(path).unwrap_or_default(),
            Origin::Text { text, .. } => text.to_string(),
            Origin::Static { text, .. } => (*text).to_owned(),
        }
    }
}

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
/// assert!(error.message().contains("/name: is missing"));
/// # Ok::<(), widgetcast_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Widget {
    spec: Spec,
    tool_name: Box<str>,
    origin: Origin,
    schema: Arc<Schema>,
    /// The schema's text: the author's, or the one inferred from the template.
    schema_json: Box<str>,
    has_header_params: bool,
    template: Template,
    copy_text: OnceLock<Option<Jinja>>,
    engine: Arc<Engine>,
}

/// A definition compiled, or not, and all there is to say about it.
pub(crate) struct Compiled {
    pub widget: Option<Widget>,
    pub findings: Vec<Finding>,
}

static ENGINE: LazyLock<Arc<Engine>> = LazyLock::new(|| Arc::new(Engine::new(Limits::default())));

/// Findings about one template that are worth placing in the file.
const MOST: usize = 100;

/// The engine for the default limits, made once.
pub(crate) fn engine(limits: &Limits) -> Arc<Engine> {
    if *limits == Limits::default() {
        Arc::clone(&ENGINE)
    } else {
        Arc::new(Engine::new(limits.clone()))
    }
}

impl Widget {
    /// Reads and checks one definition given as text, JSON or YAML.
    pub fn parse(text: &str) -> Result<Self> {
        let origin = Origin::Text { name: Path::new("").into(), text: text.into() };
        let compiled = Source::read(text)
            .and_then(|source| source.spec())
            .map(|spec| Self::compile(spec, origin, None, &ENGINE))?;
        let grave = |finding: &Finding| finding.severity == Severity::Error;
        match (compiled.widget, compiled.findings.into_iter().find(grave)) {
            (Some(widget), _) => Ok(widget),
            (None, Some(finding)) => Err(finding.error),
            (None, None) => Err(Error::new(Kind::TemplateFailed, "the widget cannot be drawn")),
        }
    }

    /// Compiles a definition. The schema of the widget that it was before an edit serves again, if
    /// the edit left it alone.
    pub(crate) fn compile(
        spec: Spec,
        origin: Origin,
        old: Option<&Widget>,
        engine: &Arc<Engine>,
    ) -> Compiled {
        let mut findings = Vec::new();
        // The text is read again only if there is something to show in it.
        let mut say = |mut finding: Finding, place: &dyn Fn(&Source<'_>) -> Place| {
            let text = origin.text();
            let place = Source::read(&text).map(|source| place(&source)).unwrap_or_default();
            finding.error = finding.error.with_place(place).in_file(origin.path());
            findings.push(finding);
        };
        let failed = |error: Error| Finding::new(Severity::Error, error);

        let written: Option<Value> =
            spec.schema.as_ref().and_then(|text| serde_json::from_str(text).ok());
        let compile = |schema: &Value, text: &str| match old.filter(|old| *old.schema_json == *text)
        {
            Some(old) => Ok(Arc::clone(&old.schema)),
            None => Schema::compile(schema).map(Arc::new),
        };
        let schema = written.as_ref().zip(spec.schema.as_deref());
        let schema = schema.map(|(schema, text)| compile(schema, text)).transpose();
        let schema = schema.map_err(|error| {
            let pointer = format!("/jsonSchema{}", error.place().pointer);
            say(failed(error.with_pointer(&pointer)), &|source| source.place_of(&pointer));
        });
        if let Some(text) = &spec.copy_text
            && let Err(error) = Jinja::compile(text, Writes::Prose)
        {
            let range = range_of(&error).unwrap_or(0..1);
            say(failed(error), &|source| source.place_in("copy_text", text, &range));
        }
        let in_template = |range: Range<usize>| {
            let template = Arc::clone(&spec.template);
            move |source: &Source<'_>| source.place_in("template", &template, &range)
        };
        let declares = |name: &str| {
            written.as_ref().is_some_and(|schema| schema["properties"].get(name).is_some())
        };
        let declared: Option<&dyn Fn(&str) -> bool> = match &written {
            Some(_) => Some(&declares),
            None => None,
        };
        let loaded = Template::load(&spec.template, declared, engine).map_err(|error| {
            let range = range_of(&error).unwrap_or(0..1);
            say(failed(error), &in_template(range));
        });
        let (mut template, mut usage) = (None, Usage::default());
        if let Ok(mut loaded) = loaded {
            // Errors first: one that was left out would let a broken widget pass.
            loaded.findings.sort_by_key(|(finding, _)| std::cmp::Reverse(finding.severity));
            for (finding, range) in loaded.findings.into_iter().take(MOST) {
                say(finding, &in_template(range));
            }
            (template, usage) = (Some(loaded.template), loaded.usage);
        }
        let inferred;
        let schema = match (schema, &spec.schema) {
            (Ok(Some(schema)), Some(text)) => Some((schema, text.clone())),
            (Ok(_), _) => {
                inferred = infer::schema(&usage.uses, &|name| engine.is_global(name));
                let text = inferred.to_string().into_boxed_str();
                let compiled = compile(&inferred, &text).map_err(|error| {
                    say(failed(error), &|_| Place::default());
                });
                compiled.ok().map(|schema| (schema, text))
            }
            (Err(()), _) => None,
        };
        let broken = findings.iter().any(|finding| finding.severity == Severity::Error);
        let widget = match (template, schema) {
            (Some(template), Some((schema, schema_json))) if !broken => Some(Widget {
                tool_name: tool_name(&spec.name).into(),
                spec,
                origin,
                schema,
                has_header_params: schema_json.contains("\"x-mcp-header\""),
                schema_json,
                template,
                copy_text: OnceLock::new(),
                engine: Arc::clone(engine),
            }),
            _ => None,
        };
        Compiled { widget, findings }
    }

    /// The name as its author wrote it.
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// The name of the tool that draws it.
    pub fn tool_name(&self) -> &str {
        &self.tool_name
    }

    /// What it is for, if the author said so.
    pub fn description(&self) -> Option<&str> {
        self.spec.description.as_deref()
    }

    /// The JSON Schema of its data, as text in the author's order; inferred from the template if
    /// the file has none.
    pub fn schema_json(&self) -> &str {
        &self.schema_json
    }

    /// Whether clients must repeat some of its data in headers (`x-mcp-header` in the schema).
    pub fn has_header_params(&self) -> bool {
        self.has_header_params
    }

    /// The compiled schema.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The file it was read from, or the name it was given.
    pub fn path(&self) -> &Path {
        self.origin.path()
    }

    /// Sample data: the author's, else drawn from the schema.
    pub fn sample(&self) -> Value {
        self.extras().sample.unwrap_or_else(|| {
            crate::definition::sample::example(
                &serde_json::from_str(&self.schema_json).unwrap_or_default(),
            )
        })
    }

    /// The tree that the author saw when the file was made, if it is in the file.
    pub fn preview(&self) -> Option<Value> {
        self.extras().preview
    }

    /// The template as the author wrote it.
    pub fn template_text(&self) -> &str {
        &self.spec.template
    }

    /// Studio's own form of the widget, `encodedWidget`, as it stands in the file.
    pub fn encoded(&self) -> Option<String> {
        let text = self.origin.text();
        Source::read(&text).ok()?.encoded()
    }

    /// Whether the template was compiled for the fast path.
    pub fn is_fast(&self) -> bool {
        self.template.is_fast(&self.engine.limits)
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

    /// The source, for presentation places in it.
    pub(crate) fn origin(&self) -> &Origin {
        &self.origin
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Validates data and draws it.
    ///
    /// A null where the schema allows none counts as absent if the property is optional.
    pub fn render(&self, data: &Value) -> Result<View> {
        let data = data.into();
        self.validate(&data)?;
        self.render_given(&data)
    }

    /// The same for data that is still in the text that it came in, and for those who want the
    /// view's text in any case: it is told on the way.
    pub fn draw(&self, data: &JsonRef<'_>) -> Result<View> {
        self.validate(data)?;
        if self.spec.copy_text.is_some() {
            return self.render_given(data);
        }
        let drawn = self.template.render_with_text(&self.engine, data);
        let (json, folded) = drawn.map_err(|error| self.place(error))?;
        Ok(View { json: json.into(), copy_text: None, folded })
    }

    fn validate(&self, data: &JsonRef<'_>) -> Result<()> {
        if !self.schema.accepts(data)
            && !self.schema.is_valid_without_nulls(data)
            && let Err(violations) = self.schema.validate_data(data)
        {
            let message = format!("the data does not fit {}:\n{violations}", self.tool_name);
            return Err(Error::new(Kind::Data, message).with_cause(violations));
        }
        Ok(())
    }

    /// Draws data that has been validated before, or that need not be.
    pub fn render_unvalidated(&self, data: &Value) -> Result<View> {
        self.render_given(&data.into())
    }

    fn render_given(&self, data: &JsonRef<'_>) -> Result<View> {
        let json = self.template.render(&self.engine, data).map_err(|error| self.place(error))?;
        let copy_text = self.spec.copy_text.as_ref().and_then(|_| self.copy_text(&data.to_value()));
        Ok(View { json: json.into(), copy_text, folded: None })
    }

    /// The same by the general engine alone; tests and benchmarks compare the two.
    #[doc(hidden)]
    pub fn render_slowly(&self, data: &Value) -> Result<View> {
        let json =
            self.template.render_slowly(&self.engine, data).map_err(|error| self.place(error))?;
        Ok(View { json: json.into(), copy_text: self.copy_text(data), folded: None })
    }

    /// The author's text for this data; none if there is no such template or it fails.
    fn copy_text(&self, data: &Value) -> Option<String> {
        let source = self.spec.copy_text.as_ref()?;
        let jinja = self.copy_text.get_or_init(|| Jinja::compile(source, Writes::Prose).ok());
        let text = jinja.as_ref()?.render(&self.engine, data).ok()?;
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    }

    /// Turns a range of the template into a place of the file.
    fn place(&self, error: Error) -> Error {
        let range = range_of(&error).or_else(|| {
            self.template
                .locate(&error.place().pointer)
                .filter(|_| !error.place().pointer.is_empty())
        });
        let Some(range) = range else { return error.in_file(self.path()) };
        let text = self.origin.text();
        let place = Source::read(&text)
            .map(|source| source.place_in("template", &self.spec.template, &range))
            .unwrap_or_default();
        error.with_place(place).in_file(self.path())
    }
}
