//! Messages as lines, with a limit on their length.

use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::mpsc;

use crate::connection::{Heard, Room};

/// The result of reading a line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Text(String),
    /// A line that is not UTF-8.
    NotText,
    /// A line over the size limit, which has been skipped.
    TooLong,
    /// A line for which there is no room, which has been skipped.
    NoRoom,
    /// The input has ended.
    End,
}

/// The lines of an input.
pub(crate) struct Lines<R> {
    input: R,
    /// Maximum bytes of a line.
    most: usize,
    /// Whether the rest of a line that is too long comes first.
    is_skipping: bool,
    room: Option<Room>,
}

impl<R: AsyncBufRead + Unpin> Lines<R> {
    pub(crate) fn new(input: R, most: usize) -> Self {
        Self { input, most, is_skipping: false, room: None }
    }

    /// The same for lines that count as buffered.
    pub(crate) fn within(self, room: Room) -> Self {
        Self { room: Some(room), ..self }
    }

    /// The line that was read last.
    pub(crate) fn heard(&mut self, line: String) -> Heard {
        match &mut self.room {
            Some(room) => room.with(line),
            None => line.into(),
        }
    }

    /// Reads the next line. One that is too long is reported before it ends, and not kept: it may have no end.
    pub(crate) async fn next(&mut self) -> std::io::Result<Line> {
        let mut line = Vec::new();
        loop {
            let chunk = self.input.fill_buf().await?;
            let is_end = chunk.is_empty();
            let end = chunk.iter().position(|byte| *byte == b'\n');
            let part = &chunk[..end.unwrap_or(chunk.len())];
            let used = end.map_or(chunk.len(), |end| end + 1);
            let size = line.len() + part.len();
            let has_room = |room: &mut Room| room.has(size);
            let excess = match () {
                () if self.is_skipping => None,
                () if size > self.most => Some(Line::TooLong),
                () => {
                    self.room.as_mut().is_some_and(|room| !has_room(room)).then_some(Line::NoRoom)
                }
            };
            if let Some(excess) = excess {
                if let Some(room) = &mut self.room {
                    room.clear();
                }
                self.is_skipping = end.is_none();
                self.input.consume(used);
                return Ok(excess);
            }
            if !self.is_skipping {
                line.extend_from_slice(part);
            }
            self.input.consume(used);
            if end.is_none() && !is_end {
                continue;
            }
            match std::mem::take(&mut self.is_skipping) {
                true if !is_end => {}
                true => return Ok(Line::End),
                false if is_end && line.is_empty() => return Ok(Line::End),
                false => return Ok(String::from_utf8(line).map_or(Line::NotText, Line::Text)),
            }
        }
    }
}

/// Writes each message as a line, until the queue or the writer is closed.
pub(crate) async fn write_lines(
    mut output: impl AsyncWrite + Unpin,
    mut messages: mpsc::Receiver<impl Into<Heard>>,
) {
    while let Some(message) = messages.recv().await {
        let Heard { text, held: _held } = message.into();
        // JSON libraries write no line breaks, and in JSON they are whitespace.
        let line = text.replace(['\n', '\r'], " ") + "\n";
        if output.write_all(line.as_bytes()).await.is_err() || output.flush().await.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::BufReader;
    use widgetcast::{App, Settings};

    use super::*;

    const MAX: usize = 1 << 20;

    #[tokio::test]
    async fn one_bad_line_is_not_the_end() {
        let mut lines = Lines::new(&b"one\n\xff\xfe\n\ntwo"[..], MAX);
        let text = |text: &str| Line::Text(text.into());
        for expected in [text("one"), Line::NotText, text(""), text("two"), Line::End, Line::End] {
            assert_eq!(lines.next().await.unwrap(), expected);
        }
        let long = [vec![b'x'; MAX + 1], b"\nrest".to_vec()].concat();
        let mut lines = Lines::new(&long[..], MAX);
        for expected in [Line::TooLong, text("rest"), Line::End] {
            assert_eq!(lines.next().await.unwrap(), expected);
        }
        let long = vec![b'x'; 2 * MAX];
        let mut lines = Lines::new(BufReader::new(&long[..]), MAX);
        for expected in [Line::TooLong, Line::End] {
            assert_eq!(lines.next().await.unwrap(), expected);
        }
    }

    #[tokio::test]
    async fn a_line_without_an_end_is_too_long() {
        let mut lines = Lines::new(BufReader::new(tokio::io::repeat(b'x')), MAX);
        assert_eq!(lines.next().await.unwrap(), Line::TooLong);
    }

    /// One endless sender does not take the room of others, and gives its own back.
    #[tokio::test]
    async fn servers_share_the_room_for_long_lines() {
        let mut settings = Settings::default();
        settings.max_buffered_bytes = 4 * MAX;
        let app = App::new("tests", "1.0.0").settings(settings).build().unwrap();
        let room = || Room::new(&app);
        let mut endless =
            Lines::new(BufReader::new(tokio::io::repeat(b'x')), usize::MAX).within(room());
        assert_eq!(endless.next().await.unwrap(), Line::NoRoom);
        let text = vec![b'x'; MAX];
        let mut held = Vec::new();
        for _ in 0..3 {
            let mut lines = Lines::new(&text[..], MAX).within(room());
            let Line::Text(line) = lines.next().await.unwrap() else { panic!("there is room") };
            held.push(lines.heard(line));
        }
        let mut next = Lines::new(&text[..], MAX).within(room());
        assert_eq!(next.next().await.unwrap(), Line::NoRoom);
        assert_eq!(next.next().await.unwrap(), Line::End);
        // Short lines are not counted.
        let mut short = Lines::new(&b"short"[..], MAX).within(room());
        assert_eq!(short.next().await.unwrap(), Line::Text("short".into()));
        held.clear();
        let mut next = Lines::new(&text[..], MAX).within(room());
        assert!(matches!(next.next().await.unwrap(), Line::Text(_)));
    }
}
