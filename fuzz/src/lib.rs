//! The fuzz targets: plain functions of bytes that panic where an invariant does not hold. cargo-fuzz
//! runs them (`libfuzzer/`), and so does this crate's binary, on a stable toolchain.

mod chat;
mod generate;
mod server;
#[cfg(test)]
mod tests;

use std::fmt::Debug;

use arbitrary::Unstructured;
use serde_json::{Value, json};
use widgetcast_core::{
    Catalog, JsonRef, Limits, Presentation, Reading, Reply, SURFACES, Schema, View, Widget, Writes,
    adaptive, check_tree, clip, extract, fix, slack, text_lanes, text_of,
};

/// A function that panics where an invariant does not hold.
pub type Target = fn(&[u8]);

/// Every target, by its name.
pub const TARGETS: &[(&str, Target)] = &[
    ("http", http),
    ("jsonrpc", jsonrpc),
    ("lanes", lanes),
    ("template", template),
    ("definition", definition),
    ("sidecar", sidecar),
    ("schema", schema),
    ("tree", tree),
    ("surface", surface),
    ("markdown", markdown),
    ("extract", extraction),
    ("chat", chat),
    ("upstream", upstream),
    ("rows", rows),
];

/// The target of a name.
pub fn find(name: &str) -> Option<Target> {
    TARGETS.iter().find(|(known, _)| *known == name).map(|(_, target)| *target)
}

/// A request of any method, path, headers and body gets an answer that is no failure of the server.
pub fn http(data: &[u8]) {
    if let Ok(request) = server::any_request(&mut Unstructured::new(data)) {
        server::check_request(request);
    }
}

/// A message of any bytes gets a JSON answer, with its own id.
pub fn jsonrpc(data: &[u8]) {
    server::check_message(data);
}

/// A message gets the same answer over HTTP and over a pipe.
pub fn lanes(data: &[u8]) {
    if let Ok(message) = generate::message(&mut Unstructured::new(data)) {
        server::compare_lanes(&message);
    }
}

/// Both engines write and draw the same, or fail in the same way; the text that is computed while drawing is the
/// one that is printed from the tree.
pub fn template(data: &[u8]) {
    let mut u = Unstructured::new(data);
    let (Ok(template), Ok(data)) = (generate::template(&mut u), generate::data(&mut u)) else {
        return;
    };
    let copy_text = generate::prose(&mut u).unwrap_or_default();
    for (text, writes) in
        [(&template, Writes::Json), (&template, Writes::Marked), (&copy_text, Writes::Prose)]
    {
        if let Ok([fast, slow]) = text_lanes(text, writes, &data) {
            assert_same(&fast, &slow, text);
        }
    }
    let definition = json!({"version": "1.0", "name": "any", "template": template,
        "jsonSchema": {"type": "object", "properties": {"a": true, "b": true, "items": true}}});
    if let Ok(widget) = Widget::parse(&definition.to_string()) {
        compare_engines(&widget, &data);
    }
}

fn compare_engines(widget: &Widget, data: &Value) {
    let normal = |view: View| normal(&view.tree());
    let slow = widget.render_slowly(data).map(normal).map_err(|error| error.kind());
    let fast = widget.render_unvalidated(data).map(normal).map_err(|error| error.kind());
    assert_same(&fast, &slow, widget.template_text());
    if !widget.schema().is_valid(data) {
        return;
    }
    let drawn = widget.draw(&data.into());
    if let Ok(view) = &drawn {
        assert!(
            view.json().len() <= Limits::default().output_bytes * 2,
            "{} bytes",
            view.json().len()
        );
        if view.copy_text().is_none() {
            assert_same(&view.text(), &text_of(&view.tree()), widget.template_text());
        }
    }
    assert_same(&drawn.map(normal).map_err(|error| error.kind()), &slow, widget.template_text());
}

#[track_caller]
fn assert_same<T: Debug + PartialEq>(one: &T, other: &T, of: &str) {
    assert!(one == other, "these differ:\n{one:?}\n{other:?}\nof {of}");
}

/// A tree as two are compared: nulls and empty children dropped, 1 equal to 1.0.
fn normal(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().filter(|item| !item.is_null()).map(normal).collect(),
        Value::Object(members) => {
            let is_empty = |value: &Value| value.as_array().is_some_and(Vec::is_empty);
            let kept = members
                .iter()
                .filter(|(key, value)| !(value.is_null() || *key == "children" && is_empty(value)));
            let mut kept: Vec<_> = kept.map(|(key, value)| (key.clone(), normal(value))).collect();
            kept.sort_by(|a, b| a.0.cmp(&b.0));
            kept.into_iter().collect()
        }
        Value::Number(number) => number.as_f64().map_or(Value::Null, Value::from),
        scalar => scalar.clone(),
    }
}

/// A definition of any text, JSON or YAML, is refused or can be drawn with its own sample.
pub fn definition(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let _ = fix(&text);
    if let Ok(widget) = Widget::parse(&text) {
        compare_engines(&widget, &widget.sample());
    }
}

/// A `.blocks.yml` of any text next to a widget never stops the widget, and blocks that are sent are such
/// as Slack takes.
pub fn sidecar(data: &[u8]) {
    let widget = r#"{"version":"1.0","name":"a","template":"{\"type\":\"Card\",\"children\":[{\"type\":\"Text\",\"value\":{{ (a) | tojson }}}]}","jsonSchema":{"type":"object","properties":{"a":{"type":"string"}}}}"#;
    let dir = std::env::temp_dir().join(format!("widgetcast-fuzz-{}", std::process::id()));
    let write = || -> std::io::Result<()> {
        std::fs::create_dir_all(&dir)?;
        std::fs::write(dir.join("a.widget"), widget)?;
        std::fs::write(dir.join("a.blocks.yml"), data)
    };
    write().expect("a writable folder for temporary files");
    let catalog = Catalog::from_dir(&dir).expect("a catalog");
    let widget = catalog.get("a").expect("the widget itself is right");
    let data = json!({"a": "text"});
    let view = widget.render(&data).expect("a view");
    let author = |template| catalog.author_template(widget, template, &data).ok().flatten();
    let mut presentation = Presentation::new("a", "1", &view);
    presentation.author = Some(&author);
    check_surfaces(&presentation);
}

/// A validator says the same about borrowed and about owned data, and lists a bounded number of
/// violations; a reading of data that does not fit does.
pub fn schema(data: &[u8]) {
    let mut u = Unstructured::new(data);
    let (Ok(schema), Ok(data)) = (generate::schema(&mut u), generate::json(&mut u, 5)) else {
        return;
    };
    let Ok(compiled) = Schema::compile(&schema) else { return };
    let text = data.to_string();
    let borrowed: JsonRef<'_> = match serde_json::from_str(&text) {
        Ok(borrowed) => borrowed,
        Err(_) => return,
    };
    let owned = compiled.validate(&data).map_err(|violations| violations.to_string());
    let other = compiled.validate_data(&borrowed).map_err(|violations| violations.to_string());
    assert_same(&owned, &other, &format!("{schema}\n{data}"));
    assert_eq!(owned.is_ok(), compiled.is_valid(&data), "{schema}\n{data}");
    if let Some(read) = compiled.read(&borrowed, Reading::Lossless) {
        assert!(owned.is_err() && compiled.is_valid(&read), "{schema}\n{data}\n{read}");
        assert_eq!(compiled.read(&(&read).into(), Reading::Lossless), None, "{schema}\n{data}");
    }
    let words = owned.err().map_or(0, |words| words.len());
    assert!(words < 1 << 20, "{words} bytes of violations");
    let _ = widgetcast_core::sample_arguments(&schema);
}

/// A tree of any text is judged, and printed, within bounds.
pub fn tree(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    check_tree(&text, &Limits::default());
    if let Ok(value) = serde_json::from_str::<Value>(&text) {
        let folded = text_of(&value);
        assert!(
            folded.len() <= 200 * text.len() + 1000,
            "{} bytes of {}",
            folded.len(),
            text.len()
        );
        let (small, whole) = (clip(&folded, 100), clip(&folded, folded.len()));
        assert!(small.len() <= 150 && whole == folded);
    }
}

/// Every surface shows any valid tree, in JSON where it says so, within the host's limits.
pub fn surface(data: &[u8]) {
    let Ok(tree) = generate::root(&mut Unstructured::new(data)) else { return };
    // Not every tree is valid; those that are not are still given to the surfaces that take a value.
    let (blocks, _) = slack::blocks(&tree);
    let faults = slack::validate(&blocks);
    assert!(faults.is_empty(), "{faults:?}\n{tree}");
    adaptive::adaptive_card(&tree);
    if let Some(view) = view_of(&tree) {
        check_surfaces(&Presentation::new("a", "1", &view));
    }
}

/// Every surface shows any Markdown.
pub fn markdown(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let cell = json!({"type": "Table.Cell", "children": [{"type": "Markdown", "value": text}]});
    let tree = json!({"type": "Card", "children": [
        {"type": "Markdown", "value": text},
        {"type": "Row", "children": [{"type": "Markdown", "value": text}, {"type": "Text", "value": text}]},
        {"type": "Table", "children": [{"type": "Table.Row", "children": [cell]}]}]});
    if let Some(view) = view_of(&tree) {
        check_surfaces(&Presentation::new("a", "1", &view));
    }
}

fn view_of(tree: &Value) -> Option<View> {
    let definition = json!({"version": "1.0", "name": "any", "template": "{{ tree | tojson }}"});
    let widget = Widget::parse(&definition.to_string()).expect("a widget");
    widget.render(&json!({"tree": tree})).ok()
}

fn check_surfaces(presentation: &Presentation<'_>) {
    let size = presentation.view.json().len() + 1000;
    for surface in SURFACES {
        let shown = (surface.render)(presentation);
        assert!(shown.len() <= 300 * size, "{}: {} bytes of {size}", surface.name, shown.len());
        if surface.file_extension == "json" && !shown.is_empty() {
            let parsed = serde_json::from_str::<Value>(&shown);
            assert!(parsed.is_ok(), "{}: {parsed:?}\n{shown}", surface.name);
        }
        let mut reply = Reply::default();
        (surface.present)(presentation, &mut reply);
        (surface.losses)(presentation);
        let message = reply.into_text("{");
        assert!(serde_json::from_str::<Value>(&message).is_ok(), "{}: {message}", surface.name);
    }
    let shown = (find_surface("slack-blocks").render)(presentation);
    let blocks: Value = serde_json::from_str(&shown).expect("JSON");
    let faults = slack::validate(blocks["blocks"].as_array().map_or(&[], Vec::as_slice));
    assert!(faults.is_empty(), "{faults:?}\n{shown}");
    // What a terminal obeys is not in it, and no line is too long.
    let drawn = (find_surface("terminal").render)(presentation);
    let steers = |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c);
    assert!(!drawn.contains(steers), "{drawn:?}");
}

fn find_surface(name: &str) -> &'static widgetcast_core::Surface {
    widgetcast_core::Surface::find(name).expect("a surface of that name")
}

/// A result of any server, well-formed or not, gives at most a hundred parts and reasons.
pub fn extraction(data: &[u8]) {
    let generated = generate::result(&mut Unstructured::new(data)).ok();
    let given = serde_json::from_slice::<Value>(data).ok();
    for result in generated.into_iter().chain(given) {
        let found = extract::extract(&result);
        assert!(found.parts.len() <= 100 && found.reasons.len() <= 100);
        let text = serde_json::to_string(&found).expect("JSON");
        assert!(text.len() <= 20 * result.to_string().len() + 100_000, "{} bytes", text.len());
        let message = extract::tool_result_message("1", "a", &result, "2026-11-15T09:00:00Z");
        extract::thread_items(&[message], "thr");
    }
}

/// Requests of a client of the chat, well-formed or not, are answered or refused, and the thread stays
/// readable.
pub fn chat(data: &[u8]) {
    // Bytes that end too early have been tried as far as they go.
    let _ = chat::check_requests(&mut Unstructured::new(data));
}

/// Whatever an MCP server lists and gives, our tools keep their names, and the thread stays readable.
pub fn upstream(data: &[u8]) {
    let _ = chat::check_upstream(&mut Unstructured::new(data));
}

/// Stored rows of any content are read or refused, and are in no one's way.
pub fn rows(data: &[u8]) {
    let _ = chat::check_rows(&mut Unstructured::new(data));
}
