//! Which of several servers a message of the client goes to, and what the client gets of theirs.
//!
//! Tools and prompts have the name of their server in front of their own: always, and not only where two are the
//! same, so that no name, rule or view comes to mean another tool when a server adds one. Whatever the client sends
//! back later, such as the id of a server's request, carries that name too, so that little has to be remembered.
//!
//! There is nothing here that waits: see `hub` for the pipes.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::time::Duration;

use serde_json::value::RawValue;
use tokio::time::Instant;

use super::asked::{All, Asked, Greeting, Way, cancellation, list, united_acknowledgement};
use super::names::{Names, quoted, text_at};
use super::places::Places;
use super::union::{self, Part};
use crate::message::{self, Kind, Message, value_at, with_member, with_value};
use crate::relay::{LISTS, batch};
use crate::session::INITIALIZED;

/// How long the others wait for a server before they answer without it.
const PATIENCE: Duration = Duration::from_secs(15);
const INVALID_REQUEST: i32 = -32600;
const NO_METHOD: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;
const NO_SERVER: i32 = -32000;
const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";

/// A message, and its recipient.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Out {
    Client(String),
    Server(usize, String),
}

/// Several servers.
#[derive(Debug)]
pub(super) struct Router {
    names: Names,
    greetings: Vec<Greeting>,
    asked: HashMap<String, Asked>,
    places: Places,
    handshake: Option<String>,
    is_initialized: bool,
    /// The lists of whose changes the client is notified.
    declared: BTreeSet<&'static str>,
}

impl Router {
    pub(super) fn new(names: Vec<String>) -> Self {
        Self {
            greetings: names.iter().map(|_| Greeting::None).collect(),
            names: Names::new(names),
            asked: HashMap::new(),
            places: Places::default(),
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

    /// Takes a message, or a batch of them, from the client.
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
                let answer = match self.asked.contains_key(&message::key(&id)) {
                    true => Err((INVALID_REQUEST, "a request with this ID is running".to_owned())),
                    false => self.ask(&id, &method, text),
                };
                answer.unwrap_or_else(|(code, why)| {
                    vec![Out::Client(message::error(&id, code, &why))]
                })
            }
            Some(Kind::Response { .. }) => match self.names.without_mark(&text, &["id"]) {
                Some((at, text)) => vec![Out::Server(at, text)],
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
                    match id.and_then(|id| self.asked.remove(&id)).map(|asked| asked.way) {
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
        let one = |(at, text): (usize, String)| (vec![at], text, None);
        let of_resource = |path: &[&str], capability: &str| {
            let what = text_at(&text, path).unwrap_or_default();
            let servers = match self.places.find(&what) {
                Some(at) => vec![at],
                None => self.having(Some(capability)),
            };
            (servers, text.clone(), Some(what))
        };
        let (servers, text, target) = match method {
            "ping" => return Ok(vec![Out::Client(message::response(id, "{}"))]),
            "initialize" => {
                self.handshake = Some(message::key(id));
                self.greetings.fill_with(|| Greeting::Awaited);
                return Ok(self.ask_all(id, method, self.names.all().map(|at| (at, text.clone()))));
            }
            "server/discover" | "subscriptions/listen" => {
                let all = self.having(None).into_iter().map(|at| (at, text.clone()));
                return Ok(self.ask_all(id, method, all));
            }
            "logging/setLevel" => {
                let all = self.having(Some("logging")).into_iter().map(|at| (at, text.clone()));
                return Ok(self.ask_all(id, method, all));
            }
            "tools/call" => one(by_name("tool", &["params", "name"])?),
            "prompts/get" => one(by_name("prompt", &["params", "name"])?),
            "completion/complete" => match value_at(&text, &["params", "ref", "uri"]) {
                Some(_) => of_resource(&["params", "ref", "uri"], "completions"),
                None => one(by_name("prompt", &["params", "ref", "name"])?),
            },
            _ if method.starts_with("resources/") => of_resource(&["params", "uri"], "resources"),
            _ if method.starts_with("tasks/") => of_resource(&["params", "taskId"], "tasks"),
            _ => (self.having(None), text, None),
        };
        if let [at] = servers[..]
            && self.greetings[at].is_starting()
        {
            let name = self.names.of(at);
            return Err((NO_SERVER, format!("{name} is still starting; call again")));
        }
        let mut rest = VecDeque::from(servers);
        let at = rest.pop_front().ok_or_else(|| no_method(method))?;
        let way = Way::Turn { at, rest, text: text.clone(), target, error: None };
        self.note(id, method, way);
        Ok(vec![Out::Server(at, text)])
    }

    fn note(&mut self, id: &str, method: &str, way: Way) {
        let asked = Asked { id: id.to_owned(), method: method.to_owned(), way };
        self.asked.insert(message::key(id), asked);
    }

    fn ask_for_list(
        &mut self,
        id: &str,
        method: &str,
        text: &str,
        capability: &str,
    ) -> Result<Vec<Out>, (i32, String)> {
        let path = ["params", "cursor"];
        let asked: Vec<(usize, String)> = match text_at(text, &path) {
            None => {
                self.having(Some(capability)).into_iter().map(|at| (at, text.to_owned())).collect()
            }
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
        if asked.is_empty() {
            return Err(no_method(method));
        }
        Ok(self.ask_all(id, method, asked.into_iter()))
    }

    fn ask_all(
        &mut self,
        id: &str,
        method: &str,
        messages: impl Iterator<Item = (usize, String)>,
    ) -> Vec<Out> {
        let messages: Vec<(usize, String)> = messages.collect();
        let waiting: BTreeSet<usize> = messages.iter().map(|(at, _)| *at).collect();
        if waiting.is_empty() {
            let (code, why) = no_method(method);
            return vec![Out::Client(message::error(id, code, &why))];
        }
        let until = Some(Instant::now() + PATIENCE);
        self.note(id, method, Way::All(All { waiting, until, ..All::default() }));
        messages.into_iter().map(|(at, text)| Out::Server(at, text)).collect()
    }

    /// Takes a message, or a batch of them, from a server.
    pub(super) fn hear(&mut self, at: usize, text: String) -> Vec<Out> {
        match batch(&text) {
            Some(items) => {
                let one = |item: &RawValue| self.hear_one(at, item.get().to_owned());
                items.into_iter().flat_map(one).collect()
            }
            None => self.hear_one(at, text),
        }
    }

    fn hear_one(&mut self, at: usize, text: String) -> Vec<Out> {
        let message = Message::read(&text);
        match message.as_ref().and_then(Message::kind) {
            Some(Kind::Response { id }) => {
                let key = message::key(id);
                self.hear_answer(at, &key, text)
            }
            Some(Kind::Request { .. }) => {
                let text = self.names.with_mark(at, text, &["id"]);
                let path = ["params", "_meta", "progressToken"];
                vec![Out::Client(self.names.with_mark(at, text, &path))]
            }
            Some(Kind::Notification { method }) => match method {
                _ if !message::is_unambiguous(&text) => {
                    tracing::warn!(
                        "{} sent a notification with two members of a name",
                        self.names.of(at)
                    );
                    Vec::new()
                }
                "notifications/cancelled" => {
                    vec![Out::Client(self.names.with_mark(at, text, &["params", "requestId"]))]
                }
                ACKNOWLEDGED => self.acknowledged(at, text),
                _ => {
                    let list = method.strip_prefix("notifications/");
                    let list = list.and_then(|method| method.strip_suffix("/list_changed"));
                    if list == Some("resources") {
                        self.places.forget(at);
                    }
                    let is_wanted = list.is_none_or(|list| self.declared.contains(list));
                    is_wanted.then_some(Out::Client(text)).into_iter().collect()
                }
            },
            None => {
                tracing::warn!("{} sent a line that is not a JSON-RPC message", self.names.of(at));
                Vec::new()
            }
        }
    }

    fn hear_answer(&mut self, at: usize, key: &str, text: String) -> Vec<Out> {
        let is_handshake = self.handshake.as_deref() == Some(key);
        let message = Message::read(&text);
        let result = message.and_then(|message| message.result).map(|result| result.get());
        let result =
            result.filter(|result| match self.asked.get(key).map(|asked| &*asked.method) {
                Some("server/discover") => union::is_discovery(result),
                _ => !is_handshake || union::is_greeting(result),
            });
        let result = result.map(str::to_owned);
        let mut out = Vec::new();
        if is_handshake && self.greetings[at].is_starting() {
            let capabilities =
                result.as_deref().and_then(|result| value_at(result, &["capabilities"]));
            let capabilities = capabilities.and_then(|text| serde_json::from_str(text).ok());
            if result.is_none() {
                tracing::warn!(
                    "{} did not initialize, and its tools are not listed: {text:.300}",
                    self.names.of(at)
                );
            }
            let is_late = !self.asked.contains_key(key);
            if is_late && self.is_initialized && result.is_some() {
                out.push(Out::Server(at, INITIALIZED.into()));
                for list in &self.declared {
                    let method = format!("notifications/{list}/list_changed");
                    out.push(Out::Client(format!(r#"{{"jsonrpc":"2.0","method":"{method}"}}"#)));
                }
            }
            self.greetings[at] = Greeting::Done(capabilities);
        }
        let Some(Asked { id, method, way }) = self.asked.get_mut(key) else { return out };
        match way {
            Way::Turn { at: asked, rest, text: request, target, error } if *asked == at => {
                let Some(result) = result else {
                    let code =
                        value_at(&text, &["error", "code"]).and_then(|code| code.parse().ok());
                    let is_elsewhere = target.is_some() || code == Some(NO_METHOD);
                    if let Some(next) = rest.pop_front().filter(|_| is_elsewhere) {
                        error.get_or_insert(text);
                        *asked = next;
                        return vec![Out::Server(next, request.clone())];
                    }
                    let answer = error.take().filter(|_| is_elsewhere).unwrap_or(text);
                    self.asked.remove(key);
                    return vec![Out::Client(answer)];
                };
                if let Some(target) = target.take() {
                    self.places.note(&target, at);
                }
                self.asked.remove(key);
                self.places.read(&result, at);
                vec![Out::Client(text)]
            }
            Way::All(all) if all.waiting.contains(&at) => {
                all.waiting.remove(&at);
                if all.is_open && all.accepted.contains_key(&at) {
                    // The client listens again, to those that are there then.
                    let rest = std::mem::take(&mut all.waiting);
                    out.extend(self.end_listening(key, &rest));
                    out.push(Out::Client(text));
                    return out;
                }
                let is_fit = |result: &String| {
                    list(method)
                        .is_none_or(|(member, _)| union::entries_of(member, result).is_some())
                };
                match result.filter(is_fit) {
                    Some(result) => _ = all.results.insert(at, result),
                    // What is not as it must be is an error, even if the server calls it a result.
                    None if value_at(&text, &["error"]).is_some() => {
                        all.error.get_or_insert(text);
                    }
                    None => {
                        let why = format!("{}: the result is malformed", self.names.of(at));
                        all.error.get_or_insert(message::error(id, NO_SERVER, &why));
                    }
                }
                out.extend(self.advance(key, false));
                out
            }
            _ => out,
        }
    }

    /// Cancels at the other servers what a client has listened to.
    fn end_listening(&mut self, key: &str, rest: &BTreeSet<usize>) -> Vec<Out> {
        let Some(Asked { id, .. }) = self.asked.remove(key) else { return Vec::new() };
        let cancel = cancellation(&id);
        rest.iter().map(|at| Out::Server(*at, cancel.clone())).collect()
    }

    /// A server has accepted to tell of changes: the client hears of it once all have that can.
    fn acknowledged(&mut self, at: usize, text: String) -> Vec<Out> {
        let path = ["params", "_meta", "io.modelcontextprotocol/subscriptionId"];
        let Some(key) = value_at(&text, &path).map(message::key) else { return Vec::new() };
        let Some(Asked { way: Way::All(all), .. }) = self.asked.get_mut(&key) else {
            return Vec::new();
        };
        if all.is_open || !all.waiting.contains(&at) {
            return Vec::new();
        }
        all.accepted.insert(at, text);
        self.advance(&key, false)
    }

    /// Answers what all have answered, or what has waited for long enough.
    fn advance(&mut self, key: &str, is_over: bool) -> Vec<Out> {
        let Some(Asked { id, way: Way::All(all), .. }) = self.asked.get_mut(key) else {
            return Vec::new();
        };
        if !is_over && all.waiting.iter().any(|at| !all.accepted.contains_key(at)) {
            return Vec::new();
        }
        if !all.accepted.is_empty() {
            if all.is_open {
                return Vec::new();
            }
            (all.is_open, all.until) = (true, None);
            let is_silent = |at: &usize| !all.accepted.contains_key(at);
            let silent: Vec<usize> = all.waiting.iter().copied().filter(is_silent).collect();
            all.waiting.retain(|at| all.accepted.contains_key(at));
            let accepted = Out::Client(united_acknowledgement(&all.accepted));
            let cancel = cancellation(id);
            let cancel = silent.into_iter().map(|at| Out::Server(at, cancel.clone()));
            return std::iter::once(accepted).chain(cancel).collect();
        }
        let Some(Asked { id, method, way: Way::All(all) }) = self.asked.remove(key) else {
            return Vec::new();
        };
        for at in &all.waiting {
            tracing::warn!("{} did not respond to {method} in time", self.names.of(*at));
        }
        let error = all.error.clone();
        let answer = self.united(&method, all).map(|result| message::response(&id, &result));
        let answer = answer
            .or(error)
            .unwrap_or_else(|| message::error(&id, NO_SERVER, "no server responded in time"));
        vec![Out::Client(answer)]
    }

    /// The result of what several servers were asked.
    fn united(&mut self, method: &str, all: All) -> Option<String> {
        let All { mut results, error, .. } = all;
        if let Some((member, _)) = list(method) {
            for (at, result) in &mut results {
                *result = self.listed(*at, member, result)?;
            }
        }
        let mut parts = Vec::new();
        for (at, result) in &results {
            parts.push(Part { server: self.names.of(*at), result });
        }
        match method {
            _ if parts.is_empty() => None,
            "initialize" => {
                let greeting = union::greeting(&parts);
                let has = |list: &&str| value_at(&greeting, &["capabilities", list]).is_some();
                self.declared = LISTS.into_iter().filter(has).collect();
                Some(greeting)
            }
            // A server that does not know the revision cannot be asked anything in it.
            "server/discover" if error.is_none() => union::discovery(&parts),
            "server/discover" => None,
            _ => match list(method) {
                Some((member, _)) => union::list(member, &parts),
                None => parts.first().map(|part| part.result.to_owned()),
            },
        }
    }

    /// A list of a server, with its name on what is called by name.
    fn listed(&mut self, at: usize, member: &str, result: &str) -> Option<String> {
        let has_names = matches!(member, "tools" | "prompts");
        let mut entries = Vec::new();
        for entry in union::entries_of(member, result)? {
            let entry = entry.get();
            // Of two members of a name, a client may read the one that has no mark.
            let is_plain = message::is_unambiguous(entry);
            let named = match text_at(entry, &["name"]).filter(|_| is_plain) {
                Some(name) if has_names => {
                    with_value(entry, &["name"], &quoted(&self.names.marked(at, &name)))
                }
                _ if has_names || !is_plain => None,
                _ => Some(entry.to_owned()),
            };
            match named {
                Some(entry) => {
                    self.places.read(&entry, at);
                    entries.push(entry);
                }
                None => tracing::warn!(
                    "{} lists something without a name, or with two, which is left out: {entry:.200}",
                    self.names.of(at)
                ),
            }
        }
        Some(with_member(result, member, &format!("[{}]", entries.join(","))))
    }

    /// When something is answered that has waited for long enough.
    pub(super) fn until(&self) -> Option<Instant> {
        let until = |asked: &Asked| match &asked.way {
            Way::All(all) => all.until,
            Way::Turn { .. } => None,
        };
        self.asked.values().filter_map(until).min()
    }

    /// Answers what has waited until now.
    pub(super) fn expire(&mut self, now: Instant) -> Vec<Out> {
        let is_over = |asked: &Asked| matches!(&asked.way, Way::All(all) if all.until.is_some_and(|until| until <= now));
        let over = self.asked.iter().filter(|(_, asked)| is_over(asked));
        let over: Vec<String> = over.map(|(key, _)| key.clone()).collect();
        over.iter().flat_map(|key| self.advance(key, true)).collect()
    }

    /// What becomes of a message that a server does not take.
    pub(super) fn untaken(&mut self, at: usize, text: &str) -> Vec<Out> {
        let name = self.names.of(at);
        let why = format!("{name} is not reading its input");
        tracing::warn!("{why}");
        match Message::read(text).as_ref().and_then(Message::kind) {
            Some(Kind::Request { id, .. }) => {
                let answer = message::error(id, NO_SERVER, &why);
                self.hear_one(at, answer)
            }
            _ => Vec::new(),
        }
    }
}

fn no_method(method: &str) -> (i32, String) {
    (NO_METHOD, format!("Method not found: {method}"))
}
