//! The JSON Schemas of trees, for editors, read from the component table: of a tree as hosts receive it,
//! and of one with placeholders, as an author writes it under `widget` in YAML.

use serde_json::{Map, Value, json};

use super::component::{
    COMPONENTS, Children, Component, ComponentType, ICONS, Prop, Shape, THEMED_COLOR, Want,
};
use super::describe::{describe_component, describe_prop};

/// The names of the two lists of children in the schema.
const CHILD: &str = "child";
const CHILD_OR_ROOT: &str = "child-or-root";
/// The names of values that many props take.
const ICON: &str = "icon";
const COLOR: &str = "color";
const PLACEHOLDER: &str = "placeholder";

/// A JSON Schema (2020-12) that accepts exactly the trees without findings, apart from placement rules that a
/// schema cannot express.
pub fn editor_schema() -> Value {
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A ChatKit component tree",
        "oneOf": roots(),
    });
    schema["$defs"] = Writer::default().definitions().into();
    schema
}

/// The definitions (`$defs`) of a tree that may contain placeholders and `when`, and the schema that uses
/// them.
pub fn placeholder_tree_schema() -> (Map<String, Value>, Value) {
    let writer = Writer { placeholders: true, ..Writer::default() };
    (writer.definitions(), json!({ "oneOf": roots() }))
}

fn roots() -> Vec<Value> {
    choice(|c| c.root)
}

fn choice(keep: impl Fn(&Component) -> bool) -> Vec<Value> {
    COMPONENTS.iter().filter(|c| keep(c)).map(|c| reference(c.name)).collect()
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

#[derive(Default)]
struct Writer {
    /// Whether a text with a placeholder may stand for any value.
    placeholders: bool,
    /// Named once: what many components refer to.
    definitions: Map<String, Value>,
}

impl Writer {
    fn definitions(mut self) -> Map<String, Value> {
        for component in COMPONENTS {
            let schema = self.component(component);
            self.definitions.insert(component.name.to_owned(), schema);
        }
        for (name, roots) in [(CHILD, false), (CHILD_OR_ROOT, true)] {
            let list = choice(|c| c.only_in().is_none() && (roots || !c.root));
            self.definitions.insert(name.to_owned(), json!({ "oneOf": list }));
        }
        let icon = json!({
            "anyOf": [{ "enum": ICONS }, { "type": "string", "pattern": "^(vendor|lucide):" }]
        });
        self.definitions.insert(ICON.to_owned(), icon);
        let themed = self.shape(&THEMED_COLOR);
        let color = json!({
            "description": "A token such as secondary, a palette colour such as blue-500, a CSS \
                            colour, or one for each theme",
            "anyOf": [{ "type": "string" }, themed],
        });
        self.definitions.insert(COLOR.to_owned(), color);
        if self.placeholders {
            let placeholder = json!({
                "type": "string",
                "pattern": "\\{\\{|\\{%",
                "description": "{{ name }} in a string, or only {{ name | json }} for the value itself",
            });
            self.definitions.insert(PLACEHOLDER.to_owned(), placeholder);
        }
        self.definitions
    }

    fn component(&mut self, component: &Component) -> Value {
        let mut properties = Map::new();
        properties.insert("type".into(), json!({ "const": component.name }));
        self.members(component.name, component.all_props(), &mut properties);
        let child = |only: ComponentType| self.or_placeholder(reference(&only.to_string()));
        let inner =
            |roots: bool| self.or_placeholder(reference(if roots { CHILD_OR_ROOT } else { CHILD }));
        let list = |of: Value| self.or_placeholder(json!({ "type": "array", "items": of }));
        let children = match component.children {
            Children::None => None,
            Children::Many { roots } => Some(list(inner(roots))),
            Children::One => Some(json!({ "anyOf": [{ "type": "null" }, inner(false)] })),
            Children::Only(only) => Some(list(child(only))),
        };
        properties.extend(children.map(|schema| ("children".to_owned(), schema)));
        let mut required = vec!["type"];
        required.extend(component.all_props().filter(|p| p.required).map(|p| p.name));
        if component.needs_children {
            required.push("children");
        }
        json!({
            "description": describe_component(component.name),
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        })
    }

    /// The props of a component or shape, each with its description.
    fn members(
        &mut self,
        of: &str,
        props: impl Iterator<Item = &'static Prop>,
        out: &mut Map<String, Value>,
    ) {
        for prop in props {
            let mut schema = match self.want(&prop.want) {
                Value::Object(schema) => schema,
                _ => Map::new(),
            };
            schema.insert("description".into(), describe_prop(of, prop.name).into());
            out.insert(prop.name.into(), schema.into());
        }
        if self.placeholders {
            let when = json!({
                "type": "string",
                "description": "Renders this only if the value of that name is not blank.",
            });
            out.insert("when".into(), when);
            let each = json!({
                "type": "string",
                "pattern": "^\\s*\\w+(\\s*,\\s*\\w+)*\\s+in\\s+\\S",
                "description": "Repeats this item of a list: `item in items`. `loop.index` counts.",
            });
            out.insert("for".into(), each);
        }
    }

    /// A reference to the definition of a nested object. Two with one name differ in their members.
    fn shape(&mut self, shape: &'static Shape) -> Value {
        let mut properties = Map::new();
        self.members(shape.name, shape.props.iter(), &mut properties);
        let required: Vec<&str> =
            shape.props.iter().filter(|p| p.required).map(|p| p.name).collect();
        let schema = json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        });
        let name = shape.name.split_once(' ').map_or(shape.name, |(_, noun)| noun);
        let mut name = name.replace(' ', "-");
        while self.definitions.get(&name).is_some_and(|other| *other != schema) {
            name.push_str("-2");
        }
        let reference = reference(&name);
        self.definitions.insert(name, schema);
        reference
    }

    fn want(&mut self, wanted: &Want) -> Value {
        let schema = match wanted {
            Want::Any => return json!({}),
            Want::Str => return json!({ "type": "string" }),
            Want::Color => return reference(COLOR),
            Want::Length | Want::Css => return json!({ "type": ["number", "string"] }),
            Want::Object => json!({ "type": "object" }),
            Want::Bool => json!({ "type": "boolean" }),
            Want::Number => json!({ "type": "number" }),
            Want::Choice(list) => json!({ "enum": list }),
            Want::Icon => reference(ICON),
            Want::Shape(shape) => self.shape(shape),
            Want::List(of) => json!({ "type": "array", "items": self.want(of) }),
            Want::Either(list) => {
                json!({ "anyOf": list.iter().map(|want| self.want(want)).collect::<Vec<_>>() })
            }
        };
        self.or_placeholder(schema)
    }

    fn or_placeholder(&self, schema: Value) -> Value {
        match self.placeholders {
            true => json!({ "anyOf": [schema, reference(PLACEHOLDER)] }),
            false => schema,
        }
    }
}
