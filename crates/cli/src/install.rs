//! `widgetcast install`: writes down, in a client's settings, how to reach a server.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser};

use crate::client::{CLIENTS, Client, Server, Transport};
use crate::merge::{alone, merge};
use crate::replace::replace;
use crate::{Failure, Outcome};

/// What was typed.
#[derive(clap::Args, Debug)]
pub(crate) struct Typed {
    /// The client
    #[arg(value_parser = clients())]
    client: String,
    /// The directory of widgets that the client shall serve itself; without one, the gallery
    #[arg(value_hint = clap::ValueHint::DirPath)]
    dir: Option<PathBuf>,
    /// A server that runs already, such as http://127.0.0.1:8000/mcp
    #[arg(long, value_name = "URL", conflicts_with = "dir")]
    http: Option<String>,
    /// Write it to the client's settings, keeping a copy of them
    #[arg(long)]
    write: bool,
    /// What the client calls the server
    #[arg(long, default_value = "widgetcast")]
    name: String,
}

fn clients() -> PossibleValuesParser {
    PossibleValuesParser::new(
        CLIENTS.iter().map(|client| PossibleValue::new(client.id).help(client.name)),
    )
}

pub(crate) fn run(typed: &Typed) -> Result<Outcome, Failure> {
    let client = Client::find(&typed.client).ok_or("there is no such client")?;
    let server = server(typed)?;
    let entry = (client.entry)(&server)
        .ok_or_else(|| format!("{} cannot use an address: {}", client.name, client.instead))?;
    let file = client.file().ok_or("it is not known where your home directory is; set HOME")?;
    let snippet = alone(client.form, client.key, &server.name, &entry);
    if !typed.write {
        anstream::eprintln!(
            "{} reads {}\nAdd this to it, or let --write do it:\n",
            client.name,
            file.display()
        );
        anstream::print!("{snippet}");
        return Ok(Outcome::Clean);
    }
    let before = match std::fs::read_to_string(&file) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(format!("{}: {error}", file.display()).into()),
    };
    let text = before.as_deref().unwrap_or_default();
    let merged = match merge(client.form, text, client.key, &server.name, &entry) {
        Ok(merged) => merged,
        Err(why) => {
            anstream::print!("{snippet}");
            let file = file.display();
            return Err(format!("{file} is left as it is: {why}. Add the above by hand").into());
        }
    };
    let shown = file.display();
    let Some(merged) = merged else {
        anstream::println!("{shown} has it already");
        return Ok(Outcome::Clean);
    };
    write(&file, before.is_some(), &merged).map_err(|error| format!("{shown}: {error}"))?;
    anstream::println!("Restart {} to see the tools.", client.name);
    Ok(Outcome::Clean)
}

fn server(typed: &Typed) -> Result<Server, Failure> {
    // All clients, and all three languages, take such a name as it is.
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if typed.name.is_empty() || !typed.name.chars().all(plain) {
        let name = &typed.name;
        return Err(format!("--name {name:?} may hold letters, digits, `-` and `_`").into());
    }
    let transport = match (&typed.http, &typed.dir) {
        (Some(url), _) if url.starts_with("http://") || url.starts_with("https://") => {
            Transport::Url(url.clone())
        }
        (Some(url), _) => {
            let like = "http://127.0.0.1:8000/mcp";
            return Err(format!("--http {url:?} must be a whole address, such as {like}").into());
        }
        (None, dir) => Transport::Command {
            program: text(&std::env::current_exe()?)?,
            args: args(dir.as_deref())?,
        },
    };
    Ok(Server { name: typed.name.clone(), transport })
}

/// Clients start a program anywhere, so a path must be whole.
fn args(dir: Option<&Path>) -> Result<Vec<String>, Failure> {
    let mut args = vec!["serve".to_owned(), "--stdio".to_owned()];
    if let Some(dir) = dir {
        if !dir.is_dir() {
            return Err(format!("{}: there is no such directory", dir.display()).into());
        }
        args.push(text(&std::path::absolute(dir)?)?);
    }
    Ok(args)
}

fn text(path: &Path) -> Result<String, Failure> {
    let text = path.to_str().map(str::to_owned);
    text.ok_or_else(|| format!("{}: the path is not Unicode", path.display()).into())
}

/// Writes the file, and says what became of the one that was there.
fn write(file: &Path, exists: bool, text: &str) -> std::io::Result<()> {
    if exists {
        let copy = keep(file)?;
        replace(file, text)?;
        anstream::println!("wrote {}\nas it was: {}", file.display(), copy.display());
        return Ok(());
    }
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(file, text)?;
    anstream::println!("wrote {}", file.display());
    Ok(())
}

/// A copy beside the file, under a name that is free.
fn keep(file: &Path) -> std::io::Result<PathBuf> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let names = std::iter::once(format!("{name}.bak"));
    let names = names.chain((2..).map(|number| format!("{name}.bak{number}")));
    let copy = names
        .map(|name| file.with_file_name(name))
        .find(|copy| std::fs::symlink_metadata(copy).is_err())
        .ok_or_else(|| std::io::Error::other("there are too many copies"))?;
    std::fs::copy(file, &copy)?;
    Ok(copy)
}
