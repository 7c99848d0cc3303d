//! Limits for everything that a definition or a caller can make large.

/// Upper bounds for what is read, run and produced. Templates and data are untrusted. Each bound has its own
/// error, so authors can see which one was exceeded.
///
/// ```
/// use widgetcast_engine::limits::Limits;
/// let mut limits = Limits::default();
/// limits.output_bytes = 64 * 1024;
/// assert!(limits.output_bytes < Limits::default().output_bytes);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of one definition file.
    pub file_bytes: usize,
    /// Files in one directory, searched recursively.
    pub files: usize,
    /// Steps of one piece of work: iterations of loops, validated items, rendered components.
    pub steps: u64,
    /// Instructions of the general template engine for one rendering.
    pub fuel: u64,
    /// Milliseconds of one piece of work, for steps that are few but slow.
    pub milliseconds: u64,
    /// JSON values of one message or result, nested ones included.
    pub values: usize,
    /// Blocks and expressions nested in a template.
    pub template_depth: usize,
    /// Bytes of the output, and of any text that a template builds while rendering.
    pub output_bytes: usize,
    /// Components of one tree.
    pub nodes: usize,
    /// Depth of one tree, counted in JSON objects and arrays.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 4 << 20,
            files: 100_000,
            steps: 10_000_000,
            fuel: 1_000_000,
            milliseconds: 5_000,
            values: 250_000,
            template_depth: 100,
            output_bytes: 4 << 20,
            nodes: 20_000,
            depth: 100,
        }
    }
}

impl Limits {
    /// Maximum number of listed schema violations; the rest are only counted.
    pub const VIOLATIONS: usize = 20;
    /// Maximum values in a list or map built inside a template, including nested ones.
    pub(crate) const VALUES: usize = 100_000;
    /// Maximum depth of an expression, in tokens: it is walked, compiled and dropped recursively. Items of a
    /// list or arguments of a call do not add up.
    pub(crate) const EXPRESSION_DEPTH: usize = 300;
    /// Maximum `elif` branches of a template, each of which is an `if` inside the previous one.
    pub(crate) const BRANCHES: usize = 200;
}
