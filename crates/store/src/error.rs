//! Errors of opening a store.

use std::error::Error;

/// The error of opening a store. It names the store without its password.
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

/// A URL without its password and query, for messages. If it cannot be parsed, as little as possible is
/// shown.
fn without_password(url: &str) -> String {
    if url.starts_with("sqlite:") || url == "memory:" {
        return url.to_owned();
    }
    let Some((scheme, rest)) = url.split_once("://") else {
        return format!("{}:…", url.split(':').next().unwrap_or_default());
    };
    let (rest, query) = match rest.split_once('?') {
        Some((rest, _)) => (rest, "?…"),
        None => (rest, ""),
    };
    // A password may contain an unescaped @ or slash.
    match rest.rsplit_once('@') {
        None => format!("{scheme}://{rest}{query}"),
        Some((before, host)) => {
            let user = before.split(':').next().unwrap_or_default();
            format!("{scheme}://{user}@{host}{query}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        for (url, shown) in [
            ("postgres://ada:secret@h:1/d", "postgres://ada@h:1/d"),
            ("postgres://ada:se@cret@h/d?sslmode=require", "postgres://ada@h/d?…"),
            ("postgres://ada:se/cret@h/d", "postgres://ada@h/d"),
            ("redis+unix:///run/s?pass=secret", "redis+unix:///run/s?…"),
            ("ada:secret@h/d", "ada:…"),
            ("redis://:secret@h", "redis://@h"),
            ("postgres://h/d?user=ada&password=secret", "postgres://h/d?…"),
            ("sqlite:a.db", "sqlite:a.db"),
        ] {
            assert_eq!(without_password(url), shown);
        }
    }
}
