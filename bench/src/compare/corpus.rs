//! What the servers serve and what is asked of them: the gallery, and copies of it by the thousand.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use widgetcast_core::Catalog;

use super::Fault;
use super::wire::{Call, without_nulls};

/// The checkout.
pub(crate) fn root() -> PathBuf {
    let bench = Path::new(env!("CARGO_MANIFEST_DIR"));
    bench.parent().unwrap_or(bench).to_owned()
}

pub(crate) fn gallery() -> PathBuf {
    root().join("widgets")
}

/// What the servers are driven with: the gallery, with Studio's flight tracker in the place of ours
/// where the shared corpus lies beside the checkout, because the goals were measured with it.
pub(crate) fn served() -> Result<PathBuf, Fault> {
    let Some(studio) = studio("widgets", "widget") else {
        println!("NOTICE: the shared corpus is not there; the gallery's flight tracker stands in");
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
pub(crate) fn flight() -> Result<Call, Fault> {
    match (studio("widgets", "widget"), studio("input", "json")) {
        (Some(widget), Some(data)) => {
            let data = serde_json::from_str(&std::fs::read_to_string(data)?)?;
            call_of(&widget, "flight_tracker", data)
        }
        _ => gallery_flight(),
    }
}

/// The flight tracker of the gallery with its own sample.
fn gallery_flight() -> Result<Call, Fault> {
    call("flight_tracker", sample("flight_tracker")?)
}

/// The basket of the gallery with 20 rows.
pub(crate) fn list() -> Result<Call, Fault> {
    let mut data = sample("purchase_items")?;
    let rows = data["lines"].as_array().cloned().unwrap_or_default();
    let rows = rows.iter().cycle().take(20).enumerate().map(|(index, row)| {
        let mut row = row.clone();
        row["id"] = json!(format!("item-{index:02}"));
        // The sample has its pictures inline, which a shop would not.
        row["image"] = json!(format!("https://shop.example/pictures/{index:02}.webp"));
        row
    });
    data["lines"] = rows.collect();
    call("purchase_items", data)
}

fn file(stem: &str) -> PathBuf {
    gallery().join(format!("{stem}.widget"))
}

fn sample(stem: &str) -> Result<Value, Fault> {
    let catalog = Catalog::from_file(file(stem));
    let widget = catalog.widgets().next().ok_or("the gallery does not load")?;
    Ok(widget.sample())
}

/// A call with the tree our engine makes of it: what every server must give, ours and the peers.
fn call(stem: &str, arguments: Value) -> Result<Call, Fault> {
    call_of(&file(stem), stem, arguments)
}

fn call_of(file: &Path, stem: &str, arguments: Value) -> Result<Call, Fault> {
    let catalog = Catalog::from_file(file);
    let widget = catalog.widgets().next().ok_or("the gallery does not load")?;
    let view = widget.render(&arguments).map_err(|error| error.to_string())?;
    let tree = without_nulls(serde_json::from_str(view.json())?);
    Ok(Call { tool: stem.to_owned(), arguments, tree })
}

/// A directory of copies that goes with this value.
pub(crate) struct Copies {
    pub dir: PathBuf,
}

impl Copies {
    /// Flight trackers and lists in turn, each with a name of its own.
    pub(crate) fn new(count: usize) -> Result<Self, Fault> {
        let dir =
            std::env::temp_dir().join(format!("widgetcast-compare-{}-{count}", std::process::id()));
        std::fs::create_dir_all(&dir)?;
        let copies = Self { dir };
        for index in 0..count {
            std::fs::write(copies.file(index), copies.text(index)?)?;
        }
        Ok(copies)
    }

    pub(crate) fn file(&self, index: usize) -> PathBuf {
        self.dir.join(format!("{index:06}.widget"))
    }

    fn text(&self, index: usize) -> Result<String, Fault> {
        let (stem, name) =
            [("flight_tracker", "Flight Tracker"), ("purchase_items", "Purchase Items")][index % 2];
        let text = std::fs::read_to_string(file(stem))?;
        let old = format!("\"name\": \"{name}\"");
        if !text.contains(&old) {
            return Err(format!("the name of {stem} is not where it was").into());
        }
        Ok(text.replacen(&old, &format!("\"name\": \"{name} {index:05}\""), 1))
    }

    /// Calls of the first few flight trackers.
    pub(crate) fn calls(&self, count: usize) -> Result<Vec<Call>, Fault> {
        let flight = gallery_flight()?;
        let name = |index| format!("flight_tracker_{:05}", index * 2);
        Ok((0..count).map(|index| Call { tool: name(index), ..flight.clone() }).collect())
    }

    /// Rewrites a flight tracker so that it shows another word, and gives the call that shows it.
    pub(crate) fn edit(&self, index: usize, word: &str) -> Result<Call, Fault> {
        const OLD: &str = "\\\"In the air\\\"";
        let text = self.text(index)?;
        if !text.contains(OLD) {
            return Err("the word that the edit changes is gone".into());
        }
        let text = text.replace(OLD, &format!("\\\"{word}\\\""));
        // As an editor does: a new file takes the place of the old one.
        let new = self.dir.join(".edited");
        std::fs::write(&new, &text)?;
        let flight = gallery_flight()?;
        let tree = flight.tree.to_string().replace("\"In the air\"", &format!("\"{word}\""));
        let call = Call {
            tool: format!("flight_tracker_{index:05}"),
            tree: serde_json::from_str(&tree)?,
            ..flight
        };
        std::fs::rename(&new, self.file(index))?;
        Ok(call)
    }
}

impl Drop for Copies {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}
