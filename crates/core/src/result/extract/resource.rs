//! Embedded resources: which format one is, by its type and its URI, and what it holds.

use serde_json::Value;

use crate::surface::chatgpt::SKYBRIDGE;
use crate::surface::chatkit::MIME as WIDGET;
use crate::surface::page::PROFILE as APP_PROFILE;
pub(super) use crate::surface::page::SCHEME as UI;
use crate::surface::slack::{
    self, BLOCKS_MIME as BLOCKS, BLOCKS_URI, WORK_OBJECT_MIME as WORK_OBJECT, WORK_OBJECT_URI,
};

use super::collector::Collector;
use super::member::{member, text_member};
use super::part::Part;
use super::payload;
use super::reason::Reason;

/// The type of an mcp-ui resource that is a URL.
pub const URI_LIST_MIME: &str = "text/uri-list";
/// The prefix of the type of an mcp-ui resource that is a script; servers append `+javascript` and a
/// framework or, in older versions, a flavor.
pub const REMOTE_DOM_MIME: &str = "application/vnd.mcp-ui.remote-dom";

enum Format {
    Widget,
    Blocks,
    WorkObject,
    App,
    Skybridge,
    McpUi,
    Html,
    Markdown,
    Image,
    Other,
}

impl Format {
    /// The format, or which member of the resource rules it out and why.
    fn of(mime: &str, uri: &str) -> Result<Self, (&'static str, String)> {
        let under = |prefix: &str, format| match uri.starts_with(prefix) {
            true => Ok(format),
            false => Err(("uri", format!("the uri does not start with {prefix}"))),
        };
        // Hosts compare this one to the letter.
        if mime == WIDGET {
            return under(UI, Format::Widget);
        }
        let mime = mime.to_ascii_lowercase();
        let mut pieces = mime.split(';').map(str::trim_ascii);
        let kind = pieces.next().unwrap_or_default();
        let is_ui = uri.starts_with(UI);
        match kind {
            BLOCKS => under(BLOCKS_URI, Format::Blocks),
            WORK_OBJECT => under(WORK_OBJECT_URI, Format::WorkObject),
            "text/html" if pieces.any(|piece| piece.replace('"', "") == APP_PROFILE) => {
                under(UI, Format::App)
            }
            SKYBRIDGE => under(UI, Format::Skybridge),
            "text/html" | URI_LIST_MIME if is_ui => Ok(Format::McpUi),
            kind if kind.starts_with(REMOTE_DOM_MIME) => under(UI, Format::McpUi),
            "text/html" => Ok(Format::Html),
            "text/markdown" => Ok(Format::Markdown),
            kind if kind.starts_with("image/") => Ok(Format::Image),
            _ if is_ui || uri.starts_with(slack::SCHEME) => {
                Err(("mimeType", "unknown mimeType".into()))
            }
            _ => Ok(Format::Other),
        }
    }
}

/// Reads a resource that lies at a place of the result.
pub(super) fn read(
    collector: &mut Collector<'_>,
    resource: &Value,
    at: &str,
) -> Result<Part, Reason> {
    let uri = text_member(resource, &["uri"])
        .ok_or_else(|| Reason::new(at, "the resource has no uri"))?
        .to_owned();
    let mime = text_member(resource, &["mimeType", "mime_type"]);
    let format = Format::of(mime.unwrap_or_default(), &uri)
        .map_err(|(name, message)| Reason::new(format!("{at}/{name}"), message))?;
    let mime = mime.map(str::to_owned);
    let blob = payload::filled(resource, "blob");
    match (format, blob) {
        (Format::Image, Some(blob)) => {
            payload::base64(blob, &format!("{at}/blob"))?;
            let (mime, data) = (mime.unwrap_or_default(), blob.to_owned());
            Ok(Part::Image { uri: Some(uri), mime, data })
        }
        (Format::Other, Some(blob)) if payload::filled(resource, "text").is_none() => {
            payload::fits(blob, &format!("{at}/blob"))?;
            Ok(Part::Resource { uri, mime, text: None, blob: Some(blob.to_owned()) })
        }
        (format, _) => textual(collector, &format, uri, mime, resource, at),
    }
}

/// A resource whose content is a text, even where it comes as a blob.
fn textual(
    collector: &mut Collector<'_>,
    format: &Format,
    uri: String,
    mime: Option<String>,
    resource: &Value,
    at: &str,
) -> Result<Part, Reason> {
    let (text, text_at) = payload::text(resource, at)?;
    let named = mime.clone().unwrap_or_default();
    Ok(match format {
        Format::Widget => {
            let mut payload = payload::object(&text, &text_at)?;
            let within = format!("{text_at}#");
            let copy_text = collector.copy_text(&payload, &within);
            let widget = take(&mut payload, "widget")
                .ok_or_else(|| Reason::new(&within, "the payload has no widget"))?;
            collector.tree(&widget, &format!("{within}/widget"))?;
            Part::ChatkitWidget { uri, widget, copy_text }
        }
        Format::Blocks => {
            let mut payload = payload::object(&text, &text_at)?;
            let blocks = blocks(take(&mut payload, "blocks"), &format!("{text_at}#/blocks"))?;
            Part::SlackBlocks { uri: Some(uri), blocks }
        }
        Format::WorkObject => {
            let mut payload = payload::object(&text, &text_at)?;
            let event_type = text_member(&payload, &["event_type"]).map(str::to_owned);
            match take(&mut payload, "entity") {
                Some(entity @ Value::Object(_)) => {
                    Part::SlackWorkObject { uri, event_type, entity }
                }
                _ => {
                    let at = format!("{text_at}#/entity");
                    return Err(Reason::new(at, "the entity is not an object"));
                }
            }
        }
        Format::App => {
            let meta = own_meta(collector, resource, at);
            Part::McpApp { uri, mime, html: Some(text.into()), meta }
        }
        Format::Skybridge => {
            let meta = own_meta(collector, resource, at);
            Part::Skybridge { uri, mime, html: Some(text.into()), meta }
        }
        Format::McpUi => {
            let text = match named.to_ascii_lowercase().starts_with(URI_LIST_MIME) {
                true => first_address(&text, &text_at)?,
                false => text.into(),
            };
            Part::McpUi { uri, mime: named, text, meta: own_meta(collector, resource, at) }
        }
        Format::Html => Part::Html { uri, mime: named, text: text.into() },
        Format::Markdown => Part::Markdown { uri, mime: named, text: text.into() },
        Format::Image | Format::Other => {
            Part::Resource { uri, mime, text: Some(text.into()), blob: None }
        }
    })
}

/// A member of an object, moved out; null counts as absent.
fn take(of: &mut Value, name: &str) -> Option<Value> {
    of.get_mut(name).map(Value::take).filter(|value| !value.is_null())
}

/// A list of blocks with at least one in it.
pub(super) fn blocks(value: Option<Value>, at: &str) -> Result<Vec<Value>, Reason> {
    match value {
        Some(Value::Array(blocks)) if !blocks.is_empty() => Ok(blocks),
        _ => Err(Reason::new(at, "blocks is not a list with a block in it")),
    }
}

/// The metadata of a resource. The page can be shown without it, with stricter defaults.
fn own_meta(collector: &mut Collector<'_>, resource: &Value, at: &str) -> Option<Value> {
    let (name, meta) = member(resource, &["_meta", "meta"])?;
    match payload::bounded(meta, &format!("{at}/{name}")) {
        Ok(()) => Some(meta.clone()),
        Err(reason) => {
            collector.reason(reason);
            None
        }
    }
}

/// The one address of a list that mcp-ui hosts open.
fn first_address(list: &str, at: &str) -> Result<String, Reason> {
    let is_web = |line: &&str| {
        let line = line.to_ascii_lowercase();
        line.starts_with("https://") || line.starts_with("http://")
    };
    match list.split('\n').map(str::trim_ascii).find(is_web) {
        Some(address) => Ok(address.to_owned()),
        None => Err(Reason::new(at, "the list has no http or https URL")),
    }
}
