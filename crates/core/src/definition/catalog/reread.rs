//! The next snapshot: some files have been read again, all others are shared.
//!
//! A file that was good and is broken now keeps what it held: a server goes on with the last good
//! definition while its author is typing.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, OnceLock};

use serde_json::{Value, json};
use widgetcast_engine::error::{Finding, Severity};

use super::file::{self, Entry, File, Found, Search, in_parallel};
use super::snapshot::{Catalog, by_name, by_stem, taken};
use crate::definition::spec::Spec;
use crate::definition::widget::Origin;

/// Files read again at once whose compiled widgets are kept; the widgets of a whole directory are
/// compiled when they are called, as after loading.
const FEW: usize = 64;
/// Texts that are kept of files that were read again, because what is being edited breaks next.
const RECENT: usize = 32;
/// Bytes of such a text.
const SHORT: usize = 64 * 1024;

/// What a [`Catalog::reread`] has changed, by tool name.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Changes {
    /// Tools that were not there before.
    pub added: Vec<String>,
    /// Tools whose definition, file or Slack template is another.
    pub changed: Vec<String>,
    /// Tools that are no longer there.
    pub removed: Vec<String>,
    /// Tools that go on with their last good definition, because the file is broken now.
    pub kept: Vec<String>,
    /// Everything there is to say about the files that were read again.
    pub findings: Vec<Finding>,
    listed: bool,
}

impl Changes {
    /// Whether no tool was added, changed or removed: there is nothing to announce.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }

    /// Whether [`Catalog::list`] gives another list than before, or a schema that is inferred is
    /// another. It can be so without a change of a tool: one that is kept may have lost
    /// [`crate::Widget::encoded`] with its file.
    pub fn list_changed(&self) -> bool {
        self.listed
    }
}

/// What became of one file that was looked at.
struct Step<'c> {
    old: Option<&'c Arc<File>>,
    /// None if there is no such file, or it is of another kind.
    new: Option<Arc<File>>,
    /// Its text, if that is good.
    text: Option<Arc<str>>,
}

impl Step<'_> {
    fn is_change(&self) -> bool {
        match (self.old, &self.new) {
            (Some(old), Some(new)) => !Arc::ptr_eq(old, new),
            (old, new) => old.is_some() || new.is_some(),
        }
    }
}

impl Catalog {
    /// A new snapshot in which these files have been read again: changed, added or gone. A path may
    /// be that of a directory, which stands for all files below it.
    ///
    /// What changed is compiled at once. If it is broken now and was good before, the last good
    /// definition stays in use, and there is a finding. Paths outside [`Self::dir`] are ignored, and
    /// so are all paths if the catalog was not read from a directory.
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
    /// // Somebody saves a file that is not finished yet.
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
            names: self.names.clone(),
            sides: self.sides.clone(),
            links: self.links,
            recent: self.recent.clone(),
            taken: OnceLock::new(),
            limits: self.limits.clone(),
            engine: self.engine.clone(),
        };
        let mut changes = Changes::default();
        let Some(dir) = &self.dir else { return (next, changes) };
        match self.steps(dir, paths, &mut next.links) {
            Ok(steps) => {
                for step in &steps {
                    next.apply(step);
                }
                self.compare(&next, &steps, &mut changes);
            }
            // The directory cannot be searched: what was known is better than nothing.
            Err(error) => changes.findings.push(Finding::new(Severity::Error, error)),
        }
        (next, changes)
    }

    /// Looks at the files that the paths stand for.
    fn steps(
        &self,
        dir: &Arc<Path>,
        paths: &[PathBuf],
        links: &mut bool,
    ) -> widgetcast_engine::error::Result<Vec<Step<'_>>> {
        let limits = &self.limits;
        let scopes = scopes(dir, paths);
        let mut linked = self.links || scopes.iter().any(|scope| through_link(dir, scope));
        let mut search = Search::default();
        for scope in scopes.iter().filter(|_| !linked) {
            // Gone, and so is all that was below it.
            if scope.symlink_metadata().is_ok() {
                let part = file::search(dir, scope, limits)?;
                search.found.extend(part.found);
                search.links |= part.links;
            }
        }
        linked |= search.links;
        // With links, a file has several names of which one is used, and may be used by a name that
        // is none of the paths: then the directory is searched again, as if loaded.
        if linked && !scopes.is_empty() {
            search = file::search(dir, dir, limits)?;
            *links = search.links;
        }
        let root = dir.canonicalize().unwrap_or_default();
        let meant = |found: &Found, old: &File| {
            let inside = |scope: &PathBuf| match (&found.target, scope.strip_prefix(dir)) {
                (Some(target), Ok(scope)) => target.starts_with(root.join(scope)),
                _ => false,
            };
            // What could be read has become a fault, whatever the paths are.
            let lost = found.fault.is_some() && (old.print != 0 || old.entry.is_some());
            !linked || lost || under(&scopes, &found.path) || scopes.iter().any(inside)
        };

        // Both sides are sorted: what was known of these places, and what is there now.
        let known: Vec<&Arc<File>> = if linked && !scopes.is_empty() {
            self.files.iter().collect()
        } else {
            let below = |scope: &PathBuf| {
                let start = self.files.seek(|file| *file.path < **scope);
                let scope = scope.clone();
                let files = self.files.from(start);
                files.take_while(move |file| file.path.starts_with(&scope))
            };
            scopes.iter().flat_map(below).collect()
        };
        let mut known = known.into_iter().peekable();
        let mut room = limits.files.saturating_sub(self.files.len());
        let mut todo = Vec::new();
        let mut steps = Vec::new();
        for mut found in search.found {
            while let Some(old) = known.next_if(|old| *old.path < *found.path) {
                steps.push(Step { old: Some(old), new: None, text: None });
            }
            let old = known.next_if(|old| *old.path == *found.path);
            match old {
                Some(old) if !meant(&found, old) => continue,
                Some(_) => {}
                None if room == 0 => _ = found.fault.get_or_insert_with(|| file::too_many(limits)),
                None => room -= 1,
            }
            todo.push((found, old));
        }
        steps.extend(known.map(|old| Step { old: Some(old), new: None, text: None }));
        let few = todo.len() <= FEW;
        let (faults, todo): (Vec<_>, Vec<_>) =
            todo.into_iter().partition(|(found, _)| found.fault.is_some());
        steps.extend(faults.into_iter().map(|(found, old)| Step {
            old,
            new: found.failed().map(Arc::new),
            text: None,
        }));
        steps.extend(in_parallel(&todo, |(found, old)| self.read_again(&found.path, *old, few)));
        Ok(steps)
    }

    fn read_again<'c>(&self, path: &Path, old: Option<&'c Arc<File>>, few: bool) -> Step<'c> {
        let path = old.map_or_else(|| path.into(), |old| Arc::clone(&old.path));
        let (mut file, text) = File::read(path, &self.limits);
        if file.print == 0 && !file.path.exists() {
            return Step { old, new: None, text: None };
        }
        if let Some(old) = old.filter(|old| old.print == file.print && file.print != 0) {
            return Step { old: Some(old), new: Some(Arc::clone(old)), text: None };
        }
        let mut good = false;
        if let Some(entry) = &mut file.entry {
            let before = old.and_then(|old| old.entry.as_ref());
            good = entry.compile_after(before, self.engine()).widget.is_some();
            if good && !few {
                entry.compiled = OnceLock::new();
            }
        }
        if let Some(old) = old.filter(|_| !file.faults.is_empty() || file.is_known_broken()) {
            let entry = old.entry.as_ref().and_then(|entry| self.last_good(entry));
            if entry.is_some() || old.side.is_some() {
                let broken = std::mem::replace(&mut file.entry, entry);
                let compiled = broken.and_then(|entry| entry.compiled.into_inner());
                file.faults.extend(compiled.into_iter().flat_map(|compiled| compiled.findings));
                file.side.clone_from(&old.side);
            }
        }
        let text = (good && few && text.len() <= SHORT).then(|| text.into());
        Step { old, new: Some(Arc::new(file)).filter(|file| !file.is_blank()), text }
    }

    /// A definition whose file holds it no longer, if it can be drawn. Its text may be gone; then
    /// what was kept of it takes its place.
    fn last_good(&self, entry: &Entry) -> Option<Entry> {
        if entry.is_known_broken() {
            return None;
        }
        let mut spec = entry.spec.clone();
        let origin = match &entry.origin {
            Origin::File(path) => {
                let recent = self
                    .recent
                    .iter()
                    .find(|(of, text)| of == path && file::fingerprint(text) == entry.print);
                let text = match recent {
                    Some((_, text)) => Arc::clone(text),
                    None => {
                        spec.is_encoded = false;
                        write(&spec)
                    }
                };
                Origin::Text { name: Arc::clone(path), text }
            }
            other => other.clone(),
        };
        let mut good = Entry {
            tool_name: entry.tool_name.clone(),
            spec,
            origin,
            print: entry.print,
            compiled: OnceLock::new(),
        };
        good.compile_after(Some(entry), self.engine()).widget.as_ref()?;
        // Findings about it would point into a text that nobody sees.
        if let Some(compiled) = good.compiled.get_mut() {
            compiled.findings.clear();
        }
        Some(good)
    }

    fn apply(&mut self, step: &Step<'_>) {
        if !step.is_change() {
            return;
        }
        if let Some(old) = step.old {
            self.files.remove(|file| *file.path < *old.path);
            if old.entry.is_some() {
                self.names.remove(|file| by_name(file) < by_name(old));
            }
            if old.side.is_some() {
                self.sides.remove(|file| by_stem(file) < by_stem(old));
            }
            self.recent.retain(|(path, _)| *path != old.path || step.new.is_some());
        }
        let Some(new) = &step.new else { return };
        self.files.insert(Arc::clone(new), |file| *file.path < *new.path);
        if new.entry.is_some() {
            self.names.insert(Arc::clone(new), |file| by_name(file) < by_name(new));
        }
        if new.side.is_some() {
            self.sides.insert(Arc::clone(new), |file| by_stem(file) < by_stem(new));
        }
        if let Some(text) = &step.text {
            self.recent.retain(|(path, _)| *path != new.path);
            self.recent.insert(0, (Arc::clone(&new.path), Arc::clone(text)));
            self.recent.truncate(RECENT);
        }
    }

    /// What the steps have changed for those who call tools.
    fn compare(&self, next: &Catalog, steps: &[Step<'_>], changes: &mut Changes) {
        let mut tools: BTreeSet<&str> = BTreeSet::new();
        let mut sided: BTreeSet<&str> = BTreeSet::new();
        let mut kept: BTreeSet<&str> = BTreeSet::new();
        for step in steps {
            let files = [step.old, step.new.as_ref()];
            for file in files.into_iter().flatten() {
                tools.extend(file.entry.as_ref().map(|entry| &*entry.tool_name));
            }
            let [old, new] = files.map(|file| file.and_then(|file| file.side.as_ref()));
            let same = match (old, new) {
                (Some(old), Some(new)) => Arc::ptr_eq(old, new),
                (old, new) => old.is_none() && new.is_none(),
            };
            if !same && let Some(file) = step.new.as_ref().or(step.old) {
                sided.extend(next.beside(file));
            }
            if let Some(new) = step.new.as_ref().filter(|new| new.is_kept()) {
                kept.extend(new.entry.as_ref().map(|entry| &*entry.tool_name));
                if new.side.is_some() {
                    kept.extend(next.beside(new));
                }
            }
        }
        for tool in tools.union(&sided) {
            match (self.listed(tool), next.listed(tool)) {
                (None, None) => {}
                (None, Some(_)) => changes.added.push((*tool).to_owned()),
                (Some(_), None) => changes.removed.push((*tool).to_owned()),
                (Some((path, before)), Some((now, after))) => {
                    if path != now || before.print != after.print || sided.contains(tool) {
                        changes.changed.push((*tool).to_owned());
                    }
                    changes.listed |= !lists_alike(before, after);
                }
            }
        }
        changes.listed |= !changes.added.is_empty() || !changes.removed.is_empty();
        changes.kept = kept.into_iter().map(str::to_owned).collect();
        let read: BTreeSet<&Path> =
            steps.iter().filter_map(|step| Some(&*step.new.as_ref()?.path)).collect();
        let found = in_parallel(steps, |step| step.new.as_ref().map(|file| next.about(file)));
        changes.findings.extend(found.into_iter().flatten().flatten());
        for tool in tools {
            let files: Vec<&Arc<File>> = next.named(tool).collect();
            let about_read = |finding: &Finding| {
                let file = finding.error.place().file.as_deref();
                file.is_some_and(|file| read.contains(file))
            };
            changes.findings.extend(taken(&files).into_iter().filter(about_read));
        }
    }

    /// The definition that a list shows for a tool, and its file.
    fn listed(&self, tool: &str) -> Option<(&Path, &Entry)> {
        let file = self.named(tool).find(|file| !file.is_known_broken())?;
        Some((&file.path, file.entry.as_ref()?))
    }

    /// The tools whose widgets a side template lies beside, by its name.
    fn beside<'c>(&'c self, side: &File) -> impl Iterator<Item = &'c str> + use<'c> {
        let stem = Path::new(side.stem()).file_stem().unwrap_or_default().to_owned();
        let files = self.names.iter().filter(move |file| file.stem() == stem);
        files.map(|file| file.tool_name())
    }
}

/// Whether a list shows the same for both. A schema that is inferred is in a list only if somebody
/// has compiled the widget for it.
fn lists_alike(before: &Entry, after: &Entry) -> bool {
    let schema = |entry: &Entry| {
        let inferred = entry.widget().map(|widget| widget.schema_json().to_owned());
        entry.spec.schema.as_deref().map(str::to_owned).or(inferred)
    };
    let same_schema = before.spec.schema.is_none() == after.spec.schema.is_none()
        && match (schema(before), schema(after)) {
            (Some(before), Some(after)) => before == after,
            _ => before.spec.template == after.spec.template,
        };
    same_schema
        && before.spec.name == after.spec.name
        && before.spec.description == after.spec.description
        && before.spec.is_encoded == after.spec.is_encoded
}

/// A definition's text from what is kept of it.
fn write(spec: &Spec) -> Arc<str> {
    let schema: Option<Value> =
        spec.schema.as_ref().and_then(|schema| serde_json::from_str(schema).ok());
    let text = json!({
        "version": "1.0",
        "name": spec.name,
        "description": spec.description,
        "template": *spec.template,
        "jsonSchema": schema,
        "copy_text": spec.copy_text.as_deref(),
    });
    text.to_string().into()
}

/// The places that paths stand for, as the catalog names them: sorted, none inside another. A path is
/// relative to the current directory, else to the catalog's.
fn scopes(dir: &Path, paths: &[PathBuf]) -> Vec<PathBuf> {
    let root = plain(dir);
    let real = dir.canonicalize().ok();
    let place = |path: &PathBuf| {
        let full = plain(path)?;
        let inside =
            |root: &Option<PathBuf>| full.strip_prefix(root.as_ref()?).ok().map(Path::to_owned);
        let below = inside(&root).or_else(|| inside(&real)).or_else(|| {
            let full = plain(&dir.join(path)).filter(|_| path.is_relative())?;
            full.strip_prefix(root.as_ref()?).ok().map(Path::to_owned)
        })?;
        Some(if below.as_os_str().is_empty() { dir.to_owned() } else { dir.join(below) })
    };
    let mut scopes: Vec<PathBuf> = paths.iter().filter_map(place).collect();
    scopes.sort();
    scopes.dedup_by(|inner, outer| inner.starts_with(outer));
    scopes
}

/// A path from the root on, without dots; nothing is looked up, because it may be gone.
fn plain(path: &Path) -> Option<PathBuf> {
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

/// Whether a link lies between the directory and the path, or at its end.
fn through_link(dir: &Path, path: &Path) -> bool {
    let between = path.ancestors().take_while(|part| *part != dir);
    between.into_iter().any(|part| part.is_symlink())
}

/// Whether a path is one of these places, which are sorted, or lies below one.
fn under(scopes: &[PathBuf], path: &Path) -> bool {
    let at = scopes.partition_point(|scope| **scope <= *path);
    at.checked_sub(1).and_then(|at| scopes.get(at)).is_some_and(|scope| path.starts_with(scope))
}
