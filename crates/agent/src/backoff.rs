//! The delay before a retry.

use std::time::Duration;

/// Exponential backoff from `first` to `most`, with a jitter of up to one half, so that clients that failed
/// together do not retry together.
pub(crate) fn delay(failures: u32, first: Duration, most: Duration) -> Duration {
    let whole = first.saturating_mul(1 << failures.saturating_sub(1).min(16)).min(most);
    whole.mul_f64(rand::random_range(0.5..=1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_grows_and_is_bounded() {
        let (first, most) = (Duration::from_secs(1), Duration::from_secs(30));
        for (failures, whole) in [(1, 1), (2, 2), (3, 4), (5, 16), (6, 30), (4_000_000_000, 30)] {
            let whole = Duration::from_secs(whole);
            for _ in 0..50 {
                let waits = delay(failures, first, most);
                assert!(waits >= whole / 2 && waits <= whole, "{failures}: {waits:?}");
            }
        }
    }
}
