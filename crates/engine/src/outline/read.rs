//! Reads a tree in one pass: each component pushes its blocks onto a stack, and its container replaces them
//! with what they form together.

use std::collections::{HashMap, HashSet};

use super::action::{Action, mark_strong, variant};
use super::block::{Block, Chart, Item, Outline, Panel, Picture};
use super::color::Hue;
use super::edge::{border_color, first_stroke, is_clear, is_drawn, is_side, rules};
use super::field::Field;
use super::heading;
use super::images::Images;
use super::roles::{ReadAs, Roles};
use super::rules::fired;
use super::span::{Line, Role, Span, SpanKind, is_paragraph};
use crate::budget;
use crate::tree::component::ComponentType;
use crate::tree::{CompactTree, Key, Node};

impl<'t> Outline<'t> {
    /// Reads a checked tree. `roles` are the roles that the widget's author sets for some components.
    pub fn of(tree: &'t CompactTree<'t>, roles: &Roles) -> Self {
        Self::with_images(tree, roles, Images::Any)
    }

    /// [`Self::of`] for a host that loads only these images.
    pub fn with_images(tree: &'t CompactTree<'t>, roles: &Roles, images: Images<'t>) -> Self {
        let mut reader = Reader { images, ..Reader::new(tree, roles) };
        // A frame or background around the whole card is ignored.
        if let Some(root) = tree.root().filter(|root| reader.role(*root) != Some(ReadAs::Hidden)) {
            reader.container(root);
        }
        let Reader { mut spans, mut stack, heading, has_full_bar, .. } = reader;
        if has_full_bar && spans.iter().any(|span| span.kind == SpanKind::Meter) {
            let full = |span: &&mut Span<'t>| span.kind == SpanKind::Stroke && span.range[1] > 0.0;
            spans.iter_mut().filter(full).for_each(|span| span.kind = SpanKind::Meter);
        }
        heading::mark(&mut stack, &spans, heading);
        heading::name_by_nearest(&mut stack, &mut None);
        Self { tree, blocks: stack, images, spans }
    }

    /// Whether a button submits fields.
    pub fn has_submit(&self) -> bool {
        any(&self.blocks, &is_submit)
    }
}

/// A child of a container, and the place of its blocks on the stack.
#[derive(Clone, Copy)]
pub(super) struct Part<'t> {
    pub(super) node: Node<'t>,
    pub(super) from: usize,
    pub(super) to: usize,
    /// Its first span, and the end of its spans.
    pub(super) span: u32,
    pub(super) span_end: u32,
    /// Whether a growing spacer precedes it.
    pub(super) is_apart: bool,
}

pub(super) struct Reader<'t, 'r> {
    pub(super) spans: Vec<Span<'t>>,
    pub(super) stack: Vec<Block<'t>>,
    roles: &'r Roles,
    images: Images<'t>,
    /// The label of each field that has a `Label`.
    labels: HashMap<&'t str, &'t str>,
    fields: HashSet<&'t str>,
    /// The field of the last `Label` that was left to it, and the first span after that.
    labelled: Option<(&'t str, u32)>,
    /// The action of the enclosing form.
    submit: Option<Node<'t>>,
    /// The component with the author's role `heading`.
    heading: Option<Node<'t>>,
    /// Whether the borders of the next component and its siblings differ in colour.
    pub(super) is_varied: bool,
    /// Whether there is a coloured box that may be a full bar.
    pub(super) has_full_bar: bool,
    /// The accent stroke that is read as the symbol of its container.
    pub(super) edge: Option<Node<'t>>,
    /// Whether the next component is centred in its container.
    is_center: bool,
}

impl<'t, 'r> Reader<'t, 'r> {
    fn new(tree: &'t CompactTree<'t>, roles: &'r Roles) -> Self {
        let mut reader = Self {
            spans: Vec::with_capacity(tree.len() / 6 + 4),
            stack: Vec::with_capacity(16),
            roles,
            images: Images::Any,
            labels: HashMap::new(),
            fields: HashSet::new(),
            labelled: None,
            submit: None,
            heading: None,
            is_varied: false,
            has_full_bar: false,
            edge: None,
            is_center: false,
        };
        for label in tree.labels() {
            if let (Some(field), Some(text)) = (label.text(Key::FieldName), label.text(Key::Value))
            {
                reader.labels.entry(field).or_insert(text);
            }
        }
        if !reader.labels.is_empty() {
            // A checkbox with its own label shows both.
            let unlabelled = tree.fields().filter(|field| field.text(Key::Label).is_none());
            reader.fields = unlabelled.filter_map(Field::name_of).collect();
        }
        reader
    }

    fn role(&self, node: Node<'t>) -> Option<ReadAs> {
        if self.roles.is_empty() {
            return None;
        }
        self.roles.get(node.text(Key::Id)?)
    }

    /// Pushes the blocks of a component onto the stack.
    pub(super) fn read(&mut self, node: Node<'t>) {
        let is_varied = std::mem::take(&mut self.is_varied);
        // Stop reading once the budget is exceeded; the owner of the budget reports it.
        if budget::steps(1).is_err() {
            return;
        }
        match self.role(node) {
            Some(ReadAs::Hidden) => return,
            Some(ReadAs::Heading) => self.heading = self.heading.or(Some(node)),
            _ => {}
        }
        match node.kind() {
            ComponentType::Text if node.get(Key::Editable).is_some_and(Node::is_object) => {
                self.field(node);
            }
            ComponentType::Text | ComponentType::Caption | ComponentType::Title => {
                self.text(node, Key::Value, SpanKind::Text);
            }
            ComponentType::Label if self.is_read_by_field(node) => {
                let name = node.text(Key::FieldName).unwrap_or_default();
                self.labelled = Some((name, self.spans.len() as u32));
            }
            ComponentType::Label => self.text(node, Key::Value, SpanKind::Text),
            ComponentType::Badge => self.text(node, Key::Label, SpanKind::Badge),
            ComponentType::Icon => self.text(node, Key::Name, SpanKind::Icon),
            ComponentType::Markdown => {
                if let Some(text) = node.text(Key::Value) {
                    if is_paragraph(text) {
                        return self.text(node, Key::Value, SpanKind::Text);
                    }
                    self.stack.push(Block::Markdown { at: node.index(), text });
                }
            }
            ComponentType::Image => {
                let picture = Picture::of(node, self.images);
                self.stack.push(Block::Picture(Picture { is_center: self.is_center, ..picture }));
            }
            ComponentType::Button => self.button(node),
            ComponentType::Divider => self.stack.push(Block::Divider),
            ComponentType::Chart => self.stack.push(Block::Chart(Chart { node })),
            ComponentType::Table => self.table(node),
            ComponentType::Spacer | ComponentType::Other => {}
            kind if kind.component().is_some_and(|component| component.is_field()) => {
                self.field(node);
            }
            _ => self.framed(node, is_varied),
        }
    }

    /// A container, in a panel if it has a frame or a background.
    fn framed(&mut self, node: Node<'t>, is_varied: bool) {
        if self.bar(node) {
            return;
        }
        // The first of several things side by side is a stroke even where it says nothing.
        let stroke = first_stroke(node).filter(|_| is_varied || is_row(node));
        let has_look = node.get(Key::Background).or(node.get(Key::Border)).is_some();
        if !has_look && stroke.is_none() && !node.is(ComponentType::Card) {
            return self.container(node);
        }
        let background = node.color(Key::Background).filter(|color| !is_clear(color));
        let is_neutral = background.and_then(Hue::of).is_none();
        let color = border_color(node).filter(|_| is_neutral && !is_varied).or(background);
        let sign = border_color(node).filter(|_| is_varied && is_neutral);
        let is_framed = color.is_some()
            || node.is(ComponentType::Card)
            || node.get(Key::Border).is_some_and(is_drawn)
                && rules(node) == [false; 2]
                && !(sign.is_some() && is_side(node));
        let (start, spans) = (self.stack.len(), self.spans.len());
        self.edge = stroke.filter(|_| sign.is_none());
        let sign = sign.or(self.edge.and_then(|edge| edge.color(Key::Background)));
        if sign.is_some() {
            let at = self.edge.unwrap_or(node).index();
            let swatch = Span { color: sign, ..Span::plain(at, Role::Body, "") };
            let kind = if is_varied { SpanKind::Swatch } else { SpanKind::Stroke };
            self.spans.push(Span { kind, ..swatch });
        }
        self.container(node);
        if sign.is_some() {
            self.lead(start, spans as u32);
            let blocks = &self.stack[start..];
            if !is_varied && blocks.len() > 1 && blocks.iter().all(Block::is_item_like) {
                let item = Item::of(node, self.stack.drain(start..), &self.spans);
                self.stack.push(Block::Item(item));
            }
        }
        // A frame around a symbol belongs to the symbol.
        let has_text = |span: &Span<'t>| span.is_text();
        let is_sign = self.stack[start..].iter().all(|block| matches!(block, Block::Line(_)))
            && !self.spans[spans..].iter().any(has_text);
        if is_framed && !is_sign && self.stack.len() > start {
            let blocks = self.take_from(start);
            self.stack.push(Block::Panel(Panel { at: node.index(), color, blocks }));
        }
    }

    /// The blocks read so far, from `start` on. If these are all blocks, `Vec::split_off` would keep the full
    /// capacity in both halves, at each level of nesting.
    pub(super) fn take_from(&mut self, start: usize) -> Vec<Block<'t>> {
        match start {
            0 => std::mem::take(&mut self.stack),
            start => self.stack.split_off(start),
        }
    }

    /// Puts a symbol before the text that follows it, in the blocks from `start` on.
    fn lead(&mut self, start: usize, sign: u32) {
        if self.stack.len() == start {
            return;
        }
        fired("swatch");
        let line = first_line(&mut self.stack[start]);
        let Some(line) = line.filter(|line| line.from == sign + 1) else {
            return self.stack.insert(start, Block::Line(Line::new(sign, sign + 1)));
        };
        // The following parts may express the same with their own colours.
        if let [sign, next, ..] = &self.spans[sign as usize..]
            && next.kind != SpanKind::Text
            && next.hue() == sign.hue()
        {
            return;
        }
        line.from = sign;
        // It belongs to the first cell.
        if let [sign, next, ..] = &mut self.spans[sign as usize..] {
            (sign.starts_cell, sign.is_sized) = (next.starts_cell, next.is_sized);
            (next.starts_cell, next.is_sized) = (false, false);
        }
    }

    fn container(&mut self, node: Node<'t>) {
        if let Some(status) = node.get(Key::Status).filter(|status| status.is_object()) {
            self.status(status);
        }
        let outer = self.submit;
        if node.is(ComponentType::Form) {
            self.submit = node.get(Key::OnSubmitAction);
        } else if node.flag(Key::AsForm) {
            self.submit = node.get(Key::Confirm).and_then(|confirm| confirm.get(Key::Action));
        }
        let start = self.stack.len();
        let was_center = self.is_center;
        // A part in the middle of a row is not centred in a column.
        let key = if is_row(node) { Key::Justify } else { Key::Align };
        self.is_center = node.text(key) == Some("center") || is_row(node) && was_center;
        match self.role(node) {
            Some(ReadAs::Text) => node.children().for_each(|child| self.read(child)),
            Some(ReadAs::List) => self.listed(node),
            Some(ReadAs::Fact) => self.as_fact(node),
            _ if is_row(node) => self.row(node),
            _ => self.stacked(node),
        }
        self.is_center = was_center;
        if node.is(ComponentType::ListViewItem) && self.stack.len() > start {
            let press = Action::of(node, node.get(Key::OnClickAction));
            // An item without lines becomes its blocks.
            if press.is_some() || any(&self.stack[start..], &is_line) {
                let item = Item::of(node, self.stack.drain(start..), &self.spans);
                self.stack.push(Block::Item(Item { press, ..item }));
            }
        }
        self.card_actions(node, start);
        self.submit = outer;
    }

    /// The buttons of a card, and the submit button that a form cannot do without.
    fn card_actions(&mut self, node: Node<'t>, start: usize) {
        let mut actions = Vec::new();
        for key in [Key::Confirm, Key::Cancel] {
            let Some(about) = node.get(key).filter(|about| about.is_object()) else { continue };
            let Some(mut action) = Action::of(about, about.get(Key::Action)) else { continue };
            action.label = about.text(Key::Label).unwrap_or_default();
            action.is_primary = key == Key::Confirm;
            action.is_cancel = key == Key::Cancel;
            action.is_submit = action.is_primary && node.flag(Key::AsForm);
            actions.push(action);
        }
        let is_form = node.is(ComponentType::Form) && any(&self.stack[start..], &is_field);
        if is_form
            && !any(&self.stack[start..], &is_submit)
            && let Some(mut action) = Action::of(node, node.get(Key::OnSubmitAction))
        {
            (action.is_submit, action.is_primary) = (true, true);
            actions.push(action);
        }
        if !actions.is_empty() {
            self.stack.push(Block::Actions(actions));
        }
    }

    fn status(&mut self, status: Node<'t>) {
        let from = self.spans.len() as u32;
        let at = status.index();
        if let Some(icon) = status.text(Key::Icon) {
            self.spans.push(Span { kind: SpanKind::Icon, ..Span::plain(at, Role::Small, icon) });
        }
        if let Some(text) = status.text(Key::Text) {
            self.spans.push(Span::plain(at, Role::Small, text));
        }
        self.line(from);
    }

    /// Adds the spans since `from` as a line.
    pub(super) fn line(&mut self, from: u32) {
        let line = Line::new(from, self.spans.len() as u32);
        if !line.is_empty() {
            self.stack.push(Block::Line(line));
        }
    }

    fn text(&mut self, node: Node<'t>, key: Key, kind: SpanKind) {
        let Some(text) = node.text(key) else { return };
        let from = self.spans.len() as u32;
        let align = node.text(Key::TextAlign);
        self.spans.push(Span {
            kind,
            color: node.color(Key::Color),
            is_markdown: node.is(ComponentType::Markdown),
            is_struck: node.flag(Key::LineThrough),
            is_italic: node.flag(Key::Italic),
            is_end: align == Some("end"),
            is_center: align == Some("center") || align.is_none() && self.is_center,
            ..Span::plain(node.index(), role(node), text)
        });
        self.line(from);
    }

    /// Sets which of the buttons from `start` on are primary.
    pub(super) fn strong_buttons(&mut self, start: usize) {
        mark_strong(self.stack[start..].iter_mut().flat_map(|block| match block {
            Block::Actions(actions) => actions.as_mut_slice(),
            _ => &mut [],
        }));
    }

    fn field(&mut self, node: Node<'t>) {
        if let Some(mut field) = Field::of(node) {
            if let Some(label) = self.labels.get(field.name).filter(|_| field.label.is_empty()) {
                field.label = label;
            }
            field.below =
                self.labelled.take_if(|(name, _)| *name == field.name).and_then(|(_, from)| {
                    // Small lines between a label and its field are the hint of the field.
                    let lines = self.stack.iter().rev().map_while(|block| match block {
                        Block::Line(line) if line.from >= from => Some(*line),
                        _ => None,
                    });
                    let hint = Line::new(from, self.spans.len() as u32);
                    let mut begin = hint.to;
                    let is_hint = lines.fold(true, |is_hint, line| {
                        let is_next = std::mem::replace(&mut begin, line.from) == line.to;
                        is_hint
                            && is_next
                            && !line.is_split()
                            && self.top(line) == Some(Role::Small)
                    });
                    (is_hint && begin == from && !hint.is_empty()).then_some(hint)
                });
            self.stack.push(Block::Field(Box::new(field)));
        }
    }

    /// Whether the field that this label belongs to shows the label itself.
    fn is_read_by_field(&self, label: Node<'t>) -> bool {
        label.text(Key::FieldName).is_some_and(|field| {
            self.fields.contains(field) && self.labels.get(field).copied() == label.text(Key::Value)
        })
    }

    fn button(&mut self, node: Node<'t>) {
        let is_submit = node.flag(Key::Submit);
        let own = node.get(Key::OnClickAction);
        let action = own.or(if is_submit { self.submit } else { None });
        let icon = node.text(Key::IconStart).or_else(|| node.text(Key::IconEnd));
        let action =
            Action::of(node, action).unwrap_or(Action { at: node.index(), ..Action::default() });
        let label = node.text(Key::Label).unwrap_or_default();
        if label.is_empty() && icon.is_none() {
            return;
        }
        self.stack.push(Block::Actions(vec![Action {
            label,
            icon: icon.unwrap_or_default(),
            is_submit,
            is_primary: node.text(Key::Style) == Some("primary"),
            is_danger: node.text(Key::Color) == Some("danger"),
            is_disabled: node.flag(Key::Disabled),
            variant: variant(node),
            is_styled: node.get(Key::Style).is_some(),
            ..action
        }]));
    }
}

/// The first line of a block.
fn first_line<'b>(block: &'b mut Block<'_>) -> Option<&'b mut Line> {
    match block {
        Block::Line(line) => Some(line),
        Block::Item(item) => item.lines.first_mut(),
        Block::List(list) => list.items.first_mut()?.lines.first_mut(),
        Block::Facts { facts, .. } => facts.first_mut().map(|fact| &mut fact.label),
        Block::Panel(panel) => first_line(panel.blocks.first_mut()?),
        Block::Columns(columns) => first_line(columns.first_mut()?.first_mut()?),
        _ => None,
    }
}

/// Whether a block, or a block inside it, is of this kind.
fn any(blocks: &[Block<'_>], is: &dyn Fn(&Block<'_>) -> bool) -> bool {
    blocks.iter().any(|block| {
        is(block)
            || match block {
                Block::Item(item) => any(&item.blocks, is),
                Block::Heading(heading) => any(&heading.item.blocks, is),
                Block::List(list) => list.items.iter().any(|item| any(&item.blocks, is)),
                Block::Panel(panel) => any(&panel.blocks, is),
                Block::Columns(columns) => columns.iter().any(|column| any(column, is)),
                _ => false,
            }
    })
}

fn is_line(block: &Block<'_>) -> bool {
    matches!(block, Block::Line(_) | Block::Facts { .. } | Block::Item(_))
}

fn is_field(block: &Block<'_>) -> bool {
    matches!(block, Block::Field(_))
}

fn is_submit(block: &Block<'_>) -> bool {
    let has = |actions: &[Action<'_>]| actions.iter().any(|action| action.is_submit);
    match block {
        Block::Actions(actions) => has(actions),
        Block::Item(item) => has(&item.actions),
        Block::Heading(heading) => has(&heading.item.actions),
        Block::List(list) => list.items.iter().any(|item| has(&item.actions)),
        _ => false,
    }
}

/// Whether the children of a container are side by side.
pub(super) fn is_row(node: Node<'_>) -> bool {
    match node.kind() {
        ComponentType::Row | ComponentType::ListViewItem => true,
        ComponentType::Box | ComponentType::Form | ComponentType::Basic => {
            node.text(Key::Direction) == Some("row")
        }
        _ => false,
    }
}

fn role(node: Node<'_>) -> Role {
    if node.is(ComponentType::Title) {
        return Role::Title;
    }
    let size = node.text(Key::Size);
    let is_caption = node.is(ComponentType::Caption);
    let is_bold = matches!(node.text(Key::Weight), Some("semibold" | "bold"));
    if is_bold || (!is_caption && matches!(size, Some("lg" | "xl"))) {
        return Role::Strong;
    }
    let is_pale = matches!(node.text(Key::Color), Some("secondary" | "tertiary"));
    let is_small = is_caption || size == Some("xs") || is_pale;
    if is_small && !node.is(ComponentType::Badge) { Role::Small } else { Role::Body }
}

impl<'t> Picture<'t> {
    fn of(node: Node<'t>, images: Images<'_>) -> Self {
        let src = node.text(Key::Src).unwrap_or_default();
        let is_refused = !images.may_load(src);
        let length = |key| {
            let member = node.get(key)?;
            member.number().or_else(|| member.scalar().strip_suffix("px")?.trim().parse().ok())
        };
        let size = length(Key::Size);
        Self {
            at: node.index(),
            src: if is_refused { "" } else { src },
            is_refused,
            alt: node.text(Key::Alt).unwrap_or_default(),
            caption: node.text(Key::Alt).unwrap_or_default(),
            width: length(Key::Width).or(size),
            height: length(Key::Height).or(size),
            is_round: matches!(node.text(Key::Radius), Some("full" | "100%")),
            is_center: false,
            follows: false,
            is_end: false,
        }
    }
}
