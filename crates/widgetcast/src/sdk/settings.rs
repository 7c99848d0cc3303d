//! Settings: everything about serving that is not part of the app itself.

use std::net::SocketAddr;
use std::time::Duration;

use serde::Deserialize;
use widgetcast_core::Reading;

use super::origin::is_origin;

/// How an app is served. The defaults are safe: loopback only, everything bounded.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Settings {
    /// Surfaces for every caller, instead of those that each caller asks for.
    pub surfaces: Option<Vec<String>>,
    /// Origins of images that widgets show, for the policy of the page that draws them.
    pub image_origins: Vec<String>,
    /// Whether `/` is the gallery, a page that shows every tool, and what is wrong with files. By
    /// default only for programs of this machine that ask for it by its own name, not through a proxy.
    pub gallery: Option<bool>,
    /// Tools, resources and prompts on one page of a list.
    pub page_size: usize,
    /// How long clients may keep a list, in milliseconds.
    pub list_ttl_ms: u64,
    /// Names under which the server may be reached, beside those of this machine; `*` for any.
    pub allowed_hosts: Vec<String>,
    /// Web pages that may call the server.
    pub cors: Cors,
    /// The largest request.
    pub max_request_bytes: usize,
    /// The largest result of a tool, and the largest response of any kind; so the most that waits to
    /// be sent over one connection.
    pub max_response_bytes: usize,
    /// The most text that the model reads beside a view. What is longer is cut at the end of a line,
    /// with a count of what is left out; the view and the data keep everything.
    pub max_text_bytes: usize,
    /// Bytes of larger requests and responses that are held in memory at the same time, because a
    /// client sends or reads slowly; whoever needs more is told to come back.
    pub max_buffered_bytes: usize,
    /// Bytes of memory that the process may hold; above it, requests that are large or take long are
    /// told to come back. By default nine tenths of the limit of its control group, if it has one.
    pub max_memory: Option<usize>,
    /// How long a client may take to read, in seconds, and what it reads at 16 KiB a second; then its
    /// connection is closed.
    pub write_timeout: u64,
    /// Requests that the whole app answers at the same time; more are told to come back.
    pub max_concurrent: usize,
    /// Open connections; more wait.
    pub max_connections: usize,
    /// Streams of events that are open at the same time; fewer than connections, so that others get
    /// through.
    pub max_streams: usize,
    /// The same for one client.
    pub max_streams_per_client: usize,
    /// Whether arguments must fit as they were sent. By default, what a schema refuses is read in the
    /// only way in which it fits, if nothing is lost by it: `"7"` as 7 where a number is wanted.
    pub strict_arguments: bool,
    /// How long one tool may run, in seconds.
    pub call_timeout: u64,
    /// Requests per second and client, twice as many at once; 0 for no limit. Programs of this machine
    /// are not limited; behind a proxy, `client_ip_header` tells the clients apart.
    pub rate_limit: u32,
    /// The header in which a proxy gives the client's address; only with a proxy that sets it.
    pub client_ip_header: Option<String>,
    /// What a request for `/metrics` must show as `Authorization: Bearer …`.
    pub metrics_token: Option<String>,
    /// An address of its own for `/metrics`, `/healthz` and `/readyz`; the others then have no
    /// `/metrics`.
    pub metrics_address: Option<SocketAddr>,
    /// A secret of 32 hexadecimal digits, which makes the ids of views and the keys of their states
    /// impossible to guess, and signs the ids of sessions. Random by default; the processes of one
    /// service need the same.
    pub key: Option<String>,
    /// How long running calls may take to finish when the server stops, in seconds.
    pub shutdown_grace: u64,
}

/// Which web pages may call the server.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Cors {
    /// Origins, such as `https://app.example.com`; `*` for any. Pages of this machine always may.
    pub origins: Vec<String>,
    /// Whether cookies and the like may come along. Not together with `*`.
    pub credentials: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            surfaces: None,
            image_origins: Vec::new(),
            gallery: None,
            page_size: 1000,
            list_ttl_ms: 5_000,
            allowed_hosts: Vec::new(),
            cors: Cors::default(),
            max_request_bytes: 4 << 20,
            max_response_bytes: 16 << 20,
            max_text_bytes: 32 << 10,
            max_buffered_bytes: 128 << 20,
            max_memory: None,
            write_timeout: 30,
            max_concurrent: 1024,
            max_connections: 4096,
            max_streams: 1024,
            max_streams_per_client: 128,
            strict_arguments: false,
            call_timeout: 60,
            rate_limit: 200,
            client_ip_header: None,
            metrics_token: None,
            metrics_address: None,
            key: None,
            shutdown_grace: 10,
        }
    }
}

impl Settings {
    /// How long one tool may run.
    pub(crate) fn timeout(&self) -> Duration {
        Duration::from_secs(self.call_timeout.max(1))
    }

    /// How arguments that do not fit may be read.
    pub(crate) fn reading(&self) -> Reading {
        if self.strict_arguments { Reading::Nulls } else { Reading::Lossless }
    }

    /// The secret, if it is given.
    pub(crate) fn key(&self) -> Option<[u8; 16]> {
        let digits = self.key.as_deref().filter(|key| key.len() == 32 && key.is_ascii())?;
        let key = u128::from_str_radix(digits, 16).ok()?;
        Some(key.to_be_bytes())
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
            wrong.push("CORS with credentials needs a list of origins, not `*`".into());
        }
        for host in self.allowed_hosts.iter().filter(|host| host.contains('/')) {
            wrong
                .push(format!("allowed host {host:?} must be a name, such as widgets.example.com"));
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
            wrong.push(format!("client_ip_header {name:?} is not the name of a header"));
        }
        if self.key.is_some() && self.key().is_none() {
            wrong.push("key must have 32 hexadecimal digits".into());
        }
        if self.metrics_token.as_ref().is_some_and(|token| token.trim().is_empty()) {
            wrong.push("metrics_token must not be empty".into());
        }
        wrong
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
            client_ip_header: Some("x forwarded".into()),
            ..Settings::default()
        };
        let mistakes = settings.mistakes();
        for words in [
            "image origin \"images.example.com\" must look like",
            "CORS origin \"app\" must look like",
            "CORS with credentials needs a list of origins",
            "allowed host \"https://a/b\" must be a name",
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
            "key must have 32 hexadecimal digits",
            "client_ip_header \"x forwarded\" is not the name of a header",
        ] {
            let found = mistakes.iter().filter(|mistake| mistake.starts_with(words)).count();
            assert_eq!(found, 1, "{words}: {mistakes:#?}");
        }
        assert_eq!(mistakes.len(), 16);
        assert!(Settings::default().mistakes().is_empty());
    }
}
