//! Authentication and access rules from the configuration file: keys, OAuth, `[access]`.

use std::collections::BTreeMap;

use serde::Deserialize;
use widgetcast::auth::BearerKeys;
use widgetcast::{Access, Builder, Caller};

use crate::oauth::{self, OAuth, OAuthConfig};

/// The authentication section of a configuration file.
pub(crate) struct Auth {
    auth: Option<OAuthConfig>,
    keys: Vec<Key>,
    access: BTreeMap<String, Rules>,
}

/// A key, identified by its hash.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Key {
    subject: String,
    hash: String,
    #[serde(default)]
    scopes: Vec<String>,
}

/// The access rules of a widget.
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

    /// Sets the app's access rules: those of widgets, or of the tools that it relays. The provider comes back, so that
    /// it can be asked at the start.
    pub(crate) fn add_to(
        self,
        mut app: Builder,
        relays: bool,
    ) -> Result<(Builder, Option<OAuth>), String> {
        let provider = self.auth.map(OAuthConfig::build).transpose()?;
        let has_keys = !self.keys.is_empty();
        let keys = self.keys.into_iter().fold(BearerKeys::new(), |keys, key| {
            keys.hashed(key.hash, Caller::new(key.subject).scopes(key.scopes))
        });
        let keys = has_keys.then_some(keys);
        app = match (&provider, keys) {
            (Some(provider), keys) => oauth::authenticate(app, provider, keys),
            (None, Some(keys)) => app.auth(keys),
            (None, None) => app,
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
        Ok((app, provider))
    }
}
