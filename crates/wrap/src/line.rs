//! Messages as lines, with a limit on their length.

use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::mpsc;

/// The result of reading a line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Text(String),
    /// A line that is not UTF-8.
    NotText,
    /// A line over the size limit, which has been skipped.
    TooLong,
    /// The input has ended.
    End,
}

/// Reads up to the end of a line, but buffers at most this many bytes.
pub(crate) async fn read_line(
    input: &mut (impl AsyncBufRead + Unpin),
    most: usize,
) -> std::io::Result<Line> {
    let (mut line, mut is_too_long) = (Vec::new(), false);
    loop {
        let chunk = input.fill_buf().await?;
        let is_end = chunk.is_empty();
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        is_too_long |= line.len() + part.len() > most;
        if !is_too_long {
            line.extend_from_slice(part);
        }
        let used = end.map_or(chunk.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() || is_end {
            return Ok(match is_end && line.is_empty() && !is_too_long {
                true => Line::End,
                false if is_too_long => Line::TooLong,
                false => String::from_utf8(line).map_or(Line::NotText, Line::Text),
            });
        }
    }
}

/// Writes each message as a line, until the queue or the writer is closed.
pub(crate) async fn write_lines(
    mut output: impl AsyncWrite + Unpin,
    mut messages: mpsc::Receiver<String>,
) {
    while let Some(message) = messages.recv().await {
        // JSON libraries write no line breaks, and in JSON they are whitespace.
        let line = message.replace(['\n', '\r'], " ") + "\n";
        if output.write_all(line.as_bytes()).await.is_err() || output.flush().await.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX: usize = 1 << 20;

    #[tokio::test]
    async fn one_bad_line_is_not_the_end() {
        let mut input: &[u8] = b"one\n\xff\xfe\n\ntwo";
        let text = |text: &str| Line::Text(text.into());
        for expected in [text("one"), Line::NotText, text(""), text("two"), Line::End, Line::End] {
            assert_eq!(read_line(&mut input, MAX).await.unwrap(), expected);
        }
        let long = [vec![b'x'; MAX + 1], b"\nrest".to_vec()].concat();
        let mut input = &long[..];
        assert_eq!(read_line(&mut input, MAX).await.unwrap(), Line::TooLong);
        assert_eq!(read_line(&mut input, MAX).await.unwrap(), text("rest"));
    }
}
