//! Checks of widgets that load: everything else that an author should know about them.
//!
//! Loading finds what keeps a widget from being drawn. [`check`] looks further: faults of the template
//! that other renderers stumble over, variables that do not match the schema, values that do not match
//! each other, a preview that has drifted, inputs that break the template, what hosts leave out, and what a user with low vision or
//! a screen reader would miss. One file for each; [`checker`] runs them and places the findings.

mod access;
mod actions;
mod broken;
mod checker;
mod components;
mod contents;
mod contrast;
mod declarations;
mod fields;
mod fix;
mod host_templates;
mod hosts;
mod inputs;
mod losses;
mod meeting;
mod options;
mod outline;
mod path_set;
mod preview;
mod sample;
mod template;
#[cfg(test)]
mod tests;
mod usable;
mod values;
mod variables;

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use widgetcast_engine::budget;
use widgetcast_engine::error::{Error, Finding, Kind, Severity};

use crate::definition::catalog::{Catalog, in_parallel};
use crate::definition::widget::Widget;

pub use actions::{called_tools, meant_tool};
use checker::Checker;
pub use fix::fix;
pub use options::CheckOptions;

/// The time for one widget. A machine that is busy says nothing about it, and users wait longer for
/// findings than callers for an answer; steps bound the work.
const PATIENCE: Duration = Duration::from_secs(20);

/// Checks every widget of a catalog. `progress` is called with the number of widgets done so far, from
/// any thread.
///
/// ```
/// use widgetcast_core::{Catalog, CheckOptions, Kind, check};
///
/// let catalog = Catalog::from_static(&[("a.widget", r#"{"version":"1.0","name":"A",
///     "template":"{\"type\":\"Card\",\"children\":[{\"type\":\"Image\",\"src\":\"a.png\"}]}"}"#)]);
/// let findings = check(&catalog, &CheckOptions::default(), &|_| {});
/// assert_eq!(findings[0].error.kind(), Kind::ImageAlt);
/// ```
pub fn check(
    catalog: &Catalog,
    options: &CheckOptions,
    progress: &(dyn Fn(usize) + Sync),
) -> Vec<Finding> {
    let mut findings: Vec<Finding> = catalog.findings().map(Finding::copy).collect();
    let more = broken::check(catalog, &findings);
    findings.extend(more);
    let widgets: Vec<&Widget> = catalog.all_widgets().collect();
    let done = AtomicUsize::new(0);
    let checked = in_parallel(&widgets, |widget| {
        let budget = widget.engine().budget().with_time(PATIENCE);
        let findings = budget.cover(|| check_within_budget(widget, catalog, options));
        progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        findings
    });
    findings.extend(checked.into_iter().flatten());
    findings.extend(host_templates::unused(catalog));
    findings.extend(host_templates::named(catalog));
    drop_bare_numbers(&mut findings);
    if options.strict {
        for finding in &mut findings {
            if finding.severity == Severity::Warning {
                finding.severity = Severity::Error;
            }
        }
    }
    let order = |finding: &Finding| {
        let place = finding.error.place();
        (place.file.clone(), place.position.unwrap_or_default(), finding.error.kind())
    };
    findings.sort_by_cached_key(order);
    findings
}

/// A number printed bare where a text is required needs two repairs at one place; only the second, which
/// includes the first, is reported.
fn drop_bare_numbers(findings: &mut Vec<Finding>) {
    let place = |finding: &Finding| {
        let place = finding.error.place();
        (place.file.clone(), place.position)
    };
    let is = |finding: &Finding, kind| finding.error.kind() == kind;
    let numbers = findings.iter().filter(|finding| is(finding, Kind::StudioNumber));
    let numbers: HashSet<_> = numbers.map(place).collect();
    findings.retain(|f| !is(f, Kind::Unescaped) || !numbers.contains(&place(f)));
}

/// Checks one widget, under a single budget. Findings of loading are not included.
pub fn check_widget(widget: &Widget, catalog: &Catalog, options: &CheckOptions) -> Vec<Finding> {
    widget.engine().budget().cover(|| check_within_budget(widget, catalog, options))
}

fn check_within_budget(widget: &Widget, catalog: &Catalog, options: &CheckOptions) -> Vec<Finding> {
    let mut checker = Checker::new(widget);
    fields::check(&mut checker, options);
    template::check_faults(&mut checker);
    variables::check(&mut checker);
    template::check_prints(&mut checker);
    template::check_sums(&mut checker);
    access::check(&mut checker);
    values::check_template(&mut checker);
    usable::check(&mut checker);
    actions::check(&mut checker, catalog);
    host_templates::check(&mut checker, catalog);
    // If the sample does not render, other inputs would only repeat the same finding.
    if budget::exceeded().is_none() && sample::check(&mut checker) {
        values::check_sample(&mut checker);
        losses::check(&mut checker, options);
        outline::check(&mut checker);
        hosts::check(&mut checker, catalog, options);
        inputs::check(&mut checker);
    }
    if let Some(exceeded) = budget::exceeded() {
        let message = format!("checking the widget {exceeded}, so there may be more findings");
        let error = Error::new(Kind::TemplateFuel, message).in_file(widget.path());
        checker.findings.push(Finding::new(Severity::Warning, error));
    }
    checker.findings
}
