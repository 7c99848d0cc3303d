//! Loading many widgets: time until all can be listed, memory for each, the cost of checking all, and
//! what it costs to read one file again.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use widgetcast_core::Catalog;

use crate::compare::process::ticks;
use crate::error::Result;

pub(crate) fn run(count: usize) -> Result {
    let dir = std::env::temp_dir().join(format!("widgetcast-load-{}", std::process::id()));
    let (bytes, kinds) = fill(&dir, count)?;
    println!("{count} copies of {kinds} widgets, {} MB", bytes / 1_000_000);
    // Once for the page cache.
    drop(Catalog::from_dir(&dir)?);
    for round in 1..=3 {
        let (memory, cpu, start) = (memory(), cpu_ms(), Instant::now());
        let catalog = Catalog::from_dir(&dir)?;
        let listed = catalog.list().count();
        let (wall, cpu_list) = (start.elapsed(), cpu_ms() - cpu);
        let each = crate::load::memory().saturating_sub(memory) as f64 / count as f64 / 1000.0;
        let (cpu, start) = (cpu_ms(), Instant::now());
        let findings = catalog.findings().count();
        println!(
            "round {round}: {listed} listed in {:.0} ms ({cpu_list} ms CPU), {each:.2} KB each; \
             all checked in {:.0} ms ({} ms CPU), {findings} findings",
            wall.as_secs_f64() * 1e3,
            start.elapsed().as_secs_f64() * 1e3,
            cpu_ms() - cpu,
        );
        // Measured once, before any memory has been given back.
        std::mem::forget(catalog);
    }
    serve(&dir)?;
    std::fs::remove_dir_all(&dir)?;
    Ok(())
}

/// What a server does with a catalog: list it, look names up, and follow the edits of single files.
fn serve(dir: &Path) -> Result {
    let mut catalog = Catalog::from_dir(dir)?;
    let (listed, list) = timed(|| catalog.list().map(black_box).fold(0, |count, _| count + 1));
    let names: Vec<String> = catalog.list().map(|listing| listing.tool_name.to_owned()).collect();
    let name = names.get(names.len() / 3).ok_or("no widget is listed")?;
    black_box(catalog.get(name));
    let (_, get) = timed(|| (0..1000).filter(|_| catalog.get(black_box(name)).is_some()).count());
    let cpu = cpu_ms();
    let findings = catalog.check_all().len();
    println!(
        "{listed} listed in {:.2} ms, one looked up again in {} ns, all checked in {} ms CPU, \
         {findings} findings",
        list.as_secs_f64() * 1e3,
        get.as_nanos() / 1000,
        cpu_ms() - cpu,
    );
    let files: Vec<PathBuf> = catalog.files().map(Path::to_owned).collect();
    let mut spent = Vec::new();
    for edit in 0..300 {
        let file = &files[edit * 37 % files.len()];
        let text = std::fs::read_to_string(file)?;
        // Every third edit breaks the file.
        let text =
            if edit % 3 == 2 { text.chars().take(text.len() / 2).collect() } else { text + "\n" };
        std::fs::write(file, text)?;
        let ((), time) = timed(|| catalog = catalog.reread(std::slice::from_ref(file)).0);
        spent.push(time);
    }
    spent.sort();
    let us = |at: usize| spent.get(at).map_or(0, Duration::as_micros);
    println!("one file read again in {} µs CPU, at most {} µs", us(150), us(299));
    Ok(())
}

/// The CPU time of this thread for something, or the time on the clock where the system does not tell.
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let cpu = || {
        // The system counts when it looks at the thread, which yielding makes it do.
        std::thread::yield_now();
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
    };
    let (before, start) = (cpu(), Instant::now());
    let done = work();
    let wall = start.elapsed();
    (done, cpu().zip(before).map_or(wall, |(after, before)| after - before))
}

/// Writes copies of real widgets with changed names.
fn fill(dir: &Path, count: usize) -> Result<(usize, usize)> {
    let models = crate::copies::models()?;
    let mut bytes = 0;
    std::fs::create_dir_all(dir)?;
    for (index, model) in models.iter().cycle().take(count).enumerate() {
        let text = model.copy(index);
        bytes += text.len();
        std::fs::write(dir.join(format!("{index:06}.widget")), text)?;
    }
    Ok((bytes, models.len()))
}

/// Resident bytes of this process.
fn memory() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).unwrap_or(0) * 4096
}

/// CPU time of this process, all threads.
fn cpu_ms() -> u128 {
    ticks(std::process::id()).as_millis()
}
