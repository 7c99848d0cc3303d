//! One mistake in each statement. `check.py` has what the compiler must say about it.

use widgetcast::components::{Card, Row, TableRow};
use widgetcast::handler::Method;
use widgetcast::{Data, Outcome, Prompt, Resource, State, Tool};

#[derive(Clone)]
struct Db;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Search {
    words: String,
}

/// An input without a schema.
#[derive(serde::Deserialize)]
struct NoSchema {}

/// Data that cannot be written.
#[derive(schemars::JsonSchema)]
struct NotSerialized {}

/// A state that cannot be shared.
struct NotClone;

fn main() {
    _ = Tool::new("no_schema", async |_: NoSchema| "done");
    _ = Tool::new("not_async", |search: Search| search.words);
    _ = Tool::new("wrong_order", async |_: Search, _: State<Db>| "done");
    _ = Tool::new("two_inputs", async |_: Search, _: Search| "done");
    _ = Tool::new("not_clone", async |_: State<NotClone>| "done");
    _ = Tool::new("bad_output", async || 7);
    _ = Tool::new("bad_data", async || Data(NotSerialized {}));
    _ = Tool::new("bad_error", async || Err::<Outcome, _>(7));
    _ = Prompt::new("bad_messages", async || 7);
    _ = Resource::new("shop://bad_contents", "Bad", async || 7);
    _ = Method::new("shop/bad_result", async || 7);
    _ = Card::new().child("a text");
    _ = Row::new().child(TableRow::new());
    _ = Outcome::new().components(Row::new());
}
