//! What several tests use: files of the project and of the directory `shared` next to it, which holds
//! other users' files and is never copied. A test that needs it is marked with
//! `#[needs_shared(…)]`.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use widgetcast_core::{Widget, Writes, text_lanes, text_of};

/// A directory of `shared`, present or not.
pub(crate) fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(name)
}

/// The JSON of a file.
pub(crate) fn json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The files of a directory with an extension, sorted.
pub(crate) fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ext| ext == extension))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    files
}

/// A tree as two are compared: nulls and empty children dropped, 1 equal to 1.0.
pub(crate) fn normal(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().filter(|v| !v.is_null()).map(normal).collect(),
        Value::Object(members) => {
            let mut members: Vec<(String, Value)> = members
                .iter()
                .filter(|(key, v)| {
                    !(v.is_null() || *key == "children" && v.as_array().is_some_and(Vec::is_empty))
                })
                .map(|(key, v)| (key.clone(), normal(v)))
                .collect();
            members.sort_by(|a, b| a.0.cmp(&b.0));
            members.into_iter().collect()
        }
        Value::Number(number) => number.as_f64().map_or(Value::Null, Value::from),
        scalar => scalar.clone(),
    }
}

/// A directory of the project.
pub(crate) fn project(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

/// Compares a file with what it should say, or rewrites it if `WIDGETCAST_BLESS` is set.
pub(crate) fn expect(path: &Path, text: &str) -> Result<(), String> {
    if std::env::var_os("WIDGETCAST_BLESS").is_some() {
        std::fs::write(path, text).unwrap();
        return Ok(());
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    if expected == text {
        return Ok(());
    }
    Err(format!("{}:\n--- expected\n{expected}\n--- found\n{text}", path.display()))
}

/// The text that is written while drawing must be the one folded from the tree. An author's
/// `copy_text` would replace both, and a strict schema would refuse some data, so the template is
/// drawn without them.
///
/// The author's text, and the template as plain text, must be the same by both engines.
pub(crate) fn compare_texts(widget: &Widget, data: &Value) {
    if let (Ok(fast), Ok(slow)) = (widget.render_unvalidated(data), widget.render_slowly(data)) {
        assert_eq!(fast.copy_text(), slow.copy_text(), "{}: {data}", widget.name());
    }
    for writes in [Writes::Json, Writes::Prose, Writes::Marked] {
        if let Ok([fast, slow]) = text_lanes(widget.template_text(), writes, data) {
            assert_eq!(fast, slow, "{}, {writes:?}: {data}", widget.name());
        }
    }
    let schema: Value = serde_json::from_str(widget.schema_json()).unwrap();
    let names = schema["properties"].as_object().into_iter().flat_map(|names| names.keys());
    let open: Value = names.map(|name| (name.clone(), Value::Bool(true))).collect();
    let bare = json!({
        "version": "1.0",
        "name": widget.name(),
        "template": widget.template_text(),
        "jsonSchema": {"type": "object", "properties": open},
    });
    let bare = Widget::parse(&bare.to_string()).unwrap();
    match bare.draw(&data.into()) {
        Ok(view) => {
            assert_eq!(view.copy_text(), None);
            assert_eq!(view.text(), text_of(&view.tree()), "{}: {data}", widget.name());
        }
        Err(error) => {
            let other = widget.render_unvalidated(data).err().map(|error| error.kind());
            assert_eq!(Some(error.kind()), other, "{}: {data}", widget.name());
        }
    }
}
