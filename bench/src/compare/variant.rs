//! The servers that are compared, and how each is started.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::corpus::root;
use super::wire::Era;
use crate::error::Result;

/// A server speaking one of the two eras.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Variant {
    pub name: &'static str,
    kind: Kind,
    pub era: Era,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Ours,
    Floor,
    NodeV2,
    NodeSdk1,
    Python,
}

const fn variant(name: &'static str, kind: Kind, era: Era) -> Variant {
    Variant { name, kind, era }
}

pub(crate) const OURS: Variant = variant("ours", Kind::Ours, Era::Modern);
const OURS_LEGACY: Variant = variant("ours-legacy", Kind::Ours, Era::Legacy);
const FLOOR: Variant = variant("floor", Kind::Floor, Era::Modern);
const NODE_V2: Variant = variant("node-v2", Kind::NodeV2, Era::Modern);
const NODE_SDK1: Variant = variant("node-sdk1", Kind::NodeSdk1, Era::Legacy);
const PYTHON: Variant = variant("python", Kind::Python, Era::Legacy);
/// Lists all tools on every call (mcp 2.3.0), so that no claim is made from it.
const PYTHON_MODERN: Variant = variant("python-modern", Kind::Python, Era::Modern);

/// In the order of a round: those that are most alike in cost stand next to each other.
pub(crate) const HTTP: &[Variant] =
    &[FLOOR, OURS, OURS_LEGACY, NODE_V2, NODE_SDK1, PYTHON, PYTHON_MODERN];
pub(crate) const STDIO: &[Variant] = &[OURS, OURS_LEGACY, NODE_V2, NODE_SDK1, PYTHON];

/// How a server is reached.
#[derive(Clone, Copy)]
pub(crate) enum Transport {
    Stdio,
    Http(u16),
}

impl Variant {
    /// How long, and how many calls, to warm up over HTTP: V8 is half as fast before its optimizing
    /// compiler has run.
    pub(crate) fn warm(self) -> (Duration, u64) {
        match self.kind {
            Kind::NodeV2 | Kind::NodeSdk1 => (Duration::from_secs(6), 9000),
            Kind::Python => (Duration::from_secs(2), 64),
            Kind::Ours | Kind::Floor => (Duration::from_millis(300), 3000),
        }
    }

    /// The same for stdio, in calls.
    pub(crate) fn warm_calls(self) -> u64 {
        match self.kind {
            Kind::NodeV2 | Kind::NodeSdk1 => 30_000,
            Kind::Python => 300,
            Kind::Ours | Kind::Floor => 3000,
        }
    }

    /// Native servers start quickly, so each round gets a new process, and one bad memory layout does not
    /// affect all rounds.
    pub(crate) fn is_native(self) -> bool {
        matches!(self.kind, Kind::Ours | Kind::Floor)
    }

    pub(crate) fn is_ours(self) -> bool {
        self.kind == Kind::Ours
    }

    pub(crate) fn is_floor(self) -> bool {
        self.kind == Kind::Floor
    }

    /// One of several stretches of a round: long enough for some hundred calls.
    pub(crate) fn slice(self) -> Duration {
        Duration::from_millis(if self.kind == Kind::Python { 1000 } else { 400 })
    }
}

/// Where the servers are.
pub(crate) struct Programs {
    pub ours: PathBuf,
    pub node: PathBuf,
    python: PathBuf,
    peers: PathBuf,
    /// Where logs, captured replies and results go.
    pub out: PathBuf,
}

impl Programs {
    pub(crate) fn new(ours: Option<PathBuf>, node: Option<PathBuf>) -> Result<Self> {
        let target = std::env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| root().join("target"), PathBuf::from);
        let out = target.join("bench");
        std::fs::create_dir_all(&out)?;
        Ok(Self {
            ours: ours.unwrap_or_else(|| target.join("dist/widgetcast")),
            node: node.unwrap_or_else(|| "node".into()),
            python: root().join("target/peers-python/bin/python"),
            peers: root().join("bench/peers"),
            out,
        })
    }

    /// Why a variant cannot run here, if so.
    pub(crate) fn missing(&self, variant: Variant) -> Option<String> {
        let needed: &Path = match variant.kind {
            Kind::Floor => return None,
            Kind::Ours => &self.ours,
            Kind::Python => &self.python,
            Kind::NodeV2 | Kind::NodeSdk1 => &self.peers.join("node/node_modules"),
        };
        (!needed.exists()).then(|| format!("{} is not there", needed.display()))
    }

    pub(crate) fn command(
        &self,
        variant: Variant,
        dir: &Path,
        transport: Transport,
    ) -> Result<Vec<String>> {
        let text = |path: &Path| path.display().to_string();
        let script = |name: &str| text(&self.peers.join(name));
        let port = match transport {
            Transport::Http(port) => port.to_string(),
            Transport::Stdio => String::new(),
        };
        let mut command = match variant.kind {
            Kind::Ours => vec![text(&self.ours), "serve".into(), text(dir)],
            // Its directory is the file with the bytes to answer.
            Kind::Floor => {
                return Ok(vec![text(&std::env::current_exe()?), "floor".into(), port, text(dir)]);
            }
            Kind::NodeV2 => vec![text(&self.node), script("node/v2.mjs"), text(dir)],
            Kind::NodeSdk1 => vec![text(&self.node), script("node/sdk1.mjs"), text(dir)],
            Kind::Python => vec![text(&self.python), script("python/server.py"), text(dir)],
        };
        match transport {
            Transport::Stdio => command.push("--stdio".into()),
            Transport::Http(_) if variant.is_ours() => {
                command.extend(["--http".into(), format!("127.0.0.1:{port}")]);
            }
            Transport::Http(_) => command.extend(["--http".into(), port]),
        }
        Ok(command)
    }

    pub(crate) fn log(&self, variant: Variant) -> PathBuf {
        self.out.join(format!("{}.log", variant.name))
    }
}
