//! The gate: which requests are accepted, and how many at once.
//!
//! Any web page can send requests to this machine. Two headers identify them: `Host`, which reveals a rebound
//! DNS name, and `Origin`, which pages cannot forge.

use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::request::Parts;
use http::{Extensions, Response, StatusCode, Version};

use super::body::Body;
use super::response::{error, later, plain};
use crate::metrics::{Metrics, Running};
use crate::protocol::RpcError;
use crate::sdk::auth::Proven;
use crate::sdk::caller::Caller;
use crate::sdk::owner::Owner;
use crate::sdk::peer::Peer;
use crate::sdk::settings::Settings;

/// The client's address. If you run the app in another server, insert it into the extensions of each
/// request, so that limits per client work and the gallery is served to local clients. With the feature
/// `axum`, axum's `ConnectInfo<SocketAddr>` works as well.
///
/// ```
/// use std::net::SocketAddr;
/// use widgetcast::http::RemoteAddr;
///
/// /// For a router without `ConnectInfo`: call this for each request, before `App::service`.
/// fn with_address<B>(mut request: http::Request<B>, client: SocketAddr) -> http::Request<B> {
///     request.extensions_mut().insert(RemoteAddr(client));
///     request
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RemoteAddr(pub SocketAddr);

impl RemoteAddr {
    pub(super) fn of(extensions: &Extensions) -> Option<IpAddr> {
        let told = extensions.get().map(|Self(address)| *address);
        #[cfg(feature = "axum")]
        let told = told.or_else(|| {
            let info = extensions.get::<axum::extract::ConnectInfo<SocketAddr>>();
            info.map(|info| info.0)
        });
        told.map(|address| address.ip())
    }
}

/// Number of clients whose rate is tracked before idle ones are removed.
const REMEMBERED: usize = 10_000;
/// Number of accepted requests between two counts of the clients: counting takes a lock, and removal scans
/// all of them.
const FORGET_EVERY: u32 = 1024;
/// Headers that proxies add.
const PROXY_HEADERS: [&str; 5] =
    ["x-forwarded-for", "forwarded", "x-real-ip", "via", "x-forwarded-host"];

/// A request without its body, and its sender.
#[derive(Clone)]
pub(super) struct Head {
    pub parts: Parts,
    /// The address of the connection.
    pub remote: Option<IpAddr>,
    pub peer: Peer,
    /// The authenticated caller.
    pub caller: Option<Caller>,
}

impl std::ops::Deref for Head {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.parts
    }
}

impl Head {
    /// The client whose streams are counted.
    pub(super) fn owner(&self) -> Owner {
        Owner::new(self.caller.as_ref(), self.peer)
    }

    /// Whether it is same-origin, or not from a web page.
    pub(super) fn is_same_origin(&self) -> bool {
        let origin = self.headers.get(header::ORIGIN);
        origin.is_none_or(|origin| is_same(origin, host_of(&self.parts)))
    }

    /// Whether a local program sends it, by a local name, and no proxy on behalf of another machine.
    pub(super) fn is_local(&self) -> bool {
        self.remote.is_some() && !self.is_of_elsewhere()
    }

    /// Whether it appears to come from another machine. Browsers and programs use HTTP/1.1; a proxy with
    /// default settings uses HTTP/1.0, without headers that identify it.
    fn is_of_elsewhere(&self) -> bool {
        self.version < Version::HTTP_11
            || !(self.remote.is_none_or(|remote| remote.to_canonical().is_loopback())
                && host_of(&self.parts).is_none_or(|host| is_local(without_port(host)))
                && !PROXY_HEADERS.iter().any(|name| self.headers.contains_key(*name)))
    }
}

pub(super) struct Gate {
    hosts: Vec<String>,
    any_host: bool,
    origins: Vec<String>,
    any_origin: bool,
    credentials: bool,
    places: i64,
    rate: Option<DefaultKeyedRateLimiter<Peer>>,
    /// Requests that the rate limit has accepted.
    counted: AtomicU32,
    /// Set once the warning about an ineffective rate limit is logged.
    warned: Once,
    client_header: Option<HeaderName>,
    /// Whether only local requests are accepted.
    only_local: bool,
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
            counted: AtomicU32::new(0),
            warned: Once::new(),
            client_header: settings.client_ip_header.as_ref().and_then(|name| name.parse().ok()),
            only_local: false,
        }
    }

    /// Accepts only local requests, for pages that are loaded from a local dev server.
    pub(super) fn only_local(self, only_local: bool) -> Self {
        Self { only_local, ..self }
    }

    /// A slot for the request, or the response that rejects it.
    pub(super) fn enter<'m>(
        &self,
        head: &Head,
        origin: Option<&HeaderValue>,
        metrics: &'m Metrics,
    ) -> Result<Running<'m>, Box<Response<Body>>> {
        let refuse = |status, words: String| {
            let fault = RpcError::new(RpcError::INVALID_REQUEST, words);
            Err(Box::new(error(status, None, &fault)))
        };
        if head.headers.get_all(header::HOST).iter().nth(1).is_some() {
            return refuse(
                StatusCode::BAD_REQUEST,
                "Bad Request: more than one Host header".into(),
            );
        }
        // Probes use IP addresses, and the response contains nothing secret.
        if matches!(head.uri.path(), "/healthz" | "/readyz") {
            return Ok(metrics.run());
        }
        let host = host_of(&head.parts);
        if let Some(host) = host
            && !self.is_host(host)
        {
            return refuse(
                StatusCode::FORBIDDEN,
                format!(
                    "Forbidden: host {host:?} is not allowed; the operator can allow it (allowed_hosts, or \
                     --allow-host)"
                ),
            );
        }
        if self.only_local && head.is_of_elsewhere() {
            let words = "Forbidden: this server loads a page from a development server, so it accepts only \
                         local requests";
            return refuse(StatusCode::FORBIDDEN, words.into());
        }
        if origin.is_some() && head.headers.get_all(header::ORIGIN).iter().nth(1).is_some() {
            return refuse(
                StatusCode::BAD_REQUEST,
                "Bad Request: more than one Origin header".into(),
            );
        }
        if let Some(origin) = origin
            && !self.is_origin(origin)
            && !is_same(origin, host)
        {
            return refuse(
                StatusCode::FORBIDDEN,
                format!(
                    "Forbidden: origin {origin:?} is not allowed; the operator can allow it (cors.origins, \
                     or --allow-origin)"
                ),
            );
        }
        // Requests of the program itself have no rate limit.
        if head.extensions.get::<Proven>().is_none()
            && let Some(seconds) = self.must_wait(head.peer)
        {
            return Err(Box::new(later(StatusCode::TOO_MANY_REQUESTS, seconds, None)));
        }
        let running = metrics.run();
        match running.others < self.places {
            true => Ok(running),
            false => Err(Box::new(later(StatusCode::SERVICE_UNAVAILABLE, 1, None))),
        }
    }

    /// Seconds that a caller over its rate limit has to wait.
    fn must_wait(&self, peer: Peer) -> Option<u64> {
        let rate = self.rate.as_ref()?;
        // Without a proxy header, this is either a local program or all clients of a local proxy, which would
        // share one limit.
        let Some(address) = peer.address() else {
            // In another server, the client's address may be unknown.
            self.warned.call_once(|| {
                tracing::warn!(
                    "requests have no `RemoteAddr` extension, so the rate limit is not enforced: add it, or \
                     set client_ip_header"
                );
            });
            return None;
        };
        if address.is_loopback() {
            return None;
        }
        let counted = self.counted.fetch_add(1, Ordering::Relaxed);
        if counted.is_multiple_of(FORGET_EVERY) && rate.len() > REMEMBERED {
            rate.retain_recent();
        }
        let wait = rate.check_key(&peer).err()?;
        Some(wait.wait_time_from(DefaultClock::default().now()).as_secs() + 1)
    }

    /// The client for a request from this address.
    pub(super) fn peer(&self, headers: &HeaderMap, remote: Option<IpAddr>) -> Peer {
        let told = self.client_header.as_ref().and_then(|name| {
            // The last entry is from our own proxy.
            let last = headers.get_all(name).iter().next_back()?;
            address(last.to_str().ok()?.rsplit(',').next()?.trim())
        });
        told.or(remote).map_or(Peer::LOCAL, Peer::at)
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

    /// Adds the CORS headers for this origin.
    pub(super) fn allow(&self, origin: &HeaderValue, headers: &mut HeaderMap) {
        if !self.is_origin(origin) {
            return;
        }
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        headers.append(header::VARY, HeaderValue::from_static("Origin"));
        let expose = HeaderValue::from_static("Mcp-Session-Id, WWW-Authenticate, Retry-After");
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, expose);
        // Any program may open a local port, so local pages get no cookies by default.
        let listed = |known: &String| origin.to_str().is_ok_and(|o| known.eq_ignore_ascii_case(o));
        if self.credentials && self.origins.iter().any(listed) {
            let yes = HeaderValue::from_static("true");
            headers.insert(header::ACCESS_CONTROL_ALLOW_CREDENTIALS, yes);
        }
    }
}

/// The host name in the request, if any.
fn host_of(parts: &Parts) -> Option<&str> {
    let host = parts.headers.get(header::HOST).map(|host| host.to_str().unwrap_or("?"));
    host.or_else(|| parts.uri.authority().map(|authority| authority.as_str()))
}

/// Whether a request is same-origin; its host has been checked before.
fn is_same(origin: &HeaderValue, host: Option<&str>) -> bool {
    let origin = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
    origin.zip(host).is_some_and(|((_, authority), host)| authority.eq_ignore_ascii_case(host))
}

/// The host without a port; unchanged if anything else follows.
fn without_port(host: &str) -> &str {
    let bracketed = host.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let (name, rest) = match bracketed {
        Some((address, rest)) => (address, rest),
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let port = rest.strip_prefix(':').map(|port| port.bytes().all(|byte| byte.is_ascii_digit()));
    if rest.is_empty() || port == Some(true) { name } else { host }
}

/// An address in the format of proxies: plain, in brackets, or with a port.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.strip_prefix("for=").unwrap_or(text).trim_matches('"');
    text.parse()
        .ok()
        .or_else(|| text.parse().ok().map(|with_port: SocketAddr| with_port.ip()))
        .or_else(|| text.strip_prefix('[')?.strip_suffix(']')?.parse().ok())
}

fn is_local(name: &str) -> bool {
    matches!(name, "127.0.0.1" | "::1") || name.eq_ignore_ascii_case("localhost")
}

/// The response to a preflight request.
pub(super) fn preflight(headers: &HeaderMap) -> Response<Body> {
    preflight_with(headers, "GET, POST, OPTIONS")
}

/// The same for endpoints with other methods.
pub(super) fn preflight_with(headers: &HeaderMap, methods: &'static str) -> Response<Body> {
    let mut response = plain(StatusCode::NO_CONTENT, "");
    let out = response.headers_mut();
    out.remove(header::CONTENT_TYPE);
    out.insert(header::ALLOW, HeaderValue::from_static(methods));
    let methods = HeaderValue::from_static(methods);
    out.insert(header::ACCESS_CONTROL_ALLOW_METHODS, methods);
    // Tools define their own headers, so allow all that are requested.
    if let Some(asked) = headers.get(header::ACCESS_CONTROL_REQUEST_HEADERS) {
        out.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, asked.clone());
    }
    out.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    response
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    /// Idle clients are removed when there are many, but not on every request.
    #[test]
    fn quiet_clients_are_forgotten_now_and_then() {
        // A client is idle after a microsecond.
        let gate = Gate::new(&Settings { rate_limit: 1_000_000, ..Settings::default() });
        let remembered = || gate.rate.as_ref().map_or(0, RateLimiter::len);
        let ask = |client: u32| gate.must_wait(Peer::at(Ipv4Addr::from_bits(client).into()));
        let first = Ipv4Addr::new(192, 0, 2, 1).to_bits();
        let many = FORGET_EVERY * 10;
        for client in 0..many {
            assert_eq!(ask(first + client), None);
        }
        assert_eq!(remembered(), many as usize);
        assert_eq!(ask(first + many), None);
        assert!(remembered() < 1000, "{}", remembered());
    }

    /// An ineffective rate limit is logged.
    #[test]
    fn requests_from_nowhere_are_warned_about() {
        let gate = |rate_limit| Gate::new(&Settings { rate_limit, ..Settings::default() });
        let limited = gate(1);
        for _ in 0..10 {
            assert_eq!(limited.must_wait(Peer::at(Ipv4Addr::LOCALHOST.into())), None);
        }
        assert!(!limited.warned.is_completed(), "the address is known");
        assert_eq!(limited.must_wait(Peer::LOCAL), None);
        assert!(limited.warned.is_completed());
        let own = gate(1);
        let mut request = http::Request::new(());
        request.extensions_mut().insert(Proven { caller: None, peer: Peer::LOCAL });
        let parts = request.into_parts().0;
        let head = Head { parts, remote: None, peer: Peer::LOCAL, caller: None };
        assert!(own.enter(&head, None, &Metrics::default()).is_ok());
        assert!(!own.warned.is_completed(), "it is a request of the program itself");
        let unlimited = gate(0);
        assert_eq!(unlimited.must_wait(Peer::LOCAL), None);
        assert!(!unlimited.warned.is_completed(), "there is no limit that could not hold");
    }
}
