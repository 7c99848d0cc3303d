//! `soak`: 64 clients call, well and badly, and talk in the chat, a million times in all, and compare every
//! answer; memory and descriptors must not grow. Then the server is stopped under the same load, again and again, and no
//! request may stay without its answer.

mod chat;
mod client;
mod requests;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::target::Target;
use client::{Client, Outcome};
use requests::Requests;

pub(crate) const USAGE: &str = "soak PROGRAM [CALLS [STOPS]]";

const CLIENTS: usize = 64;
/// What the process may hold more at the end than after the first tenth of the calls.
const MAX_GROWTH: usize = 10 << 20;
/// One call in so many is one of the chat.
const CALLS_PER_TALK: usize = 16;
/// Answers before the server is told to stop.
const ANSWERS_BEFORE_STOP: usize = 5_000;

pub(crate) fn run(args: &[&str]) -> Result<(), Error> {
    let (program, calls, stops) = match *args {
        [program] => (program, 1_000_000, 20),
        [program, calls] => (program, calls.parse()?, 0),
        [program, calls, stops] => (program, calls.parse()?, stops.parse()?),
        _ => return Err(USAGE.into()),
    };
    let place = std::env::temp_dir().join(format!("widgetcast-soak-{}", std::process::id()));
    requests::write_widgets(&place.join("widgets"))?;
    let outcome = endure(&PathBuf::from(program), &place, calls)
        .and_then(|()| (1..=stops).try_for_each(|round| stop(program.as_ref(), &place, round)));
    _ = std::fs::remove_dir_all(&place);
    outcome
}

/// Many calls to one process.
fn endure(program: &Path, place: &Path, calls: usize) -> Result<(), Error> {
    let target = Target::start(program, "chatkit", place, &[])?;
    let requests = Requests::learn(&target)?;
    println!("{} kinds of requests, {CLIENTS} clients, {calls} calls", requests.len());
    println!("| calls | memory | descriptors | seconds |\n|---|---|---|---|");
    let (descriptors, began) = (target.descriptors(), Instant::now());
    let (next, running) = (AtomicUsize::new(0), AtomicUsize::new(CLIENTS));
    let mut samples = Vec::new();
    let outcome = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|_| {
                scope.spawn(|| {
                    let outcome = ask(&target, &requests, &next, calls);
                    running.fetch_sub(1, Ordering::Relaxed);
                    outcome
                })
            })
            .collect();
        let mut shown = 0;
        while running.load(Ordering::Relaxed) > 0 {
            std::thread::sleep(Duration::from_millis(20));
            if next.load(Ordering::Relaxed) >= (shown + 1) * calls / 10 {
                shown += 1;
                samples.push(sample(&target, shown * calls / 10, began));
            }
        }
        clients.into_iter().fold(Outcome::default(), |all, client| all.with(client.join()))
    });
    let settled = memory_after_rest(&target, descriptors);
    println!("{outcome}, {} descriptors before, {} after", descriptors, target.descriptors());
    println!("memory: {} MB at most, {} MB after a rest", most(&samples) >> 20, settled >> 20);
    let growth = most(&samples[samples.len() / 2..]).saturating_sub(samples[0]);
    if outcome.wrong > 0 || outcome.lost > 0 {
        return Err("answers were wrong or lost".into());
    }
    if growth > MAX_GROWTH || target.descriptors() > descriptors + 2 {
        return Err(format!("it grew by {} MB", growth >> 20).into());
    }
    Ok(())
}

fn most(samples: &[usize]) -> usize {
    samples.iter().copied().max().unwrap_or(0)
}

fn sample(target: &Target, calls: usize, began: Instant) -> usize {
    let (memory, _) = target.memory();
    let (descriptors, seconds) = (target.descriptors(), began.elapsed().as_secs());
    println!(
        "| {calls} | {:.1} MB | {descriptors} | {seconds} |",
        memory as f64 / f64::from(1 << 20)
    );
    memory
}

/// The memory when the connections are closed, or after ten seconds.
fn memory_after_rest(target: &Target, descriptors: usize) -> usize {
    let began = Instant::now();
    while target.descriptors() > descriptors + 2 && began.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(50));
    }
    target.memory().0
}

/// One client: takes numbers until there are enough.
fn ask(target: &Target, requests: &Requests, next: &AtomicUsize, calls: usize) -> Outcome {
    let mut client = Client::new(target, None);
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= calls {
            return client.outcome;
        }
        client.ask(requests, number);
    }
}

/// Stops a process while all clients ask.
fn stop(program: &Path, place: &Path, round: usize) -> Result<(), Error> {
    let mut target = Target::start(program, "chatkit", place, &[])?;
    let requests = Requests::learn(&target)?;
    let (next, stopping) = (AtomicUsize::new(0), AtomicBool::new(false));
    let shared = &target;
    let outcome = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|_| scope.spawn(|| ask_until_closed(shared, &requests, &next, &stopping)))
            .collect();
        // Each round stops at another moment.
        while next.load(Ordering::Relaxed) < ANSWERS_BEFORE_STOP + round * 37 {
            std::thread::yield_now();
        }
        stopping.store(true, Ordering::Relaxed);
        let told = shared.terminate();
        let all =
            clients.into_iter().fold(Outcome::default(), |all, client| all.with(client.join()));
        told.map(|()| all)
    })?;
    let code = target.wait()?;
    println!("stop {round}: {outcome}, exit code {code:?}");
    if outcome.lost > 0 || outcome.wrong > 0 || code != Some(0) {
        return Err("requests were lost".into());
    }
    Ok(())
}

/// One client: asks until the server says that it closes, and then until no one listens.
fn ask_until_closed(
    target: &Target,
    requests: &Requests,
    next: &AtomicUsize,
    stopping: &AtomicBool,
) -> Outcome {
    let mut client = Client::new(target, Some(stopping));
    while !client.was_refused {
        client.ask(requests, next.fetch_add(1, Ordering::Relaxed));
    }
    client.outcome
}
