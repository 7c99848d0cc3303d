//! Expense approval: employees file expenses, approvers decide about them.

#[cfg(doctest)]
#[doc = include_str!("../../../docs/database.md")]
mod database {}

pub mod db;
mod tools;

use std::time::Duration;

use db::Db;
use widgetcast::auth::BearerKeys;
use widgetcast::{App, Builder, Prompt, Resource, Tool};

const WIDGETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/widgets");

/// The whole server. A tool without a description uses the doc comment of its input type.
pub fn app(db: Db, keys: BearerKeys) -> Builder {
    App::new("expenses", "1.0.0")
        .state(db)
        .auth(keys)
        .widgets(WIDGETS)
        .tool(Tool::new("list_expenses", tools::list).widget("expense_table").read_only())
        .tool(Tool::new("show_expense", tools::show).widget("expense_card").read_only())
        .tool(Tool::new("file_expense", tools::file).widget("expense_card"))
        .tool(
            Tool::new("decide", tools::decide)
                .widget("expense_card")
                .scope("expenses:approve")
                .hidden()
                .destructive(true),
        )
        .tool(
            Tool::new("export", tools::export)
                .description("Exports all expenses as CSV")
                .scope("expenses:approve")
                .timeout(Duration::from_secs(600))
                .task()
                .read_only(),
        )
        .resource(
            Resource::new("expense://{expense}", "Expense", tools::text)
                .mime("text/markdown")
                .complete("expense", tools::ids)
                .list(tools::open),
        )
        .prompt(
            Prompt::new("review", tools::review)
                .description("Asks whether the price of an expense is fair")
                .complete("expense", tools::ids),
        )
}
