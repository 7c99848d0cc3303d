//! Watching files: calls back with the paths that have changed.

use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use notify::Watcher as _;

/// Events closer together than this are one change; editors write a file in several steps.
const QUIET: Duration = Duration::from_millis(15);
/// How long to sleep after the first event: one save is half a dozen of them.
const BURST: Duration = Duration::from_millis(2);
/// How long a stream of events may keep a change waiting.
const PATIENCE: Duration = Duration::from_millis(100);

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
