//! The builder of a card: which component becomes which element, and layout. Actions, fields, tables
//! and Markdown have files of their own.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value, json};

use super::words::{color, has_marks, is_right_to_left, is_subtle, plain, words};
use crate::surface::loss::Loss;
use crate::surface::node::{
    self, children, field_name, glyph, is_https, is_row, kind, one_line, start_of, text,
};

const SCHEMA: &str = "http://adaptivecards.io/schemas/adaptive-card.json";
const VERSION: &str = "1.5";

/// The largest message that Teams accepts, with everything around the card.
pub(super) const BYTES: usize = 28 * 1024;

/// Columns that stay readable side by side.
const COLUMNS: usize = 6;

/// How much goes into a card.
pub(super) struct Budget {
    pub(super) rows: usize,
    pub(super) inline_images: bool,
    pub(super) fallback: usize,
}

/// Builds one card within a budget.
pub(super) struct Builder<'v> {
    pub(super) budget: &'v Budget,
    pub(super) losses: Vec<Loss>,
    /// The label of each field, by its name.
    pub(super) labels: HashMap<String, String>,
    /// The names of all fields, the ids in use, and how many fields of a name there were so far.
    pub(super) fields: HashSet<String>,
    pub(super) ids: HashSet<String>,
    pub(super) same_name: HashMap<String, usize>,
    /// Bytes of Markdown that may still be read.
    pub(super) markdown_left: usize,
    /// What a submit button sends: the action of the form around it.
    pub(super) submit: Option<&'v Value>,
}

impl<'v> Builder<'v> {
    pub(super) fn new(tree: &'v Value, budget: &'v Budget) -> Self {
        let mut builder = Self {
            budget,
            losses: Vec::new(),
            labels: HashMap::new(),
            fields: HashSet::new(),
            ids: HashSet::new(),
            same_name: HashMap::new(),
            markdown_left: BYTES,
            submit: None,
        };
        builder.collect(tree);
        builder
    }

    fn collect(&mut self, node: &Value) {
        self.fields.extend(field_name(node));
        if kind(node) == "Label"
            && let (Some(field), Some(value)) = (text(node, "fieldName"), text(node, "value"))
        {
            self.labels.entry(field).or_insert(value);
        }
        children(node).iter().for_each(|child| self.collect(child));
    }

    pub(super) fn lose(&mut self, at: &str, reason: &str) {
        self.losses.push(Loss::new(at, reason));
    }

    /// Reports rows that are left out, once for all of them.
    pub(super) fn lose_rows(&mut self, at: &str, rows: &str, shown: usize, all: usize) {
        self.lose(at, &format!("only the first {shown} of {all} {rows} are shown"));
    }

    pub(super) fn card(mut self, tree: &'v Value, fallback: &str) -> (Value, Vec<Loss>) {
        let mut card = Map::new();
        card.insert("type".into(), "AdaptiveCard".into());
        card.insert("$schema".into(), SCHEMA.into());
        card.insert("version".into(), VERSION.into());
        if is_right_to_left(fallback) {
            card.insert("rtl".into(), true.into());
        }
        let short: String = fallback.chars().take(self.budget.fallback).collect();
        card.insert("fallbackText".into(), short.into());
        let (body, actions) = self.root(tree, "");
        card.insert("body".into(), body.into());
        if !actions.is_empty() {
            card.insert("actions".into(), actions.into());
        }
        (Value::Object(card), self.losses)
    }

    /// A root: its status and children, and its own actions.
    fn root(&mut self, node: &'v Value, at: &str) -> (Vec<Value>, Vec<Value>) {
        let outer = self.submit;
        if let Some(action) = node["confirm"].get("action") {
            self.submit = Some(action);
        }
        let mut body = Vec::new();
        if let Some(status) = text(&node["status"], "text") {
            body.extend(plain(&one_line(&status), &json!({"size": "Small", "isSubtle": true})));
        }
        if is_root(node) && !is_row(node) {
            body.extend(self.stack(node, at));
        } else {
            body.extend(self.elements(node, at));
        }
        let actions =
            [("confirm", true), ("cancel", false)].into_iter().filter_map(|(key, main)| {
                let label = text(&node[key], "label")?;
                let mut action = self.action(&one_line(&label), node[key].get("action"));
                if main {
                    action["style"] = "positive".into();
                } else if action["type"] == "Action.Submit" {
                    // To cancel, the fields need not be filled in.
                    action["associatedInputs"] = "none".into();
                }
                Some(action)
            });
        let actions = actions.collect();
        self.submit = outer;
        (body, actions)
    }

    /// The component as elements.
    fn elements(&mut self, node: &'v Value, at: &str) -> Vec<Value> {
        match kind(node) {
            "Text" if field_name(node).is_some() => self.field(node, at),
            "Label" if self.is_shown_by_field(node) => Vec::new(),
            "Text" | "Title" | "Caption" | "Label" => words(node),
            "Markdown" => self.markdown(&text(node, "value").unwrap_or_default(), at),
            "Badge" => text(node, "label").map_or(Vec::new(), |label| {
                let look =
                    json!({"size": "Small", "weight": "Bolder", "color": color(&node["color"])});
                plain(&one_line(&label), &look)
            }),
            "Button" => self.buttons(&[(node, at.to_owned())]),
            "Icon" => self.icon(node, at),
            "Image" => self.image(node, at),
            "Input" | "Textarea" | "Select" | "DatePicker" | "Checkbox" | "RadioGroup" => {
                self.field(node, at)
            }
            "Chart" => self.chart(node, at),
            "Table" => self.table(node, at),
            "Card" | "ListView" => {
                let (mut items, actions) = self.root(node, at);
                if !actions.is_empty() {
                    items.push(json!({"type": "ActionSet", "actions": actions}));
                }
                container(items, None)
            }
            "Box" if node::progress(node).is_some() => {
                self.lose(at, "a bar drawn with boxes has no counterpart");
                Vec::new()
            }
            "Box" if node::is_dot(node) => {
                self.lose(at, "a coloured dot has no counterpart");
                Vec::new()
            }
            "Form" => {
                let outer = self.submit;
                self.submit = node.get("onSubmitAction").or(outer);
                let items = self.group(node, at);
                self.submit = outer;
                items
            }
            "Row" | "Col" | "Box" | "Basic" | "Transition" | "ListViewItem" | "Table.Row"
            | "Table.Cell" => self.group(node, at),
            "Divider" | "Spacer" => Vec::new(),
            _ => {
                self.lose(at, "an unknown component is left out");
                Vec::new()
            }
        }
    }

    fn is_shown_by_field(&self, node: &Value) -> bool {
        text(node, "fieldName").is_some_and(|field| {
            self.fields.contains(&field) && self.labels.get(&field) == text(node, "value").as_ref()
        })
    }

    fn group(&mut self, node: &'v Value, at: &str) -> Vec<Value> {
        let items = if is_row(node) { self.row(node, at) } else { self.stack(node, at) };
        let select = node.get("onClickAction").map(|action| {
            let title = one_line(&widgetcast_engine::tree::fold(&start_of(node)));
            let title: String = title.trim_start_matches("- ").chars().take(80).collect();
            self.action(&title, Some(action))
        });
        match select {
            Some(select) => container(items, Some(select)),
            None if has_ground(node) && !items.is_empty() => {
                let mut container = holding("Container", "items", items);
                container["style"] = "emphasis".into();
                vec![container]
            }
            None => items,
        }
    }

    /// Children below each other; label and value rows become facts, a divider a separator.
    pub(super) fn stack(&mut self, parent: &'v Value, at: &str) -> Vec<Value> {
        let nodes = children(parent);
        let mut out: Vec<Value> = Vec::new();
        let mut facts: Vec<Value> = Vec::new();
        let mut is_divided = false;
        let most = if is_list(nodes) { self.budget.rows } else { usize::MAX };
        for (index, node) in nodes.iter().enumerate() {
            let at = below(parent, at, index);
            if index >= most {
                self.lose_rows(&at, "rows", most, nodes.len());
                break;
            }
            if kind(node) == "Divider" {
                flush(&mut facts, &mut out, &mut is_divided);
                is_divided = !out.is_empty();
                continue;
            }
            if let Some(fact) = fact(node) {
                facts.push(fact);
                continue;
            }
            let items = self.elements(node, &at);
            if items.is_empty() {
                continue;
            }
            flush(&mut facts, &mut out, &mut is_divided);
            push_all(items, &mut out, &mut is_divided);
        }
        flush(&mut facts, &mut out, &mut is_divided);
        out
    }

    /// Children side by side: buttons in a set, everything else in columns.
    fn row(&mut self, node: &'v Value, at: &str) -> Vec<Value> {
        if let Some(fact) = fact(node) {
            return vec![json!({"type": "FactSet", "facts": [fact]})];
        }
        let nodes = children(node).iter().enumerate();
        let nodes: Vec<(&Value, String)> = nodes.map(|(i, n)| (n, below(node, at, i))).collect();
        let shown = || nodes.iter().filter(|(n, _)| !matches!(kind(n), "Spacer" | "Divider"));
        if shown().all(|(n, _)| kind(n) == "Button") {
            let buttons: Vec<(&Value, String)> = shown().cloned().collect();
            return self.buttons(&buttons);
        }
        let mut columns: Vec<Value> = Vec::new();
        let mut buttons: Vec<(&Value, String)> = Vec::new();
        for (index, (child, at)) in nodes.iter().enumerate() {
            if kind(child) == "Spacer" {
                // A spacer becomes the stretching of the column before it.
                if let Some(last) = columns.last_mut() {
                    last["width"] = "stretch".into();
                }
                continue;
            }
            // Neighbouring buttons share a set, or hosts would stack them.
            let items = if kind(child) == "Button" {
                buttons.push((*child, at.clone()));
                if nodes.get(index + 1).is_some_and(|(next, _)| kind(next) == "Button") {
                    continue;
                }
                self.buttons(&std::mem::take(&mut buttons))
            } else {
                self.elements(child, at)
            };
            if !items.is_empty() {
                let width = if stretches(child) { "stretch" } else { "auto" };
                let mut column = holding("Column", "items", items);
                column["width"] = width.into();
                columns.push(column);
            }
        }
        if let [only] = columns.as_mut_slice() {
            return only["items"].as_array_mut().map(std::mem::take).unwrap_or_default();
        }
        let mut out = Vec::new();
        let mut columns = columns.into_iter().peekable();
        while columns.peek().is_some() {
            let some = columns.by_ref().take(COLUMNS).collect();
            out.push(holding("ColumnSet", "columns", some));
        }
        out
    }

    fn icon(&mut self, node: &Value, at: &str) -> Vec<Value> {
        let name = text(node, "name").unwrap_or_default();
        let Some(glyph) = glyph(&name) else {
            self.lose(at, &format!("the icon {name} has no counterpart"));
            return Vec::new();
        };
        plain(glyph, &json!({"color": color(&node["color"]), "isSubtle": is_subtle(node)}))
    }

    /// A picture, if a host can fetch it; else what it shows.
    fn image(&mut self, node: &Value, at: &str) -> Vec<Value> {
        let src = node["src"].as_str().unwrap_or_default();
        let alt = text(node, "alt").map(|alt| one_line(&alt));
        let is_inline = src.starts_with("data:image/");
        let reason = match (is_inline, is_https(src)) {
            (true, _) if self.budget.inline_images => None,
            (true, _) => Some("an inline image is left out to keep the card small"),
            (_, true) => None,
            _ => Some("only https and data images can be shown"),
        };
        if let Some(reason) = reason {
            self.lose(at, reason);
            let look = json!({"size": "Small", "isSubtle": true});
            return alt.map_or(Vec::new(), |alt| plain(&alt, &look));
        }
        let mut image = json!({"type": "Image", "url": src, "altText": alt.unwrap_or_default()});
        let pixels = |at: &str| node[at].as_f64().filter(|px| (1.0..=1000.0).contains(px));
        if let Some(px) = pixels("size").or_else(|| pixels("width")) {
            image["width"] = format!("{px:.0}px").into();
        }
        if node["radius"] == "full" {
            image["style"] = "Person".into();
        }
        vec![image]
    }
}

fn is_root(node: &Value) -> bool {
    matches!(kind(node), "Card" | "ListView" | "Basic")
}

fn is_list(nodes: &[Value]) -> bool {
    nodes.iter().all(|node| matches!(kind(node), "ListViewItem" | "Row" | "Card"))
}

/// The pointer of a child; below a Transition `children` is one component, not a list.
pub(super) fn below(parent: &Value, at: &str, index: usize) -> String {
    match &parent["children"] {
        Value::Object(_) => format!("{at}/children"),
        _ => format!("{at}/children/{index}"),
    }
}

/// An element that holds others. `json!` would copy them, once for each level of the tree.
fn holding(kind: &str, key: &str, items: Vec<Value>) -> Value {
    let mut element = json!({"type": kind});
    element[key] = items.into();
    element
}

fn container(items: Vec<Value>, select: Option<Value>) -> Vec<Value> {
    if items.is_empty() && select.is_none() {
        return Vec::new();
    }
    let mut container = holding("Container", "items", items);
    if let Some(select) = select {
        container["selectAction"] = select;
    }
    vec![container]
}

fn flush(facts: &mut Vec<Value>, out: &mut Vec<Value>, is_divided: &mut bool) {
    if !facts.is_empty() {
        let set = json!({"type": "FactSet", "facts": std::mem::take(facts)});
        push_all(vec![set], out, is_divided);
    }
}

fn push_all(items: Vec<Value>, out: &mut Vec<Value>, is_divided: &mut bool) {
    for mut item in items {
        if std::mem::take(is_divided) {
            item["separator"] = true.into();
            item["spacing"] = "Medium".into();
        }
        out.push(item);
    }
}

/// A row of a label, a gap and a value, all plain: a fact. Facts are read as Markdown, so a text
/// with marks in it stays a row.
fn fact(node: &Value) -> Option<Value> {
    if kind(node) != "Row" || has_ground(node) {
        return None;
    }
    let (label, value) = match children(node) {
        [label, spacer, value] if kind(spacer) == "Spacer" => (label, value),
        _ => return None,
    };
    let words = |node: &Value| {
        let is_words = matches!(kind(node), "Text" | "Caption") && field_name(node).is_none();
        let said = text(node, "value").filter(|_| is_words && node["lineThrough"] != true)?;
        (!has_marks(&said) && !said.contains('\n')).then_some(said)
    };
    Some(json!({"title": words(label)?, "value": words(value)?}))
}

/// Whether a column takes the room that is left.
fn stretches(node: &Value) -> bool {
    let has_flex = node["flex"].is_number() || node["flex"].is_string() || node["block"] == true;
    let is_long = matches!(kind(node), "Text" | "Markdown" | "Title")
        && text(node, "value").is_some_and(|value| value.chars().count() > 24);
    has_flex || is_long || (kind(node) == "Col" && node["width"].is_null()) || is_input(node)
}

fn is_input(node: &Value) -> bool {
    field_name(node).is_some()
}

fn has_ground(node: &Value) -> bool {
    let ground = node.get("background").is_some_and(|ground| ground != "none");
    ground && kind(node) != "Card" && node.get("padding").is_some()
}
