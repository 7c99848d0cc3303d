//! What handlers take, what their errors say, and what is logged of them.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::sync::Notify;
use widgetcast::handler::FromCtx;
use widgetcast::{App, Caller, Ctx, State, Tool, ToolError};

use crate::audit::Log;

/// A database that answers when it is told to.
#[derive(Clone, Default)]
struct Db {
    answer: Arc<Notify>,
    is_down: bool,
}

/// Whoever calls, as the database knows them.
struct Account(String);

impl FromCtx for Account {
    async fn from_ctx(ctx: &Ctx) -> Result<Self, ToolError> {
        let account = Self::from_ctx_optional(ctx).await?;
        account.ok_or_else(|| "you have no account".into())
    }

    async fn from_ctx_optional(ctx: &Ctx) -> Result<Option<Self>, ToolError> {
        let State(db) = State::<Db>::from_ctx(ctx).await?;
        let Some(caller) = Option::<Caller>::from_ctx(ctx).await? else { return Ok(None) };
        db.answer.notified().await;
        match db.is_down {
            true => Err(std::io::Error::other("password of postgres://u:p@h"))?,
            false => Ok(Some(Self(format!("account of {}", caller.subject())))),
        }
    }
}

fn app(db: &Db) -> App {
    App::new("tests", "1.0.0")
        .state(db.clone())
        .tool(Tool::new("must", async |account: Account| account.0))
        .tool(Tool::new("may", async |account: Option<Account>| {
            account.map_or_else(|| "nobody".to_owned(), |account| account.0)
        }))
        .build()
        .unwrap()
}

/// An extractor may wait for something while the call is running.
#[tokio::test]
async fn extractors_wait() {
    let db = Db::default();
    let ada = app(&db).test().as_caller("ada", []);
    for tool in ["must", "may"] {
        let (called, ()) =
            tokio::join!(ada.call(tool, json!({})), async { db.answer.notify_one() });
        assert_eq!(called.unwrap().text(), "account of ada");
    }
}

/// What is absent is `None`; what failed is not.
#[tokio::test]
async fn an_option_is_none_only_if_the_value_is_absent() {
    let db = Db { is_down: true, ..Db::default() };
    let app = app(&db);
    let nobody = app.test();
    assert_eq!(nobody.call("may", json!({})).await.unwrap().text(), "nobody");
    assert_eq!(nobody.call("must", json!({})).await.unwrap().text(), "you have no account");
    let (log, _guard) = Log::start();
    for tool in ["must", "may"] {
        db.answer.notify_one();
        let failed = app.test().as_caller("ada", []).call(tool, json!({})).await.unwrap();
        assert!(failed.is_error(), "{tool}");
        assert!(failed.text().starts_with("failed (id "), "{}", failed.text());
    }
    // What the model does not read, the operator does.
    assert_eq!(log.text().matches("password of postgres://u:p@h").count(), 2, "{}", log.text());
}

/// A handler that holds up its thread is named; one that waits is not.
#[tokio::test(start_paused = true)]
async fn blocking_handlers_are_named() {
    let app = App::new("tests", "1.0.0")
        .tool(Tool::new("waits", async || {
            tokio::time::sleep(Duration::from_secs(8)).await;
            "done"
        }))
        .tool(Tool::new("blocks", async || {
            // The clock goes on within one poll.
            tokio::time::advance(Duration::from_secs(8)).await;
            "done"
        }))
        .build()
        .unwrap();
    let (log, _guard) = Log::start();
    app.test().call("waits", json!({})).await.unwrap();
    assert_eq!(log.text(), "");
    app.test().call("blocks", json!({})).await.unwrap();
    let text = log.text();
    assert!(text.contains("the handler of blocks blocked its thread for 8000 ms"), "{text}");
    assert!(text.contains("spawn_blocking") && text.lines().count() == 1, "{text}");
}
