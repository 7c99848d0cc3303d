//! Who may call a server: keys and a provider of tokens, from the configuration file, the environment
//! and flags.

use std::collections::BTreeMap;

use serde::Deserialize;
use widgetcast::auth::BearerKeys;
use widgetcast::{Access, Builder, Caller};
use widgetcast_oauth::{OAuth, OAuthConfig};

/// Flags of `serve`, and the variables that can stand for them.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct AuthArgs {
    /// Require access tokens from this OAuth issuer, given by its URL
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
    // Only from the environment: others can read the arguments of a process.
    #[arg(skip = std::env::var("WIDGETCAST_AUTH_INTROSPECTION_SECRET").ok())]
    introspection_secret: Option<String>,
}

/// What a configuration file says about it.
pub(crate) struct Auth {
    auth: Option<OAuthConfig>,
    keys: Vec<Key>,
    access: BTreeMap<String, Rules>,
}

/// A key, known by its hash.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Key {
    subject: String,
    hash: String,
    #[serde(default)]
    scopes: Vec<String>,
}

/// Who may use a widget.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Rules {
    scopes: Vec<String>,
    public: bool,
    hidden: bool,
}

impl Auth {
    pub(crate) fn new(
        auth: Option<OAuthConfig>,
        keys: Vec<Key>,
        access: BTreeMap<String, Rules>,
    ) -> Self {
        Self { auth, keys, access }
    }

    /// With what flags and the environment say in place of the file.
    pub(crate) fn with(mut self, args: AuthArgs) -> Self {
        let is_given = args.auth_issuer.is_some()
            || !args.auth_audience.is_empty()
            || args.auth_resource.is_some()
            || !args.auth_scopes.is_empty();
        if is_given {
            let auth = self.auth.get_or_insert_default();
            if args.auth_issuer.is_some() {
                (auth.issuer, auth.preset) = (args.auth_issuer, None);
            }
            if !args.auth_audience.is_empty() {
                auth.audience = args.auth_audience;
            }
            auth.resource = args.auth_resource.or(auth.resource.take());
            auth.scopes.extend(args.auth_scopes);
        }
        let introspection = self.auth.as_mut().and_then(|auth| auth.introspection.as_mut());
        if let (Some(introspection), Some(secret)) = (introspection, args.introspection_secret) {
            introspection.client_secret = secret;
        }
        self
    }

    /// Gives an app its rules: those of widgets, or of the tools that it relays. The provider comes back, so that
    /// it can be asked at the start.
    pub(crate) fn add_to(
        self,
        mut app: Builder,
        relays: bool,
    ) -> Result<(Builder, Option<OAuth>), String> {
        let oauth = self.auth.map(OAuthConfig::build).transpose()?;
        let has_keys = !self.keys.is_empty();
        let keys = self.keys.into_iter().fold(BearerKeys::new(), |keys, key| {
            keys.hashed(key.hash, Caller::new(key.subject).scopes(key.scopes))
        });
        app = match (&oauth, has_keys) {
            (Some(oauth), true) => app.auth(keys.or(oauth.clone())),
            (Some(oauth), false) => app.auth(oauth.clone()),
            (None, true) => app.auth(keys),
            (None, false) => app,
        };
        for (widget, Rules { scopes, public, hidden }) in self.access {
            let mut access = scopes.into_iter().fold(Access::default(), Access::scope);
            if public {
                access = access.public();
            }
            if hidden {
                access = access.hidden();
            }
            app = match relays {
                true => app.relayed_tool_access(widget, access),
                false => app.widget_access(widget, access),
            };
        }
        Ok((app, oauth))
    }
}
