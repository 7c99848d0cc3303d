//! The common parts of the five display tools.

use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use widgetcast::{Ctx, Tool, Visibility};

/// Binds a tool to its page, with the annotations of all display tools: read-only, no sign-in, and not
/// callable by views.
pub(crate) fn display_tool(tool: Tool, page: &str, invoking: &str, invoked: &str) -> Tool {
    tool.page(page)
        .messages(invoking, invoked)
        .read_only()
        .idempotent()
        .open_world(false)
        .visibility(Visibility::Model)
        .meta("securitySchemes", json!([{ "type": "noauth" }]))
}

/// The user's locale, or `en` if the host does not send one.
pub(crate) fn locale(ctx: &Ctx) -> String {
    ctx.locale().unwrap_or("en").to_owned()
}

/// The current time in RFC 3339.
pub(crate) fn timestamp() -> String {
    OffsetDateTime::now_utc().format(&Rfc3339).unwrap_or_default()
}

/// An object, without `None` members.
pub(crate) fn object<const N: usize>(members: [(&str, Option<Value>); N]) -> Value {
    let members = members.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
    Value::Object(members.collect())
}
