//! A component tree as JSX, as users write it in Studio: values of the data by their names, and the
//! items of a list as one item and `map`.

use serde_json::{Map, Value};
use widgetcast_engine::json::locate;

use super::binding::{Binding, Bindings, is_identifier};

/// The JSX of a tree.
pub(super) fn write(tree: &Value, bindings: &Bindings, sample: &Value) -> String {
    let mut lists = Vec::new();
    collect_lists(sample, "", &mut lists);
    // Inner lists first: their items are part of those of the outer ones.
    lists.sort_by_key(|(path, _)| std::cmp::Reverse(path.matches('[').count()));
    Writer { bindings, lists }.element(tree, "")
}

/// The paths of all lists of the data, with their lengths.
fn collect_lists(data: &Value, path: &str, lists: &mut Vec<(String, usize)>) {
    match data {
        Value::Object(members) => {
            for (key, member) in members.iter().filter(|(key, _)| is_identifier(key)) {
                let dot = if path.is_empty() { "" } else { "." };
                collect_lists(member, &format!("{path}{dot}{key}"), lists);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            lists.push((path.to_owned(), items.len()));
            for (index, item) in items.iter().enumerate() {
                collect_lists(item, &format!("{path}[{index}]"), lists);
            }
        }
        _ => {}
    }
}

struct Writer<'b> {
    bindings: &'b Bindings,
    lists: Vec<(String, usize)>,
}

impl Writer<'_> {
    fn element(&self, node: &Value, at: &str) -> String {
        let Some(members) = node.as_object() else { return String::new() };
        let name = members.get("type").and_then(Value::as_str).unwrap_or("Box");
        let mut out = format!("<{name}");
        for (key, value) in members {
            if key != "type" && key != "children" {
                let at = format!("{at}/{}", locate::escaped(key));
                out.push_str(&format!(" {key}{}", self.attribute(value, &at)));
            }
        }
        let children = self.children(members, at);
        if children.is_empty() {
            return out + " />";
        }
        let inner = indented(&children.join("\n"));
        format!("{out}>\n{inner}\n</{name}>")
    }

    fn children(&self, members: &Map<String, Value>, at: &str) -> Vec<String> {
        let children = match members.get("children") {
            Some(Value::Array(items)) => {
                let child = |(index, item)| self.element(item, &format!("{at}/children/{index}"));
                items.iter().enumerate().map(child).collect()
            }
            Some(one @ Value::Object(_)) => vec![self.element(one, &format!("{at}/children"))],
            _ => Vec::new(),
        };
        self.lists.iter().fold(children, |children, (path, length)| mapped(children, path, *length))
    }

    fn attribute(&self, value: &Value, at: &str) -> String {
        match value {
            Value::Bool(true) => String::new(),
            Value::String(text) if !self.bindings.contains_key(at) && is_plain(text) => {
                format!("=\"{text}\"")
            }
            value => format!("={{{}}}", self.expression(value, at)),
        }
    }

    /// A value in JavaScript.
    fn expression(&self, value: &Value, at: &str) -> String {
        match (self.bindings.get(at), value) {
            (Some(Binding::Whole(path)), _) => path.clone(),
            (Some(Binding::Parts(parts)), Value::String(text)) => {
                let mut out = String::from("`");
                let mut end = 0;
                for part in parts {
                    out.push_str(&in_backticks(&text[end..part.start]));
                    out.push_str(&format!("${{{}}}", part.path));
                    end = part.end;
                }
                out + &in_backticks(&text[end..]) + "`"
            }
            (_, Value::Array(items)) => {
                let item = |(index, item)| self.expression(item, &format!("{at}/{index}"));
                let items: Vec<String> = items.iter().enumerate().map(item).collect();
                format!("[{}]", items.join(", "))
            }
            (_, Value::Object(members)) => {
                let member = |(key, member): (&String, &Value)| {
                    let at = format!("{at}/{}", locate::escaped(key));
                    let name = match is_identifier(key) {
                        true => key.clone(),
                        false => Value::from(key.as_str()).to_string(),
                    };
                    format!("{name}: {}", self.expression(member, &at))
                };
                let members: Vec<String> = members.iter().map(member).collect();
                format!("{{ {} }}", members.join(", "))
            }
            (_, scalar) => scalar.to_string(),
        }
    }
}

/// Replaces elements that are the same for each item of a list by a `map`.
fn mapped(mut children: Vec<String>, path: &str, length: usize) -> Vec<String> {
    let depth = path.matches('[').count();
    let name = if depth == 0 { "item".to_owned() } else { format!("item{}", depth + 1) };
    let of_item = |child: &String, index: usize| {
        let item = format!("{path}[{index}]");
        replaced(child, &item, &name)
    };
    let mut start = 0;
    while start + length <= children.len() {
        let Some(first) = of_item(&children[start], 0) else {
            start += 1;
            continue;
        };
        let is_same = |index| of_item(&children[start + index], index).as_ref() == Some(&first);
        if !first.contains(&format!("{path}[")) && (1..length).all(is_same) {
            let each = format!("{{{path}.map(({name}) => (\n{}\n))}}", indented(&first));
            children.splice(start..start + length, [each]);
        }
        start += 1;
    }
    children
}

/// A text with a path replaced by a name; `None` if it does not occur. The end of a longer path, such as
/// `items[0]` in `cart.items[0]`, is another path.
fn replaced(text: &str, path: &str, name: &str) -> Option<String> {
    let is_inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.');
    let mut out = String::new();
    let mut end = 0;
    for (at, _) in text.match_indices(path) {
        if !text[..at].ends_with(is_inside) {
            out.push_str(&text[end..at]);
            out.push_str(name);
            end = at + path.len();
        }
    }
    (end > 0).then(|| out + &text[end..])
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

/// Whether a text has the same meaning in a quoted JSX attribute.
fn is_plain(text: &str) -> bool {
    !text.contains(['"', '&', '\\']) && !text.contains(char::is_control)
}

/// A text as a template literal. A line break is escaped, so that indenting does not change it.
fn in_backticks(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('`', "\\`").replace("${", "\\${");
    text.replace('\n', "\\n").replace('\r', "\\r")
}
