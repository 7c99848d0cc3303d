//! Events: what happens in an app, for a logger or a meter.

use std::time::Duration;

/// Something that happened.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'e> {
    /// The app answers requests.
    Started {
        /// How: `stdio`, or the address.
        at: &'e str,
        /// The address of the gallery for a browser on this machine, if there is one.
        gallery: Option<&'e str>,
        /// How many tools there are.
        tools: usize,
    },
    /// A tool was called.
    Called {
        /// The tool.
        tool: &'e str,
    },
    /// A call ended well.
    Succeeded {
        /// The tool.
        tool: &'e str,
        /// How long it took.
        took: Duration,
    },
    /// A call ended with questions for its client, which calls again with the answers.
    Asked {
        /// The tool.
        tool: &'e str,
        /// How long it took.
        took: Duration,
    },
    /// A call ended badly: bad arguments, an error, a panic.
    Failed {
        /// The tool.
        tool: &'e str,
        /// How long it took.
        took: Duration,
        /// The message that the caller received, with its causes.
        error: &'e str,
        /// The id of the HTTP request: `X-Request-Id`, or one that was made for it.
        request: Option<&'e str>,
    },
    /// Files have changed.
    Reloaded {
        /// Tools that are new.
        added: &'e [String],
        /// Tools that changed.
        changed: &'e [String],
        /// Tools that are gone.
        removed: &'e [String],
        /// Tools whose last good definition is kept, because the new one is broken.
        kept: &'e [String],
    },
    /// The app answers no more.
    Stopped,
}

/// Someone who wants to know.
pub(crate) type Listener = Box<dyn Fn(&Event<'_>) + Send + Sync>;
