//! How to check.

/// How to check.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CheckOptions {
    /// Ask for `jsonSchema`, descriptions and a sample, and take warnings as errors.
    pub strict: bool,
}

impl CheckOptions {
    /// The strict ones.
    pub fn strict() -> Self {
        Self { strict: true }
    }
}
