//! For build scripts: builds pages of `web/` and puts them where a crate embeds them from.
//!
//! In this order: the directory that `WIDGETCAST_PAGES` names; `pages/` of a released crate; the
//! sources of the repository, built with npm when they have changed.

#![expect(clippy::print_stdout, reason = "that is how a build script talks to cargo")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Whatever pages are made of. Not the whole of `web`: npm writes there too.
const SOURCES: [&str; 13] = [
    "package.json",
    "build.mjs",
    "tsconfig.json",
    "client/src",
    "react/src",
    "view/src",
    "view/page.html",
    "view/icons.mjs",
    "gallery/src",
    "gallery/index.html",
    "display/src",
    "display/build.mjs",
    "display/page.html",
];

/// Puts these pages into `OUT_DIR`, or says why that cannot be and ends the build.
pub fn embed(pages: &[&str]) {
    if let Err(words) = try_embed(pages) {
        eprintln!("{words}");
        std::process::exit(1);
    }
}

fn try_embed(pages: &[&str]) -> Result<(), String> {
    println!("cargo::rerun-if-env-changed=WIDGETCAST_PAGES");
    println!("cargo::rerun-if-changed=build.rs");
    let home = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(variable("OUT_DIR")?);
    if let Some(built) = env::var_os("WIDGETCAST_PAGES") {
        return take(pages, Path::new(&built), &out);
    }
    let shipped = home.join("pages");
    if shipped.exists() {
        return take(pages, &shipped, &out);
    }
    let web = home.join("../../web");
    for source in SOURCES {
        println!("cargo::rerun-if-changed={}", web.join(source).display());
    }
    // Several crates have pages, and their build scripts run at the same time.
    let lock = fs::File::create(web.join(".build.lock"))
        .and_then(|file| file.lock().map(|()| file))
        .map_err(|error| format!("{}: {error}", web.display()))?;
    if !web.join("node_modules/esbuild").exists() {
        let install = ["install", "--omit=dev", "--no-package-lock", "--no-audit", "--no-fund"];
        run("npm", &install, &web, pages)?;
    }
    let out = out.to_str().ok_or("OUT_DIR is not UTF-8")?;
    let arguments: Vec<&str> =
        ["build.mjs", "--out", out].into_iter().chain(pages.iter().copied()).collect();
    run("node", &arguments, &web, pages)?;
    drop(lock);
    Ok(())
}

fn variable(name: &str) -> Result<String, String> {
    env::var(name).map_err(|error| format!("{name}: {error}"))
}

/// Takes pages that have been built before.
fn take(pages: &[&str], from: &Path, out: &Path) -> Result<(), String> {
    for page in pages {
        let path = from.join(page);
        println!("cargo::rerun-if-changed={}", path.display());
        fs::copy(&path, out.join(page)).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

fn run(program: &str, arguments: &[&str], at: &Path, pages: &[&str]) -> Result<(), String> {
    let what = format!("{program} {}", arguments.join(" "));
    let output =
        Command::new(program).args(arguments).current_dir(at).output().map_err(|error| {
            format!(
                "the pages that show widgets cannot be built: `{what}` in {}: {error}\n\
             Install Node 20 or newer, or set WIDGETCAST_PAGES to a directory that holds {}.",
                at.display(),
                pages.join(", "),
            )
        })?;
    if output.status.success() {
        return Ok(());
    }
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    let (out, err) = (said(&output.stdout), said(&output.stderr));
    Err(format!("`{what}` in {} failed:\n{out}\n{err}", at.display()))
}
