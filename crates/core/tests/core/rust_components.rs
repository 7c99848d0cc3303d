//! The Rust types of the components, `crates/widgetcast/src/components/table.rs`: written from the
//! component table, with `WIDGETCAST_BLESS=1`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use widgetcast_core::component::{COMPONENTS, Children, Component, Prop, Shape, Want};
use widgetcast_core::{describe_component, describe_prop};

use crate::shared;

const HEAD: &str = "\
//! The types, made from the component table: `WIDGETCAST_BLESS=1 cargo test -p widgetcast-core` writes
//! this file.

use serde_json::{Map, Value, json};

use super::{Child, Color, Css, Node, Number, Root};
use super::{children, choice, from_plain, into_value, node, object, sealed};
";

#[test]
fn the_rust_types_are_fresh() {
    let mut types = Types::default();
    let mut page = String::new();
    for component in COMPONENTS {
        types.write_component(component, &mut page);
    }
    let mut whole = String::from(HEAD);
    for (name, text) in types.choices.iter().chain(&types.shapes) {
        assert!(!name.is_empty());
        whole.push_str(text);
    }
    whole.push_str(&page);
    let path = shared::project("crates/widgetcast/src/components/table.rs");
    shared::expect(&path, &whole).unwrap();
}

/// The types that props need, by name.
#[derive(Default)]
struct Types {
    choices: BTreeMap<String, String>,
    shapes: BTreeMap<String, String>,
}

impl Types {
    fn write_component(&mut self, component: &Component, page: &mut String) {
        let name = match component.name {
            // Not `Box`: who imports all of them would lose Rust's own.
            "Box" => "Container".to_owned(),
            name => name.replace('.', ""),
        };
        let mut fixed = vec![format!("\"type\": json!({:?})", component.name)];
        match component.children {
            Children::None => {}
            Children::One => fixed.push("\"children\": Value::Null".into()),
            _ => fixed.push("\"children\": json!([])".into()),
        }
        let props: Vec<&Prop> = component.all_props().collect();
        let mut about = describe_component(component.name).to_owned();
        if name != component.name {
            write!(about, " In widgets it is `{}`.", component.name).unwrap();
        }
        let object = self.object((component.name, &name), &about, &fixed.join(", "), &props);
        page.push_str(&object);
        let is_part =
            COMPONENTS.iter().any(|other| other.children == Children::Only(component.kind));
        match (component.root, is_part) {
            (true, _) => writeln!(page, "node!({name}: Root);").unwrap(),
            (_, true) => writeln!(page, "node!({name});").unwrap(),
            _ => writeln!(page, "node!({name}: Child);").unwrap(),
        }
        let child = match component.children {
            Children::None => return,
            Children::One => {
                let setter = "/// Sets the child.\n    pub fn child(mut self, child: impl Child) -> Self {\n        \
                              self.0[\"children\"] = child.into();\n        self\n    }";
                writeln!(page, "\nimpl {name} {{\n    {setter}\n}}").unwrap();
                return;
            }
            Children::Many { roots: true } => "impl Node".to_owned(),
            Children::Many { roots: false } => "impl Child".to_owned(),
            Children::Only(kind) => kind.to_string().replace('.', ""),
        };
        writeln!(page, "children!({name}: {child});").unwrap();
    }

    /// An object of this name in messages and in Rust, with members that it always has, and its props.
    fn object(
        &mut self,
        (of, name): (&str, &str),
        about: &str,
        fixed: &str,
        props: &[&Prop],
    ) -> String {
        let mut out = format!("\nobject! {{\n    /// {about}\n    struct {name} [{fixed}] (");
        let needed = props.iter().filter(|prop| prop.required).map(|prop| {
            let kind = self.type_of(of, prop.name, &prop.want);
            let argument = if prop.name == "type" { "kind".into() } else { snake(prop.name) };
            format!("{argument}: {kind} = {:?}", prop.name)
        });
        out += &needed.collect::<Vec<_>>().join(", ");
        out += ")\n";
        for prop in props.iter().filter(|prop| !prop.required) {
            let (about, kind) =
                (describe_prop(of, prop.name), self.type_of(of, prop.name, &prop.want));
            writeln!(
                out,
                "    /// {about}\n    fn {}({kind}) = {:?};",
                snake(prop.name),
                prop.name
            )
            .unwrap();
        }
        out + "}\n"
    }

    /// The Rust type of a prop.
    fn type_of(&mut self, of: &str, prop: &str, want: &Want) -> String {
        match want {
            Want::Any | Want::Object => "Value".into(),
            Want::Bool => "bool".into(),
            Want::Number => "Number".into(),
            Want::Str | Want::Icon => "String".into(),
            Want::Color => "Color".into(),
            Want::Length | Want::Css => "Css".into(),
            Want::Choice(words) => self.choice(of, prop, words),
            Want::Shape(shape) => self.shape(shape, None),
            Want::List(each) => format!("Vec<{}>", self.type_of(of, prop, each)),
            // A number or a word.
            Want::Either([Want::Number, Want::Choice(_)]) => "Css".into(),
            Want::Either([plain, Want::Shape(shape)]) => self.shape(shape, Some(plain)),
            Want::Either(_) => panic!("{of}.{prop}: there is no type for this yet"),
        }
    }

    fn choice(&mut self, of: &str, prop: &str, words: &[&str]) -> String {
        let name = choice_name(of, prop);
        let mut text = format!("\nchoice! {{\n    /// A value of `{prop}`.\n    enum {name} {{\n");
        for word in words {
            writeln!(text, "        {} = {word:?},", variant(word)).unwrap();
        }
        text += "    }\n}\n";
        let known = self.choices.entry(name.clone()).or_insert_with(|| text.clone());
        assert_eq!(words_of(known), words_of(&text), "{name} has two meanings: {of}.{prop}");
        name
    }

    fn shape(&mut self, shape: &Shape, plain: Option<&Want>) -> String {
        let title = shape.name.split_once(' ').map_or(shape.name, |(_, title)| title);
        let mut name: String = title.split(' ').map(pascal).collect();
        let has = |member: &str| shape.props.iter().any(|prop| prop.name == member);
        // Two shapes of one name in messages.
        match name.as_str() {
            "Border" if !has("top") => name = "Edge".into(),
            "Option" if has("description") => name = "SelectOption".into(),
            "Option" => name = "RadioOption".into(),
            _ => {}
        }
        if !self.shapes.contains_key(&name) {
            self.shapes.insert(name.clone(), String::new());
            let props: Vec<&Prop> = shape.props.iter().collect();
            let example = shape.example;
            let about = format!(
                "{}{}, such as `{example}`.",
                shape.name[..1].to_uppercase(),
                &shape.name[1..]
            );
            let mut text = self.object((shape.name, &name), &about, "", &props);
            let plain = match plain {
                None => None,
                Some(Want::Bool) => Some("bool"),
                Some(Want::Number) => Some("number"),
                Some(Want::Str) => Some("text"),
                Some(Want::Length) => Some("css"),
                Some(other) => panic!("{name}: {other:?}"),
            };
            if let Some(plain) = plain {
                writeln!(text, "from_plain!({name}: {plain});").unwrap();
            }
            self.shapes.insert(name.clone(), text);
        }
        name
    }
}

fn words_of(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.contains(" = ")).collect()
}

/// What the choices of a prop are called: after the prop, and after the component too where components
/// take different ones.
fn choice_name(of: &str, prop: &str) -> String {
    match (of, prop) {
        ("Text" | "Label" | "Table.Cell", "size" | "colSize") => "TextSize".into(),
        ("Button" | "Input" | "Textarea" | "Select" | "DatePicker", "size") => "ControlSize".into(),
        ("Caption" | "Badge", "size") => "SmallSize".into(),
        ("Input" | "Textarea", "variant") => "FieldVariant".into(),
        ("Button" | "Select" | "DatePicker", "variant") => "Variant".into(),
        ("DatePicker" | "Table.Cell", "align") | (_, "textAlign" | "vAlign") => "Side".into(),
        ("DatePicker", "side") => "Placement".into(),
        ("Button", "iconSize") => "ButtonIconSize".into(),
        ("a series", "type") => "SeriesType".into(),
        (_, "size" | "color" | "variant" | "style") => {
            let of = of.split_once(' ').map_or(of, |(_, of)| of);
            pascal(of) + &pascal(prop)
        }
        _ => pascal(prop),
    }
}

fn pascal(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect()
}

fn snake(name: &str) -> String {
    let parts = name.chars().map(|c| match c.is_ascii_uppercase() {
        true => format!("_{}", c.to_ascii_lowercase()),
        false => c.to_string(),
    });
    parts.collect()
}

/// A word as a variant: `2xl` is `Xl2`, `top left` is `TopLeft`, `100%` is `Percent100`.
fn variant(word: &str) -> String {
    let digits: String = word.chars().take_while(char::is_ascii_digit).collect();
    let rest = match &word[digits.len()..] {
        "%" => "percent",
        // `Self` is a keyword.
        "self" => "itself",
        rest => rest,
    };
    rest.split([' ', '-']).map(pascal).collect::<String>() + &digits
}
