//! The products that show views, as far as they differ within a surface. `hosts.json` has the facts.

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value;

use super::Surface;

/// A product that shows views.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[non_exhaustive]
pub struct Host {
    /// Its name in flags.
    pub id: String,
    /// Its display name.
    pub label: String,
    /// The name of the surface by which it shows views.
    surface: String,
    /// How it shows pages; empty if it shows none.
    #[serde(default)]
    pub modes: Vec<String>,
    /// The width of a view in pixels, if known.
    pub width: Option<u32>,
    /// The maximum height of a view in pixels, if known.
    pub max_height: Option<u32>,
    /// What its views cannot do.
    #[serde(default)]
    pub lacks: Vec<Ability>,
    /// Whether it has an app directory with requirements.
    #[serde(default)]
    pub directory: bool,
    /// How the gallery draws it. Only its page reads this.
    #[serde(default)]
    look: Value,
}

/// What a view may request from its host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Ability {
    /// To call a tool.
    Call,
    /// To send a message to the chat.
    Message,
    /// To update the model's context.
    Context,
    /// To save a file.
    Download,
}

/// All known products.
static HOSTS: LazyLock<Vec<Host>> =
    LazyLock::new(|| serde_json::from_str(include_str!("hosts.json")).unwrap_or_default());

impl Host {
    /// Every product that is known.
    ///
    /// ```
    /// use widgetcast_core::surface::{Ability, Host};
    /// let goose = Host::find("goose").expect("it is known");
    /// assert_eq!(goose.surface().name, "mcp-apps");
    /// assert!(goose.lacks.contains(&Ability::Call));
    /// ```
    pub fn all() -> &'static [Host] {
        &HOSTS
    }

    /// The product with this name.
    pub fn find(id: &str) -> Option<&'static Host> {
        HOSTS.iter().find(|host| host.id == id)
    }

    /// The surface with which it shows views.
    pub fn surface(&self) -> &'static Surface {
        Surface::find(&self.surface).unwrap_or(&super::text::SURFACE)
    }

    /// Whether its views can do at least one of these.
    pub fn can_any(&self, abilities: &[Ability]) -> bool {
        abilities.iter().any(|ability| !self.lacks.contains(ability))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_names_a_surface_once() {
        assert!(Host::all().len() >= 17, "the table is read");
        for (index, host) in Host::all().iter().enumerate() {
            assert!(Surface::find(&host.surface).is_some(), "{}", host.id);
            assert!(Host::all()[..index].iter().all(|other| other.id != host.id), "{}", host.id);
        }
    }
}
