//! Tables: a `table` block for the first, a `data_table` for others, because a message has one `table`,
//! and lines for what fits neither.

use widgetcast_engine::json::write_string;
use widgetcast_engine::outline::{Action, Block, Item, Line, Role, SpanKind, Table, is_mark};
use widgetcast_engine::signs::sign;
use widgetcast_engine::words::Word;

use super::line::plain_spans;
use super::mrkdwn::MARK;
use super::piece::{Element, Group, Kind, Piece, member, write_list};
use super::writer::Writer;
use super::{limit, mrkdwn};
use crate::markdown::{Inline, Mark, read_line};

/// A cell, as the rich text of a table and as mrkdwn.
#[derive(Clone, Default)]
pub(super) struct Cell {
    /// As mrkdwn, for lines.
    pub(super) text: String,
    /// The elements of its rich text.
    elements: String,
    /// As plain text.
    plain: String,
    chars: usize,
}

/// Rows and columns, ready to be written.
pub(super) struct Grid {
    pub(super) at: u32,
    pub(super) head: Vec<Cell>,
    pub(super) rows: Vec<Vec<Cell>>,
    /// By column, whether it is aligned to the end.
    pub(super) ends: Vec<bool>,
}

impl Cell {
    pub(super) fn new(text: &str) -> Self {
        let line = mrkdwn::line(text);
        let mut cell = Self { text: mrkdwn::escape(&line), ..Self::default() };
        cell.push(&line, &[], None);
        cell
    }

    /// Adds text in styles, and as a link if there is an address.
    pub(super) fn push(&mut self, text: &str, styles: &[(&str, bool)], url: Option<&str>) {
        if text.is_empty() {
            return;
        }
        self.open(if url.is_some() { "link" } else { "text" }, "text", text);
        if let Some(url) = url {
            member("url", url, &mut self.elements);
        }
        let styles = styles.iter().filter(|(_, is_set)| *is_set);
        let styles: Vec<String> = styles.map(|(name, _)| format!("\"{name}\":true")).collect();
        if !styles.is_empty() {
            self.elements.push_str(&format!(",\"style\":{{{}}}", styles.join(",")));
        }
        self.elements.push('}');
        self.plain.push_str(text);
    }

    fn emoji(&mut self, name: &str) {
        self.open("emoji", "name", name);
        self.elements.push('}');
        self.plain.push_str(&format!(":{name}:"));
    }

    fn open(&mut self, kind: &str, name: &str, text: &str) {
        self.elements.push_str(if self.elements.is_empty() { "" } else { "," });
        self.elements.push_str("{\"type\":");
        write_string(kind, &mut self.elements);
        member(name, text, &mut self.elements);
        self.chars += limit::len(text);
    }

    fn end_line(&mut self) {
        if !self.elements.is_empty() && !self.plain.ends_with('\n') {
            self.push("\n", &[], None);
        }
    }

    fn write(&self, is_head: bool, out: &mut String) {
        if is_head {
            out.push_str("{\"type\":\"raw_text\",\"text\":");
            // A blank cell in a head has to have a text.
            write_string(if self.plain.trim().is_empty() { "–" } else { &self.plain }, out);
            return out.push('}');
        }
        out.push_str(
            "{\"type\":\"rich_text\",\"elements\":[{\"type\":\"rich_text_section\",\"elements\":[",
        );
        let blank = "{\"type\":\"text\",\"text\":\" \"}";
        out.push_str(if self.elements.is_empty() { blank } else { &self.elements });
        out.push_str("]}]}");
    }
}

impl<'t> Writer<'_, 't> {
    pub(super) fn table(&mut self, table: &Table<'t>) {
        let items = table.rows.iter().flatten().map(|cell| &cell.item);
        let items: Vec<&Item<'t>> = items.filter(|item| !item.is_blank()).collect();
        // Stacks in rows and columns without a head are items side by side.
        let is_stack = |item: &&Item<'t>| item.lines.len() > 1;
        if table.head.is_empty() && !items.is_empty() && items.iter().all(is_stack) {
            if !items.iter().all(|item| self.is_plain(item)) {
                return items.into_iter().for_each(|item| self.single(item));
            }
            let fields = items.into_iter().map(|item| (false, self.item_text(item).0)).collect();
            return self.fields(fields);
        }
        let mut below: Vec<&Block<'t>> = Vec::new();
        let mut buttons: Vec<Element> = Vec::new();
        let mut dead: Vec<Action<'t>> = Vec::new();
        // The names of the columns, for buttons in rows that have no name.
        let mut names: Vec<String> = Vec::new();
        for cell in &table.head {
            let name = self.outline.name(&cell.item);
            names.extend(std::iter::repeat_n(name, cell.span).take(limit::COLUMNS));
        }
        let all = std::iter::once(&table.head).chain(&table.rows);
        let mut rows: Vec<Vec<Cell>> = Vec::new();
        for row in all {
            let name = self.outline.row_name(row);
            let busy = row.iter().filter(|cell| self.buttons(&cell.item).next().is_some()).count();
            let mut cells: Vec<Cell> = Vec::new();
            for cell in row {
                let made = self.cell(&cell.item, &mut below);
                let column = names.get(cells.len()).map_or("", String::as_str);
                let name = match (name.is_empty(), busy > 1 && !column.is_empty()) {
                    (true, _) => column.to_owned(),
                    (false, true) => format!("{name}, {column}"),
                    (false, false) => name.clone(),
                };
                for action in self.buttons(&cell.item).copied().collect::<Vec<_>>() {
                    buttons.push(self.named_button(&action, &name));
                }
                dead.extend(&cell.item.actions);
                // Next to what it sums up: cells cannot span others in Slack.
                let blanks = vec![Cell::default(); cell.span.saturating_sub(1)];
                let (before, after) =
                    if cell.is_end { (blanks, Vec::new()) } else { (Vec::new(), blanks) };
                cells.extend(before);
                cells.push(made);
                cells.extend(after);
            }
            rows.push(cells);
        }
        let head = rows.remove(0);
        self.grid(Grid { at: table.at, head, rows, ends: table.ends() });
        if !buttons.is_empty() {
            self.pieces.actions(buttons, Group::Item);
        }
        let dead = self.labels(&dead);
        self.pieces.context(&dead);
        for block in below {
            self.blocks(std::slice::from_ref(block));
        }
    }

    /// What is in a cell; blocks that are no text are below the table.
    fn cell<'b>(&mut self, item: &'b Item<'t>, below: &mut Vec<&'b Block<'t>>) -> Cell {
        let mut cell = Cell::default();
        let mut texts = Vec::new();
        let lines = item.lines.iter().chain(&item.trail);
        for line in lines {
            texts.push(self.line(*line));
            self.cell_line(*line, &mut cell);
        }
        for block in &item.blocks {
            match block {
                Block::Line(line) => self.cell_line(*line, &mut cell),
                Block::Facts { facts, .. } => {
                    let lines = facts.iter().flat_map(|fact| [fact.label, fact.value]);
                    lines.for_each(|line| self.cell_line(line, &mut cell));
                }
                block if self.is_text(std::slice::from_ref(block)) => {
                    let text = self.flow(std::slice::from_ref(block));
                    cell.end_line();
                    cell.push(&mrkdwn::bare(&text), &[], None);
                }
                block => {
                    below.push(block);
                    continue;
                }
            }
            texts.push(self.flow(std::slice::from_ref(block)));
        }
        if let Some(picture) = item.picture {
            if limit::is_public(picture.src) {
                self.lose(picture.at, "the image is not shown: cells in Slack contain only text");
            }
            if cell.elements.is_empty() {
                let alt = mrkdwn::clean(picture.alt);
                cell.push(&alt, &[], None);
                texts.push(mrkdwn::escape(&alt));
            }
        }
        texts.retain(|text| !text.is_empty());
        cell.text = texts.join(MARK);
        cell
    }

    fn cell_line(&self, line: Line, cell: &mut Cell) {
        cell.end_line();
        let mut is_first = true;
        for span in self.outline.spans(line) {
            let sign = sign(span.text).filter(|_| span.kind == SpanKind::Icon);
            let text = plain_spans(line, std::slice::from_ref(span));
            if text.is_empty() {
                continue;
            }
            if !std::mem::take(&mut is_first) {
                cell.push(" ", &[], None);
            }
            if span.is_markdown {
                push_cell(&read_line(span.text), cell);
                continue;
            }
            let styles = [
                ("bold", span.role >= Role::Strong && span.kind == SpanKind::Text),
                ("italic", span.is_italic),
                ("strike", span.is_struck),
            ];
            match sign {
                Some(sign) if sign.emoji.is_empty() => cell.push(sign.glyph, &[], None),
                Some(sign) => cell.emoji(sign.emoji),
                None => cell.push(&text, &styles, None),
            }
        }
    }

    /// Writes rows and columns; those that do not fit are counted below them.
    pub(super) fn grid(&mut self, mut grid: Grid) {
        let is_blank = |row: &Vec<Cell>| row.iter().all(|cell| cell.elements.is_empty());
        if is_blank(&grid.head) {
            grid.head.clear();
        }
        grid.rows.retain(|row| !is_blank(row));
        let width = std::iter::once(&grid.head).chain(&grid.rows).map(Vec::len).max().unwrap_or(0);
        let is_data = self.tables > 0;
        let budget = if is_data { limit::DATA_TABLE_CHARS } else { limit::TABLE_CHARS };
        let mut room = budget.min(limit::ALL_TABLE_CHARS - self.table_chars);
        // A blank cell counts as the space in it.
        let chars = |row: &[Cell]| -> usize {
            row.iter().map(|cell| cell.chars.max(1)).sum::<usize>() + width
        };
        let most = limit::ROWS - 1;
        let before = room;
        room = room.saturating_sub(chars(&grid.head));
        let fitting = grid.rows.iter().take(most).take_while(|row| {
            let left = room.checked_sub(chars(row));
            room = left.unwrap_or(room);
            left.is_some()
        });
        let count = fitting.count();
        // Slack shows the first row of a table as its head.
        let is_table = (1..=limit::COLUMNS).contains(&width)
            && room > 0
            && !grid.head.is_empty()
            && (count > 0 || grid.rows.is_empty() && !is_data)
            && (!is_data || !self.about.is_empty());
        if !is_table {
            return self.lines_of(&grid);
        }
        self.tables += 1;
        self.table_chars += before - room;
        let json = self.table_json(&grid, count, width, is_data);
        self.pieces.push(Piece::Json(json));
        if grid.rows.is_empty() {
            self.pieces.context(self.words.get(Word::Empty));
        } else if count < grid.rows.len() {
            let more = grid.rows.len() - count;
            let reason = format!(
                "{more} rows are not shown: a table in Slack has at most {} rows and {budget} characters",
                limit::ROWS
            );
            self.lose(grid.at, reason);
            self.pieces.context(&self.words.count(Word::MoreRows, more));
        }
    }

    fn table_json(&self, grid: &Grid, count: usize, width: usize, is_data: bool) -> String {
        let mut json = String::from("{\"type\":\"table\"");
        if is_data {
            json = String::from("{\"type\":\"data_table\",\"caption\":");
            let about = limit::clamp(&self.about, limit::HEADER);
            write_string(about.as_deref().unwrap_or(&self.about), &mut json);
            json.push_str(&format!(",\"page_size\":{count}"));
        } else {
            let ends: Vec<bool> =
                (0..width).map(|column| grid.ends.get(column) == Some(&true)).collect();
            json.push_str(",\"column_settings\":");
            write_list(&ends, &mut json, |is_end, out| {
                out.push_str(if *is_end {
                    "{\"align\":\"right\"}"
                } else {
                    "{\"is_wrapped\":true}"
                });
            });
        }
        json.push_str(",\"rows\":");
        let rows = grid.rows.iter().take(count).map(|row| (false, row));
        let rows: Vec<(bool, &Vec<Cell>)> =
            std::iter::once((true, &grid.head)).chain(rows).collect();
        let blank = Cell::default();
        write_list(&rows, &mut json, |(is_head, row), out| {
            let cells: Vec<&Cell> =
                (0..width).map(|column| row.get(column).unwrap_or(&blank)).collect();
            write_list(&cells, out, |cell, out| cell.write(*is_head && is_data, out));
        });
        json.push('}');
        json
    }

    /// Rows as lines.
    fn lines_of(&mut self, grid: &Grid) {
        let row = |row: &Vec<Cell>| {
            let mut line = String::new();
            let mut before = "";
            for text in row.iter().map(|cell| cell.text.as_str()).filter(|text| !text.is_empty()) {
                let is_first = line.is_empty();
                let glue = if is_mark(before) || is_mark(text) { " " } else { MARK };
                line.push_str(if is_first { "" } else { glue });
                line.push_str(text);
                before = text;
            }
            line
        };
        let head = mrkdwn::mark(&row(&grid.head), '*');
        let mut lines = head;
        for line in grid.rows.iter().map(row).filter(|line| !line.is_empty()) {
            if limit::len(&lines) + limit::len(&line) >= limit::SECTION {
                self.pieces.text(&std::mem::take(&mut lines), Kind::Chunk);
            }
            lines.push_str(if lines.is_empty() { "" } else { "\n" });
            lines.push_str(&line);
        }
        self.pieces.text(&lines, Kind::Chunk);
        if grid.rows.is_empty() {
            self.pieces.context(self.words.get(Word::Empty));
        }
    }
}

/// Adds inline content to a cell of a table.
pub(super) fn push_cell(inlines: &[Inline], cell: &mut Cell) {
    let mut open: Vec<&Mark> = Vec::new();
    for inline in inlines {
        let text = match inline {
            Inline::Open(mark) => {
                open.push(mark);
                continue;
            }
            Inline::Close => {
                open.pop();
                continue;
            }
            Inline::Text(text) | Inline::Code(text) => text.as_str(),
            Inline::SoftBreak | Inline::HardBreak => " ",
        };
        let text: String = text.chars().filter(|c| !c.is_control()).collect();
        let url = open.iter().find_map(|mark| match mark {
            Mark::Link(url) | Mark::Image(url) => Some(url.as_str()),
            _ => None,
        });
        let styles = [
            ("bold", open.contains(&&Mark::Strong)),
            ("italic", open.contains(&&Mark::Emphasis)),
            ("strike", open.contains(&&Mark::Strikethrough)),
            ("code", matches!(inline, Inline::Code(_))),
        ];
        cell.push(&text, &styles, url.filter(|url| limit::is_https(url)));
    }
}
