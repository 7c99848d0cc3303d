//! TLS of our own server: it answers, takes over a new certificate while it runs, and keeps the old one
//! while the new files do not fit together.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use widgetcast::{App, Settings};

use crate::audit::Log;
use crate::talk::GREETING;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/tls").join(name)
}

/// What a client gets that trusts one certificate.
async fn get(at: std::net::SocketAddr, trusted: &str, path: &str) -> Result<String, String> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(fixture(trusted)).unwrap()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let stream = TcpStream::connect(at).await.map_err(|error| error.to_string())?;
    let name = ServerName::try_from("localhost").unwrap();
    let connector = TlsConnector::from(Arc::new(config));
    let mut stream = connector.connect(name, stream).await.map_err(|error| error.to_string())?;
    let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.map_err(|error| error.to_string())?;
    let mut text = String::new();
    stream.read_to_string(&mut text).await.map_err(|error| error.to_string())?;
    Ok(text)
}

/// Waits for a certificate to be served.
async fn served(at: std::net::SocketAddr, trusted: &str) {
    for _ in 0..1200 {
        if get(at, trusted, "/healthz").await.is_ok() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{trusted} is not served");
}

#[tokio::test]
async fn certificates_are_replaced_while_it_serves() {
    let (log, _guard) = Log::start();
    let dir = tempfile::tempdir().unwrap();
    let (cert, key) = (dir.path().join("it.crt"), dir.path().join("it.key"));
    let put = |from: &str, to: &Path| std::fs::write(to, std::fs::read(fixture(from)).unwrap());
    put("one.crt", &cert).unwrap();
    put("one.key", &key).unwrap();
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let app = App::new("tests", "1.0.0")
        .catalog(widgetcast::Catalog::from_static(&[GREETING]))
        .settings(Settings::default().tls_cert(text(&cert)).tls_key(text(&key)))
        .build()
        .unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let serving =
        tokio::spawn(
            async move { app.serve_listener(listener, async { _ = stopped.await }).await },
        );
    let answer = get(at, "one.crt", "/readyz").await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.ends_with("ready\n"), "{answer}");
    assert!(get(at, "two.crt", "/readyz").await.is_err());
    // A large answer, which does not fit into one record.
    let gallery = get(at, "one.crt", "/").await.unwrap();
    assert!(gallery.len() > 50_000 && gallery.trim_end().ends_with("</html>"), "{}", gallery.len());

    // Who speaks no TLS is answered nothing, and keeps no one else from being answered.
    let mut plain = TcpStream::connect(at).await.unwrap();
    plain.write_all(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
    let mut silent = TcpStream::connect(at).await.unwrap();
    let mut bytes = Vec::new();
    _ = plain.read_to_end(&mut bytes).await;
    assert!(!bytes.starts_with(b"HTTP"), "{bytes:?}");

    // Only half of the new files is there.
    put("two.crt", &cert).unwrap();
    while !log.text().contains("cannot reload the certificate") {
        tokio::task::yield_now().await;
    }
    assert!(get(at, "one.crt", "/healthz").await.is_ok());
    put("two.key", &key).unwrap();
    served(at, "two.crt").await;
    assert!(get(at, "one.crt", "/healthz").await.is_err());

    stop.send(()).unwrap();
    tokio::time::timeout(Duration::from_secs(9), serving).await.unwrap().unwrap().unwrap();
    _ = silent.shutdown().await;
}

/// Whoever opens a FIFO waits for the one who writes to it: neither handshakes nor the end of the server do.
#[cfg(unix)]
#[tokio::test]
async fn a_fifo_in_the_place_of_a_certificate_is_not_read() {
    let (log, _guard) = Log::start();
    let dir = tempfile::tempdir().unwrap();
    let (cert, key) = (dir.path().join("it.crt"), dir.path().join("it.key"));
    std::fs::copy(fixture("one.crt"), &cert).unwrap();
    std::fs::copy(fixture("one.key"), &key).unwrap();
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let settings = Settings::default().tls_cert(text(&cert)).tls_key(text(&key));
    let app = App::new("tests", "1.0.0").settings(settings).build().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let stopped = async { _ = stopped.await };
    let serving = tokio::spawn(async move { app.serve_listener(listener, stopped).await });
    served(at, "one.crt").await;
    std::fs::remove_file(&cert).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&cert).status().unwrap().success());
    while !log.text().contains("is not a regular file") {
        tokio::task::yield_now().await;
    }
    assert!(get(at, "one.crt", "/healthz").await.is_ok());
    stop.send(()).unwrap();
    serving.await.unwrap().unwrap();
}

#[tokio::test]
async fn files_that_are_no_certificate_are_told() {
    let serve = async |cert: &str, key: &str| {
        let text = |name: &str| fixture(name).to_str().unwrap().to_owned();
        let settings = Settings::default().tls_cert(text(cert)).tls_key(text(key));
        let app = App::new("tests", "1.0.0").settings(settings).build().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        app.serve_listener(listener, std::future::pending()).await.unwrap_err().to_string()
    };
    assert!(serve("none.crt", "one.key").await.contains("none.crt: "));
    assert!(serve("one.key", "one.key").await.contains("it contains no certificate"));
    assert!(serve("one.crt", "one.crt").await.contains("one.crt: "));
    assert!(serve("one.crt", "two.key").await.contains("one.crt: "));
}
