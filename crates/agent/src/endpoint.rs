//! Requests to a model endpoint, below async-openai: adds the API key, and preserves error responses with
//! their `Retry-After`.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, SystemTime};

use async_openai::error::OpenAIError;
use async_openai::middleware::HttpRequestFactory;
use http::header::{AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderMap, HeaderValue, StatusCode};
use serde_json::Value;

/// The maximum bytes to read from an error response.
const MAX_REFUSAL: usize = 16 * 1024;

/// Why there is no stream.
#[derive(Debug)]
pub(crate) enum Failure {
    Unreachable(String),
    Status {
        status: StatusCode,
        /// The endpoint's message, on one line.
        said: String,
        retry_after: Option<Duration>,
        /// Whether a retry cannot help, because the quota is exhausted.
        is_final: bool,
    },
    /// A response that is not an event stream.
    NotAStream(String),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self:?}")
    }
}

impl std::error::Error for Failure {}

impl From<Failure> for OpenAIError {
    fn from(failure: Failure) -> Self {
        Self::Boxed(Box::new(failure))
    }
}

/// Sends each request once. async-openai would retry silently, without informing the user.
#[derive(Clone)]
pub(crate) struct Endpoint {
    pub client: reqwest::Client,
    /// Marked as sensitive, so that it is not printed.
    pub authorization: Option<HeaderValue>,
}

impl tower_service::Service<HttpRequestFactory> for Endpoint {
    type Response = reqwest::Response;
    type Error = Failure;
    type Future = Pin<Box<dyn Future<Output = Result<reqwest::Response, Failure>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Failure>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, factory: HttpRequestFactory) -> Self::Future {
        let this = self.clone();
        Box::pin(async move {
            let mut request =
                factory.build().await.map_err(|error| Failure::Unreachable(error.to_string()))?;
            let headers = request.headers_mut();
            headers.remove(AUTHORIZATION);
            headers.extend(this.authorization.map(|value| (AUTHORIZATION, value)));
            let sent = this.client.execute(request).await;
            let response = sent.map_err(|error| Failure::Unreachable(root_cause(&error)))?;
            check(response).await
        })
    }
}

async fn check(response: reqwest::Response) -> Result<reqwest::Response, Failure> {
    let (status, headers) = (response.status(), response.headers().clone());
    let mime = headers.get(CONTENT_TYPE).and_then(|mime| mime.to_str().ok()).unwrap_or_default();
    if status.is_success() && mime.contains("event-stream") {
        return Ok(response);
    }
    let body = start_of(response).await;
    if status.is_success() {
        return Err(Failure::NotAStream(mime.to_owned()));
    }
    let error = serde_json::from_str::<Value>(&body).unwrap_or_default();
    let error = error.get("error").unwrap_or(&error);
    let said = error["message"].as_str().or_else(|| error.as_str()).unwrap_or(&body);
    let is_final =
        [&error["code"], &error["type"]].iter().any(|kind| *kind == "insufficient_quota");
    Err(Failure::Status {
        status,
        said: said.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(500).collect(),
        retry_after: retry_after(&headers, SystemTime::now()),
        is_final,
    })
}

async fn start_of(mut response: reqwest::Response) -> String {
    let mut body = Vec::new();
    while body.len() < MAX_REFUSAL
        && let Ok(Some(chunk)) = response.chunk().await
    {
        body.extend_from_slice(&chunk);
    }
    body.truncate(MAX_REFUSAL);
    String::from_utf8_lossy(&body).into_owned()
}

/// The delay that the endpoint requests: in milliseconds, in seconds, or as a date.
fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let seconds = |text: &str| text.parse::<f64>().ok().filter(|seconds| *seconds >= 0.0);
    if let Some(millis) = text("retry-after-ms").and_then(seconds) {
        return Duration::try_from_secs_f64(millis / 1000.0).ok();
    }
    let text = text(RETRY_AFTER.as_str())?;
    match seconds(text) {
        Some(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        None => {
            let date = httpdate::parse_http_date(text).ok()?;
            Some(date.duration_since(now).unwrap_or_default())
        }
    }
}

/// The innermost error, which names the cause without the URL.
fn root_cause(error: &(dyn std::error::Error + 'static)) -> String {
    error.source().map_or_else(|| error.to_string(), root_cause)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_long_to_wait() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        let wait = |name: &'static str, value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().unwrap());
            retry_after(&headers, now)
        };
        assert_eq!(wait("retry-after", "3"), Some(Duration::from_secs(3)));
        assert_eq!(wait("retry-after-ms", "250"), Some(Duration::from_millis(250)));
        assert_eq!(wait("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT"), Some(Duration::ZERO));
        let wanted = Duration::from_secs(1000);
        let later = httpdate::fmt_http_date(now + wanted);
        assert_eq!(wait("retry-after", &later), Some(wanted));
        for wrong in ["-1", "soon", "NaN", "1e300"] {
            assert_eq!(wait("retry-after", wrong), None, "{wrong}");
        }
    }
}
