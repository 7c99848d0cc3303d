//! What a storage must do. Everything belongs to an owner, and what belongs to another is not there.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::Value;
use serde_json::value::RawValue;

use super::keep_limits::KeepLimits;
use crate::owner::Owner;
use crate::protocol::request::FeedbackKind;
use crate::protocol::{Attachment, Item, Order, Page, ThreadMetadata};

/// Why a storage did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreFailure {
    /// There is no such thread, item or attachment of this owner.
    NotFound,
    /// It nests so deep that it could not be read again.
    TooDeep,
    /// The database is unavailable, or rejects the operation.
    Unavailable(String),
}

impl std::fmt::Display for StoreFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotFound => f.write_str("no such id"),
            Self::TooDeep => f.write_str("it is nested too deeply to be read back"),
            Self::Unavailable(why) => write!(f, "the storage is unavailable: {why}"),
        }
    }
}

impl std::error::Error for StoreFailure {}

/// What comes of asking a storage.
pub type StoreResult<'s, T> = BoxFuture<'s, Result<T, StoreFailure>>;

/// Which part of a list is asked for.
#[derive(Clone, Debug, Default)]
pub struct PageOf {
    /// The id that it begins after; at the beginning without one.
    pub after: Option<String>,
    /// How many at most.
    pub limit: usize,
    /// In which order.
    pub order: Order,
}

/// An attachment with what its owner and its upload need.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnedAttachment {
    /// What clients see.
    pub attachment: Attachment,
    /// How many bytes were announced.
    pub size: usize,
    /// Who shows this may upload it, whoever they are.
    pub token: String,
}

/// The bytes of an attachment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    /// Their type.
    pub mime_type: String,
    /// The name of the file.
    pub name: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// A thread in which a text was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The thread.
    pub thread: ThreadMetadata,
    /// The text around what was looked for.
    pub snippet: String,
}

/// How much was deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deleted {
    /// Threads.
    pub threads: u64,
    /// Items of threads.
    pub items: u64,
    /// Attachments.
    pub attachments: u64,
}

/// Keeps threads, items, attachments and feedback. When a method is done, what it was given is on the disk.
pub trait Storage: Send + Sync + 'static {
    /// The secret of this storage, which all processes that share it have: cookies are signed with it.
    fn key(&self) -> [u8; 16];

    /// Calls this whenever the database has failed, so that `/readyz` and `/metrics` report it.
    fn on_failure(&self, hears: Arc<dyn Fn() + Send + Sync>) {
        _ = hears;
    }

    /// A thread.
    fn thread<'s>(&'s self, owner: &'s Owner, id: &'s str) -> StoreResult<'s, ThreadMetadata>;

    /// Keeps a thread, which is new or not.
    fn save_thread<'s>(
        &'s self,
        owner: &'s Owner,
        thread: &'s ThreadMetadata,
    ) -> StoreResult<'s, ()>;

    /// The threads of an owner.
    fn threads<'s>(
        &'s self,
        owner: &'s Owner,
        page: PageOf,
    ) -> StoreResult<'s, Page<ThreadMetadata>>;

    /// Deletes a thread with all that belongs to it. It need not be there.
    fn delete_thread<'s>(&'s self, owner: &'s Owner, id: &'s str) -> StoreResult<'s, ()>;

    /// The items of a thread that clients see; with `hidden`, all of them. A page has about a megabyte at
    /// most, or one item.
    fn items<'s>(
        &'s self,
        owner: &'s Owner,
        thread: &'s str,
        page: PageOf,
        hidden: bool,
    ) -> StoreResult<'s, Page<Item>>;

    /// The same of what clients see, as the JSON that they get: what is only passed on is not read.
    fn item_texts<'s>(
        &'s self,
        owner: &'s Owner,
        thread: &'s str,
        page: PageOf,
    ) -> StoreResult<'s, Page<Box<RawValue>>>;

    /// One item.
    fn item<'s>(&'s self, owner: &'s Owner, thread: &'s str, id: &'s str) -> StoreResult<'s, Item>;

    /// Keeps items at the end of their thread; those that are there already stay in their places and
    /// become these. All of them, or none.
    fn save_items<'s>(&'s self, owner: &'s Owner, items: &'s [Item]) -> StoreResult<'s, ()>;

    /// Keeps a new item at the end of its thread, if that has had fewer than `most`. Whether it had.
    fn add_item<'s>(
        &'s self,
        owner: &'s Owner,
        item: &'s Item,
        most: usize,
    ) -> StoreResult<'s, bool>;

    /// Keeps an item only if its thread has no other of its id, and then others as
    /// [`save_items`](Self::save_items) does: all of them, or none. Whether it was done. Of several that
    /// differ and come at the same time, from any process, one is.
    fn claim<'s>(
        &'s self,
        owner: &'s Owner,
        new: &'s Item,
        with: &'s [Item],
    ) -> StoreResult<'s, bool>;

    /// Keeps a thread and its first items. All of it, or nothing. `place` tells anonymous owners of one
    /// address from those of others; it is empty where nobody is told apart.
    fn create_thread<'s>(
        &'s self,
        owner: &'s Owner,
        place: &'s str,
        thread: &'s ThreadMetadata,
        items: &'s [Item],
    ) -> StoreResult<'s, ()>;

    /// The same as [`save_items`](Self::save_items) for what may be there in a better state, which stays.
    fn save_unfinished<'s>(&'s self, owner: &'s Owner, items: &'s [Item]) -> StoreResult<'s, ()>;

    /// Deletes an item. It need not be there.
    fn delete_item<'s>(
        &'s self,
        owner: &'s Owner,
        thread: &'s str,
        id: &'s str,
    ) -> StoreResult<'s, ()>;

    /// Deletes the items after this one.
    fn delete_items_after<'s>(
        &'s self,
        owner: &'s Owner,
        thread: &'s str,
        id: &'s str,
    ) -> StoreResult<'s, ()>;

    /// Keeps what an owner thinks of items of a thread; of those that are there.
    fn save_feedback<'s>(
        &'s self,
        owner: &'s Owner,
        thread: &'s str,
        items: &'s [String],
        kind: FeedbackKind,
    ) -> StoreResult<'s, ()>;

    /// Keeps a new attachment without its bytes, if there is room: `most` of this owner, and `most_of_all`
    /// of all anonymous owners if it is one. A file takes 64 KiB at least. Whether there was; of several at once, those that fit.
    fn create_attachment<'s>(
        &'s self,
        owner: &'s Owner,
        attachment: &'s OwnedAttachment,
        most: usize,
        most_of_all: usize,
    ) -> StoreResult<'s, bool>;

    /// Keeps where an attachment was sent.
    fn send_attachment<'s>(
        &'s self,
        owner: &'s Owner,
        attachment: &'s Attachment,
    ) -> StoreResult<'s, ()>;

    /// An attachment, and whether its bytes are there.
    fn attachment<'s>(
        &'s self,
        owner: &'s Owner,
        id: &'s str,
    ) -> StoreResult<'s, (OwnedAttachment, bool)>;

    /// The same for whoever shows its token: with whom it belongs to.
    fn attachment_by_token<'s>(
        &'s self,
        id: &'s str,
        token: &'s str,
    ) -> StoreResult<'s, (Owner, OwnedAttachment)>;

    /// Keeps the bytes of an attachment.
    fn save_blob<'s>(
        &'s self,
        owner: &'s Owner,
        id: &'s str,
        bytes: Vec<u8>,
    ) -> StoreResult<'s, ()>;

    /// The bytes of an attachment.
    fn blob<'s>(&'s self, owner: &'s Owner, id: &'s str) -> StoreResult<'s, Blob>;

    /// Deletes an attachment. It need not be there.
    fn delete_attachment<'s>(&'s self, owner: &'s Owner, id: &'s str) -> StoreResult<'s, ()>;

    /// Deletes the oldest threads of an anonymous owner, and of all at the same place, until another one fits.
    /// Whether it does: too many of all such owners leave no room.
    fn make_room<'s>(
        &'s self,
        owner: &'s Owner,
        place: &'s str,
        limits: &'s KeepLimits,
    ) -> StoreResult<'s, bool>;

    /// A thread of an anonymous owner, and whether more may be kept in it.
    fn thread_with_room<'s>(
        &'s self,
        owner: &'s Owner,
        id: &'s str,
        limits: &'s KeepLimits,
    ) -> StoreResult<'s, (ThreadMetadata, bool)>;

    /// Deletes what anonymous owners have kept for too long, and attachments that nobody sent or that never
    /// came.
    fn expire<'s>(&'s self, limits: &'s KeepLimits) -> StoreResult<'s, Deleted>;

    /// The threads whose title or items have this text, the newest first. It ends when the future is dropped,
    /// and after a few seconds in any event.
    fn search<'s>(
        &'s self,
        owner: &'s Owner,
        text: &'s str,
        limit: usize,
    ) -> StoreResult<'s, Vec<Found>>;

    /// The owners with this subject: the same name of several issuers is several.
    fn owners_of<'s>(&'s self, subject: &'s str) -> StoreResult<'s, Vec<Owner>>;

    /// Everything that belongs to an owner, as JSON.
    fn export<'s>(&'s self, owner: &'s Owner) -> StoreResult<'s, Value>;

    /// Deletes everything that belongs to an owner.
    fn delete_all<'s>(&'s self, owner: &'s Owner) -> StoreResult<'s, Deleted>;
}
