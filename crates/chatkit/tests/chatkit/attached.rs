//! Files reach the model: images as images, texts as texts, within limits.

use serde_json::{Value, json};
use widgetcast::App;
use widgetcast_agent::{Agent, Api, Toolbox};
use widgetcast_chatkit::AgentResponder;

use crate::model_endpoint::{APIS, model, says};
use crate::stage::{Client, Stage, input};

async fn upload(ada: &Client<'_>, name: &str, mime: &str, bytes: &str) -> Value {
    let file = json!({ "name": name, "size": bytes.len(), "mime_type": mime });
    let made = ada.ask("attachments.create", file).await.json();
    let url = made["upload_descriptor"]["url"].as_str().unwrap();
    let request = http::Request::put(url).header("cookie", &ada.header.1);
    assert_eq!(ada.stage.send(request.body(bytes.to_owned()).unwrap()).await.status, 200);
    made["id"].clone()
}

#[tokio::test]
async fn files_reach_the_model() {
    for api in APIS {
        let (model, requests) = model(api, vec![says("I see.")]).await;
        let stage = Stage::with(App::new("tests", "1.0.0"), |_| {
            AgentResponder::new(Agent::new(model, Toolbox::new()))
        })
        .await;
        let ada = stage.user().await;
        let large = "l".repeat(300 << 10);
        let files = [
            upload(&ada, "a.png", "image/png", "12345").await,
            upload(&ada, "n.txt", "text/plain; charset=utf-8", "the words").await,
            upload(&ada, "d.json", "application/json", "{\"d\": 1}").await,
            upload(&ada, "large.txt", "text/plain", &large).await,
            upload(&ada, "p.pdf", "application/pdf", "pdf-bytes").await,
        ];
        let file = json!({ "name": "never.txt", "size": 3, "mime_type": "text/plain" });
        let never = ada.ask("attachments.create", file).await.json()["id"].clone();
        let mut message = input("What is this?");
        message["attachments"] = files.iter().chain([&never]).cloned().collect();
        let reply = ada.ask("threads.create", json!({ "input": message })).await;
        let thread = reply.events()[0]["thread"]["id"].as_str().unwrap().to_owned();

        let asked = requests.all()[0].clone();
        let (messages, image, text) = match api {
            Api::Responses => ("input", "/image_url", "input_text"),
            _ => ("messages", "/image_url/url", "text"),
        };
        let parts = asked[messages][0]["content"].as_array().unwrap();
        let images: Vec<&Value> = parts.iter().filter_map(|part| part.pointer(image)).collect();
        assert_eq!(images, [&json!("data:image/png;base64,MTIzNDU=")], "{asked}");
        assert_eq!(parts[0]["type"], text);
        let said = parts[0]["text"].as_str().unwrap();
        assert!(said.starts_with("What is this?"), "{said}");
        assert!(said.contains("the words") && said.contains("{\"d\": 1}"), "{said}");
        // Of what is too large, cannot be shown, or never came, there is the name.
        for name in ["a.png", "n.txt", "large.txt", "p.pdf", "never.txt"] {
            assert!(said.contains(&format!("[attached: {name}]")), "{said}");
        }
        assert!(!said.contains("llll") && !said.contains("pdf-bytes"));
        // They stay a part of the conversation.
        ada.say(&thread, "And now?").await;
        assert!(requests.all()[1].to_string().contains("MTIzNDU="));
    }
}
