//! Transports: how messages come in and responses go out.

#[cfg(feature = "http")]
pub(crate) mod http;
pub(crate) mod signal;
#[cfg(feature = "stdio")]
pub(crate) mod stdio;

use std::sync::Arc;
use std::time::Duration;

use crate::server::Server;

/// Widgets that are checked without making anyone wait.
const MANY: usize = 256;

/// Checks the widgets of a directory while they are served. Those that are part of the program were
/// checked when it was built.
fn check_widgets_in_background(server: &Arc<Server>) {
    let catalog = Arc::clone(&server.reloader.now().catalog);
    if catalog.dir().is_none() {
        return;
    }
    // Thousands take a second of work, and the first callers go before it.
    let wait = if catalog.len() > MANY { Duration::from_secs(1) } else { Duration::ZERO };
    let server = Arc::clone(server);
    // A thread of its own: it must not keep the runtime from answering, nor from ending.
    let thread = std::thread::Builder::new().name("widgetcast-check".into());
    let check = move || {
        std::thread::sleep(wait);
        server.reloader.check_widgets();
    };
    if let Err(error) = thread.spawn(check) {
        tracing::warn!("cannot check widgets: {error}");
    }
}
