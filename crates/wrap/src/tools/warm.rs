//! Commands that stay running between calls: one line of JSON in, one line of JSON out.
//!
//! A call takes an idle process or starts one, so that none waits for another. A process that failed in any
//! way, or whose call was cancelled, is not reused.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use futures_util::{FutureExt as _, StreamExt as _};
use serde::de::IgnoredAny;
use serde_json::Value;
use tokio::io::AsyncWriteExt as _;
use tokio::process::{ChildStdin, ChildStdout};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::codec::{FramedRead, LinesCodec, LinesCodecError};
use widgetcast::{Outcome, ToolError};

use super::command::Command;
use super::{MAX_OUTPUT, outcome, too_large};
use crate::process::{Pipes, Process, Tail};

/// How long a process may take to exit after its stdout is closed.
const END_TIMEOUT: Duration = Duration::from_secs(1);
/// Maximum bytes of invalid output that an error shows.
const MAX_SHOWN: usize = 200;

/// The idle processes of a command.
#[derive(Debug)]
pub(super) struct Warm {
    command: Command,
    most: usize,
    idle: Mutex<Vec<Running>>,
}

#[derive(Debug)]
struct Running {
    process: Process,
    input: ChildStdin,
    lines: FramedRead<ChildStdout, LinesCodec>,
    tail: Tail,
    following: JoinHandle<()>,
}

impl Warm {
    pub(super) fn new(command: Command, most: usize) -> Self {
        Self { command, most, idle: Mutex::default() }
    }

    pub(super) async fn call(&self, arguments: &Value) -> Result<Outcome, ToolError> {
        let mut running = match self.take().await {
            Some(running) => running,
            None => self.start()?,
        };
        let line = arguments.to_string() + "\n";
        // If it does not read, it has exited, or responds without reading: both are handled below.
        _ = running.input.write_all(line.as_bytes()).await;
        let tool = &self.command.tool;
        let printed = match running.lines.next().await {
            Some(Ok(printed)) => printed,
            Some(Err(LinesCodecError::MaxLineLengthExceeded)) => return Err(too_large(tool)),
            Some(Err(LinesCodecError::Io(error))) => return Err(error.into()),
            None => return Err(self.ended(running).await),
        };
        if serde_json::from_str::<IgnoredAny>(&printed).is_err() {
            let shown: String = printed.chars().take(MAX_SHOWN).collect();
            return Err(ToolError::public(format!(
                "{tool} printed a line that is not JSON: {shown:?}; with `keep`, print one line of JSON for each \
                 line of input, and everything else to stderr"
            )));
        }
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < self.most {
            idle.push(running);
        }
        Ok(outcome(&printed))
    }

    /// An idle process that is alive and has printed nothing since its last response, because that would be
    /// read as the response to the next call.
    async fn take(&self) -> Option<Running> {
        loop {
            let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut running = idle?;
            // Lets the runtime poll the pipe.
            tokio::task::yield_now().await;
            let is_alive = matches!(running.process.0.try_wait(), Ok(None));
            if is_alive && running.lines.next().now_or_never().is_none() {
                // Its stderr for one caller must not be shown to the next.
                running.tail.clear();
                return Some(running);
            }
        }
    }

    fn start(&self) -> Result<Running, ToolError> {
        let (process, Pipes { input, output, errors }) = self.command.start()?;
        let tail = Tail::default();
        let following = tokio::spawn(tail.clone().follow(errors));
        let lines = FramedRead::new(output, LinesCodec::new_with_max_length(MAX_OUTPUT));
        Ok(Running { process, input, lines, tail, following })
    }

    /// Why a process exited without a response.
    async fn ended(&self, running: Running) -> ToolError {
        let Running { mut process, input, tail, following, .. } = running;
        drop(input);
        let end = async {
            let status = process.wait().await;
            _ = following.await;
            status
        };
        match timeout(END_TIMEOUT, end).await {
            Ok(Ok(status)) => self.command.failed(status, &tail),
            Ok(Err(error)) => error.into(),
            Err(_) => {
                let tool = &self.command.tool;
                ToolError::public(format!("{tool} closed stdout without a response"))
            }
        }
    }
}
