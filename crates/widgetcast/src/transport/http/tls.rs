//! TLS for servers without a proxy: certificate and key are read from files, and reloaded when these change,
//! without a restart.
//!
//! The files are polled every second instead of watched: certificates are replaced through symlinks and
//! mounts, which watchers miss.

use std::fs::Metadata;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use arc_swap::ArcSwap;
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{ServerConfig, version};
use tokio_rustls::server::TlsStream;
use tokio_util::sync::CancellationToken;
use widgetcast_core::read_file;

use super::socket::Tunnel;
use crate::sdk::settings::Settings;

/// The polling interval.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Maximum size of a certificate chain, or of a key.
const MAX_BYTES: usize = 1 << 20;

/// The part that is reloaded.
type State = [Option<(SystemTime, u64)>; 2];

/// The certificate for new connections.
pub(super) struct Tls {
    certificate: String,
    key: String,
    now: ArcSwap<ServerConfig>,
}

impl Tls {
    /// `None` if no certificate is configured.
    pub(super) fn load(settings: &Settings) -> io::Result<Option<Arc<Self>>> {
        let (Some(certificate), Some(key)) = (&settings.tls_cert, &settings.tls_key) else {
            return Ok(None);
        };
        let now = ArcSwap::new(read(certificate, key)?);
        Ok(Some(Arc::new(Self { certificate: certificate.clone(), key: key.clone(), now })))
    }

    pub(super) async fn accept(&self, stream: TcpStream) -> io::Result<Box<dyn Tunnel>> {
        Ok(Box::new(TlsAcceptor::from(self.now.load_full()).accept(stream).await?))
    }

    /// Reloads changed files until the server stops. Failures are retried: the two files are rarely written
    /// at the same moment.
    pub(super) async fn follow(self: Arc<Self>, stop: CancellationToken) {
        let mut taken = self.state();
        let mut failed = None;
        loop {
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(LOOK_EVERY) => {}
            }
            // A stalled disk delays neither handshakes nor shutdown.
            let tls = Arc::clone(&self);
            let looked = tokio::task::spawn_blocking(move || tls.look(taken));
            let (state, read) = tokio::select! {
                () = stop.cancelled() => return,
                looked = looked => match looked {
                    Ok(Some(new)) => new,
                    Ok(None) | Err(_) => continue,
                },
            };
            match read {
                Ok(config) => {
                    self.now.store(config);
                    taken = state;
                    tracing::info!("certificate reloaded");
                }
                Err(error) if failed.as_ref() != Some(&state) => {
                    tracing::warn!("cannot reload the certificate, keeping the old one: {error}");
                    failed = Some(state);
                }
                Err(_) => {}
            }
        }
    }

    /// Reads the files, if they have changed.
    fn look(&self, taken: State) -> Option<(State, io::Result<Arc<ServerConfig>>)> {
        let state = self.state();
        (state != taken).then(|| (state, read(&self.certificate, &self.key)))
    }

    fn state(&self) -> State {
        [&self.certificate, &self.key].map(|path| {
            let file: Metadata = std::fs::metadata(path).ok()?;
            Some((file.modified().ok()?, file.len()))
        })
    }
}

impl Tunnel for TlsStream<TcpStream> {
    fn tcp(&self) -> &TcpStream {
        self.get_ref().0
    }
}

fn read(certificate: &str, key: &str) -> io::Result<Arc<ServerConfig>> {
    let cannot = |path: &str, error: &dyn std::fmt::Display| {
        io::Error::new(io::ErrorKind::InvalidData, format!("{path}: {error}"))
    };
    // Opening a FIFO would block.
    let text = |path: &str| read_file(Path::new(path), MAX_BYTES).map_err(io::Error::other);
    let chain: Result<Vec<_>, _> =
        CertificateDer::pem_slice_iter(text(certificate)?.as_bytes()).collect();
    let chain = chain.map_err(|error| cannot(certificate, &error))?;
    if chain.is_empty() {
        return Err(cannot(certificate, &"it contains no certificate"));
    }
    let private = PrivateKeyDer::from_pem_slice(text(key)?.as_bytes());
    let private = private.map_err(|error| cannot(key, &error))?;
    let provider = Arc::new(default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&version::TLS13, &version::TLS12])
        .and_then(|config| config.with_no_client_auth().with_single_cert(chain, private));
    let mut config = config.map_err(|error| cannot(certificate, &error))?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}
