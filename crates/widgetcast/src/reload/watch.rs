//! Watches files, and calls back with the changed paths.
//!
//! File system events are fast but unreliable: the root is compared with its last state every second, and
//! failed watches and reads are retried with a backoff.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

use widgetcast_core::is_left_out;

use super::folders::{Folders, NewWatcher};

/// Events closer together than this count as one change; editors write a file in several steps.
const QUIET: Duration = Duration::from_millis(15);
/// How long to sleep after the first event: one save causes half a dozen.
const BURST: Duration = Duration::from_millis(2);
/// How long continuous events may delay a change.
const PATIENCE: Duration = Duration::from_millis(100);
/// How often the root is compared.
const POLL: Duration = Duration::from_secs(1);
/// The maximum delay of a retry.
const MAX_DELAY: Duration = Duration::from_secs(30);
/// Capacity of the event queue; if it overflows, everything is read again.
const MAX_EVENTS: usize = 4096;

/// An event for the thread. The details of an error do not matter: events may have been lost.
enum Signal {
    Changed(Vec<PathBuf>),
    Lost,
    Stop,
}

/// Watches a directory and individual files until it is dropped.
#[derive(Debug)]
pub(crate) struct Watch {
    signals: SyncSender<Signal>,
    stopped: Arc<AtomicBool>,
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        // If the queue is full, the thread is awake and checks the flag.
        _ = self.signals.try_send(Signal::Stop);
    }
}

impl Watch {
    /// Calls `reload` with the changed paths, from a separate thread. It returns the paths that could not be
    /// read, which are retried, as are those of `unread`. The thread calls `prepare` before it handles
    /// changes.
    pub(crate) fn start(
        dir: Option<&Path>,
        files: &[PathBuf],
        unread: Vec<PathBuf>,
        prepare: impl FnOnce() + Send + 'static,
        reload: impl Fn(&[PathBuf]) -> Vec<PathBuf> + Send + 'static,
    ) -> std::io::Result<Self> {
        Self::start_with(dir, files, unread, prepare, reload, new_watcher)
    }

    fn start_with(
        dir: Option<&Path>,
        files: &[PathBuf],
        unread: Vec<PathBuf>,
        prepare: impl FnOnce() + Send + 'static,
        reload: impl Fn(&[PathBuf]) -> Vec<PathBuf> + Send + 'static,
        new_watcher: impl Fn(SyncSender<Signal>, Arc<AtomicBool>) -> NewWatcher,
    ) -> std::io::Result<Self> {
        let (send, signals) = mpsc::sync_channel(MAX_EVENTS);
        let overflow = Arc::new(AtomicBool::new(false));
        let new_watcher = new_watcher(send.clone(), Arc::clone(&overflow));
        let mut folders = Folders::new(dir, files, new_watcher);
        folders.sync();
        let stopped = Arc::new(AtomicBool::new(false));
        let mut follower = Follower {
            dir: dir.map(Path::to_owned),
            files: files.to_vec(),
            folders,
            retry: Retry::default(),
            is_told: false,
            overflow,
            stopped: Arc::clone(&stopped),
            reload,
        };
        follower.retry.done(&[], unread, follower.folders.is_partial());
        std::thread::Builder::new().name("widgetcast-watch".into()).spawn(move || {
            prepare();
            follower.follow(&signals);
        })?;
        Ok(Self { signals: send, stopped })
    }
}

fn new_watcher(send: SyncSender<Signal>, overflow: Arc<AtomicBool>) -> NewWatcher {
    Box::new(move || {
        let (send, overflow) = (send.clone(), Arc::clone(&overflow));
        notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            let signal = match event {
                Ok(event) if event.need_rescan() => Signal::Lost,
                // Ignore read events: most are our own.
                Ok(event) if event.kind.is_access() => return,
                Ok(event) => Signal::Changed(event.paths),
                Err(_) => Signal::Lost,
            };
            if send.try_send(signal).is_err() {
                overflow.store(true, Ordering::Relaxed);
            }
        })
    })
}

/// The thread that handles the events.
struct Follower<F> {
    dir: Option<PathBuf>,
    files: Vec<PathBuf>,
    folders: Folders,
    retry: Retry,
    /// Whether incomplete watching has been logged.
    is_told: bool,
    overflow: Arc<AtomicBool>,
    stopped: Arc<AtomicBool>,
    reload: F,
}

impl<F: Fn(&[PathBuf]) -> Vec<PathBuf>> Follower<F> {
    fn follow(&mut self, signals: &Receiver<Signal>) {
        self.tell();
        loop {
            let first = match signals.recv_timeout(POLL) {
                Ok(first) => Some(first),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            let mut paths = first.map_or_else(Vec::new, |first| self.burst(first, signals));
            if self.stopped.load(Ordering::Relaxed) {
                return;
            }
            let is_doubtful = paths.iter().any(|path| self.folders.concerns(path));
            let retried = self.retry.due();
            let is_partial = self.folders.is_partial() && retried.is_some();
            if is_doubtful || is_partial || self.folders.is_replaced() {
                paths.iter().for_each(|path| self.folders.forget(path));
                paths.extend(self.folders.sync());
                // A removed root is a change, too.
                paths.extend(self.dir.clone().filter(|dir| !dir.exists()));
                self.tell();
            }
            paths.extend(retried.into_iter().flatten());
            paths.sort();
            paths.dedup();
            let unread = if paths.is_empty() { Vec::new() } else { (self.reload)(&paths) };
            self.retry.done(&paths, unread, self.folders.is_partial());
        }
    }

    /// The paths of a first event and of those that follow it closely.
    fn burst(&mut self, first: Signal, signals: &Receiver<Signal>) -> Vec<PathBuf> {
        let mut paths = BTreeSet::new();
        let until = Instant::now() + PATIENCE;
        let mut signal = Some(first);
        std::thread::sleep(BURST);
        while let Some(one) = signal {
            match one {
                Signal::Changed(changed) => {
                    paths.extend(changed.into_iter().filter(|path| self.is_news(path)));
                }
                Signal::Lost => paths.extend(self.dir.clone()),
                Signal::Stop => return Vec::new(),
            }
            if self.overflow.swap(false, Ordering::Relaxed) {
                paths.extend(self.dir.iter().chain(&self.files).cloned());
            }
            let wait = QUIET.min(until.saturating_duration_since(Instant::now()));
            signal = signals.recv_timeout(wait).ok();
        }
        paths.into_iter().collect()
    }

    /// Whether a change at this path may matter. Hidden files do not, except that other files may be symlinks
    /// through a hidden symlink, which is replaced: Kubernetes mounts volumes this way.
    fn is_news(&self, path: &Path) -> bool {
        !path.file_name().is_some_and(is_left_out)
            || self.folders.concerns(path)
            || path.is_symlink()
            || self.files.iter().any(|file| file.file_name() == path.file_name())
    }

    /// Logs once that changes may be noticed late, and once that this is over.
    fn tell(&mut self) {
        if self.is_told == self.folders.is_partial() {
            return;
        }
        self.is_told = !self.is_told;
        if self.is_told {
            tracing::warn!(
                "cannot watch every directory; changes may take up to {} seconds to be noticed",
                MAX_DELAY.as_secs()
            );
        } else {
            tracing::info!("watching every directory again");
        }
    }
}

/// Pending retries.
#[derive(Default)]
struct Retry {
    paths: BTreeSet<PathBuf>,
    at: Option<Instant>,
    delay: Duration,
}

impl Retry {
    /// The paths to read again, if it is time.
    fn due(&mut self) -> Option<Vec<PathBuf>> {
        self.at.take_if(|at| *at <= Instant::now())?;
        self.delay = (self.delay * 2).min(MAX_DELAY);
        Some(self.paths.iter().cloned().collect())
    }

    /// Updates the retries after a reload.
    fn done(&mut self, paths: &[PathBuf], unread: Vec<PathBuf>, is_partial: bool) {
        self.paths.retain(|known| !paths.iter().any(|path| known.starts_with(path)));
        self.paths.extend(unread);
        if self.paths.is_empty() && !is_partial {
            (self.at, self.delay) = (None, POLL);
        } else if self.at.is_none() {
            self.delay = self.delay.max(POLL);
            self.at = Some(Instant::now() + self.delay);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    /// Waits until the paths of a reload meet a condition.
    fn until(reloads: &Receiver<Vec<PathBuf>>, what: &str, is: impl Fn(&Path) -> bool) {
        let hangs = Instant::now() + Duration::from_secs(60);
        loop {
            let left = hangs.saturating_duration_since(Instant::now());
            let paths = reloads.recv_timeout(left).unwrap_or_else(|_| panic!("{what}: it hangs"));
            if paths.iter().any(|path| is(path)) {
                return;
            }
        }
    }

    /// As when the watch limit is reached: changes are found by polling until watches are available again.
    #[test]
    fn without_a_watcher_the_root_is_read_again() {
        let dir = tempfile::tempdir().expect("a folder");
        let root = dir.path().canonicalize().expect("a path");
        let (send, reloads) = mpsc::channel();
        let failures = Arc::new(AtomicUsize::new(2));
        let none_left = |send: SyncSender<Signal>, overflow: Arc<AtomicBool>| -> NewWatcher {
            let (failures, working) = (Arc::clone(&failures), new_watcher(send, overflow));
            Box::new(move || {
                let took = |left: usize| left.checked_sub(1);
                match failures.fetch_update(Ordering::SeqCst, Ordering::SeqCst, took) {
                    Ok(_) => Err(notify::Error::new(notify::ErrorKind::MaxFilesWatch)),
                    Err(_) => working(),
                }
            })
        };
        let reload = move |paths: &[PathBuf]| {
            _ = send.send(paths.to_vec());
            Vec::new()
        };
        let watch = Watch::start_with(Some(&root), &[], Vec::new(), || {}, reload, none_left);
        let watch = watch.expect("a thread");
        until(&reloads, "looked at again", |path| path == root);
        assert_eq!(failures.load(Ordering::SeqCst), 0);
        until(&reloads, "watched", |path| path == root);
        std::fs::write(root.join("a.widget"), "{}").expect("a file");
        until(&reloads, "an event", |path| path.ends_with("a.widget"));
        drop(watch);
        assert!(reloads.recv_timeout(Duration::from_secs(60)).is_err(), "the thread ends");
    }

    /// Unreadable files are retried until they can be read.
    #[test]
    fn what_could_not_be_read_is_tried_again() {
        let dir = tempfile::tempdir().expect("a folder");
        let file = dir.path().join("a.widget");
        let (send, reloads) = mpsc::channel();
        let left = AtomicUsize::new(2);
        let again = file.clone();
        let reload = move |paths: &[PathBuf]| {
            _ = send.send(paths.to_vec());
            let took = |left: usize| left.checked_sub(1);
            match left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, took) {
                Ok(_) => vec![again.clone()],
                Err(_) => Vec::new(),
            }
        };
        let unread = vec![file.clone()];
        let watch = Watch::start(Some(dir.path()), &[], unread, || {}, reload).expect("a thread");
        for _ in 0..3 {
            until(&reloads, "tried again", |path| path == file);
        }
        assert!(reloads.recv_timeout(POLL * 2).is_err(), "there is nothing left to try");
        drop(watch);
    }
}
