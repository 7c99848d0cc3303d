//! The TypeScript types of the props, `web/view/src/markup/component-props.ts`: written from the
//! component table, with `WIDGETCAST_BLESS=1`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use widgetcast_core::component::{COMPONENTS, Prop, Shape, Want};
use widgetcast_core::{describe_component, describe_prop};

use crate::shared;

const HEAD: &str = "\
// Generated from the component table by `WIDGETCAST_BLESS=1 cargo test -p widgetcast-core`.

/** A token, a colour of the palette or any CSS colour; or one for each theme. */
export type Color = string | { light: string; dark: string };
";

#[test]
fn the_typescript_types_are_fresh() {
    let mut shapes = BTreeMap::new();
    let mut components = String::new();
    for component in COMPONENTS {
        let name = match component.name.contains('.') {
            true => format!("{:?}", component.name),
            false => component.name.to_owned(),
        };
        let about = describe_component(component.name);
        let members = members(component.name, component.all_props(), "    ", &mut shapes);
        writeln!(components, "  /** {about} */\n  {name}: {{\n{members}  }};").unwrap();
    }
    let shapes: String = shapes.into_values().collect();
    let whole = format!(
        "{HEAD}{shapes}\n/** The props of every component, `children` excepted. */\nexport interface ComponentProps {{\n{components}}}\n"
    );
    let path = shared::project("web/view/src/markup/component-props.ts");
    shared::expect(&path, &whole).unwrap();
}

/// The declarations of shapes, by name.
type Shapes = BTreeMap<String, String>;

fn members<'p>(
    of: &str,
    props: impl Iterator<Item = &'p Prop>,
    indent: &str,
    shapes: &mut Shapes,
) -> String {
    let mut out = String::new();
    for prop in props {
        let (about, kind) = (describe_prop(of, prop.name), type_of(&prop.want, shapes));
        // With `undefined`, because pages pass on props of their own that may be missing.
        let (mark, or) = match prop.required {
            true => ("", ""),
            false if kind == "unknown" => ("?", ""),
            false => ("?", " | undefined"),
        };
        writeln!(out, "{indent}/** {about} */\n{indent}{}{mark}: {kind}{or};", prop.name).unwrap();
    }
    out
}

fn type_of(want: &Want, shapes: &mut Shapes) -> String {
    match want {
        // Hosts pass on any JSON where an object is wanted.
        Want::Any | Want::Object => "unknown".into(),
        Want::Bool => "boolean".into(),
        Want::Number => "number".into(),
        Want::Str | Want::Icon => "string".into(),
        Want::Color => "Color".into(),
        Want::Length | Want::Css => "number | string".into(),
        Want::Choice(words) => {
            words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(" | ")
        }
        Want::Shape(shape) => name_of(shape, shapes),
        Want::List(each) => format!("readonly {}[]", type_of(each, shapes)),
        Want::Either(kinds) => {
            kinds.iter().map(|kind| type_of(kind, shapes)).collect::<Vec<_>>().join(" | ")
        }
    }
}

/// The name of a shape, which is declared when it is first asked for.
fn name_of(shape: &Shape, shapes: &mut Shapes) -> String {
    let has = |member: &str| shape.props.iter().any(|prop| prop.name == member);
    let name = match shape.name {
        // Two shapes of one name in messages.
        "a border" if !has("top") => "Edge".into(),
        "an option" if has("description") => "SelectOption".into(),
        "an option" => "RadioOption".into(),
        name => name.split(' ').skip(1).map(pascal).collect::<String>(),
    };
    if !shapes.contains_key(&name) {
        shapes.insert(name.clone(), String::new());
        let members = members(shape.name, shape.props.iter(), "  ", shapes);
        let text = format!(
            "\n/** Such as `{}`. */\nexport interface {name} {{\n{members}}}\n",
            shape.example
        );
        shapes.insert(name.clone(), text);
    }
    name
}

fn pascal(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}
