//! Images, audio and files in the content of a result.

use serde_json::{Value, json};

use super::text::{clip, is_link, link, size};

/// Maximum characters of each text about a file.
const MAX_TEXT: usize = 200;

/// Maximum bytes of an image next to other data.
const MAX_INLINE: usize = 256 << 10;

/// A content block other than text.
pub(super) struct Media<'v> {
    /// The file name; empty if unknown.
    name: &'v str,
    description: &'v str,
    uri: &'v str,
    mime: &'v str,
    /// The size of the file, if known.
    bytes: Option<u64>,
    /// The content in base64, if included.
    base64: Option<&'v str>,
}

impl<'v> Media<'v> {
    /// The content of a block, unless it is text.
    pub(super) fn of(block: &'v Value) -> Option<Self> {
        let (file, base64) = match block["type"].as_str()? {
            "image" | "audio" => (block, block["data"].as_str()),
            "resource" if resource_text(&block["resource"]).is_some() => return None,
            "resource" => (&block["resource"], block["resource"]["blob"].as_str()),
            "resource_link" => (block, None),
            _ => return None,
        };
        let text = |key: &str| file[key].as_str().map(str::trim).unwrap_or_default();
        let decoded = base64.map(|data| data.len() / 4 * 3);
        let bytes = decoded.or(file["text"].as_str().map(str::len)).map(|bytes| bytes as u64);
        Some(Self {
            name: if text("title").is_empty() { text("name") } else { text("title") },
            description: text("description"),
            uri: text("uri"),
            mime: text("mimeType"),
            bytes: file["size"].as_u64().or(bytes),
            base64,
        })
    }

    /// The image, or the metadata of the file. `room` is the number of bytes left for images.
    pub(super) fn component(&self, room: &mut usize) -> Value {
        match self.base64.filter(|data| self.is_picture(data) && data.len() <= *room) {
            Some(data) => {
                *room -= data.len();
                let src = format!("data:{};base64,{data}", self.mime);
                // All known metadata, for hosts that cannot show the image.
                let alt = clip(&joined(&[self.label(), &self.kind()]), MAX_TEXT);
                let image = json!({"type": "Image", "src": src, "alt": alt, "width": "auto"});
                // In its own size; a single image would otherwise be as wide as the card.
                json!({"type": "Col", "align": "start", "children": [image]})
            }
            None => self.file(),
        }
    }

    fn is_picture(&self, data: &str) -> bool {
        let kinds = ["png", "jpeg", "gif", "webp", "avif", "svg+xml"];
        let is_base64 = |b: u8| b.is_ascii_alphanumeric() || b"+/=".contains(&b);
        let kind = self.mime.strip_prefix("image/");
        kind.is_some_and(|kind| kinds.contains(&kind)) && data.bytes().all(is_base64)
    }

    /// The name, or else the URL.
    fn label(&self) -> &'v str {
        if self.name.is_empty() { self.uri } else { self.name }
    }

    /// The type and the size.
    fn kind(&self) -> String {
        joined(&[self.mime, &self.bytes.map(size).unwrap_or_default()])
    }

    fn file(&self) -> Value {
        let is_link = is_link(self.uri);
        let name =
            json!({"type": "Text", "value": clip(self.label(), MAX_TEXT), "weight": "medium"});
        let name = if is_link { link(self.label(), self.uri, MAX_TEXT) } else { name };
        let uri = if is_link || self.name.is_empty() { "" } else { self.uri };
        let caption = |text: &str| json!({"type": "Caption", "value": clip(text, MAX_TEXT)});
        let below = [self.description, uri, &self.kind()];
        let below = below.into_iter().filter(|text| !text.is_empty()).map(caption);
        let name = (!self.label().is_empty()).then_some(name);
        json!({"type": "Col", "children": Vec::from_iter(name.into_iter().chain(below))})
    }
}

/// The image in a `data:` URL.
pub(super) fn inline(text: &str) -> Option<Value> {
    let (mime, data) = text.strip_prefix("data:")?.split_once(";base64,")?;
    let block = json!({"type": "image", "mimeType": mime, "data": data});
    let picture = Media::of(&block).filter(|picture| picture.is_picture(data))?;
    Some(picture.component(&mut { MAX_INLINE }))
}

/// The text of a resource that users can read directly; a web page is a file.
pub(super) fn resource_text(resource: &Value) -> Option<&str> {
    let is_page = resource["mimeType"].as_str().is_some_and(|mime| mime.starts_with("text/html"));
    resource["text"].as_str().filter(|_| !is_page)
}

/// Joins the texts that are not empty.
fn joined(texts: &[&str]) -> String {
    let texts: Vec<&str> = texts.iter().copied().filter(|text| !text.is_empty()).collect();
    texts.join(" · ")
}
