//! Routes messages between a client and several servers.
//!
//! All names of tools and prompts are prefixed with the name of their server, not only conflicting ones, so
//! that no name, rule or view refers to another tool when a server adds one. Ids that the client sends back
//! later, such as those of a server's requests, are prefixed as well, so the router needs little state.
//!
//! This module is synchronous: see `hub` for the I/O.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::asked::{All, Asked, Greeting, Way, list};
use super::names::{Names, quoted, text_at};
use super::places::Places;
use super::union;
use crate::message::{self, Kind, Message, value_at, with_value};
use crate::relay::{LISTS, batch};

/// How long to wait for a server before responding without it.
const PATIENCE: Duration = Duration::from_secs(15);
const INVALID_REQUEST: i32 = -32600;
pub(super) const NO_METHOD: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;
pub(super) const NO_SERVER: i32 = -32000;
/// Maximum concurrent requests for URIs that no server has mentioned.
const OF_ANY: [&str; 4] =
    ["resources/read", "resources/subscribe", "resources/unsubscribe", "completion/complete"];
/// The tasks whose progress tokens are known after the response to their request.
const MAX_TASKS: usize = 10_000;
/// A message, and its recipient.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Out {
    Client(String),
    Server(usize, String),
}

/// Several servers.
#[derive(Debug)]
pub(super) struct Router {
    pub(super) names: Names,
    pub(super) greetings: Vec<Greeting>,
    pub(super) asked: HashMap<String, Asked>,
    /// The servers that may report progress with a token.
    pub(super) tokens: HashMap<String, BTreeSet<usize>>,
    /// Those that timed out, until they send something.
    pub(super) silent: BTreeSet<usize>,
    /// Maximum bytes that one of them contributes to a merged response.
    pub(super) share: usize,
    pub(super) places: Places,
    pub(super) handshake: Option<String>,
    pub(super) is_initialized: bool,
    /// The lists of whose changes the client is notified.
    pub(super) declared: BTreeSet<&'static str>,
}

impl Router {
    /// Creates a router for servers with these names, whose merged responses have at most this many bytes.
    pub(super) fn new(names: Vec<String>, most_bytes: usize) -> Self {
        Self {
            greetings: names.iter().map(|_| Greeting::None).collect(),
            share: most_bytes / names.len().max(1),
            places: Places::new(names.len()),
            names: Names::new(names),
            asked: HashMap::new(),
            tokens: HashMap::new(),
            silent: BTreeSet::new(),
            handshake: None,
            is_initialized: false,
            declared: LISTS.into(),
        }
    }

    fn having(&self, capability: Option<&str>) -> Vec<usize> {
        let may = |at: &usize| match capability {
            Some(capability) => self.greetings[*at].may_have(capability),
            None => !self.greetings[*at].is_starting(),
        };
        self.names.all().filter(may).collect()
    }

    /// Handles a message or a batch from the client.
    pub(super) fn take(&mut self, text: String) -> Vec<Out> {
        match batch(&text) {
            Some(items) => {
                items.into_iter().flat_map(|item| self.take_one(item.get().to_owned())).collect()
            }
            None => self.take_one(text),
        }
    }

    fn take_one(&mut self, text: String) -> Vec<Out> {
        let message = Message::read(&text);
        match message.as_ref().and_then(Message::kind) {
            Some(Kind::Request { id, method }) => {
                let (id, method) = (id.to_owned(), method.to_owned());
                let key = message::key(&id);
                let token = value_at(&text, &["params", "_meta", "progressToken"]);
                let token = token.map(message::key);
                let answer = match self.asked.contains_key(&key) {
                    true => Err((INVALID_REQUEST, "a request with this ID is running".to_owned())),
                    false => self.ask(&id, &method, text),
                };
                if let (Ok(_), Some(asked), Some(token)) =
                    (&answer, self.asked.get_mut(&key), token)
                {
                    self.tokens.insert(token.clone(), asked.servers());
                    asked.token = Some(token);
                }
                answer.unwrap_or_else(|(code, why)| {
                    vec![Out::Client(message::error(&id, code, &why))]
                })
            }
            Some(Kind::Response { .. }) => match self.names.without_mark(&text, &["id"]) {
                Some((at, text)) => {
                    vec![Out::Server(at, self.names.without_task_mark(at, text))]
                }
                None => Vec::new(),
            },
            Some(Kind::Notification { method }) => match method {
                "notifications/initialized" => {
                    self.is_initialized = true;
                    let greeted = |at: &usize| {
                        !matches!(self.greetings[*at], Greeting::Awaited | Greeting::Done(None))
                    };
                    let greeted = self.names.all().filter(greeted);
                    greeted.map(|at| Out::Server(at, text.clone())).collect()
                }
                "notifications/cancelled" => {
                    let id = value_at(&text, &["params", "requestId"]).map(message::key);
                    match id.and_then(|id| self.done(&id, false)).map(|asked| asked.way) {
                        Some(Way::Turn { at, .. }) => vec![Out::Server(at, text)],
                        Some(Way::All(all)) => {
                            all.waiting.iter().map(|at| Out::Server(*at, text.clone())).collect()
                        }
                        None => Vec::new(),
                    }
                }
                "notifications/progress" => {
                    let sent = self.names.without_mark(&text, &["params", "progressToken"]);
                    sent.into_iter().map(|(at, text)| Out::Server(at, text)).collect()
                }
                _ => {
                    let all = self.having(None).into_iter();
                    all.map(|at| Out::Server(at, text.clone())).collect()
                }
            },
            None => {
                vec![Out::Client(message::error("null", INVALID_REQUEST, "not a JSON-RPC message"))]
            }
        }
    }

    fn ask(&mut self, id: &str, method: &str, text: String) -> Result<Vec<Out>, (i32, String)> {
        if let Some((_, capability)) = list(method) {
            return self.ask_for_list(id, method, &text, capability);
        }
        let by_name = |what: &str, path: &[&str]| {
            let name = text_at(&text, path).unwrap_or_default();
            let own = self.names.unmarked(&name);
            let own = own.and_then(|(at, own)| Some((at, with_value(&text, path, &quoted(own))?)));
            own.ok_or_else(|| (INVALID_PARAMS, format!("Unknown {what}: {name}")))
        };
        let one = |(at, text): (usize, String)| (vec![at], text);
        let of_address = |path: &[&str]| {
            let address = text_at(&text, path)?;
            let page = self.names.unmarked_page(&address);
            let page =
                page.and_then(|(at, own)| Some((at, with_value(&text, path, &quoted(&own))?)));
            page.or_else(|| Some((self.places.find(&address)?, text.clone())))
        };
        let (servers, text) = match method {
            "ping" => return Ok(vec![Out::Client(message::response(id, "{}"))]),
            "initialize" => {
                self.handshake = Some(message::key(id));
                self.greetings.fill_with(|| Greeting::Awaited);
                let all = self.names.all().map(|at| (at, text.clone())).collect();
                return Ok(self.ask_all(id, method, all, All::default()));
            }
            "server/discover" => {
                return Ok(self.ask_all(id, method, self.to_all(None, &text), All::default()));
            }
            "subscriptions/listen" => {
                let all = self.having(None).into_iter();
                let all = all.map(|at| (at, self.of_one(at, &text))).collect();
                return Ok(self.ask_all(id, method, all, All::default()));
            }
            "logging/setLevel" => {
                let all = self.to_all(Some("logging"), &text);
                return Ok(self.ask_all(id, method, all, All::default()));
            }
            "tools/call" => one(by_name("tool", &["params", "name"])?),
            "prompts/get" => one(by_name("prompt", &["params", "name"])?),
            "completion/complete" if value_at(&text, &["params", "ref", "uri"]).is_none() => {
                one(by_name("prompt", &["params", "ref", "name"])?)
            }
            _ if method.starts_with("tasks/") => one(by_name("task", &["params", "taskId"])?),
            _ => {
                let (path, capability): (&[&str], _) = match method {
                    "completion/complete" => (&["params", "ref", "uri"], Some("completions")),
                    _ if method.starts_with("resources/") => {
                        (&["params", "uri"], Some("resources"))
                    }
                    _ => (&[], None),
                };
                match of_address(path) {
                    Some(of) => one(of),
                    None if OF_ANY.contains(&method) => {
                        let all = self.to_all(capability, &text);
                        let target = Some(text_at(&text, path).unwrap_or_default());
                        return Ok(self.ask_all(id, method, all, All { target, ..All::default() }));
                    }
                    None => (self.having(capability), text),
                }
            }
        };
        if let [at] = servers[..]
            && self.greetings[at].is_starting()
        {
            let name = self.names.of(at);
            return Err((NO_SERVER, format!("{name} is still starting; call again")));
        }
        let mut rest = VecDeque::from(servers);
        let at = rest.pop_front().ok_or_else(|| no_method(method))?;
        let way = Way::Turn { at, rest, text: text.clone(), error: None };
        self.note(id, method, way);
        Ok(vec![Out::Server(at, text)])
    }

    fn note(&mut self, id: &str, method: &str, way: Way) {
        let asked = Asked { id: id.to_owned(), method: method.to_owned(), token: None, way };
        self.asked.insert(message::key(id), asked);
    }

    /// Forgets a request that was cancelled; tasks continue.
    pub(super) fn done(&mut self, key: &str, is_task: bool) -> Option<Asked> {
        let asked = self.asked.remove(key)?;
        if let Some(token) = &asked.token
            && !(is_task && self.tokens.len() <= MAX_TASKS)
        {
            self.tokens.remove(token);
        }
        Some(asked)
    }

    fn to_all(&self, capability: Option<&str>, text: &str) -> Vec<(usize, String)> {
        self.having(capability).into_iter().map(|at| (at, text.to_owned())).collect()
    }

    /// A subscription, reduced to the resources and tasks that a server may have.
    fn of_one(&self, at: usize, text: &str) -> String {
        let resource = |uri: &str| match self.names.unmarked_page(uri) {
            Some((of, own)) => (of == at).then_some(own),
            None => self.places.find(uri).is_none_or(|of| of == at).then(|| uri.to_owned()),
        };
        let task = |id: &str| {
            self.names.unmarked(id).filter(|(of, _)| *of == at).map(|(_, id)| id.to_owned())
        };
        let own = |text: String, member: &str, own: &dyn Fn(&str) -> Option<String>| {
            let path = ["params", "notifications", member];
            let all: Option<Vec<String>> =
                value_at(&text, &path).and_then(|all| serde_json::from_str(all).ok());
            let own: Option<Value> = all.map(|all| all.iter().filter_map(|one| own(one)).collect());
            own.and_then(|own| with_value(&text, &path, &own.to_string())).unwrap_or(text)
        };
        own(own(text.to_owned(), "resourceSubscriptions", &resource), "taskIds", &task)
    }

    fn ask_for_list(
        &mut self,
        id: &str,
        method: &str,
        text: &str,
        capability: &str,
    ) -> Result<Vec<Out>, (i32, String)> {
        let path = ["params", "cursor"];
        let cursor = text_at(text, &path);
        let is_first_page = cursor.is_none();
        let asked: Vec<(usize, String)> = match cursor {
            None => self.to_all(Some(capability), text),
            Some(cursor) => {
                let cursors = union::cursors(&cursor).unwrap_or_default();
                let cursor_of = |at: usize| {
                    let cursor = quoted(cursors.get(self.names.of(at))?);
                    Some((at, with_value(text, &path, &cursor)?))
                };
                let asked: Vec<_> = self.names.all().filter_map(cursor_of).collect();
                if asked.is_empty() {
                    return Err((INVALID_PARAMS, "Invalid cursor".into()));
                }
                asked
            }
        };
        Ok(self.ask_all(id, method, asked, All { is_first_page, ..All::default() }))
    }

    fn ask_all(
        &mut self,
        id: &str,
        method: &str,
        messages: Vec<(usize, String)>,
        all: All,
    ) -> Vec<Out> {
        let waiting: BTreeSet<usize> = messages.iter().map(|(at, _)| *at).collect();
        if waiting.is_empty() {
            let (code, why) = no_method(method);
            return vec![Out::Client(message::error(id, code, &why))];
        }
        let until = Some(Instant::now() + PATIENCE);
        self.note(id, method, Way::All(All { waiting, until, ..all }));
        messages.into_iter().map(|(at, text)| Out::Server(at, text)).collect()
    }
}

fn no_method(method: &str) -> (i32, String) {
    (NO_METHOD, format!("Method not found: {method}"))
}
