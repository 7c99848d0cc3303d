//! The bundled gallery, and the choice between it and a directory.

use std::path::Path;

use widgetcast_core::{Catalog, Result};

const WIDGETS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/gallery.rs"));

/// Whether a directory itself contains widgets.
pub(crate) fn holds_widgets(dir: &Path) -> bool {
    let is_widget = |path: &Path| path.extension().is_some_and(|extension| extension == "widget");
    std::fs::read_dir(dir)
        .is_ok_and(|entries| entries.flatten().any(|entry| is_widget(&entry.path())))
}

/// The widgets of a directory or file, or else of the gallery.
pub(crate) fn catalog(path: Option<&Path>) -> Result<Catalog> {
    match path {
        None => Ok(Catalog::from_static(WIDGETS)),
        Some(file) if file.is_file() => Ok(Catalog::from_file(file)),
        Some(dir) => Catalog::from_dir(dir),
    }
}
