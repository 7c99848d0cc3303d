//! Resources: pages, the parts of each widget, instances of views, and the app's own.

use std::ops::Bound;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use widgetcast_core::budget;
use widgetcast_core::outline::Images;
use widgetcast_core::surface::page::{self, Page};
use widgetcast_core::{
    HostTemplate, JsonRef, Listing, Presentation, Reading, Reply, SURFACES, Surface, Widget,
    tool_name,
};

use super::answer::Answer;
use super::cursor;
use super::envelope::{Cache, Envelope, result};
use super::error::RpcError;
use super::request::{Body, Request};
use super::running::{self, Running};
use super::surfaces::surfaces;
use super::tools::author_template;
use super::tools::instance::{self, Kept};
use crate::call::line::TaskMode;
use crate::reload::Snapshot;
use crate::sdk::caller::{Caller, owned};
use crate::sdk::store::EntryKind;
use crate::sdk::tool::Tool;
use crate::server::{Server, WIDGET};
use crate::worker::Budgeted;

/// The readable parts of a widget: the suffix of its URI, its type, and its content.
struct Facet {
    name: &'static str,
    mime: &'static str,
    about: &'static str,
    read: fn(&Widget) -> Option<String>,
}

const FACETS: [Facet; 4] = [
    Facet {
        name: "template",
        mime: "text/plain",
        about: "The template of the widget",
        read: |widget| Some(widget.template_text().to_owned()),
    },
    Facet {
        name: "encoded",
        mime: "text/plain",
        about: "The widget as a ChatKit Studio file",
        read: |widget| {
            let written = || widget.to_studio().ok()?["encodedWidget"].as_str().map(str::to_owned);
            widget.encoded().or_else(written)
        },
    },
    Facet {
        name: "schema",
        mime: "application/schema+json",
        about: "The JSON Schema of its data",
        read: |widget| Some(widget.schema_json().to_owned()),
    },
    Facet {
        name: "preview",
        mime: "application/json",
        about: "The widget rendered with sample data",
        read: |widget| {
            let drawn = || widget.render(&widget.sample()).ok().map(|view| view.json().to_owned());
            widget.preview().map(|tree| tree.to_string()).or_else(drawn)
        },
    },
];

/// The tool variable in the URI template of instances.
const NAME: &str = "{name}";
/// How long a host may cache a page whose URI contains its hash.
const PAGE_TTL: Duration = Duration::from_secs(24 * 60 * 60);

/// The tool in the instance template of a surface: `Some(None)` for the template of all tools, `None` for
/// another template.
pub(super) fn instance_template(uri: &str) -> Option<Option<&str>> {
    let mut all = SURFACES.iter().filter_map(|surface| surface.instances.as_ref());
    all.find_map(|instances| {
        let (start, end) = instances.uri.split_once(NAME)?;
        let rest = uri.strip_prefix(start)?;
        match rest.strip_suffix(end) {
            _ if rest.starts_with('{') => Some(None),
            tool => tool.map(Some),
        }
    })
}

/// The first page also lists resources of the app's templates, which may take time.
pub(super) fn list(server: &Arc<Server>, request: &Request<'_>) -> Answer {
    let (mut items, cursor) = match items(server, request) {
        Ok(found) => found,
        Err(error) => return Answer::Now(Err(error)),
    };
    let (id, modern) = (request.id.to_owned(), request.client.modern);
    let write = move |server: &Server, items: Vec<Value>| {
        let mut members = json!({ "resources": items });
        if let Some(cursor) = cursor {
            members["nextCursor"] = json!(cursor);
        }
        result(server, &id, modern, Some(Cache::of_list(server)), &members)
    };
    let caller = request.client.transport.caller();
    let listing: Vec<_> = server
        .resources
        .iter()
        .map(|served| &served.resource)
        .filter(|_| request.params.cursor.is_none())
        .filter(|resource| server.policy.shows(&resource.access, caller))
        .filter_map(|resource| {
            let lister = resource.lister.as_ref()?;
            let (ctx, gone) = request.client.context(server, &resource.uri, None, TaskMode::Never);
            let run = lister(ctx, &JsonRef::from(&json!({})));
            Some((resource.clone(), run, gone))
        })
        .collect();
    if listing.is_empty() {
        return Answer::Now(Ok(write(server, items)));
    }
    let server = Arc::clone(server);
    Answer::later(async move {
        for (resource, run, _gone) in listing {
            let listed = running::finish(server.settings.call_timeout, run).await;
            let entry = |(uri, name): (String, String)| resource.entry(&uri, &name);
            let entries = listed.and_then(|all| all.into_iter().map(entry).collect());
            let entries: Vec<Value> =
                entries.map_err(|error| RpcError::failed(&resource.uri, &error))?;
            items.extend(entries);
        }
        Ok(write(&server, items))
    })
}

/// The items that are listed without handlers, and the cursor of the next page.
fn items(server: &Server, request: &Request<'_>) -> Result<(Vec<Value>, Option<String>), RpcError> {
    let snapshot = server.reloader.now();
    let after = request.params.cursor.as_deref().map(cursor::decode).transpose()?;
    let size = server.settings.page_size;
    let mut items: Vec<Value> = Vec::new();
    let caller = request.client.transport.caller();
    if after.is_none() {
        let domain = domain(server, request);
        let page_entry = |page: &Page, name: &str, about: Option<&str>| {
            page_entry(page, name, about, domain.as_deref())
        };
        items.push(page_entry(&snapshot.view, "View", Some("Renders the widgets of this server")));
        for page in &server.pages {
            let Some(loaded) = snapshot.pages.get(&page.name) else { continue };
            if !server.policy.shows(server.policy.page(&page.name), caller) {
                continue;
            }
            let entry = page_entry(loaded, page.shown_name(), loaded.description.as_deref());
            items.extend(loaded.fixed.as_ref().map(|address| {
                let mut fixed = entry.clone();
                fixed["uri"] = json!(address);
                fixed["mimeType"] = json!(fixed_mime(server, request));
                fixed
            }));
            items.push(entry);
        }
        items.extend(own(server, request, false));
    }
    // Pages and the app's own resources come first; a page ends after a whole widget.
    let mut next = None;
    let listings = snapshot.catalog.list_after(after.as_deref());
    let mut listings = listings
        .filter(|listing| server.policy.shows(server.policy.widget(listing.tool_name), caller))
        .peekable();
    while let Some(listing) = listings.next() {
        for facet in &FACETS {
            items.push(json!({
                "uri": format!("{WIDGET}{}/{}", listing.tool_name, facet.name),
                "name": format!("{}_{}", listing.tool_name, facet.name),
                "title": format!("{}: {}", listing.name, facet.name),
                "description": facet.about,
                "mimeType": facet.mime,
            }));
        }
        if items.len() >= size && listings.peek().is_some() {
            next = Some(cursor::encode(listing.tool_name));
            break;
        }
    }
    Ok((items, next))
}

/// The app's own resources that this caller may see: templates, or the others.
fn own(server: &Server, request: &Request<'_>, templates: bool) -> impl Iterator<Item = Value> {
    let caller = request.client.transport.caller();
    let all = server.resources.iter().map(|served| &served.resource);
    all.filter(move |resource| resource.is_template() == templates)
        .filter(move |resource| server.policy.shows(&resource.access, caller))
        .map(|resource| resource.to_json())
}

fn listed(server: &Server, request: &Request<'_>, members: &Value) -> String {
    let cache = Cache::of_list(server);
    result(server, request.id, request.client.modern, Some(cache), members)
}

/// The MIME type of a page at its stable URI: hosts older than MCP Apps need a different one.
fn fixed_mime(server: &Server, request: &Request<'_>) -> &'static str {
    let mut surfaces = surfaces(server, &request.client).iter();
    surfaces.find_map(|surface| surface.page_mime).unwrap_or(page::MIME)
}

/// The default domain of pages, in the format of this client's host.
fn domain(server: &Server, request: &Request<'_>) -> Option<String> {
    let url = server.settings.public_url.as_deref()?;
    surfaces(server, &request.client).iter().filter_map(|surface| (surface.domain)(url)).last()
}

fn page_entry(page: &Page, name: &str, about: Option<&str>, domain: Option<&str>) -> Value {
    let mut entry = json!({
        "uri": page.uri, "name": name, "mimeType": page::MIME, "_meta": page.meta(domain),
    });
    if let Some(text) = about {
        entry["description"] = json!(text);
    }
    entry
}

/// The templates of all tools, those of the app, and those of each tool that shows a widget, by its name.
pub(super) fn templates(server: &Server, request: &Request<'_>) -> Body {
    let snapshot = server.reloader.now();
    let after = request.params.cursor.as_deref().map(cursor::decode).transpose()?;
    let mut items: Vec<Value> = Vec::new();
    if after.is_none() {
        items.extend(SURFACES.iter().filter_map(|surface| {
            let of = surface.instances.as_ref()?;
            Some(json!({
                "uriTemplate": of.uri, "name": surface.name, "description": of.description,
                "mimeType": of.mime,
            }))
        }));
        items.extend(own(server, request, true));
    }
    let mut next = None;
    let caller = request.client.transport.caller();
    let mut tools = shown_tools(server, &snapshot, after.as_deref())
        .filter(|tool| server.shows_tool(tool.name, caller))
        .peekable();
    while let Some(shown) = tools.next() {
        items.extend(templates_of(&snapshot, &shown));
        if items.len() >= server.settings.page_size && tools.peek().is_some() {
            next = Some(cursor::encode(shown.name));
            break;
        }
    }
    let mut members = json!({ "resourceTemplates": items });
    if let Some(cursor) = next {
        members["nextCursor"] = json!(cursor);
    }
    Ok(listed(server, request, &members))
}

/// A tool that shows a widget, for its instance templates.
struct ShownTool<'s> {
    name: &'s str,
    /// Its display name, and its description: its own, or else those of the widget.
    title: &'s str,
    about: Option<&'s str>,
    widget: Option<Listing<'s>>,
    tool: Option<&'s Tool>,
}

/// The tools after this name that show a widget, sorted by name.
fn shown_tools<'s>(
    server: &'s Server,
    snapshot: &'s Snapshot,
    after: Option<&str>,
) -> impl Iterator<Item = ShownTool<'s>> {
    let start = after.map_or(Bound::Unbounded, Bound::Excluded);
    let typed = server.tools.range::<str, _>((start, Bound::Unbounded));
    let mut typed = typed
        .filter(|(_, served)| served.tool.has_widget())
        .map(|(name, served)| {
            let tool = &served.tool;
            let mut widgets = tool.shown_widgets();
            let widget = widgets.find_map(|widget| snapshot.catalog.listing(&tool_name(widget)));
            let of_widget = widget.as_ref().map(|widget| widget.name);
            ShownTool {
                name,
                title: tool.title.as_deref().or(of_widget).unwrap_or(name),
                about: tool
                    .description
                    .as_deref()
                    .or_else(|| widget.as_ref().and_then(|widget| widget.description)),
                widget,
                tool: Some(tool),
            }
        })
        .peekable();
    let widgets = snapshot.catalog.list_after(after);
    let mut widgets = widgets.filter(|listing| !server.hides(listing.tool_name)).peekable();
    std::iter::from_fn(move || {
        let is_typed = match (typed.peek(), widgets.peek()) {
            (Some(typed), Some(widget)) => typed.name < widget.tool_name,
            (typed, _) => typed.is_some(),
        };
        if is_typed {
            typed.next()
        } else {
            widgets.next().map(|widget| ShownTool {
                name: widget.tool_name,
                title: widget.name,
                about: widget.description,
                widget: Some(widget),
                tool: None,
            })
        }
    })
}

/// The instance templates of one tool: those of Slack only if it has host templates.
fn templates_of(snapshot: &Snapshot, shown: &ShownTool<'_>) -> impl Iterator<Item = Value> {
    SURFACES.iter().filter_map(move |surface| {
        let of = surface.instances.as_ref()?;
        if let Some(template) = surface.template.filter(|_| of.needs_template) {
            let named = shown.tool.is_some_and(|tool| tool.names_template(surface));
            let beside = || {
                let widget = shown.widget.as_ref()?;
                snapshot.catalog.author_path(widget.path, template)
            };
            (named || beside().is_some()).then_some(())?;
        }
        Some(json!({
            "uriTemplate": of.uri.replace(NAME, shown.name),
            "name": format!("{}{}", shown.title, of.suffix),
            "description": shown.about.unwrap_or(of.description),
            "mimeType": of.mime,
        }))
    })
}

/// Changes are pushed to every stream of a client with a handshake, so nothing is stored.
pub(super) fn subscribe(request: &Request<'_>) -> Body {
    match &request.params.uri {
        Some(_) => Ok(Envelope::bare(request.id).close()),
        None => Err(RpcError::params(format!("Invalid params: {} requires uri", request.method))),
    }
}

/// The reader of a resource, for the response.
#[derive(Clone)]
struct Reader {
    id: String,
    modern: bool,
    caller: Option<Caller>,
}

impl Reader {
    fn response(&self, server: &Server, item: &Value, cache: Cache) -> String {
        result(server, &self.id, self.modern, Some(cache), &json!({ "contents": [item] }))
    }
}

pub(super) fn read(server: &Arc<Server>, request: &Request<'_>) -> Answer {
    let Some(uri) = request.params.uri.as_deref() else {
        return Answer::Now(Err(RpcError::params("resources/read requires a uri")));
    };
    let reader = Reader {
        id: request.id.to_owned(),
        modern: request.client.modern,
        caller: request.client.transport.caller().cloned(),
    };
    let ttl = server.settings.list_ttl;
    let snapshot = server.reloader.now();
    if let Some(page) = snapshot.page(uri) {
        let domain = domain(server, request);
        let domain = domain.as_deref();
        // Only content at a URI with a hash is immutable.
        let (item, ttl) = match page.uri == uri {
            true => (page.contents(domain), PAGE_TTL),
            false => (page.fixed_contents(fixed_mime(server, request), domain), ttl),
        };
        return Answer::Now(Ok(reader.response(server, &item, Cache::for_admitted(server, ttl))));
    }
    if let Some(item) = facet(&snapshot, uri) {
        return Answer::Now(Ok(reader.response(server, &item, Cache::for_admitted(server, ttl))));
    }
    read_instance(server, uri, &reader)
        .or_else(|| read_own(server, request, uri, &reader))
        .unwrap_or_else(|| Answer::Now(Err(RpcError::resource_not_found(uri, reader.modern))))
}

/// Renders an instance of a view again.
fn read_instance(server: &Arc<Server>, uri: &str, reader: &Reader) -> Option<Answer> {
    let (at, name, id) = instance::address(uri)?;
    let surface = &SURFACES[at];
    let (name, id) = (name.to_owned(), id.to_owned());
    let (server, uri) = (Arc::clone(server), uri.to_owned());
    let reader = reader.clone();
    Some(Answer::later(async move {
        let key = owned(reader.caller.as_ref(), &id);
        let found = server.store.get(EntryKind::Instance, &key).await.map_err(|error| {
            server.count_store_error("get", &error);
            RpcError::new(RpcError::INTERNAL, format!("Cannot read the view: {error}"))
        })?;
        let (shared, address) = (Arc::clone(&server), uri.clone());
        let drawn =
            server.workers.run(move |budgeted| match Kept::read(found.as_ref()?, &address)? {
                Kept::Text(text) => Some(text),
                kept => draw(&shared, &name, &id, kept, surface, budgeted),
            });
        let text = drawn.await.map_err(RpcError::undone)?;
        let text = text.ok_or_else(|| RpcError::resource_not_found(&uri, reader.modern))?;
        let mime = surface.instances.as_ref().map(|of| of.mime);
        let item = json!({ "uri": uri, "mimeType": mime, "text": text });
        Ok(reader.response(&server, &item, Cache::Private(server.settings.list_ttl)))
    }))
}

/// Reads a custom resource. Invalid variables count as a missing resource.
fn read_own(
    server: &Arc<Server>,
    request: &Request<'_>,
    uri: &str,
    reader: &Reader,
) -> Option<Answer> {
    let (served, vars) = server.resource(uri)?;
    let vars = json!(vars);
    let read = match served.input.validate(&vars) {
        Ok(()) => None,
        Err(_) => Some(served.input.read(&JsonRef::from(&vars), Reading::Lossless)?),
    };
    let (ctx, gone) = request.client.context(server, uri, None, TaskMode::Never);
    let vars = JsonRef::from(read.as_ref().unwrap_or(&vars));
    let run = running::begin(|| (served.resource.handler)(ctx.clone(), &vars));
    let (resource, server, uri) = (served.resource.clone(), Arc::clone(server), uri.to_owned());
    let reader = reader.clone();
    Some(Answer::Later(Running::new(Some(ctx), async move {
        let _gone = gone;
        let limit = server.settings.call_timeout;
        let contents = running::finish(limit, run).await.map_err(|error| {
            match error.is_not_found() {
                true => RpcError::resource_not_found(&uri, reader.modern),
                // Its template, because there are infinitely many URIs.
                false => RpcError::failed(&resource.uri, &error),
            }
        })?;
        let item = resource.item(&uri, contents);
        Ok(reader.response(&server, &item, Cache::Private(Duration::ZERO)))
    })))
}

/// An instance, rendered for one surface.
fn draw(
    server: &Server,
    name: &str,
    id: &str,
    kept: Kept<'_>,
    surface: &Surface,
    _: Budgeted,
) -> Option<String> {
    let snapshot: &Snapshot = &server.reloader.now();
    let Kept::View { tool, widget, data, template_data } = kept else { return None };
    if tool != name {
        return None;
    }
    let widget = match widget {
        Some(widget) => snapshot.widget(widget)?,
        None => server.widget_of(name, snapshot)?,
    };
    let served = server.tools.get(name).map(|served| &served.tool);
    let view = widget.render(&data).ok()?;
    let mut data = data;
    if let Value::Object(members) = &mut data {
        members.extend(template_data);
    }
    let author = |template: &'static HostTemplate| {
        author_template(snapshot, served, widget, template, &data).ok().flatten()
    };
    let mut presentation = Presentation::new(name, id, &view);
    presentation.author = Some(&author);
    presentation.images = Images::From(&server.settings.image_origins);
    let mut reply = Reply::default();
    (surface.present)(&presentation, &mut reply);
    let item = reply.content.first()?.to_value();
    Some(item["resource"]["text"].as_str()?.to_owned())
}

fn facet(snapshot: &Snapshot, uri: &str) -> Option<Value> {
    let (name, facet) = uri.strip_prefix(WIDGET)?.split_once('/')?;
    let facet = FACETS.iter().find(|known| known.name == facet)?;
    // By its own name, to which access rules apply.
    let widget = snapshot.catalog.get(name).filter(|widget| widget.tool_name() == name)?;
    // Some parts are read from the widget's file.
    budget::blocking().ok()?;
    let text = (facet.read)(widget)?;
    Some(json!({ "uri": uri, "mimeType": facet.mime, "text": text }))
}

#[cfg(test)]
mod tests {
    use super::instance_template;

    #[test]
    fn templates_of_one_tool_and_of_all() {
        assert_eq!(instance_template("ui://widgets/{name}/{instance_id}"), Some(None));
        assert_eq!(instance_template("ui://widgets/order/{instance_id}"), Some(Some("order")));
        assert_eq!(instance_template("slack://blocks/order/{instance_id}"), Some(Some("order")));
        assert_eq!(instance_template("ui://widgets/order/7"), None);
        assert_eq!(instance_template("shop://{id}"), None);
    }
}
