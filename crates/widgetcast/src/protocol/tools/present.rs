//! From data to a result: drawn by a widget on every surface that was asked for, or shown by a page of
//! the app's own, or told in words.

use serde_json::json;
use widgetcast_core::surface::page::Page;
use widgetcast_core::{AuthorTemplate, JsonRef, Kind, Presentation, Reply, View, Widget};

use super::super::params::Data;
use super::super::surfaces::SurfaceSet;
use super::state;
use crate::reload::Snapshot;
use crate::sdk::outcome::{Outcome, ToolError};
use crate::server::Server;

/// What came of a call: the result, and the view that it shows.
pub(crate) struct Called {
    pub reply: Reply,
    pub view: Option<View>,
}

/// Presents data that a widget draws.
pub(super) fn present_view(
    server: &Server,
    snapshot: &Snapshot,
    tool: &str,
    widget: &Widget,
    outcome: Outcome,
    data: &Data<'_>,
    surfaces: SurfaceSet,
) -> Result<Called, ToolError> {
    let view = widget.draw(&data.given).map_err(|error| match error.kind() {
        Kind::Data => ToolError::new(error.message()),
        _ => {
            tracing::error!(tool, "{error:#}");
            ToolError::new(format!("the result cannot be drawn: {}", error.message()))
        }
    })?;
    let author = |template: AuthorTemplate| {
        let rendered = snapshot.catalog.author_template(widget, template, &data.given.to_value());
        rendered.unwrap_or_else(|error| {
            tracing::warn!(tool, "the widget's own Slack template is not used: {error}");
            None
        })
    };
    let id = widgetcast_core::instance_id(&server.key, tool, &data.text);
    let state = state::new_key();
    let mut reply = Reply::default();
    {
        let mut presentation = Presentation::new(tool, &id, &view);
        presentation.page = Some(&snapshot.view);
        presentation.state = Some(&state);
        presentation.author = Some(&author);
        presentation.own_text = outcome.text.as_deref();
        for surface in surfaces.iter() {
            (surface.present)(&presentation, &mut reply);
        }
    }
    server.store.put(&id, tool, &data.text);
    Ok(Called { reply: with_extras(reply, outcome), view: Some(view) })
}

/// Presents data that no widget draws.
pub(super) fn present_data(mut outcome: Outcome, data: &JsonRef<'_>, page: Option<&Page>) -> Reply {
    let mut reply = Reply::default();
    let is_null = *data == JsonRef::Null;
    if let Some(text) = outcome.text.take() {
        reply.push_text(text);
    } else if page.is_some() || !is_null || outcome.content.is_empty() {
        reply.push_text(in_words(data));
    }
    if let Some(page) = page {
        reply.set_meta("ui", json!({ "resourceUri": page.uri }));
    }
    with_extras(reply, outcome)
}

/// Adds what a handler gave beside data and text.
fn with_extras(mut reply: Reply, outcome: Outcome) -> Reply {
    reply.content.extend(outcome.content.iter().map(|content| content.to_json().into()));
    for (key, value) in outcome.meta {
        reply.set_meta(key, value);
    }
    reply
}

/// Data in words, for tools that give no text: a string as it is, anything else as JSON.
fn in_words(data: &JsonRef<'_>) -> String {
    match data {
        JsonRef::Null => "Done.".to_owned(),
        JsonRef::Text(text) => text.clone().into_owned(),
        data => serde_json::to_string_pretty(&data.to_value()).unwrap_or_default(),
    }
}
