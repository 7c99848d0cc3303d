//! Merges the tools of all servers into one list.

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Map, Value};
use widgetcast::client::Peer;
use widgetcast::{App, Budgeted, Caller, Workers};

use crate::error::ToolboxError;
use crate::local::{LOCAL, Local};
use crate::names::keep_apart;
use crate::remote::Remote;
use crate::server::Server;
use crate::tool::Tool;

/// The tools of an app in this process and of any MCP servers. Cheap to clone; all clones share their
/// connections.
///
/// ```
/// use serde_json::Map;
/// use widgetcast::{App, Tool};
/// use widgetcast_agent::Toolbox;
///
/// async fn ping() -> String {
///     "pong".into()
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let app = App::new("demo", "1.0.0").tool(Tool::new("ping", ping).read_only()).build()?;
/// let toolbox = Toolbox::new().app(app);
/// // … .connect("files", Server::command("npx").args(["-y", "files-server"]))?
///
/// assert_eq!(toolbox.tools(None).await?[0].name, "ping");
/// let result = toolbox.call(None, "ping", Map::new()).await?;
/// assert_eq!(result["content"][0]["text"], "pong");
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Toolbox(Arc<Inner>, Peer);

#[derive(Clone)]
struct Inner {
    local: Option<Arc<Local>>,
    remotes: Vec<Arc<Remote>>,
    call_timeout: Duration,
    max_result: usize,
    workers: Arc<Workers>,
    merged: Arc<Mutex<VecDeque<Merged>>>,
    view: fn(&Value) -> Option<Value>,
}

/// Source lists, and the merged result.
struct Merged {
    lists: Vec<Arc<Vec<Tool>>>,
    tools: Arc<Vec<Tool>>,
}

/// The number of merged lists to cache: callers may see different tools of the app, but each merged list is
/// as large as all tools.
const MAX_MERGED: usize = 4;

impl Default for Toolbox {
    fn default() -> Self {
        let inner = Inner {
            local: None,
            remotes: Vec::new(),
            call_timeout: Duration::from_secs(120),
            max_result: 4 * 1024 * 1024,
            workers: Arc::default(),
            merged: Arc::default(),
            view: |_| None,
        };
        Self(Arc::new(inner), Peer::LOCAL)
    }
}

/// Where a tool runs.
enum Place<'t> {
    Local(&'t Local),
    Remote(&'t Arc<Remote>),
}

impl Toolbox {
    /// Creates an empty toolbox.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the tools of an app in this process, under the server name `app`. They run as the caller of
    /// [`Toolbox::call`], with its scopes.
    pub fn app(mut self, app: App) -> Self {
        let inner = Arc::make_mut(&mut self.0);
        inner.workers = app.workers();
        inner.local = Some(Arc::new(Local::new(app)));
        self
    }

    /// Returns the same toolbox for the client at this address: calls of the local app count toward its
    /// quotas.
    #[must_use]
    pub fn for_peer(&self, peer: Peer) -> Self {
        Self(Arc::clone(&self.0), peer)
    }

    /// Sets the timeout of a call; two minutes by default.
    pub fn call_timeout(mut self, timeout: Duration) -> Self {
        Arc::make_mut(&mut self.0).call_timeout = timeout;
        self
    }

    /// Sets the maximum size of a result as JSON, in which each value counts as 32 extra bytes; 4 MiB by
    /// default. Call this before you connect servers.
    pub fn max_result_bytes(mut self, bytes: usize) -> Self {
        Arc::make_mut(&mut self.0).max_result = bytes;
        self
    }

    /// Renders results that contain no widget: from a `CallToolResult` to a component tree, for users who read
    /// the results in a chat. By default, such results are text. `widgetcast_wrap::view` renders any data.
    ///
    /// ```
    /// use serde_json::json;
    /// use widgetcast_agent::Toolbox;
    ///
    /// let toolbox = Toolbox::new().view(|result| {
    ///     let total = result["structuredContent"]["total"].as_f64()?;
    ///     Some(json!({ "type": "Card", "children": [{ "type": "Title", "value": total.to_string() }] }))
    /// });
    /// ```
    pub fn view(mut self, view: fn(&Value) -> Option<Value>) -> Self {
        Arc::make_mut(&mut self.0).view = view;
        self
    }

    /// The view of a result without a widget.
    #[doc(hidden)]
    pub fn default_view(&self) -> fn(&Value) -> Option<Value> {
        self.0.view
    }

    /// Adds the tools of an MCP server under a name of letters, digits, `_` and `-`.
    ///
    /// Fails only if the name is taken or the server is not valid. The connection is established in a task of
    /// the current Tokio runtime, so a slow server delays nothing else. An unreachable server stays in the
    /// toolbox and is retried when its tools are next requested, with a backoff from one second to a minute;
    /// until then, [`Toolbox::problems`] returns the reason.
    pub fn connect(mut self, name: &str, server: Server) -> Result<Self, ToolboxError> {
        let bad =
            |reason: &str| ToolboxError::BadServer { server: name.into(), reason: reason.into() };
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        if name.is_empty() || name.len() > 32 || !name.bytes().all(plain) {
            return Err(bad("a name must be at most 32 letters, digits, _ and -"));
        }
        if name == LOCAL || self.0.remotes.iter().any(|remote| remote.name == name) {
            return Err(bad("another server has this name"));
        }
        server.check().map_err(|reason| bad(&reason))?;
        let inner = Arc::make_mut(&mut self.0);
        let remote = Arc::new(Remote::new(name, server, inner.max_result));
        remote.read_list();
        inner.remotes.push(remote);
        Ok(self)
    }

    /// The tools that this caller may use, without those of unreachable servers; fails only if no server is
    /// available. A remote server sees the identity in its headers, not the caller.
    ///
    /// The list is up to date within a second for changes that a server announces, and within a minute for
    /// others. The first request waits a few seconds for each server, and later ones only for fast servers;
    /// for a slow server, the list contains the tools that it listed last.
    pub async fn tools(&self, caller: Option<&Caller>) -> Result<Vec<Tool>, ToolboxError> {
        self.listed(caller).await.map(Arc::unwrap_or_clone)
    }

    /// Like [`Toolbox::tools`], but shared instead of copied.
    #[doc(hidden)]
    pub async fn listed(&self, caller: Option<&Caller>) -> Result<Arc<Vec<Tool>>, ToolboxError> {
        let (tools, problems) = self.ask_all(caller).await;
        let down: Vec<String> = problems.iter().map(|(server, _)| server.clone()).collect();
        let is_up = |tool: &Tool| !down.contains(&tool.server);
        match problems.into_iter().next() {
            Some((_, error)) if down.len() == self.sources() => Err(error),
            _ if tools.iter().all(is_up) => Ok(tools),
            _ => Ok(Arc::new(tools.iter().filter(|tool| is_up(tool)).cloned().collect())),
        }
    }

    /// The servers that are unavailable, and why.
    pub async fn problems(&self, caller: Option<&Caller>) -> Vec<(String, ToolboxError)> {
        self.ask_all(caller).await.1
    }

    /// The tool with this name, including tools that only views may call. Tools of the app are found without
    /// a request to any server.
    pub async fn tool(&self, caller: Option<&Caller>, name: &str) -> Result<Tool, ToolboxError> {
        if let Some(local) = &self.0.local
            && let Ok(listed) = local.tools(caller).await
        {
            let tools = self.merged(vec![listed]).await;
            if let Some(tool) = tools.iter().find(|tool| tool.name == name) {
                return Ok(tool.clone());
            }
        }
        let (tools, problems) = self.ask_all(caller).await;
        if let Some(tool) = tools.iter().find(|tool| tool.name == name) {
            return Ok(tool.clone());
        }
        // If the name became ambiguous, it now has a prefix.
        let looks_alike = |tool: &&Tool| {
            tool.original_name.eq_ignore_ascii_case(name) || tool.name.eq_ignore_ascii_case(name)
        };
        let similar = tools.iter().filter(looks_alike).map(|tool| tool.name.clone()).take(5);
        Err(ToolboxError::UnknownTool {
            name: name.to_owned(),
            similar: similar.collect(),
            down: problems.into_iter().map(|(server, _)| server).collect(),
        })
    }

    /// The tool of one server by its name there, if it exists. No other server is queried.
    pub async fn tool_at(
        &self,
        caller: Option<&Caller>,
        server: &str,
        name: &str,
    ) -> Result<Option<Tool>, ToolboxError> {
        let listed = match self.place(server)? {
            Place::Local(local) => local.tools(caller).await?,
            Place::Remote(remote) => remote.tools().await?,
        };
        Ok(listed.iter().find(|tool| tool.original_name == name).cloned())
    }

    /// Calls a tool by its name in the toolbox, and returns the whole MCP result, including `isError`.
    pub async fn call(
        &self,
        caller: Option<&Caller>,
        name: &str,
        arguments: Map<String, Value>,
    ) -> Result<Value, ToolboxError> {
        let tool = self.tool(caller, name).await?;
        self.call_at(caller, &tool.server, &tool.original_name, arguments).await
    }

    /// Calls a tool of one server by its name there, as actions of widgets from that server do.
    pub async fn call_at(
        &self,
        caller: Option<&Caller>,
        server: &str,
        tool: &str,
        arguments: Map<String, Value>,
    ) -> Result<Value, ToolboxError> {
        let place = self.place(server)?;
        let (most, workers) = (self.0.max_result, &self.0.workers);
        let call = async {
            match place {
                Place::Local(local) => local.call(caller, self.1, tool, arguments, most).await,
                Place::Remote(remote) => remote.call(tool, arguments, workers, most).await,
            }
        };
        let after = self.0.call_timeout;
        let timed_out =
            || ToolboxError::TimedOut { server: server.into(), tool: tool.into(), after };
        tokio::time::timeout(after, call).await.map_err(|_| timed_out())?
    }

    /// Where results are processed: on the workers of the app, if there is one.
    #[doc(hidden)]
    pub fn workers(&self) -> &Workers {
        &self.0.workers
    }

    fn place(&self, server: &str) -> Result<Place<'_>, ToolboxError> {
        let remote = self.0.remotes.iter().find(|remote| remote.name == server);
        match (&self.0.local, remote) {
            (Some(local), _) if server == LOCAL => Ok(Place::Local(local)),
            (_, Some(remote)) => Ok(Place::Remote(remote)),
            _ => Err(ToolboxError::BadServer {
                server: server.to_owned(),
                reason: "the toolbox has no server with this name".to_owned(),
            }),
        }
    }

    fn sources(&self) -> usize {
        usize::from(self.0.local.is_some()) + self.0.remotes.len()
    }

    /// All tools under their names, and the unavailable servers. Those keep the tools that they listed last,
    /// so that names do not change while a server is down.
    async fn ask_all(
        &self,
        caller: Option<&Caller>,
    ) -> (Arc<Vec<Tool>>, Vec<(String, ToolboxError)>) {
        // The app's tools come first.
        let (mut lists, mut problems) = (vec![Arc::default()], Vec::new());
        if let Some(local) = &self.0.local {
            match local.tools(caller).await {
                Ok(listed) => lists[0] = listed,
                Err(error) => problems.push((LOCAL.to_owned(), error)),
            }
        }
        let answers = join_all(self.0.remotes.iter().map(|remote| remote.tools())).await;
        for (remote, answer) in self.0.remotes.iter().zip(answers) {
            lists.push(answer.unwrap_or_else(|error| {
                problems.push((remote.name.clone(), error));
                remote.last_tools()
            }));
        }
        (self.merged(lists).await, problems)
    }

    /// The tools of these lists under unique names; the first list is that of the app. The result is kept until a
    /// list changes.
    async fn merged(&self, lists: Vec<Arc<Vec<Tool>>>) -> Arc<Vec<Tool>> {
        let lock = || self.0.merged.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |(one, other): (&Arc<Vec<Tool>>, &Arc<Vec<Tool>>)| {
            Arc::ptr_eq(one, other) || one.is_empty() && other.is_empty()
        };
        let is_known = |known: &&Merged| {
            known.lists.len() == lists.len() && known.lists.iter().zip(&lists).all(is_same)
        };
        if let Some(known) = lock().iter().find(is_known) {
            return Arc::clone(&known.tools);
        }
        let bytes = lists.iter().map(|list| list.len()).sum::<usize>() * Tool::BYTES;
        let of = lists.clone();
        let merge = move |budgeted| Arc::new(merge(&of, budgeted));
        // Failed lists are retried next time.
        let Some(tools) = self.0.workers.finish(bytes, merge).await else {
            return Arc::default();
        };
        let mut all = lock();
        all.truncate(MAX_MERGED - 1);
        all.push_front(Merged { lists, tools: Arc::clone(&tools) });
        tools
    }
}

fn merge(lists: &[Arc<Vec<Tool>>], _: Budgeted) -> Vec<Tool> {
    let (ours, others) = lists.split_at(lists.len().min(1));
    let tools = |lists: &[Arc<Vec<Tool>>]| -> Vec<Tool> {
        lists.iter().flat_map(|list| list.iter().cloned()).collect()
    };
    let (mut ours, mut others) = (tools(ours), tools(others));
    keep_apart(&mut ours, &mut others);
    ours.append(&mut others);
    // A server can choose names whose hashes collide. Endpoints reject duplicate names.
    let mut names = HashSet::new();
    ours.retain(|tool| names.insert(tool.name.clone()));
    ours
}

impl std::fmt::Debug for Toolbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let remotes: Vec<&str> = self.0.remotes.iter().map(|remote| &*remote.name).collect();
        f.debug_struct("Toolbox")
            .field("app", &self.0.local.is_some())
            .field("servers", &remotes)
            .finish()
    }
}
