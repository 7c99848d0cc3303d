//! Rows and gaps: how wide columns must be so that no word breaks on a phone, how far apart elements
//! stand, and what is alike in rows below each other.

use serde_json::{Value, json};

use super::words::has_marks;
use crate::surface::node::{children, field_name, glyph, is_bold, is_row, kind, text};

/// Hosts show five actions of a set and drop the rest. Those that do not fit side by side go to the next
/// line in Teams, so a set is not divided by its width.
pub(super) const ACTIONS: usize = 5;

/// The room inside a card on the narrowest phone, in pixels: 320 without its padding.
const WIDTH: usize = 288;
/// Between columns.
pub(super) const GAP: usize = 8;
/// The width of a letter and of one that is bold, of a padding at both sides, of that of a button, and of a
/// field.
const LETTER: usize = 8;
const BOLD: usize = 10;
const PADDING: usize = 32;
const BUTTON: usize = 26;
const FIELD: usize = 130;
/// The characters of a value that stays on one line in a tile.
const VALUE: usize = 14;
/// The components of a column that are measured.
const MEASURED: usize = 48;
/// Columns that stay readable side by side.
const COLUMNS: usize = 8;

/// The spacing that a gap asks for; none where the default is right.
pub(super) fn spacing(parent: &Value) -> Option<&'static str> {
    let gap = match &parent["gap"] {
        Value::Number(units) => units.as_f64()? * 4.0,
        Value::String(css) => css.trim_end_matches("px").trim().parse().ok()?,
        _ if matches!(kind(parent), "Card" | "Basic") => return Some("Medium"),
        _ => return None,
    };
    match gap {
        gap if gap <= 1.0 => Some("None"),
        gap if gap <= 4.0 => Some("Small"),
        gap if gap <= 8.0 => None,
        gap if gap <= 14.0 => Some("Medium"),
        _ => Some("Large"),
    }
}

/// A column that is to stand in a row: its element, and the narrowest that it can be.
pub(super) struct Cell {
    pub(super) column: Value,
    pub(super) least: usize,
    pub(super) is_tile: bool,
}

/// Columns in as few rows as fit a phone. Tiles get rows of equal length.
pub(super) fn rows(mut cells: Vec<Cell>) -> Vec<Vec<Value>> {
    let gap = |cell: &Cell| if cell.column["spacing"] == "Large" { 2 * GAP } else { GAP };
    let fits = |some: &[Cell]| {
        let gaps: usize = some.iter().skip(1).map(gap).sum();
        let least = some.iter().map(|cell| cell.least);
        // Tiles are equally wide.
        let width = match some.iter().all(|cell| cell.is_tile && cell.column["width"] == "stretch")
        {
            true => least.max().unwrap_or(0) * some.len(),
            false => least.sum(),
        };
        some.len() <= COLUMNS && width + gaps <= WIDTH
    };
    let columns = |some: Vec<Cell>| some.into_iter().map(|cell| cell.column).collect::<Vec<_>>();
    if fits(&cells) {
        return vec![columns(cells)];
    }
    let mut out = Vec::new();
    if cells.len() > 2 && cells.iter().all(|cell| cell.is_tile) {
        let widest = cells.iter().map(|cell| cell.least).max().unwrap_or(WIDTH);
        let most = ((WIDTH + GAP) / (widest + GAP)).clamp(1, COLUMNS);
        let each = cells.len().div_ceil(cells.len().div_ceil(most));
        while !cells.is_empty() {
            let rest = cells.split_off(each.min(cells.len()));
            let mut row = columns(std::mem::replace(&mut cells, rest));
            // Tiles of the last row are as wide as those above.
            row.resize_with(each, || json!({"type": "Column", "width": "stretch", "items": []}));
            out.push(row);
        }
        return out;
    }
    while !cells.is_empty() {
        let mut end = 1;
        while end < cells.len() && fits(&cells[..=end]) {
            end += 1;
        }
        let rest = cells.split_off(end);
        out.push(columns(std::mem::replace(&mut cells, rest)));
    }
    out
}

/// The narrowest that a component can be without a word that breaks.
pub(super) fn least(node: &Value) -> usize {
    measured(node, false)
}

/// The width of a component in a row that wraps: there a line of words goes to the next line as a whole,
/// and so does a tile whose value has no room.
pub(super) fn least_of_line(node: &Value) -> usize {
    let is_whole = is_row(node) || is_words(node);
    let value = children(node).iter().filter(|child| !is_row(node) && is_value(child));
    let padding = if has_ground(node) { PADDING } else { 0 };
    let value = value.map(|child| {
        text(child, "value").map_or(0, |value| value.chars().count() * BOLD) + padding
    });
    measured(node, is_whole).max(value.max().unwrap_or(0)).min(WIDTH)
}

/// The width of the buttons of a set that stand side by side.
pub(super) fn least_of_buttons(items: &[Value]) -> usize {
    let sets = items.iter().filter_map(|item| item["actions"].as_array());
    let sets = sets.filter(|set| set.len() > 1);
    sets.map(|set| width_of_buttons(set)).max().unwrap_or(0).min(WIDTH)
}

fn width_of_buttons(actions: &[Value]) -> usize {
    let title = |action: &Value| action["title"].as_str().map_or(0, |title| title.chars().count());
    let widths = actions.iter().map(|action| title(action) * LETTER + BUTTON + GAP);
    widths.sum::<usize>().saturating_sub(GAP)
}

/// The width of a set of buttons; none of anything else.
pub(super) fn width_of_set(item: &Value) -> usize {
    item["actions"].as_array().map_or(0, |actions| width_of_buttons(actions))
}

/// Whether buttons stand on one line on a phone.
pub(super) fn is_one_line(actions: &[Value]) -> bool {
    width_of_buttons(actions) <= WIDTH
}

/// Whether it is a short text that stands out, as a value below its name does.
fn is_value(node: &Value) -> bool {
    let is_short = text(node, "value").is_some_and(|value| value.chars().count() <= VALUE);
    is_words(node) && is_short && (is_bold(node) || kind(node) == "Title")
}

/// The narrowest that a field can be: its longest option can be read.
fn least_of_field(node: &Value) -> usize {
    let options = node["options"].as_array().into_iter().flatten();
    let letters = options.map(|option| {
        let words = |prop: &str| text(option, prop).map(|words| words.chars().count());
        // In brackets, after a space.
        words("label").unwrap_or(0) + words("description").map_or(0, |letters| letters + 3)
    });
    (letters.max().unwrap_or(0) * LETTER + PADDING).clamp(FIELD, WIDTH)
}

fn measured(node: &Value, is_whole: bool) -> usize {
    fn measure(node: &Value, is_whole: bool, left: &mut usize) -> usize {
        *left = left.saturating_sub(1);
        if *left == 0 {
            return 0;
        }
        let number = |prop: &str| node[prop].as_f64().filter(|px| *px > 0.0).map(|px| px as usize);
        let word = |words: String, letter: usize| match is_whole {
            true => words.chars().count() * letter,
            false => {
                let words = words.split_whitespace().map(|word| word.chars().count());
                words.max().unwrap_or(0) * letter
            }
        };
        let own = match kind(node) {
            _ if field_name(node).is_some() => least_of_field(node),
            "Title" => word(text(node, "value").unwrap_or_default(), BOLD),
            "Text" | "Caption" | "Label" | "Markdown" => {
                word(text(node, "value").unwrap_or_default(), LETTER)
            }
            // A badge and a button keep their label on one line.
            "Badge" => {
                text(node, "label").map_or(0, |label| label.chars().count() * (LETTER - 1) + GAP)
            }
            "Button" => {
                text(node, "label").map_or(0, |label| label.chars().count() * LETTER) + PADDING
            }
            "Image" => number("size").or_else(|| number("width")).unwrap_or(64).min(WIDTH),
            "Icon" => 20,
            _ => {
                let inner = children(node).iter().map(|child| measure(child, is_whole, left));
                match is_row(node) && node["wrap"].is_null() {
                    true => inner.map(|width| width + GAP).sum::<usize>().saturating_sub(GAP),
                    false => inner.max().unwrap_or(0),
                }
            }
        };
        let padding = if has_ground(node) { PADDING } else { 0 };
        (own + padding).max(number("minWidth").unwrap_or(0)).min(WIDTH)
    }
    measure(node, is_whole, &mut MEASURED.clone())
}

/// Whether the mark of a row stands above an upright line that joins it with the next.
pub(super) fn has_joint(row: &Value) -> bool {
    let number = |node: &Value, prop: &str| node[prop].as_f64().unwrap_or_default();
    let is_joint = |node: &Value| {
        kind(node) == "Box"
            && children(node).is_empty()
            && (1.0..=4.0).contains(&number(node, "width"))
            && number(node, "height") > 8.0
    };
    let mark = children(row).first().filter(|_| is_row(row));
    mark.is_some_and(|mark| !is_row(mark) && children(mark).iter().any(is_joint))
}

/// Whether it is a group on a ground of its own.
pub(super) fn has_ground(node: &Value) -> bool {
    let ground = node.get("background").is_some_and(|ground| ground != "none");
    ground && kind(node) != "Card" && node.get("padding").is_some()
}

/// The two sides of a row of a label, a gap and a value.
pub(super) fn pair(node: &Value) -> Option<(&Value, &Value)> {
    if kind(node) != "Row" || has_ground(node) || node.get("onClickAction").is_some() {
        return None;
    }
    let (label, value) = match children(node) {
        [label, spacer, value] if kind(spacer) == "Spacer" => (label, value),
        [label, value] if node["justify"] == "between" => (label, value),
        _ => return None,
    };
    (is_words(label) && is_words(value)).then_some((label, value))
}

/// Whether the rows of a label and a value among siblings are facts. Rows beside each other are drawn
/// alike, and so are figures and their total below a line: all of them are facts, or none is.
pub(super) fn are_facts(nodes: &[Value]) -> bool {
    // A title and what stands beside it are no label and value.
    let is_pair = |node: &Value| {
        pair(node).is_some_and(|(label, value)| kind(label) != "Title" && kind(value) != "Title")
    };
    let is_other_row = |node: Option<&Value>| {
        node.is_some_and(|node| kind(node) == "Row" && pair(node).is_none() && is_spread(node))
    };
    let runs: Vec<&[Value]> = nodes.chunk_by(|a, b| is_pair(a) == is_pair(b)).collect();
    let is_set = |(index, run): (usize, &&[Value])| {
        let above = index.checked_sub(1).and_then(|above| runs[above].last());
        let below = runs.get(index + 1).and_then(|below| below.first());
        let is_alone = run.len() < 2 || is_other_row(above) || is_other_row(below);
        !is_alone && run.iter().all(|node| fact(node).is_some())
    };
    let mut pairs = runs.iter().enumerate().filter(|(_, run)| is_pair(&run[0])).peekable();
    pairs.peek().is_some() && pairs.all(is_set)
}

/// Whether what is last in a row stands at its end.
fn is_spread(node: &Value) -> bool {
    node["justify"] == "between" || children(node).iter().any(|child| kind(child) == "Spacer")
}

/// Whether it is a text that is only read.
pub(super) fn is_words(node: &Value) -> bool {
    matches!(kind(node), "Text" | "Caption" | "Title") && field_name(node).is_none()
}

/// Where the parts of a component stand that are below each other; none at the start.
pub(super) fn side(node: &Value) -> Option<&'static str> {
    // Of a row it says where its parts stand from top to bottom.
    if is_row(node) { None } else { side_of(&node["align"]) }
}

/// A place as cards name it; none at the start.
pub(super) fn side_of(place: &Value) -> Option<&'static str> {
    match place.as_str() {
        Some("center") => Some("Center"),
        Some("end") => Some("Right"),
        _ => None,
    }
}

/// Whether a row is so tall that what is beside its texts stands at the top.
pub(super) fn is_tall(row: &Value) -> bool {
    let parts = children(row);
    let is_column = |node: &Value| kind(node) == "Col" && children(node).len() > 2;
    parts.iter().any(is_column) && !parts.iter().any(|node| kind(node) == "Image")
}

/// A pair as a fact. Facts are read as Markdown, so a text with marks in it stays a row, and so does a
/// value that is to stand at the right.
pub(super) fn fact(node: &Value) -> Option<Value> {
    let (label, value) = pair(node)?;
    let words = |node: &Value| {
        let is_plain = kind(node) != "Title" && node["lineThrough"] != true;
        let said = text(node, "value").filter(|_| is_plain && node["textAlign"] != "end")?;
        (!has_marks(&said) && !said.contains('\n')).then_some(said)
    };
    Some(json!({"title": words(label)?, "value": words(value)?}))
}

/// Whether the words are in the texts of a component, of which only the start is read.
pub(super) fn says(node: &Value, words: &str) -> bool {
    fn search(node: &Value, words: &str, left: &mut usize) -> bool {
        *left = left.saturating_sub(1);
        *left > 0
            && (text(node, "value").is_some_and(|value| value.trim() == words)
                || children(node).iter().any(|child| search(child, words, left)))
    }
    search(node, words, &mut MEASURED.clone())
}

/// Aligns an element and the one in its place; false if that kind can not be aligned.
pub(super) fn align_item(item: &mut Value, side: &str) -> bool {
    let takes = ["TextBlock", "RichTextBlock", "Image", "ColumnSet", "Icon", "Badge", "ActionSet"];
    if !takes.iter().any(|kind| item["type"] == *kind) {
        return false;
    }
    if item["horizontalAlignment"].is_null() {
        item["horizontalAlignment"] = side.into();
    }
    if item["fallback"].is_object() {
        align_item(&mut item["fallback"], side);
    }
    true
}

/// A share as people write it.
pub(super) fn share(part: f64) -> String {
    format!("{:.0}%", part * 100.0)
}

/// Icons that are signs in a text of their own colour; the others are emoji where icons are unknown.
const SIGNS: &[&str] = &["✓", "✗", "★", "☆", "●", "○", "›", "‹", "↗", "+", "-", "…"];

/// The sign of an icon.
pub(super) fn sign(name: &str) -> Option<&'static str> {
    glyph(name).filter(|sign| SIGNS.contains(sign))
}

/// Whether the icons at the start of rows below each other are all signs; none if fewer than two rows
/// have one. Signs and emoji are not mixed in a list.
pub(super) fn are_signs(rows: &[Value]) -> Option<bool> {
    let lead = |row: &Value| {
        let mut node = children(row).first().filter(|_| is_row(row))?;
        if kind(node) == "Box" {
            node = children(node).first()?;
        }
        text(node, "name").filter(|_| kind(node) == "Icon")
    };
    let (mut count, mut are) = (0, true);
    for name in rows.iter().filter_map(lead) {
        count += 1;
        are &= sign(&name).is_some();
    }
    (count > 1).then_some(are)
}
