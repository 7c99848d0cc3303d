//! Watches the files of an app.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use super::App;
use crate::reload::{Reloaded, Watch};
use crate::sdk::event::Event;

impl App {
    /// Watches widgets and pages on disk, and reloads them until the app is dropped.
    pub fn watch(&self) -> std::io::Result<()> {
        let snapshot = self.fixed.reloader.keep();
        let pages = self.fixed.pages.iter();
        let files: Vec<PathBuf> =
            pages.filter_map(|page| page.path().map(Path::to_owned)).collect();
        let server = Arc::downgrade(&self.fixed);
        let unread = snapshot.catalog.unread().map(Path::to_owned).collect();
        let catalog = Arc::clone(&snapshot.catalog);
        let prepare = move || catalog.keep_samples();
        let watch = Watch::start(snapshot.catalog.dir(), &files, unread, prepare, move |paths| {
            let Some(server) = server.upgrade() else { return Vec::new() };
            let Reloaded { changes, unread } = server.reloader.reload(paths, &server.pages);
            if !changes.is_empty() || !changes.kept.is_empty() {
                server.metrics.reloads.inc();
                server.emit(&Event::Reloaded {
                    added: &changes.added,
                    changed: &changes.changed,
                    removed: &changes.removed,
                    kept: &changes.kept,
                });
            }
            unread
        })?;
        *self.fixed.watch.lock().unwrap_or_else(PoisonError::into_inner) = Some(watch);
        Ok(())
    }
}
