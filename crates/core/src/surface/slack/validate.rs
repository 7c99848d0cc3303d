//! The check: everything Slack would refuse or silently drop, found before it is sent.
//!
//! It reads the blocks and nothing of the compiler, so it is a second opinion on its output and
//! serves blocks that an author wrote by hand. Elements and text objects are in `element`.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::limit;

/// A rule that a payload breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where, such as `blocks[3].elements[0].text`.
    pub path: String,
    /// The rule, as one short sentence.
    pub rule: String,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.path, self.rule)
    }
}

/// Checks blocks against the rules of Block Kit and of the Slackbot MCP client.
///
/// ```
/// use serde_json::json;
/// use widgetcast_core::slack;
/// let faults = slack::validate(&[json!({"type": "header", "text": {"type": "mrkdwn", "text": "Hi"}})]);
/// assert_eq!(faults[0].to_string(), "blocks[0].text.type: must be plain_text");
/// ```
pub fn validate(blocks: &[Value]) -> Vec<Fault> {
    let mut check = Check::default();
    if blocks.len() > limit::BLOCKS {
        check.fault("blocks", format!("at most {} blocks", limit::BLOCKS));
    }
    for (index, block) in blocks.iter().enumerate() {
        if limit::is_too_deep(block) {
            check.fault(
                format!("blocks[{index}]"),
                format!("nested deeper than {}", limit::NESTING),
            );
            continue;
        }
        check.block(block, &format!("blocks[{index}]"), 1, limit::ALLOWED);
    }
    for (total, most, what) in [
        (check.markdown, limit::MARKDOWN, "characters of markdown"),
        (check.table_chars, limit::ALL_TABLE_CHARS, "characters in all tables"),
        (check.charts, limit::CHARTS, "data_visualization blocks"),
    ] {
        if total > most {
            check.fault("blocks", format!("at most {most} {what} in a message"));
        }
    }
    check.faults
}

const CONTAINED: &[&str] = &[
    "actions",
    "context",
    "divider",
    "file",
    "header",
    "image",
    "input",
    "rich_text",
    "section",
    "table",
    "video",
];
const CELLS: &[&str] = &["raw_text", "raw_number", "rich_text"];

#[derive(Default)]
pub(super) struct Check {
    pub(super) faults: Vec<Fault>,
    block_ids: HashSet<String>,
    /// Ids of the block at hand: they must differ within it.
    pub(super) action_ids: HashSet<String>,
    /// Fields are told apart by id across the message.
    pub(super) inputs: HashSet<String>,
    markdown: usize,
    table_chars: usize,
    charts: usize,
}

type Members = Map<String, Value>;

impl Check {
    pub(super) fn fault(&mut self, path: impl Into<String>, rule: impl Into<String>) {
        self.faults.push(Fault { path: path.into(), rule: rule.into() });
    }

    /// An object of a known type, or nothing and a fault.
    pub(super) fn typed<'v>(
        &mut self,
        value: &'v Value,
        path: &str,
        allowed: &[&str],
    ) -> Option<(&'v Members, &'v str)> {
        let Value::Object(members) = value else {
            self.fault(path, "must be an object");
            return None;
        };
        let Some(kind) = members.get("type").and_then(Value::as_str) else {
            self.fault(path, "needs a type");
            return None;
        };
        if !allowed.contains(&kind) {
            self.fault(format!("{path}.type"), format!("`{kind}` is not allowed here"));
            return None;
        }
        Some((members, kind))
    }

    /// Keys that Slack does not know make it refuse the block.
    pub(super) fn keys(&mut self, members: &Members, path: &str, known: &[&str]) {
        for key in members.keys() {
            if key != "type" && !known.contains(&key.as_str()) {
                self.fault(format!("{path}.{key}"), "is not known to Slack");
            }
        }
    }

    /// A string of bounded length; at least one character unless `least` is 0.
    pub(super) fn string(
        &mut self,
        members: &Members,
        key: &str,
        path: &str,
        least: usize,
        most: usize,
    ) {
        let path = format!("{path}.{key}");
        match members.get(key) {
            Some(Value::String(text)) => {
                let size = limit::len(text);
                if size < least || (least > 0 && text.trim().is_empty()) {
                    self.fault(path, "must not be empty");
                } else if size > most {
                    self.fault(path, format!("at most {most} characters"));
                } else if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t' | '\r')) {
                    self.fault(path, "must not hold control characters");
                }
            }
            Some(_) => self.fault(path, "must be a string"),
            None => self.fault(path, "is required"),
        }
    }

    pub(super) fn optional(&mut self, members: &Members, key: &str, path: &str, most: usize) {
        if members.contains_key(key) {
            self.string(members, key, path, 1, most);
        }
    }

    pub(super) fn flag(&mut self, members: &Members, key: &str, path: &str) {
        if members.get(key).is_some_and(|value| !value.is_boolean()) {
            self.fault(format!("{path}.{key}"), "must be true or false");
        }
    }

    /// A list of bounded length, or nothing and a fault.
    pub(super) fn list<'v>(
        &mut self,
        members: &'v Members,
        key: &str,
        path: &str,
        least: usize,
        most: usize,
    ) -> &'v [Value] {
        let path = format!("{path}.{key}");
        match members.get(key) {
            Some(Value::Array(list)) => {
                if list.len() < least {
                    self.fault(path, format!("needs at least {least}"));
                } else if list.len() > most {
                    self.fault(path, format!("at most {most}"));
                }
                list
            }
            Some(_) => {
                self.fault(path, "must be a list");
                &[]
            }
            None => {
                self.fault(path, "is required");
                &[]
            }
        }
    }

    pub(super) fn https(&mut self, members: &Members, key: &str, path: &str, public: bool) {
        let Some(value) = members.get(key) else {
            return self.fault(format!("{path}.{key}"), "is required");
        };
        let path = format!("{path}.{key}");
        match value.as_str() {
            None => self.fault(path, "must be a string"),
            Some(url) if limit::len(url) > limit::URL => {
                self.fault(path, format!("at most {} characters", limit::URL));
            }
            Some(url) if !limit::is_https(url) => self.fault(path, "must be an https address"),
            Some(url) if public && !limit::is_public(url) => {
                self.fault(path, "must be an address that Slack can reach");
            }
            Some(_) => {}
        }
    }

    fn block(&mut self, value: &Value, path: &str, depth: usize, allowed: &[&str]) {
        if depth > limit::NESTING {
            return self.fault(path, format!("nested deeper than {}", limit::NESTING));
        }
        let Some((block, kind)) = self.typed(value, path, allowed) else { return };
        self.action_ids.clear();
        if let Some(id) = block.get("block_id") {
            self.string(block, "block_id", path, 1, limit::ID);
            if id.as_str().is_some_and(|id| !self.block_ids.insert(id.to_owned())) {
                self.fault(format!("{path}.block_id"), "must be unique in the message");
            }
        }
        self.keys(block, path, known(kind));
        match kind {
            "header" => self.text(block, "text", path, limit::HEADER, &["plain_text"]),
            "section" => self.section(block, path),
            "context" => self.context(block, path),
            "actions" => {
                for (index, element) in
                    self.list(block, "elements", path, 1, limit::ACTIONS).iter().enumerate()
                {
                    self.element(element, &format!("{path}.elements[{index}]"), "actions");
                }
            }
            "image" => {
                self.image(block, path);
                if block.contains_key("title") {
                    self.text(block, "title", path, limit::IMAGE_TITLE, &["plain_text"]);
                }
            }
            "input" => self.input(block, path),
            "markdown" => {
                self.string(block, "text", path, 1, limit::MARKDOWN);
                self.markdown += block.get("text").and_then(Value::as_str).map_or(0, limit::len);
            }
            "rich_text" => self.rich_text(block, path, depth),
            "card" => self.card(block, path),
            "carousel" => {
                let cards = self.list(block, "elements", path, 1, limit::CARDS);
                for (index, card) in cards.iter().enumerate() {
                    self.block(card, &format!("{path}.elements[{index}]"), depth + 1, &["card"]);
                }
            }
            "container" => self.container(block, path, depth),
            "table" | "data_table" => self.table(block, kind, path, depth),
            "data_visualization" => self.visualization(block, path),
            "video" => self.video(block, path),
            "file" => {
                self.string(block, "external_id", path, 1, limit::ID);
                self.string(block, "source", path, 1, limit::ID);
            }
            _ => {}
        }
    }

    fn section(&mut self, block: &Members, path: &str) {
        let both = ["plain_text", "mrkdwn"];
        if !block.contains_key("text") && !block.contains_key("fields") {
            self.fault(path, "a section needs text or fields");
        }
        if block.contains_key("text") {
            self.text(block, "text", path, limit::SECTION, &both);
        }
        if block.contains_key("fields") {
            let fields = self.list(block, "fields", path, 1, limit::FIELDS);
            for (index, field) in fields.iter().enumerate() {
                self.text_object(field, &format!("{path}.fields[{index}]"), limit::FIELD, &both);
            }
        }
        if let Some(accessory) = block.get("accessory") {
            self.element(accessory, &format!("{path}.accessory"), "section");
        }
        self.flag(block, "expand", path);
    }

    fn context(&mut self, block: &Members, path: &str) {
        let list = self.list(block, "elements", path, 1, limit::CONTEXT_ELEMENTS);
        for (index, element) in list.iter().enumerate() {
            let path = format!("{path}.elements[{index}]");
            if element["type"] == "image" {
                self.element(element, &path, "context");
            } else {
                self.text_object(element, &path, limit::CONTEXT, &["plain_text", "mrkdwn"]);
            }
        }
    }

    fn input(&mut self, block: &Members, path: &str) {
        self.text(block, "label", path, limit::LABEL, &["plain_text"]);
        if block.contains_key("hint") {
            self.text(block, "hint", path, limit::LABEL, &["plain_text"]);
        }
        self.flag(block, "optional", path);
        self.flag(block, "dispatch_action", path);
        match block.get("element") {
            Some(element) => self.element(element, &format!("{path}.element"), "input"),
            None => self.fault(format!("{path}.element"), "is required"),
        }
    }

    fn card(&mut self, block: &Members, path: &str) {
        if !["hero_image", "title", "actions", "body"].iter().any(|key| block.contains_key(*key)) {
            self.fault(path, "a card needs a hero_image, title, body or actions");
        }
        for key in ["hero_image", "icon"] {
            if let Some(image) = block.get(key) {
                self.element(image, &format!("{path}.{key}"), "context");
            }
        }
        for (key, most) in [
            ("title", limit::CARD_TITLE),
            ("subtitle", limit::CARD_TITLE),
            ("body", limit::CARD_BODY),
        ] {
            if block.contains_key(key) {
                self.text(block, key, path, most, &["mrkdwn", "plain_text"]);
            }
        }
        if block.contains_key("actions") {
            let list = self.list(block, "actions", path, 1, limit::CARD_BUTTONS);
            for (index, button) in list.iter().enumerate() {
                self.element(button, &format!("{path}.actions[{index}]"), "card");
            }
        }
    }

    fn container(&mut self, block: &Members, path: &str, depth: usize) {
        if block.contains_key("title") {
            self.text(block, "title", path, limit::CONTAINER_TITLE, &["plain_text"]);
        } else if let Some(title) = block.get("rich_text_title") {
            self.block(title, &format!("{path}.rich_text_title"), depth + 1, &["rich_text"]);
        } else {
            self.fault(format!("{path}.title"), "is required");
        }
        if block.contains_key("subtitle") {
            let both = ["plain_text", "mrkdwn"];
            self.text(block, "subtitle", path, limit::CONTAINER_TITLE, &both);
        }
        if let Some(icon) = block.get("icon") {
            self.element(icon, &format!("{path}.icon"), "context");
        }
        for key in ["is_collapsible", "default_collapsed", "has_header_divider"] {
            self.flag(block, key, path);
        }
        self.choice(block, "width", path, &["narrow", "standard", "wide", "full"]);
        let list = self.list(block, "child_blocks", path, 1, limit::CONTAINER_BLOCKS);
        for (index, child) in list.iter().enumerate() {
            self.block(child, &format!("{path}.child_blocks[{index}]"), depth + 1, CONTAINED);
        }
    }

    pub(super) fn choice(&mut self, members: &Members, key: &str, path: &str, allowed: &[&str]) {
        let Some(value) = members.get(key) else { return };
        if !value.as_str().is_some_and(|value| allowed.contains(&value)) {
            self.fault(format!("{path}.{key}"), format!("must be one of {}", allowed.join(", ")));
        }
    }

    fn table(&mut self, block: &Members, kind: &str, path: &str, depth: usize) {
        let data = kind == "data_table";
        let (least, most) = if data { (2, limit::ROWS + 1) } else { (1, limit::ROWS) };
        let rows = self.list(block, "rows", path, least, most);
        let width = rows.first().and_then(Value::as_array).map_or(0, Vec::len);
        let mut chars = 0;
        for (y, row) in rows.iter().enumerate() {
            let path = format!("{path}.rows[{y}]");
            let Value::Array(cells) = row else {
                self.fault(path, "must be a list");
                continue;
            };
            if !(1..=limit::COLUMNS).contains(&cells.len()) {
                self.fault(&*path, format!("1 to {} cells", limit::COLUMNS));
            }
            if data && cells.len() != width {
                self.fault(&*path, "every row needs as many cells as the head");
            }
            for (x, cell) in cells.iter().enumerate() {
                let head = data && y == 0;
                chars += self.cell(cell, &format!("{path}[{x}]"), head, depth);
            }
        }
        let budget = if data { limit::DATA_TABLE_CHARS } else { limit::TABLE_CHARS };
        if chars > budget {
            self.fault(path, format!("at most {budget} characters in a {kind}"));
        }
        self.table_chars += chars;
        if data {
            self.string(block, "caption", path, 1, limit::SECTION);
            self.range(block, "page_size", path, 1, limit::ROWS);
            self.range(block, "row_header_column_index", path, 0, width.saturating_sub(1));
        } else if block.contains_key("column_settings") {
            self.list(block, "column_settings", path, 0, limit::COLUMNS);
        }
    }

    fn range(&mut self, block: &Members, key: &str, path: &str, least: usize, most: usize) {
        let Some(value) = block.get(key) else { return };
        let fits = value.as_u64().is_some_and(|n| n >= least as u64 && n <= most as u64);
        if !fits {
            self.fault(format!("{path}.{key}"), format!("must be from {least} to {most}"));
        }
    }

    /// Checks a cell and returns its characters.
    fn cell(&mut self, value: &Value, path: &str, head: bool, depth: usize) -> usize {
        let Some((cell, kind)) = self.typed(value, path, CELLS) else { return 0 };
        if kind == "rich_text" {
            if head {
                self.fault(path, "the head of a data_table holds no rich_text");
            }
            self.block(value, path, depth + 1, &["rich_text"]);
            return letters(value);
        }
        self.string(cell, "text", path, 1, usize::MAX);
        if kind == "raw_number" && !cell.get("value").is_some_and(Value::is_number) {
            self.fault(format!("{path}.value"), "must be a number");
        }
        cell.get("text").and_then(Value::as_str).map_or(0, limit::len)
    }

    fn visualization(&mut self, block: &Members, path: &str) {
        self.charts += 1;
        self.string(block, "title", path, 1, limit::CHART_TITLE);
        let path = format!("{path}.chart");
        let Some(chart) = block.get("chart") else {
            return self.fault(path, "is required");
        };
        let Some((chart, kind)) = self.typed(chart, &path, &["bar", "line", "area", "pie"]) else {
            return;
        };
        if kind == "pie" {
            let segments = self.list(chart, "segments", &path, 1, limit::SERIES);
            self.points(segments, &format!("{path}.segments"), None);
            return;
        }
        let axis_path = format!("{path}.axis_config");
        let Some(Value::Object(axis)) = chart.get("axis_config") else {
            return self.fault(axis_path, "is required");
        };
        let categories = self.list(axis, "categories", &axis_path, 1, limit::POINTS);
        let labels: Vec<&str> = categories.iter().filter_map(Value::as_str).collect();
        let unique = labels.iter().collect::<HashSet<_>>().len() == categories.len();
        if !unique || labels.iter().any(|l| l.is_empty() || limit::len(l) > limit::CHART_LABEL) {
            let rule = format!("differing labels of 1 to {} characters", limit::CHART_LABEL);
            self.fault(format!("{axis_path}.categories"), rule);
        }
        self.optional(axis, "x_label", &axis_path, limit::AXIS_LABEL);
        self.optional(axis, "y_label", &axis_path, limit::AXIS_LABEL);
        let mut names = HashSet::new();
        let all = self.list(chart, "series", &path, 1, limit::SERIES);
        for (index, series) in all.iter().enumerate() {
            let path = format!("{path}.series[{index}]");
            let Value::Object(series) = series else {
                self.fault(path, "must be an object");
                continue;
            };
            self.string(series, "name", &path, 1, limit::CHART_LABEL);
            if !names.insert(series.get("name")) {
                self.fault(format!("{path}.name"), "must be unique in the chart");
            }
            let data = self.list(series, "data", &path, 1, limit::POINTS);
            self.points(data, &format!("{path}.data"), Some(&labels));
        }
    }

    fn points(&mut self, points: &[Value], path: &str, labels: Option<&[&str]>) {
        for (index, point) in points.iter().enumerate() {
            let path = format!("{path}[{index}]");
            let Value::Object(point) = point else {
                self.fault(path, "must be an object");
                continue;
            };
            self.string(point, "label", &path, 1, limit::CHART_LABEL);
            if !point.get("value").is_some_and(Value::is_number) {
                self.fault(format!("{path}.value"), "must be a number");
            }
        }
        let given = points.iter().filter_map(|point| point["label"].as_str());
        if labels.is_some_and(|labels| !given.eq(labels.iter().copied())) {
            self.fault(path, "needs one point for each category, in their order");
        }
    }

    fn video(&mut self, block: &Members, path: &str) {
        self.https(block, "video_url", path, true);
        self.https(block, "thumbnail_url", path, true);
        self.string(block, "alt_text", path, 1, limit::ALT);
        self.text(block, "title", path, limit::VIDEO_TITLE - 1, &["plain_text"]);
        self.optional(block, "author_name", path, limit::VIDEO_AUTHOR - 1);
        for key in ["title_url", "provider_icon_url"] {
            if block.contains_key(key) {
                self.https(block, key, path, false);
            }
        }
    }
}

/// The members of a block, its type excepted.
fn known(kind: &str) -> &'static [&'static str] {
    match kind {
        "header" | "markdown" => &["block_id", "text"],
        "section" => &["block_id", "text", "fields", "accessory", "expand"],
        "context" | "actions" | "rich_text" | "carousel" => &["block_id", "elements"],
        "image" => &["block_id", "image_url", "slack_file", "alt_text", "title"],
        "input" => &["block_id", "label", "hint", "optional", "element", "dispatch_action"],
        "card" => &["block_id", "hero_image", "icon", "title", "subtitle", "body", "actions"],
        "container" => &[
            "block_id",
            "title",
            "rich_text_title",
            "subtitle",
            "child_blocks",
            "width",
            "icon",
            "is_collapsible",
            "default_collapsed",
            "has_header_divider",
        ],
        "table" => &["block_id", "rows", "column_settings"],
        "data_table" => &["block_id", "rows", "caption", "page_size", "row_header_column_index"],
        "data_visualization" => &["block_id", "title", "chart"],
        "video" => &[
            "block_id",
            "video_url",
            "thumbnail_url",
            "alt_text",
            "title",
            "title_url",
            "author_name",
            "provider_name",
            "provider_icon_url",
            "description",
        ],
        "file" => &["block_id", "external_id", "source"],
        _ => &["block_id"],
    }
}

/// The characters of a rich text; it has been checked, so it is not deep.
fn letters(value: &Value) -> usize {
    let own = value["text"].as_str().map_or(0, limit::len);
    let inner = value["elements"].as_array().into_iter().flatten();
    own + inner.map(letters).sum::<usize>()
}
