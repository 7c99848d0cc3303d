//! A definition in JSON, unparsed.

use serde::Deserialize;
use serde_json::value::RawValue;

/// The fields of a JSON definition, as raw values.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Fields<'a> {
    #[serde(borrow)]
    pub version: Option<&'a RawValue>,
    #[serde(borrow)]
    pub name: Option<&'a RawValue>,
    #[serde(borrow)]
    pub description: Option<&'a RawValue>,
    #[serde(borrow)]
    pub template: Option<&'a RawValue>,
    #[serde(borrow)]
    pub widget: Option<&'a RawValue>,
    #[serde(borrow, rename = "jsonSchema")]
    pub schema: Option<&'a RawValue>,
    #[serde(borrow, rename = "outputJsonPreview")]
    pub preview: Option<&'a RawValue>,
    #[serde(borrow, rename = "encodedWidget")]
    pub encoded: Option<&'a RawValue>,
    #[serde(borrow)]
    pub copy_text: Option<&'a RawValue>,
    #[serde(borrow)]
    pub sample: Option<&'a RawValue>,
    #[serde(borrow)]
    pub accept: Option<&'a RawValue>,
    #[serde(borrow)]
    pub tool: Option<&'a RawValue>,
    #[serde(borrow)]
    pub visibility: Option<&'a RawValue>,
    #[serde(borrow)]
    pub hints: Option<&'a RawValue>,
    #[serde(borrow)]
    pub outline: Option<&'a RawValue>,
}

/// Whether a text is meant to be JSON. One that starts with a JavaScript comment is not YAML.
pub(super) fn is_json(text: &str) -> bool {
    ["{", "//", "/*"].iter().any(|start| text.trim_start().starts_with(start))
}
