//! `display_chat`

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{json, to_value};
use widgetcast::{Ctx, Outcome, Tool, ToolError};

use crate::tool::{display_tool, locale, object};
use crate::usage::Usage;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Input {
    /// Optional initial message to seed the chat conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    seed_message: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// The first message of the chat; empty if there is none.
    seed_message: String,
    /// The user's language.
    locale: String,
}

pub(crate) fn tool(usage: &Arc<Usage>) -> Tool {
    let usage = Arc::clone(usage);
    let run = move |ctx: Ctx, input: Input| {
        let seed = input.seed_message.unwrap_or_default();
        usage.chat(&ctx, &seed);
        async move {
            let text = match seed.trim() {
                "" => "Chat interface opened.".to_owned(),
                seed => format!("Chat interface opened with the message: {seed}"),
            };
            let client = object([
                ("userAgent", ctx.user_agent().map(|agent| json!(agent))),
                ("location", ctx.location().cloned()),
            ]);
            let data = Output { seed_message: seed, locale: locale(&ctx) };
            Ok::<_, ToolError>(
                Outcome::new().text(text).data(to_value(data)?).meta("clientInfo", client),
            )
        }
    };
    let tool = Tool::new("display_chat", run)
        .title("Chat")
        .description(
            "Use this when the user wants a conversation-style interaction or needs a dedicated \
             chat view. This tool only renders a UI and does not modify external data.",
        )
        .output_type::<Output>()
        .sample(json!({ "seedMessage": "What would be a good name for a bakery?" }));
    display_tool(tool, "chat-view", "Opening chat interface...", "Chat interface ready")
}
