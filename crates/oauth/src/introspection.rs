//! Introspection of opaque tokens (RFC 7662), with a short-lived cache.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};
use tokio::sync::OwnedSemaphorePermit;
use widgetcast::auth::Refusal;

use crate::fetch::{Fetcher, is_safe};

/// Introspection of tokens that are not JWTs.
///
/// ```
/// use widgetcast_oauth::{Introspection, OAuth};
/// let oauth = OAuth::discover("https://login.example.com")
///     .audience("https://helpdesk.example.com/mcp")
///     .introspection(Introspection::new("helpdesk-server", "its secret"));
/// ```
#[derive(Clone)]
pub struct Introspection {
    pub(crate) endpoint: Option<String>,
    credentials: Option<(String, String)>,
    pub(crate) ttl: Duration,
    /// The form field of the token: not every provider follows the RFC.
    field: &'static str,
}

impl Introspection {
    /// Creates it with the client id and the client secret of this server. The endpoint is the one in the
    /// provider's metadata.
    pub fn new(client_id: impl Into<String>, client_secret: impl Into<String>) -> Self {
        Self {
            endpoint: None,
            credentials: Some((client_id.into(), client_secret.into())),
            ttl: Duration::from_secs(30),
            field: "token",
        }
    }

    /// An endpoint like Google's, which introspects tokens for anyone.
    pub(crate) fn token_info(endpoint: &str) -> Self {
        let endpoint = Some(endpoint.to_owned());
        let ttl = Duration::from_secs(30);
        Self { endpoint, credentials: None, ttl, field: "access_token" }
    }

    /// Overrides the endpoint.
    pub fn endpoint(mut self, url: impl Into<String>) -> Self {
        self.endpoint = Some(url.into());
        self
    }

    /// How long a response is cached, so a revoked token stays valid for this long; 30 seconds by default.
    pub fn ttl(mut self, ttl: Duration) -> Self {
        self.ttl = ttl;
        self
    }

    pub(crate) fn mistake(&self) -> Option<String> {
        let endpoint = self.endpoint.as_deref().filter(|endpoint| !is_safe(endpoint))?;
        Some(format!("the introspection endpoint {endpoint:?} must be https"))
    }

    /// Whether the endpoint needs no credentials.
    pub(crate) fn is_token_info(&self) -> bool {
        self.credentials.is_none()
    }

    /// The provider's response about a token.
    pub(crate) async fn ask(
        &self,
        fetcher: &Fetcher,
        endpoint: String,
        token: String,
        place: OwnedSemaphorePermit,
    ) -> Result<Map<String, Value>, Refusal> {
        let authorization = self.credentials.as_ref().map(|(id, secret)| {
            let pair = format!("{}:{}", form_encoded(id), form_encoded(secret));
            format!("Basic {}", STANDARD.encode(pair))
        });
        let mut form = vec![(self.field, token)];
        if self.credentials.is_some() {
            form.push(("token_type_hint", "access_token".into()));
        }
        let answer = fetcher.post(endpoint, authorization, form, place).await;
        let is_info = self.is_token_info();
        let unknown = || Refusal::invalid_token("the token is not active");
        match answer {
            Ok(Value::Object(said)) if is_info || said.get("active") == Some(&true.into()) => {
                Ok(said)
            }
            Ok(_) => Err(unknown()),
            // Such an endpoint has no other way to report it.
            Err(error) if is_info && error.ends_with("400 Bad Request") => Err(unknown()),
            Err(error) => {
                tracing::warn!("token introspection failed: {error}");
                Err(Refusal::unavailable("the token cannot be verified right now; try again"))
            }
        }
    }
}

/// As required by RFC 6749, 2.3.1.
fn form_encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'*' => {
                out.push(char::from(byte));
            }
            b' ' => out.push('+'),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

impl std::fmt::Debug for Introspection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let client = self.credentials.as_ref().map(|(id, _)| id);
        f.debug_struct("Introspection").field("client", &client).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_encoded_and_not_printed() {
        assert_eq!(form_encoded("a b:c/é"), "a+b%3Ac%2F%C3%A9");
        let shown = format!("{:?}", Introspection::new("helpdesk", "hush"));
        assert!(shown.contains("helpdesk") && !shown.contains("hush"), "{shown}");
    }
}
