//! A file that a person has attached, as an argument of a tool.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A file that the host has uploaded for a call: the type of an argument that
/// [`Tool::file_param`](crate::Tool::file_param) names.
///
/// ```
/// use widgetcast::{App, File, Tool};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Scan {
///     /// The receipt
///     photo: File,
/// }
///
/// async fn scan(scan: Scan) -> String { format!("reading {}", scan.photo.download_url) }
///
/// let app = App::new("books", "1.0.0").tool(Tool::new("scan", scan).file_param("photo")).build()?;
/// # Ok::<(), widgetcast::BuildError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct File {
    /// Where it can be read, for some minutes.
    pub download_url: String,
    /// What the host calls it.
    pub file_id: String,
    /// Its type, such as `image/png`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The file name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_name: Option<String>,
}
