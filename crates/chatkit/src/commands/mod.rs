//! Replies without a model: a message such as `/flight_tracker number=LX38` calls a tool. A form asks for
//! missing arguments.

mod form;
mod matching;
mod parse;

use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::{Map, Value, json};
use widgetcast::Budgeted;
use widgetcast_agent::{Tool, Toolbox, ToolboxError};

use crate::error::{RequestError, TurnError};
use crate::protocol::{Action, Item, ItemKind};
use crate::responder::{Responder, ResponderFuture};
use crate::tools;
use crate::turn::{Turn, User};

/// Maximum characters of a title that is derived from a message.
const MAX_TITLE: usize = 60;
/// The number of tools suggested to a user who names none.
const MAX_OFFERED: usize = 5;
/// Maximum arguments of a form.
const MAX_FIELDS: usize = 200;
/// The number of tools that `/help` describes; others are only named.
const MAX_LISTED: usize = 30;

/// A responder without a model: messages call tools by name.
#[derive(Clone)]
pub struct Commands(Toolbox);

impl Commands {
    /// Creates a responder for the tools of a toolbox.
    pub fn new(toolbox: Toolbox) -> Self {
        Self(toolbox)
    }

    async fn tools(&self, user: &User) -> Result<Tools, TurnError> {
        Ok(Tools(self.0.listed(user.caller.as_ref()).await?))
    }

    /// The tool of this name, if users may call it.
    async fn tool(&self, user: &User, name: &str) -> Result<Option<Tool>, TurnError> {
        match self.0.tool(user.caller.as_ref(), name).await {
            Ok(tool) => Ok(Some(tool).filter(|tool| tool.visible_to_model)),
            Err(ToolboxError::UnknownTool { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    async fn answer(&self, turn: &Turn, message: &Item) -> Result<(), TurnError> {
        let text = message.text();
        let chosen = match &message.kind {
            ItemKind::UserMessage { inference_options, .. } => {
                inference_options.tool_choice.as_ref()
            }
            _ => None,
        };
        let (name, rest) = match (chosen, text.trim().strip_prefix('/')) {
            (_, Some(command)) => command.split_once(char::is_whitespace).unwrap_or((command, "")),
            (Some(choice), None) => (&*choice.id, text.trim()),
            (None, None) => {
                name_thread(turn, text.trim()).await?;
                let (tools, text) = (self.tools(turn.user()).await?, text.trim().to_owned());
                let bytes = tools.0.len() * Tool::BYTES;
                let offer = self.0.workers().finish(bytes, move |_: Budgeted| offer(&text, &tools));
                let words = offer.await.ok_or(TurnError::Stream { allow_retry: false })?;
                return turn.say(words).await;
            }
        };
        let Some(tool) = self.tool(turn.user(), name).await? else {
            name_thread(turn, text.trim()).await?;
            let tools = self.tools(turn.user()).await?;
            let words = match name {
                "" | "help" => help(&tools),
                name => {
                    let words = tools::unknown(name, tools.iter().map(|tool| &*tool.name));
                    format!("{words} Send `/help` to list all of them.")
                }
            };
            return turn.say(words).await;
        };
        name_thread(turn, tools::title(&tool)).await?;
        let (bytes, rest) = (rest.len(), rest.to_owned());
        let parse = move |budgeted| (parse::arguments(&rest, &tool.input_schema, budgeted), tool);
        let parsed = self.0.workers().finish(bytes, parse).await;
        let (arguments, tool) = parsed.ok_or(TurnError::Stream { allow_retry: false })?;
        match arguments {
            Ok(arguments) => self.call(turn, &tool, arguments).await,
            Err(words) => turn.say(words).await,
        }
    }

    /// Calls a tool, or asks for missing arguments.
    async fn call(
        &self,
        turn: &Turn,
        tool: &Tool,
        arguments: Map<String, Value>,
    ) -> Result<(), TurnError> {
        let required = tool.input_schema["required"].as_array().into_iter().flatten();
        let mut required = required.filter_map(Value::as_str);
        let fields = tool.input_schema["properties"].as_object().map_or(0, Map::len);
        match required.any(|name| !arguments.contains_key(name)) {
            true if fields > MAX_FIELDS => {
                turn.say("The tool has too many arguments for a form. Write them as JSON.").await
            }
            true => {
                let copy_text = format!("{}: what is missing?", tools::title(tool));
                tools::show_form(turn, tool, form::form(tool, &arguments), copy_text).await
            }
            false => tools::call(turn, &self.0, tool, arguments, None).await,
        }
    }
}

/// Users may call the tools that a model may see.
struct Tools(Arc<Vec<Tool>>);

impl Tools {
    fn iter(&self) -> impl Iterator<Item = &Tool> {
        self.0.iter().filter(|tool| tool.visible_to_model)
    }
}

/// Sets the title of a thread that has none.
pub(crate) async fn name_thread(turn: &Turn, text: &str) -> Result<(), TurnError> {
    let line = text.lines().next().unwrap_or_default();
    let mut title: String = line.chars().take(MAX_TITLE).collect();
    if title.len() < line.len() {
        title.push('…');
    }
    match turn.thread().title.is_some() || title.is_empty() {
        true => Ok(()),
        false => turn.set_title(title).await,
    }
}

/// A short reply to a message that names no tool: the tools that it may be about, or else the first ones.
fn offer(text: &str, tools: &Tools) -> String {
    let all: Vec<&Tool> = tools.iter().collect();
    let matching = matching::matching(text, &all);
    let (offered, kind) = match matching.is_empty() {
        true => (&all, "for example"),
        false => (&matching, "closest to your message"),
    };
    let named = named(offered.iter().take(MAX_OFFERED).copied());
    match all.len() {
        0 => "No tools are available.".into(),
        many if many <= MAX_OFFERED && matching.is_empty() => {
            format!("No model is configured, so messages call tools by name:\n{named}")
        }
        many => format!(
            "No model is configured, so messages call tools by name; {kind}:\n{named}\n\n\
             Send `/help` to list all {many}."
        ),
    }
}

fn help(tools: &Tools) -> String {
    let named = named(tools.iter().take(MAX_LISTED));
    if named.is_empty() {
        return "No tools are available.".into();
    }
    let rest = tools.iter().skip(MAX_LISTED).map(|tool| format!("`/{}`", tool.name));
    let rest: Vec<String> = rest.collect();
    let more =
        if rest.is_empty() { String::new() } else { format!("\n- Also {}", rest.join(", ")) };
    format!(
        "Start a message with the name of a tool:\n{named}{more}\n\n\
         Add arguments as `name=value` or as JSON; a form asks for missing ones."
    )
}

/// Tools as list items.
fn named<'t>(tools: impl Iterator<Item = &'t Tool>) -> String {
    let item = |tool: &Tool| {
        let about = tool.description.lines().next().unwrap_or_default();
        format!("\n- `/{}` {about}", tool.name)
    };
    tools.map(item).collect()
}

impl Responder for Commands {
    fn respond<'r>(&'r self, turn: &'r Turn, message: Option<&'r Item>) -> ResponderFuture<'r> {
        Box::pin(async move {
            match message {
                Some(message) => self.answer(turn, message).await,
                None => Ok(()),
            }
        })
    }

    fn act<'r>(
        &'r self,
        turn: &'r Turn,
        action: &'r Action,
        sender: Option<&'r Item>,
    ) -> ResponderFuture<'r> {
        Box::pin(tools::act(turn, &self.0, action, sender))
    }

    fn commands<'r>(&'r self, user: &'r User) -> BoxFuture<'r, Result<Vec<Value>, RequestError>> {
        Box::pin(async move {
            let unavailable = |error: TurnError| RequestError::Unavailable(error.to_string());
            let tools = self.tools(user).await.map_err(unavailable)?;
            let bytes = tools.0.len() * Tool::BYTES;
            let write = move |_: Budgeted| tools.iter().map(listed).collect();
            let listed = self.0.workers().finish(bytes, write).await;
            listed.ok_or_else(|| RequestError::Unavailable("the tools cannot be listed".into()))
        })
    }
}

/// A tool for completion.
pub(crate) fn listed(tool: &Tool) -> Value {
    json!({
        "name": tool.name, "title": tools::title(tool), "description": tool.description,
        "inputSchema": tool.input_schema,
    })
}
