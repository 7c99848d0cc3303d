//! The table of clients: where each keeps its MCP servers, and how it writes one down.
//!
//! Read in the clients' own documentation in November 2026. One row owns everything about a client.

use std::path::PathBuf;

use serde_json::{Value, json};

/// A client program.
pub(crate) struct Client {
    /// What is typed.
    pub id: &'static str,
    /// What people call it.
    pub name: &'static str,
    /// The file of the person's own settings on macOS, on Windows, and elsewhere.
    places: [Place; 3],
    pub form: Form,
    /// The member that holds the servers.
    pub key: &'static str,
    /// How one is written down; none where the client cannot use it.
    pub entry: fn(&Server) -> Option<Value>,
    /// What to do when there is no entry for a server at an address.
    pub instead: &'static str,
}

/// The language of a settings file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Json,
    Toml,
    Yaml,
}

/// A server to be written down.
pub(crate) struct Server {
    pub name: String,
    pub transport: Transport,
}

pub(crate) enum Transport {
    /// A program that the client starts.
    Command { program: String, args: Vec<String> },
    /// One that runs already.
    Url(String),
}

#[derive(Clone, Copy)]
enum Place {
    /// Below the person's home.
    Home(&'static str),
    /// Below `%APPDATA%`, or `$XDG_CONFIG_HOME` (`~/.config`).
    Config(&'static str),
    /// Below what a variable says, else below the person's home.
    Env(&'static str, &'static str, &'static str),
}

const MAC: usize = 0;
const WINDOWS: usize = 1;
const OTHER: usize = 2;

pub(crate) const CLIENTS: &[Client] = &[
    Client {
        id: "claude",
        name: "Claude Desktop",
        places: [
            Place::Home("Library/Application Support/Claude/claude_desktop_config.json"),
            Place::Config("Claude/claude_desktop_config.json"),
            Place::Config("Claude/claude_desktop_config.json"),
        ],
        form: Form::Json,
        key: "mcpServers",
        entry: |server| match &server.transport {
            Transport::Command { .. } => plain(server, "url"),
            Transport::Url(_) => None,
        },
        instead: "its file only knows programs to start; add the address in the app, under \
                  Settings, Connectors, or leave --http out",
    },
    Client {
        id: "claude-code",
        name: "Claude Code",
        places: [Place::Home(".claude.json"); 3],
        form: Form::Json,
        key: "mcpServers",
        entry: typed,
        instead: "",
    },
    Client {
        id: "cursor",
        name: "Cursor",
        places: [Place::Home(".cursor/mcp.json"); 3],
        form: Form::Json,
        key: "mcpServers",
        entry: |server| plain(server, "url"),
        instead: "",
    },
    Client {
        id: "vscode",
        name: "VS Code",
        places: [
            Place::Home("Library/Application Support/Code/User/mcp.json"),
            Place::Config("Code/User/mcp.json"),
            Place::Config("Code/User/mcp.json"),
        ],
        form: Form::Json,
        key: "servers",
        entry: typed,
        instead: "",
    },
    Client {
        id: "windsurf",
        name: "Windsurf",
        places: [Place::Home(".codeium/windsurf/mcp_config.json"); 3],
        form: Form::Json,
        key: "mcpServers",
        entry: |server| plain(server, "serverUrl"),
        instead: "",
    },
    Client {
        id: "zed",
        name: "Zed",
        places: [
            Place::Home(".config/zed/settings.json"),
            Place::Config("Zed/settings.json"),
            Place::Config("zed/settings.json"),
        ],
        form: Form::Json,
        key: "context_servers",
        entry: |server| plain(server, "url"),
        instead: "",
    },
    Client {
        id: "codex",
        name: "Codex",
        places: [Place::Env("CODEX_HOME", ".codex", "config.toml"); 3],
        form: Form::Toml,
        key: "mcp_servers",
        entry: |server| plain(server, "url"),
        instead: "",
    },
    Client {
        id: "goose",
        name: "Goose",
        places: [
            Place::Home(".config/goose/config.yaml"),
            Place::Config("Block/goose/config/config.yaml"),
            Place::Config("goose/config.yaml"),
        ],
        form: Form::Yaml,
        key: "extensions",
        entry: goose,
        instead: "",
    },
    Client {
        id: "gemini",
        name: "Gemini CLI",
        places: [Place::Home(".gemini/settings.json"); 3],
        form: Form::Json,
        key: "mcpServers",
        entry: |server| plain(server, "httpUrl"),
        instead: "",
    },
];

impl Client {
    pub(crate) fn find(id: &str) -> Option<&'static Client> {
        CLIENTS.iter().find(|client| client.id == id)
    }

    /// The settings file on this machine; none if it is not known where the person's home is.
    pub(crate) fn file(&self) -> Option<PathBuf> {
        let os = match () {
            () if cfg!(target_os = "macos") => MAC,
            () if cfg!(windows) => WINDOWS,
            () => OTHER,
        };
        let variable = |name: &str| {
            std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute())
        };
        let home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty());
        match self.places[os] {
            Place::Home(path) => Some(home?.join(path)),
            Place::Config(path) if cfg!(windows) => Some(variable("APPDATA")?.join(path)),
            Place::Config(path) => {
                let config = variable("XDG_CONFIG_HOME").or_else(|| Some(home?.join(".config")));
                Some(config?.join(path))
            }
            Place::Env(name, folder, file) => {
                let folder = variable(name).or_else(|| Some(home?.join(folder)));
                Some(folder?.join(file))
            }
        }
    }
}

/// `command` and `args`, or the address under the client's word for it.
fn plain(server: &Server, url: &str) -> Option<Value> {
    Some(match &server.transport {
        Transport::Command { program, args } => json!({ "command": program, "args": args }),
        Transport::Url(at) => json!({ url: at }),
    })
}

/// The same with a `type`.
fn typed(server: &Server) -> Option<Value> {
    Some(match &server.transport {
        Transport::Command { program, args } => {
            json!({ "type": "stdio", "command": program, "args": args })
        }
        Transport::Url(at) => json!({ "type": "http", "url": at }),
    })
}

fn goose(server: &Server) -> Option<Value> {
    let name = &server.name;
    Some(match &server.transport {
        Transport::Command { program, args } => json!({
            "name": name, "type": "stdio", "enabled": true, "cmd": program, "args": args,
            "envs": {}, "timeout": 300,
        }),
        Transport::Url(at) => json!({
            "name": name, "type": "streamable_http", "enabled": true, "uri": at,
            "headers": {}, "envs": {}, "timeout": 300,
        }),
    })
}
