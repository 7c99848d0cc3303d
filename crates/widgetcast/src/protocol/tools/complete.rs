//! Processes the outcome of a handler: its data is checked, rendered and presented.
//!
//! The handler has completed its work, and a failed call invites the model to repeat it. So from here on,
//! failures are logged, counted and left out of the result. Only data that violates the handler's own schema
//! is an error.

use std::sync::{Arc, Mutex, PoisonError};

use widgetcast_core::budget::{self, Budget};
use widgetcast_core::{Json, JsonRef, View, Widget};

use super::super::params::Data;
use super::present::{
    Audience, Called, Presenting, draw_view, present_data, present_whole, with_extras,
};
use super::{Found, find};
use crate::components;
use crate::log::may_log;
use crate::reload::Snapshot;
use crate::sdk::outcome::Outcome;
use crate::sdk::tool::Tool;
use crate::sdk::tool_error::ToolError;
use crate::server::{ServedTool, Server};
use crate::worker::{Budgeted, Undone};

/// Checks a handler's data and presents it: here if that is fast, or else on a worker.
pub(super) async fn complete(
    server: &Arc<Server>,
    snapshot: Arc<Snapshot>,
    name: String,
    outcome: Outcome,
    to: Audience,
) -> Result<Called, ToolError> {
    let is_short = [&outcome.data, &outcome.view].into_iter().flatten();
    let is_short =
        is_short.map(|json| json.as_str().len()).sum::<usize>() <= Budget::MAX_TRIED_BYTES;
    let outcome = match is_short {
        true => match show(server, &snapshot, &name, outcome, &to, &Budget::trial()) {
            Shown::Done(called) => return Ok(called?.kept(server).await),
            Shown::TooSlow(outcome) => outcome,
        },
        false => outcome,
    };
    // Without a free worker, it stays here.
    let held = Arc::new(Mutex::new(Some(outcome)));
    let take =
        |held: &Mutex<Option<Outcome>>| held.lock().unwrap_or_else(PoisonError::into_inner).take();
    let work = {
        let (server, snapshot, held) =
            (Arc::clone(server), Arc::clone(&snapshot), Arc::clone(&held));
        let name = name.clone();
        move |_: Budgeted| {
            let outcome = take(&held)?;
            Some(show(&server, &snapshot, &name, outcome, &to, &Budget::default()))
        }
    };
    let outcome = match server.workers.run(work).await {
        Ok(Some(Shown::Done(called))) => return Ok(called?.kept(server).await),
        Ok(Some(Shown::TooSlow(outcome))) => Some(outcome),
        Ok(None) | Err(Undone::Busy | Undone::Panicked) => take(&held),
    };
    let outcome = outcome.ok_or_else(|| ToolError::private("panicked while presenting"))?;
    server.leave_out("view", &format!("{name}: rendering the result timed out"));
    let served = served(server, &snapshot, &name);
    Ok(undrawn(server, &snapshot, served, outcome))
}

/// The tool, unless it is a widget.
fn served<'a>(server: &'a Server, snapshot: &'a Snapshot, name: &str) -> Option<&'a ServedTool> {
    match find(server, snapshot, name)? {
        Found::Typed(served) => Some(served),
        Found::Widget(_) => None,
    }
}

/// The result without the view.
fn undrawn(
    server: &Server,
    snapshot: &Snapshot,
    served: Option<&ServedTool>,
    mut outcome: Outcome,
) -> Called {
    let page = served.filter(|served| served.tool.page.is_some());
    let page = page.and_then(|served| server.page_of(&served.tool, snapshot));
    let (data, view) = (outcome.data.take(), outcome.view.take());
    let mut reply = present_data(server, &outcome, data.as_ref(), view, page);
    if served.is_some() {
        reply.structured = data.filter(|data| data.as_str() != "null");
    }
    Called::plain(with_extras(reply, outcome))
}

/// The result of presenting an outcome.
enum Shown {
    Done(Result<Called, ToolError>),
    /// Rendering exceeded the trial; returns the outcome.
    TooSlow(Outcome),
}

/// Checks a handler's data and presents it.
fn show(
    server: &Arc<Server>,
    snapshot: &Snapshot,
    name: &str,
    mut outcome: Outcome,
    to: &Audience,
    budget: &Budget,
) -> Shown {
    if let Some(reply) = outcome.reply.take() {
        return Shown::Done(Ok(present_whole(server, *reply, to)));
    }
    let (json, view_json) = (outcome.data.take(), outcome.view.take());
    let chosen = outcome.widget.clone();
    let served = served(server, snapshot, name);
    let drawn = server.contain("view", || {
        budget.cover(|| {
            let parts =
                Parts { data: json.as_ref(), view: view_json.as_ref(), widget: chosen.as_deref() };
            let drawn = draw(server, snapshot, name, parts);
            if budget::must_retry() { None } else { Some(drawn) }
        })
    });
    let drawn = match drawn {
        Some(None) => {
            (outcome.data, outcome.view) = (json, view_json);
            return Shown::TooSlow(outcome);
        }
        Some(Some(Err(error))) => return Shown::Done(Err(error)),
        Some(Some(Ok(drawn))) => drawn,
        None => None,
    };
    let called = drawn.and_then(|Drawn { data, widget, view }| {
        let presenting = Presenting { server, snapshot, tool: name, widget, data: &data, to };
        server.contain("view", || presenting.present(view, &outcome))
    });
    let Some(mut called) = called else {
        (outcome.data, outcome.view) = (json, view_json);
        return Shown::Done(Ok(undrawn(server, snapshot, served, outcome)));
    };
    called.reply = with_extras(called.reply, outcome);
    if served.is_some() {
        called.reply.structured = json.filter(|json| json.as_str() != "null");
    }
    Shown::Done(Ok(called))
}

/// The input of rendering a handler's data.
struct Drawn<'a> {
    data: Data<'a>,
    widget: &'a Widget,
    view: View,
}

/// The parts of an outcome that a view is rendered from.
#[derive(Clone, Copy)]
struct Parts<'a> {
    data: Option<&'a Json>,
    /// The data for the view, if it differs from that for the model.
    view: Option<&'a Json>,
    /// The widget chosen by the result.
    widget: Option<&'a str>,
}

/// Checks a handler's data, and renders it with its widget, if any.
fn draw<'a>(
    server: &'a Server,
    snapshot: &'a Snapshot,
    name: &str,
    parts: Parts<'a>,
) -> Result<Option<Drawn<'a>>, ToolError> {
    let found = find(server, snapshot, name)
        .ok_or_else(|| ToolError::public("the tool was removed during the call"))?;
    let read = |json: Option<&'a Json>| json.map(|json| JsonRef::read(json.as_str())).transpose();
    let given = read(parts.data)?;
    let served = match found {
        Found::Typed(served) => Some(served),
        Found::Widget(_) => None,
    };
    if let Some(served) = served {
        check_output(name, served, given.as_ref())?;
    }
    let widget = match found {
        Found::Widget(widget) => Some(widget),
        Found::Typed(served) => chosen(&served.tool, parts.widget)?.and_then(|widget| {
            let found = snapshot.widget(widget);
            // If finding it exceeds the trial, the call is repeated on a worker.
            let is_gone = found.is_none() && budget::exceeded().is_none();
            if is_gone && may_log("removed widgets:", name) {
                tracing::error!(
                    tool = name,
                    widget,
                    "the widget was removed; the result has no view"
                );
            }
            found
        }),
    };
    let Some(widget) = widget else { return Ok(None) };
    let (given, json) = match parts.view {
        Some(json) => (read(Some(json))?, Some(json)),
        None => (given, parts.data),
    };
    let text = json.map_or("null", |json| json.as_str());
    let data = Data { given: given.unwrap_or_default(), text: text.into() };
    match draw_view(name, widget, &data) {
        Ok(view) => Ok(Some(Drawn { data, widget, view })),
        // For a widget that is itself a tool, the model provided the invalid data.
        Err(error) if served.is_none() => Err(error),
        Err(error) => {
            if !budget::must_retry() {
                server.leave_out("view", &format!("{name}: cannot render the result: {error}"));
            }
            Ok(None)
        }
    }
}

/// The widget that shows a result: the one it chooses, if the tool allows it, or else the tool's.
fn chosen<'a>(tool: &'a Tool, widget: Option<&'a str>) -> Result<Option<&'a str>, ToolError> {
    match widget {
        None => Ok(tool.widget.as_deref()),
        Some(name) if tool.shown_widgets().any(|known| known == name) => Ok(Some(name)),
        Some(components::WIDGET) => Err(ToolError::private(
            "the result contains components: declare the tool with Tool::components",
        )),
        Some(name) => Err(ToolError::private(format!(
            "the result selects widget {name}, which is not in Tool::widgets"
        ))),
    }
}

fn check_output(
    name: &str,
    served: &ServedTool,
    data: Option<&JsonRef<'_>>,
) -> Result<(), ToolError> {
    let Some(schema) = &served.output else { return Ok(()) };
    let data = data.ok_or_else(|| ToolError::public("the tool returned no data"))?;
    schema.validate_data(data).map_err(|violations| {
        if may_log("results that do not match their schema:", name) {
            tracing::error!(
                tool = name,
                "the result does not match its output schema:\n{violations}"
            );
        }
        ToolError::public("the tool's result does not match its output schema")
    })
}
