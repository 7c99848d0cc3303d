//! One client: a connection, and what became of its requests.

use std::fmt;
use std::io::{ErrorKind, Write as _};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};

use super::CALLS_PER_TALK;
use super::chat::Talk;
use super::requests::Requests;
use crate::target::{Answer, Target, read_one};

/// A connection is used for this many requests.
const REQUESTS_PER_CONNECTION: usize = 500;

/// What is wrong with an answer.
pub(super) enum Fault {
    Lost(String),
    Wrong(String),
}

#[derive(Default)]
pub(super) struct Outcome {
    pub answered: usize,
    /// Requests whose client left.
    pub left: usize,
    pub wrong: usize,
    /// Requests that were sent and not answered.
    pub lost: usize,
    pub first_fault: Option<String>,
}

impl Outcome {
    pub(super) fn with(mut self, other: std::thread::Result<Self>) -> Self {
        let other = other.unwrap_or_else(|_| Self { lost: 1, ..Self::default() });
        self.answered += other.answered;
        self.left += other.left;
        self.wrong += other.wrong;
        self.lost += other.lost;
        self.first_fault = self.first_fault.or(other.first_fault);
        self
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let Self { answered, left, wrong, lost, first_fault } = self;
        write!(out, "{answered} answered, {wrong} wrong, {lost} lost, {left} clients left")?;
        first_fault.as_ref().map_or(Ok(()), |fault| write!(out, " (first fault: {fault})"))
    }
}

pub(super) struct Client<'a> {
    target: &'a Target,
    connection: Option<(TcpStream, Vec<u8>)>,
    used: usize,
    talk: Option<Talk<'a>>,
    /// Set as soon as the server may refuse connections.
    stopping: Option<&'a AtomicBool>,
    /// Whether no one listens any more.
    pub was_refused: bool,
    pub outcome: Outcome,
}

impl<'a> Client<'a> {
    pub(super) fn new(target: &'a Target, stopping: Option<&'a AtomicBool>) -> Self {
        Self {
            target,
            connection: None,
            used: 0,
            talk: None,
            stopping,
            was_refused: false,
            outcome: Outcome::default(),
        }
    }

    /// Sends the request of a number and compares its answer.
    pub(super) fn ask(&mut self, requests: &Requests, number: usize) {
        // The streams of the chat end with the server; that is not a fault of a rollout.
        if number % CALLS_PER_TALK == CALLS_PER_TALK - 1 && self.stopping.is_none() {
            return self.talk(number);
        }
        let request = requests.of(number);
        let Some((mut stream, mut buffer)) = self.connect() else { return };
        let sent = stream.write_all(&request.bytes(number));
        if !request.is_answered() {
            self.outcome.left += 1;
            _ = stream.shutdown(Shutdown::Both);
            return;
        }
        match sent.and_then(|()| read_one(&mut stream, &mut buffer)) {
            Ok(answer) => {
                self.outcome.answered += 1;
                if let Err(difference) = request.compare(number, &answer) {
                    self.outcome.wrong += 1;
                    self.fault(number, &difference);
                }
                self.keep(stream, buffer, &answer);
            }
            Err(error) => {
                self.outcome.lost += 1;
                self.fault(number, &error.to_string());
            }
        }
    }

    /// A call of the chat.
    fn talk(&mut self, number: usize) {
        let done = match &mut self.talk {
            Some(talk) => talk.ask(number / CALLS_PER_TALK),
            none => Talk::begin(self.target).map(|talk| *none = Some(talk)),
        };
        match done {
            Ok(()) => self.outcome.answered += 1,
            Err(Fault::Lost(error)) => {
                self.outcome.lost += 1;
                self.fault(number, &error);
            }
            Err(Fault::Wrong(difference)) => {
                self.outcome.wrong += 1;
                self.fault(number, &difference);
            }
        }
    }

    fn connect(&mut self) -> Option<(TcpStream, Vec<u8>)> {
        if let Some(connection) = self.connection.take() {
            return Some(connection);
        }
        self.used = 0;
        match self.target.connect() {
            Ok(stream) => Some((stream, Vec::new())),
            Err(error) => {
                let is_stopping = self.stopping.is_some_and(|flag| flag.load(Ordering::Relaxed));
                if is_stopping && error.kind() == ErrorKind::ConnectionRefused {
                    self.was_refused = true;
                } else {
                    self.outcome.lost += 1;
                    self.fault(0, &error.to_string());
                }
                None
            }
        }
    }

    fn keep(&mut self, stream: TcpStream, buffer: Vec<u8>, answer: &Answer) {
        self.used += 1;
        if !answer.is_last && self.used < REQUESTS_PER_CONNECTION {
            self.connection = Some((stream, buffer));
        }
    }

    fn fault(&mut self, number: usize, text: &str) {
        self.outcome.first_fault.get_or_insert_with(|| format!("call {number}: {text}"));
    }
}
