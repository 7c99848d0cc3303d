//! The targets on their corpus, and that most of what is generated means something: an input that is
//! refused at once tests nothing.

use arbitrary::Unstructured;
use serde_json::Value;
use widgetcast_core::{Schema, Widget};

use super::*;

/// Random bytes, the same in every run.
fn random_inputs() -> impl Iterator<Item = Vec<u8>> {
    let mut state = 7u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..200).map(move |_| (0..800).map(|_| next()).collect())
}

/// How many of the random inputs are as they should be.
fn share(is_good: impl Fn(&mut Unstructured<'_>) -> Option<bool>) -> usize {
    random_inputs().filter(|bytes| is_good(&mut Unstructured::new(bytes)) == Some(true)).count()
}

#[test]
fn every_target_runs_on_its_corpus() {
    for (name, target) in TARGETS {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
        let mut files = 0;
        for entry in std::fs::read_dir(folder).expect("a corpus") {
            target(&std::fs::read(entry.expect("a file").path()).expect("readable"));
            files += 1;
        }
        assert!(files > 2, "{name} has {files} inputs");
    }
}

#[test]
fn most_templates_can_be_drawn() {
    let widget = |u: &mut Unstructured<'_>| {
        let template = generate::template(u).ok()?;
        let definition = json!({"version": "1.0", "name": "any", "template": template,
            "jsonSchema": {"type": "object", "properties": {"a": true, "b": true, "items": true}}});
        Widget::parse(&definition.to_string()).ok()
    };
    let parsed = share(|u| Some(widget(u).is_some()));
    let drawn = share(|u| {
        let widget = widget(u)?;
        Some(widget.render_slowly(&generate::data(u).ok()?).is_ok())
    });
    assert!(parsed > 100 && drawn > 40, "{parsed} parsed, {drawn} drawn of 200");
}

#[test]
fn most_schemas_compile_and_some_data_fits() {
    let schema = |u: &mut Unstructured<'_>| Schema::compile(&generate::schema(u).ok()?).ok();
    let compiled = share(|u| Some(schema(u).is_some()));
    let refused = share(|u| Some(!schema(u)?.is_valid(&generate::data(u).ok()?)));
    let accepted = share(|u| Some(schema(u)?.is_valid(&generate::data(u).ok()?)));
    assert!(compiled > 60, "{compiled} of 200");
    assert!(refused > 10 && accepted > 10, "{refused} refused, {accepted} accepted");
}

#[test]
fn some_trees_are_valid_and_some_messages_get_results() {
    let valid = share(|u| Some(view_of(&generate::root(u).ok()?).is_some()));
    assert!(valid > 10, "{valid} of 200 trees");
    let answered = share(|u| {
        let answer = server::answer_of(&generate::message(u).ok()?)?;
        Some(answer.get("result").is_some())
    });
    assert!(answered > 40, "{answered} of 200 messages");
}

/// A target that fails is noticed.
#[test]
fn differences_are_findings() {
    let noticed =
        std::panic::catch_unwind(|| assert_same(&Value::from(1), &Value::from(2), "this"));
    assert!(noticed.is_err());
}
