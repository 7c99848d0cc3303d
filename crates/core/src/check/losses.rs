//! What each host cannot show of the sample, except accepted losses.

use widgetcast_engine::error::{Error, Fix, Kind, Severity};

use super::checker::Checker;
use super::options::CheckOptions;
use crate::surface::{Loss, Presentation, SURFACES};

/// Maximum kinds of losses in a finding.
const MAX_SHOWN: usize = 3;

pub(super) fn check(checker: &mut Checker<'_>, options: &CheckOptions) {
    let Some(sample) = checker.extras.sample.as_ref() else { return };
    let Ok(view) = checker.widget.render_unvalidated(sample) else { return };
    let severity = if options.hosts.is_empty() { Severity::Note } else { Severity::Warning };
    for surface in SURFACES {
        let mut of_surface =
            options.hosts.iter().filter(|host| host.surface().name == surface.name);
        let label = match (of_surface.next(), options.hosts.is_empty()) {
            (Some(host), _) => &*host.label,
            (None, true) => surface.name,
            (None, false) => continue,
        };
        let accept = &checker.extras.accept;
        if accept.iter().any(|accepted| accepted == surface.name) {
            continue;
        }
        let accepted: Vec<&str> = accept
            .iter()
            .filter_map(|accepted| accepted.strip_prefix(surface.name)?.strip_prefix(' '))
            .collect();
        let mut presentation = Presentation::new(checker.widget.tool_name(), "sample", &view);
        presentation.accepted = &accepted;
        let losses = presentation.losses(surface);
        let Some(first) = losses.first() else { continue };
        let is_yaml = checker.source.source().is_some_and(|source| source.is_yaml());
        let error = finding(label, surface.name, &losses, is_yaml);
        match checker.widget.template().locate(&first.pointer) {
            Some(range) if !first.pointer.is_empty() => {
                checker.in_text("template", severity, error, Fix::None, &range);
            }
            _ => checker.in_file(severity, error),
        }
    }
}

/// The finding about all losses of a surface; the syntax of its help is that of the file.
fn finding(label: &str, surface: &str, losses: &[Loss], is_yaml: bool) -> Error {
    let things = match losses.len() {
        1 => "one part".to_owned(),
        count => format!("{count} parts"),
    };
    // The items of a list lose the same, which is reported once.
    let mut reasons: Vec<(&Loss, usize)> = Vec::new();
    for loss in losses {
        match reasons.iter_mut().find(|(other, _)| other.reason == loss.reason) {
            Some((_, count)) => *count += 1,
            None => reasons.push((loss, 1)),
        }
    }
    let line = |(loss, count): &(&Loss, usize)| {
        let pointer = if loss.pointer.is_empty() { "/" } else { &loss.pointer };
        match count {
            1 => format!("{pointer}: {}", loss.reason),
            count => format!("{pointer} and {} more: {}", count - 1, loss.reason),
        }
    };
    let list: Vec<String> = reasons.iter().take(MAX_SHOWN).map(line).collect();
    let more = if reasons.len() > MAX_SHOWN { "; …" } else { "" };
    let accept = match is_yaml {
        true => format!("accept: [{surface}]"),
        false => format!("\"accept\": [\"{surface}\"]"),
    };
    let help = format!("{}{more}. To accept this: `{accept}`", list.join("; "));
    Error::new(Kind::Loss, format!("{label} cannot show {things} of the sample")).with_help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_said_once() {
        let loss = |index: usize, reason: &str| Loss::new(format!("/children/{index}"), reason);
        let losses = [loss(0, "no colour"), loss(1, "no colour"), loss(2, "cut")];
        for (is_yaml, accept) in [(false, "\"accept\": [\"slack\"]"), (true, "accept: [slack]")] {
            let error = finding("slack", "slack", &losses, is_yaml);
            assert_eq!(error.message(), "slack cannot show 3 parts of the sample");
            let list = "/children/0 and 1 more: no colour; /children/2: cut";
            assert_eq!(error.help(), format!("{list}. To accept this: `{accept}`"));
        }
    }
}
