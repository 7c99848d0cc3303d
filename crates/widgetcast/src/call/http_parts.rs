//! What an HTTP request brings beside its message, for handlers that ask for it.

use http::{Extensions, HeaderMap};

/// The headers of a request, and what layers outside of the app have put into it. Both are empty where
/// the request did not come over HTTP.
#[derive(Clone, Debug, Default)]
pub(crate) struct HttpParts {
    pub headers: HeaderMap,
    pub extensions: Extensions,
}

impl HttpParts {
    /// A header that is text.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}
