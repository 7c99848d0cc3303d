//! What a run may take.

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
    /// How often the model is asked.
    pub steps: u32,
    /// How many tokens the run may use, in and out, by the word of the endpoint, else estimated. Looked
    /// at before the model is asked.
    pub tokens: u64,
    /// How long the endpoint may take until the first part of an answer.
    pub first_token: Duration,
    /// How long it may be silent between two parts.
    pub between_tokens: Duration,
    /// Time limit of the run. It is paused while the user decides about a tool.
    pub run: Duration,
    /// How often a request is sent again after a refusal that may pass, or a lost connection.
    pub retries: u32,
    /// The longest wait that an endpoint may ask for before the next attempt; for longer ones the run ends.
    pub longest_wait: Duration,
    /// How often in a row the model may send arguments that are not JSON.
    pub corrections: u32,
    /// How many bytes of a result the model is given.
    pub result_bytes: usize,
    /// How many bytes one answer of the model may have, with the arguments of its calls.
    pub answer_bytes: usize,
    /// How many tools run at the same time.
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
