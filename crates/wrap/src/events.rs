//! Server-sent events, as the HTML standard defines them: unknown lines are skipped without losing the
//! following ones.

/// An event, with the fields that MCP uses.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Event {
    pub id: Option<String>,
    pub data: Option<String>,
}

/// Parses an event stream.
#[derive(Debug)]
pub(crate) struct Events {
    /// Maximum bytes of an event.
    most: usize,
    line: Vec<u8>,
    is_after_return: bool,
    is_past_first: bool,
    id: Option<String>,
    data: Option<String>,
}

/// A message over the limit.
#[derive(Debug)]
pub(crate) struct TooLarge;

impl Events {
    pub(crate) fn new(most: usize) -> Self {
        let (line, id, data) = (Vec::new(), None, None);
        Self { most, line, is_after_return: false, is_past_first: false, id, data }
    }

    /// The bytes of the event that has begun.
    pub(crate) fn size(&self) -> usize {
        self.line.len() + self.data.as_ref().map_or(0, String::len)
    }

    /// The events completed by these bytes.
    pub(crate) fn read(&mut self, bytes: &[u8]) -> Result<Vec<Event>, TooLarge> {
        let mut events = Vec::new();
        for part in bytes.split_inclusive(|byte| matches!(byte, b'\n' | b'\r')) {
            // CRLF is one line break, even across two chunks.
            if std::mem::take(&mut self.is_after_return) && part == b"\n" {
                continue;
            }
            let (text, end) = match part {
                [text @ .., end @ (b'\n' | b'\r')] => (text, Some(*end)),
                text => (text, None),
            };
            self.line.extend_from_slice(text);
            if self.size() > self.most {
                return Err(TooLarge);
            }
            if let Some(end) = end {
                self.is_after_return = end == b'\r';
                let line = std::mem::take(&mut self.line);
                events.extend(self.take(&String::from_utf8_lossy(&line)));
            }
        }
        Ok(events)
    }

    fn take(&mut self, line: &str) -> Option<Event> {
        let is_first = !std::mem::replace(&mut self.is_past_first, true);
        let line = line.strip_prefix('\u{feff}').filter(|_| is_first).unwrap_or(line);
        if line.is_empty() {
            let (id, data) = (self.id.take(), self.data.take());
            return (id.is_some() || data.is_some()).then_some(Event { id, data });
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "id" if !value.contains('\0') => self.id = Some(value.to_owned()),
            "data" => {
                self.data = Some(match self.data.take() {
                    Some(before) => before + "\n" + value,
                    None => value.to_owned(),
                });
            }
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX: usize = 1 << 20;

    fn event(id: Option<&str>, data: Option<&str>) -> Event {
        Event { id: id.map(Into::into), data: data.map(Into::into) }
    }

    #[test]
    fn a_line_that_means_nothing_is_passed_over() {
        let text = "\u{feff}: hello\r\nnonsense\nfuture: 1\nid: 7\nid: 8\ndata: {\"a\":\ndata:1}\r\n\r\n\
                    retry: soon\n\n\ndata\r\rid: 9\n\ndata: lost at the end";
        let expected =
            [event(Some("8"), Some("{\"a\":\n1}")), event(None, Some("")), event(Some("9"), None)];
        // Wherever the chunks are split.
        for size in [1, 2, 3, 7, 1000] {
            let mut events = Events::new(MAX);
            let read = text.as_bytes().chunks(size).flat_map(|chunk| events.read(chunk).unwrap());
            assert_eq!(read.collect::<Vec<_>>(), expected, "{size}");
        }
        let mut events = Events::new(MAX);
        let read = events.read(b"data: \xff\n\xfe\n\ndata: b\n\n").unwrap();
        assert_eq!(read[1], event(None, Some("b")), "bytes that are no text spoil no other event");
    }

    #[test]
    fn an_endless_message_is_an_error() {
        let mut events = Events::new(MAX);
        let chunk = vec![b'x'; MAX / 2];
        assert!(events.read(b"data: ").is_ok() && events.read(&chunk).is_ok());
        assert!(events.read(b"\ndata: ").is_ok());
        assert!(events.read(&chunk).is_err());
    }
}
