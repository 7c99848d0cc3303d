//! The allocator of a server: it returns memory to the system after large requests. By default, glibc keeps
//! free memory in proportion to the largest block it has seen, and returns only the top of a heap, not the
//! holes in it: after an hour of large requests, a server would hold their memory forever. So it is
//! configured to keep less, and asked to release free memory whenever the process has grown. Rejected:
//! another allocator (mimalloc: 8 MB more when idle; jemalloc: needs make to build); glibc's environment
//! variables, for which the program would have to restart itself, and which leave the holes.

/// Keeps less from now on, and returns what is free when the process has grown. Called before there
/// are other threads.
pub(crate) fn give_memory_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    glibc::give_memory_back();
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod glibc {
    use std::time::Duration;

    const INTERVAL: Duration = Duration::from_secs(2);
    /// Pages by which the process must have grown.
    const GROWN: usize = 1024;
    /// Looking through the heaps takes milliseconds, so where that frees nothing it is done more and
    /// more seldom, up to this many intervals apart.
    const MAX_PAUSE: u32 = 8;

    pub(super) fn give_memory_back() {
        keep_less();
        let watch = || {
            let (mut least, mut pause) = (usize::MAX, 1);
            loop {
                std::thread::sleep(INTERVAL * pause);
                let before = resident();
                if least.checked_add(GROWN).is_some_and(|most| before < most) {
                    pause = 1;
                    continue;
                }
                trim();
                let after = resident();
                least = least.min(after);
                pause = if after + GROWN / 4 < before { 1 } else { (2 * pause).min(MAX_PAUSE) };
            }
        };
        // If this fails, the server holds more memory, but works.
        drop(std::thread::Builder::new().name("allocator".into()).spawn(watch));
    }

    /// The resident pages of the process; `None` if unknown.
    fn resident() -> usize {
        let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
        text.split(' ').nth(1).and_then(|pages| pages.parse().ok()).unwrap_or_default()
    }

    #[expect(unsafe_code, reason = "a function of C's library; nothing safe does the same")]
    fn keep_less() {
        for (setting, value) in [
            // A block of this size is mapped separately, and unmapped when it is freed.
            (libc::M_MMAP_THRESHOLD, 64 << 10),
            // Free memory at the end of a heap beyond this size is released.
            (libc::M_TRIM_THRESHOLD, 128 << 10),
            // The number of heaps that threads share.
            (libc::M_ARENA_MAX, 4),
        ] {
            // SAFETY: it takes no pointer, and an invalid option has no effect.
            unsafe { libc::mallopt(setting, value) };
        }
    }

    #[expect(unsafe_code, reason = "a function of C's library; nothing safe does the same")]
    fn trim() {
        // SAFETY: it takes no pointer and locks each heap during access, so it may be called at any time from
        // any thread.
        unsafe { libc::malloc_trim(0) };
    }
}
