//! The app: its tools, its widgets and its page.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use widgetcast::{App, Builder, Data, Page, Tool};

/// The input, from the model or the page.
#[derive(Deserialize, JsonSchema)]
pub struct Range {
    /// Number of days up to today, from 1 to 14
    #[schemars(range(min = 1, max = 14))]
    pub days: u8,
}

/// The output.
#[derive(Serialize, JsonSchema)]
pub struct Stats {
    /// One entry per day, oldest first
    pub days: Vec<Day>,
}

#[derive(Serialize, JsonSchema)]
pub struct Day {
    /// How many days ago
    pub ago: u8,
    /// Number of tickets opened
    pub opened: u32,
    /// Number of tickets closed
    pub closed: u32,
}

async fn stats(range: Range) -> Data<Stats> {
    // Replace this with a database query.
    let day = |ago: u8| {
        let seed = u32::from(ago);
        Day {
            ago,
            opened: 4 + seed * 5 % 9,
            closed: 2 + seed * 7 % 8,
        }
    };
    Data(Stats {
        days: (0..range.days).rev().map(day).collect(),
    })
}

/// A file of this project, whatever the working directory. On another machine, set `APP_DIR` to the
/// directory with `widgets` and `web/dist`.
fn file(path: &str) -> PathBuf {
    let dir = std::env::var_os("APP_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    PathBuf::from(dir).join(path)
}

/// `web/pages/NAME`: built by `npm run build`, or served by `npm run dev` at the address in `PAGES_DEV`.
fn page(name: &str) -> Page {
    let page = Page::file(name, file(&format!("web/dist/{name}.html")));
    match std::env::var("PAGES_DEV") {
        Ok(address) => page.dev(address),
        Err(_) => page,
    }
}

pub fn app() -> Builder {
    App::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))
        .widgets(file("widgets"))
        .page(page("stats").title("Tickets per day"))
        .tool(
            Tool::new("stats", stats)
                .title("Tickets per day")
                .description(
                    "Shows how many tickets were opened and closed on each of the last days",
                )
                .page("stats")
                .read_only()
                .open_world(false),
        )
}
