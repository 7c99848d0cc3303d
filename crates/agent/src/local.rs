//! The tools of an app in the same process, called without a socket.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http::Request;
use http_body_util::{BodyExt as _, Full};
use serde_json::{Map, Value, json};
use tokio::time::Instant;
use widgetcast::client::Peer;
use widgetcast::{App, Budgeted, Caller, Workers};

use crate::bounded::Size;
use crate::error::ToolboxError;
use crate::tool::Tool;

/// The server name of the local app.
pub(crate) const LOCAL: &str = "app";

/// How long a list is cached. A watched directory can change at any time, and lists are requested more often
/// than they change.
const LIST_IS_GOOD: Duration = Duration::from_secs(1);
/// The maximum number of callers whose lists are cached.
const MAX_LISTS: usize = 64;
/// Results and lists are rendered for a ChatKit host, which shows widgets.
const PATH: &str = "/mcp?surface=chatkit";

/// An app, and its recently read tool lists.
pub(crate) struct Local {
    app: App,
    lists: Mutex<Vec<List>>,
}

struct List {
    caller: Option<Caller>,
    read: Instant,
    tools: Arc<Vec<Tool>>,
}

impl Local {
    pub(crate) fn new(app: App) -> Self {
        Self { app, lists: Mutex::default() }
    }

    /// The tools that this caller sees.
    pub(crate) async fn tools(
        &self,
        caller: Option<&Caller>,
    ) -> Result<Arc<Vec<Tool>>, ToolboxError> {
        if let Some(tools) = self.remembered(caller) {
            return Ok(tools);
        }
        let (mut tools, mut params) = (Vec::new(), json!({}));
        loop {
            // Our own pages are within the limit.
            let list = params.take();
            let page = self.request(caller, Peer::LOCAL, "tools/list", list, usize::MAX).await?;
            let mut page = page.unwrap_or_default();
            if let Value::Array(listed) = page["tools"].take() {
                tools.extend(listed.into_iter().filter_map(|tool| Tool::read(LOCAL, tool)));
            }
            match page.get("nextCursor") {
                Some(cursor) => params = json!({ "cursor": cursor }),
                None => break,
            }
        }
        let tools = Arc::new(tools);
        let list = List { caller: caller.cloned(), read: Instant::now(), tools: tools.clone() };
        let mut lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        lists.retain(|list| list.read.elapsed() < LIST_IS_GOOD && list.caller.as_ref() != caller);
        if lists.len() == MAX_LISTS {
            lists.remove(0);
        }
        lists.push(list);
        Ok(tools)
    }

    fn remembered(&self, caller: Option<&Caller>) -> Option<Arc<Vec<Tool>>> {
        let lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        let good =
            |list: &&List| list.caller.as_ref() == caller && list.read.elapsed() < LIST_IS_GOOD;
        lists.iter().find(good).map(|list| list.tools.clone())
    }

    /// Calls a tool as this caller, and returns the result with a ChatKit widget if it is within the size
    /// limit.
    pub(crate) async fn call(
        &self,
        caller: Option<&Caller>,
        peer: Peer,
        tool: &str,
        arguments: Map<String, Value>,
        most: usize,
    ) -> Result<Value, ToolboxError> {
        let params = json!({ "name": tool, "arguments": arguments });
        let result = self.request(caller, peer, "tools/call", params, most).await?;
        result.map_err(|bytes| {
            let (server, tool) = (LOCAL.to_owned(), tool.to_owned());
            ToolboxError::TooLarge { server, tool, bytes, limit: most }
        })
    }

    /// Sends a request, and returns its result, or the size of a response over the limit.
    async fn request(
        &self,
        caller: Option<&Caller>,
        peer: Peer,
        method: &'static str,
        params: Value,
        most: usize,
    ) -> Result<Result<Value, usize>, ToolboxError> {
        let (workers, size) = (self.app.workers(), Workers::size_of(&params));
        let write = move |budgeted| message(method, params, budgeted);
        let failed = || refused(0, "cannot be sent".into());
        let message = workers.finish(size, write).await.ok_or_else(failed)?;
        let request = Request::post(PATH)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .body(Full::from(message))
            .map_err(|error| refused(0, error.to_string()))?;
        let response = self.app.handle_as(caller.cloned(), peer, request).await;
        let body = response.into_body().collect().await;
        let bytes = body.map_err(|error| refused(0, error.to_string()))?.to_bytes();
        let size = bytes.len();
        let read = workers.finish(size, move |budgeted| read(&bytes, most, budgeted)).await;
        let mut message = match read.unwrap_or_else(|| Err(refused(0, "cannot be read".into())))? {
            Ok(message) => message,
            Err(size) => return Ok(Err(size)),
        };
        match message.get("error") {
            None => Ok(Ok(message["result"].take())),
            Some(error) => {
                let said = error["message"].as_str().unwrap_or("no message");
                Err(refused(error["code"].as_i64().unwrap_or_default(), said.to_owned()))
            }
        }
    }
}

fn message(method: &str, params: Value, _: Budgeted) -> String {
    let mut message = json!({ "jsonrpc": "2.0", "id": 1, "method": method });
    message["params"] = params;
    message.to_string()
}

/// The response in a body, or its size if it is over the limit. The response is the body itself, or the last
/// event of a stream, after progress notifications.
fn read(body: &[u8], most: usize, _: Budgeted) -> Result<Result<Value, usize>, ToolboxError> {
    let text = std::str::from_utf8(body).unwrap_or_default();
    let last = text.lines().rev().find_map(|line| line.strip_prefix("data: ")).unwrap_or(text);
    let mut size = Size::default();
    if !size.add_all(last.as_bytes(), most) {
        return Ok(Err(size.total()));
    }
    serde_json::from_str(last)
        .map(Ok)
        .map_err(|_| refused(0, String::from_utf8_lossy(body).trim().chars().take(500).collect()))
}

fn refused(code: i64, message: String) -> ToolboxError {
    ToolboxError::Refused { server: LOCAL.into(), code, message }
}
