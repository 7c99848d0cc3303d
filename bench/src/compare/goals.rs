//! The goals, and whether they are met.
//!
//! The median must pass, and the worst round must come within 60 % of the goal.

use serde_json::json;

use super::results::{Results, Spread, short};
use crate::error::Result;

enum Bound {
    AtMost(f64),
    AtLeast(f64),
}
use Bound::{AtLeast, AtMost};

enum Figure {
    /// One figure divided by another, round by round.
    Ratio(&'static str, &'static str),
    Value(&'static str),
}
use Figure::{Ratio, Value};

struct Goal {
    id: &'static str,
    what: &'static str,
    figure: Figure,
    bound: Bound,
}

const fn goal(id: &'static str, what: &'static str, figure: Figure, bound: Bound) -> Goal {
    Goal { id, what, figure, bound }
}

const OURS: &str = "flight c=64/ours/cpu";
const STDIO: &str = "flight stdio 1/ours/cpu";

const GOALS: &[Goal] = &[
    goal("G1", "CPU, HTTP c=64, of the floor's", Ratio(OURS, "flight c=64/floor/cpu"), AtMost(2.2)),
    goal(
        "G2",
        "CPU, HTTP c=64, Node v2's of ours",
        Ratio("flight c=64/node-v2/cpu", OURS),
        AtLeast(20.0),
    ),
    goal(
        "G2",
        "CPU, HTTP c=64, Node SDK 1's of ours",
        Ratio("flight c=64/node-sdk1/cpu", OURS),
        AtLeast(12.0),
    ),
    goal(
        "G3",
        "CPU, HTTP c=64, Python's of ours",
        Ratio("flight c=64/python/cpu", OURS),
        AtLeast(150.0),
    ),
    goal(
        "G4",
        "CPU, stdio, Node SDK 1's of ours",
        Ratio("flight stdio 1/node-sdk1/cpu", STDIO),
        AtLeast(7.0),
    ),
    goal(
        "G4",
        "CPU, stdio, Python's of ours",
        Ratio("flight stdio 1/python/cpu", STDIO),
        AtLeast(150.0),
    ),
    goal(
        "G5",
        "CPU, list of 20, HTTP c=64, Python's of ours",
        Ratio("list c=64/python/cpu", "list c=64/ours/cpu"),
        AtLeast(150.0),
    ),
    goal(
        "G6",
        "calls/s, HTTP c=64, of the floor's",
        Ratio("flight c=64/ours/rate", "flight c=64/floor/rate"),
        AtLeast(0.45),
    ),
    goal(
        "G6",
        "calls/s, HTTP c=64, of Node v2's",
        Ratio("flight c=64/ours/rate", "flight c=64/node-v2/rate"),
        AtLeast(20.0),
    ),
    goal(
        "G6",
        "calls/s, HTTP c=64, of Python's",
        Ratio("flight c=64/ours/rate", "flight c=64/python/rate"),
        AtLeast(150.0),
    ),
    goal(
        "G7",
        "p99, HTTP c=64, of the floor's",
        Ratio("flight c=64/ours/p99", "flight c=64/floor/p99"),
        AtMost(2.0),
    ),
    goal(
        "G7",
        "p99, HTTP c=64, Node v2's of ours",
        Ratio("flight c=64/node-v2/p99", "flight c=64/ours/p99"),
        AtLeast(40.0),
    ),
    goal(
        "G7",
        "p99, HTTP c=64, Python's of ours",
        Ratio("flight c=64/python/p99", "flight c=64/ours/p99"),
        AtLeast(120.0),
    ),
    goal("G9", "cold start with the gallery, ms", Value("start gallery/ours/wall"), AtMost(10.0)),
    goal("G10", "idle memory with the gallery, MB", Value("start gallery/ours/rss"), AtMost(12.0)),
    goal(
        "G10",
        "idle memory, Node v2's of ours",
        Ratio("start gallery/node-v2/rss", "start gallery/ours/rss"),
        AtLeast(8.0),
    ),
    goal(
        "G13",
        "cold start with 10,000 widgets, ms",
        Value("start 10000/ours/wall"),
        AtMost(500.0),
    ),
    goal("G15", "reload of one of 10,000, CPU ms", Value("reload 10000/ours/cpu"), AtMost(1.0)),
    goal(
        "G15",
        "the same, of that with 16",
        Ratio("reload 10000/ours/cpu", "reload 16/ours/cpu"),
        AtMost(1.5),
    ),
    goal("G15", "tools/list after that, ms", Value("reload 10000/ours/list"), AtMost(5.0)),
    goal(
        "G16",
        "CPU with 10,000 widgets, of that with 16",
        Ratio("copies 10000/ours/cpu", "copies 16/ours/cpu"),
        AtMost(1.15),
    ),
];

/// Prints every goal with its figure, and returns how many were missed.
pub(crate) fn report(results: &mut Results) -> Result<usize> {
    println!("\n### Goals\n\n| goal | what | must be | is | |\n|---|---|---|---|---|");
    let mut missed = 0;
    for Goal { id, what, figure, bound } in GOALS {
        let values = match figure {
            Ratio(over, under) => results.ratios(over, under),
            Value(name) => results.get(name).to_vec(),
        };
        let (must, limit) = match bound {
            AtMost(limit) => (format!("≤ {}", short(*limit)), limit),
            AtLeast(limit) => (format!("≥ {}", short(*limit)), limit),
        };
        let Some(spread) = Spread::of(&values) else {
            println!("| {id} | {what} | {must} | | not measured |");
            continue;
        };
        let met = match bound {
            AtMost(_) => spread.median <= *limit && spread.max <= limit / 0.6,
            AtLeast(_) => spread.median >= *limit && spread.min >= limit * 0.6,
        };
        missed += usize::from(!met);
        println!("| {id} | {what} | {must} | {spread} | {} |", if met { "ok" } else { "**MISS**" });
        results
            .line(&json!({"goal": id, "what": what, "must": must, "values": values, "met": met}))?;
    }
    Ok(missed)
}
