//! The templates for single hosts that an author writes next to a widget: their variables, and whether the
//! host would take what they give for the sample. Slack, for one, drops a whole message for one broken rule,
//! silently.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;
use widgetcast_engine::error::{Error, Finding, Kind, Place, Severity};
use widgetcast_engine::suggest::nearest;
use widgetcast_engine::template::uses;

use super::checker::{Checker, MAX_FINDINGS};
use super::variables::undeclared_use;
use crate::definition::catalog::Catalog;
use crate::definition::inferred_schema::inferred_schema;
use crate::definition::name::tool_name;
use crate::definition::sample::example;
use crate::definition::sidecar::{self, SidecarText};
use crate::surface::{HostTemplate, SURFACES};

pub(super) fn check(checker: &mut Checker<'_>, catalog: &Catalog) {
    for template in templates() {
        let Some(path) = catalog.author_path(checker.widget.path(), template) else { continue };
        // Unreadable files were reported by loading.
        let Ok(text) = catalog.read_text(path) else { continue };
        let file = File { path, text: SidecarText::new(&text) };
        file.check_variables(checker);
        let sample = checker.extras.sample.clone().unwrap_or_else(|| checker.widget.sample());
        match catalog.author_template(checker.widget, template, &sample) {
            Ok(Some(given)) => file.check_given(checker, template, &given, &sample),
            Ok(None) => {}
            Err(_) => {
                let found = catalog.author_findings(checker.widget, template, &sample);
                checker.findings.extend(found);
            }
        }
    }
}

/// All kinds of host templates.
fn templates() -> impl Iterator<Item = &'static HostTemplate> {
    SURFACES.iter().filter_map(|surface| surface.template)
}

/// What hosts would reject in templates without a widget, which a program may select by name. Their data is
/// unknown, so only constants are checked.
pub(super) fn named(catalog: &Catalog) -> Vec<Finding> {
    let widgets = widgets(catalog);
    let is_free = |path: &&Path| !sidecar::is_named(path) || missing(path, &widgets).is_some();
    catalog.sidecar_paths().filter(is_free).flat_map(|path| named_faults(catalog, path)).collect()
}

fn stem(path: &Path) -> Option<String> {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned())
}

/// The names of the widget files.
fn widgets(catalog: &Catalog) -> BTreeSet<String> {
    catalog.files().filter_map(stem).collect()
}

/// The widget file that a template is named after, if it does not exist, and the rest of the template's name.
fn missing(path: &Path, widgets: &BTreeSet<String>) -> Option<(String, &'static str)> {
    let own = stem(path)?;
    let suffixes = templates().map(|template| template.suffix);
    let (name, suffix) = suffixes.filter_map(|end| Some((own.strip_suffix(end)?, end))).next()?;
    (!widgets.contains(name)).then(|| (name.to_owned(), suffix))
}

fn named_faults(catalog: &Catalog, path: &Path) -> Vec<Finding> {
    let Ok(text) = catalog.read_text(path) else { return Vec::new() };
    let text = SidecarText::new(&text);
    let engine = catalog.engine();
    let schema = inferred_schema(&uses(&text.template()), &|name| engine.is_global(name));
    let data = example(&schema);
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let Some(Ok(rendered)) = catalog.render_sidecar(&name, &data) else { return Vec::new() };
    let Some(template) = templates().find(|template| rendered.get(template.key).is_some()) else {
        return Vec::new();
    };
    let finding = |error: Error, place: Place| {
        Finding::new(Severity::Error, error.with_place(place).in_file(path))
    };
    let given = match (template.read)(rendered) {
        Ok(given) => given,
        Err(message) => {
            return vec![finding(Error::new(Kind::HostTemplate, message), Place::default())];
        }
    };
    let trace = text.trace(engine, &data);
    let faults = (template.validate)(&given);
    let literal = faults.iter().filter(|fault| text.is_literal_at(&trace, &fault.path));
    literal
        .take(MAX_FINDINGS)
        .map(|fault| finding(template.refusal(fault), text.place_of(&trace, &fault.path)))
        .collect()
}

/// Templates named after a widget file that does not exist.
pub(super) fn unused(catalog: &Catalog) -> Vec<Finding> {
    let widgets = widgets(catalog);
    let find = |path: &Path| {
        let (name, suffix) = missing(path, &widgets)?;
        // It may be named after the widget rather than its file.
        let listed = catalog.listing(&tool_name(&name)).and_then(|listing| stem(listing.path));
        let near =
            listed.or_else(|| nearest(&name, widgets.iter().map(|w| &**w)).map(str::to_owned));
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let help = match near {
            Some(near) => format!("did you mean {near}{suffix}.{extension}?"),
            None => format!(
                "name it after a widget file, such as order{suffix}.{extension} for order.widget"
            ),
        };
        let message = format!("no widget file is named {name:?}, so no widget uses this template");
        let error = Error::new(Kind::HostTemplateUnused, message).with_help(help).in_file(path);
        Some(Finding::new(Severity::Warning, error))
    };
    catalog.sidecar_paths().filter_map(find).collect()
}

/// A file with a template.
struct File<'f> {
    path: &'f Path,
    text: SidecarText<'f>,
}

impl File<'_> {
    fn add(&self, checker: &mut Checker<'_>, severity: Severity, error: Error, place: Place) {
        let error = error.with_place(place).in_file(self.path);
        checker.findings.push(Finding::new(severity, error));
    }

    /// Reports variables that the widget's schema does not declare.
    fn check_variables(&self, checker: &mut Checker<'_>) {
        if !checker.has_schema() {
            return;
        }
        for found in uses(&self.text.template()).iter().take(MAX_FINDINGS) {
            if let Some(error) = undeclared_use(checker, found) {
                let place = self.text.place_in(&found.range);
                self.add(checker, Severity::Warning, error, place);
            }
        }
    }

    /// Reports what the host would reject.
    fn check_given(
        &self,
        checker: &mut Checker<'_>,
        template: &HostTemplate,
        given: &Value,
        sample: &Value,
    ) {
        let faults = (template.validate)(given);
        if faults.is_empty() {
            return;
        }
        let trace = self.text.trace(checker.widget.engine(), sample);
        for fault in faults.iter().take(MAX_FINDINGS) {
            let error = template
                .refusal(fault)
                .with_help("the version generated from the tree is sent instead");
            let place = self.text.place_of(&trace, &fault.path);
            self.add(checker, Severity::Error, error, place);
        }
    }
}
