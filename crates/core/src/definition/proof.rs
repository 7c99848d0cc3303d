//! Whether a widget can render its own sample. Compiling finds most errors of a template; those that depend
//! on data (a missing comma between two loops, a computed component name) are found by rendering once.

use serde_json::Value;
use widgetcast_engine::budget::{self, Exceeded};
use widgetcast_engine::error::{Error, Kind, Result};

use crate::definition::widget::Widget;

/// Renders the author's sample, or else generated data. An error means that the widget is broken. Components
/// in the data cannot be generated from a schema, so without a sample they are not checked.
pub(crate) fn prove(widget: &Widget) -> Result<()> {
    let (sample, is_written) = match widget.extras().sample {
        Some(sample) => (sample, true),
        None => (widget.drawn_sample(), false),
    };
    widget.engine().budget().cover(|| match widget.render_unvalidated(&sample) {
        Err(error) if is_written || is_fault_of_template(error.kind()) => {
            // A busy machine says nothing about the widget.
            let is_late = matches!(budget::exceeded(), Some(Exceeded::Time | Exceeded::Stopped));
            let is_of_data = || !is_written && member_at_fault(widget, &sample, &error).is_some();
            if is_late || is_of_data() { Ok(()) } else { Err(error) }
        }
        _ => Ok(()),
    })
}

/// Whether an error is the template's own, when it draws data that no one wrote for it.
pub(crate) fn is_fault_of_template(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::OutputJson
            | Kind::OutputBytes
            | Kind::TemplateFuel
            | Kind::TreeRoot
            | Kind::TreeType
            | Kind::TreeMissing
    )
}

/// The member of the data that holds the component which an error is about; none if the template wrote
/// that component itself.
pub(crate) fn member_at_fault(widget: &Widget, data: &Value, error: &Error) -> Option<String> {
    let (template, engine) = (widget.template(), widget.engine());
    let pointer = &error.place().pointer;
    if !pointer.contains("/children") {
        return None;
    }
    let tree: Value = serde_json::from_str(&template.text(engine, data).ok()?).ok()?;
    let ends = pointer.match_indices('/').map(|(at, _)| at).chain([pointer.len()]);
    let places = ends.map(|end| &pointer[..end]).filter(|place| is_child(place));
    let mut nodes = places.filter_map(|place| tree.pointer(place));
    nodes.find_map(|node| {
        let (key, _) = data.as_object()?.iter().find(|(_, member)| holds(member, node))?;
        Some(key.clone())
    })
}

/// Whether a path in a tree is that of a child, or of a list of children.
fn is_child(place: &str) -> bool {
    let mut steps = place.rsplit('/');
    match steps.next() {
        Some("children") => true,
        Some(step) => step.parse::<usize>().is_ok() && steps.next() == Some("children"),
        None => false,
    }
}

fn holds(value: &Value, node: &Value) -> bool {
    value == node
        || match value {
            Value::Array(items) => items.iter().any(|item| holds(item, node)),
            Value::Object(members) => members.values().any(|member| holds(member, node)),
            _ => false,
        }
}
