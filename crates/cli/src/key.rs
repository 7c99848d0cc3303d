//! `widgetcast key`: generates a key for a caller, and its config entry.

use std::io::Write as _;

use widgetcast::auth::BearerKeys;

use crate::outcome::{Failure, Outcome};
use crate::print;

/// The arguments of the command.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Subject of the key: the user or program that it identifies
    subject: String,
    /// Scope to grant; can be repeated
    #[arg(long = "scope", value_name = "SCOPE", value_delimiter = ',')]
    scopes: Vec<String>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let (key, hash) = BearerKeys::generate();
    let mut out = print::stdout();
    // JSON strings are valid TOML strings.
    let text = |text: &str| serde_json::Value::from(text).to_string();
    let scopes: Vec<String> = args.scopes.iter().map(|scope| text(scope)).collect();
    // On another stream than the rest, which goes into a file.
    writeln!(print::stderr(), "Your key, shown only once: {key}")?;
    writeln!(out, "# Add this to widgetcast.toml, or to the file given with --config:")?;
    writeln!(out, "[[keys]]\nsubject = {}", text(&args.subject))?;
    writeln!(out, "hash = \"sha256:{hash}\"\nscopes = [{}]", scopes.join(", "))?;
    Ok(Outcome::Clean)
}
