//! A server as a process: pinned to a core, with its CPU time and memory read from `/proc`.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::File;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use crate::error::Result;

/// The core of every server, and that of the driver.
pub(crate) const SERVER_CORE: usize = 0;
pub(crate) const DRIVER_CORE: usize = 1;

/// A running server, killed on drop.
pub(crate) struct Server {
    child: Child,
}

impl Server {
    /// Starts a server over HTTP and waits until it takes connections.
    pub(crate) fn http(command: &[String], port: u16, log: &Path) -> Result<Self> {
        let child = pinned(command)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(log)?)
            .spawn()?;
        let mut server = Self { child };
        let start = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            if let Some(status) = server.child.try_wait()? {
                return Err(
                    format!("{command:?} ended with {status}; see {}", log.display()).into()
                );
            }
            // Ten thousand widgets take a peer more than a minute.
            if start.elapsed() > Duration::from_secs(180) {
                return Err(format!("{command:?} takes no connections").into());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(server)
    }

    /// Starts a server over stdio.
    pub(crate) fn stdio(
        command: &[String],
        pin: bool,
        log: &Path,
    ) -> Result<(Self, ChildStdin, ChildStdout)> {
        let mut process = if pin { pinned(command) } else { plain(command) };
        let mut child = process
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(File::create(log)?)
            .spawn()?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let server = Self { child };
        Ok((server, input.ok_or("no standard input")?, output.ok_or("no standard output")?))
    }

    /// CPU time so far.
    pub(crate) fn cpu(&self) -> Cpu {
        Cpu::of(self.child.id())
    }

    /// Waits until the server is idle, so that work deferred at the start is done, and returns the CPU
    /// time used until then.
    pub(crate) fn settle(&self) -> Duration {
        // In quarters of a second: longer than any work is deferred for.
        const QUIET: u32 = 8;
        let (start, mut before, mut quiet) = (Instant::now(), self.cpu(), 0);
        while quiet < QUIET && start.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(250));
            let now = self.cpu();
            let rests = now.since(&before) < Duration::from_millis(2);
            quiet = if rests { quiet + 1 } else { 0 };
            before = now;
        }
        before.since(&Cpu::default())
    }

    /// Resident memory in MB.
    pub(crate) fn rss(&self) -> f64 {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let text = text.unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
        line.trim().trim_end_matches(" kB").parse::<f64>().unwrap_or(0.0) / 1024.0
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn plain(command: &[String]) -> Command {
    let mut process = Command::new(&command[0]);
    process.args(&command[1..]);
    process
}

fn pinned(command: &[String]) -> Command {
    let mut process = Command::new("taskset");
    process.args(["-c", &SERVER_CORE.to_string()]).args(command);
    process
}

/// Moves this process to its own core. Must run before any thread is started.
pub(crate) fn pin_driver() -> Result {
    let cores = std::thread::available_parallelism()?.get();
    if cores < 2 {
        return Err(
            "the comparison needs two cores, one for the server and one for the driver".into()
        );
    }
    let status = Command::new("taskset")
        .args(["-p", "-c", &DRIVER_CORE.to_string(), &std::process::id().to_string()])
        .stdout(Stdio::null())
        .status()
        .map_err(|error| format!("taskset cannot be run ({error}); Debian has it in util-linux"))?;
    if status.success() { Ok(()) } else { Err("taskset could not move the driver".into()) }
}

/// CPU time of a process, from two sources: the scheduler's count per thread is in nanoseconds, but
/// lost when a thread ends; the count of the process is complete, in steps of 10 ms.
#[derive(Default)]
pub(crate) struct Cpu {
    threads: HashMap<OsString, Duration>,
    whole: Duration,
}

impl Cpu {
    fn of(pid: u32) -> Self {
        let mut threads = HashMap::new();
        for thread in std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten()
        {
            let text = std::fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default();
            if let Some(ns) = text.split(' ').next().and_then(|ns| ns.parse().ok()) {
                threads.insert(thread.file_name(), Duration::from_nanos(ns));
            }
        }
        Self { threads, whole: ticks(pid) }
    }

    /// CPU time since `before`: the sum over threads, unless a thread has ended meanwhile and its time is
    /// missing there.
    pub(crate) fn since(&self, before: &Self) -> Duration {
        let was = |thread| before.threads.get(thread).copied().unwrap_or_default();
        let fine: Duration =
            self.threads.iter().map(|(thread, now)| now.saturating_sub(was(thread))).sum();
        let whole = self.whole.saturating_sub(before.whole);
        let gone = before.threads.keys().any(|thread| !self.threads.contains_key(thread));
        let hidden = if gone { Duration::ZERO } else { Duration::from_millis(40) };
        if whole > fine + hidden { whole } else { fine }
    }
}

/// CPU time of a process, all threads, in steps of 10 ms.
pub(crate) fn ticks(pid: u32) -> Duration {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let after = text.rsplit_once(')').map(|(_, rest)| rest).unwrap_or_default();
    // The program's own and the system's.
    let ticks = after.split_whitespace().skip(11).take(2);
    let ticks: u64 = ticks.filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}

/// Time that a core was busy with any process, stolen time included, in steps of 10 ms.
fn busy(core: usize) -> Duration {
    let text = std::fs::read_to_string("/proc/stat").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("cpu{core} ")));
    // user, nice, system, idle, iowait, irq, softirq, steal
    let ticks = line.unwrap_or_default().split(' ').take(8).enumerate();
    let ticks = ticks.filter(|(index, _)| *index != 3 && *index != 4);
    let ticks: u64 = ticks.filter_map(|(_, ticks)| ticks.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}

/// The load of other processes on the two cores during a measurement.
pub(crate) struct OtherLoad {
    start: Instant,
    busy: [Duration; 2],
    ours: [Cpu; 2],
}

impl OtherLoad {
    pub(crate) fn watch(server: &Server) -> Self {
        let busy = [busy(SERVER_CORE), busy(DRIVER_CORE)];
        Self { busy, ours: [server.cpu(), Cpu::of(std::process::id())], start: Instant::now() }
    }

    /// The share of the busier core that they used.
    pub(crate) fn share(&self, server: &Server) -> f64 {
        let wall = self.start.elapsed().as_secs_f64();
        let ours = [server.cpu(), Cpu::of(std::process::id())];
        let busy = [busy(SERVER_CORE), busy(DRIVER_CORE)];
        let share = |core: usize| {
            let all = busy[core].saturating_sub(self.busy[core]).as_secs_f64();
            (all - ours[core].since(&self.ours[core]).as_secs_f64()) / wall
        };
        share(0).max(share(1))
    }
}

/// A free port below the range from which the kernel takes ports for outgoing connections: one of
/// those may be taken between asking and using.
pub(crate) fn free_port() -> Result<u16> {
    static NEXT: std::sync::atomic::AtomicU16 = std::sync::atomic::AtomicU16::new(0);
    for _ in 0..2000 {
        let step = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let first = 20_000 + (std::process::id() % 10_000) as u16;
        let port = 20_000 + (first - 20_000 + step * 7) % 12_000;
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return Ok(port);
        }
    }
    Err("no free port between 20000 and 32000".into())
}
