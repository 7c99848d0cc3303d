//! Data in an author's template: where Slack reads markup, it is escaped, so that `<!channel>` in a name
//! notifies no one. Everywhere else Slack shows the characters as they are.

use serde_json::Value;
use widgetcast_engine::template::unmark;

use super::mrkdwn;

/// Escapes what came from data, as the template marked it, and removes the marks.
pub(crate) fn escape_data(value: &mut Value) {
    match value {
        Value::String(text) => *text = plain(text),
        Value::Array(items) => items.iter_mut().for_each(escape_data),
        Value::Object(members) => {
            // A name may be data too.
            let old = std::mem::take(members);
            members.extend(old.into_iter().map(|(key, value)| (plain(&key), value)));
            let is = |name: &str, words: &[&str]| {
                let text = members.get(name).and_then(Value::as_str).map(plain);
                text.is_some_and(|text| words.contains(&text.as_str()))
            };
            // Texts of blocks, and fields of Work Objects.
            let markup = if is("type", &["mrkdwn", "markdown"]) {
                Some("text")
            } else if is("format", &["markdown"]) {
                Some("value")
            } else {
                None
            };
            for (key, value) in members {
                match value {
                    Value::String(text) if markup == Some(&**key) => {
                        *text = unmark(text, |letter, out| mrkdwn::push(out, letter));
                    }
                    other => escape_data(other),
                }
            }
        }
        _ => {}
    }
}

fn plain(text: &str) -> String {
    unmark(text, |letter, out| out.push(letter))
}
