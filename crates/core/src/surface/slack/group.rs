//! Groups: a row, a column or a list item that is only words, icons, pictures and buttons, and so
//! fits one section with something beside it.

use serde_json::Value;

use super::component::{children, icon, picture, sign, styled, text, words};
use super::{glyph, mrkdwn};
use crate::surface::{node, weather};

#[derive(Default)]
pub(super) struct Group<'v> {
    /// Lines of mrkdwn.
    pub(super) lines: Vec<String>,
    /// Whether every line is a caption or a badge.
    pub(super) small: bool,
    pub(super) images: Vec<(&'v Value, String)>,
    pub(super) buttons: Vec<(&'v Value, String)>,
    /// Pointers of images that Slack cannot load.
    pub(super) unseen: Vec<String>,
    /// What they show: only where there are no other words.
    alt: Vec<String>,
    /// The captions and badges among the words.
    captions: Vec<String>,
    /// Whether the lines are plain text, for places without markup.
    bare: bool,
}

/// The group that a component makes, if it holds nothing else.
pub(super) fn group<'v>(node: &'v Value, at: &str) -> Option<Group<'v>> {
    Group { small: true, ..Group::default() }.of(node, at)
}

/// The same without markup.
pub(super) fn bare<'v>(node: &'v Value, at: &str) -> Option<Group<'v>> {
    Group { bare: true, ..Group::default() }.of(node, at)
}

impl<'v> Group<'v> {
    fn of(mut self, node: &'v Value, at: &str) -> Option<Self> {
        self.lines = self.read(node, at)?;
        self.lines.retain(|line| !line.trim().is_empty());
        join_signs(&mut self.lines);
        if self.bare && self.lines.is_empty() {
            self.lines.append(&mut self.alt);
        }
        Some(self)
    }

    /// The lines of a component; its images and buttons are collected apart.
    fn read(&mut self, node: &'v Value, at: &str) -> Option<Vec<String>> {
        let mut lines = self.read_plain(node, at)?;
        if is_warning(node) && !self.bare {
            warn(&mut lines);
        }
        Some(lines)
    }

    fn read_plain(&mut self, node: &'v Value, at: &str) -> Option<Vec<String>> {
        let kind = node["type"].as_str()?;
        let line = match kind {
            "Text" | "Title" | "Caption" | "Badge" => {
                if node["editable"].is_object() || node["editable"] == true {
                    return None;
                }
                let is_small = matches!(kind, "Caption" | "Badge");
                self.small &= is_small;
                let line = match self.bare {
                    // A narrow column breaks a line wherever it may.
                    true if kind == "Badge" => {
                        (sign(node) + words(node).trim()).replace(' ', "\u{a0}")
                    }
                    true => sign(node) + words(node).trim(),
                    false => styled(node),
                };
                self.captions.extend(is_small.then(|| line.clone()));
                line
            }
            "Icon" => icon(node).unwrap_or_default().to_owned(),
            "Spacer" => String::new(),
            "Box" if node::is_dot(node) => {
                glyph::circle(&node["background"]).unwrap_or_default().to_owned()
            }
            "Box" if let Some(part) = node::progress(node) => bar(part),
            "Image" if !self.bare && picture(node, None).is_some() => {
                self.images.push((node, at.to_owned()));
                String::new()
            }
            "Image" => {
                self.unseen.push(at.to_owned());
                self.alt.extend(text(node, "alt"));
                weather::emoji(node).filter(|_| !self.bare).unwrap_or_default().to_owned()
            }
            "Button" => {
                self.buttons.push((node, at.to_owned()));
                String::new()
            }
            "Row" | "ListViewItem" => return self.side_by_side(node, at),
            "Box" if node["direction"] == "row" => return self.side_by_side(node, at),
            "Box" | "Col" if let Some(date) = date(node) => match self.bare {
                true => date,
                false => format!("📅 {date}"),
            },
            "Box" | "Col" | "Transition" | "Table.Cell" => {
                let mut lines = Vec::new();
                for (child, at) in children(node, at) {
                    let is_bar = node::progress(child).is_some();
                    let more = self.read(child, &at)?;
                    if let ([bar], Some(above)) = (more.as_slice(), lines.last_mut())
                        && is_bar
                    {
                        say_once(above, bar);
                    }
                    lines.extend(more);
                }
                return Some(lines);
            }
            _ => return None,
        };
        Some(vec![line])
    }

    /// One line, if every child is one; else the tallest child keeps its lines and the short ones
    /// join its first.
    fn side_by_side(&mut self, node: &'v Value, at: &str) -> Option<Vec<String>> {
        if let Some((badges, line)) = badges(node) {
            self.captions.extend(badges);
            return Some(vec![line]);
        }
        let mut lines: Vec<String> = Vec::new();
        let item = at.rsplit('/').next().and_then(|index| index.parse::<usize>().ok());
        for (child, at) in children(node, at) {
            let mut parts = self.read(child, &at)?;
            parts.retain(|part| !part.trim().is_empty());
            match (parts.len(), lines.len()) {
                (0, _) => {}
                (1, 0) if is_place(child, item) => lines = vec![format!("{}.", parts[0])],
                (_, 0) => lines = parts,
                // What is small belongs to the small line.
                (1, 2..) if child["type"] == "Caption" => {
                    lines[1].push_str(" · ");
                    lines[1].push_str(&parts[0]);
                }
                // A flag stands behind the small words of a cell.
                (1, _) if self.bare && glyph::is_marked(&parts[0]) && self.ends_small(&lines) => {
                    lines.last_mut()?.push_str(&[" · ", &parts[0]].concat());
                }
                // A cell has room for lines.
                (1, _) if self.bare && !is_close(&lines[0], &parts[0]) => lines.append(&mut parts),
                (1, _) => push_beside(&mut lines[0], &parts[0]),
                (_, 1) if is_short(&lines[0]) => {
                    push_beside(&mut lines[0], &parts[0]);
                    parts[0] = lines.swap_remove(0);
                    lines = parts;
                }
                _ => lines.append(&mut parts),
            }
        }
        Some(lines)
    }

    /// Whether the last of the lines is a caption.
    fn ends_small(&self, lines: &[String]) -> bool {
        lines.last().is_some_and(|last| self.captions.contains(last))
    }
}

/// The labels of a row of badges, and its line. Among coloured ones a grey one has a sign too.
fn badges(row: &Value) -> Option<(Vec<String>, String)> {
    let all = node::children(row);
    let is_badge = |child: &Value| child["type"] == "Badge" && !words(child).trim().is_empty();
    if all.len() < 2 || !all.iter().all(is_badge) {
        return None;
    }
    if is_tags(row) {
        let labels: Vec<String> = all.iter().map(styled).collect();
        let line = labels.join(", ");
        return Some((vec![line.clone()], line));
    }
    let label = |badge: &Value| match styled(badge) {
        label if glyph::is_marked(&label) => label,
        label => format!("⚪ {label}"),
    };
    let labels: Vec<String> = all.iter().map(label).collect();
    let line = labels.join("  ·  ");
    Some((labels, line))
}

/// Whether a row is tags: badges in no colour of a state.
pub(super) fn is_tags(row: &Value) -> bool {
    let is_tag = |node: &Value| node["type"] == "Badge" && glyph::status(&node["color"]).is_none();
    node::children(row).len() > 1 && node::children(row).iter().all(is_tag)
}

/// The badges of a row, which say what a form is about, with a sign before them.
pub(super) fn chips(row: &Value, at: &str) -> Option<String> {
    let has_badge = |node: &Value| node["type"] == "Badge";
    let is_chips = |node: &Value| match node["type"].as_str() {
        Some("Badge" | "Icon" | "Spacer") => true,
        Some("Row" | "Box") => {
            node::children(node).iter().all(|one| has_badge(one) || one["type"] == "Icon")
        }
        _ => false,
    };
    let all = node::children(row);
    let is_any = all.iter().any(|one| has_badge(one) || node::children(one).iter().any(has_badge));
    if !is_any || !all.iter().all(is_chips) {
        return None;
    }
    let group = group(row, at).filter(|group| group.unseen.is_empty())?;
    let [line] = <[String; 1]>::try_from(group.lines).ok()?;
    let has_sign = !mrkdwn::lead(&line).0.is_empty();
    Some(if has_sign { line } else { format!("🏷️ {line}") })
}

/// Whether a small number before an item is its place in the list: it counts with the items.
fn is_place(node: &Value, item: Option<usize>) -> bool {
    let number = match node::children(node) {
        [only] => only,
        _ => node,
    };
    let place = words(number).parse::<usize>().ok();
    number["type"] == "Caption"
        && place.zip(item).is_some_and(|(place, item)| place == item || place == item + 1)
}

/// A box in the colour of a warning. One of a fixed width is a tile, whose colour is a decoration.
pub(super) fn is_warning(node: &Value) -> bool {
    matches!(node["type"].as_str(), Some("Row" | "Col" | "Box"))
        && glyph::warns(&node["background"])
        && ["size", "width", "minWidth"].iter().all(|measure| node[*measure].is_null())
}

/// Begins words with the sign of a warning, whatever their own sign is.
fn warn(lines: &mut Vec<String>) {
    lines.retain(|line| !line.trim().is_empty());
    join_signs(lines);
    if let Some(first) = lines.first_mut().filter(|line| !mrkdwn::is_sign(line)) {
        let (_, words) = mrkdwn::lead(first);
        *first = format!("⚠️ {words}");
    }
}

impl Group<'_> {
    /// Whether it is a fact: a caption, which names the line below it.
    pub(super) fn is_fact(&self) -> bool {
        let is_caption =
            |line: &str| self.captions.iter().any(|caption| caption == mrkdwn::lead(line).1);
        matches!(self.lines.as_slice(), [name, value] if is_caption(name) && !is_caption(value))
    }

    /// Takes the small lines of an item, and the badge behind its title.
    pub(super) fn take_small(&mut self) -> Vec<String> {
        let mut small = Vec::new();
        if self.small || self.lines.is_empty() {
            return small;
        }
        let is_small = |line: &str| self.captions.iter().any(|caption| caption == line);
        let rest = self.lines.split_off(1);
        let (below, words): (Vec<_>, Vec<_>) = rest.into_iter().partition(|line| is_small(line));
        if let Some((title, badge)) = self.lines[0].rsplit_once(" · ")
            && is_small(badge)
        {
            small.push(badge.to_owned());
            let end = title.len();
            self.lines[0].truncate(end);
        }
        self.lines.extend(words);
        small.extend(below);
        small
    }
}

/// A sign alone on a line goes before the next one.
fn join_signs(lines: &mut Vec<String>) {
    let is_sign = |line: &str| is_short(line) && mrkdwn::is_sign(line);
    let mut sign = String::new();
    let mut joined: Vec<String> = Vec::with_capacity(lines.len());
    for line in lines.drain(..) {
        let line = if sign.is_empty() { line } else { format!("{sign} {line}") };
        sign.clear();
        match is_sign(&line) {
            true => sign = line,
            false => joined.push(line),
        }
    }
    joined.extend((!sign.is_empty()).then_some(sign));
    *lines = joined;
}

/// A progress bar in characters, with its share.
fn bar(part: f64) -> String {
    let full = (part * 10.0).round() as usize;
    let (full, empty) = ("▰".repeat(full), "▱".repeat(10 - full));
    format!("{full}{empty} {:.0}%", part * 100.0)
}

/// Takes the share of a bar from the end of the line above it.
fn say_once(above: &mut String, bar: &str) {
    let share = bar.rsplit(' ').next().unwrap_or(bar);
    if let Some(rest) = above.strip_suffix(share) {
        let rest = rest.trim_end_matches([' ', '·']);
        if !rest.is_empty() {
            above.truncate(rest.len());
        }
    }
}

/// Joins a line to another: an icon or sign with a space, words with a dot, two degrees as a range.
fn push_beside(line: &mut String, after: &str) {
    // A dot before words that have one says it twice.
    if glyph::is_marked(line) && mrkdwn::is_sign(line) && after.starts_with(line.trim()) {
        line.clear();
        return line.push_str(after);
    }
    let last = line.rsplit(' ').next().unwrap_or_default();
    let apart = match is_close(line, after) {
        true => " ",
        false if glyph::is_marked(line) && glyph::is_marked(after) => "  ",
        false if is_degrees(last) && is_degrees(after) => "\u{a0}–\u{a0}",
        false => " · ",
    };
    line.push_str(apart);
    line.push_str(after);
}

/// Whether nothing but a space belongs between two parts: one of them is a sign, or a few letters.
fn is_close(line: &str, after: &str) -> bool {
    let last = line.rsplit(' ').next().unwrap_or_default();
    // What is struck out stands before what holds instead.
    let is_struck = last.len() > 2 && last.starts_with('~') && last.ends_with('~');
    mrkdwn::is_sign(after) || is_short(line) || mrkdwn::is_sign(last) || is_struck
}

fn is_degrees(words: &str) -> bool {
    let figure = words.trim_matches('*').strip_suffix('°').unwrap_or_default();
    let digits = figure.trim_start_matches(['-', '−']);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The date that a narrow column shows as a calendar does: a short month above a large day.
pub(super) fn date(node: &Value) -> Option<String> {
    let [month, day] = node["children"].as_array()?.as_slice() else { return None };
    let is_calendar = node["width"].is_number() && day["type"] == "Title";
    if !is_calendar || !matches!(month["type"].as_str(), Some("Caption" | "Text")) {
        return None;
    }
    let (month, day) = (words(month), words(day));
    let is_month = (3..=5).contains(&month.chars().count())
        && month.trim_end_matches('.').chars().all(char::is_alphabetic);
    let is_day = day.parse::<u8>().is_ok_and(|day| (1..=31).contains(&day));
    // A calendar writes months in capitals; a text does not.
    let mut letters = month.chars();
    let month = letters.next().into_iter().chain(letters.flat_map(char::to_lowercase));
    (is_month && is_day).then(|| format!("{day} {}", month.collect::<String>()))
}

fn is_short(line: &str) -> bool {
    let line = line.trim_matches('*');
    line.chars().nth(4).is_none() && !line.contains(' ')
}
