//! `widgetcast new --app`: a project that runs at once, of files that lie in `starters/app`.

use std::path::Path;

use super::file::{SCHEMA_FILE, create, schema_text};
use crate::outcome::{Failure, Outcome};

/// What a page is written with.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
pub(crate) enum PageKind {
    /// React
    #[default]
    React,
    /// TypeScript alone
    Plain,
}

/// The path in the project, and the text. Their names here keep cargo from taking them for a package.
const COMMON: [(&str, &str); 13] = [
    ("Cargo.toml", include_str!("../../starters/app/Cargo.toml.txt")),
    (".gitignore", include_str!("../../starters/app/gitignore.txt")),
    ("README.md", include_str!("../../starters/app/README.md")),
    ("src/lib.rs", include_str!("../../starters/app/src/lib.rs")),
    ("src/main.rs", include_str!("../../starters/app/src/main.rs")),
    ("tests/app.rs", include_str!("../../starters/app/tests/app.rs")),
    ("widgets/ticket.widget", include_str!("../../starters/app/widgets/ticket.widget")),
    ("web/tsconfig.json", include_str!("../../starters/app/web/tsconfig.json")),
    ("web/playwright.config.ts", include_str!("../../starters/app/web/playwright.config.ts")),
    ("web/tools.d.ts", include_str!("../../starters/app/web/tools.d.ts")),
    ("web/pages/stats.css", include_str!("../../starters/app/web/pages/stats.css")),
    ("web/tests/stats.spec.ts", include_str!("../../starters/app/web/tests/stats.spec.ts")),
    ("web/dist/stats.html", include_str!("../../starters/app/web/dist/stats.html")),
];
const REACT: [(&str, &str); 3] = [
    ("web/package.json", include_str!("../../starters/app/react/package.json")),
    ("web/vite.config.ts", include_str!("../../starters/app/react/vite.config.ts")),
    ("web/pages/stats.tsx", include_str!("../../starters/app/react/stats.tsx")),
];
const PLAIN: [(&str, &str); 3] = [
    ("web/package.json", include_str!("../../starters/app/plain/package.json")),
    ("web/vite.config.ts", include_str!("../../starters/app/plain/vite.config.ts")),
    ("web/pages/stats.ts", include_str!("../../starters/app/plain/stats.ts")),
];

pub(super) fn run(name: &str, dir: &Path, kind: PageKind) -> Result<Outcome, Failure> {
    if !is_package_name(name) {
        return Err(format!(
            "{name:?} cannot be the name of a package: use letters a to z, digits, `-` and `_`, a letter \
             first"
        )
        .into());
    }
    let root = dir.join(name);
    if std::fs::read_dir(&root).is_ok_and(|mut entries| entries.next().is_some()) {
        let root = root.display();
        return Err(format!("{root} is there already; choose another name, or empty it").into());
    }
    let (own, extension) = match kind {
        PageKind::React => (REACT, "tsx"),
        PageKind::Plain => (PLAIN, "ts"),
    };
    for (path, text) in COMMON.into_iter().chain(own) {
        let text = text
            .replace("APP_NAME", name)
            .replace("APP_CRATE", &name.replace('-', "_"))
            .replace("APP_VERSION", env!("CARGO_PKG_VERSION"))
            .replace("APP_EXT", extension);
        write(&root.join(path), &text)?;
    }
    write(&root.join("widgets").join(SCHEMA_FILE), &schema_text()?)?;
    let root = root.display();
    say!(
        "wrote {root}\n\nrun it:          cd {root} && cargo run\nbuild its page:  cd {root}/web && \
         npm install && npm run build\nread on:         {root}/README.md"
    );
    Ok(Outcome::Clean)
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    create(path, text)?;
    Ok(())
}

/// Whether both cargo and npm take it, and Rust as the name of a crate.
fn is_package_name(name: &str) -> bool {
    const TAKEN: [&str; 9] =
        ["test", "core", "std", "alloc", "self", "super", "crate", "async", "widgetcast"];
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_');
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.len() <= 64
        && name.chars().all(plain)
        && !TAKEN.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::is_package_name;

    #[test]
    fn names_of_packages() {
        for good in ["helpdesk", "my-app", "a1_b"] {
            assert!(is_package_name(good), "{good}");
        }
        for bad in ["", "Helpdesk", "7up", "a b", "../x", "-x", "ä", "test"] {
            assert!(!is_package_name(bad), "{bad}");
        }
    }
}
