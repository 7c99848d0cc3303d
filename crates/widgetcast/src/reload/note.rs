//! Notes: what is wrong with files, kept to be shown to their authors. The log has all of it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use widgetcast_core::{Finding, Severity};

/// Something that is wrong with a file, in words.
#[derive(Clone, Debug)]
pub(crate) struct Note {
    /// The file, as [`real_path`] gives it.
    pub path: PathBuf,
    pub severity: Severity,
    pub message: String,
    /// The message with the lines it is about.
    pub excerpt: String,
}

impl Note {
    fn new(finding: &Finding) -> Self {
        Self {
            path: real_path(&finding.error.place().file.clone().unwrap_or_default()),
            severity: finding.severity,
            message: finding.error.message().to_owned(),
            excerpt: format!("{finding:#}"),
        }
    }
}

/// How many are kept.
const MAX_NOTES: usize = 500;

/// The notes of all files, and the one about the directory itself.
#[derive(Debug, Default)]
pub(super) struct Notes(Mutex<(Vec<Note>, Option<Note>)>);

impl Notes {
    pub(super) fn list(&self) -> Vec<Note> {
        let (files, folder) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner);
        folder.iter().chain(files).cloned().collect()
    }

    /// Replaces what was noted about the directory.
    pub(super) fn about_folder(&self, finding: Option<&Finding>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1 = finding.map(Note::new);
    }

    /// Replaces what was noted about these paths, or about all files. Gives the findings that are news,
    /// and how many more there are than can be noted: what is tried again fails in the same words.
    pub(super) fn replace<'f>(
        &self,
        paths: Option<&[PathBuf]>,
        findings: &'f [Finding],
    ) -> (Vec<&'f Finding>, usize) {
        let notes = &mut self.0.lock().unwrap_or_else(PoisonError::into_inner).0;
        let known: HashSet<String> = notes.iter().map(|note| note.excerpt.clone()).collect();
        match paths {
            Some(paths) => {
                let paths: Vec<PathBuf> = paths.iter().map(|path| real_path(path)).collect();
                // Bytes first: there may be hundreds of notes, and paths are compared part by part.
                let within = |file: &Path, path: &Path| {
                    let [head, start] = [file, path].map(|p| p.as_os_str().as_encoded_bytes());
                    head.starts_with(start) && file.starts_with(path)
                };
                notes.retain(|note| !paths.iter().any(|path| within(&note.path, path)));
            }
            None => notes.clear(),
        }
        let worth = findings.iter().filter(|finding| finding.severity != Severity::Note);
        let room = MAX_NOTES.saturating_sub(notes.len());
        let left_out = worth.clone().count().saturating_sub(room);
        let mut news: Vec<&Finding> =
            findings.iter().filter(|finding| finding.severity == Severity::Note).collect();
        for finding in worth.take(room) {
            let note = Note::new(finding);
            if !known.contains(&note.excerpt) {
                news.push(finding);
            }
            notes.push(note);
        }
        (news, left_out)
    }
}

/// A path without links and `..`: the watcher gives such paths, a catalog those that it was given. The
/// file itself may be gone.
pub(crate) fn real_path(path: &Path) -> PathBuf {
    let folder = path.parent().and_then(|folder| {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        folder.canonicalize().ok()
    });
    match (folder, path.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => path.canonicalize().unwrap_or_else(|_| path.to_owned()),
    }
}
