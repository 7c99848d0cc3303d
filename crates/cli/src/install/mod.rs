//! `widgetcast install`: adds a server to the settings of an MCP client.

mod clients;
mod hosts;
mod merge;
mod via;

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser};

use self::clients::{CLIENTS, Client, Server, Transport};
use self::hosts::{HOSTS, Host};
use self::merge::{merge, snippet};
use self::via::{Via, path_to_string};
use crate::mcp_client::server_url;
use crate::outcome::{Failure, Outcome};
use crate::replace_file::replace_file;

/// The arguments of the command.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Client to configure
    #[arg(value_parser = clients())]
    client: String,
    /// Directory of widgets to serve to the client over stdio [default: the gallery]
    #[arg(value_hint = clap::ValueHint::DirPath)]
    dir: Option<PathBuf>,
    /// URL or port of a running server
    #[arg(long, value_name = "URL", conflicts_with = "dir")]
    http: Option<String>,
    /// Add the display tools
    #[arg(long, conflicts_with = "http")]
    display: bool,
    /// How the client starts the server [default: the way you started this command]
    #[arg(long, value_enum, value_name = "RUNNER", conflicts_with = "http")]
    via: Option<Via>,
    /// Back up the client's config file, then add the entry to it
    #[arg(long)]
    write: bool,
    /// Name of the server in the client
    #[arg(long, default_value = "widgetcast")]
    name: String,
}

fn clients() -> PossibleValuesParser {
    PossibleValuesParser::new(
        CLIENTS
            .iter()
            .map(|client| PossibleValue::new(client.id).help(client.name))
            .chain(HOSTS.iter().map(|host| PossibleValue::new(host.id).help(host.name))),
    )
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let program = std::env::current_exe()?;
    let via = args.via.unwrap_or_else(|| Via::of(&program));
    if let Some(host) = Host::find(&args.client) {
        return guide(host, args, via);
    }
    let client = Client::find(&args.client).ok_or("unknown client")?;
    let server = server(args, via, &program)?;
    let entry = (client.entry)(&server)
        .ok_or_else(|| format!("{} cannot use a URL: {}", client.name, client.instead))?;
    let file = client.file().ok_or("cannot find your home directory; set HOME")?;
    let snippet = snippet(client.format, client.key, &server.name, &entry);
    if !args.write {
        tell!(
            "{} reads {}\nAdd this entry, or run again with --write:\n",
            client.name,
            file.display()
        );
        out!("{snippet}");
        return Ok(Outcome::Clean);
    }
    let before = match std::fs::read_to_string(&file) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(format!("{}: {error}", file.display()).into()),
    };
    let text = before.as_deref().unwrap_or_default();
    let merged = match merge(client.format, text, client.key, &server.name, &entry) {
        Ok(merged) => merged,
        Err(reason) => {
            out!("{snippet}");
            let file = file.display();
            return Err(
                format!("{file} was not changed: {reason}. Add the entry above by hand").into()
            );
        }
    };
    let shown = file.display();
    let Some(merged) = merged else {
        say!("{shown} already has this entry");
        return Ok(Outcome::Clean);
    };
    write(&file, before.is_some(), &merged).map_err(|error| format!("{shown}: {error}"))?;
    say!("Restart {} to see the tools.", client.name);
    Ok(Outcome::Clean)
}

/// Prints the steps for a host without a settings file.
fn guide(host: &Host, args: &Args, via: Via) -> Result<Outcome, Failure> {
    if args.write {
        let (id, name) = (host.id, host.name);
        return Err(format!(
            "{name} has no config file; `widgetcast install {id}` prints the steps"
        )
        .into());
    }
    let dir = args.dir.as_ref().map_or_else(|| "DIR".into(), |dir| dir.display().to_string());
    let steps = host.steps.replace("widgetcast ", &format!("{} ", via.typed()));
    out!("{}", steps.replace("DIR", &dir));
    Ok(Outcome::Clean)
}

fn server(args: &Args, via: Via, program: &Path) -> Result<Server, Failure> {
    // Such a name needs no quotes in JSON, TOML or YAML keys, and every client accepts it.
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if args.name.is_empty() || !args.name.chars().all(plain) {
        let name = &args.name;
        return Err(format!("--name {name:?} may contain only letters, digits, `-` and `_`").into());
    }
    let transport = match (&args.http, &args.dir) {
        (Some(url), _) => Transport::Url(server_url(url)),
        (None, dir) => {
            let (program, first) = via.command(program, cfg!(windows))?;
            let serve = command_args(dir.as_deref(), args.display)?;
            let args = first.into_iter().map(str::to_owned).chain(serve).collect();
            Transport::Command { program, args }
        }
    };
    Ok(Server { name: args.name.clone(), transport })
}

/// The arguments with which the client runs the command. The working directory is unknown, so the path is
/// absolute.
fn command_args(dir: Option<&Path>, display: bool) -> Result<Vec<String>, Failure> {
    let mut args = vec!["serve".to_owned(), "--stdio".to_owned()];
    if display {
        args.push("--display".to_owned());
    }
    if let Some(dir) = dir {
        if !dir.is_dir() {
            return Err(format!("{}: no such directory", dir.display()).into());
        }
        args.push(path_to_string(&std::path::absolute(dir)?)?);
    }
    Ok(args)
}

/// Writes the file, after backing up the old one if it exists, and prints both paths.
fn write(file: &Path, exists: bool, text: &str) -> std::io::Result<()> {
    if exists {
        let copy = back_up(file)?;
        replace_file(file, text)?;
        say!("wrote {}\nbackup: {}", file.display(), copy.display());
        return Ok(());
    }
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(file, text)?;
    say!("wrote {}", file.display());
    Ok(())
}

/// Copies the file to the first unused name among `.bak`, `.bak2` and so on.
fn back_up(file: &Path) -> std::io::Result<PathBuf> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let names = std::iter::once(format!("{name}.bak"));
    let names = names.chain((2..).map(|number| format!("{name}.bak{number}")));
    let copy = names
        .map(|name| file.with_file_name(name))
        .find(|copy| std::fs::symlink_metadata(copy).is_err())
        .ok_or_else(|| std::io::Error::other("too many backups"))?;
    std::fs::copy(file, &copy)?;
    Ok(copy)
}
