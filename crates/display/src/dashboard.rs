//! `display_dashboard`

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use widgetcast::{Ctx, Data, Tool};

use crate::tool::display_tool;
use crate::usage::{Chat, Stat, Usage};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true.
    dashboard: bool,
    /// What is above it.
    #[serde(skip_serializing_if = "Option::is_none")]
    header_text: Option<String>,
    /// Numbers with their trends.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stats: Vec<Stat>,
    /// The user's own chats, newest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    recent_chats: Vec<Chat>,
}

pub(crate) fn tool(usage: &Arc<Usage>) -> Tool {
    let usage = Arc::clone(usage);
    let run = move |ctx: Ctx, _: Input| {
        let data = Output {
            dashboard: true,
            header_text: Some("What was shown here".into()),
            stats: usage.stats(),
            recent_chats: usage.chats(&ctx),
        };
        std::future::ready(("Dashboard displayed".to_owned(), Data(data)))
    };
    let tool = Tool::new("display_dashboard", run).title("Dashboard").description(
        "Use this when the user wants a dashboard-style overview. This tool only renders a UI and \
         does not modify external data.",
    );
    let tool = tool.sample(json!({}));
    display_tool(tool, "dashboard-widget", "Opening dashboard...", "Dashboard ready")
}
