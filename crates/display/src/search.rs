//! `display_search_results`

use std::fmt::Write as _;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{json, to_value};
use widgetcast::{Ctx, Outcome, Tool, ToolError};

use crate::tool::{display_tool, locale, object, timestamp};
use crate::usage::Usage;

/// How many results the text for hosts without views lists.
const MAX_LISTED: usize = 20;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    /// What was searched for.
    query: String,
    /// What was found.
    results: Vec<SearchResult>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SearchResult {
    /// Its unique id.
    id: Id,
    /// What to call it.
    title: String,
    /// A sentence or two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    description: Option<String>,
    /// Where it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    url: Option<String>,
    /// Words to filter by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>")]
    tags: Option<Vec<String>>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
enum Id {
    Text(String),
    Number(serde_json::Number),
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// What was searched for.
    query: String,
    /// What was found.
    results: Vec<SearchResult>,
    /// The user's language.
    locale: String,
}

pub(crate) fn tool(usage: &Arc<Usage>) -> Tool {
    let usage = Arc::clone(usage);
    let run = move |ctx: Ctx, input: Input| {
        usage.search();
        async move {
            let text = markdown(&input);
            let context = object([
                ("location", ctx.location().cloned()),
                ("timestamp", Some(json!(timestamp()))),
            ]);
            let data = Output { query: input.query, results: input.results, locale: locale(&ctx) };
            Ok::<_, ToolError>(
                Outcome::new().text(text).data(to_value(data)?).meta("searchContext", context),
            )
        }
    };
    let tool = Tool::new("display_search_results", run)
        .title("Search results")
        .description(
            "Use this when presenting multiple search results or recommendations the user needs to \
             scan. This tool only renders results and does not perform searches.",
        )
        .output_type::<Output>()
        .sample(json!({ "query": "sourdough", "results": [
            { "id": 1, "title": "A starter from nothing", "description": "Flour, water and a week.",
              "url": "https://example.com/starter", "tags": ["guide", "bread"] },
            { "id": 2, "title": "Why bread is sour", "tags": ["science"] },
        ] }));
    display_tool(tool, "search-results", "Preparing search results...", "Search results displayed")
}

/// The results as a Markdown list, for hosts without views.
fn markdown(input: &Input) -> String {
    let count = input.results.len();
    let s = if count == 1 { "" } else { "s" };
    let mut out = format!("{count} search result{s} for \"{}\"", input.query);
    for found in input.results.iter().take(MAX_LISTED) {
        // A title must not end the list item or the link.
        let title = found.title.split_whitespace().collect::<Vec<_>>().join(" ");
        let link = found.url.as_deref().filter(|url| {
            url.starts_with("https://") && !url.contains([' ', '(', ')', '<', '>', '\n'])
        });
        _ = match link {
            Some(url) => write!(out, "\n- [{}]({url})", title.replace(['[', ']'], " ")),
            None => write!(out, "\n- {title}"),
        };
        if let Some(about) = &found.description {
            _ = write!(out, ": {}", about.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
    if count > MAX_LISTED {
        _ = write!(out, "\n- … and {} more", count - MAX_LISTED);
    }
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn results_as_markdown() {
        let input: Input = serde_json::from_value(json!({ "query": "pizza", "results": [
            { "id": 1, "title": "Da [Mario]", "url": "https://mario.example", "description": "Wood\nfired" },
            { "id": "b", "title": "Slice", "url": "javascript:alert" },
        ] }))
        .unwrap();
        assert_eq!(
            markdown(&input),
            "2 search results for \"pizza\"\n- [Da  Mario ](https://mario.example): Wood fired\n- Slice"
        );
    }
}
