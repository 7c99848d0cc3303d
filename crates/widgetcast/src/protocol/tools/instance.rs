//! What a store keeps of a result, so that its addresses read as the result has shown them.

use std::borrow::Cow;

use serde_json::{Map, Value, json};
use widgetcast_core::{Reply, SURFACES};

use super::super::params::Data;
use crate::sdk::outcome::Outcome;
use crate::sdk::store::Stored;

/// The name of the tool under which a result is kept that was made elsewhere. No tool has a name like it.
const WHOLE: &str = "/whole";

/// What is kept: under which name, and as which JSON text.
pub(super) struct Instance<'a> {
    pub name: Cow<'a, str>,
    pub data: Cow<'a, str>,
}

impl<'a> Instance<'a> {
    /// The data of a view: with the widget, if the result has chosen it, and with what only the templates
    /// of hosts see. No name of a tool has a slash.
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

    /// The resources of a result that was made elsewhere, by address, and the id that they share.
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

/// The place in the table of the surface whose instances have such an address, the tool, and the id.
pub(crate) fn address(uri: &str) -> Option<(usize, &str, &str)> {
    SURFACES.iter().enumerate().find_map(|(at, surface)| {
        let (start, _) = surface.instances.as_ref()?.uri.split_once('{')?;
        let (name, id) = uri.strip_prefix(start)?.rsplit_once('/')?;
        let is_given = |part: &str| !part.is_empty() && !part.contains(['{', '?', '#']);
        (is_given(name) && is_given(id)).then_some((at, name, id))
    })
}

/// What was kept.
pub(crate) enum Kept<'s> {
    /// The text at this address.
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
