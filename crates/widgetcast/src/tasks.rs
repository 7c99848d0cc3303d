//! Tasks: calls that continue after their response, and their results until the client has had time to fetch
//! them. They exist only in this process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::sdk::context::Ctx;
use crate::sdk::owner::Owner;

/// Maximum tasks: of all callers, and of one.
const MAX_TASKS: usize = 4096;
const MAX_OF_ONE: usize = 256;
/// Maximum bytes of results: of all callers, and of one.
const MAX_BYTES: usize = 64 << 20;
const MAX_BYTES_OF_ONE: usize = 8 << 20;

/// All tasks by id.
#[derive(Default)]
pub(crate) struct Tasks(Mutex<Table>);

#[derive(Default)]
struct Table {
    tasks: HashMap<String, Arc<Task>>,
    /// The bytes of all results.
    bytes: usize,
    shares: HashMap<Owner, Share>,
}

/// The tasks of one caller.
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    tasks: usize,
    bytes: usize,
}

/// One task.
pub(crate) struct Task {
    /// The id is unguessable, because it is enough to request the result.
    pub id: String,
    pub ctx: Ctx,
    pub created: SystemTime,
    /// The time to live, from its creation.
    pub ttl: Duration,
    pub cancel: CancellationToken,
    /// When and how it ended.
    ended: Mutex<Option<(SystemTime, Ended)>>,
}

/// The outcome of a task.
#[derive(Clone, Debug)]
pub(crate) enum Ended {
    /// With a result, as JSON text.
    Completed(Arc<str>),
    /// A JSON-RPC error.
    Failed(Value),
    Cancelled,
}

/// The caller whose quota a task counts toward.
fn owner(ctx: &Ctx) -> Owner {
    Owner::new(ctx.caller(), ctx.peer())
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Tasks {
    /// Creates a task; `None` if there are too many.
    pub(crate) fn begin(&self, ctx: &Ctx, ttl: Duration) -> Option<Arc<Task>> {
        let mut table = lock(&self.0);
        let whose = owner(ctx);
        let has = table.shares.get(&whose).map_or(0, |share| share.tasks);
        if table.tasks.len() >= MAX_TASKS || has >= MAX_OF_ONE {
            return None;
        }
        table.shares.entry(whose).or_default().tasks += 1;
        let task = Arc::new(Task {
            id: format!("{:032x}", rand::random::<u128>()),
            ctx: ctx.clone(),
            created: SystemTime::now(),
            ttl,
            cancel: CancellationToken::new(),
            ended: Mutex::default(),
        });
        table.tasks.insert(task.id.clone(), Arc::clone(&task));
        Some(task)
    }

    /// The number of tasks.
    pub(crate) fn count(&self) -> usize {
        lock(&self.0).tasks.len()
    }

    pub(crate) fn get(&self, id: &str) -> Option<Arc<Task>> {
        lock(&self.0).tasks.get(id).cloned()
    }

    /// Stores the outcome of a task; false if there is no room for its result.
    pub(crate) fn end(&self, task: &Task, ended: Ended) -> bool {
        let mut table = lock(&self.0);
        let bytes = table.bytes + ended.bytes();
        let share = table.shares.entry(owner(&task.ctx)).or_default();
        let of_one = share.bytes + ended.bytes();
        if bytes > MAX_BYTES || of_one > MAX_BYTES_OF_ONE {
            return false;
        }
        share.bytes = of_one;
        table.bytes = bytes;
        *lock(&task.ended) = Some((SystemTime::now(), ended));
        true
    }

    pub(crate) fn remove(&self, id: &str) {
        let mut table = lock(&self.0);
        let Some(task) = table.tasks.remove(id) else { return };
        let bytes = lock(&task.ended).as_ref().map_or(0, |(_, ended)| ended.bytes());
        table.bytes -= bytes;
        let whose = owner(&task.ctx);
        if let Some(share) = table.shares.get_mut(&whose) {
            share.tasks -= 1;
            share.bytes -= bytes;
            if share.tasks == 0 {
                table.shares.remove(&whose);
            }
        }
    }
}

impl Task {
    pub(crate) fn ended(&self) -> Option<(SystemTime, Ended)> {
        lock(&self.ended).clone()
    }
}

impl Ended {
    fn bytes(&self) -> usize {
        match self {
            Self::Completed(result) => result.len(),
            Self::Failed(_) | Self::Cancelled => 0,
        }
    }
}
