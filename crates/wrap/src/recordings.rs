//! Recorded results in a directory, from which widgets can be designed: one file per result, limited in
//! number and size. Arguments, headers and `_meta` are not recorded; the content of results is.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use widgetcast::Budgeted;
use widgetcast_core::{read_file, tool_name};

/// Maximum results per tool, and in total.
const MAX_OF_TOOL: usize = 20;
const MAX_FILES: usize = 1_000;
/// Maximum size of a result, and of a file, which also contains the entry of its tool.
const MAX_RESULT: usize = 1 << 20;
const MAX_FILE: usize = 4 << 20;

/// A recorded result.
#[derive(Debug, Deserialize, Serialize)]
pub struct Recording {
    /// The tool, as the server lists it.
    pub tool: Value,
    /// The parts of its result that a view can show.
    pub result: Value,
}

impl Recording {
    /// The name of the tool.
    pub fn tool_name(&self) -> &str {
        self.tool["name"].as_str().unwrap_or_default()
    }

    /// The recordings in a directory, sorted by name; any other file is an error.
    ///
    /// # Errors
    /// If the directory cannot be read.
    pub fn read_all(folder: &Path) -> io::Result<Vec<(PathBuf, Result<Self, String>)>> {
        let mut paths = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "json") {
                paths.push(path);
            }
        }
        paths.sort();
        let read = |path: PathBuf| {
            let text = read_file(&path, MAX_FILE).map_err(|error| error.message().to_owned());
            let read = text.and_then(|text| {
                serde_json::from_str(&text).map_err(|error| format!("not a recording: {error}"))
            });
            (path, read)
        };
        Ok(paths.into_iter().map(read).collect())
    }

    fn key(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.tool_name(), self.result.to_string()).hash(&mut hasher);
        hasher.finish()
    }
}

/// Writes results to a directory.
#[derive(Debug)]
pub(crate) struct Recorder {
    folder: PathBuf,
    /// The existing recordings.
    seen: Mutex<HashSet<u64>>,
}

impl Recorder {
    /// Creates the directory, if it does not exist.
    pub(crate) fn new(folder: PathBuf) -> io::Result<Self> {
        std::fs::create_dir_all(&folder)?;
        let known = Recording::read_all(&folder)?.into_iter();
        let seen = known.filter_map(|(_, known)| Some(known.ok()?.key())).collect();
        Ok(Self { folder, seen: Mutex::new(seen) })
    }

    /// Records the result of a call, unless it is an error, too large, or a duplicate.
    pub(crate) fn record(&self, tool: &Value, result: &str) {
        if result.len() > MAX_RESULT {
            tracing::warn!("did not record a result of more than {MAX_RESULT} bytes");
            return;
        }
        let Ok(result) = serde_json::from_str::<Value>(result) else { return };
        if result["isError"] == true {
            return;
        }
        let mut kept = json!({});
        for part in ["content", "structuredContent"] {
            if let Some(value) = result.get(part) {
                kept[part] = value.clone();
            }
        }
        if kept == json!({}) {
            return;
        }
        let recording = Recording { tool: tool.clone(), result: kept };
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() >= MAX_FILES || !seen.insert(recording.key()) {
            return;
        }
        if let Err(error) = self.write(&recording) {
            tracing::warn!("cannot record a result in {}: {error}", self.folder.display());
        }
    }

    /// The recorded results of a tool.
    pub(crate) fn results(&self, tool: &str, _: Budgeted) -> Vec<Value> {
        let read = Recording::read_all(&self.folder).unwrap_or_default();
        let read = read.into_iter().filter_map(|(_, recording)| recording.ok());
        read.filter(|recording| recording.tool_name() == tool)
            .map(|recording| recording.result)
            .collect()
    }

    fn write(&self, recording: &Recording) -> io::Result<()> {
        let text = serde_json::to_string_pretty(recording)? + "\n";
        if text.len() > MAX_FILE {
            return Err(io::Error::other("the definition of the tool is too large"));
        }
        // Tool names are untrusted: only letters, digits and `_` are used in file names.
        let name = tool_name(recording.tool_name());
        let name = if name.is_empty() { "tool" } else { name.as_str() };
        for number in 1..=MAX_OF_TOOL {
            match create(&self.folder.join(format!("{name}-{number}.json"))) {
                Ok(mut file) => return file.write_all(text.as_bytes()),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        tracing::info!(
            "{MAX_OF_TOOL} results of {name} are recorded, the maximum; delete some to record more"
        );
        Ok(())
    }
}

/// Creates a file that only its owner can read: results may contain private data.
fn create(path: &Path) -> io::Result<std::fs::File> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recordings_are_bounded_in_number_and_size() {
        let folder = tempfile::tempdir().unwrap();
        let recorder = Recorder::new(folder.path().to_owned()).unwrap();
        let count = || std::fs::read_dir(folder.path()).unwrap().count();
        let result = |value: &str| json!({ "structuredContent": { "value": value } }).to_string();
        // A tool name cannot lead to another directory.
        let tool = json!({ "name": "../../a b" });
        for number in 0..MAX_OF_TOOL + 5 {
            recorder.record(&tool, &result(&number.to_string()));
        }
        assert_eq!(count(), MAX_OF_TOOL);
        assert!(Recording::read_all(folder.path()).unwrap().iter().all(|(_, read)| read.is_ok()));
        let other = json!({ "name": "other" });
        recorder.record(&other, &result(&"x".repeat(MAX_RESULT)));
        recorder.record(&other, r#"{"isError":true,"content":[{"type":"text","text":"no"}]}"#);
        recorder.record(&other, r#"{"resultType":"input_required","inputRequests":{}}"#);
        assert_eq!(count(), MAX_OF_TOOL);
        for number in 0..MAX_FILES {
            recorder.record(&json!({ "name": format!("tool {number}") }), &result("1"));
        }
        assert!(count() <= MAX_FILES, "{}", count());
    }
}
