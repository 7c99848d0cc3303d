//! The HTTP client for servers and for the URLs of tools.

use std::time::Duration;

use rustls::crypto::CryptoProvider;

/// A client that trusts the system's certificates. It follows no redirects, which would send keys elsewhere.
pub(crate) fn client() -> Result<reqwest::Client, String> {
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
