//! `widgetcast new`: writes a commented widget to start from.

use std::io::Write as _;
use std::path::Path;

use widgetcast_core::tool_name;

use crate::outcome::{Failure, Outcome};

const START: &str = include_str!("start.widget");

pub(crate) fn run(name: &str, dir: &Path) -> Result<Outcome, Failure> {
    let tool = tool_name(name);
    if tool.is_empty() {
        return Err(format!(
            "{name:?} gives no tool name; use at least one letter a to z or digit"
        )
        .into());
    }
    let file = dir.join(format!("{tool}.widget"));
    let text = START.replace("NAME", &serde_json::to_string(name)?);
    std::fs::create_dir_all(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    // `create_new` never overwrites a file.
    let mut created = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&file)
        .map_err(|error| match error.kind() {
            std::io::ErrorKind::AlreadyExists => {
                format!("{} is there already; choose another name, or delete it", file.display())
            }
            _ => format!("{}: {error}", file.display()),
        })?;
    created.write_all(text.as_bytes())?;
    let file = file.display();
    anstream::println!(
        "wrote {file}\n\ndraw it:   widgetcast render {file}\ncheck it:  widgetcast check {file}"
    );
    Ok(Outcome::Clean)
}
