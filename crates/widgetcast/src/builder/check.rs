//! The checks of a builder, one for each kind of part. Every mistake is collected, none ends the build
//! early.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use widgetcast_core::surface::page::Page as LoadedPage;
use widgetcast_core::{Catalog, STATE_TOOL, SURFACES, Schema, Surface, tool_name};

use crate::sdk::header_param::annotations;
use crate::sdk::page::Page;
use crate::sdk::prompt::Prompt;
use crate::sdk::resource::Resource;
use crate::sdk::tool::Tool;
use crate::server::ServedTool;

/// The longest message that ChatGPT shows while a tool runs.
const MAX_MESSAGE: usize = 64;
const MAX_TOOL_NAME: usize = 128;

/// Pages by name, as hosts get them.
pub(super) type Pages = BTreeMap<String, Arc<LoadedPage>>;

/// What tools refer to.
#[derive(Clone, Copy)]
pub(super) struct Parts<'a> {
    pub catalog: &'a Catalog,
    pub pages: &'a Pages,
}

pub(super) fn identity(name: &str, version: &str, mistakes: &mut Vec<String>) {
    if !is_package_name(name) {
        mistakes.push(format!(
            "the app's name {name:?} must be lower-case letters, digits, `-`, `.` or `_`, as an npm \
             package is named"
        ));
    }
    if let Err(error) = semver::Version::parse(version) {
        mistakes.push(format!("the version {version:?} is not a semantic one: {error}"));
    }
}

pub(super) fn catalog(
    given: Option<Catalog>,
    dir: Option<&Path>,
    mistakes: &mut Vec<String>,
) -> Catalog {
    let empty = || Catalog::from_static(&[]);
    match (given, dir) {
        (Some(_), Some(_)) => {
            mistakes.push("give either a catalog or a directory of widgets, not both".into());
            empty()
        }
        (Some(catalog), None) => catalog,
        (None, Some(dir)) => Catalog::from_dir(dir).unwrap_or_else(|error| {
            mistakes.push(error.to_string());
            empty()
        }),
        (None, None) => empty(),
    }
}

pub(super) fn pages(pages: &[Page], mistakes: &mut Vec<String>) -> Pages {
    let mut loaded = Pages::new();
    for page in pages {
        mistakes.extend(page.mistakes());
        match page.load() {
            Ok(page_now) => {
                if loaded.insert(page.name.clone(), Arc::new(page_now)).is_some() {
                    mistakes.push(format!("there are two pages with the name {}", page.name));
                }
            }
            Err(error) => mistakes.push(error),
        }
    }
    loaded
}

/// The tools by name, and the widgets that they show.
pub(super) fn tools(
    tools: Vec<Tool>,
    parts: Parts<'_>,
    mistakes: &mut Vec<String>,
) -> (BTreeMap<Box<str>, ServedTool>, BTreeSet<String>) {
    let (mut served, mut shown) = (BTreeMap::new(), BTreeSet::new());
    for one in tools {
        let name = one.name.clone();
        if name == STATE_TOOL {
            mistakes.push(format!("tool {name}: the server itself uses this name"));
        }
        shown.extend(one.widget.as_deref().map(tool_name));
        if let Some(one) = tool(one, parts, mistakes)
            && served.insert(name.clone().into(), one).is_some()
        {
            mistakes.push(format!("there are two tools with the name {name}"));
        }
    }
    (served, shown)
}

/// Checks one tool and compiles its schemas.
pub(super) fn tool(tool: Tool, parts: Parts<'_>, mistakes: &mut Vec<String>) -> Option<ServedTool> {
    let name = &tool.name;
    let mut say = |mistake: String| mistakes.push(format!("tool {mistake}"));
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if name.is_empty() || name.len() > MAX_TOOL_NAME || !name.chars().all(plain) {
        say(format!("{name:?}: a name has 1 to {MAX_TOOL_NAME} letters, digits, `_`, `-` or `.`"));
    }
    if let Some(mistake) = unknown_view(&tool, parts) {
        say(format!("{name}: {mistake}"));
    }
    let properties = &tool.input["properties"];
    for param in tool.file_params.iter().filter(|param| properties.get(param.as_str()).is_none()) {
        say(format!("{name}: file parameter {param} is not among the input's properties"));
    }
    for text in tool.invoking.iter().chain(&tool.invoked) {
        if text.chars().count() > MAX_MESSAGE {
            say(format!("{name}: the message {text:?} is longer than {MAX_MESSAGE} characters"));
        }
    }
    let mut compile = |which: &str, schema: &Value| {
        if schema["type"] != "object" {
            say(format!("{name}: the {which} schema must have \"type\": \"object\" at its root"));
        }
        Schema::compile(schema)
            .map_err(|error| say(format!("{name}: the {which} schema: {error}")))
            .ok()
    };
    let input = compile("input", &tool.input);
    let output = match &tool.output {
        Some(schema) => Some(compile("output", schema)?),
        None => None,
    };
    let header_params = annotations(&tool.input);
    Some(ServedTool { input: input?, output, header_params, tool })
}

/// What is wrong with the widget or page that a tool shows.
fn unknown_view(tool: &Tool, parts: Parts<'_>) -> Option<String> {
    match (&tool.widget, &tool.page) {
        (Some(_), Some(_)) => Some("show a widget or a page, not both".into()),
        (Some(widget), None) if parts.catalog.get(widget).is_none() => {
            let is_it =
                |stem: &std::ffi::OsStr| tool_name(&stem.to_string_lossy()) == tool_name(widget);
            let mut findings = parts.catalog.findings();
            let broken = findings.find(|finding| {
                let file = finding.error.place().file.as_deref();
                file.and_then(Path::file_stem).is_some_and(is_it)
            });
            Some(match broken {
                Some(finding) => format!("widget {widget} is broken: {finding}"),
                None => format!("there is no widget {widget}{}", known_widgets(parts.catalog)),
            })
        }
        (None, Some(page)) if !parts.pages.contains_key(page) => {
            let names: Vec<&str> = parts.pages.keys().map(String::as_str).collect();
            Some(format!("there is no page {page}; known pages: {}", names.join(", ")))
        }
        _ => None,
    }
}

fn known_widgets(catalog: &Catalog) -> String {
    let names: Vec<&str> = catalog.list().map(|listing| listing.tool_name).take(12).collect();
    match names.as_slice() {
        [] => "; there are no widgets at all".into(),
        names => format!("; known widgets: {}", names.join(", ")),
    }
}

pub(super) fn resources(resources: &[Resource], mistakes: &mut Vec<String>) {
    let mut uris = BTreeSet::new();
    for Resource { uri, .. } in resources {
        if !uri.contains("://") {
            mistakes.push(format!("resource {uri:?}: an address needs a scheme, such as shop://…"));
        }
        if !uris.insert(uri) {
            mistakes.push(format!("there are two resources with the address {uri}"));
        }
    }
}

pub(super) fn prompts(prompts: &[Prompt], mistakes: &mut Vec<String>) {
    let mut names = BTreeSet::new();
    for prompt in prompts.iter().filter(|prompt| !names.insert(&prompt.name)) {
        mistakes.push(format!("there are two prompts with the name {}", prompt.name));
    }
}

/// The surfaces that the settings name.
pub(super) fn surfaces(
    names: Option<&[String]>,
    mistakes: &mut Vec<String>,
) -> Option<Vec<&'static Surface>> {
    let mut find = |name: &String| {
        let found = Surface::find(name);
        if found.is_none() {
            let known: Vec<&str> = SURFACES.iter().map(|surface| surface.name).collect();
            mistakes.push(format!("surface {name:?} must be one of {}", known.join(", ")));
        }
        found
    };
    names.map(|names| names.iter().filter_map(&mut find).collect())
}

/// npm's rule: at most 214 bytes, lower case, perhaps with a scope.
fn is_package_name(name: &str) -> bool {
    let part = |part: &str| {
        !part.is_empty()
            && !part.starts_with(['.', '_'])
            && part.chars().all(|c| {
                c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_' | '.' | '~')
            })
    };
    let bare = match name.strip_prefix('@') {
        Some(scoped) => {
            scoped.split_once('/').filter(|(scope, _)| part(scope)).map(|(_, rest)| rest)
        }
        None => Some(name),
    };
    name.len() <= 214 && bare.is_some_and(part)
}

#[cfg(test)]
mod tests {
    use super::is_package_name;

    #[test]
    fn package_names() {
        for good in ["a", "my-app", "@scope/app", "a.b_c"] {
            assert!(is_package_name(good), "{good}");
        }
        for bad in ["", "My App", "Upper", "_x", ".x", "@scope", "@/x", "a/b", "ä"] {
            assert!(!is_package_name(bad), "{bad}");
        }
        assert!(!is_package_name(&"a".repeat(215)));
    }
}
