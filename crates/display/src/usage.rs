//! What was shown: the numbers of the dashboard. Counts are everybody's, chats only their owner's.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use widgetcast::Ctx;

use crate::dashboard::{Chat, Stat};
use crate::now;

/// What a change is a change since.
const PERIOD: Duration = Duration::from_secs(60 * 60);
/// Chats that are remembered, of all people and of one.
const MOST: usize = 500;
const SHOWN: usize = 5;
/// Characters of a chat's first message.
const TITLE: usize = 80;

#[derive(Debug, Default)]
pub(crate) struct Usage(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    chats: Count,
    searches: Count,
    tables: Count,
    /// Newest last, with whom it belongs to.
    recent: VecDeque<(String, Chat)>,
    last: u64,
}

/// How often, in all, in this period and in the one before.
#[derive(Debug, Default)]
struct Count {
    all: u64,
    now: u64,
    before: u64,
    began: Option<Instant>,
}

impl Count {
    fn add(&mut self) {
        self.turn();
        self.all += 1;
        self.now += 1;
    }

    /// Begins a new period where one is over.
    fn turn(&mut self) {
        let began = *self.began.get_or_insert_with(Instant::now);
        let periods = began.elapsed().as_secs() / PERIOD.as_secs();
        if periods > 0 {
            self.before = if periods == 1 { self.now } else { 0 };
            self.now = 0;
            self.began = Some(Instant::now());
        }
    }

    fn stat(&mut self, label: &str) -> Stat {
        self.turn();
        let change = self.now.cast_signed() - self.before.cast_signed();
        Stat {
            label: label.to_owned(),
            value: self.all.to_string(),
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
        state.chats.add();
        let Some(owner) = owner(ctx) else { return };
        state.last += 1;
        let title: String = seed.split_whitespace().collect::<Vec<_>>().join(" ");
        let title: String = title.chars().take(TITLE).collect();
        let chat = Chat {
            id: state.last,
            title: if title.is_empty() { "New chat".to_owned() } else { title },
            model: ctx.client().map_or("unknown", |client| &client.name).to_owned(),
            time: now(),
        };
        state.recent.push_back((owner, chat));
        if state.recent.len() > MOST {
            state.recent.pop_front();
        }
    }

    pub(crate) fn search(&self) {
        self.state().searches.add();
    }

    pub(crate) fn table(&self) {
        self.state().tables.add();
    }

    pub(crate) fn stats(&self) -> Vec<Stat> {
        let mut state = self.state();
        vec![
            state.chats.stat("Chats opened"),
            state.searches.stat("Searches shown"),
            state.tables.stat("Tables shown"),
        ]
    }

    /// The person's own chats, newest first.
    pub(crate) fn chats(&self, ctx: &Ctx) -> Vec<Chat> {
        let Some(owner) = owner(ctx) else { return Vec::new() };
        let state = self.state();
        let own = state.recent.iter().rev().filter(|(known, _)| *known == owner);
        own.take(SHOWN).map(|(_, chat)| chat.clone()).collect()
    }
}

/// Whose chats these are. Without a subject nobody can tell people apart, so nothing is remembered.
fn owner(ctx: &Ctx) -> Option<String> {
    ctx.subject().map(str::to_owned)
}
