//! Further findings about files without a widget. Loading stops at the first error in the fields, and without
//! a widget the sample is not checked; the author would only see the next error after fixing the first.

use std::collections::HashMap;
use std::path::Path;

use serde_json::Value;
use widgetcast_engine::error::{Error, Finding, Kind, Severity};

use super::checker::Checker;
use super::options::CheckOptions;
use super::sample::misfit_error;
use super::{actions, fields, variables};
use crate::definition::catalog::Catalog;
use crate::definition::compile;
use crate::definition::origin::Origin;
use crate::definition::schema::Schema;
use crate::definition::spec::{Source, SourceText, keywords};
use crate::definition::widget::Widget;

/// Findings about broken files, in addition to the known ones.
pub(super) fn check(catalog: &Catalog, known: &[Finding]) -> Vec<Finding> {
    let mut by_file: HashMap<&Path, Vec<&Finding>> = HashMap::new();
    for finding in known {
        if let Some(file) = &finding.error.place().file {
            by_file.entry(file).or_default().push(finding);
        }
    }
    let mut found = Vec::new();
    for (path, text) in catalog.broken_texts() {
        let mut said = by_file.remove(path).unwrap_or_default();
        let more = catalog.engine().budget().cover(|| more_about(catalog, path, text));
        for finding in &more {
            if !said.iter().any(|other| is_same(other, finding)) {
                said.push(finding);
                found.push(finding.copy());
            }
        }
    }
    found
}

/// Whether two findings are about one fault: they have the same message, or are about the same missing field.
fn is_same(known: &Finding, finding: &Finding) -> bool {
    let place = |finding: &Finding| finding.error.place().position;
    place(known) == place(finding)
        && (known.error.message() == finding.error.message()
            || finding.error.kind() == Kind::UnknownField)
}

/// All findings about a file without a widget.
fn more_about(catalog: &Catalog, path: &Path, text: String) -> Vec<Finding> {
    let source = SourceText::new(text.clone());
    let Some(source) = source.source() else { return Vec::new() };
    let Ok((spec, faults)) = source.spec_and_faults(path) else { return Vec::new() };
    let error = |error: Error| Finding::new(Severity::Error, error.in_file(path));
    let mut found: Vec<Finding> = faults.into_iter().map(error).collect();
    let mut widget = None;
    if !spec.template.is_empty() {
        let origin = Origin::Text { name: path.into(), text: text.into() };
        let compiled = compile::compile_unsound(spec, origin, None, catalog.engine());
        found.extend(compiled.findings);
        widget = compiled.widget;
    }
    match &widget {
        Some(widget) => found.extend(check_names(widget, catalog)),
        None => found.extend(fields::of_source(&source, path)),
    }
    found.extend(check_sample(&source).map(error));
    found
}

/// Checks the names of fields, variables and tools, which do not depend on the tree.
fn check_names(widget: &Widget, catalog: &Catalog) -> Vec<Finding> {
    let mut checker = Checker::new(widget);
    fields::check(&mut checker, &CheckOptions::default());
    variables::check(&mut checker);
    actions::check(&mut checker, catalog);
    checker.findings
}

/// Validates the author's sample against the schema.
fn check_sample(source: &Source<'_>) -> Option<Error> {
    let members = source.members();
    let (schema, sample) = (members.get("jsonSchema")?, members.get("sample")?);
    // A contradictory schema is reported, and no sample satisfies it.
    let is_odd = !keywords::contradictions(schema).is_empty()
        || !keywords::undeclared(schema).is_empty()
        || sample.is_null();
    let compiled = Schema::compile(schema).ok().filter(|_| !is_odd && schema.is_object())?;
    let data: &Value = sample;
    let violations = compiled.validate_without_nulls(&data.into()).err()?;
    let first = violations.list().first();
    let pointer = format!("/sample{}", first.map_or("", |first| first.pointer.as_str()));
    let place = match first.is_some_and(|first| first.is_unknown_property()) {
        true => source.place_of_key(&pointer),
        false => source.place_of(&pointer),
    };
    Some(misfit_error(schema, sample, &violations).with_place(place))
}
