//! The two ways to render against each other, and the two ways to fold: the fast path against the
//! general engine, and the text from events against the text folded from the JSON.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Engine, Jinja, Template, TextTemplate, Writes};
use crate::error::{Kind, Result, Severity};
use crate::limits::Limits;
use crate::outline::Roles;
use crate::text;
use crate::words::Words;

/// A template without a schema.
struct Fixture {
    template: Template,
    engine: Engine,
}

/// A rendered tree, and its text if that came from events.
struct Rendered {
    json: String,
    event_text: Option<String>,
}

fn text_of_json(json: &str) -> String {
    text::of_json(json, &Roles::default(), Words::default())
}

impl Fixture {
    /// Fails as loading a widget does: also if the constant parts are wrong.
    fn load(template: &str) -> Result<Self> {
        let engine = Engine::new(Limits::default());
        let loaded = Template::load(&template.into(), None, &engine)?;
        let mut findings = loaded.findings.into_iter().map(|(finding, _)| finding);
        match findings.find(|finding| finding.severity == Severity::Error) {
            Some(finding) => Err(finding.error),
            None => Ok(Self { template: loaded.template, engine }),
        }
    }

    fn is_fast(&self) -> bool {
        self.template.is_fast(&self.engine.limits)
    }

    fn render(&self, data: &Value) -> Result<Rendered> {
        let (json, event_text) =
            self.template.render_with_text(&self.engine, &data.into(), &Roles::default())?;
        Ok(Rendered { json, event_text })
    }

    fn render_slowly(&self, data: &Value) -> Result<String> {
        self.template.render_slowly(&self.engine, data)
    }

    /// Renders both ways and folds both ways; all must agree. Returns the tree or the kind of error.
    fn compare(&self, data: &Value) -> std::result::Result<Value, Kind> {
        let parse = |json: &str| serde_json::from_str::<Value>(json).unwrap();
        let fast = self.render(data);
        let slow = self.render_slowly(data).map(|json| parse(&json)).map_err(|error| error.kind());
        let source = self.template.source();
        if let Ok(fast) = &fast {
            assert_eq!(fast.text(), text_of_json(&fast.json), "{source} {data}");
        }
        let fast = fast.map(|fast| parse(&fast.json)).map_err(|error| error.kind());
        assert_eq!(fast, slow, "{source} {data}");
        slow
    }
}

impl Rendered {
    fn text(&self) -> String {
        self.event_text.clone().unwrap_or_else(|| text_of_json(&self.json))
    }
}

fn fixture(template: &str) -> Fixture {
    Fixture::load(template).unwrap()
}

fn in_card(child: &str) -> String {
    format!(r#"{{"type":"Card","children":[{child}]}}"#)
}

#[test]
fn the_fold_gets_events_for_all_it_reads() {
    let fixture = fixture(
        r#"{"type":"Card","size":"sm","status":{"text":"{{ a }} of\n{{ b }}"},"children":[
        {"type":"Title","value":{{ title | tojson }},"color":{{ color | tojson }}}
        {%- for x in rows -%}
          ,{"type":"Row","children":[{"type":"Text","value":{{ (x.name ~ "") | tojson }}},
            {"type":"Spacer"},{"type":"Text","value":"{% if x.n > 1 %}{{ x.n }} times{% else %}once{% endif %}"}]}
        {%- endfor -%}],
        "confirm":{"label":"Pay \u0026 go","action":{"type":"pay","payload":{"n":{{ n | tojson }}}}}}"#,
    );
    let data = json!({
        "a": 1, "b": "2", "title": "Order\nseven", "color": null, "n": 7,
        "rows": [{"name": "Tea", "n": 1}, {"name": "Cup\u{7f}", "n": 2}],
    });
    assert!(fixture.is_fast());
    let rendered = fixture.render(&data).unwrap();
    assert_eq!(rendered.event_text, Some(text_of_json(&rendered.json)));
    assert_eq!(
        rendered.text(),
        "1 of  \n2\n\n## Order seven\n- Tea: once\n- Cup: 2 times\n\n[Pay & go]",
    );
}

#[test]
fn a_name_set_anywhere_is_known_later() {
    let fixture = fixture(
        r#"{"type":"Card","padding":{ {%- set t = title -%} "x":2},"children":[
        {"type":"Text","value":{{ t | tojson }}}]}"#,
    );
    assert_eq!(fixture.render(&json!({"title": "Tea"})).unwrap().text(), "Tea");
}

#[test]
fn a_shape_is_not_reused_for_data_that_changes_it() {
    let fixture = fixture(
        r#"{"type":"Card","children":[
        {"type":"Row","children":[{"type":"Title","value":{{ a | tojson }}},
          {"type":"Text","value":"{{ b }}"}]},
        {"type":"Row","children":[{"type":"Text","value":{{ b | tojson }}},{"type":"Icon","name":"bolt"}]},
        {"type":"Box","direction":{{ to | tojson }},"children":[
          {"type":"Row","children":[{"type":"Text","value":"c"},{"type":"Text","value":"d"}]},
          {"type":"Col","children":[{"type":"Text","value":"e"},{"type":"Text","value":"f"}]}]}
        ]}"#,
    );
    let texts = ["28", "Words", "", "two\nlines", "7°C", "three\n\nlines"];
    for (a, b) in texts.iter().flat_map(|a| texts.map(|b| (a, b))) {
        for to in ["row", "col"] {
            let data = json!({"a": a, "b": b, "to": to});
            let rendered = fixture.render(&data).unwrap();
            assert_eq!(rendered.event_text, Some(text_of_json(&rendered.json)), "{data}");
        }
    }
}

#[test]
fn members_that_may_be_missing_or_doubled_are_left_to_the_general_engine() {
    let all = json!({"t": "Words", "a": false, "b": false, "xs": ["a"], "l": "#fff"});
    for (child, data, expected) in [
        (
            r#"{"value":"{{ t }}","type":"Text","type":"Title"}"#,
            json!({}),
            Ok(json!({"value": "Words", "type": "Title"})),
        ),
        (
            r#"{"type":"Text","value":"x"{% if a %},"size":"sm"{% elif b %},"type":"Title"{% endif %}}"#,
            json!({"b": true}),
            Err(Kind::TreeValue),
        ),
        (
            r#"{ {% if a %}"type":"Text",{% endif %}"value":"x"}"#,
            json!({"a": false}),
            Err(Kind::TreeType),
        ),
        (
            r#"{"type":"Text"{% if a %},"value":"x"{% endif %}{% if b %}{% else %},"value":"y"{% endif %}}"#,
            json!({"a": false, "b": true}),
            Err(Kind::TreeMissing),
        ),
        (
            r#"{"type":"Text"{% for x in xs %},"value":"a"{% endfor %}}"#,
            json!({"xs": []}),
            Err(Kind::TreeMissing),
        ),
        (
            r#"{"type":"Text"{% if a %}{% if b %},"value":"x"{% else %},"value":{"bad":1}{% endif %}{% endif %},"value":"ok"}"#,
            json!({"a": true, "b": false}),
            Err(Kind::TreeValue),
        ),
        (
            r##"{"type":"Box","background":{"light":{{ l | tojson }},"dark":"#000"}}"##,
            json!({"l": {"a": 1}}),
            Err(Kind::TreeValue),
        ),
    ] {
        let mut all = all.clone();
        all.as_object_mut().unwrap().extend(data.as_object().unwrap().clone());
        let tree = fixture(&in_card(child)).compare(&all);
        assert_eq!(tree.map(|tree| tree["children"][0].clone()), expected, "{child}");
    }
}

/// Every kind of place for a value, each with every kind of value.
#[test]
fn both_engines_agree_on_nulls_and_other_values() {
    let values = [
        json!(null),
        json!(""),
        json!("sm"),
        json!(0),
        json!(1.5),
        json!(1e300),
        json!(u64::MAX),
        json!(true),
        json!(false),
        json!([]),
        json!([null]),
        json!(["a", null]),
        json!([{"label": "a", "value": "b"}]),
        json!({}),
        json!({"a": null}),
        json!({"a": "b", "c": null}),
        json!({"label": "a", "value": null}),
        json!({"type": "Text", "value": "a"}),
        json!({"type": "Text", "value": null}),
    ];
    for child in [
        r#"{"type":"Text","value":{{ v | tojson }}}"#,
        r#"{"type":"Text","value":"{{ v }}"}"#,
        r#"{"type":"Text","value":"a","size":{{ v | tojson }},"truncate":{{ v | tojson }}}"#,
        r#"{"type":"Text","value":"a","maxLines":{{ v | tojson }}}"#,
        r#"{"type":"Box","gap":{{ v | tojson }},"background":{{ v | tojson }}}"#,
        r#"{"type":"Button","onClickAction":{"type":"a","payload":{{ v | tojson }}}}"#,
        r#"{"type":"Button","onClickAction":{"type":{{ v | tojson }}}}"#,
        r#"{"type":"Select","name":"n","options":{{ v | tojson }}}"#,
        r#"{"type":"Select","name":"n","options":[{{ v | tojson }}]}"#,
        r#"{"type":"Select","name":"n","options":[{"label":{{ v | tojson }},"value":"a"}]}"#,
        r#"{{ v | tojson }}"#,
        r#"{"type":"Box","children":[{% for x in v %}{"type":"Text","value":{{ x | tojson }}}{% if not loop.last %},{% endif %}{% endfor %}]}"#,
        r#"{"type":"Text","value":{{ (v ~ "") | tojson }}}"#,
        r#"{"type":"Text","value":{{ v.a | tojson }}}"#,
        r#"{"type":"Text","value":{{ v.a.b | tojson }}}"#,
        r#"{"type":"Text","value":{{ v[0] | tojson }}}"#,
        r#"{"type":"Text","value":{{ v[i] | tojson }}}"#,
        r#"{"type":"Text","value":{{ v["a"] | tojson }}}"#,
        r#"{"type":"Text","value":{{ v | string | tojson }}}"#,
        r#"{"type":"Text","value":{{ v | length | tojson }}}"#,
        r#"{"type":"Text","value":{{ v | default("d") | tojson }}}"#,
        r#"{"type":"Text","value":{{ v | default("d", true) | tojson }}}"#,
        r#"{"type":"Text","value":"{% if v %}yes{% else %}no{% endif %}"}"#,
        r#"{"type":"Text","value":"{% if v is none %}yes{% else %}no{% endif %}"}"#,
        r#"{"type":"Text","value":"{% if v is defined %}yes{% else %}no{% endif %}"}"#,
        r#"{"type":"Text","value":"{% if v is undefined %}yes{% else %}no{% endif %}"}"#,
        r#"{"type":"Text","value":"{% if v is blank %}yes{% else %}no{% endif %}"}"#,
        r#"{"type":"Text","value":"{% if v == 0 %}yes{% else %}no{% endif %}"}"#,
        r#"{"type":"Text","value":"{% if v != none %}yes{% else %}no{% endif %}"}"#,
        r#"{"type":"Text","value":"{% if v == undefined %}yes{% else %}no{% endif %}"}"#,
        r#"{"type":"Text","value":"{% if v is not none %}{{ v }}{% endif %}"}"#,
        r#"{"type":"Text","value":"{% if v.a == v.b %}yes{% else %}no{% endif %}"}"#,
        r#"{"type":"Text","value":"{% if v > 1 %}yes{% else %}no{% endif %}"}"#,
        r#"{"type":"Text","value":"{% if v <= 1 %}yes{% else %}no{% endif %}"}"#,
        r#"{"type":"Text","value":{{ (v or "b") | tojson }}}"#,
        r#"{"type":"Text","value":{{ (v and "b") | tojson }}}"#,
        r#"{"type":"Text","value":{{ (not v) | string | tojson }}}"#,
        r#"{"type":"Text","value":{{ (v + 1) | tojson }}}"#,
        r#"{"type":"Text","value":{{ (v * 2) | string | tojson }}}"#,
        r#"{"type":"Text","value":{{ ("a" if v) | tojson }}}"#,
    ] {
        let fixture = fixture(&in_card(child));
        assert!(fixture.is_fast(), "{child}");
        let _ = fixture.compare(&json!({"i": -1}));
        for value in &values {
            let _ = fixture.compare(&json!({"v": value, "i": -1}));
        }
    }
}

/// In Python's library absent optionals are None, and so is `undefined`.
#[test]
fn what_is_absent_equals_none_and_still_has_a_default() {
    let text = |expression: &str, data: Value| {
        let child =
            format!(r#"{{"type":"Text","value":{{{{ ({expression}) | string | tojson }}}}}}"#);
        let tree = fixture(&in_card(&child)).compare(&data);
        tree.map(|tree| tree["children"][0]["value"].as_str().unwrap().to_owned())
    };
    for (expression, absent, null, given) in [
        ("opt is none", "true", "true", "false"),
        ("opt is not none", "false", "false", "true"),
        ("opt == none", "true", "true", "false"),
        ("none == opt", "true", "true", "false"),
        ("opt != none", "false", "false", "true"),
        ("opt == undefined", "true", "true", "false"),
        ("undefined != opt", "false", "false", "true"),
        ("opt == 'x'", "false", "false", "true"),
        ("opt in ['x']", "false", "false", "true"),
        ("opt not in ['x']", "true", "true", "false"),
        ("o.p == none", "true", "true", "true"),
        ("opt == none == true", "false", "false", "false"),
        ("(opt if false) == none", "true", "true", "true"),
        ("undefined is none", "true", "true", "true"),
        ("opt is defined", "false", "true", "true"),
        ("opt | default('d')", "d", "null", "x"),
        ("opt | default('d', true)", "d", "d", "x"),
        ("opt if opt is not none else '-'", "-", "-", "x"),
    ] {
        let of = |data: Value| text(expression, data);
        assert_eq!(of(json!({"o": {}})).as_deref(), Ok(absent), "absent: {expression}");
        assert_eq!(of(json!({"o": {}, "opt": null})).as_deref(), Ok(null), "null: {expression}");
        assert_eq!(of(json!({"o": {}, "opt": "x"})).as_deref(), Ok(given), "given: {expression}");
    }
    // What is absent can still not be printed, or put in order.
    for expression in ["opt", "opt ~ 'x'", "opt < 3", "o.p.q == none"] {
        assert_eq!(
            text(expression, json!({"o": {}})),
            Err(Kind::TemplateUndefined),
            "{expression}"
        );
    }
    let child = r#"{"type":"Text","value":"{% if opt is not none %}{{ opt }}{% endif %}!"}"#;
    let tree = fixture(&in_card(child)).compare(&json!({})).unwrap();
    assert_eq!(tree["children"][0]["value"], "!");
}

#[test]
fn a_required_null_is_an_error_and_an_optional_one_is_dropped() {
    let of = |value: Value| {
        let child = r#"{"type":"Select","name":"n","options":[{"label":{{ v | tojson }},"value":"a","disabled":{{ d | tojson }}}]}"#;
        fixture(&in_card(child)).compare(&json!({"v": value, "d": null}))
    };
    assert_eq!(of(json!(null)), Err(Kind::TreeMissing));
    let constant =
        r#"{"type":"Button","onClickAction":{"type":{% if v %}"a"{% else %}null{% endif %}}}"#;
    let constant = fixture(&in_card(constant));
    assert!(!constant.is_fast());
    assert_eq!(constant.compare(&json!({"v": false})), Err(Kind::TreeMissing));
    let tree = of(json!("x")).unwrap();
    assert_eq!(tree["children"][0]["options"], json!([{"label": "x", "value": "a"}]));
    let text = fixture(&in_card(r#"{"type":"Text","value":{{ v | tojson }}}"#));
    let tree = text.compare(&json!({"v": null})).unwrap();
    assert_eq!(tree["children"], json!([{"type": "Text"}]));
}

#[test]
fn every_branch_is_checked() {
    let of = |middle: &str| {
        fixture(&format!(
            r#"{{"type":"Card","children":[{{"type":"Text","size":"sm","value":
            {{%- if a %}}"A"{{% elif b %}}{middle}{{% else %}}"C"{{% endif %}}}}]}}"#
        ))
    };
    let data = json!({"a": false, "b": true});
    assert!(of(r#""B""#).is_fast());
    assert_eq!(of(r#""B""#).render(&data).unwrap().text(), "B");
    assert!(!of(r#"{"b":1}"#).is_fast());
    assert!(of(r#"{"b":1}"#).render(&data).is_err());
    // A faulty branch that is not taken does no harm.
    assert!(of(r#"{"b":1}"#).render(&json!({"a": true, "b": true})).is_ok());
}

#[test]
fn a_large_number_is_the_same_number() {
    let fixture = fixture(
        r#"{"type":"Card","children":[{"type":"Table","children":[{"type":"Table.Row","children":[
        {"type":"Table.Cell","colSpan":{{ n | tojson }},"children":[{"type":"Text","value":"a"}]}]}]}]}"#,
    );
    for n in [json!(2), json!(1e16), json!(1e300), json!(-0.0), json!(1.5)] {
        let data = json!({"n": n});
        let rendered = fixture.render(&data).unwrap();
        assert_eq!(rendered.text(), text_of_json(&rendered.json), "{n}");
    }
}

#[test]
fn keys_may_have_quotes_in_them() {
    let fixture = fixture(
        r#"{"type":"Card","children":[{"type":"Button","label":"Go {{ a }}","onClickAction":
        {"type":"open","payload":{"x\":[":"y","url":"https://a.example"}}}]}"#,
    );
    assert!(fixture.is_fast());
    let rendered = fixture.render(&json!({"a": "1"})).unwrap();
    assert_eq!(rendered.event_text.as_deref(), Some("[Go 1](https://a.example)"));
    assert_eq!(text_of_json(&rendered.json), rendered.text());
}

#[test]
fn data_that_becomes_part_of_the_tree_is_folded_from_the_json() {
    let fixture = fixture(
        r#"{"type":"Card","children":[{"type":"Select","name":"a","options":{{ all | tojson }}}]}"#,
    );
    let data = json!({"all": [{"label": "One", "value": "1"}]});
    let rendered = fixture.render(&data).unwrap();
    assert_eq!(rendered.event_text, None);
    assert!(rendered.text().contains("One"));
}

/// The program writes its own commas, so a template with a wrong one must be left to the general
/// engine, which reports it.
#[test]
fn commas_are_right_for_all_data_or_the_template_is_not_fast() {
    let spacer = r#"{"type":"Spacer"}"#;
    let load = |children: &str| fixture(&in_card(&children.replace('S', spacer)));
    // Those that have one safe repair.
    for children in [
        ",S",
        "S,",
        "S S",
        "S,,S",
        "{% for x in v %}S,{% endfor %}",
        "{% for x in v %}S{% endfor %}",
        "S{% for x in v %}S{% endfor %}",
        "S,{% for x in v %}S{% endfor %}",
        "S,{% for x in v %}S,{% endfor %}",
        "{% for x in v %}S{% endfor %}S",
        "S,{% for x in v %}S{% endfor %}S",
        "{% if v %}S{% endif %},S",
        "S,{% if v %}S{% endif %}",
        "S,{% if v %}S,S{% endif %},S",
        "S,{% if v %}S{% endif %},{% if not v %}S{% endif %}",
        "{% if v %}S{% endif %},S,{% if v %}S{% endif %},",
        "{% for x in v %}S{% if not loop.last %},{% endif %}{% endfor %},S",
        "{% for x in v %}S{{ ',' if not loop.last }}{% endfor %},S",
        "{% for x in v %}{% if not loop.first %},{% endif %}S{% endfor %},S",
        "{% for x in v %}S,{% endfor %},S",
        "S,{% for x in v %}S{% if not loop.last %},{% endif %}{% endfor %}",
        "S,{% for x in v %}S{{- ',' if not loop.last -}}{% endfor %},S",
        "S{% for x in v %}S{% if not loop.last %},{% endif %}{% endfor %}",
        "{% for x in v %}S{% if not loop.first %},{% endif %}{% endfor %}",
        "{% for x in v %}{% if not loop.last %},{% endif %}S{% endfor %}",
    ] {
        let fixture = load(children);
        assert!(fixture.is_fast(), "{children}");
        for items in [json!([]), json!([1]), json!([1, 2])] {
            assert!(fixture.compare(&json!({"v": items})).is_ok(), "{children} {items}");
        }
    }
    for children in [
        "{% for x in v %},S{% endfor %}",
        "{% for x in v %}S{% endfor %}{% for x in v %}S{% endfor %}",
        "{% for x in v %}{% if x %}S{% endif %}{% endfor %}",
        "{% if v %}S{% endif %},{% if v %}S{% endif %}",
        "S{% if v %},{% endif %}S",
        "{% for x in v %}S{% if not loop.last %},{% endif %}{% endfor %},{% for x in v %}S{% endfor %}",
    ] {
        let fixture = load(children);
        assert!(!fixture.is_fast(), "{children}");
        for items in [json!([]), json!([1]), json!([1, 2])] {
            let _ = fixture.compare(&json!({"v": items}));
        }
    }
    let odd = load("{% for x in v %},S{% endfor %}");
    assert_eq!(odd.compare(&json!({"v": [1]})), Err(Kind::OutputJson));
    for children in [
        "S,S",
        "S{% for x in v %},S{% endfor %}",
        "{% for x in v %}S,{% endfor %}S",
        "{% if v %}S,{% endif %}S",
        "{% for x in v %}S{% if not loop.last %},{% endif %}{% endfor %}",
        "{% for x in v %}{% if not loop.first %},{% endif %}S{% endfor %}",
        "{%- set _c -%}{% for x in v %},S{% endfor %}{% if v %},S{% endif %}{%- endset -%}{{- (_c[1:] if _c and _c[0] == ',' else _c) -}}",
    ] {
        let fixture = load(children);
        assert!(fixture.is_fast(), "{children}");
        for items in [json!([]), json!([1]), json!([1, 2])] {
            assert!(fixture.compare(&json!({"v": items})).is_ok(), "{children} {items}");
        }
    }
}

/// Renders by the fast path, which must not pass the work on to the general engine.
fn exceeds(template: &str, data: &Value) -> Kind {
    let fixture = fixture(template);
    assert!(fixture.is_fast(), "{template}");
    let error = fixture.render(data).err().expect("it exceeds its budget");
    assert_eq!(
        error.kind(),
        fixture.template.render(&fixture.engine, &data.into()).unwrap_err().kind()
    );
    error.kind()
}

#[test]
fn texts_that_double_end_on_the_fast_path() {
    let data = json!({"a": "aaaaaaaaaa"});
    for (first, double) in
        [("\"aaaaaaaaaa\"", "s ~ s"), ("\"aaaaaaaaaa\"", "s + s"), ("a", "s ~ s"), ("a", "s + s")]
    {
        let doubles = format!("{{% set s = {double} %}}").repeat(40);
        let template = in_card(&format!("{{% set s = {first} %}}{doubles}"));
        assert_eq!(exceeds(&template, &data), Kind::OutputBytes, "{double}");
    }
    // A long text that is looked at again and again, without being built again.
    let long = "{% set s = \"aaaaaaaaaa\" %}".to_owned() + &"{% set s = s ~ s %}".repeat(16);
    let uses = "{% for i in list %}{% if s == \"\" %}{% endif %}{% endfor %}";
    let data = json!({"list": vec![1; 5_000]});
    assert_eq!(exceeds(&in_card(&format!("{long}{uses}")), &data), Kind::OutputBytes);
}

#[test]
fn loops_in_loops_end_on_the_fast_path() {
    let (open, close) = ("{% for i in list %}".repeat(3), "{% endfor %}".repeat(3));
    let data = json!({"list": vec![1; 1_000]});
    for body in ["", "{% set x = i %}", "{% if i == 2 %}{% endif %}"] {
        let template = in_card(&format!("{open}{body}{close}"));
        assert_eq!(exceeds(&template, &data), Kind::TemplateFuel, "{body}");
    }
}

#[test]
fn steps_grow_with_the_data() {
    let fixture = fixture(&in_card(
        r#"{% for i in list %}{"type":"Text","value":{{ i | tojson }}}{% if not loop.last %},{% endif %}{% endfor %}"#,
    ));
    // The fewest steps that are enough.
    let steps = |rows: usize| {
        let data = json!({"list": vec!["row"; rows]});
        let is_enough = |steps: u64| {
            let limits = Limits { steps, milliseconds: 60_000, ..Limits::default() };
            let render = || fixture.template.render(&fixture.engine, &(&data).into());
            crate::budget::Budget::new(&limits).run(render).is_ok()
        };
        (1..100_000).collect::<Vec<_>>().partition_point(|steps| !is_enough(*steps)) + 1
    };
    assert_eq!(steps(1_000), 2 * steps(500));
}

/// A component written as a map has hundreds of words, but they are next to each other.
#[test]
fn an_expression_is_bounded_by_its_depth_and_not_by_its_length() {
    let loads = |source: &str| {
        let source: Arc<str> = source.into();
        Template::load(&source, None, &Engine::new(Limits::default())).map_err(|e| e.kind())
    };
    let text = r#"{"type": "Text", "value": a ~ b | default("c"), "size": "sm"}"#;
    let list = vec![text; 200].join(", ");
    let map = format!(
        r#"{{% set card = {{"type": "Card", "children": [{list},],}} %}}{{{{ card | tojson }}}}"#
    );
    assert!(loads(&map).is_ok());
    let call = format!("{{{{ [{}] | length }}}}", vec!["range(1, 2)"; 500].join(", "));
    assert!(loads(&call).is_ok());
    let chains = [" ~ a", " and a", " if a else a", " | upper", ".b", "[0]", "(a)"];
    for chain in chains {
        let deep = |count: usize| format!("{{{{ [1, [a{}]] }}}}", chain.repeat(count));
        assert!(!matches!(loads(&deep(20)), Err(Kind::TemplateDepth)), "{chain}");
        assert_eq!(loads(&deep(20_000)).err(), Some(Kind::TemplateDepth), "{chain}");
    }
}

/// Looking for repairs and advice takes time in proportion to the text, and slices no text where it
/// must not: `/*/` is no comment.
#[test]
fn hostile_text_is_survived_by_repairs() {
    let many = |piece: &str| piece.repeat(20_000);
    let engine = Engine::new(Limits::default());
    for source in [
        many("/*"),
        many("'"),
        many("x "),
        format!("[{}]", many("1 ")),
        format!("[{}]", many("1,,")),
        format!("[{}]", many("True")),
        format!(r#"{{"type":"Title"{}}}"#, many(r#","text":1"#)),
        format!(
            r#"{{"type":"Card","children":[{}]}}"#,
            many(r#"{"type":"Text","value":{{ a }}},"#)
        ),
        format!("{{% if a %}}{}", many("{% endfoo %}")),
        many("{{ ' }}"),
        many("{{ a && b }}"),
    ] {
        let source: Arc<str> = source.into();
        let _ = Template::load(&source, None, &engine);
    }
}

#[test]
fn an_inline_if_without_else_prints_nothing() {
    let card = |value: &str| {
        fixture(&format!(r#"{{"type":"Card","children":[{{"type":"Text","value":{value}}}]}}"#))
    };
    for value in [
        r#""{{ n }} item{{ 's' if n != 1 }}""#,
        r#"{{ (n ~ ' item' ~ ('s' if n != 1)) | tojson }}"#,
        r#""{{ n }} item{{ ('s' if n != 1) | upper | lower }}""#,
        r#""{% set s = 's' if n != 1 %}{{ n }} item{{ s }}""#,
    ] {
        let fixture = card(value);
        for (n, text) in [(1, "1 item"), (3, "3 items")] {
            let tree = fixture.compare(&json!({"n": n})).unwrap();
            assert_eq!(tree["children"][0]["value"], text, "{value}");
        }
    }
    assert!(card(r#""{{ n }} item{{ 's' if n != 1 }}""#).is_fast());
    let missing = card(r#""{{ 's' if n != 1 }}{{ other }}""#);
    assert_eq!(missing.compare(&json!({"n": 1})), Err(Kind::TemplateUndefined));
    let missing = card(r#""{{ 's' if n != 1 else other }}""#);
    assert_eq!(missing.compare(&json!({"n": 1})), Err(Kind::TemplateUndefined));
}

/// What `tests/peers/jinja` compares with Jinja2, in a few examples.
#[test]
fn formats_macros_and_methods_are_those_of_python() {
    let engine = Engine::new(Limits::default());
    let data = json!({"n": 0.256, "who": "Ärger", "xs": [1, 2, 3], "none": []});
    for (template, text) in [
        ("{{ '%.1f of %s' % (n, who) }}", "0.3 of Ärger"),
        ("{{ '%(who)8s|%(n)05.1f' % {'who': who, 'n': n} }}", "   Ärger|000.3"),
        ("{{ '{:.1%} {:>7} {:,}'.format(n, who, 1234567) }}", "25.6%   Ärger 1,234,567"),
        ("{{ '%s * %d%%' | format(who, 7) }}", "Ärger * 7%"),
        (
            "{% macro m(a, b=2) %}<{{ a }}{{ b }}>{% endmacro %}{{ m(1) }}{{ m(3, b=4) }}",
            "<12><34>",
        ),
        ("{% macro m() %}[{{ caller() }}]{% endmacro %}{% call m() %}x{% endcall %}", "[x]"),
        ("{% macro q(t) %}{{ t }}{% endmacro %}\"{{ q('a\"b') }}\"", r#""a\"b""#),
        ("{{ 'a-b'.partition('-')[2] }}{{ 'ab'.removeprefix('a') }}", "bb"),
        ("{{ 'ff' | int(base=16) }} {{ 2.5 | round }} {{ 7 % -4 }}", "255 2 -1"),
        ("{{ none[::-1] | length }}{{ 'abc'[::-1] }}{{ xs[-2:] }}", "0cba[2,3]"),
        ("{% for c in who %}{{ c }}{{ '-' if not loop.last }}{% endfor %}", "Ä-r-g-e-r"),
        ("{{ ('s' if none) | length }}{{ '{a}{b}'.format(a=('s' if none), b=1) }}", "01"),
        ("{{ xs | truncate(3) }}{{ 'a b c d e f' | truncate(3) }}", "[1,2,3]..."),
        ("{{ '  padded text' | wordwrap(5, false) }}", "padded\ntext"),
        ("{{ -3.75e19 | filesizeformat }}", "-37500000000000000000 Bytes"),
        ("{{ '{:.1f}'.format(9007199254740993) }}", "9007199254740992.0"),
        ("{{ ['a'] is lower }}{{ [1] is upper }}", "truefalse"),
        ("{% set c = cycler(1, 2) %}{{ c.next() }}{{ c.next() }}{{ c.current }}", "121"),
    ] {
        let jinja = Jinja::new(template.into(), Writes::Json);
        assert_eq!(jinja.render(&engine, &data).unwrap(), text, "{template}");
    }
    let endless = "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}";
    let jinja = Jinja::new(endless.into(), Writes::Json);
    assert!(jinja.render(&engine, &data).is_err());
}

#[test]
fn what_is_refused_says_what_to_write() {
    for (template, help) in [
        ("{% block a %}{% endblock %}", "without the `block`"),
        ("{% include 'a' %}", "a template is a single file"),
        ("{% from 'a' import b %}", "a template is a single file"),
        ("{{ xs | random }}", "templates are deterministic"),
        ("{{ x | urlize }}", "`[text](url)`"),
        ("{{ x | xmlattr }}", "each prop by name"),
    ] {
        let card = format!(r#"{{"type":"Card","children":[{template}]}}"#);
        let error = Fixture::load(&card).err().unwrap();
        assert!(error.help().contains(help), "{template}: {error:?}");
    }
}

/// Data for text templates: everything there, empty, null, absent, of other types.
fn text_data() -> Vec<Value> {
    vec![
        json!({"a": "A \"<b>\" é", "n": 3, "f": 2.5, "t": true, "xs": ["x", 1, null, "y"],
            "os": [{"k": "one", "v": 1}, {"k": "two"}], "o": {"k": "Ärger", "n": null},
            "day": "2026-11-18T09:30", "s": "draft"}),
        json!({"a": "", "n": 0, "f": 1.0, "t": false, "xs": [], "os": [], "o": {}, "day": "x"}),
        json!({"a": null, "n": null, "xs": null, "os": null, "o": null, "s": null}),
        json!({}),
        json!({"a": ["x"], "n": "3", "f": u64::MAX, "xs": "text", "os": {"k": 1}, "o": 1, "s": 1}),
        json!({"a": "mark \u{fdd0} \u{fdd3}", "os": [{"\u{fdd1}": 1}], "xs": [[1], {"k": 2.0}]}),
        json!([]),
    ]
}

/// Renders both ways; returns whether the program is compiled, and the output or the kind of error.
fn compare_texts(source: &str, writes: Writes) -> bool {
    let engine = Engine::new(Limits::default());
    let template = TextTemplate::read(&source.into(), writes).unwrap();
    for data in text_data() {
        let fast = template.render(&engine, &(&data).into()).map_err(|error| error.kind());
        let slow = template.render_slowly(&engine, &data).map_err(|error| error.kind());
        assert_eq!(fast, slow, "{source} {data}");
    }
    template.is_fast(&engine.limits)
}

#[test]
fn texts_are_written_alike_by_both_engines() {
    for source in [
        "**{{ a }}** ({{ n }}, {{ f }}, {{ t }}){% if s is defined and s %}, {{ s }}{% endif %}",
        "{% for o in os %}\n{{ loop.index }}. {{ o.k }}: {{ o.v }}{% else %}none{% endfor %}",
        "{% for o in os %}{% if not loop.first %} · {% endif %}{{ o['k'] }}{% endfor %}",
        "{{ xs | join(', ') }}|{{ xs | join }}",
        "{{ day[:10] }} {{ day[11:16] }}{{ a[-3:] }}{{ a[:-n] }}{{ a[n:1] }}",
        "{% for x in xs[1:] %}{{ x }},{% endfor %}{% for x in xs[-2:-1] %}{{ x }}{% endfor %}",
        "{{ a | replace('A', n) | lower | upper | trim }}{{ o.k | upper }}",
        "{{ {'draft': 'Draft', 'done': 'Done'}[s] }}{{ {'draft': 1, 'draft': 2}[s] | default('?') }}",
        "{{ 'open' if s in ['draft', 'new', 3] else 'closed' }}{% if a not in ['', none] %}!{% endif %}",
        "{% set b = a ~ '-' ~ n %}{{ b }}{% for o in os %}{{ b }}{% set b = o.k %}{{ b }}{% endfor %}{{ b }}",
        "{{ a ~ n ~ missing }}{{ missing | string }}{{ -n }}{{ n - 1 }}{{ n * f }}{{ -f }}",
        "{% for x in missing %}{{ x }}{% endfor %}{{ (a if t) }}{{ a | default('d') }}",
        "{{ range is defined }}{{ range }}{{ a | tojson }}{{ xs | tojson }}{{ missing | tojson }}",
        "{{ o.n }}{{ n }}  \n",
        "{% for x in xs %}{% for x in xs %}{{ loop.index0 }}{% else %}{{ loop.index }}{% endfor %}{% endfor %}",
    ] {
        assert!(compare_texts(source, Writes::Prose), "{source}");
    }
    let list = |items: &str| {
        format!(
            "[{{%- set _c -%}}{items}{{%- endset -%}}{{{{- (_c[1:] if _c and _c[0] == ',' else _c) -}}}}]"
        )
    };
    let texts = list(r#",{"t":"*{{ a }}* {{ n }}","n":{{ n | tojson }},"x":{{ a | tojson }}}"#);
    let nested = list(&format!(
        r#"{{%- for o in os -%}}{{%- if o.k is not blank -%}},{{"k":"{{{{ o.k }}}}\n","l":{texts}}}{{%- endif -%}}{{%- endfor -%}}"#
    ));
    for writes in [Writes::Json, Writes::Marked] {
        for source in [&texts, &nested, r#"{"a": {{ xs | tojson }}, "b": {{ t }}, "c": {{ n }}}"#] {
            assert!(compare_texts(source, writes), "{source}");
        }
        // What the program does not do is left to the general engine.
        for source in [
            r#""{{ a | tojson }}""#,
            r#""{{ a | mrkdwn if false else a }}""#,
            "{% set _c %},{{ n }}{% endset %}{{ _c }}",
            "{% if n %}{% set b = n %}{% endif %}{{ b | tojson }}",
            &format!("{texts}{{{{ _c }}}}"),
            "{% set x %}{{ a }}{% endset %}{{ x | tojson }}",
        ] {
            assert!(!compare_texts(source, writes), "{source}");
        }
    }
}

/// A program is as large as its source: a list to compare with does not copy what is compared.
#[test]
fn nested_membership_compiles_once() {
    let nested = (0..60).fold("s".to_owned(), |inner, _| format!("({inner} in ['draft', true])"));
    assert!(compare_texts(&format!("{{{{ {nested} }}}}"), Writes::Prose));
}

/// The names that have a value without data are those of the environment.
#[test]
fn programs_know_the_globals() {
    let engine = Engine::new(Limits::default());
    let mut names: Vec<_> = engine.json.globals().map(|(name, _)| name.to_owned()).collect();
    names.retain(|name| !name.starts_with('$'));
    names.sort();
    assert_eq!(names, super::expr::GLOBALS);
}

#[test]
fn a_text_ends_with_its_budget() {
    let engine = Engine::new(Limits { output_bytes: 10_000, ..Limits::default() });
    let data = json!({"xs": vec!["0123456789"; 400]});
    for source in [
        "{% for x in xs %}{% for y in xs %}{{ y }}{% endfor %}{% endfor %}",
        "{% for x in xs %}{% set b = xs | join %}{% endfor %}",
        "{% for x in xs %}{% set b = x | replace('', xs | join) %}{% endfor %}",
    ] {
        let template = TextTemplate::read(&source.into(), Writes::Prose).unwrap();
        assert!(template.is_fast(&engine.limits), "{source}");
        let fast = template.render(&engine, &(&data).into()).unwrap_err();
        let slow = template.render_slowly(&engine, &data).unwrap_err();
        assert_eq!((fast.kind(), slow.kind()), (Kind::OutputBytes, Kind::OutputBytes), "{source}");
    }
}
