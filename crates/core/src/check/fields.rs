//! The fields of the file, and those that a strict check requires.

use std::path::Path;

use serde_json::Value;
use widgetcast_engine::error::{Error, Finding, Fix, Kind, Severity};
use widgetcast_engine::json::locate;
use widgetcast_engine::suggest::did_you_mean;

use super::checker::{Checker, MAX_FINDINGS};
use super::fix::repair_fields;
use super::options::CheckOptions;
use crate::definition::spec::{Source, findings};
use crate::surface::SURFACES;

pub(super) fn check(checker: &mut Checker<'_>, options: &CheckOptions) {
    let Some(source) = checker.source.source() else { return };
    checker.findings.extend(of_source(&source, checker.widget.path()));
    check_accept(checker);
    check_lists(checker);
    check_identity(checker, options);
    if options.needs_descriptions() {
        check_descriptions(checker);
    }
    if !options.strict {
        return;
    }
    if !checker.has_schema() {
        let error = Error::new(Kind::NoSchema, "jsonSchema is missing").with_help(
            "the variables were inferred from the template; run `widgetcast list --json` to see them",
        );
        checker.in_file(Severity::Error, error);
    }
    // Either shows what the widget looks like; a sample cannot drift from the template.
    if checker.extras.preview.is_none() && checker.extras.sample.is_none() {
        let error = Error::new(Kind::NoPreview, "sample and outputJsonPreview are missing")
            .with_help("add a `sample`: data for previews and checks");
        checker.in_file(Severity::Error, error);
    }
}

/// The findings about the fields of a file, with or without a widget.
pub(super) fn of_source(source: &Source<'_>, path: &Path) -> Vec<Finding> {
    let mut found = findings::findings(source);
    let is_promised = found.iter().any(|finding| finding.fix != Fix::None);
    let is_mended = is_promised && repair_fields(source.written()).is_some();
    for finding in &mut found {
        if !is_mended {
            finding.fix = Fix::None;
        }
    }
    let place = |finding: Finding| Finding { error: finding.error.in_file(path), ..finding };
    found.into_iter().map(place).collect()
}

/// Losses are accepted by the name of the surface.
fn check_accept(checker: &mut Checker<'_>) {
    let names = || SURFACES.iter().map(|surface| surface.name);
    for (index, accepted) in checker.extras.accept.clone().iter().enumerate() {
        let name = accepted.split(' ').next().unwrap_or_default();
        if names().any(|known| known == name) {
            continue;
        }
        let message = format!("accept: unknown surface `{name}`");
        let all = names().collect::<Vec<_>>().join(", ");
        let help = format!("{} Available surfaces: {all}", did_you_mean(name, names()));
        let error = Error::new(Kind::UnknownValue, message).with_help(help.trim_start());
        checker.at_pointer(Severity::Warning, error, &format!("/accept/{index}"));
    }
}

/// Where a property of the schema is in the file.
fn property(name: &str) -> String {
    format!("/jsonSchema/properties/{}", locate::escaped(name))
}

/// The text by which a model chooses the tool.
fn check_identity(checker: &mut Checker<'_>, options: &CheckOptions) {
    let severity = if options.needs_descriptions() { Severity::Error } else { Severity::Note };
    if options.needs_descriptions() && checker.widget.description().is_none() {
        let error = Error::new(Kind::NoDescription, "the widget has no description")
            .with_help("add a `description`: what the widget shows, and when models should use it");
        checker.in_file(severity, error);
    }
    // The name that Studio gives a widget no one has named.
    if checker.widget.name() == "Untitled widget" {
        let message =
            format!("the tool has Studio's default name `{}`", checker.widget.tool_name());
        let error = Error::new(Kind::Name, message)
            .with_help("set a `name` that describes what it shows: models use it to choose a tool");
        checker.at_pointer(severity, error, "/name");
    }
}

/// The text by which a model writes the tool's arguments.
fn check_descriptions(checker: &mut Checker<'_>) {
    let schema = if checker.has_schema() { checker.schema.clone() } else { Value::Null };
    let properties = schema["properties"].as_object().into_iter().flatten();
    let is_bare = |property: &Value| {
        property.is_object()
            && property.get("$ref").is_none()
            && property.get("description").is_none()
    };
    for (name, _) in properties.filter(|(_, property)| is_bare(property)).take(MAX_FINDINGS) {
        let error = Error::new(Kind::NoDescription, format!("`{name}` has no description"))
            .with_help("add a `description`: models use it to fill in the value");
        checker.at_pointer(Severity::Error, error, &property(name));
    }
}

/// Lists whose schema does not declare their items.
fn check_lists(checker: &mut Checker<'_>) {
    let schema = if checker.has_schema() { checker.schema.clone() } else { Value::Null };
    let properties = schema["properties"].as_object().into_iter().flatten();
    let is_open = |property: &Value| {
        property["type"] == "array"
            && property.get("items").is_none()
            && property.get("prefixItems").is_none()
    };
    for (name, _) in properties.filter(|(_, property)| is_open(property)).take(MAX_FINDINGS) {
        let message = format!("the schema does not declare the items of the list `{name}`");
        let help = "add `items`, such as `{ \"type\": \"string\" }`; some clients reject the schema otherwise";
        let error = Error::new(Kind::SchemaPortable, message).with_help(help);
        checker.at_pointer(Severity::Warning, error, &property(name));
    }
}
