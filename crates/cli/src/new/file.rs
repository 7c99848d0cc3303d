//! Files that `new` writes, and the schema that it puts next to widgets.
//!
//! The schema is a file, not a URL, so that editors complete offline and for the installed version.

use std::io::{ErrorKind, Write as _};
use std::path::Path;

use widgetcast_core::file_schema;

use crate::outcome::Failure;

/// The schema file to which the first line of every starter refers.
pub(super) const SCHEMA_FILE: &str = "widget.schema.json";

pub(super) fn schema_text() -> Result<String, Failure> {
    Ok(serde_json::to_string(&file_schema())? + "\n")
}

/// Writes a new file; returns whether it did. Existing files are never overwritten.
pub(super) fn create(file: &Path, text: &str) -> Result<bool, Failure> {
    let opened = std::fs::OpenOptions::new().write(true).create_new(true).open(file);
    match opened.and_then(|mut created| created.write_all(text.as_bytes())) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(format!("{}: {error}", file.display()).into()),
    }
}
