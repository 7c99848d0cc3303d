//! Access policy: authentication, the access rules of all items, and the app's guards.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Value, json};

use crate::sdk::access::{ANY_CALLER, Access, EVERYONE};
use crate::sdk::auth::Authenticator;
use crate::sdk::caller::Caller;
use crate::sdk::hook::Guard;

/// The policy of an app. Without rules it is the default, and requests are not checked.
#[derive(Clone, Default)]
pub(crate) struct Policy {
    /// Authenticates requests over HTTP.
    pub auth: Option<Arc<dyn Authenticator>>,
    /// The caller of stdio connections and of the gallery.
    pub local_caller: Option<Caller>,
    /// The metadata with which clients get a token, if configured.
    pub resource: Option<ProtectedResource>,
    pub guards: Vec<Guard>,
    /// The rules of widgets that are tools themselves.
    pub widgets: BTreeMap<String, Access>,
    /// The rules of tools that a mounted service relays.
    pub relayed: BTreeMap<String, Access>,
    /// The rules of the app's own pages, by name.
    pub pages: BTreeMap<String, Access>,
    /// Whether anything is available to unauthenticated callers.
    pub has_public: bool,
    /// Whether lists differ between callers.
    pub has_hidden: bool,
}

impl Policy {
    /// Whether requests must be checked.
    pub(crate) fn is_set(&self) -> bool {
        self.has_authenticator() || !self.guards.is_empty()
    }

    /// Whether callers are authenticated.
    pub(crate) fn has_authenticator(&self) -> bool {
        self.auth.is_some() || self.local_caller.is_some()
    }

    /// The rules of a widget.
    pub(crate) fn widget(&self, name: &str) -> &Access {
        self.widgets.get(name).unwrap_or(&ANY_CALLER)
    }

    /// The rules of a tool that a mounted service relays.
    pub(crate) fn relayed(&self, tool: &str) -> &Access {
        self.relayed.get(tool).unwrap_or(&ANY_CALLER)
    }

    /// The rules of a page.
    pub(crate) fn page(&self, name: &str) -> &Access {
        self.pages.get(name).unwrap_or(&ANY_CALLER)
    }

    /// Who may store the state of views: everyone whose requests are accepted.
    pub(crate) fn of_state(&self) -> &Access {
        if self.has_public { &EVERYONE } else { &ANY_CALLER }
    }

    /// Whether a list for this caller contains anything.
    pub(crate) fn shows(&self, access: &Access, caller: Option<&Caller>) -> bool {
        !self.has_hidden || access.shows_to(caller)
    }

    /// Whether this caller may use what has no rules of its own: the handshake, lists, pages.
    pub(crate) fn admits(&self, caller: Option<&Caller>) -> bool {
        !self.has_authenticator() || self.has_public || caller.is_some()
    }

    /// The URL of the metadata for clients.
    pub(crate) fn metadata(&self) -> Option<&str> {
        self.resource.as_ref().map(|resource| resource.url.as_str())
    }

    /// The `securitySchemes` of a tool's entry in a list, if clients can get a token.
    pub(crate) fn security_schemes(&self, access: &Access) -> Option<Value> {
        self.resource.as_ref()?;
        let mut schemes = vec![json!({ "type": "oauth2", "scopes": access.scopes() })];
        if access.is_public() {
            schemes.insert(0, json!({ "type": "noauth" }));
        }
        Some(schemes.into())
    }
}

/// The path prefix of the metadata.
const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

/// The protected resource metadata (RFC 9728).
#[derive(Clone, Debug)]
pub(crate) struct ProtectedResource {
    /// The document, as JSON text.
    pub document: String,
    /// Its URL: that of the resource, with the well-known part before its path.
    url: String,
    /// The path of the resource, without a trailing slash.
    path: String,
}

impl ProtectedResource {
    /// With the app's own scopes. `None` without a URL.
    pub(crate) fn new(mut document: Value, scopes: &BTreeSet<&str>) -> Option<Self> {
        let resource = document["resource"].as_str()?;
        let (scheme, rest) = resource.split_once("://")?;
        let (host, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
        let path = path.split('?').next().unwrap_or_default().trim_end_matches('/').to_owned();
        let url = format!("{scheme}://{host}{WELL_KNOWN}{path}");
        let named = document["scopes_supported"].as_array().into_iter().flatten();
        let all: BTreeSet<&str> =
            named.filter_map(Value::as_str).chain(scopes.iter().copied()).collect();
        if !all.is_empty() {
            document["scopes_supported"] = json!(all);
        }
        Some(Self { document: document.to_string(), url, path })
    }

    /// Whether this path serves the document. Clients that do not know the path request it without.
    pub(crate) fn is_at(&self, path: &str) -> bool {
        let rest = path.strip_prefix(WELL_KNOWN).map(|rest| rest.trim_end_matches('/'));
        rest.is_some_and(|rest| rest.is_empty() || rest == self.path || rest == "/mcp")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_has_two_addresses() {
        let at = |resource: &str| {
            let document = json!({ "resource": resource, "scopes_supported": ["b", "c"] });
            ProtectedResource::new(document, &BTreeSet::from(["a", "b"]))
        };
        let mcp = at("https://a.example:8443/mcp").unwrap();
        assert_eq!(mcp.url, "https://a.example:8443/.well-known/oauth-protected-resource/mcp");
        assert_eq!(
            mcp.document,
            r#"{"resource":"https://a.example:8443/mcp","scopes_supported":["a","b","c"]}"#
        );
        let root = at("https://a.example").unwrap();
        assert_eq!(root.url, "https://a.example/.well-known/oauth-protected-resource");
        for (resource, path, is) in [
            (&mcp, "/.well-known/oauth-protected-resource", true),
            (&mcp, "/.well-known/oauth-protected-resource/mcp", true),
            (&mcp, "/.well-known/oauth-protected-resource/mcp/", true),
            (&mcp, "/.well-known/oauth-protected-resources", false),
            (&mcp, "/.well-known/oauth-protected-resource/other", false),
            (&root, "/.well-known/oauth-protected-resource", true),
            (
                &at("https://a.example/team/x").unwrap(),
                "/.well-known/oauth-protected-resource/team/x",
                true,
            ),
        ] {
            assert_eq!(resource.is_at(path), is, "{path}");
        }
        assert!(at("helpdesk").is_none());
    }
}
