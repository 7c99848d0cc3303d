//! A form as a question, for hosts that show no views but can ask a user: the fields of the first form
//! of a view, in the small part of JSON Schema that such hosts know.

use std::collections::HashMap;

use serde_json::{Map, Value, json};
use widgetcast_engine::outline::{Field, FieldKind};
use widgetcast_engine::tree::component::ComponentType;
use widgetcast_engine::tree::{CompactTree, Key, Node};

use crate::definition::view::View;

/// The longest message, in characters.
const MAX_MESSAGE: usize = 1000;
/// The most fields that a user is asked for at once.
const MAX_FIELDS: usize = 50;

/// The elicitation that a form becomes in hosts without views.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The text of the view around the fields.
    pub message: String,
    /// The type of the action that the form would run: often the name of a tool.
    pub action: Option<String>,
    payload: Map<String, Value>,
    fields: Vec<Property>,
}

#[derive(Clone, Debug, PartialEq)]
struct Property {
    name: String,
    is_required: bool,
    /// Without options.
    schema: Map<String, Value>,
    /// Values and what users read.
    options: Vec<(String, String)>,
}

impl Question {
    /// The elicitation for a view. `None` if it has no form, or a form with a secret, which must not pass
    /// through a model or a log.
    pub fn of(view: &View) -> Option<Self> {
        // Most views have no form.
        if !view.json().contains("\"asForm\"") && !view.json().contains("\"Form\"") {
            return None;
        }
        let tree = CompactTree::read(view.json());
        let mut all = Vec::new();
        collect(tree.root()?, &|_| true, &mut all);
        let form = *all.iter().find(|node| is_form(**node))?;
        // A form within is another question.
        let mut own = Vec::new();
        collect(form, &|node| !is_form(node), &mut own);
        let fields: Vec<Field<'_>> = own.iter().filter_map(|node| Field::of(*node)).collect();
        if fields.iter().any(|field| field.kind == FieldKind::Password) {
            return None;
        }
        let mut labels = HashMap::new();
        for label in tree.labels() {
            if let (Some(field), Some(text)) = (label.text(Key::FieldName), label.text(Key::Value))
            {
                labels.entry(field).or_insert(text);
            }
        }
        let fields = fields.iter().filter(|field| !field.name.is_empty() && !field.is_disabled);
        let fields: Vec<Property> = fields
            .map(|field| Property::of(field, labels.get(field.name).copied().unwrap_or_default()))
            .collect();
        if fields.is_empty() || fields.len() > MAX_FIELDS {
            return None;
        }
        // Its own action, that of the card's foot, or that of the button that submits it.
        let is_action = |action: &Node<'_>| action.is_object();
        let action = form.get(Key::OnSubmitAction).filter(is_action);
        let action = action.or_else(|| form.get(Key::Confirm)?.get(Key::Action).filter(is_action));
        let action = action.or_else(|| {
            let mut below = Vec::new();
            collect(form, &|_| true, &mut below);
            below.into_iter().find_map(|button| {
                button.flag(Key::Submit).then(|| button.get(Key::OnClickAction))?.filter(is_action)
            })
        });
        let words: Vec<&str> = all.iter().filter_map(|node| words_of(*node)).collect();
        let payload = action.and_then(|action| action.get(Key::Payload));
        Some(Self {
            message: words.join("\n").chars().take(MAX_MESSAGE).collect(),
            action: action.and_then(|action| action.text(Key::Type)).map(str::to_owned),
            payload: payload
                .and_then(|payload| serde_json::from_str(payload.json()).ok())
                .unwrap_or_default(),
            fields,
        })
    }

    /// The `requestedSchema` of the elicitation. In revisions before 2026-07-28, the titles of options are in
    /// a separate list.
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

    /// The payload of the action with the answers, as a view would send it: dots in names create nested
    /// objects, and existing members of the payload take precedence. Only fields of the form are included.
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

/// The place of a field's value, if its name has dots: the object, which is created if it does not exist, and
/// the key in it. `None` if another value is in the way; a name with too many dots is a single key.
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

/// Appends a component and its descendants, in reading order, without the subtrees that `is_part` excludes.
fn collect<'t>(node: Node<'t>, is_part: &impl Fn(Node<'t>) -> bool, all: &mut Vec<Node<'t>>) {
    all.push(node);
    let children = node.children().filter(|child| is_part(*child));
    children.for_each(|child| collect(child, is_part, all));
}

fn is_form(node: Node<'_>) -> bool {
    node.is(ComponentType::Form) || node.is(ComponentType::Card) && node.flag(Key::AsForm)
}

/// What a user reads next to the fields.
fn words_of(node: Node<'_>) -> Option<&str> {
    use ComponentType::{Badge, Caption, Markdown, Text, Title};
    let is_text = matches!(node.kind(), Title | Text | Caption | Markdown | Badge)
        && !node.get(Key::Editable).is_some_and(Node::is_object);
    node.text(Key::Value).or_else(|| node.text(Key::Label)).filter(|_| is_text)
}

impl Property {
    fn of(field: &Field<'_>, label: &str) -> Self {
        let (kind, format) = match field.kind {
            FieldKind::Checkbox => ("boolean", None),
            FieldKind::Number => ("number", None),
            FieldKind::Date => ("string", Some("date")),
            FieldKind::Email => ("string", Some("email")),
            FieldKind::Url => ("string", Some("uri")),
            _ => ("string", None),
        };
        let names = [label, field.label, field.aria, field.hint];
        let title = names.into_iter().find(|name| !name.is_empty()).unwrap_or(field.name);
        let mut schema = Map::new();
        schema.insert("type".into(), json!(kind));
        schema.insert("title".into(), json!(title.trim_end_matches(':')));
        schema.extend(format.map(|format| ("format".to_owned(), json!(format))));
        // The value that it starts with, in its type. A time behind the date is not part of the answer.
        let start = Some(field.value).filter(|value| !value.is_empty());
        let start = match field.kind {
            FieldKind::Checkbox => field.is_checked.then(|| true.into()),
            FieldKind::Number => start.and_then(|text| text.parse::<f64>().ok()).map(Value::from),
            FieldKind::Date => start.and_then(|text| text.get(..10)).map(Value::from),
            _ => start.map(Value::from),
        };
        schema.extend(start.map(|start| ("default".to_owned(), start)));
        let options = field.choices.iter().filter(|choice| !choice.is_disabled);
        let options = options.map(|choice| (choice.value.to_owned(), choice.label.to_owned()));
        let (name, is_required) = (field.name.to_owned(), field.is_required);
        Self { name, is_required, schema, options: options.collect() }
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
