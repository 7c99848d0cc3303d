//! Tests the whole server in memory, without a port.

use serde_json::{Value, json};

use APP_CRATE::app;

#[tokio::test]
async fn counts_every_day() {
    let client = app().build().unwrap().test();
    let stats: Value = client
        .call("stats", json!({ "days": 3 }))
        .await
        .unwrap()
        .data()
        .unwrap();
    assert_eq!(stats["days"].as_array().unwrap().len(), 3);
    assert_eq!(stats["days"][2]["ago"], 0);

    let wrong = client.call("stats", json!({ "days": 99 })).await.unwrap();
    assert!(wrong.is_error(), "{}", wrong.text());
}

#[tokio::test]
async fn shows_a_ticket() {
    let client = app().build().unwrap().test();
    let ticket = json!({ "number": 7, "title": "Printer on fire", "status": "open" });
    let shown = client.call("ticket", ticket).await.unwrap();
    assert!(shown.text().contains("Printer on fire"), "{}", shown.text());
}
