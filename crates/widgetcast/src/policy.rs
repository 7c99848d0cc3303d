//! Who may use what: how callers are authenticated, what each thing asks of them, and the app's own guards.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Value, json};

use crate::sdk::access::{ANY_CALLER, Access, EVERYONE};
use crate::sdk::auth::Authenticator;
use crate::sdk::caller::Caller;
use crate::sdk::hook::Guard;

/// The rules of an app. One without any is the default, and then nothing is looked at.
#[derive(Clone, Default)]
pub(crate) struct Policy {
    /// Authenticates requests over HTTP.
    pub auth: Option<Arc<dyn Authenticator>>,
    /// Who is at the other end of a pipe, and before the gallery.
    pub local_caller: Option<Caller>,
    /// How clients get a token, if there is a way.
    pub resource: Option<ProtectedResource>,
    pub guards: Vec<Guard>,
    /// Of widgets that are tools by themselves.
    pub widgets: BTreeMap<String, Access>,
    /// Of tools that a mounted service relays.
    pub relayed: BTreeMap<String, Access>,
    /// Of pages of the app's own, by name.
    pub pages: BTreeMap<String, Access>,
    /// Whether anything is available to unauthenticated callers.
    pub has_public: bool,
    /// Whether lists differ between callers.
    pub has_hidden: bool,
}

impl Policy {
    /// Whether requests have to be looked at.
    pub(crate) fn is_set(&self) -> bool {
        self.has_authenticator() || !self.guards.is_empty()
    }

    /// Whether callers are authenticated, so that it matters who calls.
    pub(crate) fn has_authenticator(&self) -> bool {
        self.auth.is_some() || self.local_caller.is_some()
    }

    /// Who may use a widget.
    pub(crate) fn widget(&self, name: &str) -> &Access {
        self.widgets.get(name).unwrap_or(&ANY_CALLER)
    }

    /// Who may call a tool that a mounted service relays.
    pub(crate) fn relayed(&self, tool: &str) -> &Access {
        self.relayed.get(tool).unwrap_or(&ANY_CALLER)
    }

    /// Who may read a page.
    pub(crate) fn page(&self, name: &str) -> &Access {
        self.pages.get(name).unwrap_or(&ANY_CALLER)
    }

    /// Who may keep the state of views: whoever is let in.
    pub(crate) fn of_state(&self) -> &Access {
        if self.has_public { &EVERYONE } else { &ANY_CALLER }
    }

    /// Whether a list for this caller has something.
    pub(crate) fn shows(&self, access: &Access, caller: Option<&Caller>) -> bool {
        !self.has_hidden || access.shows_to(caller)
    }

    /// Whether what has no rules of its own (the handshake, lists, pages) is for this caller.
    pub(crate) fn admits(&self, caller: Option<&Caller>) -> bool {
        !self.has_authenticator() || self.has_public || caller.is_some()
    }

    /// The address at which clients learn how to get a token.
    pub(crate) fn metadata(&self) -> Option<&str> {
        self.resource.as_ref().map(|resource| resource.url.as_str())
    }

    /// What a tool's entry in a list says about who may call it, where clients can get a token.
    pub(crate) fn security_schemes(&self, access: &Access) -> Option<Value> {
        self.resource.as_ref()?;
        let mut schemes = vec![json!({ "type": "oauth2", "scopes": access.scopes() })];
        if access.is_public() {
            schemes.insert(0, json!({ "type": "noauth" }));
        }
        Some(schemes.into())
    }
}

/// The start of the addresses of the metadata.
const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

/// What clients are told about how to get a token (RFC 9728).
#[derive(Clone, Debug)]
pub(crate) struct ProtectedResource {
    /// The document, as JSON text.
    pub document: String,
    /// Its address: that of the resource, with the well-known part before its path.
    url: String,
    /// The path of the resource, without a slash at its end.
    path: String,
}

impl ProtectedResource {
    /// With these scopes of the app's own. Nothing, if it has no address.
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

    /// Whether its document is at this path. Clients that do not know the path ask without it.
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
