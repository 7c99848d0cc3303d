//! The author's Slack templates beside a widget: their variables, and whether Slack would take what they
//! give for the sample. Slack drops a whole message for one broken rule, silently.

use std::path::Path;

use serde_json::Value;
use widgetcast_engine::error::{Error, Finding, Kind, Place, Severity};
use widgetcast_engine::json::locate;
use widgetcast_engine::template::{range_of, uses};

use super::checker::{Checker, MAX_FINDINGS};
use super::variables::undeclared_use;
use super::yaml_line::line_of;
use crate::definition::catalog::Catalog;
use crate::definition::sidecar::{place_of, template_of};
use crate::surface::AuthorTemplate;
use crate::surface::slack;

pub(super) fn check(checker: &mut Checker<'_>, catalog: &Catalog) {
    for template in [AuthorTemplate::SlackBlocks, AuthorTemplate::SlackWorkObject] {
        let Some(path) = catalog.author_path(checker.widget.path(), template) else { continue };
        // What cannot be read was found when it was loaded.
        let Ok(text) = catalog.read_text(path) else { continue };
        let file = File { path, text: &text, source: template_of(&text) };
        file.check_variables(checker);
        let sample = checker.extras.sample.clone().unwrap_or_else(|| checker.widget.sample());
        match catalog.author_template(checker.widget, template, &sample) {
            Ok(Some(given)) => file.check_given(checker, template, &given),
            Ok(None) => {}
            Err(error) => {
                let place = match range_of(&error) {
                    Some(range) => place_of(&text, &file.source, &range),
                    None => Place::default(),
                };
                file.add(checker, Severity::Error, error, place);
            }
        }
    }
}

/// A file with a template.
struct File<'f> {
    path: &'f Path,
    text: &'f str,
    /// The template that was made from it.
    source: String,
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
        for found in uses(&self.source).iter().take(MAX_FINDINGS) {
            if let Some(error) = undeclared_use(checker, found) {
                let place = place_of(self.text, &self.source, &found.range);
                self.add(checker, Severity::Warning, error, place);
            }
        }
    }

    /// Reports what Slack would refuse.
    fn check_given(&self, checker: &mut Checker<'_>, template: AuthorTemplate, given: &Value) {
        let (what, faults) = match template {
            AuthorTemplate::SlackBlocks => {
                ("these blocks", slack::validate(given.as_array().map_or(&[], Vec::as_slice)))
            }
            AuthorTemplate::SlackWorkObject => {
                ("this Work Object", slack::validate_work_object(given))
            }
        };
        for fault in faults.iter().take(MAX_FINDINGS) {
            let error =
                Error::new(Kind::SlackTemplate, format!("Slack would drop {what}: {fault}"))
                    .with_help("the widget's own blocks are sent in their place");
            let place = locate::place(self.text, &line_of(self.text, &fault.path));
            self.add(checker, Severity::Error, error, place);
        }
    }
}
