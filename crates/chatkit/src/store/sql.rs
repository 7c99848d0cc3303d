//! The SQL statements, in the common subset of SQLite and PostgreSQL.

/// Idempotent, as all statements here: the response to a commit may be lost, and then it is retried.
pub(super) const NEW_THREAD: &str = "\
INSERT INTO chatkit_threads (id, owner, position, words, data, place) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (id) DO UPDATE SET words = excluded.words, data = excluded.data
WHERE chatkit_threads.owner = $2";
/// Does not restore deleted rows.
pub(super) const SAVE_THREAD: &str =
    "UPDATE chatkit_threads SET words = $3, data = $4 WHERE id = $1 AND owner = $2";
pub(super) const THREAD: &str = "SELECT data FROM chatkit_threads WHERE id = $1 AND owner = $2";
pub(super) const THREADS_ASC: &str = "\
SELECT data FROM chatkit_threads WHERE owner = $1 AND ($2 = '' OR (position, id) >
    (SELECT position, id FROM chatkit_threads WHERE id = $2 AND owner = $1))
ORDER BY position, id LIMIT $3";
pub(super) const THREADS_DESC: &str = "\
SELECT data FROM chatkit_threads WHERE owner = $1 AND ($2 = '' OR (position, id) <
    (SELECT position, id FROM chatkit_threads WHERE id = $2 AND owner = $1))
ORDER BY position DESC, id DESC LIMIT $3";
pub(super) const ITEMS_ASC: &str = "\
SELECT id, data FROM chatkit_items WHERE thread = $1 AND owner = $2 AND hidden <= $3
    AND ($4 = '' OR (position, id) >
        (SELECT position, id FROM chatkit_items WHERE thread = $1 AND id = $4))
ORDER BY position, id LIMIT $5";
pub(super) const ITEMS_DESC: &str = "\
SELECT id, data FROM chatkit_items WHERE thread = $1 AND owner = $2 AND hidden <= $3
    AND ($4 = '' OR (position, id) <
        (SELECT position, id FROM chatkit_items WHERE thread = $1 AND id = $4))
ORDER BY position DESC, id DESC LIMIT $5";
pub(super) const ITEM: &str =
    "SELECT data FROM chatkit_items WHERE thread = $1 AND id = $2 AND owner = $3";
/// Only if the owner has such a thread.
pub(super) const SAVE_ITEM: &str = "\
INSERT INTO chatkit_items (thread, id, owner, position, hidden, words, data)
SELECT $1, $2, $3, (SELECT COALESCE(MAX(position), 0) + 1 FROM chatkit_items WHERE thread = $1), $4, $5, $6
WHERE EXISTS (SELECT 1 FROM chatkit_threads WHERE id = $1 AND owner = $3)
ON CONFLICT (thread, id) DO UPDATE SET hidden = excluded.hidden, words = excluded.words,
    data = excluded.data";
/// The same for a new item, in a thread with fewer than this many.
pub(super) const ADD_ITEM: &str = "\
INSERT INTO chatkit_items (thread, id, owner, position, hidden, words, data)
SELECT $1, $2, $3, (SELECT COALESCE(MAX(position), 0) + 1 FROM chatkit_items WHERE thread = $1), $4, $5, $6
WHERE EXISTS (SELECT 1 FROM chatkit_threads WHERE id = $1 AND owner = $3)
    AND (SELECT COALESCE(MAX(position), 0) FROM chatkit_items WHERE thread = $1) < $7
ON CONFLICT (thread, id) DO UPDATE SET data = excluded.data";
/// The same for an item that must be the first: of concurrent writers with different values, one succeeds.
pub(super) const CLAIM_ITEM: &str = "\
INSERT INTO chatkit_items (thread, id, owner, position, hidden, words, data)
SELECT $1, $2, $3, (SELECT COALESCE(MAX(position), 0) + 1 FROM chatkit_items WHERE thread = $1), $4, $5, $6
WHERE EXISTS (SELECT 1 FROM chatkit_threads WHERE id = $1 AND owner = $3)
ON CONFLICT (thread, id) DO UPDATE SET words = excluded.words WHERE chatkit_items.data = excluded.data";
/// The same for an item that does not exist yet.
pub(super) const SAVE_NEW_ITEM: &str = "\
INSERT INTO chatkit_items (thread, id, owner, position, hidden, words, data)
SELECT $1, $2, $3, (SELECT COALESCE(MAX(position), 0) + 1 FROM chatkit_items WHERE thread = $1), $4, $5, $6
WHERE EXISTS (SELECT 1 FROM chatkit_threads WHERE id = $1 AND owner = $3)
ON CONFLICT (thread, id) DO NOTHING";
pub(super) const DELETE_ITEM: &str =
    "DELETE FROM chatkit_items WHERE thread = $1 AND id = $2 AND owner = $3";
pub(super) const DELETE_FEEDBACK: &str =
    "DELETE FROM chatkit_feedback WHERE thread = $1 AND item = $2 AND owner = $3";
/// Without the origin of widgets: the widget may come earlier, and stays.
pub(super) const DELETE_ITEMS_AFTER: &str = "\
DELETE FROM chatkit_items WHERE thread = $1 AND owner = $3 AND id NOT LIKE 'src\\_%' ESCAPE '\\'
    AND (position, id) > (SELECT position, id FROM chatkit_items WHERE thread = $1 AND id = $2)";
pub(super) const DELETE_LOST_FEEDBACK: &str = "\
DELETE FROM chatkit_feedback WHERE thread = $1 AND owner = $2
    AND item NOT IN (SELECT id FROM chatkit_items WHERE thread = $1)";
pub(super) const SAVE_FEEDBACK: &str = "\
INSERT INTO chatkit_feedback (thread, item, owner, kind)
SELECT $1, $2, $3, $4
WHERE EXISTS (SELECT 1 FROM chatkit_items WHERE thread = $1 AND id = $2 AND owner = $3)
ON CONFLICT (thread, item) DO UPDATE SET kind = excluded.kind";
/// Other transactions that need the same name wait for the end of this one.
pub(super) const LOCK: &str = "\
INSERT INTO chatkit_locks (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = excluded.name";
/// Only if it fits into the quota of the owner, in which each file counts as at least `$8`.
pub(super) const NEW_ATTACHMENT: &str = "\
INSERT INTO chatkit_attachments (id, owner, thread, token, size, created, data)
SELECT $1, $2, '', $3, $4, $5, $6
WHERE (SELECT COALESCE(SUM(CASE WHEN size < $8 THEN $8 ELSE size END), 0)
    FROM chatkit_attachments WHERE owner = $2 AND id <> $1) + CASE WHEN $4 < $8 THEN $8 ELSE $4 END <= $7
ON CONFLICT (id) DO UPDATE SET data = excluded.data WHERE chatkit_attachments.owner = $2";
pub(super) const SEND_ATTACHMENT: &str =
    "UPDATE chatkit_attachments SET thread = $3, data = $4 WHERE id = $1 AND owner = $2";
/// Files that were in no message since `$1`, that were not uploaded since `$2`, or whose thread was deleted.
pub(super) const EXPIRE_UNSENT: &str = "\
DELETE FROM chatkit_attachments WHERE (thread = '' AND created < $1)
    OR (bytes IS NULL AND created < $2)
    OR (thread <> '' AND created < $2
        AND NOT EXISTS (SELECT 1 FROM chatkit_threads WHERE id = chatkit_attachments.thread))";
pub(super) const OLDEST_THREADS: &str =
    "SELECT id, owner FROM chatkit_threads WHERE owner = $1 ORDER BY position, id LIMIT $2";
/// The same for all owners at an address.
pub(super) const OLDEST_THREADS_AT: &str =
    "SELECT id, owner FROM chatkit_threads WHERE place = $1 ORDER BY position, id LIMIT $2";
/// Of all owners like `$1`, the expired ones.
pub(super) const OLD_THREADS: &str = "\
SELECT id, owner FROM chatkit_threads WHERE owner LIKE $1 AND position < $2 LIMIT $3";
/// The number of threads of an owner, and the bytes of its items.
pub(super) const KEPT: &str = "\
SELECT (SELECT CAST(COUNT(*) AS BIGINT) FROM chatkit_threads WHERE owner = $1),
    (SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM chatkit_items WHERE owner = $1)";
/// The number of threads at an address.
pub(super) const KEPT_AT: &str =
    "SELECT CAST(COUNT(*) AS BIGINT) FROM chatkit_threads WHERE place = $1";
/// The same for all owners like `$1`, with their files, each of which counts as at least `$2`.
pub(super) const KEPT_OF_ALL: &str = "\
SELECT (SELECT CAST(COUNT(*) AS BIGINT) FROM chatkit_threads WHERE owner LIKE $1),
    (SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM chatkit_items WHERE owner LIKE $1),
    (SELECT CAST(COALESCE(SUM(CASE WHEN size < $2 THEN $2 ELSE size END), 0) AS BIGINT)
        FROM chatkit_attachments WHERE owner LIKE $1)";
/// A thread, and the number of items it has ever had.
pub(super) const THREAD_AND_ITEMS: &str = "\
SELECT data, (SELECT CAST(COALESCE(MAX(position), 0) AS BIGINT) FROM chatkit_items WHERE thread = $1)
FROM chatkit_threads WHERE id = $1 AND owner = $2";
pub(super) const ATTACHMENT: &str = "\
SELECT owner, token, size, data, CAST(CASE WHEN bytes IS NULL THEN 0 ELSE 1 END AS BIGINT)
FROM chatkit_attachments WHERE id = $1 AND (owner = $2 OR token = $3)";
pub(super) const SAVE_BLOB: &str =
    "UPDATE chatkit_attachments SET bytes = $3, token = '' WHERE id = $1 AND owner = $2";
pub(super) const BLOB: &str = "\
SELECT data, bytes FROM chatkit_attachments
WHERE id = $1 AND owner = $2 AND bytes IS NOT NULL";
pub(super) const DELETE_ATTACHMENT: &str =
    "DELETE FROM chatkit_attachments WHERE id = $1 AND owner = $2";
pub(super) const SEARCH_THREADS: &str = "\
SELECT data FROM chatkit_threads WHERE owner = $1 AND strpos(words, $2) > 0
ORDER BY position DESC LIMIT $3";
/// One item per thread, by its id, because all matches may exceed the memory.
pub(super) const SEARCH_ITEMS: &str = "\
SELECT t.data, i.id FROM chatkit_threads t JOIN chatkit_items i ON i.thread = t.id AND i.id =
    (SELECT id FROM chatkit_items WHERE thread = t.id AND owner = $1 AND hidden = 0
        AND strpos(words, $2) > 0 ORDER BY position DESC, id DESC LIMIT 1)
WHERE t.owner = $1 ORDER BY t.position DESC LIMIT $3";
pub(super) const OWNERS: &str = "\
SELECT owner FROM chatkit_threads UNION SELECT owner FROM chatkit_attachments";

pub(super) const DELETE_THREAD: [&str; 4] = [
    "DELETE FROM chatkit_feedback WHERE thread = $1 AND owner = $2",
    "DELETE FROM chatkit_items WHERE thread = $1 AND owner = $2",
    "DELETE FROM chatkit_attachments WHERE thread = $1 AND owner = $2",
    "DELETE FROM chatkit_threads WHERE id = $1 AND owner = $2",
];
pub(super) const DELETE_ALL: [&str; 5] = [
    "DELETE FROM chatkit_threads WHERE owner = $1",
    "DELETE FROM chatkit_items WHERE owner = $1",
    "DELETE FROM chatkit_attachments WHERE owner = $1",
    "DELETE FROM chatkit_feedback WHERE owner = $1",
    "DELETE FROM chatkit_locks WHERE name = $1",
];
/// Of owners without any data.
pub(super) const DELETE_LOST_LOCKS: &str = "\
DELETE FROM chatkit_locks WHERE name <> $1
    AND name NOT IN (SELECT owner FROM chatkit_attachments)";
