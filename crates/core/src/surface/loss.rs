//! What a host cannot show.

use widgetcast_engine::outline::{Lack, Lost, Outline};

use super::host_template::Fault;

/// A part of a view that a host cannot show, or shows differently.
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

    /// What is lost of an outline: what the host lacks, and what printing left out.
    pub(super) fn all(outline: &Outline<'_>, lack: &Lack, printed: Vec<Lost>) -> Vec<Self> {
        let mut lost = outline.lost(lack);
        lost.extend(printed);
        lost.sort_by_key(|lost| lost.at);
        lost.dedup();
        let indexes: Vec<u32> = lost.iter().map(|lost| lost.at).collect();
        let pointers = outline.tree.pointers(&indexes);
        pointers.into_iter().zip(lost).map(|(at, lost)| Self::new(at, lost.reason)).collect()
    }

    /// That the author's own template is not used, and why.
    pub(super) fn refused(what: &str, faults: Vec<Fault>) -> impl Iterator<Item = Self> {
        let reason = format!("the author's {what} is not used");
        faults.into_iter().map(move |fault| Self::new("", format!("{reason}: {fault}")))
    }
}
