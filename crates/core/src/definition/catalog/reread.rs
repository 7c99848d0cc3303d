//! The next snapshot of a catalog, in which some files have been read again; all others are shared.
//!
//! Three steps: search the files at the given paths, compare them with the known ones, read what may
//! have changed. A file that was good and is broken now keeps what it held: a server keeps the
//! last good definition while its author is typing.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use serde_json::{Value, json};
use widgetcast_engine::error::{Finding, Result, Severity};

use super::changes::{Changes, FileChange};
use super::file::{Definition, File};
use super::parallel::in_parallel;
use super::scope;
use super::search::{FoundFile, Search, is_passed_over, search, too_many};
use super::snapshot::{Catalog, by_stem, by_tool};
use crate::definition::file_text::{cannot_read, fingerprint};
use crate::definition::origin::{FileOrigin, Origin};
use crate::definition::spec::Spec;

/// Up to this number of files, their compiled widgets and texts are kept. After a change of a whole
/// directory, widgets are compiled on first use, as after loading.
const FEW_FILES: usize = 64;
/// Maximum texts that are kept: a file that is being edited is likely to break next.
const MAX_RECENT_TEXTS: usize = 32;
/// Maximum size of a text that is kept.
const MAX_RECENT_BYTES: usize = 64 * 1024;

/// A file to read, with its last known state.
type ToRead<'c> = (FoundFile, Option<&'c Arc<File>>);

impl Catalog {
    /// Returns a new snapshot with these files read again, whether they were changed, added or removed. The
    /// path of a directory stands for all files below it.
    ///
    /// Changed definitions are compiled immediately. If one is now broken, its last good version stays in
    /// use, and there is a finding. Paths outside [`Self::dir`] are ignored, and so are all paths if the
    /// catalog was not read from a directory.
    ///
    /// ```
    /// # let dir = std::env::temp_dir().join(format!("widgetcast-reread-{}", std::process::id()));
    /// # std::fs::create_dir_all(&dir)?;
    /// # let write = |text: &str| std::fs::write(dir.join("a.widget"), text);
    /// # let text = r#"{"version":"1.0","name":"A","template":"{\"type\":\"Card\",\"children\":[]}"}"#;
    /// # write(text)?;
    /// use widgetcast_core::Catalog;
    ///
    /// let catalog = Catalog::from_dir(&dir)?;
    /// # write("{")?;
    /// // A file is saved before it is finished.
    /// let (next, changes) = catalog.reread(&[dir.join("a.widget")]);
    /// assert!(changes.is_empty());
    /// assert_eq!(changes.kept, ["a"]);
    /// assert_eq!(changes.findings.len(), 1);
    /// assert!(next.get("a").is_some());
    /// # std::fs::remove_dir_all(&dir)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reread(&self, paths: &[PathBuf]) -> (Catalog, Changes) {
        let mut next = Catalog {
            dir: self.dir.clone(),
            files: self.files.clone(),
            tools: self.tools.clone(),
            rereads: self.rereads + 1,
            sidecars: self.sidecars.clone(),
            has_links: self.has_links,
            recent_texts: self.recent_texts.clone(),
            name_conflicts: OnceLock::new(),
            limits: self.limits.clone(),
            engine: self.engine.clone(),
        };
        let Some(dir) = &self.dir else { return (next, Changes::default()) };
        let scope = match Scope::search(self, dir, paths) {
            Ok(scope) => scope,
            // The directory was removed or is unreadable: the known files stay.
            Err(error) => {
                let findings = vec![Finding::new(Severity::Error, error)];
                return (next, Changes { findings, ..Changes::default() });
            }
        };
        if scope.is_whole {
            next.has_links = scope.found.has_links;
        }
        let (mut files, to_read) = self.diff(dir, scope);
        files.extend(self.read(to_read));
        for change in &files {
            next.apply(change);
        }
        let changes = Changes::between(self, &next, &files);
        (next, changes)
    }

    /// Compares the existing files with the known ones. Returns those that were removed, and those to read.
    fn diff(&self, dir: &Path, scope: Scope) -> (Vec<FileChange<'_>>, Vec<ToRead<'_>>) {
        let root = dir.canonicalize().unwrap_or_default();
        let mut room = self.limits.files.saturating_sub(self.files.len());
        let mut gone = Vec::new();
        let mut to_read = Vec::new();
        // Both lists are sorted by path.
        let mut known = self.known_in(&scope).into_iter().peekable();
        let Scope { paths, found, is_whole } = scope;
        let failed: Vec<PathBuf> =
            found.files.iter().filter(|f| f.error.is_some()).map(|f| f.path.clone()).collect();
        // What lies in a directory that cannot be read now is not known to be gone.
        let is_gone = |old: &&Arc<File>| !scope::contains(&failed, &old.path);
        for mut found in found.files {
            while let Some(old) = known.next_if(|old| *old.path < *found.path) {
                gone.extend(Some(old).filter(is_gone).map(FileChange::removed));
            }
            let old = known.next_if(|old| *old.path == *found.path);
            match old {
                Some(old) if is_whole && !is_meant(&found, old, &paths, dir, &root) => continue,
                Some(_) => {}
                None if room == 0 => _ = found.error.get_or_insert_with(|| too_many(&self.limits)),
                None => room -= 1,
            }
            to_read.push((found, old));
        }
        gone.extend(known.filter(is_gone).map(FileChange::removed));
        (gone, to_read)
    }

    /// The known files in this scope.
    fn known_in(&self, scope: &Scope) -> Vec<&Arc<File>> {
        if scope.is_whole {
            return self.files.iter().collect();
        }
        let below = |path: &PathBuf| {
            let start = self.files.seek(|file| *file.path < **path);
            let path = path.clone();
            self.files.from(start).take_while(move |file| file.path.starts_with(&path))
        };
        scope.paths.iter().flat_map(below).collect()
    }

    fn read<'c>(&self, files: Vec<ToRead<'c>>) -> Vec<FileChange<'c>> {
        let few = files.len() <= FEW_FILES;
        let (failed, good): (Vec<_>, Vec<_>) =
            files.into_iter().partition(|(found, _)| found.error.is_some());
        let failed = failed.into_iter().map(|(found, old)| {
            let mut new = found.into_failed();
            if let (Some(new), Some(old)) = (&mut new, old) {
                self.keep_last_good(new, old);
            }
            FileChange { old, new: new.map(Arc::new), text: None }
        });
        let mut changes: Vec<FileChange<'c>> = failed.collect();
        changes.extend(in_parallel(&good, |(found, old)| self.read_file(&found.path, *old, few)));
        changes
    }

    fn read_file<'c>(&self, path: &Path, old: Option<&'c Arc<File>>, few: bool) -> FileChange<'c> {
        let path = old.map_or_else(|| path.into(), |old| Arc::clone(&old.path));
        let (mut file, text) = File::read(self.dir.as_ref(), path, &self.limits);
        if file.fingerprint == 0 && is_gone(&file.path) {
            return FileChange { old, new: None, text: None };
        }
        let same = |old: &&Arc<File>| old.fingerprint == file.fingerprint && file.fingerprint != 0;
        if let Some(old) = old.filter(same) {
            return FileChange { old: Some(old), new: Some(Arc::clone(old)), text: None };
        }
        let mut good = false;
        if let Some(definition) = &mut file.definition {
            let before = old.and_then(|old| old.definition.as_ref());
            let compiled = definition.compile_after(before, self.engine());
            let widget = compiled.and_then(|compiled| compiled.widget.as_deref());
            good = widget.is_some_and(|widget| definition.prove(widget).is_none());
            if good {
                definition.keep_sample(&text);
            }
            if good && !few {
                definition.compiled = OnceLock::new();
            }
        }
        if let Some(old) = old.filter(|_| !file.faults.is_empty() || file.is_known_broken()) {
            self.keep_last_good(&mut file, old);
        }
        // A file that had its tool before keeps it.
        file.since = match old {
            Some(old) if old.tool_name() == file.tool_name() && !old.is_known_broken() => old.since,
            _ => self.rereads + 1,
        };
        let text = (good && few && text.len() <= MAX_RECENT_BYTES).then(|| text.into());
        let new = Some(Arc::new(file)).filter(|file| !file.is_empty());
        FileChange { old, new, text }
    }

    /// Restores what a broken file held before, if that was good; its findings stay.
    fn keep_last_good(&self, file: &mut File, old: &File) {
        if file.is_lost() {
            return;
        }
        let definition = old.definition.as_ref().and_then(|old| self.last_good(old));
        if definition.is_none() && old.sidecar.is_none() {
            return;
        }
        if let Some(broken) = std::mem::replace(&mut file.definition, definition) {
            let compiled = broken.compiled.into_inner();
            file.faults.extend(compiled.into_iter().flat_map(|compiled| compiled.findings));
            let fault = broken.fault.into_inner().flatten();
            file.faults.extend(fault.map(|fault| *fault));
        }
        file.sidecar.clone_from(&old.sidecar);
        (file.since, file.is_namesake) = (old.since, old.is_namesake);
    }

    /// A definition that its file no longer contains, if it renders. Its text is the one kept from an earlier
    /// reread, or else serialized from the fields in memory.
    fn last_good(&self, old: &Definition) -> Option<Definition> {
        if old.is_known_broken() {
            return None;
        }
        let mut spec = old.spec.clone();
        let origin = match &old.origin {
            Origin::File(FileOrigin { path, .. }) => {
                let is_kept = |(of, text): &&(Arc<Path>, Arc<str>)| {
                    of == path && fingerprint(text) == old.fingerprint
                };
                let text = match self.recent_texts.iter().find(is_kept) {
                    Some((_, text)) => Arc::clone(text),
                    None => {
                        spec.is_encoded = false;
                        definition_text(&spec, old.sample.get().and_then(Option::as_deref))
                    }
                };
                Origin::Text { name: Arc::clone(path), text }
            }
            other => other.clone(),
        };
        let mut good = Definition::new(old.tool_name.clone(), spec, origin, old.fingerprint);
        good.sample.clone_from(&old.sample);
        // Its sample may have been removed with the file, so it cannot be rendered again.
        _ = good.fault.set(None);
        good.compile_after(Some(old), self.engine())?.widget.as_ref()?;
        // Findings about it would refer to a text that the file no longer contains.
        if let Some(compiled) = good.compiled.get_mut() {
            compiled.findings.clear();
        }
        Some(good)
    }

    fn apply(&mut self, change: &FileChange<'_>) {
        if !change.is_change() {
            return;
        }
        if let Some(old) = change.old {
            self.files.remove(|file| *file.path < *old.path);
            if old.definition.is_some() {
                self.tools.remove(|file| by_tool(file) < by_tool(old));
            }
            if old.sidecar.is_some() {
                self.sidecars.remove(|file| by_stem(file) < by_stem(old));
            }
            self.recent_texts.retain(|(path, _)| *path != old.path || change.new.is_some());
        }
        let Some(new) = &change.new else { return };
        self.files.insert(Arc::clone(new), |file| *file.path < *new.path);
        if new.definition.is_some() {
            self.tools.insert(Arc::clone(new), |file| by_tool(file) < by_tool(new));
        }
        if new.sidecar.is_some() {
            self.sidecars.insert(Arc::clone(new), |file| by_stem(file) < by_stem(new));
        }
        if let Some(text) = &change.text {
            self.recent_texts.retain(|(path, _)| *path != new.path);
            self.recent_texts.insert(0, (Arc::clone(&new.path), Arc::clone(text)));
            self.recent_texts.truncate(MAX_RECENT_TEXTS);
        }
    }
}

/// The scope of a reread, and the files found in it.
struct Scope {
    /// The given paths, relative to the directory.
    paths: Vec<PathBuf>,
    found: Search,
    /// Whether the whole directory was searched.
    is_whole: bool,
}

impl Scope {
    /// Searches the paths. With symlinks, a file has several paths, one of which is used, perhaps none of the
    /// given ones: then the whole directory is searched, as in loading.
    fn search(catalog: &Catalog, dir: &Path, paths: &[PathBuf]) -> Result<Self> {
        std::fs::metadata(dir).map_err(|error| cannot_read(dir, error))?;
        let mut paths = scope::scopes(dir, paths);
        // A link may lead into a hidden directory, as those of a mounted Kubernetes volume do.
        if !catalog.has_links {
            paths.retain(|path| !is_passed_over(dir, path));
        }
        let mut found = Search::default();
        let mut is_linked =
            catalog.has_links || paths.iter().any(|path| scope::passes_link(dir, path));
        for path in paths.iter().filter(|_| !is_linked) {
            // Otherwise it was removed, with everything below it.
            if path.symlink_metadata().is_ok() {
                let part = search(dir, path, &catalog.limits)?;
                found.files.extend(part.files);
                found.has_links |= part.has_links;
            }
        }
        is_linked |= found.has_links;
        let is_whole = is_linked && !paths.is_empty();
        if is_whole {
            found = search(dir, dir, &catalog.limits)?;
        }
        Ok(Self { paths, found, is_whole })
    }
}

/// Whether the paths include a known file, which was found in a search of the whole directory.
fn is_meant(found: &FoundFile, old: &File, paths: &[PathBuf], dir: &Path, root: &Path) -> bool {
    let leads_into = |path: &PathBuf| match (&found.target, path.strip_prefix(dir)) {
        (Some(target), Ok(path)) => target.starts_with(root.join(path)),
        _ => false,
    };
    // A file that became unreadable is always included.
    let is_lost = found.error.is_some() && (old.fingerprint != 0 || old.definition.is_some());
    // A changed symlink on the way to a target does not name the target.
    let is_passed = found.target.is_some() && paths.iter().any(|path| is_passed_over(dir, path));
    is_lost || is_passed || scope::contains(paths, &found.path) || paths.iter().any(leads_into)
}

/// Whether nothing exists at a path, as far as known.
fn is_gone(path: &Path) -> bool {
    std::fs::metadata(path).is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
}

/// A definition, serialized from the fields and the sample in memory.
fn definition_text(spec: &Spec, sample: Option<&str>) -> Arc<str> {
    let value = |text: Option<&str>| text.and_then(|text| serde_json::from_str::<Value>(text).ok());
    let text = json!({
        "version": "1.0",
        "name": spec.name,
        "tool": spec.tool,
        "visibility": spec.served.visibility.name(),
        "hints": spec.served.hints(),
        "description": spec.description,
        "template": *spec.template,
        "jsonSchema": value(spec.schema.as_deref()),
        "sample": value(sample),
        "copy_text": spec.copy_text.as_deref(),
    });
    text.to_string().into()
}
