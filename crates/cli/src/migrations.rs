//! `widgetcast migrations`: what would be done to the tables of a store, and what has been.

use std::io::Write as _;

use widgetcast::StoreLimits;
use widgetcast_store::{connect, migrations};

use crate::outcome::{Failure, Outcome};

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The store: sqlite:PATH or postgres://…
    #[arg(value_name = "URL", env = "WIDGETCAST_STORE", hide_env_values = true)]
    store: String,
    /// Do what has not been done, as `serve` does when it starts
    #[arg(long)]
    apply: bool,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    if args.apply {
        runtime.block_on(connect(&args.store, &StoreLimits::default()))?;
    }
    let planned = runtime.block_on(migrations(&args.store))?;
    let mut out = anstream::stdout().lock();
    if planned.is_empty() {
        writeln!(out, "This store has no tables, so that nothing is migrated.")?;
    }
    for planned in planned {
        let step = planned.migration;
        let state = if planned.is_applied { "done" } else { "to be done" };
        writeln!(out, "{} {state}: {}", step.version, step.name)?;
        if !planned.is_applied {
            writeln!(out, "\n{}\n", step.sql)?;
        }
    }
    Ok(Outcome::Clean)
}
