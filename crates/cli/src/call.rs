//! `widgetcast call`: calls a tool as a host would, and renders the result. Without arguments, a widget is
//! called with its sample. For a running server, the sample comes from its gallery and is never generated,
//! because the tool may have side effects.

use std::io::{IsTerminal as _, Write};
use std::path::PathBuf;

use serde_json::{Value, json};
use widgetcast_core::extract::{Extraction, Part, extract};
use widgetcast_core::{Surface, printable};

use crate::extract::draw_best;
use crate::json_text::json_text;
use crate::mcp_client::{Credentials, McpClient, error_message};
use crate::outcome::{Failure, Outcome};
use crate::print::{self, Printer};
use crate::tool_file::{self, ToolFile};
use crate::{gallery, render};

/// The arguments of the command.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Name of the tool
    tool: String,
    /// Arguments: a file, `-` for stdin, or inline JSON [default: the widget's sample, or {}]
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    data: Option<String>,
    /// URL or port of a running server
    #[arg(long, value_name = "URL", conflicts_with = "dir")]
    server: Option<String>,
    #[command(flatten)]
    credentials: Credentials,
    /// Directory of widgets and tools [default: the gallery]
    #[arg(long, value_hint = clap::ValueHint::DirPath)]
    dir: Option<PathBuf>,
    /// Print the raw result as JSON
    #[arg(long)]
    json: bool,
    /// Surface to request [default: terminal, or text if stdout is not a terminal]
    #[arg(long, value_parser = clap::builder::PossibleValuesParser::new(surfaces()))]
    surface: Option<String>,
}

/// All surfaces except `all`, since a tool result is for one host.
fn surfaces() -> impl Iterator<Item = &'static str> {
    render::surface_names().filter(|name| *name != "all")
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    // The terminal renders the component tree, which only the ChatKit surface adds to a result.
    let surface = match args.surface.as_deref() {
        None | Some("terminal") => "chatkit",
        Some(name) => Surface::find(name).map_or(name, |surface| surface.name),
    };
    let given = args.data.as_deref().map(render::read_json).transpose()?;
    let mut client = match &args.server {
        Some(server) => McpClient::connect(server, surface, &args.credentials)?,
        None => McpClient::in_process(args.dir.as_deref(), surface)?,
    };
    let arguments = match given {
        Some(given) => given,
        None => sample(args, &client)?.unwrap_or_else(|| json!({})),
    };
    // A server behind `wrap` has views for the tools that it was seen to list.
    if args.server.is_some() {
        _ = client.list("tools/list", "tools");
    }
    let params = json!({ "name": args.tool, "arguments": arguments });
    let response = client.request("tools/call", &params)?;
    if let Some(error) = response.get("error") {
        return Err(refusal(&mut client, args, error).into());
    }
    let result = &response["result"];
    let found = extract(result);
    let mut out = print::stdout();
    if args.json {
        writeln!(out, "{}", json_text(result)?)?;
    } else if found.is_error {
        let red = anstyle::AnsiColor::Red.on_default().bold();
        tell!("{red}the tool failed{red:#}: {}", printable(&found.text));
    } else {
        show(&found, args.surface.as_deref(), &mut out)?;
    }
    Ok(if found.is_error { Outcome::Findings } else { Outcome::Clean })
}

fn show(
    found: &Extraction,
    surface: Option<&str>,
    out: &mut Printer<impl Write>,
) -> Result<(), Failure> {
    match surface {
        Some("terminal") => draw_best(found, out)?,
        None if std::io::stdout().is_terminal() => draw_best(found, out)?,
        None | Some("text" | "markdown") => writeln!(out, "{}", printable(&found.text))?,
        // For programs: only the parts for that host.
        Some(_) => {
            let views = found
                .parts
                .iter()
                .filter(|part| !matches!(part, Part::Text { .. } | Part::Data { .. }));
            for view in views {
                writeln!(out, "{}", json_text(view)?)?;
            }
        }
    }
    Ok(())
}

/// The sample of a widget. A tool has none, and may need no arguments.
fn sample(args: &Args, client: &McpClient) -> Result<Option<Value>, Failure> {
    if args.server.is_some() {
        return Ok(client.sample(&args.tool));
    }
    // A tool may have the name of its widget, whose sample is not the tool's arguments.
    if let Some(path) = args.dir.as_deref().and_then(tool_file::of_dir)
        && ToolFile::read(path)?.has(&args.tool)
    {
        return Ok(None);
    }
    let catalog = gallery::catalog(args.dir.as_deref())?;
    Ok(catalog.get(&args.tool).map(|widget| widget.sample()))
}

/// Why there is no result. Our own server suggests a name similar to an unknown one; for other servers, the
/// tools are listed. A broken file also makes a tool unknown.
fn refusal(client: &mut McpClient, args: &Args, error: &Value) -> String {
    let (message, tool) = (error_message(error), &*args.tool);
    if args.server.is_none()
        && message.starts_with("Unknown tool")
        && let Ok(catalog) = gallery::catalog(args.dir.as_deref())
        && let Some(broken) = render::broken_file(&catalog, tool)
    {
        return broken;
    }
    if message.contains("did you mean") {
        return message.to_owned();
    }
    let listed = client.request("tools/list", &json!({})).unwrap_or_default();
    let tools = listed["result"]["tools"].as_array();
    let names: Vec<&str> =
        tools.into_iter().flatten().filter_map(|tool| tool["name"].as_str()).collect();
    if names.is_empty() || names.contains(&tool) {
        return message.to_owned();
    }
    const MAX_NAMES: usize = 40;
    let more = if names.len() > MAX_NAMES { ", …" } else { "" };
    let names: Vec<&str> = names.into_iter().take(MAX_NAMES).collect();
    let whose =
        if client.is_gallery() { " in the gallery (use --dir or --server for others)" } else { "" };
    format!("{message}\navailable tools{whose}: {}{more}", names.join(", "))
}
