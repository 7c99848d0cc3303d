//! The storage in a SQL database.

use std::sync::Arc;

use serde_json::Value;
use widgetcast::store::{Store as _, StoreLimits};
use widgetcast::{Budgeted, Workers};
use widgetcast_store::{OpenError, Planned, Postgres, Sqlite};

use super::failure::StorageError;
use super::item_text::{ItemText, StoredItem, words};
use super::postgres::PostgresEngine;
use super::retention_limits::RetentionLimits;
use super::room::{Counts, MIN_FILE};
use super::rows::{new_thread, page, rows, save_item, save_items, save_thread, snippet, text};
use super::sql;
use super::sqlite::SqliteEngine;
use super::statement::{Column, Engine, Row, Statement, number, parse};
use super::storage::{
    Blob, Deleted, OwnedAttachment, PageRequest, SearchHit, Storage, StorageFuture,
};
use super::tables;
use super::watched::{OnFailure, Watched};
use super::{expire, export, room};
use crate::clock;
use crate::owner::Owner;
use crate::protocol::request::FeedbackKind;
use crate::protocol::{Attachment, Order, Page, ThreadMetadata};

/// Maximum bytes of a page, whatever was requested, and the number of rows that are read at once.
const MAX_PAGE_BYTES: usize = 1 << 20;
const CHUNK: usize = 8;
/// Maximum threads that a search returns.
const MAX_HITS: usize = 50;

/// Opens the storage at a URL: `sqlite:PATH` or `postgres://…`. Creates missing tables. The storage uses the
/// current runtime.
pub async fn open(url: &str) -> Result<Arc<dyn Storage>, Box<dyn std::error::Error + Send + Sync>> {
    let limits = StoreLimits::default();
    let failed = |error: sqlx::Error| format!("cannot migrate the thread tables: {error}");
    match url.split_once(':') {
        Some(("sqlite", rest)) if !rest.trim_start_matches('/').is_empty() => {
            let path = rest.strip_prefix("//").unwrap_or(rest);
            let store = Sqlite::open(path, &limits).await?;
            store.migrate(tables::SCOPE, tables::SQLITE).await.map_err(failed)?;
            Ok(Database::storage(SqliteEngine::new(path.as_ref())?, store.key()))
        }
        Some(("postgres" | "postgresql", _)) => {
            let store: Postgres = Postgres::open(url, &limits).await?;
            let key = store.key();
            Ok(Database::storage(PostgresEngine::new(store).await.map_err(failed)?, key))
        }
        _ => Err("the store of threads must be sqlite:PATH or postgres://HOST/DATABASE".into()),
    }
}

/// The migrations of a database, and which of them are applied. Changes nothing.
pub async fn migrations(url: &str) -> Result<Vec<Planned>, OpenError> {
    match url.split_once(':') {
        Some(("sqlite", rest)) => {
            let path = rest.strip_prefix("//").unwrap_or(rest);
            Sqlite::plan_of(path, tables::SCOPE, tables::SQLITE).await
        }
        Some(("postgres" | "postgresql", _)) => {
            Postgres::plan_of(url, tables::SCOPE, tables::POSTGRES).await
        }
        _ => Ok(Vec::new()),
    }
}

pub(super) struct Database<E> {
    engine: Watched<E>,
    counts: Counts,
    key: [u8; 16],
}

impl<E: Engine> Database<E> {
    fn storage(engine: E, key: Option<[u8; 16]>) -> Arc<dyn Storage> {
        // Both databases store one.
        let key = key.unwrap_or_else(rand::random);
        Arc::new(Self { engine: Watched::new(engine), counts: Counts::default(), key })
    }

    /// Writes items, which count toward the limits of anonymous owners.
    async fn keep(
        &self,
        owner: &Owner,
        place: &str,
        threads: i64,
        all: Vec<Statement>,
    ) -> Result<(), StorageError> {
        if owner.is_anonymous() {
            self.counts.add(owner, place, threads, &all);
        }
        self.write(all).await
    }

    async fn one(&self, statement: Statement) -> Result<String, StorageError> {
        let rows = self.engine.look_up(statement, &[Column::Text]).await?;
        let mut row = rows.into_iter().next().ok_or(StorageError::NotFound)?;
        Ok(row.text())
    }

    async fn write(&self, all: Vec<Statement>) -> Result<(), StorageError> {
        self.engine.write(all).await.map(|_| ())
    }

    /// The same for a conditional write; returns whether it happened.
    async fn write_if(&self, all: Vec<Statement>) -> Result<bool, StorageError> {
        found(self.write(all).await)
    }

    async fn page_of_items(
        &self,
        owner: &Owner,
        thread: &str,
        of: PageRequest,
        hidden: bool,
    ) -> Result<Page<ItemText>, StorageError> {
        let list = if of.order == Order::Asc { sql::ITEMS_ASC } else { sql::ITEMS_DESC };
        let limit = of.limit.max(1);
        let (mut after, mut bytes) = (of.after.unwrap_or_default(), 0);
        let mut page: Page<ItemText> = Page::default();
        // In chunks, so that memory stays close to the size of a page.
        loop {
            let wanted = CHUNK.min(limit - page.data.len());
            let args = [
                thread.into(),
                owner.key().into(),
                i64::from(hidden).into(),
                after.into(),
                rows(wanted).into(),
            ];
            let (most, mut size) = (MAX_PAGE_BYTES - bytes, 0);
            let query = Statement::new(list, args).at_most(most);
            let found = self.engine.read(query, &[Column::Text, Column::Text]).await?;
            let is_all = found.len() <= wanted;
            for mut row in found.into_iter().take(wanted) {
                let (id, data) = (row.text(), row.text());
                size += id.len() + data.len();
                // A page has at least one item, so that paging makes progress.
                if !page.data.is_empty() && size > most {
                    return Ok(Page { has_more: true, ..page });
                }
                page.data.push(ItemText(data));
                page.after = Some(id);
            }
            // The rows after it were not read.
            if size > most {
                return Ok(Page { has_more: true, ..page });
            }
            bytes += size;
            if is_all {
                return Ok(Page { has_more: false, after: None, ..page });
            }
            if page.data.len() >= limit {
                return Ok(Page { has_more: true, ..page });
            }
            after = page.after.clone().unwrap_or_default();
        }
    }

    async fn found_attachment(
        &self,
        id: &str,
        owner: &str,
        token: &str,
    ) -> Result<(Owner, OwnedAttachment, bool), StorageError> {
        let columns = &[Column::Text, Column::Text, Column::Int, Column::Text, Column::Int];
        let query = Statement::new(sql::ATTACHMENT, [id.into(), owner.into(), token.into()]);
        let mut rows = self.engine.read(query, columns).await?;
        let mut row: Row = rows.pop().ok_or(StorageError::NotFound)?;
        let (owner, token) = (Owner::from_key(row.text()), row.text());
        let size = usize::try_from(row.int()).unwrap_or_default();
        let attachment = parse(&row.text())?;
        Ok((owner, OwnedAttachment { attachment, size, token }, row.int() == 1))
    }
}

/// Whether a row was found.
fn found(done: Result<(), StorageError>) -> Result<bool, StorageError> {
    match done {
        Ok(()) => Ok(true),
        Err(StorageError::NotFound) => Ok(false),
        Err(failure) => Err(failure),
    }
}

impl<E: Engine> Storage for Database<E> {
    fn key(&self) -> [u8; 16] {
        self.key
    }

    fn on_failure(&self, listener: OnFailure) {
        self.engine.on_failure(listener);
    }

    fn thread<'s>(&'s self, owner: &'s Owner, id: &'s str) -> StorageFuture<'s, ThreadMetadata> {
        let query = Statement::new(sql::THREAD, [id.into(), owner.key().into()]);
        Box::pin(async move { parse(&self.one(query).await?) })
    }

    fn save_thread<'s>(
        &'s self,
        owner: &'s Owner,
        thread: &'s ThreadMetadata,
    ) -> StorageFuture<'s, ()> {
        Box::pin(self.write(vec![save_thread(owner, thread)]))
    }

    fn threads<'s>(
        &'s self,
        owner: &'s Owner,
        of: PageRequest,
    ) -> StorageFuture<'s, Page<ThreadMetadata>> {
        let list = if of.order == Order::Asc { sql::THREADS_ASC } else { sql::THREADS_DESC };
        let after = of.after.unwrap_or_default();
        let query = Statement::new(list, [owner.key().into(), after.into(), rows(of.limit).into()]);
        Box::pin(async move {
            let query = query.at_most(MAX_PAGE_BYTES);
            let texts = self.engine.read(query, &[Column::Text]).await?;
            let texts: Vec<String> = texts.into_iter().map(|mut row| row.text()).collect();
            // The rows beyond the byte limit were not read.
            let is_cut = texts.iter().map(String::len).sum::<usize>() > MAX_PAGE_BYTES;
            let all: Vec<ThreadMetadata> =
                texts.iter().map(|text| parse(text)).collect::<Result<_, StorageError>>()?;
            let mut page = page(all, of.limit, |thread| &thread.id);
            if is_cut {
                page.has_more = true;
                page.after = page.data.last().map(|thread| thread.id.clone());
            }
            Ok(page)
        })
    }

    fn delete_thread<'s>(&'s self, owner: &'s Owner, id: &'s str) -> StorageFuture<'s, ()> {
        let delete = |sql| Statement::new(sql, [id.into(), owner.key().into()]);
        Box::pin(self.write(sql::DELETE_THREAD.map(delete).into()))
    }

    fn items<'s>(
        &'s self,
        owner: &'s Owner,
        thread: &'s str,
        of: PageRequest,
        hidden: bool,
    ) -> StorageFuture<'s, Page<ItemText>> {
        Box::pin(self.page_of_items(owner, thread, of, hidden))
    }

    fn item<'s>(
        &'s self,
        owner: &'s Owner,
        thread: &'s str,
        id: &'s str,
    ) -> StorageFuture<'s, ItemText> {
        let query = Statement::new(sql::ITEM, [thread.into(), id.into(), owner.key().into()]);
        Box::pin(async move { self.one(query).await.map(ItemText) })
    }

    fn save_items<'s>(&'s self, owner: &'s Owner, items: Vec<StoredItem>) -> StorageFuture<'s, ()> {
        Box::pin(self.keep(owner, "", 0, save_items(owner, items)))
    }

    fn add_item<'s>(
        &'s self,
        owner: &'s Owner,
        item: StoredItem,
        most: usize,
    ) -> StorageFuture<'s, bool> {
        let mut add = save_item(sql::ADD_ITEM, owner, item).must_change();
        add.args.push(number(most).into());
        Box::pin(async move { found(self.keep(owner, "", 0, vec![add]).await) })
    }

    fn claim<'s>(
        &'s self,
        owner: &'s Owner,
        new: StoredItem,
        with: Vec<StoredItem>,
    ) -> StorageFuture<'s, bool> {
        let mut all = vec![save_item(sql::CLAIM_ITEM, owner, new).must_change()];
        all.extend(save_items(owner, with));
        Box::pin(self.write_if(all))
    }

    fn create_thread<'s>(
        &'s self,
        owner: &'s Owner,
        place: &'s str,
        thread: &'s ThreadMetadata,
        items: Vec<StoredItem>,
    ) -> StorageFuture<'s, ()> {
        let mut all = vec![new_thread(owner, place, thread)];
        all.extend(save_items(owner, items));
        Box::pin(self.keep(owner, place, 1, all))
    }

    fn save_unfinished<'s>(
        &'s self,
        owner: &'s Owner,
        items: Vec<StoredItem>,
    ) -> StorageFuture<'s, ()> {
        let save = |item| save_item(sql::SAVE_NEW_ITEM, owner, item);
        Box::pin(self.write(items.into_iter().map(save).collect()))
    }

    fn delete_item<'s>(
        &'s self,
        owner: &'s Owner,
        thread: &'s str,
        id: &'s str,
    ) -> StorageFuture<'s, ()> {
        let delete = |sql| Statement::new(sql, [thread.into(), id.into(), owner.key().into()]);
        Box::pin(self.write([sql::DELETE_ITEM, sql::DELETE_FEEDBACK].map(delete).into()))
    }

    fn delete_items_after<'s>(
        &'s self,
        owner: &'s Owner,
        thread: &'s str,
        id: &'s str,
    ) -> StorageFuture<'s, ()> {
        let args = [thread.into(), id.into(), owner.key().into()];
        let delete = Statement::new(sql::DELETE_ITEMS_AFTER, args);
        let feedback =
            Statement::new(sql::DELETE_LOST_FEEDBACK, [thread.into(), owner.key().into()]);
        Box::pin(self.write(vec![delete, feedback]))
    }

    fn save_feedback<'s>(
        &'s self,
        owner: &'s Owner,
        thread: &'s str,
        items: &'s [String],
        kind: FeedbackKind,
    ) -> StorageFuture<'s, ()> {
        let save = |item: &String| {
            let args =
                [thread.into(), item.as_str().into(), owner.key().into(), kind.name().into()];
            Statement::new(sql::SAVE_FEEDBACK, args)
        };
        Box::pin(self.write(items.iter().map(save).collect()))
    }

    fn create_attachment<'s>(
        &'s self,
        owner: &'s Owner,
        OwnedAttachment { attachment, size, token }: &'s OwnedAttachment,
        most: usize,
        most_of_all: usize,
    ) -> StorageFuture<'s, bool> {
        let new = [
            attachment.id.as_str().into(),
            owner.key().into(),
            token.as_str().into(),
            number(*size).into(),
            clock::next().into(),
            text(attachment).into(),
            number(most).into(),
            MIN_FILE.into(),
        ];
        let lock = Statement::new(sql::LOCK, [owner.key().into()]);
        let all = vec![lock, Statement::new(sql::NEW_ATTACHMENT, new).must_change()];
        let most_of_all = number(most_of_all);
        Box::pin(async move {
            if !owner.is_anonymous() {
                return self.write_if(all).await;
            }
            // Counted before it is written, so that it counts once.
            self.counts.count_files(&self.engine).await?;
            if !self.write_if(all).await? {
                return Ok(false);
            }
            let has_room = self.counts.add_file(number(*size), most_of_all);
            if !has_room {
                self.delete_attachment(owner, &attachment.id).await?;
            }
            Ok(has_room)
        })
    }

    fn send_attachment<'s>(
        &'s self,
        owner: &'s Owner,
        attachment: &'s Attachment,
    ) -> StorageFuture<'s, ()> {
        let args = [
            attachment.id.as_str().into(),
            owner.key().into(),
            attachment.thread_id.as_deref().unwrap_or_default().into(),
            text(attachment).into(),
        ];
        Box::pin(self.write(vec![Statement::new(sql::SEND_ATTACHMENT, args).must_change()]))
    }

    fn attachment<'s>(
        &'s self,
        owner: &'s Owner,
        id: &'s str,
    ) -> StorageFuture<'s, (OwnedAttachment, bool)> {
        Box::pin(async move {
            // No token has this form.
            let (_, found, is_there) = self.found_attachment(id, owner.key(), "-").await?;
            Ok((found, is_there))
        })
    }

    fn attachment_by_token<'s>(
        &'s self,
        id: &'s str,
        token: &'s str,
    ) -> StorageFuture<'s, (Owner, OwnedAttachment)> {
        Box::pin(async move {
            // An uploaded file no longer has a token.
            let token = if token.is_empty() { "-" } else { token };
            let (owner, found, _) = self.found_attachment(id, "-", token).await?;
            Ok((owner, found))
        })
    }

    fn save_blob<'s>(
        &'s self,
        owner: &'s Owner,
        id: &'s str,
        bytes: Vec<u8>,
    ) -> StorageFuture<'s, ()> {
        let save = Statement::new(sql::SAVE_BLOB, [id.into(), owner.key().into(), bytes.into()]);
        Box::pin(self.write(vec![save.must_change()]))
    }

    fn blob<'s>(&'s self, owner: &'s Owner, id: &'s str) -> StorageFuture<'s, Blob> {
        let query = Statement::new(sql::BLOB, [id.into(), owner.key().into()]);
        Box::pin(async move {
            let mut rows = self.engine.read(query, &[Column::Text, Column::Bytes]).await?;
            let mut row = rows.pop().ok_or(StorageError::NotFound)?;
            let Attachment { mime_type, name, .. } = parse(&row.text())?;
            Ok(Blob { mime_type, name, bytes: row.bytes() })
        })
    }

    fn delete_attachment<'s>(&'s self, owner: &'s Owner, id: &'s str) -> StorageFuture<'s, ()> {
        let delete = Statement::new(sql::DELETE_ATTACHMENT, [id.into(), owner.key().into()]);
        Box::pin(self.write(vec![delete]))
    }

    fn make_room<'s>(
        &'s self,
        owner: &'s Owner,
        place: &'s str,
        limits: &'s RetentionLimits,
    ) -> StorageFuture<'s, bool> {
        Box::pin(room::make_room(&self.engine, &self.counts, owner, place, limits))
    }

    fn thread_with_room<'s>(
        &'s self,
        owner: &'s Owner,
        id: &'s str,
        limits: &'s RetentionLimits,
    ) -> StorageFuture<'s, (ThreadMetadata, bool)> {
        Box::pin(room::thread_with_room(&self.engine, &self.counts, owner, id, limits))
    }

    fn expire<'s>(&'s self, limits: &'s RetentionLimits) -> StorageFuture<'s, Deleted> {
        Box::pin(expire::expire(&self.engine, limits))
    }

    fn search<'s>(
        &'s self,
        owner: &'s Owner,
        wanted: &'s str,
        limit: usize,
        workers: &'s Workers,
    ) -> StorageFuture<'s, Vec<SearchHit>> {
        let (key, looked_for) = (owner.key(), words(wanted.trim()));
        Box::pin(async move {
            let most = rows(limit.min(MAX_HITS)) - 1;
            let args = || [key.into(), looked_for.as_str().into(), most.into()];
            let search = |sql, columns| self.engine.search(Statement::new(sql, args()), columns);
            let titled = search(sql::SEARCH_THREADS, &[Column::Text]).await?;
            let titled: Vec<ThreadMetadata> = titled
                .into_iter()
                .map(|mut row| parse(&row.text()))
                .collect::<Result<_, StorageError>>()?;
            let mut found: Vec<SearchHit> = Vec::new();
            for mut row in search(sql::SEARCH_ITEMS, &[Column::Text, Column::Text]).await? {
                let thread: ThreadMetadata = parse(&row.text())?;
                // One at a time: each may be as large as a request.
                match self.item(owner, &thread.id, &row.text()).await {
                    Ok(item) => {
                        let (bytes, wanted) = (item.size(), wanted.to_owned());
                        let show = move |budgeted: Budgeted| {
                            item.parse(budgeted).map(|item| snippet(&item.text(), &wanted))
                        };
                        let snippet = workers.finish(bytes, show).await.transpose()?;
                        found.push(SearchHit { thread, snippet: snippet.unwrap_or_default() });
                    }
                    // It was deleted in the meantime.
                    Err(StorageError::NotFound) => {}
                    Err(failure) => return Err(failure),
                }
            }
            for thread in titled {
                if !found.iter().any(|known| known.thread.id == thread.id) {
                    let snippet = snippet(thread.title.as_deref().unwrap_or_default(), wanted);
                    found.push(SearchHit { thread, snippet });
                }
            }
            found.sort_by(|a, b| b.thread.created_at.cmp(&a.thread.created_at));
            found.truncate(limit);
            Ok(found)
        })
    }

    fn owners_of<'s>(&'s self, subject: &'s str) -> StorageFuture<'s, Vec<Owner>> {
        Box::pin(async move {
            let rows = self.engine.read(Statement::new(sql::OWNERS, []), &[Column::Text]).await?;
            let owners = rows.into_iter().map(|mut row| Owner::from_key(row.text()));
            Ok(owners.filter(|owner| owner.subject() == subject).collect())
        })
    }

    fn export<'s>(&'s self, owner: &'s Owner) -> StorageFuture<'s, Value> {
        Box::pin(export::export(&self.engine, owner))
    }

    fn delete_all<'s>(&'s self, owner: &'s Owner) -> StorageFuture<'s, Deleted> {
        let delete = |sql| Statement::new(sql, [owner.key().into()]);
        let all = sql::DELETE_ALL.map(delete).into();
        Box::pin(async move {
            let changed = self.engine.write(all).await?;
            Ok(Deleted { threads: changed[0], items: changed[1], attachments: changed[2] })
        })
    }
}
