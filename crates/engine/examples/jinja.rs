//! Renders the templates that `tests/peers/jinja` compares with Jinja2 on Python.
//!
//! Standard input is a JSON list of `[template, data]`. Standard output is a JSON list with what each
//! template writes, `{"text": …}` or `{"error": …}`, and under `lanes` what the fast path and the
//! general engine make of it, alone or as the text of a widget, where they differ.

use std::sync::Arc;

use serde_json::{Value, json};
use widgetcast_engine::error::{Error, Result};
use widgetcast_engine::limits::Limits;
use widgetcast_engine::template::{Engine, Template, TextTemplate, Writes};

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::new(Limits::default());
    let cases: Vec<(String, Value)> = serde_json::from_reader(std::io::stdin().lock())?;
    let rendered: Vec<Value> = cases
        .iter()
        .map(|(template, data)| {
            let read = TextTemplate::read(&Arc::from(template.as_str()), Writes::Json);
            let slow = read
                .as_ref()
                .map_or_else(failed, |read| written(&read.render_slowly(&engine, data)));
            let fast = read
                .as_ref()
                .map_or_else(failed, |read| written(&read.render(&engine, &data.into())));
            let lanes = match fast == slow {
                true => lanes(&engine, template, data),
                false => Some(json!([fast, slow])),
            };
            let mut result = slow;
            if let Some(lanes) = lanes {
                result["lanes"] = lanes;
            }
            result
        })
        .collect();
    serde_json::to_writer(std::io::stdout().lock(), &rendered)?;
    Ok(())
}

fn written(rendered: &Result<String>) -> Value {
    rendered.as_ref().map_or_else(failed, |text| json!({"text": text}))
}

fn failed(error: &Error) -> Value {
    json!({"error": error.to_string()})
}

/// The results of the two ways to render a widget with this text, if they are not the same.
fn lanes(engine: &Engine, template: &str, data: &Value) -> Option<Value> {
    // A quote would end the text that the template is put into.
    if template.contains(['"', '\n', '\\']) {
        return None;
    }
    let source =
        format!(r#"{{"type": "Card", "children": [{{"type": "Text", "value": "{template}"}}]}}"#);
    let template = Template::load(&source.into(), None, engine).ok()?.template;
    let tree = |rendered: Result<String>| match rendered {
        Ok(tree) => serde_json::from_str(&tree).unwrap_or(Value::Null),
        Err(error) => Value::from(error.to_string()),
    };
    let fast = tree(template.render(engine, &data.into()));
    let slow = tree(template.render_slowly(engine, data));
    (fast != slow).then(|| json!([fast, slow]))
}
