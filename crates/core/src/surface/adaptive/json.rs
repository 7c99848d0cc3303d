//! Writes the JSON of a card: elements and their contents.

use widgetcast_engine::json::write_string;

use super::printer::{Gap, Printer};

/// Where an element begins, and the gap above it.
#[derive(Clone, Copy)]
pub(super) struct Mark(usize, Gap);

/// A width. Whole numbers are written much faster than others.
pub(super) fn pixels(width: f64) -> String {
    format!("{}px", width.round_ties_even() as u32)
}

impl Printer<'_, '_> {
    /// A comma, unless something was just opened. A string ends with its quote, so it is not mistaken.
    fn comma(&mut self) {
        if !matches!(self.out.as_bytes().last(), None | Some(b'{' | b'[' | b':')) {
            self.out.push(',');
        }
    }

    pub(super) fn key(&mut self, key: &str) {
        self.comma();
        self.out.push('"');
        self.out.push_str(key);
        self.out.push_str("\":");
    }

    pub(super) fn raw(&mut self, key: &str, json: &str) {
        self.key(key);
        self.out.push_str(json);
    }

    pub(super) fn string(&mut self, key: &str, text: &str) {
        self.key(key);
        write_string(text, &mut self.out);
    }

    /// The flag, if it is set.
    pub(super) fn flag(&mut self, key: &str, is_set: bool) {
        if is_set {
            self.raw(key, "true");
        }
    }

    /// An object without a type.
    pub(super) fn object(&mut self) {
        self.comma();
        self.out.push('{');
    }

    /// An element below the gap that is due.
    pub(super) fn open(&mut self, kind: &str) -> Mark {
        let mark = Mark(self.out.len(), std::mem::take(&mut self.gap));
        self.object();
        self.string("type", kind);
        if let Some(spacing) = mark.1.spacing {
            self.string("spacing", spacing);
        }
        self.flag("separator", mark.1.is_divided);
        mark
    }

    pub(super) fn close(&mut self) {
        self.out.push('}');
    }

    /// Starts the contents of the open element; the first one has no spacing.
    pub(super) fn items(&mut self, key: &str) {
        self.key(key);
        self.out.push('[');
        self.gap = Gap::default();
    }

    /// Ends the open element and its contents.
    pub(super) fn end(&mut self) {
        self.out.push_str("]}");
        self.gap = Gap::default();
    }

    /// The same; the element is taken away if nothing is in it.
    pub(super) fn end_filled(&mut self, mark: Mark) {
        if self.out.ends_with('[') {
            self.out.truncate(mark.0);
            self.gap = mark.1;
        } else {
            self.end();
        }
    }

    /// A column, with where its items stand from top to bottom.
    pub(super) fn column(&mut self, width: &str, place: &str) {
        self.open("Column");
        self.string("width", width);
        if !place.is_empty() {
            self.string("verticalContentAlignment", place);
        }
        self.items("items");
    }

    /// Something else for hosts that do not know the open element: in its place, below the same gap.
    pub(super) fn fallback(&mut self, mark: Mark) {
        self.key("fallback");
        self.gap = mark.1;
    }

    /// Nothing for those hosts.
    pub(super) fn drop_fallback(&mut self) {
        self.raw("fallback", "\"drop\"");
    }

    /// The gap above the next element, unless it is the first since `start`.
    pub(super) fn below(&mut self, start: usize, spacing: &'static str) {
        if self.out.len() > start {
            self.gap = Gap::of(spacing);
        }
    }
}
