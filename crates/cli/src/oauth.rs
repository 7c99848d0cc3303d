//! OAuth settings from the configuration file, the environment and flags.

use widgetcast::Builder;
use widgetcast::auth::BearerKeys;
pub(crate) use widgetcast_oauth::{OAuth, OAuthConfig};

/// Flags of `serve`, with their environment variables.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct OAuthArgs {
    /// Require access tokens from this OAuth issuer
    #[arg(long, value_name = "URL", env = "WIDGETCAST_AUTH_ISSUER")]
    auth_issuer: Option<String>,
    /// Audience that access tokens must have: the URL of this server, or its identifier at the issuer
    #[arg(long, value_name = "NAME", value_delimiter = ',', env = "WIDGETCAST_AUTH_AUDIENCE")]
    auth_audience: Vec<String>,
    /// Public URL of this server, if it is not one of the audiences
    #[arg(long, value_name = "URL", env = "WIDGETCAST_AUTH_RESOURCE")]
    auth_resource: Option<String>,
    /// Scope that every access token must have
    #[arg(
        long = "auth-scope",
        value_name = "SCOPE",
        value_delimiter = ',',
        env = "WIDGETCAST_AUTH_SCOPES"
    )]
    auth_scopes: Vec<String>,
    // Only from the environment, because other users can read the arguments of a process.
    #[arg(skip = std::env::var("WIDGETCAST_AUTH_INTROSPECTION_SECRET").ok())]
    introspection_secret: Option<String>,
}

/// The settings in a file, overridden by flags and the environment.
pub(crate) fn with(config: Option<OAuthConfig>, args: OAuthArgs) -> Option<OAuthConfig> {
    let mut config = config;
    let is_given = args.auth_issuer.is_some()
        || !args.auth_audience.is_empty()
        || args.auth_resource.is_some()
        || !args.auth_scopes.is_empty();
    if is_given {
        let auth = config.get_or_insert_default();
        if args.auth_issuer.is_some() {
            (auth.issuer, auth.preset) = (args.auth_issuer, None);
        }
        if !args.auth_audience.is_empty() {
            auth.audience = args.auth_audience;
        }
        auth.resource = args.auth_resource.or(auth.resource.take());
        auth.scopes.extend(args.auth_scopes);
    }
    let introspection = config.as_mut().and_then(|auth| auth.introspection.as_mut());
    if let (Some(introspection), Some(secret)) = (introspection, args.introspection_secret) {
        introspection.client_secret = secret;
    }
    config
}

/// Accepts tokens of the provider, and the keys.
pub(crate) fn authenticate(app: Builder, provider: &OAuth, keys: Option<BearerKeys>) -> Builder {
    match keys {
        Some(keys) => app.auth(keys.or(provider.clone())),
        None => app.auth(provider.clone()),
    }
}

/// Warns if the provider cannot be reached.
pub(crate) async fn check(provider: OAuth) {
    if let Err(error) = provider.check().await {
        tracing::warn!("cannot verify tokens: {error}");
    }
}
