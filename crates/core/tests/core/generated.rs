//! What is generated from the component table is up to date. `WIDGETCAST_BLESS=1` writes it.

use std::fmt::Write as _;

use needs_shared::needs_shared;
use serde_json::Value;

use super::shared;
use widgetcast_core::component::{COMPONENTS, Children, Prop};
use widgetcast_core::{Kind, editor_schema};

#[test]
fn the_editor_schema_is_fresh() {
    let text = serde_json::to_string_pretty(&editor_schema()).unwrap() + "\n";
    shared::expect(&shared::project("docs/widget-tree.schema.json"), &text).unwrap();
}

#[test]
fn the_component_page_is_fresh() {
    let mut page = String::from(
        "# Components\n\nEvery component a widget can be made of, and its props. Generated from the component \
         table in `crates/engine/src/tree/component.rs`. A star marks what must be there; every component also \
         takes `key` and `id`.\n",
    );
    for component in COMPONENTS {
        let children = match component.children {
            Children::None => "takes no children".to_owned(),
            Children::Many { roots: true } => "takes any components, roots too".to_owned(),
            Children::Many { roots: false } => "takes any components".to_owned(),
            Children::One => "takes one component".to_owned(),
            Children::Only(name) => format!("takes only {name}"),
        };
        let root = if component.root { "a root, " } else { "" };
        writeln!(page, "\n## {}\n\n{root}{children}\n", component.name).unwrap();
        let props: Vec<&Prop> =
            component.all_props().filter(|p| !matches!(p.name, "key" | "id")).collect();
        if !props.is_empty() {
            page.push_str("| prop | value |\n|---|---|\n");
        }
        for prop in props {
            let star = if prop.required { "\\*" } else { "" };
            writeln!(page, "| `{}`{star} | {} |", prop.name, prop.want).unwrap();
        }
    }
    shared::expect(&shared::project("docs/components.md"), &page).unwrap();
}

#[test]
fn the_page_of_codes_is_fresh() {
    let mut page = String::from(
        "# Codes\n\nWhat `widgetcast check` can find. Each has a stable code; `fixtures/broken/` has an \
         example of each with its message.\n\n| code | meaning |\n|---|---|\n",
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
    let alias = |name: &str| match name {
        "Basic" => "BasicRoot".to_owned(),
        name => name.replace('.', ""),
    };
    for component in COMPONENTS {
        let theirs = &reference["$defs"][alias(component.name)];
        assert!(theirs.is_object(), "{} is not in the reference", component.name);
        let ours = &editor_schema()["$defs"][component.name];
        for (prop, rule) in theirs["properties"].as_object().unwrap() {
            let known =
                component.prop(prop).is_some() || matches!(prop.as_str(), "type" | "children");
            assert!(known, "{} lacks {prop}", component.name);
            let mut values = Vec::new();
            choices(rule, &mut values);
            for value in values {
                let text = ours["properties"][prop].to_string();
                let free =
                    text.contains("\"string\"") || ours["properties"][prop] == Value::Bool(true);
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

/// The values of an enum, however deep it is wrapped in alternatives.
fn choices(rule: &Value, out: &mut Vec<Value>) {
    out.extend(rule["enum"].as_array().into_iter().flatten().cloned());
    for inner in rule["anyOf"].as_array().into_iter().flatten() {
        choices(inner, out);
    }
}
