//! The code of the guide, which is the text between the two marks in this file.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use widgetcast::client::{LogLevel, Sampling};
use widgetcast::{App, Ctx, Tool, ToolError};

use crate::stdio::Client;
use crate::talk::text;

#[derive(Deserialize, JsonSchema)]
struct Range {
    pages: usize,
}

fn pages(range: &Range, all: bool) -> Vec<String> {
    let most = if all { range.pages } else { 1 };
    (1..=most).map(|page| format!("page {page}")).collect()
}

// guide
#[derive(Deserialize, JsonSchema)]
struct Confirm {
    /// Whether to include closed tickets
    all: bool,
}

async fn export(ctx: Ctx, range: Range) -> Result<String, ToolError> {
    let Some(confirm) = ctx.elicit::<Confirm>("Export the tickets?").await? else {
        return Err(ToolError::public("not confirmed"));
    };
    let pages = pages(&range, confirm.all);
    for (done, page) in pages.iter().enumerate() {
        ctx.progress((done, pages.len()), format!("writing {page}")).await;
        ctx.log(LogLevel::Debug, json!({ "page": page })).await;
    }
    if ctx.can_sample() {
        let title = ctx.sample(Sampling::from("A title for an export").max_tokens(20)).await?;
        return Ok(title.text());
    }
    Ok(format!("{} pages", pages.len()))
}
// end

#[test]
fn the_guide_shows_this_code() {
    let here = include_str!("guide.rs");
    let code = here.split("// guide\n").nth(1).and_then(|rest| rest.split("// end\n").next());
    let guide = include_str!("../../../../docs/ask.md");
    assert!(guide.contains(&format!("```rust\n{}```\n", code.unwrap())), "docs/ask.md differs");
}

#[tokio::test]
async fn the_code_of_the_guide_runs() {
    let app = App::new("tests", "1.0.0").tool(Tool::new("export", export)).build().unwrap();
    let (era, mut client) = ("2025-11-25", Client::of(app));
    client.shake_with(era, json!({ "elicitation": {}, "sampling": {} })).await;
    let call =
        json!({ "name": "export", "arguments": { "pages": 2 }, "_meta": { "progressToken": 1 } });
    client.send(1, era, "tools/call", call).await;
    let mut heard = Vec::new();
    let result = loop {
        let message = client.hear().await;
        let answer = match message["method"].as_str() {
            None => break message["result"].clone(),
            Some("elicitation/create") => json!({ "action": "accept", "content": { "all": true } }),
            Some("sampling/createMessage") => json!({ "role": "assistant", "model": "m",
                "content": { "type": "text", "text": "Tickets" } }),
            Some(_) => {
                heard.push(message["params"]["message"].clone());
                continue;
            }
        };
        let answer = json!({ "jsonrpc": "2.0", "id": message["id"], "result": answer });
        client.say(&answer.to_string()).await;
    };
    assert_eq!(text(&result), "Tickets");
    assert_eq!(heard, ["writing page 1", "writing page 2"]);
    client.leave().await;
}
