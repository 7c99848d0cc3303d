//! The tables. SQLite and PostgreSQL differ in the name of one type, and in how a thread is protected from
//! deletion while items are written: writes of PostgreSQL are concurrent, so it needs a foreign key.

use widgetcast_store::Migration;

/// The component name in the table of versions.
pub(super) const SCOPE: &str = "chatkit";

macro_rules! tables {
    ($bytes:literal, $of_thread:literal) => {
        &[
            Migration {
                version: 1,
                name: "threads, items, attachments and feedback",
                sql: concat!(
                    "\
CREATE TABLE chatkit_threads (
    id TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    position BIGINT NOT NULL,
    words TEXT NOT NULL,
    data TEXT NOT NULL
);
CREATE INDEX chatkit_threads_owner ON chatkit_threads (owner, position, id);
CREATE TABLE chatkit_items (
    thread TEXT NOT NULL",
                    $of_thread,
                    ",
    id TEXT NOT NULL,
    owner TEXT NOT NULL,
    position BIGINT NOT NULL,
    hidden BIGINT NOT NULL,
    words TEXT NOT NULL,
    data TEXT NOT NULL,
    bytes BIGINT NOT NULL GENERATED ALWAYS AS (OCTET_LENGTH(words) + OCTET_LENGTH(data)) STORED,
    PRIMARY KEY (thread, id)
);
CREATE INDEX chatkit_items_position ON chatkit_items (thread, position, id);
CREATE INDEX chatkit_items_owner ON chatkit_items (owner, bytes);
CREATE TABLE chatkit_feedback (
    thread TEXT NOT NULL",
                    $of_thread,
                    ",
    item TEXT NOT NULL,
    owner TEXT NOT NULL,
    kind TEXT NOT NULL,
    PRIMARY KEY (thread, item)
);
CREATE INDEX chatkit_feedback_owner ON chatkit_feedback (owner);
CREATE TABLE chatkit_attachments (
    id TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    thread TEXT NOT NULL,
    token TEXT NOT NULL,
    size BIGINT NOT NULL,
    created BIGINT NOT NULL,
    data TEXT NOT NULL,
    bytes ",
                    $bytes,
                    "
);
CREATE INDEX chatkit_attachments_owner ON chatkit_attachments (owner);
CREATE INDEX chatkit_attachments_thread ON chatkit_attachments (thread);
CREATE TABLE chatkit_locks (
    name TEXT NOT NULL PRIMARY KEY
);"
                ),
            },
            Migration {
                version: 2,
                name: "IP addresses of anonymous users, and an index for file quotas",
                sql: "\
ALTER TABLE chatkit_threads ADD COLUMN place TEXT NOT NULL DEFAULT '';
CREATE INDEX chatkit_threads_place ON chatkit_threads (place, position, id);
CREATE INDEX chatkit_attachments_room ON chatkit_attachments (owner, size);",
            },
        ]
    };
}

pub(super) const SQLITE: &[Migration] = tables!("BLOB", "");
pub(super) const POSTGRES: &[Migration] =
    tables!("BYTEA", " REFERENCES chatkit_threads ON DELETE CASCADE");
