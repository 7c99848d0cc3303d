//! From data to a result: rendered by a widget on every requested surface, shown by a custom page, or as
//! text.

use std::borrow::Cow;

use serde_json::{Value, json};
use widgetcast_core::budget;
use widgetcast_core::outline::Images;
use widgetcast_core::surface::mcp_apps;
use widgetcast_core::surface::page::Page;
use widgetcast_core::{
    HostTemplate, Json, Kind, Presentation, Reply, Surface, View, Widget, Words, clip,
};

use super::super::params::Data;
use super::super::surface_set::SurfaceSet;
use super::instance::Instance;
use super::state;
use crate::call::recorder::{Recorded, Recorder};
use crate::log::may_log;
use crate::reload::Snapshot;
use crate::sdk::caller::{Caller, owned};
use crate::sdk::outcome::Outcome;
use crate::sdk::owner::Owner;
use crate::sdk::peer::Peer;
use crate::sdk::store::{Entry, Later};
use crate::sdk::store_error::StoreError;
use crate::sdk::tool::Tool;
use crate::sdk::tool_error::ToolError;
use crate::server::Server;
use crate::trace;

/// The outcome of a call: the result and its view.
pub(crate) struct Called {
    pub reply: Reply,
    pub view: Option<View>,
    /// An instance that must be stored before the response is sent, or could not be stored.
    keeping: Option<Later<()>>,
}

impl Called {
    /// A result without a view.
    pub(super) fn plain(reply: Reply) -> Self {
        Self { reply, view: None, keeping: None }
    }

    /// Whether the response can be sent.
    pub(super) fn is_kept(&self) -> bool {
        self.keeping.is_none()
    }

    /// Waits until the instance in the result is stored. If that fails, the result still shows its view, but
    /// the view cannot be read again.
    pub(crate) async fn kept(mut self, server: &Server) -> Self {
        let Some(kept) = self.keeping.take() else { return self };
        let done = tokio::time::timeout(server.settings.call_timeout, kept).await;
        let done = done.unwrap_or_else(|_| Err(StoreError::unavailable("timed out")));
        if let Err(error) = done {
            server.count_store_error("put", &error);
            self.reply.forget_uri();
        }
        self
    }
}

/// The recipient of a result.
#[derive(Clone)]
pub(super) struct Audience {
    pub surfaces: SurfaceSet,
    pub peer: Peer,
    /// The owner of its instances.
    pub caller: Option<Caller>,
    pub recorder: Option<Recorder>,
    /// The labels that surfaces add.
    pub words: Words,
}

impl Audience {
    /// Stores an instance; returns the pending operation, if any.
    fn keep(&self, server: &Server, id: &str, instance: &Instance<'_>) -> Option<Later<()>> {
        let owner = Owner::new(self.caller.as_ref(), self.peer);
        let key = owned(self.caller.as_ref(), id);
        match server.store.put(Entry::instance(owner, &key, &instance.name, &instance.data)).now() {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(Box::pin(std::future::ready(Err(error)))),
            Err(later) => Some(later),
        }
    }
}

/// The view that a widget renders from data.
pub(super) fn draw_view(tool: &str, widget: &Widget, data: &Data<'_>) -> Result<View, ToolError> {
    let drawn = trace::render(tool).in_scope(|| widget.draw(&data.given));
    drawn.map_err(|error| match error.kind() {
        Kind::Data => ToolError::public(error.message()),
        _ => {
            if !budget::must_retry() && may_log("results that could not be rendered:", tool) {
                tracing::error!(tool, "{error:#}");
            }
            ToolError::public(format!("cannot render the result: {}", error.message()))
        }
    })
}

/// Data to render, with the requested surfaces.
pub(super) struct Presenting<'a> {
    pub server: &'a Server,
    pub snapshot: &'a Snapshot,
    pub tool: &'a str,
    pub widget: &'a Widget,
    pub data: &'a Data<'a>,
    pub to: &'a Audience,
}

impl Presenting<'_> {
    /// The result that shows a view of the data.
    pub(super) fn present(self, view: View, outcome: &Outcome) -> Called {
        let Self { server, snapshot, tool, widget, data, to } = self;
        let served = server.tools.get(tool).map(|served| &served.tool);
        // With the members for host templates.
        let template_data = || {
            let mut data = data.given.to_value();
            if let Value::Object(members) = &mut data {
                members.extend(outcome.template_data.clone());
            }
            data
        };
        let author = |template: &'static HostTemplate| {
            let drawn = author_template(snapshot, served, widget, template, &template_data());
            drawn.unwrap_or_else(|error| {
                if may_log("unused host templates:", tool) {
                    tracing::warn!(tool, "the widget's host template is not used: {error}");
                }
                None
            })
        };
        let instance = Instance::of_view(tool, outcome, data);
        let id = widgetcast_core::instance_id(&server.key, &instance.name, &instance.data);
        let state = state::new_key(&server.key);
        let mut reply = Reply::default();
        {
            let mut presentation = Presentation::new(tool, &id, &view);
            presentation.page = Some(&snapshot.view);
            presentation.images = Images::From(&server.settings.image_origins);
            presentation.state = Some(&state);
            presentation.author = Some(&author);
            presentation.words = to.words;
            presentation.own_text = outcome.text.as_deref();
            presentation.max_text_bytes = server.settings.max_text_bytes;
            for surface in to.surfaces.iter() {
                (surface.present)(&presentation, &mut reply);
            }
        }
        let keeping = to.keep(server, &id, &instance);
        if let Some(recorder) = &to.recorder {
            let (widget, view) = (widget.tool_name().to_owned(), view.clone());
            recorder.put(Recorded { widget, view, data: template_data() });
        }
        Called { reply, view: Some(view), keeping }
    }
}

/// A result created elsewhere. Its content can be read at its URIs, like that of other results.
pub(super) fn present_whole(server: &Server, reply: Reply, to: &Audience) -> Called {
    let kept = Instance::of_reply(&reply);
    let keeping = kept.and_then(|(id, instance)| to.keep(server, &id, &instance));
    Called { reply, view: None, keeping }
}

/// The output of a host template: the one that the tool names, or the one next to the widget.
pub(crate) fn author_template(
    snapshot: &Snapshot,
    tool: Option<&Tool>,
    widget: &Widget,
    template: &'static HostTemplate,
    data: &Value,
) -> widgetcast_core::Result<Option<Value>> {
    let is_meant = |surface: &str| {
        let found = Surface::find(surface).and_then(|surface| surface.template);
        found.is_some_and(|found| std::ptr::eq(found, template))
    };
    let mut named = tool.into_iter().flat_map(|tool| &tool.host_templates);
    match named.find(|(surface, _)| is_meant(surface)) {
        Some((_, name)) => snapshot.catalog.named_template(name, template, data),
        None => snapshot.catalog.author_template(widget, template, data),
    }
}

/// Presents data without a widget. Data for the view goes to the page, if any, and never to the model.
pub(super) fn present_data(
    server: &Server,
    outcome: &Outcome,
    data: Option<&Json>,
    view: Option<Json>,
    page: Option<&Page>,
) -> Reply {
    let mut reply = Reply::default();
    let text = match (&outcome.text, data.map(Json::as_str).filter(|data| *data != "null")) {
        (Some(text), _) => Some(text.into()),
        (None, Some(data)) => Some(in_words(data)),
        (None, None) if view.is_some() && page.is_none() => {
            Some("Done. The result cannot be displayed.".into())
        }
        (None, None) if page.is_some() || outcome.content.is_empty() => Some("Done.".into()),
        (None, None) => None,
    };
    let Some(page) = page else {
        // All of it, because nothing else shows the rest.
        text.into_iter().for_each(|text| reply.push_text(text));
        return reply;
    };
    text.into_iter().for_each(|text| reply.push_text(clip(&text, server.settings.max_text_bytes)));
    let mut members = json!({ "state": &*state::new_key(&server.key) });
    if let Some(view) = view {
        members[mcp_apps::META_DATA] = view.to_value();
    }
    reply.set_meta(mcp_apps::META_TREE, members);
    reply.set_meta("ui", json!({ "resourceUri": page.uri }));
    reply
}

/// Adds the handler's other content and metadata.
pub(super) fn with_extras(mut reply: Reply, outcome: Outcome) -> Reply {
    reply.content.extend(outcome.content.iter().map(|content| content.to_json().into()));
    for (key, value) in outcome.meta {
        reply.set_meta(key, value);
    }
    reply
}

/// Data as text, for tools that return no text: a string unchanged, anything else as JSON.
fn in_words(data: &str) -> Cow<'_, str> {
    match serde_json::from_str::<String>(data) {
        Ok(text) => text.into(),
        Err(_) => data.into(),
    }
}
