//! The live part of an app: a snapshot of its widgets and pages, swapped whole when files change.
//!
//! A reload reads only the files that changed. Whoever holds a snapshot finishes with it, so no
//! call ever sees half of a change.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, mpsc};
use std::time::{Duration, Instant};

use arc_swap::{ArcSwap, Guard};
use notify::Watcher as _;
use tokio::sync::broadcast;
use widgetcast_core::surface::mcp_apps;
use widgetcast_core::{Catalog, Changes, Finding, Severity};

use crate::page::Page;

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
/// Events closer together than this are one change; editors write a file in several steps.
const QUIET: Duration = Duration::from_millis(15);
/// What comes closer together than this wakes us once: one save is half a dozen events.
const BURST: Duration = Duration::from_millis(2);
/// How long a stream of events may keep a change waiting.
const PATIENCE: Duration = Duration::from_millis(100);

/// Something that is wrong with a file, in words.
#[derive(Clone, Debug)]
pub(crate) struct Note {
    pub path: PathBuf,
    pub severity: Severity,
    pub message: String,
    /// The message with the lines it is about.
    pub excerpt: String,
}

impl Note {
    fn new(finding: &Finding) -> Self {
        Self {
            path: whole(&finding.error.place().file.clone().unwrap_or_default()),
            severity: finding.severity,
            message: finding.error.message().to_owned(),
            excerpt: format!("{finding:#}"),
        }
    }
}

/// Notes that are kept to be shown; the log has all.
const NOTES: usize = 500;

#[derive(Debug)]
pub(crate) struct Live {
    current: ArcSwap<Snapshot>,
    changes: broadcast::Sender<Change>,
    /// Names of tools whose files have changed, also if nothing came of it.
    edits: broadcast::Sender<Arc<[String]>>,
    notes: Mutex<Vec<Note>>,
    /// One reload at a time.
    reloading: Mutex<()>,
}

/// Everything that files can change, at one moment.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub catalog: Arc<Catalog>,
    /// The page that draws every widget.
    pub view: Arc<mcp_apps::Page>,
    /// Pages of the app's own, by name.
    pub pages: BTreeMap<String, Arc<mcp_apps::Page>>,
    old: Vec<Arc<mcp_apps::Page>>,
    /// The first page of `tools/list`, written when it is first asked for.
    pub tools: OnceLock<Arc<str>>,
}

impl Snapshot {
    pub(crate) fn new(
        catalog: Catalog,
        view: mcp_apps::Page,
        pages: BTreeMap<String, Arc<mcp_apps::Page>>,
    ) -> Self {
        let (catalog, view) = (Arc::new(catalog), Arc::new(view));
        Self { catalog, view, pages, old: Vec::new(), tools: OnceLock::new() }
    }

    /// The page at an address, of now or of before.
    pub(crate) fn page(&self, uri: &str) -> Option<&mcp_apps::Page> {
        let now = || std::iter::once(&self.view).chain(self.pages.values());
        let is = |page: &&Arc<mcp_apps::Page>| page.uri == uri;
        let is_fixed = |page: &&Arc<mcp_apps::Page>| page.fixed.as_deref() == Some(uri);
        let found = now().chain(&self.old).find(is).or_else(|| now().find(is_fixed));
        found.map(|page| &**page)
    }
}

impl Live {
    pub(crate) fn new(snapshot: Snapshot) -> Self {
        Self {
            current: ArcSwap::from_pointee(snapshot),
            changes: broadcast::Sender::new(64),
            edits: broadcast::Sender::new(64),
            notes: Mutex::default(),
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
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Keeps what was found about these paths, or about all files.
    fn note(&self, paths: Option<&[PathBuf]>, findings: &[Finding]) {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        match paths {
            Some(paths) => {
                let paths: Vec<PathBuf> = paths.iter().map(|path| whole(path)).collect();
                // Bytes first: there may be hundreds of notes, and paths are compared part by part.
                let within = |file: &Path, path: &Path| {
                    let [head, start] = [file, path].map(|p| p.as_os_str().as_encoded_bytes());
                    head.starts_with(start) && file.starts_with(path)
                };
                notes.retain(|note| !paths.iter().any(|path| within(&note.path, path)));
            }
            None => notes.clear(),
        }
        let worth = findings.iter().filter(|finding| finding.severity != Severity::Note);
        let room = NOTES.saturating_sub(notes.len());
        notes.extend(worth.take(room).map(Note::new));
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
        self.note(Some(paths), &changes.findings);
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

    /// Looks at every widget, says what is wrong, and no longer lists what cannot be drawn.
    pub(crate) fn examine(&self) {
        let before = self.keep();
        let listed = before.catalog.len();
        let findings = before.catalog.examine();
        self.note(None, &findings);
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

/// A path as it really is: the watcher gives such, and a catalog those that it was given. The file
/// itself may be gone.
pub(crate) fn whole(path: &Path) -> PathBuf {
    let folder = path.parent().and_then(|folder| {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        folder.canonicalize().ok()
    });
    match (folder, path.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => path.canonicalize().unwrap_or_else(|_| path.to_owned()),
    }
}

fn touches(paths: &[PathBuf], file: &Path) -> bool {
    let real = file.canonicalize().ok();
    paths.iter().any(|path| path == file || Some(path) == real.as_ref())
}

/// Watches a directory and single files; ends when it is dropped.
#[derive(Debug)]
pub(crate) struct Watch {
    _watcher: notify::RecommendedWatcher,
}

impl Watch {
    /// Calls `reload` with the paths that changed, from a thread of its own.
    pub(crate) fn start(
        dir: Option<&Path>,
        files: &[PathBuf],
        reload: impl Fn(&[PathBuf]) + Send + 'static,
    ) -> Result<Self, notify::Error> {
        let (send, events) = mpsc::channel();
        // That a file was read is no news: mostly it was we who did.
        let is_news = |event: &notify::Event| event.need_rescan() || !event.kind.is_access();
        let mut watcher = notify::recommended_watcher(move |event: notify::Result<_>| {
            if event.as_ref().map_or(true, is_news) {
                // Nobody listens any more once the watch has been dropped.
                _ = send.send(event);
            }
        })?;
        if let Some(dir) = dir {
            watcher.watch(dir, notify::RecursiveMode::Recursive)?;
        }
        // Editors replace files, so it is the folder that must be watched.
        let mut folders: Vec<&Path> = files
            .iter()
            .filter_map(|file| file.parent())
            .map(|at| if at.as_os_str().is_empty() { Path::new(".") } else { at })
            .collect();
        folders.sort();
        folders.dedup();
        for folder in folders {
            watcher.watch(folder, notify::RecursiveMode::NonRecursive)?;
        }
        let dir = dir.map(Path::to_owned);
        std::thread::Builder::new()
            .name("widgetcast-watch".into())
            .spawn(move || follow(&events, dir.as_deref(), &reload))
            .map_err(notify::Error::io)?;
        Ok(Self { _watcher: watcher })
    }
}

fn follow(
    events: &mpsc::Receiver<notify::Result<notify::Event>>,
    dir: Option<&Path>,
    reload: &dyn Fn(&[PathBuf]),
) {
    // Ends when the watcher is gone.
    while let Ok(first) = events.recv() {
        let mut paths = Vec::new();
        let until = Instant::now() + PATIENCE;
        let mut event = Some(first);
        std::thread::sleep(BURST);
        while let Some(result) = event {
            match result {
                Ok(event) if event.need_rescan() => paths.extend(dir.map(Path::to_owned)),
                Ok(event) => paths.extend(event.paths),
                Err(error) => tracing::warn!("files cannot be watched: {error}"),
            }
            let wait = QUIET.min(until.saturating_duration_since(Instant::now()));
            event = events.recv_timeout(wait).ok();
        }
        paths.sort();
        paths.dedup();
        if !paths.is_empty() {
            reload(&paths);
        }
    }
}
