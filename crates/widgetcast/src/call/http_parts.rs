//! The HTTP parts of a request that handlers can extract.

use http::{Extensions, HeaderMap};

/// The headers and extensions of an HTTP request; both are empty for other transports.
#[derive(Clone, Debug, Default)]
pub(crate) struct HttpParts {
    pub headers: HeaderMap,
    pub extensions: Extensions,
}

impl HttpParts {
    /// A header, if it is text.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}
