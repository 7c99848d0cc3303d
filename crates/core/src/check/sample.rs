//! The author's sample: does it fit the schema, can it be drawn, and what comes out of it?

use serde_json::Value;
use widgetcast_engine::error::{Error, Finding, Kind, Severity};
use widgetcast_engine::tree;

use super::checker::{Checker, MAX_FINDINGS};
use super::components;
use super::preview;
use crate::definition::proof::{is_fault_of_template, member_at_fault};
use crate::definition::schema::{Schema, Violations};
use crate::definition::spec::keywords;

/// Draws the sample. False if it cannot be drawn.
pub(super) fn check(checker: &mut Checker<'_>) -> bool {
    let Some(sample) = checker.extras.sample.clone() else { return check_drawn(checker) };
    let is_field = checker.source.source().is_some_and(|source| source.has("sample"));
    let field = if is_field { "/sample" } else { "/encodedWidget" };
    if let Err(violations) = validate(checker, &sample) {
        let first = violations.list().first().map_or("", |violation| violation.pointer.as_str());
        let pointer = if is_field { format!("{field}{first}") } else { field.to_owned() };
        let message = format!("the sample does not fit the schema:\n{violations}");
        checker.at_pointer(Severity::Warning, Error::new(Kind::SampleInvalid, message), &pointer);
    }
    let view = match checker.widget.render_unvalidated(&sample) {
        Ok(view) => view,
        Err(error) => {
            checker.in_template_field(error);
            return false;
        }
    };
    check_values(checker, &sample, field);
    preview::check(checker, &view.tree());
    true
}

/// Whether the sample fits the schema. A name that is required and not declared is a fault of the
/// schema, which is reported there, and not of the sample.
fn validate(checker: &Checker<'_>, sample: &Value) -> Result<(), Violations> {
    let data = sample.into();
    checker.widget.schema().validate_without_nulls(&data).or_else(|violations| {
        if !checker.has_schema() || keywords::undeclared(&checker.schema).is_empty() {
            return Err(violations);
        }
        match Schema::compile(&keywords::without_undeclared(&checker.schema)) {
            Ok(schema) => schema.validate_without_nulls(&data),
            Err(_) => Err(violations),
        }
    })
}

/// Values that come from the sample and that a component does not take. The tree is checked as the
/// template writes it, because drawing removes them.
fn check_values(checker: &mut Checker<'_>, sample: &Value, field: &str) {
    let template = checker.widget.template();
    let engine = checker.widget.engine();
    let text = template.text(engine, sample).unwrap_or_default();
    let from_data =
        |finding: &Finding| matches!(finding.error.kind(), Kind::UnknownValue | Kind::NullProp);
    let found = tree::check_tree(&text, &engine.limits).into_iter().filter(from_data);
    for finding in found.take(MAX_FINDINGS) {
        // What the template itself says was reported when it was loaded.
        if template.says(&finding) {
            continue;
        }
        let help = format!("this is what the sample gives at {}", finding.error.place().pointer);
        checker.at_pointer(finding.severity, finding.error.with_help(help), field);
    }
}

/// Without a sample, draws one from the schema, as `render --sample` does. Only errors that such data
/// cannot be blamed for are findings.
fn check_drawn(checker: &mut Checker<'_>) -> bool {
    let sample = checker.widget.sample();
    let drawing = checker.widget.render_unvalidated(&sample);
    if let Err(error) = &drawing
        && let Some(member) = member_at_fault(checker.widget, &sample, error)
    {
        components::warn(checker, &member, error);
        return false;
    }
    match drawing {
        Err(error) if is_fault_of_template(error.kind()) => {
            checker.in_template_field(error);
            false
        }
        _ => true,
    }
}
