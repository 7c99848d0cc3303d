//! The search for definition files in a directory.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use walkdir::DirEntry;
use widgetcast_engine::error::{Error, Kind, Result};
use widgetcast_engine::limits::Limits;

use super::file::{File, cannot_read};

/// A file that may hold a definition, or an error about a path.
pub(super) struct FoundFile {
    pub path: PathBuf,
    /// The file that it leads to, if it is a link.
    pub target: Option<PathBuf>,
    pub error: Option<Error>,
}

impl FoundFile {
    /// The file that stands for the error, if there is one.
    pub(super) fn into_failed(self) -> Option<File> {
        self.error.map(|error| File::failed(self.path.into(), error))
    }
}

/// The files that a search found, sorted by path, each once.
#[derive(Default)]
pub(super) struct Search {
    pub files: Vec<FoundFile>,
    /// Whether there was any link: then a file can have more than one path.
    pub has_links: bool,
    /// Links to files, with their targets, which may be found by their own path too.
    linked: Vec<(PathBuf, PathBuf)>,
}

/// Searches a directory, or a path inside it, for definition files. A link that leads out of the
/// directory is an error, and is not followed.
pub(super) fn search(dir: &Path, path: &Path, limits: &Limits) -> Result<Search> {
    let root = dir.canonicalize().map_err(|error| cannot_read(dir, error))?;
    if path == dir {
        std::fs::read_dir(dir).map_err(|error| cannot_read(dir, error))?;
    }
    let mut search = Search::default();
    for entry in walkdir::WalkDir::new(path).sort_by_file_name() {
        match entry {
            Ok(entry) if entry.path_is_symlink() && entry.path() != dir => {
                search.add_link(&entry, &root);
            }
            Ok(entry) if is_definition(entry.path()) && entry.file_type().is_file() => {
                let path = entry.into_path();
                search.files.push(FoundFile { path, target: None, error: None });
            }
            Ok(_) => {}
            Err(error) => {
                let path = error.path().unwrap_or(path).to_owned();
                search.fail(&path, Error::new(Kind::FileRead, "cannot be read").with_cause(error));
            }
        }
        if search.files.len() > limits.files {
            return Err(too_many(limits).in_file(dir));
        }
    }
    search.add_linked_files();
    Ok(search)
}

pub(super) fn too_many(limits: &Limits) -> Error {
    Error::new(Kind::FileRead, format!("holds more than {} widgets", limits.files))
}

impl Search {
    fn fail(&mut self, path: &Path, error: Error) {
        let error = Some(error.in_file(path));
        self.files.push(FoundFile { path: path.to_owned(), target: None, error });
    }

    fn add_link(&mut self, link: &DirEntry, root: &Path) {
        self.has_links = true;
        match link.path().canonicalize() {
            Ok(target) if !target.starts_with(root) => self.fail(
                link.path(),
                Error::new(
                    Kind::FileLink,
                    "this link leads out of the directory and is not followed",
                )
                .with_help("copy the file here, or name its own directory"),
            ),
            // A linked directory is reached by its own path; a linked file may not be.
            Ok(target) if is_definition(link.path()) && target.is_file() => {
                self.linked.push((link.path().to_owned(), target));
            }
            Ok(_) => {}
            Err(error) => self.fail(link.path(), cannot_read(link.path(), error)),
        }
    }

    /// Adds the linked files that were not found by another path.
    fn add_linked_files(&mut self) {
        if self.linked.is_empty() {
            return;
        }
        let mut seen: HashSet<PathBuf> =
            self.files.iter().filter_map(|file| file.path.canonicalize().ok()).collect();
        self.files.extend(
            self.linked
                .drain(..)
                .filter(|(_, target)| seen.insert(target.clone()))
                .map(|(path, target)| FoundFile { path, target: Some(target), error: None }),
        );
        self.files.sort_by(|a, b| a.path.cmp(&b.path));
    }
}

fn is_definition(path: &Path) -> bool {
    path.extension()
        .and_then(|ext| ext.to_str())
        .is_some_and(|ext| matches!(ext, "widget" | "yml" | "yaml"))
}
