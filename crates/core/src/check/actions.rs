//! Actions that name no tool of the directory. A tool that does not exist is no fault: hosts pass the action on
//! as a message, and a server may have tools of its own. So only what looks like a slip is a warning, and
//! names with a dot, which no widget's tool has, are left alone.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde_json::Value;
use widgetcast_engine::budget;
use widgetcast_engine::error::{Error, Fix, Kind, Severity};
use widgetcast_engine::suggest::nearest_within;
use widgetcast_engine::tree::brief;

use super::checker::{Checker, MAX_FINDINGS};
use crate::definition::catalog::Catalog;
use crate::definition::name::{STATE_TOOL, tool_name};
use crate::definition::widget::Widget;

/// Maximum tools that a name is compared with.
const MAX_TOOLS: usize = 500;

pub(super) fn check(checker: &mut Checker<'_>, catalog: &Catalog) {
    if catalog.dir().is_none() {
        return;
    }
    let mut found: BTreeMap<usize, (String, Range<usize>)> = BTreeMap::new();
    checker.widget.template().witnesses(&mut |tree, find| {
        let mut named = Vec::new();
        walk(tree, "", &mut named);
        for (name, pointer) in named {
            if found.len() < MAX_FINDINGS
                && let Some(range) = find(&pointer)
            {
                found.insert(range.start, (name, range));
            }
        }
    });
    for (name, range) in found.into_values() {
        if let Some((severity, error)) = fault(&name, catalog) {
            checker.in_text("template", severity, error, Fix::None, &range);
        }
    }
}

/// The tool names that the actions of a widget call, as far as the template states them.
pub fn called_tools(widget: &Widget) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    widget.template().witnesses(&mut |tree, _| {
        let mut named = Vec::new();
        walk(tree, "", &mut named);
        names.extend(named.into_iter().map(|(name, _)| name));
    });
    names
}

/// The tool that an unknown name probably refers to: one that differs in a letter or two.
pub fn meant_tool<'t>(name: &str, tools: impl Iterator<Item = &'t str>) -> Option<&'t str> {
    // Tools have similar names (`create_task`, `update_task`), so few differences are allowed.
    let slips = |length: usize| if length < 10 { 1 } else { 2 };
    is_plain(name).then(|| nearest_within(name, tools, slips)).flatten()
}

/// Whether it consists only of letters, digits and `_`, like the names of tools.
fn is_plain(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The types of all actions that call a tool, with their place.
pub(super) fn walk(node: &Value, at: &str, named: &mut Vec<(String, String)>) {
    if budget::steps(1).is_err() {
        return;
    }
    match node {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                walk(item, &format!("{at}/{index}"), named);
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                let at = format!("{at}/{key}");
                let is_action = matches!(
                    key.as_str(),
                    "onClickAction" | "onChangeAction" | "onSubmitAction" | "action"
                );
                match key.as_str() {
                    _ if is_action => named.extend(called(member).map(|name| (name, at + "/type"))),
                    "children" | "confirm" | "cancel" => walk(member, &at, named),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

/// The tool that an action calls; none if it opens a link, or is handled by the page that shows the widget.
fn called(action: &Value) -> Option<String> {
    let name = action["type"].as_str()?;
    let lower = name.to_ascii_lowercase();
    let opens = ["open", "link", "url"].iter().any(|word| lower.contains(word))
        && action["payload"].get("url").is_some();
    let is_tool = !opens && action.get("handler").is_none_or(|handler| handler == "server");
    is_tool.then(|| name.strip_prefix("tool:").unwrap_or(name).to_owned())
}

fn fault(name: &str, catalog: &Catalog) -> Option<(Severity, Error)> {
    let known = tool_name(name);
    if name.is_empty() || name == STATE_TOOL || catalog.listing(name).is_some() {
        return None;
    }
    let near = || {
        let broken = catalog.broken_files().map(|(tool, _)| tool);
        let tools = catalog.list().map(|listing| listing.tool_name.into()).chain(broken);
        let tools: Vec<_> = tools.take(MAX_TOOLS).collect();
        meant_tool(name, tools.iter().map(|tool| &**tool)).map(str::to_owned)
    };
    let same = catalog.listing(&known).map(|listing| listing.tool_name.to_owned());
    let near = same.or_else(near);
    let message = format!("no widget in this directory provides the tool {}", brief(name));
    let error = Error::new(Kind::UnknownTool, message);
    match near {
        // A broken file has other findings.
        Some(near) if near == name => None,
        Some(near) => Some((Severity::Warning, error.with_help(format!("did you mean {near}?")))),
        None if is_plain(name) => {
            let help = "unless your server provides it, the click is sent as a chat message";
            Some((Severity::Note, error.with_help(help)))
        }
        None => None,
    }
}
