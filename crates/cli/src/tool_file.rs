//! `[tools]` of a configuration file: tools without a server, and following changes of the file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde::Deserialize;
use widgetcast::{App, BuildError, Builder, Tool};
use widgetcast_wrap::ToolConfig;

use crate::outcome::Failure;

/// The configuration file that is read if a served directory has it.
pub(crate) const FILE_NAME: &str = "widgetcast.toml";
/// How often the file, and those that its tools depend on, are looked at.
const POLL: Duration = Duration::from_secs(1);

/// The part of a configuration file that is about tools.
#[derive(Default, Deserialize)]
struct Entries {
    #[serde(default)]
    tools: BTreeMap<String, ToolConfig>,
}

/// The tools of a configuration file, and what they were read from.
pub(crate) struct ToolFile {
    path: PathBuf,
    tools: BTreeMap<String, Tool>,
    seen: Stamp,
}

/// The text of a file, and when the files that it names were changed.
#[derive(PartialEq, Eq)]
struct Stamp(Result<String, String>, Vec<Option<SystemTime>>);

/// The configuration file of a directory, if it has one.
pub(crate) fn of_dir(dir: &Path) -> Option<PathBuf> {
    Some(dir.join(FILE_NAME)).filter(|path| path.is_file())
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

    /// Replaces the tools of an app when the files change. With a mistake in them, the tools stay as they were.
    pub(crate) async fn follow(mut self, app: App) {
        // What failed may need a widget that is not loaded yet, so it is tried again with the next ones.
        let mut failed_with = None;
        loop {
            tokio::time::sleep(POLL).await;
            let catalog = app.current_catalog();
            let may_work_now =
                failed_with.as_ref().is_some_and(|with| !Arc::ptr_eq(with, &catalog));
            let now = Stamp::of(&self.path);
            if now == self.seen && !may_work_now {
                continue;
            }
            let read = now.tools(&self.path);
            self.seen = now;
            let replaced = read.and_then(|new| Ok(self.replace(&app, new)?));
            failed_with = match replaced {
                Ok(()) => {
                    tracing::info!("reloaded tools from {}", self.path.display());
                    None
                }
                Err(error) => {
                    tracing::warn!("{error}; keeping the previous tools");
                    Some(catalog)
                }
            };
        }
    }

    fn replace(&mut self, app: &App, new: BTreeMap<String, Tool>) -> Result<(), BuildError> {
        self.tools.keys().for_each(|name| app.remove_tool(name));
        let mut added = Vec::new();
        for (name, tool) in &new {
            if let Err(error) = app.add_tool(tool.clone()) {
                // Only those that were added: one that was in the way belongs to the app itself.
                added.into_iter().for_each(|name: &String| app.remove_tool(name));
                self.tools.values().cloned().try_for_each(|tool| app.add_tool(tool))?;
                return Err(error);
            }
            added.push(name);
        }
        self.tools = new;
        Ok(())
    }
}

impl Stamp {
    fn of(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).map_err(|error| error.to_string());
        let Entries { tools } = toml::from_str(text.as_deref().unwrap_or("")).unwrap_or_default();
        let changed = |file: &str| folder(path).join(file).metadata().ok()?.modified().ok();
        let times = tools.values().flat_map(ToolConfig::files).map(changed).collect();
        Self(text, times)
    }

    /// The tools of the text.
    fn tools(&self, path: &Path) -> Result<BTreeMap<String, Tool>, Failure> {
        let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = self.0.as_ref().map_err(|error| named(error))?;
        let Entries { tools } = toml::from_str(text).map_err(|error| named(&error))?;
        Ok(widgetcast_wrap::tools(tools, folder(path)).map_err(|error| named(&error))?)
    }
}

/// The folder that the paths in a file are relative to.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_the_page_about_tools() {
        let page = include_str!("../../../docs/tools.md");
        let blocks: Vec<&str> = page.split("```toml\n").skip(1).collect();
        assert!(blocks.len() >= 3, "{}", blocks.len());
        for block in blocks {
            let text = block.split("```").next().unwrap();
            let read: Entries =
                toml::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
            assert_eq!(read.tools.len(), 1, "{text}");
        }
    }
}
