//! Cold start, idle memory and reload.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use super::corpus::Copies;
use super::drive::Drive;
use super::http::Connection;
use super::process::{Cpu, Server, free_port};
use super::results::Spread;
use super::stdio::Pipe;
use super::variant::{OURS, Transport, Variant};
use super::wire::{self, Era, FIRST_ID};
use crate::error::{Error, Result};

/// From starting the process to the answer to `tools/list` over stdio, and what it holds after that.
///
/// Not pinned by `taskset`, whose own start would count: the server inherits the driver's core, and the
/// driver waits meanwhile.
pub(crate) fn start(drive: &mut Drive<'_>, what: &str, dir: &Path, variants: &[Variant]) -> Result {
    println!(
        "\n### {what}: from nothing to `tools/list` over stdio\n\n| server | wall ms | CPU ms | RSS \
         MB | first page KB |\n|---|---|---|---|---|"
    );
    for round in 0..=drive.rounds {
        for variant in variants {
            // A start of milliseconds is repeated, and the median counts.
            let times = if variant.is_native() { 5 } else { 1 };
            let mut starts = Vec::new();
            for _ in 0..times {
                starts.push(start_once(drive, dir, *variant)?);
            }
            starts.sort_by(|a, b| a[0].total_cmp(&b[0]));
            let [wall, cpu, rss, page] = starts[times / 2];
            // The first round fills the page cache.
            if round == 0 {
                continue;
            }
            let figures = [("wall", wall), ("cpu", cpu), ("rss", rss), ("page", page)];
            for (unit, value) in figures {
                drive.results.put(what, variant.name, unit, value);
            }
            drive.results.line(&json!({
                "what": what, "variant": variant.name, "round": round,
                "wall": wall, "cpu": cpu, "rss": rss, "page": page,
            }))?;
        }
    }
    for variant in variants {
        let show = |unit| {
            let spread = drive.results.spread(what, variant.name, unit);
            spread.map_or(String::new(), |spread| spread.to_string())
        };
        let (wall, cpu, rss, page) = (show("wall"), show("cpu"), show("rss"), show("page"));
        println!("| {} | {wall} | {cpu} | {rss} | {page} |", variant.name);
    }
    Ok(())
}

/// Wall and CPU milliseconds, MB at rest, and KB of the first page.
fn start_once(drive: &Drive<'_>, dir: &Path, variant: Variant) -> Result<[f64; 4]> {
    let command = drive.programs.command(variant, dir, Transport::Stdio)?;
    let log = drive.programs.log(variant);
    let begin = Instant::now();
    let mut pipe = Pipe::open(&command, false, variant.era, &log)?;
    let (arrived, bytes) = pipe.list()?;
    let wall = (arrived - begin).as_secs_f64() * 1e3;
    let cpu = pipe.server.cpu().since(&Cpu::default()).as_secs_f64() * 1e3;
    // Work deferred until after the first response counts as idle memory.
    std::thread::sleep(Duration::from_millis(300));
    Ok([wall, cpu, pipe.server.rss(), bytes as f64 / 1e3])
}

/// How long to wait after an edit: longer than a watcher may debounce events.
const QUIET: Duration = Duration::from_millis(1500);

/// Edits whose CPU time is averaged: that of one is below the noise.
const EDITS: usize = 4;

/// One widget is edited under a watching server: CPU from the edit until a call shows the new version,
/// that call included, less what the server spends in the same time without an edit: at rest, and on a
/// call after it, which finds nothing in the caches. Then `tools/list`.
pub(crate) fn reload(drive: &mut Drive<'_>, what: &str, copies: &Copies) -> Result {
    let port = free_port()?;
    let mut command = drive.programs.command(OURS, &copies.dir, Transport::Http(port))?;
    command.push("--watch".into());
    let server = Server::http(&command, port, &drive.programs.log(OURS))?;
    let mut connection = drive.runtime.block_on(Connection::open(port, OURS.era))?;
    // Work deferred at the start is not part of a reload.
    server.settle();
    let list = wire::message(Era::Modern, "tools/list", json!({}), FIRST_ID);
    let list = wire::http(Era::Modern, "tools/list", None, None, &list);
    drive.runtime.block_on(async { connection.send(&list, 200).await.map(|_| ()) })?;

    let any = copies.calls(1)?.remove(0).http(OURS.era, None);

    for round in 0..=drive.rounds {
        let mut rests = Vec::new();
        for _ in 0..EDITS {
            let before = server.cpu();
            std::thread::sleep(QUIET);
            drive.runtime.block_on(async { connection.send(&any, 200).await.map(|_| ()) })?;
            rests.push(server.cpu().since(&before).as_secs_f64() * 1e3);
        }
        let rest = Spread::of(&rests).map_or(0.0, |spread| spread.median);

        let (mut cpu, mut listed, mut bytes) = (0.0, Vec::new(), 0);
        for edit in 0..EDITS {
            let before = server.cpu();
            let call = copies.edit(round, round * 100 + edit)?;
            std::thread::sleep(QUIET);
            let request = call.http(OURS.era, None);
            let shown = drive.runtime.block_on(async {
                let body = connection.send(&request, 200).await?;
                call.check(body)
            });
            shown.map_err(|fault| format!("{what}: {QUIET:?} after the edit: {fault}"))?;
            let spent = server.cpu().since(&before).as_secs_f64() * 1e3;
            cpu += (spent - rest) / EDITS as f64;
            let begin = Instant::now();
            let list = connection.send(&list, 200);
            bytes = drive.runtime.block_on(async { list.await.map(<[u8]>::len) })?;
            listed.push(begin.elapsed().as_secs_f64() * 1e3);
        }
        let listed = Spread::of(&listed).map_or(0.0, |spread| spread.median);

        // Once more while polling: the latency that a user sees.
        let begin = Instant::now();
        let call = copies.edit(round, round * 100 + EDITS)?;
        let request = call.http(OURS.era, None);
        let seen = drive.runtime.block_on(async {
            while begin.elapsed() < QUIET * 4 {
                if call.check(connection.send(&request, 200).await?).is_ok() {
                    return Ok::<f64, Error>(begin.elapsed().as_secs_f64() * 1e3);
                }
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
            Err("the second edit is never shown".into())
        })?;
        if round == 0 {
            continue;
        }
        for (unit, value) in [("cpu", cpu), ("list", listed), ("seen", seen)] {
            drive.results.put(what, OURS.name, unit, value);
        }
        drive.results.line(&json!({
            "what": what, "round": round, "cpu": cpu, "list": listed, "seen": seen,
            "rest": rest, "bytes": bytes,
        }))?;
    }
    let show = |unit| {
        let spread = drive.results.spread(what, OURS.name, unit);
        spread.map_or(String::new(), |spread| spread.to_string())
    };
    println!(
        "\n### {what}\n\n- CPU that an edit costs, until a call shows it: {} ms\n- `tools/list` \
         after it: {} ms\n- from the edit until a client sees it: {} ms",
        show("cpu"),
        show("list"),
        show("seen"),
    );
    Ok(())
}
