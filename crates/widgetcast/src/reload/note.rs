//! Findings about files that are kept for display. The log contains all of them.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use widgetcast_core::{Finding, Severity};

/// A finding about a file.
#[derive(Clone, Debug)]
pub(crate) struct Note {
    /// The canonical path of the file.
    pub path: PathBuf,
    pub finding: Arc<Finding>,
    /// The full message, which identifies the finding.
    words: String,
}

impl Note {
    pub(crate) fn new(finding: &Finding) -> Self {
        Self {
            path: real_path(&finding.error.place().file.clone().unwrap_or_default()),
            finding: finding.copy().into(),
            words: format!("{finding:#}"),
        }
    }
}

/// Maximum number of findings.
const MAX_NOTES: usize = 500;

/// The findings about all files, and about the directory itself.
#[derive(Debug, Default)]
pub(super) struct Notes(Mutex<(Vec<Note>, Option<Note>)>);

impl Notes {
    pub(super) fn list(&self) -> Vec<Note> {
        let (files, folder) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner);
        folder.iter().chain(files).cloned().collect()
    }

    /// Replaces the finding about the directory.
    pub(super) fn about_folder(&self, finding: Option<&Finding>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1 = finding.map(Note::new);
    }

    /// Replaces the findings about these paths, or about all files. Returns the new findings, and how many
    /// more there are than fit: a retry that fails in the same way is not new.
    pub(super) fn replace<'f>(
        &self,
        paths: Option<&[PathBuf]>,
        findings: &'f [Finding],
    ) -> (Vec<&'f Finding>, usize) {
        let notes = &mut self.0.lock().unwrap_or_else(PoisonError::into_inner).0;
        let known: HashSet<String> = notes.iter().map(|note| note.words.clone()).collect();
        match paths {
            Some(paths) => {
                let paths: Vec<PathBuf> = paths.iter().map(|path| real_path(path)).collect();
                // Compare bytes first: there may be hundreds of findings, and paths are compared by
                // component.
                let within = |file: &Path, path: &Path| {
                    let [head, start] = [file, path].map(|p| p.as_os_str().as_encoded_bytes());
                    head.starts_with(start) && file.starts_with(path)
                };
                notes.retain(|note| !paths.iter().any(|path| within(&note.path, path)));
            }
            None => notes.clear(),
        }
        let mut worth: Vec<&Finding> =
            findings.iter().filter(|finding| finding.severity != Severity::Note).collect();
        // Errors displace warnings; otherwise many warnings could hide a broken file.
        worth.sort_by_key(|finding| Reverse(finding.severity));
        notes.sort_by_key(|note| Reverse(note.finding.severity));
        let errors = worth.partition_point(|finding| finding.severity == Severity::Error);
        let noted = notes.partition_point(|note| note.finding.severity == Severity::Error);
        notes.truncate(noted.max(MAX_NOTES.saturating_sub(errors)));
        let room = MAX_NOTES.saturating_sub(notes.len());
        let left_out = worth.len().saturating_sub(room);
        let mut news: Vec<&Finding> =
            findings.iter().filter(|finding| finding.severity == Severity::Note).collect();
        for finding in worth.into_iter().take(room) {
            let note = Note::new(finding);
            if !known.contains(&note.words) {
                news.push(finding);
            }
            notes.push(note);
        }
        (news, left_out)
    }
}

/// A path without symlinks and `..`: the watcher reports such paths, the catalog uses those it was given. The
/// file itself may no longer exist.
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

#[cfg(test)]
mod tests {
    use widgetcast_core::{Error, Kind};

    use super::*;

    #[test]
    fn errors_are_noted_among_many_warnings() {
        let finding = |severity, n: usize| {
            let error = Error::new(Kind::UnknownProp, format!("{n}")).in_file(format!("/{n}"));
            Finding::new(severity, error)
        };
        let mut all: Vec<Finding> =
            (0..MAX_NOTES + 9).map(|n| finding(Severity::Warning, n)).collect();
        all.push(finding(Severity::Error, 1000));
        let notes = Notes::default();
        assert_eq!(notes.replace(None, &all).1, 10);
        let errors = || {
            let is_error = |note: &&Note| note.finding.severity == Severity::Error;
            notes.list().iter().filter(is_error).count()
        };
        assert_eq!((errors(), notes.list().len()), (1, MAX_NOTES));
        notes.replace(Some(&["/2000".into()]), &[finding(Severity::Error, 2000)]);
        assert_eq!((errors(), notes.list().len()), (2, MAX_NOTES));
    }
}
