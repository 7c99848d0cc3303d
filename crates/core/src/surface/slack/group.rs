//! Groups: a row, a column or a list item that is only words, icons, pictures and buttons, and so
//! fits one section with something beside it.

use serde_json::{Value, json};
use widgetcast_engine::json::number_text;

use super::{glyph, limit, mrkdwn};
use crate::surface::node::{self, SEARCHES};

#[derive(Default)]
pub(super) struct Group<'v> {
    /// Lines of mrkdwn.
    pub(super) lines: Vec<String>,
    /// Whether every line is a caption or a badge.
    pub(super) small: bool,
    pub(super) images: Vec<(&'v Value, String)>,
    pub(super) buttons: Vec<(&'v Value, String)>,
    /// Pointers of images that Slack cannot load; their alternative text is in the lines.
    pub(super) unseen: Vec<String>,
    whole: Option<&'v Value>,
    /// Images so far whose alternative text was looked for.
    searches: usize,
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
        self.whole = Some(node);
        self.lines = self.read(node, at)?;
        self.lines.retain(|line| !line.trim().is_empty());
        Some(self)
    }

    /// The lines of a component; its images and buttons are collected apart.
    fn read(&mut self, node: &'v Value, at: &str) -> Option<Vec<String>> {
        let kind = node["type"].as_str()?;
        let line = match kind {
            "Text" | "Title" | "Caption" | "Badge" => {
                if node["editable"].is_object() || node["editable"] == true {
                    return None;
                }
                self.small &= matches!(kind, "Caption" | "Badge");
                if self.bare { words(node).trim().to_owned() } else { styled(node) }
            }
            "Icon" => icon(node),
            "Spacer" => String::new(),
            "Image" if !self.bare && picture(node, None).is_some() => {
                self.images.push((node, at.to_owned()));
                String::new()
            }
            "Image" => {
                self.unseen.push(at.to_owned());
                // Often the alternative text only repeats the title beside it.
                self.searches += 1;
                let whole = self.whole.filter(|_| self.searches <= SEARCHES);
                let repeats = |alt: &String| whole.is_some_and(|whole| says(whole, alt));
                let alt = text(node, "alt").filter(|alt| !repeats(alt));
                let alt = alt.map_or(String::new(), |alt| format!("({alt})"));
                if self.bare { alt } else { mrkdwn::escape(&alt) }
            }
            "Button" => {
                self.buttons.push((node, at.to_owned()));
                String::new()
            }
            "Row" => return self.side_by_side(node, at),
            "Box" if node["direction"] == "row" => return self.side_by_side(node, at),
            "ListViewItem" => return self.side_by_side(node, at),
            "Box" | "Col" | "Transition" | "Table.Cell" => {
                let mut lines = Vec::new();
                for (child, at) in children(node, at) {
                    lines.extend(self.read(child, &at)?);
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
        let mut all: Vec<(bool, Vec<String>)> = Vec::new();
        for (child, at) in children(node, at) {
            let mut parts = self.read(child, &at)?;
            parts.retain(|part| !part.trim().is_empty());
            all.push((child["type"] == "Image", parts));
        }
        // The alternative text of an image goes below the lines that the image was beside.
        let is_tall = all.iter().any(|(_, parts)| parts.len() > 1);
        let mut late = Vec::new();
        let mut lines: Vec<String> = Vec::new();
        for (is_image, mut parts) in all {
            match (parts.len(), lines.len()) {
                (0, _) => {}
                _ if is_image && is_tall => late.append(&mut parts),
                (_, 0) => lines = parts,
                (1, _) => push_beside(&mut lines[0], &parts[0]),
                (_, 1) if is_short(&lines[0]) => {
                    push_beside(&mut lines[0], &parts[0]);
                    parts[0] = lines.swap_remove(0);
                    lines = parts;
                }
                _ => lines.append(&mut parts),
            }
        }
        lines.append(&mut late);
        Some(lines)
    }
}

fn says(node: &Value, phrase: &str) -> bool {
    words(node).contains(phrase) || children(node, "").any(|(child, _)| says(child, phrase))
}

/// Joins a line to another: an icon or sign with a space, words with a dot.
fn push_beside(line: &mut String, after: &str) {
    line.push_str(if is_short(line) { " " } else { " · " });
    line.push_str(after);
}

fn is_short(line: &str) -> bool {
    line.chars().nth(4).is_none()
}

/// A label and its value: a row of two one-line parts with a gap between them.
pub(super) fn pair(node: &Value, at: &str) -> Option<(String, String)> {
    two_sides(node, at, false)
}

/// The same without markup.
pub(super) fn bare_pair(node: &Value, at: &str) -> Option<(String, String)> {
    two_sides(node, at, true)
}

fn two_sides(node: &Value, at: &str, is_bare: bool) -> Option<(String, String)> {
    let is_row = node["type"] == "Row" || (node["type"] == "Box" && node["direction"] == "row");
    let spread = node["justify"] == "between"
        || node["children"]
            .as_array()
            .is_some_and(|list| list.iter().any(|child| child["type"] == "Spacer"));
    if !is_row || !spread {
        return None;
    }
    let mut sides: Vec<String> = Vec::new();
    let mut fresh = true;
    for (child, at) in children(node, at) {
        if child["type"] == "Spacer" {
            fresh = true;
            continue;
        }
        let group = if is_bare { bare(child, &at)? } else { group(child, &at)? };
        let aside = [group.images.len(), group.buttons.len(), group.unseen.len()];
        if aside != [0; 3] || group.lines.len() > 1 {
            return None;
        }
        let Some(line) = group.lines.into_iter().next() else { continue };
        match sides.last_mut() {
            Some(side) if !fresh && node["justify"] != "between" => {
                side.push(' ');
                side.push_str(&line);
            }
            _ => sides.push(line),
        }
        fresh = false;
    }
    match <[String; 2]>::try_from(sides) {
        Ok([label, value]) if !label.contains('\n') && limit::len(&label) <= 100 => {
            Some((label, value))
        }
        _ => None,
    }
}

/// The columns of a row of figures, each a few lines of words.
pub(super) fn columns<'v>(node: &'v Value, at: &str) -> Option<Vec<(Group<'v>, String)>> {
    let mut columns = Vec::new();
    for (child, at) in children(node, at) {
        if matches!(child["type"].as_str(), Some("Spacer" | "Divider")) {
            continue;
        }
        let group = matches!(child["type"].as_str(), Some("Col" | "Box"))
            .then(|| group(child, &at))
            .flatten()?;
        let words = group.images.is_empty() && group.buttons.is_empty();
        if !words || !(2..=4).contains(&group.lines.len()) {
            return None;
        }
        columns.push((group, at));
    }
    (columns.len() >= 2).then_some(columns)
}

/// The words of a text component as mrkdwn.
pub(super) fn styled(node: &Value) -> String {
    let text = mrkdwn::escape(words(node).trim());
    match node["type"].as_str() {
        Some("Badge") if text.contains('`') || text.is_empty() => text,
        Some("Badge") => format!("`{}`", text.replace('\n', " ")),
        Some("Title") => mrkdwn::mark(&text, '*'),
        _ if node["lineThrough"] == true => mrkdwn::mark(&text, '~'),
        _ if matches!(node["weight"].as_str(), Some("semibold" | "bold")) => {
            mrkdwn::mark(&text, '*')
        }
        _ if node["italic"] == true => mrkdwn::mark(&text, '_'),
        _ => text,
    }
}

fn icon(node: &Value) -> String {
    node["name"].as_str().and_then(glyph::find).unwrap_or_default().to_owned()
}

/// What a component says: its value or label.
pub(super) fn words(node: &Value) -> String {
    scalar(node.get("value").or_else(|| node.get("label")).unwrap_or(&Value::Null))
}

pub(super) fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number_text(number),
        Value::Bool(flag) => flag.to_string(),
        _ => String::new(),
    }
}

/// The text of a member, unless it is absent or blank.
pub(super) fn text(node: &Value, key: &str) -> Option<String> {
    let text = mrkdwn::clean(&scalar(node.get(key)?));
    (!text.is_empty()).then_some(text)
}

/// The children and their pointers.
pub(super) fn children<'v>(
    node: &'v Value,
    at: &str,
) -> impl Iterator<Item = (&'v Value, String)> + use<'v> {
    let at = format!("{at}/children");
    let is_list = node["children"].is_array();
    node::children(node).iter().enumerate().map(move |(index, child)| {
        (child, if is_list { format!("{at}/{index}") } else { at.clone() })
    })
}

/// The picture as an element, if Slack can load it.
pub(super) fn picture(node: &Value, name: Option<&str>) -> Option<Value> {
    let url = node["src"].as_str().filter(|url| limit::is_public(url))?;
    let alt = text(node, "alt").or_else(|| name.map(str::to_owned));
    let alt = alt.unwrap_or_else(|| "image".to_owned());
    let alt = limit::clamp(&alt, limit::ALT).unwrap_or(alt);
    Some(json!({"type": "image", "image_url": url, "alt_text": alt}))
}
