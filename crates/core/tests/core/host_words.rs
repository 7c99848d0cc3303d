//! The words that printers add, `crates/engine/src/words/table.rs`: written from the group `host` of
//! `web/i18n/words.json`, with `WIDGETCAST_BLESS=1`.

use std::fmt::Write as _;

use serde_json::Value;

use crate::shared;

const LANGUAGES: [&str; 7] = ["en", "de", "fr", "es", "ar", "he", "ja"];

#[test]
fn the_words_of_hosts_are_fresh() {
    let words = shared::json(&shared::project("web/i18n/words.json"));
    let words = words["host"].as_object().unwrap();
    let (mut variants, mut rows) = (String::new(), String::new());
    for (key, word) in words {
        let text = |name: &str| word[name].as_str().unwrap_or_else(|| panic!("{key}: no {name}"));
        _ = write!(variants, "    /// {}\n    {},\n", text("why"), camel(key));
        let row: Vec<String> = LANGUAGES.map(|name| Value::from(text(name)).to_string()).to_vec();
        _ = writeln!(rows, "    [{}],", row.join(", "));
    }
    let page = format!(
        "//! Written from the group `host` of `web/i18n/words.json`: `WIDGETCAST_BLESS=1 cargo test -p\n\
         //! widgetcast-core` writes this file.\n\n\
         /// A word or a phrase that a printer may add.\n\
         #[derive(Clone, Copy, Debug, PartialEq, Eq)]\npub enum Word {{\n{variants}}}\n\n\
         #[rustfmt::skip]\npub(super) static TABLE: [[&str; 7]; {}] = [\n{rows}];\n",
        words.len()
    );
    shared::expect(&shared::project("crates/engine/src/words/table.rs"), &page).unwrap();
}

/// A word that no printer adds is not in the table.
#[test]
fn every_word_of_hosts_is_added_by_a_printer() {
    let mut sources = String::new();
    for folder in ["crates/engine/src/outline", "crates/engine/src/text", "crates/core/src/surface"]
    {
        read(&shared::project(folder), &mut sources);
    }
    let words = shared::json(&shared::project("web/i18n/words.json"));
    let used = |key: &&String| sources.contains(&format!("Word::{}", camel(key)));
    let unused: Vec<&String> =
        words["host"].as_object().unwrap().keys().filter(|key| !used(key)).collect();
    assert!(unused.is_empty(), "{unused:?}");
}

fn camel(key: &str) -> String {
    let capital = |part: &str| part[..1].to_uppercase() + &part[1..];
    key.split('_').map(capital).collect()
}

fn read(folder: &std::path::Path, out: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read(&path, out);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            out.push_str(&std::fs::read_to_string(&path).unwrap());
        }
    }
}
