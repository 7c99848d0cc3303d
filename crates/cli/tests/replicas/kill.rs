//! A server that is killed while it writes loses nothing that it has acknowledged.
//! `WIDGETCAST_TEST_KILLS=50` makes it long.

use std::sync::Mutex;
use std::time::Duration;

use serde_json::{Value, json};

use crate::process::{CARD, Client, Replica};
use crate::{say, servers};

const CLIENTS: usize = 4;
const DEFAULT_KILLS: usize = 6;

/// A card that was shown, and a state that was kept of it, both acknowledged.
struct Kept {
    text: String,
    uri: String,
    view: Value,
}

/// Shows cards and keeps their states until the server is gone.
fn write(port: u16, name: &str, kept: &Mutex<Vec<Kept>>) {
    let client = Client::new(port);
    for number in 0.. {
        let text = format!("{name}-{number}.");
        let Some(result) = client.call(&text) else { return };
        let view = &result["_meta"]["widgetcast/view"];
        let (uri, view) = (view["uri"].as_str().unwrap().to_owned(), view["state"].clone());
        let state = json!({ "view": view, "state": text });
        let call = json!({ "name": "widgetcast_state", "arguments": state });
        let Some(result) = client.ask("tools/call", &call) else { return };
        assert_ne!(result["isError"], true, "{result}");
        kept.lock().unwrap().push(Kept { text, uri, view });
    }
}

fn nothing_is_lost(engine: &str, store: &str) {
    let kills = std::env::var("WIDGETCAST_TEST_KILLS");
    let kills = kills.map_or(DEFAULT_KILLS, |text| text.parse().unwrap());
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("card.widget"), CARD).unwrap();
    let (port, store) = (servers::free_port(), store.replace("DIR", dir.path().to_str().unwrap()));
    let mut server = Replica { port, dir: dir.path().to_owned(), store, running: None };
    server.start();
    let mut acknowledged = 0;
    for round in 0..kills {
        let kept = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for client in 0..CLIENTS {
                let kept = &kept;
                scope.spawn(move || write(port, &format!("{round}-{client}"), kept));
            }
            // The time counts from the first write on. It is spread over 100 ms, in an order that looks
            // random.
            crate::process::wait_until(|| !kept.lock().unwrap().is_empty());
            std::thread::sleep(Duration::from_millis((round as u64 * 7919) % 100));
            server.signal("-KILL");
        });
        server.start();
        let client = Client::new(port);
        let kept = kept.into_inner().unwrap();
        for Kept { text, uri, view } in &kept {
            assert!(client.reads(uri, text), "{text} is lost");
            let call = json!({ "name": "widgetcast_state", "arguments": { "view": view } });
            let state = client.ask("tools/call", &call).unwrap();
            assert_eq!(state["structuredContent"]["state"], json!(text));
        }
        acknowledged += kept.len();
    }
    say(&format!("{engine}: killed {kills} times, {acknowledged} acknowledged, 0 lost"));
}

#[test]
fn sqlite_loses_nothing() {
    nothing_is_lost("SQLite", "sqlite:DIR/store.db");
}

#[test]
fn postgres_loses_nothing() {
    let Some(database) = servers::new_postgres() else { return };
    let store = format!("postgres://postgres@127.0.0.1:{}/postgres", database.port);
    nothing_is_lost("PostgreSQL", &store);
    database.stop();
}
