//! `widgetcast check`: prints findings about widgets, and with `--fix` writes the safe repairs.

use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use widgetcast_core::surface::Host;
use widgetcast_core::{Catalog, CheckOptions, Finding, Listing, Severity, nearest, printable};

use crate::directory;
use crate::gallery;
use crate::mcp_client::{Credentials, McpClient, is_server};
use crate::outcome::{Failure, Outcome};
use crate::replace_file::replace_file;
use crate::report;
use crate::views;

/// How long a check runs before a progress bar appears.
const BAR_DELAY: Duration = Duration::from_secs(1);

/// The host with this name.
pub(crate) fn host(name: &str) -> Result<&'static Host, String> {
    let names = || Host::all().iter().map(|host| host.id.as_str());
    Host::find(name).ok_or_else(|| match nearest(name, names()) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("available hosts: {}", names().collect::<Vec<_>>().join(", ")),
    })
}

pub(crate) fn run(
    path: Option<&Path>,
    options: &CheckOptions,
    fix: bool,
    recordings: Option<&Path>,
    credentials: &Credentials,
    report: report::Options,
) -> Result<Outcome, Failure> {
    if let Some(server) = path.and_then(Path::to_str).filter(|path| is_server(path)) {
        return check_server(server, options, credentials, report);
    }
    let here = Path::new(".");
    let path = path.or_else(|| gallery::holds_widgets(here).then_some(here));
    let mut catalog = gallery::catalog(path)?;
    let mut all_written = true;
    if fix {
        let Some(path) = path else {
            return Err("the gallery is built into the binary; give a directory to fix".into());
        };
        all_written = fix_files(&catalog);
        catalog = gallery::catalog(Some(path))?;
    }
    let files = catalog.files().count();
    if files == 0 {
        let place = path.map_or("the gallery".to_owned(), |path| path.display().to_string());
        let is_file = path.is_some_and(Path::is_file);
        let hint = if is_file { ": the name of a widget's file ends in `.widget`" } else { "" };
        return Err(format!("no widgets found in {place}{hint}").into());
    }
    if path.is_none() {
        tell!("no widgets found here, so the {files} of the gallery were checked");
    }
    // Transliteration, or the name of the file, may give a tool's name that no one expects.
    for Listing { name, tool_name, names_tool, .. } in catalog.list() {
        if !names_tool && (!name.is_ascii() || widgetcast_core::tool_name(name) != tool_name) {
            tell!("\"{}\" becomes tool {tool_name}", printable(name));
        }
    }
    let bar = DelayedBar::new(files);
    let mut findings = widgetcast_core::check(&catalog, options, &|done| bar.show(done));
    bar.clear();
    findings.extend(directory::check(&mut McpClient::in_process(path, "text")?, &options.hosts)?.1);
    findings.extend(views::check(path, &catalog, recordings)?);
    let outcome = outcome_of(&findings);
    report::print(findings, files, report)?;
    Ok(if all_written { outcome } else { Outcome::Findings })
}

/// Checks the tools and pages of a running server; by default, for all hosts with an app directory.
fn check_server(
    server: &str,
    options: &CheckOptions,
    credentials: &Credentials,
    report: report::Options,
) -> Result<Outcome, Failure> {
    let all: Vec<&Host> = Host::all().iter().filter(|host| host.directory).collect();
    let hosts = if options.hosts.is_empty() { &all } else { &options.hosts };
    let mut client = McpClient::connect(server, "text", credentials)?;
    let (tools, findings) = directory::check(&mut client, hosts)?;
    let outcome = outcome_of(&findings);
    report::print(findings, tools, report)?;
    Ok(outcome)
}

fn outcome_of(findings: &[Finding]) -> Outcome {
    let worst = findings.iter().map(|finding| finding.severity).max();
    if worst >= Some(Severity::Warning) { Outcome::Findings } else { Outcome::Clean }
}

/// Applies the safe fixes to every file, including broken ones, and returns whether all could be written. A
/// failed write does not stop the others.
fn fix_files(catalog: &Catalog) -> bool {
    let mut files: Vec<&Path> = catalog.files().collect();
    files.sort();
    files.dedup();
    let mut all_written = true;
    let mut fixed = 0;
    for file in files {
        match fix_file(catalog, file) {
            Ok(count) => fixed += count,
            Err(error) => {
                tell!("{}: cannot be fixed: {error}", file.display());
                all_written = false;
            }
        }
    }
    if fixed == 0 && all_written {
        tell!("nothing to fix");
    }
    all_written
}

/// Applies the safe fixes to a file, and returns their number.
fn fix_file(catalog: &Catalog, file: &Path) -> std::io::Result<usize> {
    let Ok(text) = catalog.read_text(file) else { return Ok(0) };
    let Some((fixed, count)) = widgetcast_core::fix(&text) else { return Ok(0) };
    replace_file(file, &fixed)?;
    let places = if count == 1 { "1 place" } else { &format!("{count} places") };
    tell!("fixed {places} in {}", file.display());
    Ok(count)
}

/// A progress bar that appears only if the work takes longer than [`BAR_DELAY`].
struct DelayedBar {
    start: Instant,
    length: usize,
    shown: Mutex<Option<ProgressBar>>,
}

impl DelayedBar {
    fn new(length: usize) -> Self {
        Self { start: Instant::now(), length, shown: Mutex::new(None) }
    }

    fn show(&self, done: usize) {
        if self.start.elapsed() < BAR_DELAY {
            return;
        }
        if let Ok(mut shown) = self.shown.lock() {
            let bar = shown.get_or_insert_with(|| {
                let style = ProgressStyle::with_template("checking {bar:30} {pos}/{len} widgets");
                ProgressBar::new(self.length as u64)
                    .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
            });
            bar.set_position(done as u64);
        }
    }

    fn clear(&self) {
        if let Ok(shown) = self.shown.lock()
            && let Some(bar) = &*shown
        {
            bar.finish_and_clear();
        }
    }
}
