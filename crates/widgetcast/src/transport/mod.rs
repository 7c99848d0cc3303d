//! Transports: how messages come in and responses go out.

#[cfg(feature = "http")]
pub(crate) mod http;
pub(crate) mod signal;
#[cfg(feature = "stdio")]
pub(crate) mod stdio;

use std::sync::Arc;
use std::time::Duration;

use crate::server::Server;

/// Checks widgets in the background.
const MANY: usize = 256;

/// Checks the widgets of a directory while they are served. Embedded widgets were checked at build time.
fn check_widgets_in_background(server: &Arc<Server>) {
    let catalog = Arc::clone(&server.reloader.now().catalog);
    if catalog.dir().is_none() {
        return;
    }
    // Thousands of widgets take a second, and early callers come first.
    let wait = if catalog.len() > MANY { Duration::from_secs(1) } else { Duration::ZERO };
    let server = Arc::clone(server);
    // On a separate thread, so that it blocks neither the runtime nor its shutdown.
    let thread = std::thread::Builder::new().name("widgetcast-check".into());
    let check = move || {
        std::thread::sleep(wait);
        server.reloader.check_widgets();
    };
    if let Err(error) = thread.spawn(check) {
        tracing::warn!("cannot check widgets: {error}");
    }
}
