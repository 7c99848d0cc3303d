//! Resources: pages, what is known about each widget, instances of views, and the app's own.

use std::sync::Arc;

use serde_json::{Value, json};
use widgetcast_core::surface::{chatgpt, chatkit, mcp_apps, slack};
use widgetcast_core::{Showing, Surface, Widget};

use super::tools::decode;
use super::{Answer, Body, Fault, META_SERVER, Request, listed, surfaces};
use crate::app::Inner;
use crate::live::Snapshot;
use crate::resource::vars;
use crate::store::Instance;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// What can be read about a widget: the end of its name, its type, and how to get it.
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
        about: "The template that draws it",
        read: |widget| Some(widget.template_text().to_owned()),
    },
    Facet {
        name: "encoded",
        mime: "text/plain",
        about: "The widget as ChatKit Studio opens it",
        read: |widget| widget.encoded(),
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
        about: "What it looks like with sample data",
        read: |widget| {
            let drawn = || widget.render(&widget.sample()).ok().map(|view| view.json().to_owned());
            widget.preview().map(|tree| tree.to_string()).or_else(drawn)
        },
    },
];

/// Addresses of what is known about widgets.
const WIDGET: &str = "widget://";
/// Templates for instances: the address, what it is, its type, the surface that writes it.
const INSTANCES: [(&str, &str, &str, &str); 3] = [
    (
        "ui://widgets/{name}/{instance_id}",
        "A drawn widget, as ChatKit shows it",
        chatkit::MIME,
        "chatkit",
    ),
    (
        "slack://blocks/{name}/{instance_id}",
        "A drawn widget, as Slack blocks",
        slack::BLOCKS_MIME,
        "slack-blocks",
    ),
    (
        "slack://work-objects/{name}/{instance_id}",
        "A drawn widget, as a Slack Work Object",
        slack::WORK_OBJECT_MIME,
        "slack-work-object",
    ),
];

/// How long a host may keep a page: its address changes with its content.
const PAGE_TTL_MS: u64 = 86_400_000;

pub(super) fn list(app: &Inner, request: &Request<'_>) -> Body {
    let snapshot = app.live.now();
    let after = request.params.cursor.as_deref().map(decode).transpose()?;
    let size = app.settings.page_size;
    let mut items: Vec<Value> = Vec::new();
    if after.is_none() {
        items.push(page_entry(&snapshot.view, "View", Some("Draws the widgets of this server")));
        for page in &app.pages {
            let Some(loaded) = snapshot.pages.get(&page.name) else { continue };
            let entry = page_entry(loaded, page.shown_name(), loaded.description.as_deref());
            items.extend(loaded.fixed.as_ref().map(|address| {
                let mut fixed = entry.clone();
                fixed["uri"] = json!(address);
                fixed["mimeType"] = json!(fixed_mime(app, request));
                fixed
            }));
            items.push(entry);
        }
        let fixed = app.resources.iter().filter(|resource| !resource.is_template());
        items.extend(fixed.map(|resource| resource.to_json()));
    }
    // The pages and the app's own come with the first widgets; a page ends after a whole widget.
    let mut next = None;
    let mut listings = snapshot.catalog.list_after(after.as_deref()).peekable();
    while let Some(listing) = listings.next() {
        for facet in FACETS.iter().filter(|facet| facet.name != "encoded" || listing.is_encoded) {
            items.push(json!({
                "uri": format!("{WIDGET}{}/{}", listing.tool_name, facet.name),
                "name": format!("{}_{}", listing.tool_name, facet.name),
                "title": format!("{}: {}", listing.name, facet.name),
                "description": facet.about,
                "mimeType": facet.mime,
            }));
        }
        if items.len() >= size && listings.peek().is_some() {
            next = Some(URL_SAFE_NO_PAD.encode(listing.tool_name));
            break;
        }
    }
    Ok(listed(app, request.peer.modern, "resources", &items, next))
}

/// The type of a page at its fixed address: hosts from before MCP Apps know another one.
fn fixed_mime(app: &Inner, request: &Request<'_>) -> &'static str {
    let mut surfaces = surfaces(app, &request.peer).iter();
    let is_older = surfaces.any(|surface| surface.name == chatgpt::SURFACE.name);
    if is_older { chatgpt::SKYBRIDGE } else { mcp_apps::MIME }
}

fn page_entry(page: &mcp_apps::Page, name: &str, about: Option<&str>) -> Value {
    let mut entry = json!({
        "uri": page.uri, "name": name, "mimeType": mcp_apps::MIME, "_meta": { "ui": page.ui_meta() },
    });
    if let Some(text) = about {
        entry["description"] = json!(text);
    }
    entry
}

pub(super) fn templates(app: &Inner, request: &Request<'_>) -> Body {
    let instances = INSTANCES.iter().map(|(uri, about, mime, name)| {
        json!({ "uriTemplate": uri, "name": name, "description": about, "mimeType": mime })
    });
    let own = app.resources.iter().filter(|resource| resource.is_template());
    let items: Vec<Value> = instances.chain(own.map(|resource| resource.to_json())).collect();
    Ok(listed(app, request.peer.modern, "resourceTemplates", &items, None))
}

pub(super) fn read(app: &Arc<Inner>, request: &Request<'_>) -> Answer {
    let Some(uri) = request.params.uri.as_deref() else {
        return Answer::Now(Err(Fault::params("resources/read needs a uri")));
    };
    let modern = request.peer.modern;
    let snapshot = app.live.now();
    if let Some(page) = snapshot.page(uri) {
        // Only what is in an address with a hash never changes.
        let (item, ttl) = match page.uri == uri {
            true => (page.contents(), PAGE_TTL_MS),
            false => (page.fixed_contents(fixed_mime(app, request)), app.settings.list_ttl_ms),
        };
        return Answer::Now(Ok(contents(app, modern, &item, ttl, "public")));
    }
    if let Some(item) = facet(&snapshot, uri) {
        return Answer::Now(Ok(contents(app, modern, &item, app.settings.list_ttl_ms, "public")));
    }
    for (template, _, mime, surface) in INSTANCES {
        if let Some(mut vars) = vars(template, uri) {
            let (name, id) = (vars.remove("name"), vars.remove("instance_id"));
            let (name, id) = (name.unwrap_or_default(), id.unwrap_or_default());
            let (app, uri) = (Arc::clone(app), uri.to_owned());
            return Answer::Later(Box::pin(async move {
                let found = app.store.get(&id).await.filter(|found| *found.tool == *name);
                let text = found.and_then(|found| draw(&app, &name, &id, &found, surface));
                let text = text.ok_or_else(|| not_found(&uri, modern))?;
                let item = json!({ "uri": uri, "mimeType": mime, "text": text });
                Ok(contents(&app, modern, &item, app.settings.list_ttl_ms, "private"))
            }));
        }
    }
    for (index, resource) in app.resources.iter().enumerate() {
        if let Some(vars) = resource.matches(uri) {
            let (app, uri) = (Arc::clone(app), uri.to_owned());
            return Answer::Later(Box::pin(async move {
                let Some(resource) = app.resources.get(index) else {
                    return Err(not_found(&uri, modern));
                };
                let item = resource.read(&uri, vars).await;
                let item = item.map_err(|error| Fault::new(Fault::INTERNAL, error.to_string()))?;
                Ok(contents(&app, modern, &item, 0, "private"))
            }));
        }
    }
    Answer::Now(Err(not_found(uri, modern)))
}

/// Draws an instance again, as one surface shows it.
fn draw(app: &Inner, name: &str, id: &str, found: &Instance, surface: &str) -> Option<String> {
    let snapshot: &Snapshot = &app.live.now();
    let widget = app.widget_of(name, snapshot)?;
    let data = serde_json::from_str(&found.data).ok()?;
    let view = widget.render(&data).ok()?;
    let blocks = snapshot.catalog.own_blocks(widget, &data).ok().flatten();
    let entity = snapshot.catalog.own_work_object(widget, &data).ok().flatten();
    let mut showing = Showing::new(name, id, &view);
    showing.blocks = blocks.as_deref();
    showing.entity = entity.as_ref();
    let mut reply = widgetcast_core::Reply::default();
    (Surface::find(surface)?.present)(&showing, &mut reply);
    let item = reply.content.first()?.to_value();
    Some(item["resource"]["text"].as_str()?.to_owned())
}

fn facet(snapshot: &Snapshot, uri: &str) -> Option<Value> {
    let (name, facet) = uri.strip_prefix(WIDGET)?.split_once('/')?;
    let facet = FACETS.iter().find(|known| known.name == facet)?;
    let text = (facet.read)(snapshot.catalog.get(name)?)?;
    Some(json!({ "uri": uri, "mimeType": facet.mime, "text": text }))
}

fn not_found(uri: &str, modern: bool) -> Fault {
    let code = if modern { Fault::PARAMS } else { Fault::RESOURCE };
    Fault { code, message: format!("Resource not found: {uri}"), data: Some(json!({ "uri": uri })) }
}

fn contents(app: &Inner, modern: bool, item: &Value, ttl: u64, scope: &str) -> String {
    let mut out = json!({ "contents": [item] });
    if modern {
        out["resultType"] = json!("complete");
        out["ttlMs"] = json!(ttl);
        out["cacheScope"] = json!(scope);
        out["_meta"] = json!({ META_SERVER: app.server_info.to_value() });
    }
    out.to_string()
}
