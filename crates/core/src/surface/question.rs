//! A form as a question, for hosts that show no views but can ask a person: the fields of the first form
//! of a view, in the small part of JSON Schema that such hosts know.

use std::collections::HashMap;

use serde_json::{Map, Value, json};
use widgetcast_engine::tree::component::Component;

use crate::definition::view::View;

/// The longest message, in characters.
const MAX_MESSAGE: usize = 1000;
/// The most fields that a person is asked for at once.
const MAX_FIELDS: usize = 50;

/// What a form asks for, and what becomes of the answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// What the view says around the fields.
    pub message: String,
    /// The type of the action that the form would run: often the name of a tool.
    pub action: Option<String>,
    payload: Map<String, Value>,
    fields: Vec<Field>,
}

#[derive(Clone, Debug, PartialEq)]
struct Field {
    name: String,
    is_required: bool,
    /// Without options.
    schema: Map<String, Value>,
    /// Values and what people read.
    options: Vec<(String, String)>,
}

impl Question {
    /// The question of a view; none if it has no form, or one that must not be asked in this way: what is
    /// secret goes through no model and no log.
    pub fn of(view: &View) -> Option<Self> {
        // Most views have no form.
        if !view.json().contains("\"asForm\"") && !view.json().contains("\"Form\"") {
            return None;
        }
        let tree = view.tree();
        let form = find_form(&tree)?;
        let (mut labels, mut fields) = (Labels::new(), Vec::new());
        collect_labels(&tree, &mut labels);
        collect(form, &labels, &mut fields)?;
        if fields.is_empty() || fields.len() > MAX_FIELDS {
            return None;
        }
        let mut words = Vec::new();
        collect_words(&tree, &mut words);
        let action = action_of(form);
        Some(Self {
            message: words.join("\n").chars().take(MAX_MESSAGE).collect(),
            action: action.and_then(|action| action["type"].as_str()).map(str::to_owned),
            payload: action
                .and_then(|action| action["payload"].as_object())
                .cloned()
                .unwrap_or_default(),
            fields,
        })
    }

    /// The `requestedSchema` of an elicitation. Revisions before 2026-07-28 have the titles of options
    /// beside them.
    pub fn schema(&self, modern: bool) -> Value {
        let properties = self.fields.iter().map(|field| {
            let mut schema = field.schema.clone();
            if !field.options.is_empty() {
                let values: Vec<&str> = field.options.iter().map(|(value, _)| &**value).collect();
                let titles: Vec<&str> = field.options.iter().map(|(_, title)| &**title).collect();
                let titled = values.iter().zip(&titles);
                let titled = titled.map(|(value, title)| json!({ "const": value, "title": title }));
                match modern {
                    true => _ = schema.insert("oneOf".into(), titled.collect()),
                    false => {
                        schema.insert("enum".into(), json!(values));
                        schema.insert("enumNames".into(), json!(titles));
                    }
                }
            }
            (field.name.clone(), Value::Object(schema))
        });
        let required = self.fields.iter().filter(|field| field.is_required);
        let required: Vec<&str> = required.map(|field| &*field.name).collect();
        let properties: Map<String, Value> = properties.collect();
        let mut schema = json!({ "type": "object", "properties": properties });
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        schema
    }

    /// The payload of the action with the answers, as the view would send it: names with dots nest, and
    /// what the payload has already wins. Only fields of the form are taken.
    pub fn arguments(&self, answers: &Value) -> Value {
        let mut out = self.payload.clone();
        for field in &self.fields {
            if let Some(answer) = answers.get(&field.name)
                && let Some((members, name)) = nested(&mut out, &field.name)
            {
                members.entry(name).or_insert_with(|| answer.clone());
            }
        }
        Value::Object(out)
    }
}

/// How deep names nest: who sends one may have written any number of dots.
const MAX_NESTING: usize = 16;

/// Where the value of a field with dots in its name stands: the object, which is made where there is none,
/// and the name in it. None if something else is in the way; a name with too many dots stays one.
pub fn nested<'m>(
    members: &'m mut Map<String, Value>,
    name: &'m str,
) -> Option<(&'m mut Map<String, Value>, &'m str)> {
    if name.matches('.').count() > MAX_NESTING {
        return Some((members, name));
    }
    let mut parts = name.split('.');
    let last = parts.next_back()?;
    let mut inside = members;
    for part in parts {
        inside = inside.entry(part).or_insert_with(|| json!({})).as_object_mut()?;
    }
    Some((inside, last))
}

fn is_form(node: &Value) -> bool {
    node["type"] == "Form" || node["type"] == "Card" && node["asForm"] == true
}

fn children(node: &Value) -> &[Value] {
    match &node["children"] {
        Value::Array(list) => list,
        Value::Null => &[],
        one => std::slice::from_ref(one),
    }
}

fn find_form(node: &Value) -> Option<&Value> {
    if is_form(node) { Some(node) } else { children(node).iter().find_map(find_form) }
}

/// The action of a form: its own, that of the card's foot, or that of the button that submits it.
fn action_of(form: &Value) -> Option<&Value> {
    let own = [&form["onSubmitAction"], &form["confirm"]["action"]];
    let own = own.into_iter().find(|action| action.is_object());
    own.or_else(|| submit_action(form))
}

fn submit_action(node: &Value) -> Option<&Value> {
    let is_submit = node["type"] == "Button" && node["submit"] == true;
    let own = Some(&node["onClickAction"]).filter(|action| is_submit && action.is_object());
    own.or_else(|| children(node).iter().find_map(submit_action))
}

/// The labels of fields, by the names of these.
type Labels<'a> = HashMap<&'a str, &'a str>;

fn collect_labels<'a>(node: &'a Value, labels: &mut Labels<'a>) {
    if node["type"] == "Label"
        && let (Some(field), Some(words)) = (node["fieldName"].as_str(), node["value"].as_str())
    {
        labels.entry(field).or_insert(words);
    }
    children(node).iter().for_each(|child| collect_labels(child, labels));
}

/// What a person reads beside the fields.
fn collect_words<'a>(node: &'a Value, words: &mut Vec<&'a str>) {
    let is_text =
        matches!(node["type"].as_str(), Some("Title" | "Text" | "Caption" | "Markdown" | "Badge"));
    if is_text && !node["editable"].is_object() {
        words.extend(node["value"].as_str().or_else(|| node["label"].as_str()));
    }
    children(node).iter().for_each(|child| collect_words(child, words));
}

/// The fields of a form; none if one of them is secret.
fn collect(node: &Value, labels: &Labels<'_>, fields: &mut Vec<Field>) -> Option<()> {
    if node["inputType"] == "password" {
        return None;
    }
    fields.extend(field(node, labels));
    // A form within is another question.
    children(node)
        .iter()
        .filter(|child| !is_form(child))
        .try_for_each(|child| collect(child, labels, fields))
}

fn field(node: &Value, labels: &Labels<'_>) -> Option<Field> {
    let kind = node["type"].as_str()?;
    // The props of an editable text are in an object of their own.
    let (props, start) = match kind {
        "Text" => (&node["editable"], &node["value"]),
        _ if Component::find(kind)?.is_field() => (node, &node["defaultValue"]),
        _ => return None,
    };
    let name = props["name"].as_str()?;
    if props["disabled"] == true {
        return None;
    }
    let title = [&props["label"], &props["ariaLabel"], &props["placeholder"]];
    let title = title.into_iter().find_map(Value::as_str);
    let title = labels.get(name).copied().or(title).unwrap_or(name);
    let mut schema = Map::from_iter([("type".to_owned(), json!(type_of(kind, props)))]);
    schema.insert("title".into(), json!(title.trim_end_matches(':')));
    if let Some(format) = format_of(kind, props) {
        schema.insert("format".into(), json!(format));
    }
    if let Some(start) = start_of(kind, props, start) {
        schema.insert("default".into(), start);
    }
    let options = props["options"].as_array().into_iter().flatten();
    let options = options.filter(|option| option["disabled"] != true);
    let options = options.filter_map(|option| {
        let value = option["value"].as_str()?;
        Some((value.to_owned(), option["label"].as_str().unwrap_or(value).to_owned()))
    });
    let is_required = props["required"] == true;
    Some(Field { name: name.to_owned(), is_required, schema, options: options.collect() })
}

fn type_of(kind: &str, props: &Value) -> &'static str {
    match (kind, props["inputType"].as_str()) {
        ("Checkbox", _) => "boolean",
        ("Input", Some("number")) => "number",
        _ => "string",
    }
}

fn format_of(kind: &str, props: &Value) -> Option<&'static str> {
    match (kind, props["inputType"].as_str()) {
        ("DatePicker", _) => Some("date"),
        ("Input", Some("email")) => Some("email"),
        ("Input", Some("url")) => Some("uri"),
        _ => None,
    }
}

/// The value that a field starts with, in its type.
fn start_of(kind: &str, props: &Value, start: &Value) -> Option<Value> {
    let text = start.as_str().filter(|text| !text.is_empty());
    match type_of(kind, props) {
        "boolean" => props["defaultChecked"].as_bool().map(Value::from),
        "number" => text?.parse::<f64>().ok().map(Value::from),
        // A time behind the date is not part of the answer.
        _ if kind == "DatePicker" => text?.get(..10).map(Value::from),
        _ => text.map(Value::from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::catalog::Catalog;

    fn question(tree: &Value) -> Option<Question> {
        let file = json!({
            "version": "1.0", "name": "form", "template": tree.to_string(),
            "jsonSchema": { "type": "object", "properties": {} },
        });
        let files = [("form.widget", &*file.to_string().leak())];
        let catalog = Catalog::from_static(Box::leak(Box::new(files)));
        let findings: Vec<String> = catalog.findings().map(ToString::to_string).collect();
        let widget = catalog.get("form").unwrap_or_else(|| panic!("{findings:?}"));
        Question::of(&widget.render(&json!({})).unwrap())
    }

    fn booking() -> Value {
        json!({
            "type": "Card", "asForm": true,
            "confirm": { "label": "Book", "action": {
                "type": "book", "payload": { "room": 7, "guest": { "kind": "adult" } },
            } },
            "children": [
                { "type": "Title", "value": "Book a room" },
                { "type": "Label", "fieldName": "guest.name", "value": "Your name:" },
                { "type": "Input", "name": "guest.name", "required": true },
                { "type": "Input", "name": "mail", "inputType": "email", "placeholder": "Mail" },
                { "type": "Input", "name": "nights", "inputType": "number", "defaultValue": "2" },
                { "type": "DatePicker", "name": "day", "defaultValue": "2026-08-01T10:00" },
                { "type": "Checkbox", "name": "breakfast", "label": "Breakfast", "defaultChecked": true },
                { "type": "Select", "name": "size", "options": [
                    { "value": "s", "label": "Small" },
                    { "value": "l", "label": "Large" },
                    { "value": "x", "label": "Gone", "disabled": true },
                ] },
                { "type": "Text", "value": "none", "editable": { "name": "wish", "placeholder": "Wish" } },
                { "type": "Input", "name": "fixed", "disabled": true },
                { "type": "Button", "label": "Send", "submit": true },
            ],
        })
    }

    #[test]
    fn a_form_is_a_question() {
        let question = question(&booking()).unwrap();
        assert_eq!(question.message, "Book a room");
        assert_eq!(question.action.as_deref(), Some("book"));
        assert_eq!(
            question.schema(true),
            json!({
                "type": "object",
                "properties": {
                    "guest.name": { "type": "string", "title": "Your name" },
                    "mail": { "type": "string", "title": "Mail", "format": "email" },
                    "nights": { "type": "number", "title": "nights", "default": 2.0 },
                    "day": {
                        "type": "string", "title": "day", "format": "date", "default": "2026-08-01",
                    },
                    "breakfast": { "type": "boolean", "title": "Breakfast", "default": true },
                    "size": { "type": "string", "title": "size", "oneOf": [
                        { "const": "s", "title": "Small" }, { "const": "l", "title": "Large" },
                    ] },
                    "wish": { "type": "string", "title": "Wish", "default": "none" },
                },
                "required": ["guest.name"],
            })
        );
        let size = &question.schema(false)["properties"]["size"];
        assert_eq!(size["enum"], json!(["s", "l"]));
        assert_eq!(size["enumNames"], json!(["Small", "Large"]));
    }

    #[test]
    fn answers_join_the_payload() {
        let question = question(&booking()).unwrap();
        let answers =
            json!({ "guest.name": "Ada", "room": 8, "nights": 3, "other": 1, "fixed": "x" });
        assert_eq!(
            question.arguments(&answers),
            json!({ "room": 7, "guest": { "kind": "adult", "name": "Ada" }, "nights": 3 })
        );
    }

    #[test]
    fn what_is_no_question() {
        let with = |child: Value| {
            let form =
                json!({ "type": "Form", "onSubmitAction": { "type": "go" }, "children": [child] });
            question(&json!({ "type": "Card", "children": [form] }))
        };
        assert_eq!(
            with(json!({ "type": "Input", "name": "a" })).unwrap().action.as_deref(),
            Some("go")
        );
        let secret = json!({ "type": "Input", "name": "a", "inputType": "password" });
        assert_eq!(with(secret), None);
        assert_eq!(with(json!({ "type": "Text", "value": "no field" })), None);
        let lonely = json!({ "type": "Card", "children": [{ "type": "Input", "name": "a" }] });
        assert_eq!(question(&lonely), None);
    }

    #[test]
    fn a_button_may_have_the_action() {
        let tree = json!({ "type": "Card", "children": [{ "type": "Form", "children": [
            { "type": "Input", "name": "a" },
            { "type": "Button", "submit": true, "onClickAction": { "type": "send" } },
        ] }] });
        assert_eq!(question(&tree).unwrap().action.as_deref(), Some("send"));
    }

    #[test]
    fn dots_nest_to_a_depth() {
        let mut out = Map::new();
        let put = |out: &mut Map<String, Value>, name: &str, value: &Value| {
            if let Some((members, name)) = nested(out, name) {
                members.insert(name.to_owned(), value.clone());
            }
        };
        put(&mut out, "a.b", &json!(1));
        put(&mut out, "a.c", &json!(2));
        put(&mut out, "d", &json!(3));
        put(&mut out, "d.e", &json!("d is no object"));
        let deepest = vec!["x"; MAX_NESTING + 1].join(".");
        put(&mut out, &deepest, &json!(4));
        let deep = "y.".repeat(100_000);
        put(&mut out, &deep, &json!(5));
        assert_eq!((&out["a"], &out["d"]), (&json!({ "b": 1, "c": 2 }), &json!(3)));
        let pointer = format!("/{}", deepest.replace('.', "/"));
        assert_eq!(json!(out).pointer(&pointer), Some(&json!(4)));
        assert_eq!(out[&deep], 5, "it stays one name");
    }
}
