//! The handlers of the helpdesk.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use widgetcast::handler::Typed;
use widgetcast::{Caller, Ctx, Data, Outcome, State, ToolError};

use crate::db::{Db, Stats, Status, Ticket};

const PAGE: i64 = 100;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Search {
    /// Text to search for in titles
    #[serde(default)]
    words: String,
    /// Only tickets with this status
    status: Option<Status>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Tickets {
    tickets: Vec<Ticket>,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct ById {
    /// Ticket number
    ticket: i64,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct NewTicket {
    /// Short summary of the problem
    #[schemars(length(max = 80))]
    title: String,
    /// What happened
    #[serde(default)]
    #[schemars(length(max = 2000))]
    body: String,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Period {
    /// Number of days up to today
    #[serde(default = "week")]
    #[schemars(range(min = 1, max = 90))]
    days: u8,
}

fn week() -> u8 {
    7
}

/// The result of `remind`.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Reminded {
    /// Number of reminders sent
    sent: usize,
}

/// The form that the user fills in before an export.
#[derive(Deserialize, JsonSchema)]
struct Confirm {
    /// Whether to include closed tickets
    closed: bool,
}

pub(crate) async fn list_tickets(
    State(db): State<Db>,
    search: Search,
) -> Result<Data<Tickets>, ToolError> {
    Ok(Data(Tickets { tickets: db.search(&search.words, search.status, 20).await? }))
}

pub(crate) async fn show_ticket(State(db): State<Db>, by: ById) -> Result<Outcome, ToolError> {
    let ticket = db.ticket(by.ticket).await?.ok_or_else(unknown)?;
    let widget = if ticket.status == Status::Open { "ticket_card" } else { "closed_ticket" };
    Ok(Outcome::new().data(&ticket).widget(widget))
}

pub(crate) async fn assign(
    State(db): State<Db>,
    caller: Caller,
    by: ById,
) -> Result<Outcome, ToolError> {
    let ticket = db.assign(by.ticket, caller.subject()).await?.ok_or_else(unknown)?;
    let text = format!("{} is yours", ticket.title);
    Ok(Outcome::new().data(&ticket).text(text).widget("ticket_card"))
}

pub(crate) async fn create_ticket(
    State(db): State<Db>,
    new: NewTicket,
) -> Result<(String, Data<Ticket>), ToolError> {
    let title = new.title.trim();
    if title.is_empty() {
        return Err(ToolError::public("a ticket needs a title").field("/title", "is empty"));
    }
    let ticket = db.create(title, &new.body).await?;
    Ok((format!("Ticket {} is open", ticket.id), Data(ticket)))
}

pub(crate) async fn export(ctx: Ctx, State(db): State<Db>) -> Result<String, ToolError> {
    let Some(confirm) = ctx.elicit::<Confirm>("Export the tickets?").await? else {
        return Err(ToolError::public("not confirmed"));
    };
    let stats = db.stats(1).await?;
    let pages = (stats.open + stats.closed + PAGE - 1) / PAGE;
    let mut csv = "id,title,assignee\n".to_owned();
    for page in 0..pages {
        let mut tickets = db.page(page, PAGE).await?;
        tickets.retain(|ticket| confirm.closed || ticket.status == Status::Open);
        csv.extend(tickets.iter().map(csv_line));
        ctx.progress((page + 1, pages), "pages").await;
    }
    Ok(csv)
}

pub(crate) async fn stats(State(db): State<Db>, period: Period) -> Result<Data<Stats>, ToolError> {
    Ok(Data(db.stats(period.days).await?))
}

/// A cancelled call is dropped at the next `await`.
pub(crate) async fn remind(ctx: Ctx, State(db): State<Db>) -> Result<Data<Reminded>, ToolError> {
    let tickets = db.open_tickets().await?;
    for (at, ticket) in tickets.iter().enumerate() {
        ctx.progress((at, tickets.len()), &ticket.title).await;
        // Send an e-mail here.
        tokio::time::sleep(Duration::from_millis(400)).await;
    }
    Ok(Data(Reminded { sent: tickets.len() }))
}

pub(crate) async fn delete_ticket(State(db): State<Db>, by: ById) -> Result<String, ToolError> {
    let ticket = db.delete(by.ticket).await?.ok_or_else(unknown)?;
    Ok(format!("{} is deleted", ticket.title))
}

/// The prompt `triage`.
pub(crate) async fn triage(State(db): State<Db>, by: ById) -> Result<String, ToolError> {
    let ticket = db.ticket(by.ticket).await?.ok_or_else(unknown)?;
    Ok(format!("How urgent is this, and who should do it?\n\n{}\n{}", ticket.title, ticket.body))
}

/// The resource `ticket://{ticket}`.
pub(crate) async fn ticket_text(State(db): State<Db>, by: ById) -> Result<String, ToolError> {
    let ticket = db.ticket(by.ticket).await?.ok_or_else(unknown)?;
    Ok(format!("# {}\n\n{}\n", ticket.title, ticket.body))
}

/// Completes ticket numbers while the user types.
pub(crate) async fn ticket_ids(
    State(db): State<Db>,
    typed: Typed,
) -> Result<Vec<String>, ToolError> {
    Ok(db.ids(&typed.value).await?)
}

fn unknown() -> ToolError {
    ToolError::public("unknown ticket").field("/ticket", "does not exist")
}

fn csv_line(ticket: &Ticket) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let assignee = ticket.assignee.as_deref().unwrap_or_default();
    format!("{},{},{}\n", ticket.id, quoted(&ticket.title), quoted(assignee))
}
