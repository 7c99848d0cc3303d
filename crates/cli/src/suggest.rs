//! `widgetcast suggest`: drafts a widget for a tool of another server from its recorded results.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::Value;
use widgetcast_core::nearest;
use widgetcast_wrap::Recording;

use crate::outcome::{Failure, Outcome};

/// The arguments of the command.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Name of the tool on its server
    tool: String,
    /// Directory that `wrap --record` wrote to
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath, default_value = "recordings")]
    from: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let Args { tool, from } = args;
    let shown = from.display();
    let read = Recording::read_all(from).map_err(|error| {
        format!("{shown}: {error}; `widgetcast wrap --record {shown} …` records results")
    })?;
    let mut recordings = Vec::new();
    for (file, recording) in read {
        match recording {
            Ok(recording) => recordings.push(recording),
            Err(why) => tell!("skipped {}: {why}", file.display()),
        }
    }
    let names: BTreeSet<&str> = recordings.iter().map(Recording::tool_name).collect();
    if names.is_empty() {
        return Err(format!(
            "{shown} has no recordings; `widgetcast wrap --record {shown} …` records results"
        )
        .into());
    }
    let of_tool = || recordings.iter().filter(|recording| recording.tool_name() == tool);
    let Some(newest) = of_tool().next_back() else {
        let known = match nearest(tool, names.iter().copied()) {
            Some(near) => format!("did you mean {near}?"),
            None => format!("it has {}", Vec::from_iter(names).join(", ")),
        };
        return Err(format!("{shown} has no result of {tool}; {known}").into());
    };
    let results: Vec<&Value> = of_tool().map(|recording| &recording.result).collect();
    let Some(draft) = widgetcast_wrap::suggest(&newest.tool, &results) else {
        return Err(
            format!("the results of {tool} contain no data that a widget could show").into()
        );
    };
    out!("{draft}");
    Ok(Outcome::Clean)
}
