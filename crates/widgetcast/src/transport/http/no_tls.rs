//! Replaces `tls` without that feature: a server with a configured certificate does not start, because its
//! users rely on TLS.

use std::io::{self, ErrorKind};
use std::sync::Arc;

use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

use super::socket::Tunnel;
use crate::sdk::settings::Settings;

/// There is no certificate.
pub(super) enum Tls {}

impl Tls {
    pub(super) fn load(settings: &Settings) -> io::Result<Option<Arc<Self>>> {
        match settings.tls_cert {
            None => Ok(None),
            Some(_) => {
                let words = "tls_cert is set, but widgetcast was built without the feature `tls`";
                Err(io::Error::new(ErrorKind::Unsupported, words))
            }
        }
    }

    pub(super) async fn accept(&self, _: TcpStream) -> io::Result<Box<dyn Tunnel>> {
        match *self {}
    }

    pub(super) async fn follow(self: Arc<Self>, _: CancellationToken) {
        match *self {}
    }
}
