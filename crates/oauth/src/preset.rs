//! The providers that users use, and how their tokens differ.

use serde::Deserialize;

use crate::introspection::Introspection;
use crate::oauth::OAuth;

const GOOGLE: &str = "https://accounts.google.com";
const GOOGLE_TOKEN_INFO: &str = "https://oauth2.googleapis.com/tokeninfo";

/// A provider by name, as in a configuration file: `preset = { entra = "TENANT" }`.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
#[non_exhaustive]
pub enum Preset {
    /// The domain of the tenant, such as `helpdesk.eu.auth0.com`.
    Auth0(String),
    /// The domain, such as `dev-123.okta.com`, for its authorization server `default`.
    Okta(String),
    /// The id of the tenant.
    Entra(String),
    /// The URL of the realm, such as `https://sso.example.com/realms/staff`.
    Keycloak(String),
    /// The id of the client whose tokens are accepted.
    Google(String),
    /// The domain of AuthKit, such as `helpdesk.authkit.app`.
    WorkOS(String),
    /// A user pool.
    Cognito {
        /// The id of the pool, such as `eu-central-1_AbCdEf`.
        pool: String,
        /// The id of the client whose tokens are accepted.
        client: String,
    },
}

impl OAuth {
    /// A provider preset. Still set the [`audience`](OAuth::audience) or [`resource`](OAuth::resource).
    ///
    /// ```
    /// use widgetcast_oauth::{OAuth, Preset};
    /// let oauth = OAuth::preset(&Preset::Entra("2f1a-the-tenant".into()))
    ///     .audience("api://helpdesk")
    ///     .resource("https://helpdesk.example.com/mcp");
    /// ```
    pub fn preset(preset: &Preset) -> Self {
        match preset {
            // Its issuer ends with a slash.
            Preset::Auth0(domain) => Self::discover(format!("https://{domain}/")),
            Preset::Okta(domain) => Self::discover(format!("https://{domain}/oauth2/default")),
            Preset::Entra(tenant) => {
                // Its ID tokens have no client claim.
                Self::discover(format!("https://login.microsoftonline.com/{tenant}/v2.0"))
                    .marks(["azp", "appid"])
            }
            Preset::Keycloak(realm) => Self::discover(realm),
            // Its access tokens are opaque, and belong to the client that requested them. ID tokens for any
            // audience are signed for anyone.
            Preset::Google(client) => Self::discover(GOOGLE)
                .audience(client)
                .only_introspection()
                .introspection(Introspection::token_info(GOOGLE_TOKEN_INFO)),
            Preset::WorkOS(domain) => Self::discover(format!("https://{domain}")),
            // Its access tokens have no audience.
            Preset::Cognito { pool, client } => {
                let region = pool.split('_').next().unwrap_or_default();
                let host = format!("https://cognito-idp.{region}.amazonaws.com");
                Self::discover(format!("{host}/{pool}")).client(client)
            }
        }
    }
}
