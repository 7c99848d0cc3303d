//! Discovers a provider's keys from its well-known metadata (RFC 8414 and OpenID Connect).

use serde_json::Value;

use crate::fetch::{Fetcher, is_safe};

/// The metadata of a provider.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Provider {
    /// Its issuer, as in its tokens.
    pub issuer: String,
    pub keys: String,
    pub introspection: Option<String>,
}

/// The URLs of the metadata, in the order in which they are tried.
pub(crate) fn addresses(issuer: &str) -> Vec<String> {
    let bare = issuer.trim_end_matches('/');
    let after_scheme = bare.find("://").map_or(0, |at| at + 3);
    let path_at = bare[after_scheme..].find('/').map_or(bare.len(), |at| after_scheme + at);
    let (origin, path) = bare.split_at(path_at);
    let mut all = vec![
        format!("{origin}/.well-known/oauth-authorization-server{path}"),
        format!("{origin}/.well-known/openid-configuration{path}"),
    ];
    if !path.is_empty() {
        all.push(format!("{origin}{path}/.well-known/openid-configuration"));
    }
    all
}

pub(crate) async fn discover(fetcher: &Fetcher, issuer: &str) -> Result<Provider, String> {
    let mut errors = Vec::new();
    for address in addresses(issuer) {
        let document = match fetcher.get(address.clone()).await {
            Ok(document) => document,
            Err(error) => {
                errors.push(error);
                continue;
            }
        };
        match read(&document, issuer) {
            Ok(provider) => return Ok(provider),
            Err(error) => errors.push(format!("{address}: {error}")),
        }
    }
    Err(errors.join("; "))
}

fn read(document: &Value, issuer: &str) -> Result<Provider, String> {
    let text = |key: &str| document[key].as_str().map(str::to_owned);
    let name = text("issuer").ok_or("it has no issuer")?;
    // A slash at the end is part of the name, but users leave it out, and no one else has the name.
    if name.trim_end_matches('/') != issuer.trim_end_matches('/') {
        return Err(format!("its issuer is {name}"));
    }
    let keys = text("jwks_uri").ok_or("it has no jwks_uri")?;
    if !is_safe(&keys) {
        return Err(format!("its jwks_uri {keys} is not https"));
    }
    let introspection = text("introspection_endpoint").filter(|url| is_safe(url));
    Ok(Provider { issuer: name, keys, introspection })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn where_providers_are_asked() {
        assert_eq!(
            addresses("https://login.example.com/tenant/v2.0"),
            [
                "https://login.example.com/.well-known/oauth-authorization-server/tenant/v2.0",
                "https://login.example.com/.well-known/openid-configuration/tenant/v2.0",
                "https://login.example.com/tenant/v2.0/.well-known/openid-configuration",
            ]
        );
        assert_eq!(
            addresses("https://login.example.com/"),
            [
                "https://login.example.com/.well-known/oauth-authorization-server",
                "https://login.example.com/.well-known/openid-configuration",
            ]
        );
    }

    #[test]
    fn only_the_provider_itself_is_believed() {
        let says = |issuer: &str, keys: &str| {
            read(&json!({ "issuer": issuer, "jwks_uri": keys }), "https://a.example")
        };
        assert!(says("https://a.example", "https://a.example/keys").is_ok());
        let slash = says("https://a.example/", "https://a.example/keys").unwrap();
        assert_eq!(slash.issuer, "https://a.example/");
        assert!(says("https://b.example", "https://a.example/keys").is_err());
        assert!(says("https://a.example", "http://a.example/keys").is_err());
        assert!(says("https://a.example", "file:///etc/passwd").is_err());
        assert!(says("https://a.example", "http://127.0.0.1:1/keys").is_ok());
    }
}
