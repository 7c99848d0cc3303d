//! Reading a file that another process may replace at any moment.
//!
//! A file is opened once, never waits (a FIFO would), and is looked at by its handle: only a regular
//! file of a bounded size is read. Below a directory no link is followed on the way; one that stays
//! inside is resolved first, and what it leads to is opened without links.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use widgetcast_engine::error::{Error, Kind, Result};

/// Reads a file of at most `max_bytes`. If a directory is given, the file must be in it; otherwise, the path
/// is used unchanged, including symlinks.
pub(crate) fn read(dir: Option<&Path>, path: &Path, max_bytes: usize) -> Result<String> {
    let file = match dir {
        Some(dir) => open_below(dir, path)?,
        None => open(path).map_err(|error| cannot_read(path, error))?,
    };
    let about = file.metadata().map_err(|error| cannot_read(path, error))?;
    if !about.is_file() {
        return Err(not_a_file(path));
    }
    let too_large = || {
        let message = format!("is larger than {max_bytes} bytes");
        Error::new(Kind::FileSize, message).in_file(path)
    };
    let size = usize::try_from(about.len()).unwrap_or(usize::MAX);
    if size > max_bytes {
        return Err(too_large());
    }
    // Reserving the size avoids ten reads. The file may have grown since.
    let mut text = Vec::with_capacity(size + 1);
    let most = max_bytes as u64 + 1;
    file.take(most).read_to_end(&mut text).map_err(|error| cannot_read(path, error))?;
    if text.len() > max_bytes {
        return Err(too_large());
    }
    String::from_utf8(text).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count();
        Error::new(
            Kind::FileSyntax,
            format!("is not UTF-8: line {line} has a byte that is no text"),
        )
        .with_help("save the file as UTF-8; UTF-16 and Latin-1 cannot be read")
        .in_file(path)
    })
}

pub(crate) fn cannot_read(path: &Path, error: io::Error) -> Error {
    let message = match error.kind() {
        io::ErrorKind::NotFound => "no such file or directory".to_owned(),
        _ => format!("cannot be read: {error}"),
    };
    Error::new(Kind::FileRead, message).in_file(path).with_cause(error)
}

pub(crate) fn not_a_file(path: &Path) -> Error {
    Error::new(Kind::FileRead, "is not a regular file").in_file(path)
}

pub(crate) fn leads_out(path: &Path) -> Error {
    Error::new(Kind::FileLink, "this symlink points outside the directory and is not followed")
        .with_help("copy the file here, or use its own directory")
        .in_file(path)
}

fn open_below(dir: &Path, path: &Path) -> Result<File> {
    let below = path.strip_prefix(dir).map_err(|_| leads_out(path))?;
    let fail = |error| cannot_read(path, error);
    if let Some(file) = open_without_links(dir, below).map_err(fail)? {
        return Ok(file);
    }
    let (root, target) = (dir.canonicalize().map_err(fail)?, path.canonicalize().map_err(fail)?);
    let below = target.strip_prefix(&root).map_err(|_| leads_out(path))?;
    // If it is replaced by a symlink between these two lines, nothing is read.
    open_without_links(&root, below).map_err(fail)?.ok_or_else(|| leads_out(path))
}

#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use rustix::fs::{CWD, Mode, OFlags, openat};
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    Ok(openat(CWD, path, flags, Mode::empty())?.into())
}

/// Opens the path component by component, relative to the previous directory. `None` if any is a symlink.
#[cfg(unix)]
fn open_without_links(dir: &Path, below: &Path) -> io::Result<Option<File>> {
    use rustix::fs::{CWD, Mode, OFlags, openat};
    use rustix::io::Errno;
    let folder = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let file = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let mut at = openat(CWD, dir, folder, Mode::empty())?;
    let mut parts = below.components().peekable();
    while let Some(part) = parts.next() {
        let std::path::Component::Normal(name) = part else { return Ok(None) };
        let flags = if parts.peek().is_some() { folder } else { file };
        match openat(&at, name, flags | OFlags::NOFOLLOW, Mode::empty()) {
            Ok(next) => at = next,
            // The error codes for a symlink: Linux (directory, file), FreeBSD.
            Err(Errno::NOTDIR | Errno::LOOP | Errno::MLINK) => return Ok(None),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(Some(at.into()))
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// On this platform, symlinks are checked before the file is opened, not atomically.
#[cfg(not(unix))]
fn open_without_links(dir: &Path, below: &Path) -> io::Result<Option<File>> {
    let path = dir.join(below);
    let mut between = path.ancestors().take_while(|part| *part != dir);
    if between.any(Path::is_symlink) { Ok(None) } else { File::open(path).map(Some) }
}

/// A hash that identifies a text; never 0. It processes eight bytes at a time, because every file is hashed
/// while loading.
pub(crate) fn fingerprint(text: &str) -> u64 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let add = |sum: u64, word: &[u8; 8]| {
        (sum.rotate_left(23) ^ u64::from_le_bytes(*word)).wrapping_mul(ODD)
    };
    // Three independent sums, so that the CPU can compute their products in parallel.
    let (threes, rest) = words.as_chunks::<3>();
    let sums = threes.iter().fold([text.len() as u64, 1, 2], |sums, words| {
        [add(sums[0], &words[0]), add(sums[1], &words[1]), add(sums[2], &words[2])]
    });
    let [a, b, c] = sums.map(u64::to_le_bytes);
    rest.iter().chain([&last, &a, &b, &c]).fold(0, add) | 1
}
