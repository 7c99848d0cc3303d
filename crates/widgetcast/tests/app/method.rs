//! Methods of the app's own, and resources that do not exist.

use serde_json::{Value, json};
use widgetcast::auth::BearerKeys;
use widgetcast::handler::Method;
use widgetcast::{App, Caller, Ctx, Data, Resource, State, Tool, ToolError};

use crate::talk::{MODERN, ask};

const LEGACY: &str = "2025-11-25";

#[derive(Clone)]
struct Prefix(&'static str);

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct Search {
    words: String,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    arguments: Option<Value>,
    #[serde(default)]
    level: Option<u32>,
}

#[derive(serde::Serialize)]
struct Found {
    found: Vec<String>,
}

async fn search(State(prefix): State<Prefix>, search: Search) -> Result<Data<Found>, ToolError> {
    if search.words.is_empty() {
        return Err(ToolError::public("give a word"));
    }
    let rest =
        [search.name, search.arguments.map(|a| a.to_string()), search.level.map(|l| l.to_string())];
    let found =
        std::iter::once(format!("{}{}", prefix.0, search.words)).chain(rest.into_iter().flatten());
    Ok(Data(Found { found: found.collect() }))
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Sure {
    sure: bool,
}

async fn clear(ctx: Ctx) -> Result<Value, ToolError> {
    let sure = ctx.elicit::<Sure>("Clear all?").await?;
    Ok(
        json!({ "cleared": sure.is_some_and(|sure| sure.sure), "_meta": { "a": 1 }, "resultType": "x" }),
    )
}

fn app() -> App {
    App::new("tests", "1.0.0")
        .state(Prefix("#"))
        .method(Method::new("shop/search", search).extension("com.example/search"))
        .method(Method::new("shop/clear", clear))
        .method(Method::new("shop/nothing", async || ()))
        .method(Method::new("shop/broken", async || json!([1])))
        .build()
        .unwrap()
}

#[tokio::test]
async fn an_app_has_methods_of_its_own() {
    let app = app();
    for revision in [MODERN, LEGACY] {
        let found = ask(&app, revision, "shop/search", json!({ "words": "a" })).await;
        assert_eq!(found["result"]["found"], json!(["#a"]), "{found}");
        // Members that the protocol knows are the method's, too.
        let params = json!({ "words": "a", "name": "n", "arguments": { "b": [1] }, "level": 3 });
        let found = ask(&app, revision, "shop/search", params).await;
        assert_eq!(found["result"]["found"], json!(["#a", "n", r#"{"b":[1]}"#, "3"]), "{found}");
        let nothing = ask(&app, revision, "shop/nothing", json!({})).await;
        assert!(nothing["result"].is_object(), "{nothing}");
        for (params, code, words) in [
            (json!({}), -32602, "the params do not match the schema of shop/search:"),
            (json!({ "words": "a", "wrods": 1 }), -32602, "wrods"),
            (json!({ "words": "" }), -32603, "give a word"),
        ] {
            let failed = ask(&app, revision, "shop/search", params).await;
            assert_eq!(failed["error"]["code"], code, "{failed}");
            assert!(failed["error"]["message"].as_str().unwrap().contains(words), "{failed}");
        }
        let broken = ask(&app, revision, "shop/broken", json!({})).await;
        assert_eq!(broken["error"]["code"], -32603, "{broken}");
        let unknown = ask(&app, revision, "shop/other", json!({})).await;
        assert_eq!(unknown["error"]["code"], -32601, "{unknown}");
    }
    let discovered = ask(&app, MODERN, "server/discover", json!({})).await;
    let extensions = &discovered["result"]["capabilities"]["extensions"];
    assert_eq!(extensions["com.example/search"], json!({}), "{discovered}");
}

#[tokio::test]
async fn a_method_may_ask() {
    let client = app().test().on_elicit(|_| Some(json!({ "sure": true })));
    let cleared = client.method("shop/clear", json!({})).await.unwrap();
    assert_eq!(cleared["cleared"], true, "{cleared}");
    // What the protocol says about a result is not the handler's to say.
    assert_eq!((&cleared["resultType"], &cleared["_meta"]["a"]), (&json!("complete"), &json!(1)));
    let declined = app().test().on_elicit(|_| None).method("shop/clear", json!({})).await;
    assert_eq!(declined.unwrap()["cleared"], false);
}

#[tokio::test]
async fn methods_have_rules() {
    let keys =
        BearerKeys::new().key("a-key-that-is-long-enough", Caller::new("ada").scope("admin"));
    let app = App::new("tests", "1.0.0")
        .auth(keys)
        .method(Method::new("shop/open", async || ()).public())
        .method(Method::new("shop/close", async || ()).scope("admin"))
        .method(Method::new("shop/secret", async || ()).scope("admin").hidden())
        .build()
        .unwrap();
    let bob = app.test().as_caller("bob", []);
    assert!(bob.request("shop/close", json!({})).await.unwrap_err().is_forbidden());
    assert_eq!(bob.request("shop/secret", json!({})).await.unwrap_err().code(), -32601);
    let ada = app.test().as_caller("ada", ["admin"]);
    for name in ["shop/close", "shop/secret"] {
        ada.request(name, json!({})).await.unwrap();
    }
    app.test().request("shop/open", json!({})).await.unwrap();
    assert!(app.test().request("shop/close", json!({})).await.unwrap_err().is_unauthorized());
}

#[test]
fn mistakes_are_found_when_building() {
    let error = App::new("tests", "1.0.0")
        .method(Method::new("tools/call", async || ()))
        .method(Method::new("search", async || ()))
        .method(Method::new("notifications/x", async || ()))
        .method(Method::new("shop/a", async || ()))
        .method(Method::new("shop/a", async || ()))
        .method(Method::new("shop/state", search))
        .build()
        .unwrap_err()
        .to_string();
    for words in [
        "method \"tools/call\": this is a method of the protocol",
        "method \"search\": the name needs your own prefix",
        "method \"notifications/x\": the name needs your own prefix",
        "two methods are named shop/a",
        "method shop/state takes State<",
    ] {
        assert!(error.contains(words), "{words}\n{error}");
    }
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Number {
    number: u32,
}

#[tokio::test]
async fn a_resource_may_not_exist() {
    let app = App::new("tests", "1.0.0")
        .resource(Resource::new("shop://a/{number}", "A", async |one: Number| {
            (one.number == 1).then(|| "one".to_owned())
        }))
        .resource(Resource::new("shop://b/{number}", "B", async |one: Number| match one.number {
            1 => Ok("one"),
            _ => Err(ToolError::not_found("no such number")),
        }))
        .tool(Tool::new("find", async || Err::<String, _>(ToolError::not_found("no such thing"))))
        .build()
        .unwrap();
    for kind in ["a", "b"] {
        for (revision, code) in [(MODERN, -32602), (LEGACY, -32002)] {
            let uri = format!("shop://{kind}/1");
            let found = ask(&app, revision, "resources/read", json!({ "uri": uri })).await;
            assert_eq!(found["result"]["contents"][0]["text"], "one", "{found}");
            let uri = format!("shop://{kind}/2");
            let missing = ask(&app, revision, "resources/read", json!({ "uri": uri })).await;
            assert_eq!(missing["error"]["code"], code, "{missing}");
            assert_eq!(missing["error"]["message"], format!("Resource not found: {uri}"));
        }
    }
    let found = ask(&app, MODERN, "tools/call", json!({ "name": "find" })).await;
    assert_eq!(found["result"]["content"][0]["text"], "no such thing", "{found}");
}
