//! The widgets that the servers serve and the calls that are measured: the gallery, and thousands of
//! copies.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use widgetcast_core::Catalog;

use super::wire::{Call, without_nulls};
use crate::copies::{Model, models};
use crate::error::Result;

/// The checkout.
pub(crate) fn root() -> PathBuf {
    let bench = Path::new(env!("CARGO_MANIFEST_DIR"));
    bench.parent().unwrap_or(bench).to_owned()
}

pub(crate) fn gallery() -> PathBuf {
    root().join("crates/cli/widgets")
}

/// The directory that is served: the gallery, with Studio's flight tracker instead of ours where the
/// shared corpus lies next to the checkout, because the goals were set with it.
pub(crate) fn served() -> Result<PathBuf> {
    let Some(studio) = studio("widgets", "widget") else {
        println!(
            "NOTICE: the shared corpus is not there; the gallery's flight tracker is used instead"
        );
        return Ok(gallery());
    };
    let dir = std::env::temp_dir().join(format!("widgetcast-compare-{}", std::process::id()));
    std::fs::create_dir_all(&dir)?;
    for entry in std::fs::read_dir(gallery())? {
        let entry = entry?;
        std::fs::copy(entry.path(), dir.join(entry.file_name()))?;
    }
    std::fs::copy(studio, dir.join("flight_tracker.widget"))?;
    Ok(dir)
}

/// Studio's flight tracker, or its data.
fn studio(folder: &str, ending: &str) -> Option<PathBuf> {
    let name = format!("ShaojieJiang_mcp-chatkit-widget__Flight_Tracker.{ending}");
    let path = root().join("../shared/corpus").join(folder).join(name);
    path.is_file().then_some(path)
}

/// The flight tracker that is served, with its data.
pub(crate) fn flight() -> Result<Call> {
    match (studio("widgets", "widget"), studio("input", "json")) {
        (Some(widget), Some(data)) => {
            let data = serde_json::from_str(&std::fs::read_to_string(data)?)?;
            call_of(&widget, "flight_tracker", data)
        }
        _ => call("flight_tracker", sample("flight_tracker")?),
    }
}

/// The basket of the gallery with 20 rows.
pub(crate) fn list() -> Result<Call> {
    let mut data = sample("purchase_items")?;
    let rows = data["lines"].as_array().cloned().unwrap_or_default();
    let rows = rows.iter().cycle().take(20).enumerate().map(|(index, row)| {
        let mut row = row.clone();
        row["id"] = json!(format!("item-{index:02}"));
        // The sample has inline images, which real data would not.
        row["image"] = json!(format!("https://shop.example/pictures/{index:02}.webp"));
        row
    });
    data["lines"] = rows.collect();
    call("purchase_items", data)
}

fn file(stem: &str) -> PathBuf {
    gallery().join(format!("{stem}.widget"))
}

fn sample(stem: &str) -> Result<Value> {
    let catalog = Catalog::from_file(file(stem));
    let widget = catalog.widgets().next().ok_or("the gallery does not load")?;
    Ok(widget.sample())
}

/// A call with the tree our engine makes of it: what every server must give, ours and the peers.
fn call(stem: &str, arguments: Value) -> Result<Call> {
    call_of(&file(stem), stem, arguments)
}

fn call_of(file: &Path, stem: &str, arguments: Value) -> Result<Call> {
    let catalog = Catalog::from_file(file);
    let widget = catalog.widgets().next().ok_or("the gallery does not load")?;
    let view = widget.render(&arguments).map_err(|error| error.to_string())?;
    let tree = without_nulls(serde_json::from_str(view.json())?);
    Ok(Call { tool: stem.to_owned(), arguments, tree })
}

/// A directory of copies, removed on drop.
pub(crate) struct Copies {
    pub dir: PathBuf,
    count: usize,
    models: Vec<Model>,
}

impl Copies {
    /// Real widgets in turn, each with a name of its own.
    pub(crate) fn new(count: usize) -> Result<Self> {
        let dir =
            std::env::temp_dir().join(format!("widgetcast-compare-{}-{count}", std::process::id()));
        std::fs::create_dir_all(&dir)?;
        let copies = Self { dir, count, models: models()? };
        for index in 0..count {
            std::fs::write(copies.file(index), copies.model(index).copy(index))?;
        }
        Ok(copies)
    }

    fn file(&self, index: usize) -> PathBuf {
        self.dir.join(format!("{index:06}.widget"))
    }

    fn model(&self, index: usize) -> &Model {
        &self.models[index % self.models.len()]
    }

    /// The call of a copy, which is or will be in this file.
    fn call(&self, file: &Path, index: usize) -> Result<Call> {
        let catalog = Catalog::from_file(file);
        let name = catalog.list().next().ok_or("a copy does not load")?.tool_name;
        call_of(file, name, self.model(index).data.clone())
    }

    /// Calls of the first few copies.
    pub(crate) fn calls(&self, count: usize) -> Result<Vec<Call>> {
        (0..count).map(|index| self.call(&self.file(index), index)).collect()
    }

    /// Rewrites one of the flight trackers so that it shows something else, and gives the call that
    /// shows it.
    pub(crate) fn edit(&self, nth: usize, version: usize) -> Result<Call> {
        let flight = |model: &Model| model.stem.to_lowercase().ends_with("flight_tracker");
        let first = self.models.iter().position(flight).ok_or("there is no flight tracker")?;
        let index = first + nth * self.models.len();
        let index = if index < self.count { index } else { first };
        // A colour of Studio's, a word of the gallery's.
        let edits = [
            ("#378CD1", format!("#{version:06X}")),
            ("\\\"In the air\\\"", format!("\\\"Aloft {version}\\\"")),
        ];
        let text = self.models[first].copy(index);
        let edit = edits.iter().find(|(old, _)| text.contains(old));
        let (old, new) = edit.ok_or("what the edit changes is gone")?;
        // As an editor does: a new file takes the place of the old one.
        let edited = self.dir.join(".edited");
        std::fs::write(&edited, text.replace(old, new))?;
        let call = self.call(&edited, index)?;
        std::fs::rename(&edited, self.file(index))?;
        Ok(call)
    }
}

impl Drop for Copies {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}
