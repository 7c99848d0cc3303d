//! `widgetcast chatkit`: serves widgets together with a chat with stored threads; exports and deletes the
//! data of a user.

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use widgetcast::App;
use widgetcast_agent::{Agent, Model, Server, Toolbox};
use widgetcast_chatkit::{
    AgentResponder, ChatKit, Commands, Owner, RetentionLimits, Storage, open,
};

use crate::json_text::json_text;
use crate::outcome::{Failure, Outcome};
use crate::print;
use crate::serve;

/// Where threads are kept if no one says.
const STORE: &str = "sqlite:chatkit.db";

/// The arguments of the command: those of `serve`, plus those of the chat.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
#[group(skip)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    serve: serve::Args,
    /// Add the tools of another MCP server, by URL or by the command that starts it
    #[arg(long = "mcp", value_name = "NAME=URL|COMMAND")]
    servers: Vec<String>,
    /// Days to keep the threads of unauthenticated users
    #[arg(long, value_name = "DAYS", default_value_t = 90)]
    keep_days: u32,
}

#[derive(clap::Subcommand, Debug)]
enum Verb {
    /// Export all stored data of a user as JSON
    Export(Of),
    /// Delete all stored data of a user
    Delete(Of),
}

/// The user and the store.
#[derive(clap::Args, Debug)]
struct Of {
    /// Subject of the user's key or token
    #[arg(long)]
    subject: String,
    /// Issuer of the user's tokens, if the subject is ambiguous; empty for keys
    #[arg(long, value_name = "URL")]
    issuer: Option<String>,
    /// Store of the threads: sqlite:PATH or postgres://…
    #[arg(long, value_name = "URL", env = "WIDGETCAST_STORE", hide_env_values = true, default_value = STORE)]
    store: String,
}

pub(crate) fn run(args: Args) -> Result<Outcome, Failure> {
    match args.verb {
        Some(Verb::Export(of)) => export(&of),
        Some(Verb::Delete(of)) => delete(&of),
        None => {
            let (servers, days) = (args.servers, u64::from(args.keep_days));
            let keep = RetentionLimits {
                age: Duration::from_secs(days * 24 * 3600),
                ..RetentionLimits::default()
            };
            serve::run_with(args.serve, move |app, store, at, runtime| {
                let is_open =
                    !app.has_authenticator() && at.is_some_and(|at| !at.ip().is_loopback());
                if is_open && !servers.is_empty() {
                    let words = "--mcp exposes the tools of other servers to everyone who can reach this \
                        address; configure authentication ([[keys]] or --auth-issuer), or listen on \
                        127.0.0.1";
                    return Err(words.into());
                }
                let app = mount(app, store.unwrap_or(STORE), &servers, keep);
                Ok((runtime.block_on(app)?, None))
            })
        }
    }
}

/// The app with a chat next to it.
async fn mount(
    app: App,
    store: &str,
    servers: &[String],
    keep: RetentionLimits,
) -> Result<App, Failure> {
    let storage = open(store).await.map_err(|error| error.to_string())?;
    let mut toolbox = Toolbox::new().app(app.clone()).view(widgetcast_wrap::view);
    for text in servers {
        let (name, server) = server(text)?;
        toolbox = toolbox.connect(name, server)?;
    }
    let chat = match std::env::var_os("OPENAI_MODEL").filter(|name| !name.is_empty()) {
        None => {
            tracing::info!(
                "chat page at /chat; no model configured (OPENAI_MODEL), so users call tools with /name"
            );
            ChatKit::new(storage, Commands::new(toolbox))
        }
        Some(_) => {
            let model = Model::from_env()?;
            tracing::info!("chat page at /chat, with model {}", model.name());
            ChatKit::new(storage, AgentResponder::new(Agent::new(model, toolbox)))
        }
    };
    Ok(chat.retention(keep).mount(app))
}

/// Parses `NAME=URL` or `NAME=COMMAND`.
fn server(text: &str) -> Result<(&str, Server), Failure> {
    let wrong = || format!("--mcp {text:?} must be NAME=URL or NAME=COMMAND");
    let (name, place) = text.split_once('=').ok_or_else(wrong)?;
    if place.starts_with("http://") || place.starts_with("https://") {
        return Ok((name, Server::url(place)));
    }
    let mut words = words(place).ok_or_else(wrong)?.into_iter();
    let program = words.next().ok_or_else(wrong)?;
    Ok((name, Server::command(program).args(words)))
}

/// Splits a command into words, with quotes as in a shell. `None` if a quote is not closed.
fn words(command: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in command.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if matches!(c, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// The storage, and the owner with this subject, if there is any data.
async fn owner(of: &Of) -> Result<(Arc<dyn Storage>, Option<Owner>), Failure> {
    let storage = open(&of.store).await.map_err(|error| error.to_string())?;
    let mut owners = storage.owners_of(&of.subject).await?;
    if let Some(issuer) = &of.issuer {
        owners.retain(|owner| owner.issuer() == *issuer);
    }
    match owners.len() {
        0 | 1 => Ok((storage, owners.pop())),
        _ => {
            let issuers: Vec<String> =
                owners.iter().map(|owner| format!("{:?}", owner.issuer())).collect();
            let (subject, issuers) = (&of.subject, issuers.join(", "));
            Err(format!(
                "several users have the subject {subject}; choose one with --issuer: {issuers}"
            )
            .into())
        }
    }
}

fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()
}

fn export(of: &Of) -> Result<Outcome, Failure> {
    let documents = runtime()?.block_on(async {
        let (storage, owner) = owner(of).await?;
        Ok::<_, Failure>(match owner {
            Some(owner) => vec![storage.export(&owner).await?],
            None => Vec::new(),
        })
    })?;
    writeln!(print::stdout(), "{}", json_text(&documents)?)?;
    Ok(Outcome::Clean)
}

fn delete(of: &Of) -> Result<Outcome, Failure> {
    let mut out = print::stdout();
    runtime()?.block_on(async {
        let (storage, owner) = owner(of).await?;
        let Some(owner) = owner else {
            writeln!(out, "No data stored for {}.", of.subject)?;
            return Ok(());
        };
        let deleted = storage.delete_all(&owner).await?;
        writeln!(
            out,
            "Deleted data of {}: {} threads with {} items, {} attachments.",
            of.subject, deleted.threads, deleted.items, deleted.attachments
        )?;
        Ok::<_, Failure>(())
    })?;
    Ok(Outcome::Clean)
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn quotes_keep_a_word_together() {
        let split = |text| words(text).map(|words| words.join("|"));
        assert_eq!(
            split("uvx  server --name 'a b' \"c 'd'\"").as_deref(),
            Some("uvx|server|--name|a b|c 'd'")
        );
        assert_eq!(split("a='b c'd ''").as_deref(), Some("a=b cd|"));
        assert_eq!(split("a 'b"), None);
    }
}
