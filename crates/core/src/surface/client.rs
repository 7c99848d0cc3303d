//! The MCP client of a request: its name and capabilities, by which surfaces are chosen.

use serde_json::Value;

/// An MCP client, as it describes itself in a request.
#[derive(Clone, Copy, Debug, Default)]
pub struct Client<'c> {
    /// Its name.
    pub name: Option<&'c str>,
    /// Its capabilities object.
    pub capabilities: Option<&'c Value>,
}

impl Client<'_> {
    /// Whether its name holds one of these words, which are in lower case.
    pub(super) fn is_named(&self, words: &[&str]) -> bool {
        self.name.is_some_and(|name| {
            let is = |word: &&str| {
                let word = word.as_bytes();
                // Comparing the first byte rules out nearly every position.
                let mut parts = name.as_bytes().windows(word.len());
                parts.any(|part| part[0] | 0x20 == word[0] && part.eq_ignore_ascii_case(word))
            };
            words.iter().any(is)
        })
    }

    /// Its settings of an extension, if it declares it.
    pub(super) fn extension(&self, id: &str) -> Option<&Value> {
        self.capabilities?.get("extensions")?.get(id).filter(|about| !about.is_null())
    }

    /// Whether any of its extensions takes this type.
    pub(super) fn takes(&self, mime: &str) -> bool {
        let extensions = self.capabilities.and_then(|all| all.get("extensions")?.as_object());
        extensions.is_some_and(|all| all.values().any(|about| lists(about, mime)))
    }
}

/// Whether an extension lists a type.
pub(super) fn lists(extension: &Value, mime: &str) -> bool {
    let types = extension.get("mimeTypes").and_then(Value::as_array);
    types.is_some_and(|types| types.iter().any(|listed| listed == mime))
}
