//! The limits of a run.

use std::time::Duration;

/// The limits of a run.
///
/// ```
/// use widgetcast_agent::Limits;
/// let limits = Limits { steps: 4, ..Limits::default() };
/// assert_eq!(limits.tokens, 200_000);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// Maximum number of requests to the model.
    pub steps: u32,
    /// Maximum tokens of the run, input and output, as reported by the endpoint or else estimated. Checked
    /// before each request to the model.
    pub tokens: u64,
    /// Timeout until the first part of a response.
    pub first_token: Duration,
    /// Timeout between two parts of a response.
    pub between_tokens: Duration,
    /// Time limit of the run. It is paused while the user decides about a tool.
    pub run: Duration,
    /// Maximum retries of a request after a temporary error or a lost connection.
    pub retries: u32,
    /// The longest wait before a retry that an endpoint may request; if it requests more, the run ends.
    pub longest_wait: Duration,
    /// How many times in a row the model may send arguments that are not JSON.
    pub corrections: u32,
    /// Maximum bytes of a result that are sent to the model.
    pub result_bytes: usize,
    /// Maximum bytes of one response of the model, including the arguments of its calls.
    pub answer_bytes: usize,
    /// Maximum concurrent tool calls.
    pub parallel_calls: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: 16,
            tokens: 200_000,
            first_token: Duration::from_secs(60),
            between_tokens: Duration::from_secs(30),
            run: Duration::from_secs(600),
            retries: 4,
            longest_wait: Duration::from_secs(60),
            corrections: 2,
            result_bytes: 16 * 1024,
            answer_bytes: 1024 * 1024,
            parallel_calls: 8,
        }
    }
}
