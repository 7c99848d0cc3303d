//! The display tools: a chat, search results, a table, a demo and a dashboard, each with a page.
//! They show their arguments and change nothing.
//!
//! They use only the public interface of [`widgetcast`], so they are also an example of it.
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
mod tool;
mod usage;

use std::sync::Arc;

use widgetcast::Builder;

use crate::usage::Usage;

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
