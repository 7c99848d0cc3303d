//! OAuth settings in a configuration file.

use std::time::Duration;

use serde::{Deserialize, Deserializer};

use crate::introspection::Introspection;
use crate::oauth::OAuth;
use crate::preset::Preset;

/// OAuth settings of a configuration file. `widgetcast serve` reads them under `[auth]`.
///
/// ```
/// # use widgetcast_oauth::OAuthConfig;
/// let config: OAuthConfig = serde_json::from_str(
///     r#"{"issuer": "https://login.example.com", "audience": "https://helpdesk.example.com/mcp"}"#,
/// )?;
/// let oauth = config.build().map_err(std::io::Error::other)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct OAuthConfig {
    /// The issuer, exactly as in its tokens.
    pub issuer: Option<String>,
    /// A provider by name, instead of the issuer.
    pub preset: Option<Preset>,
    /// Accepted audiences: a string or a list; a token must have one of them.
    #[serde(deserialize_with = "one_or_many")]
    pub audience: Vec<String>,
    /// Public URL of the app, if it is not one of the audiences.
    pub resource: Option<String>,
    /// The clients whose tokens are accepted without an audience.
    #[serde(deserialize_with = "one_or_many")]
    pub client: Vec<String>,
    /// Scopes that every token must have.
    #[serde(deserialize_with = "one_or_many")]
    pub scopes: Vec<String>,
    /// The claims that contain scopes.
    pub scope_claims: Option<Vec<String>>,
    /// The accepted signature algorithms.
    pub algorithms: Option<Vec<String>>,
    /// The allowed clock skew in seconds.
    pub leeway: Option<u64>,
    /// Seconds after which keys are fetched again.
    pub keys_max_age: Option<u64>,
    /// Minimum seconds between two attempts to fetch keys.
    pub keys_pause: Option<u64>,
    /// Introspection of tokens that are not JWTs.
    pub introspection: Option<IntrospectionConfig>,
}

/// Introspection of tokens that are not JWTs.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct IntrospectionConfig {
    /// The client id of this server.
    pub client_id: String,
    /// The client secret.
    #[serde(default)]
    pub client_secret: String,
    /// Overrides the endpoint.
    pub endpoint: Option<String>,
    /// How many seconds a response is cached.
    pub ttl: Option<u64>,
}

impl std::fmt::Debug for IntrospectionConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Introspection").field("client_id", &self.client_id).finish_non_exhaustive()
    }
}

impl OAuthConfig {
    /// Builds the authenticator. `Builder::build` reports all configuration errors except the choice of the
    /// provider.
    pub fn build(self) -> Result<OAuth, String> {
        let mut oauth = match (&self.issuer, &self.preset) {
            (Some(issuer), None) => OAuth::discover(issuer),
            (None, Some(preset)) => OAuth::preset(preset),
            _ => return Err("auth requires either an issuer or a preset".into()),
        };
        oauth = self.audience.iter().fold(oauth, OAuth::audience);
        oauth = self.client.iter().fold(oauth, OAuth::client);
        oauth = oauth.scopes(self.scopes);
        if let Some(url) = self.resource {
            oauth = oauth.resource(url);
        }
        if let Some(names) = self.scope_claims {
            oauth = oauth.scope_claims(names);
        }
        if let Some(names) = self.algorithms {
            oauth = oauth.algorithms(names);
        }
        if let Some(seconds) = self.leeway {
            oauth = oauth.leeway(Duration::from_secs(seconds));
        }
        if let Some(seconds) = self.keys_max_age {
            oauth = oauth.keys_max_age(Duration::from_secs(seconds));
        }
        if let Some(seconds) = self.keys_pause {
            oauth = oauth.keys_pause(Duration::from_secs(seconds));
        }
        if let Some(given) = self.introspection {
            let mut introspection = Introspection::new(given.client_id, given.client_secret);
            if let Some(endpoint) = given.endpoint {
                introspection = introspection.endpoint(endpoint);
            }
            if let Some(seconds) = given.ttl {
                introspection = introspection.ttl(Duration::from_secs(seconds));
            }
            oauth = oauth.introspection(introspection);
        }
        Ok(oauth)
    }
}

/// A list, or a string for a list with one item.
fn one_or_many<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Given {
        One(String),
        Many(Vec<String>),
    }
    Ok(match Given::deserialize(from)? {
        Given::One(text) => vec![text],
        Given::Many(all) => all,
    })
}
