//! The client for tests, used as a user of the SDK would.

use serde_json::{Value, json};
use widgetcast::Catalog;
use widgetcast::auth::BearerKeys;
use widgetcast::handler::Typed;
use widgetcast::test::Client;
use widgetcast::{App, Caller, Ctx, Headers, Outcome, Prompt, Resource, Tool, ToolError};

use crate::talk::GREETING;

fn app() -> App {
    App::new("tests", "1.0.0")
        .auth(BearerKeys::new())
        .catalog(Catalog::from_static(&[GREETING]))
        .tool(
            Tool::new("greet", async || Outcome::new().data(json!({ "name": "Ada" })))
                .widget("greeting"),
        )
        .tool(
            Tool::new("whoami", async |caller: Option<Caller>, headers: Headers| {
                let team =
                    headers.get("x-team").and_then(|team| team.to_str().ok().map(str::to_owned));
                format!("{:?} {team:?}", caller.map(|caller| caller.subject().to_owned()))
            })
            .public(),
        )
        .tool(Tool::new("close", async || "closed").scope("admin").hidden())
        .tool(Tool::new("fails", async || Err::<String, _>(ToolError::public("not today"))))
        .prompt(Prompt::new("plan", async || "words"))
        .resource(Resource::fixed("a://b", "B", "text"))
        .build()
        .unwrap()
}

#[tokio::test]
async fn results_are_typed_and_drawn_on_every_surface() {
    #[derive(serde::Deserialize)]
    struct Greeting {
        name: String,
    }
    let client = app().test().as_caller("ada", []);
    let result = client.call("greet", json!({})).await.unwrap();
    assert_eq!(result.text(), "## Hello Ada");
    assert_eq!(result.widget(), Some("greeting"));
    assert!(result.progress().is_empty());
    assert_eq!(result.data::<Greeting>().unwrap().name, "Ada");
    assert_eq!(result.view().unwrap()["children"][0]["value"], "Hello Ada");
    assert!(!result.is_error());
    let blocks = result.surface("slack-blocks");
    assert!(blocks.to_string().contains("Hello Ada"), "{blocks}");
    assert!(result.surface("terminal").as_str().unwrap().contains("Hello Ada"));
    assert!(result.surfaces().len() >= 5, "{:?}", result.surfaces().keys());
    let none = client.call("whoami", json!({})).await.unwrap();
    assert!(none.surfaces().is_empty() && none.view().is_none());
    let failed = client.call("fails", json!({})).await.unwrap();
    assert!(failed.is_error());
    assert_eq!(failed.text(), "not today");
}

#[tokio::test]
async fn it_is_whoever_and_whatever_it_says() {
    let client = app().test();
    assert_eq!(client.call("whoami", json!({})).await.unwrap().text(), "None None");
    let refused = client.call("greet", json!({})).await.unwrap_err();
    assert!(refused.is_unauthorized() && !refused.is_forbidden(), "{refused}");
    let ada = client.clone().as_caller("ada", ["admin"]).header("x-team", "north");
    let whoami = ada.call("whoami", json!({})).await.unwrap();
    assert_eq!(whoami.text(), r#"Some("ada") Some("north")"#);
    assert_eq!(ada.call("close", json!({})).await.unwrap().text(), "closed");
    assert_eq!(ada.tool_names().await.unwrap(), ["close", "fails", "greet", "whoami"]);
    let bob = client.as_caller("bob", []);
    assert_eq!(bob.tool_names().await.unwrap(), ["fails", "greet", "whoami"]);
    assert_eq!(bob.call("close", json!({})).await.unwrap_err().code(), -32602);
    assert_eq!(bob.read("a://b").await.unwrap(), "text");
    assert_eq!(bob.prompt("plan", json!({})).await.unwrap()[0]["content"]["text"], "words");
    assert_eq!(bob.prompts().await.unwrap()[0]["name"], "plan");
    assert!(bob.resources().await.unwrap().iter().any(|one| one["uri"] == "a://b"));
    assert_eq!(bob.request("nothing", json!({})).await.unwrap_err().code(), -32601);
}

/// What a tool asks is answered by a closure, in as many rounds as it takes.
#[tokio::test]
async fn questions_are_answered() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Confirm {
        sure: bool,
    }
    let app = App::new("tests", "1.0.0")
        .auth(BearerKeys::new())
        .tool(Tool::new("wipe", async |ctx: Ctx| -> Result<String, ToolError> {
            let first = ctx.elicit::<Confirm>("Wipe everything?").await?;
            if !first.is_some_and(|confirm| confirm.sure) {
                return Err(ToolError::public("not confirmed"));
            }
            let second = ctx.elicit::<Confirm>("Really?").await?;
            Ok(format!("wiped: {:?}", second.map(|confirm| confirm.sure)))
        }))
        .build()
        .unwrap();
    let ada = app.test().as_caller("ada", []);
    let wipe = async |client: &Client| {
        client.call("wipe", json!({})).await.map(|result| result.text().to_owned())
    };
    let sure = ada.clone().on_elicit(|asked| {
        assert_eq!(asked["requestedSchema"]["properties"]["sure"]["type"], "boolean");
        Some(json!({ "sure": true }))
    });
    assert_eq!(wipe(&sure).await.unwrap(), "wiped: Some(true)");
    let unsure = ada.clone().on_elicit(|asked| {
        (asked["message"] == "Wipe everything?").then(|| json!({ "sure": true }))
    });
    assert_eq!(wipe(&unsure).await.unwrap(), "wiped: None");
    assert_eq!(wipe(&ada.clone().on_elicit(|_| None)).await.unwrap(), "not confirmed");
    assert!(wipe(&ada).await.is_err(), "this client cannot be asked");
    // What one caller has answered is not for another.
    let can = json!({ "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} } });
    let first =
        sure.request("tools/call", json!({ "name": "wipe", "arguments": {}, "_meta": can })).await;
    let first = first.unwrap();
    let key = first["inputRequests"].as_object().unwrap().keys().next().unwrap().clone();
    let answered = json!({
        "name": "wipe", "arguments": {}, "requestState": first["requestState"],
        "inputResponses": { key: { "action": "accept", "content": { "sure": true } } },
    });
    let second = sure.request("tools/call", answered).await.unwrap();
    let replayed = json!({
        "name": "wipe", "arguments": {}, "requestState": second["requestState"], "inputResponses": {},
    });
    assert!(sure.request("tools/call", replayed.clone()).await.is_ok());
    let eve = app.test().as_caller("eve", []).on_elicit(|_| None);
    assert_eq!(eve.request("tools/call", replayed).await.unwrap_err().code(), -32602);
}

#[tokio::test]
async fn progress_and_completion_can_be_seen() {
    let app = App::new("tests", "1.0.0")
        .tool(Tool::new("work", async |ctx: Ctx| {
            ctx.progress(1, "begun").await;
            ctx.progress((2, 4), "").await;
            "done"
        }))
        .prompt(
            Prompt::new("trip", async |_: Trip| "go")
                .complete("city", async |typed: Typed| vec![format!("{}n", typed.value)]),
        )
        .build()
        .unwrap();
    let client = app.test();
    let result = client.call("work", json!({})).await.unwrap();
    assert_eq!(result.text(), "done");
    let told: Vec<_> = result
        .progress()
        .iter()
        .map(|told| (told.done, told.total, told.text.as_deref()))
        .collect();
    assert_eq!(told, [(1.0, None, Some("begun")), (2.0, Some(4.0), None)]);
    assert_eq!(client.complete("trip", "city", "Ber").await.unwrap(), ["Bern"]);
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Trip {
    #[expect(dead_code)]
    city: String,
}

#[tokio::test]
async fn a_host_gets_what_it_takes() {
    let client = app().test().as_caller("ada", []);
    let as_host = async |host: &str| {
        client.clone().as_host(host).call("greet", json!({})).await.unwrap().json().clone()
    };
    let has = |result: &Value, words: &str| result.to_string().contains(words);
    assert!(has(&as_host("slack").await, "slack"));
    assert!(has(&as_host("chatkit").await, "application/vnd.ui.widget+json"));
    assert!(has(&as_host("claude").await, "widgetcast/view"));
    assert!(has(&as_host("chatgpt").await, "openai/"));
    assert!(!has(&as_host("terminal").await, "application/vnd.ui.widget+json"));
}

#[test]
#[should_panic(expected = "unknown host slak; known hosts: claude, chatgpt")]
fn an_unknown_host_is_a_mistake() {
    drop(app().test().as_host("slak"));
}
