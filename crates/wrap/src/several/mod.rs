//! One or several servers behind one client.

mod answers;
mod asked;
mod config;
mod hub;
mod names;
mod places;
mod router;
#[cfg(test)]
mod tests;
mod union;

use std::collections::BTreeMap;
use std::sync::Arc;

use reqwest::header::HeaderValue;
use widgetcast::App;

use crate::connection::{Connect, Connection, MAX_MESSAGE};
use crate::http::Challenge;
use crate::upstream::Upstream;

pub use config::{ServerConfig, servers};

/// The servers behind a relay: one, or several that look like one.
#[derive(Clone, Debug)]
pub struct Servers(Kind);

#[derive(Clone, Debug)]
enum Kind {
    One(Box<Upstream>),
    /// Also limits the size of their merged responses.
    Several(Arc<BTreeMap<String, Upstream>>, usize),
}

impl From<Upstream> for Servers {
    fn from(upstream: Upstream) -> Self {
        Self(Kind::One(Box::new(upstream)))
    }
}

impl Servers {
    /// Several servers. The names of their tools and prompts are prefixed with the name of the server:
    /// `list_orders` of the server `shop` becomes `shop_list_orders`. If one server fails, the others stay
    /// usable.
    ///
    /// # Errors
    /// If there are none, or a name contains characters other than ASCII letters, digits and `-`.
    pub fn named(servers: BTreeMap<String, Upstream>) -> Result<Self, String> {
        let is_plain = |name: &String| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
        };
        match servers.keys().find(|name| !is_plain(name)) {
            // The first `_` in a tool name ends the server name.
            Some(name) => {
                Err(format!("{name:?}: the name of a server can only have letters, digits and `-`"))
            }
            None if servers.is_empty() => Err("there are no servers".into()),
            None => {
                let named = |(name, upstream): (String, Upstream)| {
                    let upstream = upstream.named(&name);
                    (name, upstream)
                };
                let servers = servers.into_iter().map(named).collect();
                Ok(Self(Kind::Several(Arc::new(servers), MAX_MESSAGE)))
            }
        }
    }

    /// The same, for a client that accepts responses of this size.
    pub(crate) fn within(self, most_bytes: usize) -> Self {
        Self(match self.0 {
            Kind::Several(servers, _) => {
                let within = |(name, upstream): (&String, &Upstream)| {
                    (name.clone(), upstream.clone().within(most_bytes))
                };
                Kind::Several(Arc::new(servers.iter().map(within).collect()), most_bytes)
            }
            Kind::One(upstream) => Kind::One(Box::new(upstream.within(most_bytes))),
        })
    }

    /// The prefixes of tool names.
    pub(crate) fn names(&self) -> Vec<String> {
        match &self.0 {
            Kind::One(_) => Vec::new(),
            Kind::Several(servers, _) => servers.keys().cloned().collect(),
        }
    }

    /// The server that may receive the `Authorization` header of a client. Of several servers, each would see
    /// credentials for the others.
    pub(crate) fn only(&self) -> Option<&Upstream> {
        match &self.0 {
            Kind::One(upstream) => Some(upstream),
            Kind::Several(..) => None,
        }
    }

    /// The same for one client, whose `Authorization` header is sent with each request, if given. `challenge`
    /// receives the challenge with which the server rejects it.
    pub(crate) fn for_client(&self, authorization: Option<HeaderValue>) -> (Self, Challenge) {
        match &self.0 {
            Kind::One(upstream) => {
                let (upstream, challenge) = upstream.for_client(authorization);
                (upstream.into(), challenge)
            }
            Kind::Several(..) => (self.clone(), Challenge::default()),
        }
    }
}

impl Connect for Servers {
    fn connect(&self, app: &App) -> Result<Connection, String> {
        match &self.0 {
            Kind::One(upstream) => upstream.connect(app),
            Kind::Several(servers, most_bytes) => Ok(hub::connect(app, servers, *most_bytes)),
        }
    }

    fn shown(&self) -> String {
        match &self.0 {
            Kind::One(upstream) => upstream.shown(),
            Kind::Several(..) => self.names().join(", "),
        }
    }
}
