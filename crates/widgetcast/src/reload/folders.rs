//! The watched directories: all below the root that a search would visit, each with its own watch, so that
//! hidden ones cost no watch and a replaced one is noticed.
//!
//! A watch follows the directory, not its path. A directory that was replaced, or a root symlink that points
//! elsewhere, has a new identity at the same path, and is watched again.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};
use widgetcast_core::is_left_out;

/// Creates a watcher that reports to the thread.
pub(super) type NewWatcher = Box<dyn Fn() -> notify::Result<RecommendedWatcher> + Send>;

/// The identity of a directory at a path. Some file systems reuse inode numbers immediately, so it includes
/// the creation time.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Identity {
    inode: (u64, u64),
    created: Option<SystemTime>,
}

impl Identity {
    fn of(path: &Path) -> Option<Self> {
        let about = std::fs::metadata(path).ok().filter(Metadata::is_dir)?;
        Some(Self { inode: inode(&about), created: about.created().ok() })
    }
}

#[cfg(unix)]
fn inode(about: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt as _;
    (about.dev(), about.ino())
}

#[cfg(not(unix))]
fn inode(_about: &Metadata) -> (u64, u64) {
    (0, 0)
}

pub(super) struct Folders {
    /// The directory of widgets, as configured.
    root: Option<PathBuf>,
    /// Directories of individual files, as configured.
    others: Vec<PathBuf>,
    /// The last known identity of the root and the others.
    anchors: Vec<Option<Identity>>,
    watched: BTreeMap<PathBuf, Identity>,
    /// Whether a directory could not be watched.
    is_partial: bool,
    new_watcher: NewWatcher,
    watcher: Option<RecommendedWatcher>,
}

impl Folders {
    pub(super) fn new(root: Option<&Path>, files: &[PathBuf], new_watcher: NewWatcher) -> Self {
        // Editors replace files, so watch the directory.
        let folder = |file: &PathBuf| match file.parent()? {
            at if at.as_os_str().is_empty() => Some(PathBuf::from(".")),
            at => Some(at.to_owned()),
        };
        let others: BTreeSet<PathBuf> = files.iter().filter_map(folder).collect();
        Self {
            root: root.map(Path::to_owned),
            others: others.into_iter().collect(),
            anchors: Vec::new(),
            watched: BTreeMap::new(),
            is_partial: false,
            new_watcher,
            watcher: None,
        }
    }

    /// Whether a directory could not be watched, so that its changes are not reported.
    pub(super) fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// Whether the root or the directory of a file was replaced or removed.
    pub(super) fn is_replaced(&self) -> bool {
        !self.anchors().eq(self.anchors.iter().cloned())
    }

    /// Whether a change at this path may add or remove directories.
    pub(super) fn concerns(&self, path: &Path) -> bool {
        let is_folder = || path.symlink_metadata().is_ok_and(|about| about.is_dir());
        self.watched.contains_key(path) || !path.file_name().is_some_and(is_left_out) && is_folder()
    }

    /// Watches the existing directories. Returns the newly watched ones, in which earlier changes were not
    /// reported.
    pub(super) fn sync(&mut self) -> Vec<PathBuf> {
        self.anchors = self.anchors().collect();
        self.is_partial = false;
        if self.watcher.is_none() {
            match (self.new_watcher)() {
                Ok(watcher) => self.watcher = Some(watcher),
                Err(_) => self.is_partial = true,
            }
        }
        let mut found = BTreeSet::new();
        let mut fresh = Vec::new();
        let root = self.root.as_ref().and_then(|root| root.canonicalize().ok());
        let mut todo: Vec<PathBuf> = root.into_iter().collect();
        while let Some(folder) = todo.pop() {
            // Watch before listing: a directory created in between is then either listed or reported.
            if self.watch(&folder) {
                fresh.push(folder.clone());
            }
            match subfolders(&folder) {
                Ok(folders) => todo.extend(folders),
                Err(_) => self.is_partial = true,
            }
            found.insert(folder);
        }
        for folder in self.others.clone() {
            let Ok(folder) = folder.canonicalize() else { continue };
            if self.watch(&folder) {
                fresh.push(folder.clone());
            }
            found.insert(folder);
        }
        let gone = self.watched.keys().filter(|folder| !found.contains(*folder)).cloned();
        gone.collect::<Vec<_>>().iter().for_each(|folder| self.forget(folder));
        if self.is_partial {
            fresh.extend(self.root.clone());
        }
        fresh
    }

    fn anchors(&self) -> impl Iterator<Item = Option<Identity>> {
        self.root.iter().chain(&self.others).map(|path| Identity::of(path))
    }

    /// Watches a directory, unless it is watched already. Returns whether the watch is new.
    fn watch(&mut self, folder: &Path) -> bool {
        let identity = Identity::of(folder);
        if identity.is_some() && self.watched.get(folder) == identity.as_ref() {
            return false;
        }
        self.forget(folder);
        let (Some(identity), Some(watcher)) = (identity, &mut self.watcher) else { return false };
        if watcher.watch(folder, RecursiveMode::NonRecursive).is_err() {
            // The directory was removed, or the watch limit is reached: both are retried.
            self.is_partial = true;
            return false;
        }
        self.watched.insert(folder.to_owned(), identity);
        true
    }

    /// The directory at this path, if any, may have been replaced.
    pub(super) fn forget(&mut self, folder: &Path) {
        if self.watched.remove(folder).is_some()
            && let Some(watcher) = &mut self.watcher
        {
            // The system has ended the watch of a removed directory.
            _ = watcher.unwatch(folder);
        }
    }
}

/// The subdirectories that a search visits; symlinks are not followed.
fn subfolders(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) && !is_left_out(&entry.file_name()) {
            folders.push(entry.path());
        }
    }
    Ok(folders)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_folders_are_not_watched_and_replaced_ones_are_watched_anew() {
        let dir = tempfile::tempdir().expect("a folder");
        let root = dir.path().canonicalize().expect("a path");
        for n in 0..50 {
            let deep = format!(".git/{n}/x");
            std::fs::create_dir_all(root.join(deep)).expect("a folder");
            std::fs::create_dir_all(root.join(format!("a/node_modules/{n}"))).expect("a folder");
        }
        let new_watcher: NewWatcher = Box::new(|| notify::recommended_watcher(|_| ()));
        let mut folders = Folders::new(Some(&root), &[], new_watcher);
        let in_order = |mut paths: Vec<PathBuf>| {
            paths.sort();
            paths
        };
        assert_eq!(in_order(folders.sync()), [root.clone(), root.join("a")]);
        assert!(folders.sync().is_empty() && !folders.is_partial() && !folders.is_replaced());
        // The old one still exists, so the new one cannot get the same inode.
        std::fs::rename(root.join("a"), root.join(".old")).expect("renamed");
        std::fs::create_dir_all(root.join("a/b")).expect("a folder");
        assert_eq!(in_order(folders.sync()), [root.join("a"), root.join("a/b")]);
        assert!(!folders.concerns(&root.join(".old")) && folders.concerns(&root.join("a")));
        std::fs::remove_dir_all(&root).expect("gone");
        assert!(folders.is_replaced());
        assert!(folders.sync().is_empty() && folders.watched.is_empty());
    }
}
