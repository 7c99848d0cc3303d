//! `widgetcast list`: the tools of a directory or the gallery, as a table or JSON.

use std::borrow::Cow;
use std::io::Write as _;
use std::path::Path;

use serde_json::{Value, json};
use widgetcast_core::{Catalog, Severity, Widget, printable, write_input_schema};

use crate::json_text::json_text;
use crate::outcome::{Failure, Outcome};
use crate::print;
use crate::{gallery, report};

/// Maximum width of the name column; a longer name shifts its line.
const MAX_WIDTH: usize = 40;

pub(crate) fn run(dir: Option<&Path>, as_json: bool) -> Result<Outcome, Failure> {
    let catalog = gallery::catalog(dir)?;
    if as_json {
        print_json(&catalog)?;
    } else {
        print_table(&catalog)?;
    }
    let broken: Vec<_> =
        catalog.findings().filter(|finding| finding.severity == Severity::Error).collect();
    for finding in &broken {
        report::print_short(finding);
    }
    Ok(if broken.is_empty() { Outcome::Clean } else { Outcome::Findings })
}

fn print_table(catalog: &Catalog) -> Result<(), Failure> {
    let mut out = print::stdout();
    let (bold, dim) = (anstyle::Style::new().bold(), anstyle::Style::new().dimmed());
    // `widgets()` compiles all of them, after which `list()` leaves the broken ones out.
    let longest = catalog.widgets().map(|widget| widget.tool_name().len()).max().unwrap_or(0);
    let width = longest.min(MAX_WIDTH);
    let indent = " ".repeat(width + 2);
    // In a pipe, one line per widget.
    let columns =
        terminal_size::terminal_size().map_or(usize::MAX, |(columns, _)| columns.0.into());
    for listing in catalog.list() {
        let about = printable(listing.description.unwrap_or(listing.name));
        let about = wrap(&first_sentence(&about), columns.saturating_sub(width + 2))
            .join(&format!("\n{indent}"));
        writeln!(out, "{bold}{:width$}{bold:#}  {dim}{about}{dim:#}", listing.tool_name)?;
    }
    if catalog.is_empty() {
        writeln!(out, "No widgets found. Create one with `widgetcast new \"My Widget\"`.")?;
    }
    Ok(())
}

/// The first sentence, with an ellipsis if there is more. A dot ends a sentence if a capital letter follows,
/// and the word before it is not an abbreviation such as `e.g.` or `St.`.
fn first_sentence(text: &str) -> Cow<'_, str> {
    let ends = |at: &usize| {
        let word = text[..*at].rsplit(char::is_whitespace).next().unwrap_or_default();
        let is_word = word.chars().count() > 2 && !word.contains('.');
        is_word && text[at + 1..].trim_start().starts_with(char::is_uppercase)
    };
    let dots = text.match_indices(". ").map(|(at, _)| at);
    match dots.into_iter().find(ends) {
        Some(at) => format!("{} …", &text[..=at]).into(),
        None => text.trim_end_matches('.').into(),
    }
}

/// The text in lines of at most this many characters, cut between words.
fn wrap(text: &str, width: usize) -> Vec<String> {
    const MIN_WIDTH: usize = 20;
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let fits = |line: &&mut String| {
            line.chars().count() + 1 + word.chars().count() <= width.max(MIN_WIDTH)
        };
        match lines.last_mut().filter(fits) {
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

fn print_json(catalog: &Catalog) -> Result<(), Failure> {
    let schema = |widget: &Widget| {
        let mut text = String::new();
        write_input_schema(widget.schema_json(), widget.tool_name(), &mut text);
        serde_json::from_str::<Value>(&text).unwrap_or_default()
    };
    let mut widgets: Vec<_> = catalog.widgets().collect();
    widgets.sort_by_key(|widget| widget.tool_name());
    let list: Vec<Value> = widgets
        .into_iter()
        .map(|widget| {
            json!({
                "tool": widget.tool_name(),
                "name": widget.name(),
                "description": widget.description(),
                "file": widget.path(),
                "inputSchema": schema(widget),
            })
        })
        .collect();
    writeln!(print::stdout(), "{}", json_text(&list)?)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{first_sentence, wrap};

    #[test]
    fn a_description_is_cut_after_its_first_sentence() {
        for (text, shown) in [
            ("Shows tasks. Call it after each change.", "Shows tasks. …"),
            ("Tasks, e.g. those of a day. Not more.", "Tasks, e.g. those of a day. …"),
            ("The weather of St. Gallen.", "The weather of St. Gallen"),
            ("One line", "One line"),
        ] {
            assert_eq!(first_sentence(text), shown);
        }
    }

    #[test]
    fn lines_end_between_words() {
        let text = "Ask a group to vote on a question, or show the votes";
        assert_eq!(wrap(text, 24), ["Ask a group to vote on a", "question, or show the", "votes"]);
        assert_eq!(wrap(text, usize::MAX), [text]);
        assert_eq!(wrap("", 24), Vec::<String>::new());
    }
}
