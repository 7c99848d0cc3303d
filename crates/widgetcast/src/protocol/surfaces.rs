//! Selects the surfaces of a result, for each request separately and without process state.

use widgetcast_core::surface::mcp_apps;
use widgetcast_core::{JsonRef, SURFACES, Surface};

use super::request::ClientContext;
use super::surface_set::SurfaceSet;
use crate::server::Server;

/// The surfaces in the URL, or else in the settings, or else those for this client.
pub(crate) fn surfaces(server: &Server, client: &ClientContext<'_>) -> SurfaceSet {
    if let Some(asked) = client.surfaces.or(server.surfaces.as_deref()) {
        return SurfaceSet::of(asked);
    }
    of_client(client)
}

/// The surfaces for this client.
pub(crate) fn of_client(client: &ClientContext<'_>) -> SurfaceSet {
    if let Some(session) = client.session {
        return session.surfaces;
    }
    // Surfaces only check extensions, and most clients have none.
    let capabilities = client.capabilities.filter(|given| given.get("extensions").is_some());
    let capabilities = capabilities.map(JsonRef::to_value);
    SurfaceSet::of_client(client.name.map(|client| client.name), capabilities.as_ref())
}

/// Whether this client shows views: it declares it, is known for it, or gets a surface with views.
pub(super) fn shows_views(server: &Server, client: &ClientContext<'_>) -> bool {
    let name = client.name.map(|client| client.name);
    declares_views(client)
        || name.is_some_and(mcp_apps::shows_views_unsaid)
        || surfaces(server, client).is_of_a_host()
}

/// Whether this client declares that it shows MCP Apps views.
pub(super) fn declares_views(client: &ClientContext<'_>) -> bool {
    if let Some(session) = client.session {
        return session.shows_views;
    }
    let extensions = client.capabilities.and_then(|capabilities| capabilities.get("extensions"));
    extensions.is_some_and(|extensions| extensions.get(mcp_apps::EXTENSION).is_some())
}

/// The surfaces in a query or a flag, such as `chatkit,slack-blocks`.
pub(crate) fn parse(names: &str) -> Result<Vec<&'static Surface>, String> {
    let find = |name: &str| {
        Surface::find(name).ok_or_else(|| {
            let names: Vec<&str> = SURFACES.iter().map(|surface| surface.name).collect();
            format!("unknown surface {name:?}; available surfaces: {}", names.join(", "))
        })
    };
    names.split(',').map(str::trim).filter(|name| !name.is_empty()).map(find).collect()
}
