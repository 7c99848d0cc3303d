//! One reply: every event is stored before the client receives it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use bytes::Bytes;
use serde_json::{Map, Value};
use tokio::sync::mpsc;
use widgetcast::client::Peer;
use widgetcast::{Budgeted, Caller, Workers};

use crate::error::TurnError;
use crate::owner::Owner;
use crate::pending::Pending;
use crate::protocol::{
    AssistantContent, Event, Item, ItemKind, Level, Order, Page, Thread, ThreadMetadata, Update,
};
use crate::store::{PageRequest, Storage, StorageError, StoredItem};
use crate::widget_diff::widget_updates;
use crate::{clock, id};

/// The user of a request.
#[derive(Clone, Debug)]
pub struct User {
    /// The owner of the threads.
    pub owner: Owner,
    /// The authenticated caller, on whose behalf tools are called.
    pub caller: Option<Caller>,
    /// The client to which limits apply if there is no caller.
    pub peer: Peer,
}

impl User {
    /// An authenticated caller.
    pub fn caller(caller: Caller) -> Self {
        Self { owner: Owner::caller(&caller), caller: Some(caller), peer: Peer::LOCAL }
    }

    /// When the credentials expire.
    async fn expired(&self) {
        match self.caller.as_ref().and_then(Caller::expires) {
            Some(until) => {
                let left = until.duration_since(SystemTime::now()).unwrap_or_default();
                tokio::time::sleep(left).await;
            }
            None => std::future::pending().await,
        }
    }
}

/// One reply in a thread. Every event is stored before it is sent to the client. Cheap to clone.
#[derive(Clone)]
pub struct Turn(Arc<Inner>);

struct Inner {
    storage: Arc<dyn Storage>,
    workers: Arc<Workers>,
    user: User,
    thread: Mutex<ThreadMetadata>,
    pending: Mutex<Pending>,
    sink: Sink,
    /// Whether the sender's widget contains the action that is run.
    is_drawn: bool,
}

/// The recipient of events.
pub(crate) enum Sink {
    /// A client that reads a stream.
    Frames(mpsc::Sender<Bytes>),
    /// A caller that waits for one item.
    Kept(Mutex<Vec<Event>>),
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The initial buffer size of an event.
const FRAME: usize = 256;
/// The number of items that are read at a time.
const PAGE: usize = 100;
/// Maximum pages of a thread in memory at once.
const MAX_PAGES: usize = 8;

/// Events in the form in which they are stored and sent.
struct Prepared {
    stored: Vec<StoredItem>,
    told: Vec<(Step, Option<Out>)>,
}

/// What an event means for the items in progress.
enum Step {
    /// This item is complete.
    Completed(String),
    Other(Box<Event>),
}

/// What the recipient gets of an event.
enum Out {
    Frame(Bytes),
    Event(Box<Event>),
}

impl Prepared {
    fn new(events: Vec<Event>, is_stream: bool, budgeted: Budgeted) -> Result<Self, StorageError> {
        let mut prepared = Self { stored: Vec::new(), told: Vec::with_capacity(events.len()) };
        for event in events {
            let mut is_hidden = false;
            if let Event::ItemDone { item } | Event::ItemReplaced { item } = &event {
                is_hidden = matches!(event, Event::ItemDone { .. }) && item.is_hidden();
                prepared.stored.push(StoredItem::write(item, budgeted)?);
            }
            let out = match is_stream {
                _ if is_hidden => None,
                true => Some(Out::Frame(frame(&event, budgeted))),
                false => Some(Out::Event(Box::new(event.clone()))),
            };
            let step = match event {
                Event::ItemDone { item } | Event::ItemReplaced { item } => Step::Completed(item.id),
                event => Step::Other(Box::new(event)),
            };
            prepared.told.push((step, out));
        }
        Ok(prepared)
    }
}

/// An event as a server-sent event.
fn frame(event: &Event, _: Budgeted) -> Bytes {
    let mut frame = Vec::with_capacity(FRAME);
    frame.extend_from_slice(b"data: ");
    // All its keys are strings, so serialization succeeds.
    _ = serde_json::to_writer(&mut frame, event);
    frame.extend_from_slice(b"\n\n");
    frame.into()
}

impl Turn {
    pub(crate) fn new(
        storage: Arc<dyn Storage>,
        workers: Arc<Workers>,
        user: User,
        thread: ThreadMetadata,
        sink: Sink,
    ) -> Self {
        let (thread, pending) = (Mutex::new(thread), Mutex::default());
        let is_drawn = false;
        Self(Arc::new(Inner { storage, workers, user, thread, pending, sink, is_drawn }))
    }

    /// Sets whether the sender's widget contains the action that is run.
    pub(crate) fn with_drawn(mut self, is_drawn: bool) -> Self {
        if let Some(inner) = Arc::get_mut(&mut self.0) {
            inner.is_drawn = is_drawn;
        }
        self
    }

    /// Whether the sender's widget contains the action that is run.
    pub(crate) fn is_drawn(&self) -> bool {
        self.0.is_drawn
    }

    /// The workers, for items of any size.
    pub(crate) fn workers(&self) -> &Workers {
        &self.0.workers
    }

    /// The user of a request.
    pub fn user(&self) -> &User {
        &self.0.user
    }

    /// The metadata of the thread.
    pub fn thread(&self) -> ThreadMetadata {
        lock(&self.0.thread).clone()
    }

    /// The id of the thread.
    pub fn thread_id(&self) -> String {
        lock(&self.0.thread).id.clone()
    }

    /// The storage.
    pub fn storage(&self) -> &dyn Storage {
        &*self.0.storage
    }

    /// The last items of the thread, oldest first, including hidden ones; fewer if they exceed a few
    /// megabytes.
    pub async fn last_items(&self, limit: usize) -> Result<Vec<Item>, TurnError> {
        let (mut items, mut after, thread) = (Vec::new(), None, self.thread_id());
        for _ in 0..MAX_PAGES {
            let page = PageRequest { after, limit: limit - items.len(), order: Order::Desc };
            let page = self.storage().items(&self.0.user.owner, &thread, page, true).await?;
            let page = page.read(self.workers()).await?;
            items.extend(page.data);
            after = page.after;
            if after.is_none() || items.len() >= limit {
                break;
            }
        }
        items.reverse();
        Ok(items)
    }

    /// Whether the user has sent a message after an item.
    pub(crate) async fn has_message_after(&self, id: &str) -> Result<bool, TurnError> {
        let (mut after, thread) = (Some(id.to_owned()), self.thread_id());
        while after.is_some() {
            let page = PageRequest { after, limit: PAGE, order: Order::Asc };
            let items = self.storage().items(&self.0.user.owner, &thread, page, false).await?;
            let items = items.read(self.workers()).await?;
            if items.data.iter().any(|item| matches!(item.kind, ItemKind::UserMessage { .. })) {
                return Ok(true);
            }
            after = items.after;
        }
        Ok(false)
    }

    /// Creates an item of this thread. Its id starts with the prefix: `msg`, `tc`, `wf` or `tsk`.
    pub fn item(&self, prefix: &str, kind: ItemKind) -> Item {
        let id = id::new(&format!("{prefix}_"));
        Item { id, thread_id: self.thread_id(), created_at: clock::now(), kind }
    }

    /// Stores an event, and sends it to the client.
    pub async fn emit(&self, event: Event) -> Result<(), TurnError> {
        self.emit_all(vec![event]).await
    }

    /// Stores several events in one transaction, and then sends them to the client. Hidden items are not
    /// sent.
    pub async fn emit_all(&self, events: Vec<Event>) -> Result<(), TurnError> {
        let Prepared { stored, told } = self.prepare(events).await?;
        let owner = &self.0.user.owner;
        if !stored.is_empty() {
            self.storage().save_items(owner, stored).await?;
        }
        for (step, out) in told {
            if let Step::Other(event) = &step
                && let Event::ItemRemoved { item_id } = &**event
            {
                self.storage().delete_item(owner, &self.thread_id(), item_id).await?;
            }
            match step {
                Step::Completed(id) => lock(&self.0.pending).forget(&id),
                Step::Other(event) => lock(&self.0.pending).follow(&event),
            }
            self.hand_out(out).await?;
        }
        Ok(())
    }

    /// Sends an event that is already stored, or transient.
    pub(crate) async fn send(&self, event: Event) -> Result<(), TurnError> {
        for (_, out) in self.prepare(vec![event]).await?.told {
            self.hand_out(out).await?;
        }
        Ok(())
    }

    /// Writes events as JSON, on a worker if they are large.
    async fn prepare(&self, events: Vec<Event>) -> Result<Prepared, TurnError> {
        let (bytes, is_stream) =
            (Workers::size_of(&events), matches!(self.0.sink, Sink::Frames(_)));
        let prepare = move |budgeted| Prepared::new(events, is_stream, budgeted);
        let prepared = self.workers().finish(bytes, prepare).await;
        Ok(prepared.ok_or(TurnError::Stream { allow_retry: false })??)
    }

    async fn hand_out(&self, out: Option<Out>) -> Result<(), TurnError> {
        match (&self.0.sink, out) {
            (Sink::Frames(frames), Some(Out::Frame(frame))) => {
                frames.send(frame).await.map_err(|_| TurnError::Gone)
            }
            (Sink::Kept(events), Some(Out::Event(event))) => {
                lock(events).push(*event);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Stores an item without sending it.
    pub(crate) async fn keep_untold(&self, item: Item) -> Result<(), TurnError> {
        let items = StoredItem::write_all(vec![item], self.workers()).await?;
        Ok(self.storage().save_items(&self.0.user.owner, items).await?)
    }

    /// Stores a hidden item if its id does not exist yet, and with it a new state of another item, which is
    /// sent. Returns whether the id was new.
    pub(crate) async fn claim(&self, new: Item, replaced: Option<Item>) -> Result<bool, TurnError> {
        let replaced: Vec<Event> =
            replaced.into_iter().map(|item| Event::ItemReplaced { item }).collect();
        let new = StoredItem::write_all(vec![new], self.workers()).await?;
        let Prepared { stored, told } = self.prepare(replaced).await?;
        let owner = &self.0.user.owner;
        let mut is_new = false;
        for new in new {
            is_new = self.storage().claim(owner, new, stored.clone()).await?;
        }
        for (_, out) in told {
            if is_new {
                self.hand_out(out).await?;
            }
        }
        Ok(is_new)
    }

    /// Completes when the client disconnects or its credentials expire.
    pub(crate) async fn gone(&self) {
        match &self.0.sink {
            Sink::Frames(frames) => tokio::select! {
                () = frames.closed() => {}
                () = self.0.user.expired() => {}
            },
            Sink::Kept(_) => std::future::pending().await,
        }
    }

    /// Stores the partial output of a failed reply.
    pub(crate) async fn keep_unfinished(&self) -> Result<(), TurnError> {
        let items = lock(&self.0.pending).unfinished();
        let items = StoredItem::write_all(items, self.workers()).await?;
        Ok(self.storage().save_unfinished(&self.0.user.owner, items).await?)
    }

    /// Stores the partial output after the client has disconnected.
    pub(crate) async fn give_up(&self) -> Result<(), TurnError> {
        let mut items = lock(&self.0.pending).unfinished();
        let content = "The user cancelled this response before it was complete.".to_owned();
        items.push(self.item("shcx", ItemKind::SdkHiddenContext { content }));
        let items = StoredItem::write_all(items, self.workers()).await?;
        Ok(self.storage().save_unfinished(&self.0.user.owner, items).await?)
    }

    /// Collects the events of a turn without a client.
    pub(crate) fn take_events(&self) -> Vec<Event> {
        match &self.0.sink {
            Sink::Frames(_) => Vec::new(),
            Sink::Kept(events) => std::mem::take(&mut lock(events)),
        }
    }

    /// Sends a whole message.
    pub async fn say(&self, text: impl Into<String>) -> Result<(), TurnError> {
        let mut message = self.begin_message().await?;
        message.push(text).await?;
        message.done().await
    }

    /// Begins a message that is sent in parts.
    pub async fn begin_message(&self) -> Result<Message, TurnError> {
        let item = self.item("msg", ItemKind::AssistantMessage { content: Vec::new() });
        let message = Message { turn: self.clone(), item: item.clone(), text: String::new() };
        self.emit(Event::ItemAdded { item }).await?;
        let content = AssistantContent::default();
        message.update(Update::PartAdded { content_index: 0, content }).await?;
        Ok(message)
    }

    /// Shows a widget.
    pub async fn show(&self, widget: Value, copy_text: Option<String>) -> Result<(), TurnError> {
        let item = self.item("msg", ItemKind::Widget { widget, copy_text });
        self.emit(Event::ItemDone { item }).await
    }

    /// Shows a widget that will change.
    pub async fn begin_widget(
        &self,
        widget: Value,
        copy_text: Option<String>,
    ) -> Result<WidgetStream, TurnError> {
        let item = self.item("msg", ItemKind::Widget { widget, copy_text });
        self.emit(Event::ItemAdded { item: item.clone() }).await?;
        Ok(WidgetStream { turn: self.clone(), item })
    }

    /// Stores hidden context for later replies.
    pub async fn keep(&self, content: Value) -> Result<(), TurnError> {
        let item = self.item("hcx", ItemKind::HiddenContextItem { content });
        self.emit(Event::ItemDone { item }).await
    }

    /// Changes the thread: its title, status or metadata.
    pub async fn update_thread(
        &self,
        change: impl FnOnce(&mut ThreadMetadata),
    ) -> Result<(), TurnError> {
        let owner = &self.0.user.owner;
        // Read again, because it may have been renamed during the turn.
        let before = self.storage().thread(owner, &self.thread_id()).await?;
        let mut after = before.clone();
        change(&mut after);
        if after == before {
            return Ok(());
        }
        self.storage().save_thread(owner, &after).await?;
        lock(&self.0.thread).clone_from(&after);
        self.send(Event::ThreadUpdated { thread: Thread::shown(&after, Page::default()) }).await
    }

    /// Sets the title of the thread.
    pub async fn set_title(&self, title: impl Into<String>) -> Result<(), TurnError> {
        let title = title.into();
        self.update_thread(|thread| thread.title = Some(title)).await
    }

    /// Reports progress, with a ChatKit icon.
    pub async fn progress(&self, icon: &str, text: impl Into<String>) -> Result<(), TurnError> {
        let icon = (!icon.is_empty()).then(|| icon.to_owned());
        self.send(Event::ProgressUpdate { icon, text: text.into() }).await
    }

    /// Shows a notice that is not part of the conversation.
    pub async fn notice(&self, level: Level, message: impl Into<String>) -> Result<(), TurnError> {
        self.send(Event::Notice { level, message: message.into(), title: None }).await
    }

    /// Sends an effect to the page that embeds the chat.
    pub async fn client_effect(
        &self,
        name: impl Into<String>,
        data: Map<String, Value>,
    ) -> Result<(), TurnError> {
        self.send(Event::ClientEffect { name: name.into(), data }).await
    }
}

impl std::fmt::Debug for Turn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Turn").field("thread", &self.thread_id()).finish_non_exhaustive()
    }
}

/// A message that is sent in parts.
#[derive(Debug)]
pub struct Message {
    turn: Turn,
    item: Item,
    text: String,
}

impl Message {
    async fn update(&self, update: Update) -> Result<(), TurnError> {
        self.turn.emit(Event::ItemUpdated { item_id: self.item.id.clone(), update }).await
    }

    /// Appends text.
    pub async fn push(&mut self, delta: impl Into<String>) -> Result<(), TurnError> {
        let delta = delta.into();
        self.text.push_str(&delta);
        self.update(Update::TextDelta { content_index: 0, delta }).await
    }

    /// Completes the message.
    pub async fn done(self) -> Result<(), TurnError> {
        let content = AssistantContent::new(self.text.clone());
        self.update(Update::PartDone { content_index: 0, content: content.clone() }).await?;
        let kind = ItemKind::AssistantMessage { content: vec![content] };
        self.turn.emit(Event::ItemDone { item: Item { kind, ..self.item } }).await
    }
}

/// A widget that changes while it is shown.
#[derive(Debug)]
pub struct WidgetStream {
    turn: Turn,
    item: Item,
}

impl WidgetStream {
    /// Shows its next state, sent as the difference.
    pub async fn update(&mut self, widget: Value) -> Result<(), TurnError> {
        let ItemKind::Widget { widget: before, .. } = &mut self.item.kind else { return Ok(()) };
        let updates = widget_updates(before, &widget);
        *before = widget;
        let event = |update| Event::ItemUpdated { item_id: self.item.id.clone(), update };
        self.turn.emit_all(updates.into_iter().map(event).collect()).await
    }

    /// Stores the last state, and completes the widget.
    pub async fn done(self) -> Result<(), TurnError> {
        self.turn.emit(Event::ItemDone { item: self.item }).await
    }
}
