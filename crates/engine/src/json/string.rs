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

/// Whether no byte needs an escape. Eight bytes are tested at a time.
#[inline]
fn is_plain(bytes: &[u8]) -> bool {
    let (words, rest) = bytes.as_chunks::<8>();
    words.iter().all(|word| escapes(word) == 0)
        && !rest.iter().any(|byte| IS_ESCAPED[usize::from(*byte)])
}

/// The top bit of each byte that needs an escape, and maybe of bytes above such a byte.
#[inline]
fn escapes(word: &[u8; 8]) -> u64 {
    const ONES: u64 = u64::MAX / 0xff;
    // Sets the top bit of each byte below the bound. A borrow from such a byte can set more bits above
    // it, but never one without it.
    let below = |word: u64, bound: u8| word.wrapping_sub(ONES * u64::from(bound)) & !word;
    let word = u64::from_le_bytes(*word);
    let quotes = below(word ^ (ONES * u64::from(b'"')), 1);
    let slashes = below(word ^ (ONES * u64::from(b'\\')), 1);
    (below(word, 0x20) | quotes | slashes) & (ONES << 7)
}

/// The index of the next byte that needs an escape.
#[inline]
fn next_escape(bytes: &[u8], mut at: usize) -> Option<usize> {
    while let Some(word) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        match escapes(word) {
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
