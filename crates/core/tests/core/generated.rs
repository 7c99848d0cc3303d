//! What is generated from the component table is up to date. `WIDGETCAST_BLESS=1` writes it.

use std::fmt::Write as _;

use needs_shared::needs_shared;
use serde_json::Value;

use super::shared;
use widgetcast_core::component::{COMPONENTS, Children, ICONS, Prop, Shape, THEMED_COLOR, Want};
use widgetcast_core::{
    Catalog, Kind, Severity, describe_component, describe_prop, editor_schema, file_schema,
};

#[test]
fn the_editor_schema_is_fresh() {
    let text = serde_json::to_string_pretty(&editor_schema()).unwrap() + "\n";
    shared::expect(&shared::project("docs/widget-tree.schema.json"), &text).unwrap();
}

#[test]
fn the_schema_of_files_is_fresh() {
    let text = serde_json::to_string_pretty(&file_schema()).unwrap() + "\n";
    shared::expect(&shared::project("docs/widget.schema.json"), &text).unwrap();
}

/// A definition as a value, from JSON or YAML.
fn definition(text: &str) -> Value {
    match text.trim_start().starts_with('{') {
        true => serde_json::from_str(text).unwrap(),
        false => serde_saphyr::from_str(text).unwrap(),
    }
}

/// What the schema of files has against a directory of good widgets.
fn refused(folder: &std::path::Path) -> Vec<String> {
    let validator = jsonschema::validator_for(&file_schema()).unwrap();
    let mut found = Vec::new();
    for file in shared::files(folder, "widget") {
        let value = definition(&std::fs::read_to_string(&file).unwrap());
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        for error in validator.iter_errors(&value) {
            found.push(format!("{name} at {}: {error:.300}", error.instance_path()));
        }
    }
    found
}

#[test]
fn the_schema_of_files_takes_ours() {
    for folder in [
        "crates/cli/widgets",
        "crates/cli/starters",
        "examples/helpdesk/widgets",
        "examples/weather/widgets",
    ] {
        assert_eq!(refused(&shared::project(folder)), Vec::<String>::new());
    }
}

#[needs_shared("corpus")]
#[test]
fn the_schema_of_files_takes_other_people_s() {
    let folder = shared::folder("corpus").join("widgets");
    let good = |file: &std::path::Path| {
        Catalog::from_file(file).findings().all(|finding| finding.severity != Severity::Error)
    };
    assert!(shared::files(&folder, "widget").iter().all(|file| good(file)));
    assert_eq!(refused(&folder), Vec::<String>::new());
}

#[test]
fn the_schema_of_files_refuses_mistakes() {
    let validator = jsonschema::validator_for(&file_schema()).unwrap();
    let form = shared::project("crates/cli/starters/form.widget");
    let form = std::fs::read_to_string(form).unwrap();
    assert!(validator.is_valid(&definition(&form)));
    for (from, to) in [
        ("description: Asks", "descripton: Asks"),
        ("version: \"1.0\"", "version: \"2.0\""),
        ("widget:", "template_:"),
        ("type: Title", "type: Titel"),
        ("size: sm", "size: tiny"),
        ("fieldName: rating", "htmlFor: rating"),
        ("label: Great, value: great", "label: Great"),
        ("type: send_feedback", "name: send_feedback"),
        ("rows: 3", "rows: three"),
        ("maxLength: 60", "maxLength: sixty"),
        ("type: object", "type: objekt"),
    ] {
        assert!(form.contains(from), "{from}");
        let wrong = definition(&form.replacen(from, to, 1));
        assert!(!validator.is_valid(&wrong), "{to}");
    }
    // A placeholder may stand for any value.
    assert!(validator.is_valid(&definition(&form.replacen(
        "rows: 3",
        "rows: '{{ n | json }}'",
        1
    ))));
}

/// Everything that a user can choose has a word of explanation, in whatever editor.
#[test]
fn the_schema_of_files_explains_everything() {
    let schema = file_schema();
    let mut count = 0;
    for (name, definition) in schema["$defs"].as_object().unwrap() {
        if matches!(name.as_str(), "json-schema" | "child" | "child-or-root") {
            continue;
        }
        for (prop, rule) in definition["properties"].as_object().into_iter().flatten() {
            let words = rule["description"].as_str().unwrap_or_default();
            let plain = matches!(prop.as_str(), "type" | "children");
            assert!(plain || words.ends_with('.'), "{name}.{prop}: {words:?}");
            count += 1;
        }
    }
    assert!(count > 200, "{count}");
}

/// A kind of value, with the members of an object: a star marks those that must be there.
fn words(want: &Want) -> String {
    match want {
        Want::Shape(shape) => {
            let member =
                |prop: &Prop| format!("{}{}", prop.name, if prop.required { "\\*" } else { "" });
            let members: Vec<String> = shape.props.iter().map(member).collect();
            format!("{} {{{}}}", shape.name, members.join(", "))
        }
        Want::List(of) => format!("a list; each item: {}", words(of)),
        Want::Either(list) => {
            let kinds: Vec<String> = list.iter().map(words).collect();
            let text = kinds.join(" or ");
            let (first, last) = text.rsplit_once(" or ").expect("two kinds");
            format!("{} or {last}", first.replace(" or ", ", "))
        }
        Want::Icon => "[an icon name](icons.md)".to_owned(),
        want => want.to_string(),
    }
}

#[test]
fn the_component_page_is_fresh() {
    let mut page = String::from(
        "# Components\n\nAll components and their props. A star marks required props; every component also accepts \
         `key` and `id`. [Widgets](widgets.md#values) shows each kind of value with an example.\n",
    );
    for component in COMPONENTS {
        let children = match component.children {
            Children::None => "no children".to_owned(),
            Children::Many { roots: true } => {
                "any components as children, root components included".to_owned()
            }
            Children::Many { roots: false } => "any components as children".to_owned(),
            Children::One => "one component as its child".to_owned(),
            Children::Only(name) => format!("only {name} as children"),
        };
        let about = describe_component(component.name);
        writeln!(page, "\n## {}\n\n{about} It accepts {children}.\n", component.name).unwrap();
        let props: Vec<&Prop> =
            component.all_props().filter(|p| !matches!(p.name, "key" | "id")).collect();
        if !props.is_empty() {
            page.push_str("| prop | value | for |\n|---|---|---|\n");
        }
        for prop in props {
            let star = if prop.required { "\\*" } else { "" };
            let about = describe_prop(component.name, prop.name);
            writeln!(page, "| `{}`{star} | {} | {about} |", prop.name, words(&prop.want)).unwrap();
        }
    }
    page.push_str(&kinds_of_values());
    shared::expect(&shared::project("docs/components.md"), &page).unwrap();
}

/// What the tables call a colour, an icon name, an action, and so on, with its shape.
fn kinds_of_values() -> String {
    let mut page = String::from(
        "\n## Kinds of values\n\n\
         A **text** is a JSON string. A **number** of `gap`, `padding`, `margin` and `spacing` is in units of \
         4 pixels; elsewhere in pixels. A **CSS length** is a string such as `\"12px\"`, `\"50%\"` or \
         `\"auto\"`. A **colour** is a token, a palette colour or a CSS colour: `\"secondary\"`, `\"blue-500\"`, \
         `\"#1a73e8\"`; or one for each theme (below).\n\n",
    );
    page.push_str(
        "An **icon name** is one of [these](icons.md); or a [lucide](https://lucide.dev/icons) name with the \
         prefix `lucide:`, such as `lucide:download`.\n",
    );
    let mut shapes: Vec<&Shape> = Vec::new();
    for prop in COMPONENTS.iter().flat_map(|component| component.all_props()) {
        collect_shapes(&prop.want, &mut shapes);
    }
    for shape in shapes {
        let Shape { name, example, props } = shape;
        let mut title = name.split_once(' ').map_or(*name, |(_, title)| title).to_owned();
        title[..1].make_ascii_uppercase();
        writeln!(page, "\n## {title}\n\n```json\n{example}\n```\n\n| member | value |\n|---|---|")
            .unwrap();
        for prop in *props {
            let star = if prop.required { "\\*" } else { "" };
            writeln!(page, "| `{}`{star} | {} |", prop.name, prop.want).unwrap();
        }
    }
    page
}

/// Each shape once, by its name; of two with one name, the larger.
fn collect_shapes(want: &Want, shapes: &mut Vec<&'static Shape>) {
    let mut add = |shape: &'static Shape| {
        match shapes.iter_mut().find(|known| known.name == shape.name) {
            Some(known) if known.props.len() < shape.props.len() => *known = shape,
            Some(_) => return,
            None => shapes.push(shape),
        }
        shape.props.iter().for_each(|prop| collect_shapes(&prop.want, shapes));
    };
    match want {
        Want::Shape(shape) => add(shape),
        Want::Color => add(&THEMED_COLOR),
        Want::List(of) => collect_shapes(of, shapes),
        Want::Either(list) => list.iter().for_each(|want| collect_shapes(want, shapes)),
        _ => {}
    }
}

/// The example of every shape is one.
#[test]
fn the_example_of_every_shape_fits_it() {
    let mut shapes: Vec<&Shape> = Vec::new();
    for prop in COMPONENTS.iter().flat_map(|component| component.all_props()) {
        collect_shapes(&prop.want, &mut shapes);
    }
    assert!(shapes.len() >= 9);
    for shape in shapes {
        let example: Value = serde_json::from_str(shape.example).expect(shape.name);
        let members = example.as_object().expect("an object");
        for name in members.keys() {
            assert!(shape.props.iter().any(|prop| prop.name == name), "{}: {name}", shape.name);
        }
        for prop in shape.props.iter().filter(|prop| prop.required) {
            assert!(members.contains_key(prop.name), "{} lacks {}", shape.name, prop.name);
        }
    }
}

/// `npm run build` in `web/` draws the sheet, from the table of the page.
#[test]
fn every_icon_is_on_the_sheet() {
    let sheet = std::fs::read_to_string(shared::project("docs/icons.svg")).unwrap();
    // And as text, to search for and to copy.
    let page = std::fs::read_to_string(shared::project("docs/icons.md")).unwrap();
    for name in ICONS {
        assert!(sheet.contains(&format!(">{name}</text>")), "{name}");
        assert!(page.contains(&format!("`{name}`")), "{name}");
    }
}

#[test]
fn the_page_of_codes_is_fresh() {
    let mut page = String::from(
        "# Codes\n\nWhat `widgetcast check` reports. Codes are stable, so match on them, never on messages. \
         `fixtures/broken/` in the repository has an example of each.\n\n| Code | Meaning |\n|---|---|\n",
    );
    for kind in Kind::ALL {
        writeln!(page, "| `{}` | {} |", kind.code(), kind.summary()).unwrap();
    }
    shared::expect(&shared::project("docs/codes.md"), &page).unwrap();
}

/// The union of the two ChatKit references, as others wrote it down, has no prop that we lack.
#[needs_shared("chatkit")]
#[test]
fn the_table_holds_all_that_the_references_have() {
    let reference = shared::json(&shared::folder("chatkit").join("widget-schema.json"));
    let schema = editor_schema();
    let alias = |name: &str| match name {
        "Basic" => "BasicRoot".to_owned(),
        name => name.replace('.', ""),
    };
    for component in COMPONENTS {
        let theirs = &reference["$defs"][alias(component.name)];
        assert!(theirs.is_object(), "{} is not in the reference", component.name);
        let ours = &schema["$defs"][component.name];
        for (prop, rule) in theirs["properties"].as_object().unwrap() {
            let known =
                component.prop(prop).is_some() || matches!(prop.as_str(), "type" | "children");
            assert!(known, "{} lacks {prop}", component.name);
            let mut values = Vec::new();
            choices(rule, &mut values);
            for value in values {
                let text = with_definitions(&schema, &ours["properties"][prop]);
                let free =
                    text.contains("\"type\":\"string\"}") || is_any(&ours["properties"][prop]);
                assert!(
                    free || text.contains(&value.to_string()),
                    "{}.{prop} lacks {value}",
                    component.name
                );
            }
        }
        let required = |schema: &Value| -> Vec<String> {
            let mut names: Vec<String> = schema["required"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .filter(|name| *name != "type")
                .map(str::to_owned)
                .collect();
            names.sort();
            names
        };
        assert_eq!(required(ours), required(theirs), "{}", component.name);
    }
}

/// Whether a rule says nothing about the value.
fn is_any(rule: &Value) -> bool {
    rule.as_object().is_some_and(|rule| rule.keys().all(|key| key == "description"))
}

/// The text of a rule, and of the definitions that it refers to.
fn with_definitions(schema: &Value, rule: &Value) -> String {
    let mut text = rule.to_string();
    for (name, definition) in schema["$defs"].as_object().unwrap() {
        if text.contains(&format!("\"#/$defs/{name}\"")) {
            text.push_str(&definition.to_string());
        }
    }
    text
}

/// The values of an enum, however deep it is wrapped in alternatives.
fn choices(rule: &Value, out: &mut Vec<Value>) {
    out.extend(rule["enum"].as_array().into_iter().flatten().cloned());
    for inner in rule["anyOf"].as_array().into_iter().flatten() {
        choices(inner, out);
    }
}

/// The icons of lucide that are suggested are among those that results can carry.
#[test]
fn the_icons_that_are_suggested_exist() {
    let table = shared::project("crates/widgetcast/pages/icons.tsv");
    let table = std::fs::read_to_string(table).unwrap();
    let suggested = widgetcast_engine::habit::ICONS.iter().map(|(_, icon)| icon);
    for name in suggested.filter_map(|icon| icon.strip_prefix("lucide:")) {
        assert!(table.lines().any(|line| line.starts_with(&format!("{name}\t"))), "{name}");
    }
}
