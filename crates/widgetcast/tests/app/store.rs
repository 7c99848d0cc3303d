//! What an app does with its store: other processes read what it kept, results wait until it is kept,
//! and a store that fails is said so.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use http::Request;
use http_body_util::{BodyExt as _, Full};
use serde_json::{Value, json};
use tower::ServiceExt as _;
use widgetcast::Catalog;
use widgetcast::http::Body;
use widgetcast::store::{
    Entry, EntryKind, MemoryStore, Store, StoreError, StoreFuture, StoreListener, Stored,
};
use widgetcast::{App, Change, Data, Settings, Tool};

use crate::talk::{GREETING, MODERN, request, send};

/// A store that waits before it does anything, keeps a key, and can be made to fail.
#[derive(Default)]
struct Remote {
    memory: Arc<MemoryStore>,
    fails: AtomicBool,
    listeners: Mutex<Vec<StoreListener>>,
}

impl Remote {
    fn run<T: Send + Unpin + 'static>(
        &self,
        run: impl FnOnce(&MemoryStore) -> StoreFuture<T> + Send + 'static,
    ) -> StoreFuture<T> {
        let (memory, fails) = (Arc::clone(&self.memory), self.fails.load(Ordering::Relaxed));
        StoreFuture::later(async move {
            tokio::task::yield_now().await;
            match fails {
                true => Err(StoreError::unavailable("the cable is cut")),
                false => run(&memory).await,
            }
        })
    }
}

impl Store for Remote {
    fn put(&self, entry: Entry<'_>) -> StoreFuture<()> {
        let (kind, owner) = (entry.kind, entry.owner);
        let [id, tool, data] = [entry.id, entry.tool, entry.data].map(str::to_owned);
        self.run(move |memory| {
            memory.put(match kind {
                EntryKind::State => Entry::state(owner, &id, &data),
                _ => Entry::instance(owner, &id, &tool, &data),
            })
        })
    }

    fn get(&self, kind: EntryKind, id: &str) -> StoreFuture<Option<Stored>> {
        let id = id.to_owned();
        self.run(move |memory| memory.get(kind, &id))
    }

    fn key(&self) -> Option<[u8; 16]> {
        Some([7; 16])
    }

    fn publish(&self, message: &str) -> StoreFuture<()> {
        self.listeners.lock().unwrap().retain(|listener| listener(Some(message)));
        StoreFuture::ready(())
    }

    fn listen(&self, listener: StoreListener) {
        self.listeners.lock().unwrap().push(listener);
    }
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Name {
    name: String,
}

async fn greet() -> Data<Name> {
    Data(Name { name: "Ada".into() })
}

async fn hello() -> &'static str {
    "hello"
}

const OTHER: (&str, &str) = (
    "other.widget",
    r#"{ "version": "1.0", "name": "Other", "template": "{\"type\": \"Card\", \"children\": [{\"type\": \"Text\", \"value\": {{ name | tojson }}}]}",
         "jsonSchema": { "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] } }"#,
);

fn app(store: &Arc<Remote>) -> App {
    build(store, Settings::default())
}

fn build(store: &Arc<Remote>, settings: Settings) -> App {
    App::new("tests", "1.0.0")
        .catalog(Catalog::from_static(&[GREETING, OTHER]))
        .tool(Tool::new("greet", greet).widget("other"))
        .tool(Tool::new("hello", hello))
        .store(Arc::clone(store))
        .settings(settings)
        .build()
        .unwrap()
}

/// The address of the instance that a result names, and the key of its state.
fn addresses(result: &Value) -> (String, String) {
    let view = &result["_meta"]["widgetcast/view"];
    let text = |key: &str| view[key].as_str().unwrap_or_else(|| panic!("{result:#}")).to_owned();
    (text("uri"), text("state"))
}

async fn state(app: &App, arguments: Value) -> Value {
    app.test().call("widgetcast_state", arguments).await.unwrap().data::<Value>().unwrap()
}

/// Processes that share a store know the instances, states and sessions of each other.
#[tokio::test]
async fn another_process_reads_what_one_has_kept() {
    let store = Arc::new(Remote::default());
    let (one, other) = (app(&store), app(&store));
    for (tool, arguments) in [("greeting", json!({ "name": "Eve" })), ("greet", json!({}))] {
        let called = one.test().call(tool, arguments).await.unwrap();
        let (uri, key) = addresses(called.json());
        let read = other.test().read(&uri).await.unwrap();
        assert_eq!(read, one.test().read(&uri).await.unwrap());
        state(&one, json!({ "view": key, "state": { "step": 2 } })).await;
        let kept = state(&other, json!({ "view": key })).await;
        assert_eq!(kept, json!({ "state": { "step": 2 } }));
    }
}

/// Without a store that keeps one, the key may be given; it is stronger than the store's.
#[tokio::test]
async fn a_key_that_is_given_is_shared() {
    let memory = Arc::new(MemoryStore::default());
    let app = |key: &str| {
        App::new("tests", "1.0.0")
            .catalog(Catalog::from_static(&[GREETING]))
            .settings(Settings::default().key(key))
            .store(Arc::clone(&memory))
            .build()
            .unwrap()
    };
    let hex = "000102030405060708090a0b0c0d0e0f";
    let (one, same, other) = (app(hex), app("AAECAwQFBgcICQoLDA0ODw=="), app(&hex.repeat(2)));
    let called = one.test().call("greeting", json!({ "name": "Eve" })).await.unwrap();
    let (_, key) = addresses(called.json());
    state(&same, json!({ "view": key, "state": 1 })).await;
    assert_eq!(state(&one, json!({ "view": key })).await, json!({ "state": 1 }));
    let refused = other.test().call("widgetcast_state", json!({ "view": key })).await;
    assert!(refused.unwrap().text().contains("invalid view key"));
}

/// What a store that fails leaves: results whose views cannot be read again, reads and states that say
/// why, and all of it works again afterwards.
#[tokio::test]
async fn a_store_that_fails_is_said_so() {
    let store = Arc::new(Remote::default());
    let app = app(&store);
    let client = app.test();
    let called = client.call("greeting", json!({ "name": "Eve" })).await.unwrap();
    let (uri, key) = addresses(called.json());
    let cannot = "the store is unavailable; try again later";

    let ready = async || {
        let ready = Request::get("http://localhost/readyz").body(Full::new(Bytes::new())).unwrap();
        send(&app.service(), ready).await
    };
    assert_eq!(ready().await.text, "ready\n");
    store.fails.store(true, Ordering::Relaxed);
    assert_eq!(client.call("hello", json!({})).await.unwrap().text(), "hello");
    for (tool, arguments) in [("greeting", json!({ "name": "Eve" })), ("greet", json!({}))] {
        let called = client.call(tool, arguments).await.unwrap();
        assert!(!called.is_error(), "{}", called.text());
        let view = &called.json()["_meta"]["widgetcast/view"];
        assert!(view["uri"].is_null() && view["tree"].is_object(), "{view}");
        assert!(view["state"].is_string(), "{view}");
    }
    let read = client.read(&uri).await.unwrap_err().to_string();
    assert!(read.contains(&format!("Cannot read the view: {cannot}")), "{read}");
    for arguments in [json!({ "view": key }), json!({ "view": key, "state": 1 })] {
        let failed = client.call("widgetcast_state", arguments).await.unwrap();
        let failed = failed.text();
        assert!(
            failed.contains(&format!("cannot store the state of this view: {cannot}")),
            "{failed}"
        );
    }
    let plain = build(&store, Settings::default().surfaces(["text"])).test();
    let text = plain.call("greeting", json!({ "name": "Eve" })).await.unwrap();
    assert!(text.text().contains("Eve"));
    let metrics = Request::get("http://localhost/metrics").body(Full::new(Bytes::new())).unwrap();
    let metrics = send(&app.service(), metrics).await.text;
    for line in ["operation=\"put\"} 3", "operation=\"get\"} 2"] {
        assert!(metrics.contains(&format!("widgetcast_store_errors_total{{{line}")), "{metrics}");
    }

    let told = ready().await;
    assert_eq!((told.status.as_u16(), told.text.contains("the store failed")), (200, true));

    store.fails.store(false, Ordering::Relaxed);
    assert!(!client.call("greeting", json!({ "name": "Eve" })).await.unwrap().is_error());
    assert!(client.read(&uri).await.is_ok());
}

/// The next message of a stream.
async fn next(stream: &mut Body) -> String {
    loop {
        let frame = tokio::time::timeout(Duration::from_secs(60), stream.frame()).await;
        let frame = frame.expect("in time").unwrap().unwrap().into_data().unwrap();
        let text = String::from_utf8(frame.to_vec()).unwrap();
        if text.contains("data: {") {
            return text;
        }
    }
}

/// A change that one process announces reaches the streams that another holds, and each of them once.
#[tokio::test]
async fn a_change_reaches_the_streams_of_other_processes() {
    let store = Arc::new(Remote::default());
    let (one, other) = (app(&store), app(&store));
    let wanted = json!({ "notifications": { "resourceSubscriptions": ["note://1", "note://2"] } });
    let mut streams = Vec::new();
    for app in [&one, &other] {
        let request = request(MODERN, "subscriptions/listen", wanted.clone());
        let Ok(response) = app.service().oneshot(request).await;
        streams.push(response.into_body());
    }
    one.announce(Change::Resource("note://1".into()));
    one.announce(Change::Resource("note://2".into()));
    for stream in &mut streams {
        let told = [next(stream).await, next(stream).await, next(stream).await];
        assert!(told[0].contains("acknowledged"), "{told:?}");
        assert!(told[1].contains("note://1") && told[2].contains("note://2"), "{told:?}");
    }
    drop((one, streams));
    assert_eq!(store.listeners.lock().unwrap().len(), 2);
    other.announce(Change::Tools);
    assert_eq!(store.listeners.lock().unwrap().len(), 1, "who is gone listens no more");
}
