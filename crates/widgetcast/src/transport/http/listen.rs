//! Binds the listener, with helpful errors.

use std::io::{Error, ErrorKind, Result};
use std::net::SocketAddr;

use tokio::net::{TcpListener, TcpSocket, ToSocketAddrs, lookup_host};

/// How many connections the kernel keeps until they are accepted, as far as it allows. If there are more, it
/// drops the next, and its client tries again after a second.
const BACKLOG: u32 = 4096;
/// How many of the following ports are checked for a free one to suggest.
const TRIED_PORTS: u16 = 20;

/// Listens on the first address that works.
pub(crate) async fn bind(at: impl ToSocketAddrs) -> Result<TcpListener> {
    let mut refused =
        Error::new(ErrorKind::InvalidInput, "the address does not resolve to an IP address");
    for address in lookup_host(at).await? {
        match listen(address) {
            Ok(listener) => return Ok(listener),
            Err(error) => refused = cannot_listen(address, &error),
        }
    }
    Err(refused)
}

/// As `TcpListener::bind` does, but with our backlog.
fn listen(at: SocketAddr) -> Result<TcpListener> {
    let socket = if at.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    #[cfg(not(windows))]
    socket.set_reuseaddr(true)?;
    socket.bind(at)?;
    socket.listen(BACKLOG)
}

fn cannot_listen(at: SocketAddr, error: &Error) -> Error {
    let words = match (error.kind(), free_port(at)) {
        (ErrorKind::AddrInUse, Some(port)) => {
            let free = SocketAddr::new(at.ip(), port);
            format!("cannot listen on {at}: the port is in use; {free} is free")
        }
        (ErrorKind::PermissionDenied, _) if at.port() < 1024 => {
            format!("cannot listen on {at}: {error}; ports below 1024 need privileges")
        }
        _ => format!("cannot listen on {at}: {error}"),
    };
    Error::new(error.kind(), words)
}

fn free_port(at: SocketAddr) -> Option<u16> {
    let mut next = (1..=TRIED_PORTS).filter_map(|step| at.port().checked_add(step));
    next.find(|port| std::net::TcpListener::bind((at.ip(), *port)).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_port_in_use_is_named_with_one_that_is_free() {
        let taken = bind("127.0.0.1:0").await.unwrap();
        let at = taken.local_addr().unwrap();
        let error = bind(at).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::AddrInUse);
        let words = error.to_string();
        assert!(words.starts_with(&format!("cannot listen on {at}: ")), "{words}");
        let free = words.strip_suffix(" is free").and_then(|words| words.rsplit(' ').next());
        let free: SocketAddr = free.unwrap().parse().unwrap();
        assert!(free.ip() == at.ip() && free.port() > at.port(), "{words}");
    }
}
