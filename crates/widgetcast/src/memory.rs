//! Resident memory, and whether it is too much to take more work.
//!
//! Every limit bounds one thing; all of them together may be more than a machine has. So the memory of
//! the whole process is looked at ten times a second, and while it is above the limit no worker begins
//! anything beside what runs: whoever asks is told to come back. Small requests need no worker.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::sdk::settings::Settings;

const INTERVAL: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub(crate) struct Memory {
    most: Option<usize>,
    is_short: AtomicBool,
}

impl Memory {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self { most: settings.max_memory.or_else(share_of_limit), is_short: AtomicBool::new(false) }
    }

    /// Whether the process holds more than it may.
    pub(crate) fn is_short(&self) -> bool {
        self.is_short.load(Ordering::Relaxed)
    }

    /// Looks again and again, until the server stops.
    pub(crate) async fn watch(&self, stop: CancellationToken) {
        let Some(most) = self.most else { return };
        loop {
            let is_short = resident().is_some_and(|bytes| bytes > most);
            if is_short != self.is_short.swap(is_short, Ordering::Relaxed) && is_short {
                tracing::warn!("memory use is over {} MB; rejecting large requests", most >> 20);
            }
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(INTERVAL) => {}
            }
        }
    }
}

/// Nine tenths of what the control group of the process may hold, if there is a limit.
fn share_of_limit() -> Option<usize> {
    let limit: usize =
        std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok()?.trim().parse().ok()?;
    Some(limit / 10 * 9)
}

/// The bytes of memory that the process holds now, where the system tells.
fn resident() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(most: usize) -> Settings {
        Settings { max_memory: Some(most), ..Settings::default() }
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn it_is_short_above_the_limit() {
        let stopped = CancellationToken::new();
        stopped.cancel();
        for (most, is_short) in [(1, true), (usize::MAX, false)] {
            let memory = Memory::new(&settings(most));
            memory.watch(stopped.clone()).await;
            assert_eq!(memory.is_short(), is_short);
        }
    }
}
