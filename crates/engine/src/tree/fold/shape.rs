//! The shape of a component: facts about its subtree that decide whether it reads as one line or as a
//! block. They are collected once, so that no question about them walks the tree again.

use std::ops::Range;

#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// Where its children are.
    pub children: Range<u32>,
    /// How many there are.
    pub count: u32,
    /// How many of them are groups.
    pub groups: u32,
    /// How many titles, its own or below, would be headings.
    pub titles: u32,
    /// Whether its children stand side by side.
    pub is_row: bool,
    /// Whether several things stand together in it.
    pub is_group: bool,
    /// Whether it reads better on one line than as a stack of blocks.
    pub is_one_line: bool,
}

impl Default for Shape {
    /// The shape of what has no children.
    fn default() -> Self {
        Self {
            children: 0..0,
            count: 0,
            groups: 0,
            titles: 0,
            is_row: false,
            is_group: false,
            is_one_line: true,
        }
    }
}
