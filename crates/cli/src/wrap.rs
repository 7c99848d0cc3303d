//! `widgetcast wrap`: adds views to MCP servers that have none.

use std::path::PathBuf;
use std::time::Duration;

use tokio::runtime::Runtime;
use tracing::level_filters::LevelFilter;
use widgetcast::{App, Settings};
use widgetcast_wrap::{Servers, SessionLimits, Upstream, Wrap};

use crate::listen::ADDRESS;
use crate::mcp_client::Credentials;
use crate::oauth::OAuthArgs;
use crate::outcome::{Failure, Outcome};
use crate::serve::{self, Ending};
use crate::telemetry::{LogFormat, Telemetry};
use crate::tool_file::{self, ViewFile};

/// The arguments of the command.
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "widgetcast wrap [OPTIONS] URL\n       widgetcast wrap [OPTIONS] -- COMMAND…\n       \
        widgetcast wrap [OPTIONS] --config FILE"
)]
#[command(group = clap::ArgGroup::new("server").args(["url", "command"]))]
pub(crate) struct Args {
    /// URL of the server, such as `https://example.com/mcp`
    url: Option<String>,
    /// What follows the URL: a command without `--` before it
    #[arg(hide = true)]
    rest: Vec<String>,
    /// Serve over HTTP at this address, such as 127.0.0.1:8000, instead of stdio
    #[arg(long, visible_alias = "listen", value_name = "ADDR")]
    http: Option<String>,
    /// Serve a gallery of the server's tools over HTTP, and open it in a browser [default address: 127.0.0.1:8000]
    #[arg(long)]
    open: bool,
    /// TOML file with servers, views, settings, keys and access rules [default: widgetcast.toml in the directory of
    /// widgets, if present]
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    config: Option<PathBuf>,
    /// Forward each client's Authorization header to the wrapped server
    #[arg(long, requires_all = ["http", "url"])]
    forward_auth: bool,
    /// Maximum concurrent sessions, each with its own server
    #[arg(long, value_name = "N", default_value_t = SessionLimits::default().max_sessions, requires = "http")]
    max_sessions: usize,
    /// Maximum concurrent sessions per caller: the authenticated caller, or the client's IP address
    #[arg(long, value_name = "N", default_value_t = SessionLimits::default().max_sessions_per_caller, requires = "http")]
    max_sessions_per_client: usize,
    /// Seconds until an idle session ends
    #[arg(long, value_name = "SECONDS", default_value_t = SessionLimits::default().idle.as_secs(), requires = "http")]
    session_timeout: u64,
    /// Allow this Host header, in addition to localhost; `*` for any
    #[arg(long = "allow-host", value_name = "HOST", value_delimiter = ',', requires = "http")]
    hosts: Vec<String>,
    /// Allow CORS requests from this origin; `*` for any
    #[arg(long = "allow-origin", value_name = "ORIGIN", value_delimiter = ',', requires = "http")]
    origins: Vec<String>,
    #[command(flatten)]
    auth: OAuthArgs,
    /// Directory of widgets. A widget renders the results of the tool with the same name, or of the tools that
    /// `[views]` in widgetcast.toml maps to it
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    widgets: Option<PathBuf>,
    /// Reload widgets and widgetcast.toml when they change
    #[arg(long, requires = "widgets")]
    watch: bool,
    /// Pass this tool through without a view; can be repeated
    #[arg(long, value_name = "TOOL", value_delimiter = ',')]
    without: Vec<String>,
    /// Record results in this directory, for `widgetcast suggest` and `check --recordings`
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    record: Option<PathBuf>,
    /// Allow views to load images from this origin, such as `https://images.example.com`
    #[arg(long = "image-origin", value_name = "ORIGIN", value_delimiter = ',')]
    image_origins: Vec<String>,
    #[command(flatten)]
    credentials: Credentials,
    /// Log level on stderr: error, warn, info, debug, trace, off [default: warn, or info with --http]
    #[arg(long, value_name = "LEVEL", env = "WIDGETCAST_LOG")]
    log: Option<LevelFilter>,
    /// Command that starts a stdio server, after `--`
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

pub(crate) fn run(mut args: Args) -> Result<Outcome, Failure> {
    if let Some(dir) = args.widgets.as_ref().filter(|dir| !dir.is_dir()) {
        let dir = dir.display();
        return Err(format!("{dir}: no such directory; `mkdir -p {dir}` creates it").into());
    }
    args.config = args.config.or_else(|| tool_file::of_dir(args.widgets.as_deref()?));
    let servers = servers(&args)?;
    match args.http.clone().or_else(|| args.open.then(|| ADDRESS.to_owned())) {
        Some(http) => over_http(args, http, servers),
        None => over_stdio(args, servers),
    }
}

/// The server on the command line, or those in the configuration file.
fn servers(args: &Args) -> Result<Servers, Failure> {
    if let (Some(program), false) = (&args.url, args.rest.is_empty()) {
        let command = format!("{program} {}", args.rest.join(" "));
        return Err(
            format!("to wrap a command, put `--` before it: widgetcast wrap -- {command}").into()
        );
    }
    let of_file = args.config.as_deref().map(tool_file::servers).transpose()?.flatten();
    let upstream = match (&args.url, args.command.split_first()) {
        (Some(url), _) => Upstream::url(url, args.credentials.headers().into_iter().collect())
            .map_err(|why| format!("{why}; to wrap a command, put `--` before it"))?,
        (None, Some((program, rest))) => Upstream::command(program, rest.to_vec()),
        (None, None) => {
            return of_file.ok_or_else(|| {
                "no server to wrap: give its URL, its command (widgetcast wrap [OPTIONS] -- COMMAND…), or a \
                 configuration file with [servers] (--config FILE)"
                    .into()
            });
        }
    };
    match of_file {
        Some(_) => {
            let file = args.config.as_deref().unwrap_or(tool_file::FILE_NAME.as_ref()).display();
            Err(format!("{file} has [servers]; give no URL or command, or add it there").into())
        }
        None => Ok(upstream.into()),
    }
}

fn over_stdio(args: Args, servers: Servers) -> Result<Outcome, Failure> {
    let _exporting = Telemetry {
        log: args.log.unwrap_or(LevelFilter::WARN),
        format: LogFormat::Human,
        audit: false,
        audit_file: None,
        otlp: None,
        service: (serve::APP_NAME, env!("CARGO_PKG_VERSION")),
    }
    .start()?;
    let mut settings = Settings::default().with_env()?;
    settings.image_origins.extend(args.image_origins);
    let mut app = App::new(serve::APP_NAME, env!("CARGO_PKG_VERSION")).relay().settings(settings);
    if let Some(dir) = &args.widgets {
        app = app.widgets(dir);
    }
    let app = app.build()?;
    app.check_widgets();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let extras = Extras {
        without: args.without,
        record: args.record,
        config: args.config,
        watch: args.watch,
    };
    let wrap = extras.add_to(Wrap::new(app.clone(), servers), &app, &runtime)?;
    if args.watch {
        app.watch()?;
    }
    let served = runtime.block_on(async {
        tokio::select! {
            served = wrap.serve_stdio() => served,
            () = widgetcast::shutdown_signal() => Ok(()),
        }
    });
    // A thread that is blocked reading stdin must not keep the process alive.
    runtime.shutdown_background();
    served?;
    Ok(Outcome::Clean)
}

/// Serves over HTTP like `serve`, with the server instead of tools.
fn over_http(args: Args, http: String, servers: Servers) -> Result<Outcome, Failure> {
    let (config, dir) = (args.config, args.widgets);
    let mut limits = SessionLimits::default();
    limits.max_sessions = args.max_sessions;
    limits.max_sessions_per_caller = args.max_sessions_per_client;
    limits.idle = Duration::from_secs(args.session_timeout);
    let serving = serve::Args {
        dir: dir.clone(),
        http: Some(http),
        open: args.open,
        config: config.clone(),
        watch: args.watch || args.open && dir.is_some(),
        hosts: args.hosts,
        origins: args.origins,
        image_origins: args.image_origins,
        auth: args.auth,
        log: args.log,
        relays: true,
        ..serve::Args::default()
    };
    let extras =
        Extras { without: args.without, record: args.record, config, watch: serving.watch };
    let (forward_auth, open) = (args.forward_auth, args.open);
    serve::run_with(serving, move |app, _, at, runtime| {
        let is_open = !app.has_authenticator() && at.is_some_and(|at| !at.ip().is_loopback());
        if is_open && !forward_auth {
            let words = "wrap exposes the tools of the server to everyone who can reach this address; configure \
                authentication ([[keys]] or --auth-issuer), or listen on 127.0.0.1";
            return Err(words.into());
        }
        let mut wrap = extras.add_to(Wrap::new(app.clone(), servers), &app, runtime)?;
        if forward_auth {
            wrap = wrap.forward_auth()?;
        }
        if open {
            wrap = wrap.gallery(dir)?;
        }
        let _guard = runtime.enter();
        let (app, sessions) = wrap.mount(limits);
        let ending: Ending = Box::pin(async move { sessions.close().await });
        Ok((app, Some(ending)))
    })
}

/// The options that apply however the server is served.
struct Extras {
    without: Vec<String>,
    record: Option<PathBuf>,
    config: Option<PathBuf>,
    watch: bool,
}

impl Extras {
    fn add_to(self, wrap: Wrap, app: &App, runtime: &Runtime) -> Result<Wrap, Failure> {
        let mut wrap = wrap.without(self.without);
        if let Some(dir) = self.record {
            let shown = dir.display().to_string();
            wrap = wrap.record(dir).map_err(|error| format!("{shown}: {error}"))?;
        }
        if let Some(file) = self.config.map(|path| views(path, app)).transpose()? {
            wrap = wrap.views(file.map().clone());
            if self.watch {
                runtime.spawn(file.follow(app.clone()));
            }
        }
        Ok(wrap)
    }
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
