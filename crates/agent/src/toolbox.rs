//! Tools from everywhere, merged into one list.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Map, Value};
use widgetcast::client::Peer;
use widgetcast::{App, Caller};

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
}

impl Default for Toolbox {
    fn default() -> Self {
        let inner = Inner {
            local: None,
            remotes: Vec::new(),
            call_timeout: Duration::from_secs(120),
            max_result: 4 * 1024 * 1024,
        };
        Self(Arc::new(inner), Peer::LOCAL)
    }
}

/// Where a tool is.
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
        Arc::make_mut(&mut self.0).local = Some(Arc::new(Local::new(app)));
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

    /// Sets the maximum size of a result as JSON; 4 MiB by default. In results of MCP servers, each value
    /// counts as 32 extra bytes. Call this before you connect servers.
    pub fn max_result_bytes(mut self, bytes: usize) -> Self {
        Arc::make_mut(&mut self.0).max_result = bytes;
        self
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
        let (tools, problems) = self.ask_all(caller).await;
        let down: Vec<String> = problems.iter().map(|(server, _)| server.clone()).collect();
        match problems.into_iter().next() {
            Some((_, error)) if down.len() == self.sources() => Err(error),
            _ => Ok(tools.into_iter().filter(|tool| !down.contains(&tool.server)).collect()),
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
            let mut tools = listed.to_vec();
            keep_apart(&mut tools, &mut []);
            if let Some(tool) = tools.into_iter().find(|tool| tool.name == name) {
                return Ok(tool);
            }
        }
        let (tools, problems) = self.ask_all(caller).await;
        if let Some(tool) = tools.iter().find(|tool| tool.name == name) {
            return Ok(tool.clone());
        }
        // A name that became ambiguous has its server before it now.
        let looks_alike = |tool: &&Tool| {
            tool.name_there.eq_ignore_ascii_case(name) || tool.name.eq_ignore_ascii_case(name)
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
        Ok(listed.iter().find(|tool| tool.name_there == name).cloned())
    }

    /// Calls a tool by its name in the toolbox, and returns the whole MCP result, including `isError`.
    pub async fn call(
        &self,
        caller: Option<&Caller>,
        name: &str,
        arguments: Map<String, Value>,
    ) -> Result<Value, ToolboxError> {
        let tool = self.tool(caller, name).await?;
        self.call_at(caller, &tool.server, &tool.name_there, arguments).await
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
        let call = async {
            match place {
                Place::Local(local) => local.call(caller, self.1, tool, arguments).await,
                Place::Remote(remote) => remote.call(tool, arguments).await,
            }
        };
        let after = self.0.call_timeout;
        let timed_out =
            || ToolboxError::TimedOut { server: server.into(), tool: tool.into(), after };
        let (result, bytes) =
            tokio::time::timeout(after, call).await.map_err(|_| timed_out())??;
        let limit = self.0.max_result;
        match bytes <= limit {
            true => Ok(result),
            false => Err(ToolboxError::TooLarge {
                server: server.into(),
                tool: tool.into(),
                bytes,
                limit,
            }),
        }
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

    /// All tools, named, and the servers that cannot be asked. Those have the tools that they had when
    /// they were last reached, so that no name changes because a server is away.
    async fn ask_all(&self, caller: Option<&Caller>) -> (Vec<Tool>, Vec<(String, ToolboxError)>) {
        let (mut ours, mut others, mut problems) = (Vec::new(), Vec::new(), Vec::new());
        if let Some(local) = &self.0.local {
            match local.tools(caller).await {
                Ok(listed) => ours.extend(listed.iter().cloned()),
                Err(error) => problems.push((LOCAL.to_owned(), error)),
            }
        }
        let answers = join_all(self.0.remotes.iter().map(|remote| remote.tools())).await;
        for (remote, answer) in self.0.remotes.iter().zip(answers) {
            let listed = answer.unwrap_or_else(|error| {
                problems.push((remote.name.clone(), error));
                remote.last_tools()
            });
            others.extend(listed.iter().cloned());
        }
        keep_apart(&mut ours, &mut others);
        ours.append(&mut others);
        // A server may find names whose hashes are the same. No model takes a name twice.
        let mut names = HashSet::new();
        ours.retain(|tool| names.insert(tool.name.clone()));
        (ours, problems)
    }
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
