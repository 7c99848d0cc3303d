//! How a text becomes a JSON string.

/// Writes a text as a JSON string, with its quotes.
pub fn write_string(text: &str, out: &mut String) {
    out.push('"');
    write_escaped(text, out);
    out.push('"');
}

/// Writes the inside of a JSON string.
#[inline]
pub fn write_escaped(text: &str, out: &mut String) {
    // Most texts need no escaping, and then a look and a copy are all there is to do.
    if is_plain(text.as_bytes()) {
        out.push_str(text);
    } else {
        write_odd(text, out);
    }
}

/// Whether a JSON string can hold all bytes as they are. Eight are looked at in one word.
#[inline]
fn is_plain(bytes: &[u8]) -> bool {
    const ONES: u64 = u64::MAX / 0xff;
    // The top bit of a byte tells whether it is below a bound, as long as none before it was.
    let below = |word: u64, bound: u8| word.wrapping_sub(ONES * u64::from(bound)) & !word;
    let is_odd = |word: &[u8; 8]| {
        let word = u64::from_le_bytes(*word);
        let quotes = below(word ^ (ONES * u64::from(b'"')), 1);
        let slashes = below(word ^ (ONES * u64::from(b'\\')), 1);
        (below(word, 0x20) | quotes | slashes) & (ONES << 7) != 0
    };
    let (words, rest) = bytes.as_chunks::<8>();
    !words.iter().any(is_odd) && !rest.iter().any(|byte| IS_ESCAPED[usize::from(*byte)])
}

/// Writes a text of which some bytes are escaped.
fn write_odd(text: &str, out: &mut String) {
    let mut written = 0;
    for (at, byte) in text.bytes().enumerate() {
        if !IS_ESCAPED[usize::from(byte)] {
            continue;
        }
        out.push_str(&text[written..at]);
        out.push('\\');
        // A quote or a backslash itself goes out with what follows it.
        written = at;
        if byte < 0x20 {
            written += 1;
            escape(byte, out);
        }
    }
    out.push_str(&text[written..]);
}

/// Whether a JSON string cannot hold a byte as it is.
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

/// Writes what stands after the backslash for a control character.
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
