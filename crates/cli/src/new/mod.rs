//! `widgetcast new`: creates a commented widget, and the schema with which editors complete it; with `--tool`
//! also a handler, or with `--app` a whole project. `widgetcast schema` prints that schema.

mod app;
mod file;
mod tool;

use std::path::{Path, PathBuf};

use widgetcast_core::{Catalog, tool_name};

use file::{SCHEMA_FILE, create, schema_text};

use crate::outcome::{Failure, Outcome};

/// The arguments of the command.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Name, such as "Flight Tracker"; for --app a package name, such as helpdesk
    name: String,
    /// Directory to write to
    #[arg(long, value_hint = clap::ValueHint::DirPath, default_value = ".")]
    dir: PathBuf,
    /// Starter to copy
    #[arg(long, value_enum, value_name = "STARTER", default_value_t)]
    from: Starter,
    /// Also create the tool: a handler, its test, and an entry in widgetcast.toml
    #[arg(long, value_enum, value_name = "KIND", conflicts_with_all = ["from", "app"])]
    tool: Option<tool::ToolKind>,
    /// Create a project instead: a Rust server, a widget and a custom page
    #[arg(long, conflicts_with = "from")]
    app: bool,
    /// Framework of the project's page
    #[arg(long, value_enum, value_name = "KIND", requires = "app", default_value_t)]
    page: app::PageKind,
    /// Use the packages of this Widgetcast checkout instead of the registries
    #[arg(long, value_name = "PATH", value_hint = clap::ValueHint::DirPath, requires = "app")]
    from_checkout: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum Starter {
    /// A to-do list with a button
    #[default]
    List,
    /// A header, rows and a total
    Table,
    /// Fields and a submit button
    Form,
    /// A bar chart of a list of points
    Chart,
    /// A question with two buttons
    Confirmation,
    /// A progress bar
    Progress,
    /// A heading, a few facts, and a link
    Card,
}

impl Starter {
    fn text(self) -> &'static str {
        match self {
            Self::List => include_str!("../../starters/list.widget"),
            Self::Table => include_str!("../../starters/table.widget"),
            Self::Form => include_str!("../../starters/form.widget"),
            Self::Chart => include_str!("../../starters/chart.widget"),
            Self::Confirmation => include_str!("../../starters/confirmation.widget"),
            Self::Progress => include_str!("../../starters/progress.widget"),
            Self::Card => include_str!("../../starters/card.widget"),
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let Args { name, dir, from, .. } = args;
    if args.app {
        return app::run(name, dir, args.page, args.from_checkout.as_deref());
    }
    let tool = tool_name(name);
    if tool.is_empty() {
        return Err(format!(
            "no tool name can be derived from {name:?}; use at least one letter or digit"
        )
        .into());
    }
    let file = dir.join(format!("{tool}.widget"));
    if let Some(other) = other_file(dir, &tool).filter(|other| *other != file) {
        let other = other.display();
        return Err(format!("{other} already defines {tool}; choose another name").into());
    }
    let plan = args.tool.map(|kind| tool::plan(kind, dir, &tool)).transpose()?;
    let text = if plan.is_some() { tool::WIDGET } else { from.text() };
    let text = text.replacen("NAME", &serde_json::to_string(name)?, 1);
    std::fs::create_dir_all(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    if !create(&file, &text)? {
        let file = file.display();
        return Err(format!("{file} already exists; choose another name, or delete it").into());
    }
    say!("wrote {}, the tool {tool}", file.display());
    let schema = dir.join(SCHEMA_FILE);
    if create(&schema, &schema_text()?)? {
        say!("wrote {}, the schema for editor completion", schema.display());
    }
    if let Some(plan) = plan {
        return plan.write();
    }
    let (file, dir) = (file.display(), dir.display());
    say!(
        "\nrender it: widgetcast render {file}\ncheck it:  widgetcast check {file}\n\
         edit it:   widgetcast serve {dir} --watch --open   (live preview in the browser)"
    );
    Ok(Outcome::Clean)
}

/// The file in a directory that defines this tool.
fn other_file(dir: &Path, tool: &str) -> Option<PathBuf> {
    let catalog = Catalog::from_dir(dir).ok()?;
    let listing = catalog.list().find(|listing| listing.tool_name == tool)?;
    Some(listing.path.to_owned())
}

/// Prints the JSON Schema of `.widget` files.
pub(crate) fn print_schema() -> Result<Outcome, Failure> {
    out!("{}", schema_text()?);
    Ok(Outcome::Clean)
}
