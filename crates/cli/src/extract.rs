//! `widgetcast extract`: reads a tool result from stdin and renders what a host could show.

use std::io::Write;

use serde_json::Value;
use widgetcast_core::extract::{Extraction, Part, extract};
use widgetcast_core::{printable, terminal};

use crate::json_text::json_text;
use crate::outcome::{Failure, Outcome};
use crate::print::{self, Printer};
use crate::render;

pub(crate) fn run(as_json: bool) -> Result<Outcome, Failure> {
    let text = render::read_text(std::io::stdin());
    let text = text.map_err(|error| format!("cannot read the input: {error}"))?;
    let result: Value = serde_json::from_str(&text)
        .map_err(|error| format!("the input is not valid JSON: {error}"))?;
    let found = extract(&result);
    let mut out = print::stdout();
    if as_json {
        writeln!(out, "{}", json_text(&found)?)?;
    } else {
        draw(&found, &mut out)?;
    }
    for reason in &found.reasons {
        tell!("{}", printable(&format!("{}: {}", reason.pointer, reason.message)));
    }
    Ok(if found.reasons.is_empty() { Outcome::Clean } else { Outcome::Findings })
}

fn draw(found: &Extraction, out: &mut Printer<impl Write>) -> Result<(), Failure> {
    let bold = anstyle::Style::new().bold();
    if found.is_error {
        let red = anstyle::AnsiColor::Red.on_default().bold();
        writeln!(out, "{red}the tool failed{red:#}")?;
    }
    for part in &found.parts {
        let described = serde_json::to_value(part)?;
        let kind = described["kind"].as_str().unwrap_or_default().replace('_', " ");
        let place = described["uri"].as_str().unwrap_or_default();
        writeln!(out, "{bold}{kind}{bold:#} {}", printable(place))?;
        draw_part(part, out)?;
    }
    if found.parts.is_empty() {
        writeln!(out, "{NOTHING}")?;
    }
    Ok(())
}

const NOTHING: &str = "This result contains nothing to render.";

/// Renders the first part that a terminal can show; parts are ordered best first.
pub(crate) fn draw_best(found: &Extraction, out: &mut Printer<impl Write>) -> Result<(), Failure> {
    for part in &found.parts {
        if draw_part(part, out)? {
            return Ok(());
        }
    }
    writeln!(out, "{NOTHING}")?;
    Ok(())
}

/// Renders a part and returns true, if a terminal can show it.
fn draw_part(part: &Part, out: &mut Printer<impl Write>) -> Result<bool, Failure> {
    match part {
        Part::ChatkitWidget { widget: tree, .. } | Part::MetaTree { tree, .. } => {
            out.drawing(&terminal::terminal(tree, &render::terminal_options()))?;
        }
        Part::Text { text, .. } => writeln!(out, "{}", printable(text))?,
        Part::Data { data, .. } => writeln!(out, "{}", json_text(data)?)?,
        _ => return Ok(false),
    }
    Ok(true)
}
