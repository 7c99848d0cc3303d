//! A model behind an OpenAI-compatible endpoint.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_openai::Client;
use async_openai::config::OpenAIConfig;
use async_openai::error::OpenAIError;
use async_openai::types::stream::StreamResponse;
use http::{HeaderValue, StatusCode};
use serde_json::Value;
use widgetcast::Budgeted;

use crate::backoff;
use crate::endpoint::{Endpoint, Failure};
use crate::model_error::{ModelError, ModelErrorKind};
use crate::tool::Tool;
use crate::transcript::Message;
use crate::turn::Delta;
use crate::{chat, responses, tls};

const OPENAI: &str = "https://api.openai.com/v1";

/// The API of an endpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Api {
    /// `/chat/completions`, which every compatible endpoint has.
    #[default]
    ChatCompletions,
    /// `/responses`.
    Responses,
}

/// A model: its endpoint, name and API key. Cheap to clone.
///
/// The key is sent only to the endpoint, and never printed or stored.
#[derive(Clone)]
pub struct Model(Arc<Inner>);

struct Inner {
    name: String,
    api: Api,
    /// The URL without user, password and query, for messages.
    shown: String,
    key: String,
    client: Client<OpenAIConfig>,
}

/// Builds a [`Model`].
///
/// ```
/// use widgetcast_agent::{Api, Model};
///
/// let model = Model::named("qwen3").base_url("http://127.0.0.1:11434/v1").build()?;
/// assert_eq!(model.name(), "qwen3");
///
/// let other = Model::named("gpt-5.2").key("sk-…-secret".replace('…', "")).api(Api::Responses).build()?;
/// assert!(!format!("{other:?}").contains("secret"));
/// # Ok::<(), widgetcast_agent::ModelError>(())
/// ```
#[derive(Clone)]
#[must_use]
pub struct ModelBuilder {
    name: String,
    base_url: String,
    key: String,
    api: Api,
}

impl Model {
    /// Starts building a model by name, at OpenAI unless you set [`ModelBuilder::base_url`].
    pub fn named(name: impl Into<String>) -> ModelBuilder {
        ModelBuilder {
            name: name.into(),
            base_url: OPENAI.into(),
            key: String::new(),
            api: Api::default(),
        }
    }

    /// The model that the environment configures: `OPENAI_MODEL`, `OPENAI_API_KEY`, `OPENAI_BASE_URL` (by
    /// default OpenAI), and `WIDGETCAST_MODEL_API`, which is `chat` (the default) or `responses`.
    pub fn from_env() -> Result<Self, ModelError> {
        Self::from_variables(|name| std::env::var(name).ok())
    }

    /// Like [`Model::from_env`], with variables from a function.
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Result<Self, ModelError> {
        let set =
            |name| variable(name).map(|value| value.trim().to_owned()).filter(|v| !v.is_empty());
        let api = match set("WIDGETCAST_MODEL_API").as_deref() {
            None | Some("chat") => Api::ChatCompletions,
            Some("responses") => Api::Responses,
            Some(other) => {
                let said =
                    format!("WIDGETCAST_MODEL_API is {other:?}; it must be chat or responses");
                return Err(settings(said));
            }
        };
        Self::named(set("OPENAI_MODEL").unwrap_or_default())
            .base_url(set("OPENAI_BASE_URL").unwrap_or_else(|| OPENAI.into()))
            .key(set("OPENAI_API_KEY").unwrap_or_default())
            .api(api)
            .build()
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Its API.
    pub fn api(&self) -> Api {
        self.0.api
    }

    /// The next request.
    pub(crate) fn request(
        &self,
        messages: &[Message],
        tools: &[Tool],
        result_bytes: usize,
        _: Budgeted,
    ) -> Value {
        match self.0.api {
            Api::ChatCompletions => chat::request(&self.0.name, messages, tools, result_bytes),
            Api::Responses => responses::request(&self.0.name, messages, tools, result_bytes),
        }
    }

    /// Sends a single request, without retries.
    pub(crate) async fn stream(&self, request: &Value) -> Result<StreamResponse<Value>, Trouble> {
        let sent = match self.0.api {
            Api::ChatCompletions => self.0.client.chat().create_stream_byot(request).await,
            Api::Responses => self.0.client.responses().create_stream_byot(request).await,
        };
        sent.map_err(|error| self.trouble(error))
    }

    /// The parts in one event of a stream.
    pub(crate) fn read(&self, event: &Value) -> Vec<Delta> {
        match self.0.api {
            Api::ChatCompletions => chat::read(event),
            Api::Responses => responses::read(event),
        }
    }

    /// Maps a failure to an error, and decides whether a retry may help.
    pub(crate) fn trouble(&self, error: OpenAIError) -> Trouble {
        let failure = match error {
            OpenAIError::Boxed(failure) => match failure.downcast::<Failure>() {
                Ok(failure) => *failure,
                Err(other) => Failure::Unreachable(other.to_string()),
            },
            OpenAIError::StreamError(error) => {
                let message = format!("the connection to {} was lost: {error}", self.0.shown);
                return self.may_pass(ModelErrorKind::Dropped, &message, None);
            }
            OpenAIError::JSONDeserialize(error, _) => {
                let message = format!("{} sent an event that is not JSON: {error}", self.0.shown);
                return self.may_pass(ModelErrorKind::Unreadable, &message, None);
            }
            other => Failure::Unreachable(other.to_string()),
        };
        self.refusal(failure)
    }

    fn refusal(&self, failure: Failure) -> Trouble {
        let at = &self.0.shown;
        let (status, said, retry_after, is_final) = match failure {
            Failure::Unreachable(why) => {
                let message = format!("cannot connect to {at} ({why}); check OPENAI_BASE_URL");
                return self.may_pass(ModelErrorKind::Unreachable, &message, None);
            }
            Failure::NotAStream(mime) => {
                let message = format!(
                    "{at} responds with {mime:?} instead of a stream; check OPENAI_BASE_URL, which usually \
                     ends with /v1"
                );
                return self.is_final(ModelErrorKind::Unreadable, &message);
            }
            Failure::Status { status, said, retry_after, is_final } => {
                (status, said, retry_after, is_final)
            }
        };
        let code = status.as_u16();
        match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                let what = if self.0.key.is_empty() {
                    "requires an API key"
                } else {
                    "rejects the API key"
                };
                let message = format!("{at} {what} ({code}: {said}); check OPENAI_API_KEY");
                self.is_final(ModelErrorKind::Unauthorized, &message)
            }
            StatusCode::NOT_FOUND => {
                let message = format!(
                    "{at} has no model {:?}, or no such API ({code}: {said}); check OPENAI_MODEL, \
                     OPENAI_BASE_URL, which usually ends with /v1, and WIDGETCAST_MODEL_API",
                    self.0.name
                );
                self.is_final(ModelErrorKind::NotFound, &message)
            }
            StatusCode::TOO_MANY_REQUESTS if is_final => {
                let message = format!("the quota at {at} is exhausted ({code}: {said})");
                self.is_final(ModelErrorKind::RateLimited, &message)
            }
            StatusCode::TOO_MANY_REQUESTS => {
                let message =
                    format!("too many requests to {at} ({code}: {said}); try again later");
                self.may_pass(ModelErrorKind::RateLimited, &message, retry_after)
            }
            status if status.is_server_error() || status == StatusCode::REQUEST_TIMEOUT => {
                let message = format!("{at} failed ({code}: {said}); try again later");
                self.may_pass(ModelErrorKind::Server, &message, retry_after)
            }
            _ => {
                let message = format!("{at} rejected the request ({code}: {said})");
                self.is_final(ModelErrorKind::BadRequest, &message)
            }
        }
    }

    /// A failure that the endpoint reports inside its stream.
    pub(crate) fn failed(&self, said: &str) -> Trouble {
        let message = format!("{} failed: {said}", self.0.shown);
        self.may_pass(ModelErrorKind::Server, &message, None)
    }

    /// A stream that ended early.
    pub(crate) fn ended_early(&self) -> Trouble {
        let message =
            format!("the connection to {} closed before the response was complete", self.0.shown);
        self.may_pass(ModelErrorKind::Dropped, &message, None)
    }

    /// An endpoint that sends no data.
    pub(crate) fn stalled(&self, seconds: u64) -> Trouble {
        let message = format!("no data from {} for {seconds} s; try again later", self.0.shown);
        self.is_final(ModelErrorKind::Stalled, &message)
    }

    fn is_final(&self, kind: ModelErrorKind, message: &str) -> Trouble {
        Trouble {
            error: ModelError::new(kind, self.without_key(message)),
            may_pass: false,
            wait: None,
        }
    }

    fn may_pass(&self, kind: ModelErrorKind, message: &str, wait: Option<Duration>) -> Trouble {
        Trouble { error: ModelError::new(kind, self.without_key(message)), may_pass: true, wait }
    }

    /// Some endpoints repeat the key in error messages.
    fn without_key(&self, message: &str) -> String {
        match self.0.key.as_str() {
            "" => message.to_owned(),
            key => message.replace(key, "[key]"),
        }
    }
}

/// A failed attempt.
#[derive(Debug)]
pub(crate) struct Trouble {
    pub error: ModelError,
    /// Whether a retry may help.
    pub may_pass: bool,
    /// The delay that the endpoint requests before a retry.
    pub wait: Option<Duration>,
}

impl Trouble {
    /// The delay before the next attempt.
    pub(crate) fn delay(&self, failures: u32) -> Duration {
        let ours = || {
            let (first, most) = (Duration::from_millis(500), Duration::from_secs(20));
            backoff::delay(failures, first, most)
        };
        self.wait.unwrap_or_else(ours)
    }
}

impl ModelBuilder {
    /// Sets the URL of the endpoint, such as `http://127.0.0.1:11434/v1`.
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = url.into();
        self
    }

    /// Sets the API key, if the endpoint requires one.
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = key.into();
        self
    }

    /// Sets the API to use.
    pub fn api(mut self, api: Api) -> Self {
        self.api = api;
        self
    }

    /// Builds the model, and checks what can be checked without a request to the endpoint.
    pub fn build(self) -> Result<Model, ModelError> {
        if self.name.is_empty() {
            return Err(settings("no model is configured; set OPENAI_MODEL, such as gpt-5.2"));
        }
        let url = reqwest::Url::parse(&self.base_url)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
            .ok_or_else(|| {
                settings(
                    "OPENAI_BASE_URL is not a URL; it should look like https://api.openai.com/v1",
                )
            })?;
        let mut shown = url.clone();
        // Only a URL with a host can have a user and a password.
        _ = shown.set_username("").and_then(|()| shown.set_password(None));
        shown.set_query(None);
        let shown = shown.as_str().trim_end_matches('/').to_owned();
        if self.key.is_empty() && url.host_str() == Some("api.openai.com") {
            return Err(settings(
                "OpenAI requires a key; set OPENAI_API_KEY, or OPENAI_BASE_URL for another endpoint",
            ));
        }
        let authorization = authorization(&self.key)?;
        // The key is added below, where its header is marked as sensitive.
        let config = OpenAIConfig::new()
            .with_api_base(self.base_url.trim_end_matches('/'))
            .with_api_key("")
            .with_org_id("")
            .with_project_id("");
        let client = tls::http_client().map_err(settings)?;
        let client = Client::build(client.clone(), config)
            .with_http_service(Endpoint { client, authorization });
        let (name, api, key) = (self.name, self.api, self.key);
        Ok(Model(Arc::new(Inner { name, api, shown, key, client })))
    }
}

fn authorization(key: &str) -> Result<Option<HeaderValue>, ModelError> {
    if key.is_empty() {
        return Ok(None);
    }
    let mut value = HeaderValue::from_str(&format!("Bearer {key}")).map_err(|_| {
        settings("OPENAI_API_KEY contains invalid characters; is it truncated or quoted?")
    })?;
    value.set_sensitive(true);
    Ok(Some(value))
}

fn settings(message: impl Into<String>) -> ModelError {
    ModelError::new(ModelErrorKind::Settings, message)
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { name, api, shown, .. } = &*self.0;
        f.debug_struct("Model").field("name", name).field("api", api).field("at", shown).finish()
    }
}

impl fmt::Debug for ModelBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelBuilder").field("name", &self.name).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(variables: &[(&str, &str)]) -> Result<Model, ModelError> {
        Model::from_variables(|name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn mistakes_say_what_to_set() {
        let model = ("OPENAI_MODEL", "m");
        for (variables, says) in [
            (vec![], "OPENAI_MODEL"),
            (vec![model], "OPENAI_API_KEY"),
            (vec![model, ("OPENAI_API_KEY", "a\nb")], "OPENAI_API_KEY"),
            (vec![model, ("OPENAI_BASE_URL", "localhost:8000")], "OPENAI_BASE_URL"),
            (
                vec![model, ("OPENAI_BASE_URL", "http://a"), ("WIDGETCAST_MODEL_API", "x")],
                "chat or",
            ),
        ] {
            let error = from(&variables).unwrap_err();
            assert_eq!(error.kind, ModelErrorKind::Settings);
            assert!(error.message.contains(says), "{error}");
        }
        let local = [model, ("OPENAI_BASE_URL", "http://127.0.0.1:1/v1"), ("OPENAI_API_KEY", " ")];
        assert_eq!(from(&local).unwrap().api(), Api::ChatCompletions);
    }

    #[test]
    fn the_key_is_not_shown() {
        let url = "http://u:KEY@127.0.0.1/v1?k=KEY";
        let model = Model::named("m").base_url(url).key("KEY").build().unwrap();
        assert!(!format!("{model:?}").contains("KEY"), "{model:?}");
        assert!(!format!("{:?}", model.failed("Incorrect key KEY")).contains("KEY"));
        let builder = Model::named("m").key("KEY");
        assert!(!format!("{builder:?}").contains("KEY"));
    }
}
