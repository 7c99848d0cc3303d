//! The channel between a running call and its client: messages during the call, and input requests with their
//! responses.
//!
//! In 2026-07-28, the client gets no requests: the call ends with a result that contains the input requests,
//! and the client calls again with the responses (a [`Round`]). In older revisions, an input request is a
//! request on the connection of the call. A call that uses neither needs no channel and no lock.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, SystemTime};

use futures_util::task::AtomicWaker;
use serde_json::{Map, Value, json};
use tokio::sync::mpsc::{self, error::TrySendError};
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep, timeout};

use super::questions::Questions;
use super::round::{Answers, Known, MAX_ASKED, Question, Round, Unanswered};

/// Capacity of the queue of messages, beyond which the handler waits.
const MAX_UNSENT: usize = 16;
/// Timeout of a response from a user or a model.
const PATIENCE: Duration = Duration::from_secs(600);
/// How long a call past its timeout is kept while its client is asked for input.
const RECHECK: Duration = Duration::from_millis(100);

pub(crate) struct Line {
    /// Whether the request uses 2026-07-28.
    modern: bool,
    questions: Arc<Questions>,
    outbox: OnceLock<Outbox>,
    /// Created for the first input request, or if responses came with the request.
    round: OnceLock<Box<Mutex<Round>>>,
    /// Whether the client has disconnected.
    is_closed: AtomicBool,
    /// A [`TaskMode`].
    task: AtomicU8,
    waited: Mutex<Waited>,
    /// The status message of a task, and when it last changed.
    status: Mutex<Status>,
    /// The task that polls the call, to be woken by the first message or input request.
    driver: AtomicWaker,
}

/// The queue of messages to the client, created for the first one.
struct Outbox {
    send: mpsc::Sender<String>,
    receive: Mutex<mpsc::Receiver<String>>,
}

/// Whether a call is a task, which continues after its response and waits for input itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TaskMode {
    Never,
    Possible,
    Begun,
}

type Status = (Option<String>, Option<SystemTime>);

/// How long a call has waited for its client.
#[derive(Default)]
struct Waited {
    /// Since when; `None` if no input request is pending.
    since: Option<Instant>,
    open: usize,
    before: Duration,
}

/// The outcome of a handler.
pub(crate) enum Driven<T> {
    Done(T),
    /// It requires input.
    Asked(Asked),
    TimedOut,
}

/// Input requests of a call, and the known responses.
#[derive(Debug)]
pub(crate) struct Asked {
    pub questions: Map<String, Value>,
    pub answers: Answers,
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Line {
    /// `answers` are the responses that came with the request.
    pub(crate) fn new(
        modern: bool,
        questions: &Arc<Questions>,
        answers: Option<Answers>,
        task: TaskMode,
    ) -> Self {
        let round = |answers| Box::new(Mutex::new(Round::new(answers)));
        Self {
            modern,
            questions: Arc::clone(questions),
            outbox: OnceLock::new(),
            round: answers.map_or_else(OnceLock::new, |answers| OnceLock::from(round(answers))),
            is_closed: AtomicBool::new(false),
            task: AtomicU8::new(task as u8),
            waited: Mutex::default(),
            status: Mutex::default(),
            driver: AtomicWaker::new(),
        }
    }

    pub(crate) fn is_modern(&self) -> bool {
        self.modern
    }

    /// Runs a handler until it completes, requires input or times out. Waiting for the client does not count.
    pub(crate) async fn drive<T>(
        &self,
        run: impl Future<Output = T>,
        limit: Duration,
    ) -> Driven<T> {
        let (mut run, mut alarm) = (pin!(run), pin!(sleep(limit)));
        let began = Instant::now();
        poll_fn(|context| {
            if let Poll::Ready(done) = run.as_mut().poll(context) {
                return Poll::Ready(Driven::Done(done));
            }
            self.driver.register(context.waker());
            if !self.is_task()
                && let Some(asked) = self.take_asked()
            {
                return Poll::Ready(Driven::Asked(asked));
            }
            while alarm.as_mut().poll(context).is_ready() {
                let Some(rest) = self.rest(began, limit) else {
                    return Poll::Ready(Driven::TimedOut);
                };
                alarm.as_mut().reset(Instant::now() + rest.max(RECHECK));
            }
            Poll::Pending
        })
        .await
    }

    /// The rest of the timeout of a call that started at this time.
    fn rest(&self, began: Instant, limit: Duration) -> Option<Duration> {
        let waited = lock(&self.waited);
        let now = waited.since.map_or(Duration::ZERO, |since| since.elapsed());
        let waited = waited.before + now;
        let rest = limit.checked_sub(began.elapsed().saturating_sub(waited))?;
        (!rest.is_zero()).then_some(rest)
    }

    /// Sends a notification.
    pub(crate) async fn notify(&self, method: &str, params: Value) {
        let text = json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string();
        _ = self.send(text).await;
    }

    /// Sends a message; an error if the client has disconnected.
    async fn send(&self, text: String) -> Result<&Outbox, Unanswered> {
        let outbox = self.outbox.get_or_init(|| {
            let (send, receive) = mpsc::channel(MAX_UNSENT);
            Outbox { send, receive: Mutex::new(receive) }
        });
        // A channel that was closed before the queue existed could not close the queue.
        if self.is_closed.load(Ordering::SeqCst) {
            return Err(Unanswered::Closed);
        }
        match outbox.send.try_send(text) {
            Ok(()) => self.driver.wake(),
            Err(TrySendError::Full(text)) => {
                outbox.send.send(text).await.map_err(|_| Unanswered::Closed)?;
            }
            Err(TrySendError::Closed(_)) => return Err(Unanswered::Closed),
        }
        Ok(outbox)
    }

    /// The next message for the client, if there is one.
    pub(crate) fn poll_message(&self, context: &mut Context<'_>) -> Option<String> {
        match lock(&self.outbox.get()?.receive).poll_recv(context) {
            Poll::Ready(message) => message,
            Poll::Pending => None,
        }
    }

    /// Accepts no more messages, and fails pending input requests.
    pub(crate) fn close(&self) {
        self.is_closed.store(true, Ordering::SeqCst);
        if let Some(outbox) = self.outbox.get() {
            lock(&outbox.receive).close();
        }
    }

    /// Sends a request to the client, and awaits the response.
    pub(crate) async fn request(&self, question: Question) -> Result<Value, Unanswered> {
        let Question { method, params, .. } = question;
        let mut open = self.questions.open().ok_or(Unanswered::TooMany)?;
        let id = open.id.as_str();
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        let outbox = self.send(request.to_string()).await?;
        let _waiting = self.wait().ok_or(Unanswered::TooMany)?;
        let response = tokio::select! {
            response = timeout(PATIENCE, &mut open.response) => response,
            () = outbox.send.closed() => return Err(Unanswered::Closed),
        };
        match response {
            Ok(Ok(response)) => response.map_err(Unanswered::Refused),
            Ok(Err(_)) => Err(Unanswered::Closed),
            Err(_) => {
                let params = json!({ "requestId": open.id, "reason": "timed out" });
                self.notify("notifications/cancelled", params).await;
                Err(Unanswered::TooLate)
            }
        }
    }

    /// The client's response from an earlier round. If there is none, the request is recorded, and the call
    /// ends with it.
    pub(crate) fn look_up(&self, question: Question) -> Result<Option<Value>, Unanswered> {
        let known = self.round().look_up(question)?;
        match known {
            Known::Answer(answer) => Ok(Some(answer)),
            Known::Asked(_) => {
                self.driver.wake();
                Ok(None)
            }
        }
    }

    fn round(&self) -> MutexGuard<'_, Round> {
        lock(self.round.get_or_init(Box::default))
    }

    /// Awaits the client's response to the task.
    pub(crate) async fn park(&self, question: Question) -> Result<Value, Unanswered> {
        let (key, answer) = {
            let mut round = self.round();
            let key = match round.look_up(question)? {
                Known::Answer(answer) => return Ok(answer),
                Known::Asked(key) => key,
            };
            let (send, answer) = oneshot::channel();
            round.parked.insert(key.clone(), send);
            (key, answer)
        };
        self.driver.wake();
        self.touch(None);
        let _parked = Parked { line: self, key };
        let _waiting = self.wait().ok_or(Unanswered::TooMany)?;
        match timeout(PATIENCE, answer).await {
            Ok(answer) => answer.map_err(|_| Unanswered::Closed),
            Err(_) => Err(Unanswered::TooLate),
        }
    }

    /// The pending input requests of a task.
    pub(crate) fn parked(&self) -> Map<String, Value> {
        self.round.get().map_or_else(Map::new, |round| lock(round).asked.clone())
    }

    /// Passes a response to a task.
    pub(crate) fn answer(&self, key: &str, answer: &Value) {
        let Some(round) = self.round.get() else { return };
        let mut round = lock(round);
        if let Some(waiting) = round.parked.remove(key) {
            round.asked.shift_remove(key);
            _ = waiting.send(answer.clone());
            self.touch(None);
        }
    }

    pub(crate) fn is_task(&self) -> bool {
        self.task.load(Ordering::Relaxed) == TaskMode::Begun as u8
    }

    pub(crate) fn may_be_task(&self) -> bool {
        self.task.load(Ordering::Relaxed) != TaskMode::Never as u8
    }

    /// Turns the call into a task, if possible.
    pub(crate) fn begin_task(&self) -> bool {
        let may = self.may_be_task();
        if may {
            self.task.store(TaskMode::Begun as u8, Ordering::Relaxed);
            self.driver.wake();
        }
        may
    }

    /// Sets the status message of a task.
    pub(crate) fn touch(&self, text: Option<String>) {
        let mut status = lock(&self.status);
        status.1 = Some(SystemTime::now());
        if text.is_some() {
            status.0 = text;
        }
    }

    /// The status message of a task, and when it last changed.
    pub(crate) fn status(&self) -> (Option<String>, Option<SystemTime>) {
        lock(&self.status).clone()
    }

    /// The input requests of this run that have no response.
    fn take_asked(&self) -> Option<Asked> {
        let mut round = lock(self.round.get()?);
        if round.asked.is_empty() {
            return None;
        }
        let Round { asked: questions, used: answers, .. } = std::mem::take(&mut *round);
        Some(Asked { questions, answers })
    }
}

impl Line {
    /// Counts the time until the guard is dropped as waiting; `None` if too many calls wait.
    fn wait(&self) -> Option<Waiting<'_>> {
        let mut waited = lock(&self.waited);
        if waited.open >= MAX_ASKED {
            return None;
        }
        waited.open += 1;
        waited.since.get_or_insert_with(Instant::now);
        Some(Waiting(&self.waited))
    }
}

/// An input request of a task, pending until this is dropped.
struct Parked<'a> {
    line: &'a Line,
    key: String,
}

impl Drop for Parked<'_> {
    fn drop(&mut self) {
        let mut round = self.line.round();
        if round.parked.remove(&self.key).is_some() {
            round.asked.shift_remove(&self.key);
        }
    }
}

struct Waiting<'a>(&'a Mutex<Waited>);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut waited = lock(self.0);
        waited.open -= 1;
        if waited.open == 0 {
            let since = waited.since.take();
            waited.before += since.map_or(Duration::ZERO, |since| since.elapsed());
        }
    }
}
