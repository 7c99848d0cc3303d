//! A running request: the messages that it sends, and its response.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;

use tracing::{Instrument as _, Span};

use super::request::Body;
use crate::log::panic_text;
use crate::sdk::context::Ctx;
use crate::sdk::tool_error::ToolError;
use crate::trace;

/// A deferred response.
pub(crate) struct Running {
    body: BoxFuture<'static, Body>,
    /// Known when it awaits the messages before it.
    ended: Option<Body>,
    /// Of a handler, which may send messages.
    ctx: Option<Ctx>,
}

/// Starts a handler. A panic becomes an error, also before its first await.
pub(super) fn begin<T: Send + 'static>(
    handler: impl FnOnce() -> BoxFuture<'static, Result<T, ToolError>>,
) -> BoxFuture<'static, Result<T, ToolError>> {
    match catch_unwind(AssertUnwindSafe(handler)) {
        Ok(run) => {
            let run = AssertUnwindSafe(run).catch_unwind();
            Box::pin(run.map(|done| done.unwrap_or_else(|panic| Err(panicked(&*panic)))))
        }
        Err(panic) => Box::pin(std::future::ready(Err(panicked(&*panic)))),
    }
}

/// A panic is a handler error like any other; its message is only logged.
pub(super) fn panicked(panic: &(dyn Any + Send)) -> ToolError {
    ToolError::private(format!("panicked: {}", panic_text(panic)))
}

/// Runs a handler that cannot request input within its timeout.
pub(super) async fn finish<T>(
    limit: Duration,
    handler: impl Future<Output = Result<T, ToolError>>,
) -> Result<T, ToolError> {
    let done = tokio::time::timeout(limit, handler).await;
    done.unwrap_or_else(|_| Err(ToolError::public("timed out")))
}

/// An output of a running request.
pub(crate) enum Said {
    /// A notification, or a request to the client.
    Message(String),
    /// The response, which is the last output.
    End(Body),
}

impl Running {
    pub(super) fn new(ctx: Option<Ctx>, body: impl Future<Output = Body> + Send + 'static) -> Self {
        Self { body: Box::pin(body), ended: None, ctx }
    }

    /// The same under a span, which notes an error.
    pub(super) fn traced(self, span: Span) -> Self {
        let (body, noted) = (self.body, span.clone());
        let body = async move {
            let body = body.await;
            if let Err(error) = &body {
                trace::rpc_error(&noted, error.code);
            }
            body
        };
        Self { body: Box::pin(body.instrument(span)), ..self }
    }

    /// The next message, or the response.
    pub(crate) async fn next(&mut self) -> Said {
        poll_fn(|context| self.poll_next(context)).await
    }

    pub(crate) fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Said> {
        if self.ended.is_none()
            && let Poll::Ready(body) = self.body.as_mut().poll(context)
        {
            // Earlier messages come before the response, and none after it.
            self.close();
            self.ended = Some(body);
        }
        let message = self.ctx.as_ref().and_then(|ctx| ctx.line().poll_message(context));
        match (message, &mut self.ended) {
            (Some(message), _) => Poll::Ready(Said::Message(message)),
            (None, ended) => {
                ended.take().map_or(Poll::Pending, |body| Poll::Ready(Said::End(body)))
            }
        }
    }

    /// Accepts no more messages, because they cannot be sent.
    pub(crate) fn close(&self) {
        if let Some(ctx) = &self.ctx {
            ctx.line().close();
        }
    }

    /// Only the response.
    pub(crate) async fn end(mut self) -> Body {
        self.close();
        loop {
            if let Said::End(body) = self.next().await {
                return body;
            }
        }
    }
}
