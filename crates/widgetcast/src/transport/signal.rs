//! The signals that stop a server.

/// Completes on Ctrl-C, SIGTERM or SIGHUP, the signals with which process managers stop a server. See
/// [`App::stop`](crate::App::stop).
///
/// ```no_run
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// use widgetcast::{App, shutdown_signal};
///
/// let app = App::new("shop", "1.0.0").build()?;
/// app.serve_stdio(shutdown_signal()).await?;
/// # Ok(()) }
/// ```
pub async fn shutdown_signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let Ok(mut term) = signal(SignalKind::terminate()) else {
            return std::future::pending().await;
        };
        // `nohup` ignores it, and a listener would undo that.
        let hangup = if is_hangup_ignored() { None } else { signal(SignalKind::hangup()).ok() };
        let hung_up = async {
            match hangup {
                Some(mut hangup) => _ = hangup.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = term.recv() => {}
            () = hung_up => {}
        }
    }
    #[cfg(not(unix))]
    {
        _ = tokio::signal::ctrl_c().await;
    }
}

/// Whether SIGHUP (signal 1) is ignored, where the system reports it.
#[cfg(unix)]
fn is_hangup_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask & 1 == 1)
}
