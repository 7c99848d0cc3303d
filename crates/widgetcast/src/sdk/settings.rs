//! Settings: everything about serving that is not part of the app itself.

use std::net::SocketAddr;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use widgetcast_core::surface::page::origin as origin_of;
use widgetcast_core::{JsonRef, Reading, Schema, nearest};

use super::quota_limits::QuotaLimits;
use super::store_limits::StoreLimits;
use crate::declaration::origin::is_origin;
use crate::declaration::seconds;

/// The prefix of environment variables.
const PREFIX: &str = "WIDGETCAST_";

/// The settings of a server. The defaults are safe: loopback only, and everything is bounded.
///
/// ```
/// use std::time::Duration;
/// use widgetcast::Settings;
///
/// let settings = Settings::default()
///     .allowed_hosts(["widgets.example.com"])
///     .call_timeout(Duration::from_secs(10))
///     .max_request_bytes(1 << 20);
/// assert_eq!(settings.call_timeout, Duration::from_secs(10));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Settings {
    /// Surfaces sent to every client, instead of detecting them per request.
    pub surfaces: Option<Vec<String>>,
    /// Origins from which widgets may load images, in views, Slack messages, cards and e-mail. Other images
    /// are replaced by their alt text.
    pub image_origins: Vec<String>,
    /// Public URL of the server, such as `https://widgets.example.com/mcp`. Pages then request a dedicated
    /// domain from each host, which app directories require.
    pub public_url: Option<String>,
    /// Whether to declare the visibility of tools that both the model and views may call. By default it is
    /// omitted, as the protocol allows; some clients fail on the declaration, and others require it.
    pub explicit_visibility: bool,
    /// Whether `/` serves the gallery, a page with every tool and all findings. By default, it is served
    /// only to local requests that do not come through a proxy.
    pub gallery: Option<bool>,
    /// Page size of `tools/list`, `resources/list` and `prompts/list`.
    pub page_size: usize,
    /// How long clients may cache a list, in seconds.
    #[serde(with = "seconds")]
    #[schemars(with = "f64")]
    pub list_ttl: Duration,
    /// `Host` headers to accept in addition to localhost; `*` for any.
    pub allowed_hosts: Vec<String>,
    /// CORS for web pages that call the server.
    pub cors: Cors,
    /// Maximum size of a request body.
    pub max_request_bytes: usize,
    /// Maximum size of a tool result or any other response, and of the data buffered for one connection.
    pub max_response_bytes: usize,
    /// Maximum size of the text that accompanies a view. Longer text is truncated at the end of a line, and
    /// a note states how much is missing; the view and the data stay complete.
    pub max_text_bytes: usize,
    /// Maximum total bytes buffered for larger requests and for responses to slow clients; above it,
    /// requests get 503 with `Retry-After`.
    pub max_buffered_bytes: usize,
    /// Memory limit of the process in bytes; above it, large or slow requests get 503 with `Retry-After`.
    /// By default, 90 % of the cgroup limit, if there is one.
    pub max_memory: Option<usize>,
    /// Seconds that a client has to read a response, plus one second for every 16 KiB it has read; then
    /// the connection is closed.
    #[serde(with = "seconds")]
    #[schemars(with = "f64")]
    pub write_timeout: Duration,
    /// Maximum concurrent requests; further ones get 503 with `Retry-After`.
    pub max_concurrent: usize,
    /// Maximum open connections; further ones wait.
    pub max_connections: usize,
    /// Maximum open event streams; keep it below `max_connections`.
    pub max_streams: usize,
    /// Maximum open event streams per caller: the authenticated caller, or the client's IP address.
    pub max_streams_per_client: usize,
    /// Whether to reject arguments of the wrong type. By default, they are coerced if there is exactly one
    /// lossless way: `"7"` becomes 7 where the schema requires a number.
    pub strict_arguments: bool,
    /// Timeout of a tool call, in seconds.
    #[serde(with = "seconds")]
    #[schemars(with = "f64")]
    pub call_timeout: Duration,
    /// Requests per second per client, with bursts of twice as many; 0 for no limit. Local requests are not
    /// limited; behind a proxy, set `client_ip_header`.
    pub rate_limit: u32,
    /// Header in which your proxy sends the client's IP address. Set it only if the proxy always overwrites
    /// it.
    pub client_ip_header: Option<String>,
    /// Bearer token required for `/metrics`. In an app with `auth`, `/metrics` is served only with this
    /// token or with `metrics_address`.
    pub metrics_token: Option<String>,
    /// Separate address for `/metrics`, `/healthz` and `/readyz`; the main address then has no `/metrics`.
    #[schemars(with = "Option<String>")]
    pub metrics_address: Option<SocketAddr>,
    /// Whether every tool call is logged as a `tracing` event with the target `widgetcast::audit`: caller,
    /// tool, outcome and duration, without arguments or results.
    pub audit: bool,
    /// Whether `/debug` reports the state of the process, to local requests and to callers with
    /// `debug_scope`.
    pub debug: bool,
    /// Scope that allows a caller to read `/debug` remotely.
    pub debug_scope: Option<String>,
    /// Secret of at least 16 bytes, in hex or base64. It makes view ids and state keys unguessable and
    /// signs session ids. All processes of a service need the same key. By default, the first process
    /// generates it in the store; with the memory store, each process has its own.
    pub key: Option<String>,
    /// PEM file with the certificate chain. If set, the server serves TLS; the file is reloaded when it
    /// changes.
    pub tls_cert: Option<String>,
    /// PEM file with the private key of the certificate.
    pub tls_key: Option<String>,
    /// Response of `/.well-known/openai-apps-challenge`, which OpenAI reads to verify your domain.
    pub openai_challenge: Option<String>,
    /// Quotas per caller and per tool.
    pub quotas: QuotaLimits,
    /// Size and retention limits of the store.
    pub store: StoreLimits,
    /// How long running calls may take to finish during shutdown, in seconds.
    #[serde(with = "seconds")]
    #[schemars(with = "f64")]
    pub shutdown_grace: Duration,
    /// Whether the environment has been read.
    #[serde(skip)]
    pub(crate) has_env: bool,
}

/// CORS settings.
///
/// ```
/// use widgetcast::Settings;
/// use widgetcast::http::Cors;
///
/// let settings = Settings::default().cors(Cors::origins(["https://app.example.com"]).with_credentials());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Cors {
    /// Allowed origins, such as `https://app.example.com`; `*` for any. Local pages are always allowed.
    pub origins: Vec<String>,
    /// Whether credentials such as cookies are allowed. Cannot be combined with `*`.
    pub credentials: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            surfaces: None,
            image_origins: Vec::new(),
            gallery: None,
            page_size: 1000,
            list_ttl: Duration::from_secs(5),
            allowed_hosts: Vec::new(),
            cors: Cors::default(),
            max_request_bytes: 4 << 20,
            max_response_bytes: 16 << 20,
            max_text_bytes: 32 << 10,
            public_url: None,
            explicit_visibility: false,
            max_buffered_bytes: 128 << 20,
            max_memory: None,
            write_timeout: Duration::from_secs(30),
            max_concurrent: 1024,
            max_connections: 4096,
            max_streams: 1024,
            max_streams_per_client: 128,
            strict_arguments: false,
            call_timeout: Duration::from_secs(60),
            rate_limit: 200,
            client_ip_header: None,
            metrics_token: None,
            metrics_address: None,
            audit: false,
            debug: false,
            debug_scope: None,
            key: None,
            tls_cert: None,
            tls_key: None,
            openai_challenge: None,
            quotas: QuotaLimits::default(),
            store: StoreLimits::default(),
            shutdown_grace: Duration::from_secs(10),
            has_env: false,
        }
    }
}

/// A setter for each setting, with the name of its field.
macro_rules! setters {
    (
        values { $($value:ident: $type:ty,)* }
        options { $($option:ident: $inner:ty,)* }
        lists { $($list:ident,)* }
    ) => {
        impl Settings {
            $(
                #[doc = concat!("Sets [`", stringify!($value), "`](Self#structfield.", stringify!($value), ").")]
                pub fn $value(mut self, value: $type) -> Self {
                    self.$value = value;
                    self
                }
            )*
            $(
                #[doc = concat!("Sets [`", stringify!($option), "`](Self#structfield.", stringify!($option), ").")]
                pub fn $option(mut self, value: impl Into<$inner>) -> Self {
                    self.$option = Some(value.into());
                    self
                }
            )*
            $(
                #[doc = concat!("Sets [`", stringify!($list), "`](Self#structfield.", stringify!($list), ").")]
                pub fn $list<S: Into<String>>(mut self, all: impl IntoIterator<Item = S>) -> Self {
                    self.$list = all.into_iter().map(Into::into).collect();
                    self
                }
            )*
        }
    };
}

setters! {
    values {
        page_size: usize,
        list_ttl: Duration,
        cors: Cors,
        max_request_bytes: usize,
        max_response_bytes: usize,
        max_text_bytes: usize,
        max_buffered_bytes: usize,
        write_timeout: Duration,
        max_concurrent: usize,
        max_connections: usize,
        max_streams: usize,
        max_streams_per_client: usize,
        strict_arguments: bool,
        explicit_visibility: bool,
        call_timeout: Duration,
        rate_limit: u32,
        audit: bool,
        debug: bool,
        quotas: QuotaLimits,
        store: StoreLimits,
        shutdown_grace: Duration,
    }
    options {
        gallery: bool,
        public_url: String,
        max_memory: usize,
        client_ip_header: String,
        metrics_token: String,
        debug_scope: String,
        metrics_address: SocketAddr,
        key: String,
        tls_cert: String,
        tls_key: String,
        openai_challenge: String,
    }
    lists {
        image_origins,
        allowed_hosts,
    }
}

impl Cors {
    /// Allows requests from these origins.
    pub fn origins<S: Into<String>>(origins: impl IntoIterator<Item = S>) -> Self {
        Self { origins: origins.into_iter().map(Into::into).collect(), credentials: false }
    }

    /// Allows credentials such as cookies.
    pub fn with_credentials(mut self) -> Self {
        self.credentials = true;
        self
    }
}

impl Settings {
    /// Sets the surfaces that are sent to every client.
    pub fn surfaces<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.surfaces = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Returns the defaults, overridden by the environment: `WIDGETCAST_CALL_TIMEOUT=10`,
    /// `WIDGETCAST_ALLOWED_HOSTS=a.example.com,b.example.com`, `WIDGETCAST_CORS_ORIGINS=…`. An error
    /// names the invalid variable.
    ///
    /// [`Builder::build`](crate::Builder::build) also reads the environment, which overrides the settings
    /// of the app. Call this only if you want to override the environment in turn.
    pub fn from_env() -> Result<Self, String> {
        Self::default().with_env()
    }

    /// Overrides these settings with the environment. Settings that you change afterwards win.
    pub fn with_env(self) -> Result<Self, String> {
        if variables().is_empty() {
            return Ok(Self { has_env: true, ..self });
        }
        let settings = self.with_variables(|name| std::env::var(name).ok())?;
        Ok(Self { has_env: true, ..settings })
    }

    /// With the environment, unless it has been read already. Misspelt names are logged here, because
    /// programs read their settings before they initialize logging.
    pub(crate) fn with_env_once(self) -> Result<Self, String> {
        let names = variables();
        if !names.is_empty() {
            for (name, nearest) in Self::misspelt(&names) {
                tracing::warn!("unknown setting {name} ignored; did you mean {nearest}?");
            }
        }
        if self.has_env { Ok(self) } else { self.with_env() }
    }

    /// Unknown variables that are similar to a setting, each with the setting that was probably meant. Others
    /// may belong to the program.
    fn misspelt(names: &[String]) -> Vec<(&str, String)> {
        let known: Vec<String> = Self::table().into_iter().map(|row| row.variable).collect();
        let bare = |name| -> &str { str::strip_prefix(name, PREFIX).unwrap_or(name) };
        let unknown = names.iter().filter(|name| !known.contains(name));
        let near = unknown.filter_map(|name| {
            let known = known.iter().map(|known| bare(known));
            Some((&**name, format!("{PREFIX}{}", nearest(bare(name), known)?)))
        });
        near.collect()
    }

    fn with_variables(self, variable: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let mut all = json!(self);
        for Setting { path, variable: name, schema, .. } in Self::table() {
            let Some(text) = variable(&name).filter(|text| !text.is_empty()) else { continue };
            let value = match schema["type"].to_string().contains("array") {
                true => text.split(',').map(str::trim).map(Value::from).collect(),
                false => Value::from(text.as_str()),
            };
            let wanted = json!({ "type": "object", "properties": { "it": schema } });
            let read = Schema::compile(&wanted).ok().and_then(|schema| {
                let given = json!({ "it": value });
                let fits = schema.validate(&given).is_ok();
                if fits {
                    Some(given)
                } else {
                    schema.read(&JsonRef::from(&given), Reading::Lossless)
                }
            });
            let Some(mut read) = read else {
                return Err(format!("{name}={text} must be {}", kind_of(&schema)));
            };
            let mut place = &mut all;
            for part in path.split('.') {
                place = &mut place[part];
            }
            *place = read["it"].take();
            let tried: Result<Self, _> = serde_json::from_value(all.clone());
            tried.map_err(|error| format!("{name}={text}: {error}"))?;
        }
        serde_json::from_value(all).map_err(|error| error.to_string())
    }

    /// All settings, with their metadata.
    pub(crate) fn table() -> Vec<Setting> {
        let mut rows = Vec::new();
        let schema = crate::declaration::schema::input_of::<Self>();
        add_rows("", &schema, &json!(Self::default()), &mut rows);
        rows
    }

    /// How arguments of the wrong type are coerced.
    pub(crate) fn reading(&self) -> Reading {
        if self.strict_arguments { Reading::Nulls } else { Reading::Lossless }
    }

    /// The secret, if set.
    pub(crate) fn secret(&self) -> Option<[u8; 16]> {
        let text = self.key.as_deref()?;
        let digits = |at: usize| u8::from_str_radix(text.get(at..at + 2)?, 16).ok();
        let hex = || (0..text.len()).step_by(2).map(digits).collect::<Option<Vec<u8>>>();
        let base64 = || {
            let text = text.trim_end_matches('=');
            STANDARD_NO_PAD.decode(text).or_else(|_| URL_SAFE_NO_PAD.decode(text)).ok()
        };
        let is_hex = text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let bytes = if is_hex { hex() } else { base64() };
        let bytes = bytes.filter(|bytes| bytes.len() >= 16)?;
        // If it is longer than the key, every byte counts.
        let hash = Sha256::digest(&bytes);
        <[u8; 16]>::try_from(bytes).ok().or_else(|| hash[..16].try_into().ok())
    }

    pub(crate) fn mistakes(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        for origin in self.image_origins.iter().filter(|origin| !is_origin(origin)) {
            wrong
                .push(format!("image origin {origin:?} must look like https://images.example.com"));
        }
        for origin in self.cors.origins.iter().filter(|origin| *origin != "*" && !is_origin(origin))
        {
            wrong.push(format!("CORS origin {origin:?} must look like https://app.example.com"));
        }
        if self.cors.credentials && self.cors.origins.iter().any(|origin| origin == "*") {
            wrong.push("CORS with credentials requires explicit origins, not `*`".into());
        }
        for host in self.allowed_hosts.iter().filter(|host| host.contains('/')) {
            wrong.push(format!(
                "allowed host {host:?} must be a host name, such as widgets.example.com"
            ));
        }
        if let Some(url) = &self.public_url
            && origin_of(url).is_none_or(|origin| !is_origin(origin))
        {
            wrong
                .push(format!("public_url {url:?} must look like https://widgets.example.com/mcp"));
        }
        for (name, value) in [
            ("page_size", self.page_size),
            ("max_request_bytes", self.max_request_bytes),
            ("max_response_bytes", self.max_response_bytes),
            ("max_text_bytes", self.max_text_bytes),
            ("max_buffered_bytes", self.max_buffered_bytes),
            ("max_concurrent", self.max_concurrent),
            ("max_connections", self.max_connections),
            ("max_streams", self.max_streams),
            ("max_streams_per_client", self.max_streams_per_client),
        ] {
            if value == 0 {
                wrong.push(format!("{name} must not be 0"));
            }
        }
        if let Some(name) = &self.client_ip_header
            && !is_header_name(name)
        {
            wrong.push(format!("client_ip_header {name:?} is not a valid header name"));
        }
        if self.key.is_some() && self.secret().is_none() {
            wrong.push("key must be at least 16 bytes, in hex or base64".into());
        }
        if self.tls_cert.is_some() != self.tls_key.is_some() {
            wrong.push("set both tls_cert and tls_key".into());
        }
        if self.metrics_token.as_ref().is_some_and(|token| token.trim().is_empty()) {
            wrong.push("metrics_token must not be empty".into());
        }
        wrong.extend(self.store.mistakes());
        wrong
    }
}

/// The names of variables that may be settings.
fn variables() -> Vec<String> {
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    names.filter(|name| name.starts_with(PREFIX)).collect()
}

/// The type of a setting's value, for messages.
fn kind_of(schema: &Value) -> &'static str {
    let types = schema["type"].to_string();
    let kinds = [
        ("integer", "a non-negative integer"),
        ("number", "a number"),
        ("boolean", "true or false"),
        ("array", "a comma-separated list"),
    ];
    kinds.into_iter().find(|(name, _)| types.contains(name)).map_or("a string", |(_, kind)| kind)
}

/// One setting.
#[derive(Debug)]
pub(crate) struct Setting {
    /// Its name in a file, such as `cors.origins`.
    pub path: String,
    /// Its name in the environment.
    pub variable: String,
    pub schema: Value,
    #[cfg_attr(not(test), expect(dead_code, reason = "for the table in the documents"))]
    pub default: Value,
}

fn add_rows(prefix: &str, schema: &Value, default: &Value, rows: &mut Vec<Setting>) {
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        let (path, default) = (format!("{prefix}{name}"), &default[name]);
        if schema["properties"].is_object() {
            add_rows(&format!("{path}."), schema, default, rows);
            continue;
        }
        let variable = format!("{PREFIX}{}", path.replace('.', "_").to_uppercase());
        rows.push(Setting { path, variable, schema: schema.clone(), default: default.clone() });
    }
}

/// A token, as RFC 9110 defines it.
fn is_header_name(name: &str) -> bool {
    let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    !name.is_empty() && name.chars().all(is_token)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mistake_is_reported() {
        let settings = Settings {
            image_origins: vec!["images.example.com".into()],
            allowed_hosts: vec!["https://a/b".into()],
            cors: Cors { origins: vec!["*".into(), "app".into()], credentials: true },
            page_size: 0,
            max_request_bytes: 0,
            max_response_bytes: 0,
            max_text_bytes: 0,
            max_concurrent: 0,
            max_connections: 0,
            max_buffered_bytes: 0,
            max_streams: 0,
            max_streams_per_client: 0,
            metrics_token: Some(" ".into()),
            key: Some("secret".into()),
            tls_key: Some("key.pem".into()),
            client_ip_header: Some("x forwarded".into()),
            ..Settings::default()
        };
        let mistakes = settings.mistakes();
        for words in [
            "image origin \"images.example.com\" must look like",
            "CORS origin \"app\" must look like",
            "CORS with credentials requires explicit origins",
            "allowed host \"https://a/b\" must be a host name",
            "page_size must not be 0",
            "max_request_bytes must not be 0",
            "max_response_bytes must not be 0",
            "max_text_bytes must not be 0",
            "max_concurrent must not be 0",
            "max_connections must not be 0",
            "max_buffered_bytes must not be 0",
            "max_streams must not be 0",
            "max_streams_per_client must not be 0",
            "metrics_token must not be empty",
            "key must be at least 16 bytes, in hex or base64",
            "set both tls_cert and tls_key",
            "client_ip_header \"x forwarded\" is not a valid header name",
        ] {
            let found = mistakes.iter().filter(|mistake| mistake.starts_with(words)).count();
            assert_eq!(found, 1, "{words}: {mistakes:#?}");
        }
        assert_eq!(mistakes.len(), 17);
        assert!(Settings::default().mistakes().is_empty());
    }

    #[test]
    fn the_environment_is_read() {
        let read = |variables: &[(&str, &str)]| {
            Settings::default().with_variables(|name| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            })
        };
        assert_eq!(read(&[]).unwrap(), Settings::default());
        let settings = read(&[
            ("WIDGETCAST_CALL_TIMEOUT", "2.5"),
            ("WIDGETCAST_ALLOWED_HOSTS", "a.example.com, b.example.com"),
            ("WIDGETCAST_CORS_ORIGINS", "https://a.example.com"),
            ("WIDGETCAST_CORS_CREDENTIALS", "true"),
            ("WIDGETCAST_MAX_MEMORY", "1000000"),
            ("WIDGETCAST_KEY", "00112233445566778899001122334455"),
            ("WIDGETCAST_SURFACES", "text"),
            ("WIDGETCAST_METRICS_ADDRESS", "127.0.0.1:9100"),
            ("WIDGETCAST_RATE_LIMIT", ""),
        ]);
        let wanted = Settings::default()
            .call_timeout(Duration::from_millis(2500))
            .allowed_hosts(["a.example.com", "b.example.com"])
            .cors(Cors::origins(["https://a.example.com"]).with_credentials())
            .max_memory(1_000_000_usize)
            .key("00112233445566778899001122334455")
            .surfaces(["text"])
            .metrics_address(SocketAddr::from(([127, 0, 0, 1], 9100)));
        assert_eq!(settings.unwrap(), wanted);
        for (name, value, words) in [
            ("WIDGETCAST_CALL_TIMEOUT", "soon", "WIDGETCAST_CALL_TIMEOUT=soon must be a number"),
            ("WIDGETCAST_CALL_TIMEOUT", "-1", "WIDGETCAST_CALL_TIMEOUT=-1: "),
            (
                "WIDGETCAST_MAX_STREAMS",
                "-1",
                "WIDGETCAST_MAX_STREAMS=-1 must be a non-negative integer",
            ),
            ("WIDGETCAST_GALLERY", "maybe", "WIDGETCAST_GALLERY=maybe must be true or false"),
            ("WIDGETCAST_METRICS_ADDRESS", "here", "WIDGETCAST_METRICS_ADDRESS=here: "),
        ] {
            let error = read(&[(name, value)]).unwrap_err();
            assert!(error.starts_with(words), "{error}");
        }
    }

    #[test]
    fn misspelt_variables_are_noticed() {
        let misspelt = |names: &[&str]| -> Vec<String> {
            let names: Vec<String> = names.iter().map(|name| format!("{PREFIX}{name}")).collect();
            Settings::misspelt(&names).into_iter().map(|(_, meant)| meant).collect()
        };
        assert_eq!(
            misspelt(&["CALL_TIMOUT", "ALLOW_HOSTS", "TLSCERT"]),
            ["WIDGETCAST_CALL_TIMEOUT", "WIDGETCAST_ALLOWED_HOSTS", "WIDGETCAST_TLS_CERT"]
        );
        // Settings, and variables of the binary, of tests and of other programs.
        let others = [
            "CALL_TIMEOUT",
            "AUDIT_FILE",
            "AUTH_ISSUER",
            "BLESS",
            "CONFIG",
            "DIR",
            "HTTP",
            "LOG",
            "LOG_FORMAT",
            "MODEL_API",
            "NAME",
            "SERVER_VERSION",
            "STORE",
            "TOKEN",
            "WATCH",
        ];
        assert_eq!(misspelt(&others), Vec::<String>::new());
    }

    /// `docs/settings.md` is generated from the fields; `WIDGETCAST_BLESS=1` writes it.
    #[test]
    fn the_table_in_the_documents_is_right() {
        let mut text = String::from(
            "# Settings\n\nSet these under `[settings]` in the config file of `widgetcast serve`, as environment \
             variables, or with the methods of `widgetcast::Settings`, which have the same names. Flags take \
             precedence over environment variables, which take precedence over the file. `Builder::build` reads the \
             environment, which overrides the settings of the app; to override it, start from \
             `Settings::from_env()?`. Unknown names are logged. Times are in seconds.\n\n\
             | Setting | Environment variable | Default | |\n|---|---|---|---|\n",
        );
        for Setting { path, variable, schema, default } in Settings::table() {
            let about = schema["description"].as_str().unwrap_or_default().replace('\n', " ");
            let default = match default {
                Value::Null => String::new(),
                Value::Array(all) if all.is_empty() => String::new(),
                default => format!("`{default}`"),
            };
            text.push_str(&format!("| `{path}` | `{variable}` | {default} | {about} |\n"));
        }
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/settings.md");
        if std::env::var_os("WIDGETCAST_BLESS").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), text, "{}", path.display());
    }
}
