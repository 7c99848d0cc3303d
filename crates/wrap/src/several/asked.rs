//! Requests to servers, and the responses so far.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::Value;
use tokio::time::Instant;

use super::union;
use crate::message::{value_at, with_value};

/// The response of a server to the handshake.
#[derive(Debug)]
pub(super) enum Greeting {
    /// There was none.
    None,
    Awaited,
    /// Its capabilities, unless the handshake failed.
    Done(Option<Value>),
}

impl Greeting {
    pub(super) fn is_starting(&self) -> bool {
        matches!(self, Self::Awaited)
    }

    /// Whether it may have this capability, as far as known.
    pub(super) fn may_have(&self, capability: &str) -> bool {
        match self {
            Self::None | Self::Done(None) => true,
            Self::Awaited => false,
            Self::Done(Some(known)) => known.get(capability).is_some(),
        }
    }
}

/// A request of the client.
#[derive(Debug)]
pub(super) struct Asked {
    pub id: String,
    pub method: String,
    /// The progress token.
    pub token: Option<String>,
    pub way: Way,
}

#[derive(Debug)]
pub(super) enum Way {
    /// One server; the others follow if it does not support the method.
    Turn {
        at: usize,
        rest: VecDeque<usize>,
        text: String,
        error: Option<String>,
    },
    All(All),
}

/// A request to several servers at once.
#[derive(Debug, Default)]
pub(super) struct All {
    pub waiting: BTreeSet<usize>,
    pub results: BTreeMap<usize, String>,
    /// The error responses.
    pub errors: BTreeMap<usize, String>,
    /// The URI that one of them may have; of those that have it, the first by name responds.
    pub target: Option<String>,
    /// Whether it is the first page of a list.
    pub is_first_page: bool,
    /// The deadline, after which missing responses are ignored.
    pub until: Option<Instant>,
    /// The subscriptions of a client, by the servers that have accepted them.
    pub accepted: BTreeMap<usize, String>,
    pub is_open: bool,
}

impl Asked {
    /// The servers that may respond.
    pub(super) fn servers(&self) -> BTreeSet<usize> {
        match &self.way {
            Way::Turn { at, rest, .. } => rest.iter().chain([at]).copied().collect(),
            Way::All(all) => all.waiting.clone(),
        }
    }
}

impl All {
    /// Whether the pending responses cannot change the outcome. Servers that timed out before are not
    /// awaited.
    pub(super) fn is_settled(&self, silent: &BTreeSet<usize>) -> bool {
        let first = self.results.keys().next();
        let is_any = first.is_some() || !self.accepted.is_empty();
        let is_later = |at| self.target.is_some() && first.is_some_and(|first| first < at);
        let is_idle = |at| self.accepted.contains_key(at) || is_any && silent.contains(at);
        self.waiting.iter().all(|at| is_idle(at) || is_later(at))
    }
}

/// The member of a result that is a list, and the capability of servers that have it.
pub(super) fn list(method: &str) -> Option<(&'static str, &'static str)> {
    Some(match method {
        "tools/list" => ("tools", "tools"),
        "prompts/list" => ("prompts", "prompts"),
        "resources/list" => ("resources", "resources"),
        "resources/templates/list" => ("resourceTemplates", "resources"),
        "tasks/list" => ("tasks", "tasks"),
        _ => return None,
    })
}

/// The notification that cancels a request.
pub(super) fn cancellation(id: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#
    )
}

/// The merged subscriptions that servers have accepted.
pub(super) fn united_acknowledgement(accepted: &BTreeMap<usize, String>) -> String {
    let path = ["params", "notifications"];
    let mut united = Value::Object(serde_json::Map::new());
    for text in accepted.values() {
        let filter = value_at(text, &path).and_then(|text| serde_json::from_str(text).ok());
        union::unite(&mut united, filter.unwrap_or_default());
    }
    let first = accepted.values().next().map_or("{}", String::as_str);
    with_value(first, &path, &united.to_string()).unwrap_or_else(|| first.to_owned())
}
