//! The requirements of app directories on the tools and pages of a server: those of OpenAI's app submission
//! and of Claude's connector directory, as of November 2026.

use serde_json::Value;
use widgetcast_core::surface::Host;
use widgetcast_core::{Error, Finding, Fix, Kind, Severity};

use crate::mcp_client::McpClient;
use crate::outcome::Failure;

/// Maximum length of a tool name.
const MAX_NAME: usize = 64;
const HINTS: [&str; 3] = ["readOnlyHint", "destructiveHint", "openWorldHint"];
/// Parts of names of inputs that no app may request in the chat.
const SECRETS: [&str; 8] =
    ["password", "passwd", "secret", "apikey", "accesstoken", "creditcard", "cardnumber", "cvv"];

/// The number of a server's tools, and the findings for these hosts.
pub(crate) fn check(
    client: &mut McpClient,
    hosts: &[&Host],
) -> Result<(usize, Vec<Finding>), Failure> {
    let hosts: Vec<&str> =
        hosts.iter().filter(|host| host.directory).map(|host| host.label.as_str()).collect();
    let tools = client.list("tools/list", "tools")?;
    let mut findings = Vec::new();
    if hosts.is_empty() {
        return Ok((tools.len(), findings));
    }
    let hosts = hosts.join(" and ");
    findings.extend(tools.iter().flat_map(|tool| of_tool(tool, &hosts)));
    let pages = client.list("resources/list", "resources")?;
    findings.extend(pages.iter().flat_map(|page| of_page(page, &hosts)));
    Ok((tools.len(), findings))
}

fn finding(severity: Severity, message: String, help: &str) -> Finding {
    Finding { severity, error: Error::new(Kind::Loss, message).with_help(help), fix: Fix::None }
}

fn of_tool(tool: &Value, hosts: &str) -> Vec<Finding> {
    let name = tool["name"].as_str().unwrap_or_default();
    let mut found = Vec::new();
    let mut warn = |what: String, help: &str| {
        let message = format!("tool {name}: {what}, which {hosts} require");
        found.push(finding(Severity::Warning, message, help));
    };
    let annotations = &tool["annotations"];
    if annotations["title"].as_str().is_none_or(str::is_empty) {
        warn(
            "annotations.title is missing".into(),
            "send it as well as `title`: directories read both",
        );
    }
    let missing: Vec<&str> =
        HINTS.into_iter().filter(|hint| !annotations[*hint].is_boolean()).collect();
    if !missing.is_empty() {
        let what = format!("{} must be true or false", missing.join(", "));
        warn(what, "set all three hints on every tool, even where they equal the default");
    }
    if tool["description"].as_str().is_none_or(str::is_empty) {
        warn("description is missing".into(), "models choose tools by their description");
    }
    if name.chars().count() > MAX_NAME {
        warn(
            format!("the name must be at most {MAX_NAME} characters long"),
            "choose a shorter one",
        );
    }
    let properties = tool["inputSchema"]["properties"].as_object();
    for property in properties.into_iter().flat_map(|all| all.keys()) {
        let plain: String =
            property.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
        if SECRETS.iter().any(|secret| plain.contains(secret)) {
            let message =
                format!("tool {name}: `{property}` asks for a secret, which {hosts} forbid");
            let help = "use OAuth to sign users in; the model reads what they type in the chat";
            found.push(finding(Severity::Warning, message, help));
        }
    }
    found
}

fn of_page(page: &Value, hosts: &str) -> Vec<Finding> {
    let uri = page["uri"].as_str().unwrap_or_default();
    let is_page = page["mimeType"].as_str().is_some_and(|mime| mime.starts_with("text/html"));
    let mut found = Vec::new();
    if !uri.starts_with("ui://") || !is_page {
        return found;
    }
    let ui = &page["_meta"]["ui"];
    if !ui["domain"].is_string() {
        // It depends on the public URL of the server.
        let message = format!("page {uri}: no domain is set, which {hosts} require");
        let help = "set `public_url` to the public URL of the server";
        found.push(finding(Severity::Note, message, help));
    }
    let lists = ui["csp"].as_object().into_iter().flatten();
    let origins = lists.flat_map(|(_, list)| list.as_array().into_iter().flatten());
    for origin in origins.filter(|origin| origin.as_str().is_some_and(|one| one.contains('*'))) {
        let message =
            format!("page {uri}: the origin {origin} is a wildcard, which {hosts} forbid");
        found.push(finding(Severity::Warning, message, "list each origin"));
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn messages(found: &[Finding]) -> Vec<&str> {
        found.iter().map(|finding| finding.error.message()).collect()
    }

    #[test]
    fn tools_are_held_against_the_rules() {
        let good = json!({
            "name": "track", "description": "Where it is", "inputSchema": { "properties": { "id": {} } },
            "annotations": { "title": "Track", "readOnlyHint": true, "destructiveHint": false,
                "openWorldHint": false },
        });
        assert_eq!(messages(&of_tool(&good, "ChatGPT")), Vec::<&str>::new());
        let bad = json!({
            "name": "t".repeat(65), "annotations": { "readOnlyHint": true },
            "inputSchema": { "properties": { "api_key": {}, "tokens": {} } },
        });
        let found = of_tool(&bad, "ChatGPT");
        let found = messages(&found).join("\n");
        for part in [
            "annotations.title is missing",
            "destructiveHint, openWorldHint must be true or false",
            "description is missing",
            "at most 64",
            "`api_key` asks for a secret",
        ] {
            assert!(found.contains(part), "{part}: {found}");
        }
        assert_eq!(found.lines().count(), 5, "{found}");
    }

    #[test]
    fn pages_need_a_domain_and_origins() {
        let page = |ui: Value| json!({ "uri": "ui://a/b.html", "mimeType": "text/html;profile=mcp-app", "_meta": { "ui": ui } });
        let good = page(
            json!({ "domain": "a.example.com", "csp": { "connectDomains": ["https://a.example"] } }),
        );
        assert_eq!(messages(&of_page(&good, "Claude")), Vec::<&str>::new());
        let bad = page(json!({ "csp": { "connectDomains": ["https://*.example"] } }));
        assert_eq!(of_page(&bad, "Claude").len(), 2);
        assert!(
            of_page(&json!({ "uri": "note://1", "mimeType": "text/html" }), "Claude").is_empty()
        );
    }
}
