//! `widgetcast render`

use std::io::{Read as _, Write as _};
use std::path::Path;

use serde_json::Value;
use widgetcast_core::{Catalog, Severity, Widget};

use crate::{Failure, Outcome, gallery, report};

pub(crate) fn run(
    name: &str,
    dir: Option<&Path>,
    data: Option<&str>,
    as_json: bool,
) -> Result<Outcome, Failure> {
    let file = Path::new(name).is_file();
    let catalog = gallery::catalog(if file { Some(Path::new(name)) } else { dir })?;
    let Some(widget) = find(&catalog, name, file) else {
        let broken: Vec<_> =
            catalog.findings().filter(|finding| finding.severity == Severity::Error).collect();
        if file && !broken.is_empty() {
            broken.into_iter().for_each(report::print_finding);
            return Ok(Outcome::Findings);
        }
        return Err(unknown(&catalog, name, dir).into());
    };
    // A sample is drawn even if it does not quite fit its schema; that is for `check` to say.
    let view = match data {
        Some(data) => widget.render(&read(data)?),
        None => widget.render_unvalidated(&widget.sample()),
    };
    let view = match view {
        Ok(view) => view,
        Err(error) => {
            anstream::eprintln!("{error:#}");
            return Ok(Outcome::Findings);
        }
    };
    let text = if as_json { serde_json::to_string_pretty(&view.tree())? } else { view.text() };
    writeln!(anstream::stdout(), "{text}")?;
    Ok(Outcome::Clean)
}

fn find<'c>(catalog: &'c Catalog, name: &str, file: bool) -> Option<&'c Widget> {
    if file { catalog.widgets().next() } else { catalog.get(name) }
}

fn unknown(catalog: &Catalog, name: &str, dir: Option<&Path>) -> String {
    let place = dir.map_or("the gallery".to_owned(), |dir| dir.display().to_string());
    let wanted = widgetcast_core::tool_name(name);
    let near = catalog
        .list()
        .map(|listing| listing.tool_name)
        .find(|tool| tool.contains(&wanted) || wanted.contains(tool));
    let advice = match near {
        Some(near) => format!("did you mean {near}?"),
        None => "`widgetcast list` shows what there is".to_owned(),
    };
    format!("there is no widget {name:?} in {place}, nor a file of that name; {advice}")
}

/// A file's JSON, standard input's, or the JSON that was typed.
fn read(data: &str) -> Result<Value, Failure> {
    let text = match data {
        "-" => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text)?;
            text
        }
        typed if typed.trim_start().starts_with('{') => typed.to_owned(),
        file => std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?,
    };
    serde_json::from_str(&text).map_err(|error| format!("the data is not JSON: {error}").into())
}
