//! What does not work in the selected hosts, and what their app directories require.

use widgetcast_engine::error::{Error, Fix, Kind, Severity};

use super::actions::walk;
use super::checker::Checker;
use super::options::CheckOptions;
use crate::definition::catalog::Catalog;
use crate::surface::{Ability, Host, Presentation, text};

/// Minimum letters and digits of a meaningful text.
const MIN_TEXT: usize = 10;

pub(super) fn check(checker: &mut Checker<'_>, catalog: &Catalog, options: &CheckOptions) {
    if options.hosts.is_empty() {
        return;
    }
    let Some(sample) = checker.extras.sample.as_ref() else { return };
    let Ok(view) = checker.widget.render_unvalidated(sample) else { return };
    let (tree, mut actions) = (view.tree(), Vec::new());
    walk(&tree, "", &mut actions);
    for host in &options.hosts {
        check_actions(checker, host, catalog, &actions);
    }
    let presentation = Presentation::new(checker.widget.tool_name(), "sample", &view);
    let said = presentation.text();
    let is_plain = |host: &&&Host| host.directory || host.surface().name == text::SURFACE.name;
    if let Some(host) = options.hosts.iter().find(is_plain)
        && said.chars().filter(|c| c.is_alphanumeric()).count() < MIN_TEXT
    {
        let message = format!("the text of the sample is too short for {}", host.label);
        let help = "models and hosts without views see only this text: add text to the widget, or `copy_text`";
        checker.in_file(Severity::Warning, Error::new(Kind::Loss, message).with_help(help));
    }
}

/// Actions that a host does not support, or only as chat messages.
fn check_actions(
    checker: &mut Checker<'_>,
    host: &Host,
    catalog: &Catalog,
    actions: &[(String, String)],
) {
    if host.modes.is_empty() || host.lacks.is_empty() {
        return;
    }
    let can_call = host.can_any(&[Ability::Call]);
    let can_speak = host.can_any(&[Ability::Message, Ability::Context]);
    let first = match (can_call, can_speak) {
        (true, true) => None,
        // A server may have tools next to those of the directory.
        (true, false) => actions.iter().find(|(name, _)| catalog.listing(name).is_none()),
        (false, _) => actions.first(),
    };
    let Some((name, pointer)) = first else { return };
    let label = &host.label;
    let (severity, message, help) = match (can_call, can_speak) {
        (true, _) => (
            Severity::Note,
            format!("the action {name:?} works in {label} only if your server has this tool"),
            "no widget in this directory provides it, and views cannot send chat messages there",
        ),
        (false, true) => (
            Severity::Note,
            format!("the action {name:?} only reaches the model in {label}"),
            "views cannot call tools there; the widget must be useful without it",
        ),
        (false, false) => (
            Severity::Warning,
            format!("the action {name:?} does nothing in {label}"),
            "views can neither call tools nor send chat messages there",
        ),
    };
    let error = Error::new(Kind::Loss, message).with_help(help);
    match checker.widget.template().locate(pointer) {
        Some(range) => checker.in_text("template", severity, error, Fix::None, &range),
        None => checker.in_file(severity, error),
    }
}
