//! Writes JSON strings.

/// Writes a text as a JSON string, with its quotes.
#[inline]
pub fn write_string(text: &str, out: &mut String) {
    out.push('"');
    write_escaped(text, out);
    out.push('"');
}

/// Writes the inside of a JSON string.
#[inline]
pub fn write_escaped(text: &str, out: &mut String) {
    // Most texts need no escaping and are copied whole.
    if is_plain(text.as_bytes()) {
        out.push_str(text);
    } else {
        write_with_escapes(text, out);
    }
}

/// Whether no byte needs an escape.
#[inline]
fn is_plain(bytes: &[u8]) -> bool {
    !any_word::<8>(bytes, escapes)
}

/// The top bit of each byte that needs an escape, and possibly of bytes above it.
#[inline]
fn escapes(word: u64) -> u64 {
    (below(word, 0x20) | equal(word, b'"') | equal(word, b'\\')) & TOPS
}

const ONES: u64 = u64::MAX / 0xff;
const TOPS: u64 = ONES << 7;

/// Whether a test sets the top bit of a byte in any word of eight bytes. Words start `STEP` bytes apart:
/// eight, or seven for a test of pairs of bytes. A shorter text is padded with letters.
#[inline]
pub(crate) fn any_word<const STEP: usize>(bytes: &[u8], test: impl Fn(u64) -> u64) -> bool {
    let Some(last) = bytes.last_chunk() else {
        let mut word = [b'a'; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        return test(u64::from_le_bytes(word)) & TOPS != 0;
    };
    // Without an early exit: most texts are short, and almost none contain a match.
    let mut found = test(u64::from_le_bytes(*last));
    let mut rest = bytes;
    while rest.len() > 8
        && let Some(word) = rest.first_chunk()
    {
        found |= test(u64::from_le_bytes(*word));
        rest = &rest[STEP..];
    }
    found & TOPS != 0
}

/// Sets the top bit of each ASCII byte below the bound. A borrow from such a byte can set more bits above it, but
/// never one without it.
#[inline]
pub(crate) fn below(word: u64, bound: u8) -> u64 {
    word.wrapping_sub(ONES * u64::from(bound)) & !word & TOPS
}

/// The same for each byte that is this one.
#[inline]
pub(crate) fn equal(word: u64, byte: u8) -> u64 {
    near(word, byte, 1)
}

/// The same for each byte whose bits differ from those of `byte` by less than the bound.
#[inline]
pub(crate) fn near(word: u64, byte: u8, bound: u8) -> u64 {
    below(word ^ (ONES * u64::from(byte)), bound)
}

/// The index of the next byte that needs an escape.
#[inline]
fn next_escape(bytes: &[u8], mut at: usize) -> Option<usize> {
    while let Some(word) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        match escapes(u64::from_le_bytes(*word)) {
            0 => at += 8,
            // Only the lowest bit is certain: the bits above it may be set by a borrow.
            found => return Some(at + found.trailing_zeros() as usize / 8),
        }
    }
    let rest = bytes[at..].iter().position(|byte| IS_ESCAPED[usize::from(*byte)]);
    rest.map(|rest| at + rest)
}

/// Writes a text in which some bytes need an escape.
fn write_with_escapes(text: &str, out: &mut String) {
    let bytes = text.as_bytes();
    let (mut written, mut next) = (0, 0);
    while let Some(at) = next_escape(bytes, next) {
        let byte = bytes[at];
        next = at + 1;
        out.push_str(&text[written..at]);
        out.push('\\');
        // A quote or a backslash is written with the text after it.
        written = at;
        if byte < 0x20 {
            written += 1;
            escape(byte, out);
        }
    }
    out.push_str(&text[written..]);
}

/// By byte, whether it needs an escape.
const IS_ESCAPED: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 0x20 {
        table[byte] = true;
        byte += 1;
    }
    table[b'"' as usize] = true;
    table[b'\\' as usize] = true;
    table
};

/// Writes the part of an escape after the backslash.
fn escape(byte: u8, out: &mut String) {
    match byte {
        b'\n' => out.push('n'),
        b'\r' => out.push('r'),
        b'\t' => out.push('t'),
        0x08 => out.push('b'),
        0x0c => out.push('f'),
        _ => {
            out.push_str("u00");
            out.extend([byte >> 4, byte & 15].map(|digit| char::from(HEX[usize::from(digit)])));
        }
    }
}

const HEX: &[u8; 16] = b"0123456789abcdef";

#[cfg(test)]
mod tests {
    use super::{any_word, below, equal, near};

    /// No place in a text is left out, and nothing that is in two texts side by side is found.
    #[test]
    fn every_byte_and_every_pair_is_looked_at() {
        let is_space = |word| equal(word, b' ');
        let are_spaces = |word| is_space(word) & (is_space(word) >> 8);
        for length in 0..40 {
            let text = |spaces: &[usize]| {
                let mut text = vec![b'b'; length];
                spaces.iter().filter(|at| **at < length).for_each(|at| text[*at] = b' ');
                text
            };
            assert!(!any_word::<8>(&text(&[]), is_space), "{length}");
            for at in 0..length {
                assert!(any_word::<8>(&text(&[at]), is_space), "{at} of {length}");
                assert!(any_word::<7>(&text(&[at]), is_space), "{at} of {length}");
                assert!(!any_word::<7>(&text(&[at, at + 2]), are_spaces), "{at} of {length}");
                let pair = any_word::<7>(&text(&[at, at + 1]), are_spaces);
                assert_eq!(pair, at + 1 < length, "{at} of {length}");
            }
        }
    }

    #[test]
    fn bytes_are_compared() {
        for byte in 0..=u8::MAX {
            let word = u64::from_le_bytes([byte; 8]);
            let all = |test: u64| [0, (u64::MAX / 0xff) << 7].iter().position(|all| *all == test);
            let is = |holds: bool| Some(usize::from(holds));
            assert_eq!(all(below(word, 0x20)), is(byte < 0x20), "{byte}");
            assert_eq!(all(equal(word, 0xc2)), is(byte == 0xc2), "{byte}");
            assert_eq!(all(near(word, 0xe3, 3)), is((0xe1..=0xe3).contains(&byte)), "{byte}");
        }
    }
}
