//! Whether a widget draws its own sample. Compiling finds most faults of a template; what it cannot
//! tell without data (a comma that is missing between two loops, a component whose name is computed)
//! is found by drawing once.

use widgetcast_engine::budget::{self, Exceeded};
use widgetcast_engine::error::{Kind, Result};

use crate::definition::widget::Widget;

/// Draws the author's sample, else one drawn from the schema. An error means that the widget is broken.
pub(crate) fn prove(widget: &Widget) -> Result<()> {
    let (sample, is_written) = match widget.extras().sample {
        Some(sample) => (sample, true),
        None => (widget.sample(), false),
    };
    widget.engine().budget().cover(|| match widget.render_unvalidated(&sample) {
        Err(error) if is_written || is_fault_of_template(error.kind()) => {
            // A machine that is busy says nothing about the widget.
            let is_late = matches!(budget::exceeded(), Some(Exceeded::Time | Exceeded::Stopped));
            if is_late { Ok(()) } else { Err(error) }
        }
        _ => Ok(()),
    })
}

/// Whether an error is the template's own, when it draws data that nobody wrote for it.
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
