//! Faults of the template's text: what Studio's compiler left behind, and values printed without
//! `tojson`.

use widgetcast_engine::error::{Error, Fix, Kind, Severity};
use widgetcast_engine::template::Template;

use super::checker::{Checker, MAX_FINDINGS};

/// Faults that can be repaired, or that other renderers stumble over.
pub(super) fn check_faults(checker: &mut Checker<'_>) {
    let declarations = checker.declarations();
    let mends = Template::faults(
        checker.widget.template().source(),
        checker.extras.view.as_deref(),
        &|name| declarations.declares(name),
        &|found| declarations.is_number(found),
        &|found| declarations.is_optional(found),
    );
    for mend in mends.into_iter().take(MAX_FINDINGS) {
        let fix = if checker.can_edit(&mend.edits) { Fix::Offered } else { Fix::None };
        checker.in_running_template(mend.severity, mend.error(), fix, &mend.range);
    }
}

/// Values that are printed into the JSON as they are. Numbers and flags are safe there.
pub(super) fn check_prints(checker: &mut Checker<'_>) {
    let usage = checker.widget.template().usage();
    // In a tree, which no other renderer reads, this is how a text is written.
    let is_tree = checker.source.source().is_some_and(|source| source.is_tree());
    for print in checker.widget.template().bare_prints().into_iter().take(MAX_FINDINGS) {
        let declarations = checker.declarations();
        let safe = usage
            .uses
            .iter()
            .find(|found| found.range == print.expr)
            .is_some_and(|found| declarations.is_number(found) || declarations.is_flag(found));
        if safe || is_tree && print.in_string {
            continue;
        }
        let (message, help) = if print.in_string {
            (
                "this value is printed into a JSON string without `tojson`; a quote in it breaks other renderers",
                "write `{{ … | tojson }}` without quotes around it",
            )
        } else {
            (
                "this value is printed into the JSON without `tojson`",
                "write `{{ … | tojson }}`; a text or a boolean printed bare is not JSON elsewhere",
            )
        };
        let error = Error::new(Kind::Unescaped, message).with_help(help);
        checker.in_running_template(Severity::Warning, error, Fix::None, &print.range);
    }
}
