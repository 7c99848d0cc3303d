//! Runs the fuzz targets on a stable toolchain: mutations of the kept corpus, at random, for a number of
//! runs or of seconds. It has no coverage to steer by; cargo-fuzz has, see README.md.
//!
//! Every input runs in a child process, thousands of them in each, under a limit of memory and time. A
//! child that dies or takes too long has written the input that it was at, which is kept as a finding.

#![allow(clippy::print_stdout)]

mod mutate;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use mutate::Mutator;

type Error = Box<dyn std::error::Error>;

const USAGE: &str = "usage: widgetcast-fuzz (TARGET | all) [--runs N | --seconds N] [--seed N] | \
     TARGET FILE…   (the targets: ";
/// Seconds that one input may take.
const SECONDS: u64 = 20;
/// Kilobytes of address space that a child may take.
const MEMORY: usize = 2 << 20;

/// How long to run, and with which random numbers.
#[derive(Clone, Copy)]
struct Plan {
    runs: u64,
    seconds: u64,
    seed: u64,
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match run(&args) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(findings) => {
            eprintln!("{findings} findings");
            ExitCode::FAILURE
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &[&str]) -> Result<usize, Error> {
    match args {
        ["child", target, seed, runs, seconds, file] => {
            let plan = Plan { runs: runs.parse()?, seconds: seconds.parse()?, seed: seed.parse()? };
            child(target, plan, Path::new(file)).map(|()| 0)
        }
        ["all", options @ ..] => {
            let plan = plan(options)?;
            let mut findings = 0;
            for (name, _) in widgetcast_fuzz::TARGETS {
                findings += supervise(name, plan)?;
            }
            Ok(findings)
        }
        [target, options @ ..] if widgetcast_fuzz::find(target).is_some() => {
            let is_option = options.first().is_none_or(|first| first.starts_with("--"));
            if is_option { supervise(target, plan(options)?) } else { replay(target, options) }
        }
        _ => {
            let names: Vec<&str> = widgetcast_fuzz::TARGETS.iter().map(|(name, _)| *name).collect();
            Err(format!("{USAGE}{})", names.join(", ")).into())
        }
    }
}

fn plan(options: &[&str]) -> Result<Plan, Error> {
    let mut plan = Plan { runs: u64::MAX, seconds: u64::MAX, seed: 1 };
    for option in options.chunks(2) {
        match option {
            ["--runs", number] => plan.runs = number.parse()?,
            ["--seconds", number] => plan.seconds = number.parse()?,
            ["--seed", number] => plan.seed = number.parse()?,
            _ => return Err(format!("{option:?} is no option").into()),
        }
    }
    if plan.runs == u64::MAX && plan.seconds == u64::MAX {
        plan.seconds = 10;
    }
    Ok(plan)
}

/// Runs a target on files, such as kept findings.
fn replay(target: &str, files: &[&str]) -> Result<usize, Error> {
    let run = widgetcast_fuzz::find(target).ok_or("there is no such target")?;
    for file in files {
        let bytes = std::fs::read(file)?;
        let start = Instant::now();
        run(&bytes);
        println!("{file}: {} bytes, {} ms", bytes.len(), start.elapsed().as_millis());
    }
    Ok(0)
}

/// Runs a target in children until the plan is fulfilled, and returns how many inputs failed.
fn supervise(target: &str, plan: Plan) -> Result<usize, Error> {
    let dir = findings_dir(target);
    std::fs::create_dir_all(&dir)?;
    let current = dir.join(format!("current-{}", std::process::id()));
    let (start, mut findings, mut done, mut seed) = (Instant::now(), 0, 0, plan.seed);
    loop {
        let left = Duration::from_secs(plan.seconds).saturating_sub(start.elapsed()).as_secs();
        if done >= plan.runs || left == 0 || findings >= 10 {
            break;
        }
        let outcome =
            one_child(target, Plan { runs: plan.runs - done, seconds: left, seed }, &current)?;
        // The first eight bytes are the number of the run.
        let written = std::fs::read(&current).unwrap_or_default();
        let (count, input) = written.split_at_checked(8).unwrap_or((&[], &[]));
        done += count.try_into().map_or(0, u64::from_le_bytes);
        seed = seed.wrapping_add(0x9e37_79b9);
        if let Some(reason) = outcome {
            findings += 1;
            let file = dir.join(format!("finding-{}-{findings}", plan.seed));
            std::fs::write(&file, input)?;
            println!("{target}: {reason}\n  kept as {}", file.display());
        }
    }
    let _ = std::fs::remove_file(&current);
    let seconds = start.elapsed().as_secs_f64();
    println!("{target}: {done} runs in {seconds:.1} s, {findings} findings");
    Ok(findings)
}

/// Runs a child until it ends, fails, or stays at one input for too long. Returns why it failed.
fn one_child(target: &str, plan: Plan, current: &Path) -> Result<Option<String>, Error> {
    let [runs, seconds, seed] =
        [plan.runs, plan.seconds, plan.seed].map(|number| number.to_string());
    // The limit is the shell's: setting it here would need unsafe code.
    let mut child = Command::new("sh")
        .args(["-c", &format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"")])
        .arg(std::env::current_exe()?)
        .args(["child", target, &seed, &runs, &seconds])
        .arg(current)
        .stderr(Stdio::piped())
        .spawn()?;
    let errors = child.stderr.take();
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        errors.map(|mut errors| std::io::Read::read_to_end(&mut errors, &mut text));
        String::from_utf8_lossy(&text).chars().take(4000).collect::<String>()
    });
    let (mut last, mut since) = (Vec::new(), Instant::now());
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        std::thread::sleep(Duration::from_millis(50));
        let now = std::fs::read(current).unwrap_or_default();
        if now != last {
            (last, since) = (now, Instant::now());
        } else if since.elapsed().as_secs() > SECONDS {
            child.kill()?;
            child.wait()?;
            break None;
        }
    };
    let said = reader.join().unwrap_or_default();
    Ok(match status {
        Some(status) if status.success() => None,
        Some(status) => Some(format!("{status}\n{said}")),
        None => Some(format!("no end after {SECONDS} seconds")),
    })
}

/// What a child does: writes each input to a file, and runs it.
fn child(target: &str, plan: Plan, current: &Path) -> Result<(), Error> {
    let run = widgetcast_fuzz::find(target).ok_or("there is no such target")?;
    let mut mutator = Mutator::new(read_corpus(target)?, plan.seed);
    let start = Instant::now();
    for count in 1..=plan.runs {
        if start.elapsed().as_secs() >= plan.seconds {
            break;
        }
        let input = mutator.next(count as usize - 1);
        let mut written = count.to_le_bytes().to_vec();
        written.extend_from_slice(&input);
        std::fs::write(current, written)?;
        run(&input);
    }
    Ok(())
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn findings_dir(target: &str) -> PathBuf {
    root().join("findings").join(target)
}

fn read_corpus(target: &str) -> Result<Vec<Vec<u8>>, Error> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(root().join("corpus").join(target))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.sort();
    Ok(files.iter().map(std::fs::read).collect::<Result<_, _>>()?)
}
