//! The text of a result for a model, truncated to a limit.

use serde_json::Value;

/// The text of a result for a model, without widgets and content for the user only.
pub(crate) fn result_text(result: &Value, limit: usize) -> String {
    let items = result["content"].as_array().into_iter().flatten();
    let mut parts: Vec<String> = items.filter(|item| is_for_model(item)).filter_map(part).collect();
    if let Some(data) = result.get("structuredContent").filter(|data| !data.is_null()) {
        let said =
            |part: &String| serde_json::from_str::<Value>(part).is_ok_and(|part| part == *data);
        if !parts.iter().any(said) {
            parts.push(data.to_string());
        }
    }
    let text = match parts.is_empty() {
        true => "(the result has no text)".to_owned(),
        false => parts.join("\n"),
    };
    let text = if result["isError"] == true { format!("Error: {text}") } else { text };
    cut(text, limit)
}

fn is_for_model(item: &Value) -> bool {
    let audience = item["annotations"]["audience"].as_array();
    audience.is_none_or(|audience| audience.is_empty() || audience.iter().any(|a| a == "assistant"))
}

fn part(item: &Value) -> Option<String> {
    match item["type"].as_str()? {
        "text" => item["text"].as_str().map(str::to_owned),
        "resource_link" => Some(format!("[{}]", item["uri"].as_str()?)),
        "image" | "audio" => Some(format!("[{}]", item["mimeType"].as_str()?)),
        "resource" => {
            let mime = item["resource"]["mimeType"].as_str().unwrap_or("text/plain");
            let readable = mime.starts_with("text/") && !mime.starts_with("text/html")
                || mime == "application/json";
            let text = item["resource"]["text"].as_str().filter(|_| readable)?;
            Some(text.to_owned())
        }
        _ => None,
    }
}

fn cut(mut text: String, limit: usize) -> String {
    let whole = text.len();
    if whole <= limit {
        return text;
    }
    text.truncate((0..=limit).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default());
    let shown = text.len();
    text + &format!("\n[truncated to the first {shown} of {whole} bytes; request less at once]")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_model_reads() {
        let widget = json!({ "type": "resource", "resource": {
            "uri": "ui://widgets/a/1", "mimeType": "application/vnd.ui.widget+json", "text": "{}" } });
        let private =
            json!({ "type": "text", "text": "psst", "annotations": { "audience": ["user"] } });
        let text = json!({ "type": "text", "text": "21 °C" });
        let result =
            json!({ "content": [text, widget, private], "structuredContent": { "t": 21 } });
        assert_eq!(result_text(&result, 100), "21 °C\n{\"t\":21}");
        let twice = json!({ "content": [{ "type": "text", "text": "{ \"t\": 21 }" }],
            "structuredContent": { "t": 21 } });
        assert_eq!(result_text(&twice, 100), "{ \"t\": 21 }");
        let failed = json!({ "content": [{ "type": "text", "text": "no" }], "isError": true });
        assert_eq!(result_text(&failed, 100), "Error: no");
        assert_eq!(result_text(&json!({}), 100), "(the result has no text)");
    }

    #[test]
    fn a_long_result_is_cut_between_characters() {
        let result = json!({ "content": [{ "type": "text", "text": "ä".repeat(100) }] });
        let text = result_text(&result, 11);
        assert!(text.starts_with("äääää\n[truncated to the first 10 of 200 bytes"), "{text}");
    }
}
