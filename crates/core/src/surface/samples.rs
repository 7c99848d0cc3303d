//! For tests: trees of real widgets, and the texts that a person reads in them.

use serde_json::Value;

use super::node::{children, kind, scalar, text as prop_text};

/// The trees of the gallery and, if it is there, of the corpus, by name.
pub(super) fn trees() -> Vec<(String, Value)> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut out = Vec::new();
    for folder in [root.join("crates/cli/widgets"), root.join("../shared/corpus/expected_wire")] {
        let Ok(files) = std::fs::read_dir(&folder) else {
            eprintln!("NOTICE: skipped, {} is not there", folder.display());
            continue;
        };
        for path in files.flatten().map(|file| file.path()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let text = std::fs::read_to_string(&path).expect("a readable file");
            let Ok(mut file) = serde_json::from_str::<Value>(&text) else { continue };
            let tree = match file["outputJsonPreview"].take() {
                Value::String(text) => serde_json::from_str(&text).expect("JSON"),
                Value::Null => file,
                tree => tree,
            };
            if tree["type"].is_string() && !name.contains(".error.") {
                out.push((name, tree));
            }
        }
    }
    out.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(out.len() > 30, "the gallery is missing");
    out
}

/// Every text that a person would read, with its pointer.
pub(super) fn visible(node: &Value, at: &str, out: &mut Vec<(String, String)>) {
    let prop = match kind(node) {
        "Text" | "Title" | "Caption" | "Label" | "Markdown" => "value",
        "Badge" | "Button" | "Checkbox" => "label",
        _ => "",
    };
    let own = node.get(prop).and_then(scalar).map(|text| (format!("{at}/{prop}"), text));
    out.extend(own);
    for (index, option) in node["options"].as_array().into_iter().flatten().enumerate() {
        out.extend(prop_at(option, "label", &format!("{at}/options/{index}")));
    }
    for part in ["confirm", "cancel"] {
        out.extend(prop_at(&node[part], "label", &format!("{at}/{part}")));
    }
    out.extend(prop_at(&node["status"], "text", &format!("{at}/status")));
    let is_list = node["children"].is_array();
    for (index, child) in children(node).iter().enumerate() {
        let step = if is_list { format!("/{index}") } else { String::new() };
        visible(child, &format!("{at}/children{step}"), out);
    }
}

fn prop_at(node: &Value, prop: &str, at: &str) -> Option<(String, String)> {
    Some((format!("{at}/{prop}"), prop_text(node, prop)?))
}

/// The words of a text; addresses of links and marks of Markdown are none.
pub(super) fn word_list(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// Whether an output has the words of a text in a row or, if the text has no words, its characters.
pub(super) fn says(output: &str, text: &str) -> bool {
    let words = word_list(text).join(" ");
    let all = word_list(output).join(" ");
    let is_said = format!(" {all} ").contains(&format!(" {words} "));
    if words.is_empty() { output.contains(text.trim()) } else { is_said }
}
