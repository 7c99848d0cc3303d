//! Real files against what openai-chatkit makes of them.

use std::collections::HashMap;
use std::path::PathBuf;

use needs_shared::needs_shared;
use serde_json::Value;

use super::shared;
use widgetcast_core::{Catalog, CheckOptions, Kind, Severity, check};

/// Where we differ from openai-chatkit 1.6.5, by file or variant, and why. A difference that is
/// gone must go from this list.
const KNOWN: &[(&str, &str)] = &[
    ("OotTheMonk_openai-chatkit-starter-app__deck_list.gen_min", ABSENT),
    ("OotTheMonk_openai-chatkit-starter-app__stats_widget.gen_min", ABSENT),
    ("incursa_chatkit-dotnet__Email_Summary.gen_min", ABSENT),
    (
        "ShaojieJiang_orcheo__Single-choice_list.v2.gen_null",
        "the input gives an action without a type, which no host can carry out; ChatKit sends it",
    ),
    (
        "OotTheMonk_openai-chatkit-starter-app__proposal_widget.edge_sample",
        "the input gives a component type that does not exist; ChatKit does not check",
    ),
];

const ABSENT: &str = "Python fails where a condition asks for an absent value; for us it is none";

/// What ChatKit fails on and we draw. That must be told to the author: each is a finding of the file.
const FAILS_ELSEWHERE: &[Kind] = &[
    // `index` is used but never set; it is repaired.
    Kind::StudioIndex,
    // Python prints True and False into the JSON; we print true and false.
    Kind::Unescaped,
    // Python fails on an absent optional value; for us it is null.
    Kind::StudioOptional,
];

/// A finding that must be there for a file, because that is what is wrong with it.
const FAULTS: &[(&str, Kind)] = &[
    ("ShaojieJiang_mcp-chatkit-widget__Playlist", Kind::StudioIndex),
    ("OotTheMonk_openai-chatkit-starter-app__deck_list.v2", Kind::UnknownProp),
    ("ShaojieJiang_orcheo__Multi-choice_Selector", Kind::NestedRoot),
    ("incursa_chatkit-dotnet__EmailListId", Kind::NestedRoot),
];

#[needs_shared("corpus")]
#[test]
fn trees_agree_with_chatkit() {
    let corpus = shared::folder("corpus");
    let mut book = Book::default();
    for file in shared::files(&corpus.join("widgets"), "widget") {
        let stem = file.file_stem().unwrap().to_str().unwrap();
        let catalog = Catalog::from_file(&file);
        for (_, kind) in FAULTS.iter().filter(|(name, _)| *name == stem) {
            assert!(
                catalog.findings().any(|f| f.error.kind() == *kind),
                "{stem}: no {}",
                kind.code()
            );
        }
        let Some(widget) = catalog.widgets().next() else {
            let errors = catalog.findings().filter(|f| f.severity == Severity::Error);
            panic!(
                "{stem} does not load: {:?}",
                errors.map(ToString::to_string).collect::<Vec<_>>()
            );
        };
        assert!(widget.is_fast(), "{stem} is not on the fast path");
        let input = shared::json(&corpus.join("input").join(format!("{stem}.json")));
        let expected = corpus.join("expected_wire").join(format!("{stem}.json"));
        let expected = expected.exists().then(|| shared::json(&expected));
        book.compare(stem, widget, &input, expected.as_ref());
    }
    for file in shared::files(&corpus.join("variants"), "json") {
        let case = shared::json(&file);
        let stem = file.file_stem().unwrap().to_str().unwrap();
        let catalog =
            Catalog::from_file(corpus.join("widgets").join(case["widget"].as_str().unwrap()));
        let widget = catalog.widgets().next().unwrap();
        let expected = case["error"].is_null().then_some(&case["tree"]);
        book.compare(stem, widget, &case["input"], expected);
    }
    book.close();
}

#[derive(Default)]
struct Book {
    agree: usize,
    differ: Vec<String>,
    faults: Vec<String>,
    /// By file.
    told: HashMap<PathBuf, bool>,
}

impl Book {
    fn compare(
        &mut self,
        name: &str,
        widget: &widgetcast_core::Widget,
        input: &Value,
        expected: Option<&Value>,
    ) {
        let tree = |view: widgetcast_core::Result<widgetcast_core::View>| {
            view.map(|view| shared::normal(&view.tree())).map_err(|error| error.to_string())
        };
        // Unvalidated, as ChatKit does it: some of these inputs do not fit their own schema.
        let ours = tree(widget.render_unvalidated(input));
        let slow = tree(widget.render_slowly(input));
        if ours != slow {
            self.faults
                .push(format!("{name}: the two engines differ\n  fast {ours:?}\n  slow {slow:?}"));
        }
        shared::compare_texts(widget, input);
        let agree = match (&ours, expected) {
            (Ok(ours), Some(expected)) => *ours == shared::normal(expected),
            (Err(_), None) => true,
            (Ok(_), None) => self.is_told(widget),
            (Err(_), Some(_)) => false,
        };
        match (agree, KNOWN.iter().any(|(known, _)| *known == name)) {
            (true, false) => self.agree += 1,
            (false, true) => self.differ.push(name.to_owned()),
            (false, false) => {
                let expected = expected.map(shared::normal);
                self.faults.push(format!("{name}:\n  ours {ours:?}\n  ChatKit {expected:?}"));
            }
            (true, true) => self.faults.push(format!("{name}: agrees now; take it off the list")),
        }
    }

    /// Whether the author is told that other renderers fail on the file.
    fn is_told(&mut self, widget: &widgetcast_core::Widget) -> bool {
        let told = self.told.entry(widget.path().to_owned()).or_insert_with(|| {
            let findings =
                check(&Catalog::from_file(widget.path()), &CheckOptions::default(), &|_| {});
            findings.iter().any(|finding| FAILS_ELSEWHERE.contains(&finding.error.kind()))
        });
        *told
    }

    fn close(mut self) {
        for (known, _) in KNOWN {
            if !self.differ.iter().any(|name| name == known) {
                self.faults.push(format!("{known}: listed, but not among the cases that differ"));
            }
        }
        assert!(self.faults.is_empty(), "{}", self.faults.join("\n"));
        println!("{} trees agree, {} differ for known reasons", self.agree, self.differ.len());
    }
}
