//! Sets of surfaces.

use std::sync::LazyLock;

use serde_json::Value;
use widgetcast_core::surface::Client;
use widgetcast_core::{SURFACES, Surface};

/// A bit set of surfaces, in the order of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SurfaceSet(u16);

impl SurfaceSet {
    /// Those that were requested, and those that are part of every result.
    pub(super) fn of(asked: &[&'static Surface]) -> Self {
        Self::filter(|surface| {
            surface.is_in_every_result || asked.iter().any(|asked| asked.name == surface.name)
        })
    }

    /// Those for a client.
    pub(super) fn of_client(name: Option<&str>, capabilities: Option<&Value>) -> Self {
        let client = Client { name, capabilities };
        Self::filter(|surface| (surface.wants)(&client))
    }

    fn filter(wanted: impl Fn(&Surface) -> bool) -> Self {
        const { assert!(SURFACES.len() <= 16) };
        let bits = SURFACES.iter().enumerate().map(|(at, one)| u16::from(wanted(one)) << at);
        Self(bits.sum())
    }

    /// The index of the most specific surface: the last one that not every client gets, or else the last one.
    pub(crate) fn main(self) -> usize {
        let bits = match self.special() {
            0 => self.0,
            special => special,
        };
        bits.checked_ilog2().unwrap_or_default() as usize
    }

    /// Whether it contains any that not every client gets.
    pub(super) fn is_of_a_host(self) -> bool {
        self.special() != 0
    }

    fn special(self) -> u16 {
        static OF_ALL: LazyLock<SurfaceSet> = LazyLock::new(|| SurfaceSet::of_client(None, None));
        self.0 & !OF_ALL.0
    }

    pub(super) fn bits(self) -> u16 {
        self.0
    }

    pub(super) fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = &'static Surface> {
        let wanted = move |(at, _): &(usize, _)| self.0 >> at & 1 != 0;
        SURFACES.iter().enumerate().filter(wanted).map(|(_, surface)| surface)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_main_surface_is_the_hosts_own() {
        let main = |names: &[&str]| {
            let asked: Vec<_> = names.iter().filter_map(|name| Surface::find(name)).collect();
            assert_eq!(asked.len(), names.len());
            SURFACES[SurfaceSet::of(&asked).main()].name
        };
        assert_eq!(main(&[]), "text");
        assert_eq!(main(&["mcp-apps"]), "mcp-apps");
        assert_eq!(main(&["chatkit", "mcp-apps"]), "chatkit");
        assert_eq!(main(&["chatgpt", "mcp-apps"]), "chatgpt");
        assert_eq!(main(&["slack-work-object", "slack-blocks"]), "slack-blocks");
    }
}
