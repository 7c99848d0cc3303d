//! Tool calls: what a thread stores and shows of a result.
//!
//! Results are stored completely, in hidden items, and only results are searched for widgets.

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use widgetcast::{Budgeted, Caller, Workers};
use widgetcast_agent::{Tool, Toolbox, ToolboxError};
use widgetcast_core::extract::{Part, extract};
use widgetcast_core::surface::question::nested;

use crate::error::TurnError;
use crate::id;
use crate::protocol::{Action, Event, Item, ItemKind};
use crate::store::StorageError;
use crate::turn::Turn;

/// The id prefixes of results and of the items that show them; the rest of the id is the same.
const RESULT: &str = "res_";
const SHOWN: &str = "msg_";
/// The id prefix of items that record the server of a widget, if it has changed.
const SOURCE: &str = "src_";

impl From<ToolboxError> for TurnError {
    fn from(error: ToolboxError) -> Self {
        Self::new(error.to_string())
    }
}

/// The display name of the tool.
pub(crate) fn title(tool: &Tool) -> &str {
    tool.title.as_deref().filter(|title| !title.is_empty()).unwrap_or(&tool.name)
}

/// Calls a tool, stores its result and shows it; the first widget replaces that of the sender, if any.
pub(crate) async fn call(
    turn: &Turn,
    toolbox: &Toolbox,
    tool: &Tool,
    arguments: Map<String, Value>,
    sender: Option<&Item>,
) -> Result<(), TurnError> {
    turn.progress("bolt", format!("{} …", title(tool))).await?;
    let caller: Option<&Caller> = turn.user().caller.as_ref();
    let toolbox = toolbox.for_peer(turn.user().peer);
    let called = toolbox.call_at(caller, &tool.server, &tool.original_name, arguments.clone());
    let result = called.await?;
    let said = show(turn, &toolbox, Of::tool(tool), arguments, result, sender).await?;
    match said {
        Some(text) => turn.say(text).await,
        None => Ok(()),
    }
}

/// The call that a result belongs to.
pub(crate) struct Of {
    pub server: String,
    /// The tool's name at its server.
    pub tool: String,
    /// The model's id of the call.
    pub call_id: Option<String>,
}

impl Of {
    pub(crate) fn tool(tool: &Tool) -> Self {
        Self { server: tool.server.clone(), tool: tool.original_name.clone(), call_id: None }
    }
}

/// The content of a result for a thread.
struct Found {
    /// The stored content.
    content: Value,
    /// Its widgets, with their copy texts.
    widgets: Vec<(Value, Option<String>)>,
    text: String,
    is_error: bool,
    /// Whether a widget shows what the text says.
    is_shown: bool,
}

/// Extracts the widgets of a result, or draws a result without any.
fn search(
    of: &Of,
    arguments: Map<String, Value>,
    mut result: Value,
    draw: fn(&Value) -> Option<Value>,
    _: Budgeted,
) -> Found {
    let found = extract(&result);
    let mut widgets: Vec<(Value, Option<String>)> = Vec::new();
    for part in found.parts {
        let (tree, copy_text) = match part {
            Part::ChatkitWidget { widget, copy_text, .. } => (widget, copy_text),
            Part::MetaTree { tree, copy_text, .. } => (tree, copy_text),
            _ => continue,
        };
        let Some(tree) = rooted(tree) else { continue };
        // A result may contain the same tree for several kinds of hosts.
        if !widgets.iter().any(|(known, _)| *known == tree) {
            widgets.push((tree, copy_text));
        }
    }
    let mut is_shown = !widgets.is_empty() && !found.is_error;
    if widgets.is_empty() && !found.is_error {
        widgets.extend(draw(&result).and_then(rooted).map(|tree| (tree, None)));
        // Text next to the data adds something, unless it is the data.
        is_shown = !widgets.is_empty()
            && (result["structuredContent"].is_null()
                || serde_json::from_str::<serde::de::IgnoredAny>(&found.text).is_ok());
    }
    let mut metadata = json!({
        "name": of.tool, "server": of.server, "call_id": of.call_id, "is_error": found.is_error,
    });
    metadata["arguments"] = arguments.into();
    let members = [
        ("content", "mcp_content"),
        ("structuredContent", "structured_content"),
        ("_meta", "meta"),
    ];
    for (member, name) in members {
        metadata[name] = result.get_mut(member).map(Value::take).unwrap_or_default();
    }
    let mut content = json!({ "role": "tool_result", "content": found.text });
    content["metadata"] = metadata;
    Found { content, widgets, text: found.text, is_error: found.is_error, is_shown }
}

/// Stores a result and shows its widgets. Returns its text if it shows none.
pub(crate) async fn show(
    turn: &Turn,
    toolbox: &Toolbox,
    of: Of,
    arguments: Map<String, Value>,
    result: Value,
    sender: Option<&Item>,
) -> Result<Option<String>, TurnError> {
    let (server, size) = (of.server.clone(), Workers::size_of(&result));
    let draw = toolbox.default_view();
    let search = move |budgeted| search(&of, arguments, result, draw, budgeted);
    let found = toolbox.workers().finish(size, search).await;
    let Found { content, widgets, text, is_error, is_shown } =
        found.ok_or(TurnError::Stream { allow_retry: false })?;
    let key = id::new("");
    let kept = turn.item("res", ItemKind::HiddenContextItem { content });
    let mut events = vec![Event::ItemDone { item: Item { id: format!("{RESULT}{key}"), ..kept } }];
    let (has_widget, mut sender) = (!widgets.is_empty(), sender);
    for (number, (widget, copy_text)) in widgets.into_iter().enumerate() {
        let kind = ItemKind::Widget { widget, copy_text };
        let id = match number {
            0 => format!("{SHOWN}{key}"),
            number => format!("{SHOWN}{key}_{number}"),
        };
        match sender.take() {
            Some(sender) => events.extend([
                Event::ItemDone { item: source(turn, sender, &json!({ "server": server })) },
                Event::ItemReplaced { item: Item { kind, ..sender.clone() } },
            ]),
            None => {
                let item = Item { id, ..turn.item("msg", kind) };
                events.push(Event::ItemDone { item });
            }
        }
    }
    turn.emit_all(events).await?;
    Ok(match (is_shown, text.trim().is_empty()) {
        (true, _) => None,
        (false, true) if has_widget && !is_error => None,
        (false, false) => Some(text),
        (false, true) if is_error => Some("The tool failed without a message.".into()),
        (false, true) => Some("Done.".into()),
    })
}

/// A tree of another server as clients of ChatKit accept it: they reject the whole event of a widget with
/// another root, or with parts that are not components. Such parts are not a widget, and the text is shown.
fn rooted(tree: Value) -> Option<Value> {
    let is_root = matches!(tree["type"].as_str(), Some("Card" | "ListView" | "Basic"));
    is_component(&tree).then(|| match is_root {
        true => tree,
        false => json!({ "type": "Basic", "children": [tree] }),
    })
}

/// Whether ChatKit takes this for a component, with whatever other members.
fn is_component(node: &Value) -> bool {
    let is_text = |name: &str| node[name].is_null() || node[name].is_string();
    let mut children = match &node["children"] {
        Value::Null => [].iter(),
        Value::Array(list) => list.iter(),
        one => std::slice::from_ref(one).iter(),
    };
    node["type"].is_string() && is_text("id") && is_text("key") && children.all(is_component)
}

/// Stores the origin of an item's widget.
fn source(turn: &Turn, shown: &Item, source: &Value) -> Item {
    let content = json!({ "role": "source", "metadata": source });
    let kept = turn.item("src", ItemKind::HiddenContextItem { content });
    Item { id: format!("{SOURCE}{}", shown.id), ..kept }
}

/// Identifies a schema, regardless of the order of its members.
pub(crate) fn fingerprint(schema: &Value) -> String {
    fn sorted(value: &Value) -> Value {
        match value {
            Value::Object(members) => {
                let mut members: Vec<(&String, &Value)> = members.iter().collect();
                members.sort_by_key(|(name, _)| *name);
                members.into_iter().map(|(name, value)| (name.clone(), sorted(value))).collect()
            }
            Value::Array(list) => list.iter().map(sorted).collect(),
            other => other.clone(),
        }
    }
    let hash = Sha256::digest(sorted(schema).to_string());
    hash[..16].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Shows a form for the arguments of a tool. Its input goes only to that tool of that server, and only while
/// the tool has the same schema.
pub(crate) async fn show_form(
    turn: &Turn,
    tool: &Tool,
    widget: Value,
    copy_text: String,
) -> Result<(), TurnError> {
    let form = turn.item("msg", ItemKind::Widget { widget, copy_text: Some(copy_text) });
    let schema = fingerprint(&tool.input_schema);
    let made_from = json!({ "server": tool.server, "tool": tool.original_name, "schema": schema });
    let made_from = source(turn, &form, &made_from);
    turn.emit_all([made_from, form].map(|item| Event::ItemDone { item }).into()).await
}

/// The stored origin of a widget: its server and, for a form, the tool and its schema. `None` for a widget
/// that no tool has created.
async fn source_of(turn: &Turn, widget: &Item) -> Result<Option<Value>, TurnError> {
    let (owner, thread) = (&turn.user().owner, turn.thread_id());
    let key = widget.id.strip_prefix(SHOWN).and_then(|rest| rest.split('_').next());
    let result = key.map(|key| format!("{RESULT}{key}"));
    for id in [Some(format!("{SOURCE}{}", widget.id)), result].into_iter().flatten() {
        match turn.storage().item(owner, &thread, &id).await {
            Ok(text) => {
                let item = text.read(turn.workers()).await?;
                if let ItemKind::HiddenContextItem { mut content } = item.kind {
                    return Ok(Some(content["metadata"].take()));
                }
            }
            Err(StorageError::NotFound) => {}
            // If the origin cannot be read, do not assume that there is none.
            Err(failure) => return Err(failure.into()),
        }
    }
    Ok(None)
}

/// The tool that an action of a widget calls: one of the server that the widget came from, by its name there.
/// A form calls the tool that it was created for.
pub(crate) async fn meant(
    turn: &Turn,
    toolbox: &Toolbox,
    sender: Option<&Item>,
    name: &str,
) -> Result<Tool, TurnError> {
    let source = match sender {
        None => None,
        Some(widget) => source_of(turn, widget).await?,
    };
    let caller = turn.user().caller.as_ref();
    let refused = |message: String| Err(TurnError::Custom { message, allow_retry: false });
    let Some(source) = source else {
        return match toolbox.tool(caller, name).await {
            Err(ToolboxError::UnknownTool { .. }) => {
                let tools = toolbox.listed(caller).await?;
                refused(unknown(name, tools.iter().map(|tool| &*tool.name)))
            }
            found => Ok(found?),
        };
    };
    // A widget of one server cannot trigger actions of another.
    let server = source["server"].as_str().unwrap_or_default();
    let is_same = |tool: &Tool| {
        let schema = &source["schema"];
        schema.is_null() || source["tool"] == name && *schema == fingerprint(&tool.input_schema)
    };
    match toolbox.tool_at(caller, server, name).await? {
        Some(tool) if is_same(&tool) => Ok(tool),
        Some(_) => refused(format!(
            "`{name}` of the server {server} has changed since this form was created. Send the command \
             again."
        )),
        None => refused(format!("The server {server} has no tool `{name}`.")),
    }
}

/// The reply to an unknown tool name.
pub(crate) fn unknown<'t>(name: &str, known: impl Iterator<Item = &'t str>) -> String {
    match widgetcast_core::nearest(name, known.filter(|known| *known != name)) {
        Some(near) => format!("Unknown tool `{name}`. Did you mean `{near}`?"),
        None => format!("Unknown tool `{name}`."),
    }
}

/// The payload of an action as arguments. Names of fields with dots nest; an empty field is omitted unless
/// the tool requires it.
pub(crate) fn arguments(action: &Action, tool: &Tool) -> Map<String, Value> {
    let mut out = Map::new();
    let required = tool.input_schema["required"].as_array();
    let is_wanted = |name: &str| required.is_some_and(|all| all.iter().any(|known| known == name));
    let payload = action.payload.as_object().into_iter().flatten();
    let has = |name: &str| !tool.input_schema["properties"][name].is_null();
    for (name, value) in payload {
        if value == "" && !is_wanted(name) {
            continue;
        }
        let place = if has(name) { Some((&mut out, &**name)) } else { nested(&mut out, name) };
        if let Some((members, name)) = place {
            members.insert(name.to_owned(), value.clone());
        }
    }
    out
}

/// Runs the action of a widget: a call whose result replaces the widget.
pub(crate) async fn act(
    turn: &Turn,
    toolbox: &Toolbox,
    action: &Action,
    sender: Option<&Item>,
) -> Result<(), TurnError> {
    let tool = meant(turn, toolbox, sender, &action.kind).await?;
    // The user has approved only the rendered action.
    if !tool.read_only && !turn.is_drawn() {
        let message =
            format!("The widget does not contain the action `{}` as it was sent.", action.kind);
        return Err(TurnError::Custom { message, allow_retry: false });
    }
    let arguments = arguments(action, &tool);
    call(turn, toolbox, &tool, arguments, sender).await
}
