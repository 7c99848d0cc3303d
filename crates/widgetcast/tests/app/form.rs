//! Forms for clients that show no views but can ask.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use widgetcast::Catalog;
use widgetcast::components::{Action, Card, CardAction, Input, Title};
use widgetcast::{App, State, Tool};

const FORM: &str = r#"{
    "version": "1.0", "name": "contact",
    "template": "{\"type\":\"Card\",\"asForm\":true,\"confirm\":{\"label\":\"Send\",\"action\":{\"type\":\"send\",\"payload\":{\"to\":{{ to | tojson }}}}},\"children\":[{\"type\":\"Title\",\"value\":\"Write to us\"},{\"type\":\"Input\",\"name\":\"subject\",\"required\":true}]}",
    "jsonSchema": { "type": "object", "properties": { "to": { "type": "string" } }, "required": ["to"], "additionalProperties": false }
}"#;

const PLAIN: &str = r#"{
    "version": "1.0", "name": "plain", "template": "{\"type\":\"Card\",\"children\":[{\"type\":\"Text\",\"value\":\"hi\"}]}",
    "jsonSchema": { "type": "object", "properties": {} }
}"#;

#[derive(Clone, Default)]
struct Runs(Arc<AtomicUsize>);

async fn made(State(runs): State<Runs>) -> Card {
    runs.0.fetch_add(1, Ordering::SeqCst);
    Card::new()
        .as_form(true)
        .confirm(CardAction::new("Go", Action::new("elsewhere.go")))
        .child(Title::new("Really?"))
        .child(Input::new("why"))
}

fn app(runs: &Runs) -> App {
    App::new("tests", "1.0.0")
        .catalog(Catalog::from_static(&[("contact.widget", FORM), ("plain.widget", PLAIN)]))
        .state(runs.clone())
        .tool(
            Tool::new("send", async |_: serde_json::Map<String, Value>| "sent")
                .input_schema(json!({ "type": "object" })),
        )
        .tool(Tool::new("made", made).read_only())
        .tool(Tool::new("writes", made))
        .build()
        .unwrap()
}

#[tokio::test]
async fn a_person_is_asked_what_the_form_asks() {
    let app = app(&Runs::default());
    let client = app.test().on_elicit(|asked| {
        assert_eq!(asked["message"], "Write to us");
        let schema = &asked["requestedSchema"];
        assert_eq!(schema["properties"]["subject"]["type"], "string");
        assert_eq!(schema["required"], json!(["subject"]));
        Some(json!({ "subject": "Printer", "to": "somebody else" }))
    });
    let told = client.call("contact", json!({ "to": "ada" })).await.unwrap();
    assert_eq!(
        told.text(),
        "The user filled in the form. To submit it, call send with these arguments: \
         {\"to\":\"ada\",\"subject\":\"Printer\"}"
    );
    let declined = app.test().on_elicit(|_| None).call("contact", json!({ "to": "ada" })).await;
    assert_eq!(declined.unwrap().text(), "The user declined to fill in the form.");
    // Wrong arguments are told before anybody is asked.
    let wrong = app.test().on_elicit(|_| panic!("asked")).call("contact", json!({})).await.unwrap();
    assert!(wrong.is_error(), "{wrong:?}");
}

#[tokio::test]
async fn who_sees_the_view_or_cannot_be_asked_gets_it() {
    let app = app(&Runs::default());
    let asked = |_: &Value| -> Option<Value> { panic!("asked") };
    let claude = app.test().as_host("claude").on_elicit(asked);
    let shown = claude.call("contact", json!({ "to": "ada" })).await.unwrap();
    assert!(shown.text().contains("Write to us"), "{}", shown.text());
    let text = app.test().call("contact", json!({ "to": "ada" })).await.unwrap();
    assert!(text.text().contains("Write to us"), "{}", text.text());
    let plain = app.test().on_elicit(asked).call("plain", json!({})).await.unwrap();
    assert_eq!(plain.text(), "hi");
}

/// A call that asks runs again from its start, which is for tools that change nothing.
#[tokio::test]
async fn a_tool_that_may_change_something_runs_once() {
    let runs = Runs::default();
    let app = app(&runs);
    let answer = |_: &Value| Some(json!({ "why": "because" }));
    let told = app.test().on_elicit(answer).call("made", json!({})).await.unwrap();
    assert_eq!(told.text(), "The user filled in the form (elsewhere.go): {\"why\":\"because\"}");
    assert_eq!(runs.0.swap(0, Ordering::SeqCst), 2);
    let told = app.test().on_elicit(answer).call("writes", json!({})).await.unwrap();
    assert!(told.text().contains("Really?"), "{}", told.text());
    assert_eq!(runs.0.load(Ordering::SeqCst), 1);
}
