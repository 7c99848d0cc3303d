//! The gallery that the binary embeds, and the choice between it and a directory.

use std::path::Path;

use widgetcast_core::{Catalog, Result};

const WIDGETS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/gallery.rs"));

/// The widgets of a directory or file; without either, the gallery.
pub(crate) fn catalog(path: Option<&Path>) -> Result<Catalog> {
    match path {
        None => Ok(Catalog::from_static(WIDGETS)),
        Some(file) if file.is_file() => Ok(Catalog::from_file(file)),
        Some(dir) => Catalog::from_dir(dir),
    }
}
