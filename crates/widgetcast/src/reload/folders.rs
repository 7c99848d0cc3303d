//! The folders that are watched: all below the root that a search would visit, each by itself, so that
//! hidden ones cost no watch and a replaced one is noticed.
//!
//! A watch follows the folder, not its path. A folder that was replaced, or a root that is a link and
//! leads elsewhere now, has another identity at the same path, and is watched again.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};
use widgetcast_core::is_left_out;

/// Makes a watcher that reports to the thread that follows it.
pub(super) type NewWatcher = Box<dyn Fn() -> notify::Result<RecommendedWatcher> + Send>;

/// What tells one folder from the next at the same path. Numbers of inodes are used again at once by
/// some file systems, so the time of its creation is part of it.
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
    /// The directory of widgets, as it was named.
    root: Option<PathBuf>,
    /// Folders of single files, as they were named.
    others: Vec<PathBuf>,
    /// What the root and the others were when they were last looked at.
    anchors: Vec<Option<Identity>>,
    watched: BTreeMap<PathBuf, Identity>,
    /// Whether something could not be watched.
    is_partial: bool,
    new_watcher: NewWatcher,
    watcher: Option<RecommendedWatcher>,
}

impl Folders {
    pub(super) fn new(root: Option<&Path>, files: &[PathBuf], new_watcher: NewWatcher) -> Self {
        // Editors replace files, so it is the folder that must be watched.
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

    /// Whether something could not be watched, so that changes there are not reported.
    pub(super) fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// Whether the root, or the folder of a file, is another one than before, or is gone.
    pub(super) fn is_replaced(&self) -> bool {
        !self.anchors().eq(self.anchors.iter().cloned())
    }

    /// Whether a change at this path can change which folders there are.
    pub(super) fn concerns(&self, path: &Path) -> bool {
        let is_folder = || path.symlink_metadata().is_ok_and(|about| about.is_dir());
        self.watched.contains_key(path) || !path.file_name().is_some_and(is_left_out) && is_folder()
    }

    /// Watches the folders that are there now. Gives those that were not watched before: what happened
    /// in them until now was not reported.
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
            // First watched, then listed: a folder made in between is in the list or reported.
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

    /// Watches a folder, unless it is. Gives whether it was not before, and is now.
    fn watch(&mut self, folder: &Path) -> bool {
        let identity = Identity::of(folder);
        if identity.is_some() && self.watched.get(folder) == identity.as_ref() {
            return false;
        }
        self.forget(folder);
        let (Some(identity), Some(watcher)) = (identity, &mut self.watcher) else { return false };
        if watcher.watch(folder, RecursiveMode::NonRecursive).is_err() {
            // Gone in the meantime, or there are no watches left: both are tried again.
            self.is_partial = true;
            return false;
        }
        self.watched.insert(folder.to_owned(), identity);
        true
    }

    /// The folder at this path, if there is one, may no longer be the one that is watched.
    pub(super) fn forget(&mut self, folder: &Path) {
        if self.watched.remove(folder).is_some()
            && let Some(watcher) = &mut self.watcher
        {
            // The system has ended the watch of a folder that was removed.
            _ = watcher.unwatch(folder);
        }
    }
}

/// The folders in a folder that a search visits; links are not followed.
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
        // The old one stays, so that the new one cannot get its number.
        std::fs::rename(root.join("a"), root.join(".old")).expect("renamed");
        std::fs::create_dir_all(root.join("a/b")).expect("a folder");
        assert_eq!(in_order(folders.sync()), [root.join("a"), root.join("a/b")]);
        assert!(!folders.concerns(&root.join(".old")) && folders.concerns(&root.join("a")));
        std::fs::remove_dir_all(&root).expect("gone");
        assert!(folders.is_replaced());
        assert!(folders.sync().is_empty() && folders.watched.is_empty());
    }
}
