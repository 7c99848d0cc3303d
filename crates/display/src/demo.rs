//! `display_demo`

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use widgetcast::{Data, Tool};

use crate::tool::display_tool;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true.
    demo: bool,
}

pub(crate) fn tool() -> Tool {
    let run =
        |_: Input| async { ("Demo widget displayed".to_owned(), Data(Output { demo: true })) };
    let tool = Tool::new("display_demo", run).title("Demo").description(
        "Use this for testing or demonstrating the widget system (kitchen-sink widget). Read-only.",
    );
    let tool = tool.sample(json!({}));
    display_tool(tool, "kitchen-sink-lite", "Loading demo...", "Demo widget ready")
}
