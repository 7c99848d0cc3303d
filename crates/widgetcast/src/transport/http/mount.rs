//! Services mounted next to the app, behind the same gate and authentication.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use http::{Request, Response, StatusCode};
use http_body_util::BodyExt as _;

use super::body::{Body, RequestBody};
use super::gate::Head;
use super::response::plain;
use super::sse::Streams;
use super::visitor::Visitor;
use crate::log::panic_text;
use crate::server::Server;

type Answer = dyn Fn(Request<RequestBody>) -> BoxFuture<'static, Response<Body>> + Send + Sync;

/// A service and its path.
#[derive(Clone)]
pub(crate) struct Mount {
    path: &'static str,
    answer: Arc<Answer>,
}

impl Mount {
    pub(crate) fn new<F, R>(path: &'static str, answer: F) -> Self
    where
        F: Fn(Request<RequestBody>) -> R + Send + Sync + 'static,
        R: Future<Output = Response<Body>> + Send + 'static,
    {
        Self { path, answer: Arc::new(move |request| Box::pin(answer(request))) }
    }

    /// Whether a path belongs to it.
    pub(super) fn is_at(&self, path: &str) -> bool {
        path.strip_prefix(self.path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// Handles a request. Its extensions contain the authenticated caller, if any, and the [`Visitor`].
    pub(super) fn answer<B>(
        &self,
        server: &Arc<Server>,
        streams: &Streams,
        head: &Head,
        body: B,
    ) -> BoxFuture<'static, Response<Body>>
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
    {
        let lost = |_| std::io::Error::other("the request did not complete");
        let mut request =
            Request::from_parts(head.parts.clone(), body.map_err(lost).boxed_unsync());
        if let Some(caller) = &head.caller {
            request.extensions_mut().insert(caller.clone());
        }
        request.extensions_mut().insert(Visitor::new(server, streams, head));
        let (answer, server) = (Arc::clone(&self.answer), Arc::clone(server));
        Box::pin(async move {
            let answer = AssertUnwindSafe(async { answer(request).await }).catch_unwind();
            answer.await.unwrap_or_else(|panic| {
                server.leave_out("mount", &format!("panicked: {}", panic_text(&*panic)));
                plain(StatusCode::INTERNAL_SERVER_ERROR, "The request failed unexpectedly.\n")
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_has_its_path_and_what_is_below() {
        let mount = Mount::new("/chat", async |_| Response::new(Body::from("")));
        for (path, is_its) in [
            ("/chat", true),
            ("/chat/", true),
            ("/chat/a", true),
            ("/chatkit", false),
            ("/", false),
        ] {
            assert_eq!(mount.is_at(path), is_its, "{path}");
        }
    }
}
