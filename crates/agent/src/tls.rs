//! The HTTP client, for MCP servers and for model endpoints.

use std::time::Duration;

use rustls::crypto::CryptoProvider;

/// A client with the certificates that the system trusts, that follows no redirects: they would carry
/// keys to somewhere else.
pub(crate) fn http_client() -> Result<reqwest::Client, String> {
    // reqwest takes the provider of the process. Ring is the one that the whole workspace has; a program
    // that has installed another keeps it.
    if CryptoProvider::get_default().is_none() {
        _ = rustls::crypto::ring::default_provider().install_default();
    }
    reqwest::Client::builder()
        .connect_timeout(Duration::from_secs(10))
        .redirect(reqwest::redirect::Policy::none())
        .user_agent(concat!("widgetcast/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(|error| format!("cannot create an HTTP client: {error}"))
}
