//! The draft of a message: merges runs of text, fields and buttons into as few blocks as possible,
//! keeps the limits of the message, and remembers which component each block came from.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::message::{Head, join_lines};
use super::object::{marked, plain, section};
use super::{fact, limit, menu, mrkdwn};
use crate::surface::loss::Loss;

/// Buttons of one block; 25 are documented, but some surfaces refuse more than 10.
const BUTTONS: usize = 10;
/// A text of more characters is a paragraph, which is a block of its own.
const PARAGRAPH: usize = 60;
/// The fewest items of a list whose buttons stand above it.
const ITEMS: usize = 3;

pub(super) struct Draft {
    /// Fewer and longer blocks: captions and fields become lines.
    dense: bool,
    blocks: Vec<Block>,
    run: Run,
    from: Vec<String>,
    losses: Vec<Loss>,
    inputs: HashSet<String>,
    pub(super) markdown_left: usize,
    pub(super) table_left: usize,
    pub(super) charts: usize,
    /// The last title, else the first line: the name of charts, tables and images without one.
    pub(super) heading: Option<String>,
    has_header: bool,
    /// The buttons of the message, for the end.
    actions: Vec<(Value, String)>,
    /// How many blocks stand above all of them.
    above: Option<usize>,
    /// Lines for the context below the header.
    about: Vec<(String, String)>,
}

struct Block {
    value: Value,
    from: Vec<String>,
}

/// Content of one kind that is merged into one block, until content of another kind follows.
enum Run {
    None,
    /// And its length, which would else be counted again with each line; and whether it ends with a
    /// paragraph.
    Body(String, usize, bool),
    Small(Vec<Value>),
    Fields(Vec<Value>),
    Buttons(Vec<Value>),
    /// Check boxes that need no label above them: one in a block, because in a block they stand side by
    /// side.
    Checks(Vec<Value>),
}

impl Draft {
    pub(super) fn new(dense: bool) -> Self {
        Self {
            dense,
            blocks: Vec::new(),
            run: Run::None,
            from: Vec::new(),
            losses: Vec::new(),
            inputs: HashSet::new(),
            markdown_left: limit::MARKDOWN,
            table_left: limit::ALL_TABLE_CHARS,
            charts: 0,
            heading: None,
            has_header: false,
            actions: Vec::new(),
            above: None,
            about: Vec::new(),
        }
    }

    /// The title and the line below it.
    pub(super) fn head(&mut self, head: &Head) {
        let emoji = head.emoji.map(|emoji| format!("{emoji} ")).unwrap_or_default();
        let title = emoji + &head.title;
        let title = if limit::len(&title) <= limit::HEADER { &title } else { &head.title };
        let title = match head.mark.map(|mark| format!("{title} {mark}")) {
            Some(marked) if limit::len(&marked) <= limit::HEADER => marked,
            _ => title.clone(),
        };
        self.has_header = true;
        self.push(header(&title), &head.at);
        self.heading = Some(head.title.clone());
        if let Some(picture) = &head.picture {
            self.context(picture.clone(), &head.at);
        }
        self.small(&head.line, &head.at);
        head.figures.iter().for_each(|figure| self.body(figure, &head.at));
        for at in &head.undone {
            self.lose(at, "the icon is left out: a check mark would say that it is done");
        }
        for at in &head.unseen {
            self.lose(at, "an emoji stands for the image: Slack loads public https images only");
        }
    }

    /// Puts a header above a form that has none.
    pub(super) fn entitle(&mut self, name: &str) {
        self.flush();
        let has_fields = self.blocks.iter().any(|block| is_field(&block.value));
        let is_headed =
            self.has_header || self.blocks.first().is_some_and(|first| is(first, "header"));
        if has_fields && !is_headed {
            self.has_header = true;
            self.blocks.insert(0, Block { value: header(name), from: Vec::new() });
        }
    }

    pub(super) fn lose(&mut self, at: &str, reason: impl Into<String>) {
        self.losses.push(Loss::new(at, reason));
    }

    /// The text, clamped and reported where it is too long.
    pub(super) fn fit(&mut self, text: &str, most: usize, what: &str, at: &str) -> String {
        let text = mrkdwn::clean(text);
        let Some(cut) = limit::clamp(&text, most) else { return text };
        self.lose(at, format!("clamped: {what} has at most {most} characters in Slack"));
        cut
    }

    /// A title: the first one heads the message, the others are bold lines.
    pub(super) fn title(&mut self, text: &str, at: &str) {
        let clean = mrkdwn::clean(text);
        if clean.is_empty() {
            return;
        }
        let heading = limit::is_heading(&clean);
        if heading {
            self.heading = Some(clean.clone());
        }
        if self.has_header || !heading {
            return self.body(&mrkdwn::mark(&mrkdwn::escape(text), '*'), at);
        }
        self.has_header = true;
        self.push(header(&clean), at);
    }

    /// Whether a title would still become the header.
    pub(super) fn wants_header(&self) -> bool {
        !self.has_header
    }

    /// Running text, as mrkdwn.
    pub(super) fn body(&mut self, text: &str, at: &str) {
        self.name(text);
        for piece in mrkdwn::split(text, limit::SECTION) {
            let added = limit::len(&piece);
            let is_paragraph = added > PARAGRAPH || piece.contains('\n');
            match &mut self.run {
                Run::Body(body, length, is_after)
                    if *length + added + 2 <= limit::SECTION
                        && (self.dense || !is_paragraph && !*is_after) =>
                {
                    let apart = if is_paragraph || *is_after { "\n\n" } else { "\n" };
                    body.push_str(apart);
                    body.push_str(&piece);
                    *length += apart.len() + added;
                    *is_after = is_paragraph;
                }
                _ => self.start(Run::Body(piece, added, is_paragraph)),
            }
            self.from.push(at.to_owned());
        }
    }

    /// A small text beside others, as mrkdwn.
    pub(super) fn small(&mut self, text: &str, at: &str) {
        let text = text.trim();
        if self.dense || limit::len(text) > limit::CONTEXT {
            return self.body(text, at);
        }
        if !text.is_empty() {
            self.context(marked(text), at);
        }
    }

    /// A line about the whole message: it stands below the header, wherever it was found.
    pub(super) fn about(&mut self, text: &str, at: &str) {
        self.about.push((text.to_owned(), at.to_owned()));
    }

    /// Whether there is no room for captions of their own.
    pub(super) fn is_dense(&self) -> bool {
        self.dense
    }

    /// Whether the last thing written is a small text.
    pub(super) fn ends_small(&self) -> bool {
        matches!(self.run, Run::Small(_))
    }

    /// Whether the last thing written is a field of a form, or facts.
    pub(super) fn ends_with_fields(&mut self) -> bool {
        self.part();
        let is_end = |last: &Value| is_field(last) || last["fields"].is_array();
        self.blocks.last().is_some_and(|last| is_end(&last.value))
    }

    /// Ends a block: what follows stands in the next one.
    pub(super) fn part(&mut self) {
        if !self.dense {
            self.flush();
        }
    }

    /// Takes back a caption that stands alone above what comes next, as its title.
    pub(super) fn take_caption(&mut self, most: usize) -> Option<String> {
        let Run::Small(list) = &self.run else { return None };
        let [only] = list.as_slice() else { return None };
        let text = mrkdwn::bare(only["text"].as_str()?);
        if !limit::is_heading(&text) || limit::len(&text) > most {
            return None;
        }
        self.run = Run::None;
        self.from.clear();
        Some(text)
    }

    /// The last title, unless it is that of the message.
    pub(super) fn subheading(&self) -> Option<String> {
        let header = self.blocks.iter().find(|block| is(block, "header"));
        let title = header.and_then(|block| block.value["text"]["text"].as_str());
        let is_new = |heading: &&String| !title.is_some_and(|title| title.contains(&**heading));
        self.heading.as_ref().filter(is_new).cloned()
    }

    /// An element of a context block.
    pub(super) fn context(&mut self, element: Value, at: &str) {
        match &mut self.run {
            Run::Small(list) if list.len() < limit::CONTEXT_ELEMENTS => list.push(element),
            _ => self.start(Run::Small(vec![element])),
        }
        self.from.push(at.to_owned());
    }

    /// A label and its value, or any small group of lines that stands beside others.
    pub(super) fn field(&mut self, text: &str, at: &str) {
        self.name(text);
        if self.dense || limit::len(text) > limit::FIELD {
            return self.body(&text.replace('\n', "  "), at);
        }
        match &mut self.run {
            Run::Fields(list) if list.len() < limit::FIELDS => list.push(marked(text)),
            _ => self.start(Run::Fields(vec![marked(text)])),
        }
        self.from.push(at.to_owned());
    }

    /// A button for the end of the message.
    pub(super) fn action(&mut self, button: Value, at: &str) {
        let blocks = self.blocks.len() + usize::from(!matches!(self.run, Run::None));
        match self.actions.is_empty() {
            true => self.above = Some(blocks),
            false => self.above = self.above.filter(|place| *place == blocks),
        }
        self.actions.push((button, at.to_owned()));
    }

    /// A button where it stands. An id may stand only once in a block, so a repeated one gets a number;
    /// one that has no room for it starts the next block.
    pub(super) fn button(&mut self, mut button: Value, at: &str) {
        match &mut self.run {
            Run::Buttons(list) if list.len() < BUTTONS && number(&mut button, list) => {
                list.push(button);
            }
            _ => self.start(Run::Buttons(vec![button])),
        }
        self.from.push(at.to_owned());
    }

    /// A field with a label above it. What is in bold just before it heads a part of the form: it stands
    /// in a block of its own and is small, because it would else look like one more label. Fields need no
    /// divider between them.
    pub(super) fn input(&mut self, block: Value, at: &str) {
        self.before_field();
        self.push(block, at);
    }

    /// A check box without a label above it, together with its neighbours.
    pub(super) fn check(&mut self, element: Value, at: &str) {
        match &mut self.run {
            Run::Checks(list) if self.dense && list.len() < BUTTONS => list.push(element),
            _ => {
                self.before_field();
                self.start(Run::Checks(vec![element]));
            }
        }
        self.from.push(at.to_owned());
    }

    fn before_field(&mut self) {
        if let Run::Body(text, ..) = &mut self.run {
            let last = text.rsplit('\n').next().unwrap_or_default();
            let inner = last.strip_prefix('*').and_then(|rest| rest.strip_suffix('*'));
            let title = inner.filter(|inner| !inner.contains('*')).map(mrkdwn::bare);
            if let Some(title) = title.filter(|title| limit::is_heading(title)) {
                text.truncate(text.len() - last.len());
                text.truncate(text.trim_end().len());
                let from = self.from.last().cloned().unwrap_or_default();
                self.flush();
                let title = marked(&mrkdwn::mark(&mrkdwn::escape(&title), '*'));
                self.push(json!({"type": "context", "elements": [title]}), &from);
            }
        }
        self.flush();
        if let [.., before, last] = self.blocks.as_slice()
            && is(last, "divider")
            && is_field(&before.value)
        {
            self.blocks.pop();
        }
    }

    /// Sets the heading from the first line, where there is no title.
    fn name(&mut self, text: &str) {
        if self.heading.is_none() {
            let line = text.lines().next().unwrap_or_default();
            self.heading = Some(mrkdwn::bare(line)).filter(|line| limit::is_heading(line));
        }
    }

    /// Text beside a picture or a control.
    pub(super) fn beside(&mut self, text: &str, accessory: Value, at: &str) {
        self.name(text);
        let mut pieces = mrkdwn::split(text, limit::SECTION).into_iter();
        let mut block = section(&pieces.next().unwrap_or_default());
        block["accessory"] = accessory;
        self.push(block, at);
        pieces.for_each(|piece| self.body(&piece, at));
    }

    /// Appends a block that is not merged.
    pub(super) fn push(&mut self, value: Value, at: &str) {
        self.flush();
        self.blocks.push(Block { value, from: vec![at.to_owned()] });
    }

    /// A divider between two parts; not before the total of a bill, which is its last line.
    pub(super) fn rule(&mut self) {
        if matches!(&self.run, Run::Fields(list) if fact::is_bill(list)) {
            return;
        }
        self.flush();
        if !self.dense && self.blocks.last().is_some_and(|last| !is(last, "divider")) {
            self.blocks.push(Block { value: json!({"type": "divider"}), from: Vec::new() });
        }
    }

    /// Reserves a field's name; false if it is in use.
    pub(super) fn claim(&mut self, input: &str) -> bool {
        self.inputs.insert(input.to_owned())
    }

    fn start(&mut self, run: Run) {
        self.flush();
        self.run = run;
    }

    fn flush(&mut self) {
        let value = match std::mem::replace(&mut self.run, Run::None) {
            Run::None => return,
            // A title that was all of it has become a block of its own.
            Run::Body(text, ..) if text.is_empty() => return self.from.clear(),
            Run::Body(text, ..) => section(&text),
            Run::Small(list) => json!({"type": "context", "elements": joined(list)}),
            Run::Fields(list) => fact::block(&list),
            Run::Buttons(list) | Run::Checks(list) => json!({"type": "actions", "elements": list}),
        };
        self.blocks.push(Block { value, from: std::mem::take(&mut self.from) });
    }

    /// How many blocks there are.
    pub(super) fn count(&mut self) -> usize {
        self.flush();
        while self.blocks.last().is_some_and(|last| is(last, "divider")) {
            self.blocks.pop();
        }
        self.place_about();
        let (buttons, lost) = menu::gather(&std::mem::take(&mut self.actions));
        self.losses.extend(lost);
        let (menus, buttons): (Vec<_>, Vec<_>) =
            buttons.into_iter().partition(|(button, _)| !button["initial_option"].is_null());
        let is_end = self.place_of_buttons() == self.blocks.len();
        let is_in_row = is_end && menus.len() == 1 && !buttons.is_empty();
        let choice = mrkdwn::mark(menu::CHOICE, '*');
        let mut in_row = Vec::new();
        for (menu, at) in menus {
            match is_in_row {
                // Beside its label it would stand at the one edge, and the buttons below it at the other.
                true => {
                    self.push(section(&choice), &at);
                    in_row.push((menu, at));
                }
                false => self.beside(&choice, menu, &at),
            }
        }
        let below = self.blocks.split_off(self.place_of_buttons());
        let buttons = in_row.into_iter().chain(buttons);
        buttons.for_each(|(button, at)| self.button(button, &at));
        self.flush();
        self.blocks.extend(below);
        self.blocks.len()
    }

    /// Buttons are the end of a message. Those that stand above a list with a button for each item stay
    /// there, because they are for all items.
    fn place_of_buttons(&self) -> usize {
        let has_button = |block: &&Block| block.value["accessory"]["type"] == "button";
        match self.above {
            Some(place) if self.blocks.iter().skip(place).filter(has_button).count() >= ITEMS => {
                place
            }
            _ => self.blocks.len(),
        }
    }

    /// Puts the lines about the message below its header: behind the line that is there, or in a block.
    fn place_about(&mut self) {
        let about = std::mem::take(&mut self.about);
        if about.is_empty() {
            return;
        }
        let (lines, mut from): (Vec<String>, Vec<String>) = about.into_iter().unzip();
        let line = lines.into_iter().fold(String::new(), |line, more| join_lines(line, &more));
        let index = usize::from(self.blocks.first().is_some_and(|first| is(first, "header")));
        if let Some(block) = self.blocks.get_mut(index)
            && is(block, "context")
            && let Some(before) = block.value["elements"][0]["text"].as_str()
            && limit::len(before) + limit::len(&line) + 5 <= limit::CONTEXT
        {
            block.value["elements"][0]["text"] = join_lines(before.to_owned(), &line).into();
            return block.from.append(&mut from);
        }
        let (line, _) = mrkdwn::head(&line, limit::CONTEXT);
        let value = json!({"type": "context", "elements": [marked(line)]});
        self.blocks.insert(index, Block { value, from });
        self.above = self.above.map(|place| place + 1);
    }

    pub(super) fn finish(mut self) -> (Vec<Value>, Vec<Loss>) {
        let over = self.count().saturating_sub(limit::BLOCKS);
        if over > 0 {
            self.cut(over + 1);
        }
        (self.blocks.into_iter().map(|block| block.value).collect(), self.losses)
    }

    /// Drops blocks from the end, words before controls: a form without its button is worth less
    /// than one without its last paragraph.
    fn cut(&mut self, count: usize) {
        let mut doomed = vec![false; self.blocks.len()];
        let mut left = count;
        for words_only in [true, false] {
            for (block, doomed) in self.blocks.iter().zip(&mut doomed).rev() {
                if left > 0 && !*doomed && !(words_only && is_control(&block.value)) {
                    *doomed = true;
                    left -= 1;
                }
            }
        }
        let mut at = 0;
        let mut dropped = Vec::new();
        self.blocks.retain_mut(|block| {
            at += 1;
            if doomed[at - 1] {
                dropped.append(&mut block.from);
            }
            !doomed[at - 1]
        });
        dropped.dedup();
        let reason = format!("dropped: a Slack message has at most {} blocks", limit::BLOCKS);
        self.losses.extend(dropped.into_iter().map(|at| Loss::new(at, reason.clone())));
        let note = json!({"type": "context", "elements": [marked(&format!("… +{count}"))]});
        self.blocks.push(Block { value: note, from: Vec::new() });
    }
}

/// The elements of a context; two short texts are one, because Slack draws nothing between two.
fn joined(elements: Vec<Value>) -> Vec<Value> {
    let texts: Option<Vec<&str>> = elements.iter().map(|one| one["text"].as_str()).collect();
    match texts.as_deref() {
        Some([first, second]) => {
            let line = join_lines((*first).to_owned(), second);
            if line.contains('\n') { elements } else { vec![marked(&line)] }
        }
        _ => elements,
    }
}

fn is(block: &Block, kind: &str) -> bool {
    block.value["type"] == kind
}

fn is_control(block: &Value) -> bool {
    matches!(block["type"].as_str(), Some("actions" | "input" | "card" | "carousel"))
        || block.get("accessory").is_some()
}

/// Whether a person fills it in: an input, or check boxes.
fn is_field(block: &Value) -> bool {
    block["type"] == "input" || block["elements"][0]["type"] == "checkboxes"
}

/// Makes the id of a button unique among those of a block; false if it gets too long.
fn number(button: &mut Value, block: &[Value]) -> bool {
    let Some(id) = button["action_id"].as_str() else { return true };
    let is_same = |other: &&Value| {
        let rest = other["action_id"].as_str().and_then(|other| other.strip_prefix(id));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('#'))
    };
    let same = block.iter().filter(is_same).count();
    if same == 0 {
        return true;
    }
    let id = format!("{id}#{}", same + 1);
    let fits = limit::len(&id) <= limit::ID;
    let is_new = block.iter().all(|other| other["action_id"] != id.as_str());
    if fits && is_new {
        button["action_id"] = id.into();
    }
    fits && is_new
}

fn header(text: &str) -> Value {
    json!({"type": "header", "text": plain(text)})
}
