//! The JSON Schema of a tree, for editors, read from the component table.

use serde_json::{Map, Value, json};

use super::component::{COMPONENTS, Children, Component, ICONS, Prop, THEMED_COLOR, Want};

/// The names of the two lists of children in the schema.
const CHILD: &str = "child";
const CHILD_OR_ROOT: &str = "child-or-root";

/// A JSON Schema (2020-12) that accepts exactly the trees this crate finds nothing wrong with,
/// apart from placement rules that a schema cannot say.
pub fn editor_schema() -> Value {
    let mut definitions: Map<String, Value> =
        COMPONENTS.iter().map(|c| (c.name.to_owned(), component(c))).collect();
    // Named once: every container refers to the same long list.
    for (name, roots) in [(CHILD, false), (CHILD_OR_ROOT, true)] {
        let list = choice(|c| c.only_in().is_none() && (roots || !c.root));
        definitions.insert(name.to_owned(), json!({ "oneOf": list }));
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A ChatKit component tree",
        "oneOf": choice(|c| c.root),
        "$defs": definitions,
    })
}

fn choice(keep: impl Fn(&Component) -> bool) -> Vec<Value> {
    COMPONENTS.iter().filter(|c| keep(c)).map(|c| reference(c.name)).collect()
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

fn component(component: &Component) -> Value {
    let mut properties = Map::new();
    properties.insert("type".into(), json!({ "const": component.name }));
    for prop in component.all_props() {
        properties.insert(prop.name.into(), want(&prop.want));
    }
    let inner = |roots: bool| reference(if roots { CHILD_OR_ROOT } else { CHILD });
    let children = match component.children {
        Children::None => None,
        Children::Many { roots } => Some(json!({ "type": "array", "items": inner(roots) })),
        Children::One => Some(json!({ "oneOf": [{ "type": "null" }, inner(false)] })),
        Children::Only(only) => {
            Some(json!({ "type": "array", "items": reference(&only.to_string()) }))
        }
    };
    properties.extend(children.map(|schema| ("children".to_owned(), schema)));
    let mut required = vec!["type"];
    required.extend(component.all_props().filter(|p| p.required).map(|p| p.name));
    if component.needs_children {
        required.push("children");
    }
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn shape(props: &[Prop]) -> Value {
    let properties: Map<String, Value> =
        props.iter().map(|p| (p.name.to_owned(), want(&p.want))).collect();
    let required: Vec<&str> = props.iter().filter(|p| p.required).map(|p| p.name).collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn want(wanted: &Want) -> Value {
    match wanted {
        Want::Any => json!(true),
        Want::Bool => json!({ "type": "boolean" }),
        Want::Number => json!({ "type": "number" }),
        Want::Str => json!({ "type": "string" }),
        Want::Choice(list) => json!({ "enum": list }),
        Want::Icon => {
            json!({ "anyOf": [{ "enum": ICONS }, { "type": "string", "pattern": "^(vendor|lucide):" }] })
        }
        Want::Color => json!({ "anyOf": [{ "type": "string" }, shape(THEMED_COLOR.props)] }),
        Want::Length | Want::Css => json!({ "type": ["number", "string"] }),
        Want::Object => json!({ "type": "object" }),
        Want::Shape(s) => shape(s.props),
        Want::List(of) => json!({ "type": "array", "items": want(of) }),
        Want::Either(list) => json!({ "anyOf": list.iter().map(want).collect::<Vec<_>>() }),
    }
}
