//! Compares the variables of the template and of `copy_text` with the schema: used but not declared, declared
//! but not used.

use widgetcast_engine::error::{Error, Fix, Kind, Severity};
use widgetcast_engine::habit;
use widgetcast_engine::json::locate;
use widgetcast_engine::suggest::did_you_mean;
use widgetcast_engine::template::{Step, Use, uses};

use super::checker::{Checker, MAX_FINDINGS};
use super::declarations::{Declared, look_up, properties};
use super::path_set::PathSet;

pub(super) fn check(checker: &mut Checker<'_>) {
    if !checker.has_schema() {
        return;
    }
    let in_template = checker.widget.template().usage().uses;
    let in_copy_text = uses(&checker.widget.spec().copy_text.clone().unwrap_or_default());
    let declared = properties(&checker.schema);
    let mut reported = PathSet::default();
    check_template(checker, &in_template, &declared, &mut reported);
    check_copy_text(checker, &in_copy_text, &declared);
    let mut used = PathSet::default();
    for found in in_template.iter().chain(&in_copy_text) {
        used.insert(&found.path);
    }
    check_unused(checker, &declared, &used, &mut reported);
}

/// Reports each undeclared path once.
fn check_template(
    checker: &mut Checker<'_>,
    uses: &[Use],
    declared: &[Vec<Step>],
    reported: &mut PathSet,
) {
    let mut count = 0;
    for found in uses {
        let Some(known) = undeclared_after(checker, &found.path) else { continue };
        if !reported.insert(&found.path) {
            continue;
        }
        count += 1;
        if count > MAX_FINDINGS {
            continue;
        }
        let error = undeclared(&found.path).with_help(meant(&found.path, known, declared));
        checker.in_running_template(Severity::Warning, error, Fix::None, &found.range);
    }
    more(checker, Kind::VariableUndeclared, count, "not declared in the schema");
}

/// What a path may refer to if only its first steps are declared.
fn meant(path: &[Step], known: usize, declared: &[Vec<Step>]) -> String {
    let Some(Step::Key(missing)) = path.get(known) else { return String::new() };
    let is_beside =
        |other: &&Vec<Step>| other.len() == known + 1 && other[..known] == path[..known];
    let names = declared.iter().filter(is_beside).filter_map(|path| match path.last() {
        Some(Step::Key(name)) => Some(name.as_str()),
        _ => None,
    });
    match if known == 0 { habit::variable(missing) } else { habit::member(missing) } {
        "" => did_you_mean(missing, names),
        habit => habit.into(),
    }
}

fn check_copy_text(checker: &mut Checker<'_>, uses: &[Use], declared: &[Vec<Step>]) {
    let mut count = 0;
    for found in uses {
        let Some(known) = undeclared_after(checker, &found.path) else { continue };
        count += 1;
        if count <= MAX_FINDINGS {
            let error = undeclared(&found.path).with_help(meant(&found.path, known, declared));
            checker.in_text("copy_text", Severity::Warning, error, Fix::None, &found.range);
        }
    }
    more(checker, Kind::VariableUndeclared, count, "not declared in the schema");
}

/// The number of declared steps of a path, if not all are declared and nothing else defines them.
fn undeclared_after(checker: &Checker<'_>, path: &[Step]) -> Option<usize> {
    let Some(Step::Key(root)) = path.first() else { return None };
    if root == "undefined" || checker.widget.engine().is_global(root) {
        return None;
    }
    match look_up(&checker.schema, path) {
        Declared::Not { known } => Some(known),
        _ => None,
    }
}

/// The finding about a variable that the schema does not declare.
pub(super) fn undeclared_use(checker: &Checker<'_>, found: &Use) -> Option<Error> {
    let known = undeclared_after(checker, &found.path)?;
    let help = meant(&found.path, known, &properties(&checker.schema));
    Some(undeclared(&found.path).with_help(help))
}

fn undeclared(path: &[Step]) -> Error {
    let message = format!("`{}` is not declared in the schema", dotted(path));
    Error::new(Kind::VariableUndeclared, message)
}

/// Reports unused properties, but not those inside a reported one.
fn check_unused(
    checker: &mut Checker<'_>,
    declared: &[Vec<Step>],
    used: &PathSet,
    reported: &mut PathSet,
) {
    let mut count = 0;
    for path in declared {
        // Printing a whole value uses everything in it.
        if used.overlaps(path) || reported.covers(path) {
            continue;
        }
        reported.insert(path);
        count += 1;
        if count > MAX_FINDINGS {
            continue;
        }
        let message = format!("`{}` is declared but not used", dotted(path));
        let error = Error::new(Kind::VariableUnused, message)
            .with_help("models will still fill it in; remove it from the schema, or use it");
        let pointer = path.iter().fold("/jsonSchema".to_owned(), |pointer, step| match step {
            Step::Key(name) => format!("{pointer}/properties/{}", locate::escaped(name)),
            Step::Each => format!("{pointer}/items"),
        });
        checker.at_pointer(Severity::Warning, error, &pointer);
    }
    more(checker, Kind::VariableUnused, count, "declared but not used");
}

/// Reports the number of variables that were not listed.
fn more(checker: &mut Checker<'_>, kind: Kind, count: usize, what: &str) {
    if count > MAX_FINDINGS {
        let message = format!("{} more variables are {what}", count - MAX_FINDINGS);
        checker.in_file(Severity::Warning, Error::new(kind, message));
    }
}

fn dotted(path: &[Step]) -> String {
    let mut out = String::new();
    for step in path {
        match step {
            Step::Key(name) if out.is_empty() => out.push_str(name),
            Step::Key(name) => {
                out.push('.');
                out.push_str(name);
            }
            Step::Each => out.push_str("[]"),
        }
    }
    out
}
