//! The compiler: a walk over the tree in reading order that hands each part to the draft.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};
use widgetcast_engine::tree::component::Component;

use super::action;
use super::draft::Draft;
use super::group::{self, Group, children, group, text};
use super::object::marked;
use super::{glyph, limit, markdown, mrkdwn};

pub(super) fn compile(tree: &Value, dense: bool) -> Draft {
    let mut walk = Walk { out: Draft::new(dense), labels: Labels::of(tree), submits: 0 };
    walk.node(tree, "", Scope::default());
    walk.out
}

pub(super) struct Walk<'v> {
    pub(super) out: Draft,
    pub(super) labels: Labels<'v>,
    /// Submit buttons so far: a form without one gets one.
    submits: usize,
}

/// What a component stands in.
#[derive(Clone, Copy, Default)]
pub(super) struct Scope<'v> {
    pub(super) in_form: bool,
    /// What the form's submit button sends.
    pub(super) submit: Option<&'v Value>,
}

impl<'v> Walk<'v> {
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
            "Title" => self.out.title(&group::words(node), at),
            "Text" if is_editable(node) => self.field(node, at, scope),
            "Text" => self.out.body(&group::styled(node), at),
            "Caption" | "Badge" => self.out.small(&group::styled(node), at),
            "Label" if self.labels.is_taken(at) => {}
            "Label" => self.out.small(&group::styled(node), at),
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

    fn each(&mut self, node: &'v Value, at: &str, scope: Scope<'v>) {
        for (child, at) in children(node, at) {
            self.node(child, &at, scope);
        }
    }

    fn unknown(&mut self, node: &'v Value, at: &str, scope: Scope<'v>) {
        self.out.body(&mrkdwn::escape(&group::words(node)), at);
        self.each(node, at, scope);
        if Component::find(node["type"].as_str().unwrap_or_default()).is_none() {
            self.out.lose(at, "Slack has no means for this component");
        }
    }

    fn card(&mut self, node: &'v Value, at: &str, scope: Scope<'v>) {
        let as_form = node["asForm"] == true;
        let submit = node.pointer("/confirm/action").filter(|_| as_form).or(scope.submit);
        let inner = Scope { in_form: scope.in_form || as_form, submit };
        let whole = node["status"].is_null().then(|| self.whole_card(node, at, inner)).flatten();
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
                let made = self.press(&label, &end["action"], style, &at);
                self.show(made, &label, &at);
            }
        }
    }

    /// A card that is a picture, a few words and a few buttons, as a `card` block.
    fn whole_card(&self, node: &'v Value, at: &str, scope: Scope<'v>) -> Option<Value> {
        let mut whole = Group::default();
        for (child, at) in children(node, at) {
            let part = group(child, &at)?;
            whole.unseen.extend(part.unseen);
            whole.lines.extend(part.lines);
            whole.images.extend(part.images);
            whole.buttons.extend(part.buttons);
        }
        let mut ends = Vec::new();
        for (key, style) in [("confirm", Some("primary")), ("cancel", None)] {
            if node[key].is_object() {
                ends.push(fitting(&text(&node[key], "label")?, &node[key]["action"], style)?);
            }
        }
        small_card(&whole, ends, scope)
    }

    fn status(&mut self, node: &Value, at: &str) {
        let Some(words) = text(&node["status"], "text") else { return };
        let glyph = node["status"]["icon"].as_str().and_then(glyph::find).unwrap_or_default();
        let line = format!("{glyph} {}", mrkdwn::escape(&words));
        self.out.small(&line, &format!("{at}/status"));
    }

    /// Several small cards side by side become a carousel.
    fn basic(&mut self, node: &'v Value, at: &str, scope: Scope<'v>) {
        let cards: Vec<_> = children(node, at).collect();
        let made: Option<Vec<Value>> = (2..=limit::CARDS)
            .contains(&cards.len())
            .then(|| {
                let whole = |(card, at): &(&'v Value, String)| {
                    (card["type"] == "Card" && card["status"].is_null())
                        .then(|| self.whole_card(card, at, scope))
                        .flatten()
                };
                cards.iter().map(whole).collect()
            })
            .flatten();
        match made {
            Some(cards) => self.out.push(json!({"type": "carousel", "elements": cards}), at),
            None => self.each(node, at, scope),
        }
    }

    fn list(&mut self, node: &'v Value, at: &str, scope: Scope<'v>) {
        self.status(node, at);
        let items: Vec<_> = children(node, at).collect();
        let made: Option<Vec<Value>> = (2..=limit::CARDS)
            .contains(&items.len())
            .then(|| items.iter().map(|(item, at)| item_card(item, at, scope)).collect())
            .flatten();
        match made {
            Some(cards) => self.out.push(json!({"type": "carousel", "elements": cards}), at),
            None => items.iter().for_each(|(item, at)| self.node(item, at, scope)),
        }
    }

    fn item(&mut self, node: &'v Value, at: &str, scope: Scope<'v>) {
        let click = node.get("onClickAction").filter(|action| action.is_object());
        let open = click.and_then(|action| self.press("Open", action, None, at));
        match group(node, at) {
            Some(group) => self.group(group, open, at, scope),
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
        self.each(node, at, Scope { in_form: true, submit: own.or(scope.submit) });
        if let Some(action) = own.filter(|_| self.submits == before) {
            let at = format!("{at}/onSubmitAction");
            let made = self.press("Submit", action, Some("primary"), &at);
            self.show(made, "Submit", &at);
        }
    }

    fn row(&mut self, node: &'v Value, at: &str, scope: Scope<'v>) {
        if let Some((label, value)) = group::pair(node, at) {
            let label = if label.contains(['*', '_', '~', '`']) {
                label
            } else {
                mrkdwn::mark(label.trim_end_matches(':'), '*')
            };
            return self.out.field(&format!("{label}\n{value}"), at);
        }
        if let Some(columns) = group::columns(node, at) {
            for (column, at) in columns {
                self.judge_unseen(&column.unseen);
                self.out.field(&column.lines.join("\n"), &at);
            }
            return;
        }
        match group(node, at) {
            Some(group) if !self.is_head(node) => self.group(group, None, at, scope),
            _ => self.each(node, at, scope),
        }
    }

    /// A stack of a few lines is one paragraph; anything longer is taken apart.
    fn col(&mut self, node: &'v Value, at: &str, scope: Scope<'v>) {
        let simple = children(node, at).all(|(child, at)| group::pair(child, &at).is_none());
        match group(node, at).filter(|_| simple && !self.is_head(node)) {
            Some(group)
                if group.lines.len() <= 6 && group.buttons.len() + group.images.len() < 2 =>
            {
                self.group(group, None, at, scope);
            }
            _ => self.each(node, at, scope),
        }
    }

    /// Whether it holds the title that is to head the message, and nothing beside it.
    fn is_head(&self, node: &Value) -> bool {
        let titled = |child: &Value| {
            child["type"] == "Title" && super::draft::is_heading(&group::words(child))
        };
        let list = node["children"].as_array();
        let speaks = |child: &&Value| !matches!(child["type"].as_str(), Some("Spacer" | "Icon"));
        let alone = node["type"] != "Row"
            || list.is_some_and(|list| list.iter().filter(speaks).count() == 1);
        self.out.wants_header() && alone && list.is_some_and(|list| list.iter().any(titled))
    }

    /// A group as a section with its picture or only button beside it, the rest below.
    fn group(&mut self, group: Group<'v>, more: Option<Value>, at: &str, scope: Scope<'v>) {
        self.judge_unseen(&group.unseen);
        let mut lines = group.lines;
        let mut pictures = Vec::new();
        for (image, at) in group.images {
            self.judge_alt(image, &at);
            let picture = group::picture(image, self.out.heading.as_deref());
            pictures.extend(picture.map(|picture| (picture, at)));
        }
        let mut buttons = Vec::new();
        for (button, at) in group.buttons {
            match self.made(button, &at, scope) {
                Ok(made) => buttons.push((made, at)),
                Err(label) => lines.push(label),
            }
        }
        buttons.extend(more.map(|button| (button, at.to_owned())));
        let mut pictures = pictures.into_iter();
        let words = lines.join("\n");
        let accessory = match pictures.next() {
            None if buttons.len() == 1 => buttons.pop(),
            picture => picture,
        };
        match accessory {
            Some((accessory, from)) if words.trim().is_empty() => {
                if accessory["type"] == "button" {
                    self.out.button(accessory, &from);
                } else {
                    self.out.push(accessory, &from);
                }
            }
            Some((accessory, _)) => self.out.beside(&words, accessory, at),
            None if group.small => lines.iter().for_each(|line| self.out.small(line, at)),
            None => self.out.body(&words, at),
        }
        pictures.for_each(|(picture, at)| self.out.context(picture, &at));
        buttons.into_iter().for_each(|(button, at)| self.out.button(button, &at));
    }

    fn buttons(&mut self, buttons: Vec<(&'v Value, String)>, scope: Scope<'v>) {
        for (button, at) in buttons {
            match self.made(button, &at, scope) {
                Ok(made) => self.out.button(made, &at),
                Err(label) => self.out.small(&label, &at),
            }
        }
    }

    /// A button element, or the label alone where there is nothing to press.
    pub(super) fn made(
        &mut self,
        node: &'v Value,
        at: &str,
        scope: Scope<'v>,
    ) -> Result<Value, String> {
        let label = label(node);
        let action = sent(node, scope);
        let as_text = format!("[{}]", mrkdwn::escape(&label));
        if node["disabled"] == true {
            self.out.lose(at, "shown as text: Slack has no disabled buttons");
            self.submits += usize::from(node["submit"] == true);
            return Err(as_text);
        }
        if node["submit"] == true {
            self.submits += 1;
            if scope.submit.is_some() && node["onClickAction"].is_object() {
                self.out.lose(at, "its own action is dropped: it sends the form's");
            }
        }
        self.press(&label, action, style(node), at).ok_or(as_text)
    }

    /// A button for an action; none, and a loss, where Slack cannot send it.
    pub(super) fn press(
        &mut self,
        label: &str,
        action: &Value,
        style: Option<&str>,
        at: &str,
    ) -> Option<Value> {
        match action::button("", action, style) {
            Ok(mut button) => {
                let label = self.out.fit(label, limit::BUTTON_TEXT, "a button", at);
                button["text"]["text"] = label.into();
                Some(button)
            }
            Err(reason) => {
                self.out.lose(at, reason);
                None
            }
        }
    }

    /// A button, or its label where there is none.
    pub(super) fn show(&mut self, made: Option<Value>, label: &str, at: &str) {
        match made {
            Some(button) => self.out.button(button, at),
            None => self.out.small(&format!("[{}]", mrkdwn::escape(label)), at),
        }
    }

    fn image(&mut self, node: &Value, at: &str) {
        match group::picture(node, self.out.heading.as_deref()) {
            Some(picture) => {
                self.judge_alt(node, at);
                self.out.push(picture, at);
            }
            None => {
                self.judge_unseen(&[at.to_owned()]);
                if let Some(alt) = text(node, "alt") {
                    self.out.small(&format!("({})", mrkdwn::escape(&alt)), at);
                }
            }
        }
    }

    fn judge_alt(&mut self, node: &Value, at: &str) {
        if text(node, "alt").is_some_and(|alt| limit::len(&alt) > limit::ALT) {
            self.out.lose(at, "clamped: Slack takes at most 2000 characters of alt text");
        }
    }

    fn judge_unseen(&mut self, images: &[String]) {
        for at in images {
            self.out.lose(at, "the image is not shown: Slack loads public https images only");
        }
    }

    fn markdown(&mut self, node: &Value, at: &str) {
        let source = group::words(node);
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

/// The labels that belong to a field, wherever it stands.
pub(super) struct Labels<'v> {
    of_field: HashMap<&'v str, String>,
    taken: HashSet<String>,
}

impl<'v> Labels<'v> {
    fn of(tree: &'v Value) -> Self {
        let mut labels: Vec<(&str, String, String)> = Vec::new();
        let mut fields = HashSet::new();
        let mut open = vec![(tree, String::new())];
        while let Some((node, at)) = open.pop() {
            let inner: Vec<_> = children(node, &at).collect();
            open.extend(inner.into_iter().rev());
            if node["type"] == "Label" {
                let name = node["fieldName"].as_str().unwrap_or_default();
                labels.extend(text(node, "value").map(|words| (name, words, at)));
            } else if let Some(name) = field_name(node) {
                fields.insert(name);
            }
        }
        let mut of_field = HashMap::new();
        let mut taken = HashSet::new();
        for (name, words, at) in labels {
            if fields.contains(name) && !of_field.contains_key(name) {
                of_field.insert(name, words);
                taken.insert(at);
            }
        }
        Self { of_field, taken }
    }

    fn is_taken(&self, at: &str) -> bool {
        self.taken.contains(at)
    }

    /// The label, once: a second field of the name must do without.
    pub(super) fn take(&mut self, name: &str) -> Option<String> {
        self.of_field.remove(name)
    }
}

fn field_name(node: &Value) -> Option<&str> {
    let kind = node["type"].as_str()?;
    let holder = if kind == "Text" { &node["editable"] } else { node };
    let is_field = kind == "Text" || Component::find(kind).is_some_and(Component::is_field);
    holder["name"].as_str().filter(|_| is_field)
}

fn is_editable(node: &Value) -> bool {
    node["editable"].is_object() || node["editable"] == true
}

/// What a button says; one with an icon only is named after it.
fn label(node: &Value) -> String {
    let named = || {
        let icon = node["iconStart"].as_str().or_else(|| node["iconEnd"].as_str());
        let kind = node["onClickAction"]["type"].as_str();
        icon.or(kind).map(glyph::words).filter(|words| !words.is_empty())
    };
    text(node, "label").or_else(named).unwrap_or_else(|| "Submit".to_owned())
}

/// What a button sends.
fn sent<'v>(node: &'v Value, scope: Scope<'v>) -> &'v Value {
    scope.submit.filter(|_| node["submit"] == true).unwrap_or(&node["onClickAction"])
}

fn style(node: &Value) -> Option<&'static str> {
    match (node["color"].as_str(), node["style"].as_str(), node["submit"] == true) {
        (Some("danger"), _, _) => Some("danger"),
        (_, Some("primary"), _) | (Some("primary"), None, _) | (_, None, true) => Some("primary"),
        _ => None,
    }
}

/// A list item with a picture and a title as a card.
fn item_card<'v>(item: &'v Value, at: &str, scope: Scope<'v>) -> Option<Value> {
    let group = group(item, at)?;
    let click = item.get("onClickAction").filter(|action| action.is_object());
    let open = match click {
        Some(action) => Some(fitting("Open", action, None)?),
        None => None,
    };
    small_card(&group, open.into_iter().collect(), scope)
}

/// A `card` block, only if nothing has to be clamped or left out.
fn small_card(group: &Group<'_>, ends: Vec<Value>, scope: Scope<'_>) -> Option<Value> {
    let ([(image, _)], []) = (group.images.as_slice(), group.unseen.as_slice()) else {
        return None;
    };
    let (title, rest) = group.lines.split_first()?;
    let hero = group::picture(image, Some(title.trim_matches('*')))?;
    let mut card = json!({"type": "card", "hero_image": hero, "title": marked(title)});
    let (subtitle, body) = match rest.split_first() {
        Some((subtitle, body)) => (subtitle.clone(), body.join("\n")),
        None => (String::new(), String::new()),
    };
    let limits =
        [(title, limit::CARD_TITLE), (&subtitle, limit::CARD_TITLE), (&body, limit::CARD_BODY)];
    if limits.iter().any(|(text, most)| limit::len(text) > *most) {
        return None;
    }
    for (key, text) in [("subtitle", subtitle), ("body", body)] {
        if !text.is_empty() {
            card[key] = marked(&text);
        }
    }
    let mut buttons = Vec::new();
    for (node, _) in &group.buttons {
        let plain = node["disabled"] != true && !(node["submit"] == true && scope.submit.is_some());
        buttons.push(plain.then(|| fitting(&label(node), &node["onClickAction"], style(node)))??);
    }
    buttons.extend(ends);
    let mut ids = HashSet::new();
    let unique =
        buttons.iter().filter_map(|b| b["action_id"].as_str()).all(|id| ids.insert(id.to_owned()));
    if !unique || buttons.len() > limit::CARD_BUTTONS {
        return None;
    }
    if !buttons.is_empty() {
        card["actions"] = buttons.into();
    }
    Some(card)
}

/// A button that needs no loss.
fn fitting(label: &str, action: &Value, style: Option<&str>) -> Option<Value> {
    let fits = (1..=limit::BUTTON_TEXT).contains(&limit::len(label));
    action::button(label, action, style).ok().filter(|_| fits)
}
