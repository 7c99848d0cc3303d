//! Core.
mod catalog;
mod check;
mod error;
pub mod extract;
mod hydrate;
mod infer;
mod limits;
mod locate;
mod name;
mod reply;
mod sample;
mod schema;
mod side;
mod spec;
pub mod surface;
mod template;
mod tree;
mod view;
mod widget;

pub use catalog::{Catalog, Listing};
pub use check::{CheckOptions, check, fix};
pub use error::{Error, Excerpt, Finding, Fix, Kind, Place, Result, Severity};
pub use hydrate::Hydration;
pub use limits::Limits;
pub use name::{schema_title, tool_name};
pub use reply::Reply;
pub use schema::{Schema, Violation, Violations};
pub use surface::{Face, Loss, SURFACES, Showing, Surface, adaptive, slack, terminal};
pub use tree::{check_tree, component, editor_schema, fold};
pub use view::View;
pub use widget::Widget;

/// Renders a text as the general engine does for templates that write JSON, unchecked. For tests.
#[doc(hidden)]
pub fn render_text(template: &str, data: &serde_json::Value) -> Result<String> {
    use template::jinja::{Jinja, Writes};
    Jinja::compile(&template.into(), Writes::Json)?
        .render(&widget::engine(&Limits::default()), data)
}
