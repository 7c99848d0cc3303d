//! Requests to the provider: few, bounded in time and size, and on a thread that may block.

use std::time::Duration;

use serde_json::Value;
use tokio::sync::OwnedSemaphorePermit;

const TIMEOUT: Duration = Duration::from_secs(5);
/// Maximum size of a document.
const MAX_BODY: u64 = 512 << 10;

#[derive(Clone)]
pub(crate) struct Fetcher(ureq::Agent);

impl Default for Fetcher {
    fn default() -> Self {
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            .user_agent(concat!("widgetcast/", env!("CARGO_PKG_VERSION")))
            .http_status_as_error(false)
            // The endpoints do not redirect, and credentials must not be sent elsewhere.
            .max_redirects(0)
            .max_redirects_will_error(false);
        Self(config.build().new_agent())
    }
}

impl Fetcher {
    /// The document at a URL.
    pub(crate) async fn get(&self, url: String) -> Result<Value, String> {
        let agent = self.0.clone();
        wait(move || {
            let asked = agent.get(&url).header("accept", "application/json").call();
            read(asked).map_err(|error| format!("{url}: {error}"))
        })
        .await
    }

    /// The response to a form. The slot is released when the request ends, even if no one waits for it.
    pub(crate) async fn post(
        &self,
        url: String,
        authorization: Option<String>,
        form: Vec<(&'static str, String)>,
        place: OwnedSemaphorePermit,
    ) -> Result<Value, String> {
        let agent = self.0.clone();
        wait(move || {
            let mut request = agent.post(&url).header("accept", "application/json");
            if let Some(authorization) = authorization {
                request = request.header("authorization", authorization);
            }
            let said = read(request.send_form(form)).map_err(|error| format!("{url}: {error}"));
            drop(place);
            said
        })
        .await
    }
}

async fn wait<T: Send + 'static>(
    ask: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    tokio::task::spawn_blocking(ask).await.unwrap_or_else(|error| Err(error.to_string()))
}

fn read(asked: Result<http::Response<ureq::Body>, ureq::Error>) -> Result<Value, String> {
    let mut response = asked.map_err(|error| error.to_string())?;
    if response.status() != http::StatusCode::OK {
        return Err(format!("it returned {}", response.status()));
    }
    let body = response.body_mut().with_config().limit(MAX_BODY).read_to_vec();
    let body = body.map_err(|error| error.to_string())?;
    serde_json::from_slice(&body).map_err(|_| "its response is not JSON".into())
}

/// Whether secrets may be sent to a URL, and keys be fetched from it.
pub(crate) fn is_safe(url: &str) -> bool {
    let Ok(uri) = url.parse::<http::Uri>() else { return false };
    match uri.scheme_str() {
        Some("https") => uri.host().is_some(),
        // No one listens between programs of this machine.
        Some("http") => matches!(uri.host(), Some("localhost" | "127.0.0.1" | "[::1]")),
        _ => false,
    }
}
