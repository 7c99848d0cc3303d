//! Renders the templates that `tests/peers/jinja` compares with Jinja2 on Python.
//!
//! Standard input is a JSON list of `[template, data]`. Standard output is a JSON list with what each
//! template writes, `{"text": …}` or `{"error": …}`, and under `lanes` what the fast path and the
//! general engine make of it as the text of a widget, where they differ.

use std::sync::Arc;

use serde_json::{Value, json};
use widgetcast_engine::error::Result;
use widgetcast_engine::limits::Limits;
use widgetcast_engine::template::{Engine, Jinja, Template, Writes};

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::new(Limits::default());
    let cases: Vec<(String, Value)> = serde_json::from_reader(std::io::stdin().lock())?;
    let rendered: Vec<Value> = cases
        .iter()
        .map(|(template, data)| {
            let mut result = match render(&engine, template, data) {
                Ok(text) => json!({"text": text}),
                Err(error) => json!({"error": error.to_string()}),
            };
            if let Some(lanes) = lanes(&engine, template, data) {
                result["lanes"] = lanes;
            }
            result
        })
        .collect();
    serde_json::to_writer(std::io::stdout().lock(), &rendered)?;
    Ok(())
}

fn render(engine: &Engine, template: &str, data: &Value) -> Result<String> {
    Jinja::compile(&Arc::from(template), Writes::Json)?.render(engine, data)
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
