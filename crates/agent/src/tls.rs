//! The HTTP client for MCP servers and model endpoints.

use std::time::Duration;

use rustls::crypto::CryptoProvider;

/// A client that trusts the system's certificates and follows no redirects, which would send keys elsewhere.
pub(crate) fn http_client() -> Result<reqwest::Client, String> {
    // reqwest uses the crypto provider of the process. The workspace uses ring; a provider that the program
    // has already installed is kept.
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
