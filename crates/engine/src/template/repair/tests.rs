use super::*;
use crate::template::Template;

/// The faults of a template whose data declares nothing, where `n` is a number and `o` is optional.
fn faults(source: &str, view: Option<&str>) -> Vec<Repair> {
    let is = |found: &Use, name: &str| found.path == [Step::Key(name.to_owned())];
    let numeric = |found: &Use| is(found, "n");
    let optional = |found: &Use| is(found, "o");
    Template::faults(source, view, &|_| false, &numeric, &optional)
}

/// The template with all of them repaired.
fn repaired(source: &str, view: Option<&str>) -> String {
    apply(source, faults(source, view).iter().flat_map(|repair| &repair.edits))
}

fn in_card(child: &str) -> String {
    format!(r#"{{"type":"Card","children":[{child}]}}"#)
}

#[test]
fn each_fault_is_repaired() {
    for (kind, broken, good) in [
        (Kind::StudioEquality, "{% if a === b %}1{% endif %}", "{% if a == b %}1{% endif %}"),
        (Kind::StudioEquality, "{% if a !== b %}1{% endif %}", "{% if a != b %}1{% endif %}"),
        (
            Kind::StudioIndex,
            "{% for x in xs %}{{ index }}{% endfor %}",
            "{% for x in xs %}{%- set index = loop.index0 -%}{{ index }}{% endfor %}",
        ),
        (
            Kind::StudioSeries,
            r#"{"type":"Chart","series":[{"type":"Text","value":{"type":"bar"}}]}"#,
            r#"{"type":"Chart","series":[{"type":"bar"}]}"#,
        ),
        (
            Kind::StudioNumber,
            r#"{"type":"Text","value":{{ n | tojson }}}"#,
            r#"{"type":"Text","value":{{ (n) | string | tojson }}}"#,
        ),
        (
            Kind::StudioOptional,
            r#"{"type":"Text","value":{{ o | tojson }}}"#,
            r#"{"type":"Text","value":{{ o | default("") | tojson }}}"#,
        ),
        (
            Kind::StudioOptional,
            r#"{"type":"Text","value":"a","color":{{ o | tojson }}}"#,
            r#"{"type":"Text","value":"a","color":{{ o | default(none) | tojson }}}"#,
        ),
        (
            Kind::StudioUndefined,
            r#"{"type":"Text","value":{{ undefined | tojson }}}"#,
            r#"{"type":"Text","value":{{ none | tojson }}}"#,
        ),
        (Kind::StudioChildren, r#"{"type":"Spacer", "children" : [] }"#, r#"{"type":"Spacer" }"#),
        (
            Kind::StudioNumber,
            r#"{"type":"Text","value":{{ n + 1 }}}"#,
            r#"{"type":"Text","value":{{ (n + 1) | string | tojson }}}"#,
        ),
        (
            Kind::Unescaped,
            r#"{"type":"Text","value":{{ a.b }}}"#,
            r#"{"type":"Text","value":{{ a.b | tojson }}}"#,
        ),
        (Kind::TemplateSyntax, "{% if a && b %}1{% endif %}", "{% if a and b %}1{% endif %}"),
        (Kind::TemplateSyntax, "{{ a||b }}", "{{ a or b }}"),
    ] {
        let found: Vec<Kind> = faults(broken, None).iter().map(|repair| repair.kind).collect();
        assert_eq!(found, [kind], "{broken}");
        assert_eq!(repaired(broken, None), good);
        assert!(faults(good, None).is_empty(), "{good}");
    }
}

#[test]
fn what_is_no_fault_is_left_alone() {
    for good in [
        r#"{"type":"Box","children":[]}"#,
        r#"{"type":"Text","value":{{ a | tojson }}}"#,
        r#"{"type":"Text","value":"a","maxLines":{{ n | tojson }}}"#,
        "{% for x in xs %}{{ loop.index }}{% endfor %}",
        // The index of which loop?
        "{% for x in xs %}{% for y in x %}{{ index }}{% endfor %}{% endfor %}",
        // Outside a loop it is data.
        "{{ index }}",
    ] {
        assert_eq!(repaired(good, None), good);
    }
}

#[test]
fn a_lost_call_is_taken_from_the_view() {
    let text = r#"{"type":"Text","value":{{ ((none)) | tojson }}}"#;
    let template = in_card(&format!("{text},{text}"));
    let view = r#"<Text value={names.join(", ")} /><Text value={order.tags.join(' / ')} />"#;
    let found = faults(&template, Some(view));
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|repair| repair.kind == Kind::StudioLost));
    assert_eq!(
        found[0].help,
        r#"the view has `names.join(", ")`; write `{{ (names | join(", ")) | tojson }}`"#
    );
    let first = r#"{"type":"Text","value":{{ (names | join(", ")) | tojson }}}"#;
    let second = r#"{"type":"Text","value":{{ (order.tags | join(' / ')) | tojson }}}"#;
    assert_eq!(repaired(&template, Some(view)), in_card(&format!("{first},{second}")));
}

#[test]
fn a_lost_call_is_not_guessed() {
    let template = in_card(r#"{"type":"Text","value":{{ ((none)) | tojson }}}"#);
    for view in [
        None,
        Some("<Text />"),
        // More calls than losses, or what is joined with is not a constant, or nothing is joined.
        Some(r#"names.join(", ") tags.join(" ")"#),
        Some("names.join(glue)"),
        Some(r#"names.join(")"#),
        Some(r#" .join(", ")"#),
    ] {
        let found = faults(&template, view);
        assert_eq!(found.len(), 1, "{view:?}");
        assert_eq!(found[0].help, "write the expression in Jinja");
        assert_eq!(repaired(&template, view), template);
    }
}

/// What is nearly JSON, in two rounds where one uncovers the need for the other.
#[test]
fn what_is_nearly_json_is_repaired() {
    for (broken, good) in [
        ("[1, 2,]", "[1, 2]"),
        ("[1 2]", "[1, 2]"),
        (r#"{"a": 1 "b": 2}"#, r#"{"a": 1, "b": 2}"#),
        (r#"{"a": {{ x | tojson }} "b": 2}"#, r#"{"a": {{ x | tojson }}, "b": 2}"#),
        ("[True, False, None, undefined]", "[true, false, null, null]"),
        ("{'a': 'b'}", r#"{"a": "b"}"#),
        ("{a: 1, b_2: [True,]}", r#"{"a": 1, "b_2": [true]}"#),
        ("[1, // one\n2]", "[1, {# one #}\n2]"),
        ("[1, /* one */ 2]", "[1, {# one #} 2]"),
        ("[1, /*/ one */ 2]", "[1, {# / one #} 2]"),
        ("[1, # one\n2]", "[1, {# one #}\n2]"),
        (
            "[{% for x in xs %}{{ x | tojson }}{% endfor %}]",
            "[{% for x in xs %}{{ x | tojson }}{% if not loop.last %},{% endif %}{% endfor %}]",
        ),
        (
            "[{% for x in xs %}1,{% endfor %}]",
            "[{% for x in xs %}1{% if not loop.last %},{% endif %}{% endfor %}]",
        ),
        ("[0{% for x in xs %}1{% endfor %}]", "[0{% for x in xs %},1{% endfor %}]"),
        ("[0, {% for x in xs %}1{% endfor %}]", "[0 {% for x in xs %},1{% endfor %}]"),
        ("[{% for x in xs %}1{% endfor %}2]", "[{% for x in xs %}1,{% endfor %}2]"),
        ("[{% for x in xs %}1,{% endfor %},2]", "[{% for x in xs %}1,{% endfor %}2]"),
        (
            "[{% for x in xs %}1{% if not loop.last %},{% endif %}{% endfor %}, 2]",
            "[{% for x in xs %}1,{% endfor %} 2]",
        ),
        (
            "[0, {% for x in xs %}1{{ ',' if not loop.last }}{% endfor %}]",
            "[0 {% for x in xs %},1{% endfor %}]",
        ),
    ] {
        let first = faults(broken, None);
        assert!(first.iter().all(|repair| repair.kind == Kind::NearlyJson), "{broken}: {first:?}");
        assert_eq!(repaired(&repaired(broken, None), None), good, "{broken}");
    }
    // Texts are left alone, and so is what has more wrong with it.
    for good in [
        r##"["True // # 'x'", "a: b"]"##,
        "[1, 2,}",
        "{% set x %}hello, world{% endset %}{{ x }}",
        "[{% for x in xs %}{% if x %}1{% endif %}{% endfor %}]",
    ] {
        assert_eq!(repaired(good, None), good);
    }
}

#[test]
fn props_and_components_by_other_names_are_repaired() {
    for (broken, good) in [
        (r#"{"type":"Title","text":"a"}"#, r#"{"type":"Title","value":"a"}"#),
        (r#"{"type":"Text","children":"a"}"#, r#"{"type":"Text","value":"a"}"#),
        (r#"{"type":"Button","text":"a"}"#, r#"{"type":"Button","label":"a"}"#),
        (
            r#"{"type":"Label","value":"A","htmlFor":"a"}"#,
            r#"{"type":"Label","value":"A","fieldName":"a"}"#,
        ),
        (
            r#"{"type":"Button","label":"a","onClick":{"type":"b"}}"#,
            r#"{"type":"Button","label":"a","onClickAction":{"type":"b"}}"#,
        ),
        (r#"{"type":"Row","spacing" : 2}"#, r#"{"type":"Row","gap" : 2}"#),
        (
            r#"{"type":"Heading","text":{{ a | tojson }}}"#,
            r#"{"type":"Title","value":{{ a | tojson }}}"#,
        ),
        (
            r#"{"type":"Checkbox","name":"a","checked":true}"#,
            r#"{"type":"Checkbox","name":"a","defaultChecked":true}"#,
        ),
    ] {
        assert_eq!(repaired(broken, None), good);
    }
    for unsure in [
        // The prop that is meant is there.
        r#"{"type":"Title","text":"a","value":"b"}"#,
        // The value does not fit it.
        r#"{"type":"Button","label":"a","onClick":"b"}"#,
        r#"{"type":"Button","label":"a","onClick":{"payload":{}}}"#,
        r#"{"type":"Row","spacing":"md"}"#,
        // Two names for one prop.
        r#"{"type":"Title","text":{{ a | tojson }}{% if b %},"text":"c"{% endif %}}"#,
        r#"{"type":"Box","text":"a"}"#,
        // What the template has set may be JSON already.
        r#"{% set x = a | tojson %}{"type":"Text","value":{{ x }}}"#,
        r#"{"type":"Text","value":"a","maxLines":{{ a }}}"#,
        // The type of an action is no component.
        r#"{"type":"Button","label":"a","onClickAction":{"type":"submit","payload":{"type":"Link"}}}"#,
    ] {
        assert_eq!(repaired(unsure, None), unsure);
    }
}
