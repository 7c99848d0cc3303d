//! A connection to a server, over any transport.

use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// Maximum size of a server's message, unless the client has a lower limit.
pub(crate) const MAX_MESSAGE: usize = 64 << 20;
/// Capacity of the queue for a slow reader.
pub(crate) const WAITING: usize = 16;
/// Capacity of the queue of a server's messages, each of which may have the maximum size.
pub(crate) const HEARD: usize = 2;

/// A pair of queues to and from a server. The connection ends when either is dropped.
#[derive(Debug)]
pub(crate) struct Connection {
    pub to: mpsc::Sender<String>,
    pub from: mpsc::Receiver<String>,
    /// Why it ended, if it has.
    pub end: JoinHandle<String>,
}

/// A target that can be connected to repeatedly.
pub(crate) trait Connect {
    fn connect(&self) -> Result<Connection, String>;

    /// Its name in messages, without secrets.
    fn shown(&self) -> String;
}
