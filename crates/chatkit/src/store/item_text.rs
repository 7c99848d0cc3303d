//! Items as they are stored. A storage neither writes nor reads their JSON, which may have megabytes: that is
//! work for a worker.

use serde::Serialize;
use serde_json::value::RawValue;
use widgetcast::{Budgeted, Workers};
use widgetcast_core::text_depth;

use super::failure::StorageError;
use crate::protocol::{Item, Page, Thread, ThreadMetadata};

/// Maximum nesting of stored JSON: the parser accepts at most 128 levels, and an unreadable item would make
/// the whole thread unreadable.
const MAX_DEPTH: usize = 120;

/// Maximum searchable characters of a text.
const MAX_WORDS: usize = 20_000;

/// An item to store.
#[derive(Clone, Debug)]
pub struct StoredItem {
    pub(super) id: String,
    pub(super) thread: String,
    pub(super) is_hidden: bool,
    /// The text for search.
    pub(super) words: String,
    pub(super) json: String,
}

impl StoredItem {
    /// Fails if the item could not be read back.
    pub fn write(item: &Item, _: Budgeted) -> Result<Self, StorageError> {
        let json = serde_json::to_string(item).unwrap_or_default();
        if text_depth(&json) > MAX_DEPTH {
            return Err(StorageError::TooDeep);
        }
        Ok(Self {
            id: item.id.clone(),
            thread: item.thread_id.clone(),
            is_hidden: item.is_hidden(),
            words: words(&item.text()),
            json,
        })
    }

    /// Writes several items, on a worker if they are large.
    pub async fn write_all(items: Vec<Item>, workers: &Workers) -> Result<Vec<Self>, StorageError> {
        let bytes = Workers::size_of(&items);
        let write = move |budgeted| items.iter().map(|item| Self::write(item, budgeted)).collect();
        on_worker(workers, bytes, write).await
    }
}

/// The JSON of a stored item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemText(pub(super) String);

impl ItemText {
    /// Its bytes.
    pub fn size(&self) -> usize {
        self.0.len()
    }

    /// Parses it.
    pub fn parse(&self, _: Budgeted) -> Result<Item, StorageError> {
        serde_json::from_str(&self.0).map_err(|error| unreadable(&error))
    }

    /// Parses it, on a worker if it is large.
    pub async fn read(self, workers: &Workers) -> Result<Item, StorageError> {
        on_worker(workers, self.size(), move |budgeted| self.parse(budgeted)).await
    }
}

impl Page<ItemText> {
    fn bytes(&self) -> usize {
        self.data.iter().map(ItemText::size).sum()
    }

    /// Parses all items, on a worker if they are large.
    pub async fn read(self, workers: &Workers) -> Result<Page<Item>, StorageError> {
        let bytes = self.bytes();
        let read = move |budgeted| {
            let data = self.data.iter().map(|text| text.parse(budgeted));
            Ok(Page {
                data: data.collect::<Result<_, _>>()?,
                has_more: self.has_more,
                after: self.after,
            })
        };
        on_worker(workers, bytes, read).await
    }

    /// The page as JSON, on a worker if it is large.
    pub(crate) async fn json(self, workers: &Workers) -> Result<String, StorageError> {
        let bytes = self.bytes();
        on_worker(workers, bytes, move |budgeted| written(&self.raw(budgeted)?, budgeted)).await
    }

    /// A thread with this page as JSON, on a worker if it is large.
    pub(crate) async fn json_in(
        self,
        thread: ThreadMetadata,
        workers: &Workers,
    ) -> Result<String, StorageError> {
        let bytes = self.bytes();
        let write = move |budgeted| {
            let Thread { about, .. } = Thread::shown(&thread, Page::default());
            written(&WithItems { about, items: self.raw(budgeted)? }, budgeted)
        };
        on_worker(workers, bytes, write).await
    }

    /// The same with each text as JSON.
    fn raw(self, _: Budgeted) -> Result<Page<Box<RawValue>>, StorageError> {
        let raw = |ItemText(text): ItemText| {
            RawValue::from_string(text).map_err(|error| unreadable(&error))
        };
        let data = self.data.into_iter().map(raw).collect::<Result<_, _>>()?;
        Ok(Page { data, has_more: self.has_more, after: self.after })
    }
}

/// A [`Thread`] whose items are not read.
#[derive(Serialize)]
struct WithItems {
    #[serde(flatten)]
    about: ThreadMetadata,
    items: Page<Box<RawValue>>,
}

fn written(value: &impl Serialize, _: Budgeted) -> Result<String, StorageError> {
    serde_json::to_string(value).map_err(|error| unreadable(&error))
}

/// A text, normalized for search.
pub(super) fn words(text: &str) -> String {
    text.chars().take(MAX_WORDS).collect::<String>().to_lowercase()
}

fn unreadable(error: &serde_json::Error) -> StorageError {
    StorageError::Unavailable(format!("cannot read a row: {error}"))
}

async fn on_worker<T: Send + 'static>(
    workers: &Workers,
    bytes: usize,
    work: impl FnOnce(Budgeted) -> Result<T, StorageError> + Send + 'static,
) -> Result<T, StorageError> {
    let done = workers.finish(bytes, work).await;
    done.unwrap_or_else(|| Err(StorageError::Unavailable("a worker has failed".into())))
}
