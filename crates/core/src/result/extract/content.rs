//! Content items: what each kind of them holds.

use serde_json::Value;

use super::collector::Collector;
use super::member::{member, text_member};
use super::part::Part;
use super::reason::Reason;
use super::{payload, resource};

impl<'a> Collector<'a> {
    /// Takes all items of a content list.
    pub(super) fn content(&mut self, items: &'a [Value], at: &str) {
        for (index, item) in items.iter().enumerate() {
            if let Err(reason) = self.item(item, &format!("{at}/{index}")) {
                self.reason(reason);
            }
        }
    }

    fn item(&mut self, item: &'a Value, at: &str) -> Result<(), Reason> {
        let part = match item.get("type").and_then(Value::as_str) {
            Some("text") => {
                let text = item.get("text").and_then(Value::as_str);
                let text = text.ok_or_else(|| Reason::new(at, "the text item has no text"))?;
                payload::fits(text, &format!("{at}/text"))?;
                self.texts.extend(Some(text).filter(|text| !text.is_empty()));
                return Ok(());
            }
            Some("image") => {
                let (mime, data) = media(item, "image/", at)?;
                Part::Image { uri: None, mime, data }
            }
            Some("audio") => {
                let (mime, data) = media(item, "audio/", at)?;
                Part::Audio { mime, data }
            }
            Some("resource") => {
                let at = format!("{at}/resource");
                match item.get("resource") {
                    Some(resource @ Value::Object(_)) => resource::read(self, resource, &at)?,
                    _ => return Err(Reason::new(at, "the resource is not an object")),
                }
            }
            Some("resource_link") => link(item, at)?,
            _ => return Err(Reason::new(at, "the content item has no known type")),
        };
        self.parts.push(part);
        Ok(())
    }

    /// The error of a JSON-RPC response, which has no result; whether there is one.
    pub(super) fn failure(&mut self, body: &'a Value) -> bool {
        let Some((_, error @ Value::Object(_))) = member(body, &["error"]) else { return false };
        self.texts.extend(text_member(error, &["message"]));
        true
    }
}

/// The type and the base64 of an image or a sound.
fn media(item: &Value, kind: &str, at: &str) -> Result<(String, String), Reason> {
    let mime = text_member(item, &["mimeType", "mime_type"]).filter(|mime| mime.starts_with(kind));
    let mime = mime.ok_or_else(|| {
        Reason::new(format!("{at}/mimeType"), format!("the mimeType does not start with {kind}"))
    })?;
    let at = format!("{at}/data");
    let data = text_member(item, &["data"]).unwrap_or_default();
    payload::base64(data, &at)?;
    Ok((mime.to_owned(), data.to_owned()))
}

fn link(item: &Value, at: &str) -> Result<Part, Reason> {
    let field = |names: &[&'static str]| text_member(item, names).map(str::to_owned);
    let uri = field(&["uri"]).ok_or_else(|| Reason::new(at, "the resource link has no uri"))?;
    Ok(Part::ResourceLink {
        uri,
        name: field(&["name"]),
        title: field(&["title"]),
        description: field(&["description"]),
        mime: field(&["mimeType", "mime_type"]),
    })
}
