//! A model that answers: its text, its calls, and those that wait for a person.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;

use serde_json::{Value, json};
use widgetcast::{App, Tool};
use widgetcast_agent::{Agent, Model, Toolbox};
use widgetcast_chatkit::AgentResponder;

use crate::stage::Stage;

/// An endpoint that gives these answers in turn, in pieces as a model does; what it was asked comes back.
fn endpoint(answers: Vec<Vec<Value>>) -> (String, std::sync::mpsc::Receiver<Value>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let (tell, asked) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for deltas in answers {
            let (mut stream, _) = listener.accept().unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let (mut length, mut line) = (0, String::new());
            while reader.read_line(&mut line).unwrap() > 2 {
                let lower = line.to_lowercase();
                if let Some(value) = lower.strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
                line.clear();
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            tell.send(serde_json::from_slice(&body).unwrap()).unwrap();
            let mut text = String::from(
                "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n",
            );
            let calls = deltas.iter().any(|delta| delta["tool_calls"].is_array());
            let reason = if calls { "tool_calls" } else { "stop" };
            for delta in deltas {
                let choice = json!({ "index": 0, "delta": delta, "finish_reason": null });
                text += &format!("data: {}\n\n", json!({ "id": "1", "choices": [choice] }));
            }
            let end = json!({ "index": 0, "delta": {}, "finish_reason": reason });
            text +=
                &format!("data: {}\n\ndata: [DONE]\n\n", json!({ "id": "1", "choices": [end] }));
            stream.write_all(text.as_bytes()).unwrap();
        }
    });
    (url, asked)
}

fn call(id: &str, name: &str) -> Value {
    let function = json!({ "name": name, "arguments": "{}" });
    json!({ "tool_calls": [{ "index": 0, "id": id, "type": "function", "function": function }] })
}

async fn launch() -> String {
    "launched".into()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_is_not_read_only_waits_for_the_person() {
    let (url, asked) = endpoint(vec![
        vec![
            json!({ "content": "I shall " }),
            json!({ "content": "launch." }),
            call("c1", "launch"),
        ],
        vec![json!({ "content": "It flies." })],
    ]);
    let app = App::new("tests", "1.0.0").tool(Tool::new("launch", launch));
    let stage = Stage::with(app, |app| {
        let model = Model::named("m").base_url(url).build().unwrap();
        AgentResponder::new(Agent::new(model, Toolbox::new().app(app.clone())))
    })
    .await;
    let ada = stage.person().await;
    let (thread, reply) = ada.begin("Launch the rocket").await;
    let events = reply.events();
    let widget = &events.last().unwrap()["item"];
    assert_eq!(widget["type"], "widget", "{events:?}");
    assert_eq!(ada.items(&thread).await[1]["content"][0]["text"], "I shall launch.");
    let action = &widget["widget"]["confirm"]["action"];
    let act = json!({ "thread_id": thread, "item_id": widget["id"], "action": action });
    let reply = ada.ask("threads.custom_action", act.clone()).await;
    assert_eq!(reply.types()[1], "thread.item.replaced", "{:?}", reply.events());
    let items = ada.items(&thread).await;
    assert_eq!(items.last().unwrap()["content"][0]["text"], "It flies.", "{items:?}");
    // What came of the tool was given to the model.
    assert!(!asked.recv().unwrap().to_string().contains("launched"));
    assert!(asked.recv().unwrap().to_string().contains("launched"));
    // It is decided once.
    let again = ada.ask("threads.custom_action", act).await;
    assert_eq!(again.events().last().unwrap()["code"], "custom");
}
