//! `attack`: runs every attack against the program with its default settings, while a second client calls an
//! ordinary tool, chats and asks for `/healthz`, and prints a table. A watchdog ends the run if the server holds more memory than it may.

mod attacks;
mod chat;
mod ordinary;
mod widgets;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::target::Target;
use attacks::{ATTACKS, Attack};

pub(crate) const USAGE: &str = "attack PROGRAM [NAME]";

/// The most memory that the server may hold.
const MAX_MEMORY: usize = 400 << 20;
/// What may be left of an attack a minute later.
const MAX_LEFT: usize = 10 << 20;
/// How long the second client may wait, but for one call in a hundred.
const MAX_P99: Duration = Duration::from_millis(250);

pub(crate) fn run(args: &[&str]) -> Result<(), Error> {
    let [program, wanted @ ..] = args else { return Err(USAGE.into()) };
    let place = std::env::temp_dir().join(format!("widgetcast-attack-{}", std::process::id()));
    std::fs::create_dir_all(place.join("widgets"))?;
    widgets::write(&place.join("widgets"))?;
    let mut target = Target::start(&PathBuf::from(program), "chatkit", &place, "")?;
    // All widgets are checked after the start.
    std::thread::sleep(Duration::from_secs(2));
    println!("| attack | took | peak | left | p99 | calls | refused | wrong | |");
    println!("|---|---|---|---|---|---|---|---|---|");
    let is_wanted = |attack: &&Attack| {
        wanted.is_empty() || wanted.iter().any(|name| attack.name.contains(name))
    };
    let mut failed = 0;
    let attacks: Vec<&Attack> = ATTACKS.iter().chain(chat::ATTACKS).filter(is_wanted).collect();
    for attack in &attacks {
        failed += usize::from(!run_one(&mut target, attack));
        if !target.is_alive() {
            return Err("the server is dead".into());
        }
    }
    let log = std::fs::metadata(place.join("log")).map_or(0, |data| data.len());
    println!("\n{} attacks, {failed} failed; the log has {log} bytes", attacks.len());
    drop(target);
    _ = std::fs::remove_dir_all(&place);
    if failed > 0 { Err(format!("{failed} attacks did harm").into()) } else { Ok(()) }
}

/// Runs an attack and prints its line. Returns whether the server was unharmed.
fn run_one(target: &mut Target, attack: &Attack) -> bool {
    let (before, _) = target.memory();
    let descriptors = target.descriptors();
    target.forget_peak();
    let stop = AtomicBool::new(false);
    let shared = &*target;
    let (outcome, took, seen) = std::thread::scope(|scope| {
        let client = scope.spawn(|| ordinary::run(shared, &stop));
        // The watchdog reads the peak only at the end: the system keeps it.
        std::thread::sleep(Duration::from_millis(200));
        let began = Instant::now();
        let outcome = (attack.run)(shared);
        let took = began.elapsed();
        std::thread::sleep(Duration::from_millis(500));
        stop.store(true, Ordering::Relaxed);
        (outcome, took, client.join().unwrap_or_default())
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
        attack.name,
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
