//! Hostile templates and data: each is stopped by its own limit. Without the limit these tests would
//! not end, or would run out of memory.

use serde_json::{Value, json};
use widgetcast_core::{Kind, Schema, Widget};

fn outcome(template: &str, data: &Value) -> Kind {
    let text = json!({"version": "1.0", "name": "attack", "template": template}).to_string();
    match Widget::parse(&text) {
        Ok(widget) => match widget.render(data) {
            Ok(view) => panic!("{template} gave {} bytes", view.json().len()),
            Err(error) => error.kind(),
        },
        Err(error) => error.kind(),
    }
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
        ("{% set a = namespace(s=1) %}{% set a.s = a %}{{ a | upper }}", Kind::TemplateFailed),
        (
            "{% set a = namespace(s=1) %}{% set b = namespace(s=a) %}{% set a.s = [b] %}{{ a == b }}",
            Kind::TemplateFailed,
        ),
        (
            "{% set a = namespace(s=1) %}{% for i in range(9000) %}{% set a.s = dict(s=a.s) %}{% endfor %}",
            Kind::OutputBytes,
        ),
        (
            "{% set a = namespace(s=(1,)) %}{% for i in range(60) %}{% set a.s = (a.s, a.s) %}{% endfor %}{{ a.s == a.s }}",
            Kind::OutputBytes,
        ),
        ("{{ (['x' * 999999] * 50000) | map('upper') | list }}", Kind::OutputBytes),
        ("{{ [1] | slice(99999999) | length }}", Kind::OutputBytes),
        ("{{ [1] | batch(9999999999999999, 1) | length }}", Kind::OutputBytes),
        ("{{ ('{0}' * 99999).format('x' * 99999) }}", Kind::OutputBytes),
        ("{{ ('%(a)s' * 99999) | format(a='x' * 99999) }}", Kind::OutputBytes),
        ("{{ '%*d' | format(999999999, 1) }}", Kind::TemplateFailed),
        ("{{ '%999999999d' | format(1) }}", Kind::OutputBytes),
        ("{{ '%-999999999s' % 'x' }}", Kind::OutputBytes),
        ("{{ '%.999999999f' % 1.5 }}", Kind::OutputBytes),
        ("{{ '{:999999999}'.format('x') }}", Kind::OutputBytes),
        ("{{ '{:.999999999%}'.format(1) }}", Kind::OutputBytes),
        ("{{ 'x'.center(999999999) }}", Kind::OutputBytes),
        (
            "{% set s = 'x' * 999999 %}{% set l = [] %}{% for i in range(99999) %}{% set _ = l.append(s | upper) %}{% endfor %}",
            Kind::OutputBytes,
        ),
        (
            "{% set s = 'x' * 999999 %}{% set l = [] %}{% for i in range(99999) %}{% set _ = l.append(s | urlencode) %}{% endfor %}",
            Kind::OutputBytes,
        ),
        (
            "{% set s = 'x' * 999999 %}{% set l = [] %}{% for i in range(99999) %}{% set _ = l.append(s[1:]) %}{% endfor %}",
            Kind::OutputBytes,
        ),
        (
            "{% set s = 'x ' * 999999 %}{% for i in range(99999) %}{% set t = s.split() %}{% endfor %}",
            Kind::OutputBytes,
        ),
        (
            "{% set s = 'x' * 3999999 %}{% for i in range(99999) %}{% if 'y' in s %}{% endif %}{% endfor %}",
            Kind::TemplateFuel,
        ),
        (
            "{% set s = 'x' * 3999999 %}{% for i in range(99999) %}{% if s | length > 5 and s == s ~ '' %}{% endif %}{% endfor %}",
            Kind::OutputBytes,
        ),
        (&format!("{{{{ {} }}}}", vec!["a"; 20_000].join(" ~ ")), Kind::TemplateDepth),
        (&format!("{{{{ {} }}}}", vec!["a"; 20_000].join(" and ")), Kind::TemplateDepth),
        (&format!("{{{{ {}a }}}}", "not ".repeat(20_000)), Kind::TemplateDepth),
        (&format!("{{{{ a{} }}}}", ".b".repeat(20_000)), Kind::TemplateDepth),
        (&format!("{{{{ a{} }}}}", " | upper".repeat(20_000)), Kind::TemplateDepth),
        (
            &format!("{{% if a %}}{}{{% endif %}}", "{% elif b %}".repeat(20_000)),
            Kind::TemplateDepth,
        ),
        (&"[".repeat(200_000), Kind::OutputJson),
        (&"{\"type\":\"Card\",\"children\":[".repeat(20_000), Kind::TreeDepth),
        ("{{ deep | tojson }}", Kind::TreeRoot),
        (&nested, Kind::TreeRoot),
        (
            &("{{ ".to_owned() + &"(".repeat(5000) + "1" + &")".repeat(5000) + " }}"),
            Kind::TemplateDepth,
        ),
        (&("{% if a %}".repeat(3000) + &"{% endif %}".repeat(3000)), Kind::TemplateSyntax),
    ] {
        let mut deep = json!(1);
        for _ in 0..120 {
            deep = json!([deep]);
        }
        let kind = outcome(template, &json!({"deep": deep}));
        // On a slow machine the clock can be first.
        let late = expected == Kind::OutputBytes && kind == Kind::TemplateFuel;
        assert!(
            kind == expected || late,
            "{}, not {}: {template:.200}",
            kind.code(),
            expected.code()
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
    // Thirty schemas, each of which asks for the next one twice.
    let mut definitions = serde_json::Map::new();
    for level in 0..30 {
        let next = json!({"$ref": format!("#/$defs/d{}", level + 1)});
        definitions.insert(format!("d{level}"), json!({"allOf": [next, next]}));
    }
    definitions.insert("d30".into(), json!(true));
    let schema = json!({"type": "object", "$defs": definitions, "$ref": "#/$defs/d0"});
    let text =
        json!({"version": "1.0", "name": "a", "jsonSchema": schema, "template": "{}"}).to_string();
    assert_eq!(Widget::parse(&text).unwrap_err().kind(), Kind::Schema);
    // A text of many placeholders.
    let yaml = format!(
        "version: 1.0\nname: a\nwidget: {{type: Card, children: [{{type: Text, value: '{}'}}]}}\n",
        "{{a}}".repeat(100_000)
    );
    let _ = Widget::parse(&yaml);
    // A pattern that backtracks for ever on this value.
    let schema = json!({"type": "object", "properties": {"a": {"type": "string", "pattern": "^(?=(a+)+$)(a|aa)+$"}}});
    let text = json!({"version": "1.0", "name": "a", "jsonSchema": schema,
        "template": "{\"type\":\"Card\",\"children\":[]}"})
    .to_string();
    let widget = Widget::parse(&text).unwrap();
    assert!(widget.render(&json!({"a": "a".repeat(5000) + "!"})).is_err());
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
        r#"{"type":"Card","children":[{"type":"Text","value":"{% filter string %}{{ v }}{% endfilter %}"}]}"#,
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

/// Every violation could hold a copy of the data that it is about.
#[test]
fn data_that_does_not_fit_is_not_copied_for_every_violation() {
    let names: Vec<String> = (0..60).map(|n| format!("name{n}")).collect();
    let schema = Schema::compile(&json!({"type": "object", "required": names})).unwrap();
    let data = json!({"all": vec![0; 500_000]});
    let violations = schema.validate(&data).unwrap_err();
    assert_eq!((violations.list().len(), violations.rest()), (20, 40));
    let schema = json!({"type": "object", "properties": {"all": {"type": "string"}}});
    let violations = Schema::compile(&schema).unwrap().validate(&data).unwrap_err();
    assert_eq!(violations.to_string(), "- /all: must be a string, not a list with 500000 items");
}
