//! Reloading: an immutable snapshot of the widgets and pages, replaced when files change.
//!
//! A reload reads only the changed files. A call keeps its snapshot, so it never sees a partial change.

#[cfg(feature = "watch")]
mod folders;
mod health;
mod note;
#[cfg(feature = "watch")]
mod watch;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::{ArcSwap, ArcSwapOption, Guard};
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;
use widgetcast_core::surface::page::Page as LoadedPage;
use widgetcast_core::{Catalog, Changes, Finding, Kind, Severity, Widget};

use crate::components;
use crate::sdk::page::Page;
use health::Health;
use note::Notes;
pub(crate) use note::{Note, real_path};
#[cfg(feature = "watch")]
pub(crate) use watch::Watch;

/// A change that clients are notified of: see [`App::announce`](crate::App::announce).
///
/// ```
/// use widgetcast::{App, Change};
///
/// /// After an order: clients that subscribed to the stock read it again.
/// fn ordered(app: &App, product: &str) {
///     app.announce(Change::Resource(format!("shop://stock/{product}")));
/// }
/// # let _ = ordered;
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// The list of tools has changed.
    Tools,
    /// The list of resources has changed.
    Resources,
    /// The list of prompts has changed.
    Prompts,
    /// One resource has changed.
    Resource(String),
}

/// Old pages that may still be requested, since hosts cache a page by its URI.
const OLD_PAGES: usize = 32;

#[derive(Debug)]
pub(crate) struct Reloader {
    current: ArcSwap<Snapshot>,
    changes: broadcast::Sender<Change>,
    /// The names of tools whose files have changed, even without an effect.
    edits: broadcast::Sender<Arc<[String]>>,
    notes: Notes,
    health: Health,
    /// Pages that could not be reloaded, by name, with the reason.
    broken_pages: Mutex<BTreeMap<String, String>>,
    /// Serializes reloads.
    reloading: Mutex<()>,
}

/// The outcome of a reload.
pub(crate) struct Reloaded {
    pub changes: Changes,
    /// Files and directories that could not be read and are retried.
    pub unread: Vec<PathBuf>,
}

/// Everything that is loaded from files.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub catalog: Arc<Catalog>,
    /// The page that renders all widgets.
    pub view: Arc<LoadedPage>,
    /// The app's custom pages, by name.
    pub pages: BTreeMap<String, Arc<LoadedPage>>,
    old: Vec<Arc<LoadedPage>>,
    /// The first page of `tools/list`, serialized on first use, with the version of the app that it belongs
    /// to.
    pub tools: ArcSwapOption<(u64, Arc<str>)>,
}

impl Snapshot {
    pub(crate) fn new(
        catalog: Catalog,
        view: LoadedPage,
        pages: BTreeMap<String, Arc<LoadedPage>>,
    ) -> Self {
        let (catalog, view) = (Arc::new(catalog), Arc::new(view));
        Self { catalog, view, pages, old: Vec::new(), tools: ArcSwapOption::empty() }
    }

    /// A copy with another catalog.
    fn with(&self, catalog: Arc<Catalog>) -> Self {
        Self {
            catalog,
            view: Arc::clone(&self.view),
            pages: self.pages.clone(),
            old: self.old.clone(),
            tools: ArcSwapOption::empty(),
        }
    }

    /// The widget of this name: from the catalog, or the one that renders components.
    pub(crate) fn widget(&self, name: &str) -> Option<&Widget> {
        match name {
            components::WIDGET => components::widget(),
            _ => self.catalog.get(name),
        }
    }

    /// The page with this URI, current or old.
    pub(crate) fn page(&self, uri: &str) -> Option<&LoadedPage> {
        let now = || std::iter::once(&self.view).chain(self.pages.values());
        let is = |page: &&Arc<LoadedPage>| page.uri == uri;
        let is_fixed = |page: &&Arc<LoadedPage>| page.fixed.as_deref() == Some(uri);
        let found = now().chain(&self.old).find(is).or_else(|| now().find(is_fixed));
        found.map(|page| &**page)
    }
}

impl Reloader {
    /// Serves a snapshot. `needs_widgets` is whether the app has no other tools.
    pub(crate) fn new(snapshot: Snapshot, needs_widgets: bool) -> Self {
        Self {
            health: Health::new(&snapshot.catalog, needs_widgets),
            broken_pages: Mutex::default(),
            current: ArcSwap::from_pointee(snapshot),
            changes: broadcast::Sender::new(64),
            edits: broadcast::Sender::new(64),
            notes: Notes::default(),
            reloading: Mutex::new(()),
        }
    }

    /// The current snapshot.
    pub(crate) fn now(&self) -> Guard<Arc<Snapshot>> {
        self.current.load()
    }

    /// The same, as an owned reference.
    pub(crate) fn keep(&self) -> Arc<Snapshot> {
        self.current.load_full()
    }

    pub(crate) fn subscribe(&self) -> broadcast::Receiver<Change> {
        self.changes.subscribe()
    }

    /// Tells galleries what has changed.
    pub(crate) fn edited(&self, names: Arc<[String]>) {
        // There may be no receivers.
        _ = self.edits.send(names);
    }

    pub(crate) fn edits(&self) -> broadcast::Receiver<Arc<[String]>> {
        self.edits.subscribe()
    }

    /// The findings about files.
    pub(crate) fn notes(&self) -> Vec<Note> {
        self.notes.list()
    }

    pub(crate) fn announce(&self, change: Change) {
        // There may be no receivers.
        _ = self.changes.send(change);
    }

    /// Why the directory of widgets cannot be served, for the operator; `None` if it can, or if there is
    /// none.
    pub(crate) fn problem(&self) -> Option<&'static str> {
        self.health.problem()
    }

    /// Reads these files again and serves the result.
    pub(crate) fn reload(&self, paths: &[PathBuf], pages: &[Page]) -> Reloaded {
        let _one = self.reloading.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.keep();
        let (catalog, mut changes) = before.catalog.reread(paths);
        let mut next = before.with(Arc::new(catalog));
        let mut unread = Vec::new();
        let repaged = self.reload_pages(&mut next, paths, pages, &mut unread);
        let next = Arc::new(next);
        self.current.store(Arc::clone(&next));
        let is_unread = |finding: &&Finding| finding.error.kind() == Kind::FileRead;
        let file = |finding: &Finding| finding.error.place().file.clone();
        unread.extend(changes.findings.iter().filter(is_unread).filter_map(file));
        self.look_at_folder(&next.catalog, Some(paths), &mut changes.findings);
        log(self.notes.replace(Some(paths), &changes.findings), true);
        let lists = [&changes.added, &changes.changed, &changes.removed, &changes.kept];
        let names = lists.into_iter().flatten().cloned().collect();
        // There may be no receivers.
        _ = self.edits.send(names);
        if changes.list_changed() || repaged {
            self.announce(Change::Tools);
            self.announce(Change::Resources);
        }
        // For subscribers of a single widget; after a change of many, the list notification is enough.
        for name in changes.changed.iter().take(8) {
            for facet in ["template", "schema", "preview"] {
                self.announce(Change::Resource(format!("widget://{name}/{facet}")));
            }
        }
        Reloaded { changes, unread }
    }

    /// Reads the pages at these paths again. Returns whether the URI of any has changed.
    fn reload_pages(
        &self,
        next: &mut Snapshot,
        paths: &[PathBuf],
        pages: &[Page],
        unread: &mut Vec<PathBuf>,
    ) -> bool {
        let mut repaged = false;
        let mut broken = self.broken_pages.lock().unwrap_or_else(PoisonError::into_inner);
        for page in pages {
            let Some(path) = page.path().filter(|path| touches(paths, path)) else { continue };
            match page.load() {
                Ok(fresh) => {
                    broken.remove(&page.name);
                    let fresh = Arc::new(fresh);
                    if let Some(old) = next.pages.insert(page.name.clone(), Arc::clone(&fresh))
                        && old.uri != fresh.uri
                    {
                        next.old.insert(0, old);
                        next.old.truncate(OLD_PAGES);
                        repaged = true;
                    }
                }
                Err(error) => {
                    unread.push(path.to_owned());
                    if broken.get(&page.name) != Some(&error) {
                        tracing::error!("{error}; keeping the last good page");
                        broken.insert(page.name.clone(), error);
                    }
                }
            }
        }
        repaged
    }

    /// Checks every widget and renders its sample, logs the findings, and unlists widgets that cannot be
    /// rendered.
    pub(crate) fn check_widgets(&self) {
        /// The findings about a catalog, and whether its list has changed.
        fn check(catalog: &Catalog) -> (Vec<Finding>, bool) {
            let broken = catalog.count_broken();
            let findings = catalog.check_all();
            (findings, catalog.count_broken() != broken)
        }
        let mut checked = self.keep();
        let (mut findings, mut is_changed) = check(&checked.catalog);
        let _one = self.reloading.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.keep();
        if !Arc::ptr_eq(&now.catalog, &checked.catalog) {
            // Files were reloaded in the meantime, with newer findings. Unchanged widgets are shared, so they
            // are found broken only once.
            let (again, is_changed_again) = check(&now.catalog);
            findings = again;
            is_changed |= is_changed_again;
            checked = now;
        }
        self.look_at_folder(&checked.catalog, None, &mut findings);
        log(self.notes.replace(None, &findings), false);
        if is_changed {
            self.current.store(Arc::new(checked.with(Arc::clone(&checked.catalog))));
            self.announce(Change::Tools);
            self.announce(Change::Resources);
            // There may be no receivers.
            _ = self.edits.send(Arc::new([]));
        }
    }

    /// Removes the findings about the directory itself, and records its state.
    fn look_at_folder(
        &self,
        catalog: &Catalog,
        paths: Option<&[PathBuf]>,
        findings: &mut Vec<Finding>,
    ) {
        let Some(dir) = catalog.dir() else { return };
        let is_about = |finding: &mut Finding| finding.error.place().file.as_deref() == Some(dir);
        let about = findings.extract_if(.., is_about).next();
        let is_searched = paths.is_none_or(|paths| touches(paths, dir));
        let wrong = self.health.update(catalog, about, is_searched);
        self.notes.about_folder(wrong.as_ref());
    }
}

/// Logs findings. After an edit, warnings include their excerpt.
fn log((findings, left_out): (Vec<&Finding>, usize), is_edit: bool) {
    for finding in findings {
        match finding.severity {
            Severity::Error => tracing::error!("{finding:#}"),
            Severity::Warning if is_edit => tracing::warn!("{finding:#}"),
            Severity::Warning => tracing::warn!("{finding}"),
            Severity::Note => tracing::debug!("{finding}"),
        }
    }
    if left_out > 0 {
        tracing::warn!("{left_out} more findings not logged; run `widgetcast check` to see all");
    }
}

/// Whether a file is among the paths, or in one of them.
fn touches(paths: &[PathBuf], file: &Path) -> bool {
    let real = file.canonicalize().ok();
    paths
        .iter()
        .any(|path| file.starts_with(path) || real.iter().any(|real| real.starts_with(path)))
}
