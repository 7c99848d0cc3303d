//! The author's sample: is it valid, does it render, and what is the result?

use std::ops::Range;

use serde_json::Value;
use widgetcast_engine::error::{Error, Finding, Fix, Kind, Severity};
use widgetcast_engine::json::locate;
use widgetcast_engine::suggest::did_you_mean;
use widgetcast_engine::template::{Step, Use};
use widgetcast_engine::tree;

use super::checker::{Checker, MAX_FINDINGS};
use super::components;
use super::declarations::{Declared, look_up};
use super::preview;
use crate::definition::proof::{is_fault_of_template, member_at_fault};
use crate::definition::schema::{Schema, Violation, Violations};
use crate::definition::spec::keywords;

/// Renders the sample. Returns false if that fails.
pub(super) fn check(checker: &mut Checker<'_>) -> bool {
    let Some(sample) = checker.extras.sample.clone() else { return check_drawn(checker) };
    let is_field = checker.source.source().is_some_and(|source| source.has("sample"));
    let field = if is_field { "/sample" } else { "/encodedWidget" };
    let misfit = validate(checker, &sample).err();
    let drawing = checker.widget.render_unvalidated(&sample);
    if let Some(violations) = &misfit {
        let error = misfit_error(&checker.schema, &sample, violations);
        let first = violations.list().first().filter(|_| is_field);
        let pointer = first.map_or("", |violation| violation.pointer.as_str());
        let pointer = format!("{field}{pointer}");
        let is_key = first.is_some_and(Violation::is_unknown_property);
        let severity = if drawing.is_err() { Severity::Error } else { Severity::Warning };
        checker.add(severity, error, Fix::None, |source| match is_key {
            true => source.place_of_key(&pointer),
            false => source.place_of(&pointer),
        });
    }
    let view = match drawing {
        Ok(view) => view,
        // That is the reason, so one finding is enough.
        Err(_) if misfit.is_some() => return false,
        Err(error) => {
            checker.in_template_field(error);
            return false;
        }
    };
    check_values(checker, &sample, field);
    preview::check(checker, &view.tree());
    true
}

/// The error for a sample that does not satisfy the schema.
pub(super) fn misfit_error(schema: &Value, sample: &Value, violations: &Violations) -> Error {
    let help = misfit_help(schema, sample, violations);
    let mut message = format!("the sample does not match the schema:\n{violations}");
    if help.starts_with("did you mean") {
        // The member exists under another name.
        message = message.replace("; remove it", "");
    }
    Error::new(Kind::SampleInvalid, message).with_help(help)
}

/// How to fix an invalid sample, if known.
fn misfit_help(schema: &Value, sample: &Value, violations: &Violations) -> String {
    match sample {
        Value::String(_) => return "write the object itself, without quotes".into(),
        Value::Array(_) => return "a sample must be one object, not a list".into(),
        _ => {}
    }
    let unknown = violations.list().iter().find(|violation| violation.is_unknown_property());
    let Some((around, name)) = unknown.and_then(|unknown| unknown.pointer.rsplit_once('/')) else {
        return String::new();
    };
    let step = |token: &str| match token.parse::<usize>() {
        Ok(_) => Step::Each,
        Err(_) => Step::Key(locate::unescaped(token)),
    };
    let path: Vec<Step> = around.split('/').skip(1).map(step).collect();
    let Declared::As { schema, .. } = look_up(schema, &path) else {
        return String::new();
    };
    let given = sample.pointer(around);
    let is_given = |name: &str| given.is_some_and(|given| given.get(name).is_some());
    let declared = schema["properties"].as_object();
    let names = declared.into_iter().flatten().map(|(name, _)| name.as_str());
    let free: Vec<&str> = names.filter(|name| !is_given(name)).collect();
    let required = schema["required"].as_array();
    let is_required =
        |name: &&str| required.is_some_and(|list| list.iter().any(|other| other == *name));
    match (free.iter().filter(|name| is_required(name)).collect::<Vec<_>>().as_slice(), name) {
        // One name is missing, and another is in its place.
        ([missing], _) => format!("did you mean {missing}?"),
        (_, name) => did_you_mean(&locate::unescaped(name), free.iter().copied()),
    }
}

/// Whether the sample satisfies the schema. A required but undeclared name is an error of the schema, which
/// is reported there.
fn validate(checker: &Checker<'_>, sample: &Value) -> Result<(), Violations> {
    let data = sample.into();
    checker.widget.schema().validate_without_nulls(&data).or_else(|violations| {
        // If the schema is unsatisfiable, that is reported there.
        if !keywords::contradictions(&checker.schema).is_empty() {
            return Ok(());
        }
        if !checker.has_schema() || keywords::undeclared(&checker.schema).is_empty() {
            return Err(violations);
        }
        match Schema::compile(&keywords::without_undeclared(&checker.schema)) {
            Ok(schema) => schema.validate_without_nulls(&data),
            Err(_) => Err(violations),
        }
    })
}

/// Invalid values from the sample. The tree is checked as the template writes it, because rendering removes
/// them.
fn check_values(checker: &mut Checker<'_>, sample: &Value, field: &str) {
    let template = checker.widget.template();
    let engine = checker.widget.engine();
    let text = template.text(engine, sample).unwrap_or_default();
    let from_data =
        |finding: &Finding| matches!(finding.error.kind(), Kind::UnknownValue | Kind::NullProp);
    let found = tree::check_tree(&text, &engine.limits).into_iter().filter(from_data);
    for finding in found.take(MAX_FINDINGS) {
        // Constants of the template were reported when it was loaded.
        if template.says(&finding) {
            continue;
        }
        let pointer = finding.error.place().pointer.clone();
        let range = template.locate(&pointer);
        let help = range.as_ref().and_then(|range| {
            let literal = || literal_help(checker, &text, &pointer, range);
            null_help(checker, &finding.error, range).or_else(literal)
        });
        let help = help.unwrap_or_else(|| format!("the sample renders this at {pointer}"));
        let error = finding.error.with_help(help);
        match range {
            Some(range) => {
                checker.in_text("template", finding.severity, error, Fix::None, &range);
            }
            None => checker.at_pointer(finding.severity, error, field),
        }
    }
}

/// How to print a number or a boolean that a placeholder in quotes turns into a string.
fn literal_help(
    checker: &Checker<'_>,
    text: &str,
    pointer: &str,
    range: &Range<usize>,
) -> Option<String> {
    let tree: Value = serde_json::from_str(text).ok()?;
    let printed: Value = serde_json::from_str(tree.pointer(pointer)?.as_str()?).ok()?;
    let source = checker.widget.template().source().get(range.clone())?;
    let expr = source.trim_matches('"').strip_prefix("{{")?.strip_suffix("}}")?.trim();
    if expr.contains("}}") || !(printed.is_number() || printed.is_boolean()) {
        return None;
    }
    let is_tree = checker.source.source().is_some_and(|source| source.is_tree());
    Some(match is_tree {
        true => format!(
            "write `\"{{{{ {expr} | json }}}}\"`, which evaluates to {printed}, not to a string"
        ),
        false => format!("write `{{{{ {expr} | tojson }}}}` without the quotes"),
    })
}

/// How to fix a null that the template writes at a range: a literal one, or that of a value that may be
/// absent.
fn null_help(checker: &Checker<'_>, error: &Error, range: &Range<usize>) -> Option<String> {
    if error.kind() != Kind::NullProp {
        return None;
    }
    let template = checker.widget.template();
    if checker.widget.template_text().get(range.clone())?.trim() == "null" {
        return Some("write some text, or omit the component".into());
    }
    let is_in = |found: &&Use| range.contains(&template.written(&found.range).start);
    let uses = template.usage().uses;
    let found = uses.iter().find(is_in)?;
    if !checker.declarations().is_optional(found) {
        return None;
    }
    let name = template.source().get(found.range.clone())?;
    Some(format!(
        "`{name}` is optional and absent from the sample: write `{name} | default(\"…\")`, or omit the \
         component with `{{% if {name} %}}`"
    ))
}

/// Without a sample, renders generated data, as `render --sample` does. Only errors that such data cannot
/// cause are findings.
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
