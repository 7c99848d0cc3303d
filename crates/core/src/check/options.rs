//! The options of [`check`](crate::check).

use crate::surface::Host;

/// How widgets are checked.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CheckOptions {
    /// Requires `jsonSchema`, descriptions and a sample, and treats warnings as errors.
    pub strict: bool,
    /// The hosts that the widgets must support: what they cannot show is a warning, and losses in other hosts
    /// are not reported. Without any, all losses are notes.
    pub hosts: Vec<&'static Host>,
}

impl CheckOptions {
    /// Strict options.
    pub fn strict() -> Self {
        Self { strict: true, ..Self::default() }
    }

    /// Sets the hosts.
    ///
    /// ```
    /// use widgetcast_core::{CheckOptions, surface::Host};
    /// let options = CheckOptions::strict().hosts(Host::find("claude"));
    /// assert_eq!(options.hosts[0].label, "Claude");
    /// ```
    pub fn hosts(mut self, hosts: impl IntoIterator<Item = &'static Host>) -> Self {
        self.hosts.extend(hosts);
        self
    }

    /// Whether each widget must have a description for models.
    pub(super) fn needs_descriptions(&self) -> bool {
        self.strict || self.hosts.iter().any(|host| host.directory)
    }
}
