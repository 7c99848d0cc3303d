//! A remote MCP server: connects on demand, and reconnects.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Shared};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientCapabilities, ClientConfig, Implementation,
    PaginatedRequestParams,
};
use rmcp::service::{
    ClientInitializeError, NotificationContext, Peer, RoleClient, RunningService, ServiceError,
};
use rmcp::transport::streamable_http_client::StreamableHttpError;
use rmcp::{ClientHandler, ServiceExt as _};
use serde_json::{Map, Value, json};
use tokio::time::Instant;
use widgetcast::{Budgeted, Workers};

use crate::backoff;
use crate::bounded;
use crate::error::ToolboxError;
use crate::server::{Server, child_transport, http_transport};
use crate::tool::Tool;

/// Timeout of a handshake.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Timeout of listing the tools.
const LIST_TIMEOUT: Duration = Duration::from_secs(20);
/// How long a list is cached if the server announces no change; not all servers do.
const LIST_IS_GOOD: Duration = Duration::from_secs(60);
/// The minimum time a list is cached, in case a server announces changes all the time.
const LIST_IS_NEW: Duration = Duration::from_secs(1);
/// How long to wait for the list of a server that has not failed.
const PATIENCE: Duration = Duration::from_secs(5);
/// The first and the maximum delay between attempts to connect or to list.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// Maximum pages of a list: a server may repeat its cursor forever.
const MAX_PAGES: usize = 100;
/// Maximum size of all tools of a server, and the minimum size that each counts as.
const MAX_LIST: usize = 4 << 20;
const MIN_TOOL: usize = 2 << 10;
/// A larger tool is left out, because it is copied for each caller.
const MAX_TOOL: usize = 64 << 10;
/// The name of the list in errors.
const LIST: &str = "tools/list";

pub(crate) struct Remote {
    pub(crate) name: String,
    server: Server,
    /// The maximum size of a message.
    max_bytes: usize,
    link: tokio::sync::Mutex<Link>,
    /// Counts the changes that the server has announced.
    changes: Arc<AtomicU64>,
    listing: Mutex<Listing>,
}

/// The connection, or why there is none.
#[derive(Default)]
struct Link {
    running: Option<RunningService<RoleClient, Client>>,
    /// Whether the connection ended because a message was too large.
    is_exceeded: Arc<AtomicBool>,
    /// The number of connections so far.
    number: u64,
    failures: u32,
    reason: String,
    try_again: Option<Instant>,
}

/// The cached tools.
#[derive(Default)]
struct Listing {
    listed: Option<Listed>,
    /// The error of the last attempt to read it.
    error: Option<ToolboxError>,
    failures: u32,
    try_again: Option<Instant>,
    reading: Option<Reading>,
}

/// A list that a separate task is reading, and the deadline of those who wait for it.
type Reading = (Shared<BoxFuture<'static, ()>>, Instant);

struct Listed {
    tools: Arc<Vec<Tool>>,
    change: u64,
    read: Instant,
}

/// The client side of a connection.
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

impl Listing {
    /// Whether the cache is still valid, given the number of announced changes.
    fn is_good(&self, changes: u64) -> bool {
        let is_good = |listed: &Listed| {
            let age = listed.read.elapsed();
            age < LIST_IS_NEW || listed.change == changes && age < LIST_IS_GOOD
        };
        self.error.is_none() && self.listed.as_ref().is_some_and(is_good)
    }
}

impl Remote {
    /// A server whose results are limited in size.
    pub(crate) fn new(name: &str, server: Server, max_result: usize) -> Self {
        Self {
            name: name.to_owned(),
            server,
            max_bytes: max_result.max(MAX_LIST),
            link: tokio::sync::Mutex::default(),
            changes: Arc::default(),
            listing: Mutex::default(),
        }
    }

    /// Its tools: the cached list if it is still valid, or if reading it again takes long.
    pub(crate) async fn tools(self: &Arc<Self>) -> Result<Arc<Vec<Tool>>, ToolboxError> {
        if let Some((done, until)) = self.read_list() {
            _ = tokio::time::timeout_at(until, done).await;
        }
        let listing = self.listing();
        match (&listing.error, &listing.listed) {
            (Some(error), _) => Err(error.clone()),
            (None, Some(listed)) => Ok(Arc::clone(&listed.tools)),
            (None, None) => Err(ToolboxError::Down {
                server: self.name.clone(),
                reason: "it has not listed its tools yet".into(),
            }),
        }
    }

    /// The tools that it listed last: their names stay reserved while it is unreachable.
    pub(crate) fn last_tools(&self) -> Arc<Vec<Tool>> {
        self.listing().listed.as_ref().map(|listed| Arc::clone(&listed.tools)).unwrap_or_default()
    }

    fn listing(&self) -> MutexGuard<'_, Listing> {
        self.listing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts reading the list if necessary, in a separate task, so that a slow server delays only its own
    /// tools.
    pub(crate) fn read_list(self: &Arc<Self>) -> Option<Reading> {
        let mut listing = self.listing();
        if listing.reading.is_none() {
            let is_too_soon = listing.try_again.is_some_and(|at| Instant::now() < at);
            if is_too_soon || listing.is_good(self.changes.load(Ordering::Relaxed)) {
                return None;
            }
            let remote = Arc::clone(self);
            let done = async move { remote.keep_list().await }.boxed().shared();
            tokio::spawn(done.clone());
            let patience = if listing.failures == 0 { PATIENCE } else { Duration::ZERO };
            listing.reading = Some((done, Instant::now() + patience));
        }
        listing.reading.clone()
    }

    /// Reads the list, and caches the outcome.
    async fn keep_list(&self) {
        let read = match self.list().await {
            // A silently lost connection is only noticed at the first request.
            Err(ToolboxError::Down { .. }) => self.list().await,
            read => read,
        };
        let mut listing = self.listing();
        listing.reading = None;
        match read {
            Ok(listed) => *listing = Listing { listed: Some(listed), ..Listing::default() },
            Err(error) => {
                listing.failures += 1;
                let waits = backoff::delay(listing.failures, FIRST_WAIT, LONGEST_WAIT);
                listing.try_again = Some(Instant::now() + waits);
                listing.error = Some(error);
            }
        }
    }

    async fn list(&self) -> Result<Listed, ToolboxError> {
        let (peer, link) = self.peer().await?;
        // Taken before the list is read, so that a change in the meantime triggers another read.
        let change = self.changes.load(Ordering::Relaxed);
        let all = async {
            let (mut tools, mut bytes, mut params) = (Vec::new(), 0, None);
            let (mut names, mut left_out) = (HashSet::new(), 0);
            for _ in 0..MAX_PAGES {
                let page = peer.list_tools(params).await?;
                for tool in page.tools {
                    let Ok((tool, size)) = as_json(&tool) else { continue };
                    bytes += size.max(MIN_TOOL);
                    if bytes > MAX_LIST {
                        return Ok(None);
                    }
                    if size > MAX_TOOL {
                        left_out += 1;
                        continue;
                    }
                    // Of two tools with the same name, the second could never be called.
                    let tool = Tool::read(&self.name, tool);
                    tools.extend(tool.filter(|tool| names.insert(tool.name.clone())));
                }
                let Some(cursor) = page.next_cursor else {
                    if left_out > 0 {
                        let server = &self.name;
                        tracing::warn!(
                            server,
                            left_out,
                            "tools over {MAX_TOOL} bytes are left out"
                        );
                    }
                    return Ok(Some(tools));
                };
                params = Some(PaginatedRequestParams::default().with_cursor(Some(cursor)));
            }
            Ok(None)
        };
        let tools = match tokio::time::timeout(LIST_TIMEOUT, all).await {
            Ok(Ok(Some(tools))) => Arc::new(tools),
            Ok(Ok(None)) => return Err(self.too_large(LIST, MAX_LIST)),
            Ok(Err(error)) => return Err(self.lost(LIST, link, error).await),
            Err(_) => return Err(self.down(link, "it did not list its tools").await),
        };
        Ok(Listed { tools, change, read: Instant::now() })
    }

    fn too_large(&self, tool: &str, limit: usize) -> ToolboxError {
        let (server, tool) = (self.name.clone(), tool.to_owned());
        ToolboxError::TooLarge { server, tool, bytes: limit + 1, limit }
    }

    /// Calls a tool. A failed call is not retried, because it may have run.
    pub(crate) async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        workers: &Workers,
        most: usize,
    ) -> Result<Value, ToolboxError> {
        let (peer, link) = self.peer().await?;
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let result = match peer.call_tool_once(params).await {
            Ok(CallToolResponse::Complete(result)) => result,
            Ok(_) => {
                let message = format!("{tool} requires user input, which is not available here");
                return Err(ToolboxError::Refused { server: self.name.clone(), code: 0, message });
            }
            Err(error) => return Err(self.lost(tool, link, error).await),
        };
        let refused =
            |message: String| ToolboxError::Refused { server: self.name.clone(), code: 0, message };
        let text = serde_json::to_vec(&result).map_err(|error| refused(error.to_string()))?;
        let bytes = text.len();
        if bytes > most {
            let (server, tool) = (self.name.clone(), tool.to_owned());
            return Err(ToolboxError::TooLarge { server, tool, bytes, limit: most });
        }
        drop(result);
        let read = workers.finish(bytes, move |_: Budgeted| serde_json::from_slice(&text)).await;
        read.ok_or_else(|| refused("cannot be read".into()))?
            .map_err(|error: serde_json::Error| refused(error.to_string()))
    }

    /// The connection and its number; connects if there is none or it has ended. After a failure, returns the
    /// last error until the backoff has passed.
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
        let is_exceeded = Arc::<AtomicBool>::default();
        let open = self.open(Arc::clone(&is_exceeded));
        let error = match tokio::time::timeout(CONNECT_TIMEOUT, open).await {
            Ok(Ok(running)) => {
                let (peer, number) = (running.peer().clone(), link.number + 1);
                *link = Link { running: Some(running), is_exceeded, number, ..Link::default() };
                // After a reconnect, the tools may differ.
                self.changes.fetch_add(1, Ordering::Relaxed);
                return Ok((peer, number));
            }
            Ok(Err(_)) if is_exceeded.load(Ordering::Relaxed) => {
                format!("it sent more than {} bytes", self.max_bytes)
            }
            Ok(Err(reason)) => reason,
            Err(_) => format!("no response within {} s", CONNECT_TIMEOUT.as_secs()),
        };
        let reason = format!("{} ({})", self.server.without_secrets(&error), self.server.shown());
        tracing::warn!(server = self.name, reason, "MCP server is unreachable");
        link.running = None;
        link.failures += 1;
        let waits = backoff::delay(link.failures, FIRST_WAIT, LONGEST_WAIT);
        link.try_again = Some(Instant::now() + waits);
        link.reason.clone_from(&reason);
        Err(ToolboxError::Down { server: self.name.clone(), reason })
    }

    async fn open(
        &self,
        is_exceeded: Arc<AtomicBool>,
    ) -> Result<RunningService<RoleClient, Client>, String> {
        let client = Client { changes: self.changes.clone() };
        let connected = match &self.server {
            Server::Url { url, headers } => {
                client.serve(http_transport(url, headers, self.max_bytes)?).await
            }
            Server::Command { program, args, env } => {
                let most = self.max_bytes;
                client.serve(child_transport(program, args, env, most, is_exceeded)?).await
            }
        };
        connected.map_err(|error| why_not_connected(&error))
    }

    /// Maps the failure of a request to an error. If the connection is lost, the next request reconnects.
    async fn lost(&self, tool: &str, link: u64, error: ServiceError) -> ToolboxError {
        match error {
            ServiceError::McpError(said) if said.code.0 == bounded::TOO_LARGE => {
                self.too_large(tool, self.max_bytes)
            }
            ServiceError::McpError(said) => ToolboxError::Refused {
                server: self.name.clone(),
                code: said.code.0.into(),
                message: said.message.into_owned(),
            },
            ServiceError::TransportClosed => {
                let down = self.down(link, "the connection is closed").await;
                let last = self.link.lock().await;
                match last.number == link && last.is_exceeded.load(Ordering::Relaxed) {
                    true => self.too_large(tool, self.max_bytes),
                    false => down,
                }
            }
            ServiceError::TransportSend(error) if is_of_one_request(&*error.error) => {
                let (server, message) = (self.name.clone(), root_cause(&*error.error));
                let message = self.server.without_secrets(&message);
                ToolboxError::Refused { server, code: 0, message }
            }
            ServiceError::TransportSend(error) => self.down(link, &root_cause(&*error.error)).await,
            other => self.down(link, &root_cause(&other)).await,
        }
    }

    /// Closes a connection, unless it has been replaced by a new one, which other calls use.
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

/// A message of the server as JSON, and its size.
fn as_json(sent: &impl serde::Serialize) -> Result<(Value, usize), serde_json::Error> {
    let text = serde_json::to_vec(sent)?;
    Ok((serde_json::from_slice(&text)?, text.len()))
}

/// Whether the server responded, but with an error such as 429: the connection works, and other calls use it.
fn is_of_one_request(error: &(dyn std::error::Error + 'static)) -> bool {
    let error = error.downcast_ref::<StreamableHttpError<reqwest::Error>>();
    matches!(
        error,
        Some(StreamableHttpError::HttpStatus(_) | StreamableHttpError::UnexpectedServerResponse(_))
    )
}

fn why_not_connected(error: &ClientInitializeError) -> String {
    if error.is_authorization_required() {
        return "it requires authentication (401); add a header such as authorization: Bearer …"
            .into();
    }
    match error {
        ClientInitializeError::TransportError { error, .. } => root_cause(&*error.error),
        other => root_cause(other),
    }
}

/// The innermost error: the outer ones repeat it, and contain the URL.
fn root_cause(error: &(dyn std::error::Error + 'static)) -> String {
    // rmcp does not expose this one as a source.
    if let Some(StreamableHttpError::Client(error)) =
        error.downcast_ref::<StreamableHttpError<reqwest::Error>>()
    {
        return root_cause(error);
    }
    error.source().map_or_else(|| error.to_string(), root_cause)
}
