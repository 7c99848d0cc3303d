//! `[tools]`, `[servers]` and `[views]` of a configuration file: tools without a server, wrapped servers, and
//! the widgets for their results. Reloads the file when it changes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use widgetcast::{App, BuildError, Builder, Settings, Tool};
use widgetcast_core::{Error, nearest};
use widgetcast_wrap::{ServerConfig, Servers, ToolConfig, ViewConfig, ViewMap};

use crate::outcome::Failure;

/// The configuration file that is used if a served directory contains it.
pub(crate) const FILE_NAME: &str = "widgetcast.toml";
/// The interval at which the file, and those that its tools depend on, are checked.
const POLL: Duration = Duration::from_secs(1);

/// The tables of a configuration file about tools and servers.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Entries {
    tools: BTreeMap<String, ToolConfig>,
    servers: BTreeMap<String, ServerConfig>,
    views: BTreeMap<String, ViewConfig>,
}

/// The tools of a configuration file, and their sources.
pub(crate) struct ToolFile {
    path: PathBuf,
    tools: BTreeMap<String, Tool>,
    seen: Stamp,
}

/// The views of a configuration file.
pub(crate) struct ViewFile {
    path: PathBuf,
    map: ViewMap,
    seen: Stamp,
}

/// The text of a file, and the modification times of the files that it refers to.
#[derive(PartialEq, Eq)]
struct Stamp(Result<String, String>, Vec<Option<SystemTime>>);

/// The configuration file of a directory, if it exists.
pub(crate) fn of_dir(dir: &Path) -> Option<PathBuf> {
    Some(dir.join(FILE_NAME)).filter(|path| path.is_file())
}

/// The servers of a configuration file, if any.
pub(crate) fn servers(path: &Path) -> Result<Option<Servers>, Failure> {
    let Entries { servers, .. } = Stamp::of(path).entries(path)?;
    if servers.is_empty() {
        return Ok(None);
    }
    let servers = widgetcast_wrap::servers(servers, folder(path));
    Ok(Some(servers.map_err(|error| format!("{}: {error}", path.display()))?))
}

impl ToolFile {
    pub(crate) fn read(path: PathBuf) -> Result<Self, Failure> {
        let seen = Stamp::of(&path);
        let tools = seen.tools(&path)?;
        Ok(Self { path, tools, seen })
    }

    pub(crate) fn has(&self, tool: &str) -> bool {
        self.tools.contains_key(tool)
    }

    pub(crate) fn add_to(&self, app: Builder) -> Builder {
        self.tools.values().cloned().fold(app, Builder::tool)
    }

    /// Replaces the tools of an app when the files change. If there is an error, the previous tools stay.
    pub(crate) async fn follow(self, app: App) {
        let Self { path, mut tools, seen } = self;
        follow(&path, seen, &app, "tools", |now| {
            tools = replace(&app, &tools, now.tools(&path)?)?;
            Ok(())
        })
        .await;
    }
}

/// Replaces tools, or keeps the old ones if a new one cannot be added.
fn replace(
    app: &App,
    old: &BTreeMap<String, Tool>,
    new: BTreeMap<String, Tool>,
) -> Result<BTreeMap<String, Tool>, BuildError> {
    old.keys().for_each(|name| app.remove_tool(name));
    let mut added = Vec::new();
    for (name, tool) in &new {
        if let Err(error) = app.add_tool(tool.clone()) {
            // Only the added ones: a conflicting one belongs to the app itself.
            added.into_iter().for_each(|name: &String| app.remove_tool(name));
            old.values().cloned().try_for_each(|tool| app.add_tool(tool))?;
            return Err(error);
        }
        added.push(name);
    }
    Ok(new)
}

/// What the tools of a configuration file require on another machine.
#[derive(Debug, Default)]
pub(crate) struct Needs {
    /// A configuration file with these tools and nothing else: the rest may be secret.
    pub text: String,
    /// What may name files: parts of commands, and schemas.
    pub names: Vec<String>,
    pub programs: BTreeSet<String>,
    pub variables: BTreeSet<String>,
}

impl Needs {
    pub(crate) fn of(path: &Path) -> Result<Self, Failure> {
        let seen = Stamp::of(path);
        let Entries { tools, .. } = seen.entries(path)?;
        let mut table: toml::Table = toml::from_str(seen.0.as_deref().unwrap_or_default())?;
        let text = match table.remove("tools") {
            Some(tools) => format!("tools = {}\n", inline(&tools)),
            None => String::new(),
        };
        let owned = str::to_owned;
        Ok(Self {
            text,
            names: tools.values().flat_map(ToolConfig::files).map(owned).collect(),
            programs: tools.values().filter_map(ToolConfig::program).map(owned).collect(),
            variables: tools.values().flat_map(ToolConfig::variables).map(owned).collect(),
        })
    }
}

/// A value in one line of TOML, whose strings are a superset of JSON's.
fn inline(value: &toml::Value) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    match value {
        toml::Value::String(text) => quoted(text),
        toml::Value::Array(items) => {
            format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", "))
        }
        toml::Value::Table(members) => {
            let member = |(key, value): (&String, &toml::Value)| {
                format!("{} = {}", quoted(key), inline(value))
            };
            format!("{{ {} }}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Float(number) => format!("{number:?}"),
        toml::Value::Boolean(flag) => flag.to_string(),
        toml::Value::Datetime(time) => time.to_string(),
    }
}

impl ViewFile {
    /// Fails if the file cannot be read; a template that does not compile is an error in it.
    pub(crate) fn read(path: PathBuf) -> Result<Result<Self, Error>, Failure> {
        let seen = Stamp::of(&path);
        let map = ViewMap::new(seen.entries(&path)?.views);
        Ok(map.map(|map| Self { path, map, seen }))
    }

    pub(crate) fn map(&self) -> &ViewMap {
        &self.map
    }

    /// Replaces the views when the file changes. If there is an error, the previous ones stay.
    pub(crate) async fn follow(self, app: App) {
        let Self { path, map, seen } = self;
        follow(&path, seen, &app, "views", |now| {
            let new = ViewMap::new(now.entries(&path)?.views)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            if let Some(error) = new.missing_widgets(&app.current_catalog()).first() {
                return Err(format!("{}: {error}", path.display()).into());
            }
            map.replace(&new);
            Ok(())
        })
        .await;
    }
}

/// Reloads when a file, or a file that it refers to, changes.
async fn follow(
    path: &Path,
    mut seen: Stamp,
    app: &App,
    what: &str,
    mut reload: impl FnMut(&Stamp) -> Result<(), Failure>,
) {
    // A failure may be due to a widget that is not loaded yet, so it is retried after the next reload.
    let mut failed_with = None;
    loop {
        tokio::time::sleep(POLL).await;
        let catalog = app.current_catalog();
        let may_work_now = failed_with.as_ref().is_some_and(|with| !Arc::ptr_eq(with, &catalog));
        let now = Stamp::of(path);
        if now == seen && !may_work_now {
            continue;
        }
        failed_with = match reload(&now) {
            Ok(()) => {
                tracing::info!("reloaded {what} from {}", path.display());
                None
            }
            Err(error) => {
                tracing::warn!("{error}; keeping the previous {what}");
                Some(catalog)
            }
        };
        seen = now;
    }
}

impl Stamp {
    fn of(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).map_err(|error| error.to_string());
        let Entries { tools, .. } =
            toml::from_str(text.as_deref().unwrap_or("")).unwrap_or_default();
        let changed = |file: &str| folder(path).join(file).metadata().ok()?.modified().ok();
        let times = tools.values().flat_map(ToolConfig::files).map(changed).collect();
        Self(text, times)
    }

    fn entries(&self, path: &Path) -> Result<Entries, Failure> {
        let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = self.0.as_ref().map_err(|error| named(error))?;
        parse_config(text, path)
    }

    /// The tools in the text.
    fn tools(&self, path: &Path) -> Result<BTreeMap<String, Tool>, Failure> {
        let Entries { tools, views, .. } = self.entries(path)?;
        if let Some(both) = tools.keys().find(|name| views.contains_key(*name)) {
            let path = path.display();
            let message = format!(
                "{path}: [views.{both}]: {both} is defined in this file; set `widget` in [tools.{both}]"
            );
            return Err(message.into());
        }
        let tools = widgetcast_wrap::tools(tools, folder(path));
        Ok(tools.map_err(|error| format!("{}: {error}", path.display()))?)
    }
}

/// Parses a configuration file, or returns what is wrong with it and what to write instead.
pub(crate) fn parse_config<T: DeserializeOwned>(text: &str, path: &Path) -> Result<T, Failure> {
    toml::from_str(text).map_err(|error| {
        let shown = format!("{}: {error}", path.display());
        let shown = shown.trim_end();
        match misplaced::<T>(error.message()).or_else(|| advice(error.message())) {
            Some(advice) => format!("{shown}\nhelp: {advice}").into(),
            None => shown.into(),
        }
    })
}

/// Where a key belongs that is in the file itself instead of `[settings]`, or the reverse.
fn misplaced<T: DeserializeOwned>(message: &str) -> Option<String> {
    if message.ends_with("expected struct StoreLimits") {
        return Some(
            "[settings.store] has the limits; the URL is `store` before the first table".into(),
        );
    }
    let name = message.strip_prefix("unknown field `")?.split('`').next()?;
    let alone = format!("{name} = 0");
    let in_file = toml::from_str::<T>(&alone).err();
    let in_settings = toml::from_str::<Settings>(&alone).err();
    // The place of the mistake is the one that refuses the name alone in the same way.
    let refuses = |error: &Option<toml::de::Error>| {
        error.as_ref().is_some_and(|error| error.message() == message)
    };
    let knows = |error: &Option<toml::de::Error>| {
        error.as_ref().is_none_or(|error| !error.message().starts_with("unknown field"))
    };
    if refuses(&in_file) && knows(&in_settings) {
        return Some(format!("{name} belongs under [settings]"));
    }
    let is_outer = refuses(&in_settings) && knows(&in_file);
    is_outer.then(|| format!("{name} belongs before the first table of the file"))
}

/// serde names the fields only in its message.
fn advice(message: &str) -> Option<String> {
    if message.ends_with("expected a sequence") {
        return Some(r#"write a list of strings, such as ["python3", "tool.py"]"#.into());
    }
    let mut quoted = message.strip_prefix("unknown field ")?.split('`').skip(1).step_by(2);
    let unknown = quoted.next()?;
    nearest(unknown, quoted).map(|known| format!("did you mean {known}?"))
}

/// The directory that the paths in a file are relative to.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(page: &str) -> Vec<Entries> {
        let blocks = page.split("```toml\n").skip(1);
        let read = |block: &str| {
            let text = block.split("```").next().unwrap();
            toml::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
        };
        blocks.map(read).collect()
    }

    #[test]
    fn entries_of_the_page_about_tools() {
        let blocks = blocks(include_str!("../../../docs/tools.md"));
        assert!(blocks.len() >= 3, "{}", blocks.len());
        assert!(blocks.iter().all(|entries| entries.tools.len() == 1));
    }

    #[test]
    fn what_tools_need_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("widgetcast.toml");
        let text = "store = \"redis://:secret@db\"\n[[keys]]\nsubject = \"a\"\nhash = \"x\"\n\
            [tools.a]\nrun = [\"python3\", \"a.py\"]\nkeep = 2\nread_only = true\ninput = \"a.json\"\n\
            [tools.\"b c\"]\nurl = \"https://x.example/{{ q }}?k=${KEY}\"\ndata = '{\"a\": \"\\n\"}'\n\
            headers = { x = \"${TEAM} ${KEY}\" }\n";
        std::fs::write(&path, text).unwrap();
        let Needs { text: alone, names, programs, variables } = Needs::of(&path).unwrap();
        assert_eq!(names, ["python3", "a.py", "a.json"]);
        assert_eq!(programs, BTreeSet::from(["python3".to_owned()]));
        assert_eq!(variables, BTreeSet::from(["KEY".to_owned(), "TEAM".to_owned()]));
        let (mut before, after): (toml::Table, toml::Table) =
            (toml::from_str(text).unwrap(), toml::from_str(&alone).unwrap());
        before.remove("store");
        before.remove("keys");
        assert_eq!(before, after);
    }

    #[test]
    fn entries_of_the_page_about_wrapping() {
        let blocks = blocks(include_str!("../../../docs/wrap.md"));
        let servers = blocks.iter().map(|entries| entries.servers.len());
        assert_eq!(servers.max(), Some(2));
        let views: Vec<_> =
            blocks.into_iter().filter(|entries| !entries.views.is_empty()).collect();
        assert!(!views.is_empty());
        for Entries { views, .. } in views {
            ViewMap::new(views).unwrap();
        }
    }
}
