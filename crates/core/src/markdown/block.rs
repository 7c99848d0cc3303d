//! Blocks of Markdown.

/// A block of Markdown, its inline marks still in it.
#[derive(Debug, PartialEq)]
pub(crate) enum Part {
    /// A heading.
    Heading(String),
    /// Running text.
    Paragraph(String),
    /// A list entry: its depth, its marker, its text.
    Item(usize, String, String),
    /// A quotation.
    Quote(String),
    /// Code, its lines as they are.
    Code(String),
    /// A table, the head first.
    Table(Vec<Vec<String>>),
    /// A rule.
    Rule,
}

/// Reads the blocks.
pub(crate) fn parts(source: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut lines = source.lines().peekable();
    let mut is_open = false; // whether a paragraph, entry or quotation goes on
    while let Some(line) = lines.next() {
        let trimmed = line.trim();
        let indent = line.len() - line.trim_start().len();
        if trimmed.is_empty() {
            is_open = false;
            continue;
        }
        if let Some(fence) = ["```", "~~~"].into_iter().find(|f| trimmed.starts_with(f)) {
            let code: Vec<&str> =
                lines.by_ref().take_while(|line| !line.trim().starts_with(fence)).collect();
            parts.push(Part::Code(code.join("\n")));
            is_open = false;
        } else if let Some(title) = heading(trimmed) {
            parts.push(Part::Heading(title.to_owned()));
            is_open = false;
        } else if is_rule(trimmed) {
            parts.push(Part::Rule);
            is_open = false;
        } else if trimmed.starts_with('|') && lines.peek().is_some_and(|next| is_table_rule(next)) {
            let mut rows = vec![cells(trimmed)];
            lines.next();
            while let Some(row) = lines.next_if(|line| line.trim().starts_with('|')) {
                rows.push(cells(row.trim()));
            }
            parts.push(Part::Table(rows));
            is_open = false;
        } else if let Some((marker, text)) = entry(trimmed) {
            parts.push(Part::Item(indent.min(12) / 2, marker, text.to_owned()));
            is_open = true;
        } else if let Some(text) = trimmed.strip_prefix('>') {
            match parts.last_mut() {
                Some(Part::Quote(quote)) if is_open => {
                    quote.push(' ');
                    quote.push_str(text.trim());
                }
                _ => parts.push(Part::Quote(text.trim().to_owned())),
            }
            is_open = true;
        } else {
            // A hard break is two spaces at the end of the line before.
            let join = |text: &mut String| {
                let broken = text.ends_with('\n');
                text.push_str(if broken { "" } else { " " });
                text.push_str(trimmed);
            };
            match parts.last_mut() {
                Some(Part::Paragraph(text) | Part::Item(_, _, text) | Part::Quote(text))
                    if is_open =>
                {
                    join(text);
                }
                _ => parts.push(Part::Paragraph(trimmed.to_owned())),
            }
            if line.ends_with("  ")
                && let Some(Part::Paragraph(text)) = parts.last_mut()
            {
                text.push('\n');
            }
            is_open = true;
        }
    }
    parts
}

fn heading(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    (1..=6).contains(&level).then(|| rest.strip_prefix(' ')).flatten().map(str::trim)
}

fn is_rule(line: &str) -> bool {
    line.len() >= 3 && ["-", "*", "_"].iter().any(|mark| line.replace(mark, "").trim().is_empty())
}

fn is_table_rule(line: &str) -> bool {
    line.contains('-') && line.trim().chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
}

fn cells(row: &str) -> Vec<String> {
    let row = row.strip_prefix('|').unwrap_or(row);
    let row = row.strip_suffix('|').unwrap_or(row).replace("\\|", "\u{0}");
    row.split('|').map(|cell| cell.trim().replace('\u{0}', "|")).collect()
}

fn entry(line: &str) -> Option<(String, &str)> {
    if let Some(text) = ["- ", "* ", "+ "].iter().find_map(|mark| line.strip_prefix(mark)) {
        let text = text.trim();
        return Some(match text.get(..4) {
            Some("[ ] ") => ("☐".to_owned(), text[4..].trim()),
            Some("[x] " | "[X] ") => ("☑".to_owned(), text[4..].trim()),
            _ => ("•".to_owned(), text),
        });
    }
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = line.get(digits..)?;
    let text = rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "))?;
    (1..=4).contains(&digits).then(|| (format!("{}.", &line[..digits]), text.trim()))
}
