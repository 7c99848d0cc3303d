//! Mutations of a corpus, the same for the same seed.

/// Pieces that random bytes would take long to find.
const TOKENS: &[&str] = &[
    "{{ ",
    " }}",
    "{% if a %}",
    "{% endif %}",
    "{% for x in items %}",
    "{% endfor %}",
    " | tojson",
    " ~ ",
    "\\\"",
    "\\ud800",
    "\\u0000",
    "null",
    "1e999",
    "-0.0",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\"",
    "\n",
    "- ",
    "  ",
    "&a ",
    "*a",
    "!!binary ",
    "<<: ",
    "|\n",
    "> ",
    "\"id\":",
    "\"method\":\"tools/call\"",
    "\"type\":",
    "\"children\":[]",
    "\u{0}",
    "\u{feff}",
    "\u{202e}",
    "[[[[[[[[",
    "********",
    "````",
    "9007199254740993",
];

/// Makes one input after the other.
pub(crate) struct Mutator {
    corpus: Vec<Vec<u8>>,
    state: u64,
}

impl Mutator {
    pub(crate) fn new(corpus: Vec<Vec<u8>>, seed: u64) -> Self {
        Self { corpus, state: seed ^ 0x9e37_79b9_7f4a_7c15 }
    }

    /// The input of a run: first each of the corpus as it is, then mutations and random bytes.
    pub(crate) fn next(&mut self, run: usize) -> Vec<u8> {
        if let Some(kept) = self.corpus.get(run) {
            return kept.clone();
        }
        let random = self.corpus.is_empty() || self.below(4) == 0;
        let mut bytes = if random {
            let length = self.below(600);
            (0..length).map(|_| self.below(256) as u8).collect()
        } else {
            let index = self.below(self.corpus.len());
            self.corpus[index].clone()
        };
        for _ in 0..=self.below(6) {
            self.mutate(&mut bytes);
        }
        bytes
    }

    fn mutate(&mut self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            bytes.push(b'{');
        }
        let at = self.below(bytes.len());
        let span = at..(at + 1 + self.below(30)).min(bytes.len());
        match self.below(8) {
            0 => bytes[at] = self.below(256) as u8,
            1 => bytes[at] ^= 1 << self.below(8),
            2 => drop(bytes.drain(span)),
            3 => {
                let copy = bytes[span].to_vec();
                let to = self.below(bytes.len());
                bytes.splice(to..to, copy);
            }
            4 => {
                // The same piece very often: what costs the square of its number shows then.
                let piece = bytes[at..(at + 1 + self.below(4)).min(bytes.len())].to_vec();
                let many = piece.repeat(self.below(2000));
                bytes.splice(at..at, many);
            }
            5 if !self.corpus.is_empty() => {
                let other = self.below(self.corpus.len());
                let from = self.below(self.corpus[other].len().max(1));
                let length = self.below(200);
                let piece: Vec<u8> =
                    self.corpus[other].iter().skip(from).take(length).copied().collect();
                bytes.splice(at..at, piece);
            }
            _ => {
                let token = TOKENS[self.below(TOKENS.len())];
                bytes.splice(at..at, token.bytes());
            }
        }
    }

    /// Splitmix64, below a bound.
    fn below(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound.max(1) as u64) as usize
    }
}
