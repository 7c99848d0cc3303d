//! Several servers behind one connection. Each has its own session, which restarts it; [`Router`] decides
//! where messages go.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;

use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};
use widgetcast::{App, Budgeted, Workers};

use super::router::{Out, Router};
use crate::connection::{Connect as _, Connection, Heard, WAITING};
use crate::session::{self, ClientEnd};
use crate::upstream::Upstream;

/// Capacity of the queue of one server. Its backlog does not affect the others: further messages are
/// rejected.
const WAITING_FOR_ONE: usize = 256;

/// The connection to the session of a server.
struct Line {
    /// `None` once the client has closed its side.
    to: Option<mpsc::Sender<String>>,
    /// `None` once the session has ended.
    from: Option<mpsc::Receiver<Heard>>,
}

enum Event {
    FromClient(Option<String>),
    FromServer(usize, Heard),
    Late,
    /// All sessions have ended, or have no recipient.
    Over,
}

/// Connects to all of them. Their merged responses have at most this many bytes.
pub(super) fn connect(
    app: &App,
    servers: &BTreeMap<String, Upstream>,
    most_bytes: usize,
) -> Connection {
    let (to, sent) = mpsc::channel(WAITING);
    let (heard, from) = mpsc::channel(WAITING);
    let mut sessions = JoinSet::new();
    let mut lines = Vec::new();
    for upstream in servers.values() {
        let (to, from_client) = mpsc::channel(WAITING_FOR_ONE);
        let (to_client, from) = mpsc::channel(WAITING);
        let client = ClientEnd { to: to_client, from: from_client };
        let (app, upstream) = (app.clone(), upstream.clone());
        sessions.spawn(async move {
            let first = upstream.connect(&app);
            if let Err(why) = &first {
                tracing::warn!("{why}; retrying");
            }
            session::run(&app, None, &upstream, first, client).await;
        });
        lines.push(Line { to: Some(to), from: Some(from) });
    }
    let router = Router::new(servers.keys().cloned().collect(), most_bytes);
    let router = Routing { router: Arc::new(Mutex::new(router)), workers: app.workers() };
    let end = tokio::spawn(async move {
        pass(router, lines, sent, heard).await;
        // Each one ends its server first.
        while sessions.join_next().await.is_some() {}
        "the servers exited".to_owned()
    });
    Connection { to, from, end }
}

/// A router whose work a worker does, if it is long.
struct Routing {
    router: Arc<Mutex<Router>>,
    workers: Arc<Workers>,
}

impl Routing {
    /// Works on as many bytes.
    async fn route(
        &self,
        bytes: usize,
        work: impl FnOnce(&mut Router, Budgeted) -> Vec<Out> + Send + 'static,
    ) -> Vec<Out> {
        let router = Arc::clone(&self.router);
        let work = move |budgeted: Budgeted| {
            work(&mut router.lock().unwrap_or_else(PoisonError::into_inner), budgeted)
        };
        self.workers.finish(bytes, work).await.unwrap_or_default()
    }

    fn until(&self) -> Option<Instant> {
        self.router.lock().unwrap_or_else(PoisonError::into_inner).until()
    }
}

/// Relays messages until the client disconnects.
async fn pass(
    router: Routing,
    mut lines: Vec<Line>,
    mut sent: mpsc::Receiver<String>,
    heard: mpsc::Sender<Heard>,
) {
    let mut has_left = false;
    let mut last = 0;
    loop {
        let until = router.until();
        let late = async {
            match until {
                Some(until) => sleep_until(until).await,
                None => std::future::pending().await,
            }
        };
        let event = tokio::select! {
            text = sent.recv(), if !has_left => Event::FromClient(text),
            event = next(&mut lines, last) => event,
            () = late => Event::Late,
            () = heard.closed() => Event::Over,
        };
        let out = match event {
            Event::FromClient(Some(text)) => {
                router.route(text.len(), move |router, _| router.take(text)).await
            }
            Event::FromClient(None) => {
                has_left = true;
                lines.iter_mut().for_each(|line| line.to = None);
                continue;
            }
            Event::FromServer(at, Heard { text, held: _held }) => {
                last = at;
                router.route(text.len(), move |router, _| router.hear(at, text)).await
            }
            // It may merge lists of any size.
            Event::Late => {
                router.route(usize::MAX, |router, _| router.expire(Instant::now())).await
            }
            Event::Over => return,
        };
        let mut out = std::collections::VecDeque::from(out);
        while let Some(one) = out.pop_front() {
            match one {
                Out::Client(text) => {
                    if heard.send(text.into()).await.is_err() {
                        return;
                    }
                }
                Out::Server(at, text) => {
                    if let Some(Err(untaken)) = lines[at].to.as_ref().map(|to| to.try_send(text)) {
                        let text = untaken.into_inner();
                        let refuse = move |router: &mut Router, _| router.untaken(at, &text);
                        out.extend(router.route(usize::MAX, refuse).await);
                    }
                }
            }
        }
    }
}

/// The next message of any server, round-robin, so that a busy server does not starve the others.
async fn next(lines: &mut [Line], last: usize) -> Event {
    poll_fn(|context| {
        let mut is_over = true;
        for step in 1..=lines.len() {
            let at = (last + step) % lines.len();
            let Some(from) = &mut lines[at].from else { continue };
            match from.poll_recv(context) {
                Poll::Ready(Some(text)) => return Poll::Ready(Event::FromServer(at, text)),
                Poll::Ready(None) => lines[at].from = None,
                Poll::Pending => is_over = false,
            }
        }
        if is_over { Poll::Ready(Event::Over) } else { Poll::Pending }
    })
    .await
}
