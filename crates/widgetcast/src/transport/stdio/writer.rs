//! Writing lines, whole and one after the other, from every task that has something to send.

use std::convert::Infallible;
use std::sync::Arc;

use tokio::io::{AsyncWrite, AsyncWriteExt as _};
use tokio::sync::{Mutex, MutexGuard, mpsc};

/// Lines are written together until they are this many bytes.
const TOGETHER: usize = 1 << 16;

/// Standard output; as a pipe, where it is one, so that a write needs no thread.
pub(super) fn stdout() -> Box<dyn AsyncWrite + Send + Unpin> {
    #[cfg(target_os = "linux")]
    {
        // Opened again: the descriptor that other processes share must stay blocking.
        let pipe = tokio::net::unix::pipe::OpenOptions::new().open_sender("/proc/self/fd/1");
        if let Ok(pipe) = pipe {
            return Box::new(pipe);
        }
    }
    Box::new(tokio::io::stdout())
}

/// Where lines are written. The receiver that comes with it ends when the last clone is dropped.
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

    /// Writes a line. Errors are ignored: a client that does not read any more closes the input, too.
    pub(super) async fn send(&self, line: String) {
        let mut output = self.output.lock().await;
        append(&mut output.pending, terminated(line));
        output.write().await;
    }

    /// Adds lines, and writes them now or with the next ones.
    pub(super) async fn add(&self, lines: &mut Vec<u8>, now: bool) {
        let mut output = locked(&self.output).await;
        // Only once the lock is held: this future may be dropped while it waits.
        append(&mut output.pending, std::mem::take(lines));
        if now || output.pending.len() > TOGETHER {
            output.write().await;
        }
    }
}

/// The output and what it has yet to write. A task that is dropped while it writes leaves the rest to
/// the next one, so no line is cut short.
struct Output {
    write: Box<dyn AsyncWrite + Send + Unpin>,
    pending: Vec<u8>,
    /// How many of the pending bytes are written.
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

/// Locks what is nearly always free: waiting in line for it costs more than trying.
pub(super) async fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    match of.try_lock() {
        Ok(guard) => guard,
        Err(_) => of.lock().await,
    }
}

/// Adds lines to others.
pub(super) fn append(lines: &mut Vec<u8>, more: Vec<u8>) {
    match lines.is_empty() {
        true => *lines = more,
        false => lines.extend_from_slice(&more),
    }
}

/// A line with its end.
pub(super) fn terminated(line: String) -> Vec<u8> {
    let mut line = line.into_bytes();
    line.push(b'\n');
    line
}
