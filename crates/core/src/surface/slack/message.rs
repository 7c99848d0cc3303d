//! What a message is about: its title and the line below it, found before any block is written.
//!
//! A widget says in its first rows what it is about: a title among an icon, captions and badges. In
//! Slack that is a header and one line of context. The other parts (facts, list, table, chart, form)
//! are written where they stand, and the buttons at the end, in one block.

use serde_json::Value;

use super::component::{self, children, scalar, styled, text, words};
use super::{fact, forecast, glyph, group, limit, mrkdwn};
use crate::surface::{node, weather};

/// The children of a root in which a title is looked for.
const FIRST: usize = 3;
/// The components of a group that can be a head; a larger group is content.
const PARTS: usize = 16;
/// The characters of a text in the line below the title; a longer one is a paragraph.
const SHORT: usize = 80;
/// The characters and the parts of a line below the title that is still read at a glance.
const GLANCE: (usize, usize) = (60, 4);
/// The most characters of what is counted.
const UNIT: usize = 24;
/// The size of a picture that fits beside a line, in pixels.
const SMALL: f64 = 96.0;

/// The head of a message.
#[derive(Default)]
pub(super) struct Head {
    pub(super) emoji: Option<&'static str>,
    pub(super) title: String,
    /// Where the title stands in the tree.
    pub(super) at: String,
    /// A small picture before the line.
    pub(super) picture: Option<Value>,
    /// The line below the title, as mrkdwn.
    pub(super) line: String,
    /// Figures beside the title with what they mean, as mrkdwn.
    pub(super) figures: Vec<String>,
    /// The sign of an icon right behind the title.
    pub(super) mark: Option<&'static str>,
    /// The unit of the figures of a forecast.
    pub(super) unit: Option<String>,
    /// Pictures that the emoji stands for.
    pub(super) unseen: Vec<String>,
    /// Check marks that decorate the title of what is not done.
    pub(super) undone: Vec<String>,
    /// What of the tree is in the head.
    taken: Vec<String>,
}

/// A component of a head, and its pointer.
type Leaf<'v> = (&'v Value, String);

/// The head of a message, and the tree without it: `null` stands where its components were.
pub(super) fn split(tree: &Value) -> Option<(Head, Value)> {
    if tree["type"] == "ListView" {
        return titled_list(tree);
    }
    let is_root = matches!(tree["type"].as_str(), Some("Card" | "Basic"));
    if !is_root || children(tree, "").any(|(child, _)| child["type"] == "Card") {
        return None;
    }
    let (leaves, title) = find(tree, "")?;
    let head = Head::new(tree, &leaves, title);
    let mut rest = tree.clone();
    for at in &head.taken {
        if let Some(node) = rest.pointer_mut(at) {
            *node = Value::Null;
        }
    }
    Some((head, rest))
}

/// A list is headed by its status.
fn titled_list(tree: &Value) -> Option<(Head, Value)> {
    let title = text(&tree["status"], "text").filter(|words| limit::is_heading(words))?;
    let emoji = tree["status"]["icon"].as_str().and_then(glyph::find);
    let head = Head { emoji, title, at: "/status".to_owned(), ..Head::default() };
    let mut rest = tree.clone();
    rest["status"] = Value::Null;
    Some((head, rest))
}

/// The components of the head and which of them is the title. What stands before a title belongs to
/// the head only if it is a few words.
fn find<'v>(parent: &'v Value, at: &str) -> Option<(Vec<Leaf<'v>>, usize)> {
    // A warning is not what the message is about.
    let speaks = |child: &Value| {
        let is_silent = matches!(child["type"].as_str(), Some("Image" | "Divider" | "Spacer"));
        !is_silent && !group::is_warning(child)
    };
    let mut before: Vec<Leaf<'v>> = Vec::new();
    let mut first = children(parent, at).filter(|(child, _)| speaks(child)).take(FIRST + 1);
    for _ in 0..FIRST {
        let (child, at) = first.next()?;
        let mut leaves = Vec::new();
        if !collect(child, &at, &mut leaves, &mut PARTS.clone()) {
            let is_stack = matches!(child["type"].as_str(), Some("Col" | "Transition" | "Form"));
            return find(child, &at).filter(|_| is_stack);
        }
        if let Some(title) = title(child, &leaves) {
            let title = before.len() + title;
            before.append(&mut leaves);
            before.extend(first.next().into_iter().flat_map(|(next, at)| display(next, &at)));
            return Some((before, title));
        }
        if leaves.is_empty() || !leaves.iter().all(|(leaf, _)| is_brief(leaf)) {
            return None;
        }
        before.append(&mut leaves);
    }
    None
}

/// The components of a row that begins with a figure of display size, as the temperature is: what the
/// message says before all else. A sign may stand before it.
fn display<'v>(row: &'v Value, at: &str) -> Vec<Leaf<'v>> {
    let mut leaves = Vec::new();
    let is_row = row["type"] == "Row" && collect(row, at, &mut leaves, &mut PARTS.clone());
    let is_head = is_row
        && leaves
            .iter()
            .find(|(leaf, _)| !matches!(leaf["type"].as_str(), Some("Icon" | "Image")))
            .is_some_and(|(figure, _)| is_display(figure))
        && leaves.iter().all(|(leaf, _)| is_brief(leaf));
    if is_head { leaves } else { Vec::new() }
}

fn is_display(node: &Value) -> bool {
    let is_large = matches!(node["size"].as_str(), Some("3xl" | "4xl" | "5xl"));
    node["type"] == "Title" && is_large && is_figure(node)
}

/// Collects words, icons and pictures in reading order; false if there are too many. Buttons and
/// fields stay where they are.
fn collect<'v>(node: &'v Value, at: &str, out: &mut Vec<Leaf<'v>>, left: &mut usize) -> bool {
    *left = left.saturating_sub(1);
    match node["type"].as_str() {
        _ if *left == 0 => return false,
        Some("Row" | "Col" | "Box" | "Transition" | "Form") => {
            return children(node, at).all(|(child, at)| collect(child, &at, out, left));
        }
        Some("Title" | "Caption" | "Badge" | "Icon" | "Image") => out.push((node, at.to_owned())),
        Some("Text") if node["editable"].is_null() => out.push((node, at.to_owned())),
        _ => {}
    }
    true
}

/// The first title, else the first strong text. The label of a figure is none.
fn title(group: &Value, leaves: &[Leaf<'_>]) -> Option<usize> {
    let is_line = |node: &Value| {
        let words = mrkdwn::clean(&words(node));
        limit::is_heading(&words) && !words.contains('\n')
    };
    let is_strong = |node: &Value| node["type"] == "Text" && node::is_bold(node);
    let is_fact = group["type"] == "Row"
        && matches!(leaves, [(name, _), (value, _)] if name["type"] != "Icon"
            && (value["type"] == "Text" || value["type"] == "Title"));
    let is_title = |leaf: &Value| leaf["type"] == "Title" && is_line(leaf);
    let titles = leaves.iter().filter(|(leaf, _)| is_title(leaf)).count();
    let find = |wanted: &dyn Fn(&Value) -> bool| leaves.iter().position(|(leaf, _)| wanted(leaf));
    let title = find(&is_title)
        .or_else(|| find(&|leaf| is_strong(leaf) && is_line(leaf)))
        .or_else(|| figure(leaves))?;
    // Figures side by side are facts: two titles, or a strong text that is one of them.
    let is_figure =
        titles > 1 || titles == 0 && words(leaves[title].0).contains(|c: char| c.is_ascii_digit());
    let is_figures = is_figure && fact::columns(group, "").is_some();
    Some(title).filter(|_| !is_fact && !is_figures)
}

/// A large figure that opens the message, such as a sum, with what it means below it.
fn figure(leaves: &[Leaf<'_>]) -> Option<usize> {
    let opens = |kind: &Value| matches!(kind.as_str(), Some("Icon" | "Image"));
    let at = leaves.iter().position(|(leaf, _)| !opens(&leaf["type"]))?;
    let is_large = leaves[at].0["type"] == "Title" && is_figure(leaves[at].0);
    (is_large && meaning(leaves, at).is_some()).then_some(at)
}

fn is_figure(node: &Value) -> bool {
    let words = words(node);
    is_brief(node) && words.contains(|c: char| c.is_ascii_digit())
}

/// What a figure means: the words right after it in the same stack.
fn meaning<'v>(leaves: &[Leaf<'v>], at: usize) -> Option<&'v Value> {
    let ((_, figure), (next, below)) = (leaves.get(at)?, leaves.get(at + 1)?);
    let stack = |at: &str| at.rsplit_once('/').map(|(stack, _)| stack.len());
    let is_near = stack(figure) == stack(below)
        && figure.as_bytes().get(..stack(figure)?) == below.as_bytes().get(..stack(below)?);
    let is_words = matches!(next["type"].as_str(), Some("Text" | "Caption"))
        && words(next).contains(char::is_alphabetic)
        && is_brief(next);
    (is_near && is_words).then_some(*next)
}

/// Whether a check mark before a title does not say that it is done: it has another colour than green.
fn is_decorative(glyph: &str, color: &Value) -> bool {
    let is_green = color.is_null() || glyph::circle(color) == Some("🟢");
    glyph == "✅" && !is_green
}

/// Whether the component behind the title is the last of its row, and so a mark of the title.
fn is_behind(leaves: &[Leaf<'_>], title: usize) -> bool {
    let row = |index: usize| leaves.get(index).and_then(|(_, at)| at.rsplit_once('/'));
    let parent = |index: usize| row(index).map(|(parent, _)| parent);
    parent(title) == parent(title + 1) && parent(title) != parent(title + 2)
}

/// Whether a field of the tree has these words as its choice.
fn is_chosen(tree: &Value, label: &str) -> bool {
    let mut open = vec![tree];
    while let Some(node) = open.pop() {
        let chosen = node["options"].as_array().into_iter().flatten();
        let mut chosen = chosen.filter(|option| {
            !node["defaultValue"].is_null() && option["value"] == node["defaultValue"]
        });
        if chosen.any(|option| scalar(&option["label"]).trim() == label) {
            return true;
        }
        open.extend(node::children(node));
    }
    false
}

/// Whether words continue those before them, and do not begin a line of their own.
fn continues(words: &str) -> bool {
    words.starts_with(char::is_lowercase)
}

/// What stands between the parts of the line below the title.
const APART: &str = "  ·  ";

/// The line below the title with more behind it, or below it if that were too much to read at a glance.
pub(super) fn join_lines(mut line: String, more: &str) -> String {
    let (most, parts) = GLANCE;
    let is_long = limit::len(&line) + limit::len(more) > most
        || format!("{line}{APART}{more}").split(" · ").count() > parts;
    if !line.is_empty() && !more.is_empty() {
        line.push_str(if is_long { "\n" } else { APART });
    }
    line + more
}

/// A figure in bold with its unit, unless it has one.
fn with_unit(figure: &str, unit: &str) -> String {
    let inner = figure.strip_prefix('*').and_then(|rest| rest.split_once('*'));
    match inner {
        Some((number, rest)) if number.ends_with(|c: char| c.is_ascii_digit()) => {
            format!("*{number} {unit}*{rest}")
        }
        _ => figure.to_owned(),
    }
}

/// Whether it can stand in the line below the title.
fn is_brief(node: &Value) -> bool {
    let words = words(node);
    limit::len(&words) <= SHORT && !words.trim().contains('\n')
}

impl Head {
    fn new(tree: &Value, leaves: &[Leaf<'_>], title: usize) -> Self {
        let (node, at) = &leaves[title];
        let mut head =
            Self { title: mrkdwn::clean(&words(node)), at: at.clone(), ..Self::default() };
        let mut first = head.status(tree);
        let mut line: Vec<String> = Vec::new();
        let mut sign: Option<&str> = None;
        let mut skip = None;
        if let Some(next) = meaning(leaves, title).filter(|_| is_figure(node)) {
            let after = mrkdwn::clean(&words(next));
            let whole = format!("{} {after}", head.title);
            if continues(&after) && limit::len(&whole) <= limit::HEADER {
                head.title = whole;
                head.taken.push(leaves[title + 1].1.clone());
                skip = Some(title + 1);
            }
        }
        for (index, (node, at)) in leaves.iter().enumerate() {
            match node["type"].as_str() {
                _ if index == title => head.taken.push(at.clone()),
                _ if skip == Some(index) => {}
                Some("Icon") => {
                    let Some(glyph) = component::icon(node) else { continue };
                    head.taken.push(at.clone());
                    if index < title && head.emoji.is_none() {
                        match is_decorative(glyph, &node["color"]) {
                            true => head.undone.push(at.clone()),
                            false => head.emoji = Some(glyph),
                        }
                    } else if index == title + 1 && is_behind(leaves, title) {
                        head.mark = Some(glyph);
                    } else {
                        sign = Some(glyph);
                    }
                }
                Some("Image") => head.take_picture(node, at),
                Some("Title") if index > title && is_display(node) => {
                    let whole = format!("{} · {}", mrkdwn::clean(&words(node)), head.title);
                    if limit::len(&whole) <= limit::HEADER {
                        head.title = whole;
                        head.taken.push(at.clone());
                    }
                }
                Some("Title") if index > title => {
                    let next = meaning(leaves, index).filter(|_| is_figure(node));
                    if let Some(next) = next {
                        let meaning = component::sign(next) + &mrkdwn::escape(words(next).trim());
                        let apart = match continues(&meaning) {
                            true => " ",
                            false if glyph::is_marked(&meaning) => "  ·  ",
                            false => "  ",
                        };
                        head.figures.push(format!("{}{apart}{meaning}", styled(node)));
                        head.taken.extend([at.clone(), leaves[index + 1].1.clone()]);
                        skip = Some(index + 1);
                    }
                }
                _ if !is_brief(node) => {}
                // The field says it, too.
                Some("Badge") if is_chosen(tree, words(node).trim()) => head.taken.push(at.clone()),
                Some("Badge") if words(node).starts_with('°') && forecast::is_in(tree) => {
                    head.unit = Some(mrkdwn::clean(&words(node)));
                    head.taken.push(at.clone());
                }
                // A badge with a colour tells the state; another is one more word.
                Some("Badge") if glyph::status(&node["color"]).is_some() => {
                    first.push(styled(node));
                    head.taken.push(at.clone());
                }
                _ => {
                    let words = match node["lineThrough"] == true {
                        true => styled(node),
                        false => mrkdwn::escape(words(node).trim()),
                    };
                    let sign = sign.take().map(|sign| format!("{sign} ")).unwrap_or_default();
                    line.push(sign + &words);
                    head.taken.push(at.clone());
                }
            }
        }
        line.extend(sign.map(str::to_owned));
        first.retain(|part| !part.is_empty());
        line.retain(|part| !part.is_empty());
        head.unit_of(&line);
        head.line = join_lines(first.join(APART), &line.join(APART));
        head
    }

    /// A line such as `Units per month, both channels` tells what the figures beside the title count.
    fn unit_of(&mut self, line: &[String]) {
        let [only] = line else { return };
        let counted = only.split(',').next().unwrap_or_default();
        let Some((unit, _)) = counted.split_once(" per ") else { return };
        let is_word = unit.chars().all(char::is_alphabetic) && !unit.is_empty();
        if !is_word || limit::len(counted) > UNIT {
            return;
        }
        for figure in &mut self.figures {
            *figure = with_unit(figure, &unit.to_lowercase());
        }
    }

    /// The status of a card begins the line.
    fn status(&mut self, tree: &Value) -> Vec<String> {
        let status = &tree["status"];
        let Some(words) = text(status, "text") else { return Vec::new() };
        self.taken.push("/status".to_owned());
        let glyph = status["icon"].as_str().and_then(glyph::find).unwrap_or_default();
        vec![format!("{glyph} {}", mrkdwn::escape(&words)).trim().to_owned()]
    }

    fn take_picture(&mut self, node: &Value, at: &str) {
        let size = node["size"].as_f64().or_else(|| node["width"].as_f64());
        if self.picture.is_none() && size.is_some_and(|size| size <= SMALL) {
            self.picture = component::picture(node, Some(&self.title));
            self.taken.extend(self.picture.is_some().then(|| at.to_owned()));
        }
        if self.picture.is_none()
            && self.emoji.is_none()
            && let Some(emoji) = weather::emoji(node)
        {
            self.emoji = Some(emoji);
            self.unseen.push(at.to_owned());
            self.taken.push(at.to_owned());
        }
    }
}
