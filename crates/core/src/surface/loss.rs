//! What a host cannot show.

/// Something of a view that a host cannot show, or shows differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// Where in the tree, as a JSON pointer.
    pub pointer: String,
    /// What is lost, and why: one short sentence.
    pub reason: String,
}

impl Loss {
    /// A loss at a JSON pointer of the tree.
    pub fn new(pointer: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), reason: reason.into() }
    }
}
