//! A helpdesk: a database, callers with scopes, questions to the person, progress.

pub mod db;
mod tools;

use std::time::Duration;

use db::{Db, Ticket};
use widgetcast::auth::BearerKeys;
use widgetcast::{Access, App, Builder, Page, Prompt, Resource, Tool};

const WIDGETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/widgets");

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/web/dist/stats.html");

/// `web/pages/stats.tsx` as it was built, or as `npm run dev` serves it at the address in `PAGES_DEV`.
fn page() -> Page {
    let page = Page::file("stats", PAGE).title("How the helpdesk does");
    match std::env::var("PAGES_DEV") {
        Ok(address) => page.dev(address),
        Err(_) => page,
    }
}

/// The whole server: the tickets in `db`, for those who have one of `keys`.
pub fn app(db: Db, keys: BearerKeys) -> Builder {
    App::new("helpdesk", "1.0.0")
        .state(db)
        .auth(keys)
        .widgets(WIDGETS)
        .page(page())
        .widget_access("new_ticket", Access::default().scope("tickets:write"))
        .tool(
            Tool::new("list_tickets", tools::list_tickets)
                .description("Tickets by words in their titles, the newest first")
                .widget("ticket_list")
                .read_only(),
        )
        .tool(
            Tool::new("show_ticket", tools::show_ticket)
                .description("One ticket with all that is known of it")
                .widgets(["ticket_card", "closed_ticket"])
                .output_type::<Ticket>()
                .read_only(),
        )
        .tool(
            Tool::new("assign", tools::assign)
                .description(
                    "Gives a ticket to the person who asks, and opens it again if it was closed",
                )
                .widgets(["ticket_card"])
                .output_type::<Ticket>()
                .scope("tickets:write")
                .idempotent(),
        )
        .tool(
            Tool::new("create_ticket", tools::create_ticket)
                .description("Opens a ticket; the form new_ticket asks a person for what it needs")
                .widget("ticket_card")
                .scope("tickets:write"),
        )
        .tool(
            Tool::new("export", tools::export)
                .description("All tickets as CSV, after the person has agreed")
                .timeout(Duration::from_secs(600))
                .read_only(),
        )
        .tool(
            Tool::new("stats", tools::stats)
                .description(
                    "How many tickets are open, closed and without anybody, and the last days",
                )
                .page("stats")
                .read_only(),
        )
        .tool(
            Tool::new("remind", tools::remind)
                .description("Reminds everybody of the tickets that are open")
                .timeout(Duration::from_secs(600))
                .scope("tickets:write"),
        )
        .tool(
            Tool::new("delete_ticket", tools::delete_ticket)
                .description("Removes a ticket for good")
                .scope("tickets:admin")
                .hidden()
                .destructive(true),
        )
        .prompt(
            Prompt::new("triage", tools::triage)
                .description("How urgent a ticket is, and who should do it")
                .complete("ticket", tools::ticket_ids),
        )
        .resource(
            Resource::new("ticket://{ticket}", "Ticket", tools::ticket_text)
                .mime("text/markdown")
                .complete("ticket", tools::ticket_ids),
        )
}
