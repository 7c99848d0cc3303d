//! `compare`: our server compared with the floor, Node and Python, on one machine.
//!
//! Every server is pinned to one core and the driver to another; every reply is checked; variants are
//! interleaved in short slices within a round, and ratios are taken within a round, because the speed of a
//! shared machine varies by more than what is measured. Absolute figures are for orientation.

mod corpus;
mod drive;
mod goals;
mod http;
mod lifecycle;
pub(crate) mod process;
mod results;
mod stdio;
mod variant;
mod wire;

use std::path::PathBuf;
use std::process::Command;

use crate::error::Result;
use results::Results;
use variant::{HTTP, Programs, STDIO, Variant};

pub(crate) const USAGE: &str = "compare [--quick] [--rounds N] [--only NAME,…] [--server PATH] \
                                [--node PATH] [--check]";

/// The parsed arguments.
struct Options {
    rounds: usize,
    /// Ours and the floor, and the two peers that the goals speak of, at one concurrency.
    quick: bool,
    only: Option<Vec<String>>,
    server: Option<PathBuf>,
    node: Option<PathBuf>,
    /// Whether a missed goal is a failure.
    check: bool,
}

impl Options {
    fn parse(args: &[&str]) -> Result<Self> {
        let mut options =
            Self { rounds: 0, quick: false, only: None, server: None, node: None, check: false };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} wants a value"));
            match *arg {
                "--quick" => options.quick = true,
                "--check" => options.check = true,
                "--rounds" => options.rounds = value()?.parse()?,
                "--only" => options.only = Some(value()?.split(',').map(Into::into).collect()),
                "--server" => options.server = Some(std::fs::canonicalize(value()?)?),
                "--node" => options.node = Some(value()?.into()),
                other => return Err(format!("{other}?\nusage: widgetcast-bench {USAGE}").into()),
            }
        }
        if options.rounds == 0 {
            options.rounds = if options.quick { 3 } else { 5 };
        }
        Ok(options)
    }
}

pub(crate) fn run(args: &[&str]) -> Result {
    let options = Options::parse(args)?;
    process::pin_driver()?;
    let programs = Programs::new(options.server, options.node)?;
    let file = programs.out.join("compare.jsonl");
    let mut results = Results::new(&file)?;
    print_machine(&programs, options.rounds);

    let present = |all: &[Variant]| -> Vec<Variant> {
        let wanted = |name: &str| options.only.as_ref().is_none_or(|o| o.iter().any(|o| o == name));
        all.iter().copied().filter(|v| wanted(v.name) && programs.missing(*v).is_none()).collect()
    };
    for variant in HTTP {
        if let Some(why) = programs.missing(*variant) {
            println!("NOTICE: {} is left out, {why}", variant.name);
        }
    }
    let (http, stdio) = (present(HTTP), present(STDIO));
    let mut drive = drive::Drive::new(&programs, &mut results, options.rounds, corpus::served()?)?;
    let (flight, list) = (corpus::flight()?, corpus::list()?);
    drive.http("flight c=64", &http, &flight, 64)?;
    if !options.quick {
        drive.http("flight c=16", &without(&http, "python-modern"), &flight, 16)?;
        drive.http("flight c=1", &without(&http, "python-modern"), &flight, 1)?;
        drive.http("list c=64", &without(&http, "python-modern"), &list, 64)?;
    }
    drive.stdio("flight stdio 1", &stdio, &flight, 1)?;
    if !options.quick {
        drive.stdio("flight stdio 16", &stdio, &flight, 16)?;
    }
    lifecycle::start(&mut drive, "start gallery", &corpus::gallery(), &stdio)?;
    if stdio.contains(&variant::OURS) {
        let (few, many) = (corpus::Copies::new(16)?, corpus::Copies::new(10_000)?);
        let lazy = |v: &Variant| v.is_ours() || v.name == "node-v2";
        let lazy: Vec<Variant> = stdio.iter().copied().filter(lazy).collect();
        lifecycle::start(&mut drive, "start 10000", &many.dir, &lazy)?;
        drive.growth(&few, &many)?;
        lifecycle::reload(&mut drive, "reload 16", &few)?;
        lifecycle::reload(&mut drive, "reload 10000", &many)?;
    }
    let missed = goals::report(&mut results)?;
    println!("\nEvery figure is in {}.", file.display());
    if options.check && missed > 0 {
        return Err(format!("{missed} goals are missed").into());
    }
    Ok(())
}

fn without(variants: &[Variant], name: &str) -> Vec<Variant> {
    variants.iter().copied().filter(|variant| variant.name != name).collect()
}

/// Prints the processor and the versions, which the figures depend on.
fn print_machine(programs: &Programs, rounds: usize) {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cpu = cpu.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or_default();
    let node = Command::new(&programs.node).arg("--version").output();
    let node = node.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned());
    println!(
        "{}; Node {}; {rounds} rounds; median [least..greatest]",
        cpu.trim_start_matches([' ', '\t', ':']),
        node.unwrap_or_else(|_| "is not there".into()),
    );
}
