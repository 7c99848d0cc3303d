//! The result's `_meta`: trees, Slack blocks and the names of views. Also the tree of servers that
//! return it as structured content.

use serde_json::Value;
use widgetcast_engine::json::locate::escaped;

use crate::surface::chatgpt::OUTPUT_TEMPLATE;
use crate::surface::mcp_apps::FLAT_URI;
use crate::surface::slack;

use super::collector::Collector;
use super::member::member;
use super::part::Part;
use super::payload;
use super::reason::Reason;
use super::resource::{UI, blocks};

pub use crate::surface::mcp_apps::META_TREE;

/// Where the Apps SDK result of the widget pipeline has its tree; `copy_text` lies next to it.
const WIDGET: &str = "widget";

/// Reads everything that can be shown.
pub(super) fn read(collector: &mut Collector<'_>, meta: &Value, at: &str) {
    if !meta.is_object() {
        return collector.fault(at, "_meta is not an object");
    }
    // The result of a tool with a page of its own has the key of its state there, and no tree.
    let has_only_state = |view: &Value| view["tree"].is_null() && view["state"].is_string();
    if let Some((_, view)) = member(meta, &[META_TREE]).filter(|(_, view)| !has_only_state(view)) {
        let at = format!("{at}/{}", escaped(META_TREE));
        let tree = view.get("tree").unwrap_or(&Value::Null);
        tree_part(collector, META_TREE, tree, &format!("{at}/tree"), view, &at);
    }
    if let Some((_, tree)) = member(meta, &[WIDGET]) {
        tree_part(collector, WIDGET, tree, &format!("{at}/{WIDGET}"), meta, at);
    }
    if let Some((_, list)) = meta.get(slack::META).and_then(|slack| member(slack, &["blocks"])) {
        let at = format!("{at}/{}/blocks", slack::META);
        let bounded = payload::bounded(list, &at);
        match bounded.and_then(|()| blocks(Some(list.clone()), &at)) {
            Ok(blocks) => collector.parts.push(Part::SlackBlocks { uri: None, blocks }),
            Err(reason) => collector.reason(reason),
        }
    }
    let nested = meta.get("ui").and_then(|ui| member(ui, &["resourceUri"]));
    let nested = nested.map(|(_, uri)| (format!("{at}/ui/resourceUri"), uri));
    let named = |name| member(meta, &[name]).map(|(_, v)| (format!("{at}/{}", escaped(name)), v));
    view(collector, nested.or_else(|| named(FLAT_URI)), |uri| Part::McpApp {
        uri,
        mime: None,
        html: None,
        meta: None,
    });
    view(collector, named(OUTPUT_TEMPLATE), |uri| Part::Skybridge {
        uri,
        mime: None,
        html: None,
        meta: None,
    });
}

impl Collector<'_> {
    /// Takes structured content that is itself a widget, as servers that return the tree from their
    /// tool send it. Their text repeats the tree as JSON, which is nothing to read.
    pub(super) fn data_is_the_widget(&mut self, data: &Value, name: &str, at: &str) -> bool {
        if !is_widget(data) || self.parts.iter().any(Part::is_tree) {
            return false;
        }
        self.texts
            .retain(|text| !payload::object(text, at).is_ok_and(|payload| is_widget(&payload)));
        tree_part(self, name, data, &format!("{at}/{name}"), &Value::Null, at);
        true
    }
}

/// Whether a value is a whole widget. Only the root counts, because the twin in TypeScript has no
/// component table.
fn is_widget(value: &Value) -> bool {
    let root = value.get("type").and_then(Value::as_str);
    matches!(root, Some("Card" | "ListView" | "Basic")) && value["children"].is_array()
}

fn tree_part(
    collector: &mut Collector<'_>,
    key: &str,
    tree: &Value,
    tree_at: &str,
    owner: &Value,
    owner_at: &str,
) {
    match payload::bounded(tree, tree_at).and_then(|()| collector.tree(tree, tree_at)) {
        Ok(()) => {
            let mut copy_text = collector.copy_text(owner, owner_at);
            if copy_text.is_none() && key == META_TREE {
                // Widgetcast's own tree has no copy text next to it: it is the first text item.
                copy_text = collector.texts.first().map(|text| (*text).to_owned());
            }
            let (key, tree) = (key.to_owned(), tree.clone());
            collector.parts.push(Part::MetaTree { key, tree, copy_text });
        }
        Err(reason) => collector.reason(reason),
    }
}

/// Adds a view that `_meta` names, unless it is embedded too, or named for the other kind of host.
fn view(
    collector: &mut Collector<'_>,
    named: Option<(String, &Value)>,
    part: impl Fn(String) -> Part,
) {
    let Some((at, uri)) = named else { return };
    match uri.as_str().filter(|uri| uri.starts_with(UI)) {
        Some(uri) if collector.parts.iter().any(|part| part.is_view(uri)) => {}
        Some(uri) => collector.parts.push(part(uri.to_owned())),
        None => collector.reason(Reason::new(at, format!("the uri does not start with {UI}"))),
    }
}
