//! Size and type limits of attachments.

use serde_json::Value;
use widgetcast::Budgeted;

use crate::error::RequestError;
use crate::protocol::request::CreateAttachment;

/// The limits of attachments.
#[derive(Clone, Debug)]
pub struct AttachmentLimits {
    /// Maximum bytes of one file.
    pub max_bytes: usize,
    /// Maximum bytes of all files of one user.
    pub max_bytes_per_user: usize,
    /// Accepted types, such as `application/pdf` or `image/*`.
    pub types: Vec<String>,
}

impl Default for AttachmentLimits {
    fn default() -> Self {
        let types = [
            "image/png",
            "image/jpeg",
            "image/gif",
            "image/webp",
            "text/plain",
            "text/csv",
            "text/markdown",
            "application/json",
            "application/pdf",
        ];
        Self {
            max_bytes: 16 << 20,
            max_bytes_per_user: 500 << 20,
            types: types.map(str::to_owned).to_vec(),
        }
    }
}

/// Maximum bytes of a file name.
const MAX_NAME: usize = 255;
/// Maximum bytes of a MIME type.
const MAX_TYPE: usize = 255;
/// Maximum files per message.
pub(crate) const MAX_FILES: usize = 20;
/// Maximum items per feedback request, and maximum length of a search text.
pub(crate) const MAX_JUDGED: usize = 100;
pub(crate) const MAX_SEARCH: usize = 200;
/// Maximum values in the payload of an action: as arguments of a tool, they take much more memory than their
/// bytes.
const MAX_VALUES: usize = 10_000;

/// Whether the payload of an action may be used as arguments of a tool.
pub(crate) fn admit_payload(payload: &Value, _: Budgeted) -> Result<(), RequestError> {
    if values(payload) <= MAX_VALUES {
        return Ok(());
    }
    Err(RequestError::Invalid(format!(
        "the payload of an action may have at most {MAX_VALUES} values"
    )))
}

fn values(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(values).sum(),
        Value::Object(members) => members.values().map(values).sum(),
        _ => 0,
    }
}

impl AttachmentLimits {
    fn takes(&self, mime_type: &str) -> bool {
        let is = |known: &String| match known.strip_suffix("/*") {
            Some(group) => mime_type.split('/').next() == Some(group),
            None => known.eq_ignore_ascii_case(mime_type),
        };
        self.types.iter().any(is)
    }

    /// Whether a file is accepted; returns its size.
    pub(crate) fn admit(&self, file: &CreateAttachment) -> Result<usize, RequestError> {
        if file.name.is_empty() || file.name.len() > MAX_NAME {
            return Err(RequestError::Invalid(format!(
                "a file name must be at most {MAX_NAME} bytes"
            )));
        }
        let essence = file.mime_type.split(';').next().unwrap_or_default().trim();
        if !self.takes(essence) || file.mime_type.len() > MAX_TYPE {
            let known = self.types.join(", ");
            let shown: String = essence.chars().take(MAX_TYPE).collect();
            let words = format!("files of type {shown:?} are not accepted, only {known}");
            return Err(RequestError::UnsupportedType(words));
        }
        let size = usize::try_from(file.size);
        let size = size.map_err(|_| RequestError::Invalid("a size must not be negative".into()))?;
        if size > self.max_bytes {
            let words =
                format!("{size} bytes exceed the file size limit of {} bytes", self.max_bytes);
            return Err(RequestError::TooLarge(words));
        }
        Ok(size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_admitted_by_size_and_type() {
        let limits = AttachmentLimits {
            max_bytes: 100,
            max_bytes_per_user: 150,
            types: vec!["image/*".into(), "text/plain".into()],
        };
        let file = |name: &str, size, mime_type: &str| CreateAttachment {
            name: name.into(),
            size,
            mime_type: mime_type.into(),
        };
        let admit =
            |file: CreateAttachment| limits.admit(&file).map_err(|fault| fault.status().as_u16());
        assert_eq!(admit(file("a", 100, "image/png")), Ok(100));
        assert_eq!(admit(file("a", 5, "text/plain; charset=utf-8")), Ok(5));
        assert_eq!(admit(file("a", 101, "image/png")), Err(413));
        assert_eq!(admit(file("a", 1, "text/html")), Err(415));
        assert_eq!(admit(file("a", -1, "image/png")), Err(400));
        assert_eq!(admit(file("", 1, "image/png")), Err(400));
        let long = format!("text/plain;{}", "x".repeat(300));
        assert_eq!(admit(file("a", 1, &long)), Err(415));
    }
}
