//! Limits concurrent servers, in total and per client.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use widgetcast::store::Owner;

/// The limits of sessions over HTTP. Each session has its own server.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SessionLimits {
    /// Maximum concurrent sessions.
    pub max_sessions: usize,
    /// Maximum concurrent sessions per caller, or per IP address if callers are not authenticated.
    pub max_sessions_per_caller: usize,
    /// How long an idle session lasts.
    pub idle: std::time::Duration,
}

impl Default for SessionLimits {
    fn default() -> Self {
        let idle = std::time::Duration::from_secs(30 * 60);
        Self { max_sessions: 100, max_sessions_per_caller: 20, idle }
    }
}

/// The running servers, by their user. Indistinguishable local clients count only toward the total.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slots(Arc<Mutex<HashMap<Option<Owner>, usize>>>);

/// A slot for a server, until the server has exited.
#[derive(Debug)]
pub(crate) struct Slot {
    slots: Slots,
    owner: Option<Owner>,
}

/// Why there is no slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    OfAll,
    OfCaller,
}

impl Slots {
    pub(crate) fn take(&self, owner: Option<Owner>, limits: &SessionLimits) -> Result<Slot, Full> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.values().sum::<usize>() >= limits.max_sessions {
            return Err(Full::OfAll);
        }
        let of_caller = all.get(&owner).copied().unwrap_or_default();
        if owner.is_some() && of_caller >= limits.max_sessions_per_caller {
            return Err(Full::OfCaller);
        }
        all.insert(owner, of_caller + 1);
        Ok(Slot { slots: self.clone(), owner })
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut all = self.slots.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = all.get_mut(&self.owner) {
            *count -= 1;
            if *count == 0 {
                all.remove(&self.owner);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use widgetcast::client::Peer;

    use super::*;

    #[test]
    fn places_are_free_again() {
        let limits = SessionLimits {
            max_sessions: 3,
            max_sessions_per_caller: 1,
            ..SessionLimits::default()
        };
        let slots = Slots::default();
        let at = |text: &str| Some(Owner::from(Peer::at(text.parse().unwrap())));
        let one = slots.take(at("192.0.2.1"), &limits).unwrap();
        assert_eq!(slots.take(at("192.0.2.1"), &limits).unwrap_err(), Full::OfCaller);
        let local = [slots.take(None, &limits).unwrap(), slots.take(None, &limits).unwrap()];
        assert_eq!(slots.take(at("192.0.2.2"), &limits).unwrap_err(), Full::OfAll);
        drop((one, local));
        assert!(slots.take(at("192.0.2.1"), &limits).is_ok());
    }
}
