//! `tools/list`: all tools as clients see them, in pages, sorted by name.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use widgetcast_core::{Listing, SURFACES, Served, ToolMeta, Widget, write_input_schema};

use super::super::cursor;
use super::super::envelope::{Cache, Envelope};
use super::super::request::{Body, Request};
use super::super::surfaces::{declares_views, shows_views};
use super::{find, state};
use crate::reload::Snapshot;
use crate::sdk::access::Access;
use crate::sdk::caller::Caller;
use crate::sdk::tool::{Tool, Visibility};
use crate::server::Server;

/// The member of a tool that declares its authentication.
const SECURITY: &str = "securitySchemes";

/// One page of tools.
pub(in super::super) fn list(server: &Server, request: &Request<'_>) -> Body {
    let snapshot = server.reloader.now();
    let after = request.params.cursor.as_deref().map(cursor::decode).transpose()?;
    let caller = request.client.transport.caller();
    // Tools for views only are hidden from clients without views.
    let is_for_views = |next: Listing<'_>| next.served.visibility == Visibility::App;
    let has_views = shows_views(server, &request.client)
        || !(server.has_app_tools() || snapshot.catalog.list().any(is_for_views));
    let page = |after: Option<&str>| page(server, &snapshot, after, caller, has_views).into();
    let items = match after {
        // Without hidden tools, the first page is the same for everyone, so it is written once.
        None if !server.policy.has_hidden && has_views => match &*snapshot.tools.load() {
            Some(written) if written.0 == server.number => Arc::clone(&written.1),
            _ => {
                let items: Arc<str> = page(None);
                snapshot.tools.store(Some(Arc::new((server.number, Arc::clone(&items)))));
                items
            }
        },
        after => page(after.as_deref()),
    };
    let cache = Cache::of_list(server);
    let mut out = Envelope::open(server, request.id, request.client.modern, Some(cache));
    // On the last page, for clients with views, if any tool has a view.
    let is_state =
        || find(server, &snapshot, state::NAME).is_some_and(|tool| tool.is_state(server));
    if declares_views(&request.client)
        && is_state()
        && let Some(rest) = items.strip_suffix(']').filter(|rest| rest.ends_with('}'))
    {
        let state = describe(server, &snapshot, &server.state_tool.tool, server.policy.of_state());
        out.push(&format!("{rest},{state}]"));
    } else {
        out.push(&items);
    }
    Ok(out.close())
}

/// `"tools":[…]`, optionally followed by `,"nextCursor":…`.
fn page(
    server: &Server,
    snapshot: &Snapshot,
    after: Option<&str>,
    caller: Option<&Caller>,
    has_views: bool,
) -> String {
    let entry = WidgetEntry::new(server, snapshot, &Served::default());
    let mut out = String::from(r#""tools":["#);
    // A tool of the app hides the widget of the same name, and those that it shows.
    let hidden = |next: &Listing<'_>| {
        server.hides(next.tool_name)
            || !server.shows_tool(next.tool_name, caller)
            || !has_views && next.served.visibility == Visibility::App
    };
    let mut widgets = snapshot.catalog.list_after(after).peekable();
    let mut typed = server
        .tools
        .iter()
        .skip_while(|(name, _)| after.is_some_and(|after| &***name <= after))
        .filter(|(name, _)| server.shows_tool(name, caller))
        .filter(|(_, served)| has_views || served.tool.visibility != Visibility::App)
        .peekable();
    let mut last = None;
    for index in 0..server.settings.page_size {
        while widgets.next_if(hidden).is_some() {}
        let first = match (typed.peek(), widgets.peek()) {
            (Some((name, _)), Some(next)) => &***name < next.tool_name,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => break,
        };
        if index > 0 {
            out.push(',');
        }
        if first && let Some((name, served)) = typed.next() {
            let tool = &served.tool;
            out.push_str(&describe(server, snapshot, tool, &tool.access).to_string());
            last = Some(name.to_string());
        } else if let Some(next) = widgets.next() {
            let security = server.policy.security_schemes(server.policy.widget(next.tool_name));
            let own = (*next.served != Served::default())
                .then(|| WidgetEntry::new(server, snapshot, next.served));
            own.as_ref().unwrap_or(&entry).write(snapshot, &next, security.as_ref(), &mut out);
            last = Some(next.tool_name.to_owned());
        }
    }
    out.push(']');
    while widgets.next_if(hidden).is_some() {}
    if (typed.peek().is_some() || widgets.peek().is_some())
        && let Some(last) = last
    {
        out.push_str(r#","nextCursor":""#);
        out.push_str(&cursor::encode(&last));
        out.push('"');
    }
    out
}

/// The entry of a widget that is itself a tool.
struct WidgetEntry {
    /// The hints of `annotations`, after the title.
    hints: String,
    /// The members of `_meta`, including the opening brace.
    meta: String,
}

impl WidgetEntry {
    fn new(server: &Server, snapshot: &Snapshot, served: &Served) -> Self {
        let about = ToolMeta {
            page: Some(&snapshot.view),
            has_widget: true,
            for_model: served.visibility != Visibility::App,
            for_app: served.visibility != Visibility::Model,
            explicit_visibility: server.settings.explicit_visibility,
            ..ToolMeta::default()
        };
        let mut meta = Map::new();
        SURFACES.iter().for_each(|surface| (surface.describe)(&about, &mut meta));
        let mut hints = json!({
            "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true,
            "openWorldHint": false,
        });
        for (hint, value) in &served.hints {
            hints[hint] = (*value).into();
        }
        let mut meta = Value::Object(meta).to_string();
        meta.pop();
        let hints = hints.to_string();
        Self { hints: hints[1..hints.len() - 1].to_owned(), meta }
    }

    fn write(
        &self,
        snapshot: &Snapshot,
        listing: &Listing<'_>,
        security: Option<&Value>,
        out: &mut String,
    ) {
        out.push_str(r#"{"name":""#);
        // Tool names need no escaping.
        out.push_str(listing.tool_name);
        out.push_str(r#"","title":"#);
        let title = Value::from(listing.name).to_string();
        out.push_str(&title);
        out.push_str(r#","description":"#);
        match listing.description {
            Some(text) => out.push_str(&Value::from(text).to_string()),
            None => {
                let text = format!("Shows the {} widget to the user.", listing.name);
                out.push_str(&Value::from(text).to_string());
            }
        }
        out.push_str(r#","inputSchema":"#);
        let inferred = || snapshot.catalog.get(listing.tool_name).map(Widget::schema_json);
        let schema = listing.schema_json.or_else(inferred).unwrap_or(r#"{"type":"object"}"#);
        write_input_schema(schema, listing.tool_name, out);
        let Self { hints, meta } = self;
        let (before, inside) = match security {
            // Also in `_meta`, for hosts that drop unknown members.
            Some(all) => (
                format!(r#","{SECURITY}":{all}"#),
                format!(r#"{}"{SECURITY}":{all}"#, if meta.len() > 1 { "," } else { "" }),
            ),
            None => Default::default(),
        };
        out.push_str(&format!(
            r#"{before},"annotations":{{"title":{title},{hints}}},"_meta":{meta}{inside}}}}}"#
        ));
    }
}

/// The list entry of a typed tool.
fn describe(server: &Server, snapshot: &Snapshot, tool: &Tool, access: &Access) -> Value {
    let file_params: Vec<&str> = tool.file_params.iter().map(String::as_str).collect();
    let about = ToolMeta {
        page: server.page_of(tool, snapshot),
        has_widget: tool.has_widget(),
        for_model: tool.visibility != Visibility::App,
        for_app: tool.visibility != Visibility::Model,
        invoking: tool.invoking.as_deref(),
        invoked: tool.invoked.as_deref(),
        file_params: &file_params,
        explicit_visibility: server.settings.explicit_visibility,
    };
    let mut meta = Map::new();
    SURFACES.iter().for_each(|surface| (surface.describe)(&about, &mut meta));
    meta.extend(tool.meta.clone());
    let mut out = json!({ "name": tool.name });
    for (key, text) in [("title", &tool.title), ("description", &tool.description)] {
        if let Some(text) = text {
            out[key] = json!(text);
        }
    }
    out["inputSchema"] = tool.input.clone();
    if let Some(schema) = &tool.output {
        out["outputSchema"] = schema.clone();
    }
    if let Some(schemes) = server.policy.security_schemes(access) {
        out[SECURITY] = schemes.clone();
        meta.insert(SECURITY.into(), schemes);
    } else if server.policy.has_authenticator() && !access.is_public() {
        // The tool's own declaration lacks the authentication.
        meta.remove(SECURITY);
    }
    if !tool.icons.is_empty() {
        out["icons"] = tool.icons.iter().map(|address| json!({ "src": address })).collect();
    }
    // Some hosts read the title only here.
    out["annotations"] = json!({ "title": tool.shown_name() });
    for (hint, value) in &tool.annotations {
        out["annotations"][hint] = value.clone();
    }
    out["_meta"] = Value::Object(meta);
    out
}
