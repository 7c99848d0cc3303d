//! The builder of a card: which component becomes which element, and what stands below what. Rows,
//! actions, fields, tables and Markdown have files of their own.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value, json};

use super::layout::{
    ACTIONS, align_item, are_facts, are_signs, fact, has_ground, has_joint, is_tall, says, share,
    side, side_of, spacing, width_of_set,
};
use super::words::{ground, is_right_to_left, plain, words};
use crate::surface::loss::Loss;
use crate::surface::node::{
    self, children, field_name, is_https, is_row, kind, link, one_line, start_of, text,
};

const SCHEMA: &str = "http://adaptivecards.io/schemas/adaptive-card.json";
const VERSION: &str = "1.5";

/// The largest message that Teams accepts, with everything around the card.
pub(super) const BYTES: usize = 28 * 1024;

/// What a submission holds besides the fields: a field of such a name would take its place.
const RESERVED: [&str; 3] = ["action", "payload", "msteams"];

/// How deep the title of a card stands.
const DEEP: usize = 4;

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
    /// Whether it is in a form, and whether any button of the card sends its fields.
    pub(super) is_in_form: bool,
    pub(super) is_sent: bool,
    /// The submit buttons so far.
    pub(super) submits: usize,
    /// The text that is the title of a card without one.
    pub(super) title: Option<&'v Value>,
    /// Whether the head of the card is centred.
    pub(super) is_centred: bool,
    /// Whether icons may be signs where a host knows no icons: not beside one that is an emoji.
    pub(super) has_signs: bool,
    /// Whether the rows of a list stand at the top, all of them.
    pub(super) is_tall_list: bool,
    /// The room of a line in the cell of a table that it builds, in pixels.
    pub(super) cell: Option<usize>,
}

impl<'v> Builder<'v> {
    pub(super) fn new(tree: &'v Value, budget: &'v Budget) -> Self {
        let mut builder = Self {
            budget,
            losses: Vec::new(),
            labels: HashMap::new(),
            fields: HashSet::new(),
            ids: RESERVED.map(str::to_owned).into(),
            same_name: HashMap::new(),
            markdown_left: BYTES,
            submit: None,
            is_in_form: false,
            is_sent: false,
            submits: 0,
            title: strong_text(tree),
            is_centred: children(tree).first().is_some_and(|head| side(head) == Some("Center")),
            has_signs: true,
            is_tall_list: false,
            cell: None,
        };
        builder.collect(tree, false);
        builder
    }

    /// Reads what is known only of the whole card; `has_submit` if a submit button has something to send.
    fn collect(&mut self, node: &Value, has_submit: bool) {
        let sends = |action: Option<&Value>| action.is_some_and(|action| link(action).is_none());
        let confirm = node["confirm"].get("action");
        let has_submit = has_submit || confirm.is_some() || node.get("onSubmitAction").is_some();
        self.is_sent |= node["disabled"] != true
            && (sends(node.get("onClickAction"))
                || sends(node.get("onSubmitAction"))
                || (sends(confirm) && text(&node["confirm"], "label").is_some())
                || (has_submit && node["submit"] == true));
        self.fields.extend(field_name(node));
        if kind(node) == "Label"
            && let (Some(field), Some(value)) = (text(node, "fieldName"), text(node, "value"))
        {
            self.labels.entry(field).or_insert(value);
        }
        children(node).iter().for_each(|child| self.collect(child, has_submit));
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
        let outer = (self.submit, self.is_in_form);
        if let Some(action) = node["confirm"].get("action") {
            self.submit = Some(action);
        }
        self.is_in_form |= node["asForm"] == true;
        let mut body = Vec::new();
        body.extend(self.status(&node["status"], at));
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
        (self.submit, self.is_in_form) = outer;
        (body, actions)
    }

    /// What a card says of itself above its content.
    fn status(&mut self, status: &Value, at: &str) -> Vec<Value> {
        let Some(words) = text(status, "text") else { return Vec::new() };
        let words = plain(&one_line(&words), &json!({"size": "Small", "isSubtle": true}));
        let Some(name) = text(status, "icon") else { return words };
        let icon = json!({"type": "Icon", "name": name, "color": "secondary"});
        let icon = self.icon(&icon, &format!("{at}/status/icon"));
        if icon.is_empty() {
            return words;
        }
        let column = |width: &str, items: Vec<Value>| {
            let mut column = holding("Column", "items", items);
            column["width"] = width.into();
            column["spacing"] = "Small".into();
            column["verticalContentAlignment"] = "Center".into();
            column
        };
        let columns = vec![column("auto", icon), column("stretch", words)];
        vec![holding("ColumnSet", "columns", columns)]
    }

    /// The component as elements.
    pub(super) fn elements(&mut self, node: &'v Value, at: &str) -> Vec<Value> {
        match kind(node) {
            "Text" if field_name(node).is_some() => self.field(node, at),
            "Label" if self.is_shown_by_field(node) => Vec::new(),
            "Text" | "Title" | "Caption" | "Label" => {
                let mut items = words(node);
                if self.title.is_some_and(|title| std::ptr::eq(title, node)) {
                    items.iter_mut().for_each(enlarge);
                }
                items
            }
            "Markdown" => self.markdown(&text(node, "value").unwrap_or_default(), at),
            "Badge" => self.badge(node),
            "Button" => self.buttons(&[(node, at.to_owned())], None),
            "Icon" => self.icon(node, at),
            "Image" => self.image(node, at),
            "Input" | "Textarea" | "Select" | "DatePicker" | "Checkbox" | "RadioGroup" => {
                self.field(node, at)
            }
            "Chart" => self.chart(node, at, None),
            "Table" => self.table(node, at),
            "Card" | "ListView" => {
                let (mut items, actions) = self.root(node, at);
                if !actions.is_empty() {
                    items.push(json!({"type": "ActionSet", "actions": actions}));
                }
                container(items, None)
            }
            "Box" if let Some(part) = node::progress(node) => self.progress(node, part, false),
            "Box" if node::is_dot(node) => {
                let dot = self.dot(node);
                if dot.is_empty() {
                    self.lose(at, "a coloured dot has no counterpart");
                }
                dot
            }
            "Form" => {
                let outer = (self.submit, self.is_in_form);
                (self.submit, self.is_in_form) = (node.get("onSubmitAction").or(outer.0), true);
                let before = self.submits;
                let mut items = self.group(node, at);
                (self.submit, self.is_in_form) = outer;
                // Hosts do not send a form by the enter key.
                if self.submits == before
                    && let Some(action) = node.get("onSubmitAction")
                {
                    let mut submit = self.action("Submit", Some(action));
                    submit["style"] = "positive".into();
                    items.push(json!({"type": "ActionSet", "actions": [submit]}));
                }
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
        let mut items = if is_row(node) { self.row(node, at) } else { self.stack(node, at) };
        let select = node.get("onClickAction").map(|action| {
            let title = one_line(&widgetcast_engine::tree::fold(&start_of(node)));
            let title: String = title.trim_start_matches("- ").chars().take(80).collect();
            self.action(&title, Some(action))
        });
        match select {
            Some(select) => container(items, Some(select)),
            // The ground of an icon alone is an ornament, which would be as wide as the card.
            None if has_ground(node) && items.iter().any(|item| item["type"] != "Icon") => {
                let style = ground(node);
                if style != "emphasis" {
                    items.iter_mut().for_each(uncolor);
                }
                let mut container = holding("Container", "items", items);
                container["style"] = style.into();
                if node["radius"].as_str().is_some_and(|radius| radius != "none") {
                    container["roundedCorners"] = true.into();
                }
                vec![container]
            }
            None => items,
        }
    }

    /// Children below each other, as far apart as the gap says; a divider is a separator.
    pub(super) fn stack(&mut self, parent: &'v Value, outer_at: &str) -> Vec<Value> {
        let nodes = children(parent);
        let outer = (self.has_signs, self.is_tall_list);
        self.has_signs = are_signs(nodes).unwrap_or(self.has_signs);
        let is_list_view = kind(parent) == "ListView";
        self.is_tall_list = is_list_view && nodes.iter().any(is_tall);
        // A line at the start of a group parts it from what is above, since a group is no element.
        let is_divided = nodes.first().is_some_and(|node| kind(node) == "Divider");
        // Sections stand further apart than rows.
        let divided = if is_list_view { "Large" } else { "ExtraLarge" };
        // A line that joins steps is left out, and the steps stand as far apart as a host has them.
        let gap = if nodes.iter().any(has_joint) { None } else { spacing(parent) };
        let mut stack = Stack { out: Vec::new(), spacing: gap, is_divided, divided };
        let most = if is_list(nodes) { self.budget.rows } else { usize::MAX };
        let has_facts = are_facts(&nodes[..nodes.len().min(most)]);
        let mut index = 0;
        while let Some(node) = nodes.get(index) {
            let at = below(parent, outer_at, index);
            if index >= most {
                self.lose_rows(&at, "rows", most, nodes.len());
                break;
            }
            if kind(node) == "Divider" || is_list_view {
                stack.is_divided |= !stack.out.is_empty();
            }
            if has_facts && fact(node).is_some() {
                let rest = &nodes[index..nodes.len().min(most)];
                let facts: Vec<Value> = rest.iter().map_while(fact).collect();
                index += facts.len();
                stack.push(vec![json!({"type": "FactSet", "facts": facts})]);
                continue;
            }
            let above = index.checked_sub(1).and_then(|above| nodes.get(above));
            let mut next = index + 1;
            let items = match kind(node) {
                _ if let Some((set, side, count)) = buttons_at(parent, nodes, outer_at, index) => {
                    next = index + count;
                    self.buttons(&set, side)
                }
                "Chart" => self.chart(node, &at, above),
                _ => match node::progress(node) {
                    Some(part) => {
                        let is_said = above.is_some_and(|above| says(above, &share(part)));
                        self.progress(node, part, is_said)
                    }
                    None => self.elements(node, &at),
                },
            };
            stack.push(items);
            index = next;
        }
        level_ends(&mut stack.out);
        if let Some(side) = side(parent) {
            stack.out.iter_mut().for_each(|item| _ = align_item(item, side));
        }
        (self.has_signs, self.is_tall_list) = outer;
        stack.out
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
        } else if node["width"] == "100%" || node["flush"] == true {
            image["size"] = "Stretch".into();
        }
        if node["radius"] == "full" {
            image["style"] = "Person".into();
        }
        vec![image]
    }
}

/// Buttons, and where they are.
pub(super) type Buttons<'v> = Vec<(&'v Value, String)>;

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
        _ => [at, "/children/", &index.to_string()].concat(),
    }
}

/// An element that holds others. `json!` would copy them, once for each level of the tree.
pub(super) fn holding(kind: &str, key: &str, items: Vec<Value>) -> Value {
    let mut element = json!({"type": kind});
    element[key] = items.into();
    element
}

/// The buttons at a place of a stack and where they stand, with how many children they are: buttons that
/// follow each other and rows of buttons are one set, as long as it is not too large for a host.
fn buttons_at<'v>(
    parent: &Value,
    nodes: &'v [Value],
    at: &str,
    index: usize,
) -> Option<(Buttons<'v>, Option<&'static str>, usize)> {
    let (mut all, mut place, mut count) = (Buttons::new(), None, 0);
    for (index, node) in nodes.iter().enumerate().skip(index) {
        let at = below(parent, at, index);
        let is_row = kind(node) == "Row" && !has_ground(node) && node["onClickAction"].is_null();
        let (some, side): (Buttons<'_>, _) = match kind(node) {
            "Button" => (vec![(node, at)], None),
            _ if is_row && children(node).iter().all(|child| kind(child) == "Button") => {
                let buttons = children(node).iter().enumerate();
                let buttons = buttons.map(|(index, button)| (button, below(node, &at, index)));
                (buttons.collect(), side_of(&node["justify"]))
            }
            _ => break,
        };
        let is_one = kind(node) == "Button" || all.len() + some.len() <= ACTIONS;
        if some.is_empty() || (count > 0 && (place != side || !is_one)) {
            break;
        }
        all.extend(some);
        place = side;
        count += 1;
    }
    (count > 0).then_some((all, place, count))
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

/// Elements below each other.
struct Stack {
    out: Vec<Value>,
    /// What the gap of the parent asks for.
    spacing: Option<&'static str>,
    /// Whether a divider stands before the next element, and the spacing around one.
    is_divided: bool,
    divided: &'static str,
}

impl Stack {
    fn push(&mut self, items: Vec<Value>) {
        for (index, mut item) in items.into_iter().enumerate() {
            if std::mem::take(&mut self.is_divided) {
                // A ground of its own parts it already.
                let is_parted =
                    |item: &Value| item["style"].is_string() && item["items"].is_array();
                if !is_parted(&item) && !self.out.last().is_some_and(is_parted) {
                    item["separator"] = true.into();
                }
                item["spacing"] = self.divided.into();
            } else if !self.out.is_empty() && item["separator"] != true {
                if let Some(spacing) = self.spacing.filter(|_| index == 0) {
                    item["spacing"] = spacing.into();
                }
                space_input(&mut item);
            }
            // What is drawn instead stands in the same place.
            if item["fallback"].is_object() {
                for key in ["separator", "spacing"] {
                    if let Some(value) = item.get(key).cloned() {
                        item["fallback"][key] = value;
                    }
                }
            }
            self.out.push(item);
        }
    }
}

/// Rows of a list that end with a button in some and with a mark in others: the last columns are equally
/// wide, so that what is before them stands in a column as well.
fn level_ends(rows: &mut [Value]) {
    let end = |row: &Value| row["columns"].as_array().and_then(|columns| columns.last()).cloned();
    let count = |row: &Value| row["columns"].as_array().map_or(0, Vec::len);
    for rows in rows.chunk_by_mut(|a, b| count(a) > 2 && count(a) == count(b)) {
        let ends: Vec<Value> = rows.iter().filter_map(end).collect();
        let has_button = |end: &Value| end["items"][0]["type"] == "ActionSet";
        let is_mark = |end: &Value| end["items"][0]["type"] == "Icon";
        let is_mixed = ends.iter().any(has_button) && ends.iter().any(is_mark);
        let is_auto = |end: &Value| end["width"] == "auto" && (has_button(end) || is_mark(end));
        if !is_mixed || !ends.iter().all(is_auto) {
            continue;
        }
        let widest = ends.iter().map(|end| width_of_set(&end["items"][0])).max().unwrap_or(0);
        for row in rows {
            if let Some(end) = row["columns"].as_array_mut().and_then(|columns| columns.last_mut())
            {
                end["width"] = format!("{widest}px").into();
                if has_button(end) {
                    align_item(&mut end["items"][0], "Right");
                }
            }
        }
    }
}

/// Fields are equally far apart, whatever groups them: a label above one needs room, a toggle is a line.
fn space_input(item: &mut Value) {
    let is_input = |item: &Value| item["type"].as_str().is_some_and(|k| k.starts_with("Input."));
    let in_columns = |item: &Value| {
        let columns = item["columns"].as_array().into_iter().flatten();
        columns.map(|column| &column["items"][0]).any(is_input)
    };
    if item["separator"] == true {
        return;
    }
    if item["type"] == "Input.Toggle" && item["label"].is_null() {
        match item["spacing"].as_str() {
            Some("Large") => item["spacing"] = "Medium".into(),
            Some("None" | "Small") => item["spacing"] = "Default".into(),
            _ => {}
        }
    } else if is_input(item) || in_columns(item) {
        item["spacing"] = "Medium".into();
    }
}

/// The strong text at the start of a card; none if a title or anything else comes before it.
fn strong_text(tree: &Value) -> Option<&Value> {
    let mut node = tree;
    for _ in 0..DEEP {
        let is_silent = |child: &Value| {
            matches!(kind(child), "Image" | "Icon" | "Divider" | "Spacer" | "Badge")
        };
        let is_mark = |child: &Value| {
            is_silent(child) || (kind(child) == "Box" && children(child).iter().all(is_silent))
        };
        node = children(node).iter().find(|child| !is_mark(child))?;
        if kind(node) == "Text" {
            return Some(node).filter(|_| node::is_bold(node) && node["size"].is_null());
        }
    }
    None
}

/// Makes a text a title. In Teams a size below this is that of all other texts.
fn enlarge(item: &mut Value) {
    if item["type"] == "RichTextBlock" {
        item["inlines"][0]["size"] = "Large".into();
        return;
    }
    item["size"] = "Large".into();
    item["style"] = "heading".into();
}

/// Takes the colours from texts and icons on a coloured ground: hosts have one that can be read there.
fn uncolor(item: &mut Value) {
    match item {
        Value::Array(items) => items.iter_mut().for_each(uncolor),
        Value::Object(members) => {
            let kind = members.get("type").and_then(Value::as_str).unwrap_or_default();
            if matches!(kind, "TextBlock" | "TextRun" | "Icon") {
                members.remove("color");
            }
            for key in ["items", "columns", "inlines", "rows", "cells", "fallback"] {
                members.get_mut(key).into_iter().for_each(uncolor);
            }
        }
        _ => {}
    }
}
