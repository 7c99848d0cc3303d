//! All output of the command line. Files, servers and results are untrusted: characters that could control a
//! terminal are shown as a box. Only our own colours, and those of rendered views, are passed on.

use std::borrow::Cow;
use std::fmt::Arguments;
use std::io::{self, StderrLock, StdoutLock, Write};

use anstream::AutoStream;

use crate::json_text;

/// Our styles, as parameters of the escape sequences that select them.
const STYLES: [&str; 7] = ["0", "1", "2", "31", "32", "33", "36"];

/// Stdout.
pub(crate) fn stdout() -> Printer<AutoStream<StdoutLock<'static>>> {
    Printer(anstream::stdout().lock())
}

/// Stderr.
pub(crate) fn stderr() -> Printer<AutoStream<StderrLock<'static>>> {
    Printer(anstream::stderr().lock())
}

/// Prints to stdout. Errors are ignored, because the terminal may be closed.
macro_rules! out {
    ($($text:tt)*) => {
        _ = std::io::Write::write_fmt(&mut $crate::print::stdout(), format_args!($($text)*))
    };
}

/// Prints a line to stdout.
macro_rules! say {
    ($($text:tt)*) => { out!("{}\n", format_args!($($text)*)) };
}

/// Prints a line to stderr.
macro_rules! tell {
    ($($text:tt)*) => {
        _ = std::io::Write::write_fmt(
            &mut $crate::print::stderr(),
            format_args!("{}\n", format_args!($($text)*)),
        )
    };
}

/// A stream that neutralizes control characters.
pub(crate) struct Printer<W>(W);

impl<W: Write> Printer<W> {
    /// Prints a rendered view, with its own links and colours.
    pub(crate) fn drawing(&mut self, drawing: &str) -> io::Result<()> {
        self.0.write_all(drawing.as_bytes())?;
        self.0.write_all(b"\n")
    }
}

impl<W: Write> Write for Printer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_all(safe(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    /// All at once, so that no sequence is split.
    fn write_fmt(&mut self, text: Arguments<'_>) -> io::Result<()> {
        self.0.write_all(safe(&text.to_string()).as_bytes())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The text without control characters, except for our styles.
fn safe(text: &str) -> Cow<'_, str> {
    let steers = |c: char| c.is_control() && !matches!(c, '\n' | '\t') || json_text::steers(c);
    if !text.contains(steers) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(steers) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let style = STYLES.iter().find_map(|style| {
            let after = rest.strip_prefix("\u{1b}[")?.strip_prefix(style)?.strip_prefix('m')?;
            Some(rest.len() - after.len())
        });
        let length = style.unwrap_or_else(|| rest.chars().next().map_or(0, char::len_utf8));
        out.push_str(if style.is_some() { &rest[..length] } else { "\u{fffd}" });
        rest = &rest[length..];
    }
    out.push_str(rest);
    out.into()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn only_our_styles_reach_a_terminal() {
        let style = anstyle::AnsiColor::Red.on_default().bold();
        let text = format!("{style}error{style:#}: a\tb\n");
        assert_eq!(safe(&text), text);
        for (hostile, shown) in [
            ("\u{1b}]52;c;aGk=\u{7}", "\u{fffd}]52;c;aGk=\u{fffd}"),
            ("\u{1b}]8;;https://evil\u{1b}\\a", "\u{fffd}]8;;https://evil\u{fffd}\\a"),
            ("a\u{1b}[2Jb", "a\u{fffd}[2Jb"),
            ("\u{1b}[8mhidden", "\u{fffd}[8mhidden"),
            ("\u{9b}2J\u{90}q\u{9c}", "\u{fffd}2J\u{fffd}q\u{fffd}"),
            ("a\rb\u{8}\u{202e}", "a\u{fffd}b\u{fffd}\u{fffd}"),
        ] {
            assert_eq!(safe(hostile), shown);
            let mut printer = Printer(Vec::new());
            let (start, rest) = hostile.split_at(hostile.ceil_char_boundary(1));
            write!(printer, "{start}{rest}").unwrap();
            assert_eq!(String::from_utf8(printer.0).unwrap(), shown);
        }
    }

    /// All output of the verbs uses this.
    #[test]
    fn no_other_file_prints() {
        fn look(dir: &Path) {
            for entry in std::fs::read_dir(dir).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    look(&path);
                } else if !path.ends_with("src/print.rs") {
                    let text = std::fs::read_to_string(&path).unwrap();
                    for print in ["anstream::std", "print!(", "println!(", "io::stderr().lock"] {
                        assert!(!text.contains(print), "{}: {print}", path.display());
                    }
                }
            }
        }
        look(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    }
}
