//! Prints findings: for users, as JSON, as SARIF for code hosts, and as JUnit for build servers.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};
use serde_json::{Value, json};
use widgetcast_core::{Finding, Fix, Kind, Severity};

use crate::json_text::json_text;
use crate::junit;
use crate::outcome::Failure;
use crate::print;

/// The output format of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// Human-readable, with source excerpts
    Human,
    /// JSON array
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// JUnit XML for CI: one test case per file
    Junit,
}

/// Findings of one kind in one file that are printed in full; the rest are counted.
const REPEATS: usize = 3;
/// From this many findings on, those other than errors are printed on one line each.
const MANY: usize = 20;
/// Maximum further places of a finding that are listed.
const PLACES: usize = 5;

/// The findings to print, and the options.
#[derive(Clone, Copy)]
pub(crate) struct Options {
    pub format: Format,
    /// Whether notes are printed, not only their number.
    pub notes: bool,
}

/// Prints findings, most severe first, with paths relative to the current directory.
pub(crate) fn print(
    mut findings: Vec<Finding>,
    widgets: usize,
    options: Options,
) -> Result<(), Failure> {
    let here = std::env::current_dir().unwrap_or_default();
    findings = findings.into_iter().map(|finding| relative(finding, &here)).collect();
    findings.sort_by_cached_key(|finding| {
        let place = finding.error.place();
        (Reverse(finding.severity), place.file.clone(), place.position)
    });
    let mut out = print::stdout();
    match options.format {
        Format::Human => return print_human(&findings, widgets, options.notes),
        Format::Json => {
            let list: Vec<Value> = findings.iter().map(as_json).collect();
            writeln!(out, "{}", json_text(&list)?)?;
        }
        Format::Sarif => writeln!(out, "{}", json_text(&sarif(&findings))?)?,
        Format::Junit => writeln!(out, "{}", junit::text(&findings, widgets)?)?,
    }
    Ok(())
}

/// The finding with its path from the current directory, if it is below that.
fn relative(mut finding: Finding, here: &Path) -> Finding {
    let mut place = finding.error.place().clone();
    if let Some(file) = &place.file {
        let inside = file.strip_prefix(here).or_else(|_| file.strip_prefix("."));
        if let Ok(inside) = inside.map(Path::to_owned) {
            place.file = Some(inside);
            finding.error = finding.error.with_place(place);
        }
    }
    finding
}

fn print_human(findings: &[Finding], widgets: usize, notes: bool) -> Result<(), Failure> {
    let shown: Vec<&Finding> =
        findings.iter().filter(|f| notes || f.severity > Severity::Note).collect();
    let mut printed: BTreeMap<(Option<PathBuf>, Kind), usize> = BTreeMap::new();
    let mut counted: BTreeMap<(Option<PathBuf>, Kind), usize> = BTreeMap::new();
    let groups = groups(&shown);
    let is_long = groups.len() > MANY;
    for group in &groups {
        let [first, again @ ..] = group.as_slice() else { continue };
        let key = (first.error.place().file.clone(), first.error.kind());
        let count = printed.entry(key.clone()).or_default();
        *count += 1;
        // In a short list, another one may be unrelated.
        if *count <= REPEATS || !is_long {
            let mut out = print::stdout();
            if is_long && first.severity < Severity::Error {
                write_line(first, again.len(), &mut out)?;
            } else {
                write_finding(first, again, &mut out);
            }
        } else {
            *counted.entry(key).or_default() += group.len();
        }
    }
    let mut out = print::stdout();
    for ((file, kind), count) in &counted {
        let file = file.as_ref().map(|file| file.display().to_string()).unwrap_or_default();
        writeln!(out, "{file}: {count} more {}", kind.code())?;
    }
    if is_long {
        writeln!(
            out,
            "\nRun `widgetcast check FILE` to see each finding with its line and how to fix it."
        )?;
    } else if !counted.is_empty() {
        writeln!(out)?;
    }
    writeln!(out, "{}", summary(findings, widgets, notes))?;
    Ok(())
}

/// Identical findings of one file, grouped in the order of their first occurrence.
fn groups<'f>(findings: &[&'f Finding]) -> Vec<Vec<&'f Finding>> {
    let mut groups: Vec<Vec<&Finding>> = Vec::new();
    let mut known: HashMap<(Option<&Path>, Kind, &str), usize> = HashMap::new();
    for finding in findings {
        let error = &finding.error;
        let id = (error.place().file.as_deref(), error.kind(), error.message());
        let index = *known.entry(id).or_insert(groups.len());
        match groups.get_mut(index) {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    groups
}

/// The number of checked widgets, and of findings.
fn summary(findings: &[Finding], widgets: usize, notes: bool) -> String {
    let count = |severity| findings.iter().filter(|f| f.severity == severity).count();
    let plural = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    let start = format!("{} checked", plural(widgets, "widget"));
    let broken: BTreeSet<_> =
        findings.iter().filter(|f| f.breaks_file()).map(|f| &f.error.place().file).collect();
    let mut parts: Vec<String> = Vec::new();
    // Notes require no action.
    if count(Severity::Error) + count(Severity::Warning) == 0 {
        let green = AnsiColor::Green.on_default().bold();
        parts.push(format!("{green}all good{green:#}"));
    }
    if !broken.is_empty() {
        parts.push(format!("{} broken", broken.len()));
    }
    for (severity, word) in [(Severity::Error, "error"), (Severity::Warning, "warning")] {
        if count(severity) > 0 {
            parts.push(plural(count(severity), word));
        }
    }
    match (count(Severity::Note), notes) {
        (0, _) => {}
        (count, true) => parts.push(plural(count, "note")),
        (count, false) => parts.push(format!("{} (see --notes)", plural(count, "note"))),
    }
    let fixable = findings.iter().filter(|finding| finding.fix != Fix::None).count();
    let fix =
        if fixable > 0 { format!("; `check --fix` can fix {fixable}") } else { String::new() };
    format!("{start}: {}{fix}", parts.join(", "))
}

/// Prints a finding with its excerpt to stderr.
pub(crate) fn eprint_finding(finding: &Finding) {
    write_finding(finding, &[], &mut print::stderr());
}

/// A finding with its excerpt, and the other places where it occurs. Errors are ignored, because the terminal
/// may be closed.
fn write_finding(finding: &Finding, again: &[&Finding], out: &mut impl std::io::Write) {
    let bold = Style::new().bold();
    let style = colour(finding.severity);
    let text = format!("{finding:#}");
    let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let (label, words) = first.split_once(": ").unwrap_or(("", first));
    let _ = writeln!(out, "{style}{label}{style:#}{bold}: {words}{bold:#}");
    let dim = Style::new().dimmed();
    for line in rest.lines() {
        // Colours the carets, and dims the margin of the excerpt.
        let _ = match line
            .split_once(" | ")
            .filter(|(margin, _)| margin.chars().all(|c| c.is_ascii_digit() || c == ' '))
        {
            Some((margin, code)) if code.trim_start().starts_with('^') => {
                writeln!(out, "{dim}{margin} |{dim:#} {style}{code}{style:#}")
            }
            Some((margin, code)) => writeln!(out, "{dim}{margin} |{dim:#} {code}"),
            None => writeln!(out, "{line}"),
        };
    }
    let first = finding.error.place().position;
    let others: Vec<&Finding> =
        again.iter().filter(|other| other.error.place().position != first).copied().collect();
    let _ = match (others.as_slice(), again.len()) {
        ([], 0) => Ok(()),
        ([], count) => writeln!(out, "  = also: {count} more at the same place"),
        (others, _) => writeln!(out, "  = also: {}", places(others)),
    };
    let _ = writeln!(out);
}

/// A finding on one line, with the number of its occurrences.
fn write_line(
    finding: &Finding,
    again: usize,
    out: &mut impl std::io::Write,
) -> std::io::Result<()> {
    let style = colour(finding.severity);
    let code = finding.error.kind().code();
    let times = if again > 0 { format!(" ({} times)", again + 1) } else { String::new() };
    let name = finding.severity.name();
    writeln!(out, "{style}{name}[{code}]{style:#}: {}{times}", finding.error)
}

/// The known lines and columns of findings.
fn places(findings: &[&Finding]) -> String {
    let known = findings.iter().filter_map(|finding| finding.error.place().position);
    let mut list: Vec<String> =
        known.take(PLACES).map(|(line, column)| format!("{line}:{column}")).collect();
    match findings.len() - list.len() {
        0 => {}
        more if list.is_empty() => list.push(format!("{more} times")),
        more => list.push(format!("{more} more")),
    }
    list.join(", ")
}

/// One finding on one line, for stderr.
pub(crate) fn print_short(finding: &Finding) {
    let style = colour(finding.severity);
    tell!("{style}{}{style:#}: {}", finding.severity.name(), finding.error);
}

fn colour(severity: Severity) -> Style {
    let colour = match severity {
        Severity::Error => AnsiColor::Red,
        Severity::Warning => AnsiColor::Yellow,
        Severity::Note => AnsiColor::Cyan,
    };
    colour.on_default().bold()
}

fn as_json(finding: &Finding) -> Value {
    let place = finding.error.place();
    json!({
        "severity": finding.severity.name(),
        "code": finding.error.kind().code(),
        "message": finding.error.message(),
        "help": finding.error.help(),
        "file": place.file,
        "line": place.position.map(|(line, _)| line),
        "column": place.position.map(|(_, column)| column),
        "pointer": place.pointer,
        "fix": match finding.fix {
            Fix::None => "none",
            Fix::Offered => "offered",
            Fix::Applied => "applied",
        },
    })
}

fn sarif(findings: &[Finding]) -> Value {
    let mut kinds: Vec<Kind> = findings.iter().map(|finding| finding.error.kind()).collect();
    kinds.sort();
    kinds.dedup();
    let rules: Vec<Value> = kinds
        .iter()
        .map(|kind| json!({ "id": kind.code(), "shortDescription": { "text": kind.summary() } }))
        .collect();
    let results: Vec<Value> = findings
        .iter()
        .map(|finding| {
            let place = finding.error.place();
            let mut location = json!({
                "artifactLocation": { "uri": place.file.as_ref().map(|file| file.display().to_string()).unwrap_or_default() },
            });
            if let Some((line, column)) = place.position {
                location["region"] = json!({ "startLine": line, "startColumn": column });
            }
            let help = finding.error.help();
            let text = match help {
                "" => finding.error.message().to_owned(),
                help => format!("{}\n{help}", finding.error.message()),
            };
            json!({
                "ruleId": finding.error.kind().code(),
                "level": finding.severity.name(),
                "message": { "text": text },
                "locations": [{ "physicalLocation": location }],
            })
        })
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "widgetcast",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "results": results,
        }],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use widgetcast_core::{Error, Place};

    fn finding(severity: Severity, kind: Kind, file: &str, line: usize) -> Finding {
        let place =
            Place { file: Some(file.into()), position: Some((line, 1)), ..Place::default() };
        Finding::new(severity, Error::new(kind, "a fault").with_place(place))
    }

    #[test]
    fn files_are_broken_by_what_keeps_them_from_being_drawn() {
        let error = |kind, file| finding(Severity::Error, kind, file, 1);
        let findings = [
            error(Kind::NameTaken, "a"),
            error(Kind::OutputJson, "b"),
            error(Kind::TreeType, "b"),
            error(Kind::TemplateSyntax, "c"),
            // A strict check treats a warning as an error.
            error(Kind::ImageAlt, "d"),
            Finding { fix: Fix::Applied, ..error(Kind::TreeType, "e") },
            finding(Severity::Note, Kind::Loss, "f", 1),
        ];
        assert_eq!(
            summary(&findings, 6, false),
            "6 widgets checked: 2 broken, 6 errors, 1 note (see --notes); `check --fix` can fix 1"
        );
        assert!(summary(&findings, 6, true).contains("6 errors, 1 note;"));
        assert!(summary(&findings[..2], 1, true).starts_with("1 widget checked: 1 broken, 2 e"));
    }

    #[test]
    fn paths_are_told_from_the_current_directory() {
        let path = |file: &str| {
            let moved = relative(finding(Severity::Note, Kind::Loss, file, 7), Path::new("/a/b"));
            assert_eq!(moved.error.place().position, Some((7, 1)));
            moved.error.place().file.clone().unwrap().display().to_string()
        };
        assert_eq!(path("/a/b/c/d.widget"), "c/d.widget");
        assert_eq!(path("/a/d.widget"), "/a/d.widget");
        assert_eq!(path("./d.widget"), "d.widget");
        assert_eq!(path("../d.widget"), "../d.widget");
    }

    #[test]
    fn places_are_listed_up_to_a_number() {
        let all: Vec<Finding> =
            (1..=7).map(|line| finding(Severity::Note, Kind::Loss, "a", line)).collect();
        let all: Vec<&Finding> = all.iter().collect();
        assert_eq!(places(&all[..2]), "1:1, 2:1");
        assert_eq!(places(&all), "1:1, 2:1, 3:1, 4:1, 5:1, 2 more");
    }
}
