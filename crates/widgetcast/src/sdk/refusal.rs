//! Why a request is refused: over HTTP 401, 403 or an error, elsewhere an error.

/// A refusal of a request.
///
/// ```
/// use widgetcast::Refusal;
/// assert_eq!(Refusal::forbidden(["tickets:write"]).to_string(), "this needs the scope tickets:write");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub(crate) kind: RefusalKind,
    message: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RefusalKind {
    /// 401: nothing proves who calls.
    Unauthorized,
    /// 403: the caller is known, and may not. With the scopes that it would need.
    Forbidden(Vec<String>),
    /// A tool's result says so to the model; other methods have an error.
    Error,
}

impl Refusal {
    /// Nothing proves who calls, or what should does not: HTTP 401.
    pub fn unauthorized() -> Self {
        Self { kind: RefusalKind::Unauthorized, message: "this needs authentication".into() }
    }

    /// The caller may not do this without these scopes: HTTP 403.
    pub fn forbidden<'s>(scopes: impl IntoIterator<Item = &'s str>) -> Self {
        let scopes: Vec<String> = scopes.into_iter().map(str::to_owned).collect();
        let message = match scopes.as_slice() {
            [] => "this caller may not do this".to_owned(),
            [one] => format!("this needs the scope {one}"),
            many => format!("this needs the scopes {}", many.join(", ")),
        };
        Self { kind: RefusalKind::Forbidden(scopes), message }
    }

    /// The request fails, with these words: a tool's result tells them to the model.
    pub fn error(message: impl Into<String>) -> Self {
        Self { kind: RefusalKind::Error, message: message.into() }
    }

    /// Other words.
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}
