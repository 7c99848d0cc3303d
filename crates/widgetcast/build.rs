//! Builds the pages of `web/` and puts them where the code embeds them from.
//!
//! In this order: the directory that `WIDGETCAST_PAGES` names; `pages/` of a released crate; the
//! sources of the repository, built with npm when they have changed.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// What the web build makes, and we embed.
const PAGES: [&str; 3] = ["view.html", "gallery.html", "icons.json"];
/// Whatever the pages are made of. Not the whole of `web`: npm writes there too.
const SOURCES: [&str; 7] = [
    "package.json",
    "build.mjs",
    "tsconfig.json",
    "client/src",
    "view",
    "gallery/src",
    "gallery/index.html",
];

fn main() -> Result<(), String> {
    println!("cargo::rerun-if-env-changed=WIDGETCAST_PAGES");
    println!("cargo::rerun-if-changed=build.rs");
    let home = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(variable("OUT_DIR")?);
    if let Some(pages) = env::var_os("WIDGETCAST_PAGES") {
        return take(Path::new(&pages), &out);
    }
    let shipped = home.join("pages");
    if shipped.join(PAGES[0]).exists() {
        return take(&shipped, &out);
    }
    let web = home.join("../../web");
    for source in SOURCES {
        println!("cargo::rerun-if-changed={}", web.join(source).display());
    }
    if !web.join("node_modules/esbuild").exists() {
        let install = ["install", "--omit=dev", "--no-package-lock", "--no-audit", "--no-fund"];
        run("npm", &install, &web)?;
    }
    let out = out.to_str().ok_or("OUT_DIR is not UTF-8")?;
    run("node", &["build.mjs", "--out", out], &web)
}

fn variable(name: &str) -> Result<String, String> {
    env::var(name).map_err(|error| format!("{name}: {error}"))
}

/// Takes pages that have been built before.
fn take(from: &Path, out: &Path) -> Result<(), String> {
    for page in PAGES {
        let path = from.join(page);
        println!("cargo::rerun-if-changed={}", path.display());
        fs::copy(&path, out.join(page)).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

fn run(program: &str, arguments: &[&str], at: &Path) -> Result<(), String> {
    let what = format!("{program} {}", arguments.join(" "));
    let output =
        Command::new(program).args(arguments).current_dir(at).output().map_err(|error| {
            format!(
                "the pages that show widgets cannot be built, `{what}` in {}: {error}\n\
             Install Node 20 or newer, or set WIDGETCAST_PAGES to a directory with {}.",
                at.display(),
                PAGES.join(", "),
            )
        })?;
    if output.status.success() {
        return Ok(());
    }
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    Err(format!(
        "`{what}` in {} failed:\n{}\n{}",
        at.display(),
        said(&output.stdout),
        said(&output.stderr)
    ))
}
