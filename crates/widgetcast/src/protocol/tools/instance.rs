//! Stored results, so that their URIs return what the result has shown.

use std::borrow::Cow;

use serde_json::{Map, Value, json};
use widgetcast_core::{Reply, SURFACES};

use super::super::params::Data;
use crate::sdk::outcome::Outcome;
use crate::sdk::store::Stored;

/// The stored tool name of results created elsewhere. No tool has such a name.
const WHOLE: &str = "/whole";

/// The key and the JSON text of a stored entry.
pub(super) struct Instance<'a> {
    pub name: Cow<'a, str>,
    pub data: Cow<'a, str>,
}

impl<'a> Instance<'a> {
    /// The data of a view: with the widget, if the result has chosen it, and with the data for host
    /// templates. Tool names contain no slash.
    pub(super) fn of_view(tool: &'a str, outcome: &Outcome, data: &'a Data<'_>) -> Self {
        let widget = outcome.widget.as_deref();
        if outcome.template_data.is_empty() {
            let name = widget.map(|widget| format!("{tool}/{widget}").into());
            return Self { name: name.unwrap_or(tool.into()), data: Cow::Borrowed(&data.text) };
        }
        let name = format!("{tool}/{}/", widget.unwrap_or_default()).into();
        let data = json!([data.given.to_value(), outcome.template_data]).to_string();
        Self { name, data: data.into() }
    }

    /// The resources of a result created elsewhere, by URI, and their common id.
    pub(super) fn of_reply(reply: &Reply) -> Option<(String, Self)> {
        let mut resources = Map::new();
        for item in &reply.content {
            let item = item.to_value();
            let resource = &item["resource"];
            if let (Some(uri), text @ Value::String(_)) =
                (resource["uri"].as_str(), &resource["text"])
                && address(uri).is_some()
            {
                resources.insert(uri.to_owned(), text.clone());
            }
        }
        let (_, _, id) = address(resources.keys().next()?)?;
        let id = id.to_owned();
        Some((id, Self { name: WHOLE.into(), data: Value::Object(resources).to_string().into() }))
    }
}

/// The index of the surface whose instances have such a URI, the tool, and the id.
pub(crate) fn address(uri: &str) -> Option<(usize, &str, &str)> {
    SURFACES.iter().enumerate().find_map(|(at, surface)| {
        let (start, _) = surface.instances.as_ref()?.uri.split_once('{')?;
        let (name, id) = uri.strip_prefix(start)?.rsplit_once('/')?;
        let is_given = |part: &str| !part.is_empty() && !part.contains(['{', '?', '#']);
        (is_given(name) && is_given(id)).then_some((at, name, id))
    })
}

/// The content of an entry.
pub(crate) enum Kept<'s> {
    /// The text at this URI.
    Text(String),
    View {
        tool: &'s str,
        widget: Option<&'s str>,
        data: Value,
        template_data: Map<String, Value>,
    },
}

impl<'s> Kept<'s> {
    pub(crate) fn read(stored: &'s Stored, uri: &str) -> Option<Self> {
        let data: Value = serde_json::from_str(&stored.data).ok()?;
        if &*stored.tool == WHOLE {
            return Some(Self::Text(data.get(uri)?.as_str()?.to_owned()));
        }
        let mut parts = stored.tool.splitn(3, '/');
        let tool = parts.next()?;
        let widget = parts.next().filter(|widget| !widget.is_empty());
        let (data, template_data) = match parts.next() {
            Some(_) => serde_json::from_value(data).ok()?,
            None => (data, Map::new()),
        };
        Some(Self::View { tool, widget, data, template_data })
    }
}
