//! Checks of whole widgets, by what they find.

use serde_json::{Value, json};

use super::{CheckOptions, Finding, Kind, Severity, check};
use crate::definition::catalog::Catalog;

/// What a check finds: the code, the message and the help of each finding.
fn findings(definition: &Value) -> Vec<[String; 3]> {
    let text: &'static str = Box::leak(definition.to_string().into_boxed_str());
    let catalog = Catalog::from_static(&[("a.widget", text)]);
    let found = check(&catalog, &CheckOptions::default(), &|_| {});
    let error = |finding: &super::Finding| {
        let error = &finding.error;
        let help = error.help().to_owned();
        [error.kind().code().to_owned(), error.message().to_owned(), help]
    };
    found.iter().map(error).collect()
}

/// A card with one text for each expression.
fn card(expressions: &[&str]) -> String {
    let text = |e: &&str| format!(r#"{{"type":"Text","value":{{{{ {e} | tojson }}}}}}"#);
    let texts: Vec<String> = expressions.iter().map(text).collect();
    format!(r#"{{"type":"Card","children":[{}]}}"#, texts.join(","))
}

/// The findings of some kinds: those whose code starts with `prefix`.
fn of_kind(definition: &Value, prefix: &str) -> Vec<[String; 3]> {
    findings(definition).into_iter().filter(|[code, ..]| code.starts_with(prefix)).collect()
}

#[test]
fn a_variable_is_reported_once() {
    let schema = json!({"type": "object", "properties": {"title": {"type": "string"}}});
    let definition = json!({"version": "1.0", "name": "A", "jsonSchema": schema,
        "template": card(&["titel", "titel", "title", "undefined"]),
        "copy_text": "{{ title }} {{ other }}"});
    let expected = [
        ["variable-undeclared", "`titel` is not declared in the schema", "did you mean title?"],
        ["variable-undeclared", "`other` is not declared in the schema", ""],
    ];
    let found = of_kind(&definition, "variable-");
    assert_eq!(found, expected.map(|finding| finding.map(str::to_owned)));
}

#[test]
fn an_unused_object_is_reported_without_its_members() {
    let schema = json!({"type": "object", "properties": {
        "used": {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}},
        "whole": {"type": "object", "properties": {"a": {"type": "string"}}},
        "copied": {"type": "string"},
        "point": {"type": "object", "properties": {"x": {"type": "number"}}},
        "rows": {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "string"}}}}}});
    let template = r#"{"type":"Card","children":[{"type":"Text","value":{{ used.a | tojson }}},{"type":"Text","value":{{ whole | tojson | tojson }}}{%- for row in rows -%},{"type":"Divider"}{%- endfor -%}]}"#;
    let definition = json!({"version": "1.0", "name": "A", "jsonSchema": schema,
        "template": template, "copy_text": "{{ copied }}"});
    let found = of_kind(&definition, "variable-");
    let found: Vec<&str> = found.iter().map(|[_, message, _]| message.as_str()).collect();
    let expected = ["`used.b` is declared but not used", "`point` is declared but not used"];
    assert_eq!(found, expected);
}

#[test]
fn losses_can_be_accepted() {
    let definition = |accept: Value| {
        json!({"version": "1.0", "name": "A", "sample": {}, "accept": accept,
            "template": r#"{"type":"Card","children":[{"type":"Chart","data":[{"x":"a","y":1}],"series":[{"type":"bar","dataKey":"y"}],"xAxis":"x"},{"type":"Form","children":[{"type":"DatePicker","name":"d"},{"type":"Label","fieldName":"d","value":"D"}]}]}"#})
    };
    let losses = |accept: Value| -> Vec<String> {
        let found = of_kind(&definition(accept), "loss").into_iter();
        found.map(|[_, message, _]| message).collect()
    };
    let all = losses(json!([]));
    assert!(!all.is_empty());
    for surface in crate::surface::SURFACES {
        let about = format!("{} cannot show", surface.name);
        let had = all.iter().any(|message| message.starts_with(&about));
        let rest = losses(json!([surface.name]));
        assert!(!rest.iter().any(|message| message.starts_with(&about)), "{}", surface.name);
        assert_eq!(rest.len(), all.len() - usize::from(had), "{}", surface.name);
    }
}

#[test]
fn values_printed_bare_are_reported_if_they_can_break_the_json() {
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"},
        "f": {"type": "number"}, "b": {"type": "boolean"}, "s": {"type": "string"},
        "e": {"enum": ["sm", "md"]}, "q": {"enum": ["sm", "\""]}}});
    for (value, message) in [
        (r#""{{ n }} {{ f }}""#, None),
        (r#""{{ b }} {{ e }}""#, None),
        ("{{ n }}", None),
        (r#""{{ s }}""#, Some("into a JSON string")),
        (r#""{{ q }}""#, Some("into a JSON string")),
        // Python prints `True`.
        ("{{ b }}", Some("into the JSON without")),
        ("{{ e }}", Some("into the JSON without")),
    ] {
        let template = format!(
            r#"{{"type":"Card","children":[{{"type":"Text","value":"a","key":{value}}}]}}"#
        );
        let definition =
            json!({"version": "1.0", "name": "A", "jsonSchema": schema, "template": template});
        let found = of_kind(&definition, "unescaped");
        assert_eq!(found.len(), usize::from(message.is_some()), "{value}: {found:?}");
        assert!(message.is_none_or(|message| found[0][1].contains(message)), "{value}: {found:?}");
    }
}

/// Each finding is looked up in the file, so there must not be as many as the file is long.
#[test]
fn findings_about_one_widget_are_bounded() {
    let texts = |count: usize, child: &str| {
        let children = vec![child; count].join(",");
        format!(r#"{{"type":"Card","children":[{children}]}}"#)
    };
    let definitions = |count: usize| {
        let names: Vec<String> = (0..count).map(|n| format!("q{n}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let declared: serde_json::Map<String, Value> =
            (0..count).map(|n| (format!("p{n}"), json!({"type": "string"}))).collect();
        let image = r#"{"type":"Image","src":"a"}"#;
        let schema = json!({"type": "object", "properties": declared});
        let copy_text: String = names.iter().map(|name| format!("{{{{ {name} }}}}")).collect();
        [
            json!({"jsonSchema": schema, "template": card(&names), "copy_text": copy_text}),
            json!({"template": texts(count, image)}),
        ]
        .map(|mut definition| {
            definition["version"] = json!("1.0");
            definition["name"] = json!("A");
            findings(&definition)
        })
    };
    let (some, twice) = (definitions(120), definitions(240));
    for (some, twice) in some.iter().zip(&twice) {
        assert!((50..=350).contains(&some.len()), "{}", some.len());
        assert_eq!(some.len(), twice.len());
    }
    let more = |all: &[[String; 3]]| -> Vec<String> {
        let more = |[_, message, _]: &[String; 3]| {
            Some(message.clone()).filter(|message| message.contains(" more "))
        };
        all.iter().filter_map(more).collect()
    };
    let expected = [
        "20 more variables are not declared in the schema",
        "20 more variables are not declared in the schema",
        "20 more variables are declared but not used",
    ];
    assert_eq!(more(&some[0]), expected);
}

/// We write the quotes around a text of a tree, and escape the values in it.
#[test]
fn placeholders_in_a_tree_need_no_tojson() {
    let found = |field: &str| -> Vec<String> {
        let text = format!(
            "version: '1.0'\nname: A\njsonSchema: {{type: object, properties: {{a: {{type: string}}}}}}\n{field}\n"
        );
        let text: &'static str = Box::leak(text.into_boxed_str());
        let catalog = Catalog::from_static(&[("a.widget", text)]);
        let found = check(&catalog, &CheckOptions::default(), &|_| {});
        let codes = found.iter().map(|finding| finding.error.kind().code().to_owned());
        codes.filter(|code| code == "unescaped").collect()
    };
    let tree = r#"{"type": "Card", "children": [{"type": "Text", "value": "{{ a }}"}]}"#;
    assert_eq!(found(&format!("widget: {tree}")), Vec::<String>::new());
    assert_eq!(found(&format!("template: '{tree}'")), ["unescaped"]);
}

/// The places of a hundred findings are looked up in YAML that was read once.
#[test]
fn yaml_is_read_once_for_all_findings() {
    let lines: String =
        (0..200).map(|n| format!("    - {{type: Divider, nonsense{n}: 1}}\n")).collect();
    let text = format!("version: 1.0\nname: A\nwidget:\n  type: Card\n  children:\n{lines}");
    let catalog = Catalog::from_static(&[("a.yml", Box::leak(text.into_boxed_str()))]);
    let before = crate::definition::spec::yaml_reads();
    assert_eq!(catalog.findings().count(), 100);
    assert_eq!(crate::definition::spec::yaml_reads() - before, 1);
}

/// Components may come with the data; a sample proves that they do.
#[test]
fn precomputed_children_are_proved_by_the_sample() {
    let found = |template: &str, items: serde_json::Value, sample: Option<serde_json::Value>| {
        let mut definition = json!({"version": "1.0", "name": "A", "template": template,
            "description": "A", "jsonSchema": {"type": "object", "required": ["rows", "title"],
            "properties": {"rows": items, "title": {"type": "string"}}}});
        if let Some(rows) = sample {
            definition["sample"] = json!({"rows": rows, "title": "T"});
        }
        let text = definition.to_string();
        let text: &'static str = Box::leak(text.into_boxed_str());
        let catalog = Catalog::from_static(Box::leak(Box::new([("a.widget", text)])));
        let findings = check(&catalog, &CheckOptions::default(), &|_| {});
        // A server leaves out what has errors, and nothing else.
        catalog.check_all();
        let is_broken = findings.iter().any(|finding| finding.severity == Severity::Error);
        assert_eq!(catalog.count_broken(), usize::from(is_broken), "{findings:?}");
        // Another check requires that a list declares its items.
        let is_told = |finding: &&Finding| {
            finding.severity > Severity::Note && finding.error.kind() != Kind::SchemaPortable
        };
        let findings = findings.iter().filter(is_told);
        let tell = |finding: &Finding| {
            let message = finding.error.message().split(':').next().unwrap_or_default();
            format!("{} {}: {message}", finding.severity.name(), finding.error.kind().code())
        };
        findings.map(tell).collect::<Vec<String>>()
    };
    let title = r#"{"type":"Title","value":{{ title | tojson }}}"#;
    let whole = format!(
        r#"{{"type":"Card","children":[{title},{{"type":"Col","children":{{{{ rows | json }}}}}}]}}"#
    );
    let each = format!(
        r#"{{"type":"Card","children":[{title}{{% for row in rows %}},{{{{ row | tojson }}}}{{% endfor %}}]}}"#
    );
    let rules = [
        json!({"type": "array"}),
        json!({"type": "array", "items": {"type": "object"}}),
        json!({"type": "array", "items": {"type": "object", "required": ["type"], "properties": {
            "type": {"type": "string"}, "value": {"type": "string"}}}}),
    ];
    for (template, rule) in
        [&whole, &each].into_iter().flat_map(|t| rules.iter().map(move |r| (t, r)))
    {
        let found = |sample| found(template, rule.clone(), sample);
        let none: [&str; 0] = [];
        let proof = json!([{"type": "Text", "value": "a"}, {"type": "Divider"}]);
        assert_eq!(found(Some(proof)), none, "{template} {rule}");
        let warning =
            "warning input-breaks: `rows` must contain components, but no sample confirms it";
        assert_eq!(found(None), [warning], "{template} {rule}");
        assert_eq!(found(Some(json!([]))), [warning], "{template} {rule}");
        let broken = json!([{"type": "Nonsense"}]);
        let error = &found(Some(broken))[0];
        assert!(error.starts_with("error tree-type: unknown component"), "{error}");
        let broken = json!([{"type": "Text"}]);
        let error = &found(Some(broken))[0];
        assert!(error.starts_with("error tree-missing"), "{error}");
    }
    // What the template itself does wrong with an input is still found.
    let long = r#"{{ (title ~ (rows.a.b if title | length > 3 else "")) | tojson }}"#;
    let other = whole.replace("{{ title | tojson }}", long);
    let proof = json!([{"type": "Text", "value": "a"}]);
    let found = found(&other, rules[0].clone(), Some(proof));
    let is_breaking =
        |text: &String| text.starts_with("warning input-breaks: a schema-valid input");
    assert!(found.iter().any(is_breaking), "{found:?}");
}

/// What the checks for a host find of a card with these children.
fn in_host(host: &str, children: &Value) -> Vec<(Severity, String)> {
    let template = json!({"type": "Card", "children": children}).to_string();
    let definition = json!({"version": "1.0", "name": "A", "description": "A card.",
        "template": template, "sample": {}});
    let text: &'static str = Box::leak(definition.to_string().into_boxed_str());
    let catalog = Catalog::from_static(&[("a.widget", text)]);
    let options = CheckOptions::default().hosts(crate::surface::Host::find(host));
    let found = check(&catalog, &options, &|_| {});
    let found = found.iter().filter(|finding| finding.error.kind() == Kind::Loss);
    found.map(|finding| (finding.severity, finding.error.message().to_owned())).collect()
}

#[test]
fn a_host_that_is_named_is_warned_about() {
    let spoken = json!([{"type": "Text", "value": "Enough words to say something."}]);
    for host in ["claude", "claude-code", "slack", "teams", "terminal"] {
        assert_eq!(in_host(host, &spoken), [], "{host}");
    }
    let chart = json!([{"type": "Text", "value": "Enough words to say something."},
        {"type": "Chart", "data": [{"a": "x", "b": 1}], "xAxis": "a", "showLegend": true,
         "series": [{"type": "bar", "dataKey": "b"}, {"type": "line", "dataKey": "b"}]}]);
    let lost = in_host("slack", &chart);
    assert_eq!(lost.len(), 1, "{lost:?}");
    assert!(lost[0].0 == Severity::Warning && lost[0].1.starts_with("Slack cannot show"));
    assert_eq!(in_host("claude", &chart), []);
}

#[test]
fn a_text_that_says_nothing_is_told_where_it_matters() {
    let silent = json!([{"type": "Text", "value": "12:30"}]);
    for (host, label) in [("claude", "Claude"), ("cline", "Cline")] {
        let words = format!("the text of the sample is too short for {label}");
        assert_eq!(in_host(host, &silent), [(Severity::Warning, words)]);
    }
    assert_eq!(in_host("vscode", &silent), []);
}

#[test]
fn actions_are_held_against_what_views_can_do() {
    let button = |action: &str| {
        json!([{"type": "Button", "label": "Enough words", "onClickAction": {"type": action}},
            {"type": "Button", "label": "Open", "onClickAction":
                {"type": "open", "payload": {"url": "https://a.example"}}}])
    };
    let told = "the action \"a\" only reaches the model in Goose";
    assert_eq!(in_host("goose", &button("a")), [(Severity::Note, told.to_owned())]);
    assert_eq!(in_host("cursor", &button("a")), [], "it is a tool, and can be called");
    let words = "the action \"b\" works in Cursor only if your server has this tool";
    assert_eq!(in_host("cursor", &button("b")), [(Severity::Note, words.to_owned())]);
    assert_eq!(in_host("claude", &button("b")), []);
}

#[test]
fn a_sum_that_a_loop_loses_is_reported() {
    let definition = |body: &str| {
        let template = format!(
            r#"{{%- set total = 0 -%}}{body}{{"type":"Card","children":[{{"type":"Text","value":{{{{ total | string | tojson }}}}}}]}}"#
        );
        json!({"version": "1.0", "name": "A", "template": template, "jsonSchema": {
            "type": "object", "required": ["prices"],
            "properties": {"prices": {"type": "array", "items": {"type": "number"}}}}})
    };
    let lost = definition("{%- for p in prices -%}{%- set total = total + p -%}{%- endfor -%}");
    let [[_, message, help]] = &of_kind(&lost, "variable-lost")[..] else { panic!("not found") };
    assert_eq!(
        message,
        "`total` is set inside a loop, and the new value is lost when the loop ends"
    );
    assert!(help.contains("| sum") && help.contains("namespace(total=0)"), "{help}");
    for fine in [
        "{%- for p in prices -%}{%- set total = total + p -%}{%- endfor -%}{%- set total = 1 -%}",
        "{%- set ns = namespace(n=0) -%}{%- for p in prices -%}{%- set ns.n = ns.n + p -%}{%- endfor -%}{%- set total = ns.n -%}",
        "{%- for p in prices -%}{%- set other = p + 1 -%}{%- endfor -%}",
    ] {
        assert!(of_kind(&definition(fine), "variable-lost").is_empty(), "{fine}");
    }
}

#[test]
fn an_inline_if_without_else_is_no_finding() {
    let definition = json!({"version": "1.0", "name": "A", "jsonSchema": {
        "type": "object", "required": ["n", "ok"],
        "properties": {"n": {"type": "integer"}, "ok": {"type": "boolean"}}},
        "template": r#"{"type":"Card","children":[{"type":"Text","value":{{ (n ~ ' item' ~ ('s' if n != 1) ~ ('!' if ok)) | tojson }}}]}"#,
        "sample": {"n": 3, "ok": true}});
    assert!(of_kind(&definition, "input-breaks").is_empty());
}

#[test]
fn a_list_in_quotes_gets_the_help_that_fits() {
    let schema = json!({"type": "object", "required": ["all"], "properties": {
        "all": {"type": "array", "items": {"type": "string"}}}});
    let help = |field: &str, source: Value| {
        let mut definition = json!({"version": "1.0", "name": "A", "jsonSchema": schema});
        definition[field] = source;
        let [[_, _, help]] = &of_kind(&definition, "unescaped")[..] else { panic!("not found") };
        help.clone()
    };
    let tree =
        |value: &str| json!({"type": "Card", "children": [{"type": "Text", "value": value}]});
    assert_eq!(
        help("template", tree("{{ all }}").to_string().into()),
        "write `{{ … | tojson }}` without the quotes"
    );
    assert!(help("template", tree("a {{ all }}").to_string().into()).contains("join"));
    assert_eq!(help("widget", tree("{{ all }}")), "write `{{ … | json }}` to get the list itself");
    assert!(help("widget", tree("a {{ all }}")).contains("join"));
}

#[test]
fn what_models_choose_by_is_noted() {
    let found = |definition: Value, options: &CheckOptions| -> Vec<(Severity, Kind)> {
        let text: &'static str = Box::leak(definition.to_string().into_boxed_str());
        let catalog = Catalog::from_static(&[("a.widget", text)]);
        let found = check(&catalog, options, &|_| {});
        let of_identity = |kind| matches!(kind, Kind::NoDescription | Kind::Name);
        let found = found.iter().filter(|finding| of_identity(finding.error.kind()));
        found.map(|finding| (finding.severity, finding.error.kind())).collect()
    };
    let widget = json!({"version": "1.0", "name": "Untitled widget", "template": card(&[])});
    let kinds = [Kind::NoDescription, Kind::Name];
    let note = (Severity::Note, Kind::Name);
    assert_eq!(found(widget.clone(), &CheckOptions::default()), [note]);
    let error = |kind| (Severity::Error, kind);
    assert_eq!(found(widget, &CheckOptions::strict()), kinds.map(error));
    let told = json!({"version": "1.0", "name": "Tide", "description": "x", "template": card(&[])});
    assert_eq!(found(told, &CheckOptions::default()), []);
}
