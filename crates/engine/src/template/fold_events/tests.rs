//! The text from events against the text folded from the JSON, and the fast path against the general
//! engine.

use serde_json::{Value, json};

use crate::error::{Result, Severity};
use crate::limits::Limits;
use crate::template::{Engine, Template};
use crate::tree::fold_text;

/// A template without a schema.
struct Drawer {
    template: Template,
    engine: Engine,
}

/// A rendered tree, and its text where the template told it.
struct Drawn {
    json: String,
    told: Option<String>,
}

impl Drawer {
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

    fn draw(&self, data: &Value) -> Result<Drawn> {
        let (json, told) = self.template.render_with_text(&self.engine, &data.into())?;
        Ok(Drawn { json, told })
    }

    fn draw_slowly(&self, data: &Value) -> Result<String> {
        self.template.render_slowly(&self.engine, data)
    }
}

impl Drawn {
    fn tree(&self) -> Value {
        serde_json::from_str(&self.json).unwrap()
    }

    fn text(&self) -> String {
        self.told.clone().unwrap_or_else(|| fold_text(&self.json))
    }
}

fn widget(template: &str) -> Drawer {
    Drawer::load(template).unwrap()
}

#[test]
fn what_the_fold_asks_for_is_told() {
    let widget = widget(
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
    assert!(widget.is_fast());
    let view = widget.draw(&data).unwrap();
    assert_eq!(view.told, Some(fold_text(&view.json)));
    assert_eq!(view.text(), "_1 of 2_\n\n## Order seven\nTea: once\nCup: 2 times\n[Pay & go]",);
}

#[test]
fn what_is_set_anywhere_is_known_later() {
    let widget = widget(
        r#"{"type":"Card","padding":{ {%- set t = title -%} "x":2},"children":[
        {"type":"Text","value":{{ t | tojson }}}]}"#,
    );
    assert_eq!(widget.draw(&json!({"title": "Tea"})).unwrap().text(), "Tea");
}

#[test]
fn a_shape_that_is_known_is_not_kept_for_other_data() {
    let widget = widget(
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
            let view = widget.draw(&data).unwrap();
            assert_eq!(view.told, Some(fold_text(&view.json)), "{data}");
        }
    }
}

#[test]
fn what_may_be_missing_or_doubled_is_left_to_the_general_engine() {
    for (child, data) in [
        (r#"{"value":"{{ t }}","type":"Text","type":"Title"}"#, json!({})),
        (
            r#"{"type":"Text","value":"x"{% if a %},"size":"sm"{% elif b %},"type":"Title"{% endif %}}"#,
            json!({"b": true}),
        ),
        (r#"{ {% if a %}"type":"Text",{% endif %}"value":"x"}"#, json!({"a": false})),
        (
            r#"{"type":"Text"{% if a %},"value":"x"{% endif %}{% if b %}{% else %},"value":"y"{% endif %}}"#,
            json!({"a": false, "b": true}),
        ),
        (r#"{"type":"Text"{% for x in xs %},"value":"a"{% endfor %}}"#, json!({"xs": []})),
        (
            r#"{"type":"Text"{% if a %}{% if b %},"value":"x"{% else %},"value":{"bad":1}{% endif %}{% endif %},"value":"ok"}"#,
            json!({"a": true, "b": false}),
        ),
        (
            r##"{"type":"Box","background":{"light":{{ l | tojson }},"dark":"#000"}}"##,
            json!({"l": {"a": 1}}),
        ),
    ] {
        let template = format!(r#"{{"type":"Card","children":[{child}]}}"#);
        // Some cannot be drawn at all, and say so when they are loaded.
        let Ok(widget) = Drawer::load(&template) else { continue };
        let mut all = json!({"t": "Words", "a": false, "b": false, "xs": ["a"], "l": "#fff"});
        all.as_object_mut().unwrap().extend(data.as_object().unwrap().clone());
        match (widget.draw(&all), widget.draw_slowly(&all)) {
            (Ok(one), Ok(other)) => {
                let other: Value = serde_json::from_str(&other).unwrap();
                assert_eq!(one.tree(), other, "{child}");
                assert_eq!(one.text(), fold_text(&one.json), "{child}");
            }
            (one, other) => assert_eq!(one.is_ok(), other.is_ok(), "{child}"),
        }
    }
}

#[test]
fn every_way_through_is_checked() {
    let of = |middle: &str| {
        widget(&format!(
            r#"{{"type":"Card","children":[{{"type":"Text","size":"sm","value":
            {{%- if a %}}"A"{{% elif b %}}{middle}{{% else %}}"C"{{% endif %}}}}]}}"#
        ))
    };
    let data = json!({"a": false, "b": true});
    assert!(of(r#""B""#).is_fast());
    assert_eq!(of(r#""B""#).draw(&data).unwrap().text(), "B");
    assert!(!of(r#"{"b":1}"#).is_fast());
    assert!(of(r#"{"b":1}"#).draw(&data).is_err());
    // Whoever goes another way is not in the way of it.
    assert!(of(r#"{"b":1}"#).draw(&json!({"a": true, "b": true})).is_ok());
}

#[test]
fn a_large_number_is_the_same_number() {
    let widget = widget(
        r#"{"type":"Card","children":[{"type":"Table","children":[{"type":"Table.Row","children":[
        {"type":"Table.Cell","colSpan":{{ n | tojson }},"children":[{"type":"Text","value":"a"}]}]}]}]}"#,
    );
    for n in [json!(2), json!(1e16), json!(1e300), json!(-0.0), json!(1.5)] {
        let data = json!({"n": n});
        let view = widget.draw(&data).unwrap();
        assert_eq!(view.text(), fold_text(&view.json), "{n}");
    }
}

#[test]
fn keys_with_quotes_in_them_are_no_trap() {
    let widget = widget(
        r#"{"type":"Card","children":[{"type":"Button","label":"Go {{ a }}","onClickAction":
        {"type":"go","payload":{"x\":[":"y","url":"https://a.example"}}}]}"#,
    );
    assert!(widget.is_fast());
    let view = widget.draw(&json!({"a": "1"})).unwrap();
    assert_eq!(view.told.as_deref(), Some("[Go 1](https://a.example)"));
    assert_eq!(fold_text(&view.json), view.text());
}

#[test]
fn data_that_becomes_a_part_of_the_tree_is_read() {
    let widget = widget(
        r#"{"type":"Card","children":[{"type":"Select","name":"a","options":{{ all | tojson }}}]}"#,
    );
    let data = json!({"all": [{"label": "One", "value": "1"}]});
    let view = widget.draw(&data).unwrap();
    assert_eq!(view.told, None);
    assert!(view.text().contains("One"));
}
