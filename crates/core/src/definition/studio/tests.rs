//! Exports can be read back without changes.

use serde_json::{Value, json};

use crate::definition::spec::{Source, decode_studio};
use crate::definition::widget::Widget;

/// What Studio would read.
fn studio(definition: &Value) -> Value {
    decode_studio(definition["encodedWidget"].as_str().expect("encoded")).expect("JSON")
}

/// Exports a definition, and compares what comes back.
fn round_trip(text: &str) -> Value {
    let widget = Widget::parse(text).expect("a widget");
    let exported = widget.to_studio().expect("a sample that can be drawn");
    let again = Widget::parse(&exported.to_string()).expect("what is exported is a widget");
    assert_eq!(again.name(), widget.name());
    assert_eq!(again.template_text(), widget.template_text());
    assert_eq!(again.description(), widget.description());
    assert_eq!(again.sample(), widget.sample());
    let schema = |widget: &Widget| serde_json::from_str::<Value>(widget.schema_json()).unwrap();
    assert_eq!(schema(&again), schema(&widget));
    let state = studio(&exported);
    assert_eq!(state["defaultState"], widget.sample());
    assert_eq!(again.to_studio().expect("the same"), exported);
    exported
}

const CARD: &str = r##"{"type":"Card","size":"sm","children":[
    {"type":"Title","value":{{ title | tojson }}},
    {"type":"Text","value":{{ ("By " ~ user.name ~ ", " ~ user.age) | tojson }},"truncate":true},
    {"type":"Text","value":"50 & \"more\"","color":{"light":"#000","dark":"#fff"}}
    {%- for row in rows -%},{"type":"Row","children":[{"type":"Text","value":{{ row.label | tojson }}}
        {%- for tag in row.tags -%},{"type":"Badge","label":{{ tag | tojson }}}{%- endfor -%}]}{%- endfor -%}
    {%- if kind == "sale" -%},{"type":"Button","label":"Buy","onClickAction":{"type":"buy","payload":{"id":{{ id | tojson }}}}}{%- endif -%}]}"##;

fn card() -> Value {
    json!({"version": "1.0", "name": "A card", "description": "A card", "template": CARD,
        "jsonSchema": {"type": "object", "required": ["title", "kind"], "additionalProperties": false, "properties": {
            "title": {"type": "string"}, "kind": {"enum": ["sale", "rent"]}, "id": {"type": "integer"},
            "user": {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}},
            "rows": {"type": "array", "items": {"type": "object", "properties": {
                "label": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}}}}}}},
        "sample": {"title": "T`1", "kind": "sale", "id": 7, "user": {"name": "Ada", "age": 36},
            "rows": [{"label": "one", "tags": ["a", "b"]}, {"label": "two", "tags": ["c", "d"]}]}})
}

#[test]
fn a_file_of_ours_becomes_jsx_that_refers_to_the_data() {
    let exported = round_trip(&card().to_string());
    let studio = studio(&exported);
    let expected = r##"<Card size="sm">
  <Title value={title} />
  <Text value={`By ${user.name}, ${user.age}`} truncate />
  <Text value={"50 & \"more\""} color={{ light: "#000", dark: "#fff" }} />
  {rows.map((item) => (
    <Row>
      <Text value={item.label} />
      {item.tags.map((item2) => (
        <Badge label={item2} />
      ))}
    </Row>
  ))}
  <Button label="Buy" onClickAction={{ type: "buy", payload: { id: id } }} />
</Card>"##;
    assert_eq!(studio["view"].as_str(), Some(expected));
    let zod = "import { z } from \"zod\"\n\nconst WidgetState = z.strictObject({\n  \"title\": z.string(),\n  \"kind\": z.enum([\"sale\",\"rent\"]),\n  \"id\": z.number().int().optional(),\n  \"user\": z.object({\n    \"name\": z.string().optional(),\n    \"age\": z.number().int().optional(),\n  }).optional(),\n";
    assert!(studio["schema"].as_str().unwrap().starts_with(zod), "{}", studio["schema"]);
    assert_eq!(studio["schemaMode"], "jsonSchema");
    assert_eq!(studio["jsonSchema"], card()["jsonSchema"]);
    assert_eq!(studio["states"], json!([]));
    assert_eq!(studio["id"].as_str().map(str::len), Some(36));
}

#[test]
fn yaml_becomes_json() {
    let yaml = "version: 1.0\nname: Note\nsample: {text: Hi}\nwidget:\n  type: Card\n  children:\n    - type: Text\n      value: \"{{ text }}\"\n";
    let exported = round_trip(yaml);
    assert_eq!(studio(&exported)["view"], "<Card>\n  <Text value={text} />\n</Card>");
    let source = Source::read(yaml).unwrap().spec(std::path::Path::new("")).unwrap();
    assert_eq!(exported["template"], *source.template);
}

#[test]
fn what_studio_has_written_stays() {
    let known = json!({"id": "wig_1", "name": "Other", "view": "<Card><Text value={title}/></Card>",
        "defaultState": card()["sample"], "states": [{"name": "empty"}], "schema": "z"});
    let mut definition = card();
    definition["sample"]["title"] = "new".into();
    definition["encodedWidget"] = super::encode(&known).into();
    let mut expected = known.clone();
    expected["defaultState"] = definition["sample"].clone();
    assert_eq!(studio(&round_trip(&definition.to_string())), expected);
    definition.as_object_mut().unwrap().remove("sample");
    definition["encodedWidget"] = super::encode(&known).into();
    assert_eq!(
        studio(&Widget::parse(&definition.to_string()).unwrap().to_studio().unwrap()),
        known
    );
    // Something else than Studio's form is replaced.
    definition = card();
    definition["encodedWidget"] = "e30".into();
    assert!(studio(&round_trip(&definition.to_string()))["view"].is_string());
}

/// The end of one path may be another.
#[test]
fn lists_with_the_same_last_name_are_told_apart() {
    let text = |list: &str| {
        format!(
            r#"{{%- for i in {list} -%}},{{"type":"Text","value":{{{{ i | tojson }}}}}}{{%- endfor -%}}"#
        )
    };
    let template = format!(
        r#"{{"type":"Card","children":[{{"type":"Divider"}}{}{}]}}"#,
        text("items"),
        text("cart.items")
    );
    let definition = json!({"version": "1.0", "name": "A", "template": template,
        "sample": {"items": ["a", "b"], "cart": {"items": ["c", "d"]}}});
    let view = studio(&round_trip(&definition.to_string()))["view"].clone();
    let view = view.as_str().expect("JSX");
    assert!(view.contains("{items.map((item) => ("), "{view}");
    assert!(view.contains("{cart.items.map((item) => ("), "{view}");
    assert!(!view.contains("cart.item}"), "{view}");
}
