//! The fields of the file, and those that a strict check asks for.

use widgetcast_engine::error::{Error, Kind, Severity};

use super::checker::Checker;
use super::options::CheckOptions;
use crate::definition::spec::findings;

pub(super) fn check(checker: &mut Checker<'_>, options: &CheckOptions) {
    let found = checker.source.source().map(|source| findings::findings(&source));
    for mut finding in found.unwrap_or_default() {
        finding.error = finding.error.in_file(checker.widget.path());
        checker.findings.push(finding);
    }
    if !options.strict {
        return;
    }
    if !checker.has_schema() {
        let error = Error::new(Kind::NoSchema, "jsonSchema is missing").with_help(
            "the variables were inferred from the template; `widgetcast list --json` shows them",
        );
        checker.in_file(Severity::Error, error);
    }
    // Either shows what the widget looks like; a sample does not drift from the template.
    if checker.extras.preview.is_none() && checker.extras.sample.is_none() {
        let error =
            Error::new(Kind::NoPreview, "there is neither a sample nor an outputJsonPreview")
                .with_help("add `sample`: data with which the widget can be looked at");
        checker.in_file(Severity::Error, error);
    }
}
