//! Reads lines of bounded length, also from blocking stdin.

use std::io::{ErrorKind, Read as _};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncRead, ReadBuf};

/// The result of reading a line.
pub(super) enum Line {
    Whole,
    /// A line over the limit, which has been skipped.
    TooLong,
    /// The input has ended.
    End,
}

/// Reads up to the end of a line, but buffers at most `most` bytes.
pub(super) async fn read_line(
    input: &mut (impl AsyncBufRead + Unpin),
    line: &mut Vec<u8>,
    most: usize,
) -> std::io::Result<Line> {
    let mut too_long = false;
    loop {
        let chunk = input.fill_buf().await?;
        if chunk.is_empty() {
            return Ok(match (too_long, line.is_empty()) {
                (true, _) => Line::TooLong,
                (false, true) => Line::End,
                (false, false) => Line::Whole,
            });
        }
        let end = memchr::memchr(b'\n', chunk);
        let part = &chunk[..end.unwrap_or(chunk.len())];
        too_long |= line.len() + part.len() > most;
        if !too_long {
            line.extend_from_slice(part);
        }
        let used = end.map_or(chunk.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(if too_long { Line::TooLong } else { Line::Whole });
        }
    }
}

/// Stdin for a dedicated thread: a read blocks that thread instead of going through the runtime, which saves
/// a wake-up per call.
pub(super) struct BlockingStdin(pub std::io::Stdin);

impl AsyncRead for BlockingStdin {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        loop {
            match self.0.read(buffer.initialize_unfilled()) {
                Ok(read) => {
                    buffer.advance(read);
                    return Poll::Ready(Ok(()));
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // The parent process has set its end of the pipe to non-blocking.
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }
}
