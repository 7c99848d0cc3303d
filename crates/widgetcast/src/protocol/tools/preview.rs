//! A view on every surface, for the gallery and tests.

use serde_json::{Value, json};
use widgetcast_core::surface::Loss;
use widgetcast_core::{HostTemplate, Presentation, SURFACES, Surface, View, Widget};

use super::present::author_template;
use crate::reload::Snapshot;
use crate::server::Server;

/// The view as every host would receive it, with what each of them cannot show. It includes images that
/// `image_origins` does not allow: the page shows placeholders, and the setting that would allow them.
pub(crate) fn on_surfaces(
    server: &Server,
    snapshot: &Snapshot,
    widget: &Widget,
    view: &View,
    data: &Value,
    tool: &str,
) -> Vec<Value> {
    let served = server.tools.get(tool).map(|served| &served.tool);
    let author = |template: &'static HostTemplate| {
        author_template(snapshot, served, widget, template, data).ok().flatten()
    };
    let mut presentation = Presentation::new(tool, "gallery", view);
    presentation.page = Some(&snapshot.view);
    presentation.author = Some(&author);
    let draw = |surface: &Surface| {
        let losses = presentation.losses(surface);
        let preview = (surface.preview)(&presentation);
        let loss = |loss: &Loss| json!({ "path": loss.pointer, "reason": loss.reason });
        let losses: Vec<Value> = losses.iter().map(loss).collect();
        // A Work Object exists only with a template for it.
        let is_there = !preview.text.is_empty() || !losses.is_empty();
        is_there.then(|| {
            json!({
                "name": surface.name, "format": preview.format, "text": preview.text,
                "losses": losses,
            })
        })
    };
    SURFACES.iter().filter_map(draw).collect()
}
