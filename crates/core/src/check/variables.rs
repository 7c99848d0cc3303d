//! Variables of the template and of `copy_text` against the schema: used but not declared, declared but
//! not used.

use widgetcast_engine::error::{Error, Fix, Kind, Severity};
use widgetcast_engine::suggest::did_you_mean;
use widgetcast_engine::template::{Step, Use, uses};

use super::checker::Checker;
use super::declarations::{Declared, look_up, properties};

type DataPath = Vec<Step>;

pub(super) fn check(checker: &mut Checker<'_>) {
    if !checker.has_schema() {
        return;
    }
    let in_template = checker.widget.template().usage().uses;
    let in_copy_text = uses(&checker.widget.spec().copy_text.clone().unwrap_or_default());
    let undeclared = check_template(checker, &in_template);
    check_copy_text(checker, &in_copy_text);
    let used: Vec<DataPath> =
        in_template.into_iter().chain(in_copy_text).map(|found| found.path).collect();
    check_unused(checker, &used, undeclared);
}

/// Reports each undeclared path of the template once, and returns those paths.
fn check_template(checker: &mut Checker<'_>, uses: &[Use]) -> Vec<DataPath> {
    let mut reported: Vec<DataPath> = Vec::new();
    for found in uses {
        let [Step::Key(root), ..] = found.path.as_slice() else { continue };
        let given = root == "undefined" || checker.widget.engine().is_global(root);
        if given || reported.contains(&found.path) {
            continue;
        }
        let Declared::Not { known } = look_up(&checker.schema, &found.path) else { continue };
        reported.push(found.path.clone());
        let Some(Step::Key(missing)) = found.path.get(known) else { continue };
        let declared = properties(&checker.schema);
        let siblings = declared
            .iter()
            .filter(|path| path.len() == known + 1 && path[..known] == found.path[..known]);
        let names = siblings.filter_map(|path| match path.last() {
            Some(Step::Key(name)) => Some(name.as_str()),
            _ => None,
        });
        let error = undeclared(&found.path).with_help(did_you_mean(missing, names));
        checker.in_running_template(Severity::Warning, error, Fix::None, &found.range);
    }
    reported
}

fn check_copy_text(checker: &mut Checker<'_>, uses: &[Use]) {
    for found in uses {
        let engine = checker.widget.engine();
        let global = matches!(found.path.first(), Some(Step::Key(name)) if engine.is_global(name));
        if !global && let Declared::Not { .. } = look_up(&checker.schema, &found.path) {
            let error = undeclared(&found.path);
            checker.in_text("copy_text", Severity::Warning, error, Fix::None, &found.range);
        }
    }
}

fn undeclared(path: &[Step]) -> Error {
    let message = format!("`{}` is not declared in the schema", dotted(path));
    Error::new(Kind::VariableUndeclared, message)
}

/// Reports properties that nothing uses. What lies inside a path reported already is passed over.
fn check_unused(checker: &mut Checker<'_>, used: &[DataPath], mut reported: Vec<DataPath>) {
    for path in properties(&checker.schema) {
        // A value that is used whole uses all that is in it.
        let is_used = used.iter().any(|used| used.starts_with(&path) || path.starts_with(used));
        if is_used || reported.iter().any(|outer| path.starts_with(outer)) {
            continue;
        }
        let message = format!("`{}` is declared but not used", dotted(&path));
        let error = Error::new(Kind::VariableUnused, message)
            .with_help("models will still write it; leave it out of the schema or use it");
        let pointer = path.iter().fold("/jsonSchema".to_owned(), |pointer, step| match step {
            Step::Key(name) => format!("{pointer}/properties/{name}"),
            Step::Each => format!("{pointer}/items"),
        });
        checker.at_pointer(Severity::Warning, error, &pointer);
        reported.push(path);
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
