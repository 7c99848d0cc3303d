//! The gate: which requests are let in, and how many at once.
//!
//! A page in a browser can send requests to this machine. Two headers tell: `Host`, which an
//! attacker's name that resolves to this machine gives away, and `Origin`, which no page can forge.

use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU32;

use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::request::Parts;
use http::{Response, StatusCode};

use super::body::Body;
use super::response::{error, plain};
use crate::metrics::{Metrics, Running};
use crate::protocol::RpcError;
use crate::sdk::settings::Settings;

/// The client's address, as our own server puts it into a request's extensions. In another server,
/// put it there for the rate limit to work.
#[derive(Clone, Copy, Debug)]
pub struct RemoteAddr(pub SocketAddr);

/// Clients whose rate is remembered before those that have been quiet are forgotten.
const REMEMBERED: usize = 10_000;

pub(super) struct Gate {
    hosts: Vec<String>,
    any_host: bool,
    origins: Vec<String>,
    any_origin: bool,
    credentials: bool,
    places: i64,
    rate: Option<DefaultKeyedRateLimiter<IpAddr>>,
    client_header: Option<HeaderName>,
}

impl Gate {
    pub(super) fn new(settings: &Settings) -> Self {
        let any = |list: &[String]| list.iter().any(|text| text == "*");
        let quota = NonZeroU32::new(settings.rate_limit).map(|rate| {
            Quota::per_second(rate)
                .allow_burst(rate.saturating_mul(NonZeroU32::MIN.saturating_add(1)))
        });
        Self {
            hosts: settings.allowed_hosts.clone(),
            any_host: any(&settings.allowed_hosts),
            origins: settings.cors.origins.clone(),
            any_origin: any(&settings.cors.origins),
            credentials: settings.cors.credentials,
            places: settings.max_concurrent.try_into().unwrap_or(i64::MAX),
            rate: quota.map(RateLimiter::keyed),
            client_header: settings.client_ip_header.as_ref().and_then(|name| name.parse().ok()),
        }
    }

    /// A place to work in, or the answer that refuses it.
    pub(super) fn enter<'m>(
        &self,
        parts: &Parts,
        origin: Option<&HeaderValue>,
        metrics: &'m Metrics,
    ) -> Result<Running<'m>, Box<Response<Body>>> {
        let refuse = |words: String| {
            let fault = RpcError::new(RpcError::INVALID_REQUEST, words);
            Err(Box::new(error(StatusCode::FORBIDDEN, None, &fault)))
        };
        let host = host_of(parts);
        // Probes come by address, and there is nothing to learn from them.
        if matches!(parts.uri.path(), "/healthz" | "/readyz") {
            return Ok(metrics.run());
        }
        if let Some(host) = host
            && !self.is_host(host)
        {
            return refuse(format!(
                "Forbidden: host {host:?} is not allowed here; the operator can allow it \
                 (allowed_hosts, or --allow-host)"
            ));
        }
        if let Some(origin) = origin
            && !self.is_origin(origin)
            && !is_same(origin, host)
        {
            return refuse(format!(
                "Forbidden: origin {origin:?} is not allowed here; the operator can allow it \
                 (cors.origins, or --allow-origin)"
            ));
        }
        if let (Some(rate), Some(client)) = (&self.rate, self.client(parts)) {
            if rate.len() > REMEMBERED {
                rate.retain_recent();
            }
            if let Err(wait) = rate.check_key(&client) {
                let seconds = wait.wait_time_from(DefaultClock::default().now()).as_secs() + 1;
                return Err(Box::new(later(StatusCode::TOO_MANY_REQUESTS, seconds)));
            }
        }
        let running = metrics.run();
        match running.others < self.places {
            true => Ok(running),
            false => Err(Box::new(later(StatusCode::SERVICE_UNAVAILABLE, 1))),
        }
    }

    /// Whether it matters who sends a request: noting it takes three allocations.
    pub(super) fn wants_client(&self) -> bool {
        self.rate.is_some()
    }

    fn client(&self, parts: &Parts) -> Option<IpAddr> {
        let told = self.client_header.as_ref().and_then(|name| {
            // The last entry is the one that our own proxy wrote.
            let last = parts.headers.get_all(name).iter().next_back()?;
            last.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
        });
        told.or_else(|| parts.extensions.get::<RemoteAddr>().map(|remote| remote.0.ip()))
    }

    fn is_host(&self, host: &str) -> bool {
        if self.any_host {
            return true;
        }
        let name = without_port(host);
        let is =
            |known: &String| known.eq_ignore_ascii_case(name) || known.eq_ignore_ascii_case(host);
        is_local(name) || self.hosts.iter().any(is)
    }

    fn is_origin(&self, origin: &HeaderValue) -> bool {
        if self.any_origin {
            return true;
        }
        let Ok(origin) = origin.to_str() else { return false };
        let name = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        name.is_some_and(|name| is_local(without_port(name)))
            || self.origins.iter().any(|known| known.eq_ignore_ascii_case(origin))
    }

    /// Tells a browser that a page of this origin may read the answer.
    pub(super) fn allow(&self, origin: &HeaderValue, headers: &mut HeaderMap) {
        if !self.is_origin(origin) {
            return;
        }
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        headers.append(header::VARY, HeaderValue::from_static("Origin"));
        let expose = HeaderValue::from_static("Mcp-Session-Id, WWW-Authenticate, Retry-After");
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, expose);
        // Any program may open a port of this machine, so its pages get no cookies by default.
        let listed = |known: &String| origin.to_str().is_ok_and(|o| known.eq_ignore_ascii_case(o));
        if self.credentials && self.origins.iter().any(listed) {
            let yes = HeaderValue::from_static("true");
            headers.insert(header::ACCESS_CONTROL_ALLOW_CREDENTIALS, yes);
        }
    }
}

/// The name by which the server was asked for, if the request says it.
fn host_of(parts: &Parts) -> Option<&str> {
    let host = parts.headers.get(header::HOST).map(|host| host.to_str().unwrap_or("?"));
    host.or_else(|| parts.uri.authority().map(|authority| authority.as_str()))
}

/// Whether a page of this very server asks; its name has been looked at before.
fn is_same(origin: &HeaderValue, host: Option<&str>) -> bool {
    let origin = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
    origin.zip(host).is_some_and(|((_, authority), host)| authority.eq_ignore_ascii_case(host))
}

/// The name or address alone; as it is if something other than a port follows.
fn without_port(host: &str) -> &str {
    let bracketed = host.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let (name, rest) = match bracketed {
        Some((address, rest)) => (address, rest),
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let port = rest.strip_prefix(':').map(|port| port.bytes().all(|byte| byte.is_ascii_digit()));
    if rest.is_empty() || port == Some(true) { name } else { host }
}

/// Whether a request is for this machine by its own name.
pub(super) fn is_for_local(parts: &Parts) -> bool {
    host_of(parts).is_none_or(|host| is_local(without_port(host)))
}

fn is_local(name: &str) -> bool {
    matches!(name, "127.0.0.1" | "::1") || name.eq_ignore_ascii_case("localhost")
}

fn later(status: StatusCode, seconds: u64) -> Response<Body> {
    let fault = RpcError::new(RpcError::INTERNAL, format!("Too many requests; wait {seconds} s"));
    let mut response = error(status, None, &fault);
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    response
}

/// What a browser asks before it sends.
pub(super) fn preflight(headers: &HeaderMap) -> Response<Body> {
    let mut response = plain(StatusCode::NO_CONTENT, "");
    let out = response.headers_mut();
    out.remove(header::CONTENT_TYPE);
    out.insert(header::ALLOW, HeaderValue::from_static("GET, POST, OPTIONS"));
    let methods = HeaderValue::from_static("GET, POST, OPTIONS");
    out.insert(header::ACCESS_CONTROL_ALLOW_METHODS, methods);
    // Which headers come depends on the tools, so all that are asked for may.
    if let Some(asked) = headers.get(header::ACCESS_CONTROL_REQUEST_HEADERS) {
        out.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, asked.clone());
    }
    out.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    response
}
