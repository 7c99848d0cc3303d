//! Relays between one client and one server. Messages are passed on unchanged, except for what [`Views`] adds
//! to tool lists, results and resource lists, and for requests that only the page of views can handle.
//!
//! This module is synchronous: see `session` for the I/O.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;
use widgetcast::Budgeted;
use widgetcast_core::budget::Budget;

use crate::message::{self, CAPABILITIES, Kind, META_VERSION, Message, replace, with_value};
use crate::views::{ClientInfo, Tool, Views, no_templates};

/// The lists whose changes a server can announce.
pub(crate) const LISTS: [&str; 3] = ["tools", "resources", "prompts"];

/// The `_meta` key with the client info of a request without a handshake.
const CLIENT: &str = "io.modelcontextprotocol/clientInfo";
/// The JSON-RPC error code for an unknown method.
const NO_METHOD: i64 = -32601;
/// The JSON-RPC error code for an internal error.
const NO_SERVER: i32 = -32000;

/// The outcome of a message from the client.
#[derive(Debug)]
pub(crate) struct FromClient {
    /// Forward it to the server.
    pub forward: Option<String>,
    /// Respond without the server.
    pub answers: Vec<String>,
}

/// The outcome of a message from the server.
#[derive(Debug)]
pub(crate) enum Outgoing {
    One(Part),
    Batch(Vec<Part>),
}

/// A message for the client whose view has not been rendered yet.
#[derive(Debug)]
pub(crate) struct Part {
    text: String,
    drawing: Option<Box<Drawing>>,
}

/// The input for rendering a result.
#[derive(Debug)]
struct Drawing {
    views: Views,
    tool: Arc<Tool>,
    client: ClientInfo,
}

impl Part {
    fn ready(text: String) -> Self {
        Self { text, drawing: None }
    }

    /// Adds the view. If rendering fails, the message is passed on unchanged.
    fn draw(&self) -> Option<String> {
        let Drawing { views, tool, client } = self.drawing.as_deref()?;
        let result = Message::read(&self.text)?.result?.get();
        let drawn = AssertUnwindSafe(|| views.called(tool, client, result));
        let drawn = catch_unwind(drawn).unwrap_or_else(|_| {
            tracing::error!(tool = tool.name(), "rendering the result panicked");
            None
        });
        Some(replace(&self.text, result, &drawn?))
    }

    fn finish(self) -> String {
        self.draw().unwrap_or(self.text)
    }
}

impl Outgoing {
    /// The message, if it is ready or can be rendered within the time limit of a runtime thread.
    pub(crate) fn now(self) -> Result<String, Self> {
        match self {
            Self::One(Part { text, drawing: None }) => Ok(text),
            Self::One(part) if part.text.len() <= Budget::MAX_TRIED_BYTES => {
                match Budget::trial().run(|| part.draw()) {
                    Ok(drawn) => Ok(drawn.unwrap_or(part.text)),
                    Err(_) => Err(Self::One(part)),
                }
            }
            later => Err(later),
        }
    }

    /// The message, rendered within the budget, which a batch shares: results that exceed the rest of it are
    /// passed on unchanged.
    pub(crate) fn finish(self, _: Budgeted) -> String {
        match self {
            Self::One(part) => part.finish(),
            Self::Batch(parts) => {
                let parts: Vec<String> = parts.into_iter().map(Part::finish).collect();
                format!("[{}]", parts.join(","))
            }
        }
    }
}

/// A pending request of the client.
#[derive(Clone, Debug)]
enum Asked {
    Greeting,
    Tools,
    Call { tool: String, client: ClientInfo },
    Resources { is_modern: bool },
    Templates { is_modern: bool },
    Other,
}

/// One client and one server.
#[derive(Debug)]
pub(crate) struct Relay {
    /// If `None`, nothing is added.
    views: Option<Views>,
    client: ClientInfo,
    /// The client's handshake, to repeat it after the server restarts.
    handshake: Option<(String, String)>,
    is_initialized: bool,
    asked: HashMap<String, Asked>,
    /// The lists of whose changes the client is notified.
    announced: Vec<String>,
}

impl Relay {
    /// A relay that adds nothing; its client is notified of every change.
    pub(crate) fn new(views: Option<Views>) -> Self {
        let announced = match views {
            Some(_) => Vec::new(),
            None => LISTS.map(str::to_owned).into(),
        };
        Self {
            views,
            client: ClientInfo::default(),
            handshake: None,
            is_initialized: false,
            asked: HashMap::new(),
            announced,
        }
    }

    /// Handles a message or a batch from the client.
    pub(crate) fn take(&mut self, text: String, _: Budgeted) -> FromClient {
        let Some(items) = batch(&text) else { return self.take_one(text) };
        let mut answers = Vec::new();
        let mut forward = Vec::new();
        for item in items {
            let one = self.take_one(item.get().to_owned());
            answers.extend(one.answers);
            forward.extend(one.forward);
        }
        let forward = (!forward.is_empty()).then(|| format!("[{}]", forward.join(",")));
        FromClient { forward, answers }
    }

    fn take_one(&mut self, text: String) -> FromClient {
        let forward = |text| FromClient { forward: Some(text), answers: Vec::new() };
        let Some(message) = Message::read(&text) else { return forward(text) };
        match message.kind() {
            Some(Kind::Request { id, method }) => {
                let client = self.client_of(&message);
                if method == "initialize" {
                    self.client =
                        read_client("clientInfo", "capabilities", |name| message.param(name));
                    self.handshake = Some((message::key(id), text.clone()));
                }
                if method == "resources/read"
                    && let Some(views) = &self.views
                    && let Some(Value::String(uri)) = message.param("uri")
                    && let Some(read) = views.read(&uri, client.is_modern)
                {
                    return FromClient {
                        forward: None,
                        answers: vec![message::response(id, &read)],
                    };
                }
                let is_modern = client.is_modern;
                let mut unmarked = None;
                let asked = match (method, message.param("name")) {
                    ("initialize" | "server/discover", _) => Asked::Greeting,
                    ("tools/list", _) => Asked::Tools,
                    ("tools/call", Some(Value::String(mut tool))) => {
                        if let Some(meant) =
                            self.views.as_ref().and_then(|views| views.meant(&tool))
                        {
                            tool = meant.name().to_owned();
                            let name = Value::from(&*tool).to_string();
                            unmarked = with_value(&text, &["params", "name"], &name);
                        }
                        Asked::Call { tool, client }
                    }
                    ("resources/list", _) => Asked::Resources { is_modern },
                    ("resources/templates/list", _) => Asked::Templates { is_modern },
                    _ => Asked::Other,
                };
                self.asked.insert(message::key(id), asked);
                if let Some(text) = unmarked {
                    return forward(text);
                }
            }
            Some(Kind::Notification { method: "notifications/cancelled" }) => {
                // The request was cancelled; a late response is passed on unchanged.
                if let Some(id) = message.param("requestId") {
                    self.asked.remove(&id.to_string());
                }
            }
            Some(Kind::Notification { method: "notifications/initialized" }) => {
                self.is_initialized = true;
            }
            _ => {}
        }
        forward(text)
    }

    /// The client info of a request: its own, or that of the handshake.
    fn client_of(&self, message: &Message<'_>) -> ClientInfo {
        let meta = message.param("_meta").unwrap_or_default();
        if meta.get(META_VERSION).is_none() {
            return self.client.clone();
        }
        let client = read_client(CLIENT, CAPABILITIES, |name| meta.get(name).cloned());
        ClientInfo { is_modern: true, ..client }
    }

    /// Handles a message or a batch from the server. Returns the messages for the client, or what is not JSON.
    pub(crate) fn hear(&mut self, text: String, _: Budgeted) -> Result<Outgoing, String> {
        Ok(match batch(&text) {
            Some(items) => {
                let one = |item: &RawValue| self.hear_one(item.get().to_owned());
                Outgoing::Batch(items.into_iter().map(one).collect())
            }
            None if serde_json::from_str::<IgnoredAny>(&text).is_err() => return Err(text),
            None => Outgoing::One(self.hear_one(text)),
        })
    }

    fn hear_one(&mut self, text: String) -> Part {
        let Some(message) = Message::read(&text) else { return Part::ready(text) };
        let Some(Kind::Response { id }) = message.kind() else { return Part::ready(text) };
        let Some(asked) = self.asked.remove(&message::key(id)) else { return Part::ready(text) };
        let Some(views) = &self.views else { return Part::ready(text) };
        let Some(result) = message.result.map(RawValue::get) else {
            return Part::ready(instead_of_error(views, id, &asked, &message).unwrap_or(text));
        };
        let amended = match asked {
            Asked::Greeting => {
                self.announced = announced(result);
                views.greeting(result)
            }
            Asked::Tools => views.tools(result),
            Asked::Call { tool, client } => {
                let tool = views.known(&tool);
                if let Some(tool) = &tool {
                    views.record(tool, result);
                }
                let drawing =
                    tool.map(|tool| Drawing { views: views.clone(), tool, client }.into());
                return Part { text, drawing };
            }
            Asked::Resources { .. } => views.resources(result),
            Asked::Templates { .. } | Asked::Other => None,
        };
        Part::ready(match amended {
            Some(amended) => replace(&text, result, &amended),
            None => text,
        })
    }

    /// Whether the client is notified of changes of this list.
    pub(crate) fn announces(&self, list: &str) -> bool {
        self.announced.iter().any(|announced| announced == list)
    }

    /// Whether the client waits for a response.
    pub(crate) fn is_asked(&self) -> bool {
        !self.asked.is_empty()
    }

    /// The id and the text of the client's handshake, if it has completed one. Without views, sending it is
    /// enough: the client uses other servers if this one was unavailable.
    pub(crate) fn handshake(&self) -> Option<&(String, String)> {
        self.handshake.as_ref().filter(|_| self.is_initialized || self.views.is_none())
    }

    /// The response to a request while there is no server.
    pub(crate) fn without_server(
        &mut self,
        text: String,
        why: &str,
        budgeted: Budgeted,
    ) -> FromClient {
        let FromClient { answers, .. } = self.take(text, budgeted);
        let answers = [answers, self.server_has_gone(why)].concat();
        FromClient { forward: None, answers }
    }

    /// The responses to all pending requests after the server has exited.
    pub(crate) fn server_has_gone(&mut self, why: &str) -> Vec<String> {
        let mut ids: Vec<String> = self.asked.drain().map(|(id, _)| id).collect();
        ids.sort();
        ids.iter().map(|id| message::error(id, NO_SERVER, why)).collect()
    }
}

/// Our response if a server has no resources, although we declare the capability.
fn instead_of_error(
    views: &Views,
    id: &str,
    asked: &Asked,
    message: &Message<'_>,
) -> Option<String> {
    let error: Value = serde_json::from_str(message.error?.get()).ok()?;
    let is_unknown = error.get("code").and_then(Value::as_i64) == Some(NO_METHOD);
    let result = match asked {
        Asked::Resources { is_modern } => views.only_resources(*is_modern)?,
        Asked::Templates { is_modern } => no_templates(*is_modern),
        _ => return None,
    };
    is_unknown.then(|| message::response(id, &result))
}

fn read_client(info: &str, capabilities: &str, get: impl Fn(&str) -> Option<Value>) -> ClientInfo {
    let name = get(info).and_then(|info| Some(info.get("name")?.as_str()?.to_owned()));
    ClientInfo { name, capabilities: get(capabilities), is_modern: false }
}

/// The messages of a batch.
pub(crate) fn batch(text: &str) -> Option<Vec<&RawValue>> {
    let is_array = text.trim_start().starts_with('[');
    let items: Option<Vec<&RawValue>> = is_array.then(|| serde_json::from_str(text).ok()).flatten();
    // The server reports the error of an empty batch.
    items.filter(|items| !items.is_empty())
}

/// The lists whose changes the server announces.
fn announced(greeting: &str) -> Vec<String> {
    let greeting: Value = serde_json::from_str(greeting).unwrap_or_default();
    let capabilities = greeting.get("capabilities").and_then(Value::as_object);
    let told = capabilities.into_iter().flatten();
    told.filter(|(_, about)| about.get("listChanged") == Some(&Value::Bool(true)))
        .map(|(list, _)| list.clone())
        .collect()
}
