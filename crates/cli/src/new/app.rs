//! `widgetcast new --app`: creates a runnable project from the files in `starters/app`.

use std::path::{Path, PathBuf};

use super::file::{SCHEMA_FILE, create, schema_text};
use crate::outcome::{Failure, Outcome};

/// The framework of a page.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
pub(crate) enum PageKind {
    /// React
    #[default]
    React,
    /// TypeScript only
    Plain,
}

/// The path in the project, and the text. They have other names here, so that cargo does not treat them as a
/// package.
const COMMON: [(&str, &str); 11] = [
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
    ("web/dist/stats.html", include_str!("../../starters/app/web/dist/stats.html")),
];
const REACT: &[(&str, &str)] = &[
    ("web/package.json", include_str!("../../starters/app/react/package.json")),
    ("web/vite.config.ts", include_str!("../../starters/app/react/vite.config.ts")),
    ("web/pages/stats.tsx", include_str!("../../starters/app/react/stats.tsx")),
    ("web/tests/stats.spec.ts", include_str!("../../starters/app/react/stats.spec.ts")),
];
const PLAIN: &[(&str, &str)] = &[
    ("web/package.json", include_str!("../../starters/app/plain/package.json")),
    ("web/vite.config.ts", include_str!("../../starters/app/plain/vite.config.ts")),
    ("web/pages/stats.ts", include_str!("../../starters/app/plain/stats.ts")),
    ("web/pages/stats.css", include_str!("../../starters/app/plain/stats.css")),
    ("web/tests/stats.spec.ts", include_str!("../../starters/app/plain/stats.spec.ts")),
];

/// The source of the packages that the project depends on.
enum Source {
    Registries,
    /// A Widgetcast checkout with packed npm packages.
    Checkout(PathBuf),
}

impl Source {
    fn new(checkout: Option<&Path>) -> Result<Self, Failure> {
        let Some(checkout) = checkout else { return Ok(Self::Registries) };
        let shown = checkout.display();
        let root = checkout.canonicalize().map_err(|error| format!("{shown}: {error}"))?;
        if !root.join("crates/widgetcast/Cargo.toml").is_file() {
            return Err(format!("{shown} is not a Widgetcast checkout").into());
        }
        Ok(Self::Checkout(root))
    }

    /// The text with the requirements, each of which is in quotes: JSON strings, which TOML takes too.
    fn fill(&self, text: &str) -> Result<String, Failure> {
        let mut text = text.to_owned();
        let sdk = match self {
            Self::Registries => serde_json::to_string(VERSION)?,
            Self::Checkout(root) => {
                let path = serde_json::to_string(&root.join("crates/widgetcast"))?;
                format!("{{ path = {path} }}")
            }
        };
        text = text.replace("\"APP_SDK\"", &sdk);
        for name in ["client", "react", "test", "vite"] {
            let requirement = match self {
                Self::Registries => format!("^{VERSION}"),
                Self::Checkout(root) => {
                    let packed = format!("target/npm/widgetcast-{name}-{VERSION}.tgz");
                    format!("file:{}", root.join(packed).display())
                }
            };
            let mark = format!("\"APP_NPM_{name}\"");
            text = text.replace(&mark, &serde_json::to_string(&requirement)?);
        }
        Ok(text)
    }
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

pub(super) fn run(
    name: &str,
    dir: &Path,
    kind: PageKind,
    checkout: Option<&Path>,
) -> Result<Outcome, Failure> {
    if !is_package_name(name) {
        return Err(format!(
            "{name:?} is not a valid package name: use a-z, digits, `-` and `_`, and start with a letter"
        )
        .into());
    }
    if is_dependency(name) {
        return Err(format!("{name:?} is a dependency of the project; choose another name").into());
    }
    let source = Source::new(checkout)?;
    let root = dir.join(name);
    if std::fs::read_dir(&root).is_ok_and(|mut entries| entries.next().is_some()) {
        let root = root.display();
        return Err(format!("{root} already exists; choose another name, or empty it").into());
    }
    let (own, extension) = match kind {
        PageKind::React => (REACT, "tsx"),
        PageKind::Plain => (PLAIN, "ts"),
    };
    for (path, text) in COMMON.iter().chain(own) {
        let text = text
            .replace("APP_NAME", name)
            .replace("APP_CRATE", &name.replace('-', "_"))
            .replace("APP_EXT", extension);
        let text = source.fill(&text)?;
        write(&root.join(path), &text)?;
    }
    write(&root.join("widgets").join(SCHEMA_FILE), &schema_text()?)?;
    let root = root.display();
    let pack = match source {
        Source::Registries => String::new(),
        Source::Checkout(checkout) => {
            let web = checkout.join("web");
            format!("pack for npm:    cd {} && npm ci && npm run pack\n", web.display())
        }
    };
    say!(
        "wrote {root}\n\n{pack}run it:          cd {root} && cargo run\nbuild its page:  cd {root}/web && \
         npm install && npm run build\nnext steps:      {root}/README.md"
    );
    Ok(Outcome::Clean)
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    create(path, text)?;
    Ok(())
}

/// Whether cargo, npm and Rust (as a crate name) accept it.
fn is_package_name(name: &str) -> bool {
    const TAKEN: [&str; 8] = ["test", "core", "std", "alloc", "self", "super", "crate", "async"];
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_');
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.len() <= 64
        && name.chars().all(plain)
        && !TAKEN.contains(&name)
}

/// Whether the project depends on this package.
fn is_dependency(name: &str) -> bool {
    let names = |(path, text): &(&str, &'static str)| -> Vec<&'static str> {
        let lines = text.lines();
        match *path {
            "Cargo.toml" => lines.filter_map(|line| Some(line.split_once(" = ")?.0)).collect(),
            "web/package.json" => lines.filter_map(|line| line.split('"').nth(1)).collect(),
            _ => Vec::new(),
        }
    };
    COMMON.iter().chain(REACT).chain(PLAIN).flat_map(names).any(|known| known == name)
}

#[cfg(test)]
mod tests {
    use super::{is_dependency, is_package_name};

    #[test]
    fn names_of_dependencies() {
        for taken in ["serde", "tokio", "widgetcast", "react"] {
            assert!(is_dependency(taken), "{taken}");
        }
        assert!(!is_dependency("helpdesk"));
    }

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
