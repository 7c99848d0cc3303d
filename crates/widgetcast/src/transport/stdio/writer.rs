//! Writes whole lines, one after the other, from any task.

use std::convert::Infallible;
use std::sync::Arc;

use tokio::io::{AsyncWrite, AsyncWriteExt as _};
use tokio::sync::{Mutex, MutexGuard, mpsc};

/// Lines are buffered up to this many bytes.
const TOGETHER: usize = 1 << 16;

/// Stdout; if it is a pipe, opened as one, so that writing needs no thread.
pub(super) fn stdout() -> Box<dyn AsyncWrite + Send + Unpin> {
    #[cfg(target_os = "linux")]
    {
        // Reopened, because the descriptor that other processes share must stay blocking.
        let pipe = tokio::net::unix::pipe::OpenOptions::new().open_sender("/proc/self/fd/1");
        if let Ok(pipe) = pipe {
            return Box::new(pipe);
        }
    }
    Box::new(tokio::io::stdout())
}

/// The target for lines. The returned receiver closes when the last clone is dropped.
#[derive(Clone)]
pub(super) struct Writer {
    output: Arc<Mutex<Output>>,
    _open: mpsc::Sender<Infallible>,
}

impl Writer {
    pub(super) fn new(
        write: impl AsyncWrite + Send + Unpin + 'static,
    ) -> (Self, mpsc::Receiver<Infallible>) {
        let (open, closed) = mpsc::channel(1);
        let output = Output { write: Box::new(write), pending: Vec::new(), written: 0 };
        (Self { output: Arc::new(Mutex::new(output)), _open: open }, closed)
    }

    /// Writes a line. Errors are ignored: a client that does not read also closes the input.
    pub(super) async fn send(&self, line: String) {
        let mut output = self.output.lock().await;
        append(&mut output.pending, terminated(line));
        output.write().await;
    }

    /// Appends lines, and writes them now or with the next ones.
    pub(super) async fn add(&self, lines: &mut Vec<u8>, now: bool) {
        let mut output = locked(&self.output).await;
        // Only while holding the lock: this future may be dropped while it waits.
        append(&mut output.pending, std::mem::take(lines));
        if now || output.pending.len() > TOGETHER {
            output.write().await;
        }
    }
}

/// The output and its buffer. A task that is dropped during a write leaves the rest to the next one, so no
/// line is cut.
struct Output {
    write: Box<dyn AsyncWrite + Send + Unpin>,
    pending: Vec<u8>,
    /// The number of buffered bytes already written.
    written: usize,
}

impl Output {
    async fn write(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        while let Some(rest) = self.pending.get(self.written..).filter(|rest| !rest.is_empty()) {
            match self.write.write(rest).await {
                Ok(written @ 1..) => self.written += written,
                _ => break,
            }
        }
        _ = self.write.flush().await;
        (self.pending, self.written) = (Vec::new(), 0);
    }
}

/// Tries the lock first: it is almost always free, and queueing for it costs more.
pub(super) async fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    match of.try_lock() {
        Ok(guard) => guard,
        Err(_) => of.lock().await,
    }
}

/// Appends lines to others.
pub(super) fn append(lines: &mut Vec<u8>, more: Vec<u8>) {
    match lines.is_empty() {
        true => *lines = more,
        false => lines.extend_from_slice(&more),
    }
}

/// A line with its terminator.
pub(super) fn terminated(line: String) -> Vec<u8> {
    let mut line = line.into_bytes();
    line.push(b'\n');
    line
}
