//! The tickets, in SQLite.

use std::str::FromStr as _;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions, SqliteRow};
use sqlx::{FromRow, Result, Row as _, SqlitePool};

const SCHEMA: &str = "
create table if not exists tickets (
    id integer primary key,
    title text not null,
    body text not null,
    closed integer not null default 0,
    assignee text,
    opened_on text not null default (date('now')),
    closed_on text
);
insert into tickets (id, title, body, closed, assignee, opened_on, closed_on)
select * from (values
    (5, 'No sound in room 4', 'The speakers were unplugged.', 1, 'bob',
        date('now', '-9 days'), date('now', '-2 days')),
    (6, 'Slow laptop', 'It takes ten minutes to start.', 0, 'bob', date('now', '-4 days'), null),
    (7, 'Printer on fire', 'Second floor. It still prints.', 0, null,
        date('now', '-2 days'), null),
    (8, 'New chair', 'The old one squeaks.', 0, null, date('now'), null)
) where not exists (select 1 from tickets);";

/// A request for help.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ticket {
    /// Ticket number
    pub id: i64,
    /// Short summary of the problem
    pub title: String,
    /// Description by the user
    pub body: String,
    /// Whether the ticket needs work
    pub status: Status,
    /// Name of the assignee
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assignee: Option<String>,
}

// Models read these comments, too: they are in the schema.
/// Whether a ticket needs work
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Needs work
    Open,
    /// Done
    Closed,
}

/// Ticket statistics.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Stats {
    /// Number of open tickets
    pub open: i64,
    /// Number of closed tickets
    pub closed: i64,
    /// Number of open tickets without an assignee
    pub unassigned: i64,
    /// One entry per day, oldest first
    pub days: Vec<Day>,
    /// Open tickets per assignee, the highest number first
    pub people: Vec<Person>,
    /// Open tickets, oldest first
    pub waiting: Vec<Ticket>,
}

/// The activity of one day.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Day {
    /// Date, such as 2026-03-09
    pub day: String,
    /// Number of tickets opened
    pub opened: i64,
    /// Number of tickets closed
    pub closed: i64,
}

/// An assignee with open tickets.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Person {
    /// Name of the assignee; absent for unassigned tickets
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Number of open tickets
    pub open: i64,
}

impl FromRow<'_, SqliteRow> for Ticket {
    fn from_row(row: &SqliteRow) -> Result<Self> {
        Ok(Self {
            id: row.try_get("id")?,
            title: row.try_get("title")?,
            body: row.try_get("body")?,
            status: if row.try_get("closed")? { Status::Closed } else { Status::Open },
            assignee: row.try_get("assignee")?,
        })
    }
}

/// The database. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Db(SqlitePool);

impl Db {
    /// Opens a database such as `sqlite:helpdesk.db` or `sqlite::memory:`; an empty one gets four tickets.
    pub async fn open(url: &str) -> Result<Self> {
        let options = SqliteConnectOptions::from_str(url)?.create_if_missing(true);
        // A database in memory lives as long as its connection.
        let pool =
            SqlitePoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
        let pool = pool.connect_with(options).await?;
        sqlx::raw_sql(SCHEMA).execute(&pool).await?;
        Ok(Self(pool))
    }

    /// Closes the database. All further queries fail.
    pub async fn close(&self) {
        self.0.close().await;
    }

    /// Tickets whose title contains this text, newest first.
    pub async fn search(
        &self,
        words: &str,
        status: Option<Status>,
        most: u8,
    ) -> Result<Vec<Ticket>> {
        let sql = "select * from tickets where instr(lower(title), lower(?1)) > 0 \
                   and (?2 is null or closed = ?2) order by id desc limit ?3";
        let closed = status.map(|status| status == Status::Closed);
        sqlx::query_as(sql).bind(words).bind(closed).bind(most).fetch_all(&self.0).await
    }

    /// One page of all tickets, in order.
    pub async fn page(&self, page: i64, size: i64) -> Result<Vec<Ticket>> {
        let sql = "select * from tickets order by id limit ?2 offset ?1 * ?2";
        sqlx::query_as(sql).bind(page).bind(size).fetch_all(&self.0).await
    }

    /// The ticket with this number.
    pub async fn ticket(&self, id: i64) -> Result<Option<Ticket>> {
        sqlx::query_as("select * from tickets where id = ?").bind(id).fetch_optional(&self.0).await
    }

    /// Assigns a ticket, and reopens it if it was closed.
    pub async fn assign(&self, id: i64, assignee: &str) -> Result<Option<Ticket>> {
        let sql = "update tickets set assignee = ?2, closed = 0, closed_on = null where id = ?1 returning *";
        sqlx::query_as(sql).bind(id).bind(assignee).fetch_optional(&self.0).await
    }

    /// Adds a ticket.
    pub async fn create(&self, title: &str, body: &str) -> Result<Ticket> {
        let sql = "insert into tickets (title, body) values (?, ?) returning *";
        sqlx::query_as(sql).bind(title).bind(body).fetch_one(&self.0).await
    }

    /// Deletes a ticket and returns it.
    pub async fn delete(&self, id: i64) -> Result<Option<Ticket>> {
        let sql = "delete from tickets where id = ? returning *";
        sqlx::query_as(sql).bind(id).fetch_optional(&self.0).await
    }

    /// The statistics, with this many days of history.
    pub async fn stats(&self, days: u8) -> Result<Stats> {
        let sql = "select count(*), coalesce(sum(closed), 0), \
                   coalesce(sum(not closed and assignee is null), 0) from tickets";
        let (all, closed, unassigned): (i64, i64, i64) =
            sqlx::query_as(sql).fetch_one(&self.0).await?;
        let (days, people, waiting) =
            (self.days(days).await?, self.people().await?, self.open_tickets().await?);
        Ok(Stats { open: all - closed, closed, unassigned, days, people, waiting })
    }

    async fn days(&self, count: u8) -> Result<Vec<Day>> {
        let sql = "with recursive back(ago) as (select ?1 - 1 union all select ago - 1 from back where ago > 0), \
                   days(day) as (select date('now', '-' || ago || ' days') from back) \
                   select day, (select count(*) from tickets where opened_on = day) as opened, \
                   (select count(*) from tickets where closed_on = day) as closed from days";
        let rows: Vec<(String, i64, i64)> =
            sqlx::query_as(sql).bind(count).fetch_all(&self.0).await?;
        Ok(rows.into_iter().map(|(day, opened, closed)| Day { day, opened, closed }).collect())
    }

    async fn people(&self) -> Result<Vec<Person>> {
        let sql = "select assignee as name, count(*) as open from tickets where not closed \
                   group by assignee order by open desc, name";
        let rows: Vec<(Option<String>, i64)> = sqlx::query_as(sql).fetch_all(&self.0).await?;
        Ok(rows.into_iter().map(|(name, open)| Person { name, open }).collect())
    }

    /// Open tickets, oldest first.
    pub async fn open_tickets(&self) -> Result<Vec<Ticket>> {
        let sql = "select * from tickets where not closed order by opened_on, id limit 100";
        sqlx::query_as(sql).fetch_all(&self.0).await
    }

    /// The ticket numbers that start with these digits.
    pub async fn ids(&self, digits: &str) -> Result<Vec<String>> {
        let sql =
            "select cast(id as text) from tickets where instr(id, ?) = 1 order by id limit 20";
        sqlx::query_scalar(sql).bind(digits).fetch_all(&self.0).await
    }
}
