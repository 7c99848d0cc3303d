//! Content that would not be shown or opened as intended: a URL that no host opens, markup in plain text, a
//! placeholder of another language, a series without points.

use serde_json::Value;
use widgetcast_engine::error::{Error, Kind};
use widgetcast_engine::json::locate;
use widgetcast_engine::suggest::did_you_mean;
use widgetcast_engine::tree::brief;

/// The faults of one component at `at`. `names`: the data's names, if the component is in the template, where
/// null stands for an unknown value.
pub(super) fn faults(node: &Value, kind: &str, at: &str, names: Option<&[&str]>) -> Vec<Error> {
    let mut faults = actions(node, at);
    if kind == "Chart" {
        faults.extend(chart(node, at));
    }
    if let Some(names) = names {
        faults.extend(placeholders(node, at, names));
        faults.extend(markup(node, kind, at));
    }
    faults
}

fn fault(message: String, help: impl Into<String>, pointer: String) -> Error {
    Error::new(Kind::UnknownValue, message).with_help(help).with_pointer(pointer)
}

fn actions(node: &Value, at: &str) -> Vec<Error> {
    let props = [
        "/onClickAction",
        "/onChangeAction",
        "/onSubmitAction",
        "/confirm/action",
        "/cancel/action",
    ];
    let found = props.iter().filter_map(|prop| action(node.pointer(prop)?, &format!("{at}{prop}")));
    found.collect()
}

/// An action that opens a URL, without one or with one that hosts do not open.
fn action(action: &Value, at: &str) -> Option<Error> {
    let payload = action["payload"].as_object()?;
    let opens = action["type"].as_str().is_some_and(|kind| kind.starts_with("open"));
    if opens && !payload.contains_key("url") {
        let is_address = |key: &&str| payload.get(*key).is_some_and(Value::is_string);
        let key = ["href", "link", "uri", "address"].into_iter().find(is_address)?;
        let message = format!("the action opens `payload.url`, not `payload.{key}`");
        let error = Error::new(Kind::UnknownProp, message).with_help("did you mean url?");
        return Some(error.with_pointer(format!("{at}/payload/{key}")));
    }
    let url = payload.get("url")?.as_str()?;
    let lower = url.trim().to_ascii_lowercase();
    if lower.starts_with("javascript:") {
        let message = format!("the URL is {}, which no host opens", brief(url));
        return Some(fault(
            message,
            "use an action that your server handles",
            format!("{at}/payload/url"),
        ));
    }
    let is_plain = lower.starts_with("http://") && !lower.starts_with("http://localhost");
    is_plain.then(|| {
        let message = format!("the URL is {}, which does not use HTTPS", brief(url));
        fault(message, "use `https://`; hosts may refuse to open it", format!("{at}/payload/url"))
    })
}

/// The props whose text a user reads, or that a host loads.
const TEXTS: [&str; 5] = ["value", "label", "placeholder", "src", "alt"];

/// A text of the template with a placeholder of another language, which would be shown verbatim.
fn placeholders(node: &Value, at: &str, names: &[&str]) -> Option<Error> {
    TEXTS.into_iter().find_map(|prop| {
        let text = node[prop].as_str()?;
        let shown = javascript(text).or_else(|| single_brace(text, names))?;
        let message = format!("{} is shown literally", brief(shown));
        Some(fault(message, as_jinja(text, shown), format!("{at}/{prop}")))
    })
}

/// How to write a text with a placeholder: in a tree, and in a template.
fn as_jinja(text: &str, shown: &str) -> String {
    const MAX_CHARS: usize = 60;
    let name = shown.trim_start_matches('$').trim_matches(['{', '}']).trim();
    let Some((before, after)) = text.split_once(shown) else { return String::new() };
    // For a long text, only the placeholder.
    let (before, after) = if text.chars().count() > MAX_CHARS { ("", "") } else { (before, after) };
    let quoted = |text: &str| (!text.is_empty()).then(|| Value::from(text).to_string());
    let parts: Vec<String> =
        [quoted(before), Some(name.to_owned()), quoted(after)].into_iter().flatten().collect();
    let joined = if parts.len() == 1 { name.into() } else { format!("({})", parts.join(" ~ ")) };
    let text = Value::from(format!("{before}{{{{ {name} }}}}{after}"));
    format!("write `{text}`, or `{{{{ {joined} | tojson }}}}`")
}

/// `${name}`.
fn javascript(text: &str) -> Option<&str> {
    let start = text.find("${")?;
    let end = start + text[start..].find('}')? + 1;
    Some(&text[start..end])
}

/// `{name}`, if the data has that name; otherwise it may be intended.
fn single_brace<'t>(text: &'t str, names: &[&str]) -> Option<&'t str> {
    text.match_indices('{').find_map(|(start, _)| {
        let end = start + text[start..].find('}')?;
        let name = text[start + 1..end].trim().split(['.', '[']).next()?;
        names.contains(&name).then(|| &text[start..=end])
    })
}

/// A text of the template with markup that is shown verbatim.
fn markup(node: &Value, kind: &str, at: &str) -> Option<Error> {
    let prop = match kind {
        "Text" | "Title" | "Caption" | "Label" | "Markdown" => "value",
        "Button" | "Badge" | "Checkbox" => "label",
        _ => return None,
    };
    let text = node[prop].as_str()?;
    let pointer = format!("{at}/{prop}");
    let help = match kind {
        "Text" => "remove the markup and use `weight`, or use a Markdown component",
        _ => "remove the markup, or use a Markdown component",
    };
    if kind == "Markdown" {
        let tag = tag(text)?;
        let message = format!("Markdown does not render HTML such as {}", brief(tag));
        let help = "write `**bold**`, `[text](https://…)`, and a blank line between paragraphs";
        return Some(fault(message, help, pointer));
    }
    let shown = tag(text).or_else(|| bold(text))?;
    Some(fault(format!("{} is shown literally", brief(shown)), help, pointer))
}

/// Tags that users write into texts.
const TAGS: &[&str] = &[
    "b", "strong", "i", "em", "u", "br", "p", "a", "span", "div", "h1", "h2", "h3", "ul", "ol",
    "li", "code", "small", "img", "font",
];

fn tag(text: &str) -> Option<&str> {
    // Code may contain tags.
    if text.contains('`') {
        return None;
    }
    text.match_indices('<').find_map(|(start, _)| {
        let rest = &text[start + 1..];
        let name = rest.split(|c: char| !c.is_ascii_alphanumeric()).next()?;
        let end = rest.find('>')?;
        let is_tag = TAGS.iter().any(|known| known.eq_ignore_ascii_case(name));
        is_tag.then(|| &text[start..start + end + 2])
    })
}

/// `**words**`.
fn bold(text: &str) -> Option<&str> {
    let start = text.find("**")?;
    let words = &text[start + 2..];
    let end = words.find("**")?;
    let is_bold = end > 0 && words.starts_with(|c: char| c.is_alphanumeric());
    is_bold.then(|| &text[start..start + end + 4])
}

/// A series or an axis whose key no point has, or whose values are strings.
fn chart(node: &Value, at: &str) -> Option<Error> {
    let points: Option<Vec<_>> = node["data"].as_array()?.iter().map(Value::as_object).collect();
    let points = points.filter(|points| !points.is_empty())?;
    let keys = || points.iter().flat_map(|point| point.keys()).map(String::as_str);
    let missing = |key: &Value, pointer: String| {
        let key = key.as_str().filter(|key| !keys().any(|known| known == *key))?;
        let near = did_you_mean(key, keys());
        let mut known: Vec<&str> = keys().take(8).collect();
        known.sort_unstable();
        known.dedup();
        let help =
            if near.is_empty() { format!("the points have {}", known.join(", ")) } else { near };
        let message = format!("no data point of the chart has the key {}", brief(key));
        Some(fault(message, help, format!("{at}{pointer}")))
    };
    let (axis, pointer) = match &node["xAxis"] {
        Value::Object(axis) => (axis.get("dataKey"), "/xAxis/dataKey"),
        text => (Some(text), "/xAxis"),
    };
    if let Some(error) = axis.and_then(|axis| missing(axis, pointer.to_owned())) {
        return Some(error);
    }
    let series = node["series"].as_array()?.iter().enumerate();
    series
        .filter_map(|(index, series)| {
            let pointer = format!("/series/{index}/dataKey");
            let texts =
                |key: &str| points.iter().all(|point| point.get(key).is_some_and(Value::is_string));
            missing(&series["dataKey"], pointer.clone()).or_else(|| {
                let key = series["dataKey"].as_str().filter(|key| texts(key))?;
                let message =
                    format!("the values of {} are strings, but a chart needs numbers", brief(key));
                let first = format!("{at}/data/0/{}", locate::escaped(key));
                Some(fault(message, "write them without quotes", first))
            })
        })
        .next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn found(node: &Value) -> Vec<String> {
        let kind = node["type"].as_str().unwrap();
        let faults = faults(node, kind, "", Some(&["who"]));
        faults.iter().map(|error| format!("{error}; {}", error.help())).collect()
    }

    #[test]
    fn an_action_opens_an_address() {
        let open = |payload: Value| {
            found(
                &json!({"type": "Button", "onClickAction": {"type": "open_url", "payload": payload}}),
            )
        };
        assert_eq!(open(json!({"url": "https://a.example"})), [""; 0]);
        assert_eq!(open(json!({"url": null})), [""; 0]);
        assert_eq!(open(json!({"id": 1})), [""; 0], "the server may know it");
        assert!(open(json!({"href": "https://a.example"}))[0].ends_with("did you mean url?"));
        assert!(open(json!({"url": "javascript:alert(1)"}))[0].contains("no host opens"));
        assert!(open(json!({"url": "http://a.example"}))[0].contains("does not use HTTPS"));
    }

    #[test]
    fn marks_in_a_text_are_found() {
        let text = |kind: &str, text: &str| found(&json!({"type": kind, "value": text})).len();
        for marked in ["Hello {who}", "Hello ${who}", "<b>a</b>", "a **b** c", "a<br/>b"] {
            assert_eq!(text("Text", marked), 1, "{marked}");
        }
        for plain in ["{other}", "US$ {5}", "a < b > c", "2 ** 3 ** 4", "a <who> b", "**"] {
            assert_eq!(text("Text", plain), 0, "{plain}");
        }
        assert_eq!(text("Markdown", "**a** <https://a.example> `<b>`"), 0);
        assert_eq!(text("Markdown", "<a href=\"https://a.example\">a</a>"), 1);
    }

    #[test]
    fn a_chart_has_its_points() {
        let chart = |key: &str, value: Value| {
            found(&json!({
                "type": "Chart", "xAxis": {"dataKey": "x"}, "data": [{"x": "a", "n": value}],
                "series": [{"type": "bar", "dataKey": key}],
            }))
        };
        assert_eq!(chart("n", json!(1)), [""; 0]);
        assert_eq!(chart("n", json!(null)), [""; 0]);
        assert!(chart("m", json!(1))[0].contains("no data point of the chart has the key \"m\""));
        assert!(chart("n", json!("1"))[0].contains("are strings"));
    }
}
