//! The search for definition files in a directory.
//!
//! Hidden directories and `node_modules` are skipped; `target` is not, because it is an ordinary name. A link may
//! lead into a hidden directory, as those of a mounted Kubernetes volume do.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use walkdir::DirEntry;
use widgetcast_engine::error::{Error, Kind, Result};
use widgetcast_engine::limits::Limits;

use super::file::File;
use crate::definition::file_text::{cannot_read, leads_out, not_a_file};

/// The most files and directories that a search looks at.
const MAX_ENTRIES: usize = 1_000_000;

/// A file that may contain a definition, or an error about a path.
pub(super) struct FoundFile {
    pub path: PathBuf,
    /// The file that it leads to, if it is a link.
    pub target: Option<PathBuf>,
    pub error: Option<Error>,
}

impl FoundFile {
    /// The path that has the error, if any.
    pub(super) fn into_failed(self) -> Option<File> {
        self.error.map(|error| File::failed(self.path.into(), error))
    }
}

/// The found files, sorted by path, without duplicates.
#[derive(Default)]
pub(super) struct Search {
    pub files: Vec<FoundFile>,
    /// Whether there was any symlink, so that a file can have more than one path.
    pub has_links: bool,
    /// How many files and directories were looked at.
    entries: usize,
    /// Symlinks to files, with their targets, which may also be found by their own path.
    linked: Vec<(PathBuf, PathBuf)>,
}

/// Whether files or directories with this name are skipped: hidden ones, and `node_modules`.
pub fn is_left_out(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".") || name == "node_modules"
}

/// Whether a search skips this path. The directory itself may have any name.
pub(super) fn is_passed_over(dir: &Path, path: &Path) -> bool {
    path.strip_prefix(dir).is_ok_and(|below| below.iter().any(is_left_out))
}

/// Searches a directory, or a path inside it, for definition files. A symlink out of the directory is an
/// error, and is not followed.
pub(super) fn search(dir: &Path, path: &Path, limits: &Limits) -> Result<Search> {
    let root = dir.canonicalize().map_err(|error| cannot_read(dir, error))?;
    if path == dir {
        std::fs::read_dir(dir).map_err(|error| cannot_read(dir, error))?;
    }
    let mut search = Search::default();
    if is_passed_over(dir, path) {
        return Ok(search);
    }
    let walk = walkdir::WalkDir::new(path).sort_by_file_name().into_iter();
    for entry in walk.filter_entry(|entry| entry.depth() == 0 || !is_left_out(entry.file_name())) {
        search.entries += 1;
        match entry {
            Ok(entry) if entry.path_is_symlink() && entry.path() != dir => {
                search.add_link(&entry, &root);
            }
            Ok(entry) if is_definition(entry.path()) && entry.file_type().is_file() => {
                let path = entry.into_path();
                search.files.push(FoundFile { path, target: None, error: None });
            }
            Ok(entry) if is_definition(entry.path()) && !entry.file_type().is_dir() => {
                search.fail(entry.path(), not_a_file(entry.path()));
            }
            Ok(_) => {}
            Err(error) => {
                let path = error.path().unwrap_or(path).to_owned();
                let error = match error.into_io_error() {
                    Some(error) => cannot_read(&path, error),
                    None => Error::new(Kind::FileRead, "cannot be read"),
                };
                search.fail(&path, error);
            }
        }
        if search.files.len() > limits.files {
            return Err(too_many(limits).in_file(dir));
        }
        if search.entries > MAX_ENTRIES {
            let message = format!("contains more than {MAX_ENTRIES} files and directories");
            return Err(Error::new(Kind::FileRead, message).in_file(dir));
        }
    }
    search.add_linked_files();
    Ok(search)
}

pub(super) fn too_many(limits: &Limits) -> Error {
    Error::new(Kind::FileRead, format!("contains more than {} widgets", limits.files))
}

impl Search {
    fn fail(&mut self, path: &Path, error: Error) {
        let error = Some(error.in_file(path));
        self.files.push(FoundFile { path: path.to_owned(), target: None, error });
    }

    fn add_link(&mut self, link: &DirEntry, root: &Path) {
        self.has_links = true;
        match link.path().canonicalize() {
            Ok(target) if !target.starts_with(root) => {
                self.fail(link.path(), leads_out(link.path()));
            }
            // The target of a directory symlink is found by its own path; that of a file symlink may not be.
            Ok(target) if is_definition(link.path()) && !target.is_dir() => {
                self.linked.push((link.path().to_owned(), target));
            }
            Ok(_) => {}
            Err(error) => self.fail(link.path(), cannot_read(link.path(), error)),
        }
    }

    /// Adds the symlinked files that were not found by another path.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Skipped files are not even listed.
    #[test]
    fn hidden_folders_are_not_visited() {
        let dir = std::env::temp_dir().join(format!("widgetcast-search-{}", std::process::id()));
        for folder in [".git/objects", "sub/node_modules/left-pad", "sub/.cache"] {
            std::fs::create_dir_all(dir.join(folder)).expect("a folder");
            for n in 0..1000 {
                std::fs::write(dir.join(folder).join(format!("{n}.widget")), "{").expect("a file");
            }
        }
        std::fs::write(dir.join(".draft.widget"), "{").expect("a file");
        std::fs::write(dir.join("sub/a.widget"), "{").expect("a file");
        let limits = Limits::default();
        let whole = search(&dir, &dir, &limits).expect("a search");
        assert_eq!((whole.entries, whole.files.len()), (3, 1), "the root, sub and the widget");
        let inside = search(&dir, &dir.join(".git/objects"), &limits).expect("a search");
        assert_eq!((inside.entries, inside.files.len()), (0, 0));
        // Only the part below the directory counts: the directory itself may be hidden.
        let hidden = dir.join(".git");
        assert_eq!(search(&hidden, &hidden, &limits).expect("a search").files.len(), 1000);
        std::fs::remove_dir_all(&dir).expect("gone");
    }
}
