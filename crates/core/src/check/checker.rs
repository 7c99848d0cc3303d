//! State shared by all checks of one widget: the widget, its text, and the findings so far.

use std::ops::Range;

use serde_json::Value;
use widgetcast_engine::budget;
use widgetcast_engine::error::{Error, Finding, Fix, Place, Severity};
use widgetcast_engine::json::locate;
use widgetcast_engine::template::Edit;

use super::declarations::Declarations;
use crate::definition::spec::{Extras, Source, SourceText};
use crate::definition::widget::Widget;

/// Maximum findings of one kind per widget, since looking up the place of each takes time.
pub(super) const MAX_FINDINGS: usize = 100;

/// Collects the findings about one widget.
pub(super) struct Checker<'w> {
    pub(super) widget: &'w Widget,
    pub(super) source: SourceText,
    pub(super) extras: Extras,
    pub(super) schema: Value,
    pub(super) findings: Vec<Finding>,
}

impl<'w> Checker<'w> {
    pub(super) fn new(widget: &'w Widget) -> Self {
        let source = SourceText::new(widget.origin().text());
        Self {
            widget,
            extras: source.source().map(|source| source.extras()).unwrap_or_default(),
            source,
            schema: serde_json::from_str(widget.schema_json()).unwrap_or_default(),
            findings: Vec::new(),
        }
    }

    /// Whether the author wrote a schema; otherwise, it was inferred from the template.
    pub(super) fn has_schema(&self) -> bool {
        self.widget.spec().schema.is_some()
    }

    pub(super) fn declarations(&self) -> Declarations<'_> {
        Declarations::new(&self.schema, self.has_schema())
    }

    /// Adds a finding at a place that `find` looks up in the file.
    pub(super) fn add(
        &mut self,
        severity: Severity,
        error: Error,
        fix: Fix,
        find: impl FnOnce(&Source<'_>) -> Place,
    ) {
        if budget::steps(self.source.steps_to_read()).is_err() {
            return;
        }
        let place = self.source.source().map(|source| find(&source)).unwrap_or_default();
        let error = error.with_place(place).in_file(self.widget.path());
        self.findings.push(Finding { severity, error, fix });
    }

    /// Adds a finding at a range of the running template, which may be repaired.
    pub(super) fn in_running_template(
        &mut self,
        severity: Severity,
        error: Error,
        fix: Fix,
        range: &Range<usize>,
    ) {
        let written = self.widget.template().written(range);
        self.in_text("template", severity, error, fix, &written);
    }

    /// Whether `check --fix` can apply these edits of the running template; false if there are none.
    pub(super) fn can_edit(&self, edits: &[Edit]) -> bool {
        let Some(source) = self.source.source() else { return false };
        let template = self.widget.template();
        let written = |edit: &Edit| Edit { range: template.written(&edit.range), ..edit.clone() };
        let can_edit = |edit: &Edit| source.edit("template", &written(edit)).is_some();
        !edits.is_empty() && edits.iter().all(can_edit)
    }

    /// Adds a finding at a range of a text field as the author wrote it.
    pub(super) fn in_text(
        &mut self,
        field: &str,
        severity: Severity,
        error: Error,
        fix: Fix,
        range: &Range<usize>,
    ) {
        self.add(severity, error, fix, |source| source.place_in(field, range));
    }

    /// The range of the prop name before a value of the template, as the author wrote it.
    pub(super) fn key_of(&self, value: Range<usize>) -> Range<usize> {
        locate::json_key(self.widget.template_text(), value.start).unwrap_or(value)
    }

    /// Adds a finding about a field, by JSON pointer.
    pub(super) fn at_pointer(&mut self, severity: Severity, error: Error, pointer: &str) {
        self.add(severity, error, Fix::None, |source| source.place_of(pointer));
    }

    /// Adds an error of the template, at the whole field if no range is known.
    pub(super) fn in_template_field(&mut self, error: Error) {
        if error.place().position.is_some() {
            self.findings.push(Finding::new(Severity::Error, error));
        } else {
            self.at_pointer(Severity::Error, error, "/template");
        }
    }

    /// Adds a finding about the whole file.
    pub(super) fn in_file(&mut self, severity: Severity, error: Error) {
        self.add(severity, error, Fix::None, |_| Place::default());
    }
}

/// JSON, truncated for a message.
pub(super) fn brief_json(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(300) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
