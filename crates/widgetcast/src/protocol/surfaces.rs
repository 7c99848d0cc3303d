//! Which surfaces a result is for: decided for each request alone, never from session state.

use widgetcast_core::surface::Client;
use widgetcast_core::{JsonRef, SURFACES, Surface};

use super::request::ClientContext;
use crate::server::Server;

/// Some of the surfaces, in the order of the table: a bit for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SurfaceSet(u16);

impl SurfaceSet {
    /// Those that were asked for, and those that are part of every result.
    fn of(asked: &[&'static Surface]) -> Self {
        Self::filter(|surface| {
            surface.is_in_every_result || asked.iter().any(|asked| asked.name == surface.name)
        })
    }

    fn filter(wanted: impl Fn(&Surface) -> bool) -> Self {
        const { assert!(SURFACES.len() <= 16) };
        let bits = SURFACES.iter().enumerate().map(|(at, one)| u16::from(wanted(one)) << at);
        Self(bits.sum())
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = &'static Surface> {
        let wanted = move |(at, _): &(usize, _)| self.0 >> at & 1 != 0;
        SURFACES.iter().enumerate().filter(wanted).map(|(_, surface)| surface)
    }
}

/// The surfaces of the address, else those of the settings, else those that want this client.
pub(crate) fn surfaces(server: &Server, client: &ClientContext<'_>) -> SurfaceSet {
    if let Some(asked) = client.surfaces.or(server.surfaces.as_deref()) {
        return SurfaceSet::of(asked);
    }
    // Most clients have no extensions, which are all that a surface looks at.
    let capabilities = client.capabilities.filter(|given| given.get("extensions").is_some());
    let capabilities = capabilities.map(JsonRef::to_value);
    let client =
        Client { name: client.name.map(|client| client.name), capabilities: capabilities.as_ref() };
    SurfaceSet::filter(|surface| (surface.wants)(&client))
}

/// The surfaces of a query or a flag, such as `chatkit,slack-blocks`.
pub(crate) fn parse(names: &str) -> Result<Vec<&'static Surface>, String> {
    let find =
        |name: &str| Surface::find(name).ok_or_else(|| format!("there is no surface {name:?}"));
    names.split(',').map(str::trim).filter(|name| !name.is_empty()).map(find).collect()
}
