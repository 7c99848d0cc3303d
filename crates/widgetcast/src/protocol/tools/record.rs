//! Observes a call: metrics, listeners and audit log.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;

use widgetcast_core::SURFACES;

use super::super::request::ClientContext;
use super::super::surface_set::SurfaceSet;
use super::{Found, clip, find};
use crate::call::request_id;
use crate::log::may_log;
use crate::metrics::{CallOutcome, OTHER};
use crate::quota::{Limit, Permit};
use crate::sdk::caller::Caller;
use crate::sdk::event::Event;
use crate::sdk::owner::Owner;
use crate::sdk::peer::Peer;
use crate::sdk::tool_error::ToolError;
use crate::server::Server;
use crate::trace;

/// The state of a running call.
pub(crate) struct CallRecord<'c> {
    tool: Cow<'c, str>,
    surfaces: SurfaceSet,
    began: Instant,
    argument_bytes: usize,
    /// The caller, for the audit log only.
    caller: Option<Caller>,
    peer: Peer,
    /// Its share of the quotas, until it ends.
    permit: Option<Permit>,
}

impl<'c> CallRecord<'c> {
    /// Starts a call.
    pub(crate) fn new(
        server: &Server,
        tool: &'c str,
        client: &ClientContext<'_>,
        surfaces: SurfaceSet,
        argument_bytes: usize,
    ) -> Self {
        let caller = client.transport.caller().filter(|_| server.settings.audit).cloned();
        let (tool, began, peer) = (tool.into(), Instant::now(), client.transport.peer());
        Self { tool, surfaces, began, argument_bytes, caller, peer, permit: None }
    }

    /// Takes a share of the quotas, or returns the one that is exceeded.
    pub(super) fn admit(
        &mut self,
        server: &Server,
        client: &ClientContext<'_>,
    ) -> Result<(), Limit> {
        let Some(quotas) = &server.quotas else { return Ok(()) };
        let snapshot = server.reloader.now();
        let own = match find(server, &snapshot, &self.tool) {
            Some(Found::Typed(served)) => served.tool.max_calls,
            Some(Found::Widget(_)) => None,
            None => return Ok(()),
        };
        let permit = quotas.admit(owner_of(client), &self.tool, own, self.began);
        self.permit = Some(permit.inspect_err(|_| self.count(server, CallOutcome::Limited, 0))?);
        Ok(())
    }

    /// The call was a trial and is repeated: refund its quota.
    pub(super) fn undo(&self) {
        if let Some(permit) = &self.permit {
            permit.give_back();
        }
    }

    pub(crate) fn into_owned(self) -> CallRecord<'static> {
        CallRecord { tool: self.tool.into_owned().into(), ..self }
    }

    pub(crate) fn tool(&self) -> &str {
        &self.tool
    }

    /// The result of a call, or why it failed.
    pub(crate) fn end<T>(
        &self,
        server: &Server,
        result: Result<T, ToolError>,
        bytes: impl FnOnce(&T) -> usize,
    ) -> Result<T, ToolError> {
        let (tool, took) = (&*self.tool, self.began.elapsed());
        match &result {
            Ok(done) => {
                self.count(server, CallOutcome::Ok, bytes(done));
                server.emit(&Event::Succeeded { tool, took });
            }
            Err(error) => {
                self.count(server, CallOutcome::Error, 0);
                let (request, causes) = (request_id::current(), error.with_causes());
                if !error.is_public() && may_log("failures:", tool) {
                    tracing::error!(tool, request, "{}", clip(&causes));
                }
                let error = clip(&causes);
                server.emit(&Event::Failed { tool, took, error, request: request.as_deref() });
            }
        }
        result
    }

    /// Notifies listeners of an unauthorized call.
    pub(super) fn tell_refused(&self, server: &Server, error: &ToolError) {
        self.tell_failed(server, clip(&error.with_causes()));
    }

    fn tell_failed(&self, server: &Server, error: &str) {
        let (tool, took, request) = (&*self.tool, self.began.elapsed(), request_id::current());
        server.emit(&Event::Failed { tool, took, error, request: request.as_deref() });
    }

    /// A call that ended with input requests.
    pub(super) fn asked(&self, server: &Server, bytes: usize) {
        self.count(server, CallOutcome::InputRequired, bytes);
        server.emit(&Event::Asked { tool: &self.tool, took: self.began.elapsed() });
    }

    /// Counts it, and writes it to the audit log.
    pub(super) fn count(&self, server: &Server, outcome: CallOutcome, result_bytes: usize) {
        let took = self.began.elapsed();
        // Unknown names are the caller's text, and metrics would keep them forever.
        let tool = (outcome != CallOutcome::Unknown).then_some(&*self.tool);
        let surface = self.surfaces.main();
        server.metrics.calls.count(tool, surface, outcome, took);
        if !matches!(outcome, CallOutcome::Ok | CallOutcome::InputRequired) {
            trace::tool_error(match outcome {
                CallOutcome::Error => "tool_error",
                outcome => outcome.name(),
            });
        }
        if !server.settings.audit {
            return;
        }
        server.contain("audit", || {
            tracing::info!(
                target: "widgetcast::audit",
                caller = self.caller.as_ref().map(Caller::subject),
                peer = %self.peer,
                tool = tool.unwrap_or(OTHER),
                surface = SURFACES[surface].name,
                outcome = outcome.name(),
                seconds = took.as_secs_f64(),
                request = request_id::current(),
                argument_bytes = self.argument_bytes,
                result_bytes,
                "call",
            );
        });
    }
}

/// A call relayed by a mounted service: counted as one of the app's own, and as cancelled if it is dropped
/// before its end.
pub(crate) struct Relayed(Unfinished);

impl Relayed {
    /// Takes a share of the quotas, or returns the one that is exceeded.
    pub(crate) fn begin(
        server: &Arc<Server>,
        tool: &str,
        caller: Option<&Caller>,
        peer: Peer,
        argument_bytes: usize,
    ) -> Result<Self, Limit> {
        let mut record = CallRecord {
            tool: tool.to_owned().into(),
            surfaces: SurfaceSet::of_client(None, None),
            began: Instant::now(),
            argument_bytes,
            caller: caller.filter(|_| server.settings.audit).cloned(),
            peer,
            permit: None,
        };
        if let Some(quotas) = &server.quotas {
            let permit = quotas.admit(told_apart(caller, peer), tool, None, record.began);
            // The name is the caller's text, and may not exist.
            record.permit =
                Some(permit.inspect_err(|_| record.count(server, CallOutcome::Limited, 0))?);
        }
        server.emit(&Event::Called { tool });
        Ok(Self(Unfinished::new(server, record)))
    }

    /// Its result, or its error message. `is_known` is whether the tool exists.
    pub(crate) fn end(mut self, result: Result<usize, String>, is_known: bool) {
        let server = Arc::clone(&self.0.server);
        let record = self.0.end();
        match (result, is_known) {
            (Err(error), false) => {
                record.count(&server, CallOutcome::Unknown, 0);
                record.tell_failed(&server, clip(&error));
            }
            (result, _) => {
                _ = record.end(&server, result.map_err(ToolError::public), |bytes| *bytes);
            }
        }
    }
}

/// The owner to which the limits of a request apply, if its client is distinguishable.
pub(crate) fn told_apart(caller: Option<&Caller>, peer: Peer) -> Option<Owner> {
    (caller.is_some() || peer.is_of_elsewhere()).then(|| Owner::new(caller, peer))
}

/// The owner that a call counts toward. As with the rate limit, `None` for unauthenticated local programs,
/// and for all clients of a proxy that does not forward their addresses; a pipe has one caller.
fn owner_of(client: &ClientContext<'_>) -> Option<Owner> {
    let (caller, peer) = (client.transport.caller(), client.transport.peer());
    match client.transport.is_exclusive() {
        true => Some(Owner::new(caller, peer)),
        false => told_apart(caller, peer),
    }
}

/// A call that counts as cancelled if it is dropped before its end.
pub(super) struct Unfinished {
    server: Arc<Server>,
    record: CallRecord<'static>,
    is_ended: bool,
}

impl Unfinished {
    pub(super) fn new(server: &Arc<Server>, record: CallRecord<'static>) -> Self {
        Self { server: Arc::clone(server), record, is_ended: false }
    }

    /// It has ended.
    pub(super) fn end(&mut self) -> &CallRecord<'static> {
        self.is_ended = true;
        &self.record
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.is_ended {
            self.record.count(&self.server, CallOutcome::Cancelled, 0);
            self.record.tell_failed(&self.server, "cancelled by the caller");
        }
    }
}
