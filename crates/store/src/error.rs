//! Why a store could not be opened.

use std::error::Error;

/// Why a store could not be opened. It names the store without its password.
#[derive(Debug)]
pub struct OpenError {
    store: String,
    source: Box<dyn Error + Send + Sync>,
}

impl OpenError {
    pub(crate) fn new(url: &str, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { store: without_password(url), source: source.into() }
    }
}

impl std::fmt::Display for OpenError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "store {}: {}", self.store, self.source)
    }
}

impl Error for OpenError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.source)
    }
}

/// An address without its password, for messages.
fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    // A password may have an @ that was not escaped.
    let Some(at) = rest[..end].rfind('@') else { return hide_in_query(url) };
    let user = rest[..at].split(':').next().unwrap_or_default();
    hide_in_query(&format!("{scheme}://{user}{}", &rest[at..]))
}

/// A query may have a password, too.
fn hide_in_query(url: &str) -> String {
    match url.split_once('?') {
        Some((start, query)) if query.contains("password") => format!("{start}?…"),
        _ => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        for (url, shown) in [
            ("postgres://ada:secret@h:1/d", "postgres://ada@h:1/d"),
            ("postgres://ada:se@cret@h/d?sslmode=require", "postgres://ada@h/d?sslmode=require"),
            ("redis://:secret@h", "redis://@h"),
            ("postgres://h/d?user=ada&password=secret", "postgres://h/d?…"),
            ("postgres://h/a@b", "postgres://h/a@b"),
            ("sqlite:a.db", "sqlite:a.db"),
        ] {
            assert_eq!(without_password(url), shown);
        }
    }
}
