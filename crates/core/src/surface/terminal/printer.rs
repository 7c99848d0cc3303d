//! What printing depends on besides the blocks and the width.

use widgetcast_engine::outline::{Outline, push_one_line};
use widgetcast_engine::words::Words;

/// How to render for a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TerminalOptions {
    /// Maximum columns of a line.
    pub width: usize,
    /// Whether to use ANSI colours; otherwise, the text contains no escape sequences.
    pub colour: bool,
    /// Whether to write links as OSC 8; only with colour.
    pub links: bool,
}

/// What printing depends on besides the blocks and the width.
#[derive(Clone, Copy)]
pub(super) struct Printer<'p, 't> {
    pub(super) outline: &'p Outline<'t>,
    pub(super) words: Words,
    pub(super) colour: bool,
    pub(super) links: bool,
    /// Whether it prints what is side by side. That is laid out twice, first to see how wide it is; what
    /// is side by side in it is laid out once, or the cost would double with every level.
    pub(super) is_inner: bool,
}

pub(super) fn one_line(text: &str) -> String {
    let mut out = String::new();
    push_one_line(text, &mut out);
    out
}
