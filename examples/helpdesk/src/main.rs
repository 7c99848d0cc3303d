//! A helpdesk: a database, callers with scopes, elicitation, progress.
//!
//! ```text
//! cargo run -p widgetcast-example-helpdesk          # at http://127.0.0.1:8000/mcp, or at WIDGETCAST_HTTP
//! ```
//! Set `DATABASE_URL` to a database, such as `sqlite:helpdesk.db`; by default, tickets are in memory.
//! `HELPDESK_KEYS` lists callers, separated by `;`: a name, a key and scopes, separated by spaces.

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
            // The message does not contain the entry, which may include a key.
            return Err(format!("HELPDESK_KEYS: entry {} is not NAME KEY [SCOPE…]", at + 1));
        };
        keys = keys.key(key, Caller::new(name).scopes(words));
    }
    Ok(keys)
}

/// Generates a key for this run, with all scopes.
fn demo_key() -> Result<BearerKeys, Box<dyn Error>> {
    let key = format!("{:016x}{:016x}", getrandom::u64()?, getrandom::u64()?);
    eprintln!("no HELPDESK_KEYS; for this run: Authorization: Bearer {key}");
    let caller = Caller::new("demo").scopes(["tickets:write", "tickets:admin"]);
    Ok(BearerKeys::new().key(key, caller))
}
