//! The resident memory of the process, and its limit.
//!
//! Every other limit bounds one thing, and their sum may exceed the machine. So the memory of the whole
//! process is checked ten times a second, and while it is above the limit, workers start nothing new: further
//! requests get 503. Small requests need no worker.

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

    /// Whether the process exceeds the limit.
    pub(crate) fn is_short(&self) -> bool {
        self.is_short.load(Ordering::Relaxed)
    }

    /// Polls until the server stops.
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

/// 90 % of the process's cgroup limit, if there is one.
fn share_of_limit() -> Option<usize> {
    let limit: usize =
        std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok()?.trim().parse().ok()?;
    Some(limit / 10 * 9)
}

/// The resident memory of the process in bytes, where the system reports it.
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
