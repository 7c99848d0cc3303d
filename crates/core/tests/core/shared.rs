//! The folder of other people's files that lies beside the checkout. It is read where it lies,
//! never copied; without it the tests that need it say so and pass.

use std::path::{Path, PathBuf};

use serde_json::Value;
use widgetcast_core::{Widget, fold};

/// A folder of the shared material, or none with a notice.
pub(crate) fn folder(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(name);
    if path.is_dir() {
        return Some(path);
    }
    eprintln!("NOTICE: skipped, {} is not there", path.display());
    None
}

/// The JSON of a file.
pub(crate) fn json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The files of a folder with an extension, sorted.
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

/// A folder of the project.
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

/// A text that was told while drawing must be that of the tree.
pub(crate) fn compare_texts(widget: &Widget, data: &Value) {
    if let Ok(view) = widget.draw(&data.into())
        && view.copy_text().is_none()
    {
        assert_eq!(view.text(), fold(&view.tree()), "{}: {data}", widget.name());
    }
}
