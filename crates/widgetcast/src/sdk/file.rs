//! A file that the user attached, as an argument of a tool.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A file that the host uploaded for a call: the type of an argument declared with
/// [`Tool::file_param`](crate::Tool::file_param).
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
    /// The download URL, valid for a few minutes.
    pub download_url: String,
    /// The host's id of the file.
    pub file_id: String,
    /// The MIME type, such as `image/png`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The file name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_name: Option<String>,
}
