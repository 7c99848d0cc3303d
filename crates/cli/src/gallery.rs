//! The bundled gallery, and where a command's widgets come from.

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
