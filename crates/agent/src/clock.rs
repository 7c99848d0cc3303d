//! Time limits and cancellation of a run.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use crate::model_error::ModelError;

/// Why a run stops.
#[derive(Debug)]
pub(crate) enum Stop {
    Cancelled,
    /// The time limit of the run has passed.
    OutOfTime,
    Failed(ModelError),
}

/// Why waiting ended.
pub(crate) enum Waited {
    Stop(Stop),
    /// The timeout of this operation has passed.
    TooLong,
}

pub(crate) struct Clock {
    deadline: Instant,
    cancel: CancellationToken,
}

impl Clock {
    pub(crate) fn start(run: Duration, cancel: &CancellationToken) -> Self {
        Self { deadline: Instant::now() + run, cancel: cancel.clone() }
    }

    /// Waits with a timeout, until the run's time limit or its cancellation.
    pub(crate) async fn until<T>(
        &self,
        until: Instant,
        something: impl Future<Output = T>,
    ) -> Result<T, Waited> {
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => Err(Waited::Stop(Stop::Cancelled)),
            done = something => Ok(done),
            () = sleep_until(self.deadline.min(until)) => match self.deadline <= until {
                true => Err(Waited::Stop(Stop::OutOfTime)),
                false => Err(Waited::TooLong),
            },
        }
    }

    /// Waits until the run's time limit or its cancellation.
    pub(crate) async fn wait<T>(&self, something: impl Future<Output = T>) -> Result<T, Stop> {
        match self.until(self.deadline, something).await {
            Ok(done) => Ok(done),
            Err(Waited::Stop(stop)) => Err(stop),
            Err(Waited::TooLong) => Err(Stop::OutOfTime),
        }
    }

    /// Waits for a user's decision, which does not count toward the time limit.
    pub(crate) async fn wait_for_user<T>(
        &mut self,
        something: impl Future<Output = T>,
    ) -> Result<T, Stop> {
        let asked = Instant::now();
        let answer = tokio::select! {
            biased;
            () = self.cancel.cancelled() => Err(Stop::Cancelled),
            answer = something => Ok(answer),
        };
        self.deadline += asked.elapsed();
        answer
    }
}
