//! Who may use what: how callers are proven, what each thing asks of them, and the app's own guards.

use std::collections::BTreeMap;

use crate::sdk::access::{ANY_CALLER, Access};
use crate::sdk::auth::Authenticate;
use crate::sdk::caller::Caller;
use crate::sdk::hook::Guard;

/// The rules of an app. One without any is the default, and then nothing is looked at.
#[derive(Default)]
pub(crate) struct Policy {
    /// Proves who sends a request over HTTP.
    pub auth: Option<Box<dyn Authenticate>>,
    /// Who is at the other end of a pipe, and before the gallery.
    pub local_caller: Option<Caller>,
    pub guards: Vec<Guard>,
    /// Of widgets that are tools by themselves.
    pub widgets: BTreeMap<String, Access>,
    /// Of pages of the app's own, by name.
    pub pages: BTreeMap<String, Access>,
    /// Whether there is anything for callers that have proven nothing.
    pub has_public: bool,
    /// Whether lists differ between callers.
    pub has_hidden: bool,
}

impl Policy {
    /// Whether requests have to be looked at.
    pub(crate) fn is_set(&self) -> bool {
        self.proves_callers() || !self.guards.is_empty()
    }

    /// Whether callers are proven, so that it matters who calls.
    pub(crate) fn proves_callers(&self) -> bool {
        self.auth.is_some() || self.local_caller.is_some()
    }

    /// Who may use a widget.
    pub(crate) fn widget(&self, name: &str) -> &Access {
        self.widgets.get(name).unwrap_or(&ANY_CALLER)
    }

    /// Who may read a page.
    pub(crate) fn page(&self, name: &str) -> &Access {
        self.pages.get(name).unwrap_or(&ANY_CALLER)
    }

    /// Whether a list for this caller has something.
    pub(crate) fn shows(&self, access: &Access, caller: Option<&Caller>) -> bool {
        !self.has_hidden || access.shows_to(caller)
    }

    /// Whether what has no rules of its own (the handshake, lists, pages) is for this caller.
    pub(crate) fn admits(&self, caller: Option<&Caller>) -> bool {
        !self.proves_callers() || self.has_public || caller.is_some()
    }
}
