//! Usage statistics for the dashboard: counts over all users, and each user's own recent chats.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::Serialize;
use widgetcast::Ctx;

use crate::tool::timestamp;

/// The period of a comparison.
const PERIOD: Duration = Duration::from_secs(60 * 60);
/// Maximum stored chats, over all users.
const MAX_CHATS: usize = 500;
/// Maximum displayed chats of a user.
const SHOWN_CHATS: usize = 5;
/// Maximum characters of a chat's title, which is the start of its first message.
const MAX_TITLE: usize = 80;

/// One number.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Stat {
    /// What is counted.
    pub label: String,
    /// How many.
    pub value: String,
    /// How many more or fewer than before, with its sign.
    pub change: String,
}

/// One chat.
#[derive(Clone, Serialize, JsonSchema)]
pub(crate) struct Chat {
    /// The id of the chat.
    #[schemars(with = "f64")]
    pub id: u64,
    /// What it began with.
    pub title: String,
    /// The client it was opened in.
    pub model: String,
    /// When, as RFC 3339 has it.
    pub time: String,
}

#[derive(Debug, Default)]
pub(crate) struct Usage(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    chats: Count,
    searches: Count,
    tables: Count,
    /// With their owners, newest last.
    recent: VecDeque<(String, Chat)>,
    last_id: u64,
}

/// A count in total, in this period and in the previous one.
#[derive(Debug, Default)]
struct Count {
    total: u64,
    current: u64,
    previous: u64,
    period_start: Option<Instant>,
}

impl Count {
    fn add(&mut self, now: Instant) {
        self.roll_over(now);
        self.total += 1;
        self.current += 1;
    }

    /// Starts a new period if the current one is over.
    fn roll_over(&mut self, now: Instant) {
        let start = *self.period_start.get_or_insert(now);
        let periods = now.saturating_duration_since(start).as_secs() / PERIOD.as_secs();
        if periods > 0 {
            self.previous = if periods == 1 { self.current } else { 0 };
            self.current = 0;
            self.period_start = Some(now);
        }
    }

    fn stat(&mut self, label: &str, now: Instant) -> Stat {
        self.roll_over(now);
        let change = self.current.cast_signed() - self.previous.cast_signed();
        Stat {
            label: label.to_owned(),
            value: self.total.to_string(),
            change: if change == 0 { "0".to_owned() } else { format!("{change:+}") },
        }
    }
}

impl std::fmt::Debug for Chat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Chat").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Usage {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn chat(&self, ctx: &Ctx, seed: &str) {
        let mut state = self.state();
        state.chats.add(Instant::now());
        let Some(owner) = owner(ctx) else { return };
        state.last_id += 1;
        let title: String = seed.split_whitespace().collect::<Vec<_>>().join(" ");
        let title: String = title.chars().take(MAX_TITLE).collect();
        let chat = Chat {
            id: state.last_id,
            title: if title.is_empty() { "New chat".to_owned() } else { title },
            model: ctx.client().map_or("unknown", |client| &client.name).to_owned(),
            time: timestamp(),
        };
        state.recent.push_back((owner, chat));
        if state.recent.len() > MAX_CHATS {
            state.recent.pop_front();
        }
    }

    pub(crate) fn search(&self) {
        self.state().searches.add(Instant::now());
    }

    pub(crate) fn table(&self) {
        self.state().tables.add(Instant::now());
    }

    pub(crate) fn stats(&self) -> Vec<Stat> {
        let (mut state, now) = (self.state(), Instant::now());
        vec![
            state.chats.stat("Chats opened", now),
            state.searches.stat("Searches shown", now),
            state.tables.stat("Tables shown", now),
        ]
    }

    /// The user's own chats, newest first.
    pub(crate) fn chats(&self, ctx: &Ctx) -> Vec<Chat> {
        let Some(owner) = owner(ctx) else { return Vec::new() };
        let state = self.state();
        let own = state.recent.iter().rev().filter(|(known, _)| *known == owner);
        own.take(SHOWN_CHATS).map(|(_, chat)| chat.clone()).collect()
    }
}

/// The owner of a chat: the authenticated caller, or else the user as claimed by the host, within the same
/// host. Without either, users cannot be distinguished, so nothing is stored.
fn owner(ctx: &Ctx) -> Option<String> {
    match ctx.caller() {
        Some(caller) => Some(format!("caller {}", caller.subject())),
        // Anyone can send any subject, so only requests from the same address may read its chats.
        None => ctx.subject().map(|subject| format!("{} {subject}", ctx.peer())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_relative_to_the_previous_period() {
        let start = Instant::now();
        let mut count = Count::default();
        let mut at = |periods: u32, adds: usize| {
            let now = start + PERIOD * periods;
            (0..adds).for_each(|_| count.add(now));
            let stat = count.stat("", now);
            (stat.value, stat.change)
        };
        assert_eq!(at(0, 3), ("3".to_owned(), "+3".to_owned()));
        assert_eq!(at(1, 0), ("3".to_owned(), "-3".to_owned()));
        assert_eq!(at(1, 3), ("6".to_owned(), "0".to_owned()));
        assert_eq!(at(3, 1), ("7".to_owned(), "+1".to_owned()));
    }
}
