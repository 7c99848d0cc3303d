//! Child processes. Dropping one kills it with all its descendants.

use std::collections::VecDeque;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};

/// Maximum bytes of stderr that are kept.
const MAX_TAIL: usize = 1 << 10;
/// Maximum lines of stderr that an error shows.
const SHOWN_LINES: usize = 5;

/// A child process, which leads a process group.
#[derive(Debug)]
pub(crate) struct Process(pub Child);

/// Kills a process and its descendants.
fn kill_group(id: Option<u32>) {
    #[cfg(unix)]
    if let Some(id) = id.and_then(|id| i32::try_from(id).ok())
        && let Some(id) = rustix::process::Pid::from_raw(id)
    {
        _ = rustix::process::kill_process_group(id, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = id;
}

/// Its pipes.
pub(crate) struct Pipes {
    pub input: ChildStdin,
    pub output: ChildStdout,
    pub errors: ChildStderr,
}

impl Process {
    /// Starts a program with these pipes.
    pub(crate) fn spawn(mut command: Command) -> std::io::Result<Self> {
        // Killing a shell leaves its children running, so kill the whole process group.
        #[cfg(unix)]
        command.process_group(0);
        command.kill_on_drop(true).spawn().map(Self)
    }

    /// Waits for its exit, and kills its descendants immediately: later, the process group id may have been
    /// reused.
    pub(crate) async fn wait(&mut self) -> std::io::Result<ExitStatus> {
        let group = self.0.id();
        let ended = self.0.wait().await;
        kill_group(group);
        ended
    }

    pub(crate) fn start(mut command: Command) -> std::io::Result<(Self, Pipes)> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut this = Self::spawn(command)?;
        let child = &mut this.0;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        match pipes {
            (Some(input), Some(output), Some(errors)) => {
                Ok((this, Pipes { input, output, errors }))
            }
            _ => Err(std::io::Error::other("it has no pipes")),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Without an id, it has been waited for, and the number may have been reused.
        kill_group(self.0.id());
    }
}

/// The last part of a program's stderr.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tail(Arc<Mutex<VecDeque<u8>>>);

impl Tail {
    /// Reads until end of file.
    pub(crate) async fn follow(self, mut from: impl AsyncRead + Unpin) {
        let mut chunk = [0; 4096];
        while let Ok(read @ 1..) = from.read(&mut chunk).await {
            let mut tail = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            tail.extend(&chunk[..read]);
            let excess = tail.len().saturating_sub(MAX_TAIL);
            tail.drain(..excess);
        }
    }

    /// Clears the buffer.
    pub(crate) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The last lines.
    pub(crate) fn lines(&self) -> String {
        let mut tail = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(tail.make_contiguous());
        let lines: Vec<&str> = text.trim().lines().collect();
        lines[lines.len().saturating_sub(SHOWN_LINES)..].join("\n")
    }
}
