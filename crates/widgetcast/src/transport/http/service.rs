//! The whole app as a service, for the built-in server, another router, or a single request.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::SystemTime;

use arc_swap::ArcSwap;
use bytes::Bytes;
use futures_util::future::BoxFuture;
use http::header::{self, HeaderName};
use http::{Method, Request, Response};
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use super::body::{Body, SMALL};
use super::gallery;
use super::gate::{Head, RemoteAddr};
use super::mount::Mount;
use super::response::{close, error, head_only, status_of};
use super::route::{is_own_mcp, route, route_name, unread};
use super::shared::Shared;
use crate::call::request_id::{self, RequestId};
use crate::protocol::RpcError;
use crate::sdk::auth::Proven;
use crate::sdk::refusal::Refusal;
use crate::server::Live;
use crate::trace;
use crate::worker::Workers;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// An app as a `tower::Service`: `/mcp` (or the root, where it is nested), the gallery at `/`,
/// `/healthz`, `/readyz` and `/metrics`. Cheap to clone.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use widgetcast::App;
/// let app = App::new("my-app", "1.0.0").build()?;
/// // In your own router:
/// let router: axum::Router = axum::Router::new().nest_service("/mcp", app.service());
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Service {
    live: Arc<Live>,
    /// For the version of the app at the last request.
    shared: Arc<ArcSwap<Shared>>,
}

impl Service {
    pub(crate) fn new(live: &Arc<Live>, mounts: &[Mount], stop: CancellationToken) -> Self {
        let mut shared = Shared::new(&live.load_full(), stop);
        shared.mounts = mounts.to_vec();
        Self::of(live, shared)
    }

    fn of(live: &Arc<Live>, shared: Shared) -> Self {
        Self { live: Arc::clone(live), shared: Arc::new(ArcSwap::from_pointee(shared)) }
    }

    /// Shared state, with the current version of the app.
    pub(super) fn shared(&self) -> Arc<Shared> {
        let (server, shared) = (self.live.load(), self.shared.load_full());
        if Arc::ptr_eq(&server, &shared.server) {
            return shared;
        }
        let shared = Arc::new(shared.with(Arc::clone(&server)));
        self.shared.store(Arc::clone(&shared));
        shared
    }

    /// Serves only probes and metrics.
    pub(crate) fn for_metrics(&self, stop: CancellationToken) -> Self {
        Self::of(&self.live, Shared::for_metrics(&self.live.load_full(), stop))
    }

    /// Handles a request from this address.
    ///
    /// Not an `async fn`: the future is moved for every request, and an `async fn` stores each argument
    /// twice. Rarely used state is boxed.
    pub(crate) fn answer<B>(
        &self,
        request: Request<B>,
        remote: Option<IpAddr>,
    ) -> impl Future<Output = Response<Body>> + Send + use<B>
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
    {
        let shared = self.shared();
        let (parts, body) = request.into_parts();
        let remote = remote.or_else(|| RemoteAddr::of(&parts.extensions));
        let peer = shared.gate.peer(&parts.headers, remote);
        let given = parts.headers.get(REQUEST_ID).filter(|id| request_id::is_fit(id.as_bytes()));
        let (id, has_id) = (given.and_then(|id| id.to_str().ok()), given.is_some());
        let id = RequestId::given(id);
        let link = shared.server.trace_link.as_ref();
        let header = |name: &str| parts.headers.get(name)?.to_str().ok();
        let route_name = || route_name(parts.uri.path());
        let span = trace::http(parts.method.as_str(), route_name, header, link);
        let mut head = Head { parts, remote, peer, caller: None };
        let answer = async move {
            let mut response = match shared.gate.enter(
                &head,
                head.headers.get(header::ORIGIN),
                &shared.server.metrics,
            ) {
                // Also dropped with this future if the client disconnects.
                Ok(_running) => match authenticate(&shared, &mut head).await {
                    Ok(()) => {
                        let answer = route(&shared, &head, body);
                        Workers::on_behalf(head.caller.clone(), head.peer, answer).await
                    }
                    Err(refusal) => unread(&body, *refusal),
                },
                Err(refusal) => unread(&body, *refusal),
            };
            if response.body().len() > SMALL {
                response = shared.hold(response);
            }
            if let Some(origin) = head.headers.get(header::ORIGIN) {
                shared.gate.allow(origin, response.headers_mut());
            }
            if head.method == Method::HEAD {
                head_only(&mut response);
            }
            if shared.is_draining() {
                close(&mut response);
            }
            if has_id && let Some(id) = head.headers.get(REQUEST_ID) {
                response.headers_mut().insert(REQUEST_ID, id.clone());
            }
            shared.server.metrics.request(response.status().as_u16());
            trace::status(response.status().as_u16());
            response
        };
        id.scope(answer.instrument(span))
    }
}

/// Authenticates a request, or returns the response that rejects it.
async fn authenticate(shared: &Shared, head: &mut Head) -> Result<(), Box<Response<Body>>> {
    if let Some(Proven { caller, peer }) = head.extensions.get().cloned() {
        head.peer = peer;
        if let Some(caller) = caller {
            // The credentials may have expired since a long request began.
            if caller.expires().is_some_and(|until| until <= SystemTime::now()) {
                let refusal = Refusal::invalid_token("the credentials have expired");
                return Err(refused(shared, &refusal));
            }
            head.caller = Some(caller);
            return Ok(());
        }
    }
    let path = head.uri.path();
    let is_own = is_own_mcp(shared, head);
    let is_asked = |_: &_| is_own || shared.relay(path).is_some() || shared.mount(path).is_some();
    let Some(auth) = shared.server.policy.auth.as_ref().filter(is_asked) else {
        return Ok(());
    };
    if head.method == Method::OPTIONS {
        return Ok(());
    }
    let policy = &shared.server.policy;
    // The gallery is a client of the app's own tools, not of a mounted service.
    if is_own && gallery::is_sender(shared, head) {
        head.caller = policy.local_caller.clone();
        return Ok(());
    }
    let refusal = match shared.authenticate(&**auth, &head.parts).await {
        // No message could make this request acceptable, so do not read its body.
        Ok(None) if head.method == Method::POST && !policy.admits(None) => Refusal::unauthorized(),
        Ok(caller) => {
            head.caller = caller;
            // Removed after use, so that handlers cannot log or forward it.
            head.parts.headers.remove(header::AUTHORIZATION);
            return Ok(());
        }
        Err(refusal) => refusal,
    };
    Err(refused(shared, &refusal))
}

/// The response to a rejected request.
fn refused(shared: &Shared, refusal: &Refusal) -> Box<Response<Body>> {
    let fault = RpcError::refused(refusal, shared.server.policy.metadata());
    Box::new(error(status_of(&fault, true), None, &fault))
}

impl<B> tower_service::Service<Request<B>> for Service
where
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response<Body>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let answer = self.answer(request, None);
        Box::pin(async move { Ok(answer.await) })
    }
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service")
            .field("app", &self.shared.load().server.name)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::Full;

    use super::*;
    use crate::App;

    /// It is moved for every request, so rarely used state must not make it large.
    #[test]
    fn the_future_of_a_request_is_small() {
        let app = App::new("tests", "1.0.0").build().unwrap();
        let future = app.service().answer(Request::new(Full::new(Bytes::new())), None);
        let size = size_of_val(&future);
        assert!(size < 1024, "{size}");
    }
}
