//! What printing a card keeps in mind.

use std::collections::HashMap;

use widgetcast_engine::outline::{Lost, Outline};
use widgetcast_engine::words::Words;

use super::survey::Survey;

/// The largest message that Teams accepts, with everything around the card.
pub(super) const BYTES: usize = 28 * 1024;
/// The longest address of a link or an image.
pub(super) const URL: usize = 2000;
/// What a submission holds besides the fields: a field of such a name would take its place.
const RESERVED: [&str; 3] = ["action", "payload", "msteams"];

/// How much goes into a card.
#[derive(Clone, Copy)]
pub(super) struct Budget {
    pub(super) rows: usize,
    /// Whether images may be inline.
    pub(super) has_data: bool,
    /// The bytes at which printing stops.
    pub(super) bytes: usize,
    /// Whether texts are cut as well: there is no smaller budget.
    pub(super) is_last: bool,
}

/// What is between an element and the one above it.
#[derive(Clone, Copy, Default)]
pub(super) struct Gap {
    pub(super) spacing: Option<&'static str>,
    pub(super) is_divided: bool,
}

impl Gap {
    pub(super) fn of(spacing: &'static str) -> Self {
        Self { spacing: Some(spacing), is_divided: false }
    }
}

/// Writes one card.
pub(super) struct Printer<'p, 't> {
    pub(super) outline: &'p Outline<'t>,
    pub(super) words: Words,
    pub(super) survey: &'p Survey<'t>,
    pub(super) budget: Budget,
    pub(super) out: String,
    pub(super) lost: Vec<Lost>,
    /// The gap above the next element.
    pub(super) gap: Gap,
    /// The ids of fields in use, and how often each was wanted.
    pub(super) ids: HashMap<String, usize>,
    /// Whether it is on a coloured ground, where hosts choose a colour for text that can be read.
    pub(super) is_on_color: bool,
    /// Whether the reader knows that the card ends early.
    pub(super) is_noted: bool,
}

impl<'p, 't> Printer<'p, 't> {
    pub(super) fn new(
        outline: &'p Outline<'t>,
        words: Words,
        survey: &'p Survey<'t>,
        budget: Budget,
    ) -> Self {
        let ids = RESERVED.map(|name| (name.to_owned(), 1)).into();
        let (out, lost, gap) = (String::with_capacity(4096), Vec::new(), Gap::default());
        Self {
            outline,
            words,
            survey,
            budget,
            out,
            lost,
            gap,
            ids,
            is_on_color: false,
            is_noted: false,
        }
    }
}
