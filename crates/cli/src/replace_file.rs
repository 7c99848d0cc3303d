//! Replaces the text of a file atomically.

use std::io::Write as _;
use std::path::Path;

/// Overwrites an existing file and keeps its permissions. A symbolic link stays one.
///
/// The text goes to a temporary file next to it first, which is then renamed, so that a crash leaves
/// no half-written file. The temporary file must be new: a symbolic link planted under its name would
/// be written through.
pub(crate) fn replace_file(file: &Path, text: &str) -> std::io::Result<()> {
    let file = file.canonicalize()?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let temporary = file.with_file_name(format!(".{name}.{}.new", std::process::id()));
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    // Settings files may contain secrets, so the file is private until it has the original permissions.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut out = options.open(&temporary)?;
    let written = out
        .write_all(text.as_bytes())
        .and_then(|()| {
            std::fs::set_permissions(&temporary, std::fs::metadata(&file)?.permissions())
        })
        .and_then(|()| std::fs::rename(&temporary, &file));
    if written.is_err() {
        let _ = std::fs::remove_file(&temporary);
    }
    written
}
