//! Logs the events of a server.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use widgetcast::Event;
use widgetcast::auth::Throttle;

/// Maximum length of a logged error.
const MAX_ERROR_BYTES: usize = 500;
/// Maximum logged failures per tool and period; the others are counted.
const MAX_FAILURES: usize = 10;
const FAILURE_PERIOD: Duration = Duration::from_secs(10);

/// A listener that logs. The tools of wrapped servers are not counted.
pub(crate) fn listener(is_wrap: bool) -> impl Fn(&Event<'_>) + Send + Sync + 'static {
    let failures = Mutex::new(Throttle::<String>::new(MAX_FAILURES, FAILURE_PERIOD));
    move |event| {
        if !matches!(event, Event::Failed { .. } | Event::Stopped) {
            return write(event, is_wrap);
        }
        let now = Instant::now();
        // At shutdown, all periods end.
        let end = if matches!(event, Event::Stopped) { now + FAILURE_PERIOD } else { now };
        let mut failures = failures.lock().unwrap_or_else(PoisonError::into_inner);
        for (tool, count) in failures.left_out(end) {
            let tool = tool.as_deref().unwrap_or("others");
            tracing::warn!(tool, "failed: {count} more failures not logged");
        }
        if !matches!(event, Event::Failed { tool, .. } if !failures.admits(*tool, now)) {
            write(event, is_wrap);
        }
    }
}

/// An error for the log, on one line and of bounded length, because the caller controls this text, and must
/// not be able to forge log lines or fill the disk.
fn one_line(error: &str) -> String {
    let ends = error.char_indices().map(|(at, _)| at).take_while(|at| *at <= MAX_ERROR_BYTES);
    let end = if error.len() <= MAX_ERROR_BYTES { error.len() } else { ends.last().unwrap_or(0) };
    let mut line = widgetcast_core::printable(&error[..end]).replace('\n', " ");
    if end < error.len() {
        line.push('…');
    }
    line
}

fn write(event: &Event<'_>, is_wrap: bool) {
    match event {
        Event::Started { at, gallery, tools } => {
            let plural = if *tools == 1 { "" } else { "s" };
            let place = if *at == "stdio" { "over stdio".to_owned() } else { format!("at {at}") };
            match tools {
                _ if is_wrap => tracing::info!("serving {place}"),
                0 => tracing::warn!("serving {place}, but no widgets were found"),
                tools => tracing::info!("serving {tools} tool{plural} {place}"),
            }
            if let Some(gallery) = gallery {
                tracing::info!("open the gallery in a browser: {gallery}");
            }
        }
        Event::Succeeded { tool, took } => tracing::debug!(tool, ?took, "called"),
        Event::Failed { tool, took, error, request } => {
            let error = one_line(error);
            tracing::warn!(tool, ?took, request, "failed: {error}");
        }
        Event::Reloaded { added, changed, removed, kept } => {
            let mut words = Vec::new();
            for (what, names) in
                [("added", added), ("changed", changed), ("removed", removed), ("kept", kept)]
            {
                if !names.is_empty() {
                    words.push(format!("{what} {}", names.join(", ")));
                }
            }
            match kept.is_empty() {
                true => tracing::info!("reloaded: {}", words.join("; ")),
                false => tracing::warn!(
                    "reload failed: {} (still serving the last good version)",
                    words.join("; ")
                ),
            }
        }
        Event::Stopped => tracing::info!("stopped"),
        _ => {}
    }
}
