//! Payloads: how text, base64 and JSON are taken out of a result, within bounds.
//!
//! Bounds are tested before the work they bound: size before decoding, depth before parsing.

use std::borrow::Cow;

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde_json::Value;
use widgetcast_engine::budget;
use widgetcast_engine::json::text_depth;

use super::reason::Reason;

/// Maximum encoded size of one payload.
pub(super) const BYTES: usize = 4 << 20;

/// The most objects and lists inside each other.
const DEPTH: usize = 100;

const TOO_LARGE: &str = "the payload is larger than 4 MiB";
const TOO_MUCH: &str = "the payloads are too large together";
const TOO_DEEP: &str = "the payload is nested deeper than 100 levels";

/// As lenient as a browser's `atob`, so that both languages read the same.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireNone),
);

/// Whether a text is within the bound, and all of them together within the budget.
pub(super) fn fits(text: &str, at: &str) -> Result<(), Reason> {
    if text.len() > BYTES {
        return Err(Reason::new(at, TOO_LARGE));
    }
    budget::bytes(text.len()).map_err(|_| Reason::new(at, TOO_MUCH))
}

/// The text of a resource, from `text` or `blob`, and where it was.
pub(super) fn text<'a>(resource: &'a Value, at: &str) -> Result<(Cow<'a, str>, String), Reason> {
    if let Some(text) = filled(resource, "text") {
        let at = format!("{at}/text");
        fits(text, &at)?;
        return Ok((text.into(), at));
    }
    let blob = filled(resource, "blob")
        .ok_or_else(|| Reason::new(at, "the resource has neither text nor blob"))?;
    let at = format!("{at}/blob");
    match String::from_utf8(base64(blob, &at)?) {
        Ok(text) => Ok((text.into(), at)),
        Err(_) => Err(Reason::new(at, "the blob is not UTF-8")),
    }
}

/// A member that is a text and not empty.
pub(super) fn filled<'a>(resource: &'a Value, name: &str) -> Option<&'a str> {
    resource.get(name).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// The bytes of base64 in either alphabet, padded or not, with or without line breaks.
pub(super) fn base64(text: &str, at: &str) -> Result<Vec<u8>, Reason> {
    fits(text, at)?;
    let wrong = || Reason::new(at, "the base64 is invalid or empty");
    let visible = text.bytes().filter(|byte| !byte.is_ascii_whitespace());
    let mut plain: Vec<u8> = visible
        .map(|byte| match byte {
            b'-' => b'+',
            b'_' => b'/',
            other => other,
        })
        .collect();
    while plain.last() == Some(&b'=') {
        plain.pop();
    }
    if plain.is_empty() {
        return Err(wrong());
    }
    BASE64.decode(plain).map_err(|_| wrong())
}

/// The JSON object that a text holds.
pub(super) fn object(text: &str, at: &str) -> Result<Value, Reason> {
    if text_depth(text) > DEPTH {
        return Err(Reason::new(at, TOO_DEEP));
    }
    match serde_json::from_str(text) {
        Ok(object @ Value::Object(_)) => Ok(object),
        Ok(_) => Err(Reason::new(at, "the payload is not an object")),
        Err(_) => Err(Reason::new(at, "the payload is not JSON")),
    }
}

/// Whether a value that came parsed is within the bounds.
pub(super) fn bounded(value: &Value, at: &str) -> Result<(), Reason> {
    let mut left = BYTES;
    spend(value, DEPTH, &mut left).map_err(|message| Reason::new(at, message))
}

/// Takes the value's size off `left`: its texts and keys in bytes, and one for each value. The
/// length as JSON would not do: languages write numbers differently.
fn spend(value: &Value, depth: usize, left: &mut usize) -> Result<(), &'static str> {
    let mut take = |bytes: usize| match left.checked_sub(bytes) {
        Some(rest) => {
            *left = rest;
            Ok(())
        }
        None => Err(TOO_LARGE),
    };
    take(1)?;
    match value {
        Value::String(text) => take(text.len()),
        Value::Array(_) | Value::Object(_) if depth == 0 => Err(TOO_DEEP),
        Value::Array(items) => items.iter().try_for_each(|item| spend(item, depth - 1, left)),
        Value::Object(members) => members.iter().try_for_each(|(key, value)| {
            *left = left.checked_sub(key.len()).ok_or(TOO_LARGE)?;
            spend(value, depth - 1, left)
        }),
        _ => Ok(()),
    }
}
