//! `widgetcast wrap`: views in front of an MCP server that has none.

use std::path::PathBuf;

use tracing::level_filters::LevelFilter;
use widgetcast::{App, Settings};
use widgetcast_wrap::{Upstream, Wrap};

use crate::mcp_client::Credentials;
use crate::outcome::{Failure, Outcome};
use crate::serve;
use crate::telemetry::{LogFormat, Telemetry};

/// The arguments of the command.
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "widgetcast wrap [OPTIONS] URL\n       widgetcast wrap [OPTIONS] -- COMMAND…"
)]
#[command(group = clap::ArgGroup::new("server").required(true).args(["url", "command"]))]
pub(crate) struct Args {
    /// The URL of a server, such as `https://example.com/mcp`
    url: Option<String>,
    /// Draw results with the widgets of this directory: each draws those of the tool that has its name
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    widgets: Option<PathBuf>,
    /// Reload widgets when their files change
    #[arg(long, requires = "widgets")]
    watch: bool,
    /// Pass this tool through without a view; may be given more than once
    #[arg(long, value_name = "TOOL", value_delimiter = ',')]
    without: Vec<String>,
    /// The origin of images that views may load, such as `https://images.example.com`
    #[arg(long = "image-origin", value_name = "ORIGIN", value_delimiter = ',')]
    image_origins: Vec<String>,
    #[command(flatten)]
    credentials: Credentials,
    /// What to log on standard error: error, warn, info, debug, trace, off
    #[arg(long, value_name = "LEVEL", env = "WIDGETCAST_LOG", default_value = "warn")]
    log: LevelFilter,
    /// The command that starts a server over stdio, after `--`
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

pub(crate) fn run(args: Args) -> Result<Outcome, Failure> {
    let upstream = match (&args.url, args.command.split_first()) {
        (Some(url), _) => Upstream::url(url, args.credentials.headers().into_iter().collect())?,
        (None, Some((program, rest))) => Upstream::command(program, rest.to_vec()),
        (None, None) => return Err("there is no server to wrap".into()),
    };
    if let Some(dir) = args.widgets.as_ref().filter(|dir| !dir.is_dir()) {
        return Err(format!("{}: there is no such directory", dir.display()).into());
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
    if args.watch {
        app.watch()?;
    }
    let wrap = Wrap::new(app, upstream).without(args.without);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
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
