//! The command line: parses the arguments and runs the verb. Each verb has a file of its own.

#[macro_use]
mod print;

mod allocator;
mod auth;
mod bundle;
mod call;
#[cfg(feature = "chat")]
mod chatkit;
mod check;
mod directory;
mod event_log;
mod export;
mod extract;
mod gallery;
mod health;
mod install;
mod json_text;
mod junit;
mod key;
mod list;
mod listen;
mod mcp_client;
#[cfg(feature = "stores")]
mod migrations;
mod new;
#[cfg(not(feature = "oauth"))]
mod no_oauth;
#[cfg(not(feature = "telemetry"))]
mod no_traces;
#[cfg(feature = "oauth")]
mod oauth;
mod outcome;
mod parts;
mod render;
mod replace_file;
mod report;
mod serve;
mod suggest;
mod telemetry;
mod tool_file;
#[cfg(feature = "telemetry")]
mod traces;
mod types;
mod views;
mod wrap;

#[cfg(not(feature = "oauth"))]
use no_oauth as oauth;
#[cfg(not(feature = "telemetry"))]
use no_traces as traces;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand, ValueHint};
use widgetcast_core::surface::Host;
use widgetcast_core::{CheckOptions, printable};

use crate::outcome::Outcome;

/// Serve one widget definition to every agent host: check, preview and serve widgets over MCP.
///
/// Without a directory, commands use the bundled gallery of widgets.
#[derive(Parser)]
#[command(name = "widgetcast", version, max_term_width = 100)]
#[command(after_help = "Exit codes: 0 success, 1 findings, 2 error.")]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// List the widgets in a directory or in the gallery
    List {
        /// Directory to search, recursively
        #[arg(value_hint = ValueHint::DirPath)]
        dir: Option<PathBuf>,
        /// Print names, descriptions and schemas as JSON
        #[arg(long)]
        json: bool,
    },
    /// Check widgets for errors, and fix what can be fixed safely
    Check {
        /// Directory (searched recursively), file, or URL of a running server
        #[arg(value_hint = ValueHint::AnyPath)]
        path: Option<PathBuf>,
        /// Also require a schema and a sample, and treat warnings as errors
        #[arg(long)]
        strict: bool,
        /// Apply the safe fixes to the files
        #[arg(long)]
        fix: bool,
        /// Print notes instead of just counting them
        #[arg(long)]
        notes: bool,
        /// Report what these hosts cannot show, and what their app directories require
        #[arg(long, value_name = "HOST", value_delimiter = ',', value_parser = check::host)]
        host: Vec<&'static Host>,
        /// Also render the results that `wrap --record` wrote to this directory
        #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
        recordings: Option<PathBuf>,
        #[command(flatten)]
        credentials: mcp_client::Credentials,
        /// Output format
        #[arg(long, value_enum, default_value_t = report::Format::Human)]
        format: report::Format,
    },
    /// Render a widget
    Render {
        /// Name or path of the widget
        #[arg(value_hint = ValueHint::AnyPath)]
        widget: String,
        /// Directory of widgets, if WIDGET is a name [default: the gallery]
        #[arg(long, value_hint = ValueHint::DirPath)]
        dir: Option<PathBuf>,
        /// Data: a file, `-` for stdin, or inline JSON
        #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "sample")]
        data: Option<String>,
        /// Render the widget's sample (the default without --data)
        #[arg(long)]
        sample: bool,
        /// Print the validated component tree as JSON
        #[arg(long, conflicts_with = "surface")]
        json: bool,
        /// Surface to render for [default: terminal, or text if stdout is not a terminal]
        #[arg(long, value_parser = clap::builder::PossibleValuesParser::new(render::surface_names()))]
        surface: Option<String>,
    },
    /// Extract what a host can render from a tool result on stdin
    Extract {
        /// Print the extracted payloads as JSON
        #[arg(long)]
        json: bool,
    },
    /// Serve widgets over MCP: each widget is a tool, rendered for every host
    Serve(Box<serve::Args>),
    #[cfg(feature = "chat")]
    /// Serve widgets with a ChatKit backend, stored threads and a chat page
    Chatkit(Box<chatkit::Args>),
    /// Proxy another MCP server and add views to its tool results
    Wrap(Box<wrap::Args>),
    /// Draft a widget for a tool from its recorded results
    Suggest(suggest::Args),
    /// Call a tool from a directory, the gallery or a server, and render its result
    Call(call::Args),
    /// Generate an API key and its config entry
    Key(key::Args),
    /// Configure a client, such as Claude Desktop or Cursor, to use the server
    Install(install::Args),
    /// Bundle widgets and this binary into one installable file for desktop hosts (MCPB)
    Bundle(bundle::Args),
    /// Generate TypeScript types for the tools of a directory or a server
    Types(types::Args),
    /// Export a widget for another program, such as ChatKit Studio
    Export(export::Args),
    /// Create a widget, a tool or a project from a starter
    New(new::Args),
    #[cfg(feature = "stores")]
    /// Show the database migrations that `serve` and `chatkit` run at startup
    Migrations(migrations::Args),
    /// Check that a server is ready, for container health checks
    Health(health::Args),
    /// Print the JSON Schema of `.widget` files, for editors
    Schema,
    /// Generate shell completions
    Completions {
        /// Shell to generate completions for
        shell: clap_complete::Shell,
    },
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().verb {
        Verb::List { dir, json } => list::run(dir.as_deref(), json),
        Verb::Check { path, strict, fix, notes, host, recordings, credentials, format } => {
            let mut options = if strict { CheckOptions::strict() } else { CheckOptions::default() };
            options.hosts = host;
            let report = report::Options { format, notes };
            let recordings = recordings.as_deref();
            check::run(path.as_deref(), &options, fix, recordings, &credentials, report)
        }
        Verb::Render { widget, dir, data, json, surface, sample: _ } => {
            let form = if json { Some("json") } else { surface.as_deref() };
            render::run(&widget, dir.as_deref(), data.as_deref(), form)
        }
        Verb::Extract { json } => extract::run(json),
        Verb::Serve(args) => serve::run(*args),
        #[cfg(feature = "chat")]
        Verb::Chatkit(args) => chatkit::run(*args),
        Verb::Wrap(args) => wrap::run(*args),
        Verb::Suggest(args) => suggest::run(&args),
        Verb::Call(args) => call::run(&args),
        Verb::Key(args) => key::run(&args),
        Verb::Install(args) => install::run(&args),
        Verb::Bundle(args) => bundle::run(&args),
        Verb::Types(args) => types::run(&args),
        Verb::Export(args) => export::run(&args),
        Verb::New(args) => new::run(&args),
        #[cfg(feature = "stores")]
        Verb::Migrations(args) => migrations::run(&args),
        Verb::Health(args) => health::run(&args),
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

/// Whether the reader of our output has closed it early, as `head` does. That is not a failure.
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

    /// The commands in the files in `deploy/` work, and every variable in them is used.
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
        let health = list(after(&docker, "HEALTHCHECK CMD "));
        for line in [image, health, unit_line, pod] {
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
