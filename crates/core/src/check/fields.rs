//! The fields of the file, and those that a strict check asks for.

use widgetcast_engine::error::{Error, Fix, Kind, Severity};

use super::checker::Checker;
use super::fix::repair_fields;
use super::options::CheckOptions;
use crate::definition::spec::findings;

pub(super) fn check(checker: &mut Checker<'_>, options: &CheckOptions) {
    let Some(source) = checker.source.source() else { return };
    let found = findings::findings(&source);
    let is_promised = found.iter().any(|finding| finding.fix != Fix::None);
    let is_mended = is_promised && repair_fields(source.written()).is_some();
    for mut finding in found {
        finding.error = finding.error.in_file(checker.widget.path());
        if !is_mended {
            finding.fix = Fix::None;
        }
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
