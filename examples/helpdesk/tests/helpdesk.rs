//! The whole server, by the client for tests: no port, and a database in memory for each test.

#![allow(clippy::unwrap_used)]

use std::sync::mpsc;

use helpdesk::db::{Db, Stats, Status, Ticket};
use serde_json::{Value, json};
use widgetcast::auth::BearerKeys;
use widgetcast::test::Client;
use widgetcast::{App, Caller, Event};

async fn db() -> Db {
    Db::open("sqlite::memory:").await.unwrap()
}

async fn app() -> App {
    helpdesk::app(db().await, BearerKeys::new()).build().unwrap()
}

/// Somebody who may write.
async fn ada() -> Client {
    app().await.test().as_caller("ada", ["tickets:write"])
}

/// Somebody who may only read.
async fn bob() -> Client {
    app().await.test().as_caller("bob", [])
}

#[tokio::test]
async fn lists_tickets() {
    let bob = bob().await;
    let all = bob.call("list_tickets", json!({})).await.unwrap();
    assert_eq!(all.view().unwrap()["children"].as_array().unwrap().len(), 4);

    let fire = json!({ "words": "FIRE", "status": "open" });
    let fire: Value = bob.call("list_tickets", fire).await.unwrap().data().unwrap();
    assert_eq!(fire["tickets"].as_array().unwrap().len(), 1);
    assert_eq!(fire["tickets"][0]["id"], 7);

    let none = bob.call("list_tickets", json!({ "words": "no such" })).await.unwrap();
    assert!(none.text().contains("No tickets"), "{}", none.text());
}

#[tokio::test]
async fn assigning_shows_the_card() {
    let ada = ada().await.as_host("slack");
    let result = ada.call("assign", json!({ "ticket": 7 })).await.unwrap();
    assert_eq!(result.text(), "Printer on fire is yours");
    assert_eq!(result.data::<Ticket>().unwrap().assignee.as_deref(), Some("ada"));
    let blocks = result.surface("slack-blocks").to_string();
    assert!(blocks.contains("Printer on fire") && blocks.contains("#7 · ada"), "{blocks}");

    let denied = ada.as_caller("bob", []).call("assign", json!({ "ticket": 7 })).await;
    assert!(denied.unwrap_err().is_forbidden());
}

#[tokio::test]
async fn a_result_chooses_its_widget() {
    let bob = bob().await;
    let open = bob.call("show_ticket", json!({ "ticket": 7 })).await.unwrap();
    assert!(open.view().unwrap().to_string().contains("Take it"));
    let closed = bob.call("show_ticket", json!({ "ticket": 5 })).await.unwrap();
    assert_eq!(closed.data::<Ticket>().unwrap().status, Status::Closed);
    assert!(closed.view().unwrap().to_string().contains("Open it again"));
}

#[tokio::test]
async fn an_unknown_ticket_is_said_to_be_one() {
    let result = bob().await.call("show_ticket", json!({ "ticket": 99 })).await.unwrap();
    assert!(result.is_error());
    assert_eq!(result.text(), "unknown ticket\n- /ticket: does not exist");
}

#[tokio::test]
async fn the_form_opens_a_ticket() {
    let ada = ada().await;
    let form =
        ada.call("new_ticket", json!({ "title": "No coffee" })).await.unwrap().view().unwrap();
    let action = form["confirm"]["action"]["type"].as_str().unwrap();
    let filled = json!({ "title": "No coffee", "body": "Since nine." });
    let result = ada.call(action, filled).await.unwrap();
    assert_eq!(result.text(), "Ticket 9 is open");
    assert!(result.view().unwrap().to_string().contains("No coffee"));

    let empty = ada.call("create_ticket", json!({ "title": " " })).await.unwrap();
    assert!(empty.is_error());
    assert!(empty.text().contains("/title: is empty"), "{}", empty.text());

    let bob = ada.as_caller("bob", []);
    assert!(bob.call("new_ticket", json!({})).await.unwrap_err().is_forbidden());
}

#[tokio::test]
async fn the_export_asks_first() {
    let bob = bob().await;
    let everything = bob.clone().on_elicit(|question| {
        assert_eq!(question["message"], "Export the tickets?");
        Some(json!({ "closed": true }))
    });
    let csv = everything.call("export", json!({})).await.unwrap();
    assert_eq!(csv.text().lines().count(), 5, "{}", csv.text());
    assert!(csv.text().contains("6,\"Slow laptop\",\"bob\"\n"), "{}", csv.text());

    let open = bob.clone().on_elicit(|_| Some(json!({ "closed": false })));
    assert_eq!(open.call("export", json!({})).await.unwrap().text().lines().count(), 4);

    let declined = bob.clone().on_elicit(|_| None).call("export", json!({})).await.unwrap();
    assert!(declined.is_error());
    assert_eq!(declined.text(), "not confirmed");

    let words = bob.call("export", json!({})).await.unwrap_err().to_string();
    assert!(words.contains("elicitation"), "{words}");
}

#[tokio::test]
async fn only_admins_see_what_deletes() {
    let admin = app().await.test().as_caller("eve", ["tickets:admin"]);
    assert!(admin.tool_names().await.unwrap().contains(&"delete_ticket".to_owned()));
    let ada = admin.clone().as_caller("ada", ["tickets:write"]);
    assert!(!ada.tool_names().await.unwrap().contains(&"delete_ticket".to_owned()));
    assert!(ada.call("delete_ticket", json!({ "ticket": 8 })).await.is_err());

    let result = admin.call("delete_ticket", json!({ "ticket": 8 })).await.unwrap();
    assert_eq!(result.text(), "New chair is deleted");
    let stats: Stats = admin.call("stats", json!({})).await.unwrap().data().unwrap();
    assert_eq!((stats.open, stats.closed, stats.unassigned), (2, 1, 1));
}

#[tokio::test]
async fn stats_count_every_day_of_a_period() {
    let bob = bob().await;
    let week: Stats = bob.call("stats", json!({})).await.unwrap().data().unwrap();
    assert_eq!(week.days.len(), 7);
    let counts = |stats: &Stats| {
        stats.days.iter().fold((0, 0), |(a, b), day| (a + day.opened, b + day.closed))
    };
    assert_eq!(counts(&week), (3, 1));
    let longer: Stats = bob.call("stats", json!({ "days": 14 })).await.unwrap().data().unwrap();
    assert_eq!((longer.days.len(), counts(&longer)), (14, (4, 1)));
    assert_eq!(longer.people.len(), 2);
    assert_eq!(longer.waiting[0].title, "Slow laptop");
    assert!(bob.call("stats", json!({ "days": 0 })).await.unwrap().is_error());
}

#[tokio::test]
async fn stats_have_their_page_which_may_load_nothing() {
    let bob = bob().await;
    let tools = bob.tools().await.unwrap();
    let stats = tools.iter().find(|tool| tool["name"] == "stats").unwrap();
    let uri = stats["_meta"]["ui"]["resourceUri"].as_str().unwrap();
    let read = bob.request("resources/read", json!({ "uri": uri })).await.unwrap();
    let page = &read["contents"][0];
    assert_eq!(page["mimeType"], "text/html;profile=mcp-app");
    assert!(page["text"].as_str().unwrap().starts_with("<!doctype html>"));
    let csp = &page["_meta"]["ui"]["csp"];
    for list in ["connectDomains", "resourceDomains", "frameDomains"] {
        assert!(csp[list].as_array().is_none_or(Vec::is_empty), "{csp}");
    }
}

#[tokio::test]
async fn reminders_tell_how_far_they_are() {
    let ada = ada().await;
    assert!(ada.clone().as_caller("bob", []).call("remind", json!({})).await.is_err());
    let reminded: Value = ada.call("remind", json!({})).await.unwrap().data().unwrap();
    assert_eq!(reminded["sent"], 3);
}

#[tokio::test]
async fn a_prompt_and_a_resource_take_a_number() {
    let bob = bob().await;
    let messages = bob.prompt("triage", json!({ "ticket": "7" })).await.unwrap();
    assert!(messages[0]["content"]["text"].as_str().unwrap().contains("Printer on fire"));
    assert!(bob.read("ticket://7").await.unwrap().starts_with("# Printer on fire\n"));

    for reference in [
        json!({ "type": "ref/prompt", "name": "triage" }),
        json!({ "type": "ref/resource", "uri": "ticket://{ticket}" }),
    ] {
        let typed = json!({ "ref": reference, "argument": { "name": "ticket", "value": "7" } });
        let offered = bob.request("completion/complete", typed).await.unwrap();
        assert_eq!(offered["completion"]["values"], json!(["7"]));
    }
}

#[tokio::test]
async fn what_is_wrong_inside_stays_inside() {
    let db = db().await;
    let (send, failures) = mpsc::channel();
    let app = helpdesk::app(db.clone(), BearerKeys::new()).on_event(move |event| {
        if let Event::Failed { error, request: Some(id), .. } = event {
            send.send((error.to_string(), format!("failed (id {id})"))).unwrap();
        }
    });
    let bob = app.build().unwrap().test().as_caller("bob", []);
    db.close().await;
    let result = bob.call("stats", json!({})).await.unwrap();
    assert!(result.is_error());

    // The operator reads the cause, and finds it by the id that the model was told.
    let (cause, told) = failures.recv().unwrap();
    assert_eq!(result.text(), told);
    assert!(cause.contains("closed pool"), "{cause}");
    assert!(!result.json().to_string().contains("pool"));
}

#[tokio::test]
async fn a_key_tells_who_calls() {
    let key = "3f9a-a-long-random-key";
    let keys = BearerKeys::new().key(key, Caller::new("ada").scope("tickets:write"));
    let client = helpdesk::app(db().await, keys).build().unwrap().test();
    assert!(client.tools().await.unwrap_err().is_unauthorized());
    let ada = client.header("authorization", format!("Bearer {key}"));
    let result = ada.call("assign", json!({ "ticket": 8 })).await.unwrap();
    assert_eq!(result.data::<Ticket>().unwrap().assignee.as_deref(), Some("ada"));
}
