//! `widgetcast check`

use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use widgetcast_core::{Catalog, CheckOptions, Severity};

use crate::replace::replace;
use crate::report::{self, Format};
use crate::{Failure, Outcome, gallery};

/// A check that takes no longer than this needs no bar.
const PATIENCE: Duration = Duration::from_secs(1);

pub(crate) fn run(
    path: Option<&Path>,
    strict: bool,
    fix: bool,
    format: Format,
) -> Result<Outcome, Failure> {
    let mut catalog = gallery::catalog(path)?;
    let mut mended = true;
    if fix {
        let Some(path) = path else {
            return Err("the gallery is part of the program; name a directory to mend".into());
        };
        mended = mend(&catalog);
        catalog = gallery::catalog(Some(path))?;
    }
    let files = catalog.files().count();
    if files == 0 {
        let place = path.map_or("the gallery".to_owned(), |path| path.display().to_string());
        return Err(format!("there is no widget in {place}").into());
    }
    let options = if strict { CheckOptions::strict() } else { CheckOptions::default() };
    let bar = Bar::new(files);
    let findings = widgetcast_core::check(&catalog, &options, &|done| bar.show(done));
    bar.clear();
    report::print(&findings, files, format)?;
    let worst = findings.iter().map(|finding| finding.severity).max();
    Ok(if worst >= Some(Severity::Warning) || !mended { Outcome::Findings } else { Outcome::Clean })
}

/// Writes the safe repairs of every file, broken ones included. A file that cannot be written does
/// not keep the others from being mended.
fn mend(catalog: &Catalog) -> bool {
    let mut files: Vec<&Path> = catalog.files().collect();
    files.sort();
    files.dedup();
    let mut all = true;
    for file in files {
        if let Err(error) = mend_file(file) {
            anstream::eprintln!("{}: cannot be mended: {error}", file.display());
            all = false;
        }
    }
    all
}

fn mend_file(shown: &Path) -> std::io::Result<()> {
    let Ok(text) = std::fs::read_to_string(shown) else { return Ok(()) };
    let Some((mended, count)) = widgetcast_core::fix(&text) else { return Ok(()) };
    replace(shown, &mended)?;
    let places = if count == 1 { "1 place" } else { &format!("{count} places") };
    anstream::eprintln!("mended {places} in {}", shown.display());
    Ok(())
}

/// A progress bar that appears only when the work takes long.
struct Bar {
    start: Instant,
    length: usize,
    shown: Mutex<Option<ProgressBar>>,
}

impl Bar {
    fn new(length: usize) -> Self {
        Self { start: Instant::now(), length, shown: Mutex::new(None) }
    }

    fn show(&self, done: usize) {
        if self.start.elapsed() < PATIENCE {
            return;
        }
        if let Ok(mut shown) = self.shown.lock() {
            let bar = shown.get_or_insert_with(|| {
                let style = ProgressStyle::with_template("checking {bar:30} {pos}/{len} widgets");
                ProgressBar::new(self.length as u64)
                    .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
            });
            bar.set_position(done as u64);
        }
    }

    fn clear(&self) {
        if let Ok(shown) = self.shown.lock()
            && let Some(bar) = &*shown
        {
            bar.finish_and_clear();
        }
    }
}
