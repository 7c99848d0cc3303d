//! Custom resources: content that clients read by URI.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::access::{Access, access_setters};
#[cfg(doc)]
use super::complete::Typed;
use super::complete::{Completers, IntoValues};
use super::extract::Need;
use super::handler::{Erased, Handler, erase};
use super::tool_error::ToolError;

/// The contents of a resource.
///
/// ```
/// use widgetcast::{Contents, Resource};
///
/// async fn logo() -> Contents {
///     Contents::Bytes(b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>".to_vec())
/// }
/// let logo = Resource::new("shop://logo", "Logo", logo).mime("image/svg+xml");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    /// Text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

impl From<String> for Contents {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Contents {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<Vec<u8>> for Contents {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes)
    }
}

/// The untyped variables of a URI template, by name.
///
/// ```
/// use widgetcast::{Resource, Vars};
///
/// async fn file(vars: Vars) -> Option<String> {
///     (vars["name"] == "readme").then(|| "Read me.".to_owned()) // `None`: the resource does not exist
/// }
/// let files = Resource::new("docs://{name}", "Documents", file);
/// ```
pub type Vars = BTreeMap<String, String>;

/// What the handler of a [`Resource`] may return: text, bytes, [`Contents`], an `Option` of these (`None` if
/// the resource does not exist), or a `Result`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not valid resource contents",
    note = "a resource returns text, `Vec<u8>`, `Contents`, an `Option` of these, or a `Result` of these with \
            `ToolError`"
)]
pub trait IntoContents {
    /// The contents.
    fn into_contents(self) -> Result<Contents, ToolError>;
}

/// Separate implementations: with a blanket one for everything that converts to contents, compile errors
/// would name that conversion instead of this trait.
macro_rules! into_contents {
    ($($kind:ty),*) => {$(
        impl IntoContents for $kind {
            fn into_contents(self) -> Result<Contents, ToolError> {
                Ok(self.into())
            }
        }
    )*};
}
into_contents!(Contents, String, &'static str, Vec<u8>);

/// Without contents, the resource does not exist.
impl<T: IntoContents> IntoContents for Option<T> {
    fn into_contents(self) -> Result<Contents, ToolError> {
        self.ok_or_else(|| ToolError::not_found("no such resource"))?.into_contents()
    }
}

impl<T: IntoContents, E: Into<ToolError>> IntoContents for Result<T, E> {
    fn into_contents(self) -> Result<Contents, ToolError> {
        self.map_err(Into::into)?.into_contents()
    }
}

/// What the handler of [`Resource::list`] may return: pairs of a URI and a name, or a `Result` of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a valid list of resources",
    note = "return `Vec<(String, String)>` of URIs and names, or a `Result` of one with `ToolError`"
)]
pub trait IntoListed {
    /// The URIs and names.
    fn into_listed(self) -> Result<Vec<(String, String)>, ToolError>;
}

impl<U: Into<String>, N: Into<String>> IntoListed for Vec<(U, N)> {
    fn into_listed(self) -> Result<Vec<(String, String)>, ToolError> {
        Ok(self.into_iter().map(|(uri, name)| (uri.into(), name.into())).collect())
    }
}

impl<T: IntoListed, E: Into<ToolError>> IntoListed for Result<T, E> {
    fn into_listed(self) -> Result<Vec<(String, String)>, ToolError> {
        self.map_err(Into::into)?.into_listed()
    }
}

/// A resource, or a resource template if its URI has variables (`report://{year}/{month}`): a [`Handler`]
/// whose input has the variables as fields.
///
/// ```
/// use widgetcast::Resource;
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Month { year: u16, month: u8 }
///
/// async fn report(month: Month) -> String {
///     format!("# Report of {}-{:02}", month.year, month.month)
/// }
///
/// let terms = Resource::fixed("shop://terms", "Terms", "Be kind.").mime("text/plain");
/// let report = Resource::new("shop://report/{year}/{month}", "Report", report);
/// ```
#[derive(Clone)]
pub struct Resource {
    pub(crate) uri: String,
    pub(crate) name: String,
    title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) mime: Option<String>,
    /// The schema of the variables.
    pub(crate) input: Value,
    pub(crate) handler: Erased<Contents>,
    pub(crate) needs: Vec<Need>,
    pub(crate) access: Access,
    pub(crate) completers: Completers,
    /// Lists the existing resources of a template.
    pub(crate) lister: Option<Erased<Vec<(String, String)>>>,
}

impl Resource {
    /// Creates a resource that is computed when it is read.
    pub fn new<M, H>(uri: impl Into<String>, name: impl Into<String>, handler: H) -> Self
    where
        H: Handler<M>,
        H::Output: IntoContents,
    {
        let mut input = H::input();
        if let Some(members) = input.as_object_mut() {
            // A handler may ignore some variables of its URI.
            members.shift_remove("additionalProperties");
        }
        Self {
            uri: uri.into(),
            name: name.into(),
            title: None,
            description: None,
            mime: None,
            input,
            handler: erase(handler, IntoContents::into_contents),
            needs: H::needs(),
            access: Access::default(),
            completers: Completers::default(),
            lister: None,
        }
    }

    /// Creates a static resource.
    pub fn fixed(
        uri: impl Into<String>,
        name: impl Into<String>,
        contents: impl Into<Contents>,
    ) -> Self {
        let contents = contents.into();
        Self::new(uri, name, move || std::future::ready(contents.clone()))
    }

    /// Sets the display name.
    pub fn title(mut self, text: impl Into<String>) -> Self {
        self.title = Some(text.into());
        self
    }

    /// Completes a variable while the user types: a [`Handler`] of [`Typed`].
    pub fn complete<M, H>(mut self, variable: impl Into<String>, handler: H) -> Self
    where
        H: Handler<M>,
        H::Output: IntoValues,
    {
        self.needs.extend(self.completers.insert(variable.into(), handler));
        self
    }

    /// Lists the existing resources of a template in `resources/list`: a [`Handler`] without an input,
    /// which returns URIs and names.
    ///
    /// ```
    /// use widgetcast::Resource;
    /// # #[derive(serde::Deserialize, schemars::JsonSchema)] struct Month { month: u8 }
    /// # async fn report(_: Month) -> String { String::new() }
    /// let report = Resource::new("shop://report/{month}", "Report", report)
    ///     .list(async || vec![("shop://report/1", "January"), ("shop://report/2", "February")]);
    /// ```
    pub fn list<M, H>(mut self, handler: H) -> Self
    where
        H: Handler<M>,
        H::Output: IntoListed,
    {
        self.needs.extend(H::needs());
        self.lister = Some(erase(handler, IntoListed::into_listed));
        self
    }

    /// The list entry of one resource of a template.
    pub(crate) fn entry(&self, uri: &str, name: &str) -> Result<Value, ToolError> {
        if self.matches(uri).is_none() {
            return Err(ToolError::private(format!("{uri} does not match {}", self.uri)));
        }
        let mut out = json!({ "uri": uri, "name": name });
        if let Some(mime) = &self.mime {
            out["mimeType"] = json!(mime);
        }
        Ok(out)
    }

    /// Sets the description for the model: what the contents are.
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.description = Some(text.into());
        self
    }

    /// Sets the MIME type.
    pub fn mime(mut self, mime: impl Into<String>) -> Self {
        self.mime = Some(mime.into());
        self
    }

    pub(crate) fn is_template(&self) -> bool {
        self.uri.contains('{')
    }

    /// The variables of a URI that matches this resource.
    pub(crate) fn matches(&self, uri: &str) -> Option<Vars> {
        vars(&self.uri, uri)
    }

    pub(crate) fn to_json(&self) -> Value {
        let key = if self.is_template() { "uriTemplate" } else { "uri" };
        let mut out = json!({ key: self.uri, "name": self.name });
        for (key, text) in [("title", &self.title), ("description", &self.description)] {
            if let Some(text) = text {
                out[key] = json!(text);
            }
        }
        if let Some(mime) = &self.mime {
            out["mimeType"] = json!(mime);
        }
        out
    }

    /// The item of the result for the contents at this URI.
    pub(crate) fn item(&self, uri: &str, contents: Contents) -> Value {
        let mut out = json!({ "uri": uri });
        if let Some(mime) = &self.mime {
            out["mimeType"] = json!(mime);
        }
        match contents {
            Contents::Text(text) => out["text"] = json!(text),
            Contents::Bytes(bytes) => out["blob"] = json!(STANDARD.encode(bytes)),
        }
        out
    }
}

access_setters!(Resource, "read");

impl std::fmt::Debug for Resource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Resource").field("uri", &self.uri).finish_non_exhaustive()
    }
}

/// Matches a URI with a template, in which each variable matches one path segment.
pub(crate) fn vars(template: &str, uri: &str) -> Option<Vars> {
    let mut vars = Vars::new();
    let (mut template, mut uri) = (template, uri);
    while let Some((before, rest)) = template.split_once('{') {
        let (name, after) = rest.split_once('}')?;
        uri = uri.strip_prefix(before)?;
        let end = uri.find(['/', '?', '#']).unwrap_or(uri.len());
        // The literal text after the variable ends it, if it comes first.
        let fixed = after.split('{').next().unwrap_or_default();
        let end = match fixed.is_empty() {
            true => end,
            false => uri.find(fixed).filter(|at| *at <= end)?,
        };
        let value = uri.get(..end).filter(|value| !value.is_empty())?;
        vars.insert(name.to_owned(), value.to_owned());
        (template, uri) = (after, uri.get(end..)?);
    }
    (template == uri).then_some(vars)
}

#[cfg(test)]
mod tests {
    use super::vars;

    #[test]
    fn addresses_match_templates() {
        let all = |template, uri| vars(template, uri).map(|vars| vars.into_values().collect());
        assert_eq!(all("a://x", "a://x"), Some(vec![]));
        assert_eq!(all("a://{id}/data", "a://7/data"), Some(vec!["7".to_owned()]));
        let two = Some(vec!["b".to_owned(), "c".to_owned()]);
        assert_eq!(all("a://{x}/{y}", "a://b/c"), two);
        assert_eq!(all("a://{x}-{y}", "a://b-c"), two);
        for uri in ["a://b", "a://b/", "a://b/c/d", "a:///c", "b://b/c", ""] {
            assert_eq!(all("a://{x}/{y}", uri), None, "{uri}");
        }
    }
}
