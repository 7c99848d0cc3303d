//! The whole server, by the client for tests: no port, and a database in memory for each test.

#![allow(clippy::unwrap_used)]

use expenses::db::{Db, Expense};
use serde_json::{Value, json};
use widgetcast::auth::BearerKeys;
use widgetcast::test::Client;

/// Somebody without scopes, with this many more expenses than the samples.
async fn ada_with(more: usize) -> Client {
    let db = Db::open("sqlite::memory:").await.unwrap();
    for number in 0..more {
        db.file("bob", &format!("Taxi {number}"), 2000).await.unwrap();
    }
    expenses::app(db, BearerKeys::new()).build().unwrap().test().as_caller("ada", [])
}

async fn eve() -> Client {
    ada_with(0).await.as_caller("eve", ["expenses:approve"])
}

#[tokio::test]
async fn expenses_are_filed_and_shown() {
    let ada = ada_with(0).await;
    let filed =
        ada.call("file_expense", json!({ "purpose": "Books", "cents": 2500 })).await.unwrap();
    assert_eq!(filed.text(), "Expense 4 is filed");
    assert_eq!(filed.data::<Expense>().unwrap().employee, "ada");
    let shown = ada.call("show_expense", json!({ "expense": 4 })).await.unwrap();
    assert!(shown.surface("slack-blocks").to_string().contains("25.00 CHF"));
    let empty = ada.call("file_expense", json!({ "purpose": " ", "cents": 1 })).await.unwrap();
    assert_eq!(empty.text(), "say what it was for\n- /purpose: is empty");
}

#[tokio::test]
async fn the_table_has_pages() {
    let ada = ada_with(20).await;
    let page = async |page: i64| {
        let result = ada.call("list_expenses", json!({ "page": page })).await.unwrap();
        let data: Value = result.data().unwrap();
        assert!(result.view().unwrap().to_string().contains(&format!("Page {page} of 3")));
        data["expenses"].as_array().unwrap().len()
    };
    assert_eq!((page(1).await, page(2).await, page(3).await), (10, 10, 3));
}

#[tokio::test]
async fn approvers_decide() {
    let eve = eve().await;
    let tools = eve.tools().await.unwrap();
    let decide = tools.iter().find(|tool| tool["name"] == "decide").unwrap();
    assert_eq!(decide["annotations"]["destructiveHint"], true);
    assert_eq!(decide["description"], "Approves or rejects an expense. This cannot be undone.");
    let approve = json!({ "expense": 1, "approve": true });
    assert_eq!(eve.call("decide", approve.clone()).await.unwrap().text(), "Expense 1 is approved");
    assert_eq!(
        eve.call("decide", approve.clone()).await.unwrap().text(),
        "this expense is already decided"
    );
    let unknown = eve.call("decide", json!({ "expense": 99, "approve": true })).await.unwrap();
    assert!(unknown.text().starts_with("unknown expense"));
    // For others, the tool is not there.
    let bob = eve.clone().as_caller("bob", []);
    assert!(!bob.tool_names().await.unwrap().contains(&"decide".to_owned()));
    assert_eq!(bob.call("decide", approve).await.unwrap_err().code(), -32602);
    let ada = eve.as_caller("ada", ["expenses:approve"]);
    let own = ada.call("decide", json!({ "expense": 3, "approve": true })).await.unwrap();
    assert_eq!(own.text(), "you cannot decide about your own expenses");
}

#[tokio::test]
async fn a_large_amount_is_confirmed() {
    let eve = eve().await;
    let approve = json!({ "expense": 3, "approve": true });
    let careless = eve.clone().on_elicit(|_| Some(json!({ "checked": false })));
    assert!(careless.call("decide", approve.clone()).await.unwrap().is_error());
    let careful = eve.on_elicit(|question| {
        assert_eq!(question["message"], "Approve 1200.00 CHF for Monitor?");
        Some(json!({ "checked": true }))
    });
    assert_eq!(careful.call("decide", approve).await.unwrap().text(), "Expense 3 is approved");
}

#[tokio::test]
async fn the_export_reports_its_progress() {
    let eve = ada_with(20).await.as_caller("eve", ["expenses:approve"]);
    let csv = eve.call("export", json!({})).await.unwrap();
    assert_eq!(csv.text().lines().count(), 24);
    let done: Vec<f64> = csv.progress().iter().map(|one| one.done).collect();
    assert_eq!(done, [1.0, 2.0, 3.0]);
    // A client that takes tasks need not wait for it.
    let tasks = json!({ "io.modelcontextprotocol/clientCapabilities":
        { "extensions": { "io.modelcontextprotocol/tasks": {} } } });
    let export = json!({ "name": "export", "_meta": tasks });
    let begun = eve.request("tools/call", export).await.unwrap();
    let of = json!({ "taskId": begun["taskId"], "_meta": tasks });
    let mut task = json!({ "status": "working" });
    while task["status"] == "working" {
        tokio::task::yield_now().await;
        task = eve.request("tasks/get", of.clone()).await.unwrap();
    }
    assert_eq!(task["result"]["content"][0]["text"], csv.text());
    assert!(eve.as_caller("bob", []).call("export", json!({})).await.unwrap_err().is_forbidden());
}

#[tokio::test]
async fn expenses_are_resources_and_prompts() {
    let ada = ada_with(0).await;
    let listed = ada.resources().await.unwrap();
    assert!(listed.iter().any(|one| one["uri"] == "expense://3" && one["name"] == "Monitor"));
    assert_eq!(ada.read("expense://3").await.unwrap(), "# Monitor\n\n1200.00 CHF by ada\n");
    assert!(ada.read("expense://99").await.is_err());
    let prompt = ada.prompt("review", json!({ "expense": "2" })).await.unwrap();
    assert!(prompt[0]["content"]["text"].as_str().unwrap().contains("312.40 CHF"));
    assert_eq!(ada.complete("review", "expense", "2").await.unwrap(), ["2"]);
}
