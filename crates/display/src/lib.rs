//! The display tools: a chat, search results, a table, a demo and a dashboard, each with a page of
//! its own. They show what they are given and change nothing.
//!
//! They are written with the public interface of [`widgetcast`] alone, as anyone could write them.
//!
//! ```
//! use widgetcast::App;
//! let app = widgetcast_display::add_to(App::new("chatui", "1.0.0")).build()?;
//! # Ok::<(), widgetcast::BuildError>(())
//! ```

mod chat;
mod dashboard;
mod demo;
mod page;
mod search;
mod table;
mod usage;

use std::sync::Arc;

use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use widgetcast::{Builder, Ctx, Tool, Visibility};

use usage::Usage;

/// Adds the five tools and the nine pages to an app.
pub fn add_to(app: Builder) -> Builder {
    let usage = Arc::new(Usage::default());
    let app = page::all().into_iter().fold(app, Builder::page);
    app.tool(chat::tool(&usage))
        .tool(search::tool(&usage))
        .tool(table::tool(&usage))
        .tool(demo::tool())
        .tool(dashboard::tool(&usage))
}

/// What all five have in common: they only show, nobody needs to sign in, and views do not call them.
fn dress(tool: Tool, page: &str, invoking: &str, invoked: &str) -> Tool {
    tool.page(page)
        .messages(invoking, invoked)
        .read_only()
        .idempotent()
        .open_world(false)
        .visibility(Visibility::Model)
        .meta("securitySchemes", json!([{ "type": "noauth" }]))
}

/// The person's language; English if nobody says.
fn locale(ctx: &Ctx) -> String {
    ctx.locale().unwrap_or("en").to_owned()
}

/// Now, as RFC 3339 has it.
fn now() -> String {
    OffsetDateTime::now_utc().format(&Rfc3339).unwrap_or_default()
}

/// An object of those members that there are.
fn present<const N: usize>(members: [(&str, Option<Value>); N]) -> Value {
    let there = members.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
    Value::Object(there.collect())
}
