//! From a ChatKit `.widget` file to a checked component tree, and from there to every agent host.
//!
//! A definition is a name, a JSON Schema and a Jinja template that writes a component tree. A [`Catalog`]
//! contains all definitions of a directory; a [`Widget`] renders data:
//!
//! ```
//! use serde_json::json;
//! use widgetcast_core::{Catalog, Presentation, Surface};
//!
//! # let catalog = Catalog::from_static(&[("order.widget", r#"{"version":"1.0","name":"Order",
//! #     "template":"{\"type\":\"Card\",\"children\":[{\"type\":\"Title\",\"value\":{{ (\"Order \" ~ id) | tojson }}},{\"type\":\"Button\",\"label\":\"Pay\",\"onClickAction\":{\"type\":\"pay\",\"payload\":{\"id\":{{ id | tojson }}}}}]}",
//! #     "jsonSchema":{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}}"#)]);
//! # /*
//! let catalog = Catalog::from_dir("widgets")?;
//! # */
//! let widget = catalog.get("order").expect("a widget of that name");
//! let view = widget.render(&json!({"id": 7}))?;
//! assert_eq!(view.tree()["children"][0]["value"], "Order 7");
//!
//! // The same view, as another host shows it.
//! let slack = Surface::find("slack-blocks").expect("a surface");
//! let presentation = Presentation::new(widget.tool_name(), "1", &view);
//! assert!((slack.render)(&presentation).contains("tool:pay"));
//!
//! // The error for invalid data names what to change.
//! let error = widget.render(&json!({"id": "seven"})).unwrap_err();
//! assert!(error.message().ends_with("- /id: must be an integer, not \"seven\""));
//! # Ok::<(), widgetcast_core::Error>(())
//! ```
//!
//! Definitions and data are untrusted, so everything is bounded by [`Limits`]. The crate opens no sockets,
//! and no files other than definitions. A broken definition never affects the others: errors are
//! [`Finding`]s, and [`check`] looks for more of them. [`extract`](mod@extract) does the reverse: it returns
//! the parts of a tool result that a host can show.

mod check;
mod definition;
mod markdown;
mod reply;
mod result;
pub mod surface;

pub use check::{CheckOptions, called_tools, check, check_widget, fix, meant_tool};
#[doc(hidden)]
pub use definition::catalog::is_left_out;
pub use definition::catalog::{Catalog, Changes, Listing};
pub use definition::file_schema::file_schema;
pub use definition::input_schema::write_input_schema;
pub use definition::name::{STATE_TOOL, schema_title, tool_name};
pub use definition::sample::{arguments as sample_arguments, example as sample_output};
pub use definition::schema::{Reading, Schema, Violation, Violations};
pub use definition::spec::{Served, Visibility};
pub use definition::view::View;
pub use definition::widget::Widget;
#[doc(hidden)]
pub use reply::ViewMeta;
pub use reply::{Reply, clip};
pub use result::{Hydration, Id, extract, instance_id};
pub use surface::text::text_of;
pub use surface::{
    Client, Fault, HostTemplate, Loss, Presentation, SURFACES, Surface, ToolMeta, adaptive, slack,
    terminal,
};
pub use widgetcast_engine::budget;
#[doc(hidden)]
pub use widgetcast_engine::error::printable;
pub use widgetcast_engine::error::{Error, Excerpt, Finding, Fix, Kind, Place, Result, Severity};
pub use widgetcast_engine::json::{Json, JsonRef};
#[doc(hidden)]
pub use widgetcast_engine::json::{Members, text_depth};
pub use widgetcast_engine::limits::Limits;
#[doc(hidden)]
pub use widgetcast_engine::outline;
pub use widgetcast_engine::suggest::nearest;
#[doc(hidden)]
pub use widgetcast_engine::template::Writes;
#[doc(hidden)]
pub use widgetcast_engine::tree::CompactTree;
#[doc(hidden)]
pub use widgetcast_engine::tree::component;
pub use widgetcast_engine::tree::{check_tree, describe_component, describe_prop, editor_schema};
pub use widgetcast_engine::words::Words;

/// Reads a regular file of at most this size, without waiting for a FIFO.
#[doc(hidden)]
pub fn read_file(path: &std::path::Path, max_bytes: usize) -> Result<String> {
    definition::file_text::read(None, path, max_bytes)
}

/// A template that writes JSON; its output is not checked.
#[doc(hidden)]
#[derive(Debug)]
pub struct JsonTemplate(widgetcast_engine::template::TextTemplate);

impl JsonTemplate {
    /// Parses it.
    pub fn read(template: &str) -> Result<Self> {
        use widgetcast_engine::template::{TextTemplate, Writes};
        TextTemplate::read(&template.into(), Writes::Json).map(Self)
    }

    /// The output for this data, within the default limits.
    pub fn render(&self, data: &serde_json::Value) -> Result<String> {
        self.0.render(&definition::compile::engine(&Limits::default()), &data.into())
    }
}

/// The output of the fast path and the general engine for this data, or the kinds of their errors. For tests.
#[doc(hidden)]
pub fn text_lanes(
    template: &str,
    writes: Writes,
    data: &serde_json::Value,
) -> Result<[std::result::Result<String, Kind>; 2]> {
    let template = widgetcast_engine::template::TextTemplate::read(&template.into(), writes)?;
    let engine = definition::compile::engine(&Limits::default());
    let lanes = [template.render(&engine, &data.into()), template.render_slowly(&engine, data)];
    Ok(lanes.map(|lane| lane.map_err(|error| error.kind())))
}
