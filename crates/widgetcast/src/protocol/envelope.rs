//! The envelope of a result: the members that every response has.
//!
//! Results of 2026-07-28 contain their type, the server info and, if cacheable, for how long and in which scope.
//! Revisions with a handshake have none of this.

use std::time::Duration;

use serde_json::Value;

use crate::server::Server;

/// The `_meta` key of the server's name and version.
pub(super) const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
const COMPLETE: &str = r#""resultType":"complete","#;

/// For how long and in which scope a result may be cached.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cache {
    /// By everyone, for this long.
    Public(Duration),
    /// By the client that sent the request.
    Private(Duration),
}

impl Cache {
    /// The cache rules of a list.
    pub(super) fn of_list(server: &Server) -> Self {
        Self::for_admitted(server, server.settings.list_ttl)
    }

    /// The cache rules of public content; with authentication, it is not for everyone.
    pub(super) fn for_admitted(server: &Server, ttl: Duration) -> Self {
        match server.policy.has_authenticator() {
            true => Self::Private(ttl),
            false => Self::Public(ttl),
        }
    }
}

/// A response under construction. The text always ends inside the result object, after `{` or a comma.
#[derive(Debug)]
pub(super) struct Envelope(String);

impl Envelope {
    /// Starts a response without members.
    pub(super) fn bare(id: &str) -> Self {
        let mut out = String::with_capacity(256);
        for part in [r#"{"jsonrpc":"2.0","id":"#, id, r#","result":{"#] {
            out.push_str(part);
        }
        Self(out)
    }

    /// Starts a response with the members that its revision requires.
    pub(super) fn open(server: &Server, id: &str, modern: bool, cache: Option<Cache>) -> Self {
        let mut out = Self::start(id, modern);
        if modern {
            if let Some(cache) = cache {
                let (ttl, scope) = match cache {
                    Cache::Public(ttl) => (ttl.as_millis(), "public"),
                    Cache::Private(ttl) => (ttl.as_millis(), "private"),
                };
                out.0.push_str(&format!(r#""ttlMs":{ttl},"cacheScope":"{scope}","#));
            }
            out.push_server_info(server);
        }
        out
    }

    /// Starts a result of 2026-07-28 whose type is not "complete".
    pub(super) fn of_type(server: &Server, id: &str, kind: &str) -> Self {
        let mut out = Self::bare(id);
        out.push_members(&serde_json::json!({ "resultType": kind }));
        out.push_server_info(server);
        out
    }

    fn push_server_info(&mut self, server: &Server) {
        for part in [r#""_meta":{""#, SERVER_INFO, "\":", server.server_info.as_str(), "},"] {
            self.0.push_str(part);
        }
    }

    /// The same for a result that writes its own `_meta`.
    pub(super) fn start(id: &str, modern: bool) -> Self {
        let mut out = Self::bare(id);
        if modern {
            out.0.push_str(COMPLETE);
        }
        out
    }

    /// Returns the text so far. The caller writes the remaining members, `}` and the `}` of the message.
    pub(super) fn into_head(self) -> String {
        self.0
    }

    /// Adds the members of an object.
    pub(super) fn push_members(&mut self, members: &Value) {
        let text = members.to_string();
        self.push(text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or(""));
    }

    /// Adds members as JSON text, without braces.
    pub(super) fn push(&mut self, members: &str) {
        if !members.is_empty() {
            self.0.reserve(members.len() + 3);
            self.0.push_str(members);
            self.0.push(',');
        }
    }

    /// The complete response.
    pub(super) fn close(mut self) -> String {
        if self.0.ends_with(',') {
            self.0.pop();
        }
        self.0.push_str("}}");
        self.0
    }
}

/// A response with these members.
pub(super) fn result(
    server: &Server,
    id: &str,
    modern: bool,
    cache: Option<Cache>,
    members: &Value,
) -> String {
    let mut out = Envelope::open(server, id, modern, cache);
    out.push_members(members);
    out.close()
}
