//! Inputs drawn from the schema: a valid one that the template cannot render is a finding.

use serde_json::Value;
use widgetcast_engine::budget;
use widgetcast_engine::error::{Error, Finding, Kind, Result, Severity};

use super::checker::{Checker, brief_json};
use super::components;
use crate::definition::proof::member_at_fault;
use crate::definition::sample;
use crate::definition::view::View;

/// Random inputs drawn for each widget, besides the fixed kinds.
const RANDOM_INPUTS: usize = 8;
/// Drawing from a schema of more bytes than this takes too long.
const MAX_SCHEMA_BYTES: usize = 128 * 1024;
/// The seed of the draws: the same file gives the same findings.
const SEED: u64 = 20;

pub(super) fn check(checker: &mut Checker<'_>) {
    let widget = checker.widget;
    // A schema that was inferred allows more than the template was made for.
    if !checker.has_schema() || widget.schema_json().len() > MAX_SCHEMA_BYTES {
        return;
    }
    let valid = |data: &Value| widget.schema().is_valid(data);
    let mut reported: Vec<(Kind, String)> = Vec::new();
    for mut drawn in sample::draw(&checker.schema, RANDOM_INPUTS, SEED, &valid) {
        let (drawing, at_fault) = draw(checker, &mut drawn.data);
        // All checks share one budget, so that this need not be the fault of the input.
        if budget::exceeded().is_some() {
            break;
        }
        let Err(cause) = drawing else { continue };
        if let Some(member) = at_fault {
            if !reported.iter().any(|(_, known)| *known == member) {
                components::warn(checker, &member, &cause);
                reported.push((Kind::InputBreaks, member));
            }
            continue;
        }
        // The values differ from input to input; the place is the same.
        let id = match cause.place().position {
            Some(position) => (cause.kind(), format!("{position:?}")),
            None => (cause.kind(), cause.message().to_owned()),
        };
        if reported.contains(&id) {
            continue;
        }
        reported.push(id);
        let message =
            format!("a valid input ({}) breaks it: {}", drawn.intent.name(), cause.message());
        let error = Error::new(Kind::InputBreaks, message)
            .with_place(cause.place().clone())
            .with_help(match cause.help() {
                "" => format!(
                    "rule such data out in the schema (`minimum`, `minItems`, `enum`, `required`), or test for it \
                     with `{{% if … %}}`; the input was {}",
                    brief_json(&drawn.data)
                ),
                help => format!("{help}; the input was {}", brief_json(&drawn.data)),
            })
            .in_file(widget.path());
        checker.findings.push(Finding::new(Severity::Warning, error));
    }
}

/// Draws data. Where a member of it should hold components, it gets those of the sample; if the sample
/// has none, that member is named.
fn draw(checker: &Checker<'_>, data: &mut Value) -> (Result<View>, Option<String>) {
    let mut replaced = Vec::new();
    loop {
        let drawing = checker.widget.render_unvalidated(data);
        let Err(error) = &drawing else { return (drawing, None) };
        let Some(member) = member_at_fault(checker.widget, data, error) else {
            return (drawing, None);
        };
        let sample = checker.extras.sample.as_ref().and_then(|sample| sample.get(&member));
        match sample.filter(|sample| components::has_component(sample)) {
            Some(sample) if !replaced.contains(&member) => {
                data[&member] = sample.clone();
                replaced.push(member);
            }
            _ => return (drawing, Some(member)),
        }
    }
}
