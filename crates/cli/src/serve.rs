//! `widgetcast serve`: resolves arguments, environment and configuration file into one [`Config`],
//! and serves it.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::time::Duration;

use serde::Deserialize;
use serde::de::IgnoredAny;
use tokio::runtime::Runtime;
use tracing::level_filters::LevelFilter;
use widgetcast::{App, Builder, Settings};
use widgetcast_core::Catalog;

use crate::allocator;
use crate::auth::{self, Auth};
use crate::event_log;
use crate::gallery;
use crate::listen::{ADDRESS, address, cannot_listen, open_page};
use crate::oauth::{self, OAuthConfig};
use crate::outcome::{Failure, Outcome};
use crate::parts;
use crate::telemetry::{LogFormat, Telemetry};
use crate::tool_file::{self, ToolFile};
use crate::traces;

/// Timeout of dropping what is still running.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(1);

/// The default name of the server.
pub(crate) const APP_NAME: &str = "widgetcast";

/// The arguments of the command, with their environment variables.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Args {
    /// Directory of widgets, searched recursively [default: the gallery]
    #[arg(value_hint = clap::ValueHint::DirPath, env = "WIDGETCAST_DIR")]
    pub dir: Option<PathBuf>,
    /// Address to serve HTTP on [default: 127.0.0.1:8000]
    #[arg(long, visible_alias = "listen", value_name = "ADDR", env = "WIDGETCAST_HTTP")]
    pub http: Option<String>,
    /// Port on 127.0.0.1 to listen on (shorthand for --http :N)
    #[arg(long, value_name = "N", conflicts_with = "stdio")]
    pub port: Option<u16>,
    /// Open the gallery in a browser
    #[arg(long, conflicts_with = "stdio")]
    pub open: bool,
    /// Serve over stdio
    #[arg(long)]
    pub stdio: bool,
    /// Add the display tools: chat, search results, table, dashboard, demo
    #[arg(long, env = "WIDGETCAST_DISPLAY")]
    pub display: bool,
    /// Serve only the display tools
    #[arg(long, requires = "display", conflicts_with = "dir")]
    pub only: bool,
    /// Name reported to clients [default: widgetcast]
    #[arg(long, env = "WIDGETCAST_NAME")]
    pub name: Option<String>,
    /// Version reported to clients [default: the version of widgetcast]
    #[arg(long, value_name = "VERSION", env = "WIDGETCAST_SERVER_VERSION")]
    pub server_version: Option<String>,
    /// Store for view data: memory:, sqlite:PATH, postgres://… or redis://… [default: memory:, or
    /// sqlite:chatkit.db for `chatkit`]
    #[arg(long, value_name = "URL", env = "WIDGETCAST_STORE", hide_env_values = true)]
    pub store: Option<String>,
    /// Reload changed files
    #[arg(long, env = "WIDGETCAST_WATCH")]
    pub watch: bool,
    /// Surfaces to send to every client, instead of detecting them per request
    #[arg(long = "surface", value_name = "NAME", value_delimiter = ',')]
    pub surfaces: Vec<String>,
    /// TOML file with settings and tools [default: widgetcast.toml in the directory, if present]
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath, env = "WIDGETCAST_CONFIG")]
    pub config: Option<PathBuf>,
    /// Allow this Host header, in addition to localhost; `*` for any
    #[arg(long = "allow-host", value_name = "HOST", value_delimiter = ',')]
    pub hosts: Vec<String>,
    /// Allow CORS requests from this origin; `*` for any
    #[arg(long = "allow-origin", value_name = "ORIGIN", value_delimiter = ',')]
    pub origins: Vec<String>,
    /// Allow widgets to load images from this origin, such as `https://images.example.com`
    #[arg(long = "image-origin", value_name = "ORIGIN", value_delimiter = ',')]
    pub image_origins: Vec<String>,
    /// Requests per second per client; 0 for no limit [default: 200]
    #[arg(long, value_name = "N")]
    pub rate_limit: Option<u32>,
    /// Reject arguments of the wrong type, such as "7" for a number, instead of coercing them
    #[arg(long)]
    pub strict_arguments: bool,
    /// Serve TLS with this PEM certificate chain; reloaded when it changes
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath, requires = "tls_key")]
    pub tls_cert: Option<String>,
    /// Private key of the certificate, as PEM
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath, requires = "tls_cert")]
    pub tls_key: Option<String>,
    #[command(flatten)]
    pub auth: oauth::OAuthArgs,
    /// Log level on stderr: error, warn, info, debug, trace, off [default: info]
    #[arg(long, value_name = "LEVEL", env = "WIDGETCAST_LOG")]
    pub log: Option<LevelFilter>,
    /// Log format [default: human]
    #[arg(long, value_enum, value_name = "FORMAT", env = "WIDGETCAST_LOG_FORMAT")]
    pub log_format: Option<LogFormat>,
    /// Log every tool call as a JSON line: caller, tool, outcome and duration, without arguments or results
    #[arg(long)]
    pub audit: bool,
    /// Write the audit log to this file instead of stderr
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath, env = "WIDGETCAST_AUDIT_FILE")]
    pub audit_file: Option<PathBuf>,
    /// Export traces to this OTLP endpoint, such as http://localhost:4318
    #[arg(long, value_name = "URL", env = "OTEL_EXPORTER_OTLP_ENDPOINT")]
    pub otlp: Option<String>,
    /// Whether a mounted service replaces the tools: then widgets are not tools, and `[access]` applies to
    /// the service.
    #[arg(skip)]
    pub relays: bool,
}

/// The members of a configuration file.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct File {
    dir: Option<PathBuf>,
    http: Option<String>,
    stdio: bool,
    display: bool,
    only: bool,
    name: Option<String>,
    version: Option<String>,
    store: Option<String>,
    watch: bool,
    log: Option<String>,
    log_format: Option<LogFormat>,
    audit_file: Option<PathBuf>,
    otlp: Option<String>,
    auth: Option<OAuthConfig>,
    keys: Vec<auth::Key>,
    access: BTreeMap<String, auth::Rules>,
    /// Parsed by [`ToolFile`], which parses them again when they change.
    tools: IgnoredAny,
    /// For `wrap`: the servers, and the views of their tools.
    servers: IgnoredAny,
    views: IgnoredAny,
    settings: Settings,
}

/// The resolved configuration.
struct Config {
    dir: Option<PathBuf>,
    /// `None` for stdio.
    http: Option<String>,
    open: bool,
    display: bool,
    only: bool,
    name: Option<String>,
    version: Option<String>,
    store: Option<String>,
    watch: bool,
    log: LevelFilter,
    log_format: LogFormat,
    audit_file: Option<PathBuf>,
    otlp: Option<String>,
    auth: Auth,
    tools: Option<ToolFile>,
    relays: bool,
    settings: Settings,
}

/// Flags take precedence over the environment, which takes precedence over the file.
fn resolve(args: Args) -> Result<Config, Failure> {
    let config = args.config.or_else(|| tool_file::of_dir(args.dir.as_deref()?));
    let file = match &config {
        None => File::default(),
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            let mut file: File = tool_file::parse_config(&text, path)?;
            // A relative path in a file is relative to that file.
            let beside = |dir: &Path| path.parent().unwrap_or(Path::new("")).join(dir);
            file.dir = file.dir.as_deref().map(beside);
            file.audit_file = file.audit_file.as_deref().map(beside);
            for pem in [&mut file.settings.tls_cert, &mut file.settings.tls_key] {
                let path = pem.take().map(|pem| beside(Path::new(&pem)));
                *pem = path.map(|path| path.display().to_string());
            }
            file.store = file.store.map(|url| match url.strip_prefix("sqlite:") {
                Some(at) if !at.starts_with("//") => {
                    format!("sqlite:{}", beside(Path::new(at)).display())
                }
                _ => url,
            });
            file
        }
    };
    let mut settings = file.settings.with_env()?;
    if !args.surfaces.is_empty() {
        settings.surfaces = Some(args.surfaces);
    }
    settings.allowed_hosts.extend(args.hosts);
    settings.cors.origins.extend(args.origins);
    settings.image_origins.extend(args.image_origins);
    settings.rate_limit = args.rate_limit.unwrap_or(settings.rate_limit);
    settings.strict_arguments |= args.strict_arguments;
    let audit_file = args.audit_file.or(file.audit_file);
    settings.audit |= args.audit || audit_file.is_some();
    settings.tls_cert = args.tls_cert.or(settings.tls_cert);
    settings.tls_key = args.tls_key.or(settings.tls_key);
    let relays = args.relays;
    if relays && !args.open {
        // The app has no tools of its own.
        settings.gallery = Some(false);
    }
    let http = args.port.map(|port| format!(":{port}")).or(args.http);
    let stdio = args.stdio || (file.stdio && http.is_none());
    let log = match (args.log, &file.log) {
        (Some(level), _) => level,
        (None, Some(text)) => {
            text.parse().map_err(|_| format!("log = {text:?} is not a log level"))?
        }
        (None, None) => LevelFilter::INFO,
    };
    let dir = args.dir.or(file.dir.filter(|_| !relays));
    Ok(Config {
        only: if relays { dir.is_none() } else { args.only || file.only },
        watch: args.watch || file.watch && !relays,
        dir,
        http: (!stdio).then(|| http.or(file.http).unwrap_or_else(|| ADDRESS.into())),
        open: args.open,
        display: !relays && (args.display || file.display || file.only),
        name: args.name.or(file.name),
        version: args.server_version.or(file.version),
        store: args.store.or(file.store),
        log,
        log_format: args.log_format.or(file.log_format).unwrap_or_default(),
        audit_file,
        otlp: args.otlp.or(file.otlp).filter(|url| !url.is_empty()),
        auth: Auth::new(oauth::with(file.auth, args.auth), file.keys, file.access),
        tools: config.filter(|_| !relays).map(ToolFile::read).transpose()?,
        relays,
        settings,
    })
}

pub(crate) fn run(args: Args) -> Result<Outcome, Failure> {
    run_with(args, |app, _, _, _| Ok((app, None)))
}

/// Cleanup after the server has stopped.
pub(crate) type Ending = Pin<Box<dyn Future<Output = ()>>>;

/// The same with something next to the app: `with` gets it, the addresses of the store and of the server, and
/// the runtime.
pub(crate) fn run_with(
    args: Args,
    with: impl FnOnce(
        App,
        Option<&str>,
        Option<SocketAddr>,
        &Runtime,
    ) -> Result<(App, Option<Ending>), Failure>,
) -> Result<Outcome, Failure> {
    allocator::give_memory_back();
    let config = resolve(args)?;
    let _exporting = Telemetry {
        log: config.log,
        format: config.log_format,
        audit: config.settings.audit,
        audit_file: config.audit_file.as_deref(),
        otlp: config.otlp.as_deref(),
        service: (
            config.name.as_deref().unwrap_or(APP_NAME),
            config.version.as_deref().unwrap_or(env!("CARGO_PKG_VERSION")),
        ),
    }
    .start()?;
    let http = config.http.as_deref().map(address).transpose()?;
    if let Some(at) = http
        && !at.ip().is_loopback()
        && config.settings.allowed_hosts.is_empty()
    {
        tracing::warn!(
            "only requests for localhost are accepted; add --allow-host NAME to accept others"
        );
    }
    let mut app = match config.only {
        true => empty_app(),
        false => app(config.dir.as_deref())?,
    };
    if config.relays {
        app = app.relay();
    }
    if config.display {
        app = parts::add_display(app)?;
    }
    if let Some(tools) = &config.tools {
        app = tools.add_to(app);
    }
    if config.otlp.is_some() {
        app = traces::follow_traces(app);
    }
    if let Some(name) = config.name {
        app = app.title(&name).name(name);
    }
    if let Some(version) = config.version {
        app = app.version(version);
    }
    // A pipe has one caller, who can start the program.
    let provider = match http {
        Some(_) => {
            let (with, provider) = config.auth.add_to(app, config.relays)?;
            app = with;
            provider
        }
        None => None,
    };
    let runtime = runtime(http.is_some())?;
    if let Some(url) = &config.store {
        app = runtime.block_on(parts::add_store(app, url, &config.settings.store))?;
    }
    let listener = event_log::listener(config.relays);
    let app = app.settings(config.settings).on_event(listener).build()?;
    let (app, ending) = with(app, config.store.as_deref(), http, &runtime)?;
    if config.watch {
        match &config.dir {
            Some(dir) if dir.is_dir() => app.watch()?,
            Some(file) => {
                let file = file.display();
                return Err(format!("--watch needs a directory, and {file} is a file").into());
            }
            None => return Err("--watch needs a directory; the gallery does not change".into()),
        }
        if let Some(tools) = config.tools {
            runtime.spawn(tools.follow(app.clone()));
        }
    }
    if config.dir.as_ref().is_some_and(|dir| dir.is_file()) {
        app.check_widgets();
    }
    let served = runtime.block_on(async {
        let served = match http {
            None => app.serve_stdio(widgetcast::shutdown_signal()).await,
            Some(at) => {
                let listener = tokio::net::TcpListener::bind(at).await;
                let listener = listener.map_err(|error| cannot_listen(at, &error))?;
                if let Some(provider) = provider {
                    tokio::spawn(oauth::check(provider));
                }
                if config.open {
                    open_page(listener.local_addr()?);
                }
                app.serve_listener(listener, widgetcast::shutdown_signal()).await
            }
        };
        if let Some(ending) = ending {
            ending.await;
        }
        served
    });
    match http {
        // Drops what is still running, including child processes.
        Some(_) => runtime.shutdown_timeout(SHUTDOWN_TIMEOUT),
        // A thread that is blocked reading stdin must not keep the process alive.
        None => runtime.shutdown_background(),
    }
    served?;
    Ok(Outcome::Clean)
}

/// stdio has one client, and on one core, more threads are no faster: a single thread avoids the
/// synchronization of the multi-threaded runtime.
fn runtime(is_http: bool) -> std::io::Result<Runtime> {
    let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
    let mut builder = match is_http {
        true if cores() > 1 => tokio::runtime::Builder::new_multi_thread(),
        _ => tokio::runtime::Builder::new_current_thread(),
    };
    builder.enable_all().build()
}

/// An app with its name and instructions, and no tools.
fn empty_app() -> Builder {
    App::new(APP_NAME, env!("CARGO_PKG_VERSION"))
        .title("Widgetcast")
        .instructions("Each tool displays the data in its arguments: pass real data.")
        .view_instructions(
            "The user sees the result as a widget; do not repeat its content as text.",
        )
}

/// The app that serves a directory, or the gallery.
pub(crate) fn app(dir: Option<&Path>) -> Result<Builder, Failure> {
    let app = empty_app();
    Ok(match dir {
        Some(dir) if dir.is_dir() => app.widgets(dir),
        Some(file) if file.is_file() => app.catalog(Catalog::from_file(file)),
        Some(dir) => {
            let dir = dir.display();
            let advice =
                format!("`widgetcast new \"My Widget\" --dir {dir}` creates it, with a widget");
            return Err(format!("{dir}: no such directory; {advice}").into());
        }
        None => app.catalog(gallery::catalog(None)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All files of the gallery page can be served.
    #[test]
    fn files_of_the_page_about_callers() {
        let page = include_str!("../../../docs/auth.md");
        let blocks: Vec<&str> = page.split("```toml\n").skip(1).collect();
        assert!(blocks.len() >= 10, "{}", blocks.len());
        for block in blocks {
            let text = block.split("```").next().unwrap();
            let file: File = toml::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
            let auth = Auth::new(file.auth, file.keys, file.access);
            let (app, _) = auth.add_to(app(None).unwrap(), false).unwrap();
            app.build().unwrap_or_else(|error| panic!("{error}: {text}"));
        }
    }

    #[test]
    fn flags_take_precedence_over_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("widgetcast.toml");
        let text = "dir = \"cards\"\nhttp = \"127.0.0.1:1\"\nstdio = true\nlog = \"warn\"\n\
                    name = \"chatui\"\nversion = \"1.0.0\"\nonly = true\n\
                    store = \"sqlite:views.db\"\n\
                    [settings]\nrate_limit = 5\nallowed_hosts = [\"a.example\"]\n\
                    tls_cert = \"it.crt\"\ntls_key = \"/etc/it.key\"\n";
        std::fs::write(&path, text).unwrap();
        let with = |args: Args| resolve(Args { config: Some(path.clone()), ..args }).unwrap();

        let file = with(Args::default());
        assert_eq!(file.dir, Some(folder.path().join("cards")));
        assert_eq!(file.http, None);
        assert_eq!(
            (file.name.as_deref(), file.version.as_deref()),
            (Some("chatui"), Some("1.0.0"))
        );
        assert!(file.only && file.display);
        let beside = folder.path().join("views.db");
        assert_eq!(file.store, Some(format!("sqlite:{}", beside.display())));
        assert_eq!(file.log, LevelFilter::WARN);
        assert_eq!(file.settings.rate_limit, 5);
        let beside = folder.path().join("it.crt").display().to_string();
        assert_eq!(file.settings.tls_cert, Some(beside));
        assert_eq!(file.settings.tls_key.as_deref(), Some("/etc/it.key"));

        let flags = with(Args {
            dir: Some("mine".into()),
            http: Some(":2".into()),
            log: Some(LevelFilter::OFF),
            rate_limit: Some(7),
            tls_cert: Some("mine.crt".into()),
            store: Some("memory:".into()),
            strict_arguments: true,
            hosts: vec!["b.example".into()],
            surfaces: vec!["text".into()],
            ..Args::default()
        });
        assert_eq!(flags.dir, Some("mine".into()));
        assert_eq!(flags.http.as_deref(), Some(":2"), "--http is stronger than stdio in the file");
        assert_eq!(flags.log, LevelFilter::OFF);
        assert_eq!(flags.settings.rate_limit, 7);
        assert_eq!(flags.settings.tls_cert.as_deref(), Some("mine.crt"));
        assert_eq!(flags.store.as_deref(), Some("memory:"));
        assert!(flags.settings.strict_arguments && !file.settings.strict_arguments);
        assert_eq!(flags.settings.allowed_hosts, ["a.example", "b.example"]);
        assert_eq!(flags.settings.surfaces, Some(vec!["text".to_owned()]));

        assert_eq!(resolve(Args::default()).unwrap().http.as_deref(), Some(ADDRESS));
    }

    #[test]
    fn the_file_of_the_directory_is_read_unless_another_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let (dir, other) = (folder.path().to_owned(), folder.path().join("other.toml"));
        let name = |args: Args| resolve(args).unwrap().name;
        let of_dir = || Args { dir: Some(dir.clone()), ..Args::default() };
        assert_eq!(name(of_dir()), None);
        std::fs::write(dir.join("widgetcast.toml"), "name = \"beside\"\n").unwrap();
        std::fs::write(&other, "name = \"other\"\n").unwrap();
        assert_eq!(name(of_dir()).as_deref(), Some("beside"));
        let config = Some(other);
        assert_eq!(name(Args { config, ..of_dir() }).as_deref(), Some("other"));
        let flag = Some("flag".to_owned());
        assert_eq!(name(Args { name: flag, ..of_dir() }).as_deref(), Some("flag"));
    }

    #[test]
    fn a_file_with_a_mistake_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("widgetcast.toml");
        for (text, message) in [
            ("prot = 1", "unknown field `prot`"),
            ("log = \"loud\"", "is not a log level"),
            ("audit = true", "help: audit belongs under [settings]"),
            ("[settings]\notlp = \"x\"", "help: otlp belongs before the first table"),
            ("[settings]\nstore = \"sqlite:a.db\"", "the URL is `store` before the first table"),
            ("[settings]\ncall_timout = 4", "help: did you mean call_timeout?"),
        ] {
            std::fs::write(&path, text).unwrap();
            let args = Args { config: Some(path.clone()), ..Args::default() };
            let error = resolve(args).err().unwrap().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
