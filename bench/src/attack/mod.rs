//! `attack`: runs every attack against the program with its default settings, while a second client calls an
//! ordinary tool, chats and asks for `/healthz`, and prints a table.

mod attacks;
mod chat;
mod hostile;
mod ordinary;
mod stores;
mod upstreams;
mod widgets;
mod wrapped;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::target::Target;
use attacks::{ATTACKS, Attack, Outcome};
use ordinary::Second;

pub(crate) const USAGE: &str = "attack PROGRAM [NAME]";

/// The most memory that the server may hold.
const MAX_MEMORY: usize = 400 << 20;
/// What may be left of an attack a minute later.
const MAX_LEFT: usize = 10 << 20;
/// How long the second client may wait, but for one call in a hundred.
const MAX_P99: Duration = Duration::from_millis(250);

pub(crate) fn run(args: &[&str]) -> Result<(), Error> {
    let [program, wanted @ ..] = args else { return Err(USAGE.into()) };
    let program = std::fs::canonicalize(program)?;
    let place = std::env::temp_dir().join(format!("widgetcast-attack-{}", std::process::id()));
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|one| name.contains(one));
    println!("| attack | took | peak | left | p99 | calls | refused | wrong | |");
    println!("|---|---|---|---|---|---|---|---|---|");
    let outcome = run_all(&program, &place, &is_wanted);
    _ = std::fs::remove_dir_all(&place);
    match outcome? {
        (run, 0) => println!("\n{run} attacks, none did harm"),
        (run, failed) => return Err(format!("{failed} of {run} attacks did harm").into()),
    }
    Ok(())
}

/// A program of this pool that has not had a request yet.
fn start(program: &Path, place: &Path, options: &[&str]) -> Result<Target, Error> {
    _ = std::fs::remove_dir_all(place.join("widgets"));
    std::fs::create_dir_all(place.join("widgets"))?;
    widgets::write(&place.join("widgets"))?;
    let target = Target::start(program, "chatkit", place, options)?;
    // All widgets are checked after the start.
    std::thread::sleep(Duration::from_secs(2));
    Ok(target)
}

/// How many attacks ran, and how many did harm. Clients and files attack one process, one after the other;
/// each upstream and each fault of a store has a process of its own.
fn run_all(
    program: &Path,
    place: &Path,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Result<(usize, usize), Error> {
    let (mut run, mut failed) = (0, 0);
    let mut count = |is_unharmed: bool| {
        run += 1;
        failed += usize::from(!is_unharmed);
    };
    let of_clients: Vec<&Attack> =
        ATTACKS.iter().chain(chat::ATTACKS).filter(|attack| is_wanted(attack.name)).collect();
    if !of_clients.is_empty() {
        let mut target = start(program, place, &[])?;
        for attack in of_clients {
            count(run_one(&target, attack.name, Second::Chats, &|target| (attack.run)(target)));
            if !target.is_alive() {
                return Err("the server is dead".into());
            }
        }
    }
    for upstream in upstreams::UPSTREAMS.iter().filter(|upstream| is_wanted(upstream.name)) {
        let (server, target) = upstream.set_up(program, place)?;
        count(run_one(&target, upstream.name, Second::Chats, &|t| upstreams::use_it(&server, t)));
    }
    for upstream in upstreams::UPSTREAMS {
        let name = upstream.name.replacen("upstream", "wrap", 1);
        if is_wanted(&name) {
            let (servers, target) = wrapped::set_up(upstream, program, place)?;
            count(run_one(&target, &name, Second::IsWrapped, &|t| wrapped::use_it(&servers, t)));
        }
    }
    for store in stores::STORES.iter().filter(|store| is_wanted(store.name)) {
        let (disk, target) = store.set_up(program, place)?;
        count(run_one(&target, store.name, Second::MayBeRefused, &|target| {
            store.run(&disk, target)
        }));
    }
    Ok((run, failed))
}

/// Runs an attack and prints its line. Returns whether the server was unharmed.
fn run_one(
    target: &Target,
    name: &str,
    second: Second,
    attack: &(dyn Fn(&Target) -> Outcome + Sync),
) -> bool {
    let descriptors = target.descriptors();
    let stop = AtomicBool::new(false);
    let (outcome, took, seen, before) = std::thread::scope(|scope| {
        let client = scope.spawn(|| ordinary::run(target, &stop, second));
        // A server that has answered nothing has not even loaded its code.
        std::thread::sleep(Duration::from_millis(200));
        let (before, _) = target.memory();
        target.forget_peak();
        let began = Instant::now();
        let outcome = attack(target);
        let took = began.elapsed();
        std::thread::sleep(Duration::from_millis(500));
        stop.store(true, Ordering::Relaxed);
        (outcome, took, client.join().unwrap_or_default(), before)
    });
    let (_, peak) = target.memory();
    let left = memory_left(target, before, descriptors);
    let mut faults: Vec<String> = outcome.err().into_iter().collect();
    if peak > MAX_MEMORY {
        faults.push(format!("held more than {} MB", MAX_MEMORY >> 20));
    }
    if left > MAX_LEFT {
        faults.push("memory is not given back".into());
    }
    if seen.p99() > MAX_P99 {
        faults.push("the second client waited".into());
    }
    faults.extend(seen.first_fault.clone().map(|fault| format!("the second client got: {fault}")));
    println!(
        "| {} | {:.1} s | {} MB | {} MB | {} ms | {} | {} | {} | {} |",
        name,
        took.as_secs_f64(),
        peak >> 20,
        left >> 20,
        seen.p99().as_millis(),
        seen.calls,
        seen.refused,
        seen.wrong,
        faults.join("; "),
    );
    faults.is_empty()
}

/// The memory that is still held more than before, as soon as it is little, or after a minute.
fn memory_left(target: &Target, before: usize, descriptors: usize) -> usize {
    let began = Instant::now();
    loop {
        let left = target.memory().0.saturating_sub(before);
        let is_back = left <= MAX_LEFT && target.descriptors() <= descriptors + 2;
        if is_back || began.elapsed() > Duration::from_secs(60) {
            return left;
        }
        std::thread::sleep(Duration::from_millis(200));
    }
}
