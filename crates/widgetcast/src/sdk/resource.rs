//! A resource of one's own: something that clients can read by its address.

use std::collections::BTreeMap;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};

use super::tool_error::ToolError;

/// What a resource holds.
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

/// The variables of an address, by the names they have in the template.
pub type Vars = BTreeMap<String, String>;

type Read = Arc<dyn Fn(Vars) -> BoxFuture<'static, Result<Contents, ToolError>> + Send + Sync>;

/// A resource, or with variables in its address (`report://{year}/{month}`) a template of many.
///
/// ```
/// use widgetcast::{Resource, ToolError, Vars};
/// let terms = Resource::fixed("shop://terms", "Terms", "Be kind.").mime("text/plain");
/// let report = Resource::new("shop://report/{year}", "Report", |vars: Vars| async move {
///     Ok::<_, ToolError>(format!("# Report of {}", vars["year"]))
/// });
/// ```
#[derive(Clone)]
pub struct Resource {
    pub(crate) uri: String,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) mime: Option<String>,
    read: Read,
}

impl Resource {
    /// A resource that is computed when it is read.
    pub fn new<F, R, C, E>(uri: impl Into<String>, name: impl Into<String>, read: F) -> Self
    where
        F: Fn(Vars) -> R + Send + Sync + 'static,
        R: Future<Output = Result<C, E>> + Send + 'static,
        C: Into<Contents>,
        E: Into<ToolError>,
    {
        let read = move |vars| -> BoxFuture<'static, Result<Contents, ToolError>> {
            let run = read(vars);
            Box::pin(async move { run.await.map(Into::into).map_err(Into::into) })
        };
        Self {
            uri: uri.into(),
            name: name.into(),
            description: None,
            mime: None,
            read: Arc::new(read),
        }
    }

    /// A resource that is always the same.
    pub fn fixed(
        uri: impl Into<String>,
        name: impl Into<String>,
        contents: impl Into<Contents>,
    ) -> Self {
        let contents = contents.into();
        Self::new(uri, name, move |_| {
            let contents = contents.clone();
            async move { Ok::<_, ToolError>(contents) }
        })
    }

    /// What it holds, in words for the model.
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.description = Some(text.into());
        self
    }

    /// Its type.
    pub fn mime(mut self, mime: impl Into<String>) -> Self {
        self.mime = Some(mime.into());
        self
    }

    pub(crate) fn is_template(&self) -> bool {
        self.uri.contains('{')
    }

    /// The variables of an address that this resource answers for.
    pub(crate) fn matches(&self, uri: &str) -> Option<Vars> {
        vars(&self.uri, uri)
    }

    pub(crate) fn to_json(&self) -> Value {
        let key = if self.is_template() { "uriTemplate" } else { "uri" };
        let mut out = json!({ key: self.uri, "name": self.name });
        if let Some(text) = &self.description {
            out["description"] = json!(text);
        }
        if let Some(mime) = &self.mime {
            out["mimeType"] = json!(mime);
        }
        out
    }

    pub(crate) async fn read(&self, uri: &str, vars: Vars) -> Result<Value, ToolError> {
        let mut out = json!({ "uri": uri });
        if let Some(mime) = &self.mime {
            out["mimeType"] = json!(mime);
        }
        match (self.read)(vars).await? {
            Contents::Text(text) => out["text"] = json!(text),
            Contents::Bytes(bytes) => out["blob"] = json!(STANDARD.encode(bytes)),
        }
        Ok(out)
    }
}

impl std::fmt::Debug for Resource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Resource").field("uri", &self.uri).finish_non_exhaustive()
    }
}

/// Matches an address with a template whose variables stand for one step each.
pub(crate) fn vars(template: &str, uri: &str) -> Option<Vars> {
    let mut vars = Vars::new();
    let (mut template, mut uri) = (template, uri);
    while let Some((before, rest)) = template.split_once('{') {
        let (name, after) = rest.split_once('}')?;
        uri = uri.strip_prefix(before)?;
        let end = uri.find(['/', '?', '#']).unwrap_or(uri.len());
        // The text up to the next variable ends this one, if it comes first.
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
