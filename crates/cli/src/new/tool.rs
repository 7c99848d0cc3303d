//! `widgetcast new --tool`: creates a handler, its test, and its entry in `widgetcast.toml`.

use std::path::{Path, PathBuf};

use super::file::create;
use crate::outcome::{Failure, Outcome};
use crate::tool_file::FILE_NAME;

/// The widget that shows what the tool returns.
pub(super) const WIDGET: &str = include_str!("../../starters/tool/figure.widget");

/// The kind of handler.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum ToolKind {
    /// A function in Python
    Python,
    /// A function in JavaScript, for Node
    Node,
    /// An HTTP API
    Http,
}

/// The files to write.
pub(super) struct Plan {
    files: Vec<(PathBuf, String)>,
    config: PathBuf,
    /// The whole text of the configuration file.
    entries: String,
    /// Commands to try it.
    try_it: String,
}

/// Plans the files, and fails if one would be overwritten.
pub(super) fn plan(kind: ToolKind, dir: &Path, tool: &str) -> Result<Plan, Failure> {
    let (entry, files, test, sample): (_, &[(&str, &str)], _, _) = match kind {
        ToolKind::Python => (
            include_str!("../../starters/tool/python.toml"),
            &[
                ("tools/TOOL.py", include_str!("../../starters/tool/tool.py")),
                ("tools/test_TOOL.py", include_str!("../../starters/tool/test.py")),
            ],
            Some("python3 DIR/tools/test_TOOL.py"),
            r#"{"amount": 50}"#,
        ),
        ToolKind::Node => (
            include_str!("../../starters/tool/node.toml"),
            &[
                ("tools/TOOL.mjs", include_str!("../../starters/tool/tool.mjs")),
                ("tools/TOOL.test.mjs", include_str!("../../starters/tool/test.mjs")),
            ],
            Some("node --test DIR/tools/TOOL.test.mjs"),
            r#"{"amount": 50}"#,
        ),
        ToolKind::Http => (
            include_str!("../../starters/tool/http.toml"),
            &[],
            None,
            r#"{"owner": "rust-lang", "name": "rust"}"#,
        ),
    };
    let fill = |text: &str| text.replace("TOOL", tool);
    let files: Vec<(PathBuf, String)> =
        files.iter().map(|(path, text)| (dir.join(fill(path)), fill(text))).collect();
    if let Some((path, _)) = files.iter().find(|(path, _)| path.exists()) {
        return Err(format!("{} already exists; choose another name", path.display()).into());
    }
    let config = dir.join(FILE_NAME);
    let entries = match std::fs::read_to_string(&config) {
        Ok(text) => format!("{}\n\n{}", text.trim_end(), fill(entry)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => fill(entry),
        Err(error) => return Err(format!("{}: {error}", config.display()).into()),
    };
    if let Err(error) = toml::from_str::<toml::Table>(&entries) {
        let config = config.display();
        return Err(format!("cannot add [tools.{tool}] to {config}: {error}").into());
    }
    let dir = dir.display().to_string();
    let test = test.map(|test| format!("test it:   {}\n", fill(test).replace("DIR", &dir)));
    let try_it = format!(
        "\n{}call it:   widgetcast call {tool} --dir {dir} --data '{sample}'\n\
         serve it:  widgetcast serve {dir} --watch --open",
        test.unwrap_or_default()
    );
    Ok(Plan { files, config, entries, try_it })
}

impl Plan {
    pub(super) fn write(&self) -> Result<Outcome, Failure> {
        for (path, text) in &self.files {
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)
                    .map_err(|error| format!("{}: {error}", folder.display()))?;
            }
            create(path, text)?;
            say!("wrote {}", path.display());
        }
        let config = self.config.display();
        std::fs::write(&self.config, &self.entries)
            .map_err(|error| format!("{config}: {error}"))?;
        say!("wrote {config}, which configures the tool\n{}", self.try_it);
        Ok(Outcome::Clean)
    }
}
