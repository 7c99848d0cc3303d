//! Errors of requests and replies.

use http::StatusCode;

use crate::protocol::Event;
use crate::store::StorageError;

/// The error of a request that was rejected before a stream began.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RequestError {
    /// The user has no such thread, item or attachment.
    NotFound(String),
    /// The request is malformed, or conflicts with the thread.
    Invalid(String),
    /// The message or file is too large.
    TooLarge(String),
    /// Files of this type are not accepted.
    UnsupportedType(String),
    /// The responder does not implement this.
    NotImplemented(String),
    /// The storage or the responder is unavailable.
    Unavailable(String),
}

impl RequestError {
    pub(crate) fn not_found(id: &str) -> Self {
        Self::NotFound(format!("{id} not found"))
    }

    /// The HTTP status of the response.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::Invalid(_) => StatusCode::BAD_REQUEST,
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnsupportedType(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::NotImplemented(_) => StatusCode::NOT_IMPLEMENTED,
            Self::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// Maps an error of the storage for this item.
    pub(crate) fn of(id: &str) -> impl FnOnce(StorageError) -> Self {
        move |failure| match failure {
            StorageError::NotFound => Self::not_found(id),
            StorageError::TooDeep => Self::Invalid("this is nested too deeply to be stored".into()),
            StorageError::Unavailable(_) => {
                tracing::warn!("{failure}");
                Self::Unavailable("the storage is unavailable".into())
            }
        }
    }
}

impl std::fmt::Display for RequestError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotFound(words)
            | Self::Invalid(words)
            | Self::TooLarge(words)
            | Self::UnsupportedType(words)
            | Self::NotImplemented(words)
            | Self::Unavailable(words) => f.write_str(words),
        }
    }
}

impl std::error::Error for RequestError {}

/// The error that ends a reply. The client gets it as an `error` event.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TurnError {
    /// An error with a message for the user.
    Custom {
        /// The message for the user.
        message: String,
        /// Whether a retry may succeed.
        allow_retry: bool,
    },
    /// An error without a message.
    Stream {
        /// Whether a retry may succeed.
        allow_retry: bool,
    },
    /// The client has disconnected.
    Gone,
}

impl TurnError {
    /// Creates an error with a message for the user, who may retry.
    pub fn new(message: impl Into<String>) -> Self {
        Self::Custom { message: message.into(), allow_retry: true }
    }

    pub(crate) fn event(&self) -> Option<Event> {
        let event = |code: &str, message, allow_retry| {
            Some(Event::Error { code: code.into(), message, allow_retry })
        };
        match self {
            Self::Custom { message, allow_retry } => {
                event("custom", Some(message.clone()), *allow_retry)
            }
            Self::Stream { allow_retry } => event("stream.error", None, *allow_retry),
            Self::Gone => None,
        }
    }
}

impl From<StorageError> for TurnError {
    fn from(failure: StorageError) -> Self {
        tracing::warn!("cannot store the response: {failure}");
        match failure {
            // The thread was deleted during the reply.
            StorageError::NotFound => Self::Stream { allow_retry: false },
            StorageError::TooDeep => {
                let message = "The content is nested too deeply to be stored.".into();
                Self::Custom { message, allow_retry: false }
            }
            StorageError::Unavailable(_) => Self::Stream { allow_retry: true },
        }
    }
}

impl std::fmt::Display for TurnError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Custom { message, .. } => f.write_str(message),
            Self::Stream { .. } => f.write_str("the response failed"),
            Self::Gone => f.write_str("the client disconnected"),
        }
    }
}

impl std::error::Error for TurnError {}
