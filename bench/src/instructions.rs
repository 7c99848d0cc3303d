//! Counts instructions per stage and compares them with the committed counts: validation, surfaces and
//! whole answers may rise by 10 %, any other stage by 3 %.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::error::Result;
use crate::stage::subjects;

/// What to do with the counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Print,
    Check,
    Write,
}

/// The factor by which a count may rise. The surfaces, the whole answer and the validation get more room:
/// another directory gives other symbol names and so another order of inlining, and the same code differed
/// by up to 7 % between two builds.
fn allowed_rise(name: &str) -> f64 {
    let is_inlined = ["/present-", "/answer", "/validate"].iter().any(|stage| name.contains(stage));
    if is_inlined { 1.10 } else { 1.03 }
}

fn has_risen(name: &str, before: u64, count: u64) -> bool {
    count as f64 > before as f64 * allowed_rise(name) + TOLERANCE
}

/// The precision of a count, in instructions.
const TOLERANCE: f64 = 300.0;
/// Instructions to run for one count of a stage.
const TARGET_INSTRUCTIONS: u64 = 10_000_000;
/// How often a stage that rose is counted again: the hash seeds of a process make some counts differ by
/// 3 % between two runs, and the order of keys in a map is the same for all of one run.
const RECOUNTS: usize = 3;

/// The goals, in instructions from parsed arguments to checked JSON.
const GOALS: &[(&str, u64)] = &[
    ("studio-flight/call", 70_000),
    ("studio-list-20/call", 450_000),
    ("studio-flight/call-slow", 180_000),
    ("studio-list-20/call-slow", 1_600_000),
];

pub(crate) fn run(mode: Mode) -> Result {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("instructions.json");
    let text = std::fs::read_to_string(&file).unwrap_or_else(|_| "{}".into());
    let mut committed: BTreeMap<String, u64> = serde_json::from_str(&text)?;
    let mut counts = BTreeMap::new();
    println!(
        "{:28} {:>12} {:>12} {:>8} {:>12}",
        "stage", "instructions", "committed", "change", "goal"
    );
    for subject in subjects() {
        for stage in subject.stages {
            let name = format!("{}/{stage}", subject.name);
            let before = committed.get(&name).copied();
            let mut count = measure(&name)?;
            for _ in 0..RECOUNTS {
                if before.is_some_and(|before| has_risen(&name, before, count)) {
                    count = count.min(measure(&name)?);
                }
            }
            let change = before.map_or("new".into(), |b| {
                format!("{:+.1} %", (count as f64 / b as f64 - 1.0) * 100.0)
            });
            let goal = GOALS.iter().find(|(goal, _)| *goal == name).map(|(_, goal)| *goal);
            println!(
                "{name:28} {count:>12} {:>12} {change:>8} {:>12}",
                before.map_or(String::new(), |b| b.to_string()),
                goal.map_or(String::new(), |goal| goal.to_string()),
            );
            counts.insert(name, count);
        }
    }
    if mode == Mode::Write {
        // Removes stages that no longer exist; keeps those of a corpus that is absent here.
        committed.retain(|name, _| counts.contains_key(name) || name.starts_with("studio"));
        committed.extend(counts);
        std::fs::write(&file, serde_json::to_string_pretty(&committed)? + "\n")?;
        return Ok(());
    }
    if mode == Mode::Print {
        return Ok(());
    }
    let mut faults = Vec::new();
    for (name, count) in &counts {
        match committed.get(name) {
            Some(before) if has_risen(name, *before, *count) => {
                faults.push(format!("{name} rose from {before} to {count}"));
            }
            Some(_) => {}
            None => faults.push(format!("{name} has no committed count")),
        }
    }
    for (name, goal) in GOALS {
        if counts.get(*name).is_some_and(|count| count > goal) {
            faults.push(format!("{name} is over its goal of {goal}"));
        }
    }
    if faults.is_empty() {
        println!("{} passed, 0 failed", counts.len());
        return Ok(());
    }
    faults.push(
        "if the rise is worth it: cargo run --profile dist -p widgetcast-bench -- instructions --write"
            .into(),
    );
    Err(faults.join("\n").into())
}

/// The difference of two runs, which leaves out the start of the process. Runs differ by some tens of
/// thousands of instructions (hash seeds, addresses), so a cheap stage is run often enough to make that
/// negligible.
fn measure(name: &str) -> Result<u64> {
    const BASE_ROUNDS: u64 = 2;
    let out = std::env::temp_dir().join(format!("widgetcast-callgrind-{}", std::process::id()));
    let count = |rounds| callgrind(name, rounds, &out);
    let base = count(BASE_ROUNDS)?;
    let rough = count(BASE_ROUNDS + 10)?.saturating_sub(base) / 10;
    let rounds = (TARGET_INSTRUCTIONS / rough.max(1)).clamp(20, 2000);
    let all = count(BASE_ROUNDS + rounds)?;
    let _ = std::fs::remove_file(&out);
    Ok(all.saturating_sub(base) / rounds)
}

/// Counts the instructions of a stage, whose profile is then in `out`.
pub(crate) fn callgrind(name: &str, rounds: u64, out: &Path) -> Result<u64> {
    let output = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(std::env::current_exe()?)
        .args(["stage", name, &rounds.to_string()])
        .output()
        .map_err(|error| {
            format!("valgrind cannot be run ({error}); Debian has it as `valgrind`")
        })?;
    let text = String::from_utf8_lossy(&output.stderr);
    let count =
        text.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
    count.ok_or_else(|| format!("callgrind gave no count for {name}: {text}").into())
}
