//! What the client receives of the messages of several servers.

use std::collections::BTreeSet;

use serde_json::value::RawValue;
use tokio::time::Instant;

use super::asked::{All, Asked, Greeting, Way, cancellation, list, united_acknowledgement};
use super::names::{quoted, text_at};
use super::router::{NO_METHOD, NO_SERVER, Out, Router};
use super::union::{self, Part};
use crate::message::{self, Kind, Message, value_at, with_member, with_value};
use crate::relay::{LISTS, batch};
use crate::session::INITIALIZED;

/// Maximum bytes that a view adds to an entry of a list.
const ADDED: usize = 512;
const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";

impl Router {
    /// Handles a message or a batch from a server.
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
        self.silent.remove(&at);
        let is_task = self.is_task(&text);
        let text = self.names.with_marks(at, text, is_task);
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
                        "{} sent a notification with a duplicate member",
                        self.names.of(at)
                    );
                    Vec::new()
                }
                "notifications/cancelled" => {
                    vec![Out::Client(self.names.with_mark(at, text, &["params", "requestId"]))]
                }
                ACKNOWLEDGED => self.acknowledged(at, text),
                _ if !self.is_own(at, method, &text) => {
                    let name = self.names.of(at);
                    tracing::warn!("{name} sent {method} for something that another server owns");
                    Vec::new()
                }
                _ => {
                    let list = method.strip_prefix("notifications/");
                    let list = list.and_then(|method| method.strip_suffix("/list_changed"));
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

    /// Whether a message is about a task itself, so that its `taskId` members belong to a server.
    fn is_task(&self, text: &str) -> bool {
        let message = Message::read(text);
        match message.as_ref().and_then(Message::kind) {
            Some(Kind::Response { id }) => {
                let asked = self.asked.get(&message::key(id));
                asked.is_some_and(|asked| asked.method.starts_with("tasks/"))
                    || message
                        .and_then(|message| message.result)
                        .is_some_and(|result| is_created(result.get()))
            }
            Some(Kind::Notification { method }) => method.starts_with("notifications/tasks"),
            _ => false,
        }
    }

    /// Whether a notification concerns a request or URI of the server that sends it.
    fn is_own(&self, at: usize, method: &str, text: &str) -> bool {
        match method {
            "notifications/progress" => {
                let token = value_at(text, &["params", "progressToken"]).map(message::key);
                let servers = token.and_then(|token| self.tokens.get(&token));
                servers.is_some_and(|servers| servers.contains(&at))
            }
            "notifications/resources/updated" => {
                let of = text_at(text, &["params", "uri"]).and_then(|uri| self.places.find(&uri));
                of.is_none_or(|of| of == at)
            }
            _ => true,
        }
    }

    /// Why a result cannot be merged.
    fn fault(&self, key: &str, result: &str) -> Option<String> {
        let method = match self.asked.get(key) {
            _ if self.handshake.as_deref() == Some(key) => "initialize",
            Some(Asked { method, way: Way::All(_), .. }) => method,
            _ => return None,
        };
        let entries = list(method).map(|(member, _)| union::entries_of(member, result));
        let is_fit = match method {
            "initialize" => union::is_greeting(result),
            "server/discover" => union::is_discovery(result),
            _ => entries.as_ref().is_none_or(Option::is_some),
        };
        let count = entries.flatten().map_or(0, |entries| entries.len());
        let (size, share) = (result.len() + count * ADDED, self.share);
        match is_fit {
            false => Some("the result is malformed".into()),
            true => (size > share).then(|| {
                format!("the result of {size} bytes exceeds the server's share of {share} bytes")
            }),
        }
    }

    fn hear_answer(&mut self, at: usize, key: &str, text: String) -> Vec<Out> {
        let is_handshake = self.handshake.as_deref() == Some(key);
        let message = Message::read(&text);
        let result = message.and_then(|message| message.result).map(RawValue::get);
        let fault = result.and_then(|result| self.fault(key, result));
        let fault = fault.map(|why| format!("{}: {why}", self.names.of(at)));
        let result = result.filter(|_| fault.is_none()).map(str::to_owned);
        if let Some(why) = &fault {
            tracing::warn!("{why}");
        }
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
        let Some(Asked { id, way, .. }) = self.asked.get_mut(key) else { return out };
        match way {
            Way::Turn { at: asked, rest, text: request, error } if *asked == at => {
                let code = value_at(&text, &["error", "code"]).and_then(|code| code.parse().ok());
                if code == Some(NO_METHOD) {
                    let text = error.take().unwrap_or(text);
                    if let Some(next) = rest.pop_front() {
                        (*asked, *error) = (next, Some(text));
                        return vec![Out::Server(next, request.clone())];
                    }
                    self.done(key, false);
                    return vec![Out::Client(text)];
                }
                let result = result.unwrap_or_default();
                self.done(key, is_created(&result));
                self.places.read(&result, at);
                vec![Out::Client(text)]
            }
            Way::All(all) if all.waiting.contains(&at) => {
                all.waiting.remove(&at);
                if all.is_open && all.accepted.contains_key(&at) {
                    // The client subscribes again, to the servers that are available then.
                    let rest = std::mem::take(&mut all.waiting);
                    out.extend(self.end_listening(key, &rest));
                    out.push(Out::Client(text));
                    return out;
                }
                match result {
                    Some(result) => _ = all.results.insert(at, result),
                    // An invalid result counts as an error.
                    None => {
                        let error = match fault {
                            Some(why) => message::error(id, NO_SERVER, &why),
                            None => text,
                        };
                        all.errors.insert(at, error);
                    }
                }
                out.extend(self.advance(key, false));
                out
            }
            _ => out,
        }
    }

    /// Cancels a subscription at the other servers.
    fn end_listening(&mut self, key: &str, rest: &BTreeSet<usize>) -> Vec<Out> {
        let Some(Asked { id, .. }) = self.done(key, false) else { return Vec::new() };
        let cancel = cancellation(&id);
        rest.iter().map(|at| Out::Server(*at, cancel.clone())).collect()
    }

    /// A server has accepted a subscription: the client is notified once all supporting servers have.
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

    /// Completes requests that all servers have responded to, or that have timed out.
    fn advance(&mut self, key: &str, is_over: bool) -> Vec<Out> {
        let Some(Asked { id, way: Way::All(all), .. }) = self.asked.get_mut(key) else {
            return Vec::new();
        };
        if !is_over && !all.is_settled(&self.silent) {
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
        let Some(Asked { id, method, way: Way::All(all), .. }) = self.done(key, false) else {
            return Vec::new();
        };
        for at in all.waiting.iter().filter(|_| is_over) {
            tracing::warn!("{} did not respond to {method} in time", self.names.of(*at));
            self.silent.insert(*at);
        }
        // Once one server has the resource, the others need not continue.
        let needless = all.waiting.iter().filter(|_| all.target.is_some());
        let cancel = cancellation(&id);
        let mut out: Vec<Out> = needless.map(|at| Out::Server(*at, cancel.clone())).collect();
        let error = all.errors.first_key_value().map(|(_, error)| error.clone());
        let answer = self.united(&method, all).map(|result| message::response(&id, &result));
        let answer = answer
            .or(error)
            .unwrap_or_else(|| message::error(&id, NO_SERVER, "no server responded in time"));
        out.push(Out::Client(answer));
        out
    }

    /// Merges the results of several servers.
    fn united(&mut self, method: &str, all: All) -> Option<String> {
        let All { mut results, errors, target, is_first_page, .. } = all;
        if let Some((member, _)) = list(method) {
            let servers = results.keys().filter(|_| is_first_page);
            servers.for_each(|at| self.places.forget(member, *at));
            for (at, result) in &mut results {
                *result = self.listed(*at, member, result)?;
            }
        }
        if let (Some((at, result)), Some(target)) = (results.first_key_value(), target) {
            self.places.name(&target, *at);
            self.places.read(result, *at);
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
            // A server that does not support the revision cannot be queried in it.
            "server/discover" if errors.is_empty() => union::discovery(&parts),
            "server/discover" => None,
            _ => match list(method) {
                Some((member, _)) => union::list(member, &parts),
                None => parts.first().map(|part| part.result.to_owned()),
            },
        }
    }

    /// The list of a server, with prefixed names.
    fn listed(&mut self, at: usize, member: &str, result: &str) -> Option<String> {
        let has_names = matches!(member, "tools" | "prompts");
        let mut entries = Vec::new();
        for entry in union::entries_of(member, result)? {
            let entry = entry.get();
            // Of duplicate keys, a client may read the one without the prefix.
            let is_plain = message::is_unambiguous(entry);
            let named = match text_at(entry, &["name"]).filter(|_| is_plain) {
                Some(name) if has_names => {
                    with_value(entry, &["name"], &quoted(&self.names.marked(at, &name)))
                }
                _ if has_names || !is_plain => None,
                _ => Some(entry.to_owned()),
            };
            match named {
                Some(entry) if self.places.list(&entry, at) => entries.push(entry),
                Some(entry) => tracing::warn!(
                    "{} lists an entry that another server already lists; left out: {entry:.200}",
                    self.names.of(at)
                ),
                None => tracing::warn!(
                    "{} lists an entry without a name, or with two; left out: {entry:.200}",
                    self.names.of(at)
                ),
            }
        }
        Some(with_member(result, member, &format!("[{}]", entries.join(","))))
    }

    /// The deadline of the next request that times out.
    pub(super) fn until(&self) -> Option<Instant> {
        let until = |asked: &Asked| match &asked.way {
            Way::All(all) => all.until,
            Way::Turn { .. } => None,
        };
        self.asked.values().filter_map(until).min()
    }

    /// Completes requests that have timed out.
    pub(super) fn expire(&mut self, now: Instant) -> Vec<Out> {
        let is_over = |asked: &Asked| matches!(&asked.way, Way::All(all) if all.until.is_some_and(|until| until <= now));
        let over = self.asked.iter().filter(|(_, asked)| is_over(asked));
        let over: Vec<String> = over.map(|(key, _)| key.clone()).collect();
        over.iter().flat_map(|key| self.advance(key, true)).collect()
    }

    /// Handles a message that a server does not accept.
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

/// Whether the result of a request is a task.
fn is_created(result: &str) -> bool {
    value_at(result, &["task"]).is_some()
        || text_at(result, &["resultType"]).is_some_and(|kind| kind == "task")
}
