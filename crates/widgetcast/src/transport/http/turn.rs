//! The queue of clients that have closed their side of a connection. Most of them are gone, but a half-closed
//! connection looks the same. The runtime works for one of them at a time, so its other threads serve the
//! clients that are still connected.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::sync::Semaphore;
use tokio_util::sync::PollSemaphore;

#[derive(Clone)]
pub(super) struct Line(Arc<Semaphore>);

impl Default for Line {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(1)))
    }
}

/// The place of a request in the line, once it is there.
#[derive(Default)]
pub(super) struct Place(Option<PollSemaphore>);

impl Line {
    /// Polls the answer to a client that has left, as soon as it is its turn.
    pub(super) fn poll<F: Future>(
        &self,
        place: &mut Place,
        answer: Pin<&mut F>,
        context: &mut Context<'_>,
    ) -> Poll<F::Output> {
        let place = place.0.get_or_insert_with(|| PollSemaphore::new(Arc::clone(&self.0)));
        let _turn = ready!(place.poll_acquire(context));
        answer.poll(context)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::pin::pin;

    use futures_util::FutureExt as _;

    use super::*;

    fn polled<F: Future>(line: &Line, place: &mut Place, answer: F) -> Option<F::Output> {
        let mut answer = pin!(answer);
        poll_fn(|context| line.poll(place, answer.as_mut(), context)).now_or_never()
    }

    #[test]
    fn one_is_polled_at_a_time_and_nobody_who_waits_holds_up_others() {
        let line = Line::default();
        let [mut first, mut second, mut third] = <[Place; 3]>::default();
        let other = async { polled(&line, &mut second, std::future::ready(())) };
        assert_eq!(polled(&line, &mut first, other), Some(None), "the first is being polled");
        // It leaves the line.
        drop(second);
        assert_eq!(polled(&line, &mut first, std::future::pending::<()>()), None);
        assert_eq!(polled(&line, &mut third, std::future::ready(())), Some(()));
    }
}
