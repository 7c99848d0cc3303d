//! Streams one response of the model, with retries until its first part has been delivered.

use futures_util::StreamExt as _;
use serde_json::Value;
use tokio::time::Instant;

use crate::clock::{Clock, Stop, Waited};
use crate::event::{Event, Sink};
use crate::limits::Limits;
use crate::model::{Model, Trouble};
use crate::model_error::{ModelError, ModelErrorKind};
use crate::turn::{Delta, Turn};

/// Why an attempt failed.
enum Interrupted {
    Stop(Stop),
    Trouble(Trouble),
}

/// Requests a response. If the run is stopped, returns the output up to that point.
pub(crate) async fn ask(
    model: &Model,
    limits: &Limits,
    request: &Value,
    clock: &Clock,
    sink: &mut impl Sink,
) -> Result<Turn, (Turn, Stop)> {
    let mut failures = 0;
    loop {
        let mut turn = Turn::default();
        let trouble = match attempt(model, limits, request, &mut turn, clock, sink).await {
            Ok(()) => return Ok(turn),
            Err(Interrupted::Stop(stop)) => return Err((turn, stop)),
            Err(Interrupted::Trouble(trouble)) => trouble,
        };
        failures += 1;
        let wait = trouble.delay(failures);
        // Delivered output cannot be revoked, and a retry would start over.
        let again = trouble.may_pass && turn.text.is_empty() && failures <= limits.retries;
        if !again || wait > limits.longest_wait {
            return Err((turn, Stop::Failed(trouble.error)));
        }
        tracing::debug!(reason = trouble.error.message, ?wait, "retrying the model");
        sink.event(Event::Retrying { reason: &trouble.error.message, wait }).await;
        if let Err(stop) = clock.wait(tokio::time::sleep(wait)).await {
            return Err((turn, stop));
        }
    }
}

async fn attempt(
    model: &Model,
    limits: &Limits,
    request: &Value,
    turn: &mut Turn,
    clock: &Clock,
    sink: &mut impl Sink,
) -> Result<(), Interrupted> {
    let mut allowed = limits.first_token;
    let too_long = |waited, allowed: std::time::Duration| match waited {
        Waited::Stop(stop) => Interrupted::Stop(stop),
        Waited::TooLong => Interrupted::Trouble(model.stalled(allowed.as_secs())),
    };
    let opened = clock.until(Instant::now() + allowed, model.stream(request)).await;
    let opened = opened.map_err(|waited| too_long(waited, allowed))?;
    let mut events = opened.map_err(Interrupted::Trouble)?;
    loop {
        // An event without content also shows that the endpoint is alive: some models think for a long time.
        let next = clock.until(Instant::now() + allowed, events.next()).await;
        let event = match next {
            Ok(Some(Ok(event))) => event,
            Ok(None) => break,
            // Only the token count follows the response; its absence is not a failure.
            _ if turn.finished => break,
            Ok(Some(Err(error))) => return Err(Interrupted::Trouble(model.trouble(error))),
            Err(waited) => return Err(too_long(waited, allowed)),
        };
        for delta in model.read(&event) {
            allowed = limits.between_tokens;
            take(model, delta, turn, sink).await.map_err(Interrupted::Trouble)?;
        }
        if turn.size() > limits.answer_bytes {
            let message = format!("the model wrote more than {} bytes", limits.answer_bytes);
            let error = ModelError::new(ModelErrorKind::Unreadable, message);
            return Err(Interrupted::Stop(Stop::Failed(error)));
        }
    }
    match turn.finished || turn.ended.is_some() {
        true => Ok(()),
        false => Err(Interrupted::Trouble(model.ended_early())),
    }
}

async fn take(
    model: &Model,
    delta: Delta,
    turn: &mut Turn,
    sink: &mut impl Sink,
) -> Result<(), Trouble> {
    match delta {
        Delta::Text(delta) => {
            turn.text.push_str(&delta);
            sink.event(Event::Text { delta: &delta }).await;
        }
        Delta::Call(part) => turn.add_call(part),
        Delta::Usage { input, output } => turn.usage = Some((input, output)),
        Delta::Finished => turn.finished = true,
        Delta::Ended(reason) => turn.ended = Some(reason),
        Delta::Failed(said) => return Err(model.failed(&said)),
    }
    Ok(())
}
