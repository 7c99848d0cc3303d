//! A helpdesk: a database, callers with scopes, elicitation, progress.

pub mod db;
mod tools;

use std::time::Duration;

use db::{Db, Ticket};
use widgetcast::auth::BearerKeys;
use widgetcast::{Access, App, Builder, Page, Prompt, Resource, Tool};

const WIDGETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/widgets");

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/web/dist/stats.html");

/// The built `web/pages/stats.tsx`, or the dev server (`npm run dev`) at the URL in `PAGES_DEV`.
fn page() -> Page {
    let page = Page::file("stats", PAGE).title("Helpdesk statistics");
    match std::env::var("PAGES_DEV") {
        Ok(address) => page.dev(address),
        Err(_) => page,
    }
}

/// The whole server, with the tickets in `db`. Callers need one of `keys`.
pub fn app(db: Db, keys: BearerKeys) -> Builder {
    App::new("helpdesk", "1.0.0")
        .state(db)
        .auth(keys)
        .widgets(WIDGETS)
        .page(page())
        .widget_access("new_ticket", Access::default().scope("tickets:write"))
        .tool(
            Tool::new("list_tickets", tools::list_tickets)
                .description("Searches tickets by title, newest first")
                .widget("ticket_list")
                .read_only(),
        )
        .tool(
            Tool::new("show_ticket", tools::show_ticket)
                .description("Shows one ticket with all its details")
                .widgets(["ticket_card", "closed_ticket"])
                .output_type::<Ticket>()
                .read_only(),
        )
        .tool(
            Tool::new("assign", tools::assign)
                .description(
                    "Assigns a ticket to the caller, and reopens it if it was closed",
                )
                .widgets(["ticket_card"])
                .output_type::<Ticket>()
                .scope("tickets:write")
                .idempotent(),
        )
        .tool(
            Tool::new("create_ticket", tools::create_ticket)
                .description("Opens a ticket. To ask the user for the details, call new_ticket instead")
                .widget("ticket_card")
                .scope("tickets:write"),
        )
        .tool(
            Tool::new("export", tools::export)
                .description("Exports tickets as CSV, after the user has confirmed")
                .timeout(Duration::from_secs(600))
                .read_only(),
        )
        .tool(
            Tool::new("stats", tools::stats)
                .description(
                    "Shows how many tickets are open, closed and unassigned, and a history of the last days",
                )
                .page("stats")
                .read_only(),
        )
        .tool(
            Tool::new("remind", tools::remind)
                .description("Sends a reminder for every open ticket")
                .timeout(Duration::from_secs(600))
                .scope("tickets:write"),
        )
        .tool(
            Tool::new("delete_ticket", tools::delete_ticket)
                .description("Deletes a ticket permanently")
                .scope("tickets:admin")
                .hidden()
                .destructive(true),
        )
        .prompt(
            Prompt::new("triage", tools::triage)
                .description("Asks how urgent a ticket is, and who should work on it")
                .complete("ticket", tools::ticket_ids),
        )
        .resource(
            Resource::new("ticket://{ticket}", "Ticket", tools::ticket_text)
                .mime("text/markdown")
                .complete("ticket", tools::ticket_ids),
        )
}
