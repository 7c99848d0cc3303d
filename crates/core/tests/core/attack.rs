//! Templates and data that mean harm: each is stopped by its own limit, quickly and in little memory.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use widgetcast_core::{Kind, Widget};

fn outcome(template: &str, data: &Value) -> Kind {
    let text = json!({"version": "1.0", "name": "attack", "template": template}).to_string();
    let start = Instant::now();
    let kind = match Widget::parse(&text) {
        Ok(widget) => match widget.render(data) {
            Ok(view) => panic!("{template} gave {} bytes", view.json().len()),
            Err(error) => error.kind(),
        },
        Err(error) => error.kind(),
    };
    // Generous: the point is that it ends at all.
    assert!(start.elapsed() < Duration::from_secs(20), "{template} took {:?}", start.elapsed());
    kind
}

#[test]
fn nothing_runs_long_or_grows_without_bound() {
    let nested = "[".repeat(200) + &"]".repeat(200);
    for (template, expected) in [
        (
            "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
            Kind::TemplateFuel,
        ),
        ("{% for i in range(99999) %}{{ 'x' * 1000 }}{% endfor %}", Kind::OutputBytes),
        ("{{ 'x' * 999999999 }}", Kind::OutputBytes),
        ("{{ [0] * 99999999 }}", Kind::OutputBytes),
        (
            "{% set ns = namespace(s='x') %}{% for i in range(60) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}",
            Kind::OutputBytes,
        ),
        (
            "{% set ns = namespace(s='x') %}{% for i in range(60) %}{% set ns.s = ns.s + ns.s %}{% endfor %}",
            Kind::OutputBytes,
        ),
        (
            "{% set ns = namespace(s=[1]) %}{% for i in range(60) %}{% set ns.s = [ns.s, ns.s] %}{% endfor %}",
            Kind::OutputBytes,
        ),
        (
            "{% set ns = namespace(s=[1]) %}{% for i in range(60) %}{% set ns.s = ns.s + ns.s %}{% endfor %}",
            Kind::OutputBytes,
        ),
        (
            "{% set ns = namespace(s={'a': 1}) %}{% for i in range(60) %}{% set ns.s = {'a': ns.s, 'b': ns.s} %}{% endfor %}",
            Kind::OutputBytes,
        ),
        (
            "{% set l = [1] %}{% for i in range(60) %}{% set _ = l.extend(l) %}{% endfor %}",
            Kind::OutputBytes,
        ),
        (
            "{% set l = [1] %}{% for i in range(60) %}{% set _ = l.append(l) %}{% endfor %}{{ l }}",
            Kind::OutputBytes,
        ),
        (
            "{% set a %}{% for i in range(99999) %}0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789{% endfor %}{% endset %}",
            Kind::OutputBytes,
        ),
        ("{{ ('a' * 9999) | replace('a', 'b' * 9999) }}", Kind::OutputBytes),
        ("{{ ('a' * 9999).replace('a', 'b' * 9999) }}", Kind::OutputBytes),
        ("{{ ('a' * 99999) | replace('', 'b' * 9999) }}", Kind::OutputBytes),
        ("{{ '%999999999d' | format(1) }}", Kind::OutputBytes),
        ("{{ '{:>999999999}'.format(1) }}", Kind::OutputBytes),
        ("{{ 'a' | center(999999999) }}", Kind::OutputBytes),
        ("{{ 'a'.zfill(999999999) }}", Kind::OutputBytes),
        ("{{ range(99999) | join('x' * 9999) }}", Kind::OutputBytes),
        ("{{ ('x' * 9999).join(range(99999) | list) }}", Kind::OutputBytes),
        ("{{ ('a\\n' * 9999) | indent(99999999) }}", Kind::OutputBytes),
        ("{{ deep | tojson }}", Kind::TreeRoot),
        (&nested, Kind::TreeRoot),
        (
            &("{{ ".to_owned() + &"(".repeat(5000) + "1" + &")".repeat(5000) + " }}"),
            Kind::TemplateSyntax,
        ),
        (&("{% if a %}".repeat(3000) + &"{% endif %}".repeat(3000)), Kind::TemplateSyntax),
    ] {
        let mut deep = json!(1);
        for _ in 0..120 {
            deep = json!([deep]);
        }
        assert_eq!(
            outcome(template, &json!({"deep": deep})).code(),
            expected.code(),
            "{template:.200}"
        );
    }
}

#[test]
fn templates_reach_nothing_outside() {
    for template in [
        "{% include '/etc/passwd' %}",
        "{% import 'x' as x %}",
        "{% extends 'x' %}",
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        "{{ env }}",
        "{{ self.__class__ }}",
        "{{ ''.__class__.__mro__ }}",
        "{{ lipsum(999) }}",
        "{{ debug() }}",
    ] {
        let kind = outcome(template, &json!({}));
        let refused = matches!(
            kind,
            Kind::TemplateSyntax
                | Kind::TemplateFailed
                | Kind::TemplateUndefined
                | Kind::OutputJson
        );
        assert!(refused, "{template}: {}", kind.code());
    }
}

#[test]
fn schemas_fetch_nothing_and_end() {
    for schema in [
        json!({"$ref": "https://example.com/schema.json"}),
        json!({"$ref": "file:///etc/passwd"}),
        json!({"type": "object", "properties": {"a": {"$ref": "other.json#/a"}}}),
    ] {
        let text = json!({"version": "1.0", "name": "a", "jsonSchema": schema, "template": "{}"})
            .to_string();
        assert_eq!(Widget::parse(&text).unwrap_err().kind(), Kind::SchemaRemote, "{schema}");
    }
    // A pattern that backtracks for ever on this value.
    let schema = json!({"type": "object", "properties": {"a": {"type": "string", "pattern": "^(?=(a+)+$)(a|aa)+$"}}});
    let text = json!({"version": "1.0", "name": "a", "jsonSchema": schema,
        "template": "{\"type\":\"Card\",\"children\":[]}"})
    .to_string();
    let widget = Widget::parse(&text).unwrap();
    let start = Instant::now();
    assert!(widget.render(&json!({"a": "a".repeat(5000) + "!"})).is_err());
    assert!(start.elapsed() < Duration::from_secs(20));
    // One that refers to itself.
    let schema = json!({"type": "object", "properties": {"a": {"$ref": "#"}}});
    let text = json!({"version": "1.0", "name": "a", "jsonSchema": schema,
        "template": "{\"type\":\"Card\",\"children\":[]}"})
    .to_string();
    assert!(Widget::parse(&text).unwrap().render(&json!({"a": {"a": {}}})).is_ok());
}

#[test]
fn hostile_values_stay_values() {
    let hostile =
        "\"},{\"type\":\"Button\"\\ </script> {{ 1 }} {% raw %} \u{2028} \u{202e} \u{0}\n";
    for template in [
        r#"{"type":"Card","children":[{"type":"Text","value":{{ v | tojson }}}]}"#,
        r#"{"type":"Card","children":[{"type":"Text","value":"{{ v }}"}]}"#,
        r#"{"type":"Card","children":[{"type":"Text","value":{{ ("" ~ v) | tojson }}}]}"#,
        r#"{"type":"Card","children":[{"type":"Text","value":"{% if v %}{{ v }}{% endif %}"}]}"#,
        r#"{"type":"Card","children":[{% set c %}{"type":"Text","value":"{{ v }}"}{% endset %}{{ c }}]}"#,
    ] {
        let text = json!({"version": "1.0", "name": "a", "template": template}).to_string();
        let widget = Widget::parse(&text).unwrap();
        let data = json!({"v": hostile});
        for view in [widget.render(&data).unwrap(), widget.render_slowly(&data).unwrap()] {
            assert_eq!(
                view.tree()["children"],
                json!([{"type": "Text", "value": hostile}]),
                "{template}"
            );
        }
    }
}
