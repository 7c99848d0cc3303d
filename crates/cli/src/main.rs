//! The command line: parses the arguments and runs the verb. Each verb has a file of its own.

#[macro_use]
mod print;

mod allocator;
mod auth;
mod bundle;
mod call;
mod chatkit;
mod check;
mod directory;
mod event_log;
mod export;
mod extract;
mod gallery;
mod install;
mod json_text;
mod junit;
mod key;
mod list;
mod listen;
mod mcp_client;
mod migrations;
mod new;
mod outcome;
mod render;
mod replace_file;
mod report;
mod serve;
mod telemetry;
mod tool_file;
mod types;
mod wrap;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand, ValueHint};
use widgetcast_core::surface::Host;
use widgetcast_core::{CheckOptions, printable};

use crate::outcome::Outcome;

/// Widgets for AI agents: check them, draw them, serve them.
///
/// Without a directory the commands use the bundled gallery.
#[derive(Parser)]
#[command(name = "widgetcast", version, max_term_width = 100)]
#[command(after_help = "Exit codes: 0 clean, 1 findings, 2 could not run.")]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// List the widgets of a directory, or of the gallery
    List {
        /// The directory, searched recursively
        #[arg(value_hint = ValueHint::DirPath)]
        dir: Option<PathBuf>,
        /// Print JSON: names, descriptions, schemas
        #[arg(long)]
        json: bool,
    },
    /// Look for faults in widgets, and mend what can be mended
    Check {
        /// A directory, searched recursively, one file, or the URL of a running server
        #[arg(value_hint = ValueHint::AnyPath)]
        path: Option<PathBuf>,
        /// Ask for a schema and a sample too, and take warnings as errors
        #[arg(long)]
        strict: bool,
        /// Write the repairs that are safe to the files
        #[arg(long)]
        fix: bool,
        /// Show notes too, not only how many there are
        #[arg(long)]
        notes: bool,
        /// Say what these hosts cannot show or do, and what their directories of apps ask for
        #[arg(long, value_name = "HOST", value_delimiter = ',', value_parser = check::host)]
        host: Vec<&'static Host>,
        #[command(flatten)]
        credentials: mcp_client::Credentials,
        /// How to print the findings
        #[arg(long, value_enum, default_value_t = report::Format::Human)]
        format: report::Format,
    },
    /// Draw a widget
    Render {
        /// A widget's name, or the path of its file
        #[arg(value_hint = ValueHint::AnyPath)]
        widget: String,
        /// The directory in which to look for the name
        #[arg(long, value_hint = ValueHint::DirPath)]
        dir: Option<PathBuf>,
        /// The data: a file, `-` for standard input, or JSON itself
        #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "sample")]
        data: Option<String>,
        /// Draw the widget's own sample (the default without --data)
        #[arg(long)]
        sample: bool,
        /// Print the checked component tree as JSON
        #[arg(long, conflicts_with = "surface")]
        json: bool,
        /// Show it as a host would: by default as the terminal does, or as text in a pipe
        #[arg(long, value_parser = clap::builder::PossibleValuesParser::new(render::surface_names()))]
        surface: Option<String>,
    },
    /// Read a tool result from standard input and draw what a host could show of it
    Extract {
        /// Print what was found as JSON
        #[arg(long)]
        json: bool,
    },
    /// Serve widgets over MCP: each is a tool whose results every host can show
    Serve(Box<serve::Args>),
    /// Serve widgets and a chat in which tools answer; its threads are kept
    Chatkit(Box<chatkit::Args>),
    /// Give views to the tools of another MCP server: pass everything through, and add what hosts show
    Wrap(wrap::Args),
    /// Call a tool of a directory, of the gallery or of a server, and draw its result
    Call(call::Args),
    /// Make a key for a caller of a server
    Key(key::Args),
    /// Tell a client, such as Claude Desktop or Cursor, how to start the server
    Install(install::Args),
    /// Pack widgets and this program into one file that desktop hosts install with a click (MCPB)
    Bundle(bundle::Args),
    /// Write the tools of a directory or a server as TypeScript types
    Types(types::Args),
    /// Write a widget in the form of another program, such as ChatKit Studio
    Export(export::Args),
    /// Start a widget of your own from a commented file
    New(new::Args),
    /// Show what `serve` does to the tables of a store when it starts
    Migrations(migrations::Args),
    /// Print the JSON Schema of `.widget` files, for editors
    Schema,
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().verb {
        Verb::List { dir, json } => list::run(dir.as_deref(), json),
        Verb::Check { path, strict, fix, notes, host, credentials, format } => {
            let mut options = if strict { CheckOptions::strict() } else { CheckOptions::default() };
            options.hosts = host;
            let report = report::Options { format, notes };
            check::run(path.as_deref(), &options, fix, &credentials, report)
        }
        Verb::Render { widget, dir, data, json, surface, sample: _ } => {
            let form = if json { Some("json") } else { surface.as_deref() };
            render::run(&widget, dir.as_deref(), data.as_deref(), form)
        }
        Verb::Extract { json } => extract::run(json),
        Verb::Serve(args) => serve::run(*args),
        Verb::Chatkit(args) => chatkit::run(*args),
        Verb::Wrap(args) => wrap::run(args),
        Verb::Call(args) => call::run(&args),
        Verb::Key(args) => key::run(&args),
        Verb::Install(args) => install::run(&args),
        Verb::Bundle(args) => bundle::run(&args),
        Verb::Types(args) => types::run(&args),
        Verb::Export(args) => export::run(&args),
        Verb::New(args) => new::run(&args),
        Verb::Migrations(args) => migrations::run(&args),
        Verb::Schema => new::print_schema(),
        Verb::Completions { shell } => {
            clap_complete::generate(
                shell,
                &mut Cli::command(),
                "widgetcast",
                &mut std::io::stdout(),
            );
            Ok(Outcome::Clean)
        }
    };
    match outcome {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        Err(failure) if is_broken_pipe(&*failure) => ExitCode::SUCCESS,
        Err(failure) => {
            let error = anstyle::AnsiColor::Red.on_default().bold();
            let failure = format!("{failure:#}");
            tell!("{error}error{error:#}: {}", printable(&failure));
            ExitCode::from(2)
        }
    }
}

/// Whether the reader of our output closed it early, as `head` does. That is not a failure.
fn is_broken_pipe(failure: &(dyn std::error::Error + 'static)) -> bool {
    failure
        .downcast_ref::<std::io::Error>()
        .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use clap::{CommandFactory, Parser as _};
    use serde_json::Value;

    use super::Cli;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    fn file(path: &str) -> String {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        std::fs::read_to_string(root.join(path)).unwrap()
    }

    fn after<'t>(text: &'t str, start: &str) -> &'t str {
        let mut lines = text.lines().filter_map(|line| line.trim().strip_prefix(start));
        lines.next().unwrap_or_else(|| panic!("no line begins with {start}"))
    }

    /// What the files in `deploy/` start can be started, and every variable in them is read.
    #[test]
    fn the_commands_of_deploy_are_understood() {
        let docker = file("deploy/Dockerfile");
        let list = |text: &str| serde_json::from_str::<Vec<String>>(text).unwrap();
        let mut image = list(after(&docker, "ENTRYPOINT "));
        let program = image.clone();
        image.extend(list(after(&docker, "CMD ")));
        let unit = file("deploy/widgetcast.service");
        let unit_line = after(&unit, "ExecStart=").split(' ').map(str::to_owned).collect();
        let manifest = file("deploy/kubernetes.yaml");
        let deployment: Value =
            serde_saphyr::from_str(manifest.split("\n---\n").next().unwrap()).unwrap();
        let container = &deployment["spec"]["template"]["spec"]["containers"][0];
        let args: Vec<String> = serde_json::from_value(container["args"].clone()).unwrap();
        let pod = [program, args].concat();
        for line in [image, unit_line, pod] {
            let parsed = Cli::try_parse_from(&line);
            assert!(parsed.is_ok(), "{line:?}: {}", parsed.err().unwrap());
        }
        let mut known: BTreeSet<String> = Cli::command()
            .get_subcommands()
            .flat_map(|verb| verb.get_arguments().collect::<Vec<_>>())
            .filter_map(|arg| Some(arg.get_env()?.to_str()?.to_owned()))
            .collect();
        let settings = file("docs/settings.md");
        known.extend(
            settings.split('`').filter(|word| word.starts_with("WIDGETCAST_")).map(Into::into),
        );
        let is_name = |c: char| c.is_ascii_uppercase() || c == '_';
        for text in [docker, unit, manifest] {
            let words = text.split(|c: char| !is_name(c));
            for word in
                words.filter(|word| word.starts_with("WIDGETCAST_") || word.starts_with("OTEL_"))
            {
                assert!(known.contains(word), "{word}");
            }
        }
    }
}
