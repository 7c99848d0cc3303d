//! How a client starts the program: by its path, or by a package runner.

use std::path::Path;

use crate::outcome::Failure;

/// The runner of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Via {
    /// npx (Node)
    Npx,
    /// uvx (uv)
    Uvx,
    /// Path of this binary
    Path,
}

impl Via {
    /// The runner that started the program at this path. Package runners keep it in a cache that may be
    /// emptied at any time, so clients cannot use its path there.
    pub(crate) fn of(program: &Path) -> Self {
        let parts: Vec<_> = program.iter().map(|part| part.to_string_lossy()).collect();
        let has = |name: &str| parts.iter().any(|part| part == name);
        if has("_npx") {
            Self::Npx
        } else if has("uv") && parts.iter().any(|part| part.starts_with("archive-v")) {
            Self::Uvx
        } else {
            Self::Path
        }
    }

    /// The command as a user types it.
    pub(crate) fn typed(self) -> &'static str {
        match self {
            Self::Npx => "npx widgetcast",
            Self::Uvx => "uvx widgetcast",
            Self::Path => "widgetcast",
        }
    }

    /// The command as a client runs it, and its first arguments. No one is there to answer whether npx may
    /// install, hence `-y`.
    pub(crate) fn command(
        self,
        program: &Path,
        is_windows: bool,
    ) -> Result<(String, Vec<&'static str>), Failure> {
        Ok(match self {
            // A script, which only a shell can start.
            Self::Npx if is_windows => ("cmd".into(), vec!["/c", "npx", "-y", "widgetcast"]),
            Self::Npx => ("npx".into(), vec!["-y", "widgetcast"]),
            Self::Uvx => ("uvx".into(), vec!["widgetcast"]),
            Self::Path => (path_to_string(program)?, Vec::new()),
        })
    }
}

/// The path as text, as required by settings files.
pub(crate) fn path_to_string(path: &Path) -> Result<String, Failure> {
    let text = path.to_str().map(str::to_owned);
    text.ok_or_else(|| format!("{}: the path is not valid UTF-8", path.display()).into())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Via;

    #[test]
    fn package_runners_are_known_by_their_caches() {
        for (path, via) in [
            (
                "/home/a/.npm/_npx/1f/node_modules/@widgetcast/cli-linux-x64/bin/widgetcast",
                Via::Npx,
            ),
            ("/home/a/.cache/uv/archive-v0/9SzJ/bin/widgetcast", Via::Uvx),
            ("/Users/a/uv/cache/archive-v0/9SzJ/Scripts/widgetcast", Via::Uvx),
            ("/home/a/.local/share/uv/tools/widgetcast/bin/widgetcast", Via::Path),
            ("/usr/lib/node_modules/@widgetcast/cli-linux-x64/bin/widgetcast", Via::Path),
            ("/usr/local/bin/widgetcast", Via::Path),
        ] {
            assert_eq!(Via::of(Path::new(path)), via, "{path}");
        }
    }

    #[test]
    fn windows_starts_npx_by_its_shell() {
        let (program, args) = Via::Npx.command(Path::new("widgetcast.exe"), true).unwrap();
        assert_eq!((&*program, &args[..]), ("cmd", &["/c", "npx", "-y", "widgetcast"][..]));
    }
}
