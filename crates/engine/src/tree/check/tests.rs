use serde_json::{Value, json};

use super::*;
use crate::error::Kind;
use crate::tree::component::COMPONENTS;

/// All findings of a tree, one line each, with the suggestions that they make.
fn check_json(text: &str) -> Vec<String> {
    let line = |finding: &Finding| match finding.error.help() {
        help if help.starts_with("did you")
            || finding.severity < Severity::Error && !help.is_empty() =>
        {
            format!("{finding} ({help})")
        }
        _ => finding.to_string(),
    };
    check_tree(text, &Limits::default()).iter().map(line).collect()
}

fn check_card(child: &Value) -> Vec<String> {
    check_json(&json!({"type": "Card", "children": [child]}).to_string())
}

fn is_untidy(tree: &Value) -> bool {
    check_value(tree, Nulls::Nothing, &Limits::default()).unwrap().untidy
}

#[test]
fn a_root_is_a_component_that_can_start_a_tree() {
    let root = "error[tree-root]: a widget must be a component (an object with a type), not";
    for (tree, found) in [
        (json!(null), "null"),
        (json!(true), "true"),
        (json!(-1), "the number -1"),
        (json!(7), "the number 7"),
        (json!(1.5), "the number 1.5"),
        (json!("Card"), "the string \"Card\""),
        (json!([{"type": "Card"}]), "a list"),
    ] {
        assert_eq!(check_json(&tree.to_string()), [format!("{root} {found}")]);
    }
    assert_eq!(check_json("{}"), ["error[tree-root]: the widget has no type"]);
    let title = json!({"type": "Title", "value": "a"}).to_string();
    let message = "the root component must be Card, ListView or Basic, not Title";
    assert_eq!(check_json(&title), [format!("error[tree-root]: {message}")]);
}

#[test]
fn a_child_is_a_component() {
    let child =
        "error[tree-child]: /children/0: a child must be a component (an object with a type), not";
    for (tree, found) in [
        (json!(false), "false"),
        (json!(3), "the number 3"),
        (json!("a"), "the string \"a\""),
        (json!([]), "a list"),
    ] {
        assert_eq!(check_card(&tree), [format!("{child} {found}")]);
    }
    assert_eq!(check_card(&json!(null)), [""; 0]);
    assert!(is_untidy(&json!({"type": "Card", "children": [null]})));
    assert_eq!(
        check_card(&json!({})),
        ["error[tree-type]: /children/0: the component has no type"]
    );
}

#[test]
fn a_type_is_a_name_of_the_table() {
    let unknown = json!({"type": "Titel", "value": [1], "x": {}});
    assert_eq!(
        check_card(&unknown),
        ["error[tree-type]: /children/0/type: unknown component \"Titel\" (did you mean Title?)"]
    );
    for no_text in
        [json!(1), json!(-1), json!(1.5), json!(true), json!(null), json!([1]), json!({})]
    {
        assert_eq!(
            check_card(&json!({"type": no_text, "value": "a"})),
            ["error[tree-type]: /children/0/type: the type of a component must be a string"]
        );
    }
}

#[test]
fn a_second_type_is_an_error() {
    assert_eq!(
        check_json(r#"{"type":"Card","children":[{"type":"Text","value":"a","type":"Title"}]}"#),
        ["error[tree-value]: /children/0: Text has two `type` keys"]
    );
    // In an action, `type` is an ordinary member.
    let action = json!({"type": "go"});
    assert_eq!(check_card(&json!({"type": "Button", "onClickAction": action})), [""; 0]);
}

#[test]
fn placement() {
    let row = |child: &Value| json!({"type": "Table", "children": [{"type": "Table.Row", "children": [child]}]});
    let text = json!({"type": "Text", "value": "a"});
    let cell = json!({"type": "Table.Cell", "children": [text]});
    assert_eq!(check_card(&row(&cell)), [""; 0]);
    assert_eq!(
        check_card(&row(&text)),
        [
            "error[tree-child]: /children/0/children/0/children/0: Table.Row takes only Table.Cell, not Text"
        ]
    );
    assert_eq!(
        check_card(&cell),
        ["error[tree-child]: /children/0: Table.Cell must be inside Table.Row, not in Card"]
    );
    // Only the first child of a leaf is reported.
    assert_eq!(
        check_card(&json!({"type": "Divider", "children": [text, text]})),
        ["error[tree-child]: /children/0/children/0: Divider takes no children"]
    );
    let nested = "warning[nested-root]: /children/0: Card is a root component; hosts may not render it inside";
    let card = json!({"type": "Card", "children": []});
    assert_eq!(check_card(&card), [format!("{nested} Card (use Box or Col)")]);
    assert_eq!(
        check_card(&json!({"type": "Transition", "children": card})),
        [
            "warning[nested-root]: /children/0/children: Card is a root component; hosts may not render it inside Transition (use Box or Col)"
        ]
    );
    let basic = json!({"type": "Basic", "children": [card]});
    assert_eq!(check_json(&basic.to_string()), [""; 0]);
}

#[test]
fn every_component_stands_in_one_parent_or_in_any() {
    let home = |name: &str| Component::find(name).unwrap().only_in();
    assert_eq!(home("ListViewItem"), Some("ListView"));
    assert_eq!(home("Table.Row"), Some("Table"));
    assert_eq!(home("Table.Cell"), Some("Table.Row"));
    assert_eq!(COMPONENTS.iter().filter(|component| component.only_in().is_some()).count(), 3);
    for component in COMPONENTS {
        assert_eq!(component.kind.component().unwrap().name, component.name);
        assert_eq!(Component::find(component.name).unwrap().name, component.name);
        assert_eq!(component.kind.to_string(), component.name);
    }
    assert!(Component::find("Tabl").is_none());
}

#[test]
fn children_are_a_list() {
    let message = "children of Box must be a list of components, not";
    for (children, found) in
        [(json!("a"), "the string \"a\""), (json!(1), "the number 1"), (json!(true), "true")]
    {
        assert_eq!(
            check_card(&json!({"type": "Box", "children": children})),
            [format!("error[tree-child]: /children/0/children: {message} {found}")]
        );
    }
    let text = json!({"type": "Text", "value": "a"});
    // A single component becomes a list, and null goes.
    for children in [json!(null), text.clone()] {
        let tree = json!({"type": "Card", "children": children});
        assert_eq!(check_json(&tree.to_string()), [""; 0]);
        assert!(is_untidy(&tree));
    }
    let transition = |children: Value| json!({"type": "Transition", "children": children});
    for children in [json!(null), text.clone()] {
        assert_eq!(check_card(&transition(children.clone())), [""; 0]);
        assert!(!is_untidy(&json!({"type": "Card", "children": [transition(children)]})));
    }
    assert_eq!(
        check_card(&transition(json!([text]))),
        ["error[tree-child]: /children/0/children: Transition takes one component, not a list"]
    );
}

#[test]
fn what_is_required_is_there() {
    for root in ["Card", "ListView", "Basic"] {
        let tree = json!({"type": root}).to_string();
        assert_eq!(check_json(&tree), [format!("error[tree-missing]: {root} needs children")]);
    }
    assert_eq!(
        check_card(&json!({"type": "Transition"})),
        ["error[tree-missing]: /children/0: Transition needs children"]
    );
    assert_eq!(check_card(&json!({"type": "Box"})), [""; 0]);
    assert_eq!(
        check_card(&json!({"type": "Label"})),
        ["error[tree-missing]: /children/0: Label needs value and fieldName"]
    );
    assert_eq!(
        check_card(&json!({"type": "Label", "fieldName": "a"})),
        ["error[tree-missing]: /children/0: Label needs value"]
    );
    assert_eq!(
        check_card(&json!({"type": "Select", "name": "a", "options": [{"value": "b"}]})),
        ["error[tree-missing]: /children/0/options/0: an option needs label"]
    );
}

#[test]
fn what_is_written_instead_is_said_with_what_is_missing() {
    let one = |child: serde_json::Value| {
        let found = check_card(&child);
        assert_eq!(found.len(), 1, "{found:?}");
        found[0].clone()
    };
    let color = json!({"day": "red", "night": "blue"});
    let found = one(json!({"type": "Text", "value": "a", "color": color}));
    assert!(found.contains("a themed colour needs light and dark, not day and night"), "{found}");
    let found = one(json!({"type": "Text", "props": {"value": "a"}}));
    assert!(found.contains("Text needs value, not props"), "{found}");
    let found = one(json!({"type": "Transition", "items": []}));
    assert!(found.contains("Transition needs children, not items"), "{found}");
    let found = one(json!({"type": "Select", "name": "a", "options": ["a", "b", "c"]}));
    assert!(
        found.contains("/options/0: each item in options of Select must be an option"),
        "{found}"
    );
    // A prop with an unrelated error is reported separately.
    assert_eq!(check_card(&json!({"type": "Text", "className": "a"})).len(), 2);
}

#[test]
fn a_null_is_absent_in_an_object_and_empty_in_a_component() {
    assert_eq!(
        check_card(&json!({"type": "Text", "value": null, "size": null})),
        ["warning[null-prop]: /children/0/value: value of Text is null, so it shows nothing"]
    );
    let option = json!({"type": "Select", "name": "a", "options": [
        {"value": null, "label": "b", "disabled": null}, null]});
    assert_eq!(
        check_card(&option),
        ["error[tree-missing]: /children/0/options/0: an option needs value"]
    );
    // A hole of a template is null in its witness.
    let tree = json!({"type": "Card", "children": [option]});
    let checked = check_value(&tree, Nulls::Holes, &Limits::default()).unwrap();
    assert!(checked.findings.is_empty() && checked.untidy);
}

#[test]
fn nulls_are_untidy_wherever_they_are() {
    let child = |child: Value| json!({"type": "Card", "children": [child]});
    assert!(!is_untidy(&child(json!({"type": "Text", "value": "a", "size": "sm"}))));
    for untidy in [
        json!({"type": "Text", "value": "a", "size": null}),
        json!({"type": "Text", "value": 5}),
        json!({"type": "Button", "onClickAction": {"type": "a", "payload": null}}),
        json!({"type": "Button", "onClickAction": {"type": "a", "payload": {"b": null}}}),
        json!({"type": "Button", "onClickAction": {"type": "a", "payload": {"b": [null]}}}),
        json!({"type": "Chart", "series": [], "xAxis": "a", "data": [null]}),
        json!({"type": "Chart", "series": [], "xAxis": "a", "data": [{"a": null}]}),
        json!({"type": "Box", "unknown": {"a": null}}),
        json!({"type": "Box", "children": null}),
        json!({"type": "Box", "children": {"type": "Spacer"}}),
    ] {
        assert!(is_untidy(&child(untidy.clone())), "{untidy}");
    }
}

#[test]
fn a_value_has_the_type_of_its_prop() {
    let at = "error[tree-value]: /children/0";
    for (component, expected) in [
        (
            json!({"type": "Text", "value": {"a": 1}}),
            "/value: value of Text must be a string, not an object",
        ),
        (
            json!({"type": "Text", "value": ["a"]}),
            "/value: value of Text must be a string, not a list",
        ),
        (
            json!({"type": "Text", "value": true}),
            "/value: value of Text must be a string, not true",
        ),
        (
            json!({"type": "Text", "value": "a", "truncate": "yes"}),
            "/truncate: truncate of Text must be true or false, not the string \"yes\"",
        ),
        (
            json!({"type": "Text", "value": "a", "truncate": 1}),
            "/truncate: truncate of Text must be true or false, not the number 1",
        ),
        (
            json!({"type": "Text", "value": "a", "maxLines": "2"}),
            "/maxLines: maxLines of Text must be a number, not the string \"2\"",
        ),
        (
            json!({"type": "Box", "background": ["red"]}),
            "/background: background of Box must be a colour or {light, dark}, not a list",
        ),
        (
            json!({"type": "Select", "name": "a", "options": "b"}),
            "/options: options of Select must be a list, not the string \"b\"",
        ),
        (
            json!({"type": "Box", "border": {"top": {"size": "thick"}}}),
            "/border/top/size: size of a border must be a number, not the string \"thick\"",
        ),
        (
            json!({"type": "Select", "name": "a", "options": [{"value": "b", "label": "c"}, 5]}),
            "/options/1: each item in options of Select must be an option, not the number 5",
        ),
    ] {
        assert_eq!(check_card(&component), [format!("{at}{expected}")]);
    }
    for good in [
        json!({"type": "Text", "value": "a", "truncate": false, "maxLines": 2, "width": "50%"}),
        json!({"type": "Box", "background": {"light": "#fff", "dark": "#000"}, "gap": -1}),
        json!({"type": "Box", "background": "red", "border": 1.5, "padding": {"x": 2}}),
        json!({"type": "Chart", "series": [], "xAxis": "a", "data": [1, "a", true, {"a": []}, []]}),
    ] {
        assert_eq!(check_card(&good), [""; 0], "{good}");
    }
    assert_eq!(
        check_card(&json!({"type": "Box", "background": {"light": "#fff"}})),
        ["error[tree-missing]: /children/0/background: a themed colour needs dark"]
    );
}

#[test]
fn a_number_in_a_text_prop_is_a_warning() {
    let help = "or `(…) | string` for a value of the data";
    for number in [json!(5), json!(-5), json!(0.5)] {
        assert_eq!(
            check_card(&json!({"type": "Text", "value": number})),
            [format!(
                "warning[studio-number]: /children/0/value: value of Text is the number {number}, not a string (hosts receive it as a string; write \"{number}\", {help})"
            )]
        );
    }
}

#[test]
fn a_name_is_one_of_the_choices() {
    assert_eq!(
        check_card(&json!({"type": "Text", "value": "a", "weight": "blod"})),
        [
            "warning[unknown-value]: /children/0/weight: weight of Text must be one of normal, medium, semibold, bold, not \"blod\" (did you mean bold?)"
        ]
    );
    assert_eq!(
        check_card(&json!({"type": "Icon", "name": "calender"})),
        [
            "warning[unknown-value]: /children/0/name: name of Icon: unknown icon \"calender\" (did you mean calendar?)"
        ]
    );
    for name in ["calendar", "vendor:x", "lucide:anchor"] {
        assert_eq!(check_card(&json!({"type": "Icon", "name": name})), [""; 0]);
    }
    let list =
        |limit: Value| json!({"type": "ListView", "limit": limit, "children": []}).to_string();
    assert_eq!(check_json(&list(json!("auto"))), [""; 0]);
    assert_eq!(check_json(&list(json!(3))), [""; 0]);
    assert_eq!(
        check_json(&list(json!("all"))),
        ["warning[unknown-value]: /limit: limit of ListView must be a number or auto, not \"all\""]
    );
}

#[test]
fn an_unknown_member_is_named() {
    assert_eq!(
        check_card(&json!({"type": "Text", "value": "a", "colr": 1})),
        [
            "warning[unknown-prop]: /children/0/colr: Text has no prop \"colr\" (did you mean color?)"
        ]
    );
    assert_eq!(
        check_card(&json!({"type": "Button", "onClickAction": {"type": "a", "a/b": 1}})),
        [
            "warning[unknown-prop]: /children/0/onClickAction/a~1b: an action has no property \"a/b\""
        ]
    );
}

#[test]
fn one_fault_is_listed_three_times_and_all_faults_two_hundred_times() {
    let rows = |count: usize| vec![json!({"type": "Text"}); count];
    let card = |children: Vec<Value>| json!({"type": "Card", "children": children}).to_string();
    assert_eq!(check_json(&card(rows(2))).len(), 2);
    assert_eq!(check_json(&card(rows(3))).len(), 3);
    let found = check_json(&card(rows(9)));
    assert_eq!(found.len(), 3);
    assert_eq!(found[2], "error[tree-missing]: /children/2: Text needs value");
    let different = |count: usize| (0..count).map(|n| json!({"type": format!("No{n}")})).collect();
    assert_eq!(check_json(&card(different(199))).len(), 199);
    assert_eq!(check_json(&card(different(250))).len(), 200);
}

#[test]
fn the_order_of_keys_does_not_matter() {
    let first = r#"{"type":"Card","children":[{"type":"Text","value":5,"flex":1}, {"flex":1}]}"#;
    let last = r#"{"children":[{"value":5,"flex":1,"type":"Text"}, {"flex":1}],"type":"Card"}"#;
    assert_eq!(check_json(first), check_json(last));
    assert_eq!(check_json(last).len(), 3);
    let limits = Limits::default();
    let value: Value = serde_json::from_str(last).unwrap();
    assert!(check_any(&value, Nulls::Nothing, &limits).unwrap().is_none());
    assert_eq!(check_value(&value, Nulls::Nothing, &limits).unwrap().findings.len(), 3);
    assert_eq!(check_text(last, &limits).unwrap().findings.len(), 3);
}

#[test]
fn limits_stop_the_check() {
    let kinds = |text: &str, limits: &Limits| -> Vec<Kind> {
        check_tree(text, limits).iter().map(|finding| finding.error.kind()).collect()
    };
    let mut limits = Limits { nodes: 3, ..Limits::default() };
    let spacers = |count: usize| {
        json!({"type": "Card", "children": vec![json!({"type": "Spacer"}); count]}).to_string()
    };
    assert_eq!(kinds(&spacers(2), &limits), []);
    assert_eq!(kinds(&spacers(3), &limits), [Kind::TreeNodes]);
    assert_eq!(
        check_tree(&spacers(3), &limits)[0].error.message(),
        "the tree has more than 3 components"
    );
    limits = Limits { depth: 5, ..Limits::default() };
    let nested = |depth: usize| {
        let payload = (0..depth).fold(json!(1), |inner, _| json!({"a": inner}));
        json!({"type": "Card", "confirm": {"label": "a", "action": {"type": "b", "payload": payload}},
            "children": []})
        .to_string()
    };
    // `confirm`, `action` and `payload` are three levels.
    assert_eq!(kinds(&nested(2), &limits), []);
    assert_eq!(kinds(&nested(3), &limits), [Kind::TreeDepth]);
    assert_eq!(
        check_tree(&nested(3), &limits)[0].error.message(),
        "the tree is nested deeper than 5 levels"
    );
    let free = |depth: usize| {
        let payload = (0..depth).fold(json!(1), |inner, _| json!({"a": inner}));
        json!({"type": "Card", "unknown": payload, "children": []}).to_string()
    };
    assert_eq!(kinds(&free(5), &limits), [Kind::UnknownProp]);
    assert_eq!(kinds(&free(6), &limits), [Kind::TreeDepth]);
    // Brothers are not nested.
    let wide = json!({"type": "Card", "unknown": [[1], [2], [3], [4], [5], [6]], "children": []});
    assert_eq!(kinds(&wide.to_string(), &limits), [Kind::UnknownProp]);
    let deeper_than_serde = "[".repeat(200);
    let text = format!(r#"{{"type":"Card","x":{deeper_than_serde}"#);
    assert_eq!(kinds(&text, &Limits { depth: 1000, ..Limits::default() }), [Kind::TreeDepth]);
}

#[test]
fn text_that_is_not_json_is_shown() {
    let found = check_json(r#"{"type":"Card","children":[],}"#);
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("error[output-json]: the template did not produce JSON"));
    let after = check_json(r#"{"type":"Card","children":[]} x"#);
    assert!(after[0].starts_with("error[output-json]"), "{after:?}");
    let disordered = check_json(r#"{"children":[],"type":"Card"} x"#);
    assert!(disordered[0].starts_with("error[output-json]"), "{disordered:?}");
}

#[test]
fn data_is_accepted_only_as_it_is() {
    let limits = Limits::default();
    let accepts_prop = |component: &str, prop: &str, value: Value| {
        let want = Component::find(component).unwrap().prop(prop).unwrap().want;
        accepts(&JsonRef::from(&value), &want, &limits)
    };
    let option = json!({"value": "a", "label": "b"});
    assert!(accepts_prop("Select", "options", json!([option])));
    assert!(!accepts_prop("Select", "options", json!([option, null])));
    assert!(!accepts_prop("Select", "options", json!([{"value": "a"}])));
    assert!(!accepts_prop("Select", "options", json!([{"value": 1, "label": "b"}])));
    assert!(!accepts_prop("Select", "options", json!({})));
    let card = Component::find("Card").unwrap();
    let accepts_in_card = |value: Value| accepts_child(&JsonRef::from(&value), card, &limits);
    assert!(accepts_in_card(json!({"type": "Text", "value": "a"})));
    assert!(!accepts_in_card(json!({"type": "Text", "value": 1})));
    assert!(!accepts_in_card(json!({"value": "a", "type": "Text"})));
    assert!(!accepts_in_card(json!({"type": "Card", "children": []})));
    assert!(!accepts_in_card(json!({"type": "ListViewItem", "children": []})));
    assert!(!accepts_in_card(json!(null)));
}

/// The help of the only finding about a child of a card.
fn help_for(child: &Value) -> String {
    let text = json!({"type": "Card", "children": [child]}).to_string();
    let findings = check_tree(&text, &Limits::default());
    let [finding] = findings.as_slice() else { panic!("{findings:?}") };
    finding.error.help().to_owned()
}

#[test]
fn a_value_that_no_host_can_draw_is_doubted() {
    for (prop, value, expected) in [
        ("gap", json!("two"), "gap of Row is \"two\", not a length"),
        ("width", json!("100pixels"), "width of Row is \"100pixels\", not a length"),
        ("background", json!("#12"), "background of Row is \"#12\", not a colour"),
        ("background", json!("redd"), "background of Row is \"redd\", not a colour"),
        ("padding", json!("large"), "padding of Row is \"large\", not a length"),
    ] {
        let mut row = json!({"type": "Row"});
        row[prop] = value;
        let found = check_card(&row);
        let expected = format!("warning[unknown-value]: /children/0/{prop}: {expected} (");
        assert!(found.len() == 1 && found[0].starts_with(&expected), "{found:?}");
    }
    for (prop, value) in [
        ("gap", json!("12px")),
        ("padding", json!({"x": "50%", "y": 2})),
        ("flex", json!("1 1 auto")),
        ("aspectRatio", json!("16 / 9")),
        ("background", json!("alpha-10")),
        ("background", json!({"light": "#fff", "dark": "#000"})),
    ] {
        let mut row = json!({"type": "Row"});
        row[prop] = value.clone();
        assert_eq!(check_card(&row), Vec::<String>::new(), "{prop} {value}");
    }
    let help = help_for(&json!({"type": "Row", "gap": "8"}));
    assert!(
        help.starts_with("write 8 without quotes, or \"8px\"; for a value of the data"),
        "{help}"
    );
    assert!(
        help_for(&json!({"type": "Text", "value": "a", "color": "redd"}))
            .starts_with("did you mean red? Or write a token")
    );
}

#[test]
fn a_payload_is_an_object() {
    let button = |payload: Value| {
        check_card(&json!({"type": "Button", "label": "a",
            "onClickAction": {"type": "b", "payload": payload}}))
    };
    assert_eq!(button(json!({"id": [1, 2]})), Vec::<String>::new());
    assert_eq!(button(json!(null)), Vec::<String>::new());
    for (payload, found) in [
        (json!([1]), "a list"),
        (json!("x"), "\"x\""),
        (json!(7), "the number 7"),
        (json!(true), "true"),
    ] {
        let found = format!("payload of an action is {found}, not an object");
        assert!(button(payload)[0].contains(&found), "{found}");
    }
}

#[test]
fn a_wrong_object_is_told_its_shape() {
    let action = "write it as `{ \"type\": \"add.todo\", \"payload\": { \"id\": 1 } }`";
    let button = |action: Value| json!({"type": "Button", "label": "a", "onClickAction": action});
    assert_eq!(help_for(&button(json!("add"))), action);
    assert_eq!(help_for(&button(json!({"payload": {}}))), action);
    let select = |options: Value| json!({"type": "Select", "name": "a", "options": options});
    let option = "{ \"value\": \"s\", \"label\": \"Small\" }";
    assert_eq!(help_for(&select(json!(["s"]))), format!("write it as `{option}`"));
    assert_eq!(help_for(&select(json!("s"))), format!("write it as `[{option}, …]`"));
    assert_eq!(
        help_for(&json!({"type": "Select", "name": "a"})),
        format!("write it as `[{option}, …]`")
    );
    assert_eq!(
        help_for(&json!({"type": "Text", "children": "a", "value": "b"})),
        "put its text into `value`"
    );
}

#[test]
fn what_is_not_json_is_told_in_its_own_words() {
    for (text, words, help) in [
        (r#"{"type":"Card","children":[1,]}"#, "an extra comma, near", "remove it"),
        (r#"{"type":"Card","children":[{} {}]}"#, "a comma is missing, near", "in a loop"),
        (r#"{"type":"Card","children":[]"#, "it ends early", "a `}`, a `]`"),
        (r#"{"type":"Card","children":[]}}"#, "there is extra content after its end", "an extra"),
        (r#"{"type":'Card'}"#, "a string in single quotes", "double quotes"),
        ("{\"type\":\"Card\", // x\n}", "JSON has no comments", "{# … #}"),
        (r#"{"type":"Card","collapsed":True}"#, "`True` is not JSON", "write `true`"),
        (r#"{"type":"Card","status":None}"#, "`None` is not JSON", "write `null`"),
        (r#"{"type":"Card","x":{name}}"#, "neither JSON nor Jinja", "{{ name | tojson }}"),
        (
            r#"{"type":"Card","children":[{"type":"Text"]}"#,
            "expected `}`, found `]`",
            "add the missing",
        ),
        (r#"{type:"Card"}"#, "a key without quotes", "\"type\""),
        ("{\"type\":\"Card\",\"id\":\"a\nb\"}", "a line ends inside a string", "\\n"),
        (r#"{"type":"Card","id":Hello}"#, "`Hello` is not a JSON value", "| tojson"),
    ] {
        let findings = check_tree(text, &Limits::default());
        let error = &findings[0].error;
        assert_eq!(error.kind(), Kind::OutputJson, "{text}");
        assert!(error.message().contains(words), "{text}: {error}");
        assert!(error.help().contains(help), "{text}: {}", error.help());
    }
}

/// Every tree of every call may be checked, so help is only computed for findings.
#[test]
fn a_good_tree_costs_no_search() {
    use crate::tree::component::PROP_WALKS;
    let walks = |tree: Value| {
        PROP_WALKS.set(0);
        let findings = check_tree(&tree.to_string(), &Limits::default());
        (findings.len(), PROP_WALKS.get())
    };
    let chart = json!({"type": "Chart", "data": [{"x": "a", "y": 1}], "xAxis": {"dataKey": "x"},
        "series": [{"type": "bar", "dataKey": "y"}]});
    let select = json!({"type": "Select", "options": [{"value": "a", "label": "A"}], "name": "n"});
    let text = json!({"type": "Text", "color": "secondary", "value": "a"});
    let good = json!({"type": "Card", "children": [chart, select, text]});
    assert_eq!(walks(good), (0, 0));
    let bad = json!({"type": "Card", "children": [{"type": "Select", "name": "n"}]});
    assert_eq!(walks(bad), (1, 1));
}

/// The bits of required props are counted in two ways, which agree.
#[test]
fn required_props_have_bits() {
    for component in crate::tree::component::COMPONENTS {
        let bits = component.all_props().filter_map(|prop| component.prop_bit(prop.name));
        let bits = bits.fold(0, |bits, (_, bit)| bits | bit);
        assert_eq!(bits, component.required_bits(), "{}", component.name);
        let count = component.all_props().filter(|prop| prop.required).count();
        assert_eq!(bits.count_ones() as usize, count, "{}", component.name);
    }
}
