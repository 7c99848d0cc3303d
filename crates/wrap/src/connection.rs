//! A connection to a server, over any transport.

use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use widgetcast::{App, Held};

/// Maximum size of a server's message, unless the client has a lower limit.
pub(crate) const MAX_MESSAGE: usize = 64 << 20;
/// Capacity of the queue for a slow reader.
pub(crate) const WAITING: usize = 16;
/// Capacity of the queue of a server's messages, each of which may have the maximum size.
pub(crate) const HEARD: usize = 2;

/// Messages up to this size do not count as buffered: the queues bound their number.
const SMALL: usize = 16 << 10;

/// A message of a server. It counts as buffered until the client has it.
#[derive(Debug)]
pub(crate) struct Heard {
    pub text: String,
    pub held: Option<Held>,
}

impl From<String> for Heard {
    fn from(text: String) -> Self {
        Self { text, held: None }
    }
}

/// The room for the message that a server is sending.
pub(crate) struct Room {
    app: App,
    held: Option<Held>,
}

impl Room {
    pub(crate) fn new(app: &App) -> Self {
        Self { app: app.clone(), held: None }
    }

    /// Whether there is room for a message of this size. All servers share it.
    pub(crate) fn has(&mut self, bytes: usize) -> bool {
        bytes <= SMALL || self.held.get_or_insert_with(|| self.app.hold()).share(bytes)
    }

    /// Gives up a message.
    pub(crate) fn clear(&mut self) {
        self.held = None;
    }

    /// Passes the room on with the message that is in it.
    pub(crate) fn with(&mut self, text: String) -> Heard {
        Heard { text, held: self.held.take() }
    }
}

/// A pair of queues to and from a server. The connection ends when either is dropped.
#[derive(Debug)]
pub(crate) struct Connection {
    pub to: mpsc::Sender<String>,
    pub from: mpsc::Receiver<Heard>,
    /// Why it ended, if it has.
    pub end: JoinHandle<String>,
}

/// A target that can be connected to repeatedly.
pub(crate) trait Connect {
    /// Connects for this app.
    fn connect(&self, app: &App) -> Result<Connection, String>;

    /// Its name in messages, without secrets.
    fn shown(&self) -> String;
}
