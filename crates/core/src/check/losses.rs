//! What each host would leave out of the sample, unless the author has accepted that.

use widgetcast_engine::error::{Error, Kind, Severity};

use super::checker::Checker;
use crate::reply::Reply;
use crate::surface::{Loss, Presentation, SURFACES};

/// The most kinds of losses that a finding lists.
const MAX_SHOWN: usize = 3;

pub(super) fn check(checker: &mut Checker<'_>) {
    let Some(sample) = checker.extras.sample.as_ref() else { return };
    let Ok(view) = checker.widget.render_unvalidated(sample) else { return };
    for surface in SURFACES {
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
        let losses = presentation.present(surface, &mut Reply::default());
        if !losses.is_empty() {
            checker.in_file(Severity::Note, finding(surface.name, &losses));
        }
    }
}

fn finding(surface: &str, losses: &[Loss]) -> Error {
    let things = match losses.len() {
        1 => "one thing".to_owned(),
        count => format!("{count} things"),
    };
    // The items of a list lose the same: that is said once.
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
    let help = format!("{}{more}. To accept this: \"accept\": [\"{surface}\"]", list.join("; "));
    Error::new(Kind::Loss, format!("{surface} cannot show {things} of the sample")).with_help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_said_once() {
        let loss = |index: usize, reason: &str| Loss::new(format!("/children/{index}"), reason);
        let error = finding("slack", &[loss(0, "no colour"), loss(1, "no colour"), loss(2, "cut")]);
        assert_eq!(error.message(), "slack cannot show 3 things of the sample");
        assert_eq!(
            error.help(),
            "/children/0 and 1 more: no colour; /children/2: cut. To accept this: \"accept\": [\"slack\"]"
        );
    }
}
