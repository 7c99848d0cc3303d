//! The compiler: walks the tree in reading order and appends each component to the draft.

use std::collections::HashSet;

use serde_json::{Value, json};
use widgetcast_engine::tree::component::Component;

use super::component::{self, children, text};
use super::draft::Draft;
use super::group::{self, Group, group};
use super::label::{Labels, is_secret};
use super::{action, date, fact, forecast, glyph, limit, list, markdown, message, mrkdwn};

/// The most lines of a paragraph; what has more is taken apart.
const LINES: usize = 6;

pub(super) fn compile(tree: &Value, dense: bool, name: Option<&str>) -> Draft {
    let mut out = Draft::new(dense);
    let dated = date::join(tree);
    let tree = dated.as_ref().map_or(tree, |dated| &dated.tree);
    if let Some((line, at)) = dated.as_ref().and_then(|dated| dated.about.as_ref()) {
        out.about(&mrkdwn::escape(line), at);
    }
    if let Some(card) =
        (tree["type"] == "Card").then(|| Compiler::whole_card(tree, "", Scope::of(tree))).flatten()
    {
        out.push(card, "");
        return out;
    }
    let split = message::split(tree);
    let (tree, unit) = match &split {
        Some((head, rest)) => {
            out.head(head);
            (rest, head.unit.clone())
        }
        None => (tree, None),
    };
    let labels = Labels::of(tree);
    let mut walk = Compiler { out, tree, unit, labels, submits: 0, placed: HashSet::new() };
    walk.node(tree, "", Scope::default());
    if let Some(name) = name.filter(|name| limit::is_heading(name)) {
        walk.out.entitle(name);
    }
    walk.out
}

pub(super) struct Compiler<'v> {
    pub(super) out: Draft,
    pub(super) tree: &'v Value,
    /// The unit of the figures in a forecast.
    unit: Option<String>,
    pub(super) labels: Labels<'v>,
    /// Submit buttons so far; a form without one gets one.
    pub(super) submits: usize,
    /// Pointers of buttons that stand elsewhere already.
    pub(super) placed: HashSet<String>,
}

/// The form around a component.
#[derive(Clone, Copy, Default)]
pub(super) struct Scope<'v> {
    pub(super) in_form: bool,
    /// Whether it is one of several alike: its buttons stay with it.
    pub(super) in_item: bool,
    /// Whether all items of its list open pages.
    pub(super) in_links: bool,
    /// What the form's submit button sends.
    pub(super) submit: Option<&'v Value>,
}

impl<'v> Scope<'v> {
    /// The scope of what is in a card.
    fn of(card: &'v Value) -> Self {
        Self::default().inside(card)
    }

    fn inside(self, card: &'v Value) -> Self {
        let as_form = card["asForm"] == true;
        let submit = card.pointer("/confirm/action").filter(|_| as_form).or(self.submit);
        Self { in_form: self.in_form || as_form, submit, ..self }
    }
}

impl<'v> Compiler<'v> {
    pub(super) fn node(&mut self, node: &'v Value, at: &str, scope: Scope<'v>) {
        let kind = node["type"].as_str().unwrap_or_default();
        match kind {
            "Card" => self.card(node, at, scope),
            "ListView" => self.list(node, at, scope),
            "ListViewItem" => self.item(node, at, scope),
            "Basic" => self.basic(node, at, scope),
            "Form" => self.form(node, at, scope),
            "Row" => self.row(node, at, scope),
            "Box" if node["direction"] == "row" => self.row(node, at, scope),
            "Col" | "Box" => self.col(node, at, scope),
            "Title" => self.out.title(&component::words(node), at),
            "Text" if is_editable(node) => self.field(node, at, scope),
            "Text" => self.out.body(&component::styled(node), at),
            "Label" | "Caption" if self.labels.is_taken(at) => {}
            "Label" | "Caption" | "Badge" => self.out.small(&component::styled(node), at),
            "Markdown" => self.markdown(node, at),
            "Image" => self.image(node, at),
            "Button" => self.buttons(vec![(node, at.to_owned())], scope),
            "Divider" => self.out.rule(),
            "Chart" => self.chart(node, at),
            "Table" => self.table(node, at, scope),
            "Icon" | "Spacer" => {}
            _ if Component::find(kind).is_some_and(Component::is_field) => {
                self.field(node, at, scope);
            }
            _ => self.unknown(node, at, scope),
        }
    }

    pub(super) fn each(&mut self, node: &'v Value, at: &str, scope: Scope<'v>) {
        for (child, at) in children(node, at) {
            self.node(child, &at, scope);
        }
    }

    fn unknown(&mut self, node: &'v Value, at: &str, scope: Scope<'v>) {
        self.out.body(&mrkdwn::escape(&component::words(node)), at);
        self.each(node, at, scope);
        if Component::find(node["type"].as_str().unwrap_or_default()).is_none() {
            self.out.lose(at, "Slack has no means for this component");
        }
    }

    fn card(&mut self, node: &'v Value, at: &str, scope: Scope<'v>) {
        let mut inner = scope.inside(node);
        inner.in_item |= !at.is_empty();
        // That of a whole message was tried before.
        let whole = (!at.is_empty()).then(|| Self::whole_card(node, at, inner)).flatten();
        if let Some(block) = whole {
            return self.out.push(block, at);
        }
        self.status(node, at);
        self.each(node, at, inner);
        for (key, style) in [("confirm", Some("primary")), ("cancel", None)] {
            let end = &node[key];
            if end.is_object() {
                let at = format!("{at}/{key}");
                let label = text(end, "label").unwrap_or_else(|| glyph::words(key));
                let made = self.action_button(&label, &end["action"], style, &at);
                self.push_button(made, &label, &at, inner);
            }
        }
    }

    pub(super) fn status(&mut self, node: &Value, at: &str) {
        let Some(words) = text(&node["status"], "text") else { return };
        let glyph = node["status"]["icon"].as_str().and_then(glyph::find).unwrap_or_default();
        let line = format!("{glyph} {}", mrkdwn::escape(&words));
        self.out.small(&line, &format!("{at}/status"));
    }

    fn item(&mut self, node: &'v Value, at: &str, scope: Scope<'v>) {
        let scope = Scope { in_item: true, ..scope };
        let click = node.get("onClickAction").filter(|action| action.is_object());
        let mut group = group(node, at);
        let small = match &mut group {
            Some(group) if !self.out.is_dense() => group.take_small(),
            _ => Vec::new(),
        };
        // An item that opens a page is a link, where all of them are.
        let title = group.as_mut().and_then(|group| group.lines.first_mut());
        let url = click.and_then(action::link).filter(|_| scope.in_links).zip(title);
        let is_linked = url.is_some_and(|(url, title)| list::link_to(url, title));
        let click = click.filter(|_| !is_linked);
        let open = click.and_then(|action| self.action_button("Open", action, None, at));
        match group {
            Some(group) => {
                self.group(group, open, at, scope);
                self.out.small(&small.join("  ·  "), at);
            }
            None => {
                self.each(node, at, scope);
                if let Some(button) = open {
                    self.out.button(button, at);
                }
            }
        }
    }

    fn form(&mut self, node: &'v Value, at: &str, scope: Scope<'v>) {
        let own = node.get("onSubmitAction").filter(|action| action.is_object());
        let before = self.submits;
        let inner = Scope { in_form: true, submit: own.or(scope.submit), ..scope };
        self.each(node, at, inner);
        if let Some(action) = own.filter(|_| self.submits == before) {
            let at = format!("{at}/onSubmitAction");
            let made = self.action_button("Submit", action, Some("primary"), &at);
            self.push_button(made, "Submit", &at, scope);
        }
    }

    fn row(&mut self, node: &'v Value, at: &str, scope: Scope<'v>) {
        if self.warning(node, at, scope) {
            return;
        }
        let has_chips = !scope.in_item && (scope.in_form || group::is_tags(node));
        if let Some(chips) = has_chips.then(|| group::chips(node, at)).flatten() {
            return match scope.in_form {
                true => self.out.about(&chips, at),
                false => self.out.small(&chips, at),
            };
        }
        if let Some((label, value)) = fact::pair(node, at) {
            if list::is_item(&label) || !label.contains(char::is_alphabetic) {
                return self.out.body(&format!("{label} · {value}"), at);
            }
            let label = if label.contains(['*', '_', '~', '`']) {
                label
            } else {
                mrkdwn::mark(label.trim_end_matches(':'), '*')
            };
            return self.out.field(&format!("{label}\n{value}"), at);
        }
        if let Some(columns) = fact::columns(node, at) {
            let hours = forecast::hours(&columns, self.unit.as_deref());
            for (column, at) in &columns {
                self.lose_images(&column.unseen);
                if hours.is_none() {
                    self.out.field(&column.lines.join("\n"), at);
                }
            }
            if let Some(hours) = hours {
                self.out.body(&hours, at);
            }
            return;
        }
        match group(node, at) {
            Some(group) if !self.is_head(node) && group.lines.len() <= LINES => {
                self.group(group, None, at, scope);
            }
            _ => self.each(node, at, scope),
        }
    }

    /// A stack of rows is a list, one of a few lines a paragraph; anything longer is taken apart.
    fn col(&mut self, node: &'v Value, at: &str, scope: Scope<'v>) {
        if self.warning(node, at, scope) || self.secret(node, at) {
            return;
        }
        if let Some(days) = forecast::days(node, at, self.unit.as_deref()) {
            self.lose_images(&days.unseen);
            return self.grid(days.rows, Some("Next days"), at);
        }
        if let Some(list) = list::of(node, at) {
            self.lose_images(&list.unseen);
            if list.has_rule || self.out.ends_with_fields() {
                self.out.rule();
            }
            for part in &list.parts {
                match list.is_facts {
                    true => self.out.field(part, at),
                    false => self.out.body(part, at),
                }
            }
            return;
        }
        let simple = children(node, at).all(|(child, at)| fact::pair(child, &at).is_none());
        match group(node, at).filter(|_| simple && !self.is_head(node)) {
            Some(group)
                if group.lines.len() <= LINES && group.buttons.len() + group.images.len() < 2 =>
            {
                self.group(group, None, at, scope);
            }
            _ => self.each(node, at, scope),
        }
    }

    /// A warning is a block of its own.
    fn warning(&mut self, node: &'v Value, at: &str, scope: Scope<'v>) -> bool {
        let Some(mut group) = group::is_warning(node).then(|| group(node, at)).flatten() else {
            return false;
        };
        group.small = false;
        self.out.part();
        self.group(group, None, at, scope);
        self.out.part();
        true
    }

    /// A secret field goes with what is said about it, but for its name.
    fn secret(&mut self, node: &'v Value, at: &str) -> bool {
        let is_about = |child: &Value| {
            is_secret(child) || matches!(child["type"].as_str(), Some("Label" | "Caption"))
        };
        let field = children(node, at).find(|(child, _)| is_secret(child));
        let field = field.filter(|_| children(node, at).all(|(one, _)| is_about(one)));
        if let Some((field, _)) = &field {
            self.tell_secret(field, at);
        }
        field.is_some()
    }

    /// Whether it holds the title that becomes the header block, with nothing beside it.
    fn is_head(&self, node: &Value) -> bool {
        let titled =
            |child: &Value| child["type"] == "Title" && limit::is_heading(&component::words(child));
        let list = node["children"].as_array();
        let speaks = |child: &&Value| !matches!(child["type"].as_str(), Some("Spacer" | "Icon"));
        let alone = node["type"] != "Row"
            || list.is_some_and(|list| list.iter().filter(speaks).count() == 1);
        self.out.wants_header() && alone && list.is_some_and(|list| list.iter().any(titled))
    }

    /// A group as a section with its picture or only button beside it, the rest below.
    fn group(&mut self, group: Group<'v>, more: Option<Value>, at: &str, scope: Scope<'v>) {
        self.lose_images(&group.unseen);
        let mut lines = group.lines;
        let mut pictures = Vec::new();
        for (image, at) in group.images {
            self.check_alt(image, &at);
            let picture = component::picture(image, self.out.heading.as_deref());
            pictures.extend(picture.map(|picture| (picture, at)));
        }
        let mut buttons = Vec::new();
        for (button, at) in group.buttons {
            if self.placed.contains(&at) {
                continue;
            }
            match self.button_or_label(button, &at, scope) {
                Ok(made) => buttons.push((made, at)),
                Err(label) => lines.push(label),
            }
        }
        buttons.extend(more.map(|button| (button, at.to_owned())));
        let mut pictures = pictures.into_iter();
        // What a button belongs to is named in bold.
        if lines.len() > 1 && buttons.len() == 1 {
            lines[0] = list::strong(&lines[0]);
        }
        // A figure and what it means.
        let is_figure = lines.len() == 2 && !lines[0].contains(char::is_alphabetic);
        let words = lines.join(if is_figure { "  ·  " } else { "\n" });
        // A main button belongs to the message, not to the line that it stands beside.
        let is_aside = |button: &Value| scope.in_item || button["style"].is_null();
        let is_line = !scope.in_item && group.small;
        let is_of_message = at.matches('/').count() == 2 && !scope.in_form;
        // Small words of the message beside a button, which itself goes to the end.
        let is_about = is_line && is_of_message && buttons.len() == 1 && pictures.len() == 0;
        let accessory = match pictures.next() {
            None if buttons.len() == 1 && !is_line && is_aside(&buttons[0].0) => buttons.pop(),
            picture => picture,
        };
        match accessory {
            Some((accessory, from)) if words.trim().is_empty() => {
                if accessory["type"] == "button" {
                    self.press(accessory, &from, scope);
                } else {
                    self.out.push(accessory, &from);
                }
            }
            Some((accessory, _)) => self.out.beside(&words, accessory, at),
            None if is_about && !self.out.wants_header() => {
                self.out.about(&lines.join("  ·  "), at);
            }
            None if group.small => lines.iter().for_each(|line| self.out.small(line, at)),
            // A sign alone says nothing.
            None if lines.len() == 1 && mrkdwn::is_sign(&words) => self.out.small(&words, at),
            None => self.out.body(&words, at),
        }
        pictures.for_each(|(picture, at)| self.out.context(picture, &at));
        buttons.into_iter().for_each(|(button, at)| self.press(button, &at, scope));
    }

    fn markdown(&mut self, node: &Value, at: &str) {
        let source = component::words(node);
        let text = markdown::neutralize(&source);
        let size = limit::len(&text);
        let inlined = text.contains("](data:");
        if inlined {
            self.out.lose(at, "inlined images are not shown: Slack loads public https images only");
        }
        if size == 0 || size > self.out.markdown_left || inlined {
            let (source, more) = mrkdwn::head(&source, limit::BLOCKS * limit::SECTION);
            if more {
                self.out.lose(at, "clamped: the text does not fit a Slack message");
            }
            return self.out.body(&markdown::to_mrkdwn(&mrkdwn::clean(source)), at);
        }
        self.out.markdown_left -= size;
        self.out.push(json!({"type": "markdown", "text": text}), at);
    }
}

fn is_editable(node: &Value) -> bool {
    node["editable"].is_object() || node["editable"] == true
}
