//! The URL of a store.

use crate::error::OpenError;

/// The engine that a URL selects, with its parameters.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Address<'a> {
    Memory,
    /// The path of the file.
    Sqlite(&'a str),
    Postgres,
    Redis,
}

pub(crate) fn read(url: &str) -> Result<Address<'_>, OpenError> {
    let (scheme, rest) = url.split_once(':').unwrap_or((url, ""));
    match scheme {
        "memory" => Ok(Address::Memory),
        "sqlite" => match rest.strip_prefix("//").unwrap_or(rest) {
            "" => Err(OpenError::new(url, "sqlite: needs a path, such as sqlite:widgets.db")),
            path => Ok(Address::Sqlite(path)),
        },
        "postgres" | "postgresql" => Ok(Address::Postgres),
        "redis" | "rediss" | "valkey" | "valkeys" => Ok(Address::Redis),
        _ => {
            let known = "memory:, sqlite:PATH, postgres://HOST/DATABASE or redis://HOST";
            Err(OpenError::new(url, format!("a store URL must be {known}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_name_an_engine() {
        for (url, engine) in [
            ("memory:", Address::Memory),
            ("memory", Address::Memory),
            ("sqlite:a/b.db", Address::Sqlite("a/b.db")),
            ("sqlite:/a/b.db", Address::Sqlite("/a/b.db")),
            ("sqlite:///a/b.db", Address::Sqlite("/a/b.db")),
            ("sqlite://b.db", Address::Sqlite("b.db")),
            ("postgresql://h/d", Address::Postgres),
            ("rediss://h", Address::Redis),
        ] {
            assert_eq!(read(url).unwrap(), engine, "{url}");
        }
        for url in ["", "sqlite:", "sqlite://", "mysql://h", "/var/store.db"] {
            assert!(read(url).is_err(), "{url}");
        }
    }
}
