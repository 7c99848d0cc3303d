//! A client over pipes: lines out, lines in, one or several calls in flight.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use serde_json::json;

use super::http::LoadRun;
use super::process::Server;
use super::wire::{self, Call, Era, Expect, FIRST_ID};
use crate::error::Result;

/// More than are ever in flight; divides [`IDS`].
const RING: usize = 64;
/// As many ids as have six digits, so that few come twice.
const IDS: u64 = 896_000;

pub(crate) struct Pipe {
    pub server: Server,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    line: Vec<u8>,
    era: Era,
}

impl Pipe {
    pub(crate) fn open(command: &[String], pin: bool, era: Era, log: &Path) -> Result<Self> {
        let (server, input, output) = Server::stdio(command, pin, log)?;
        let output = BufReader::with_capacity(1 << 16, output);
        let mut new = Self { server, input, output, line: Vec::new(), era };
        if era == Era::Legacy {
            new.write(&wire::initialize())?;
            new.read()?;
            new.write(wire::INITIALIZED)?;
        }
        Ok(new)
    }

    fn write(&mut self, text: &str) -> Result {
        let mut line = Vec::with_capacity(text.len() + 1);
        line.extend_from_slice(text.as_bytes());
        line.push(b'\n');
        Ok(self.input.write_all(&line)?)
    }

    /// The next reply; notifications are passed over.
    fn read(&mut self) -> Result<&[u8]> {
        loop {
            self.line.clear();
            if self.output.read_until(b'\n', &mut self.line)? == 0 {
                return Err("the server closed its output".into());
            }
            if !self.line.starts_with(br#"{"jsonrpc":"2.0","method":"#) {
                return Ok(self.line.trim_ascii_end());
            }
        }
    }

    /// Asks for the first page of the tools; tells when it was there, and its size in bytes.
    pub(crate) fn list(&mut self) -> Result<(Instant, usize)> {
        self.write(&wire::message(self.era, "tools/list", json!({}), FIRST_ID))?;
        let body = self.read()?;
        let arrived = Instant::now();
        let reply = wire::parse(body)?;
        match reply["result"]["tools"].as_array() {
            Some(tools) if !tools.is_empty() => Ok((arrived, body.len())),
            _ => Err("no tools are listed".into()),
        }
    }

    /// Learns what the replies to a call are.
    pub(crate) fn learn(&mut self, call: &Call) -> Result<Expect> {
        let body = call.body(self.era, FIRST_ID);
        self.write(&body)?;
        let first = self.read()?.to_vec();
        self.write(&body)?;
        Expect::new(call, &first, self.read()?)
    }

    /// Calls for a time, but at least so often.
    pub(crate) fn run(
        &mut self,
        call: &Call,
        expect: &mut Expect,
        flight: u64,
        time: Duration,
        least: u64,
    ) -> Result<LoadRun> {
        // The id is the only thing that changes: the rest of the line is made once.
        let body = call.body(self.era, FIRST_ID);
        let (before, after) = body.split_once(&FIRST_ID.to_string()).ok_or("no id")?;
        let mut sum = LoadRun::default();
        let mut sent = [Instant::now(); RING];
        let (mut next, mut open) = (0, 0);
        let start = Instant::now();
        loop {
            let on = sum.calls < least || start.elapsed() < time;
            while on && open < flight {
                let line = format!("{before}{}{after}\n", FIRST_ID + next % IDS);
                sent[next as usize % RING] = Instant::now();
                self.input.write_all(line.as_bytes())?;
                next += 1;
                open += 1;
            }
            if open == 0 {
                break;
            }
            // Replies may come in any order.
            let id = expect.check(self.read()?)? - FIRST_ID;
            let time = sent[id as usize % RING].elapsed();
            sum.latencies.push(time.as_nanos().min(u32::MAX.into()) as u32);
            sum.calls += 1;
            open -= 1;
        }
        sum.wall = start.elapsed();
        Ok(sum)
    }
}
