//! The labels that printers add: all text that is not in the tree. They are the group `host` of
//! `web/i18n/words.json`, which explains why each is needed; the view, the chat and the display pages use the
//! same. `table.rs` is generated from it by a test.

mod table;

pub use table::Word;

/// The languages, in the order of the table.
const LANGUAGES: [&str; 7] = ["en", "de", "fr", "es", "ar", "he", "ja"];

/// The labels of one language.
///
/// ```
/// use widgetcast_engine::words::{Word, Words};
/// assert_eq!(Words::of("de-CH").get(Word::Submit), "Absenden");
/// assert_eq!(Words::of("tlh").get(Word::Submit), "Submit");
/// assert_eq!(Words::default().count(Word::MoreRows, 1), "1 more row");
/// assert!(Words::of("ar").is_right_to_left());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// The index of the language.
    language: usize,
    is_right_to_left: bool,
}

impl Words {
    /// The labels of a locale such as `de-CH`; English for a language without labels.
    pub fn of(locale: &str) -> Self {
        let name = locale.split(['-', '_']).next().unwrap_or_default();
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        // `iw` is the old code for Hebrew that some systems still send.
        let language = LANGUAGES.iter().position(|language| is(language));
        let language = language.or(is("iw").then_some(5)).unwrap_or(0);
        let is_right_to_left = RIGHT_TO_LEFT.iter().any(|language| is(language));
        Self { language, is_right_to_left }
    }

    /// Whether the locale is right-to-left, whether or not it has labels.
    pub fn is_right_to_left(self) -> bool {
        self.is_right_to_left
    }

    /// A label.
    pub fn get(self, word: Word) -> &'static str {
        table::TABLE[word as usize][self.language]
    }

    /// A label with a number in it.
    pub fn count(self, word: Word, count: usize) -> String {
        let (one, many) =
            self.get(word).split_once('|').unwrap_or((self.get(word), self.get(word)));
        // French counts 0 as one.
        let is_one = count == 1 || (count == 0 && self.language == 2);
        (if is_one { one } else { many }).replace("{n}", &count.to_string())
    }

    /// All labels of the language without numbers.
    pub fn all(self) -> impl Iterator<Item = &'static str> {
        table::TABLE.iter().flat_map(move |row| row[self.language].split('|'))
    }
}

/// The languages that are written from right to left, as `web/i18n` lists them.
const RIGHT_TO_LEFT: [&str; 11] =
    ["ar", "he", "iw", "fa", "ur", "ps", "sd", "ug", "yi", "dv", "ckb"];
