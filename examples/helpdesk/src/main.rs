//! A helpdesk: a database, callers with scopes, questions to the person, progress.
//!
//! ```text
//! cargo run -p widgetcast-example-helpdesk          # at http://127.0.0.1:8000/mcp, or at WIDGETCAST_HTTP
//! ```
//! `DATABASE_URL` is where the tickets are, such as `sqlite:helpdesk.db`; without it they are in memory.
//! `HELPDESK_KEYS` has a caller for each `;`: a name, a key and scopes, with spaces between.

use std::env;
use std::error::Error;

use helpdesk::db::Db;
use widgetcast::auth::BearerKeys;
use widgetcast::{Caller, Event};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let url = env::var("DATABASE_URL").unwrap_or_else(|_| "sqlite::memory:".into());
    let keys = match env::var("HELPDESK_KEYS") {
        Ok(text) => parse_keys(&text)?,
        Err(_) => demo_key()?,
    };
    let app = helpdesk::app(Db::open(&url).await?, keys).on_event(say_where).build()?;
    app.serve().await?;
    Ok(())
}

fn say_where(event: &Event<'_>) {
    if let Event::Started { at, .. } = event {
        eprintln!("serving at {at}");
    }
}

fn parse_keys(text: &str) -> Result<BearerKeys, String> {
    let mut keys = BearerKeys::new();
    for (at, entry) in text.split(';').enumerate() {
        let mut words = entry.split_whitespace();
        let (Some(name), Some(key)) = (words.next(), words.next()) else {
            // Without the entry itself: it may hold a key.
            return Err(format!("HELPDESK_KEYS: entry {} is not NAME KEY [SCOPE…]", at + 1));
        };
        keys = keys.key(key, Caller::new(name).scopes(words));
    }
    Ok(keys)
}

/// A key for this run alone, that may do everything.
fn demo_key() -> Result<BearerKeys, Box<dyn Error>> {
    let key = format!("{:016x}{:016x}", getrandom::u64()?, getrandom::u64()?);
    eprintln!("no HELPDESK_KEYS; for this run: Authorization: Bearer {key}");
    let caller = Caller::new("demo").scopes(["tickets:write", "tickets:admin"]);
    Ok(BearerKeys::new().key(key, caller))
}
