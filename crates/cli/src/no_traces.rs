//! Replaces `traces` without the feature `telemetry`.

use tracing_subscriber::layer::Identity;
use widgetcast::Builder;

use crate::outcome::Failure;
use crate::parts::missing;

/// The target of the library's spans.
pub(crate) const TARGET: &str = "widgetcast::trace";

pub(crate) enum Exporting {}

pub(crate) fn layer(_: &str, _: (&str, &str)) -> Result<(Identity, Exporting), Failure> {
    Err(missing("--otlp", "telemetry"))
}

pub(crate) fn follow_traces(app: Builder) -> Builder {
    app
}
