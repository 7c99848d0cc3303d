//! Migrations of the tables of a database.

/// A migration. Migrations are additive, so processes of the previous version keep working.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Migration {
    /// The version, which increases by one.
    pub version: i64,
    /// A description.
    pub name: &'static str,
    /// SQL statements.
    pub sql: &'static str,
}

/// A migration, and whether it is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Planned {
    /// The migration.
    pub migration: Migration,
    /// Whether it is applied.
    pub is_applied: bool,
}

/// The component name of this crate's tables. Other crates use other names in the same table of versions.
pub(crate) const SCOPE: &str = "store";

pub(crate) const MIGRATIONS: &[Migration] = &[Migration {
    version: 1,
    name: "view data, view state and the key",
    sql: "\
CREATE TABLE widgetcast_entries (
    kind BIGINT NOT NULL,
    id TEXT NOT NULL,
    owner TEXT NOT NULL,
    tool TEXT NOT NULL,
    data TEXT NOT NULL,
    bytes BIGINT NOT NULL,
    written BIGINT NOT NULL,
    expires BIGINT NOT NULL,
    PRIMARY KEY (kind, id, owner)
);
CREATE INDEX widgetcast_entries_owner ON widgetcast_entries (kind, owner, written, bytes);
CREATE INDEX widgetcast_entries_tool ON widgetcast_entries (kind, tool, written);
CREATE INDEX widgetcast_entries_expires ON widgetcast_entries (expires);
CREATE TABLE widgetcast_secrets (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);",
}];

pub(crate) const VERSIONS: &str = "\
CREATE TABLE IF NOT EXISTS widgetcast_migrations (
    scope TEXT NOT NULL,
    version BIGINT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (scope, version)
)";

/// All migrations, and whether their versions are among the applied ones.
pub(crate) fn plan(all: &[Migration], applied: &[i64]) -> Vec<Planned> {
    let planned = |migration: &Migration| Planned {
        migration: *migration,
        is_applied: applied.contains(&migration.version),
    };
    all.iter().map(planned).collect()
}
