//! `widgetcast export --studio`: writes a widget in the format of ChatKit Studio.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use widgetcast_core::{Finding, Severity};

use crate::gallery;
use crate::json_text::json_text;
use crate::outcome::{Failure, Outcome};
use crate::print;
use crate::replace_file::replace_file;

/// The arguments of the command.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Write a file that ChatKit Studio can open
    #[arg(long, required = true)]
    studio: bool,
    /// Widget file, JSON or YAML
    #[arg(value_hint = clap::ValueHint::FilePath)]
    file: PathBuf,
    /// Output file [default: stdout]
    #[arg(short, long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let file = args.file.as_path();
    if !file.is_file() {
        return Err(format!("{}: no such file", file.display()).into());
    }
    let catalog = gallery::catalog(Some(file))?;
    let Some(widget) = catalog.widgets().next() else {
        let is_error = |finding: &&Finding| finding.severity == Severity::Error;
        for finding in catalog.findings().filter(is_error) {
            tell!("{:#}", finding.error);
        }
        return Ok(Outcome::Findings);
    };
    let exported = match widget.to_studio() {
        Ok(exported) => exported,
        Err(error) => {
            tell!("{error:#}");
            return Ok(Outcome::Findings);
        }
    };
    let text = json_text(&exported)?;
    match &args.out {
        None => writeln!(print::stdout(), "{text}")?,
        Some(out) => write(file, out, &format!("{text}\n"))?,
    }
    Ok(Outcome::Clean)
}

fn write(file: &Path, out: &Path, text: &str) -> Result<(), Failure> {
    let cannot = |error: std::io::Error| format!("{}: {error}", out.display());
    if !out.exists() {
        std::fs::write(out, text).map_err(cannot)?;
    } else if out.canonicalize().ok() == file.canonicalize().ok() {
        // Comments, and the layout of YAML, would be lost.
        let out = out.display();
        return Err(format!("{out} is the input file; choose another output file").into());
    } else {
        replace_file(out, text).map_err(cannot)?;
    }
    say!("wrote {}", out.display());
    Ok(())
}
