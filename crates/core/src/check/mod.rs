//! The doctor: everything that can be said about a widget that loads.
//!
//! Loading finds what keeps a widget from being drawn. This looks further: faults that other
//! renderers trip over, variables that do not match the schema, a preview that has drifted, inputs
//! that break it, and what a person with low vision or a screen reader would miss.

mod access;
mod contrast;
mod fix;
mod oracle;

use std::ops::Range;

use serde_json::Value;
use widgetcast_engine::error::{Error, Finding, Fix, Kind, Place, Severity};
use widgetcast_engine::json::number_text;
use widgetcast_engine::suggest::did_you_mean;
use widgetcast_engine::template::{Step, Template, Use};
use widgetcast_engine::tree;

use crate::definition::catalog::{Catalog, in_parallel};
use crate::definition::infer::{self, Declared};
use crate::definition::sample;
use crate::definition::spec::{Extras, Source};
use crate::definition::widget::Widget;
use crate::reply::Reply;
use crate::surface::{Presentation, SURFACES};

pub use fix::fix;
use oracle::Oracle;

/// Random inputs drawn for each widget, besides the fixed kinds.
const RANDOM: usize = 8;
/// A schema of more bytes than this takes too long to draw from.
const LARGE: usize = 128 * 1024;
/// Findings of one kind about one widget that are worth placing in the file.
const MOST: usize = 100;
/// Losses that a finding lists.
const SHOWN: usize = 3;
/// The seed of the draws: the same file gives the same findings.
const SEED: u64 = 20;

/// How to check.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CheckOptions {
    /// Ask for `jsonSchema` and `outputJsonPreview`, and take warnings as errors.
    pub strict: bool,
}

impl CheckOptions {
    /// The strict ones.
    pub fn strict() -> Self {
        Self { strict: true }
    }
}

/// Checks every widget of a catalog. `progress` is told how many are done, from any thread.
///
/// ```
/// use widgetcast_core::{Catalog, CheckOptions, Kind, check};
///
/// let catalog = Catalog::from_static(&[("a.widget", r#"{"version":"1.0","name":"A",
///     "template":"{\"type\":\"Card\",\"children\":[{\"type\":\"Image\",\"src\":\"a.png\"}]}"}"#)]);
/// let findings = check(&catalog, &CheckOptions::default(), &|_| {});
/// assert_eq!(findings[0].error.kind(), Kind::ImageAlt);
/// ```
pub fn check(
    catalog: &Catalog,
    options: &CheckOptions,
    progress: &(dyn Fn(usize) + Sync),
) -> Vec<Finding> {
    let mut findings: Vec<Finding> = catalog.take_findings();
    let widgets: Vec<&Widget> = catalog.all_widgets().collect();
    let done = std::sync::atomic::AtomicUsize::new(0);
    let examined = in_parallel(&widgets, |widget| {
        let findings = Doctor::examine(widget, options);
        progress(done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1);
        findings
    });
    findings.extend(examined.into_iter().flatten());
    if options.strict {
        for finding in &mut findings {
            if finding.severity == Severity::Warning {
                finding.severity = Severity::Error;
            }
        }
    }
    let order = |finding: &Finding| {
        let place = finding.error.place();
        (place.file.clone(), place.position.unwrap_or_default(), finding.error.kind())
    };
    findings.sort_by_cached_key(order);
    findings
}

struct Doctor<'w> {
    widget: &'w Widget,
    text: String,
    extras: Extras,
    schema: Value,
    findings: Vec<Finding>,
}

impl<'w> Doctor<'w> {
    fn examine(widget: &'w Widget, options: &CheckOptions) -> Vec<Finding> {
        let text = widget.origin().text();
        let mut doctor = Doctor {
            widget,
            extras: Source::read(&text).map(|source| source.extras()).unwrap_or_default(),
            text,
            schema: serde_json::from_str(widget.schema_json()).unwrap_or_default(),
            findings: Vec::new(),
        };
        doctor.fields(options);
        doctor.studio_faults();
        doctor.variables();
        doctor.bare_prints();
        doctor.access();
        if doctor.sample() {
            doctor.losses();
            doctor.inputs();
        }
        doctor.findings
    }

    fn say(
        &mut self,
        severity: Severity,
        error: Error,
        fix: Fix,
        place: &dyn Fn(&Source<'_>) -> Place,
    ) {
        let place = Source::read(&self.text).map(|source| place(&source)).unwrap_or_default();
        let error = error.with_place(place).in_file(self.widget.path());
        self.findings.push(Finding { severity, error, fix });
    }

    /// A finding at a range of the template that runs.
    fn in_template(&mut self, severity: Severity, error: Error, fix: Fix, range: &Range<usize>) {
        let written = self.widget.template().written(range);
        let template = self.widget.spec().template.clone();
        self.say(severity, error, fix, &|source| source.place_in("template", &template, &written));
    }

    /// A finding about a field, or about the file as a whole.
    fn at_pointer(&mut self, severity: Severity, error: Error, pointer: &str) {
        if pointer.is_empty() {
            return self.say(severity, error, Fix::None, &|_| Place::default());
        }
        self.say(severity, error, Fix::None, &|source| source.place_of(pointer));
    }

    fn fields(&mut self, options: &CheckOptions) {
        if options.strict && self.widget.spec().schema.is_none() {
            let error = Error::new(Kind::NoSchema, "jsonSchema is missing")
                .with_help("the variables were inferred from the template; `widgetcast list --json` shows them");
            self.at_pointer(Severity::Error, error, "");
        }
        if options.strict && self.extras.preview.is_none() {
            let error = Error::new(Kind::NoPreview, "outputJsonPreview is missing")
                .with_help("`widgetcast render FILE --sample --json` prints it");
            self.at_pointer(Severity::Error, error, "");
        }
    }

    fn has_schema(&self) -> bool {
        self.widget.spec().schema.is_some()
    }

    fn studio_faults(&mut self) {
        let oracle = Oracle { schema: &self.schema, known: self.has_schema() };
        let mends = Template::faults(
            self.widget.template().source(),
            self.extras.view.as_deref(),
            &|name| oracle.declares(name),
            &|found| oracle.is_number(found),
            &|found| oracle.is_optional(found),
        );
        for mend in mends.into_iter().take(MOST) {
            // Only JSON is mended in place; YAML has too many ways to write a text.
            let json = self.text.trim_start_matches('\u{feff}').trim_start().starts_with('{');
            let fix = if mend.edits.is_empty() || !json { Fix::None } else { Fix::Offered };
            self.in_template(mend.severity, mend.error(), fix, &mend.range);
        }
    }

    fn variables(&mut self) {
        let usage = self.widget.template().usage();
        if !self.has_schema() {
            return;
        }
        let mut used: Vec<Vec<Step>> = Vec::new();
        let mut told: Vec<Vec<Step>> = Vec::new();
        for found in &usage.uses {
            used.push(found.path.clone());
            let [Step::Key(root), ..] = found.path.as_slice() else { continue };
            if root == "undefined"
                || self.widget.engine().is_global(root)
                || told.contains(&found.path)
            {
                continue;
            }
            if let Declared::Not(known) = infer::look_up(&self.schema, &found.path) {
                told.push(found.path.clone());
                let Some(Step::Key(missing)) = found.path.get(known) else { continue };
                let message = format!("`{}` is not declared in the schema", dotted(&found.path));
                let siblings = infer::properties(&self.schema);
                let siblings = siblings
                    .iter()
                    .filter(|path| path.len() == known + 1 && path[..known] == found.path[..known]);
                let names = siblings.filter_map(|path| match path.last() {
                    Some(Step::Key(name)) => Some(name.as_str()),
                    _ => None,
                });
                let error = Error::new(Kind::VariableUndeclared, message)
                    .with_help(did_you_mean(missing, names));
                self.in_template(Severity::Warning, error, Fix::None, &found.range);
            }
        }
        for found in self.copy_text_uses() {
            let global = |name: &Step| matches!(name, Step::Key(name) if self.widget.engine().is_global(name));
            if !found.path.first().is_some_and(global)
                && let Declared::Not(_) = infer::look_up(&self.schema, &found.path)
            {
                let message = format!("`{}` is not declared in the schema", dotted(&found.path));
                let text = self.widget.spec().copy_text.clone().unwrap_or_default();
                let error = Error::new(Kind::VariableUndeclared, message);
                self.say(Severity::Warning, error, Fix::None, &|source| {
                    source.place_in("copy_text", &text, &found.range)
                });
            }
            used.push(found.path);
        }
        for path in infer::properties(&self.schema) {
            // A value that is used whole uses all that is in it.
            let touches = |used: &Vec<Step>| used.starts_with(&path) || path.starts_with(used);
            let parent_unused = told.iter().any(|unused| path.starts_with(unused));
            if !used.iter().any(touches) && !parent_unused {
                let message = format!("`{}` is declared but not used", dotted(&path));
                let error = Error::new(Kind::VariableUnused, message)
                    .with_help("models will still write it; leave it out of the schema or use it");
                let pointer =
                    path.iter().fold("/jsonSchema".to_owned(), |pointer, step| match step {
                        Step::Key(name) => format!("{pointer}/properties/{name}"),
                        Step::Each => format!("{pointer}/items"),
                    });
                self.at_pointer(Severity::Warning, error, &pointer);
                told.push(path);
            }
        }
    }

    fn copy_text_uses(&self) -> Vec<Use> {
        let text = self.widget.spec().copy_text.clone().unwrap_or_default();
        widgetcast_engine::template::uses(&text)
    }

    fn bare_prints(&mut self) {
        let usage = self.widget.template().usage();
        for print in self.widget.template().bare_prints().into_iter().take(MOST) {
            let scalar =
                usage.uses.iter().find(|found| found.range == print.expr).is_some_and(|found| {
                    let oracle = Oracle { schema: &self.schema, known: self.has_schema() };
                    oracle.is_number(found) || oracle.is_flag(found)
                });
            let (message, help) = match (print.in_string, scalar) {
                (true, true) => continue,
                (true, false) => (
                    "this value is printed into a JSON string without `tojson`; a quote in it breaks other renderers",
                    "write `{{ … | tojson }}` without quotes around it",
                ),
                (false, true) => continue,
                (false, false) => (
                    "this value is printed into the JSON without `tojson`",
                    "write `{{ … | tojson }}`; a text or a boolean printed bare is not JSON elsewhere",
                ),
            };
            let error = Error::new(Kind::Unescaped, message).with_help(help);
            self.in_template(Severity::Warning, error, Fix::None, &print.range);
        }
    }

    fn access(&mut self) {
        let mut found: Vec<(Error, Range<usize>)> = Vec::new();
        self.widget.template().witnesses(&mut |tree, find| {
            for error in access::faults(tree) {
                if let Some(range) = find(&error.place().pointer)
                    && !found.iter().any(|(e, r)| e.kind() == error.kind() && *r == range)
                {
                    found.push((error, range));
                }
            }
        });
        let template = self.widget.spec().template.clone();
        for (error, range) in found {
            self.say(Severity::Warning, error, Fix::None, &|source| {
                source.place_in("template", &template, &range)
            });
        }
    }

    /// Draws the sample. False if it cannot be drawn: then other inputs would only say it again.
    fn sample(&mut self) -> bool {
        let Some(sample) = self.extras.sample.clone() else { return self.made_up_sample() };
        let field = if self.text.contains("\"sample\"") { "/sample" } else { "/encodedWidget" };
        if let Err(violations) = self.widget.schema().validate(&sample)
            && !self.widget.schema().is_valid_without_nulls(&(&sample).into())
        {
            let error = Error::new(
                Kind::SampleInvalid,
                format!("the sample does not fit the schema:\n{violations}"),
            );
            self.at_pointer(Severity::Warning, error, field);
        }
        let view = match self.widget.render_unvalidated(&sample) {
            Ok(view) => view,
            Err(error) => {
                self.findings.push(Finding::new(Severity::Error, error));
                return false;
            }
        };
        // Looked at before it is tidied, so that what tidying removes is seen.
        let engine = self.widget.engine();
        let text = self.widget.template().text(engine, &sample).unwrap_or_default();
        for finding in tree::check_tree(&text, &engine.limits) {
            let from_data = matches!(finding.error.kind(), Kind::UnknownValue | Kind::NullProp);
            // What the template itself says was reported when it was loaded.
            if !from_data || self.widget.template().says(&finding) {
                continue;
            }
            let pointer = finding.error.place().pointer.clone();
            let help = format!("this is what the sample gives at {pointer}");
            self.at_pointer(finding.severity, finding.error.with_help(help), field);
        }
        let Some(preview) = self.extras.preview.clone() else { return true };
        if let Some((pointer, template, preview)) =
            difference(&view.tree(), &preview, String::new())
        {
            let show =
                |value: Option<Value>| value.map_or("nothing".into(), |value| brief_json(&value));
            let message = format!(
                "the preview has drifted: at {} it has {}, and the template gives {}",
                if pointer.is_empty() { "the root" } else { &pointer },
                show(preview),
                show(template),
            );
            let error = Error::new(Kind::PreviewDrift, message).with_help(
                "`widgetcast render FILE --sample --json` prints what the template gives",
            );
            self.at_pointer(Severity::Warning, error, "/outputJsonPreview");
        }
        true
    }

    /// Without a sample, what `render` would draw: a template that writes no JSON whatever the data
    /// shows itself there. Values that were made up can be blamed for anything else.
    fn made_up_sample(&mut self) -> bool {
        match self.widget.render_unvalidated(&self.widget.sample()) {
            Err(error)
                if matches!(
                    error.kind(),
                    Kind::OutputJson
                        | Kind::OutputBytes
                        | Kind::TemplateFuel
                        | Kind::TreeRoot
                        | Kind::TreeType
                        | Kind::TreeMissing
                ) =>
            {
                self.findings.push(Finding::new(Severity::Error, error));
                false
            }
            _ => true,
        }
    }

    /// What each host would leave out of the sample, unless the author has accepted that.
    fn losses(&mut self) {
        let extras = self.extras.clone();
        let Some(view) =
            extras.sample.and_then(|sample| self.widget.render_unvalidated(&sample).ok())
        else {
            return;
        };
        for surface in SURFACES {
            if extras.accept.iter().any(|accepted| accepted == surface.name) {
                continue;
            }
            let accepted: Vec<&str> = extras
                .accept
                .iter()
                .filter_map(|accepted| accepted.strip_prefix(surface.name)?.strip_prefix(' '))
                .collect();
            let mut presentation = Presentation::new(self.widget.tool_name(), "sample", &view);
            presentation.accepted = &accepted;
            let losses = presentation.present(surface, &mut Reply::default());
            if losses.is_empty() {
                continue;
            }
            let things =
                if losses.len() == 1 { "one thing" } else { &format!("{} things", losses.len()) };
            let message = format!("{} cannot show {things} of the sample", surface.name);
            let list: Vec<String> = losses
                .iter()
                .take(SHOWN)
                .map(|loss| {
                    format!(
                        "{}: {}",
                        if loss.pointer.is_empty() { "/" } else { &loss.pointer },
                        loss.reason
                    )
                })
                .collect();
            let more = if losses.len() > SHOWN { "; …" } else { "" };
            let help = format!(
                "{}{more}. To accept this: \"accept\": [\"{}\"]",
                list.join("; "),
                surface.name
            );
            self.at_pointer(Severity::Note, Error::new(Kind::Loss, message).with_help(help), "");
        }
    }

    fn inputs(&mut self) {
        // A schema that was inferred allows more than the template was made for.
        if !self.has_schema() || self.widget.schema_json().len() > LARGE {
            return;
        }
        let valid = |data: &Value| self.widget.schema().is_valid(data);
        let mut told: Vec<(Kind, String)> = Vec::new();
        for drawn in sample::draw(&self.schema, RANDOM, SEED, &valid) {
            let Err(cause) = self.widget.render_unvalidated(&drawn.data) else { continue };
            let id = (cause.kind(), cause.message().to_owned());
            if told.contains(&id) {
                continue;
            }
            told.push(id);
            let message =
                format!("a valid input ({}) breaks it: {}", drawn.intent.name(), cause.message());
            let place = cause.place().clone();
            let error = Error::new(Kind::InputBreaks, message)
                .with_place(place)
                .with_help(format!("the input was {}", brief_json(&drawn.data)))
                .in_file(self.widget.path());
            self.findings.push(Finding::new(Severity::Warning, error));
        }
    }
}

fn dotted(path: &[Step]) -> String {
    let mut out = String::new();
    for step in path {
        match step {
            Step::Key(name) if out.is_empty() => out.push_str(name),
            Step::Key(name) => {
                out.push('.');
                out.push_str(name);
            }
            Step::Each => out.push_str("[]"),
        }
    }
    out
}

/// JSON cut to a length that fits a message.
fn brief_json(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(300) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// The first place where two trees differ, nulls and empty children aside: pointer, left, right.
fn difference(
    left: &Value,
    right: &Value,
    at: String,
) -> Option<(String, Option<Value>, Option<Value>)> {
    let blank = |key: &str, value: &Value| {
        value.is_null() || key == "children" && value.as_array().is_some_and(Vec::is_empty)
    };
    match (left, right) {
        (Value::Object(a), Value::Object(b)) => {
            for (key, value) in a.iter().filter(|(key, value)| !blank(key, value)) {
                let at = format!("{at}/{key}");
                match b.get(key).filter(|other| !blank(key, other)) {
                    Some(other) => {
                        if let Some(found) = difference(value, other, at) {
                            return Some(found);
                        }
                    }
                    None => return Some((at, Some(value.clone()), None)),
                }
            }
            let gone = |(key, value): &(&String, &Value)| {
                !blank(key, value) && a.get(*key).is_none_or(|other| blank(key, other))
            };
            b.iter()
                .find(gone)
                .map(|(key, value)| (format!("{at}/{key}"), None, Some(value.clone())))
        }
        (Value::Array(a), Value::Array(b)) => {
            let some =
                |list: &[Value]| list.iter().filter(|v| !v.is_null()).cloned().collect::<Vec<_>>();
            let (a, b) = (some(a), some(b));
            let both = a.iter().zip(&b).enumerate();
            both.filter_map(|(index, (a, b))| difference(a, b, format!("{at}/{index}")))
                .next()
                .or_else(|| {
                    let index = a.len().min(b.len());
                    (a.len() != b.len()).then(|| {
                        (format!("{at}/{index}"), a.get(index).cloned(), b.get(index).cloned())
                    })
                })
        }
        // A number in a text prop is drawn as its text.
        (Value::String(a), Value::Number(b)) if *a == number_text(b) => None,
        (Value::Number(a), Value::Number(b)) if a.as_f64() == b.as_f64() => None,
        (a, b) if a == b => None,
        (a, b) => Some((at, Some(a.clone()), Some(b.clone()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn finds_the_first_difference() {
        let tree =
            json!({"type": "Card", "children": [{"type": "Text", "value": "a", "size": 1.0}]});
        let same = json!({"children": [{"size": 1, "type": "Text", "value": "a", "color": null}], "type": "Card"});
        assert_eq!(difference(&tree, &same, String::new()), None);
        let other = json!({"type": "Card", "children": [{"type": "Text", "value": "b"}]});
        let (pointer, ..) = difference(&tree, &other, String::new()).unwrap();
        assert_eq!(pointer, "/children/0/value");
    }
}
