//! `widgetcast call`: calls a tool, as a host would, and draws what comes back.

use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;

use serde_json::{Value, json};
use widgetcast_core::extract::{Extraction, Part, extract};
use widgetcast_core::{Surface, printable};

use crate::extract::draw_best;
use crate::link::{Link, said};
use crate::{Failure, Outcome, gallery, render};

/// What was typed.
#[derive(clap::Args, Debug)]
pub(crate) struct Typed {
    /// The tool's name
    tool: String,
    /// The arguments: a file, `-` for standard input, or JSON itself [default: the sample of a local widget, else {}]
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    data: Option<String>,
    /// A server that runs: its address, or only its port
    #[arg(long, value_name = "URL", conflicts_with = "dir")]
    server: Option<String>,
    /// The directory whose widgets are the tools; without one, the gallery
    #[arg(long, value_hint = clap::ValueHint::DirPath)]
    dir: Option<PathBuf>,
    /// Print the result as it came
    #[arg(long)]
    json: bool,
    /// Ask for what a host would: by default what the terminal draws, or text in a pipe
    #[arg(long, value_parser = clap::builder::PossibleValuesParser::new(surfaces()))]
    surface: Option<String>,
}

/// All but `all`: a result is for one host.
fn surfaces() -> impl Iterator<Item = &'static str> {
    render::SURFACE_NAMES.iter().copied().filter(|name| *name != "all")
}

pub(crate) fn run(typed: &Typed) -> Result<Outcome, Failure> {
    // The terminal draws a tree, which a server gives to those who ask for ChatKit's form.
    let surface = match typed.surface.as_deref() {
        None | Some("terminal") => "chatkit",
        Some(name) => Surface::find(name).map_or(name, |surface| surface.name),
    };
    let arguments = match &typed.data {
        Some(data) => render::read(data)?,
        None => sample(typed)?,
    };
    let mut link = match &typed.server {
        Some(server) => Link::there(server, surface)?,
        None => Link::here(typed.dir.as_deref(), surface)?,
    };
    let params = json!({ "name": typed.tool, "arguments": arguments });
    let answer = link.ask("tools/call", &params)?;
    if let Some(error) = answer.get("error") {
        return Err(refused(&mut link, &typed.tool, error).into());
    }
    let result = &answer["result"];
    let found = extract(result);
    let mut out = anstream::stdout().lock();
    if typed.json {
        writeln!(out, "{}", serde_json::to_string_pretty(result)?)?;
    } else if found.is_error {
        let red = anstyle::AnsiColor::Red.on_default().bold();
        anstream::eprintln!("{red}the tool failed{red:#}: {}", printable(&found.text));
    } else {
        show(&found, typed.surface.as_deref(), &mut out)?;
    }
    Ok(if found.is_error { Outcome::Findings } else { Outcome::Clean })
}

fn show(
    found: &Extraction,
    surface: Option<&str>,
    out: &mut impl std::io::Write,
) -> Result<(), Failure> {
    match surface {
        Some("terminal") => draw_best(found, out)?,
        None if std::io::stdout().is_terminal() => draw_best(found, out)?,
        None | Some("text" | "markdown") => writeln!(out, "{}", printable(&found.text))?,
        // For a program: what is made for that host, without the text and data that all get.
        Some(_) => {
            let views = found
                .parts
                .iter()
                .filter(|part| !matches!(part, Part::Text { .. } | Part::Data { .. }));
            for view in views {
                writeln!(out, "{}", serde_json::to_string_pretty(view)?)?;
            }
        }
    }
    Ok(())
}

/// The sample of a widget that is here; a tool elsewhere may need nothing.
fn sample(typed: &Typed) -> Result<Value, Failure> {
    if typed.server.is_some() {
        return Ok(json!({}));
    }
    let catalog = gallery::catalog(typed.dir.as_deref())?;
    Ok(catalog.get(&typed.tool).map_or_else(|| json!({}), |widget| widget.sample()))
}

/// Why there is no result. A server that knows the tool's name better says so itself; of any other
/// we ask which tools it has.
fn refused(link: &mut Link, tool: &str, error: &Value) -> String {
    let words = said(error);
    if words.contains("did you mean") {
        return words.to_owned();
    }
    let listed = link.ask("tools/list", &json!({})).unwrap_or_default();
    let tools = listed["result"]["tools"].as_array();
    let names: Vec<&str> =
        tools.into_iter().flatten().filter_map(|tool| tool["name"].as_str()).collect();
    if names.is_empty() || names.contains(&tool) {
        return words.to_owned();
    }
    const MOST: usize = 40;
    let more = if names.len() > MOST { ", …" } else { "" };
    let names: Vec<&str> = names.into_iter().take(MOST).collect();
    let whose =
        if link.is_gallery() { " of the gallery (--dir and --server name others)" } else { "" };
    format!("{words}\nthe tools{whose} are: {}{more}", names.join(", "))
}
