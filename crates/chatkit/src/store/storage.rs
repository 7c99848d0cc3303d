//! The trait of a storage. All data belongs to an owner; other owners' data counts as missing.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::Value;
use widgetcast::Workers;

use super::failure::StorageError;
use super::item_text::{ItemText, StoredItem};
use super::retention_limits::RetentionLimits;
use crate::owner::Owner;
use crate::protocol::request::FeedbackKind;
use crate::protocol::{Attachment, Order, Page, ThreadMetadata};

/// The result of a storage operation.
pub type StorageFuture<'s, T> = BoxFuture<'s, Result<T, StorageError>>;

/// The requested page of a list.
#[derive(Clone, Debug, Default)]
pub struct PageRequest {
    /// The id to start after; `None` for the first page.
    pub after: Option<String>,
    /// The page size.
    pub limit: usize,
    /// The order.
    pub order: Order,
}

/// An attachment, with the data for its upload.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnedAttachment {
    /// The attachment as clients see it.
    pub attachment: Attachment,
    /// The announced size in bytes.
    pub size: usize,
    /// The token that authorizes the upload, without any other credentials.
    pub token: String,
}

/// The bytes of an attachment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    /// The MIME type.
    pub mime_type: String,
    /// The name of the file.
    pub name: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// A thread that matches a search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchHit {
    /// The thread.
    pub thread: ThreadMetadata,
    /// The text around the match.
    pub snippet: String,
}

/// The numbers of deleted entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deleted {
    /// Threads.
    pub threads: u64,
    /// Items of threads.
    pub items: u64,
    /// Attachments.
    pub attachments: u64,
}

/// Stores threads, items, attachments and feedback. When a method completes, its changes are durable.
pub trait Storage: Send + Sync + 'static {
    /// The secret that all processes of this storage share. It signs cookies.
    fn key(&self) -> [u8; 16];

    /// Registers a function to call when the database fails, so that `/readyz` and `/metrics` report it.
    fn on_failure(&self, listener: Arc<dyn Fn() + Send + Sync>) {
        _ = listener;
    }

    /// Gets a thread.
    fn thread<'s>(&'s self, owner: &'s Owner, id: &'s str) -> StorageFuture<'s, ThreadMetadata>;

    /// Creates or updates a thread.
    fn save_thread<'s>(
        &'s self,
        owner: &'s Owner,
        thread: &'s ThreadMetadata,
    ) -> StorageFuture<'s, ()>;

    /// Lists the threads of an owner.
    fn threads<'s>(
        &'s self,
        owner: &'s Owner,
        page: PageRequest,
    ) -> StorageFuture<'s, Page<ThreadMetadata>>;

    /// Deletes a thread and everything in it, if it exists.
    fn delete_thread<'s>(&'s self, owner: &'s Owner, id: &'s str) -> StorageFuture<'s, ()>;

    /// Lists the items of a thread that clients see; with `hidden`, all items. A page has at most about a
    /// megabyte, or a single item.
    fn items<'s>(
        &'s self,
        owner: &'s Owner,
        thread: &'s str,
        page: PageRequest,
        hidden: bool,
    ) -> StorageFuture<'s, Page<ItemText>>;

    /// Gets an item.
    fn item<'s>(
        &'s self,
        owner: &'s Owner,
        thread: &'s str,
        id: &'s str,
    ) -> StorageFuture<'s, ItemText>;

    /// Appends items to their thread, and replaces those that exist, in their places. Atomic.
    fn save_items<'s>(&'s self, owner: &'s Owner, items: Vec<StoredItem>) -> StorageFuture<'s, ()>;

    /// Appends a new item to its thread if the thread has fewer than `most` items, and returns whether it
    /// did.
    fn add_item<'s>(
        &'s self,
        owner: &'s Owner,
        item: StoredItem,
        most: usize,
    ) -> StorageFuture<'s, bool>;

    /// Stores an item only if its thread has no item with this id, together with others as in
    /// [`save_items`](Self::save_items). Atomic; returns whether it did. If several processes do this
    /// concurrently with different items, one succeeds.
    fn claim<'s>(
        &'s self,
        owner: &'s Owner,
        new: StoredItem,
        with: Vec<StoredItem>,
    ) -> StorageFuture<'s, bool>;

    /// Creates a thread with its first items. Atomic. `place` identifies the IP address of an anonymous
    /// owner; it is empty if addresses are not distinguished.
    fn create_thread<'s>(
        &'s self,
        owner: &'s Owner,
        place: &'s str,
        thread: &'s ThreadMetadata,
        items: Vec<StoredItem>,
    ) -> StorageFuture<'s, ()>;

    /// Like [`save_items`](Self::save_items), but does not overwrite items that are already complete.
    fn save_unfinished<'s>(
        &'s self,
        owner: &'s Owner,
        items: Vec<StoredItem>,
    ) -> StorageFuture<'s, ()>;

    /// Deletes an item, if it exists.
    fn delete_item<'s>(
        &'s self,
        owner: &'s Owner,
        thread: &'s str,
        id: &'s str,
    ) -> StorageFuture<'s, ()>;

    /// Deletes the items after this one.
    fn delete_items_after<'s>(
        &'s self,
        owner: &'s Owner,
        thread: &'s str,
        id: &'s str,
    ) -> StorageFuture<'s, ()>;

    /// Stores an owner's feedback on items of a thread, as far as they exist.
    fn save_feedback<'s>(
        &'s self,
        owner: &'s Owner,
        thread: &'s str,
        items: &'s [String],
        kind: FeedbackKind,
    ) -> StorageFuture<'s, ()>;

    /// Creates an attachment without its bytes, if there is room: `most` bytes for this owner and, if the
    /// owner is anonymous, `most_of_all` for all anonymous owners. A file counts as at least 64 KiB. Returns
    /// whether there was room; of several concurrent calls, those that fit succeed.
    fn create_attachment<'s>(
        &'s self,
        owner: &'s Owner,
        attachment: &'s OwnedAttachment,
        most: usize,
        most_of_all: usize,
    ) -> StorageFuture<'s, bool>;

    /// Stores the thread that an attachment was sent in.
    fn send_attachment<'s>(
        &'s self,
        owner: &'s Owner,
        attachment: &'s Attachment,
    ) -> StorageFuture<'s, ()>;

    /// Gets an attachment, and whether its bytes are uploaded.
    fn attachment<'s>(
        &'s self,
        owner: &'s Owner,
        id: &'s str,
    ) -> StorageFuture<'s, (OwnedAttachment, bool)>;

    /// Like [`attachment`](Self::attachment), by the upload token; also returns the owner.
    fn attachment_by_token<'s>(
        &'s self,
        id: &'s str,
        token: &'s str,
    ) -> StorageFuture<'s, (Owner, OwnedAttachment)>;

    /// Stores the bytes of an attachment.
    fn save_blob<'s>(
        &'s self,
        owner: &'s Owner,
        id: &'s str,
        bytes: Vec<u8>,
    ) -> StorageFuture<'s, ()>;

    /// Gets the bytes of an attachment.
    fn blob<'s>(&'s self, owner: &'s Owner, id: &'s str) -> StorageFuture<'s, Blob>;

    /// Deletes an attachment, if it exists.
    fn delete_attachment<'s>(&'s self, owner: &'s Owner, id: &'s str) -> StorageFuture<'s, ()>;

    /// Deletes the oldest threads of an anonymous owner, and of all owners at the same `place`, until another
    /// thread fits. Returns false if all anonymous owners together have reached their limit.
    fn make_room<'s>(
        &'s self,
        owner: &'s Owner,
        place: &'s str,
        limits: &'s RetentionLimits,
    ) -> StorageFuture<'s, bool>;

    /// Gets a thread of an anonymous owner, and whether it has room for more.
    fn thread_with_room<'s>(
        &'s self,
        owner: &'s Owner,
        id: &'s str,
        limits: &'s RetentionLimits,
    ) -> StorageFuture<'s, (ThreadMetadata, bool)>;

    /// Deletes expired threads of anonymous owners, and attachments that were never sent or uploaded.
    fn expire<'s>(&'s self, limits: &'s RetentionLimits) -> StorageFuture<'s, Deleted>;

    /// Finds the threads whose title or items contain this text, newest first. The search ends when the
    /// future is dropped, or after a few seconds. Items that match are read on these workers.
    fn search<'s>(
        &'s self,
        owner: &'s Owner,
        text: &'s str,
        limit: usize,
        workers: &'s Workers,
    ) -> StorageFuture<'s, Vec<SearchHit>>;

    /// Lists the owners with this subject: one per issuer.
    fn owners_of<'s>(&'s self, subject: &'s str) -> StorageFuture<'s, Vec<Owner>>;

    /// Exports everything that belongs to an owner, as JSON.
    fn export<'s>(&'s self, owner: &'s Owner) -> StorageFuture<'s, Value>;

    /// Deletes everything that belongs to an owner.
    fn delete_all<'s>(&'s self, owner: &'s Owner) -> StorageFuture<'s, Deleted>;
}
