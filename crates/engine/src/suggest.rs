//! "Did you mean": the known name that is most similar to an unknown one.

use crate::budget;

/// Longer words are not compared.
const MAX_LENGTH: usize = 100;

/// The cost of comparing two words, in steps.
const STEPS: u64 = 10;

/// The most similar known word, if any is similar.
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    nearest_within(word, known, |length| 1 + length / 4)
}

/// [`nearest`], with the maximum number of slips for a known word of a length.
pub fn nearest_within<'a>(
    word: &str,
    known: impl Iterator<Item = &'a str>,
    slips: impl Fn(usize) -> usize,
) -> Option<&'a str> {
    // Comparing two words takes time and memory proportional to the product of their lengths.
    if word.len() > MAX_LENGTH {
        return None;
    }
    let lower = word.to_ascii_lowercase();
    let length = lower.chars().count();
    // Each additional letter is a slip.
    let may_be_near = |known: &&str| known.chars().count().abs_diff(length) <= slips(known.len());
    known
        .filter(|known| known.len() <= 2 * MAX_LENGTH)
        .filter(may_be_near)
        .take_while(|_| budget::steps(STEPS).is_ok())
        .map(|known| (strsim::damerau_levenshtein(&lower, &known.to_ascii_lowercase()), known))
        .filter(|(distance, known)| *distance <= slips(known.len()))
        .min()
        .map(|(_, known)| known)
}

/// "did you mean …?" with the most similar known word; empty if none is similar.
pub fn did_you_mean<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    nearest(word, known).map(|known| format!("did you mean {known}?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words() {
        let known = || ["Title", "Text", "Button", "greeting", "Row"].into_iter();
        assert_eq!(nearest("titel", known()), Some("Title"));
        assert_eq!(nearest("BUTTON", known()), Some("Button"));
        assert_eq!(nearest("greetin", known()), Some("greeting"));
        assert_eq!(nearest("paragraph", known()), None);
        // One slip in a short word, and one more for every four letters.
        assert_eq!(nearest("Rwo", known()), Some("Row"));
        assert_eq!(nearest("R", known()), None);
        assert_eq!(nearest("Tx", known()), Some("Text"));
        assert_eq!(nearest("grting", known()), Some("greeting"));
        assert_eq!(nearest("ting", known()), None);
        assert_eq!(did_you_mean("txt", known()), "did you mean Text?");
        assert_eq!(did_you_mean("paragraph", known()), "");
        let long = "x".repeat(10_000_000);
        assert_eq!(nearest(&long, [long.as_str(), "x"].into_iter()), None);
        assert_eq!(nearest("x", [long.as_str()].into_iter()), None);
    }
}
