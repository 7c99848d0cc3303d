//! A connection to a server, however it is reached.

use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// The largest message of a server, in bytes, where the client does not say what it takes.
pub(crate) const MAX_MESSAGE: usize = 64 << 20;
/// Messages that wait for one who reads them slowly.
pub(crate) const WAITING: usize = 16;
/// Messages of a server that wait: any of them may be the largest.
pub(crate) const HEARD: usize = 2;

/// A line of messages to and from a server, which ends when either of the two is dropped.
#[derive(Debug)]
pub(crate) struct Connection {
    pub to: mpsc::Sender<String>,
    pub from: mpsc::Receiver<String>,
    /// Why it has ended, once it has.
    pub end: JoinHandle<String>,
}

/// What can be connected to, again and again.
pub(crate) trait Connect {
    fn connect(&self) -> Result<Connection, String>;

    /// What it is called in messages: without what may be secret in it.
    fn shown(&self) -> String;
}
