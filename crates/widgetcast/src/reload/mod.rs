//! Reloading: a snapshot of the widgets and pages, replaced as a whole when files change.
//!
//! A reload reads only the files that changed. A call keeps the snapshot that it began with, so none
//! ever sees half of a change.

mod note;
mod watch;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use arc_swap::{ArcSwap, Guard};
use tokio::sync::broadcast;
use widgetcast_core::surface::page::Page as LoadedPage;
use widgetcast_core::{Catalog, Changes, Severity};

use crate::sdk::page::Page;
use note::Notes;
pub(crate) use note::{Note, real_path};
pub(crate) use watch::Watch;

/// Something that clients may want to know about.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// Pages that are no longer shown but may still be asked for: hosts cache a page by its address.
const OLD_PAGES: usize = 32;

#[derive(Debug)]
pub(crate) struct Reloader {
    current: ArcSwap<Snapshot>,
    changes: broadcast::Sender<Change>,
    /// Names of tools whose files have changed, also if nothing came of it.
    edits: broadcast::Sender<Arc<[String]>>,
    notes: Notes,
    /// One reload at a time.
    reloading: Mutex<()>,
}

/// Everything that files can change, at one moment.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub catalog: Arc<Catalog>,
    /// The page that draws every widget.
    pub view: Arc<LoadedPage>,
    /// Pages of the app's own, by name.
    pub pages: BTreeMap<String, Arc<LoadedPage>>,
    old: Vec<Arc<LoadedPage>>,
    /// The first page of `tools/list`, written when it is first asked for.
    pub tools: OnceLock<Arc<str>>,
}

impl Snapshot {
    pub(crate) fn new(
        catalog: Catalog,
        view: LoadedPage,
        pages: BTreeMap<String, Arc<LoadedPage>>,
    ) -> Self {
        let (catalog, view) = (Arc::new(catalog), Arc::new(view));
        Self { catalog, view, pages, old: Vec::new(), tools: OnceLock::new() }
    }

    /// The page at an address, of now or of before.
    pub(crate) fn page(&self, uri: &str) -> Option<&LoadedPage> {
        let now = || std::iter::once(&self.view).chain(self.pages.values());
        let is = |page: &&Arc<LoadedPage>| page.uri == uri;
        let is_fixed = |page: &&Arc<LoadedPage>| page.fixed.as_deref() == Some(uri);
        let found = now().chain(&self.old).find(is).or_else(|| now().find(is_fixed));
        found.map(|page| &**page)
    }
}

impl Reloader {
    pub(crate) fn new(snapshot: Snapshot) -> Self {
        Self {
            current: ArcSwap::from_pointee(snapshot),
            changes: broadcast::Sender::new(64),
            edits: broadcast::Sender::new(64),
            notes: Notes::default(),
            reloading: Mutex::new(()),
        }
    }

    /// What is served now.
    pub(crate) fn now(&self) -> Guard<Arc<Snapshot>> {
        self.current.load()
    }

    /// The same, to keep.
    pub(crate) fn keep(&self) -> Arc<Snapshot> {
        self.current.load_full()
    }

    pub(crate) fn subscribe(&self) -> broadcast::Receiver<Change> {
        self.changes.subscribe()
    }

    pub(crate) fn edits(&self) -> broadcast::Receiver<Arc<[String]>> {
        self.edits.subscribe()
    }

    /// What is wrong with files.
    pub(crate) fn notes(&self) -> Vec<Note> {
        self.notes.list()
    }

    pub(crate) fn announce(&self, change: Change) {
        // Nobody may be listening.
        _ = self.changes.send(change);
    }

    /// Reads these files again and serves what they hold now.
    pub(crate) fn reload(&self, paths: &[PathBuf], pages: &[Page]) -> Changes {
        let _one = self.reloading.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.keep();
        let (catalog, changes) = before.catalog.reread(paths);
        let mut next = Snapshot {
            catalog: Arc::new(catalog),
            view: Arc::clone(&before.view),
            pages: before.pages.clone(),
            old: before.old.clone(),
            tools: OnceLock::new(),
        };
        let mut repaged = false;
        for page in pages.iter().filter(|page| page.path().is_some_and(|at| touches(paths, at))) {
            match page.load() {
                Ok(fresh) => {
                    let fresh = Arc::new(fresh);
                    if let Some(old) = next.pages.insert(page.name.clone(), Arc::clone(&fresh))
                        && old.uri != fresh.uri
                    {
                        next.old.insert(0, old);
                        next.old.truncate(OLD_PAGES);
                        repaged = true;
                    }
                }
                Err(error) => tracing::error!("{error}; the last good page is kept"),
            }
        }
        self.current.store(Arc::new(next));
        for finding in &changes.findings {
            match finding.severity {
                Severity::Error => tracing::error!("{finding:#}"),
                _ => tracing::warn!("{finding:#}"),
            }
        }
        self.notes.replace(Some(paths), &changes.findings);
        let lists = [&changes.added, &changes.changed, &changes.removed, &changes.kept];
        let names = lists.into_iter().flatten().cloned().collect();
        // Nobody may be listening.
        _ = self.edits.send(names);
        if changes.list_changed() || repaged {
            self.announce(Change::Tools);
            self.announce(Change::Resources);
        }
        // Whoever reads about a single widget; of many at once the lists tell.
        for name in changes.changed.iter().take(8) {
            for facet in ["template", "schema", "preview"] {
                self.announce(Change::Resource(format!("widget://{name}/{facet}")));
            }
        }
        changes
    }

    /// Checks every widget, logs what is wrong, and no longer lists what cannot be drawn.
    pub(crate) fn check_widgets(&self) {
        let before = self.keep();
        let listed = before.catalog.len();
        let findings = before.catalog.check_all();
        self.notes.replace(None, &findings);
        for finding in findings {
            match finding.severity {
                Severity::Error => tracing::error!("{finding:#}"),
                Severity::Warning => tracing::warn!("{finding}"),
                Severity::Note => tracing::debug!("{finding}"),
            }
        }
        if before.catalog.len() != listed {
            let _one = self.reloading.lock().unwrap_or_else(PoisonError::into_inner);
            let now = self.keep();
            self.current.store(Arc::new(Snapshot {
                catalog: Arc::clone(&now.catalog),
                view: Arc::clone(&now.view),
                pages: now.pages.clone(),
                old: now.old.clone(),
                tools: OnceLock::new(),
            }));
            self.announce(Change::Tools);
        }
    }
}

fn touches(paths: &[PathBuf], file: &Path) -> bool {
    let real = file.canonicalize().ok();
    paths.iter().any(|path| path == file || Some(path) == real.as_ref())
}
