//! The intent of a generated input.

/// What a generated input is meant to provoke; shown to the author next to the failing input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Intent {
    /// Required fields only, each as small as allowed.
    Minimal,
    /// Every field, with ordinary values.
    Full,
    /// Null wherever null is allowed, every field present.
    Nulls,
    /// Lists and strings as short as allowed, every field present.
    Empty,
    /// Texts, lists and numbers as large as allowed, within reason.
    Longest,
    /// Strings and numbers that break careless templates.
    Hostile,
    /// Anything the schema allows.
    Random,
}

impl Intent {
    pub(super) const FIXED: [Intent; 6] = [
        Intent::Minimal,
        Intent::Full,
        Intent::Nulls,
        Intent::Empty,
        Intent::Longest,
        Intent::Hostile,
    ];

    /// The intent as text, for a report.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Intent::Minimal => "only required fields",
            Intent::Full => "every field",
            Intent::Nulls => "nulls",
            Intent::Empty => "empty lists",
            Intent::Longest => "longest values",
            Intent::Hostile => "hostile strings",
            Intent::Random => "random",
        }
    }
}
