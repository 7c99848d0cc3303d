//! Errors of minijinja in our words, and the range of the template that an error is about.

use std::ops::Range;

use minijinja::ErrorKind;

use crate::budget::Exceeded;
use crate::error::{Error, Kind};
use crate::limits::Limits;

/// An error of ours for one of minijinja's, with the range of the template that it is about.
pub(super) fn explain(fault: &minijinja::Error, source: &str) -> Error {
    let range = fault.range();
    let snippet = range.clone().and_then(|range| source.get(range)).unwrap_or_default();
    let snippet = crate::tree::brief_code(snippet);
    let detail = fault.detail().unwrap_or_default();
    let error = match fault.kind() {
        ErrorKind::SyntaxError => Error::new(Kind::TemplateSyntax, detail),
        ErrorKind::UndefinedError => {
            Error::new(Kind::TemplateUndefined, format!("{snippet} has no value")).with_help(
                "give it in the data, or write `… | default(\"…\")`, or guard it with `{% if … %}`",
            )
        }
        ErrorKind::OutOfFuel => too_long(Exceeded::Steps),
        ErrorKind::UnknownFilter
        | ErrorKind::UnknownTest
        | ErrorKind::UnknownFunction
        | ErrorKind::UnknownMethod => Error::new(Kind::TemplateFailed, detail),
        kind if detail.is_empty() => Error::new(Kind::TemplateFailed, format!("{kind}: {snippet}")),
        _ => Error::new(Kind::TemplateFailed, format!("{detail}: {snippet}")),
    };
    // Where the fuel ran out says nothing about the cause.
    with_range(error, range.filter(|_| fault.kind() != ErrorKind::OutOfFuel))
}

/// The error for a template that exceeds its budget.
pub(super) fn exhausted(exceeded: Exceeded, limits: &Limits) -> Error {
    match exceeded {
        Exceeded::Bytes => {
            let most = limits.output_bytes;
            Error::new(Kind::OutputBytes, format!("the template builds more than {most} bytes"))
        }
        exceeded => too_long(exceeded),
    }
}

fn too_long(exceeded: Exceeded) -> Error {
    Error::new(Kind::TemplateFuel, format!("the template {exceeded}"))
        .with_help("look for nested loops over long lists")
}

/// Adds a range of the template to an error, for [`range_of`]. The widget turns it into a position in
/// its file.
pub(super) fn with_range(error: Error, range: Option<Range<usize>>) -> Error {
    match range {
        Some(range) => error.with_cause(At(range)),
        None => error,
    }
}

/// The range of the template that an error is about.
pub fn range_of(error: &Error) -> Option<Range<usize>> {
    std::error::Error::source(error)?.downcast_ref::<At>().map(|at| at.0.clone())
}

#[derive(Debug)]
struct At(Range<usize>);

impl std::fmt::Display for At {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "bytes {} to {} of the template", self.0.start, self.0.end)
    }
}

impl std::error::Error for At {}
