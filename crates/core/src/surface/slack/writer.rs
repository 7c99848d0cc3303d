//! What writing a message keeps in mind.

use std::collections::HashSet;

use widgetcast_engine::outline::{Lost, Outline};
use widgetcast_engine::words::Words;

use super::piece::Pieces;

/// How much room a layout takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Layout {
    /// Parts are set off from each other.
    Roomy,
    /// Texts share sections as far as they fit.
    Tight,
    /// The buttons of an item are a menu next to it too.
    Menus,
}

/// Writes the blocks of a message.
pub(super) struct Writer<'w, 't> {
    pub(super) outline: &'w Outline<'t>,
    pub(super) words: Words,
    pub(super) layout: Layout,
    pub(super) pieces: Pieces,
    pub(super) lost: Vec<Lost>,
    /// The names of the fields so far: each may be asked for once.
    pub(super) names: HashSet<&'t str>,
    /// Whether a button submits the fields.
    pub(super) is_form: bool,
    /// What the part that is being written is about: the last heading, as plain text.
    pub(super) about: String,
    pub(super) tables: usize,
    pub(super) table_chars: usize,
    pub(super) charts: usize,
    /// Whether it is inside of a panel.
    pub(super) is_inside: bool,
}

impl<'w, 't> Writer<'w, 't> {
    pub(super) fn new(
        outline: &'w Outline<'t>,
        words: Words,
        layout: Layout,
        is_form: bool,
    ) -> Self {
        Self {
            outline,
            words,
            layout,
            pieces: Pieces::new(layout > Layout::Roomy),
            lost: Vec::new(),
            names: HashSet::new(),
            is_form,
            about: String::new(),
            tables: 0,
            table_chars: 0,
            charts: 0,
            is_inside: false,
        }
    }

    pub(super) fn lose(&mut self, at: u32, reason: impl Into<String>) {
        self.lost.push(Lost::new(at, reason));
    }
}
