//! A command that handles one call: arguments on stdin, the result on stdout.

use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use widgetcast::{Outcome, ToolError};

use super::{MAX_OUTPUT, outcome, too_large};
use crate::process::{Pipes, Process, Tail};

/// How to start the command of a tool.
#[derive(Debug)]
pub(super) struct Command {
    pub tool: String,
    program: PathBuf,
    args: Vec<String>,
    folder: PathBuf,
}

impl Command {
    pub(super) fn new(tool: &str, program: &str, args: &[String], folder: &Path) -> Self {
        // A bare name is looked up in PATH; a path is relative to the file, wherever the server was started.
        let program = match Path::new(program).components().count() {
            1 => program.into(),
            _ => folder.join(program),
        };
        Self { tool: tool.to_owned(), program, args: args.to_vec(), folder: folder.to_owned() }
    }

    pub(super) fn start(&self) -> Result<(Process, Pipes), ToolError> {
        let mut command = tokio::process::Command::new(&self.program);
        command.args(&self.args).current_dir(&self.folder);
        Process::start(command).map_err(|error| {
            let (tool, program) = (&self.tool, self.program.display());
            ToolError::public(format!(
                "{program} cannot be started: {error}; install it, or change `run` of [tools.{tool}]"
            ))
        })
    }

    /// Starts it with these arguments, and waits for its exit.
    pub(super) async fn call(&self, arguments: &Value) -> Result<Outcome, ToolError> {
        let (mut process, Pipes { mut input, output, errors }) = self.start()?;
        let tail = Tail::default();
        // One line, as for commands that stay running; shells can read it, too.
        let arguments = arguments.to_string() + "\n";
        let write = async {
            // The command may ignore its arguments.
            _ = input.write_all(arguments.as_bytes()).await;
            drop(input);
            Ok(())
        };
        let read = async {
            let mut printed = Vec::new();
            output.take(MAX_OUTPUT as u64 + 1).read_to_end(&mut printed).await?;
            match printed.len() > MAX_OUTPUT {
                true => Err(too_large(&self.tool)),
                false => Ok(printed),
            }
        };
        let follow = async {
            tail.clone().follow(errors).await;
            Ok(())
        };
        let ((), printed, ()) = tokio::try_join!(write, read, follow)?;
        let status = process.wait().await?;
        if !status.success() {
            return Err(self.failed(status, &tail));
        }
        let said = tail.lines();
        if !said.is_empty() {
            tracing::info!("{}: {said}", self.tool);
        }
        match String::from_utf8(printed) {
            Ok(text) => Ok(outcome(&text)),
            Err(_) => {
                Err(ToolError::public(format!("{} printed output that is not UTF-8", self.tool)))
            }
        }
    }

    /// The stderr of a failed program.
    pub(super) fn failed(&self, status: ExitStatus, tail: &Tail) -> ToolError {
        let (tool, lines) = (&self.tool, tail.lines());
        let colon = if lines.is_empty() { "" } else { ": " };
        ToolError::public(format!("{tool} failed ({status}){colon}{lines}"))
    }
}
