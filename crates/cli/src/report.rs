//! Prints findings: for people, as JSON, and as SARIF for code hosts.

use std::collections::BTreeMap;
use std::io::Write as _;

use anstyle::{AnsiColor, Style};
use serde_json::{Value, json};
use widgetcast_core::{Finding, Fix, Kind, Severity};

use crate::json_text::json_text;
use crate::outcome::Failure;

/// How findings are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// With excerpts, for a person
    Human,
    /// A JSON list
    Json,
    /// SARIF 2.1.0, for code hosts
    Sarif,
}

/// Findings of one kind in one file that are printed in full; the rest are counted.
const REPEATS: usize = 3;

pub(crate) fn print(findings: &[Finding], widgets: usize, format: Format) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    match format {
        Format::Human => return print_human(findings, widgets),
        Format::Json => {
            let list: Vec<Value> = findings.iter().map(as_json).collect();
            writeln!(out, "{}", json_text(&list)?)?;
        }
        Format::Sarif => writeln!(out, "{}", json_text(&sarif(findings))?)?,
    }
    Ok(())
}

fn print_human(findings: &[Finding], widgets: usize) -> Result<(), Failure> {
    let mut seen: BTreeMap<_, usize> = BTreeMap::new();
    for finding in findings {
        let count =
            seen.entry((finding.error.place().file.clone(), finding.error.kind())).or_default();
        *count += 1;
        if *count <= REPEATS {
            print_finding(finding);
        }
    }
    let mut out = anstream::stdout().lock();
    for ((file, kind), count) in seen.iter().filter(|(_, count)| **count > REPEATS) {
        let file = file.as_ref().map(|file| file.display().to_string()).unwrap_or_default();
        writeln!(out, "{file}: {} more of {}\n", count - REPEATS, kind.code())?;
    }
    let count = |severity| findings.iter().filter(|f| f.severity == severity).count();
    let plural = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    let (errors, warnings, notes) =
        (count(Severity::Error), count(Severity::Warning), count(Severity::Note));
    let widgets = plural(widgets, "widget");
    let fixable = findings.iter().filter(|finding| finding.fix != Fix::None).count();
    if findings.is_empty() {
        let green = AnsiColor::Green.on_default().bold();
        writeln!(out, "{widgets} checked: {green}all good{green:#}")?;
        return Ok(());
    }
    let parts: Vec<String> = [(errors, "error"), (warnings, "warning"), (notes, "note")]
        .into_iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, word)| plural(n, word))
        .collect();
    write!(out, "{widgets} checked: {}", parts.join(", "))?;
    if fixable > 0 {
        write!(out, "; `check --fix` mends {fixable}")?;
    }
    writeln!(out)?;
    Ok(())
}

/// One finding with its excerpt.
pub(crate) fn print_finding(finding: &Finding) {
    let bold = Style::new().bold();
    let style = colour(finding.severity);
    let text = format!("{finding:#}");
    let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let (label, words) = first.split_once(": ").unwrap_or(("", first));
    anstream::println!("{style}{label}{style:#}{bold}: {words}{bold:#}");
    let dim = Style::new().dimmed();
    for line in rest.lines() {
        // Colour the carets and dim the margin of the excerpt.
        match line
            .split_once(" | ")
            .filter(|(margin, _)| margin.chars().all(|c| c.is_ascii_digit() || c == ' '))
        {
            Some((margin, code)) if code.trim_start().starts_with('^') => {
                anstream::println!("{dim}{margin} |{dim:#} {style}{code}{style:#}");
            }
            Some((margin, code)) => anstream::println!("{dim}{margin} |{dim:#} {code}"),
            None => anstream::println!("{line}"),
        }
    }
    anstream::println!();
}

/// One finding on one line, for standard error.
pub(crate) fn print_short(finding: &Finding) {
    let style = colour(finding.severity);
    anstream::eprintln!("{style}{}{style:#}: {}", finding.severity.name(), finding.error);
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
