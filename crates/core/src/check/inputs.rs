//! Generates inputs from the schema and for the conditions of the template: a valid input that does not
//! render is a finding.

use std::collections::HashSet;

use serde_json::Value;
use widgetcast_engine::budget;
use widgetcast_engine::error::{Error, Finding, Kind, Result, Severity};
use widgetcast_engine::json::locate;
use widgetcast_engine::template::{Case, Demand, Want, cases};
use widgetcast_engine::tree;

use super::checker::{Checker, brief_json};
use super::components;
use super::meeting::{Donors, Manner};
use crate::definition::proof::member_at_fault;
use crate::definition::sample::{self, Intent, Sample};
use crate::definition::view::View;

/// Random inputs per widget, in addition to the fixed kinds.
const RANDOM_INPUTS: usize = 8;
/// Generating inputs for a larger schema takes too long.
const MAX_SCHEMA_BYTES: usize = 128 * 1024;
/// The seed of the generator: the same file always gives the same findings.
const SEED: u64 = 20;

/// Maximum inputs that are rendered for the cases of one template.
const MAX_CASE_INPUTS: usize = 160;
/// Maximum data generated for them; much of it is invalid.
const MAX_MADE: usize = 400;
/// Maximum values that are tried at one path.
const MAX_VARIANTS: usize = 24;
/// Maximum attempts to omit something from one input.
const MAX_LEAN_TRIES: usize = 200;

pub(super) fn check(checker: &mut Checker<'_>) {
    let widget = checker.widget;
    // An inferred schema allows more than the template was written for.
    if !checker.has_schema() || widget.schema_json().len() > MAX_SCHEMA_BYTES {
        return;
    }
    let valid = |data: &Value| widget.schema().is_valid(data);
    let drawn = sample::draw(&checker.schema, RANDOM_INPUTS, SEED, &valid);
    let mut trial = Trial { reported: Vec::new(), seen: HashSet::new(), left: usize::MAX };
    for sample in &drawn {
        trial.input(checker, sample.intent.name(), sample.data.clone());
    }
    trial.left = MAX_CASE_INPUTS;
    check_cases(checker, &drawn, &valid, &mut trial);
}

/// Draws what the conditions of the template and of `copy_text` distinguish.
fn check_cases(
    checker: &mut Checker<'_>,
    drawn: &[Sample],
    valid: &dyn Fn(&Value) -> bool,
    trial: &mut Trial,
) {
    let widget = checker.widget;
    let texts = [Some(widget.template().source()), widget.spec().copy_text.as_deref()];
    let cases: Vec<Case> = texts.into_iter().flatten().flat_map(cases).collect();
    let of =
        |intent| drawn.iter().find(|sample| sample.intent == intent).map(|sample| &sample.data);
    let Some(full) = of(Intent::Full).or(of(Intent::Minimal)) else { return };
    let lean = lean(full, valid);
    let sample = checker.extras.sample.clone().filter(|sample| valid(sample));
    let schema = checker.schema.clone();
    let donors = |base, lean| Donors { schema: &schema, base, lean, full };
    let minimal = of(Intent::Minimal).unwrap_or(full);
    let mut bases = vec![donors(minimal, &lean), donors(full, full)];
    bases.push(donors(&lean, &lean));
    bases.extend(sample.as_ref().map(|sample| donors(sample, sample)));
    bases.extend(
        [Intent::Empty, Intent::Nulls].into_iter().filter_map(of).map(|base| donors(base, full)),
    );
    // The number of variants of each case per base; the first solution shows it.
    let mut variants = vec![vec![usize::MAX; cases.len()]; bases.len()];
    let mut made = 0;
    // All cases in one manner before the next: the limit must not cut off the last cases.
    for variant in 0..MAX_VARIANTS {
        // Bases other than the first two only repeat the variants.
        let count = if variant == 0 { bases.len() } else { 2 };
        for (base, variants) in bases.iter().zip(&mut variants).take(count) {
            for (case, variants) in cases.iter().zip(variants).filter(|(_, most)| variant < **most)
            {
                if made >= MAX_MADE || trial.left == 0 || budget::exceeded().is_some() {
                    return;
                }
                made += 1;
                let manner = Manner { variant, first_only: variant % 3 == 2, distinct: false };
                let (mut data, most) = base.meet(case, manner);
                *variants = most;
                if trial.seen.contains(&data.to_string()) {
                    continue;
                }
                let mut is_valid = valid(&data);
                let has_length = |demand: &Demand| matches!(demand.want, Want::Length(..));
                if !is_valid && case.iter().any(has_length) {
                    data = base.meet(case, Manner { distinct: true, ..manner }).0;
                    is_valid = valid(&data);
                }
                if is_valid {
                    trial.input(checker, "values that the template compares", data);
                }
            }
        }
    }
}

/// An input without what is optional in its lists and objects.
fn lean(full: &Value, valid: &dyn Fn(&Value) -> bool) -> Value {
    let mut pointers = Vec::new();
    inner_members(full, "", 0, &mut pointers);
    let mut data = full.clone();
    for (object, key) in pointers.into_iter().take(MAX_LEAN_TRIES) {
        let Some(Value::Object(map)) = data.pointer_mut(&object) else { continue };
        let Some(value) = map.shift_remove(&key) else { continue };
        if !valid(&data)
            && let Some(Value::Object(map)) = data.pointer_mut(&object)
        {
            map.insert(key, value);
        }
    }
    data
}

/// The members of nested objects, each as the pointer of its object and its name.
fn inner_members(value: &Value, pointer: &str, depth: usize, out: &mut Vec<(String, String)>) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                if depth > 0 {
                    out.push((pointer.to_owned(), key.clone()));
                }
                let pointer = format!("{pointer}/{}", locate::escaped(key));
                inner_members(inner, &pointer, depth + 1, out);
            }
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                inner_members(inner, &format!("{pointer}/{index}"), depth + 1, out);
            }
        }
        _ => {}
    }
}

/// Renders generated inputs, and reports each fault once.
struct Trial {
    reported: Vec<(Kind, String)>,
    /// The generated inputs.
    seen: HashSet<String>,
    /// How many more are rendered.
    left: usize,
}

impl Trial {
    fn input(&mut self, checker: &mut Checker<'_>, why: &str, mut data: Value) {
        if !self.seen.insert(data.to_string()) || budget::exceeded().is_some() {
            return;
        }
        self.left = self.left.saturating_sub(1);
        if is_fine(checker, &data) {
            return;
        }
        let (drawing, at_fault) = draw(checker, &mut data);
        // All checks share one budget, so the input need not be the cause.
        if budget::exceeded().is_some() {
            return;
        }
        let cause = drawing.err().or_else(|| checker.widget.fault_of_copy_text(&data));
        let cause = cause.or_else(|| wrong_value(checker, &data));
        let Some(cause) = cause else { return };
        if let Some(member) = at_fault {
            if !self.reported.iter().any(|(_, known)| *known == member) {
                components::warn(checker, &member, &cause);
                self.reported.push((Kind::InputBreaks, member));
            }
            return;
        }
        // Values differ between inputs; the place is the same.
        let id = match cause.place().position {
            Some(position) => (cause.kind(), format!("{position:?}")),
            None => (cause.kind(), cause.message().to_owned()),
        };
        if self.reported.contains(&id) {
            return;
        }
        self.reported.push(id);
        let message = format!("a schema-valid input ({why}) fails: {}", cause.message());
        let error = Error::new(Kind::InputBreaks, message)
            .with_place(cause.place().clone())
            .with_help(match cause.help() {
                "" => format!(
                    "exclude such data in the schema (`minimum`, `minItems`, `enum`, `required`), or handle \
                     it with `{{% if … %}}`; the input was {}",
                    brief_json(&data)
                ),
                help => format!("{help}; the input was {}", brief_json(&data)),
            })
            .in_file(checker.widget.path());
        checker.findings.push(Finding::new(Severity::Warning, error));
    }
}

/// Renders generated data. Members that should contain components get those of the sample; returns the member
/// for which the sample has none.
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

/// Whether the template and `copy_text` render successfully; the cheap check for most inputs.
fn is_fine(checker: &Checker<'_>, data: &Value) -> bool {
    let (template, engine) = (checker.widget.template(), checker.widget.engine());
    let is_fault = |finding: &Finding| {
        finding.severity == Severity::Error || finding.error.kind() == Kind::UnknownValue
    };
    let text = template.text(engine, data);
    text.is_ok_and(|text| !tree::check_tree(&text, &engine.limits).iter().any(is_fault))
        && checker.widget.fault_of_copy_text(data).is_none()
}

/// An invalid prop value that the template or an `enum` of the schema contains, which rendering removes.
/// Other invalid texts are only data of the generated input.
fn wrong_value(checker: &Checker<'_>, data: &Value) -> Option<Error> {
    let (template, engine) = (checker.widget.template(), checker.widget.engine());
    let text = template.text(engine, data).ok()?;
    let found = tree::check_tree(&text, &engine.limits);
    let mut found = found.into_iter().filter(|finding| finding.error.kind() == Kind::UnknownValue);
    let first = found.find(|finding| !template.says(finding))?;
    let tree: Value = serde_json::from_str(&text).ok()?;
    let pointer = first.error.place().pointer.clone();
    let value = tree.pointer(&pointer)?.as_str().filter(|value| !value.is_empty())?;
    let is_said = checker.widget.schema_json().contains(&Value::from(value).to_string())
        || template.source().contains(value);
    let range = template.locate(&pointer).unwrap_or(0..1);
    let place = checker.source.source()?.place_in("template", &range);
    is_said.then(|| first.error.with_place(place))
}
