//! Testing an app: a client in the same process, without a socket.
//!
//! ```
//! use serde_json::json;
//! use widgetcast::{App, Caller, Tool};
//! use widgetcast::auth::BearerKeys;
//!
//! async fn close(caller: Caller) -> String {
//!     format!("closed by {}", caller.subject())
//! }
//!
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let app = App::new("shop", "1.0.0")
//!     .auth(BearerKeys::new())
//!     .tool(Tool::new("close", close).scope("admin"))
//!     .build()?;
//!
//! let ada = app.test().as_caller("ada", ["admin"]);
//! assert_eq!(ada.call("close", json!({})).await?.text(), "closed by ada");
//!
//! let bob = app.test().as_caller("bob", []);
//! assert!(bob.call("close", json!({})).await.unwrap_err().is_forbidden());
//! # Ok(()) }
//! ```

use std::sync::Arc;

use bytes::Bytes;
use http::{Request, StatusCode};
use http_body_util::{BodyExt as _, Full};
use serde::Deserialize as _;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use widgetcast_core::surface::Host;

use crate::app::App;
use crate::call::recorder::{Recorded, Recorder};
use crate::protocol::revision::MODERN;
use crate::protocol::tools::on_surfaces;
use crate::sdk::auth::Proven;
use crate::sdk::caller::Caller;
use crate::sdk::peer::Peer;
use crate::server::Server;

/// Maximum elicitations of one call.
const MOST_ROUNDS: usize = 20;

type Asked = Arc<dyn Fn(&Value) -> Option<Value> + Send + Sync>;

/// A client of an app, in the same process. Cheap to clone. See [`App::test`].
#[derive(Clone)]
pub struct Client {
    app: App,
    caller: Option<Caller>,
    client: &'static str,
    capabilities: Value,
    headers: Vec<(String, String)>,
    elicit: Option<Asked>,
}

impl App {
    /// A test client. By default it emulates no particular host and is unauthenticated.
    pub fn test(&self) -> Client {
        Client {
            app: self.clone(),
            caller: None,
            client: "tests",
            capabilities: json!({}),
            headers: Vec::new(),
            elicit: None,
        }
    }
}

impl Client {
    /// Calls as an authenticated caller with these scopes; the app's authenticator is skipped.
    pub fn as_caller<'s>(self, subject: &str, scopes: impl IntoIterator<Item = &'s str>) -> Self {
        self.with_caller(Caller::new(subject).scopes(scopes).authenticated_by("test"))
    }

    /// Like [`Client::as_caller`], for a caller with claims.
    pub fn with_caller(mut self, caller: Caller) -> Self {
        self.caller = Some(caller);
        self
    }

    /// Emulates a host, such as `chatgpt`, `claude`, `vscode`, `chatkit`, `slack`, `teams` or `terminal`:
    /// any that [`Host::all`](widgetcast_core::surface::Host::all) lists.
    ///
    /// # Panics
    /// If the host is unknown.
    #[track_caller]
    pub fn as_host(mut self, name: &str) -> Self {
        let Some(host) = Host::find(name) else {
            let names: Vec<&str> = Host::all().iter().map(|host| &*host.id).collect();
            panic!("unknown host {name}; known hosts: {}", names.join(", "))
        };
        (self.client, self.capabilities) = (host.surface().client)();
        self
    }

    /// Sends a header with each request.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Answers elicitations: the closure gets the parameters of the request (`message`, `requestedSchema`)
    /// and returns the form values, or `None` to decline.
    pub fn on_elicit(
        mut self,
        answer: impl Fn(&Value) -> Option<Value> + Send + Sync + 'static,
    ) -> Self {
        self.elicit = Some(Arc::new(answer));
        self
    }

    /// Calls a tool, and responds to its elicitations.
    pub async fn call(&self, tool: &str, arguments: Value) -> Result<CallResult, CallError> {
        let recorder = Recorder::default();
        let mut params = json!({ "name": tool, "arguments": arguments });
        params["_meta"]["progressToken"] = json!("test");
        let (result, progress) = self.answer_all("tools/call", params, Some(&recorder)).await?;
        let (app, tool) = (self.app.clone(), tool.to_owned());
        Ok(CallResult { result, app, tool, recorded: recorder.take(), progress })
    }

    /// Sends a request, answers its elicitations, and returns its result and the messages before it.
    async fn answer_all(
        &self,
        method: &str,
        mut params: Value,
        recorder: Option<&Recorder>,
    ) -> Result<(Value, Vec<Progressed>), CallError> {
        let mut progress = Vec::new();
        for _ in 0..MOST_ROUNDS {
            let (result, told) = self.exchange(method, params.clone(), recorder).await?;
            progress.extend(told);
            if result["resultType"] != "input_required" {
                return Ok((result, progress));
            }
            params["inputResponses"] = self.answers(&result);
            if let Some(state) = result.get("requestState") {
                params["requestState"] = state.clone();
            }
        }
        Err(CallError::new(format!("{method} still asked for input after {MOST_ROUNDS} rounds")))
    }

    /// The responses to the input requests of a result.
    fn answers(&self, result: &Value) -> Value {
        let requests = result["inputRequests"].as_object();
        let answer = |request: &Value| match (request["method"].as_str(), &self.elicit) {
            (Some("elicitation/create"), Some(elicit)) => match elicit(&request["params"]) {
                Some(content) => json!({ "action": "accept", "content": content }),
                None => json!({ "action": "decline" }),
            },
            _ => json!({ "action": "cancel" }),
        };
        let answers: Map<String, Value> = requests
            .into_iter()
            .flatten()
            .map(|(key, request)| (key.clone(), answer(request)))
            .collect();
        Value::Object(answers)
    }

    /// The tools that this caller sees, as protocol JSON.
    pub async fn tools(&self) -> Result<Vec<Value>, CallError> {
        self.list("tools/list", "tools").await
    }

    /// The names of the tools that this caller sees, in order.
    pub async fn tool_names(&self) -> Result<Vec<String>, CallError> {
        let tools = self.tools().await?;
        Ok(tools.iter().filter_map(|tool| tool["name"].as_str().map(str::to_owned)).collect())
    }

    /// The resources that this caller sees.
    pub async fn resources(&self) -> Result<Vec<Value>, CallError> {
        self.list("resources/list", "resources").await
    }

    /// The prompts that this caller sees.
    pub async fn prompts(&self) -> Result<Vec<Value>, CallError> {
        self.list("prompts/list", "prompts").await
    }

    /// All pages of a list.
    async fn list(&self, method: &str, member: &str) -> Result<Vec<Value>, CallError> {
        let (mut all, mut params) = (Vec::new(), json!({}));
        loop {
            let mut page = self.request(method, params).await?;
            if let Value::Array(items) = page[member].take() {
                all.extend(items);
            }
            match page.get("nextCursor") {
                Some(cursor) => params = json!({ "cursor": cursor }),
                None => return Ok(all),
            }
        }
    }

    /// The text of a resource.
    pub async fn read(&self, uri: &str) -> Result<String, CallError> {
        let result = self.request("resources/read", json!({ "uri": uri })).await?;
        Ok(result["contents"][0]["text"].as_str().unwrap_or_default().to_owned())
    }

    /// The messages of a prompt, as protocol JSON. Elicitations are answered.
    pub async fn prompt(&self, name: &str, arguments: Value) -> Result<Vec<Value>, CallError> {
        let params = json!({ "name": name, "arguments": arguments });
        let (mut result, _) = self.answer_all("prompts/get", params, None).await?;
        match result["messages"].take() {
            Value::Array(messages) => Ok(messages),
            _ => Ok(Vec::new()),
        }
    }

    /// The completions of a prompt argument, or of a variable in a resource URI.
    pub async fn complete(
        &self,
        of: &str,
        argument: &str,
        typed: &str,
    ) -> Result<Vec<String>, CallError> {
        let reference = match of.contains("://") {
            true => json!({ "type": "ref/resource", "uri": of }),
            false => json!({ "type": "ref/prompt", "name": of }),
        };
        let params = json!({ "ref": reference, "argument": { "name": argument, "value": typed } });
        let result = self.request("completion/complete", params).await?;
        Ok(Vec::deserialize(&result["completion"]["values"]).unwrap_or_default())
    }

    /// Calls a custom method of the app, and responds to its elicitations.
    pub async fn method(&self, name: &str, params: Value) -> Result<Value, CallError> {
        Ok(self.answer_all(name, params, None).await?.0)
    }

    /// Sends any request and returns its result as protocol JSON. Elicitations are not answered. Client
    /// capabilities in the `_meta` of the params, such as tasks, are added to those of the host.
    pub async fn request(&self, method: &str, params: Value) -> Result<Value, CallError> {
        Ok(self.exchange(method, params, None).await?.0)
    }

    /// Sends a request. Returns its result, and the messages before it.
    async fn exchange(
        &self,
        method: &str,
        mut params: Value,
        recorder: Option<&Recorder>,
    ) -> Result<(Value, Vec<Progressed>), CallError> {
        let mut capabilities = self.capabilities.clone();
        if self.elicit.is_some() {
            capabilities["elicitation"] = json!({ "form": {}, "url": {} });
        }
        let meta = &mut params["_meta"];
        if let (Value::Object(all), Value::Object(own)) =
            (&mut capabilities, meta["io.modelcontextprotocol/clientCapabilities"].take())
        {
            all.extend(own);
        }
        meta["io.modelcontextprotocol/protocolVersion"] = MODERN.into();
        meta["io.modelcontextprotocol/clientInfo"] =
            json!({ "name": self.client, "version": "1.0.0" });
        meta["io.modelcontextprotocol/clientCapabilities"] = capabilities;
        let mut request = Request::post("http://localhost/mcp")
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", MODERN)
            .header("mcp-method", method);
        let target = ["name", "uri", "taskId"].iter().find_map(|key| params[*key].as_str());
        if let Some(target) = target {
            request = request.header("mcp-name", target);
        }
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let request = request.body(Full::new(Bytes::from(body.to_string())));
        let mut request = request.map_err(|error| CallError::new(error.to_string()))?;
        let (caller, peer) = (self.caller.clone(), Peer::LOCAL);
        request.extensions_mut().insert(Proven { caller, peer });
        if let Some(recorder) = recorder {
            request.extensions_mut().insert(recorder.clone());
        }
        let response = self.app.handle(request).await;
        let status = response.status();
        let bytes = response.into_body().collect().await;
        let bytes = bytes.map_err(|error| CallError::new(error.to_string()))?.to_bytes();
        let text = String::from_utf8_lossy(&bytes);
        // A call that reports progress returns an event stream; the last event is the response.
        let events: Vec<&str> =
            text.lines().filter_map(|line| line.strip_prefix("data: ")).collect();
        let last = events.last().copied();
        let mut message: Value = serde_json::from_str(last.unwrap_or(&text))
            .map_err(|_| CallError { status, ..CallError::new(text.trim().to_owned()) })?;
        match message.get("error") {
            None => {
                let told = events.iter().filter_map(|event| progressed(event)).collect();
                Ok((message["result"].take(), told))
            }
            Some(error) => Err(CallError {
                status,
                code: error["code"].as_i64().unwrap_or_default(),
                message: error["message"].as_str().unwrap_or_default().to_owned(),
            }),
        }
    }
}

/// The progress notification in an event, if it is one.
fn progressed(event: &str) -> Option<Progressed> {
    let mut message: Value = serde_json::from_str(event).ok()?;
    if message["method"] != "notifications/progress" {
        return None;
    }
    let params = message["params"].take();
    Some(Progressed {
        done: params["progress"].as_f64()?,
        total: params["total"].as_f64(),
        text: params["message"].as_str().map(str::to_owned),
    })
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("client", &self.client).finish_non_exhaustive()
    }
}

/// The result of a call.
///
/// ```
/// use serde_json::json;
/// use widgetcast::components::{Card, Title};
/// use widgetcast::{App, Outcome, Tool, ToolResult};
///
/// async fn ticket() -> ToolResult {
///     Ok(Outcome::new().data(json!({ "id": 7 })).components(Card::new().child(Title::new("Printer on fire"))))
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let app = App::new("helpdesk", "1.0.0").tool(Tool::new("ticket", ticket).components()).build()?;
/// let result = app.test().call("ticket", json!({})).await?;
/// assert_eq!(result.json()["structuredContent"], json!({ "id": 7 }));
/// assert!(result.text().contains("Printer on fire"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct CallResult {
    result: Value,
    app: App,
    tool: String,
    recorded: Option<Recorded>,
    progress: Vec<Progressed>,
}

/// A progress notification: see [`CallResult::progress`].
#[derive(Clone, Debug, PartialEq)]
pub struct Progressed {
    /// The progress so far.
    pub done: f64,
    /// The total, if known.
    pub total: Option<f64>,
    /// The message.
    pub text: Option<String>,
}

impl CallResult {
    /// The text for the model: the first text block.
    pub fn text(&self) -> &str {
        let items = self.result["content"].as_array().into_iter().flatten();
        items.into_iter().find_map(|item| item["text"].as_str()).unwrap_or_default()
    }

    /// The structured content, deserialized.
    pub fn data<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        T::deserialize(&self.result["structuredContent"])
    }

    /// Whether the tool failed.
    pub fn is_error(&self) -> bool {
        self.result["isError"] == true
    }

    /// The whole result, as the host receives it.
    pub fn json(&self) -> &Value {
        &self.result
    }

    /// The tool name of the widget that rendered the result, if any.
    pub fn widget(&self) -> Option<&str> {
        Some(&self.recorded.as_ref()?.widget)
    }

    /// The progress reports of the call.
    pub fn progress(&self) -> &[Progressed] {
        &self.progress
    }

    /// The rendered component tree, if the result has a view.
    pub fn view(&self) -> Option<Value> {
        Some(self.recorded.as_ref()?.view.tree())
    }

    /// The view rendered for a surface, whichever host the client emulates: JSON for `slack-blocks`,
    /// `chatkit` and the like, text for `text` and `terminal`.
    ///
    /// # Panics
    /// If the result has no view, or the surface is unknown.
    #[track_caller]
    pub fn surface(&self, name: &str) -> Value {
        let all = self.surfaces();
        let Some(found) = all.get(name) else {
            let known: Vec<&String> = all.keys().collect();
            panic!("the result has no surface {name}; it has {known:?}")
        };
        found.clone()
    }

    /// The view rendered for every surface, by name, for snapshot tests.
    pub fn surfaces(&self) -> Map<String, Value> {
        let Some(Recorded { widget, view, data }) = &self.recorded else { return Map::new() };
        let server: &Server = &self.app.server();
        let snapshot = server.reloader.now();
        let Some(widget) = snapshot.widget(widget) else { return Map::new() };
        let drawn = on_surfaces(server, &snapshot, widget, view, data, &self.tool);
        let entry = |mut drawn: Value| {
            let text = drawn["text"].take();
            let parsed = text.as_str().and_then(|text| serde_json::from_str(text).ok());
            let value = parsed.filter(|_| drawn["format"] == "json").unwrap_or(text);
            Some((drawn["name"].as_str()?.to_owned(), value))
        };
        drawn.into_iter().filter_map(entry).collect()
    }
}

/// The error of a failed request: see [`Client::call`].
#[derive(Clone, Debug)]
pub struct CallError {
    status: StatusCode,
    code: i64,
    message: String,
}

impl CallError {
    fn new(message: String) -> Self {
        Self { status: StatusCode::OK, code: 0, message }
    }

    /// Whether the request was unauthenticated: 401.
    pub fn is_unauthorized(&self) -> bool {
        self.status == StatusCode::UNAUTHORIZED
    }

    /// Whether the caller is not authorized: 403.
    pub fn is_forbidden(&self) -> bool {
        self.status == StatusCode::FORBIDDEN
    }

    /// The JSON-RPC error code.
    pub fn code(&self) -> i64 {
        self.code
    }
}

impl std::fmt::Display for CallError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CallError {}
