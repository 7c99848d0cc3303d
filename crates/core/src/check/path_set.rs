//! Sets of paths into the data. A lookup takes time proportional to the length of the path.

use std::collections::HashMap;

use widgetcast_engine::template::Step;

/// A set of paths, as a trie.
#[derive(Default)]
pub(super) struct PathSet {
    is_end: bool,
    keys: HashMap<String, PathSet>,
    each: Option<Box<PathSet>>,
}

impl PathSet {
    /// Adds a path. Returns whether it was not there yet.
    pub(super) fn insert(&mut self, path: &[Step]) -> bool {
        let mut at = self;
        for step in path {
            at = match step {
                Step::Key(name) => at.keys.entry(name.clone()).or_default(),
                Step::Each => at.each.get_or_insert_default(),
            };
        }
        !std::mem::replace(&mut at.is_end, true)
    }

    /// Whether the set contains this path or a prefix of it.
    pub(super) fn covers(&self, path: &[Step]) -> bool {
        self.walk(path).any(|at| at.is_end)
    }

    /// Whether this path is a prefix of a path in the set, or the reverse.
    pub(super) fn overlaps(&self, path: &[Step]) -> bool {
        self.covers(path) || self.walk(path).count() > path.len()
    }

    /// The trie, and its node at each step of the path, as far as they exist.
    fn walk<'s>(&'s self, path: &'s [Step]) -> impl Iterator<Item = &'s PathSet> {
        let mut steps = path.iter();
        std::iter::successors(Some(self), move |at| match steps.next()? {
            Step::Key(name) => at.keys.get(name),
            Step::Each => at.each.as_deref(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_by_their_beginning() {
        let path = |text: &str| -> Vec<Step> {
            let step = |part: &str| match part {
                "[]" => Step::Each,
                name => Step::Key(name.to_owned()),
            };
            text.split('.').map(step).collect()
        };
        let mut set = PathSet::default();
        assert!(!set.covers(&path("a")) && !set.overlaps(&path("a")));
        assert!(set.insert(&path("a.[].b")) && set.insert(&path("c")));
        assert!(!set.insert(&path("c")));
        for (text, covers, overlaps) in [
            ("a", false, true),
            ("a.[]", false, true),
            ("a.[].b", true, true),
            ("a.[].b.c", true, true),
            ("a.[].c", false, false),
            ("a.b", false, false),
            ("c", true, true),
            ("c.d", true, true),
            ("d", false, false),
        ] {
            let found = (set.covers(&path(text)), set.overlaps(&path(text)));
            assert_eq!(found, (covers, overlaps), "{text}");
        }
    }
}
