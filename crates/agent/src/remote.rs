//! One MCP server elsewhere: connected when it is needed, and again after it was lost.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ClientConfig,
    Implementation, PaginatedRequestParams,
};
use rmcp::service::{
    ClientInitializeError, NotificationContext, Peer, RoleClient, RunningService, ServiceError,
};
use rmcp::transport::streamable_http_client::StreamableHttpError;
use rmcp::{ClientHandler, ServiceExt as _};
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use crate::backoff;
use crate::error::ToolboxError;
use crate::server::{Server, child_transport, http_transport};
use crate::tool::Tool;

/// How long a handshake may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a list may take.
const LIST_TIMEOUT: Duration = Duration::from_secs(20);
/// How long a list counts if the server does not say that it changed; not all do.
const LIST_IS_GOOD: Duration = Duration::from_secs(60);
/// How long to wait before the second attempt to connect, and at most before any.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// Pages of a list that are read, at most: a server may repeat its cursor for ever.
const MAX_PAGES: usize = 100;

pub(crate) struct Remote {
    pub(crate) name: String,
    server: Server,
    max_bytes: usize,
    link: tokio::sync::Mutex<Link>,
    /// Counts the changes that the server has announced.
    changes: Arc<AtomicU64>,
    listed: Mutex<Option<Listed>>,
}

/// The connection, or why there is none.
#[derive(Default)]
struct Link {
    running: Option<RunningService<RoleClient, Client>>,
    /// Counts the connections.
    number: u64,
    failures: u32,
    reason: String,
    try_again: Option<Instant>,
}

#[derive(Clone)]
struct Listed {
    tools: Arc<Vec<Tool>>,
    change: u64,
    read: Instant,
}

/// Our side of a connection.
struct Client {
    changes: Arc<AtomicU64>,
}

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let mimes = json!({ "mimeTypes": [
            "application/vnd.ui.widget+json", "text/html;profile=mcp-app",
        ] });
        let mut capabilities = ClientCapabilities::default();
        if let Value::Object(mimes) = mimes {
            capabilities.extensions =
                Some([("io.modelcontextprotocol/ui".to_owned(), mimes)].into_iter().collect());
        }
        ClientConfig::new(
            capabilities,
            Implementation::new("widgetcast", env!("CARGO_PKG_VERSION")),
        )
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.changes.fetch_add(1, Ordering::Relaxed);
    }
}

impl Remote {
    pub(crate) fn new(name: &str, server: Server, max_bytes: usize) -> Self {
        Self {
            name: name.to_owned(),
            server,
            max_bytes,
            link: tokio::sync::Mutex::default(),
            changes: Arc::default(),
            listed: Mutex::default(),
        }
    }

    /// Its tools: as they were read last, if that still counts.
    pub(crate) async fn tools(&self) -> Result<Arc<Vec<Tool>>, ToolboxError> {
        if let Some(listed) = self.listed()
            && listed.change == self.changes.load(Ordering::Relaxed)
            && listed.read.elapsed() < LIST_IS_GOOD
        {
            return Ok(listed.tools);
        }
        let listed = match self.list().await {
            // A connection that was lost without a word is noticed by the first request.
            Err(ToolboxError::Down { .. }) => self.list().await?,
            listed => listed?,
        };
        *self.listed.lock().unwrap_or_else(PoisonError::into_inner) = Some(listed.clone());
        Ok(listed.tools)
    }

    /// The tools that it had when it was last reached: their names stay taken while it is down.
    pub(crate) fn last_tools(&self) -> Arc<Vec<Tool>> {
        self.listed().map(|listed| listed.tools).unwrap_or_default()
    }

    fn listed(&self) -> Option<Listed> {
        self.listed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    async fn list(&self) -> Result<Listed, ToolboxError> {
        let (peer, link) = self.peer().await?;
        // Before the list is read: what changes meanwhile is read again.
        let change = self.changes.load(Ordering::Relaxed);
        let all = async {
            let (mut tools, mut params) = (Vec::new(), None);
            for _ in 0..MAX_PAGES {
                let page = peer.list_tools(params).await?;
                tools.extend(page.tools);
                let Some(cursor) = page.next_cursor else { break };
                params = Some(PaginatedRequestParams::default().with_cursor(Some(cursor)));
            }
            Ok(tools)
        };
        let tools = match tokio::time::timeout(LIST_TIMEOUT, all).await {
            Ok(Ok(tools)) => tools,
            Ok(Err(error)) => return Err(self.lost(link, error).await),
            Err(_) => return Err(self.down(link, "it does not list its tools").await),
        };
        let json = tools.into_iter().filter_map(|tool| serde_json::to_value(tool).ok());
        let tools = json.filter_map(|tool| Tool::read(&self.name, tool)).collect();
        Ok(Listed { tools: Arc::new(tools), change, read: Instant::now() })
    }

    /// Calls a tool. It is not called again after a failure: it may have run.
    pub(crate) async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
    ) -> Result<(Value, usize), ToolboxError> {
        let (peer, link) = self.peer().await?;
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let result = match peer.call_tool_once(params).await {
            Ok(CallToolResponse::Complete(result)) => result,
            Ok(_) => {
                let message = format!("{tool} asks for more input, which nobody can give it here");
                return Err(ToolboxError::Refused { server: self.name.clone(), code: 0, message });
            }
            Err(error) => return Err(self.lost(link, error).await),
        };
        as_json(&result).map_err(|error| ToolboxError::Refused {
            server: self.name.clone(),
            code: 0,
            message: error.to_string(),
        })
    }

    /// The connection and its number; a new one, if there is none or it has ended. After failures it is not
    /// tried at once, but the last reason given.
    async fn peer(&self) -> Result<(Peer<RoleClient>, u64), ToolboxError> {
        let mut link = self.link.lock().await;
        if let Some(running) = &link.running
            && !running.is_closed()
            && !running.peer().is_transport_closed()
        {
            return Ok((running.peer().clone(), link.number));
        }
        if link.try_again.is_some_and(|at| Instant::now() < at) {
            return Err(ToolboxError::Down {
                server: self.name.clone(),
                reason: link.reason.clone(),
            });
        }
        let connected = tokio::time::timeout(CONNECT_TIMEOUT, self.open()).await;
        let error = match connected {
            Ok(Ok(running)) => {
                let (peer, number) = (running.peer().clone(), link.number + 1);
                *link = Link { running: Some(running), number, ..Link::default() };
                // What it lists may be another thing than before.
                self.changes.fetch_add(1, Ordering::Relaxed);
                return Ok((peer, number));
            }
            Ok(Err(reason)) => reason,
            Err(_) => format!("no answer within {} s", CONNECT_TIMEOUT.as_secs()),
        };
        let reason = format!("{} ({})", self.server.without_secrets(&error), self.server.shown());
        tracing::warn!(server = self.name, reason, "MCP server cannot be reached");
        link.running = None;
        link.failures += 1;
        let waits = backoff::delay(link.failures, FIRST_WAIT, LONGEST_WAIT);
        link.try_again = Some(Instant::now() + waits);
        link.reason.clone_from(&reason);
        Err(ToolboxError::Down { server: self.name.clone(), reason })
    }

    async fn open(&self) -> Result<RunningService<RoleClient, Client>, String> {
        let client = Client { changes: self.changes.clone() };
        let connected = match &self.server {
            Server::Url { url, headers } => {
                client.serve(http_transport(url, headers, self.max_bytes)?).await
            }
            Server::Command { program, args, env } => {
                client.serve(child_transport(program, args, env)?).await
            }
        };
        connected.map_err(|error| why_not_connected(&error))
    }

    /// What the failure of a request means. If the connection is gone, the next request makes another.
    async fn lost(&self, link: u64, error: ServiceError) -> ToolboxError {
        match error {
            ServiceError::McpError(said) => ToolboxError::Refused {
                server: self.name.clone(),
                code: said.code.0.into(),
                message: said.message.into_owned(),
            },
            ServiceError::TransportClosed => self.down(link, "the connection has ended").await,
            ServiceError::TransportSend(error) if is_of_one_request(&*error.error) => {
                let (server, message) = (self.name.clone(), root_cause(&*error.error));
                let message = self.server.without_secrets(&message);
                ToolboxError::Refused { server, code: 0, message }
            }
            ServiceError::TransportSend(error) => self.down(link, &root_cause(&*error.error)).await,
            other => self.down(link, &root_cause(&other)).await,
        }
    }

    /// Ends a connection, if it is still in use: others may have made a new one, and have calls on it.
    async fn down(&self, number: u64, reason: &str) -> ToolboxError {
        let mut link = self.link.lock().await;
        if link.number == number {
            link.running = None;
        }
        drop(link);
        let reason = self.server.without_secrets(reason);
        ToolboxError::Down { server: self.name.clone(), reason }
    }
}

/// The result as JSON, and its size.
fn as_json(result: &CallToolResult) -> Result<(Value, usize), serde_json::Error> {
    let text = serde_json::to_vec(result)?;
    Ok((serde_json::from_slice(&text)?, text.len()))
}

/// Whether the server has answered, though not with what was asked for, such as 429: the connection is good,
/// and the calls of others are on it.
fn is_of_one_request(error: &(dyn std::error::Error + 'static)) -> bool {
    let error = error.downcast_ref::<StreamableHttpError<reqwest::Error>>();
    matches!(
        error,
        Some(StreamableHttpError::HttpStatus(_) | StreamableHttpError::UnexpectedServerResponse(_))
    )
}

fn why_not_connected(error: &ClientInitializeError) -> String {
    if error.is_authorization_required() {
        return "it asks who we are (401); give it a header such as authorization: Bearer …".into();
    }
    match error {
        ClientInitializeError::TransportError { error, .. } => root_cause(&*error.error),
        other => root_cause(other),
    }
}

/// The innermost error: the outer ones repeat each other, and the address.
fn root_cause(error: &(dyn std::error::Error + 'static)) -> String {
    // rmcp does not give this one as a source.
    if let Some(StreamableHttpError::Client(error)) =
        error.downcast_ref::<StreamableHttpError<reqwest::Error>>()
    {
        return root_cause(error);
    }
    error.source().map_or_else(|| error.to_string(), root_cause)
}
