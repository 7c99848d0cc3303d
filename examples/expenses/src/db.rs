//! The expenses, in SQLite.

use std::str::FromStr as _;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions, SqliteRow};
use sqlx::{FromRow, Result, Row as _, SqlitePool};

const SCHEMA: &str = "
create table if not exists expenses (
    id integer primary key,
    employee text not null,
    purpose text not null,
    cents integer not null,
    status text not null default 'open'
);
insert into expenses (id, employee, purpose, cents)
select * from (values
    (1, 'ada', 'Train to Bern', 4950), (2, 'bob', 'Team dinner', 31240), (3, 'ada', 'Monitor', 120000)
) where not exists (select 1 from expenses);";

/// An expense of an employee.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Expense {
    /// Expense number
    pub id: i64,
    /// Name of the employee
    pub employee: String,
    /// Purpose of the expense
    pub purpose: String,
    /// Amount in cents
    pub cents: i64,
    /// Amount for display, such as `49.50 CHF`
    pub amount: String,
    /// `open`, `approved` or `rejected`
    pub status: String,
}

impl FromRow<'_, SqliteRow> for Expense {
    fn from_row(row: &SqliteRow) -> Result<Self> {
        let cents: i64 = row.try_get("cents")?;
        Ok(Self {
            id: row.try_get("id")?,
            employee: row.try_get("employee")?,
            purpose: row.try_get("purpose")?,
            cents,
            amount: format!("{}.{:02} CHF", cents / 100, cents % 100),
            status: row.try_get("status")?,
        })
    }
}

/// The database. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Db(SqlitePool);

impl Db {
    /// Opens a database such as `sqlite:expenses.db` or `sqlite::memory:`; an empty one gets samples.
    pub async fn open(url: &str) -> Result<Self> {
        let options = SqliteConnectOptions::from_str(url)?.create_if_missing(true);
        // A database in memory lives as long as its connection.
        let pool =
            SqlitePoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
        let pool = pool.connect_with(options).await?;
        sqlx::raw_sql(SCHEMA).execute(&pool).await?;
        Ok(Self(pool))
    }

    /// The number of expenses.
    pub async fn count(&self) -> Result<i64> {
        sqlx::query_scalar("select count(*) from expenses").fetch_one(&self.0).await
    }

    /// One page of expenses, newest first.
    pub async fn page(&self, page: i64, size: i64) -> Result<Vec<Expense>> {
        let sql = "select * from expenses order by id desc limit ?2 offset (?1 - 1) * ?2";
        sqlx::query_as(sql).bind(page).bind(size).fetch_all(&self.0).await
    }

    /// The expense with this number.
    pub async fn get(&self, id: i64) -> Result<Option<Expense>> {
        sqlx::query_as("select * from expenses where id = ?").bind(id).fetch_optional(&self.0).await
    }

    /// Open expenses, oldest first.
    pub async fn open_ones(&self) -> Result<Vec<Expense>> {
        let sql = "select * from expenses where status = 'open' order by id limit 100";
        sqlx::query_as(sql).fetch_all(&self.0).await
    }

    /// Adds an expense.
    pub async fn file(&self, employee: &str, purpose: &str, cents: i64) -> Result<Expense> {
        let sql = "insert into expenses (employee, purpose, cents) values (?, ?, ?) returning *";
        sqlx::query_as(sql).bind(employee).bind(purpose).bind(cents).fetch_one(&self.0).await
    }

    /// Decides about an open expense. Returns `None` if it is no longer open.
    pub async fn decide(&self, id: i64, status: &str) -> Result<Option<Expense>> {
        let sql = "update expenses set status = ?2 where id = ?1 and status = 'open' returning *";
        sqlx::query_as(sql).bind(id).bind(status).fetch_optional(&self.0).await
    }
}
