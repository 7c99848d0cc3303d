//! `widgetcast wrap`: views in front of an MCP server that has none.

use std::path::PathBuf;

use tracing::level_filters::LevelFilter;
use widgetcast::{App, Settings};
use widgetcast_wrap::{Upstream, Wrap};

use crate::mcp_client::Credentials;
use crate::outcome::{Failure, Outcome};
use crate::serve;
use crate::telemetry::{LogFormat, Telemetry};
use crate::tool_file::{self, ViewFile};

/// The arguments of the command.
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "widgetcast wrap [OPTIONS] URL\n       widgetcast wrap [OPTIONS] -- COMMAND…"
)]
#[command(group = clap::ArgGroup::new("server").required(true).args(["url", "command"]))]
pub(crate) struct Args {
    /// URL of the server, such as `https://example.com/mcp`
    url: Option<String>,
    /// Directory of widgets: each renders the results of the tool that `[views]` in its widgetcast.toml maps to
    /// it, or of the tool with the same name
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    widgets: Option<PathBuf>,
    /// Reload widgets and widgetcast.toml when they change
    #[arg(long, requires = "widgets")]
    watch: bool,
    /// Pass this tool through without a view; repeat for several
    #[arg(long, value_name = "TOOL", value_delimiter = ',')]
    without: Vec<String>,
    /// Record results in this directory, to design widgets for them
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    record: Option<PathBuf>,
    /// Allow views to load images from this origin, such as `https://images.example.com`
    #[arg(long = "image-origin", value_name = "ORIGIN", value_delimiter = ',')]
    image_origins: Vec<String>,
    #[command(flatten)]
    credentials: Credentials,
    /// Log level on stderr: error, warn, info, debug, trace, off
    #[arg(long, value_name = "LEVEL", env = "WIDGETCAST_LOG", default_value = "warn")]
    log: LevelFilter,
    /// Command that starts a stdio server, after `--`
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

pub(crate) fn run(args: Args) -> Result<Outcome, Failure> {
    let upstream = match (&args.url, args.command.split_first()) {
        (Some(url), _) => Upstream::url(url, args.credentials.headers().into_iter().collect())?,
        (None, Some((program, rest))) => Upstream::command(program, rest.to_vec()),
        (None, None) => return Err("no server to wrap: give a URL, or a command after --".into()),
    };
    if let Some(dir) = args.widgets.as_ref().filter(|dir| !dir.is_dir()) {
        return Err(format!("{}: no such directory", dir.display()).into());
    }
    let _exporting = Telemetry {
        log: args.log,
        format: LogFormat::Human,
        audit: false,
        audit_file: None,
        otlp: None,
        service: (serve::APP_NAME, env!("CARGO_PKG_VERSION")),
    }
    .start()?;
    let mut settings = Settings::default().with_env()?;
    settings.image_origins.extend(args.image_origins);
    let mut app = App::new(serve::APP_NAME, env!("CARGO_PKG_VERSION")).settings(settings);
    if let Some(dir) = &args.widgets {
        app = app.widgets(dir);
    }
    let app = app.build()?;
    app.check_widgets();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut wrap = Wrap::new(app.clone(), upstream).without(args.without);
    if let Some(dir) = args.record {
        let shown = dir.display().to_string();
        wrap = wrap.record(dir).map_err(|error| format!("{shown}: {error}"))?;
    }
    let config = args.widgets.as_deref().and_then(tool_file::of_dir);
    if let Some(file) = config.map(|path| views(path, &app)).transpose()? {
        wrap = wrap.views(file.map().clone());
        if args.watch {
            runtime.spawn(file.follow(app.clone()));
        }
    }
    if args.watch {
        app.watch()?;
    }
    let served = runtime.block_on(async {
        tokio::select! {
            served = wrap.serve_stdio() => served,
            () = widgetcast::shutdown_signal() => Ok(()),
        }
    });
    // A thread that blocks in a read of standard input must not keep the process alive.
    runtime.shutdown_background();
    served?;
    Ok(Outcome::Clean)
}

/// The views of a file, whose widgets an app must have.
fn views(path: PathBuf, app: &App) -> Result<ViewFile, Failure> {
    let shown = path.display().to_string();
    let file = ViewFile::read(path)?.map_err(|error| format!("{shown}: {error}"))?;
    match file.map().missing_widgets(&app.current_catalog()).first() {
        Some(error) => Err(format!("{shown}: {error}").into()),
        None => Ok(file),
    }
}
