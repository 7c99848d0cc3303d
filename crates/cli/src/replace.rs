//! Replacing a file as a whole.

use std::io::Write as _;
use std::path::Path;

/// Writes a file that is there already, keeping who may read it. A link stays a link.
pub(crate) fn replace(file: &Path, text: &str) -> std::io::Result<()> {
    // Beside the file first: a crash must not leave half of one. The side file must be new, or a
    // link planted under its name would be written through.
    let file = file.canonicalize()?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let beside = file.with_file_name(format!(".{name}.{}.new", std::process::id()));
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    // Until it has the permissions of the file, nobody else reads what may be secret.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut out = options.open(&beside)?;
    let written = out
        .write_all(text.as_bytes())
        .and_then(|()| std::fs::set_permissions(&beside, std::fs::metadata(&file)?.permissions()))
        .and_then(|()| std::fs::rename(&beside, &file));
    if written.is_err() {
        let _ = std::fs::remove_file(&beside);
    }
    written
}
