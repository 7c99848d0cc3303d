//! `widgetcast render`: renders one widget as a host would show it.

use std::cell::RefCell;
use std::io::{IsTerminal as _, Read as _, Write as _};
use std::path::Path;

use serde_json::Value;
use widgetcast_core::terminal::{self, TerminalOptions};
use widgetcast_core::{
    Catalog, Finding, HostTemplate, Presentation, SURFACES, Severity, Surface, Widget, nearest,
    printable,
};

use crate::json_text::{escape, json_text};
use crate::outcome::{Failure, Outcome};
use crate::print;
use crate::{gallery, report};

/// The values of `--surface`: all surfaces with their aliases, and `all`.
pub(crate) fn surface_names() -> impl Iterator<Item = &'static str> {
    let names = SURFACES
        .iter()
        .flat_map(|surface| std::iter::once(surface.name).chain(surface.aliases.iter().copied()));
    names.chain(["all"])
}

pub(crate) fn run(
    name: &str,
    dir: Option<&Path>,
    data: Option<&str>,
    form: Option<&str>,
) -> Result<Outcome, Failure> {
    let file = Path::new(name).is_file();
    let catalog = gallery::catalog(if file { Some(Path::new(name)) } else { dir })?;
    let Some(widget) = find(&catalog, name, file) else {
        // It may exist, but be broken.
        let tool = widgetcast_core::tool_name(name);
        let path = catalog.list().find(|listing| listing.tool_name == tool).map(|l| l.path);
        let about = |finding: &&Finding| {
            let place = finding.error.place().file.as_deref();
            finding.severity == Severity::Error && (file || path.is_some() && place == path)
        };
        let broken: Vec<&Finding> = catalog.findings().filter(about).collect();
        if broken.is_empty() {
            return Err(unknown_widget(&catalog, name, dir).into());
        }
        broken.into_iter().for_each(report::eprint_finding);
        return Ok(Outcome::Findings);
    };
    // A sample is rendered even if it does not match its schema; `check` reports that.
    let (data, view) = match data {
        Some(data) => {
            let data = read_json(data)?;
            let view = widget.render(&data);
            (data, view)
        }
        None => {
            let data = widget.sample();
            let view = widget.render_unvalidated(&data);
            (data, view)
        }
    };
    let view = match view {
        Ok(view) => view,
        Err(error) => {
            tell!("{error:#}");
            return Ok(Outcome::Findings);
        }
    };
    let mut out = print::stdout();
    // A failing template is reported once, and only if a surface uses it.
    let failed = RefCell::new(Vec::new());
    let author = |template: &'static HostTemplate| {
        if let Ok(Some(rendered)) = catalog.author_template(widget, template, &data) {
            return Some(rendered);
        }
        for finding in catalog.author_findings(widget, template, &data) {
            let words = format!("{finding:#}");
            if !failed.borrow().contains(&words) {
                report::eprint_finding(&finding);
                failed.borrow_mut().push(words);
            }
        }
        None
    };
    let page = widgetcast::view_page(Vec::new());
    let mut presentation = Presentation::new(widget.tool_name(), "sample", &view);
    presentation.page = Some(&page);
    presentation.author = Some(&author);
    match form {
        Some("json") => writeln!(out, "{}", json_text(presentation.tree())?)?,
        None => out.drawing(&draw(&presentation, form))?,
        Some("terminal") => {
            out.drawing(&draw(&presentation, form))?;
            print_losses(&presentation, &terminal::SURFACE);
        }
        Some("all") => {
            for surface in SURFACES {
                let bold = anstyle::Style::new().bold();
                writeln!(
                    out,
                    "{bold}== {}{bold:#}\n{}\n",
                    surface.name,
                    shown(surface, &presentation)
                )?;
                print_losses(&presentation, surface);
            }
        }
        Some(name) => {
            let surface = Surface::find(name).ok_or("unknown surface")?;
            writeln!(out, "{}", shown(surface, &presentation))?;
            print_losses(&presentation, surface);
        }
    }
    Ok(if failed.borrow().is_empty() { Outcome::Clean } else { Outcome::Findings })
}

/// A view as a host gets it, without characters that could control this terminal.
fn shown(surface: &Surface, presentation: &Presentation<'_>) -> String {
    let text = (surface.render)(presentation);
    if surface.file_extension == "json" { escape(&text) } else { printable(&text).into_owned() }
}

/// The terminal rendering, if stdout is a terminal or it was requested; otherwise, the text that every client
/// gets.
fn draw(presentation: &Presentation<'_>, form: Option<&str>) -> String {
    if form.is_none() && !std::io::stdout().is_terminal() {
        return printable(presentation.text()).into_owned();
    }
    terminal::draw(presentation, &terminal_options())
}

/// The width and colours of the terminal at stdout.
pub(crate) fn terminal_options() -> TerminalOptions {
    let out = std::io::stdout();
    let colour = anstream::AutoStream::choice(&out) != anstream::ColorChoice::Never;
    let size = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    TerminalOptions { width: size.unwrap_or(80).clamp(20, 100), colour, links: colour }
}

fn print_losses(presentation: &Presentation<'_>, surface: &Surface) {
    let note = anstyle::AnsiColor::Cyan.on_default().bold();
    for loss in presentation.losses(surface) {
        let place = if loss.pointer.is_empty() { "/" } else { &loss.pointer };
        let lost = format!("{} {place}: {}", surface.name, loss.reason);
        tell!("{note}lost{note:#}: {}", printable(&lost));
    }
}

fn find<'c>(catalog: &'c Catalog, name: &str, file: bool) -> Option<&'c Widget> {
    if file {
        return catalog.widgets().next();
    }
    catalog.get(name).or_else(|| {
        // The file may have another name than its widget.
        let is_stem = |path: &Path| path.file_stem().is_some_and(|stem| stem == name);
        let listing = catalog.list().find(|listing| is_stem(listing.path))?;
        catalog.get(listing.tool_name)
    })
}

/// Reports that a widget is missing because its file is broken.
pub(crate) fn broken_file(catalog: &Catalog, name: &str) -> Option<String> {
    // This compiles it, which is how it is found broken.
    _ = find(catalog, name, false);
    let wanted = widgetcast_core::tool_name(name);
    let is_meant = |stem: &std::ffi::OsStr| stem == name || stem.to_string_lossy() == *wanted;
    let mut broken = catalog.broken_files();
    let (_, path) =
        broken.find(|(tool, path)| *tool == wanted || path.file_stem().is_some_and(is_meant))?;
    let path = path.display();
    Some(format!("{path} has errors; run `widgetcast check {path}`"))
}

fn unknown_widget(catalog: &Catalog, name: &str, dir: Option<&Path>) -> String {
    if Path::new(name).is_dir() {
        return format!("{name} is a directory; give a widget name, and the directory with --dir");
    }
    if let Some(broken) = broken_file(catalog, name) {
        return broken;
    }
    let path = Path::new(name);
    if path.extension().is_some_and(|extension| extension == "widget") {
        let folder = path.with_file_name(".");
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let files = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let files: Vec<String> = files.filter(|file| file.ends_with(".widget")).collect();
        let file_name = path.file_name().unwrap_or_default().to_string_lossy();
        return match nearest(&file_name, files.iter().map(String::as_str)) {
            Some(near) => format!(
                "{name}: no such file; did you mean {}?",
                path.with_file_name(near).display()
            ),
            None => format!("{name}: no such file"),
        };
    }
    let wanted = widgetcast_core::tool_name(name);
    let place = dir.map_or("the gallery".to_owned(), |dir| dir.display().to_string());
    let tools = || catalog.list().map(|listing| listing.tool_name);
    let near = nearest(&wanted, tools());
    let part = tools().find(|tool| wanted.len() > 2 && tool.contains(&wanted));
    let advice = match near.or(part) {
        Some(near) => format!("did you mean {near}?"),
        None if dir.is_none() => {
            "run `widgetcast list` to see its widgets, or pass your own directory with --dir"
                .to_owned()
        }
        None => format!("run `widgetcast list {place}` to see all widgets"),
    };
    format!("no widget or file {name:?} in {place}; {advice}")
}

/// Maximum size of an input in bytes, the same as for a server.
const MAX_INPUT: u64 = 16 << 20;

/// The text of a bounded input.
pub(crate) fn read_text(from: impl std::io::Read) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    from.take(MAX_INPUT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_INPUT {
        return Err(std::io::Error::other(format!("larger than {} MB", MAX_INPUT >> 20)));
    }
    String::from_utf8(bytes).map_err(std::io::Error::other)
}

/// Parses the object of `--data`: a file, stdin (`-`), or inline JSON.
pub(crate) fn read_json(data: &str) -> Result<Value, Failure> {
    let (text, place) = match data {
        "-" => {
            let text = read_text(std::io::stdin());
            (text.map_err(|error| format!("stdin: {error}"))?, "stdin")
        }
        typed
            if typed.trim_start().is_empty() || typed.trim_start().starts_with(['{', '[', '"']) =>
        {
            (typed.to_owned(), "the data")
        }
        file => {
            let text = std::fs::File::open(file).and_then(read_text).map_err(|error| {
                let takes =
                    "--data takes inline JSON such as '{\"id\": 7}', a file, or - for stdin";
                match error.kind() {
                    std::io::ErrorKind::NotFound => format!("no such file {file:?}; {takes}"),
                    _ => format!("{file}: {error}"),
                }
            })?;
            (text, file)
        }
    };
    let value: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
        .map_err(|error| format!("{place} is not valid JSON: {error}"))?;
    if !value.is_object() {
        return Err(format!("{place} must be a JSON object").into());
    }
    Ok(value)
}
