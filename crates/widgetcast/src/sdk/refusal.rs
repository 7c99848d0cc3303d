//! Rejections of requests: over HTTP 400, 401, 403, 503 or a JSON-RPC error, elsewhere an error.

use std::fmt::Write as _;

/// The rejection of a request.
///
/// ```
/// use widgetcast::auth::Refusal;
/// assert_eq!(Refusal::forbidden(["tickets:write"]).to_string(), "missing scope tickets:write");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub(crate) kind: RefusalKind,
    /// The scopes that the caller lacks.
    pub(crate) scopes: Vec<String>,
    message: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RefusalKind {
    /// 401: the request is unauthenticated.
    Unauthorized,
    /// 401: the credentials are invalid.
    InvalidToken,
    /// 400: the credentials are ambiguous.
    InvalidRequest,
    /// 403: the caller is not authorized.
    Forbidden,
    /// 503: the credentials cannot be checked right now.
    Unavailable,
    /// An error, which a tool result shows to the model.
    Error,
}

impl Refusal {
    fn new(kind: RefusalKind, message: impl Into<String>) -> Self {
        Self { kind, scopes: Vec::new(), message: message.into() }
    }

    /// The request is unauthenticated: HTTP 401.
    pub fn unauthorized() -> Self {
        Self::new(RefusalKind::Unauthorized, "authentication required")
    }

    /// The credentials are invalid: HTTP 401 with this message.
    pub fn invalid_token(message: impl Into<String>) -> Self {
        Self::new(RefusalKind::InvalidToken, message)
    }

    /// The credentials are malformed or ambiguous: HTTP 400.
    pub fn invalid_request(message: impl Into<String>) -> Self {
        Self::new(RefusalKind::InvalidRequest, message)
    }

    /// The authentication service is unavailable: HTTP 503.
    pub fn unavailable(message: impl Into<String>) -> Self {
        Self::new(RefusalKind::Unavailable, message)
    }

    /// The caller lacks these scopes: HTTP 403.
    pub fn forbidden<'s>(scopes: impl IntoIterator<Item = &'s str>) -> Self {
        let scopes: Vec<String> = scopes.into_iter().map(str::to_owned).collect();
        let message = match scopes.as_slice() {
            [] => "this caller is not authorized".to_owned(),
            [one] => format!("missing scope {one}"),
            many => format!("missing scopes {}", many.join(", ")),
        };
        Self { scopes, ..Self::new(RefusalKind::Forbidden, message) }
    }

    /// Fails the request with this message. For a tool call, the model reads it.
    pub fn error(message: impl Into<String>) -> Self {
        Self::new(RefusalKind::Error, message)
    }

    /// Whether the authentication service is unavailable.
    pub fn is_unavailable(&self) -> bool {
        self.kind == RefusalKind::Unavailable
    }

    /// Replaces the message.
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    /// Adds the scopes that a token should have.
    pub(crate) fn with_scopes(mut self, scopes: &[String]) -> Self {
        self.scopes = scopes.to_vec();
        self
    }

    /// The value of `WWW-Authenticate` (RFC 6750), with the URL of the metadata (RFC 9728).
    pub(crate) fn challenge(&self, metadata: Option<&str>) -> Option<String> {
        let error = match self.kind {
            RefusalKind::Unauthorized => None,
            RefusalKind::InvalidToken => Some("invalid_token"),
            RefusalKind::InvalidRequest => Some("invalid_request"),
            RefusalKind::Forbidden => Some("insufficient_scope"),
            RefusalKind::Unavailable | RefusalKind::Error => return None,
        };
        Some(self.challenge_with(error, metadata))
    }

    /// The same for a tool result: ChatGPT only starts authentication if there is an error.
    pub(crate) fn challenge_in_result(&self, metadata: &str) -> Option<String> {
        match self.kind {
            RefusalKind::Unauthorized => {
                Some(self.challenge_with(Some("insufficient_scope"), Some(metadata)))
            }
            _ => self.challenge(Some(metadata)),
        }
    }

    fn challenge_with(&self, error: Option<&str>, metadata: Option<&str>) -> String {
        let scope = (!self.scopes.is_empty()).then(|| self.scopes.join(" "));
        let about = error.map(|_| self.message.as_str());
        let mut out = String::from("Bearer");
        for (name, value) in [
            ("error", error),
            ("error_description", about),
            ("scope", scope.as_deref()),
            ("resource_metadata", metadata),
        ] {
            let Some(value) = value else { continue };
            // Characters that are not allowed in quoted strings.
            let plain = |c: char| c == ' ' || c.is_ascii_graphic() && c != '"' && c != '\\';
            let value: String = value.chars().filter(|c| plain(*c)).collect();
            let comma = if out.len() > "Bearer".len() { "," } else { "" };
            _ = write!(out, r#"{comma} {name}="{value}""#);
        }
        out
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn challenges() {
        let url = "https://a.example/.well-known/oauth-protected-resource/mcp";
        for (refusal, wanted) in [
            (Refusal::unauthorized(), Some("Bearer".to_owned())),
            (
                Refusal::invalid_token("the \"token\" has\nexpired\\"),
                Some(
                    r#"Bearer error="invalid_token", error_description="the token hasexpired""#
                        .into(),
                ),
            ),
            (
                Refusal::unauthorized().with_scopes(&["a".into(), "b".into()]),
                Some(r#"Bearer scope="a b""#.into()),
            ),
            (Refusal::error("x"), None),
            (Refusal::unavailable("x"), None),
        ] {
            assert_eq!(refusal.challenge(None), wanted);
        }
        assert_eq!(
            Refusal::unauthorized().challenge(Some(url)),
            Some(format!(r#"Bearer resource_metadata="{url}""#))
        );
        assert_eq!(
            Refusal::unauthorized().challenge_in_result("u"),
            Some(r#"Bearer error="insufficient_scope", error_description="authentication required", resource_metadata="u""#.into())
        );
    }
}
