//! `widgetcast migrations`: pending and applied migrations of a store.

use std::io::Write as _;

use widgetcast::store::StoreLimits;
use widgetcast_store::{Planned, connect, migrations};

use crate::outcome::{Failure, Outcome};
use crate::print;

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Store: sqlite:PATH or postgres://…
    #[arg(value_name = "URL", env = "WIDGETCAST_STORE", hide_env_values = true)]
    store: String,
    /// Run pending migrations now, as `serve` and `chatkit` do at startup
    #[arg(long)]
    apply: bool,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (views, chat) = runtime.block_on(async {
        if args.apply {
            connect(&args.store, &StoreLimits::default()).await?;
        }
        let views = migrations(&args.store).await?;
        let chat = of_chat(&args.store, args.apply && !views.is_empty()).await?;
        Ok::<_, Failure>((views, chat))
    })?;
    let mut out = print::stdout();
    if views.is_empty() {
        writeln!(out, "This store has no tables and needs no migrations.")?;
        return Ok(Outcome::Clean);
    }
    list(&mut out, "store", &views)?;
    list(&mut out, "chatkit", &chat)?;
    Ok(Outcome::Clean)
}

/// The migrations of the chat's tables; applies them if requested.
#[cfg(feature = "chat")]
async fn of_chat(store: &str, apply: bool) -> Result<Vec<Planned>, Failure> {
    if apply {
        widgetcast_chatkit::open(store).await.map_err(|error| error.to_string())?;
    }
    Ok(widgetcast_chatkit::migrations(store).await?)
}

#[cfg(not(feature = "chat"))]
async fn of_chat(_: &str, _: bool) -> Result<Vec<Planned>, Failure> {
    Ok(Vec::new())
}

fn list(out: &mut impl std::io::Write, scope: &str, all: &[Planned]) -> std::io::Result<()> {
    for planned in all {
        let step = planned.migration;
        let state = if planned.is_applied { "applied" } else { "pending" };
        writeln!(out, "{scope} {} {state}: {}", step.version, step.name)?;
        if !planned.is_applied {
            writeln!(out, "\n{}\n", step.sql)?;
        }
    }
    Ok(())
}
