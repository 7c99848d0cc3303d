//! The SQL statements, in the common subset of SQLite and PostgreSQL. An entry has a row for each owner that
//! has stored it, so that eviction for one owner does not affect others.

use widgetcast::store::{Entry, EntryKind};

use crate::clock;
use crate::quota::Quota;

/// An existing instance is written again only if half of its time to live has passed.
pub(crate) const PUT: &str = "\
INSERT INTO widgetcast_entries (kind, id, owner, tool, data, bytes, written, expires)
SELECT $1, $2, $3, $4, $5, $6, $7, $8
WHERE NOT EXISTS (
    SELECT 1 FROM widgetcast_entries WHERE kind = $1 AND id = $2 AND owner = $3 AND expires >= $9)
ON CONFLICT (kind, id, owner) DO UPDATE SET tool = excluded.tool, data = excluded.data,
    bytes = excluded.bytes, written = excluded.written, expires = excluded.expires";

pub(crate) const GET: &str = "\
SELECT tool, data FROM widgetcast_entries WHERE kind = $1 AND id = $2 AND expires > $3
ORDER BY written DESC LIMIT 1";

pub(crate) const IDS: &str = "\
SELECT id FROM widgetcast_entries
WHERE kind = $1 AND tool = $2 AND substr(id, 1, length($3)) = $3 AND expires > $4
GROUP BY id ORDER BY MAX(written) DESC LIMIT $5";

pub(crate) const DELETE_EXPIRED: &str = "DELETE FROM widgetcast_entries WHERE expires <= $1";

pub(crate) const USAGES: &str = "\
SELECT COUNT(*), CAST(SUM(bytes) AS BIGINT) FROM widgetcast_entries WHERE kind = $1 GROUP BY owner";

/// Deletes an owner's entries beyond its newest entries and bytes.
pub(crate) const DELETE_OLDEST: &str = "\
DELETE FROM widgetcast_entries WHERE kind = $1 AND (id, owner) IN (
    SELECT id, owner FROM (
        SELECT id, owner, ROW_NUMBER() OVER newest AS place, SUM(bytes) OVER newest AS total
        FROM widgetcast_entries WHERE kind = $1
        WINDOW newest AS (PARTITION BY owner ORDER BY written DESC, id)) AS ranked
    WHERE place > $2 OR total > $3)";

pub(crate) const KEEP_SECRET: &str = "\
INSERT INTO widgetcast_secrets (name, value) VALUES ('key', $1) ON CONFLICT (name) DO NOTHING";

pub(crate) const SECRET: &str = "SELECT value FROM widgetcast_secrets WHERE name = 'key'";

pub(crate) const VERSIONS_OF: &str = "SELECT version FROM widgetcast_migrations WHERE scope = $1";

pub(crate) const KEEP_VERSION: &str =
    "INSERT INTO widgetcast_migrations (scope, version, name) VALUES ($1, $2, $3)";

/// The number of a kind in a database.
pub(crate) fn number(kind: EntryKind) -> i64 {
    match kind {
        EntryKind::Instance => 1,
        _ => 2,
    }
}

/// A row to write.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub kind: i64,
    pub id: String,
    pub owner: String,
    pub tool: String,
    pub data: String,
    pub written: i64,
    pub expires: i64,
    /// A row that expires later than this stays as it is.
    pub renew: i64,
}

impl Row {
    pub(crate) fn new(entry: Entry<'_>, quota: &Quota) -> Self {
        let (written, ttl) = (clock::next(), clock::micros(quota.of(entry.kind).ttl));
        Self {
            kind: number(entry.kind),
            id: entry.id.to_owned(),
            owner: entry.owner.to_string(),
            tool: entry.tool.to_owned(),
            data: entry.data.to_owned(),
            written,
            // An instance that is stored again must not expire earlier than promised.
            expires: written + ttl + if entry.kind == EntryKind::Instance { ttl / 2 } else { 0 },
            renew: if entry.kind == EntryKind::Instance { written + ttl } else { i64::MAX },
        }
    }
}

/// The query functions, for each type of connection.
macro_rules! queries {
    ($connection:ty) => {
        mod queries {
            use std::sync::Arc;

            use sqlx::Connection as _;
            use widgetcast::store::{EntryKind, Stored};

            use crate::quota::{Levels, Quota};
            use crate::sql::{self, Row};
            use crate::{clock, secret};

            pub(super) async fn put(on: &mut $connection, row: &Row) -> sqlx::Result<()> {
                let query = sqlx::query(sql::PUT)
                    .bind(row.kind)
                    .bind(row.id.as_str())
                    .bind(row.owner.as_str())
                    .bind(row.tool.as_str())
                    .bind(row.data.as_str())
                    .bind(row.data.len() as i64)
                    .bind(row.written)
                    .bind(row.expires)
                    .bind(row.renew);
                query.execute(on).await?;
                Ok(())
            }

            pub(super) async fn get(
                on: &mut $connection,
                kind: EntryKind,
                id: &str,
            ) -> sqlx::Result<Option<Stored>> {
                let query = sqlx::query_as::<_, (String, String)>(sql::GET)
                    .bind(sql::number(kind))
                    .bind(id)
                    .bind(clock::now());
                let found = query.fetch_optional(on).await?;
                Ok(found.map(|(tool, data)| Stored { tool: tool.into(), data: Arc::from(data) }))
            }

            pub(super) async fn ids(
                on: &mut $connection,
                tool: &str,
                prefix: &str,
                most: usize,
            ) -> sqlx::Result<Vec<String>> {
                sqlx::query_scalar(sql::IDS)
                    .bind(sql::number(EntryKind::Instance))
                    .bind(tool)
                    .bind(prefix)
                    .bind(clock::now())
                    .bind(i64::try_from(most).unwrap_or(i64::MAX))
                    .fetch_all(on)
                    .await
            }

            /// Deletes expired entries, and those beyond the quotas of owners.
            pub(super) async fn sweep(on: &mut $connection, quota: &Quota) -> sqlx::Result<()> {
                quota.reset();
                sqlx::query(sql::DELETE_EXPIRED).bind(clock::now()).execute(&mut *on).await?;
                for (kind, limits) in quota.limits() {
                    let kind = sql::number(kind);
                    let usages = sqlx::query_as(sql::USAGES).bind(kind).fetch_all(&mut *on).await?;
                    let levels = Levels::new(&usages, &limits);
                    if levels.is_exceeded {
                        let query = sqlx::query(sql::DELETE_OLDEST)
                            .bind(kind)
                            .bind(levels.entries)
                            .bind(levels.bytes);
                        query.execute(&mut *on).await?;
                    }
                }
                Ok(())
            }

            /// The secret of this store, created by the first process.
            pub(super) async fn key(on: &mut $connection) -> sqlx::Result<[u8; 16]> {
                let mut on = on.begin().await?;
                sqlx::query(sql::KEEP_SECRET).bind(secret::new()).execute(&mut *on).await?;
                let text: String = sqlx::query_scalar(sql::SECRET).fetch_one(&mut *on).await?;
                on.commit().await?;
                secret::read(&text).map_err(|error| sqlx::Error::Decode(error.into()))
            }

            pub(super) async fn versions(
                on: &mut $connection,
                scope: &str,
            ) -> sqlx::Result<Vec<i64>> {
                sqlx::query_scalar(sql::VERSIONS_OF).bind(scope).fetch_all(on).await
            }

            /// Does what has not been done, in a transaction that no one else is in.
            pub(super) async fn migrate(
                on: &mut $connection,
                scope: &str,
                all: &[crate::migration::Migration],
            ) -> sqlx::Result<()> {
                sqlx::raw_sql(crate::migration::VERSIONS).execute(&mut *on).await?;
                let applied = versions(&mut *on, scope).await?;
                for planned in crate::migration::plan(all, &applied) {
                    let step = planned.migration;
                    if planned.is_applied {
                        continue;
                    }
                    tracing::info!(scope, version = step.version, "migrating: {}", step.name);
                    sqlx::raw_sql(step.sql).execute(&mut *on).await?;
                    let query = sqlx::query(sql::KEEP_VERSION)
                        .bind(scope)
                        .bind(step.version)
                        .bind(step.name);
                    query.execute(&mut *on).await?;
                }
                Ok(())
            }
        }
    };
}
pub(crate) use queries;
