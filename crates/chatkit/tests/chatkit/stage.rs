//! An app with a chat, and a client of it.

use std::path::Path;
use std::sync::Arc;

use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;
use widgetcast::{App, Builder, Settings};
use widgetcast_chatkit::{ChatKit, Responder, RetentionLimits, Storage};

pub(crate) struct Stage {
    pub app: App,
    pub dir: Arc<TempDir>,
}

/// What came back.
pub(crate) struct Reply {
    pub status: u16,
    pub headers: http::HeaderMap,
    pub bytes: Vec<u8>,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap()
    }

    /// The events of a stream.
    pub(crate) fn events(&self) -> Vec<Value> {
        let text = std::str::from_utf8(&self.bytes).unwrap();
        let frames = text.split("\n\n").filter(|frame| !frame.is_empty());
        frames
            .map(|frame| serde_json::from_str(frame.strip_prefix("data: ").unwrap()).unwrap())
            .collect()
    }

    /// The types of the events.
    pub(crate) fn types(&self) -> Vec<String> {
        self.events().iter().map(|event| event["type"].as_str().unwrap().to_owned()).collect()
    }

    pub(crate) fn cookie(&self) -> String {
        let line = self.headers["set-cookie"].to_str().unwrap();
        line.split(';').next().unwrap().to_owned()
    }
}

pub(crate) async fn storage(dir: &Path) -> Arc<dyn Storage> {
    let url = format!("sqlite:{}", dir.join("chat.db").display());
    widgetcast_chatkit::open(&url).await.unwrap()
}

impl Stage {
    pub(crate) async fn new(responder: impl Responder) -> Self {
        Self::with(App::new("tests", "1.0.0"), |_| responder).await
    }

    /// With other limits for what is kept.
    pub(crate) async fn keeping(responder: impl Responder, keep: RetentionLimits) -> Self {
        let dir = Arc::new(tempfile::tempdir().unwrap());
        let settings = Settings::default().allowed_hosts(["*"]);
        let app = App::new("tests", "1.0.0").settings(settings).build().unwrap();
        let chat = ChatKit::new(storage(dir.path()).await, responder).retention(keep);
        Self { app: chat.mount(app), dir }
    }

    pub(crate) async fn with<R: Responder>(
        app: Builder,
        responder: impl FnOnce(&App) -> R,
    ) -> Self {
        Self::in_dir(Arc::new(tempfile::tempdir().unwrap()), app, responder).await
    }

    /// Another process with the same storage.
    pub(crate) async fn beside<R: Responder>(
        &self,
        app: Builder,
        responder: impl FnOnce(&App) -> R,
    ) -> Self {
        Self::in_dir(Arc::clone(&self.dir), app, responder).await
    }

    async fn in_dir<R: Responder>(
        dir: Arc<TempDir>,
        app: Builder,
        responder: impl FnOnce(&App) -> R,
    ) -> Self {
        let storage = storage(dir.path()).await;
        let app = app.build().unwrap();
        let responder = responder(&app);
        let app = ChatKit::new(storage, responder).mount(app);
        Self { app, dir }
    }

    pub(crate) async fn send(&self, request: http::Request<String>) -> Reply {
        let response = self.app.handle(request).await;
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes().to_vec();
        Reply { status: parts.status.as_u16(), headers: parts.headers, bytes }
    }

    /// A user who has a cookie.
    pub(crate) async fn user(&self) -> Client<'_> {
        let page =
            self.send(http::Request::get("http://localhost/chat").body(String::new()).unwrap());
        let page = page.await;
        assert_eq!(page.status, 200);
        Client { stage: self, header: ("cookie", page.cookie()) }
    }
}

/// One user.
pub(crate) struct Client<'s> {
    pub stage: &'s Stage,
    pub header: (&'static str, String),
}

impl Client<'_> {
    pub(crate) async fn post(&self, body: &Value) -> Reply {
        let request = http::Request::post("http://localhost/chatkit")
            .header("content-type", "application/json")
            .header(self.header.0, &self.header.1)
            .body(body.to_string());
        self.stage.send(request.unwrap()).await
    }

    pub(crate) async fn ask(&self, kind: &str, params: Value) -> Reply {
        self.post(&json!({ "type": kind, "params": params })).await
    }

    pub(crate) async fn get(&self, path: &str) -> Reply {
        let request = http::Request::get(format!("http://localhost{path}"))
            .header(self.header.0, &self.header.1)
            .body(String::new());
        self.stage.send(request.unwrap()).await
    }

    /// Begins a thread; its id and the events.
    pub(crate) async fn begin(&self, text: &str) -> (String, Reply) {
        let reply = self.ask("threads.create", json!({ "input": input(text) })).await;
        assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.bytes));
        let id = reply.events()[0]["thread"]["id"].as_str().unwrap().to_owned();
        (id, reply)
    }

    pub(crate) async fn say(&self, thread: &str, text: &str) -> Reply {
        let params = json!({ "thread_id": thread, "input": input(text) });
        self.ask("threads.add_user_message", params).await
    }

    /// Everything that is kept of this user, read as another process would.
    pub(crate) async fn export(&self) -> Value {
        let storage = storage(self.stage.dir.path()).await;
        let hash = Sha256::digest(self.header.1.split('=').nth(1).unwrap());
        let subject: String = hash[..16].iter().map(|byte| format!("{byte:02x}")).collect();
        let owner = storage.owners_of(&subject).await.unwrap().pop().unwrap();
        storage.export(&owner).await.unwrap()
    }

    pub(crate) async fn items(&self, thread: &str) -> Vec<Value> {
        let params = json!({ "thread_id": thread, "order": "asc", "limit": 9999 });
        let page = self.ask("items.list", params).await.json();
        page["data"].as_array().unwrap().clone()
    }
}

pub(crate) fn input(text: &str) -> Value {
    let content = [json!({ "type": "input_text", "text": text })];
    json!({ "content": content, "attachments": [], "inference_options": {} })
}
