//! Compiles the fields of a definition to a [`Widget`], or collects the errors.

use std::cell::OnceCell;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use serde_json::Value;
use widgetcast_engine::budget::{self, Exceeded};
use widgetcast_engine::error::{Error, Finding, Fix, Kind, Place, Result, Severity};
use widgetcast_engine::limits::Limits;
use widgetcast_engine::template::{Edit, Engine, Template, TextTemplate, Use, Writes, range_of};

use crate::definition::inferred_schema::inferred_schema;
use crate::definition::origin::Origin;
use crate::definition::pattern_cost;
use crate::definition::schema::Schema;
use crate::definition::spec::{Source, SourceText, Spec, portable};
use crate::definition::widget::Widget;

/// Maximum findings about one template, since looking up the place of each takes time.
const MAX_FINDINGS: usize = 100;

static DEFAULT_ENGINE: LazyLock<Arc<Engine>> =
    LazyLock::new(|| Arc::new(Engine::new(Limits::default())));

/// The engine for these limits; the one for the default limits is shared.
pub(crate) fn engine(limits: &Limits) -> Arc<Engine> {
    if *limits == Limits::default() {
        Arc::clone(&DEFAULT_ENGINE)
    } else {
        Arc::new(Engine::new(limits.clone()))
    }
}

impl Widget {
    /// Reads and checks one definition given as text, JSON or YAML.
    pub fn parse(text: &str) -> Result<Self> {
        let origin = Origin::Text { name: Path::new("").into(), text: text.into() };
        let spec = Source::read(text)?.spec(Path::new(""))?;
        let compiled = compile(spec, origin, None, &DEFAULT_ENGINE)
            .map_err(|exceeded| too_large(exceeded, Path::new("")))?;
        let is_error = |finding: &Finding| finding.severity == Severity::Error;
        match (compiled.widget, compiled.findings.into_iter().find(is_error)) {
            (Some(widget), _) => Ok(widget),
            (None, Some(finding)) => Err(finding.error),
            (None, None) => Err(Error::new(Kind::TemplateFailed, "the widget cannot be rendered")),
        }
    }
}

/// The widget of a definition, if there are no errors, and all findings about it.
pub(crate) struct Compiled {
    pub widget: Option<Widget>,
    pub findings: Vec<Finding>,
}

/// Compiles a definition, within half of the budget of a call. `old` is the widget before an edit: its schema
/// is reused if it did not change. Fails if the budget is exceeded, which says nothing about the definition.
pub(crate) fn compile(
    spec: Spec,
    origin: Origin,
    old: Option<&Widget>,
    engine: &Arc<Engine>,
) -> std::result::Result<Compiled, Exceeded> {
    let path = Arc::clone(origin.shared_path());
    let compiled = engine.budget().cover(|| {
        let compiled =
            budget::at_most(engine.limits.steps / 2, || compile_unsound(spec, origin, old, engine));
        budget::exceeded().map_or(Ok(compiled), Err)
    })?;
    let Compiled { widget, findings } = compiled.unwrap_or_else(|exceeded| {
        let finding = Finding::new(Severity::Error, too_large(exceeded, &path));
        Compiled { widget: None, findings: vec![finding] }
    });
    let is_broken = findings.iter().any(|finding| finding.severity == Severity::Error);
    Ok(Compiled { widget: widget.filter(|_| !is_broken), findings })
}

/// The error for a definition that cannot be compiled within the budget.
fn too_large(exceeded: Exceeded, path: &Path) -> Error {
    Error::new(Kind::TemplateFuel, format!("the widget is too large: compiling it {exceeded}"))
        .with_help("make the template smaller, or loop over data instead of repeating parts")
        .in_file(path)
}

/// [`compile`], but returns a widget despite errors, if template and schema can be parsed: for further
/// checks, never for rendering.
pub(crate) fn compile_unsound(
    spec: Spec,
    origin: Origin,
    old: Option<&Widget>,
    engine: &Arc<Engine>,
) -> Compiled {
    let source = OnceCell::new();
    let findings = Vec::new();
    let mut compiler = Compiler { spec: &spec, origin: &origin, source, old, engine, findings };
    let written: Option<Value> =
        spec.schema.as_deref().and_then(|text| serde_json::from_str(text).ok());
    let declared = written.as_ref().map(|schema| compiler.declared_schema(schema));
    let copy_text = compiler.copy_text();
    let (template, uses) = compiler.template(written.as_ref());
    let schema = declared.unwrap_or_else(|| compiler.inferred_schema(&uses));
    let findings = compiler.findings;
    let widget = match (template, schema) {
        (Some(template), Some(schema)) => {
            Some(Widget::new(spec, origin, schema, template, copy_text, Arc::clone(engine)))
        }
        _ => None,
    };
    Compiled { widget, findings }
}

/// Compiles the parts of a definition, and collects the findings about them.
struct Compiler<'a> {
    spec: &'a Spec,
    origin: &'a Origin,
    /// The text of the definition, read for the first finding that needs it.
    source: OnceCell<SourceText>,
    old: Option<&'a Widget>,
    engine: &'a Arc<Engine>,
    findings: Vec<Finding>,
}

impl Compiler<'_> {
    /// The author's schema.
    fn declared_schema(&mut self, schema: &Value) -> Option<Arc<Schema>> {
        let text = self.spec.schema.clone().unwrap_or_default();
        if let Some((pointer, number)) = portable::rounded_number(schema) {
            let pointer = format!("/jsonSchema{pointer}");
            let message = format!("{number} does not fit in a double, and many clients round it");
            let error = Error::new(Kind::SchemaPortable, message).with_pointer(&pointer);
            self.add(Finding::new(Severity::Warning, error), |source| source.place_of(&pointer));
        }
        match self.schema(schema, text) {
            Ok(schema) => Some(schema),
            Err(error) => {
                let pointer = format!("/jsonSchema{}", error.place().pointer);
                let error = error.with_pointer(&pointer);
                self.error(error, |source| source.place_of(&pointer));
                None
            }
        }
    }

    /// The schema inferred from the template, if the author wrote none.
    fn inferred_schema(&mut self, uses: &[Use]) -> Option<Arc<Schema>> {
        let schema = inferred_schema(uses, &|name| self.engine.is_global(name));
        let text = schema.to_string();
        let compiled = match portable::schema(&text) {
            Ok(()) => self.schema(&schema, text.into()),
            Err((error, _)) => Err(error),
        };
        compiled.map_err(|error| self.error(error, |_| Place::default())).ok()
    }

    fn schema(&self, schema: &Value, text: Box<str>) -> Result<Arc<Schema>> {
        match self.old.filter(|old| old.schema_json() == &*text) {
            Some(old) => Ok(Arc::clone(old.shared_schema())),
            None if pattern_cost::is_too_high(schema) => Err(Error::new(
                Kind::Schema,
                "the patterns of the schema have too many repetitions to compile",
            )
            .with_help("limit the length with `maxLength`")),
            None => Schema::compile_text(schema, text).map(Arc::new),
        }
    }

    fn copy_text(&mut self) -> Option<TextTemplate> {
        let read = TextTemplate::read(self.spec.copy_text.as_ref()?, Writes::Prose);
        let place = |error| {
            let range = range_of(&error).unwrap_or(0..1);
            self.error(error, |source| source.place_in("copy_text", &range));
        };
        read.map_err(place).ok()
    }

    /// The template, and the data that it uses.
    fn template(&mut self, schema: Option<&Value>) -> (Option<Template>, Vec<Use>) {
        let declares =
            |name: &str| schema.is_some_and(|schema| schema["properties"].get(name).is_some());
        let declared: Option<&dyn Fn(&str) -> bool> = match schema {
            Some(_) => Some(&declares),
            None => None,
        };
        match Template::load(&self.spec.template, declared, self.engine) {
            Ok(mut loaded) => {
                // Errors first: dropping one would let a broken widget pass.
                loaded.findings.sort_by_key(|(finding, _)| std::cmp::Reverse(finding.severity));
                for (finding, range) in loaded.findings.into_iter().take(MAX_FINDINGS) {
                    self.in_template(finding, &range);
                }
                (Some(loaded.template), loaded.usage.uses)
            }
            Err(error) => {
                let range = range_of(&error).unwrap_or(0..1);
                self.in_template(Finding::new(Severity::Error, error), &range);
                (None, Vec::new())
            }
        }
    }

    fn in_template(&mut self, mut finding: Finding, range: &Range<usize>) {
        if finding.fix == Fix::Applied && !self.can_edit(range) {
            finding.fix = Fix::None;
        }
        self.add(finding, |source| source.place_in("template", range));
    }

    /// Whether `check --fix` can edit this range of the template.
    fn can_edit(&self, range: &Range<usize>) -> bool {
        let edit = Edit { range: range.clone(), text: String::new() };
        self.text().source().is_some_and(|source| source.edit("template", &edit).is_some())
    }

    fn text(&self) -> &SourceText {
        self.source.get_or_init(|| SourceText::new(self.origin.text()))
    }

    fn error(&mut self, error: Error, place: impl FnOnce(&Source<'_>) -> Place) {
        self.add(Finding::new(Severity::Error, error), place);
    }

    fn add(&mut self, mut finding: Finding, place: impl FnOnce(&Source<'_>) -> Place) {
        // Findings after the budget is exceeded do not count.
        if budget::steps(self.text().steps_to_read()).is_err() {
            return;
        }
        let place = self.text().source().map(|source| place(&source)).unwrap_or_default();
        finding.error = finding.error.with_place(place).in_file(self.origin.path());
        self.findings.push(finding);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However many warnings precede it in the template, an error makes loading fail.
    #[test]
    fn errors_are_not_lost_among_warnings() {
        let children = |last: &str| {
            let unknown: String = (0..MAX_FINDINGS + 20)
                .map(|n| format!(r#"{{"type":"Divider","nonsense{n}":1}},"#))
                .collect();
            serde_json::json!({"version": "1.0", "name": "A",
                "template": format!(r#"{{"type":"Card","children":[{unknown}{last}]}}"#)})
            .to_string()
        };
        let text = children(r#"{"type":"Divider"}"#);
        let spec = Source::read(&text)
            .and_then(|source| source.spec(Path::new("a")))
            .expect("a definition");
        let origin = Origin::Text { name: Path::new("a").into(), text: text.into() };
        let compiled = compile(spec, origin, None, &DEFAULT_ENGINE).expect("in time");
        assert!(compiled.widget.is_some());
        assert_eq!(compiled.findings.len(), MAX_FINDINGS);
        let error = Widget::parse(&children(r#"{"type":"Nonsense"}"#)).expect_err("broken");
        assert_eq!(error.kind(), Kind::TreeType);
    }

    #[test]
    fn an_edit_that_leaves_the_schema_alone_uses_it_again() {
        let spec = |text: &str| {
            let text = format!(
                r#"{{"version":"1.0","name":"A","template":"{text}",
                "jsonSchema":{{"type":"object"}}}}"#
            );
            Source::read(&text)
                .and_then(|source| source.spec(Path::new("a")))
                .expect("a definition")
        };
        let origin = Origin::Static { name: Path::new("a").into(), text: "" };
        let compiled = |text: &str, old: Option<&Widget>| {
            let compiled = compile(spec(text), origin.clone(), old, &DEFAULT_ENGINE);
            compiled.expect("in time").widget.expect("a widget")
        };
        let card = r#"{\"type\":\"Card\",\"children\":[]}"#;
        let old = compiled(card, None);
        let new = compiled(&format!("{card} "), Some(&old));
        assert!(Arc::ptr_eq(old.shared_schema(), new.shared_schema()));
        assert!(!Arc::ptr_eq(old.shared_schema(), compiled(card, None).shared_schema()));
    }
}
