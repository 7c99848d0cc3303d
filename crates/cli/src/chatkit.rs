//! `widgetcast chatkit`: serves widgets together with a chat that keeps its threads; exports and deletes what
//! is kept of somebody.

use std::io::Write as _;
use std::sync::Arc;

use widgetcast::App;
use widgetcast_agent::{Agent, Model, Server, Toolbox};
use widgetcast_chatkit::{AgentResponder, ChatKit, Commands, Owner, Storage, open};

use crate::outcome::{Failure, Outcome};
use crate::serve;

/// Where threads are kept if nobody says.
const STORE: &str = "sqlite:chatkit.db";

/// The arguments of the command: those of `serve`, and what the chat adds.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
#[group(skip)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    serve: serve::Args,
    /// Tools of another MCP server: its name, and its URL or the command that starts it
    #[arg(long = "mcp", value_name = "NAME=URL|COMMAND")]
    servers: Vec<String>,
}

#[derive(clap::Subcommand, Debug)]
enum Verb {
    /// Print everything that is kept of somebody, as JSON
    Export(Of),
    /// Delete everything that is kept of somebody
    Delete(Of),
}

/// Of whom, and where.
#[derive(clap::Args, Debug)]
struct Of {
    /// The name that the person is known by: the subject of their key or token
    #[arg(long)]
    subject: String,
    /// Where threads are kept: sqlite:PATH or postgres://…
    #[arg(long, value_name = "URL", env = "WIDGETCAST_STORE", hide_env_values = true, default_value = STORE)]
    store: String,
}

pub(crate) fn run(args: Args) -> Result<Outcome, Failure> {
    match args.verb {
        Some(Verb::Export(of)) => export(&of),
        Some(Verb::Delete(of)) => delete(&of),
        None => {
            let servers = args.servers;
            serve::run_with(args.serve, move |app, store, runtime| {
                runtime.block_on(mount(app, store.unwrap_or(STORE), &servers))
            })
        }
    }
}

/// The app with a chat beside it.
async fn mount(app: App, store: &str, servers: &[String]) -> Result<App, Failure> {
    let storage = open(store).await.map_err(|error| error.to_string())?;
    let mut toolbox = Toolbox::new().app(app.clone());
    for text in servers {
        let (name, server) = server(text)?;
        toolbox = toolbox.connect(name, server).await?;
    }
    let chat = match std::env::var_os("OPENAI_MODEL").filter(|name| !name.is_empty()) {
        None => {
            tracing::info!(
                "the chat is at /chat; without OPENAI_MODEL, tools answer by their names"
            );
            ChatKit::new(storage, Commands::new(toolbox))
        }
        Some(_) => {
            let model = Model::from_env()?;
            tracing::info!("the chat is at /chat; {} answers", model.name());
            ChatKit::new(storage, AgentResponder::new(Agent::new(model, toolbox)))
        }
    };
    Ok(chat.mount(app))
}

/// Reads `NAME=URL` or `NAME=COMMAND`.
fn server(text: &str) -> Result<(&str, Server), Failure> {
    let wrong = || format!("--mcp {text:?} is not NAME=URL or NAME=COMMAND");
    let (name, place) = text.split_once('=').ok_or_else(wrong)?;
    if place.starts_with("http://") || place.starts_with("https://") {
        return Ok((name, Server::url(place)));
    }
    let mut words = place.split_whitespace();
    let program = words.next().ok_or_else(wrong)?;
    Ok((name, Server::command(program).args(words)))
}

/// What is kept at an address, and the owners of this name.
async fn owners(of: &Of) -> Result<(Arc<dyn Storage>, Vec<Owner>), Failure> {
    let storage = open(&of.store).await.map_err(|error| error.to_string())?;
    let owners = storage.owners_of(&of.subject).await?;
    Ok((storage, owners))
}

fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()
}

fn export(of: &Of) -> Result<Outcome, Failure> {
    let documents = runtime()?.block_on(async {
        let (storage, owners) = owners(of).await?;
        let mut documents = Vec::new();
        for owner in &owners {
            documents.push(storage.export(owner).await?);
        }
        Ok::<_, Failure>(documents)
    })?;
    let mut out = anstream::stdout().lock();
    serde_json::to_writer_pretty(&mut out, &documents)?;
    writeln!(out)?;
    Ok(Outcome::Clean)
}

fn delete(of: &Of) -> Result<Outcome, Failure> {
    let mut out = anstream::stdout().lock();
    runtime()?.block_on(async {
        let (storage, owners) = owners(of).await?;
        if owners.is_empty() {
            writeln!(out, "Nothing is kept of {}.", of.subject)?;
        }
        for owner in &owners {
            let deleted = storage.delete_all(owner).await?;
            writeln!(
                out,
                "Deleted of {}: {} threads with {} items, {} attachments.",
                of.subject, deleted.threads, deleted.items, deleted.attachments
            )?;
        }
        Ok::<_, Failure>(())
    })?;
    Ok(Outcome::Clean)
}
