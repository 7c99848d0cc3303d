//! Reported paths, relative to the catalog's directory.

use std::path::{Component, Path, PathBuf};

/// The paths inside the directory, as the catalog spells them: sorted, and none inside another. A relative
/// path is resolved against the current directory, then the catalog's.
pub(super) fn scopes(dir: &Path, paths: &[PathBuf]) -> Vec<PathBuf> {
    let root = normalized(dir);
    let real = dir.canonicalize().ok();
    let place = |path: &PathBuf| {
        let full = normalized(path)?;
        let inside =
            |root: &Option<PathBuf>| full.strip_prefix(root.as_ref()?).ok().map(Path::to_owned);
        let below = inside(&root).or_else(|| inside(&real)).or_else(|| {
            let full = normalized(&dir.join(path)).filter(|_| path.is_relative())?;
            full.strip_prefix(root.as_ref()?).ok().map(Path::to_owned)
        })?;
        Some(if below.as_os_str().is_empty() { dir.to_owned() } else { dir.join(below) })
    };
    let mut scopes: Vec<PathBuf> = paths.iter().filter_map(place).collect();
    scopes.sort();
    scopes.dedup_by(|inner, outer| inner.starts_with(outer));
    scopes
}

/// The absolute path without `.` and `..`, without accessing the file system, because the file may no longer
/// exist.
fn normalized(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for component in std::path::absolute(path).ok()?.components() {
        match component {
            Component::ParentDir => _ = plain.pop(),
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    Some(plain)
}

/// Whether there is a symlink between the directory and the path, or at its end.
pub(super) fn passes_link(dir: &Path, path: &Path) -> bool {
    let between = path.ancestors().take_while(|part| *part != dir);
    between.into_iter().any(|part| part.is_symlink())
}

/// Whether a path is in one of the scopes.
pub(super) fn contains(scopes: &[PathBuf], path: &Path) -> bool {
    let at = scopes.partition_point(|scope| **scope <= *path);
    at.checked_sub(1).and_then(|at| scopes.get(at)).is_some_and(|scope| path.starts_with(scope))
}
