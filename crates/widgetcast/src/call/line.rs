//! The line between a running call and its client: messages that go out while the call runs, and
//! questions with their answers.
//!
//! On 2026-07-28 nothing is asked of a client: the call ends with a result that holds the questions, and
//! the client calls again with the answers (a [`Round`]). In older revisions a question is a request on
//! the connection of the call. A call that sends and asks nothing needs neither a channel nor a lock.

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

/// Messages that wait to be sent before the handler has to wait, too.
const MAX_UNSENT: usize = 16;
/// How long a person or a model may take for an answer.
const PATIENCE: Duration = Duration::from_secs(600);
/// How long a call whose time is over is left alone while its client is being asked.
const RECHECK: Duration = Duration::from_millis(100);

pub(crate) struct Line {
    /// Whether the request follows 2026-07-28.
    modern: bool,
    questions: Arc<Questions>,
    outbox: OnceLock<Outbox>,
    /// Made when the first question is asked, or answers came with the request.
    round: OnceLock<Box<Mutex<Round>>>,
    /// Whether nobody listens.
    is_closed: AtomicBool,
    /// A [`TaskMode`].
    task: AtomicU8,
    waited: Mutex<Waited>,
    /// How far a task is, in words, and when it last changed.
    status: Mutex<Status>,
    /// Whoever drives the call, to be woken by the first message or question.
    driver: AtomicWaker,
}

/// Messages on their way to the client; made when the first one is sent.
struct Outbox {
    send: mpsc::Sender<String>,
    receive: Mutex<mpsc::Receiver<String>>,
}

/// Whether a call is a task: it has been answered, goes on, and waits for answers in its place.
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
    /// Since when; nothing if no question is open.
    since: Option<Instant>,
    open: usize,
    before: Duration,
}

/// What came of a handler.
pub(crate) enum Driven<T> {
    Done(T),
    /// It needs answers.
    Asked(Asked),
    TimedOut,
}

/// Questions for the client, and the answers that are known.
#[derive(Debug)]
pub(crate) struct Asked {
    pub questions: Map<String, Value>,
    pub answers: Answers,
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Line {
    /// `answers` are those that came with the request.
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

    /// Runs a handler until it is done, needs answers, or its time is over. Time in which its client is
    /// being asked does not count.
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

    /// What is left of the time of a call that began then.
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

    /// Sends a message; an error if nobody listens.
    async fn send(&self, text: String) -> Result<&Outbox, Unanswered> {
        let outbox = self.outbox.get_or_init(|| {
            let (send, receive) = mpsc::channel(MAX_UNSENT);
            Outbox { send, receive: Mutex::new(receive) }
        });
        // Whoever closed the line before there was an outbox could not close that.
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

    /// Takes no more messages; who waits for an answer hears that there will be none.
    pub(crate) fn close(&self) {
        self.is_closed.store(true, Ordering::SeqCst);
        if let Some(outbox) = self.outbox.get() {
            lock(&outbox.receive).close();
        }
    }

    /// Asks by a request, and waits for the client's answer.
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

    /// The answer that the client gave in an earlier round. Without one the question is noted, and the
    /// call ends with it.
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

    /// Waits for the answer that the client gives to the task.
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

    /// The questions that a task waits for.
    pub(crate) fn parked(&self) -> Map<String, Value> {
        self.round.get().map_or_else(Map::new, |round| lock(round).asked.clone())
    }

    /// Gives a task the answer to a question.
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

    /// Makes the call a task, if it can be one.
    pub(crate) fn begin_task(&self) -> bool {
        let may = self.may_be_task();
        if may {
            self.task.store(TaskMode::Begun as u8, Ordering::Relaxed);
            self.driver.wake();
        }
        may
    }

    /// Notes how far a task is.
    pub(crate) fn touch(&self, text: Option<String>) {
        let mut status = lock(&self.status);
        status.1 = Some(SystemTime::now());
        if text.is_some() {
            status.0 = text;
        }
    }

    /// How far a task is, and when it last changed.
    pub(crate) fn status(&self) -> (Option<String>, Option<SystemTime>) {
        lock(&self.status).clone()
    }

    /// The questions that this run has no answers for, if there are any.
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
    /// Counts the time until the guard is dropped as waiting; nothing if too many wait.
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

/// A question that a task waits for until this is dropped.
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
