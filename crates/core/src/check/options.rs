//! How to check.

use crate::surface::Host;

/// How to check.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CheckOptions {
    /// Ask for `jsonSchema`, descriptions and a sample, and take warnings as errors.
    pub strict: bool,
    /// The products in which the widgets are to work: what they cannot show is a warning, and what others
    /// cannot show is left out. Without any, what a surface cannot show is a note.
    pub hosts: Vec<&'static Host>,
}

impl CheckOptions {
    /// The strict ones.
    pub fn strict() -> Self {
        Self { strict: true, ..Self::default() }
    }

    /// The same for these products.
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

    /// Whether models must be told what each widget is for.
    pub(super) fn needs_descriptions(&self) -> bool {
        self.strict || self.hosts.iter().any(|host| host.directory)
    }
}
