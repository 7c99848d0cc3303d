//! Jinja snippets against what Jinja2 on Python makes of them.

use needs_shared::needs_shared;
use serde_json::Value;

use super::shared;
use widgetcast_core::{JsonTemplate, Writes, text_lanes};

/// Where we differ, and why. A difference that is gone must go from this list.
const KNOWN: &[(&str, &str)] = &[
    ("{{ missing|tojson }}", UNDEFINED),
    ("{{ d.missing|tojson }}", UNDEFINED),
    ("{{ missing == 1 }}", "what is absent equals none, as an optional does in Python's library"),
    ("{{ not missing }}", UNDEFINED),
    ("{% if missing %}a{% else %}b{% endif %}", UNDEFINED),
    ("{% for x in nn %}a{% endfor %}", "a loop over none is empty, as in Studio"),
    ("{{ fi|string|tojson }}", NUMBERS),
    ("{{ d }}", "lists and maps print as JSON"),
    ("{{ items[0] }}", "lists and maps print as JSON"),
    ("{{ items|tojson|length }}", "compact JSON is shorter"),
    ("{{ l|random is number }}", "a view must not depend on chance"),
    ("{{ n.bit_length() }}", RARE),
];

const UNDEFINED: &str = "what is absent may be tested, and is null in JSON";
const NUMBERS: &str = "numbers print as in JavaScript";
const RARE: &str = "no widget seen so far uses it";

#[needs_shared("corpus")]
#[test]
fn expressions_agree_with_python() {
    let corpus = shared::folder("corpus");
    let all = shared::json(&corpus.join("jinja-expressions.json"));
    let cases = all["cases"].as_array().unwrap();
    let mut faults = Vec::new();
    let mut same = 0;
    for case in cases {
        let template = case["t"].as_str().unwrap();
        let ours = JsonTemplate::read(template).and_then(|template| template.render(&all["ctx"]));
        for writes in [Writes::Json, Writes::Prose, Writes::Marked] {
            if let Ok([fast, slow]) = text_lanes(template, writes, &all["ctx"]) {
                assert_eq!(fast, slow, "{template}, {writes:?}");
            }
        }
        let agree = match (&ours, case["py"]["ok"].as_str()) {
            (Ok(ours), Some(python)) => agree(ours, python),
            (Err(_), None) => true,
            _ => false,
        };
        let known = KNOWN.iter().find(|(known, _)| *known == template);
        match (agree, known) {
            (true, None) => same += 1,
            (false, Some(_)) => {}
            (false, None) => {
                faults.push(format!("{template}: ours {ours:?}, Python {}", case["py"]));
            }
            (true, Some(_)) => faults.push(format!("{template}: agrees now; take it off the list")),
        }
    }
    for (template, _) in KNOWN {
        if !cases.iter().any(|case| case["t"] == *template) {
            faults.push(format!("{template}: listed, but not among the cases"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    println!(
        "{same} of {} expressions agree, {} differ for known reasons",
        cases.len(),
        KNOWN.len()
    );
}

/// Equal, or equal as JSON; Python's True, False and None are JSON's words here.
fn agree(ours: &str, python: &str) -> bool {
    let python = python.replace("True", "true").replace("False", "false").replace("None", "null");
    let json = |text: &str| serde_json::from_str::<Value>(text).map(|value| shared::normal(&value));
    ours == python || matches!((json(ours), json(&python)), (Ok(a), Ok(b)) if a == b)
}
