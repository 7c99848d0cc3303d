//! The table of MCP clients: the paths of their settings files, and the format of an entry. Based on the
//! clients' own documentation in November 2026.

use std::path::PathBuf;

use serde_json::{Value, json};

/// A client program.
pub(crate) struct Client {
    /// Its name on the command line.
    pub id: &'static str,
    /// Its name in messages.
    pub name: &'static str,
    /// The user's settings file on macOS, on Windows, and elsewhere.
    places: [Place; 3],
    pub format: Format,
    /// The member that holds the servers.
    pub key: &'static str,
    /// The value of one server; `None` if the client cannot use its transport.
    pub entry: fn(&Server) -> Option<Value>,
    /// Advice for a client that cannot use a server at an address.
    pub instead: &'static str,
}

/// The format of a settings file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Json,
    Toml,
    Yaml,
}

/// A server to add.
pub(crate) struct Server {
    pub name: String,
    pub transport: Transport,
}

pub(crate) enum Transport {
    /// A program that the client starts.
    Command { program: String, args: Vec<String> },
    /// A running server.
    Url(String),
}

#[derive(Clone, Copy)]
enum Place {
    /// Below the home directory.
    Home(&'static str),
    /// Below `%APPDATA%`, or `$XDG_CONFIG_HOME` (`~/.config`).
    Config(&'static str),
    /// A variable that names the directory, the directory below the home directory without it, and the file.
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
        format: Format::Json,
        key: "mcpServers",
        entry: |server| match &server.transport {
            Transport::Command { .. } => plain(server, "url"),
            Transport::Url(_) => None,
        },
        instead: "its config file supports stdio servers only; add the URL in the app under Settings > \
                  Connectors, or omit --http",
    },
    Client {
        id: "claude-code",
        name: "Claude Code",
        places: [Place::Home(".claude.json"); 3],
        format: Format::Json,
        key: "mcpServers",
        entry: with_type,
        instead: "",
    },
    Client {
        id: "cursor",
        name: "Cursor",
        places: [Place::Home(".cursor/mcp.json"); 3],
        format: Format::Json,
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
        format: Format::Json,
        key: "servers",
        entry: with_type,
        instead: "",
    },
    Client {
        id: "windsurf",
        name: "Windsurf",
        places: [Place::Home(".codeium/windsurf/mcp_config.json"); 3],
        format: Format::Json,
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
        format: Format::Json,
        key: "context_servers",
        entry: |server| plain(server, "url"),
        instead: "",
    },
    Client {
        id: "codex",
        name: "Codex",
        places: [Place::Env("CODEX_HOME", ".codex", "config.toml"); 3],
        format: Format::Toml,
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
        format: Format::Yaml,
        key: "extensions",
        entry: goose,
        instead: "",
    },
    Client {
        id: "gemini",
        name: "Gemini CLI",
        places: [Place::Home(".gemini/settings.json"); 3],
        format: Format::Json,
        key: "mcpServers",
        entry: |server| plain(server, "httpUrl"),
        instead: "",
    },
];

impl Client {
    pub(crate) fn find(id: &str) -> Option<&'static Client> {
        CLIENTS.iter().find(|client| client.id == id)
    }

    /// The settings file on this machine; `None` without a home directory.
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

/// `command` and `args`, or the URL under the client's name for that member.
fn plain(server: &Server, url: &str) -> Option<Value> {
    Some(match &server.transport {
        Transport::Command { program, args } => json!({ "command": program, "args": args }),
        Transport::Url(at) => json!({ url: at }),
    })
}

/// Like [`plain`], with the member `type`, which these clients require.
fn with_type(server: &Server) -> Option<Value> {
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
