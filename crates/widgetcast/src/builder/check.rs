//! The checks of `build`, one for each kind of part. They collect all errors instead of stopping at the
//! first.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use widgetcast_core::surface::page::Page as LoadedPage;
use widgetcast_core::{
    Catalog, STATE_TOOL, SURFACES, Schema, Surface, called_tools, meant_tool, nearest, tool_name,
};

use super::fit;
use crate::call::states::States;
use crate::components;
use crate::declaration::header_param::annotations;
use crate::policy::{Policy, ProtectedResource};
use crate::protocol::method;
use crate::sdk::access::Access;
use crate::sdk::extract::Need;
use crate::sdk::method::Method;
use crate::sdk::page::Page;
use crate::sdk::prompt::Prompt;
use crate::sdk::resource::Resource;
use crate::sdk::tool::Tool;
use crate::server::{ServedMethod, ServedPrompt, ServedResource, ServedTool, WIDGET};

/// The longest status message that ChatGPT shows.
const MAX_MESSAGE: usize = 64;
const MAX_TOOL_NAME: usize = 128;

/// Pages by name, as hosts receive them.
pub(super) type Pages = BTreeMap<String, Arc<LoadedPage>>;

/// The items that tools refer to.
#[derive(Clone, Copy)]
pub(super) struct Parts<'a> {
    pub catalog: &'a Catalog,
    /// Includes unreadable ones, which are reported separately.
    pub pages: &'a [Page],
}

pub(super) fn identity(name: &str, version: &str, mistakes: &mut Vec<String>) {
    if !is_package_name(name) {
        mistakes.push(format!(
            "the app's name {name:?} must be lower-case letters, digits, `-`, `.` or `_`, as an npm \
             package is named"
        ));
    }
    if let Err(error) = semver::Version::parse(version) {
        mistakes.push(format!("the version {version:?} is not a semantic version: {error}"));
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
            mistakes.push("set either a catalog or a widget directory, not both".into());
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
    let mut addresses = BTreeSet::new();
    for page in pages {
        mistakes.extend(page.mistakes());
        match page.load() {
            Ok(page_now) => {
                if let Some(address) = &page_now.fixed
                    && !addresses.insert(address.clone())
                {
                    mistakes.push(format!("two pages have the URI {address}"));
                }
                if loaded.insert(page.name.clone(), Arc::new(page_now)).is_some() {
                    mistakes.push(format!("two pages are named {}", page.name));
                }
            }
            Err(error) => mistakes.push(error),
        }
    }
    loaded
}

/// The tools by name.
pub(super) fn tools(
    tools: Vec<Tool>,
    parts: Parts<'_>,
    mistakes: &mut Vec<String>,
) -> BTreeMap<Box<str>, Arc<ServedTool>> {
    let mut served = BTreeMap::new();
    for one in tools {
        let name = one.name.clone();
        if name == STATE_TOOL {
            mistakes.push(format!("tool {name}: this name is reserved by the server"));
        }
        if let Some(one) = tool(one, parts, mistakes)
            && served.insert(name.clone().into(), Arc::new(one)).is_some()
        {
            mistakes.push(format!("two tools are named {name}"));
        }
    }
    served
}

/// The widgets that tools show.
pub(super) fn shown(tools: &BTreeMap<Box<str>, Arc<ServedTool>>) -> BTreeSet<String> {
    tools.values().flat_map(|served| served.tool.shown_widgets()).map(tool_name).collect()
}

/// Whether a tool limits its concurrent calls.
pub(super) fn has_limited(tools: &BTreeMap<Box<str>, Arc<ServedTool>>) -> bool {
    tools.values().any(|served| served.tool.max_calls.is_some())
}

/// The description defaults to the doc comment of the input type.
pub(super) fn describe_by_type(description: &mut Option<String>, input: &mut Value) {
    if description.is_none()
        && let Some(members) = input.as_object_mut()
        && let Some(Value::String(text)) = members.shift_remove("description")
    {
        *description = Some(text);
    }
}

/// Checks one tool and compiles its schemas.
pub(super) fn tool(
    mut tool: Tool,
    parts: Parts<'_>,
    mistakes: &mut Vec<String>,
) -> Option<ServedTool> {
    if tool.description.is_none()
        && let Some(widget) = tool.widget.as_deref().and_then(|name| parts.catalog.get(name))
    {
        tool.description = widget.description().map(str::to_owned);
    }
    let name = &tool.name;
    let mut say = |mistake: String| mistakes.push(format!("tool {mistake}"));
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if name.is_empty() || name.len() > MAX_TOOL_NAME || !name.chars().all(plain) {
        say(format!(
            "{name:?}: a tool name must be 1 to {MAX_TOOL_NAME} letters, digits, `_`, `-` or `.`"
        ));
    }
    if let Some(mistake) = unknown_view(&tool, parts) {
        say(format!("{name}: {mistake}"));
    }
    let properties = &tool.input["properties"];
    for param in &tool.file_params {
        match properties.get(param) {
            None => {
                say(format!("{name}: file parameter {param} is not a property of the input"));
            }
            Some(schema) if !is_file(schema) => say(format!(
                "{name}: file parameter {param} is not a file: its type must be `widgetcast::File`, or an \
                 object with download_url and file_id"
            )),
            Some(_) => {}
        }
    }
    if !tool.has_data && tool.has_widget() {
        say(format!(
            "{name}: the handler returns only text, so its widget gets no data: return `Data` or `Outcome`"
        ));
    }
    if let (Some(output), Some(widget)) = (&tool.output, &tool.widget)
        && tool.is_output_of_handler
        && let Some(widget) = parts.catalog.get(widget)
    {
        let schema = serde_json::from_str(widget.schema_json()).unwrap_or_default();
        let mut misfits = fit::misfits(output, &schema);
        if !widget.has_own_schema() {
            // A widget without a schema is validated against the tool's output.
            misfits.extend(fit::misspelt(output, &schema));
            if misfits.is_empty() {
                misfits.extend(fit::lacking(output, &schema, widget));
            }
        }
        for misfit in misfits {
            say(format!(
                "{name}: its output does not match widget {}: {misfit}",
                widget.tool_name()
            ));
        }
    }
    for icon in &tool.icons {
        if !["https://", "data:image/"].iter().any(|start| icon.starts_with(start)) {
            say(format!("{name}: the icon {icon:.40?} must be an https: or data: URL"));
        }
    }
    for (surface, template) in &tool.host_templates {
        if Surface::find(surface).is_none_or(|surface| surface.template.is_none()) {
            say(format!("{name}: {surface} is not a surface with templates"));
        } else if !parts.catalog.has_template(template) {
            say(format!("{name}: no template {template}.yml in the widget directory"));
        }
    }
    for text in tool.invoking.iter().chain(&tool.invoked) {
        if text.chars().count() > MAX_MESSAGE {
            say(format!("{name}: the message {text:?} is longer than {MAX_MESSAGE} characters"));
        }
    }
    let mut compile = |which: &str, schema: &Value| {
        if schema["type"] != "object" {
            say(format!(
                "{name}: the {which} schema must have \"type\": \"object\" at its root: wrap a list or a \
                 single value in a struct"
            ));
            return None;
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

/// Suggests missing hints. They are not errors, but app directories reject tools without them.
pub(super) fn hints(tools: &BTreeMap<Box<str>, Arc<ServedTool>>) {
    for (tool, served) in tools {
        let missing: Vec<&str> = served.tool.missing_hints().collect();
        if !missing.is_empty() {
            tracing::warn!(
                tool = &**tool,
                "app directories require {}: set `read_only` or `destructive`, and `open_world`",
                missing.join(", ")
            );
        }
    }
}

/// Actions of shown widgets whose type is almost the name of a tool. Other unknown types may be handled by
/// the page or the host.
pub(super) fn actions(
    tools: &BTreeMap<Box<str>, Arc<ServedTool>>,
    shown: &BTreeSet<String>,
    catalog: &Catalog,
    mistakes: &mut Vec<String>,
) {
    let is_known = |name: &str| {
        name == STATE_TOOL || tools.contains_key(name) || catalog.listing(name).is_some()
    };
    for widget in shown.iter().filter_map(|name| catalog.get(name)) {
        for name in called_tools(widget).iter().filter(|name| !is_known(name)) {
            let widgets = catalog.list().map(|listing| listing.tool_name);
            let known = tools.keys().map(|name| &**name).chain(widgets);
            if let Some(meant) = meant_tool(name, known) {
                mistakes.push(format!(
                    "widget {}: an action calls the unknown tool {name}; did you mean {meant}?",
                    widget.tool_name()
                ));
            }
        }
    }
}

/// Whether a schema is that of a file, or of a list of files.
fn is_file(schema: &Value) -> bool {
    let schema = if schema["items"].is_object() { &schema["items"] } else { schema };
    ["download_url", "file_id"].iter().all(|name| schema["properties"][*name].is_object())
}

/// The errors of the widgets or the page that a tool shows.
fn unknown_view(tool: &Tool, parts: Parts<'_>) -> Option<String> {
    if tool.page.is_some() && tool.has_widget() {
        return Some("a tool shows either a widget or a page, not both".into());
    }
    let mut widgets = tool.shown_widgets().filter(|widget| *widget != components::WIDGET);
    match (widgets.find(|widget| parts.catalog.get(widget).is_none()), &tool.page) {
        (Some(widget), _) => {
            let is_it =
                |stem: &std::ffi::OsStr| tool_name(&stem.to_string_lossy()) == tool_name(widget);
            let mut findings = parts.catalog.findings();
            let broken = findings.find(|finding| {
                let file = finding.error.place().file.as_deref();
                file.and_then(Path::file_stem).is_some_and(is_it)
            });
            Some(match broken {
                Some(finding) => format!("widget {widget} is broken: {finding}"),
                None => {
                    format!("unknown widget {widget}{}", known_widgets(widget, parts.catalog))
                }
            })
        }
        (None, Some(page)) if parts.pages.iter().all(|known| known.name != *page) => {
            let names: Vec<&str> = parts.pages.iter().map(|known| &*known.name).collect();
            Some(format!("unknown page {page}; known pages: {}", names.join(", ")))
        }
        _ => None,
    }
}

/// Describes what exists instead of a missing widget.
fn known_widgets(wanted: &str, catalog: &Catalog) -> String {
    let names = || catalog.list().map(|listing| listing.tool_name);
    if let Some(near) = nearest(&tool_name(wanted), names()) {
        return format!("; did you mean {near}?");
    }
    match names().take(12).collect::<Vec<_>>().as_slice() {
        [] => "; the app has no widgets".into(),
        names => format!("; known widgets: {}", names.join(", ")),
    }
}

pub(super) fn resources(
    resources: Vec<Resource>,
    mistakes: &mut Vec<String>,
) -> Vec<Arc<ServedResource>> {
    let mut uris = BTreeSet::new();
    let mut served = Vec::new();
    for resource in resources {
        let uri = &resource.uri;
        let mut say = |mistake: String| mistakes.push(format!("resource {uri:?}: {mistake}"));
        if !uri.contains("://") {
            say("a URI needs a scheme, such as shop://…".into());
        }
        if uri.starts_with(WIDGET) {
            say(format!("URIs under {WIDGET} are reserved by the server"));
        }
        let properties = resource.input["properties"].as_object().into_iter().flatten();
        let variables = properties.map(|(name, _)| name.as_str());
        for name in variables.chain(resource.completers.names()) {
            if !uri.contains(&format!("{{{name}}}")) {
                say(format!("the URI has no {{{name}}}"));
            }
        }
        let schema = Schema::compile(&resource.input);
        let schema = schema.map_err(|error| say(format!("input schema: {error}")));
        if !uris.insert(uri.clone()) {
            mistakes.push(format!("two resources have the URI {uri}"));
        }
        served.extend(schema.ok().map(|input| Arc::new(ServedResource { resource, input })));
    }
    served
}

pub(super) fn prompts(prompts: Vec<Prompt>, mistakes: &mut Vec<String>) -> Vec<Arc<ServedPrompt>> {
    let mut names = BTreeSet::new();
    let mut served = Vec::new();
    for prompt in prompts {
        let name = prompt.name.clone();
        let mut say = |mistake: String| mistakes.push(format!("prompt {name}: {mistake}"));
        let properties = &prompt.input["properties"];
        for argument in prompt.completers.names().filter(|name| properties.get(name).is_none()) {
            say(format!("completions for an unknown argument {argument}"));
        }
        let schema = Schema::compile(&prompt.input);
        let schema = schema.map_err(|error| say(format!("argument schema: {error}")));
        if !names.insert(name.clone()) {
            mistakes.push(format!("two prompts are named {name}"));
        }
        served.extend(schema.ok().map(|input| Arc::new(ServedPrompt { prompt, input })));
    }
    served
}

pub(super) fn methods(
    methods: Vec<Method>,
    mistakes: &mut Vec<String>,
) -> BTreeMap<String, ServedMethod> {
    let mut served = BTreeMap::new();
    for method in methods {
        let name = method.name.clone();
        let mut say = |mistake: &str| mistakes.push(format!("method {name:?}: {mistake}"));
        if method::is_known(&name) {
            say("this is a method of the protocol");
        } else if !name.contains('/') || name.starts_with("notifications/") {
            say(
                "the name needs your own prefix, such as shop/search, and must not be a notification",
            );
        }
        let schema = Schema::compile(&method.input);
        let schema = schema.map_err(|error| say(&format!("params schema: {error}"))).ok();
        if let Some(input) = schema
            && served.insert(name.clone(), ServedMethod { method, input }).is_some()
        {
            mistakes.push(format!("two methods are named {name}"));
        }
    }
    served
}

/// The items that access rules apply to.
#[derive(Clone, Copy)]
pub(super) struct Rules<'a> {
    pub tools: &'a [Tool],
    pub prompts: &'a [Prompt],
    pub resources: &'a [Resource],
    pub methods: &'a [Method],
}

/// What an app provides to extractors and rules.
pub(super) struct Offers<'a> {
    pub states: &'a States,
    pub policy: &'a Policy,
}

impl Offers<'_> {
    /// Checks that everything that handlers and rules require is provided.
    pub(super) fn check(&self, rules: Rules<'_>, catalog: &Catalog, mistakes: &mut Vec<String>) {
        let Rules { tools, prompts, resources, methods } = rules;
        let auth = self.policy.auth.iter();
        mistakes.extend(auth.flat_map(|auth| auth.config_errors()));
        for Tool { name, needs, access, .. } in tools {
            self.check_one(&format!("tool {name}"), needs, access, mistakes);
        }
        for Prompt { name, needs, access, .. } in prompts {
            self.check_one(&format!("prompt {name}"), needs, access, mistakes);
        }
        for Resource { uri, needs, access, .. } in resources {
            self.check_one(&format!("resource {uri:?}"), needs, access, mistakes);
        }
        for Method { name, needs, access, .. } in methods {
            self.check_one(&format!("method {name}"), needs, access, mistakes);
        }
        for (tool, access) in &self.policy.relayed {
            self.check_one(&format!("relayed tool {tool}"), &[], access, mistakes);
        }
        for (widget, access) in &self.policy.widgets {
            self.check_one(&format!("widget {widget}"), &[], access, mistakes);
            if catalog.get(widget).is_none() {
                let known = known_widgets(widget, catalog);
                mistakes.push(format!("widget_access: unknown widget {widget}{known}"));
            }
        }
    }

    pub(super) fn check_one(
        &self,
        what: &str,
        needs: &[Need],
        access: &Access,
        mistakes: &mut Vec<String>,
    ) {
        const NO_CALLERS: &str = "the app has no authentication: set `auth` or `local_caller`";
        for need in needs {
            match need {
                Need::State(state, name) if !self.states.has(*state) => mistakes.push(format!(
                    "{what} takes State<{name}>, but the app has no such state: add it with `state`"
                )),
                Need::Caller if !self.policy.has_authenticator() => {
                    mistakes.push(format!("{what} takes a Caller, but {NO_CALLERS}"));
                }
                _ => {}
            }
        }
        if access.needs_scopes() && !self.policy.has_authenticator() {
            mistakes.push(format!("{what} requires a scope, but {NO_CALLERS}"));
        }
        if access.is_hidden() && !self.policy.has_authenticator() {
            mistakes.push(format!("{what} is hidden from some callers, but {NO_CALLERS}"));
        }
        if access.needs_scopes() && access.is_public() {
            mistakes.push(format!("{what} is both public and requires a scope; choose one"));
        }
    }
}

/// The access rules, with those derived from other parts.
pub(super) fn policy(
    mut policy: Policy,
    tools: &BTreeMap<Box<str>, Arc<ServedTool>>,
    prompts: &[Arc<ServedPrompt>],
    resources: &[Arc<ServedResource>],
    methods: &BTreeMap<String, ServedMethod>,
) -> Policy {
    // Widget and page resources are for callers who may call a tool that shows them.
    let mut widgets: BTreeMap<String, Vec<&Access>> = BTreeMap::new();
    let mut pages: BTreeMap<String, Vec<&Access>> = BTreeMap::new();
    for tool in tools.values().map(|served| &served.tool) {
        for widget in tool.shown_widgets() {
            widgets.entry(tool_name(widget)).or_default().push(&tool.access);
        }
        if let Some(page) = &tool.page {
            pages.entry(page.clone()).or_default().push(&tool.access);
        }
    }
    for (rules, shown) in [(&mut policy.widgets, widgets), (&mut policy.pages, pages)] {
        for (name, of_tools) in shown {
            // Use the rules of the tool that requires the fewest scopes, and among equals those of a hidden
            // one.
            let least = of_tools.iter().min_by_key(|access| {
                (!access.is_public(), access.needs_scopes(), !access.is_hidden())
            });
            if let Some(least) = least {
                rules.entry(name).or_insert_with(|| (*least).clone());
            }
        }
    }
    let tools = tools.values().map(|served| &served.tool.access);
    let prompts = prompts.iter().map(|served| &served.prompt.access);
    let resources = resources.iter().map(|served| &served.resource.access);
    let methods = methods.values().map(|served| &served.method.access);
    let parts = tools.chain(prompts).chain(resources).chain(methods);
    let all: Vec<&Access> =
        parts.chain(policy.widgets.values()).chain(policy.relayed.values()).collect();
    let has_public = all.iter().any(|access| access.is_public());
    let has_hidden = all.iter().any(|access| access.is_hidden());
    // Do not announce to all clients what is hidden from some callers.
    let shown = all.iter().filter(|access| !access.is_hidden());
    let scopes = shown.flat_map(|access| access.scopes()).map(String::as_str).collect();
    let document = policy.auth.as_ref().and_then(|auth| auth.resource_metadata());
    let resource = document.and_then(|document| ProtectedResource::new(document, &scopes));
    policy.resource = resource;
    policy.has_public = has_public;
    policy.has_hidden = has_hidden && policy.has_authenticator();
    policy
}

/// The surfaces in the settings.
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

/// The npm rule: at most 214 bytes, lower case, optionally with a scope.
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
