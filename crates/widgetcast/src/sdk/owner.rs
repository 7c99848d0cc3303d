//! The owner of a store entry, for quotas and eviction.

use super::caller::{Caller, owned};
use super::peer::Peer;

/// The owner of an entry in a store: the authenticated caller, or else the client's IP address. Databases
/// store it as text (`to_string()`): an IP address, or a hash of the caller.
///
/// ```
/// use widgetcast::Caller;
/// use widgetcast::client::Peer;
/// use widgetcast::store::Owner;
/// let at = Peer::at("192.0.2.1".parse().unwrap());
/// assert_eq!(Owner::new(None, at).to_string(), "192.0.2.1");
/// let ada = Caller::new("ada");
/// assert_eq!(Owner::new(Some(&ada), at), Owner::new(Some(&ada), Peer::LOCAL));
/// assert_ne!(Owner::new(Some(&ada), at), Owner::new(Some(&Caller::new("bob")), at));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Owner(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Kind {
    Peer(Peer),
    Caller(u128),
}

impl Owner {
    /// The owner of entries that this caller, or an anonymous client at this peer, creates.
    pub fn new(caller: Option<&Caller>, peer: Peer) -> Self {
        Self(match caller {
            None => Kind::Peer(peer),
            Some(_) => {
                let hash = owned(caller, "");
                Kind::Caller(u128::from_str_radix(&hash[1..], 16).unwrap_or_default())
            }
        })
    }
}

impl From<Peer> for Owner {
    fn from(peer: Peer) -> Self {
        Self(Kind::Peer(peer))
    }
}

impl std::fmt::Display for Owner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Kind::Peer(peer) => peer.fmt(f),
            Kind::Caller(hash) => write!(f, "caller {hash:032x}"),
        }
    }
}
