//! Events of an app, for logging and metrics.

use std::time::Duration;

/// An event of an app, as passed to [`Builder::on_event`](crate::Builder::on_event).
///
/// ```
/// use widgetcast::{App, Event};
///
/// let app = App::new("shop", "1.0.0").on_event(|event| match event {
///     Event::Started { at, tools, .. } => println!("{tools} tools at {at}"),
///     Event::Failed { tool, error, request, .. } => eprintln!("{tool}: {error} ({request:?})"),
///     _ => {} // more events may be added
/// });
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'e> {
    /// The app accepts requests.
    Started {
        /// Where: `stdio`, or the address.
        at: &'e str,
        /// The address of the gallery for a browser on this machine, if there is one.
        gallery: Option<&'e str>,
        /// The number of tools.
        tools: usize,
    },
    /// A tool was called.
    Called {
        /// The tool.
        tool: &'e str,
    },
    /// A call succeeded.
    Succeeded {
        /// The tool.
        tool: &'e str,
        /// How long it took.
        took: Duration,
    },
    /// A call returned `input_required`: the client calls again with the user's input.
    Asked {
        /// The tool.
        tool: &'e str,
        /// How long it took.
        took: Duration,
    },
    /// A call failed: invalid arguments, an error, or a panic.
    Failed {
        /// The tool.
        tool: &'e str,
        /// How long it took.
        took: Duration,
        /// The message that the caller received, with its causes.
        error: &'e str,
        /// The id of the HTTP request: its `X-Request-Id`, or a generated one.
        request: Option<&'e str>,
    },
    /// Changed files were reloaded.
    Reloaded {
        /// New tools.
        added: &'e [String],
        /// Changed tools.
        changed: &'e [String],
        /// Removed tools.
        removed: &'e [String],
        /// Tools whose last good definition is kept, because the new one is broken.
        kept: &'e [String],
    },
    /// The app has stopped.
    Stopped,
}

/// An event listener.
pub(crate) type Listener = Box<dyn Fn(&Event<'_>) + Send + Sync>;
