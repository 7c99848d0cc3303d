//! Expense approval over MCP.
//!
//! ```text
//! cargo run -p widgetcast-example-expenses    # at http://127.0.0.1:8000/mcp, or at WIDGETCAST_HTTP
//! ```
//! Set `DATABASE_URL` to a database, such as `sqlite:expenses.db`; by default, expenses are in memory.
//! Each run generates a key with all scopes.

use expenses::db::Db;
use widgetcast::auth::BearerKeys;
use widgetcast::{Caller, Event};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let url = std::env::var("DATABASE_URL").unwrap_or_else(|_| "sqlite::memory:".into());
    let (key, _) = BearerKeys::generate();
    eprintln!("for this run: Authorization: Bearer {key}");
    let keys = BearerKeys::new().key(key, Caller::new("eve").scope("expenses:approve"));
    let app = expenses::app(Db::open(&url).await?, keys).on_event(|event| {
        if let Event::Started { at, .. } = event {
            eprintln!("serving at {at}");
        }
    });
    app.build()?.serve().await?;
    Ok(())
}
