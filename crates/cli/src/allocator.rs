//! The allocator of a server: it gives memory back that a large request has taken.
//!
//! glibc keeps what was freed, for each thread and in proportion to the largest block that it has seen:
//! after one request of megabytes a server would hold them for ever. Its settings are read only when a
//! program starts, so the program starts itself once more, with them. Not taken: another allocator
//! (mimalloc: 8 MB more at rest; jemalloc: needs make for its build); `mallopt`, which is not safe.

/// A block of this size has pages of its own, which are given back when it is freed; above the second,
/// free memory at the end of a heap is given back; and threads share this number of heaps.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const TUNABLES: &str = "glibc.malloc.mmap_threshold=65536:\
                        glibc.malloc.trim_threshold=131072:\
                        glibc.malloc.arena_max=4";

/// Starts the program again with settings for the allocator, unless it has some. Returns if it has, if
/// that cannot be done, or if the allocator is another.
pub(crate) fn give_memory_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        use std::os::unix::process::CommandExt as _;
        const NAME: &str = "GLIBC_TUNABLES";
        if std::env::var_os(NAME).is_some() {
            return;
        }
        let mut args = std::env::args_os();
        let name = args.next().unwrap_or_else(|| "widgetcast".into());
        // Only returns if it fails; then the server holds more memory, and works.
        _ = std::process::Command::new("/proc/self/exe")
            .arg0(name)
            .args(args)
            .env(NAME, TUNABLES)
            .exec();
    }
}
