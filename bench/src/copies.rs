//! Real widgets, to be copied by the thousand with changed names: the Studio exports with which the
//! goals were measured, where the shared corpus lies next to the checkout, else the gallery.

use std::path::{Path, PathBuf};

use serde_json::Value;
use widgetcast_core::Catalog;

use crate::error::Result;

/// What the name of a definition begins with, in files of both kinds.
const NAME: &str = "\"name\": \"";

/// A widget to copy.
pub(crate) struct Model {
    pub stem: String,
    text: String,
    /// The data it is called with.
    pub data: Value,
}

impl Model {
    /// Its definition under the name of the copy with this number.
    pub(crate) fn copy(&self, index: usize) -> String {
        self.text.replacen(NAME, &format!("{NAME}w{index:05} "), 1)
    }
}

pub(crate) fn models() -> Result<Vec<Model>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let corpus = root.join("../shared/corpus");
    let (folder, keep) = if corpus.is_dir() {
        (corpus.join("widgets"), "mcp-chatkit-widget")
    } else {
        println!("NOTICE: the gallery is copied, {} is not there", corpus.display());
        (root.join("crates/cli/widgets"), "")
    };
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|e| e.map(|e| e.path())).collect::<Result<_, _>>()?;
    files.retain(|file| file.to_string_lossy().contains(keep));
    files.sort();
    let mut models = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file)?;
        if !text.contains(NAME) {
            continue;
        }
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let data = match std::fs::read_to_string(corpus.join(format!("input/{stem}.json"))) {
            Ok(data) => serde_json::from_str(&data)?,
            Err(_) => {
                let catalog = Catalog::from_file(&file);
                let widget = catalog.widgets().next().ok_or_else(|| format!("{stem} is broken"))?;
                widget.sample()
            }
        };
        models.push(Model { stem, text, data });
    }
    Ok(models)
}
