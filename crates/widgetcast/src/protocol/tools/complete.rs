//! What becomes of the outcome of a handler: its data is checked, drawn and presented.

use std::sync::Arc;

use widgetcast_core::budget::{self, Budget};
use widgetcast_core::{Json, JsonRef, View, Widget};

use super::super::params::Data;
use super::present::{Audience, Called, Presenting, draw_view, present_data, present_whole};
use super::{Found, find};
use crate::components;
use crate::log::may_log;
use crate::reload::Snapshot;
use crate::sdk::outcome::Outcome;
use crate::sdk::tool::Tool;
use crate::sdk::tool_error::ToolError;
use crate::server::{ServedTool, Server};
use crate::worker::Undone;

/// Checks a handler's data and presents it: here if that is quick, else on a worker.
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
            Shown::Done(called) => return called?.kept(server).await,
            Shown::TooSlow(outcome) => outcome,
        },
        false => outcome,
    };
    let shared = Arc::clone(server);
    let shown = server
        .workers
        .run(move || show(&shared, &snapshot, &name, outcome, &to, &Budget::default()));
    match shown.await {
        Ok(Shown::Done(called)) => called?.kept(server).await,
        Ok(Shown::TooSlow(_)) => Err(ToolError::public("the result takes too long to present")),
        Err(Undone::Busy) => Err(ToolError::public("the server is busy; try again")),
        Err(Undone::Panicked) => Err(ToolError::private("panicked while presenting")),
    }
}

/// What came of presenting an outcome.
enum Shown {
    Done(Result<Called, ToolError>),
    /// Drawing it was a trial that has failed; the outcome is given back.
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
    let drawn = budget.cover(|| {
        let parts =
            Parts { data: json.as_ref(), view: view_json.as_ref(), widget: chosen.as_deref() };
        let drawn = draw(server, snapshot, name, parts);
        if budget::must_retry() { None } else { Some(drawn) }
    });
    let Some(drawn) = drawn else {
        (outcome.data, outcome.view) = (json, view_json);
        return Shown::TooSlow(outcome);
    };
    let Drawn { data, view, served } = match drawn {
        Ok(drawn) => drawn,
        Err(error) => return Shown::Done(Err(error)),
    };
    let mut called = match view {
        Some((widget, view)) => {
            let data = &data;
            let presenting = Presenting { server, snapshot, tool: name, widget, data, to };
            presenting.present(view, outcome)
        }
        None => {
            let page = served.filter(|served| served.tool.page.is_some());
            let page = page.and_then(|served| server.page_of(&served.tool, snapshot));
            Called::plain(present_data(outcome, &data.given, page, &server.key))
        }
    };
    drop(data);
    if served.is_some() {
        called.reply.structured = json.filter(|json| json.as_str() != "null");
    }
    Shown::Done(Ok(called))
}

/// A handler's data, checked, and the view that its widget draws of it.
struct Drawn<'a> {
    data: Data<'a>,
    view: Option<(&'a Widget, View)>,
    /// The tool, if it is not a widget by itself.
    served: Option<&'a ServedTool>,
}

/// The parts of an outcome that a view is drawn of.
#[derive(Clone, Copy)]
struct Parts<'a> {
    data: Option<&'a Json>,
    /// Data for the view, where it is not that of the model.
    view: Option<&'a Json>,
    /// The widget that the result chooses.
    widget: Option<&'a str>,
}

fn draw<'a>(
    server: &'a Server,
    snapshot: &'a Snapshot,
    name: &str,
    parts: Parts<'a>,
) -> Result<Drawn<'a>, ToolError> {
    let found =
        find(server, snapshot, name).ok_or_else(|| ToolError::public("the tool is gone"))?;
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
            if found.is_none() && may_log("widgets that are gone:", name) {
                tracing::error!(tool = name, widget, "the widget is gone; no view is shown");
            }
            found
        }),
    };
    let (given, json) = match parts.view {
        Some(json) => (read(Some(json))?, Some(json)),
        None => (given, parts.data),
    };
    let text = json.map_or("null", |json| json.as_str());
    let data = Data { given: given.unwrap_or_default(), text: text.into() };
    let view = match widget {
        Some(widget) => Some((widget, draw_own(name, served, widget, &data)?)),
        None => None,
    };
    Ok(Drawn { data, view, served })
}

/// The widget that shows a result: the one that it chooses, if the tool may show it, else the tool's.
fn chosen<'a>(tool: &'a Tool, widget: Option<&'a str>) -> Result<Option<&'a str>, ToolError> {
    match widget {
        None => Ok(tool.widget.as_deref()),
        Some(name) if tool.shown_widgets().any(|known| known == name) => Ok(Some(name)),
        Some(components::WIDGET) => Err(ToolError::private(
            "the result is made of components: the tool must say so by Tool::components",
        )),
        Some(name) => Err(ToolError::private(format!(
            "the result chooses widget {name}, which Tool::widgets lacks"
        ))),
    }
}

fn check_output(
    name: &str,
    served: &ServedTool,
    data: Option<&JsonRef<'_>>,
) -> Result<(), ToolError> {
    let Some(schema) = &served.output else { return Ok(()) };
    let data = data.ok_or_else(|| ToolError::public("the tool gave no data"))?;
    schema.validate_data(data).map_err(|violations| {
        if may_log("results that do not fit:", name) {
            tracing::error!(
                tool = name,
                "the result does not fit its output schema:\n{violations}"
            );
        }
        ToolError::public("the tool's result does not fit its output schema")
    })
}

/// Draws data. What a handler gave that does not fit is not for the model, as what a model gave is.
fn draw_own(
    name: &str,
    served: Option<&ServedTool>,
    widget: &Widget,
    data: &Data<'_>,
) -> Result<View, ToolError> {
    draw_view(name, widget, data).map_err(|error| match served {
        Some(_) => ToolError::private(format!("the result cannot be drawn: {error}")),
        None => error,
    })
}
