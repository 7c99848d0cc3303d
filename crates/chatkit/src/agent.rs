//! Replies of a model that calls tools. Messages that start with `/` are still commands.
//!
//! The items of a thread are the conversation: the model's messages and tool results are read back from them,
//! so that any process can continue it. A call that needs approval is shown as a widget; its buttons store
//! the decision, and the reply continues.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde::Deserialize as _;
use serde_json::{Map, Value, json};
use widgetcast::Budgeted;
use widgetcast_agent::{
    Agent, Approval, CancellationToken, Event as Told, Message, Sink, StopReason, Tool, ToolCall,
    Toolbox, Transcript,
};

use crate::approval::{self, DECIDE};
use crate::attached::{self, Given};
use crate::commands::{Commands, name_thread};
use crate::error::{RequestError, TurnError};
use crate::protocol::{Action, AssistantContent, Event, Item, ItemKind};
use crate::responder::{Responder, ResponderFuture};
use crate::thread_locks::ThreadLocks;
use crate::tools;
use crate::turn::{self, Turn, User};

/// Maximum items of a thread that are sent to the model.
const MAX_ITEMS: usize = 400;
/// The id prefix of items that explain why a reply ended early.
const NOTICE: &str = "note";

/// A responder that replies with a model and its tools.
#[derive(Clone)]
pub struct AgentResponder {
    agent: Agent,
    commands: Commands,
    locks: Arc<ThreadLocks>,
}

impl AgentResponder {
    /// Creates a responder from an agent.
    pub fn new(agent: Agent) -> Self {
        let commands = Commands::new(agent.toolbox().clone());
        Self { agent, commands, locks: Arc::default() }
    }

    async fn answer(&self, turn: &Turn) -> Result<(), TurnError> {
        let _alone = self.locks.take(turn.thread_id()).await;
        let items = turn.last_items(MAX_ITEMS).await?;
        let files = attached::given(turn, &items).await?;
        let write = move |budgeted| transcript(&items, &files, budgeted);
        let written = turn.workers().finish(usize::MAX, write).await;
        let mut transcript = written.ok_or(TurnError::Stream { allow_retry: false })?;
        let cancel = CancellationToken::new();
        let mut out = Out {
            turn: turn.clone(),
            toolbox: self.agent.toolbox().clone(),
            message: None,
            shown: HashSet::new(),
            notice: None,
            failed: None,
            cancel: cancel.clone(),
        };
        let caller = turn.user().caller.as_ref();
        let agent = self.agent.for_peer(turn.user().peer);
        let run = agent.run(&mut transcript, caller, &mut out, &cancel).await;
        if let Some(error) = out.failed {
            return Err(error);
        }
        let Some(text) = out.notice else { return Ok(()) };
        let content = vec![AssistantContent::new(text.clone())];
        let item = turn.item(NOTICE, ItemKind::AssistantMessage { content });
        match run.stop_reason {
            // The client gets an error event; the item is for those who read the thread later.
            StopReason::Failed { error } => {
                turn.keep_untold(item).await?;
                Err(TurnError::Custom { message: text, allow_retry: error.may_pass() })
            }
            _ => turn.emit(Event::ItemDone { item }).await,
        }
    }
}

impl Responder for AgentResponder {
    fn respond<'r>(&'r self, turn: &'r Turn, message: Option<&'r Item>) -> ResponderFuture<'r> {
        Box::pin(async move {
            let text = message.map(Item::text).unwrap_or_default();
            if text.trim_start().starts_with('/') {
                return self.commands.respond(turn, message).await;
            }
            name_thread(turn, text.trim()).await?;
            self.answer(turn).await
        })
    }

    fn act<'r>(
        &'r self,
        turn: &'r Turn,
        action: &'r Action,
        sender: Option<&'r Item>,
    ) -> ResponderFuture<'r> {
        Box::pin(async move {
            if action.kind != DECIDE {
                return self.commands.act(turn, action, sender).await;
            }
            match approval::decide(turn, action, sender).await? {
                true => self.answer(turn).await,
                false => Ok(()),
            }
        })
    }

    fn commands<'r>(&'r self, user: &'r User) -> BoxFuture<'r, Result<Vec<Value>, RequestError>> {
        self.commands.commands(user)
    }
}

/// The conversation, as sent to the model.
fn transcript(items: &[Item], files: &HashMap<String, Given>, _: Budgeted) -> Transcript {
    let mut messages: Vec<Message> = Vec::new();
    for item in items {
        match &item.kind {
            ItemKind::UserMessage { attachments, quoted_text, .. } => {
                let mut text = item.text();
                if let Some(quoted) = quoted_text {
                    text = format!("> {}\n\n{text}", quoted.replace('\n', "\n> "));
                }
                let mut images = Vec::new();
                for attachment in attachments {
                    text.push_str(&format!("\n[attached: {}]", attachment.name));
                    match files.get(&attachment.id) {
                        Some(Given::Text(content)) => text.push_str(&format!("\n{content}\n")),
                        Some(Given::Image(address)) => images.push(address.clone()),
                        None => {}
                    }
                }
                messages.push(Message::User { text, images });
            }
            ItemKind::AssistantMessage { .. } if !item.id.starts_with(NOTICE) => {
                let (text, calls) = (item.text(), Vec::new());
                messages.push(Message::Assistant { text, calls, cut: false });
            }
            ItemKind::HiddenContextItem { content } => remember(content, &mut messages),
            _ => {}
        }
    }
    let mut transcript = Transcript::new();
    transcript.messages = messages;
    transcript
}

/// The hidden context for the model.
fn remember(content: &Value, messages: &mut Vec<Message>) {
    match content["role"].as_str() {
        Some("calls") => {
            let new: Vec<ToolCall> = Vec::deserialize(&content["calls"]).unwrap_or_default();
            match messages.last_mut() {
                // Text before the calls is part of the same message.
                Some(Message::Assistant { calls, .. }) if calls.is_empty() => *calls = new,
                _ => {
                    let text = String::new();
                    messages.push(Message::Assistant { text, calls: new, cut: false });
                }
            }
        }
        Some("tool_result") => {
            let about = &content["metadata"];
            // Calls that the user made by name are not the model's.
            if let (Some(call_id), Some(name)) = (about["call_id"].as_str(), about["name"].as_str())
            {
                let result = json!({
                    "content": about["mcp_content"], "structuredContent": about["structured_content"],
                    "isError": about["is_error"],
                });
                let (call_id, name) = (call_id.to_owned(), name.to_owned());
                answer_call(messages, Message::Tool { call_id, name, result });
            }
        }
        _ => {}
    }
}

/// Moves a result behind its call, as endpoints require: other messages may have been stored while the tool
/// ran. If there are several, the last one counts.
fn answer_call(messages: &mut Vec<Message>, result: Message) {
    let Message::Tool { call_id: id, .. } = &result else { return };
    let is_answer =
        |message: &Message| matches!(message, Message::Tool { call_id, .. } if call_id == id);
    if let Some(known) = messages.iter_mut().rev().find(|message| is_answer(message)) {
        *known = result;
        return;
    }
    let asks = |message: &Message| match message {
        Message::Assistant { calls, .. } => calls.iter().any(|call| call.id == *id),
        _ => false,
    };
    let Some(at) = messages.iter().rposition(asks) else { return };
    let answers = |message: &&Message| matches!(message, Message::Tool { .. });
    let place = at + 1 + messages[at + 1..].iter().take_while(answers).count();
    messages.insert(place, result);
}

/// Converts the events of an agent to those of a turn.
struct Out {
    turn: Turn,
    toolbox: Toolbox,
    /// The message in progress.
    message: Option<turn::Message>,
    /// The calls whose results are stored.
    shown: HashSet<String>,
    /// Why the reply ended early, for the user.
    notice: Option<String>,
    /// Why the stream can no longer be written.
    failed: Option<TurnError>,
    cancel: CancellationToken,
}

impl Out {
    async fn told(&mut self, event: Told<'_>) -> Result<(), TurnError> {
        match event {
            Told::Text { delta } => {
                let mut message = match self.message.take() {
                    Some(message) => message,
                    None => self.turn.begin_message().await?,
                };
                let pushed = message.push(delta).await;
                self.message = Some(message);
                pushed
            }
            Told::Calling { tool, .. } => {
                self.turn.progress("bolt", format!("{} …", tools::title(tool))).await
            }
            Told::Result { call, tool, result } => {
                self.shown.insert(call.id.clone());
                let arguments = serde_json::from_str(&call.arguments).unwrap_or_default();
                let of = tools::Of { call_id: Some(call.id.clone()), ..tools::Of::tool(tool) };
                self.show(of, arguments, result).await
            }
            Told::Message(message) => self.message(message).await,
            Told::Retrying { wait, .. } => {
                let words = format!("Retrying the model in {} s …", wait.as_secs().max(1));
                self.turn.progress("clock", words).await
            }
            _ => Ok(()),
        }
    }

    /// Stores a complete message.
    async fn message(&mut self, message: &Message) -> Result<(), TurnError> {
        match message {
            Message::Assistant { calls, .. } => {
                if let Some(message) = self.message.take() {
                    message.done().await?;
                }
                match calls.is_empty() {
                    true => Ok(()),
                    false => self.turn.keep(json!({ "role": "calls", "calls": calls })).await,
                }
            }
            // A rejected call has no tool result.
            Message::Tool { call_id, name, result } if !self.shown.contains(call_id) => {
                let (server, tool) = (String::new(), name.clone());
                let of = tools::Of { server, tool, call_id: Some(call_id.clone()) };
                self.show(of, Map::new(), result).await
            }
            Message::Notice { text } => {
                self.notice = Some(text.clone());
                Ok(())
            }
            _ => Ok(()),
        }
    }

    async fn show(
        &self,
        of: tools::Of,
        arguments: Map<String, Value>,
        result: &Value,
    ) -> Result<(), TurnError> {
        let (turn, toolbox) = (&self.turn, &self.toolbox);
        tools::show(turn, toolbox, of, arguments, result.clone(), None).await.map(|_| ())
    }

    fn fail(&mut self, error: TurnError) {
        self.failed = Some(error);
        self.cancel.cancel();
    }
}

impl Sink for Out {
    async fn event(&mut self, event: Told<'_>) {
        if self.failed.is_none()
            && let Err(error) = self.told(event).await
        {
            self.fail(error);
        }
    }

    async fn approve(
        &mut self,
        call: &ToolCall,
        tool: &Tool,
        arguments: &Map<String, Value>,
    ) -> Approval {
        match approval::of_call(&self.turn, call, tool, arguments).await {
            Ok(approval) => approval,
            Err(error) => {
                self.fail(error);
                Approval::Pending
            }
        }
    }
}
