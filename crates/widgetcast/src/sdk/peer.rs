//! The client that limits and quotas apply to.

use std::net::{IpAddr, Ipv6Addr};

/// The client that limits and quotas apply to: its IP address or, for IPv6, its /64 prefix, which belongs
/// to a single client.
///
/// ```
/// use widgetcast::client::Peer;
/// let at = |text: &str| Peer::at(text.parse().unwrap());
/// assert_eq!(at("2001:db8::1"), at("2001:db8::2"));
/// assert_ne!(at("192.0.2.1"), at("192.0.2.2"));
/// assert_eq!(at("::ffff:192.0.2.1"), at("192.0.2.1"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Peer(Option<IpAddr>);

impl Peer {
    /// A stdio client, or one with an unknown address.
    pub const LOCAL: Self = Self(None);

    /// The client at this IP address.
    pub fn at(address: IpAddr) -> Self {
        Self(Some(match address.to_canonical() {
            IpAddr::V4(address) => address.into(),
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
            }
        }))
    }

    /// Its address, if known.
    pub(crate) fn address(self) -> Option<IpAddr> {
        self.0
    }

    /// Whether it is known to be another machine.
    pub(crate) fn is_of_elsewhere(self) -> bool {
        self.0.is_some_and(|address| !address.is_loopback())
    }
}

impl std::fmt::Display for Peer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(address) => address.fmt(f),
            None => f.write_str("local"),
        }
    }
}
