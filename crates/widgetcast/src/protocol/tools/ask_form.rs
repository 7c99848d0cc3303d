//! Forms for clients without views but with elicitation: the user fills in an elicitation with the form's
//! fields, and the model reads the response.
//!
//! The form's action is not run: the model gets the name of the tool to call, and the host decides as with any other
//! call.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use widgetcast_core::JsonRef;
use widgetcast_core::surface::question::Question;

use super::super::input_required::Rounds;
use super::super::request::ClientContext;
use super::super::surfaces::shows_views;
use super::present::Called;
use super::{Found, find};
use crate::call::line::{Asked, Driven};
use crate::sdk::ask::Answer;
use crate::sdk::context::Ctx;
use crate::server::Server;

/// Whether the form of this call's result may become an elicitation.
pub(super) fn is_for(server: &Server, found: Found<'_>, client: &ClientContext<'_>) -> bool {
    let has_elicitation = |given: &JsonRef<'_>| given.get("elicitation").is_some();
    let can_be_asked = client.capabilities.is_some_and(has_elicitation)
        || client.session.is_some_and(|session| session.can_be_asked());
    can_be_asked
        && !shows_views(server, client)
        // In 2026-07-28, a call with input requests runs again from its start.
        && match found {
            Found::Widget(_) => true,
            Found::Typed(served) => served.tool.is_read_only() || !client.modern,
        }
}

/// Turns the form of a result into an elicitation. An error is an input request that must be answered first.
/// A result without a form, or whose elicitation the client rejects, stays unchanged.
pub(super) async fn ask(
    server: &Arc<Server>,
    ctx: &Ctx,
    mut called: Called,
    limit: Duration,
    rounds: Option<Rounds>,
) -> Result<Called, (Rounds, Asked)> {
    let Some(question) = called.view.as_ref().and_then(Question::of).filter(|_| ctx.can_elicit())
    else {
        return Ok(called);
    };
    let schema = question.schema(ctx.line().is_modern());
    let asking = ctx.elicit::<Value>(question.message.clone()).schema(schema).answer();
    let answer = match (ctx.line().drive(asking, limit).await, rounds) {
        (Driven::Done(Ok(answer)), _) => answer,
        (Driven::Asked(asked), Some(rounds)) => return Err((rounds, asked)),
        _ => return Ok(called),
    };
    called.reply.content.clear();
    called.reply.push_text(match answer {
        Answer::Accepted(answers) => told(server, ctx, &question, &answers),
        Answer::Declined => "The user declined to fill in the form.".to_owned(),
        Answer::Cancelled => "The user closed the form without filling it in.".to_owned(),
    });
    Ok(called)
}

/// The text about the response, for the model.
fn told(server: &Server, ctx: &Ctx, question: &Question, answers: &Value) -> String {
    let arguments = question.arguments(answers);
    let action = question.action.as_deref().unwrap_or_default();
    let tool = action.strip_prefix("tool:").unwrap_or(action);
    let is_tool = find(server, &server.reloader.now(), tool).is_some()
        && server.shows_tool(tool, ctx.caller());
    match (is_tool, action) {
        (true, _) => format!(
            "The user filled in the form. To submit it, call {tool} with these arguments: {arguments}"
        ),
        (false, "") => format!("The user filled in the form: {arguments}"),
        (false, _) => format!("The user filled in the form ({action}): {arguments}"),
    }
}
