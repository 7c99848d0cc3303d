//! Rows: children side by side, sharing the width.
//!
//! Each child has a least and a preferred width. If all preferred widths fit, the rest goes to the
//! spacers, then to children that stretch, then where `justify` says. If only the least widths fit,
//! the rest is shared by preferred width. Otherwise the row breaks into several.

use serde_json::Value;

use super::renderer::{Renderer, gap, has_border};
use super::text::{Align, Block, Line, Span, Style, columns, widest, wrap};
use crate::surface::node::{
    SEARCHES, children, field_name, is_bar, is_mark, is_row, kind, progress, text as prop,
};

/// A child of a row, measured.
struct Item<'v> {
    node: &'v Value,
    least: usize,
    wish: usize,
    stretch: f64,
    spacers: usize, // how many spacers stand before it
}

impl Renderer<'_> {
    /// The children of a row.
    pub(super) fn row(self, node: &Value, width: usize) -> Block {
        let (items, spacers_after) = self.items_of(node);
        if items.is_empty() {
            return Block::new();
        }
        let between = between(node);
        let total = |wish: fn(&Item) -> usize, items: &[Item]| {
            items.iter().map(wish).sum::<usize>() + between * (items.len() - 1)
        };
        let fits = total(|i| i.wish, &items) <= width;
        let is_grid = node["wrap"] == "wrap" && items.iter().all(|i| i.stretch > 0.0);
        let shrinks = total(|i| i.least, &items) <= width && node["wrap"] != "wrap";
        if fits || (shrinks && !is_grid) {
            return self.side_by_side(node, &items, spacers_after, between, width);
        }
        let per_line = if is_grid {
            let widest = items.iter().map(|i| i.wish).max().unwrap_or(1).max(1);
            ((width + between) / (widest + between)).max(1)
        } else {
            items.len()
        };
        let mut out = Block::new();
        let mut rest = items.as_slice();
        while !rest.is_empty() {
            let mut take = 1;
            while take < rest.len().min(per_line) && total(|i| i.wish, &rest[..=take]) <= width {
                take += 1;
            }
            // A grid keeps its columns in the last line too.
            if is_grid {
                let column = (width - between * (per_line - 1).min(width / 2)) / per_line;
                let mut gaps = vec![between; take];
                gaps[0] = 0;
                out.extend(self.lay(node, &rest[..take], &vec![column.max(1); take], &gaps));
            } else {
                out.extend(self.side_by_side(node, &rest[..take], 0, between, width));
            }
            rest = &rest[take..];
        }
        out
    }

    fn items_of<'v>(self, node: &'v Value) -> (Vec<Item<'v>>, usize) {
        let mut spacers = 0;
        let mut items = Vec::new();
        let mut searches = SEARCHES;
        for child in children(node) {
            if kind(child) == "Spacer" {
                spacers += 1;
                continue;
            }
            if repeats_alt(child, node, &mut searches) {
                continue;
            }
            let (least, mut wish) = self.measure(child);
            if wish == 0 {
                // An empty box of a fixed width keeps the column of its neighbours above.
                wish = if kind(child) == "Box" { fixed(child) } else { 0 };
            }
            if wish == 0 {
                continue;
            }
            let wish = wish.max(fixed(child));
            // A narrow column of icons keeps its width, so that rows line up.
            let least = if fixed(child) <= 4 { least.max(fixed(child)) } else { least };
            let stretch = match &child["flex"] {
                Value::String(css) => css.split(' ').next().and_then(|f| f.parse().ok()),
                other => other.as_f64(),
            };
            let is_full = child["width"] == "100%" || child["block"] == true;
            let fills = is_full || progress(child).is_some() || kind(child) == "Divider";
            let stretch = stretch.unwrap_or(if fills { 1.0 } else { 0.0 }).clamp(0.0, 100.0);
            let spacers = std::mem::take(&mut spacers);
            items.push(Item { node: child, least, wish, stretch, spacers });
        }
        (items, spacers)
    }

    /// One line of items, each in its share of the width.
    fn side_by_side(
        self,
        node: &Value,
        items: &[Item],
        spacers_after: usize,
        between: usize,
        width: usize,
    ) -> Block {
        let room = width.saturating_sub(between * (items.len() - 1));
        let wishes: usize = items.iter().map(|item| item.wish).sum();
        let stretch: f64 = items.iter().map(|item| item.stretch).sum();
        let spacers = items.iter().map(|item| item.spacers).sum::<usize>() + spacers_after;
        let mut sizes: Vec<usize> = items.iter().map(|item| item.wish).collect();
        let mut gaps = vec![between; items.len()];
        gaps[0] = 0;
        if wishes > room {
            sizes = shares(items, room);
        } else if let Some(each) = (room - wishes).checked_div(spacers) {
            let mut left = room - wishes - each * spacers;
            for (gap, item) in gaps.iter_mut().zip(items) {
                let odd = left.min(item.spacers);
                left -= odd;
                *gap += each * item.spacers + odd;
            }
        } else if stretch > 0.0 {
            let fixed: usize = items.iter().filter(|i| i.stretch == 0.0).map(|i| i.wish).sum();
            let share = |all: usize, item: &Item| (all as f64 * item.stretch / stretch) as usize;
            let is_even =
                items.iter().all(|i| i.stretch == 0.0 || i.wish <= share(room - fixed, i));
            for (size, item) in sizes.iter_mut().zip(items).filter(|(_, i)| i.stretch > 0.0) {
                *size = if is_even {
                    share(room - fixed, item)
                } else {
                    *size + share(room - wishes, item)
                };
            }
            // What rounding leaves goes to the last one that stretches.
            let left = room - sizes.iter().sum::<usize>().min(room);
            if let Some(last) = items.iter().rposition(|item| item.stretch > 0.0) {
                sizes[last] += left;
            }
        } else {
            let spare = room - wishes;
            match node["justify"].as_str() {
                Some("end") => gaps[0] += spare,
                Some("center") => gaps[0] += spare / 2,
                Some("between" | "around" | "evenly") if items.len() > 1 => {
                    let each = spare / (items.len() - 1);
                    gaps.iter_mut().skip(1).for_each(|gap| *gap += each);
                }
                _ => {}
            }
        }
        self.lay(node, items, &sizes, &gaps)
    }

    /// Renders the items at their sizes and joins their lines.
    fn lay(self, node: &Value, items: &[Item], sizes: &[usize], gaps: &[usize]) -> Block {
        let blocks: Vec<Block> =
            items.iter().zip(sizes).map(|(item, size)| self.render(item.node, *size)).collect();
        let height = blocks.iter().map(Vec::len).max().unwrap_or_default();
        let lines = (0..height).map(|y| {
            let mut line = Line::default();
            for (index, block) in blocks.iter().enumerate() {
                let above = if node["align"] == "end" { height - block.len() } else { 0 };
                line.space(gaps[index]);
                let at = match is_bar(items[index].node) {
                    true => block.first(),
                    false => y.checked_sub(above).and_then(|y| block.get(y)),
                };
                match at {
                    Some(part) => line.append(&part.fill(sizes[index], Align::Start)),
                    None => line.space(sizes[index]),
                }
            }
            line
        });
        lines.collect()
    }

    /// The least width of a component without breaking words, and its preferred width.
    pub(super) fn measure(self, node: &Value) -> (usize, usize) {
        match kind(node) {
            "Text" if field_name(node).is_some() => self.measure_field(node),
            "Text" | "Title" | "Caption" | "Label" => {
                let value = prop(node, "value").unwrap_or_default();
                of_block(&wrap(&[Span::new(value.trim(), Style::default())], usize::MAX))
            }
            "Markdown" => {
                let (least, wish) = of_block(&self.markdown(node, 100));
                (least, wish.min(100))
            }
            "Badge" | "Button" | "Icon" | "Image" => {
                let wish = self.token(node).width();
                (wish.min(24), wish)
            }
            "Input" | "Textarea" | "DatePicker" | "Select" | "Checkbox" | "RadioGroup" => {
                self.measure_field(node)
            }
            "Divider" => (1, 1),
            "Chart" => (24, 60),
            "Table" => self.measure_table(node),
            "Box" if progress(node).is_some() => (6, 20),
            "Box" if is_mark(node) => (1, 1),
            "Spacer" => (0, 0),
            _ => {
                let key = (std::ptr::from_ref(node), self.is_inside);
                if let Some(known) = self.measured.borrow().get(&key) {
                    return *known;
                }
                let is_framed = (kind(node) == "Card" && !self.is_inside) || has_border(node);
                let frame = if is_framed { 4 } else { 0 };
                let (least, wish) = self.measure_group(node);
                let found = if wish == 0 { (0, 0) } else { (least + frame, wish + frame) };
                self.measured.borrow_mut().insert(key, found);
                found
            }
        }
    }

    fn measure_group(self, node: &Value) -> (usize, usize) {
        let mut searches = SEARCHES;
        let sizes: Vec<(usize, usize)> = children(node)
            .iter()
            .filter(|child| !(is_row(node) && repeats_alt(child, node, &mut searches)))
            .map(|child| self.measure(child))
            .filter(|(_, wish)| *wish > 0)
            .collect();
        let least = sizes.iter().map(|(least, _)| *least).max().unwrap_or_default();
        let wish = if is_row(node) {
            sizes.iter().map(|(_, wish)| *wish).sum::<usize>()
                + between(node) * sizes.len().saturating_sub(1)
        } else {
            sizes.iter().map(|(_, wish)| *wish).max().unwrap_or_default()
        };
        (least, wish)
    }
}

/// The columns of a fixed width in pixels.
fn fixed(node: &Value) -> usize {
    node["width"].as_f64().map_or(0, |px| (px / 8.0).clamp(0.0, 24.0) as usize)
}

/// Columns between two children.
fn between(node: &Value) -> usize {
    if gap(node) >= 3.0 { 2 } else { 1 }
}

/// The least and the preferred width of text: its longest word and its longest line. Running text is
/// unreadable below fourteen columns and goes below its neighbour instead.
fn of_block(block: &[Line]) -> (usize, usize) {
    let wish = widest(block);
    let words = block.iter().flat_map(Line::spans).flat_map(|span| span.words());
    let least = words.map(columns).max().unwrap_or_default();
    (least.clamp(14, 24).min(wish), wish)
}

/// The widths where not all preferred ones fit: the least, and a share of the rest by the preferred.
fn shares(items: &[Item], room: usize) -> Vec<usize> {
    let needs: usize = items.iter().map(|item| item.least).sum();
    let wishes: usize = items.iter().map(|item| item.wish - item.least).sum();
    let spare = room.saturating_sub(needs);
    let mut sizes: Vec<usize> = items
        .iter()
        .map(|item| {
            item.least + (spare * (item.wish - item.least)).checked_div(wishes).unwrap_or(0)
        })
        .collect();
    // Rounding leaves a few columns, and a row of one may need more than there is.
    let given: usize = sizes.iter().sum();
    if let Some(largest) = sizes.iter_mut().max() {
        *largest = (*largest + room).saturating_sub(given).max(1);
    }
    sizes
}

/// Whether an image only repeats, in its alternative text, a text beside it.
fn repeats_alt(node: &Value, parent: &Value, searches: &mut usize) -> bool {
    fn says(node: &Value, alt: &str) -> bool {
        let value = prop(node, "value").filter(|value| value.chars().count() > 2);
        value.is_some_and(|value| alt.contains(&value) || value.contains(alt))
            || children(node).iter().any(|child| says(child, alt))
    }
    if kind(node) != "Image" || *searches == 0 {
        return false;
    }
    *searches -= 1;
    prop(node, "alt").is_some_and(|alt| says(parent, &alt))
}
