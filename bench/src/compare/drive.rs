//! Runs the rounds of a scenario: every variant in turn, in short slices; then prints the table.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;
use tokio::runtime::Runtime;

use super::corpus::Copies;
use super::http::{Load, LoadRun};
use super::process::{OtherLoad, Server, free_port};
use super::results::{Results, Spread};
use super::stdio::Pipe;
use super::variant::{OURS, Programs, Transport, Variant};
use super::wire::{Call, Expect};
use crate::error::{Error, Result};

/// Slices of a round for each variant. The clock of a shared machine jumps within seconds, and slow
/// spells last for tens of milliseconds: so a round is cut into pieces that alternate, and its figures
/// are the medians of theirs.
const SLICES: usize = 5;
/// How often a slice is repeated because other processes kept a core busy, and the share of it that
/// they may use.
const ATTEMPTS: usize = 4;
const QUIET: f64 = 0.08;

pub(crate) struct Drive<'a> {
    pub programs: &'a Programs,
    pub results: &'a mut Results,
    pub rounds: usize,
    pub runtime: Runtime,
    gallery: PathBuf,
}

/// The measurements of one variant in one slice.
struct Slice {
    run: LoadRun,
    cpu: Duration,
    rss: f64,
    /// The share of a core that other processes used.
    others: f64,
}

impl Slice {
    /// Figures by their units.
    fn figures(mut self) -> [(&'static str, f64); 6] {
        let LoadRun { calls, wall, latencies } = &mut self.run;
        let calls = *calls as f64;
        latencies.sort_unstable();
        let at = |part: f64| {
            let index = (latencies.len() as f64 * part) as usize;
            latencies.get(index).map_or(0.0, |ns| f64::from(*ns) / 1e3)
        };
        [
            ("cpu", self.cpu.as_secs_f64() * 1e6 / calls),
            ("rate", calls / wall.as_secs_f64()),
            ("p50", at(0.50)),
            ("p99", at(0.99)),
            ("rss", self.rss),
            ("others", self.others * 100.0),
        ]
    }
}

/// A server under load, over either transport.
enum Running {
    Http(Server, Load),
    Stdio(Box<Pipe>, Box<Expect>),
}

impl Running {
    fn server(&self) -> &Server {
        match self {
            Self::Http(server, _) => server,
            Self::Stdio(pipe, _) => &pipe.server,
        }
    }
}

impl<'a> Drive<'a> {
    pub(crate) fn new(
        programs: &'a Programs,
        results: &'a mut Results,
        rounds: usize,
        gallery: PathBuf,
    ) -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        Ok(Self { programs, results, rounds, runtime, gallery })
    }

    /// A scenario over HTTP in a closed loop.
    pub(crate) fn http(
        &mut self,
        what: &str,
        variants: &[Variant],
        call: &Call,
        connections: usize,
    ) -> Result {
        let captured = self.capture(variants, call)?;
        let start = |drive: &Self, variant: Variant| {
            let dir = if variant.is_floor() { &captured } else { &drive.gallery };
            let port = free_port()?;
            let command = drive.programs.command(variant, dir, Transport::Http(port))?;
            let server = Server::http(&command, port, &drive.programs.log(variant))?;
            let calls = std::slice::from_ref(call);
            let mut load = Load::open(&drive.runtime, port, variant.era, calls, connections)?;
            load.warm(&drive.runtime, variant.warm())?;
            Ok(Running::Http(server, load))
        };
        self.rounds(what, variants, call, connections, start)
    }

    /// A scenario over stdio.
    pub(crate) fn stdio(
        &mut self,
        what: &str,
        variants: &[Variant],
        call: &Call,
        flight: usize,
    ) -> Result {
        let start = |drive: &Self, variant: Variant| {
            let command = drive.programs.command(variant, &drive.gallery, Transport::Stdio)?;
            let log = drive.programs.log(variant);
            let mut pipe = Pipe::open(&command, true, variant.era, &log)?;
            let mut expect = pipe.learn(call)?;
            let least = variant.warm_calls();
            pipe.run(call, &mut expect, flight as u64, Duration::ZERO, least)?;
            Ok(Running::Stdio(Box::new(pipe), Box::new(expect)))
        };
        self.rounds(what, variants, call, flight, start)
    }

    /// The response of the floor: the bytes of our server's, or without our server a result of the same
    /// shape.
    fn capture(&self, variants: &[Variant], call: &Call) -> Result<PathBuf> {
        let file = self.programs.out.join(format!("{}.reply.json", call.tool));
        if variants.contains(&OURS) {
            let port = free_port()?;
            let command = self.programs.command(OURS, &self.gallery, Transport::Http(port))?;
            let _server = Server::http(&command, port, &self.programs.log(OURS))?;
            let calls = std::slice::from_ref(call);
            let load = Load::open(&self.runtime, port, OURS.era, calls, 1)?;
            if !load.is_exact() {
                println!("NOTICE: only every 50th of our replies is compared as a whole");
            }
            std::fs::write(&file, load.sample())?;
        } else {
            let result = json!({
                "content": [{"type": "text", "text": "a widget"}],
                "_meta": {"widgetcast/view": {"uri": "ui://widgetcast/view", "tree": call.tree}},
                "resultType": "complete",
            });
            let reply = json!({"jsonrpc": "2.0", "id": super::wire::FIRST_ID, "result": result});
            std::fs::write(&file, reply.to_string())?;
        }
        Ok(file)
    }

    fn rounds(
        &mut self,
        what: &str,
        variants: &[Variant],
        call: &Call,
        flight: usize,
        start: impl Fn(&Self, Variant) -> Result<Running>,
    ) -> Result {
        let mut running: Vec<Option<Running>> = variants.iter().map(|_| None).collect();
        for round in 0..self.rounds {
            let mut slices: Vec<Vec<Slice>> = variants.iter().map(|_| Vec::new()).collect();
            for (variant, slot) in variants.iter().zip(&mut running) {
                if slot.is_none() || variant.is_native() {
                    *slot = None;
                    let fault = |fault: Error| format!("{what}, {}: {fault}", variant.name);
                    *slot = Some(start(self, *variant).map_err(fault)?);
                }
            }
            for _ in 0..SLICES {
                for ((variant, slot), done) in variants.iter().zip(&mut running).zip(&mut slices) {
                    let Some(running) = slot else { continue };
                    let fault = |fault: Error| format!("{what}, {}: {fault}", variant.name);
                    let slice = self.slice(running, call, flight, variant.slice());
                    done.push(slice.map_err(fault)?);
                }
            }
            for (variant, slices) in variants.iter().zip(slices) {
                self.record(what, *variant, round, slices)?;
            }
        }
        self.table(what, variants);
        Ok(())
    }

    /// A slice undisturbed by other processes, else the least disturbed of a few attempts.
    fn slice(
        &self,
        running: &mut Running,
        call: &Call,
        flight: usize,
        time: Duration,
    ) -> Result<Slice> {
        let mut best: Option<Slice> = None;
        for _ in 0..ATTEMPTS {
            if let Running::Http(_, load) = running {
                load.wake(&self.runtime)?;
            }
            let others = OtherLoad::watch(running.server());
            let before = running.server().cpu();
            let run = match running {
                Running::Http(_, load) => load.run(&self.runtime, time)?,
                Running::Stdio(pipe, expect) => pipe.run(call, expect, flight as u64, time, 1)?,
            };
            let server = running.server();
            let cpu = server.cpu().since(&before);
            let slice = Slice { run, cpu, rss: server.rss(), others: others.share(server) };
            if best.as_ref().is_none_or(|best| slice.others < best.others) {
                best = Some(slice);
            }
            if best.as_ref().is_some_and(|best| best.others < QUIET) {
                break;
            }
        }
        best.ok_or_else(|| "no attempt".into())
    }

    fn record(&mut self, what: &str, variant: Variant, round: usize, slices: Vec<Slice>) -> Result {
        let mut units: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for (unit, value) in slices.into_iter().flat_map(Slice::figures) {
            units.entry(unit).or_default().push(value);
        }
        for (unit, values) in &units {
            let Some(spread) = Spread::of(values) else { continue };
            // Of the load of other processes the worst counts.
            let value = if *unit == "others" { spread.max } else { spread.median };
            self.results.put(what, variant.name, unit, value);
        }
        self.results.line(&json!({
            "what": what, "variant": variant.name, "round": round, "slices": units,
        }))
    }

    fn table(&self, what: &str, variants: &[Variant]) {
        println!(
            "\n### {what}\n\n| server | CPU us/call | CPU of ours | CPU of the floor's | calls/s | \
             p50 us | p99 us | RSS MB | others % |\n|---|---|---|---|---|---|---|---|---|"
        );
        for variant in variants {
            let name = variant.name;
            let show = |unit| {
                let spread = self.results.spread(what, name, unit);
                spread.map_or(String::new(), |spread| spread.to_string())
            };
            let middle = |unit| {
                let spread = self.results.spread(what, name, unit);
                spread.map_or(String::new(), |spread| super::results::short(spread.median))
            };
            let of = |other: &str| {
                let cpu = |name: &str| format!("{what}/{name}/cpu");
                let ratios = self.results.ratios(&cpu(name), &cpu(other));
                Spread::of(&ratios).map_or(String::new(), |spread| spread.to_string())
            };
            println!(
                "| {name} | {} | {} | {} | {} | {} | {} | {} | {} |",
                show("cpu"),
                of("ours"),
                of("floor"),
                middle("rate"),
                middle("p50"),
                middle("p99"),
                middle("rss"),
                middle("others"),
            );
        }
    }

    /// What a call costs with few and with many widgets: the same eight of them in turn.
    pub(crate) fn growth(&mut self, few: &Copies, many: &Copies) -> Result {
        println!("\n### CPU per call with 16 and with 10,000 widgets\n");
        let whats = ["copies 16", "copies 10000"];
        for round in 0..self.rounds {
            let mut running = Vec::new();
            for copies in [few, many] {
                let port = free_port()?;
                let command = self.programs.command(OURS, &copies.dir, Transport::Http(port))?;
                let server = Server::http(&command, port, &self.programs.log(OURS))?;
                let spent = server.settle().as_secs_f64() * 1e3;
                self.results.put(whats[running.len()], OURS.name, "settled", spent);
                let calls = copies.calls(8)?;
                let mut load = Load::open(&self.runtime, port, OURS.era, &calls, 64)?;
                load.warm(&self.runtime, OURS.warm())?;
                running.push((Running::Http(server, load), calls, Vec::new()));
            }
            for _ in 0..SLICES {
                for (running, calls, slices) in &mut running {
                    slices.push(self.slice(running, &calls[0], 64, OURS.slice())?);
                }
            }
            for (what, (_, _, slices)) in whats.iter().zip(running) {
                self.record(what, OURS, round, slices)?;
            }
        }
        for what in whats {
            let show = |unit| {
                let spread = self.results.spread(what, OURS.name, unit);
                spread.map_or(String::new(), |spread| spread.to_string())
            };
            println!(
                "- {what}: {} us CPU per call; {} MB; {} ms CPU from the start until at rest",
                show("cpu"),
                show("rss"),
                show("settled"),
            );
        }
        Ok(())
    }
}
