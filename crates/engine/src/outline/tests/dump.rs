//! An outline as text, for fixtures and failing tests.

use std::fmt::{self, Write as _};

use super::super::{Action, Block, Item, Line, Outline, Picture, Role, SpanKind};

impl fmt::Debug for Outline<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        self.dump_blocks(&self.blocks, 0, &mut out);
        f.write_str(&out)
    }
}

impl Outline<'_> {
    fn dump_blocks(&self, blocks: &[Block<'_>], depth: usize, out: &mut String) {
        for block in blocks {
            self.dump(block, depth, out);
        }
    }

    fn dump(&self, block: &Block<'_>, depth: usize, out: &mut String) {
        let mut entry = |text: &str| {
            _ = writeln!(out, "{:width$}{text}", "", width = depth * 2);
        };
        match block {
            Block::Heading(heading) => {
                entry("heading");
                for (index, line) in heading.item.lines.iter().enumerate() {
                    let name = if index == heading.title { "title" } else { "line" };
                    entry(&format!("  {name} {}", self.dump_line(*line)));
                }
                self.dump_rest(&heading.item, depth + 1, out);
            }
            Block::Line(line) => entry(&format!("line {}", self.dump_line(*line))),
            Block::Markdown { text, .. } => entry(&format!("markdown {text:?}")),
            Block::Facts { facts, is_across } => {
                entry(if *is_across { "facts across" } else { "facts" });
                for fact in facts {
                    let (label, value) = (self.dump_line(fact.label), self.dump_line(fact.value));
                    entry(&format!("  {label}: {value}"));
                }
            }
            Block::List(list) => {
                entry(if list.is_across { "list across" } else { "list" });
                list.items.iter().for_each(|item| self.dump_item("item", item, depth + 1, out));
            }
            Block::Item(item) => self.dump_item("item", item, depth, out),
            Block::Table(table) => {
                entry("table");
                let rows = std::iter::once(&table.head).chain(&table.rows).enumerate();
                for (index, row) in rows.filter(|(_, row)| !row.is_empty()) {
                    out.push_str(&"  ".repeat(depth + 1));
                    out.push_str(if index == 0 { "head\n" } else { "row\n" });
                    for cell in row {
                        let name = if cell.is_end { "cell at end" } else { "cell" };
                        self.dump_item(name, &cell.item, depth + 2, out);
                    }
                }
            }
            Block::Chart(_) => entry("chart"),
            Block::Picture(picture) => entry(&dump_picture(picture)),
            Block::Field(field) => {
                let above = field.above.map(|line| self.dump_line(line)).unwrap_or_default();
                entry(&format!("field {:?} {} {:?} {above}", field.kind, field.name, field.label));
                field
                    .below
                    .iter()
                    .for_each(|line| entry(&format!("  hint {}", self.dump_line(*line))));
            }
            Block::Actions(actions) => {
                actions.iter().for_each(|action| entry(&dump_action(action)));
            }
            Block::Columns(columns) => {
                entry("columns");
                for column in columns {
                    _ = writeln!(out, "{:width$}column", "", width = depth * 2 + 2);
                    self.dump_blocks(column, depth + 2, out);
                }
            }
            Block::Panel(panel) => {
                entry(&format!("panel {}", panel.color.unwrap_or_default()));
                self.dump_blocks(&panel.blocks, depth + 1, out);
            }
            Block::Divider => entry("divider"),
        }
    }

    fn dump_item(&self, name: &str, item: &Item<'_>, depth: usize, out: &mut String) {
        let pad = "  ".repeat(depth);
        let frame = if item.is_framed { " framed" } else { "" };
        _ = writeln!(
            out,
            "{pad}{name}{frame}{}",
            item.color.map_or(String::new(), |c| format!(" {c}"))
        );
        for line in &item.lines {
            _ = writeln!(out, "{pad}  line {}", self.dump_line(*line));
        }
        self.dump_rest(item, depth + 1, out);
    }

    fn dump_rest(&self, item: &Item<'_>, depth: usize, out: &mut String) {
        let pad = "  ".repeat(depth);
        for line in &item.trail {
            _ = writeln!(out, "{pad}trail {}", self.dump_line(*line));
        }
        if let Some(picture) = &item.picture {
            _ = writeln!(out, "{pad}{}", dump_picture(picture));
        }
        self.dump_blocks(&item.blocks, depth, out);
        for action in &item.actions {
            _ = writeln!(out, "{pad}{}", dump_action(action));
        }
        if let Some(press) = &item.press {
            _ = writeln!(out, "{pad}press {}", press.name);
        }
    }

    fn dump_line(&self, line: Line) -> String {
        let mut out = String::new();
        for (index, span) in self.spans(line).iter().enumerate() {
            if index > 0 {
                let is_split = line.is_split() && line.from + index as u32 == line.split;
                out.push_str(if is_split { " <-> " } else { " " });
            }
            let mark = match span.role {
                Role::Title => "##",
                Role::Strong => "**",
                Role::Body => "",
                Role::Small => "~",
            };
            match span.kind {
                SpanKind::Text => _ = write!(out, "{mark}{:?}", span.text),
                SpanKind::Badge => _ = write!(out, "[{}]", span.text),
                SpanKind::Icon => _ = write!(out, ":{}:", span.text),
                SpanKind::Stroke => out.push('/'),
                SpanKind::Swatch => _ = write!(out, "({})", span.color.unwrap_or_default()),
                SpanKind::Meter => {
                    _ = write!(out, "|{:.2}..{:.2}|", span.range[0], span.range[1]);
                }
            }
        }
        out
    }
}

fn dump_picture(picture: &Picture<'_>) -> String {
    format!("picture {:?}{}", picture.alt, if picture.is_end { " at end" } else { "" })
}

fn dump_action(action: &Action<'_>) -> String {
    let name = if action.label.is_empty() { action.icon } else { action.label };
    let mark = if action.is_primary { " primary" } else { "" };
    format!("action {name:?} {}{mark}", action.name)
}
